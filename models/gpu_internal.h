/* The inside of a GPU, shared by models/gpu*.c and nobody else. */
#ifndef GRT_MODELS_GPU_INTERNAL_H
#define GRT_MODELS_GPU_INTERNAL_H

#include "models/gpu.h"
#include "models/placement.h"
#include "models/progress.h"
#include "sim/check.h"
#include "sim/inlining.h"
#include "sim/random.h"
#include "sim/ready_queue.h"
#include "sim/wide.h"

#define NONE UINT32_MAX

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
        uint64_t room[9]; /* makes the struct 128 bytes long, so that it is found by a shift */
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
    struct process *process;
    struct context *context; /* of the process */
    uint32_t level;          /* of its execution-engine queue; 0 is the most urgent */
    uint32_t urgency;        /* its priority, 0 the most urgent; differs from `level` where own_places */
    uint32_t row;            /* in the trace */
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
    uint32_t next_free; /* in the free list, or in that of the thrown away */
    grt_time start;     /* ns of the run */
    grt_time began;     /* ns of the context's clock */
    grt_time time;      /* that it takes */
};

/* Blocks of one kernel that always have the same speed: all of them, or those on one SM. Their ends are kept by the work
 * that is done, so that a change of speed moves one event. Used where the device is contended: see gpu_clock.c. */
struct clock {
    struct grt_progress progress; /* by the context's clock */
    struct grt_ready_queue ends;  /* cohorts by (work done at their end, order of the starts) */
    uint32_t command, place;      /* place: of the SM, or NONE */
    uint32_t blocks;              /* running */
    uint32_t settled;             /* how many were when speeds were last settled */
    uint32_t next;                /* in its list, or in the free list */
    uint64_t own_speed;           /* before the memory's share */
};

/* What a grid has to do with those that its blocks launch; there is one beside every command where blocks launch
 * kernels: see gpu_children.c. */
struct family {
    bool used;      /* its command is */
    bool ended;     /* all its blocks have ended, or what is left was dropped */
    bool in_flight; /* its launch has not reached the device */
    bool held; /* it waits for the grid before it in its stream, or, a tail, for the one that launched it */
    bool is_tail;              /* launched into the tail stream */
    uint16_t number;           /* in the trace; 0 if the host launched it */
    uint32_t parent;           /* the grid that launched it, or NONE */
    uint32_t follower;         /* the grid that waits behind it in a block's stream, or NONE */
    uint32_t live;             /* launched by it and not complete, but for held tails */
    struct command_list tails; /* those, in the order of the launches */
    uint32_t launcher;         /* the cohort of the block that launched it, where its kernel waits, or NONE */
    uint32_t waiting;          /* blocks that wait inside: see gpu_sync.c */
    bool away;                 /* all its blocks have begun, and those that have not ended wait */
    uint64_t key;              /* where its random numbers, and those of what it launches, start */
};

/* The last launch into the stream of a block. */
struct block_stream {
    uint32_t command; /* or NONE */
    uint64_t launch;  /* of it: tells whether it is still the same command */
};

/* What the blocks of a cohort have still to launch. */
struct launching {
    uint32_t next; /* index of the launches of their kernel */
    uint32_t capacity;
    uint32_t live;       /* its kernel waits: what the block has launched and is not complete */
    bool waits, returns; /* the block is off the SM; and nothing is left for which it waits */
    grt_time had;        /* of the block's time, before its present stay on an SM */
    uint64_t since;      /* position in the order of all calls: what was launched before is not the block's */
    grt_time work_began; /* contended: what their clock had done when they began */
    uint64_t rank;       /* contended: of their start */
    struct block_stream *streams; /* per block */
};

enum { MOST_ENGINES = 2 };

/* The hardware queues of a process, or of all clients of an MPS server before Volta (Q8): see gpu_queue.c. */
struct queue_pool {
    struct command_list *queues; /* static and single model: commands in the order of the calls */
    uint32_t free;               /* dynamic model */
    uint32_t *waiting;           /* streams without a queue, in the order in which they came to need one */
    uint32_t waiting_count, waiting_capacity;
    struct grt_random random; /* for who gets a free queue */
    uint32_t stream_count;
    uint32_t *undispatched; /* single model, by queue: what has left it and is not dispatched, or gone */
};

/* A process on the GPU: what it keeps for itself even where it shares a context with others (MPS). */
struct process {
    struct context *context;
    uint32_t null_stream;          /* or NONE */
    uint64_t barrier;              /* the launch of the first pending barrier; UINT64_MAX: none */
    struct command_list callbacks; /* ready to run; the first runs */
    struct queue_pool *pool;
    uint32_t most_tpcs; /* on which it may have blocks at a time: see gpu_limit.c; 0: no limit */
    uint32_t tpcs_used;
    uint32_t pending_launches; /* of kernels by blocks that have not begun */
    uint32_t *blocks_on;       /* each TPC; where most_tpcs is not 0 */
    uint64_t *places;          /* of the TPCs that it uses, a bit each */
};

/* What the SMs and the copy engines execute at a time: the queues and resident blocks of one process, or of all clients
 * of an MPS server together. Its clock stands still while its blocks are switched out: it is behind the run by `lag`.
 * Ends and busy times are by this clock. */
struct context {
    struct grt_context_spec spec; /* of its turns among the others */
    uint32_t label;               /* in the trace */
    struct grt_placement *placement;
    grt_time lag;
    grt_time paused_at;                       /* GRT_TIME_NEVER while the clock runs */
    struct command_list copies[MOST_ENGINES]; /* queues of the copy engines */
    uint32_t suspended[MOST_ENGINES];         /* the copy that was stopped on the engine, or NONE */

    struct command_list *levels; /* execution-engine queues, by priority level */
    uint32_t resident_kernels;
    bool undispatched; /* something changed that may let a block be placed */

    struct grt_event_queue
        ends;         /* of cohorts, by (time, order of the starts); contended: the next of each clock */
    uint32_t vacated; /* in `ends`: the last cohort that ended, if no other has its slot yet; else NONE */
    struct cohort *cohorts;
    uint32_t cohort_capacity, cohort_count, free_cohort;
    uint32_t thrown; /* cohorts that begin again with the next turn: see gpu_preempt.c; or NONE */
    uint64_t starts;
    struct clock *clocks;
    uint32_t clock_capacity, clock_count, free_clock;
    uint32_t *clock_lists; /* the running ones, by SM where speeds differ between SMs, else in one list */

    struct grt_event_queue
        moments;                 /* where blocks launch kernels: when those of a cohort do next; by cohort */
    struct launching *launching; /* by cohort */
    uint32_t launching_capacity;
    struct command_list *returning; /* cohorts of blocks that have waited, by priority level */
    uint32_t returning_count;

    uint32_t running_blocks;
    grt_time busy, busy_since; /* at least one block resident */
};

struct engine {
    struct context *active;       /* whose copies it takes */
    bool held;                    /* it takes no further copy: the turn is about to pass */
    uint32_t running;             /* command or NONE */
    grt_time since;               /* when that began, or went on */
    struct grt_progress progress; /* since then */
    grt_time latency_ends;        /* the work at which its latency is over; not above 0: it is */
    grt_time stop_at;             /* the work at which it leaves the engine, complete or not */
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
    bool goes_on;         /* `next` is to have no new turn, but needs an engine for its present one */
    bool idle;            /* nobody had anything to do when last looked at */
    int64_t priority;     /* of those on it, where contexts are `ranked` */
    grt_time update_ends; /* when others are on it; GRT_TIME_NEVER: no update is under way */
};

struct grt_gpu {
    const struct grt_device *device;
    struct grt_gpu_options options;
    grt_source source; /* tells the earliest end of a cohort */
    struct process **processes;
    uint32_t process_count, process_capacity;
    struct context **contexts; /* one per process, or one for all under MPS */
    uint32_t context_count, context_capacity;
    bool apart;            /* kernels may pass a stuck one: some are kept to some SMs, or own_places */
    bool limited;          /* some process has most_tpcs */
    bool urgencies_differ; /* of streams */
    bool own_places;       /* MPS: priorities count within a client: see gpu_share.c */
    bool contended;        /* speeds may change: see gpu_clock.c and gpu_speed.c */
    bool own_speeds;       /* not by the memory alone */
    bool speeds_by_sm;     /* and not the same on all SMs */
    bool unsettled;        /* something changed that may change a speed */
    uint64_t *slowdowns;   /* speeds of class i beside class j, then those on the same SM */
    uint32_t class_count;
    bool has_launches;      /* blocks launch kernels: see gpu_children.c */
    bool queues_limited;    /* hardware queues are fewer than streams may need: see gpu_queue.c */
    struct context *active; /* whose kernels the SMs execute */
    bool held;              /* no kernel may begin, and no block beyond what context_preemption lets go on */
    bool used;              /* some context has had them */
    grt_time active_since;  /* for the trace */
    grt_time ready_at;      /* when the switch to the active context is over */
    struct runlist *runlists;
    uint32_t runlist_count; /* 0 with one context */
    bool ranked;            /* contexts differ in priority */
    struct context **turns; /* the order of the turns; a context may have several */
    uint32_t turn_count;
    uint32_t level_count; /* of priorities */
    uint32_t most_begun;  /* kernels of a context with blocks: resident grids and task slots */

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

    /* Where blocks launch kernels. */
    grt_source moment_source, arrival_source;
    struct command_list in_flight; /* launches on their way to the device */
    struct family *families;       /* by command */
    uint32_t family_capacity;
    uint16_t *free_numbers; /* of grids, in the trace */
    uint32_t free_number_count, number_capacity, number_count;
    uint64_t failed_launches;

    bool uncopied; /* something changed that may let a copy begin */

    struct engine engines[MOST_ENGINES];
    uint32_t engine_count;

    uint64_t kernels, blocks, copies; /* completed */
    grt_wide thread_time;             /* threads times ns */
};

static inline struct context *context_of(const struct grt_gpu *gpu, uint32_t command) {
    return gpu->streams[gpu->commands[command].stream].context;
}

/* How long ago a command was called, which says which it is, whatever its place in the pool; a constant if there is none. */
static inline uint64_t age_of(const struct grt_gpu *gpu, uint32_t command) {
    return command != NONE ? gpu->launches - gpu->commands[command].launch : UINT64_MAX;
}

static inline struct process *process_of(const struct grt_gpu *gpu, uint32_t command) {
    return gpu->streams[gpu->commands[command].stream].process;
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
bool gpu_stream_is_earliest(const struct grt_gpu *gpu, const struct stream *stream, uint64_t launch);
void gpu_command_begin(struct grt_gpu *gpu, struct command *command);

/* gpu.c: the pool of commands. */
uint32_t gpu_command_allocate(struct grt_gpu *gpu);
void gpu_command_set_kernel(struct command *command, const struct grt_gpu_kernel *kernel, bool random,
                            uint64_t random_key);

/* gpu_children.c: kernels launched by blocks; called where has_launches. */
void gpu_children_submitted(struct grt_gpu *gpu, uint32_t command, uint64_t random_key);
void gpu_children_reserve(struct context *context);
void gpu_children_cohort_began(struct grt_gpu *gpu, struct context *context, uint32_t cohort);
void gpu_children_set_moment(struct grt_gpu *gpu, struct context *context, uint32_t cohort);
void gpu_children_launch(struct grt_gpu *gpu, struct context *context, uint32_t cohort);
void gpu_children_cohort_ends(struct grt_gpu *gpu, struct context *context, uint32_t cohort);
void gpu_children_grid_began(struct grt_gpu *gpu, uint32_t command);
void gpu_children_blocks_ended(struct grt_gpu *gpu, uint32_t command);
void gpu_children_schedule(struct grt_gpu *gpu, const struct context *context);
void gpu_children_schedule_arrivals(struct grt_gpu *gpu);

/* gpu_family.c: the same, of whole families. */
bool gpu_family_cancel(struct grt_gpu *gpu, uint32_t command);
void gpu_family_finish(struct grt_gpu *gpu);
uint64_t gpu_family_cohort_state(const struct grt_gpu *gpu, const struct context *context, uint32_t cohort,
                                 uint64_t hash);
uint64_t gpu_family_state(const struct grt_gpu *gpu, uint64_t hash);
void gpu_family_remove(struct grt_gpu *gpu, uint32_t command);

/* gpu_sync.c: blocks that wait for what they launched; called where has_launches. */
void gpu_sync_create_context(struct grt_gpu *gpu, struct context *context);
bool gpu_sync_leave(struct grt_gpu *gpu, struct context *context, uint32_t cohort, uint32_t from,
                    uint32_t to);
void gpu_sync_completed(struct grt_gpu *gpu, uint32_t command);
bool gpu_sync_dispatch(struct grt_gpu *gpu, struct context *context, uint32_t cohort);
void gpu_sync_drop(struct grt_gpu *gpu, uint32_t command);
uint32_t gpu_sync_block_of(const struct grt_gpu *gpu, uint32_t command);
uint64_t gpu_sync_state(const struct grt_gpu *gpu, const struct context *context, uint64_t hash);

/* gpu_call.c: commands that no engine executes. Kept out of the hot paths that they are called from. */
GRT_RARE void gpu_call_before(struct grt_gpu *gpu, uint32_t stream, const struct grt_gpu_command *given,
                              uint32_t job);
GRT_RARE void gpu_call_submitted(struct grt_gpu *gpu, uint32_t command, const struct grt_gpu_command *given,
                                 uint64_t random_key);
GRT_RARE bool gpu_call_advance(struct grt_gpu *gpu, uint32_t command);
GRT_RARE void gpu_call_find_unchecked(const struct grt_gpu *gpu, struct stream *stream);
GRT_RARE bool gpu_call_is_needed(struct grt_gpu *gpu, struct command *command);
GRT_RARE void gpu_call_ended(struct grt_gpu *gpu, uint32_t command);
GRT_RARE bool gpu_call_cancel(struct grt_gpu *gpu, uint32_t command);
bool gpu_call_is_running(const struct grt_gpu *gpu, const struct stream *stream);
void gpu_call_finish(struct grt_gpu *gpu);

/* gpu_queue.c: hardware queues; called where queues_limited. */
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

/* gpu_execute.c: kernels and blocks. */
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
void gpu_execute_add_end(struct grt_gpu *gpu, struct context *context, uint32_t cohort, grt_time clock);
/* Takes out the cohort that ends first; NONE if none runs. */
uint32_t gpu_execute_pop_end(struct grt_gpu *gpu, struct context *context);
void gpu_execute_free_cohort(struct context *context, uint32_t cohort);
void gpu_execute_account(struct grt_gpu *gpu, const struct context *context, const struct cohort *cohort,
                         uint8_t flags);
bool gpu_execute_dispatch(struct grt_gpu *gpu, struct context *context, uint32_t command);
bool gpu_execute_may_dispatch(const struct grt_gpu *gpu, const struct context *context,
                              const struct command *command);
void gpu_execute_finish(struct grt_gpu *gpu, struct context *context);

/* gpu_trace.c: records of the trace; blocks only where there is one. */
void gpu_trace_kernel_slice(struct grt_gpu *gpu, uint32_t command, uint8_t flags);
static inline void gpu_trace_kernel(struct grt_gpu *gpu, uint32_t command, uint8_t flags) {
    if (gpu->options.trace != NULL) {
        gpu_trace_kernel_slice(gpu, command, flags);
    }
}
void gpu_trace_block(struct grt_gpu *gpu, const struct context *context, const struct cohort *cohort,
                     uint32_t offset, uint8_t flags);
void gpu_trace_cohort(struct grt_gpu *gpu, const struct context *context, const struct cohort *cohort,
                      uint8_t flags);

/* gpu_clock.c: the ends of blocks where speeds may change. */
void gpu_clocks_create_context(struct grt_gpu *gpu, struct context *context);
void gpu_clock_add(struct grt_gpu *gpu, struct context *context, uint32_t cohort, grt_time clock);
void gpu_clock_add_moment(struct grt_gpu *gpu, struct context *context, uint32_t cohort, grt_time at);
/* The running clock of a kernel in a list, which its first clock names; NONE if it has none there. */
uint32_t gpu_clock_find(const struct context *context, uint32_t list, uint32_t command);
bool gpu_clock_is_moment(const struct grt_ready_entry *end);
bool gpu_clock_launch(struct grt_gpu *gpu, struct context *context, grt_time clock);
void gpu_clock_remove(struct grt_gpu *gpu, struct context *context, uint32_t cohort);
void gpu_clocks_drop_moments(struct grt_gpu *gpu, struct context *context);
uint32_t gpu_clock_pop(struct grt_gpu *gpu, struct context *context, grt_time clock);
void gpu_clock_set_speed(struct grt_gpu *gpu, struct context *context, uint32_t number, uint64_t speed);
static inline uint32_t clock_list_count(const struct grt_gpu *gpu) {
    return gpu->speeds_by_sm ? (uint32_t)gpu->device->sm_count : 1;
}

/* gpu_speed.c: how fast what runs is. Settled at the end of every decision. */
void gpu_speeds_create(struct grt_gpu *gpu);
uint32_t gpu_class_of(const struct grt_device *device, const char *name);
void gpu_speeds_settle(struct grt_gpu *gpu);

/* gpu_apart.c: dispatch where `apart`. */
void gpu_apart_dispatch(struct grt_gpu *gpu, struct context *context);

/* gpu_share.c: the processes of the GPU, and the clients of an MPS server. */
struct process *gpu_share_create_process(struct grt_gpu *gpu, const struct grt_context_spec *spec,
                                         uint32_t label);
void gpu_share_enqueue(struct grt_gpu *gpu, struct command_list *list, uint32_t command);

/* gpu_limit.c: how much of the SMs a client may use; called where `limited`. */
void gpu_limit_create(struct grt_gpu *gpu, struct process *process, int64_t percentage);
bool gpu_limit_is_reached(const struct process *process);
uint32_t gpu_limit_take_many(struct grt_gpu *gpu, struct process *process,
                             const struct grt_gpu_kernel *kernel, uint32_t count, struct cohort *cohort,
                             grt_time clock);
void gpu_limit_took(struct grt_gpu *gpu, struct process *process, uint32_t place);
void gpu_limit_released(struct grt_gpu *gpu, struct process *process, uint32_t place, uint32_t count);

/* gpu_runlist.c: whose turn it is. */
void gpu_runlists_create(struct grt_gpu *gpu);
void gpu_runlists_decide(struct grt_gpu *gpu);
void gpu_runlists_finish(struct grt_gpu *gpu);
grt_time gpu_runlist_turn_left(const struct grt_gpu *gpu, const struct runlist *runlist);

/* gpu_preempt.c: blocks inside of which a turn ends. */
grt_time gpu_preempt_move_time(const struct grt_gpu *gpu, const struct context *context);
void gpu_preempt_throw_away(struct grt_gpu *gpu, struct context *context);
void gpu_preempt_run_again(struct grt_gpu *gpu, struct context *context);

/* gpu_copy.c: copy engines. `stop` suspends what runs on an engine at the end of its chunk; true once nothing runs. */
void gpu_copy_create(struct grt_gpu *gpu);
void gpu_copy_create_context(struct grt_gpu *gpu, struct context *context);
void gpu_copy_enqueue(struct grt_gpu *gpu, uint32_t command);
bool gpu_copy_cancel(struct grt_gpu *gpu, uint32_t command);
void gpu_copy_decide(struct grt_gpu *gpu);
bool gpu_copy_stop(struct grt_gpu *gpu, uint32_t engine);
uint64_t gpu_copy_demand(const struct grt_gpu *gpu, uint32_t engine);
void gpu_copy_set_speed(struct grt_gpu *gpu, uint32_t engine, uint64_t speed);
void gpu_copy_finish(struct grt_gpu *gpu);

/* ---- what every command comes to ---- */

static inline void gpu_command_free(struct grt_gpu *gpu, uint32_t number) {
    gpu->commands[number].next = gpu->free_command;
    gpu->free_command = number;
    if (gpu->has_launches) {
        gpu->families[number].used = false;
    }
}

/* G4, C4: a command leaves its stream when it has completed; the next becomes the head. An empty stream need not be looked
 * at, but where any stream may wait for any other. */
static inline void gpu_command_complete(struct grt_gpu *gpu, uint32_t number) {
    struct command *command = &gpu->commands[number];
    struct stream *stream = &gpu->streams[command->stream];
    GRT_ASSERT(stream->commands.head == number, "only the head of a stream can have begun");
    list_pop(&stream->commands, gpu->commands, stream_link);
    if (stream->commands.head != NONE || gpu->looks_at_all) {
        gpu_stream_touch(gpu, command->stream);
    }
    gpu_command_free(gpu, number);
    if (command->last) {
        const struct grt_gpu_listener *listener = &gpu->options.listener;
        listener->completed(listener->state, command->owner, gpu->options.loop->now);
    } else if (command->waits) {
        const struct grt_gpu_listener *listener = &gpu->options.listener;
        listener->returned(listener->state, command->owner, gpu->options.loop->now);
    }
}

#endif
