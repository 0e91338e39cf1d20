/* The inside of a GPU, shared by models/gpu*.c and nobody else. */
#ifndef GRT_MODELS_GPU_INTERNAL_H
#define GRT_MODELS_GPU_INTERNAL_H

#include "models/gpu.h"
#include "models/placement.h"
#include "sim/random.h"
#include "sim/wide.h"

#define NONE UINT32_MAX

/* A function that most runs never call: not to be inlined where it is. */
#define RARE __attribute__((noinline, cold))

enum command_state {
    COMMAND_WAITING, /* in its stream */
    COMMAND_QUEUED,  /* head of its stream and in an engine's queue */
    COMMAND_RUNNING, /* a kernel with a block dispatched, a copy on its engine, a call that takes its time */
};

/* The kind of a command that no host calls: it stands in a stream before a command that must know whether the kernel
 * before has ended (rule Q1b). */
enum { COMMAND_CHECK = GRT_COMMAND_KINDS };

/* A command between submission and completion. */
struct command {
    uint32_t next;       /* in its stream, or in the free list */
    uint32_t queue_next; /* in the queue of an engine, or before that in a hardware queue */
    uint32_t stream, owner;
    uint8_t kind, state;
    bool begins, last, aborted, waits;
    uint16_t task; /* trace labels */
    uint32_t job, place;
    uint64_t launch;  /* position in the order of all calls */
    grt_time arrival; /* when the launch has reached the device */
    grt_time start;
    union {
        struct {
            int64_t bytes;
            grt_time remaining; /* of the copy's time, while it is not on its engine */
            bool pageable;
        };
        struct {              /* calls: see gpu_call.c */
            grt_time since;   /* when it became the head of its stream; GRT_TIME_NEVER before */
            grt_time takes;   /* 0: nothing */
            uint32_t event;   /* record, wait, query */
            uint32_t awaits;  /* wait, query: the record that must complete before, or NONE */
            uint32_t waiters; /* record: the first that awaits it, or NONE */
            uint32_t next_waiter;
            uint8_t queue;      /* single model: its hardware queue */
            bool queued;        /* it stands in a hardware queue */
            bool after_streams; /* it waits for what was called before in all streams of its context */
            bool barrier;       /* and what is called later waits for it */
        };
        struct {
            const struct grt_gpu_kernel *kernel;
            uint32_t next_block, block_end, running; /* running: dispatched and not ended */
            grt_time block_time;                     /* of all blocks, where same_time */
            struct grt_random random;                /* of each block's time, where not */
        };
    };
};

/* A first-in first-out list of commands. */
struct command_list {
    uint32_t head, tail;
};

struct stream {
    struct command_list commands;
    grt_source source; /* tells when the head's launch reaches the device; used where launches take time */
    grt_time last_arrival;
    struct context *context;
    uint32_t level; /* of its execution-engine queue; 0 is the most urgent */
    uint32_t row;   /* in the trace */
    bool is_null, touched;
    bool has_queue; /* dynamic model: it holds a hardware queue */
    bool unchecked; /* rule Q1b: nothing that was called since its last kernel has asked for that one's end */
    uint32_t hardware_queue; /* static model: the one that it is bound to; single: that of its last command */
};

/* Equal blocks of one launch that began and end together. */
struct cohort {
    uint32_t command, first, count;
    uint32_t place;     /* the place of the SM if all are on one, else NONE */
    uint8_t *per_place; /* blocks on each place, where place is NONE */
    uint16_t *places;   /* place of each block in order, kept for the trace only */
    uint32_t next_free;
    grt_time start; /* ns of the run */
    grt_time began; /* ns of the context's clock */
};

enum { MOST_ENGINES = 2 };

/* A process on the GPU: its queues and what it has on the SMs. Its clock stands still while its blocks are switched out:
 * it is behind the run by `lag`. Ends and busy times are by this clock. */
struct context {
    struct grt_context_spec spec;
    uint32_t label; /* in the trace */
    struct grt_placement *placement;
    grt_time lag;
    grt_time paused_at;                       /* GRT_TIME_NEVER while the clock runs */
    uint32_t null_stream;                     /* or NONE */
    uint64_t barrier;                         /* the launch of the first pending barrier; UINT64_MAX: none */
    struct command_list callbacks;            /* ready to run; the first runs */
    struct command_list copies[MOST_ENGINES]; /* queues of the copy engines */
    uint32_t suspended[MOST_ENGINES];         /* the copy that was stopped on the engine, or NONE */

    struct command_list *hardware_queues; /* static and single model: commands in the order of the calls */
    uint32_t free_queues;                 /* dynamic model */
    uint32_t *waiting; /* streams without a queue, in the order in which they came to need one */
    uint32_t waiting_count, waiting_capacity;
    struct grt_random queue_random; /* for who gets a free queue */
    uint32_t stream_count;

    struct command_list *levels; /* execution-engine queues, by priority level */
    uint32_t resident_kernels;
    bool undispatched; /* something changed that may let a block be placed */

    struct grt_event_queue ends; /* of cohorts, by (time, order of the starts) */
    struct cohort *cohorts;
    uint32_t cohort_capacity, cohort_count, free_cohort;
    uint64_t starts;

    uint32_t running_blocks;
    grt_time busy, busy_since; /* at least one block resident */
};

struct engine {
    struct context *active; /* whose copies it takes */
    bool held;              /* it takes no further copy: the turn is about to pass */
    uint32_t running;       /* command or NONE */
    grt_time since;         /* when that began, or went on */
    grt_source source;
    grt_time busy;
    int64_t h2d_rate, d2h_rate; /* bytes per second; 0: no time beyond the latency */
};

/* Whose turn it is on some of the engines: see gpu_runlist.c. */
struct runlist {
    grt_source source; /* tells the end of a turn, or of a switch */
    bool has_sms;
    uint32_t first_engine, end_engine; /* copy engines: from, up to but without */
    struct context *current;           /* whose turn it is; NULL before the first */
    struct context *next;              /* whose turn is to come once the engines are free; else NULL */
    uint32_t position;                 /* of the turn in the order of the turns */
    grt_time turn_end;
    bool goes_on; /* `next` is to have no new turn, but needs an engine for its present one */
    bool idle;    /* nobody had anything to do when last looked at */
};

struct grt_gpu {
    const struct grt_device *device;
    struct grt_gpu_options options;
    grt_source source;         /* tells the earliest end of a cohort */
    struct context **contexts; /* the first is made with the GPU */
    uint32_t context_count, context_capacity;
    bool partitioned;       /* some kernels are kept to some SMs */
    bool queues_limited;    /* hardware queues are fewer than streams may need: see gpu_queue.c */
    struct context *active; /* whose kernels the SMs execute */
    bool held;              /* no kernel may begin, and no block beyond what context_preemption lets go on */
    bool used;              /* some context has had them */
    grt_time active_since;  /* for the trace */
    grt_time ready_at;      /* when the switch to the active context is over */
    struct runlist *runlists;
    uint32_t runlist_count; /* 0 with one context */
    struct context **turns; /* the order of the turns; a context may have several */
    uint32_t turn_count;
    uint32_t level_count; /* of priorities */

    struct command *commands;
    uint32_t command_capacity, command_count, free_command;
    uint64_t launches;

    struct stream *streams;
    uint32_t stream_count, stream_capacity;
    uint32_t *touched; /* streams whose head may have changed, in the order of the changes */
    uint32_t touched_count, touched_capacity;
    bool looks_at_all; /* any change may free any stream: there is a NULL stream, or a call for all streams */
    bool uses_calls;   /* streams have sources */
    bool checks_dependency; /* rule Q1b */
    uint32_t *events;       /* of each, the last record that was called, or NONE if that has completed */
    uint32_t event_count, event_capacity;

    bool uncopied; /* something changed that may let a copy begin */

    struct engine engines[MOST_ENGINES];
    uint32_t engine_count;

    uint64_t kernels, blocks, copies; /* completed */
    grt_wide thread_time;             /* threads times ns */
};

static inline struct context *context_of(const struct grt_gpu *gpu, uint32_t command) {
    return gpu->streams[gpu->commands[command].stream].context;
}

/* The clock of a context that is not switched out, and of any. */
static inline grt_time clock_of(const struct grt_gpu *gpu, const struct context *context) {
    return gpu->options.loop->now - context->lag;
}

static inline grt_time any_clock_of(const struct grt_gpu *gpu, const struct context *context) {
    bool paused = context->paused_at != GRT_TIME_NEVER;
    return (paused ? context->paused_at : gpu->options.loop->now) - context->lag;
}

static inline void list_push(struct command_list *list, struct command *commands, uint32_t command,
                             uint32_t *(*link)(struct command *)) {
    *link(&commands[command]) = NONE;
    if (list->head == NONE) {
        list->head = command;
    } else {
        *link(&commands[list->tail]) = command;
    }
    list->tail = command;
}

/* The engine that takes a copy. */
static inline uint32_t engine_of(const struct grt_gpu *gpu, const struct command *copy) {
    return gpu->engine_count == 2 && copy->kind == GRT_COMMAND_D2H ? 1 : 0;
}

static inline uint32_t *stream_link(struct command *command) {
    return &command->next;
}

static inline uint32_t *queue_link(struct command *command) {
    return &command->queue_next;
}

/* Takes the first command out of a list that has one. */
static inline uint32_t list_pop(struct command_list *list, struct command *commands,
                                uint32_t *(*link)(struct command *)) {
    uint32_t command = list->head;
    list->head = *link(&commands[command]);
    if (list->head == NONE) {
        list->tail = NONE;
    }
    return command;
}

/* Removes a command from anywhere in a list. */
void list_remove(struct command_list *list, struct command *commands, uint32_t command,
                 uint32_t *(*link)(struct command *));

/* gpu_stream.c: the heads of streams. */
void gpu_stream_touch(struct grt_gpu *gpu, uint32_t stream);
void gpu_streams_advance(struct grt_gpu *gpu);
void gpu_command_begin(struct grt_gpu *gpu, struct command *command);
void gpu_command_complete(struct grt_gpu *gpu, uint32_t command);

bool gpu_stream_is_earliest(const struct grt_gpu *gpu, const struct stream *stream, uint64_t launch);

/* gpu_call.c: commands that no engine executes. Kept out of the hot paths that they are called from. */
RARE void gpu_call_before(struct grt_gpu *gpu, uint32_t stream, const struct grt_gpu_command *given,
                          uint32_t job);
RARE void gpu_call_submitted(struct grt_gpu *gpu, uint32_t command, const struct grt_gpu_command *given,
                             uint64_t random_key);
RARE bool gpu_call_advance(struct grt_gpu *gpu, uint32_t command);
RARE void gpu_call_ended(struct grt_gpu *gpu, uint32_t command);
RARE bool gpu_call_cancel(struct grt_gpu *gpu, uint32_t command);
bool gpu_call_is_running(const struct grt_gpu *gpu, const struct stream *stream);
void gpu_call_finish(struct grt_gpu *gpu);

/* gpu_queue.c: hardware queues; called where queues_limited. */
void gpu_queue_create_context(struct grt_gpu *gpu, struct context *context);
void gpu_queue_bind(struct grt_gpu *gpu, struct stream *stream);
void gpu_queue_submitted(struct grt_gpu *gpu, uint32_t command);
bool gpu_queue_admits(struct grt_gpu *gpu, uint32_t command);
RARE bool gpu_queue_admits_call(struct grt_gpu *gpu, uint32_t call);
void gpu_queue_dispatched(struct grt_gpu *gpu, uint32_t command);
void gpu_queue_cancelled(struct grt_gpu *gpu, uint32_t command);
void gpu_queue_settle(struct grt_gpu *gpu, uint32_t stream);
RARE void gpu_queue_held(struct grt_gpu *gpu, uint32_t stream);

/* gpu_execute.c: kernels and blocks. */
void gpu_execute_create(struct grt_gpu *gpu);
void gpu_execute_create_context(struct grt_gpu *gpu, struct context *context);
void gpu_execute_enqueue(struct grt_gpu *gpu, const struct stream *stream, uint32_t command);
bool gpu_execute_cancel(struct grt_gpu *gpu, uint32_t command);
void gpu_execute_decide(struct grt_gpu *gpu);
void gpu_execute_finish(struct grt_gpu *gpu, struct context *context);

/* gpu_runlist.c: whose turn it is. */
void gpu_runlists_create(struct grt_gpu *gpu);
void gpu_runlists_decide(struct grt_gpu *gpu);
void gpu_runlists_finish(struct grt_gpu *gpu);
grt_time gpu_runlist_turn_left(const struct grt_gpu *gpu, const struct runlist *runlist);

/* gpu_copy.c: copy engines. `stop` suspends what runs on an engine at the end of its chunk; true once nothing runs. */
void gpu_copy_create(struct grt_gpu *gpu);
void gpu_copy_create_context(struct grt_gpu *gpu, struct context *context);
void gpu_copy_enqueue(struct grt_gpu *gpu, uint32_t command);
bool gpu_copy_cancel(struct grt_gpu *gpu, uint32_t command);
void gpu_copy_decide(struct grt_gpu *gpu);
bool gpu_copy_stop(struct grt_gpu *gpu, uint32_t engine);
void gpu_copy_finish(struct grt_gpu *gpu);

#endif
