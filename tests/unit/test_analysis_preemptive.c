/* Analyses of preemptive scheduling, and utilisation: published values and examples by hand. Against a second implementation and
 * against simulations: tests/property/. */
#include <math.h>
#include <string.h>

#include "policies/analyses/registry.h"
#include "policies/analyses/run.h"
#include "policies/registry.h"
#include "tests/support/analysis_case.h"
#include "tests/support/suite.h"

static struct analysis_case it;

/* ---- fixed priorities ---- */

static void responses_by_hand(void) {
    analysis_case_start(&it);
    analysis_case_add(&it, 1, 4, 4);
    analysis_case_add(&it, 2, 6, 6);
    analysis_case_add(&it, 3, 10, 10);
    CU_ASSERT_EQUAL(analysis_case_run(&it, "fp-response"), GRT_VERDICT_SCHEDULABLE);
    CU_ASSERT_EQUAL(it.response[0], 1);
    CU_ASSERT_EQUAL(it.response[1], 3);
    CU_ASSERT_EQUAL(it.response[2], 10); /* 3 + 3 of the first + 2 of the second */
    it.tasks[2].deadline = 9;
    CU_ASSERT_EQUAL(analysis_case_run(&it, "fp-response"), GRT_VERDICT_UNSCHEDULABLE);
    CU_ASSERT_EQUAL(it.result.failing, 2);
    CU_ASSERT(it.result.has_witness);
    CU_ASSERT_EQUAL(it.first_release[0], 0);
    CU_ASSERT_EQUAL(it.first_release[2], 0);
    CU_ASSERT_EQUAL(analysis_case_time(&it, "first_miss_by"), 9);
}

/* J. P. Lehoczky, "Fixed Priority Scheduling of Periodic Task Sets with Arbitrary Deadlines", RTSS 1990, example: the seven requests of
 * the busy period respond within 114, 102, 116, 104, 118, 106 and 94. */
static void the_longest_response_of_lehoczky_is_the_fifth(void) {
    analysis_case_start(&it);
    analysis_case_add(&it, 26, 70, 70);
    analysis_case_add(&it, 62, 100, 118);
    CU_ASSERT_EQUAL(analysis_case_run(&it, "fp-response"), GRT_VERDICT_SCHEDULABLE);
    CU_ASSERT_EQUAL(it.response[1], 118);
    it.tasks[1].deadline = 117;
    CU_ASSERT_EQUAL(analysis_case_run(&it, "fp-response"), GRT_VERDICT_UNSCHEDULABLE);
    CU_ASSERT_EQUAL(analysis_case_time(&it, "first_miss_by"), 4 * 100 + 117);
    CU_ASSERT_STRING_EQUAL(it.result.reason, "request 5 of task b in its busy period may be late");
}

static void jitter_of_preemptive_tasks(void) {
    analysis_case_start(&it);
    analysis_case_add(&it, 2, 10, 10)->jitter = 4;
    analysis_case_add(&it, 5, 30, 30);
    CU_ASSERT_EQUAL(analysis_case_run(&it, "fp-response"), GRT_VERDICT_SCHEDULABLE);
    CU_ASSERT_EQUAL(it.response[0], 6);
    CU_ASSERT_EQUAL(it.response[1], 9); /* 7 reaches the second request, at 10 - 4 */
}

/* ---- suspension ---- */

/* The example of the survey by Chen and others (2019): the second task executes 5 and waits for 5, or less. Its suspension of 5 as jitter
 * would give the third task 13; schedules in which it needs nearly 22 exist. As execution there is no bound. */
static void suspension_is_not_jitter_of_its_length(void) {
    analysis_case_start(&it);
    analysis_case_add(&it, 1, 2, 2);
    analysis_case_add(&it, 0, 20, 20);
    analysis_case_segment(&it, false, 5, 5);
    analysis_case_segment(&it, true, 1, 5);
    analysis_case_add(&it, 1, 50, 50);
    CU_ASSERT_EQUAL(analysis_case_run(&it, "fp-suspension"), GRT_VERDICT_SCHEDULABLE);
    CU_ASSERT_EQUAL(it.response[0], 1);
    CU_ASSERT_EQUAL(it.response[1], 20);
    CU_ASSERT_EQUAL(it.response[2], 22);
}

/* b has R - C = 3: as jitter, two requests come within 10 + 3, and two of a then; as execution 5 + 2 + (3 + 1) end before the next. */
static void execution_may_be_the_better_form(void) {
    analysis_case_start(&it);
    analysis_case_add(&it, 2, 12, 12);
    analysis_case_add(&it, 3, 12, 12);
    analysis_case_segment(&it, false, 1, 1);
    analysis_case_add(&it, 5, 40, 40);
    CU_ASSERT_EQUAL(analysis_case_run(&it, "fp-suspension"), GRT_VERDICT_SCHEDULABLE);
    CU_ASSERT_EQUAL(it.response[1], 6);
    CU_ASSERT_EQUAL(it.response[2], 11);
}

/* Two GPU segments are one demand of 4. As jitter, 7 + 4 end at 12 - 1; as execution they take 12. */
static void jitter_may_be_the_better_form(void) {
    analysis_case_start(&it);
    analysis_case_add(&it, 0, 12, 12);
    analysis_case_segment(&it, true, 1, 1);
    analysis_case_segment(&it, false, 1, 1);
    analysis_case_segment(&it, true, 1, 3);
    analysis_case_add(&it, 7, 40, 40);
    CU_ASSERT_EQUAL(analysis_case_run(&it, "fp-suspension"), GRT_VERDICT_SCHEDULABLE);
    CU_ASSERT_EQUAL(it.response[0], 5);
    CU_ASSERT_EQUAL(it.response[1], 11);
}

static void suspension_needs_short_responses(void) {
    analysis_case_start(&it);
    analysis_case_add(&it, 0, 10, 30);
    analysis_case_segment(&it, false, 1, 6);
    analysis_case_segment(&it, true, 1, 5);
    analysis_case_add(&it, 1, 40, 40);
    CU_ASSERT_EQUAL(analysis_case_run(&it, "fp-suspension"), GRT_VERDICT_UNKNOWN); /* 11 > T */
    CU_ASSERT_EQUAL(it.result.failing, 0);
    CU_ASSERT_EQUAL(it.response[1], GRT_ANALYSIS_NEVER);
}

/* ---- earliest deadline first ---- */

static void demand_by_hand(void) {
    analysis_case_start(&it);
    analysis_case_add(&it, 2, 6, 4);
    analysis_case_add(&it, 3, 8, 5);
    CU_ASSERT_EQUAL(analysis_case_run(&it, "edf-demand"), GRT_VERDICT_SCHEDULABLE);
    it.tasks[1].deadline = 4; /* 2 + 3 > 4 */
    CU_ASSERT_EQUAL(analysis_case_run(&it, "edf-demand"), GRT_VERDICT_UNSCHEDULABLE);
    CU_ASSERT(it.result.has_witness);
    CU_ASSERT_EQUAL(it.first_release[0], 0);
    CU_ASSERT_EQUAL(it.first_release[1], 0);
    CU_ASSERT_EQUAL(analysis_case_time(&it, "first_miss_by"), 4);
    it.tasks[1].deadline = 8;
    it.segments[1][0].longest = 5; /* U = 1/3 + 5/8; demand 2 + 5 + 2 in 10 */
    CU_ASSERT_EQUAL(analysis_case_run(&it, "edf-demand"), GRT_VERDICT_SCHEDULABLE);
}

/* ---- utilisation ---- */

static double number_of(const char *name) {
    for (size_t i = 0; i < it.result.value_count; i++) {
        if (it.values[i].task == GRT_ANALYSIS_NO_TASK && strcmp(it.values[i].name, name) == 0) {
            return it.values[i].number;
        }
    }
    return -1.0;
}

static void utilisation_above_one_misses(void) {
    analysis_case_start(&it);
    analysis_case_add(&it, 5, 10, 100);
    analysis_case_add(&it, 5, 10, 100);
    CU_ASSERT_EQUAL(analysis_case_run(&it, "utilisation"), GRT_VERDICT_UNKNOWN);
    CU_ASSERT_DOUBLE_EQUAL(number_of("utilisation"), 1.0, 1e-12);
    analysis_case_segment(&it, true, 1, 1); /* a second GPU segment counts */
    CU_ASSERT_EQUAL(analysis_case_run(&it, "utilisation"), GRT_VERDICT_UNSCHEDULABLE);
    CU_ASSERT(it.result.has_witness);
    CU_ASSERT_STRING_EQUAL(it.result.reason, "the tasks ask for 1.1 times the time that the GPU has");
    it.tasks[0].deadline = GRT_ANALYSIS_NEVER;
    CU_ASSERT_EQUAL(analysis_case_run(&it, "utilisation"), GRT_VERDICT_UNKNOWN);
    it.tasks[0].period = 0;
    CU_ASSERT_EQUAL(analysis_case_run(&it, "utilisation"), GRT_VERDICT_INAPPLICABLE);
}

/* 2 (sqrt 2 - 1) = 0.828; the hyperbolic bound takes more. */
static void bounds_of_rate_monotonic(void) {
    analysis_case_start(&it);
    analysis_case_add(&it, 50, 100, 100);
    analysis_case_add(&it, 32, 100, 100);
    CU_ASSERT_EQUAL(analysis_case_run(&it, "rm-utilisation"), GRT_VERDICT_SCHEDULABLE);
    CU_ASSERT_DOUBLE_EQUAL(number_of("bound"), 2.0 * (sqrt(2.0) - 1.0), 1e-12);
    it.segments[1][0].longest = 33;
    CU_ASSERT_EQUAL(analysis_case_run(&it, "rm-utilisation"), GRT_VERDICT_UNKNOWN);
    CU_ASSERT_EQUAL(analysis_case_run(&it, "rm-hyperbolic"), GRT_VERDICT_SCHEDULABLE); /* 1.5 * 1.33 */
    CU_ASSERT_DOUBLE_EQUAL(number_of("product"), 1.5 * 1.33, 1e-12);
    it.segments[1][0].longest = 34;
    CU_ASSERT_EQUAL(analysis_case_run(&it, "rm-hyperbolic"), GRT_VERDICT_UNKNOWN);
    it.tasks[0].deadline = 99;
    CU_ASSERT_EQUAL(analysis_case_run(&it, "rm-hyperbolic"), GRT_VERDICT_INAPPLICABLE);
    it.tasks[0].deadline = 100;
    it.tasks[0].jitter = 1;
    CU_ASSERT_EQUAL(analysis_case_run(&it, "rm-utilisation"), GRT_VERDICT_INAPPLICABLE);
}

/* ---- the registry ---- */

static bool promises_hold(const struct grt_analysis_ops *analysis) {
    bool first = true;
    for (const struct grt_analysis_ops *const *other = grt_analyses; *other != NULL; other++) {
        first &= *other == analysis || strcmp((*other)->name, analysis->name) != 0;
    }
    return first && grt_analysis_find(analysis->name) == analysis && analysis->summary != NULL &&
           analysis->source != NULL && analysis->policies != NULL && analysis->run != NULL;
}

static void every_analysis_says_where_it_comes_from(void) {
    for (const struct grt_analysis_ops *const *analysis = grt_analyses; *analysis != NULL; analysis++) {
        CU_ASSERT(promises_hold(*analysis));
    }
    CU_ASSERT(grt_analysis_is_of(grt_analysis_find("np-rm-response"), grt_policy_find("np-rm")));
    CU_ASSERT_FALSE(grt_analysis_is_of(grt_analysis_find("np-rm-response"), grt_policy_find("np-fp")));
    CU_ASSERT_FALSE(grt_analysis_is_of(grt_analysis_find("edf-demand"), grt_policy_find("np-edf")));
}

int main(void) {
    CU_TestInfo tests[] = {
        {"responses by hand", responses_by_hand},
        {"the longest response of Lehoczky is the fifth", the_longest_response_of_lehoczky_is_the_fifth},
        {"jitter of preemptive tasks", jitter_of_preemptive_tasks},
        {"suspension is not jitter of its length", suspension_is_not_jitter_of_its_length},
        {"execution may be the better form", execution_may_be_the_better_form},
        {"jitter may be the better form", jitter_may_be_the_better_form},
        {"suspension needs short responses", suspension_needs_short_responses},
        {"demand by hand", demand_by_hand},
        {"utilisation above one misses", utilisation_above_one_misses},
        {"bounds of rate-monotonic", bounds_of_rate_monotonic},
        {"every analysis says where it comes from", every_analysis_says_where_it_comes_from},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("analyses of preemptive scheduling", tests);
}
