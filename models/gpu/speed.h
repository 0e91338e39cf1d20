/* How fast what runs is; called where contention is used, but for the creation. */
#ifndef GRT_MODELS_GPU_SPEED_H
#define GRT_MODELS_GPU_SPEED_H

#include "models/gpu/internal.h"

void gpu_speeds_create(struct grt_gpu *gpu);
void gpu_speeds_settle(struct grt_gpu *gpu);

#endif
