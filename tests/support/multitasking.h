/* The scenarios of scenarios/papers/multitasking under the six schedulers of P. Muyan-Ozcelik, J. D. Owens, "Multitasking Real-time Embedded GPU
 * Computing Tasks", PMAM 2016. */
#ifndef GRT_TESTS_SUPPORT_MULTITASKING_H
#define GRT_TESTS_SUPPORT_MULTITASKING_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/time.h"

/* The schedulers, in the order of the paper's table 2. */
enum grt_scheduler {
    GRT_TRADITIONAL,
    GRT_INTERLEAVE,
    GRT_CONCURRENT,
    GRT_ORDER,
    GRT_SYNCHRONIZE,
    GRT_ATOMICS,
    GRT_SCHEDULERS
};

/* Their names as policies. */
extern const char *const grt_scheduler_names[GRT_SCHEDULERS];

/* What comes out under a scheduler, over all tasks of the file. */
struct grt_multitasking {
    bool runs;     /* the scheduler takes the scenario */
    bool finishes; /* every job does */
    /* equation (2), ideally every job ends as soon as it would alone; not a number: undefined */
    double performance;
    uint64_t late;   /* slacks above zero */
    uint64_t missed; /* deadlines */
    grt_time lateness_mean, lateness_max,
        deviation; /* the latter of the task's gaps whose gaps deviate most */
};

/* How the scenarios are changed. */
struct grt_variation {
    int percent;             /* the distances between all arrivals are multiplied by percent / 100 */
    bool in_phase;           /* all tasks' data arrive together */
    const char *const *sets; /* other changes, as --set takes them; ends with NULL; may be NULL */
};

/* Runs a file of the folder, "case-1", under all schedulers. */
void grt_multitasking_run(const char *name, const struct grt_variation *variation,
                          struct grt_multitasking out[GRT_SCHEDULERS]);

#endif
