/* Dispatch where kernels may pass a stuck one; called where that is used. */
#ifndef GRT_MODELS_GPU_APART_H
#define GRT_MODELS_GPU_APART_H

#include "models/gpu/internal.h"

void gpu_apart_dispatch(struct grt_gpu *gpu, struct context *context);

#endif
