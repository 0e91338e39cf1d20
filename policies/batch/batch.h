/* The six schedulers of batches: what they share. A scheduler for every GPU takes the first requests by priority, a batch, and has their copies
 * and kernels executed by calls of its own, each at its time, until all of them are done; then it takes the next batch.
 *
 *     asleep -- a request --> decides --> calls, waits, polls as its program says --> all done --> decides again, or sleeps
 *
 * Source: P. Muyan-Ozcelik, J. D. Owens, "Multitasking Real-time Embedded GPU Computing Tasks", PMAM 2016, sections 3 and 4 and algorithms
 * 1 to 4. What was left open there, and how it is read: docs/decisions/0027-batch-schedulers.md. */
#ifndef GRT_POLICIES_BATCH_BATCH_H
#define GRT_POLICIES_BATCH_BATCH_H

#include "models/policy.h"
#include "policies/batch/parameters.h"

/* The operations of a job's GPU segment. */
enum batch_operation {
    BATCH_IN,     /* what is before the first kernel: copies to the device */
    BATCH_KERNEL, /* from the first kernel to the last */
    BATCH_OUT,    /* what is behind it: copies back */
    BATCH_OPERATIONS
};

/* Commands of a segment, from `first` up to `end`. */
struct batch_span {
    uint32_t first, end;
};

/* A place in the batch: every operation has a stream of its own there (figure 3), and events in front of it and behind. */
struct batch_place {
    grt_stream streams[BATCH_OPERATIONS];
    grt_stream_event begun[BATCH_OPERATIONS], ended[BATCH_OPERATIONS];
    uint32_t row;

    /* of the current batch */
    grt_job job;
    uint32_t task;
    grt_time since;
    struct batch_span spans[BATCH_OPERATIONS];
    uint32_t next[BATCH_OPERATIONS];       /* command that is issued next */
    grt_submission last[BATCH_OPERATIONS]; /* issued last; GRT_NO_SUBMISSION: it has completed */
    bool gone;                             /* the job was aborted: nothing more of it is issued */
    bool done;                             /* nothing of it is with the device, or will be */
    bool collected;                        /* the end of its kernels has been dealt with */
};

/* No place of a batch. */
#define BATCH_NO_PLACE UINT32_MAX

/* Steps of the program of a batch: each but the last three is a call, in the stream of an operation of a place. */
enum batch_step_kind {
    BATCH_COMMANDS,    /* the commands of the operation, one call each */
    BATCH_BEGUN,       /* a record of the event in front of the operation */
    BATCH_ENDED,       /* a record of the event behind an operation */
    BATCH_WAIT,        /* a wait for the event behind an operation */
    BATCH_QUERY,       /* a query whether the stream is done */
    BATCH_RETURN,      /* the device's synchronisation with the kernels of the place returns */
    BATCH_SYNCHRONIZE, /* the thread waits until the job of the place is done */
    BATCH_COLLECT, /* the thread waits until there is something to do, and writes how the program goes on */
};

struct batch_step {
    enum batch_step_kind kind;
    uint32_t place;
    enum batch_operation operation;
    uint32_t of_place; /* BATCH_ENDED, BATCH_WAIT: whose event */
    enum batch_operation of_operation;
};

/* What the thread of a scheduler does. */
enum batch_work { BATCH_IDLE, BATCH_WORKS, BATCH_POLLS };

/* The scheduler of a GPU. */
struct batch_scheduler {
    uint32_t gpu;
    struct grt_ready_queue waiting; /* requests, the most urgent first */
    /* requests that the scheduler has yet to be told of: the first that arrives */
    struct grt_ready_queue messages;
    uint32_t message_timer;

    struct batch_place *places;
    uint32_t count; /* places of the current batch; 0: there is none */
    struct batch_step *steps;
    uint32_t step_count, next;
    /* the host's last call returns when this has completed; GRT_NO_SUBMISSION: it has returned */
    grt_submission blocked_by;
    uint32_t blocked_place;

    bool has_thread; /* on a core; where none of its work takes time, and on the device, it needs none */
    grt_thread thread;
    enum batch_work work;
    bool paid;       /* the thread has computed what comes next */
    bool has_looked; /* it has polled once */
    grt_time polls_since;
    bool poll_is_set, poll_ended; /* the poll that finds something: its end is known, and has come */
    uint32_t poll_timer;          /* that end */

    bool is_up; /* it can decide: on the device, its kernel has begun */
    /* on the device: the job that is its kernel; GRT_NO_JOB: it has none, or it was submitted */
    grt_job kernel;
    grt_stream kernel_stream;
    uint32_t work_timer, work_label, work_row; /* on the device: what the thread does */
    grt_time works_since;
};

/* Whether a scheduler has something to do behind what it has issued. */
enum batch_finds { BATCH_FINDS_NOTHING, BATCH_FINDS_BY_POLLING, BATCH_FINDS_AT_ONCE };

/* What the policies differ in. */
struct batch_kind {
    /* Writes the program of the batch that has been chosen. */
    void (*plan)(struct batch_scheduler *scheduler);

    /* Where programs have BATCH_COLLECT: whether there is something to do; and the next of it is written, with another BATCH_COLLECT unless it is the
     * last. */
    enum batch_finds (*finds)(const struct batch_scheduler *scheduler);
    void (*collect)(struct batch_scheduler *scheduler);
    bool polls;     /* it looks at counters for the ends of kernels, and uses the kernels that count */
    bool on_device; /* it is a kernel of its own, which never ends */
};

/* What is called, or computed by the thread, for a task: the name of it in the trace. */
enum batch_label {
    BATCH_LABEL_COMMANDS,
    BATCH_LABEL_BEGUN = BATCH_LABEL_COMMANDS + BATCH_OPERATIONS,
    BATCH_LABEL_ENDED = BATCH_LABEL_BEGUN + BATCH_OPERATIONS,
    BATCH_LABEL_WAIT = BATCH_LABEL_ENDED + BATCH_OPERATIONS,
    BATCH_LABEL_QUERY = BATCH_LABEL_WAIT + BATCH_OPERATIONS,
    BATCH_LABEL_TASK,
    BATCH_LABELS
};

struct batch {
    const struct batch_kind *kind;
    const struct batch_parameters *given;
    const struct grt_scenario *scenario;
    struct batch_scheduler *schedulers;               /* by GPU */
    size_t first_own;                                 /* tasks from here on are the kernels of schedulers */
    grt_time decision_time, issue_time, message_time; /* of where the schedulers are */
    uint32_t *labels[BATCH_LABELS];                   /* by task */
    uint32_t decides_label, polls_label, batches_counter;
    grt_time *average; /* by task: its average runtime */
    /* by task: when the last of its jobs finished, or the first arrived; GRT_TIME_NEVER: none has */
    grt_time *last_done;
    int64_t *keys; /* by task: of its current job; the smallest is the most urgent */
};

/* ---- place.c ---- */

static inline bool batch_has(const struct batch_place *place, enum batch_operation operation) {
    return place->spans[operation].first < place->spans[operation].end;
}

/* Whether all commands of an operation have been issued, and have completed. */
static inline bool batch_is_complete(const struct batch_place *place, enum batch_operation operation) {
    return place->next[operation] == place->spans[operation].end &&
           place->last[operation] == GRT_NO_SUBMISSION;
}

/* Whether the end of its kernels is yet to be found. */
static inline bool batch_is_uncollected(const struct batch_place *place) {
    return batch_has(place, BATCH_KERNEL) && !place->gone && !place->done && !place->collected;
}

/* Makes what belongs to a place; in `start`. */
void batch_place_create(struct grt_world *world, const struct batch_scheduler *scheduler, uint32_t number);

/* A job takes a place. */
void batch_place_take(struct batch_place *place, const struct grt_world *world, grt_job job);

/* A submission of its job has completed. */
void batch_place_submission_done(struct batch_place *place, grt_submission submission);

/* ---- program.c ---- */

/* So many steps are enough for a place. */
enum { BATCH_STEPS_OF_PLACE = 24 };

extern const struct batch_kind batch_traditional, batch_interleave, batch_concurrent, batch_order;

/* ---- device_program.c ---- */

extern const struct batch_kind batch_synchronize, batch_atomics;

/* Gives the scenario what is executed under a scheduler on the device: its kernel, longer copies, messages. */
bool batch_adapt_device(struct grt_scenario *scenario, const struct batch_parameters *given,
                        struct grt_arena *arena, struct grt_errors *errors);

/* How many tasks at the end of an adapted scenario are the kernels of schedulers. */
size_t batch_own_tasks(const struct grt_scenario *scenario, const struct batch_parameters *given);

/* ---- priority.c ---- */

/* The average runtimes; false after an error. */
bool batch_averages(struct batch *batch, struct grt_world *world, struct grt_errors *errors);

/* A job is its task's current one: its key. */
void batch_rank(struct batch *batch, const struct grt_world *world, grt_job job);

/* ---- atomic.c ---- */

/* Gives the scenario the versions of all kernels that count their threads. */
void batch_count_threads(struct grt_scenario *scenario, grt_time atomic_time, struct grt_arena *arena);

/* What that makes a task's kernels longer, all together, with the GPU to themselves. */
grt_time batch_atomic_cost(const struct grt_scenario *scenario, const struct grt_task *task,
                           grt_time atomic_time);

/* ---- thread.c ---- */

/* What does the scheduler's work: a thread on a core, or one of the kernel of the scheduler. */
void batch_thread_create(struct batch *batch, struct grt_world *world, struct batch_scheduler *scheduler);

/* It computes, or polls until it is told to end that; it must be idle. */
void batch_thread_work(struct batch *batch, struct grt_world *world, struct batch_scheduler *scheduler,
                       grt_time amount, uint32_t label, grt_job job);
void batch_thread_poll(struct batch *batch, struct grt_world *world, struct batch_scheduler *scheduler);
void batch_thread_end_poll(struct batch *batch, struct grt_world *world, struct batch_scheduler *scheduler);

/* It has computed. */
void batch_thread_done(struct batch *batch, struct grt_world *world, struct batch_scheduler *scheduler);

/* ---- scheduler.c ---- */

/* Makes the scheduler of a GPU; in `start`. */
void batch_scheduler_create(struct batch *batch, struct grt_world *world, uint32_t gpu);

/* A job asks for the GPU; a timer of the scheduler's is due, which it says. */
void batch_scheduler_request(struct batch *batch, struct grt_world *world, struct batch_scheduler *scheduler,
                             grt_job job);
bool batch_scheduler_timer(struct batch *batch, struct grt_world *world, struct batch_scheduler *scheduler,
                           uint32_t timer);

/* Does all that can be done now. */
void batch_scheduler_run(struct batch *batch, struct grt_world *world, struct batch_scheduler *scheduler);

#endif
