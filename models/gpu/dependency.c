/* The single hardware queue's checks (Q1b), and which hardware queue a call stands in (Q1).
 *
 * Source: NVIDIA, CUDA C++ Programming Guide, on devices of compute capability below 3.5; S. Rennich, "CUDA C/C++ Streams and
 * Concurrency", 2011. See docs/decisions/0011-calls.md. */
#include "models/gpu/dependency.h"

#include "models/gpu/call.h"
#include "models/gpu/internal.h"

/* Q1: events stand in the queue of the command before them in their stream; Q1b: what asks for a kernel's end stands in
 * that of the kernels. */
void gpu_dependency_choose_queue(const struct grt_gpu *gpu, struct command *call) {
    bool checks = call->kind == GRT_COMMAND_QUERY || call->kind == COMMAND_CHECK;
    bool fifo = gpu->uses.hardware_queues && gpu->device->queue_model != GRT_QUEUE_MODEL_DYNAMIC;
    call->queued = fifo && (checks ? gpu->uses.checks : gpu_call_is_event(call->kind));
    call->queue = checks ? 0 : (uint8_t)gpu->streams[call->stream].hardware_queue;
}

/* Whether a command needs to know that what was called before it in its stream has completed, on another way than by
 * standing behind it in the queue of the kernels. */
static bool needs_check(const struct grt_gpu *gpu, int64_t kind) {
    switch (kind) {
    case GRT_COMMAND_MALLOC:
    case GRT_COMMAND_MALLOC_HOST:
    case GRT_COMMAND_FREE:
        return gpu_call_is_barrier(gpu->device, kind);
    default:
        return kind != GRT_COMMAND_KERNEL && kind != COMMAND_CHECK && !gpu_call_is_event(kind);
    }
}

/* Q1b: puts a check between a kernel and the first later command of its stream that is in another queue. */
void gpu_dependency_before(struct grt_gpu *gpu, uint32_t number, const struct grt_gpu_command *given,
                           uint32_t job) {
    struct stream *stream = &gpu->streams[number];
    bool unchecked = stream->unchecked && stream->commands.tail != NONE;
    stream->unchecked = unchecked;
    if (given->kind == GRT_COMMAND_KERNEL) {
        stream->unchecked = true;
    } else if (gpu_call_is_event(given->kind)) {
        stream->unchecked = false;
    } else if (unchecked && needs_check(gpu, given->kind)) {
        struct grt_gpu_command check = {.kind = (enum grt_command_kind)COMMAND_CHECK,
                                        .owner = given->owner,
                                        .task = given->task,
                                        .place = given->place};
        stream->unchecked = false;
        grt_gpu_submit(gpu, number, &check, job, 0);
    }
}

/* Commands of a stream were taken back: whether a check stands behind the last kernel that is left. */
void gpu_dependency_find(const struct grt_gpu *gpu, struct stream *stream) {
    stream->unchecked = false;
    for (uint32_t at = stream->commands.head; at != NONE; at = gpu->commands[at].next) {
        int64_t kind = gpu->commands[at].kind;
        stream->unchecked = kind == GRT_COMMAND_KERNEL ||
                            (stream->unchecked && !gpu_call_is_event(kind) && kind != COMMAND_CHECK);
    }
}

/* Whether a command of another owner relies on a check that is taken back: it stands behind it, with no kernel between. */
static uint32_t who_relies_on(const struct grt_gpu *gpu, const struct command *check) {
    for (uint32_t at = check->next; at != NONE && gpu->commands[at].kind != GRT_COMMAND_KERNEL;
         at = gpu->commands[at].next) {
        if (gpu->commands[at].owner != check->owner && needs_check(gpu, gpu->commands[at].kind)) {
            return at;
        }
    }
    return NONE;
}

/* A check is kept where another owner's command relies on it; it is that owner's from then on. */
bool gpu_dependency_is_needed(struct grt_gpu *gpu, struct command *command) {
    uint32_t relies = command->kind == COMMAND_CHECK && command->state == COMMAND_WAITING
                          ? who_relies_on(gpu, command)
                          : NONE;
    if (relies != NONE) {
        command->owner = gpu->commands[relies].owner;
        command->task = gpu->commands[relies].task;
    }
    return relies != NONE;
}
