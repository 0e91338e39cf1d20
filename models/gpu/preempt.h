/* What becomes of blocks inside of which a turn ends. */
#ifndef GRT_MODELS_GPU_PREEMPT_H
#define GRT_MODELS_GPU_PREEMPT_H

#include "models/gpu/internal.h"

grt_time gpu_preempt_move_time(const struct grt_gpu *gpu, const struct context *context);
void gpu_preempt_throw_away(struct grt_gpu *gpu, struct context *context);
void gpu_preempt_run_again(struct grt_gpu *gpu, struct context *context);

#endif
