/* labels: soak */
/* Tasks to cores: each rule against a plain one written again, all of them against every way to put small sets on cores. */
#include <string.h>

#include "models/allocation.h"
#include "sim/random.h"
#include "tests/support/suite.h"

enum { MOST = 7, CORES = 3 };

/* 0.5, 0.4, 0.35, 0.3, 0.25, 0.2 in another order, on three cores. */
static void each_rule_has_its_way(void) {
    static const struct grt_core_demand demands[] = {{40, 100}, {50, 100}, {30, 100},
                                                     {7, 20},   {20, 100}, {1, 4}};
    static const struct {
        enum grt_allocation_rule rule;
        int64_t cores[6];
    } cases[] = {
        {GRT_ALLOCATION_FIRST_FIT, {0, 0, 1, 1, 2, 1}},
        {GRT_ALLOCATION_BEST_FIT, {0, 0, 1, 1, 2, 1}},
        {GRT_ALLOCATION_WORST_FIT, {1, 0, 2, 2, 0, 1}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int64_t cores[6];
        CU_ASSERT_EQUAL(grt_allocate_cores(cases[i].rule, demands, 6, 3, cores), 6);
        CU_ASSERT_EQUAL(memcmp(cores, cases[i].cores, sizeof cores), 0);
    }
}

/* First fit takes the lowest core with room, best fit the fullest one. */
static void first_and_best_fit_differ(void) {
    static const struct grt_core_demand demands[] = {{60, 100}, {52, 100}, {41, 100}, {7, 100}};
    static const int64_t expected_first[] = {0, 1, 1, 0}, expected_best[] = {0, 1, 1, 1};
    int64_t first[4], best[4];
    CU_ASSERT_EQUAL(grt_allocate_cores(GRT_ALLOCATION_FIRST_FIT, demands, 4, 3, first), 4);
    CU_ASSERT_EQUAL(grt_allocate_cores(GRT_ALLOCATION_BEST_FIT, demands, 4, 3, best), 4);
    CU_ASSERT_EQUAL(memcmp(first, expected_first, sizeof first), 0);
    CU_ASSERT_EQUAL(memcmp(best, expected_best, sizeof best), 0);
}

/* ---- against plain code and against all allocations ---- */

struct set {
    size_t count;
    int64_t share[MOST]; /* in units of 1 / 128, of which utilisations in units of 2^-40 are multiples */
};

static bool any_allocation(const struct set *set, size_t task, int64_t *loads, int64_t capacity) {
    if (task >= MOST || task == set->count) {
        return true;
    }
    for (int core = 0; core < CORES; core++) {
        if (loads[core] + set->share[task] <= capacity) {
            loads[core] += set->share[task];
            if (any_allocation(set, task + 1, loads, capacity)) {
                return true;
            }
            loads[core] -= set->share[task];
        }
    }
    return false;
}

/* The rules in other words: pick the largest that has no core yet, rank the cores that have room. */
static size_t plainly(enum grt_allocation_rule rule, const struct set *set, int64_t capacity,
                      int64_t *cores) {
    int64_t loads[CORES] = {0};
    bool done[MOST] = {false};
    for (size_t round = 0; round < set->count; round++) {
        size_t task = MOST;
        for (size_t i = 0; i < set->count; i++) {
            task = !done[i] && (task == MOST || set->share[i] > set->share[task]) ? i : task;
        }
        int64_t core = -1, mark = 0;
        for (int64_t i = 0; i < CORES; i++) {
            int64_t own = rule == GRT_ALLOCATION_FIRST_FIT  ? -i
                          : rule == GRT_ALLOCATION_BEST_FIT ? loads[i]
                                                            : capacity - loads[i];
            if (loads[i] + set->share[task] <= capacity && (core < 0 || own > mark)) {
                core = i;
                mark = own;
            }
        }
        if (core < 0) {
            return task;
        }
        done[task] = true;
        cores[task] = core;
        loads[core] += set->share[task];
    }
    return set->count;
}

static void draw(struct set *set, struct grt_random *random) {
    set->count = 1 + grt_random_below(random, MOST);
    for (size_t i = 0; i < set->count; i++) {
        set->share[i] = 1 + (int64_t)grt_random_below(random, 90);
    }
}

static void rules_are_as_said(void) {
    struct grt_random random = grt_random_of_key(3);
    int cases = grt_suite_cases(5000, 200000), missed = 0, none = 0, differ = 0;
    for (int i = 0; i < cases; i++) {
        struct set set;
        struct grt_core_demand demands[MOST];
        int64_t loads[CORES] = {0}, found[GRT_ALLOCATION_RULES][MOST], expected[MOST];
        size_t placed[GRT_ALLOCATION_RULES] = {0};
        draw(&set, &random);
        for (size_t j = 0; j < set.count; j++) {
            demands[j] = (struct grt_core_demand){set.share[j] * 1000, 128000};
        }
        bool possible = any_allocation(&set, 0, loads, 128);
        for (int64_t rule = GRT_ALLOCATION_FIRST_FIT; rule < GRT_ALLOCATION_RULES; rule++) {
            enum grt_allocation_rule own = (enum grt_allocation_rule)rule;
            placed[rule] = grt_allocate_cores(own, demands, set.count, CORES, found[rule]);
            CU_ASSERT_EQUAL(placed[rule], plainly(own, &set, 128, expected));
            if (placed[rule] == set.count) {
                CU_ASSERT(possible);
                CU_ASSERT_EQUAL(memcmp(found[rule], expected, set.count * sizeof expected[0]), 0);
            }
            missed += possible && placed[rule] < set.count;
        }
        none += !possible;
        differ += placed[1] == set.count && placed[2] == set.count &&
                  memcmp(found[1], found[2], set.count * sizeof found[1][0]) != 0;
    }
    CU_ASSERT(missed > 0 && none > 0 && differ > 0);
}

/* A core can be full to the last bit, and not beyond; there is always room for nothing. */
static void a_core_has_exactly_one(void) {
    static const struct grt_core_demand thirds[] = {
        {1, 3}, {100, 300}, {333333333, 1000000000}, {1, 3000000000}};
    static const struct grt_core_demand demands[] = {{1, 3}, {0, 5}, {2, 3}, {1, 2}, {1, 2}};
    int64_t cores[5];
    CU_ASSERT_EQUAL(grt_allocate_cores(GRT_ALLOCATION_FIRST_FIT, thirds, 4, 1, cores), 4); /* exactly one */
    struct grt_core_demand more[4];
    memcpy(more, thirds, sizeof more);
    more[3].time = 2;
    CU_ASSERT_EQUAL(grt_allocate_cores(GRT_ALLOCATION_FIRST_FIT, more, 4, 1, cores), 3);
    CU_ASSERT_EQUAL(grt_allocate_cores(GRT_ALLOCATION_WORST_FIT, demands, 5, 2, cores), 5);
    CU_ASSERT_EQUAL(cores[1], 0); /* full as it is */
    CU_ASSERT_EQUAL(grt_allocate_cores(GRT_ALLOCATION_BEST_FIT, demands, 5, 1, cores), 3);
    struct grt_core_demand large[2] = {{GRT_TIME_LIMIT, 1}, {GRT_TIME_LIMIT, GRT_TIME_LIMIT}};
    CU_ASSERT_EQUAL(grt_allocate_cores(GRT_ALLOCATION_BEST_FIT, large, 2, 2, cores), 0);
    CU_ASSERT_EQUAL(grt_allocate_cores(GRT_ALLOCATION_BEST_FIT, &large[1], 1, 2, cores), 1);
}

/* ---- what a task asks of its core ---- */

static void gpu_time_counts_where_it_spins(void) {
    const struct grt_segment segments[] = {
        {.kind = GRT_SEGMENT_CPU, .cpu_time = {.max = 3}},
        {.kind = GRT_SEGMENT_GPU},
        {.kind = GRT_SEGMENT_CPU, .cpu_time = {.max = 4, .declared = 5}},
    };
    struct grt_task task = {.period = 40, .segments = segments, .segment_count = 3};
    struct grt_core_demand demand;
    CU_ASSERT(grt_task_core_demand(&task, false, GRT_TIME_NEVER, &demand));
    CU_ASSERT(demand.time == 8 && demand.period == 40);
    CU_ASSERT(grt_task_core_demand(&task, true, 20, &demand));
    CU_ASSERT(demand.time == 28 && demand.period == 40);
    CU_ASSERT_FALSE(grt_task_core_demand(&task, true, GRT_TIME_NEVER, &demand));
    task.period = 0;
    CU_ASSERT_FALSE(grt_task_core_demand(&task, false, 0, &demand));
    task.segments = &segments[1];
    task.segment_count = 1;
    CU_ASSERT(grt_task_core_demand(&task, false, 0, &demand));
    CU_ASSERT_EQUAL(demand.time, 0);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"each rule has its way", each_rule_has_its_way},
        {"first and best fit differ", first_and_best_fit_differ},
        {"rules are as said", rules_are_as_said},
        {"a core has exactly one", a_core_has_exactly_one},
        {"GPU time counts where it spins", gpu_time_counts_where_it_spins},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("allocation", tests);
}
