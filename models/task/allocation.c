#include "models/allocation.h"

#include <stdlib.h>

#include "models/task/rule_names.h"
#include "sim/check.h"
#include "sim/divisor.h"
#include "sim/memory.h"
#include "sim/wide.h"

const char *const grt_allocation_rule_names[] = {"given", "first-fit", "best-fit", "worst-fit", NULL};

/* Utilisations are compared and added up in units of 2^-40, rounded down: the same on every machine. */
#define ONE (INT64_C(1) << 40)

/* Largest common multiple with which sums are calculated exactly. */
#define LARGEST_MULTIPLE ((grt_wide)1 << 64)

/* At most 2^62; at least 1 where there is any. */
static int64_t utilisation_of(const struct grt_core_demand *demand) {
    grt_wide share = (grt_wide)(uint64_t)demand->time * (uint64_t)ONE / (uint64_t)demand->period;
    int64_t bounded = share < (grt_wide)1 << 62 ? (int64_t)share : INT64_C(1) << 62;
    return bounded > 0 || demand->time == 0 ? bounded : 1;
}

/* ---- whether a core has room ---- */

/* Tasks on their cores so far; -1: on none. */
struct packing {
    const struct grt_core_demand *demands;
    size_t count;
    int64_t *cores;
    int64_t loads[GRT_MAX_CORES]; /* sums of utilisations */
};

/* Whether a task would be on the core. */
static bool is_on(const struct packing *packing, size_t i, int64_t core, size_t task) {
    return i == task || (packing->cores[i] == core && packing->demands[i].time > 0);
}

/* The least common multiple of the periods on the core; 0: too large. */
static grt_wide common_period(const struct packing *packing, int64_t core, size_t task) {
    grt_wide common = 1;
    for (size_t i = 0; i < packing->count; i++) {
        if (is_on(packing, i, core, task)) {
            uint64_t period = (uint64_t)packing->demands[i].period;
            common *= period / grt_common_divisor(period, (uint64_t)(common % period));
            if (common > LARGEST_MULTIPLE) {
                return 0;
            }
        }
    }
    return common;
}

/* Exactly, for a core that is full but for what rounding has left out; false where that is not known. */
static bool has_room_exactly(const struct packing *packing, int64_t core, size_t task) {
    grt_wide common = common_period(packing, core, task), sum = 0;
    for (size_t i = 0; i < packing->count && common > 0; i++) {
        if (is_on(packing, i, core, task)) { /* below two together */
            const struct grt_core_demand *demand = &packing->demands[i];
            sum += common / (uint64_t)demand->period * (uint64_t)demand->time;
        }
    }
    return common > 0 && sum <= common;
}

static bool has_room(const struct packing *packing, int64_t core, size_t task, int64_t utilisation) {
    if (utilisation == 0 || utilisation > ONE - packing->loads[core]) {
        return utilisation == 0;
    }
    int64_t margin = (int64_t)packing->count; /* each of the core's tasks was rounded by less than 1 */
    return utilisation + margin <= ONE - packing->loads[core] || has_room_exactly(packing, core, task);
}

/* ---- rules ---- */

struct item {
    int64_t utilisation;
    size_t index;
};

static int compare(const void *left, const void *right) {
    const struct item *a = left, *b = right;
    if (a->utilisation != b->utilisation) {
        return a->utilisation > b->utilisation ? -1 : 1;
    }
    return a->index < b->index ? -1 : a->index > b->index;
}

/* The core that a rule takes, or -1. */
static int64_t choose(enum grt_allocation_rule rule, const struct packing *packing, int64_t core_count,
                      const struct item *item) {
    const int64_t *loads = packing->loads;
    int64_t chosen = -1;
    for (int64_t i = 0; i < core_count; i++) {
        bool better = chosen < 0 || (rule == GRT_ALLOCATION_BEST_FIT && loads[i] > loads[chosen]) ||
                      (rule == GRT_ALLOCATION_WORST_FIT && loads[i] < loads[chosen]);
        if (better && has_room(packing, i, item->index, item->utilisation)) {
            chosen = i;
        }
    }
    return chosen;
}

/* Puts them on cores; returns the first that none has room for, or their number. */
static size_t pack(struct packing *packing, enum grt_allocation_rule rule, int64_t core_count,
                   const struct item *items) {
    for (size_t i = 0; i < packing->count; i++) {
        int64_t core = choose(rule, packing, core_count, &items[i]);
        if (core < 0) {
            return items[i].index;
        }
        packing->loads[core] += items[i].utilisation;
        packing->cores[items[i].index] = core;
    }
    return packing->count;
}

size_t grt_allocate_cores(enum grt_allocation_rule rule, const struct grt_core_demand *demands, size_t count,
                          int64_t core_count, int64_t *cores) {
    GRT_REQUIRE(rule != GRT_ALLOCATION_GIVEN && core_count > 0 && core_count <= GRT_MAX_CORES,
                "allocate by a rule that chooses, to 1 to 256 cores");
    struct packing packing = {.demands = demands, .count = count, .cores = cores};
    struct item *items = grt_allocate(count * sizeof *items);
    for (size_t i = 0; i < count; i++) {
        items[i] = (struct item){utilisation_of(&demands[i]), i};
        cores[i] = -1;
    }
    qsort(items, count, sizeof *items, compare);
    size_t refused = pack(&packing, rule, core_count, items);
    free(items);
    return refused;
}

/* ---- what tasks ask for ---- */

static grt_time sum_of(grt_time a, grt_time b) {
    return b < GRT_TIME_NEVER - a ? a + b : GRT_TIME_NEVER;
}

bool grt_task_core_demand(const struct grt_task *task, bool spins, grt_time gpu_time,
                          struct grt_core_demand *demand) {
    grt_time time = 0;
    for (size_t i = 0; i < task->segment_count; i++) {
        const struct grt_segment *segment = &task->segments[i];
        time = segment->kind == GRT_SEGMENT_CPU ? sum_of(time, grt_distribution_worst(&segment->cpu_time))
                                                : time;
    }
    time = spins ? sum_of(time, gpu_time) : time;
    *demand = (struct grt_core_demand){time, task->period > 0 ? task->period : 1};
    return time == 0 || (task->period > 0 && time <= GRT_TIME_LIMIT);
}
