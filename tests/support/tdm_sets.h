/* Task sets as the parameter assignment of GPU-TDMh sees them. */
#ifndef GRT_TESTS_SUPPORT_TDM_SETS_H
#define GRT_TESTS_SUPPORT_TDM_SETS_H

#include "policies/tdm/assignment.h"
#include "sim/random.h"

enum { GRT_TDM_MOST = 16, GRT_TDM_STEPS = 3 };

/* The tasks point into the set: it must not be copied. */
struct grt_tdm_set {
    struct tdm_task tasks[GRT_TDM_MOST];
    struct grt_step steps[GRT_TDM_MOST][GRT_TDM_STEPS];
    size_t count;
};

/* Adds a task with its deadline at its period, whose work may be cut at any nanosecond. */
struct tdm_task *grt_tdm_add(struct grt_tdm_set *set, int64_t period, int64_t work, int64_t overhead);

/* The task set of the paper's section 4.1: periods uniform in [100 ms, 100 s], utilisations by UUniFast (Bini and Buttazzo, 2005), overheads
 * uniform in [0, overhead]. */
void grt_tdm_random(struct grt_tdm_set *set, struct grt_random *random, size_t count, double utilisation,
                    int64_t overhead);

/* Up to four tasks with periods of 10 to 90 ns, with deadlines before and after the period, jitter, launches, blocks, and up to three steps. */
void grt_tdm_small(struct grt_tdm_set *set, struct grt_random *random);

/* What models/step.h says of pieces, unit by unit: takes what fits into a slot of `length`, and returns how long the slot is used, the
 * overhead included. */
int64_t grt_tdm_take(const struct tdm_task *task, struct grt_step_cursor *cursor, int64_t length);

/* The slots of a length that a job needs; 0: it never ends. */
int64_t grt_tdm_pieces(const struct tdm_task *task, int64_t length);

#endif
