/* What happens on the SMs, as records of the trace; blocks only where there is one. */
#ifndef GRT_MODELS_GPU_TRACE_H
#define GRT_MODELS_GPU_TRACE_H

#include "models/gpu/internal.h"

void gpu_trace_kernel_slice(struct grt_gpu *gpu, uint32_t command, uint8_t flags);
static inline void gpu_trace_kernel(struct grt_gpu *gpu, uint32_t command, uint8_t flags) {
    if (gpu->options.trace != NULL) {
        gpu_trace_kernel_slice(gpu, command, flags);
    }
}
void gpu_trace_block(struct grt_gpu *gpu, const struct context *context, const struct cohort *cohort,
                     uint32_t offset, uint8_t flags);
void gpu_trace_cohort(struct grt_gpu *gpu, const struct context *context, const struct cohort *cohort,
                      uint8_t flags);

#endif
