/* labels: soak */
/* Ranks by rate and deadline, and Audsley's algorithm against all orders of small sets. */
#include <string.h>

#include "models/priority.h"
#include "sim/random.h"
#include "tests/support/suite.h"

enum { MOST = 6 };

static void ranks_are_by_key_then_index(void) {
    static const grt_time keys[] = {30, 10, 20, 10, INT64_MAX};
    static const int64_t expected[] = {2, 5, 3, 4, 1};
    int64_t priorities[5];
    grt_priorities_by_key(keys, 5, priorities);
    CU_ASSERT_EQUAL(memcmp(priorities, expected, sizeof expected), 0);
}

/* Small sets are ranked in another way than large ones. */
static void both_ways_to_rank_agree(void) {
    enum { MANY = 100 };
    grt_time keys[MANY];
    int64_t all[MANY], few[60];
    struct grt_random random = grt_random_of_key(1);
    for (int i = 0; i < MANY; i++) {
        keys[i] = i < 60 ? (grt_time)grt_random_below(&random, 20) : INT64_MAX;
    }
    grt_priorities_by_key(keys, MANY, all);
    grt_priorities_by_key(keys, 60, few);
    for (int i = 0; i < MANY; i++) {
        CU_ASSERT_EQUAL(all[i], i < 60 ? few[i] + 40 : MANY - i);
    }
}

static void keys_are_of_the_arrival(void) {
    struct grt_task task = {.arrival = GRT_ARRIVAL_POISSON, .period = 5, .deadline = 7};
    CU_ASSERT_EQUAL(grt_rate_key(&task), 5);
    CU_ASSERT_EQUAL(grt_deadline_key(&task), 7);
    task.arrival = GRT_ARRIVAL_TIMES;
    CU_ASSERT_EQUAL(grt_rate_key(&task), 7);
    task.arrival = GRT_ARRIVAL_AFTER;
    CU_ASSERT_EQUAL(grt_rate_key(&task), 7);
}

/* ---- Audsley ---- */

struct set {
    size_t count;
    int64_t cost[MOST], period[MOST], deadline[MOST];
};

/* Non-preemptive, with the blocking of the longest lower task: rate and deadline monotonic ranks are not optimal here (L. George, N.
 * Rivierre, M. Spuri, Preemptive and non-preemptive real-time uni-processor scheduling, INRIA, 1996). Sufficient, first job only: the least
 * w = B + sum over hp of (floor(w / T) + 1) C, and w + C <= D. */
static bool passes(void *state, size_t task, const int64_t *priorities) {
    const struct set *set = state;
    int64_t blocking = 0, start = -1;
    for (size_t i = 0; i < set->count; i++) {
        blocking = priorities[i] < priorities[task] && set->cost[i] > blocking ? set->cost[i] : blocking;
    }
    for (int64_t next = blocking; next != start;) {
        start = next;
        if (start + set->cost[task] > set->deadline[task]) {
            return false;
        }
        next = blocking;
        for (size_t i = 0; i < set->count; i++) {
            next += priorities[i] > priorities[task] ? (start / set->period[i] + 1) * set->cost[i] : 0;
        }
    }
    return true;
}

static bool all_pass(struct set *set, const int64_t *priorities) {
    for (size_t i = 0; i < set->count; i++) {
        if (!passes(set, i, priorities)) {
            return false;
        }
    }
    return true;
}

/* Whether any order of the rest, from `placed` on, is good. */
static bool any_order(struct set *set, int64_t *priorities, size_t placed) {
    if (placed == set->count) {
        return all_pass(set, priorities);
    }
    for (size_t i = 0; i < set->count; i++) {
        if (priorities[i] == 0) {
            priorities[i] = (int64_t)placed + 1;
            if (any_order(set, priorities, placed + 1)) {
                return true;
            }
            priorities[i] = 0;
        }
    }
    return false;
}

static void draw(struct set *set, struct grt_random *random) {
    set->count = 1 + grt_random_below(random, MOST);
    for (size_t i = 0; i < set->count; i++) {
        set->period[i] = 10 + (int64_t)grt_random_below(random, 40);
        set->cost[i] = 1 + (int64_t)grt_random_below(random, 7);
        set->deadline[i] = set->period[i] / 2 + (int64_t)grt_random_below(random, (uint64_t)set->period[i]);
    }
}

/* It finds an order exactly where one of all that there are is good; ranks by deadline do not always. */
static void audsley_finds_what_all_orders_have(void) {
    struct grt_random random = grt_random_of_key(7);
    int cases = grt_suite_cases(4000, 100000), found_sets = 0, only_audsley = 0, none = 0;
    for (int i = 0; i < cases; i++) {
        struct set set;
        int64_t priorities[MOST] = {0}, every[MOST] = {0}, monotonic[MOST];
        struct grt_priority_search search;
        draw(&set, &random);
        bool found = grt_priorities_audsley(set.count, passes, &set, priorities, &search);
        CU_ASSERT_EQUAL(found, any_order(&set, every, 0));
        CU_ASSERT_EQUAL(found, search.level == 0);
        CU_ASSERT(search.tests <= set.count * (set.count + 1) / 2);
        if (found) {
            CU_ASSERT(all_pass(&set, priorities));
            grt_priorities_by_key(set.deadline, set.count, monotonic);
            only_audsley += !all_pass(&set, monotonic);
        } else {
            CU_ASSERT_EQUAL(priorities[0], 0); /* not changed */
        }
        found_sets += found;
        none += !found;
    }
    CU_ASSERT(found_sets > cases / 10 && none > cases / 10 && only_audsley > 0);
}

struct seen {
    size_t count;
    uint64_t levels;
};

/* Takes any task anywhere, and looks at what it is given. */
static bool look(void *state, size_t task, const int64_t *priorities) {
    struct seen *seen = state;
    uint64_t levels = 0;
    for (size_t i = 0; i < seen->count; i++) {
        CU_ASSERT_FATAL(priorities[i] >= 1 && priorities[i] <= (int64_t)seen->count);
        levels |= UINT64_C(1) << priorities[i];
    }
    CU_ASSERT_EQUAL(levels, seen->levels); /* distinct */
    return task != 1 || priorities[task] == 3;
}

static void every_test_sees_distinct_levels(void) {
    struct seen seen = {.count = 4, .levels = 30};
    int64_t priorities[4];
    CU_ASSERT(grt_priorities_audsley(4, look, &seen, priorities, NULL));
    static const int64_t expected[] = {4, 3, 2, 1}; /* of several that pass the last one goes down */
    CU_ASSERT_EQUAL(memcmp(priorities, expected, sizeof expected), 0);
}

static bool only_level_two(void *state, size_t task, const int64_t *priorities) {
    (void)state;
    return priorities[task] <= 2;
}

static void the_level_without_a_task_is_said(void) {
    int64_t priorities[4];
    struct grt_priority_search search;
    CU_ASSERT_FALSE(grt_priorities_audsley(4, only_level_two, NULL, priorities, &search));
    CU_ASSERT_EQUAL(search.level, 3);
    CU_ASSERT_EQUAL(search.tests, 1 + 1 + 2);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"ranks are by key, then index", ranks_are_by_key_then_index},
        {"both ways to rank agree", both_ways_to_rank_agree},
        {"keys are of the arrival", keys_are_of_the_arrival},
        {"Audsley finds what all orders have", audsley_finds_what_all_orders_have},
        {"every test sees distinct levels", every_test_sees_distinct_levels},
        {"the level without a task is said", the_level_without_a_task_is_said},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("priority", tests);
}
