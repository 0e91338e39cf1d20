/* Random sets and release patterns for locks, aimed at what delays a task longest; for gpurt's simulator (lock_world.h). */
#ifndef GRT_TESTS_SUPPORT_LOCK_RELEASE_H
#define GRT_TESTS_SUPPORT_LOCK_RELEASE_H

#include "sim/random.h"
#include "tests/support/lock_world.h"

/* Draws a set without rules, and cuts its normal work: few tasks with times of a few ns on two to four cores; fewer that load them more; or
 * as many and as loaded as in Table II of H. Kim and others, RTCSA 2017, at a tenth of a millisecond a ns. Priorities differ. */
void lock_release_draw_set(struct lock_world *it, struct grt_reference_lock *set, struct grt_random *random);

/* Appends `patterns` release patterns to the arrivals, each from an idle platform on if all jobs end within deadline and period, the first at
 * `from`. Returns the end of the last one: synchronous ones, any offsets, sparser arrivals, and a task that arrives together with
 * more urgent ones when less urgent ones have just asked for the GPU. */
int64_t lock_release_patterns(struct lock_world *it, int patterns, int64_t from, struct grt_random *random);

#endif
