/* Calls: commands of a stream that no engine executes. Events (record, wait, query), host functions, calls that make the
 * host wait, and those that synchronise streams by themselves.
 *
 * Source: NVIDIA, CUDA C++ Programming Guide (V1 to V3, K1, S1); S. Rennich, "CUDA C/C++ Streams and Concurrency", 2011
 * (Q1c); M. Yang et al., "Avoiding Pitfalls when Using NVIDIA GPUs for
 * Real-Time Tasks in Autonomous Systems", ECRTS 2018 (S2). How they fit together: docs/decisions/0011-calls.md.
 *
 * Every command waits only for commands that were called before it, so that calls cannot deadlock. Where a call is held
 * back, its stream gives its hardware queue back, if those are shared dynamically: what it waits for may need it. A call
 * that neither the host nor the job's end depends on takes no time: it passes in the decisions of an instant. */
#include "models/gpu/call.h"

#include "models/gpu/dependency.h"
#include "models/gpu/internal.h"
#include "sim/check.h"

/* ---- what the calls are ---- */

/* S1 and S2: whether a call synchronises all streams of its process. */
bool gpu_call_is_barrier(const struct grt_device *device, int64_t kind) {
    switch (kind) {
    case GRT_COMMAND_MALLOC:
    case GRT_COMMAND_MALLOC_HOST:
    case GRT_COMMAND_MEMSET:
    case GRT_COMMAND_D2D:
        return device->implicit_sync == GRT_IMPLICIT_SYNC_GUIDE;
    case GRT_COMMAND_FREE:
        return device->implicit_sync == GRT_IMPLICIT_SYNC_MEASURED;
    default:
        return false;
    }
}

bool grt_gpu_host_waits(const struct grt_device *device, const struct grt_command_spec *command) {
    switch (command->kind) {
    case GRT_COMMAND_H2D: /* E7: short ones return before they are complete */
        return (command->sync || command->pageable) && command->bytes > device->early_return_bytes;
    case GRT_COMMAND_D2H:
        return command->sync || command->pageable;
    case GRT_COMMAND_SYNCHRONIZE:
    case GRT_COMMAND_SYNCHRONIZE_DEVICE:
        return true;
    case GRT_COMMAND_MALLOC:
    case GRT_COMMAND_MALLOC_HOST:
    case GRT_COMMAND_FREE:
        return gpu_call_is_barrier(device, command->kind);
    default:
        return false;
    }
}

/* The first of those that passed in the instant before; the others follow, as events of their own. */
static void tell(void *owner, uint32_t index, grt_time now) {
    struct grt_gpu *gpu = owner;
    (void)index;
    uint32_t number = list_pop(&gpu->telling, gpu->commands, queue_link);
    if (gpu->telling.head != NONE) {
        grt_loop_schedule(gpu->options.loop, gpu->tell_source, now);
    }
    gpu_command_tell(gpu, number);
}

void grt_gpu_use_call(struct grt_gpu *gpu, enum grt_command_kind kind) {
    if (!gpu->uses.calls) {
        gpu->uses.calls = true;
        gpu->telling = (struct command_list){NONE, NONE};
        gpu->tell_source = grt_loop_add(gpu->options.loop, GRT_CLASS_COMPLETION, tell, gpu, 0);
    }
    gpu->uses.looks_at_all |=
        kind == GRT_COMMAND_SYNCHRONIZE_DEVICE || gpu_call_is_barrier(gpu->device, kind);
}

uint32_t grt_gpu_event(struct grt_gpu *gpu) {
    uint32_t event = gpu->event_count++;
    gpu->events = grt_array_grow(gpu->events, &gpu->event_capacity, gpu->event_count, sizeof *gpu->events);
    gpu->events[event] = NONE;
    return event;
}

bool grt_gpu_event_is_complete(const struct grt_gpu *gpu, uint32_t event) {
    return gpu->events[event] == NONE;
}

/* Memset writes the memory's bytes once, a copy inside the device reads and writes them. */
static grt_time memory_time(const struct grt_device *device, const struct grt_gpu_command *given) {
    int64_t rate = device->memory_bytes_per_second;
    if (rate == 0 || (given->kind != GRT_COMMAND_MEMSET && given->kind != GRT_COMMAND_D2D)) {
        return 0;
    }
    grt_time once = grt_time_of_work(given->bytes, rate);
    return given->kind == GRT_COMMAND_MEMSET || once > GRT_TIME_LIMIT / 2 ? once : 2 * once;
}

static grt_time time_of(const struct grt_gpu *gpu, const struct grt_gpu_command *given, uint64_t random_key) {
    grt_time time = memory_time(gpu->device, given);
    time += time <= GRT_TIME_LIMIT ? given->extra : 0;
    if (given->kind == GRT_COMMAND_CALLBACK) {
        struct grt_random random = grt_random_of_key(random_key);
        time = given->random ? grt_distribution_draw(given->time, &random) : given->time->max;
    }
    return time;
}

/* Whether a call has a duration of its own. The others pass, and are over; that they have passed is told 1 ns later. */
static bool lasts(const struct command *call) {
    return call->barrier || call->kind == GRT_COMMAND_CALLBACK || call->kind == GRT_COMMAND_MEMSET ||
           call->kind == GRT_COMMAND_D2D;
}

/* Whether somebody waits for it to be over. */
static bool is_told(const struct command *call) {
    return call->last || call->waits;
}

/* ---- being called ---- */

/* V2: a wait means the last record that has been called, if it is not complete. */
static void await(struct grt_gpu *gpu, struct command *wait, uint32_t number) {
    wait->awaits = gpu->events[wait->event];
    if (wait->awaits != NONE) {
        struct command *record = &gpu->commands[wait->awaits];
        wait->next_waiter = record->waiters;
        record->waiters = number;
    }
}

void gpu_call_submitted(struct grt_gpu *gpu, uint32_t number, const struct grt_gpu_command *given,
                        uint64_t random_key) {
    struct command *call = &gpu->commands[number];
    struct process *process = process_of(gpu, number);
    call->since = GRT_TIME_NEVER;
    call->event = given->event;
    bool asks_event = given->kind == GRT_COMMAND_QUERY && call->event != GRT_GPU_NO_EVENT;
    call->awaits = call->waiters = NONE;
    call->barrier = gpu_call_is_barrier(gpu->device, given->kind);
    call->after_streams = call->barrier || given->kind == GRT_COMMAND_SYNCHRONIZE_DEVICE;
    call->takes = time_of(gpu, given, random_key);
    bool shows = is_told(call) || call->barrier || call->kind == GRT_COMMAND_CALLBACK;
    if (lasts(call) && shows && call->takes == 0) {
        call->takes = 1; /* nothing takes no time: see decision 2 */
    }
    gpu_dependency_choose_queue(gpu, call);
    if (given->kind == GRT_COMMAND_WAIT || (asks_event && call->queued)) {
        await(gpu, call, number);
    } else if (given->kind == GRT_COMMAND_RECORD) {
        gpu->events[call->event] = number;
    }
    if (call->barrier && process->barrier == UINT64_MAX) {
        process->barrier = call->launch;
    }
}

/* ---- being over ---- */

static void trace_call(const struct grt_gpu *gpu, const struct command *call, uint8_t flags) {
    if (gpu->options.trace != NULL && call->kind != COMMAND_CHECK) {
        uint8_t aborted = call->aborted ? GRT_TRACE_ABORTED : 0;
        grt_trace_add(gpu->options.trace, (struct grt_trace_record){.time = gpu->options.loop->now,
                                                                    .other = call->since,
                                                                    .job = call->job,
                                                                    .detail = call->place,
                                                                    .row = gpu->streams[call->stream].row,
                                                                    .task = call->task,
                                                                    .kind = GRT_TRACE_CALL,
                                                                    .flags = (uint8_t)(flags | aborted)});
    }
}

/* V2: the last of the records of an event that were called before one that is taken back, and are pending; NONE if there is
 * none. */
static uint32_t earlier_record(const struct grt_gpu *gpu, const struct command *taken_back) {
    uint32_t found = NONE;
    for (uint32_t i = 0; i < gpu->stream_count; i++) {
        for (uint32_t at = gpu->streams[i].commands.head; at != NONE; at = gpu->commands[at].next) {
            const struct command *other = &gpu->commands[at];
            bool pending = other->kind == GRT_COMMAND_RECORD && other->event == taken_back->event &&
                           other->launch < taken_back->launch && other->state == COMMAND_WAITING &&
                           !other->aborted;
            found = pending && (found == NONE || other->launch > gpu->commands[found].launch) ? at : found;
        }
    }
    return found;
}

/* A record has completed, or was taken back: whoever waits for it waits no longer. */
static void leave_event(struct grt_gpu *gpu, uint32_t number) {
    const struct command *record = &gpu->commands[number];
    for (uint32_t waiter = record->waiters; waiter != NONE; waiter = gpu->commands[waiter].next_waiter) {
        gpu->commands[waiter].awaits = NONE;
        gpu_stream_touch(gpu, gpu->commands[waiter].stream);
    }
    if (gpu->events[record->event] == number) {
        gpu->events[record->event] = record->aborted ? earlier_record(gpu, record) : NONE;
    }
}

static void stop_awaiting(struct grt_gpu *gpu, uint32_t number) {
    uint32_t *link = &gpu->commands[gpu->commands[number].awaits].waiters;
    while (*link != number) {
        link = &gpu->commands[*link].next_waiter;
    }
    *link = gpu->commands[number].next_waiter;
}

/* S2: the calls that were made meanwhile waited for the lock: their launches begin now. */
static void delay_calls(struct grt_gpu *gpu, const struct process *process) {
    grt_time now = gpu->options.loop->now;
    for (uint32_t i = 0; i < gpu->stream_count; i++) {
        struct stream *stream = &gpu->streams[i];
        grt_time issued = now;
        for (uint32_t at = stream->commands.head; stream->process == process && at != NONE;
             at = gpu->commands[at].next) {
            struct command *command = &gpu->commands[at];
            issued +=
                command->kind == GRT_COMMAND_KERNEL && issued <= GRT_TIME_LIMIT ? command->kernel->launch : 0;
            command->arrival = command->arrival > issued ? command->arrival : issued;
            issued = stream->last_arrival = command->arrival;
        }
    }
}

/* A barrier is gone: finds the next one. */
static void leave_barrier(struct grt_gpu *gpu, struct command *call) {
    struct process *process = gpu->streams[call->stream].process;
    call->barrier = false;
    process->barrier = UINT64_MAX;
    for (uint32_t i = 0; i < gpu->stream_count; i++) {
        const struct stream *stream = &gpu->streams[i];
        for (uint32_t at = stream->commands.head; stream->process == process && at != NONE;
             at = gpu->commands[at].next) {
            const struct command *other = &gpu->commands[at];
            if (grt_command_is_call(other->kind) && other->barrier && other->launch < process->barrier) {
                process->barrier = other->launch;
            }
        }
    }
}

static void start(struct grt_gpu *gpu, struct command *call) {
    grt_time now = gpu->options.loop->now;
    gpu_command_begin(gpu, call);
    grt_loop_schedule(gpu->options.loop, gpu->streams[call->stream].source, now + call->takes);
}

/* K1: one thread of the driver runs the host functions of a process. */
static void start_callback(struct grt_gpu *gpu, const struct process *process) {
    if (process->callbacks.head != NONE) {
        struct command *call = &gpu->commands[process->callbacks.head];
        call->since = gpu->options.loop->now;
        start(gpu, call);
    }
}

/* Its stream goes on at once, as that of a device would; decision 2 wants that nobody hears of it at the same instant. */
static void pass(struct grt_gpu *gpu, uint32_t number) {
    gpu_command_leave(gpu, number);
    list_push(&gpu->telling, gpu->commands, number, queue_link);
    grt_loop_schedule(gpu->options.loop, gpu->tell_source, gpu->options.loop->now + 1);
}

static void complete(struct grt_gpu *gpu, uint32_t number) {
    struct command *call = &gpu->commands[number];
    struct process *process = process_of(gpu, number);
    bool locked = call->barrier && call->kind == GRT_COMMAND_FREE;
    if (lasts(call)) {
        trace_call(gpu, call, 0);
    }
    if (call->kind == GRT_COMMAND_CALLBACK) {
        list_pop(&process->callbacks, gpu->commands, queue_link);
        start_callback(gpu, process);
    } else if (call->barrier) {
        leave_barrier(gpu, call);
    }
    if (locked) {
        delay_calls(gpu, process);
    }
    if (call->takes == 0 && is_told(call)) {
        pass(gpu, number);
    } else {
        gpu_command_complete(gpu, number);
    }
}

/* The call at the head of a stream has had its time. */
void gpu_call_ended(struct grt_gpu *gpu, uint32_t number) {
    complete(gpu, number);
}

/* ---- being at the head ---- */

static bool may_pass(const struct grt_gpu *gpu, uint32_t number) {
    const struct command *call = &gpu->commands[number];
    const struct stream *stream = &gpu->streams[call->stream];
    bool waits_for_event = gpu_call_is_event(call->kind) && call->awaits != NONE;
    return !waits_for_event && call->launch <= stream->process->barrier &&
           (!call->after_streams || gpu_stream_is_earliest(gpu, stream, call->launch));
}

static void enqueue_callback(struct grt_gpu *gpu, struct process *process, uint32_t number) {
    gpu->commands[number].state = COMMAND_QUEUED;
    list_push(&process->callbacks, gpu->commands, number, queue_link);
    if (process->callbacks.head == number) {
        start_callback(gpu, process);
    }
}

/* The head of a stream is a call: it passes, or begins to take its time, if it may. True if it has passed. */
bool gpu_call_advance(struct grt_gpu *gpu, uint32_t number) {
    struct command *call = &gpu->commands[number];
    if (call->since == GRT_TIME_NEVER) {
        call->since = gpu->options.loop->now;
    }
    if (!may_pass(gpu, number) || (call->queued && !gpu_queue_admits_call(gpu, number))) {
        gpu_queue_held(gpu, call->stream);
        return false;
    }
    if (gpu->uses.hardware_queues) {
        gpu_queue_dispatched(gpu, number);
    }
    if (call->kind == GRT_COMMAND_CALLBACK) {
        enqueue_callback(gpu, process_of(gpu, number), number);
        return false;
    }
    if (!lasts(call)) {
        trace_call(gpu, call, 0);
    }
    if (call->kind == GRT_COMMAND_RECORD) { /* the event is complete, even if the job hears of it later */
        leave_event(gpu, number);
    }
    if (call->takes > 0) {
        start(gpu, call);
        return false;
    }
    gpu_command_begin(gpu, call);
    complete(gpu, number);
    return true;
}

bool gpu_call_is_running(const struct grt_gpu *gpu, const struct stream *stream) {
    uint32_t head = stream->commands.head;
    return head != NONE && grt_command_is_call(gpu->commands[head].kind) &&
           gpu->commands[head].state == COMMAND_RUNNING;
}

/* Takes a call back unless it is taking its time; true if it has left everything but its stream. */
bool gpu_call_cancel(struct grt_gpu *gpu, uint32_t number) {
    struct command *call = &gpu->commands[number];
    if (call->state == COMMAND_RUNNING) {
        return false;
    }
    if (call->state == COMMAND_QUEUED) {
        list_remove(&process_of(gpu, number)->callbacks, gpu->commands, number, queue_link);
    }
    if (call->kind == GRT_COMMAND_RECORD) {
        leave_event(gpu, number);
    } else if (gpu_call_is_event(call->kind) && call->awaits != NONE) {
        stop_awaiting(gpu, number);
    } else if (call->barrier) {
        leave_barrier(gpu, call);
    }
    return true;
}

/* Whether calls of an owner are over, and still to be told: they are told as the end of all that is left of it. */
bool gpu_call_cancel_telling(struct grt_gpu *gpu, uint32_t owner) {
    bool any = false;
    for (uint32_t at = gpu->telling.head; at != NONE; at = gpu->commands[at].queue_next) {
        if (gpu->commands[at].owner == owner) {
            gpu->commands[at].last = any = true;
        }
    }
    return any;
}

/* At the end of the run: open slices of the calls at the heads of streams. */
void gpu_call_finish(struct grt_gpu *gpu) {
    for (uint32_t i = 0; i < gpu->stream_count; i++) {
        uint32_t head = gpu->streams[i].commands.head;
        const struct command *call = head != NONE ? &gpu->commands[head] : NULL;
        if (call != NULL && grt_command_is_call(call->kind) && call->since != GRT_TIME_NEVER &&
            (lasts(call) || call->state != COMMAND_RUNNING)) {
            trace_call(gpu, call, GRT_TRACE_OPEN);
        }
    }
}
