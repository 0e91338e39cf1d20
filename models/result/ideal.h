/* What the slack of jobs would ideally be: the origin from which runs under several policies are compared.
 *
 * Source: P. Muyan-Ozcelik, J. D. Owens, Multitasking Real-time Embedded GPU Computing Tasks, PMAM 2016, section 4.4, equation (2): a system
 * that "has the ability to respond to all data as soon as they are ready to execute". What that means for their end is not said there,
 * and is a choice here. */
#ifndef GRT_MODELS_RESULT_IDEAL_H
#define GRT_MODELS_RESULT_IDEAL_H

#include "models/result.h"
#include "models/task.h"

enum grt_ideal {
    GRT_IDEAL_ALONE, /* every job ends as soon as it would if it, and what it waits for, had the platform to itself: after its mean time */
    GRT_IDEAL_ARRIVAL, /* every job ends when it is ready */
    GRT_IDEAL_ZERO,    /* no slack at all: every job ends at its deadline, every gap is the separation */
};

/* The words for them, NULL-terminated. */
extern const char *const grt_ideal_names[];

/* The mean time of a task's jobs that have the platform to themselves, in ns: of its segments, one after the other; times that are drawn are
 * averaged over `runs` profiling runs (models/demand/profile.h), 1 or more. GRT_TIME_NEVER: it is not known. */
grt_time grt_ideal_time(const struct grt_scenario *scenario, uint32_t task, uint32_t runs);

/* What every task needs in an ideal system: `times` has an item per task, to be freed with free; NULL for GRT_IDEAL_ZERO. */
struct grt_ideal_times {
    enum grt_ideal ideal;
    grt_time *times;
};
struct grt_ideal_times grt_ideal_times(const struct grt_scenario *scenario, enum grt_ideal ideal,
                                       uint32_t runs);

/* The sum of the slacks that the jobs with a slack of a run, and no others, would have in an ideal system; `result` may have more tasks than
 * the scenario, behind those. False where the time of the task, or of one that it comes after, is not known.
 *
 * After predecessors a job is ready when all their ideal jobs have ended, each as late after its arrival as the tasks' times say; where they
 * arrive at different instants that is later than need be. A release later than the arrival counts with its mean there. */
bool grt_ideal_slack(const struct grt_scenario *scenario, const struct grt_ideal_times *ideal,
                     const struct grt_result *result, uint32_t task, grt_signed_wide *sum);

/* A policy's performance: equation (2). */
struct grt_performance {
    double ratio;       /* meaningless where there is a reason */
    const char *reason; /* why it is undefined, as a clause; NULL: it is not */
};

/* Of accumulated slacks beyond the ideal: that of the policy to which others are compared, and its own. */
struct grt_performance grt_performance_of(grt_signed_wide base, grt_signed_wide own);

#endif
