/* Task sets by chance: what they shall be like, and set number k of a seed. Times in nanoseconds.
 *
 *   struct grt_generator_spec spec = grt_generator_spec_default();
 *   spec.task_count = 10;
 *   spec.utilisation = 0.7;
 *   struct grt_generator *generator = grt_generator_create(&spec, &errors);
 *   struct grt_generated_task tasks[10];
 *   for (uint64_t number = 1; number <= 5000; number++) {
 *       if (grt_generator_make(generator, number, tasks)) { ... }
 *   }
 *   grt_generator_free(generator);
 *
 * A set depends on the seed, its number and the specification alone, and not on the sets made before. Each property is drawn
 * from a stream of its own: the utilisations are the same with other periods, the periods with other utilisations, and so
 * on. The same on every machine: times are integers, and what is drawn in floating point uses operations that IEEE 754
 * rounds in one way. */
#ifndef GRT_SCENARIOS_GENERATE_GENERATE_H
#define GRT_SCENARIOS_GENERATE_GENERATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scenarios/generate/periods.h"
#include "sim/error.h"
#include "sim/time.h"

enum grt_utilisation_method {
    GRT_UTILISATION_UUNIFAST,
    GRT_UTILISATION_UUNIFAST_DISCARD,
    GRT_UTILISATION_RANDFIXEDSUM,
    GRT_UTILISATION_UUNISORT,
    GRT_UTILISATION_METHODS
};

/* The words for them, NULL-terminated, in the enum's order. */
extern const char *const grt_utilisation_method_names[];

enum grt_deadline_method {
    GRT_DEADLINES_IMPLICIT, /* the period */
    GRT_DEADLINES_FACTOR,   /* a factor times the period */
    GRT_DEADLINES_SLACK,    /* the execution time, and a factor times what the period has beyond it */
};

/* Uniform in [low, high], drawn for each task. */
struct grt_generated_range {
    double low, high;
};

/* Whole numbers from `low` to `high`, uniformly. */
struct grt_generated_count {
    int64_t low, high;
};

/* What the sets are like. Start from grt_generator_spec_default. */
struct grt_generator_spec {
    uint64_t seed;
    size_t task_count;  /* 1 to GRT_MAX_TASKS (models/task.h) */
    double utilisation; /* of all tasks together: above 0, at most one for each task */
    int64_t method;     /* enum grt_utilisation_method */
    double least, most; /* utilisation of one task; uunifast-discard and randfixedsum only, else 0 and 1 */
    struct grt_period_spec periods;
    /* periods are drawn again until their least common multiple is below this; 0: it may be any */
    grt_time hyperperiod_below;
    int64_t deadlines; /* enum grt_deadline_method */
    struct grt_generated_range deadline_factor;
    struct grt_generated_range jitter; /* shares of the period, 0 to 1 */
    grt_time overhead;                 /* split overheads are uniform in [0, overhead] */
    /* uniform among the multiples of the periods' granularity below the period; else 0 */
    bool random_offsets;
    /* the work of a task is so many blocks, uniformly; 0, 0: it is given by time */
    struct grt_generated_count blocks;
    int64_t blocks_at_a_time; /* of which the device runs so many at once: they take whole waves */
};

/* Seed 1, 10 tasks of utilisation 0.5 together by uunifast-discard, periods
 * log-uniform from 10 ms to 1 s in steps of 1 ms, implicit deadlines, no jitter, overhead or offsets, work by time. */
struct grt_generator_spec grt_generator_spec_default(void);

/* A task, as analyses know it. */
struct grt_generated_task {
    double utilisation; /* as drawn; execution / period is the one after rounding */
    grt_time period;
    /* alone on the device, without overhead: utilisation * period to the nearest ns, at least 1; for blocks the nearest number of whole waves of
     * whole nanoseconds, at least 1 ns a block */
    grt_time execution;
    grt_time deadline;   /* relative, at least 1 */
    grt_time jitter;     /* to the nearest ns */
    grt_time overhead;   /* of each piece into which it is cut */
    grt_time offset;     /* of the first release */
    int64_t blocks;      /* 0 where the work is given by time */
    grt_time block_time; /* of each block */
};

/* The maker of sets; opaque, read-only once made: threads may share it. */
struct grt_generator;

/* Checks a specification; adds an error, whose path is the option of `gpurt generate`, for each thing that is wrong with it. The generator
 * keeps no pointer to the specification. Returns NULL after errors. */
struct grt_generator *grt_generator_create(const struct grt_generator_spec *spec, struct grt_errors *errors);
void grt_generator_free(struct grt_generator *generator); /* NULL is allowed */

/* After so many vectors in vain uunifast-discard gives up. */
#define GRT_GENERATOR_TRIES 1000000ul

/* After so many vectors of periods in vain a set with a bounded hyperperiod is given up. */
#define GRT_GENERATOR_PERIOD_TRIES 100000ul

/* Set number `number`: fills `task_count` tasks, without allocating. False where GRT_GENERATOR_TRIES vectors of
 * uunifast-discard had values out of bounds, or GRT_GENERATOR_PERIOD_TRIES had too long a hyperperiod; the tasks are undefined then. */
bool grt_generator_make(const struct grt_generator *generator, uint64_t number,
                        struct grt_generated_task *tasks);

/* The sum of execution / period. */
double grt_generated_utilisation(const struct grt_generated_task *tasks, size_t count);

#endif
