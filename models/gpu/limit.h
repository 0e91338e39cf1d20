/* How much of the SMs a client may use; called where limits are used. */
#ifndef GRT_MODELS_GPU_LIMIT_H
#define GRT_MODELS_GPU_LIMIT_H

#include "models/gpu/internal.h"

void gpu_limit_create(struct grt_gpu *gpu, struct process *process, int64_t percentage);
bool gpu_limit_is_reached(const struct process *process);
uint32_t gpu_limit_take_many(struct grt_gpu *gpu, struct process *process,
                             const struct grt_gpu_kernel *kernel, uint32_t count, struct cohort *cohort,
                             grt_time clock);
void gpu_limit_took(struct grt_gpu *gpu, struct process *process, uint32_t place);
void gpu_limit_released(struct grt_gpu *gpu, struct process *process, uint32_t place, uint32_t count);

#endif
