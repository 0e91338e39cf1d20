/* Kernels on a GPU that is simulated by shares: called where gpu->shares is not NULL. */
#ifndef GRT_MODELS_GPU_SHARE_H
#define GRT_MODELS_GPU_SHARE_H

#include "models/gpu/internal.h"

void gpu_shares_create(struct grt_gpu *gpu);
void gpu_shares_add_stream(struct grt_gpu *gpu, uint32_t stream);
void gpu_shares_decide(struct grt_gpu *gpu);
void gpu_shares_settle(struct grt_gpu *gpu);
void gpu_shares_cancel(struct grt_gpu *gpu, uint32_t command);
uint64_t gpu_shares_state(const struct grt_gpu *gpu, uint64_t hash);
void gpu_shares_finish(struct grt_gpu *gpu, struct grt_gpu_result *result);
void gpu_shares_free(struct grt_gpu *gpu);

#endif
