/* What to measure, how long, and how exactly. */
#ifndef GRT_CALIB_MEASURE_PLAN_H
#define GRT_CALIB_MEASURE_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/error.h"

enum grt_experiment {
    GRT_EXPERIMENT_CLOCK,
    GRT_EXPERIMENT_LAUNCH,
    GRT_EXPERIMENT_RESIDENCY,
    GRT_EXPERIMENT_DISPATCH,
    GRT_EXPERIMENT_CORESIDENCY,
    GRT_EXPERIMENT_WAVES,
    GRT_EXPERIMENT_SPLIT,
    GRT_EXPERIMENT_COPY,
    GRT_EXPERIMENT_ENGINES,
    GRT_EXPERIMENT_PRIORITY,
    GRT_EXPERIMENT_PARTITION,
    GRT_EXPERIMENT_TOGETHER,
    GRT_EXPERIMENT_WORST,
    GRT_EXPERIMENTS
};

/* In files, by the enum; and what each is about, for people. */
extern const char *const grt_experiment_names[GRT_EXPERIMENTS];
extern const char *const grt_experiment_help[GRT_EXPERIMENTS];

enum {
    GRT_PLAN_WORKLOADS = 16,
    GRT_PLAN_RECORDS_PER_BLOCK =
        4, /* that a bench needs of a workload's largest grid: two kernels beside each other take three */
    GRT_PLAN_USER_BLOCKS = 1 << 20 /* of a grid of the user's, at most */
};

/* How far measuring is. */
struct grt_measure_progress {
    const char *experiment; /* "warm-up" before the first one */
    size_t cells, done;     /* of the experiment: all, and those that need no more samples */
    double seconds;         /* since the start */
};

#define GRT_PLAN_LEAST_BUDGET_S 1e-3
#define GRT_PLAN_MOST_BUDGET_S 1e6

struct grt_plan {
    uint64_t seed;        /* of every random order; up to 2^53 - 1 */
    double budget_s;      /* what all of it may take, of the host's time as the bench knows it */
    uint32_t experiments; /* bits 1 << enum grt_experiment; 0: all */
    const char *workloads[GRT_PLAN_WORKLOADS]; /* names of grt_plan_workload; none: all of them */
    size_t workload_count;
    uint32_t least_samples; /* of a cell, before its median may be called known */
    uint32_t most_samples;  /* of a cell */
    double precision;       /* the median is known where its 95 % interval is less than this part of it */
    uint32_t worst_samples; /* of a cell of `worst` */
    /* of the clocks, when measuring begins and when it ends; of each 125 the quickest one is kept */
    uint32_t exchanges;
    double warm_up_s; /* the device is kept busy for so long at least before anything is measured */
    /* kernels whose times are chosen here take so many times as long as on a GPU: 1; more on devices that cannot tell such short times */
    uint32_t slowness;
    /* the measuring thread stays on its processor, and its memory is not swapped, where the system allows it; not where time is simulated */
    bool pin;
    uint64_t user_amount; /* of the kernel of the user's file, which is measured where the bench */
    uint32_t user_blocks, user_threads; /* has one and user_blocks is not 0; threads 0: the kernel's own */

    /* Asked between samples; true ends measuring, with a good file. May be NULL. */
    bool (*interrupted)(void *state);
    /* Told now and then. May be NULL. */
    void (*progress)(void *state, const struct grt_measure_progress *progress);
    void *state;
};

/* Everything in 5 minutes, and as exactly as fits in there; `quick`: in half a minute, a tenth of the samples. */
struct grt_plan grt_plan_default(bool quick);

/* Changes a plan for devices of threads (grt_engine_threads): kernels of milliseconds, since waking takes tens of microseconds; two workloads, where none were
 * asked for, since threads sleep whatever the kernel; fewer exchanges of the clocks; and no pinning, since the device's threads would stay with the measuring one. */
void grt_plan_for_threads(struct grt_plan *plan);

/* The name of a workload that can be named, by number; NULL: no more. */
const char *grt_plan_workload(size_t number);

/* False after adding an error for each number out of range and each unknown workload. */
bool grt_plan_check(const struct grt_plan *plan, struct grt_errors *errors);

#endif
