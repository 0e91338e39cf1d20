/* Hardware queues: what lies between the streams of a process and the engines.
 *
 * Source: J. Bakita, J. H. Anderson, "Demystifying NVIDIA GPU Internals to Enable Reliable GPU Management", RTAS 2024
 * (Q3 to Q6); NVIDIA, CUDA C++ Programming Guide (Q2); S. Rennich, "CUDA C/C++ Streams and Concurrency", 2011 (Q1).
 *
 * Dynamic model: a stream needs a hardware queue for its commands to reach the engines. It takes a free one when its head
 * is ready, and gives it back once the last command in the stream has been dispatched (Q5). The NULL stream has one of its
 * own: else it could wait for the queue of a stream that waits for it by rule N2. Static model: streams are
 * bound to queues in turn, and a queue is first in first out (Q7). Single model: one queue for kernels and one for every
 * copy engine, in the order of the calls (Q1). In both, a command that waits for its own stream holds up all behind it. */
#include "models/gpu/queue.h"

#include "models/gpu/internal.h"
#include "sim/check.h"

static bool is_dynamic(const struct grt_gpu *gpu) {
    return gpu->device->queue_model == GRT_QUEUE_MODEL_DYNAMIC;
}

static uint32_t queue_count(const struct grt_gpu *gpu) {
    return gpu->device->queue_model == GRT_QUEUE_MODEL_SINGLE ? 1 + gpu->engine_count
                                                              : (uint32_t)gpu->device->hardware_queues;
}

struct queue_pool *gpu_queue_create_pool(struct grt_gpu *gpu) {
    struct queue_pool *pool = grt_arena_new(gpu->options.arena, struct queue_pool);
    uint32_t count = queue_count(gpu);
    pool->free = count;
    pool->random =
        grt_random_stream(gpu->options.seed, "hardware-queues", gpu->options.index, gpu->process_count);
    if (is_dynamic(gpu)) {
        return pool;
    }
    pool->queues = grt_arena_array(gpu->options.arena, count, sizeof *pool->queues);
    pool->undispatched = grt_arena_array(gpu->options.arena, count, sizeof *pool->undispatched);
    for (uint32_t i = 0; i < count; i++) {
        pool->queues[i] = (struct command_list){NONE, NONE};
    }
    return pool;
}

/* A stream has been made. */
void gpu_queue_bind(struct grt_gpu *gpu, struct stream *stream) {
    struct queue_pool *pool = stream->process->pool;
    bool is_static = gpu->device->queue_model == GRT_QUEUE_MODEL_STATIC;
    stream->hardware_queue = is_static ? pool->stream_count % queue_count(gpu) : 0;
    pool->stream_count++;
    pool->waiting =
        grt_array_grow(pool->waiting, &pool->waiting_capacity, pool->stream_count, sizeof *pool->waiting);
}

/* ---- static and single model ---- */

/* Single model: the queue of commands of a kind, 0 for kernels. */
static uint32_t single_queue_of_kind(const struct grt_gpu *gpu, int64_t kind) {
    return kind == GRT_COMMAND_KERNEL ? 0 : 1 + engine_of_kind(gpu, kind);
}

static uint32_t single_queue_of(const struct grt_gpu *gpu, const struct command *command) {
    return grt_command_is_call(command->kind) ? command->queue : single_queue_of_kind(gpu, command->kind);
}

void grt_gpu_stream_begins(struct grt_gpu *gpu, uint32_t stream, enum grt_command_kind kind) {
    GRT_REQUIRE(stream < gpu->stream_count && !grt_command_is_call(kind),
                "a stream begins with a kernel or a copy");
    if (gpu->uses.hardware_queues && gpu->device->queue_model == GRT_QUEUE_MODEL_SINGLE) {
        gpu->streams[stream].hardware_queue = single_queue_of_kind(gpu, kind);
    }
}

static struct command_list *queue_of(const struct grt_gpu *gpu, const struct command *command) {
    const struct stream *stream = &gpu->streams[command->stream];
    struct command_list *queues = stream->process->pool->queues;
    if (gpu->device->queue_model == GRT_QUEUE_MODEL_STATIC) {
        return &queues[stream->hardware_queue];
    }
    return &queues[single_queue_of(gpu, command)];
}

static bool is_single(const struct grt_gpu *gpu) {
    return gpu->device->queue_model == GRT_QUEUE_MODEL_SINGLE;
}

/* Whether a command stands in a hardware queue: of the calls, events and checks do. */
static bool stands_in_queue(const struct command *command) {
    return !grt_command_is_call(command->kind) || command->queued;
}

/* A call in front may now go on: what it waited for has been dispatched, or is gone. */
static void touch_front_call(struct grt_gpu *gpu, const struct command_list *queue) {
    if (queue->head != NONE && grt_command_is_call(gpu->commands[queue->head].kind)) {
        gpu_stream_touch(gpu, gpu->commands[queue->head].stream);
    }
}

/* The next command may now go on, if it is the head of its stream. */
static void touch_front(struct grt_gpu *gpu, const struct command_list *queue) {
    if (queue->head != NONE) {
        gpu_stream_touch(gpu, gpu->commands[queue->head].stream);
    }
}

/* ---- dynamic model ---- */

static uint32_t find_waiting(const struct queue_pool *pool, uint32_t stream) {
    uint32_t place = 0;
    while (place < pool->waiting_count && pool->waiting[place] != stream) {
        place++;
    }
    return place;
}

static void remove_waiting(struct queue_pool *pool, uint32_t place) {
    pool->waiting_count--;
    for (; place < pool->waiting_count; place++) {
        pool->waiting[place] = pool->waiting[place + 1];
    }
}

static uint32_t choose_waiting(const struct grt_gpu *gpu, struct queue_pool *pool) {
    switch (gpu->device->queue_order) {
    case GRT_QUEUE_ORDER_LIFO:
        return pool->waiting_count - 1;
    case GRT_QUEUE_ORDER_FIFO:
        return 0;
    default:
        return (uint32_t)grt_random_below(&pool->random, pool->waiting_count);
    }
}

/* A stream gives its queue back: it goes to one of the streams that wait for one. */
static void give_back(struct grt_gpu *gpu, struct stream *stream) {
    struct queue_pool *pool = stream->process->pool;
    stream->has_queue = false;
    if (pool->waiting_count == 0) {
        pool->free++;
        return;
    }
    uint32_t place = choose_waiting(gpu, pool), next = pool->waiting[place];
    remove_waiting(pool, place);
    gpu->streams[next].has_queue = true;
    gpu_stream_touch(gpu, next);
}

/* Whether a stream has a queue, or gets one. */
static bool take_queue(struct grt_gpu *gpu, uint32_t number) {
    struct stream *stream = &gpu->streams[number];
    struct queue_pool *pool = stream->process->pool;
    if (stream->has_queue || stream->is_null) {
        return true;
    }
    if (pool->free > 0) {
        pool->free--;
        stream->has_queue = true;
        return true;
    }
    if (find_waiting(pool, number) == pool->waiting_count) {
        pool->waiting[pool->waiting_count++] = number;
    }
    return false;
}

/* ---- what the streams and engines call ---- */

/* The call was made. */
void gpu_queue_submitted(struct grt_gpu *gpu, uint32_t number) {
    const struct command *command = &gpu->commands[number];
    if (is_dynamic(gpu) || !stands_in_queue(command)) {
        return;
    }
    if (is_single(gpu) && !grt_command_is_call(command->kind)) {
        gpu->streams[command->stream].hardware_queue = single_queue_of(gpu, command);
    }
    list_push(queue_of(gpu, command), gpu->commands, number, queue_link);
}

/* Whether the head of a stream may go to its engine's queue; if so it leaves its hardware queue. A call asks by itself. */
bool gpu_queue_admits(struct grt_gpu *gpu, uint32_t number) {
    const struct command *command = &gpu->commands[number];
    if (grt_command_is_call(command->kind)) {
        return true;
    }
    if (is_dynamic(gpu)) {
        return take_queue(gpu, command->stream);
    }
    struct command_list *queue = queue_of(gpu, command);
    if (queue->head != number) {
        return false;
    }
    list_pop(queue, gpu->commands, queue_link);
    if (is_single(gpu)) {
        gpu->streams[command->stream].process->pool->undispatched[single_queue_of(gpu, command)]++;
    }
    touch_front(gpu, queue);
    return true;
}

/* The same for a call that stands in a hardware queue: in the single model all before it must have been dispatched. */
bool gpu_queue_admits_call(struct grt_gpu *gpu, uint32_t number) {
    const struct command *call = &gpu->commands[number];
    struct command_list *queue = queue_of(gpu, call);
    if (queue->head != number ||
        (is_single(gpu) && process_of(gpu, number)->pool->undispatched[call->queue] > 0)) {
        return false;
    }
    list_pop(queue, gpu->commands, queue_link);
    touch_front(gpu, queue);
    return true;
}

/* All its blocks are on SMs, or its engine has taken it (Q5). */
void gpu_queue_dispatched(struct grt_gpu *gpu, uint32_t number) {
    const struct command *command = &gpu->commands[number];
    struct stream *stream = &gpu->streams[command->stream];
    if (is_dynamic(gpu) && command->next == NONE && stream->has_queue) {
        give_back(gpu, stream);
    } else if (is_single(gpu)) {
        gpu_queue_dropped(gpu, number);
    }
}

/* Single model: a command that had left its hardware queue has been dispatched, or is gone: a call behind it may go on. */
void gpu_queue_dropped(struct grt_gpu *gpu, uint32_t number) {
    const struct command *command = &gpu->commands[number];
    if (is_single(gpu) && !grt_command_is_call(command->kind)) {
        struct queue_pool *pool = gpu->streams[command->stream].process->pool;
        uint32_t queue = single_queue_of(gpu, command);
        if (--pool->undispatched[queue] == 0) {
            touch_front_call(gpu, &pool->queues[queue]);
        }
    }
}

/* The head of a stream is held back by what other streams have yet to do, which may need the queue that the stream holds:
 * it gives it back. */
void gpu_queue_held(struct grt_gpu *gpu, uint32_t number) {
    struct stream *stream = &gpu->streams[number];
    if (gpu->uses.hardware_queues && is_dynamic(gpu) && stream->has_queue) {
        give_back(gpu, stream);
    }
}

/* It was taken back before it went to its engine's queue. */
void gpu_queue_cancelled(struct grt_gpu *gpu, uint32_t number) {
    if (!is_dynamic(gpu) && stands_in_queue(&gpu->commands[number])) {
        struct command_list *queue = queue_of(gpu, &gpu->commands[number]);
        list_remove(queue, gpu->commands, number, queue_link);
        touch_front(gpu, queue);
    }
}

static bool is_dispatched(const struct command *command) {
    if (command->kind != GRT_COMMAND_KERNEL) {
        return command->state == COMMAND_RUNNING;
    }
    return command->state == COMMAND_RUNNING && command->next_block == command->block_end;
}

/* Commands of a stream were taken back: it may no longer need a queue. A new head asks for one by itself. */
void gpu_queue_settle(struct grt_gpu *gpu, uint32_t number, bool new_head) {
    struct stream *stream = &gpu->streams[number];
    uint32_t last = stream->commands.tail;
    if (!is_dynamic(gpu)) {
        return;
    }
    if (stream->has_queue) {
        if (last == NONE || is_dispatched(&gpu->commands[last])) {
            give_back(gpu, stream);
        }
        return;
    }
    uint32_t place = find_waiting(stream->process->pool, number);
    if (new_head && place < stream->process->pool->waiting_count) {
        remove_waiting(stream->process->pool, place);
    }
}
