/* Calls: commands that no engine executes. Kept out of the hot paths that they are called from. */
#ifndef GRT_MODELS_GPU_CALL_H
#define GRT_MODELS_GPU_CALL_H

#include "models/gpu/internal.h"
#include "sim/inlining.h"

GRT_RARE void gpu_call_submitted(struct grt_gpu *gpu, uint32_t command, const struct grt_gpu_command *given,
                                 uint64_t random_key);
GRT_RARE bool gpu_call_advance(struct grt_gpu *gpu, uint32_t command);
GRT_RARE void gpu_call_ended(struct grt_gpu *gpu, uint32_t command);
GRT_RARE bool gpu_call_cancel(struct grt_gpu *gpu, uint32_t command);
GRT_RARE bool gpu_call_cancel_telling(struct grt_gpu *gpu, uint32_t owner);
bool gpu_call_is_running(const struct grt_gpu *gpu, const struct stream *stream);
void gpu_call_finish(struct grt_gpu *gpu);

static inline bool gpu_call_is_event(int64_t kind) {
    return kind == GRT_COMMAND_RECORD || kind == GRT_COMMAND_WAIT || kind == GRT_COMMAND_QUERY;
}

/* S1 and S2: whether a call synchronises all streams of its process. */
bool gpu_call_is_barrier(const struct grt_device *device, int64_t kind);

#endif
