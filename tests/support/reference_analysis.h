/* References for analyses: the equations as they are printed, tried at every instant, or for every request, one tick after the other. For
 * sets of small numbers. Plain tasks only: no jitter, no CPU segments. */
#ifndef GRT_TESTS_SUPPORT_REFERENCE_ANALYSIS_H
#define GRT_TESTS_SUPPORT_REFERENCE_ANALYSIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A task; of fixed priorities, the first in the array is the most urgent. */
struct grt_reference_demand {
    int64_t cost, period, deadline;
};

/* Whether the load is above one, by fractions. The product of the periods must fit into 127 bits. */
bool grt_reference_overload(const struct grt_reference_demand *tasks, size_t count);

/* George, Rivierre, Spuri: U <= 1, and for every t from 1 to the longest of the busy period and the deadlines, demand + blocking <= t.
 * A request blocks for `tick` less than its cost. Without blocking it is the demand test of preemptive EDF. */
bool grt_reference_np_edf(const struct grt_reference_demand *tasks, size_t count, int64_t tick);
bool grt_reference_edf(const struct grt_reference_demand *tasks, size_t count);

/* Jeffay, Stanat, Martel, for deadlines equal to periods, in this order or not: U <= 1 and for every i and every span between the
 * least period and T_i, C_i + demand of the tasks with shorter periods in all but one tick <= the span. */
bool grt_reference_jeffay(const struct grt_reference_demand *tasks, size_t count);

/* The longest response time of task `task` under non-preemptive EDF, with a job of it released at every tick of the busy period; the
 * load is at most one. */
int64_t grt_reference_np_edf_response(const struct grt_reference_demand *tasks, size_t count, size_t task);

/* The longest response time of task `task`, preemptive or not, by all requests of its busy period, or by the first one only.
 * INT64_MAX where the load up to the task is above one. `busy`, if not NULL: the busy period's length. */
int64_t grt_reference_response(const struct grt_reference_demand *tasks, size_t count, size_t task,
                               bool preemptive, bool first_only, int64_t *busy);

#endif
