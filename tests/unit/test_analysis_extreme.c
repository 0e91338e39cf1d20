/* Analyses of extreme sets end within their steps, and what is not known says so: steps are counted, not seconds. */
#include <stdlib.h>

#include "policies/analyses/registry.h"
#include "policies/analyses/sensitivity.h"
#include "tests/support/analysis_case.h"
#include "tests/support/suite.h"

static const int64_t longest = INT64_C(1000000000000000000);

static struct analysis_case it;

/* Every analysis, with a limit that it may pass by one fixed point or search of all tasks. */
static void run_all(int64_t most_steps) {
    it.set.most_steps = most_steps;
    for (const struct grt_analysis_ops *const *analysis = grt_analyses; *analysis != NULL; analysis++) {
        it.result.steps = 0;
        analysis_case_run(&it, (*analysis)->name);
        CU_ASSERT(it.result.steps <= most_steps + 8 * (int64_t)(it.set.count * it.set.count) + 200000);
    }
    it.set.most_steps = 0;
}

static void a_load_next_to_one_ends(void) {
    analysis_case_start(&it);
    analysis_case_add(&it, 1, 2, 2);
    analysis_case_add(&it, longest / 3, longest, longest);
    analysis_case_add(&it, longest / 7, longest - 1, longest - 1)->jitter = longest - 2;
    run_all(100000);
}

static void a_load_of_one_is_unknown(void) {
    analysis_case_start(&it);
    for (int i = 0; i < 20; i++) {
        analysis_case_add(&it, 1000003 + i, 20 * (1000003 + i), 20 * (1000003 + i));
    }
    run_all(100000);
    it.set.most_steps = 100000;
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-edf-response"), GRT_VERDICT_UNKNOWN);
    CU_ASSERT(it.result.steps >= 100000);
}

static void a_search_ends_with_its_steps(void) {
    analysis_case_start(&it);
    for (int i = 0; i < 20; i++) {
        analysis_case_add(&it, 45, 1000 + i, 1000 + i);
    }
    struct grt_sensitivity *sensitivity = grt_sensitivity_begin(
        calloc(1, grt_sensitivity_size(&it.set)), &it.set, grt_analysis_find("np-edf-response"));
    struct grt_sensitivity_change change = {GRT_SENSITIVITY_TIMES, GRT_ANALYSIS_NO_TASK};
    struct grt_sensitivity_limit whole = grt_sensitivity_find(sensitivity, change);
    int64_t taken = GRT_SENSITIVITY_ALL_STEPS - *grt_sensitivity_steps(sensitivity);
    CU_ASSERT_EQUAL(whole.kind, GRT_LIMIT_FOUND);
    CU_ASSERT_FALSE(whole.cut_short);
    int64_t found = 0;
    for (int part = 0; part < 16; part++) { /* with fewer steps: the same or nothing */
        *grt_sensitivity_steps(sensitivity) = taken * part / 16;
        struct grt_sensitivity_limit limit = grt_sensitivity_find(sensitivity, change);
        CU_ASSERT(limit.cut_short);
        CU_ASSERT(limit.kind == GRT_LIMIT_NOT_SEARCHED || limit.value == whole.value);
        found += limit.kind == GRT_LIMIT_FOUND;
    }
    CU_ASSERT(found > 0 && found < 16);
    free(sensitivity);
}

/* Without a deadline nothing can be missed; with one, jobs that come at any time can pile up on the core. */
static void a_task_apart_needs_no_period(void) {
    analysis_case_start(&it);
    analysis_case_add(&it, 2, 10, 10);
    struct grt_analysis_task *apart = analysis_case_add(&it, 5, 0, GRT_ANALYSIS_NEVER);
    apart->shares_core = false;
    it.segments[1][0].on_gpu = false;
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-fp-response"), GRT_VERDICT_SCHEDULABLE);
    CU_ASSERT_EQUAL(it.response[0], 2);
    CU_ASSERT_EQUAL(it.response[1], GRT_ANALYSIS_NEVER);
    apart->deadline = 100;
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-fp-response"), GRT_VERDICT_INAPPLICABLE);
    apart->deadline = GRT_ANALYSIS_NEVER;
    apart->shares_core = true;
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-fp-response"), GRT_VERDICT_INAPPLICABLE);
    apart->shares_core = false;
    it.segments[1][0].on_gpu = true;
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-fp-response"), GRT_VERDICT_INAPPLICABLE);
}

int main(void) {
    static CU_TestInfo tests[] = {
        {"a load next to one ends", a_load_next_to_one_ends},
        {"a load of one is unknown", a_load_of_one_is_unknown},
        {"a search ends with its steps", a_search_ends_with_its_steps},
        {"a task apart needs no period", a_task_apart_needs_no_period},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("extreme sets", tests);
}
