/* Vocabulary shared by the reference schedulers, the test oracles of this directory.
 *
 * They step through time tick by tick, look at every job in every tick and share no code with the simulator,
 * so that their correctness can be seen by reading. Slow on purpose: use them for small integers (hundreds of
 * jobs, thousands of ticks). */
#ifndef GRT_TESTS_SUPPORT_REFERENCE_H
#define GRT_TESTS_SUPPORT_REFERENCE_H

#include <stddef.h>
#include <stdint.h>

/* A point in time or a duration; what one tick lasts is the caller's choice. Time starts at 0. */
typedef int64_t grt_reference_tick;

/* Stands for "not within the horizon". */
#define GRT_REFERENCE_NEVER ((grt_reference_tick)-1)

/* Who goes first among jobs that the policy's key does not tell apart. Whatever is still equal is decided by
 * the lower task index; this is final because at most one job of a task is ready at a time. */
enum grt_reference_tie {
    GRT_REFERENCE_TIE_TASK,    /* the lower task index */
    GRT_REFERENCE_TIE_ARRIVAL, /* the earlier release */
    GRT_REFERENCE_TIE_SHUFFLE, /* the smaller key returned by a grt_reference_tie_key */
};

/* Returns the shuffle key of job `job` (0, 1, ...) of task `task`; must return the same value each time it is
 * asked. `context` is the caller's. */
typedef uint64_t grt_reference_tie_key(void *context, size_t task, size_t job);

#endif
