/* Priorities of a task set: ranks by rate or by deadline, and Audsley's algorithm over a test of the caller's. Larger is more
 * urgent; ranks are distinct, from 1 for the least urgent task up to the number of tasks. */
#ifndef GRT_MODELS_PRIORITY_H
#define GRT_MODELS_PRIORITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "models/task.h"
#include "sim/time.h"

/* How a set's priorities are given. */
enum grt_priority_rule {
    GRT_PRIORITIES_EXPLICIT,       /* as the tasks say */
    GRT_PRIORITIES_RATE_MONOTONIC, /* C. L. Liu, J. W. Layland, Scheduling Algorithms for Multiprogramming in a
                                         Hard-Real-Time Environment, JACM 20, 1973 */
    GRT_PRIORITIES_DEADLINE_MONOTONIC, /* J. Y.-T. Leung, J. Whitehead, On the complexity of fixed-priority scheduling of
                                          periodic, real-time tasks, Performance Evaluation 2, 1982 */
    GRT_PRIORITIES_AUDSLEY,            /* found by a test */
    GRT_PRIORITY_RULES
};

/* Ranks by a key: the smaller is more urgent, then the lower index. Fills `count` priorities. */
void grt_priorities_by_key(const grt_time *keys, size_t count, int64_t *priorities);

/* The key of a task under rate-monotonic priorities: its period, or least or mean gap; with GRT_ARRIVAL_TIMES and
 * GRT_ARRIVAL_AFTER its deadline. Under deadline-monotonic ones: its deadline. */
grt_time grt_rate_key(const struct grt_task *task);
grt_time grt_deadline_key(const struct grt_task *task);

/* Gives tasks such ranks. */
void grt_priorities_set(struct grt_task *tasks, size_t count,
                        grt_time (*key_of)(const struct grt_task *task));

/* Whether `task` meets its deadlines with these `priorities`, of all tasks. */
typedef bool grt_priority_test(void *state, size_t task, const int64_t *priorities);

/* Which level had no task left that passes. */
struct grt_priority_search {
    size_t level;   /* from 1, the lowest; 0: all levels have a task */
    uint64_t tests; /* how many times the test was called: at most count (count + 1) / 2 */
};

/* N. C. Audsley, On priority assignment in fixed priority scheduling, Information Processing Letters 79, 2001 (first: Optimal
 * priority assignment and feasibility of static priority tasks with arbitrary start times, University of York, 1991): from
 * the lowest level up, each gets a task that passes there with all that have no level yet above it; of several that do, the one
 * with the largest index. Finds priorities under which all pass wherever there are any, provided that the test is compatible (R. I.
 * Davis, A. Burns, A survey of hard real-time scheduling for multiprocessor systems, ACM Computing Surveys 43(4), 2011, section 5;
 * the conditions are those of their Improved priority assignment for global fixed priority pre-emptive scheduling in multiprocessor
 * real-time systems, Real-Time Systems 47, 2011): whether a task passes depends
 *   1. on which tasks are above it, but not on the order of these,
 *   2. on which tasks are below it, but not on the order of these,
 *   3. and if two tasks of neighbouring levels change places, the one that comes up still passes if it did before.
 * Returns whether every level got its task; else the priorities are not changed. *search may be NULL. */
bool grt_priorities_audsley(size_t count, grt_priority_test *passes, void *state, int64_t *priorities,
                            struct grt_priority_search *search);

#endif
