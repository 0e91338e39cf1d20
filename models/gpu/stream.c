/* Streams: first-in first-out queues of commands, whose heads move on to the engines.
 *
 * Source: T. Amert, N. Otterness, M. Yang, J. H. Anderson, F. D. Smith, "GPU Scheduling on the NVIDIA TX2: Hidden
 * Details Revealed", RTSS 2017: rules G1, G2, G4, C1, C4, N1, N2. The NULL-stream rules are applied to copies as to
 * kernels, as CUDA documents them. */
#include "models/gpu/stream.h"

#include "models/gpu/call.h"
#include "models/gpu/execute.h"
#include "models/gpu/internal.h"
#include "models/gpu/share.h"
#include "sim/check.h"

/* A launch has reached the device, or the call at the head has had its time. */
static void stream_event(void *owner, uint32_t number, grt_time now) {
    struct grt_gpu *gpu = owner;
    const struct stream *stream = &gpu->streams[number];
    (void)now;
    if (gpu->uses.calls && gpu_call_is_running(gpu, stream)) {
        gpu_call_ended(gpu, stream->commands.head);
        return;
    }
    gpu_stream_touch(gpu, number);
}

static void set_priority(struct grt_gpu *gpu, struct stream *stream, int64_t priority) {
    int64_t lowest = (int64_t)gpu->level_count - 1;
    stream->urgency = (uint32_t)(priority < -lowest ? 0 : lowest + priority); /* out of range: clamped */
    stream->level = gpu->uses.own_places ? 0 : stream->urgency;
    gpu->urgencies_differ |= stream->urgency != gpu->streams[0].urgency;
    gpu->uses.apart = gpu->uses.apart || (gpu->uses.own_places && stream->urgency != gpu->streams[0].urgency);
}

void grt_gpu_stream_set_priority(struct grt_gpu *gpu, uint32_t stream, int64_t priority) {
    GRT_REQUIRE(priority <= 0, "stream priorities are 0 or negative");
    GRT_REQUIRE(stream < gpu->stream_count && gpu->streams[stream].commands.head == NONE,
                "a stream that has commands keeps its priority");
    set_priority(gpu, &gpu->streams[stream], priority);
}

uint32_t grt_gpu_stream_create(struct grt_gpu *gpu, uint32_t process, int64_t priority, bool is_null,
                               uint32_t row) {
    GRT_REQUIRE(priority <= 0, "stream priorities are 0 or negative");
    GRT_REQUIRE(process < gpu->process_count, "make streams in processes that were made on this GPU");
    uint32_t number = gpu->stream_count++;
    gpu->streams =
        grt_array_grow(gpu->streams, &gpu->stream_capacity, gpu->stream_count, sizeof *gpu->streams);
    gpu->touched =
        grt_array_grow(gpu->touched, &gpu->touched_capacity, 2 * gpu->stream_count, sizeof *gpu->touched);
    gpu->called = grt_array_grow(gpu->called, &gpu->called_capacity, gpu->stream_count, sizeof *gpu->called);
    struct stream *stream = &gpu->streams[number];
    stream->commands = (struct command_list){NONE, NONE};
    stream->called_from = UINT64_MAX;
    stream->process = gpu->processes[process];
    stream->context = stream->process->context;
    set_priority(gpu, stream, priority);
    stream->is_null = is_null;
    stream->row = row;
    if (gpu->shares != NULL) {
        gpu_shares_add_stream(gpu, number);
    }
    if (gpu->uses.hardware_queues) {
        gpu_queue_bind(gpu, stream);
    }
    const struct grt_elsewhere *elsewhere = gpu->options.elsewhere;
    if (elsewhere != NULL) {
        elsewhere->stream(elsewhere->state, number, priority, is_null, row);
    }
    if (is_null) {
        GRT_REQUIRE(stream->process->null_stream == NONE, "a process has one NULL stream");
        stream->process->null_stream = number;
        gpu->uses.looks_at_all = true;
    }
    bool launches_late = gpu->device->kernel_launch > 0 || gpu->device->device_launch > 0;
    if (launches_late || gpu->uses.calls) {
        stream->source = grt_loop_add(gpu->options.loop, GRT_CLASS_COMPLETION, stream_event, gpu, number);
    }
    return number;
}

/* In a decision, which goes on until no stream is touched. */
static inline void touch(struct grt_gpu *gpu, uint32_t number) {
    struct stream *stream = &gpu->streams[number];
    if (!stream->touched) {
        stream->touched = true;
        if (gpu->touched_count ==
            gpu->touched_capacity) { /* only where calls touch streams again and again */
            gpu->touched = grt_array_grow(gpu->touched, &gpu->touched_capacity, gpu->touched_count + 1,
                                          sizeof *gpu->touched);
        }
        gpu->touched[gpu->touched_count++] = number;
    }
}

void gpu_stream_touch(struct grt_gpu *gpu, uint32_t number) {
    *gpu->options.changed = true;
    touch(gpu, number);
}

/* A command is being submitted to it. */
void gpu_stream_called(struct grt_gpu *gpu, uint32_t number) {
    struct stream *stream = &gpu->streams[number];
    *gpu->options.changed = true;
    if (stream->called_from == UINT64_MAX) {
        stream->called_from = gpu->launches;
        gpu->called[gpu->called_count++] = number;
    }
}

/* Whether no command at the head of another stream of the process was called before. */
bool gpu_stream_is_earliest(const struct grt_gpu *gpu, const struct stream *stream, uint64_t launch) {
    for (uint32_t other = 0; other < gpu->stream_count; other++) {
        uint32_t head = gpu->streams[other].commands.head;
        if (&gpu->streams[other] != stream && gpu->streams[other].process == stream->process &&
            head != NONE && gpu->commands[head].launch < launch) {
            return false;
        }
    }
    return true;
}

/* N1 and N2: a head may move on only if the NULL stream of its process and it agree on who was launched first. */
static bool null_stream_allows(const struct grt_gpu *gpu, const struct stream *stream,
                               const struct command *head) {
    uint32_t null_stream = stream->process->null_stream;
    if (null_stream == NONE) {
        return true;
    }
    if (!stream->is_null) {
        uint32_t null_head = gpu->streams[null_stream].commands.head;
        return null_head == NONE || gpu->commands[null_head].launch > head->launch;
    }
    return gpu_stream_is_earliest(gpu, stream, head->launch);
}

/* The same for the barriers of rules S1 and S2. Who is held back gives its queue back (V4). */
static GRT_RARE bool may_move_on(struct grt_gpu *gpu, const struct stream *stream,
                                 const struct command *head) {
    if (null_stream_allows(gpu, stream, head) && head->launch <= stream->process->barrier) {
        return true;
    }
    gpu_queue_held(gpu, head->stream);
    return false;
}

/* Moves a stream's head into its engine's queue if it may go (G2, C1). True if it was a call that is over already, so
 * that there may be a new head. */
static bool advance(struct grt_gpu *gpu, const struct stream *stream) {
    uint32_t command = stream->commands.head;
    if (command == NONE) {
        return false;
    }
    struct command *head = &gpu->commands[command];
    if (head->state != COMMAND_WAITING || head->launch >= stream->called_from) {
        return false;
    }
    if (head->arrival > gpu->options.loop->now) {
        grt_loop_schedule(gpu->options.loop, stream->source, head->arrival);
        return false;
    }
    if ((gpu->uses.looks_at_all && !may_move_on(gpu, stream, head)) ||
        (gpu->uses.hardware_queues && !gpu_queue_admits(gpu, command))) {
        return false;
    }
    if (head->kind == GRT_COMMAND_KERNEL) {
        head->state = COMMAND_QUEUED;
        gpu_execute_enqueue(gpu, stream, command);
    } else if (!grt_command_is_call(head->kind)) {
        head->state = COMMAND_QUEUED;
        gpu_copy_enqueue(gpu, command);
    } else {
        return gpu_call_advance(gpu, command);
    }
    return false;
}

static bool head_launched_before(const struct grt_gpu *gpu, uint32_t a, uint32_t b) {
    uint32_t head_a = gpu->streams[a].commands.head, head_b = gpu->streams[b].commands.head;
    return head_a != NONE && (head_b == NONE || gpu->commands[head_a].launch < gpu->commands[head_b].launch);
}

/* Where a NULL stream is used, any change may free any stream: all are looked at, by launch order of their heads. */
static void touch_all_by_launch(struct grt_gpu *gpu) {
    for (uint32_t number = 0; number < gpu->stream_count; number++) {
        uint32_t place = number;
        for (; place > 0 && head_launched_before(gpu, number, gpu->touched[place - 1]); place--) {
            gpu->touched[place] = gpu->touched[place - 1];
        }
        gpu->touched[place] = number;
        gpu->streams[number].touched = true;
    }
    gpu->touched_count = gpu->stream_count;
}

/* Streams to which commands were submitted come behind those that are touched: decision 2. */
static void touch_called(struct grt_gpu *gpu) {
    for (uint32_t i = 0; i < gpu->called_count; i++) {
        gpu->streams[gpu->called[i]].called_from = UINT64_MAX;
        touch(gpu, gpu->called[i]);
    }
    gpu->called_count = 0;
}

/* A head that goes on may touch another stream behind it in its hardware queue; each stream's head that is no call goes
 * on once at most, so that twice as many entries as streams are enough for those. True if a call has passed. */
static bool advance_touched(struct grt_gpu *gpu) {
    bool passed = false;
    for (uint32_t i = 0; i < gpu->touched_count; i++) {
        struct stream *stream = &gpu->streams[gpu->touched[i]];
        stream->touched = false;
        while (advance(gpu, stream)) {
            passed = true;
        }
    }
    gpu->touched_count = 0;
    return passed;
}

/* First what was called before this instant, then what was called at it. A call that has passed may have freed any stream where all are looked at. */
void gpu_streams_advance(struct grt_gpu *gpu) {
    bool all = gpu->uses.looks_at_all, passed;
    if (all) {
        touch_called(gpu);
    }
    do { /* one call of advance_touched, so that it is compiled into this */
        if (all) {
            touch_all_by_launch(gpu);
        } else if (gpu->touched_count == 0) {
            touch_called(gpu);
        }
        passed = advance_touched(gpu);
    } while (all ? passed : gpu->called_count > 0);
}
