/* Blocks that wait for what they launched; called where launches are used. */
#ifndef GRT_MODELS_GPU_WAITING_H
#define GRT_MODELS_GPU_WAITING_H

#include "models/gpu/internal.h"

void gpu_waiting_create_context(struct grt_gpu *gpu, struct context *context);
bool gpu_waiting_leave(struct grt_gpu *gpu, struct context *context, uint32_t cohort, uint32_t from,
                       uint32_t to);
void gpu_waiting_completed(struct grt_gpu *gpu, uint32_t command);
bool gpu_waiting_dispatch(struct grt_gpu *gpu, struct context *context, uint32_t cohort);
void gpu_waiting_drop(struct grt_gpu *gpu, uint32_t command);
uint32_t gpu_waiting_block_of(const struct grt_gpu *gpu, uint32_t command);
uint64_t gpu_waiting_state(const struct grt_gpu *gpu, const struct context *context, uint64_t hash);

#endif
