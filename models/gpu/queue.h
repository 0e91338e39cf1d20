/* Hardware queues between the streams and the engines; called where they are used. */
#ifndef GRT_MODELS_GPU_QUEUE_H
#define GRT_MODELS_GPU_QUEUE_H

#include "models/gpu/stream.h"
#include "sim/inlining.h"

struct grt_gpu;

/* The hardware queues of a process, or of all clients of an MPS server before Volta (Q8): see queue.c. */
struct queue_pool {
    struct command_list *queues; /* static and single model: commands in the order of the calls */
    uint32_t free;               /* dynamic model */
    uint32_t *waiting;           /* streams without a queue, in the order in which they came to need one */
    uint32_t waiting_count, waiting_capacity;
    struct grt_random random; /* for who gets a free queue */
    uint32_t stream_count;
    uint32_t *undispatched; /* single model, by queue: what has left it and is not dispatched, or gone */
};

struct queue_pool *gpu_queue_create_pool(struct grt_gpu *gpu);
void gpu_queue_bind(struct grt_gpu *gpu, struct stream *stream);
void gpu_queue_submitted(struct grt_gpu *gpu, uint32_t command);
bool gpu_queue_admits(struct grt_gpu *gpu, uint32_t command);
GRT_RARE bool gpu_queue_admits_call(struct grt_gpu *gpu, uint32_t call);
void gpu_queue_dispatched(struct grt_gpu *gpu, uint32_t command);
void gpu_queue_dropped(struct grt_gpu *gpu, uint32_t command);
void gpu_queue_cancelled(struct grt_gpu *gpu, uint32_t command);
void gpu_queue_settle(struct grt_gpu *gpu, uint32_t stream, bool new_head);
GRT_RARE void gpu_queue_held(struct grt_gpu *gpu, uint32_t stream);

#endif
