/* Kernels in their queues, and the hand-out of their blocks. */
#ifndef GRT_MODELS_GPU_EXECUTE_H
#define GRT_MODELS_GPU_EXECUTE_H

#include "models/gpu/internal.h"

void gpu_execute_create(struct grt_gpu *gpu);
void gpu_execute_create_context(struct grt_gpu *gpu, struct context *context);
void gpu_execute_enqueue(struct grt_gpu *gpu, const struct stream *stream, uint32_t command);
bool gpu_execute_cancel(struct grt_gpu *gpu, uint32_t command);
void gpu_execute_leave_queue(struct grt_gpu *gpu, uint32_t command);
void gpu_execute_drop(struct grt_gpu *gpu, uint32_t command);
grt_time gpu_execute_next(const struct grt_gpu *gpu, const struct context *context,
                          const struct grt_event_queue *queue);
void gpu_execute_decide(struct grt_gpu *gpu);
void gpu_execute_schedule(struct grt_gpu *gpu);
bool gpu_execute_dispatch(struct grt_gpu *gpu, struct context *context, uint32_t command);
bool gpu_execute_may_dispatch(const struct grt_gpu *gpu, const struct context *context,
                              const struct command *command);
void gpu_execute_finish(struct grt_gpu *gpu, struct context *context);

#endif
