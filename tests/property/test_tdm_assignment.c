/* labels: soak */
/* The parameters of GPU-TDMh's server against every period there is: counts and lengths are found by trying all of them, from their
 * definitions. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "policies/tdm/assignment.h"
#include "tests/support/pick.h"
#include "tests/support/suite.h"
#include "tests/support/tdm_sets.h"

static int64_t window_of(const struct tdm_task *task) {
    int64_t end = task->deadline < task->period ? task->deadline : task->period;
    return end - task->jitter;
}

/* The shortest slot with which `count` of them do the work; 0: none. */
static int64_t shortest_slot(const struct tdm_task *task, int64_t count) {
    for (int64_t length = task->overhead + 1; length <= task->overhead + 200; length++) {
        int64_t pieces = grt_tdm_pieces(task, length);
        if (pieces != 0 && pieces <= count) {
            return length;
        }
    }
    return 0;
}

/* Whether a job of the task can count on `count` slots, as rule->count is defined. */
static bool has_slots(const struct tdm_task *task, const struct tdm_rule *rule, int64_t period, int64_t count,
                      int64_t before) {
    double windows = (double)window_of(task) / (double)period; /* exact enough below 2^53 */
    switch (rule->count) {
    case TDM_COUNT_PAPER:
        return (double)count <= ceil(windows) - 2.0;
    case TDM_COUNT_SOUND:
        return (double)count <= floor(windows) - 1.0;
    default:
        if (rule->slots == TDM_SLOTS_TABLE) {
            before = 0;
        }
        return count * period + before + shortest_slot(task, count) <= window_of(task);
    }
}

/* The load by definition; above 1 also where some task has no slots. */
static double direct_load(const struct grt_tdm_set *set, const struct tdm_rule *rule, int64_t period,
                          struct tdm_slot *slots) {
    int64_t sum = 0;
    for (size_t i = 0; i < set->count; i++) {
        const struct tdm_task *task = &set->tasks[i];
        slots[i] = (struct tdm_slot){.offset = sum};
        for (int64_t count = 1; count <= window_of(task); count++) {
            if (shortest_slot(task, count) != 0 && has_slots(task, rule, period, count, sum)) {
                slots[i].count = count;
            }
        }
        if (slots[i].count == 0) {
            return INFINITY;
        }
        slots[i].length = shortest_slot(task, slots[i].count);
        sum += slots[i].length;
    }
    return (double)sum / (double)period;
}

static bool same_slots(const struct tdm_slot *a, const struct tdm_slot *b, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (a[i].count != b[i].count || a[i].length != b[i].length || a[i].offset != b[i].offset) {
            return false;
        }
    }
    return true;
}

/* Evaluates all periods in both ways; the least load goes to `least`, above 1 where there is none. */
static bool evaluates_alike(const struct grt_tdm_set *set, const struct tdm_rule *rule, double *least) {
    *least = INFINITY;
    for (int64_t period = 1; period <= 91; period++) {
        struct tdm_slot slots[GRT_TDM_MOST], direct[GRT_TDM_MOST];
        struct tdm_assignment found;
        double load = direct_load(set, rule, period, direct);
        bool feasible = tdm_evaluate(set->tasks, set->count, rule, period, slots, &found);
        *least = fmin(*least, load);
        if (feasible != (load <= 1.0) || feasible == (found.reason[0] != '\0') ||
            (feasible && (!same_slots(slots, direct, set->count) || found.load != load))) {
            fprintf(stderr, "T = %" PRId64 ": load %g (%s) instead of %g\n", period, found.load, found.reason,
                    load);
            return false;
        }
    }
    return true;
}

/* What a method finds is what the definitions say of its period. */
static bool holds(const struct grt_tdm_set *set, struct tdm_rule rule, int64_t method, double least) {
    struct tdm_slot slots[GRT_TDM_MOST], direct[GRT_TDM_MOST];
    struct tdm_assignment found;
    rule.method = method;
    bool feasible = tdm_assign(set->tasks, set->count, &rule, slots, &found);
    bool right = feasible == (found.reason[0] == '\0') && feasible == found.feasible;
    if (feasible) {
        right = right && direct_load(set, &rule, found.period, direct) <= 1.0 &&
                same_slots(slots, direct, set->count);
    }
    if (method == TDM_EXACT) {
        right = right && feasible == (least <= 1.0) && (!feasible || found.load * 0.99 <= least);
    }
    if (!right) {
        fprintf(stderr, "method %" PRId64 ": T = %" PRId64 ", load %g (%s), least %g\n", method, found.period,
                found.load, found.reason, least);
    }
    return right;
}

static void every_period_by_definition(void) {
    int cases = grt_suite_cases(300, 20000), feasible = 0, same = 1;
    for (int i = 0; same && i < cases; i++) {
        struct grt_random random = grt_random_stream((uint64_t)i, "tdm-small", 0, 0);
        struct grt_tdm_set set;
        grt_tdm_small(&set, &random);
        for (int64_t rule = 0; same && rule < 6; rule++) {
            struct tdm_rule of = {.count = rule / 2, .slots = rule % 2};
            double least;
            same = evaluates_alike(&set, &of, &least);
            for (int64_t method = TDM_CUBIC; same && method <= TDM_EXACT; method++) {
                same = holds(&set, of, method, least);
            }
            feasible += least <= 1.0;
            if (!same) {
                fprintf(stderr, "set %d, count %" PRId64 ", slots %" PRId64 "\n", i, of.count, of.slots);
            }
        }
    }
    CU_ASSERT(same);
    CU_ASSERT(feasible > cases && feasible < 5 * cases); /* the sets are neither all easy nor all hopeless */
}

/* ---- the search for the best period ---- */

/* Compares what the search found with another period: a larger one has more load, a smaller one less by a hundredth at most. */
static bool is_no_better(const struct grt_tdm_set *set, const struct tdm_rule *rule,
                         const struct tdm_assignment *found, int64_t period) {
    struct tdm_slot slots[GRT_TDM_MOST];
    struct tdm_assignment other;
    if (!tdm_evaluate(set->tasks, set->count, rule, period, slots, &other)) {
        return true;
    }
    bool right = found->feasible && other.load >= 0.99 * found->load &&
                 (period <= found->period || other.load > found->load);
    if (!right) {
        fprintf(stderr, "T = %" PRId64 ": load %.17g, found T = %" PRId64 ", load %.17g (%s)\n", period,
                other.load, found->period, found->load, found->reason);
    }
    return right;
}

/* The periods tried are those at which a window holds one slot more, and those at which one more ends in time in a table. */
static bool is_best(const struct grt_tdm_set *set, const struct tdm_rule *rule, int64_t slots,
                    struct grt_random *random) {
    struct tdm_slot found_slots[GRT_TDM_MOST];
    struct tdm_assignment found;
    tdm_assign(set->tasks, set->count, rule, found_slots, &found);
    int64_t longest = INT64_MAX;
    bool right = true;
    for (size_t i = 0; right && i < set->count; i++) {
        const struct tdm_task *task = &set->tasks[i];
        int64_t window = window_of(task), work = task->steps[0].units;
        longest = window < longest ? window : longest;
        for (int64_t count = 1; right && count <= slots; count++) {
            int64_t length = (work - 1) / count + 1 + task->overhead, left = window - length;
            right = is_no_better(set, rule, &found, window / count) &&
                    is_no_better(set, rule, &found, (window - 1) / count) &&
                    (left < count || is_no_better(set, rule, &found, left / count));
        }
    }
    for (int64_t i = 0; right && i < slots; i++) {
        right = is_no_better(set, rule, &found, grt_pick(random, 1, longest));
    }
    return right;
}

static void search_misses_nothing(void) {
    int cases = grt_suite_cases(40, 4000);
    bool right = true;
    for (int i = 0; right && i < cases; i++) {
        struct grt_random random = grt_random_stream((uint64_t)i, "tdm-search", 0, 0);
        struct grt_tdm_set set;
        size_t count = (size_t)grt_pick(&random, 1, GRT_TDM_MOST);
        double utilisation = 0.01 * (double)grt_pick(&random, 5, 99);
        grt_tdm_random(&set, &random, count, utilisation, grt_pick(&random, 1, 4) * 3000000);
        for (int64_t rule = 0; right && rule < 6; rule++) {
            struct tdm_rule of = {.method = TDM_EXACT, .count = rule / 2, .slots = rule % 2};
            right = is_best(&set, &of, 300, &random);
            if (!right) {
                fprintf(stderr, "set %d, count %" PRId64 ", slots %" PRId64 "\n", i, of.count, of.slots);
            }
        }
    }
    CU_ASSERT(right);
}

/* ---- the cubic ---- */

/* The left side of (11), less 0: what the relaxation makes of load - 1. */
static double relaxed(const struct grt_tdm_set *set, double period) {
    double sum = -1.0;
    for (size_t i = 0; i < set->count; i++) {
        double window = (double)window_of(&set->tasks[i]), z = 2.0 * period / window;
        double work = (double)grt_steps_time(set->tasks[i].steps, 1);
        sum += work / window * (4.7 * z * z + 1.08) + (double)set->tasks[i].overhead / period;
    }
    return sum;
}

/* Scans (11) in steps of a thousandth up to 0.35 T_1. */
static bool scan_finds(const struct grt_tdm_set *set, double limit, double *margin) {
    *margin = INFINITY;
    for (double period = limit; period > limit * 1e-6; period /= 1.001) {
        *margin = fmin(*margin, relaxed(set, period));
    }
    return *margin <= 0.0;
}

/* Roots are roots, and the cubic accepts what a scan of the relaxed inequality accepts. Sets near the border are left to the binomial. */
static void cubic_solves_its_inequality(void) {
    static const struct tdm_rule cubic = {.method = TDM_CUBIC, .count = TDM_COUNT_PAPER};
    int cases = grt_suite_cases(300, 20000), accepted = 0, unsure = 0, right = 1;
    for (int i = 0; right && i < cases; i++) {
        struct grt_random random = grt_random_stream((uint64_t)i, "tdm-cubic", 0, 0);
        struct grt_tdm_set set;
        struct tdm_slot slots[GRT_TDM_MOST];
        struct tdm_assignment found;
        size_t count = (size_t)grt_pick(&random, 1, GRT_TDM_MOST);
        double utilisation = 0.01 * (double)grt_pick(&random, 5, 99);
        grt_tdm_random(&set, &random, count, utilisation, grt_pick(&random, 0, 3) * 4000000);
        bool feasible = tdm_assign(set.tasks, set.count, &cubic, slots, &found);
        double shortest = INFINITY, margin;
        for (size_t j = 0; j < set.count; j++) {
            shortest = fmin(shortest, (double)set.tasks[j].period);
        }
        bool scanned = scan_finds(&set, 0.35 * shortest, &margin);
        for (int j = 0; j < found.root_count; j++) {
            right = right && (found.roots[j] == 0.0 || fabs(relaxed(&set, found.roots[j])) < 1e-6);
        }
        unsure += fabs(margin) < 1e-5;
        accepted += feasible;
        right = right && (feasible == scanned || fabs(margin) < 1e-5);
        if (!right) {
            fprintf(stderr, "set %d: %s, least of (11) %g\n", i, feasible ? "accepted" : found.reason,
                    margin);
        }
    }
    CU_ASSERT(right);
    CU_ASSERT(unsure <= cases / 100 && accepted > cases / 2 && accepted < cases * 95 / 100);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"every period by definition", every_period_by_definition},
        {"search misses nothing", search_misses_nothing},
        {"cubic solves its inequality", cubic_solves_its_inequality},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("parameters of GPU-TDMh by trial", tests);
}
