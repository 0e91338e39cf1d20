/* A kernel and all that its blocks launched; called where launches are used. */
#ifndef GRT_MODELS_GPU_FAMILY_H
#define GRT_MODELS_GPU_FAMILY_H

#include "models/gpu/internal.h"

bool gpu_family_cancel(struct grt_gpu *gpu, uint32_t command);
void gpu_family_finish(struct grt_gpu *gpu);
uint64_t gpu_family_cohort_state(const struct grt_gpu *gpu, const struct context *context, uint32_t cohort,
                                 uint64_t hash);
uint64_t gpu_family_state(const struct grt_gpu *gpu, uint64_t hash);
void gpu_family_remove(struct grt_gpu *gpu, uint32_t command);

#endif
