/* The inside of a GPU, shared by the files of this folder and nobody else: the GPU itself, and what its parts have in
 * common: what a command comes to. Every part has a header of its own; those with a struct that is a piece of the GPU are
 * included here, the others where they are called. */
#ifndef GRT_MODELS_GPU_INTERNAL_H
#define GRT_MODELS_GPU_INTERNAL_H

#include "models/gpu/children.h"
#include "models/gpu/clock.h"
#include "models/gpu/command.h"
#include "models/gpu/context.h"
#include "models/gpu/copy.h"
#include "models/gpu/queue.h"
#include "models/gpu/runlist.h"
#include "models/gpu/stream.h"
#include "sim/trace.h"
#include "sim/wide.h"

/* What is in use. All are false where one process has streams with nothing but kernels and copies on the whole device, and
 * where they are false nothing is paid for. Set while the GPU, its processes, its streams and the table of commands are made. */
struct gpu_uses {
    bool calls;           /* commands that no engine executes, for which streams have sources: see call.c */
    bool launches;        /* by blocks: see children.c */
    bool hardware_queues; /* fewer than streams may need: see queue.c */
    bool checks;          /* rule Q1b: see dependency.c */
    bool limits;          /* some process has most_tpcs: see limit.c */
    bool contention;      /* speeds may change: see clock.c and speed.c */
    bool own_speeds;      /* not by the memory alone */
    bool speeds_by_sm;    /* and not the same on all SMs */
    bool own_places;      /* MPS: priorities count within a client: see process.c */
    bool apart; /* kernels may pass a stuck one: some are kept to some SMs, or own_places: see apart.c */
    bool pins;  /* blocks look where they are: see pin.c; then apart, too */
    bool more_than_ends; /* the next end may be something else: contention, pins */
    bool looks_at_all; /* any change may free any stream: there is a NULL stream, or a call for all streams */
};

struct share_engine;

struct grt_gpu {
    const struct grt_device *device;
    struct grt_gpu_options options;
    struct gpu_uses uses;

    struct command *commands;
    uint32_t command_capacity, command_count, free_command;
    uint64_t launches; /* of all commands, until now */

    struct process **processes;
    uint32_t process_count, process_capacity;
    struct context **contexts; /* one per process, or one for all under MPS */
    uint32_t context_count, context_capacity;

    struct stream *streams;
    uint32_t stream_count, stream_capacity;
    uint32_t *touched; /* streams whose head may have changed, in the order of the changes */
    uint32_t touched_count, touched_capacity;
    /* streams to which commands were submitted since the last decision, in the order of the first of those */
    uint32_t *called;
    uint32_t called_count, called_capacity;
    bool urgencies_differ; /* of streams */
    uint32_t *events;      /* of each, the last record that was called, or NONE if that has completed */
    uint32_t event_count, event_capacity;
    struct command_list telling; /* calls that are over, and of which somebody hears in 1 ns; in no stream */
    grt_source tell_source;      /* where calls are used */

    /* The SMs. */
    struct context *active; /* whose kernels they execute */
    grt_source source;      /* tells the earliest end of a cohort */
    uint32_t level_count;   /* of priorities */
    uint32_t most_begun;    /* kernels of a context with blocks: resident grids and task slots */
    bool held;              /* no kernel may begin, and no block beyond what context_preemption lets go on */
    bool used;              /* some context has had them */
    grt_time active_since;  /* for the trace */
    grt_time ready_at;      /* when the switch to the active context is over */

    /* The copy engines. */
    struct engine engines[MOST_ENGINES];
    uint32_t engine_count;
    bool uncopied; /* something changed that may let a copy begin */

    /* Turns, with more than one context. */
    struct runlist *runlists;
    uint32_t runlist_count;
    bool ranked;            /* contexts differ in priority */
    struct context **turns; /* the order of the turns; a context may have several */
    uint32_t turn_count;

    /* Where contention is used. */
    bool unsettled;      /* something changed that may change a speed */
    uint64_t *slowdowns; /* speeds of class i beside class j, then those on the same SM */
    uint32_t class_count;

    /* Where launches are used. */
    grt_source moment_source, arrival_source;
    struct command_list in_flight; /* launches on their way to the device */
    struct family *families;       /* by command */
    uint32_t family_capacity;
    uint16_t *free_numbers; /* of grids, in the trace */
    uint32_t free_number_count, number_capacity, number_count;
    uint64_t failed_launches;

    uint64_t lost_items; /* of work, of pinned kernels */

    /* kernels have speeds instead of blocks: see share.c; NULL: they have blocks */
    struct share_engine *shares;

    uint64_t kernels, blocks, copies; /* completed */
    grt_wide thread_time;             /* threads times ns */
};

static inline struct context *context_of(const struct grt_gpu *gpu, uint32_t command) {
    return gpu->streams[gpu->commands[command].stream].context;
}

static inline struct process *process_of(const struct grt_gpu *gpu, uint32_t command) {
    return gpu->streams[gpu->commands[command].stream].process;
}

/* How long ago a command was called, which says which it is, whatever its place in the pool; a constant if there is none. */
static inline uint64_t age_of(const struct grt_gpu *gpu, uint32_t command) {
    return command != NONE ? gpu->launches - gpu->commands[command].launch : UINT64_MAX;
}

/* The clock of a context that is not switched out, and of any. */
static inline grt_time clock_of(const struct grt_gpu *gpu, const struct context *context) {
    return gpu->options.loop->now - context->lag;
}

static inline grt_time any_clock_of(const struct grt_gpu *gpu, const struct context *context) {
    bool paused = context->paused_at != GRT_TIME_NEVER;
    return (paused ? context->paused_at : gpu->options.loop->now) - context->lag;
}

/* The engine that takes a copy. */
static inline uint32_t engine_of_kind(const struct grt_gpu *gpu, int64_t kind) {
    return gpu->engine_count == 2 && kind == GRT_COMMAND_D2H ? 1 : 0;
}

static inline uint32_t engine_of(const struct grt_gpu *gpu, const struct command *copy) {
    return engine_of_kind(gpu, copy->kind);
}

static inline uint32_t clock_list_count(const struct grt_gpu *gpu) {
    return gpu->uses.speeds_by_sm ? (uint32_t)gpu->device->sm_count : 1;
}

/* ---- what every command comes to ---- */

/* An engine executes it from now on, or a call takes its time. */
static inline void gpu_command_begin(struct grt_gpu *gpu, struct command *command) {
    command->state = COMMAND_RUNNING;
    command->start = gpu->options.loop->now;
    if (command->begins) {
        const struct grt_gpu_listener *listener = &gpu->options.listener;
        listener->begun(listener->state, command->owner, command->start);
    }
}

static inline void gpu_command_free(struct grt_gpu *gpu, uint32_t number) {
    gpu->commands[number].next = gpu->free_command;
    gpu->free_command = number;
    if (gpu->uses.launches) {
        gpu->families[number].used = false;
    }
}

/* G4, C4: a command leaves its stream when it has completed; the next becomes the head. An empty stream need not be looked
 * at, but where any stream may wait for any other. */
static inline void gpu_command_leave(struct grt_gpu *gpu, uint32_t number) {
    struct command *command = &gpu->commands[number];
    struct stream *stream = &gpu->streams[command->stream];
    GRT_ASSERT(stream->commands.head == number, "only the head of a stream can have begun");
    list_pop(&stream->commands, gpu->commands, stream_link);
    if (stream->commands.head != NONE || gpu->uses.looks_at_all) {
        gpu_stream_touch(gpu, command->stream);
    }
}

/* What has left its stream is gone, and whoever asked for it hears of it. */
static inline void gpu_command_tell(struct grt_gpu *gpu, uint32_t number) {
    struct command *command = &gpu->commands[number];
    gpu_command_free(gpu, number);
    if (command->last) {
        const struct grt_gpu_listener *listener = &gpu->options.listener;
        listener->completed(listener->state, command->owner, gpu->options.loop->now);
    } else if (command->waits) {
        const struct grt_gpu_listener *listener = &gpu->options.listener;
        listener->returned(listener->state, command->owner, gpu->options.loop->now);
    }
}

static inline void gpu_command_complete(struct grt_gpu *gpu, uint32_t number) {
    gpu_command_leave(gpu, number);
    gpu_command_tell(gpu, number);
}

#endif
