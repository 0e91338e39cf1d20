/* Processes, and the contexts in which they have the SMs and the copy engines. */
#ifndef GRT_MODELS_GPU_CONTEXT_H
#define GRT_MODELS_GPU_CONTEXT_H

#include "models/device/placement.h"
#include "models/gpu/children.h"
#include "models/gpu/clock.h"
#include "models/gpu/queue.h"
#include "sim/event.h"

struct cohort;
struct grt_gpu;

enum { MOST_ENGINES = 2 };

/* A process on the GPU: what it keeps for itself even where it shares a context with others (MPS). */
struct process {
    struct context *context;
    uint32_t null_stream;          /* or NONE */
    uint64_t barrier;              /* the launch of the first pending barrier; UINT64_MAX: none */
    struct command_list callbacks; /* ready to run; the first runs */
    struct queue_pool *pool;
    uint32_t most_tpcs; /* on which it may have blocks at a time: see limit.c; 0: no limit */
    uint32_t tpcs_used;
    uint32_t pending_launches; /* of kernels by blocks that have not begun */
    uint32_t *blocks_on;       /* each TPC; where most_tpcs is not 0 */
    uint64_t *places;          /* of the TPCs that it uses, a bit each */
};

/* What the SMs and the copy engines execute at a time: the queues and resident blocks of one process, or of all clients
 * of an MPS server together. Its clock stands still while its blocks are switched out: it is behind the run by `lag`.
 * Ends and busy times are by this clock. */
struct context {
    struct grt_process_spec spec; /* of its turns among the others */
    uint32_t label;               /* in the trace */
    struct grt_placement *placement;
    grt_time lag;
    grt_time paused_at;                       /* GRT_TIME_NEVER while the clock runs */
    struct command_list copies[MOST_ENGINES]; /* queues of the copy engines */
    uint32_t suspended[MOST_ENGINES];         /* the copy that was stopped on the engine, or NONE */

    struct command_list *levels; /* execution-engine queues, by priority level */
    uint32_t resident_kernels;
    bool undispatched; /* something changed that may let a block be placed */

    /* of cohorts, by (time, order of the starts); contended: the next of each clock */
    struct grt_event_queue ends;
    uint32_t vacated; /* in `ends`: the last cohort that ended, if no other has its slot yet; else NONE */
    struct cohort *cohorts;
    uint32_t cohort_capacity, cohort_count, free_cohort;
    uint32_t thrown; /* cohorts that begin again with the next turn: see preempt.c; or NONE */
    uint64_t starts;
    struct clock *clocks;
    uint32_t clock_capacity, clock_count, free_clock;
    /* the running ones, by SM where speeds differ between SMs, else in one list; and in a further list those of blocks that exit */
    uint32_t *clock_lists;

    /* where blocks launch kernels: when those of a cohort do next; by cohort */
    struct grt_event_queue moments;
    struct launching *launching; /* by cohort */
    uint32_t launching_capacity;
    struct command_list *returning; /* cohorts of blocks that have waited, by priority level */
    uint32_t returning_count;

    uint32_t running_blocks;
    grt_time busy, busy_since; /* at least one block resident */
};

#endif
