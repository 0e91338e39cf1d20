/* Tasks to cores by utilisation: the packing rules of partitioned scheduling (S. K. Dhall, C. L. Liu, On a real-time scheduling
 * problem, Operations Research 26, 1978; the rules by decreasing size: D. S. Johnson, Near-optimal bin packing algorithms, MIT,
 * 1973). */
#ifndef GRT_MODELS_ALLOCATION_H
#define GRT_MODELS_ALLOCATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "models/task.h"

enum grt_allocation_rule {
    GRT_ALLOCATION_GIVEN,     /* as the tasks say */
    GRT_ALLOCATION_FIRST_FIT, /* the core of the lowest number with room */
    GRT_ALLOCATION_BEST_FIT,  /* of those with room the fullest, then the lowest number */
    GRT_ALLOCATION_WORST_FIT, /* of those with room the emptiest, then the lowest number */
    GRT_ALLOCATION_RULES
};

/* What a task asks of its core: `time` in every `period`, both in ns; at most GRT_TIME_LIMIT. With time 0 every core has room for it. */
struct grt_core_demand {
    grt_time time, period; /* 0 <= time, 1 <= period */
};

/* Gives every task a core, 0 to `core_count` - 1, so that no core's utilisations have a sum above one: tasks
 * by decreasing utilisation, equal ones (up to 2^-40) by index, each to the core that the rule says, which is not GRT_ALLOCATION_GIVEN. Sums
 * are exact where the common multiple of a core's periods is up to 2^64 ns; else a core that is full up to 2^-28 has no more room. Returns
 * `count`, or the index of the first task for which no core has room; then `cores` is undefined. */
size_t grt_allocate_cores(enum grt_allocation_rule rule, const struct grt_core_demand *demands, size_t count,
                          int64_t core_count, int64_t *cores);

/* What a task asks of its core at most: its CPU segments and the host parts of its GPU segments; where it `spins` the whole GPU
 * segments, since it busy-waits: `gpu_time`, their sum with host parts (grt_segment_time), which is not used otherwise. Periods are least gaps, of
 * Poisson tasks mean ones. False where no such demand is known: arrivals without a gap, or GRT_TIME_NEVER in a sum. */
bool grt_task_core_demand(const struct grt_task *task, bool spins, grt_time gpu_time,
                          struct grt_core_demand *demand);

#endif
