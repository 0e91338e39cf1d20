/* The inside of the auditor. What it knows follows from the scenario and the records alone: it keeps for each task what its current job
 * should be doing, for each core and GPU until when it is taken, and never more than what is going on at a time.
 *
 * Slices come when they end, so what began when is known late. Every check is made at the first record that allows it. */
#ifndef GRT_VERIFY_AUDIT_INTERNAL_H
#define GRT_VERIFY_AUDIT_INTERNAL_H

#include "sim/memory.h"
#include "verify/audit.h"

/* The rules of all runs; their names are in rules.c and docs/auditor.md. Those of the families get the numbers behind them. */
enum audit_rule {
    AUDIT_TIME,
    AUDIT_OPEN,
    AUDIT_NUMBERS,
    AUDIT_ARRIVALS,
    AUDIT_JITTER,
    AUDIT_AFTER,
    AUDIT_DEADLINES,
    AUDIT_ENDS,
    AUDIT_RESPONSES,
    AUDIT_LATE,
    AUDIT_MISSES,
    AUDIT_SKIPS,
    AUDIT_SEGMENTS,
    AUDIT_CORES,
    AUDIT_ONE_THREAD,
    AUDIT_CPU_URGENT,
    AUDIT_CPU_IDLE,
    AUDIT_CPU_TIME,
    AUDIT_CPU_COSTS,
    AUDIT_PRIORITIES,
    AUDIT_DISPATCHED,
    AUDIT_COMMANDS,
    AUDIT_LAUNCHES,
    AUDIT_BLOCKS,
    AUDIT_BLOCK_TIMES,
    AUDIT_KERNELS,
    AUDIT_SMS,
    AUDIT_PINS,
    AUDIT_ITEMS,
    AUDIT_ROOM,
    AUDIT_GRIDS,
    AUDIT_ONE_COPY,
    AUDIT_COPY_TIMES,
    AUDIT_CONTEXTS,
    AUDIT_RULES,
    AUDIT_MOST_RULES = 64 /* with those of the families that apply */
};

#define AUDIT_NONE UINT32_MAX
#define AUDIT_UNKNOWN INT64_MIN /* of an instant */

/* A job that was released and has not gone. */
struct audit_job {
    uint64_t number;
    grt_time arrival; /* AUDIT_UNKNOWN until the job's end says it */
    grt_time release, deadline;
    grt_time release_before; /* of the job before it, or its skip */
    bool missed;             /* its miss was seen */
    bool ended;              /* aborted before its turn came */
};

/* What blocks were seen of a grid since its last kernel record. */
struct audit_grid {
    uint64_t count, sum; /* blocks that ended, and the sum of their numbers' hashes */
    grt_time first_start, last_end;
    grt_time shortest, longest; /* of those that ended */
    grt_time longest_cut;       /* of those that were cut off */
};

enum audit_state {
    AUDIT_NO_JOB,
    AUDIT_COMPUTING,
    AUDIT_ASKING, /* its request is due at this instant */
    AUDIT_ON_GPU, /* from the request on */
    AUDIT_DRAINING,
    AUDIT_FINISHING /* all segments are done: its end is due at this instant */
};

/* What the thread of a job does for its GPU segment. */
enum audit_phase {
    AUDIT_NO_PHASE,  /* nothing, or nothing any more */
    AUDIT_ASKS,      /* it waits for its core, to ask for the GPU */
    AUDIT_WAITS,     /* for the submission */
    AUDIT_BEFORE,    /* it executes the first host part */
    AUDIT_ON_DEVICE, /* it waits for the device, off its core */
    AUDIT_SPINS,     /* or on it */
    AUDIT_BESIDE,    /* it executes the second part, beside the commands */
    AUDIT_BEHIND,    /* or behind them */
    AUDIT_EITHER     /* one of the parts, and it cannot be said which */
};

/* Who does the host's side of GPU segments: follows from the promise. */
enum audit_host_by { AUDIT_HOST_BY_JOB, AUDIT_HOST_BY_THREAD, AUDIT_HOST_BY_POLICY };

struct audit_edge;      /* after.c */
struct audit_thread;    /* cores.h */
struct audit_core;      /* the same */
struct audit_scattered; /* scattered.c */

/* A kernel as the auditor counts it. */
struct audit_kernel {
    uint64_t blocks, sum; /* of the grid, and of their numbers' hashes; sum 0: not yet calculated */
    grt_time least, most; /* of a block */
    bool same_time;       /* all blocks of a launch take the same */
    bool whole_device, launches, waits; /* its blocks launch kernels; and wait for them */
    int64_t charges[4];                 /* warps, block slots, registers, bytes: of one block on an SM */
    uint8_t *sms;                       /* one per SM of its GPU: whether it may run there; NULL: on all */
    uint64_t items;                     /* of work; 0: it is not pinned */
    uint8_t *pinned_to;                 /* one per SM: whether its blocks work there */
    grt_time exit_time;                 /* of its blocks that do not */
};

struct audit_task {
    const struct grt_task *spec;
    uint32_t number;

    /* jobs: a ring, whose first is the current one */
    struct audit_job *jobs;
    uint32_t first, count, capacity;
    uint64_t next_number;
    grt_time last_release,
        last_arrival; /* instants of the last release or skip, and of its arrival or AUDIT_UNKNOWN */
    bool skip_next;

    /* the current job */
    enum audit_state state;
    uint32_t segment;
    grt_time since; /* when the present segment began; AUDIT_FINISHING: when the last one ended */

    /* on its core */
    grt_time computed;   /* in the present segment, or host part */
    uint64_t tie;        /* of the current job */
    grt_time dispatched; /* when a thread last ended a CPU segment at its own priority: it may ask at once */
    bool gone;           /* a job was aborted while it computed: the last one's */
    uint64_t gone_job;
    grt_time gone_since, gone_until, gone_computed;
    uint32_t gone_segment;
    struct grt_distribution gone_time; /* of what it computed */

    /* for its GPU segment */
    enum audit_phase phase;
    bool device_done;
    bool guessed;        /* which part it executes was only seen from a slice */
    grt_time called;     /* when its commands were called, AUDIT_UNKNOWN: not yet, or not known */
    grt_time host_end;   /* when the last part ended, or AUDIT_UNKNOWN */
    grt_time waited;     /* how long it had to wait for the device */
    grt_time beside_end; /* when the part beside the commands last ended before they did, or AUDIT_UNKNOWN */
    grt_time spun;       /* when it last ceased to busy-wait because the device was done */

    /* for priorities that go by what it has finished */
    grt_time first_arrival, first_release; /* of its first job; AUDIT_UNKNOWN: not known */
    grt_time finished; /* when the last job that was not aborted ended; AUDIT_UNKNOWN: none has */

    /* on its GPU */
    uint32_t command;      /* the next one that is not complete */
    uint32_t launched;     /* kernels that were launched in the present segment */
    grt_time command_free; /* end of its last command, or the request */
    grt_time copied;       /* of the present copy */
    grt_time kernel_least,
        kernel_most; /* of the present kernel's pieces together, where it is described by its time */
    uint64_t blocks, block_sum;  /* of the present kernel's pieces together */
    bool in_kernel;              /* a piece of the present kernel has been seen */
    grt_time aborted;            /* DRAINING: when */
    bool shown;                  /* its segment was shown to go on at the end of the run */
    struct audit_grid grid;      /* of the kernel that the host launched */
    struct audit_pinned *pinned; /* pinned.c; NULL: no kernel of the task is */

    struct audit_scattered *scattered; /* any_order: of the present segment, by command */
    struct audit_kernel least;         /* the same: see audit_scattered_least */

    /* what follows from the scenario */
    struct audit_kernel **kernels; /* by segment: one per command */
    struct audit_edge *edges;      /* to tasks that come after it */
    uint32_t edge_count;
    struct audit_edge **incoming;
    uint32_t incoming_count;
};

/* Units of something of which there is a number, in the order of the instants at which they became free: what is needed to say, when slices come in
 * the order of their ends, whether ever more were taken than there are. */
struct audit_room {
    struct audit_room_units {
        grt_time free_from;
        int64_t units;
    } * units; /* ascending */
    uint32_t count, capacity;
};

enum { AUDIT_RESOURCES = 4 };

struct audit_sm {
    struct audit_room *rooms; /* AUDIT_RESOURCES for each process that takes turns, or for all */
};

/* Processes that take turns: their stays on the SMs. A stay comes when it ends. */
struct audit_stays {
    uint32_t *labels; /* of each process in the records; AUDIT_NONE: not yet known */
    uint32_t label;   /* of the last stay that came */
    grt_time start, end;
    uint32_t present; /* whose blocks were seen behind its end; AUDIT_NONE: nobody's */
    grt_time from;    /* the first start of these */
};

struct audit_gpu {
    const struct grt_device *device;
    uint32_t number, first_sm, first_engine;
    bool turns;     /* several processes take turns on it */
    bool contended; /* blocks may take longer than they say */
    bool stretched; /* the same, because they are switched out */
    /* how much earlier than their time blocks and copies may end, because speeds are rounded */
    grt_time rounding;
    bool has_launches;
    bool checks[AUDIT_RESOURCES]; /* which resources can be the scarcest */
    struct audit_room grids;
    grt_time engine_free[2];
    struct audit_stays stays;
};

/* Grids of launched kernels, by task and number. */
struct audit_grids {
    struct audit_grids_entry {
        uint64_t key; /* 0: free */
        struct audit_grid grid;
    } * entries;
    uint32_t count, capacity; /* capacity: a power of two */
};

/* Rules that hold for some policies only, and what has to be remembered for them: one file each, listed in family.c. Any hook but `applies`
 * and `create` may be NULL. `state`: state_size zeroed bytes of its own for each run. `record` is what the hook is called for. */
struct audit_family {
    size_t state_size;
    bool (*applies)(const struct grt_audit *audit);
    /* Names its rules (audit_add_rules); tasks, GPUs and cores are there. */
    void (*create)(struct grt_audit *audit, void *state);
    /* Frees what is not in the arena. */
    void (*release)(struct grt_audit *audit, void *state);
    /* A GPU segment asked for its GPU: since, command and all that is counted are set. */
    void (*request)(struct grt_audit *audit, void *state, struct audit_task *task,
                    const struct grt_trace_record *record);
    /* A command of the present segment ended, or a piece of one: the task is still as before it. */
    void (*command)(struct grt_audit *audit, void *state, struct audit_task *task,
                    const struct grt_trace_record *record);
    /* The present GPU segment ended, or its open slice came at the end of the run: the task is still in it. */
    void (*segment_end)(struct grt_audit *audit, void *state, struct audit_task *task,
                        const struct grt_trace_record *record);
    /* The priority of a job's thread changed. */
    void (*priority)(struct grt_audit *audit, void *state, struct audit_task *task,
                     const struct grt_trace_record *record);
    /* A block ended, or was cut off. */
    void (*block)(struct grt_audit *audit, void *state, struct audit_task *task,
                  const struct grt_trace_record *record);
    /* A job's thread was on its core, for whatever it did. */
    void (*slice)(struct grt_audit *audit, void *state, struct audit_task *task,
                  const struct grt_trace_record *record);
    /* A thread of the policy's own computed. The record may be of no task. */
    void (*thread)(struct grt_audit *audit, void *state, const struct grt_trace_record *record);
    /* The share of a stream changed. */
    void (*share)(struct grt_audit *audit, void *state, const struct grt_trace_record *record);
    /* An instant is over in which something was recorded. */
    void (*settle)(struct grt_audit *audit, void *state, grt_time now);
    /* The trace is over. */
    void (*finish)(struct grt_audit *audit, void *state);
};

/* A family that applies to the run. */
struct audit_active {
    const struct audit_family *family;
    void *state;
};

enum { AUDIT_KEPT = 256, AUDIT_MOST_FAMILIES = 4 };

/* What every record needs comes first, in two lines of the cache. */
struct grt_audit {
    const struct grt_scenario *scenario;
    grt_time now;
    struct audit_task *tasks;
    struct audit_core *cores;
    struct audit_gpu *gpus;
    struct audit_sm *sms;
    uint32_t core_count, sm_count, engine_count, rule_count;
    struct audit_thread *threads;
    uint32_t *touched; /* cores of which it has to be decided who runs */
    uint32_t thread_count, touched_count;
    enum audit_host_by host;
    bool settles;           /* a family does */
    bool hears_blocks;      /* the same */
    bool any_order;         /* see struct grt_audit_promise */
    grt_time *streams_free; /* any_order: when the last command of each stream ended */
    uint32_t stream_count, stream_capacity;
    bool has_costs; /* switches and wake-ups cost something */
    struct grt_audit_promise promise;
    struct audit_grids grids;

    uint64_t checked[AUDIT_MOST_RULES], broken[AUDIT_MOST_RULES];
    struct audit_active active[AUDIT_MOST_FAMILIES];
    size_t active_count;
    struct grt_arena arena;
    const char *names[AUDIT_MOST_RULES]; /* NULL: does not apply */
    struct grt_audit_count counts[AUDIT_MOST_RULES];
    size_t count_count;
    struct grt_audit_finding kept[AUDIT_KEPT];
    size_t kept_count;
};

/* ---- rules.c ---- */

/* Names the rules of all runs. */
void audit_name_rules(struct grt_audit *audit);

/* Adds rules of a family; returns the number of the first one. The names must be constant. */
uint32_t audit_add_rules(struct grt_audit *audit, const char *const *names, uint32_t count);

/* Notes a broken rule; `format` makes the sentence. `task`: AUDIT_NONE for none. */
__attribute__((format(printf, 6, 7))) void audit_find(struct grt_audit *audit, uint32_t rule, grt_time time,
                                                      uint32_t task, uint64_t job, const char *format, ...);

/* Counts a check of a rule for a record; if it failed, notes the sentence. True if it held. */
void audit_broken(struct grt_audit *audit, uint32_t rule, const struct grt_trace_record *record,
                  const char *sentence);
static inline bool audit_check(struct grt_audit *audit, uint32_t rule, bool good,
                               const struct grt_trace_record *record, const char *sentence) {
    audit->checked[rule]++;
    if (__builtin_expect(!good, 0)) {
        audit_broken(audit, rule, record, sentence);
    }
    return good;
}

/* ---- job.c: jobs from release to end ---- */

void audit_release(struct grt_audit *audit, const struct grt_trace_record *record);
void audit_skip(struct grt_audit *audit, const struct grt_trace_record *record);
void audit_end(struct grt_audit *audit, const struct grt_trace_record *record);
void audit_miss(struct grt_audit *audit, const struct grt_trace_record *record);
void audit_jobs_finish(struct grt_audit *audit);

/* The current job of a task, if the record is of it; else NULL. */
struct audit_job *audit_current(struct audit_task *task, const struct grt_trace_record *record);

/* The present segment of the current job has ended. */
void audit_advance(struct grt_audit *audit, struct audit_task *task, grt_time now);

/* The current job is gone: the next one begins. */
void audit_next_job(struct grt_audit *audit, struct audit_task *task, grt_time now);

static inline struct audit_job *audit_job_at(const struct audit_task *task, uint32_t index) {
    return &task->jobs[(task->first + index) & (task->capacity - 1)];
}

/* ---- arrival.c ---- */

/* The arrival of the job that comes next, as far as it is known; checks distances. */
grt_time audit_arrival_of_next(struct grt_audit *audit, struct audit_task *task,
                               const struct grt_trace_record *record);
void audit_arrivals_finish(struct grt_audit *audit, struct audit_task *task);

/* ---- after.c: jobs that come after others ---- */

void audit_after_create(struct grt_audit *audit);
void audit_after_free(struct grt_audit *audit);
void audit_hand_over(struct audit_task *task, uint64_t job, grt_time arrival, grt_time now, bool lost);
/* Takes what the predecessors' jobs left for the next job: its arrival and instant; false if one has not ended. */
bool audit_after_take(struct audit_task *task, grt_time *arrival, grt_time *instant, bool *lost);

/* ---- segment.c: GPU segments and their commands ---- */

void audit_request(struct grt_audit *audit, const struct grt_trace_record *record);
void audit_segment_end(struct grt_audit *audit, const struct grt_trace_record *record);
void audit_kernel_end(struct grt_audit *audit, const struct grt_trace_record *record);
void audit_copy_end(struct grt_audit *audit, const struct grt_trace_record *record);
void audit_call_end(struct grt_audit *audit, const struct grt_trace_record *record);

/* ---- scattered.c: the same where commands come in any order (any_order) ---- */

void audit_scattered_create(struct grt_audit *audit);
void audit_scattered_free(struct grt_audit *audit);
void audit_scattered_request(struct audit_task *task);
/* A command's record: checks its turn, and makes it the present one. */
void audit_scattered_turn(struct grt_audit *audit, struct audit_task *task,
                          const struct grt_trace_record *record);
void audit_scattered_copied(struct audit_task *task, bool complete);
void audit_scattered_kernel(struct grt_audit *audit, struct audit_task *task,
                            const struct grt_trace_record *record);
void audit_scattered_block(struct audit_task *task, const struct grt_trace_record *record);
const struct audit_kernel *audit_scattered_least(struct audit_task *task);
bool audit_scattered_complete(const struct audit_task *task);

/* ---- block.c ---- */

void audit_kernels_create(struct grt_audit *audit);
void audit_block(struct grt_audit *audit, const struct grt_trace_record *record);
/* The grid of a kernel's record; it is emptied with audit_grid_clear. */
struct audit_grid *audit_grid_of(struct grt_audit *audit, struct audit_task *task,
                                 const struct grt_trace_record *record);
void audit_grid_done(struct grt_audit *audit, struct audit_task *task, const struct grt_trace_record *record);
void audit_grid_clear(struct audit_grid *grid);
uint64_t audit_sum_of_blocks(uint64_t blocks);
uint64_t audit_hash_of_block(uint64_t number);
void audit_kernels_finish(struct grt_audit *audit);
void audit_kernels_free(struct grt_audit *audit);

/* ---- pinned.c: pinned kernels ---- */

void audit_pinned_create(struct grt_audit *audit, struct audit_task *task);
void audit_pinned_free(struct audit_task *task);
void audit_pinned_block(struct grt_audit *audit, struct audit_task *task, const struct audit_kernel *kernel,
                        const struct grt_trace_record *record);
void audit_pinned_lost(struct grt_audit *audit, const struct grt_trace_record *record);
/* The record of the kernel; the task is still in it. */
void audit_pinned_end(struct grt_audit *audit, struct audit_task *task, const struct audit_kernel *kernel,
                      const struct grt_trace_record *record);

/* ---- room.c ---- */

void audit_room_start(struct audit_room *room, int64_t units);
/* Takes units from `start` to `end`, not before that of the last call; false if there were not as many. */
bool audit_room_take(struct audit_room *room, grt_time start, grt_time end, int64_t units);

/* ---- family.c: rules of some policies ---- */

void audit_families_create(struct grt_audit *audit);
void audit_families_free(struct grt_audit *audit);
void audit_families_request(struct grt_audit *audit, struct audit_task *task,
                            const struct grt_trace_record *record);
void audit_families_command(struct grt_audit *audit, struct audit_task *task,
                            const struct grt_trace_record *record);
void audit_families_segment_end(struct grt_audit *audit, struct audit_task *task,
                                const struct grt_trace_record *record);
void audit_families_priority(struct grt_audit *audit, struct audit_task *task,
                             const struct grt_trace_record *record);
void audit_families_block(struct grt_audit *audit, struct audit_task *task,
                          const struct grt_trace_record *record);
void audit_families_slice(struct grt_audit *audit, struct audit_task *task,
                          const struct grt_trace_record *record);
void audit_families_thread(struct grt_audit *audit, const struct grt_trace_record *record);
void audit_families_share(struct grt_audit *audit, const struct grt_trace_record *record);
void audit_families_settle(struct grt_audit *audit, grt_time now);
void audit_families_finish(struct grt_audit *audit);

/* ---- order.c ---- */

/* Whether the order that is promised is one of those by which the auditor can say who goes first: not GRT_ORDER_LATENESS. */
bool audit_knows_order(const struct grt_audit *audit);

/* Adds the rule that is named after the order. Returns its number; AUDIT_NONE: the auditor does not know that order. */
uint32_t audit_add_order(struct grt_audit *audit);

/* The smaller, the more urgent is the current job of a task, by an order that the auditor knows. */
int64_t audit_key_of(const struct grt_audit *audit, const struct audit_task *task);

/* Whether the other one's job goes first, by that order. With shuffled ties any of equals may. */
bool audit_goes_before(const struct grt_audit *audit, const struct audit_task *other,
                       const struct audit_task *task);

/* ---- shares.c: GPUs of granularity shares ---- */

/* The work of a kernel, at least and at most: the time that it takes alone with the whole GPU. Returns the SMs that it fills, as a fraction of
 * all of them. */
double audit_shares_work(const struct grt_device *device, const struct grt_kernel *kernel, grt_time *least,
                         grt_time *most);

/* ---- stay.c: processes that take turns ---- */

void audit_stays_create(struct grt_audit *audit);
void audit_stay(struct grt_audit *audit, const struct grt_trace_record *record);
void audit_stay_block(struct grt_audit *audit, struct audit_gpu *gpu, const struct audit_task *task,
                      const struct grt_trace_record *record);
void audit_stays_finish(struct grt_audit *audit);

#endif
