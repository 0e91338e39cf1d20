/* The checks of rule Q1b; called where they are used, but for the first. */
#ifndef GRT_MODELS_GPU_DEPENDENCY_H
#define GRT_MODELS_GPU_DEPENDENCY_H

#include "models/gpu/internal.h"
#include "sim/inlining.h"

void gpu_dependency_choose_queue(const struct grt_gpu *gpu, struct command *call);
GRT_RARE void gpu_dependency_before(struct grt_gpu *gpu, uint32_t stream, const struct grt_gpu_command *given,
                                    uint32_t job);
GRT_RARE void gpu_dependency_find(const struct grt_gpu *gpu, struct stream *stream);
GRT_RARE bool gpu_dependency_is_needed(struct grt_gpu *gpu, struct command *command);

#endif
