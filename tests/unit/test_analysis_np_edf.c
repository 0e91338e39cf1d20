/* Non-preemptive EDF by demand: examples by hand, and what is refused. Against a second implementation and against simulations:
 * tests/property/. */
#include <string.h>

#include "tests/support/analysis_case.h"
#include "tests/support/suite.h"

static struct analysis_case it;

/* C = 5 is one tick old when a comes: 4 + 2 > 5. */
static void a_later_deadline_blocks(void) {
    analysis_case_start(&it);
    analysis_case_add(&it, 2, 10, 5);
    analysis_case_add(&it, 5, 20, 20);
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-edf-exact"), GRT_VERDICT_UNSCHEDULABLE);
    CU_ASSERT_EQUAL(it.result.failing, 0);
    CU_ASSERT(it.result.has_witness);
    CU_ASSERT_EQUAL(it.first_release[0], 1);
    CU_ASSERT_EQUAL(it.first_release[1], 0);
    CU_ASSERT_EQUAL(analysis_case_time(&it, "first_miss_by"), 6);
    CU_ASSERT_STRING_EQUAL(
        it.result.reason,
        "in a span of 5 ns, jobs with deadlines in it, the rest of a request of b ask for 6 ns");
    it.tasks[0].deadline = 6;
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-edf-exact"), GRT_VERDICT_SCHEDULABLE);
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-edf-continuous"), GRT_VERDICT_UNKNOWN);
    it.tasks[0].deadline = 7;
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-edf-continuous"), GRT_VERDICT_SCHEDULABLE);
}

/* b takes 2: one tick of it is left when a comes, which needs 1 of 2. Of 3, two are left. */
static void full_load_can_be_schedulable(void) {
    analysis_case_start(&it);
    analysis_case_add(&it, 1, 2, 2);
    analysis_case_add(&it, 2, 4, 4);
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-edf-exact"), GRT_VERDICT_SCHEDULABLE); /* U = 1 */
    it.segments[1][0].longest = 3;
    it.tasks[1].period = it.tasks[1].deadline = 6;
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-edf-exact"), GRT_VERDICT_UNSCHEDULABLE); /* 2 + 1 > 2 */
    CU_ASSERT_EQUAL(analysis_case_time(&it, "first_miss_by"), 1 + 2);
}

/* 1/3 three times is one, whatever the digits say; a tick more is not. */
static void load_is_compared_exactly(void) {
    int64_t third = INT64_C(333333333333333333);
    analysis_case_start(&it);
    for (int i = 0; i < 3; i++) {
        analysis_case_add(&it, third, 3 * third, 3 * third);
    }
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-edf-exact"), GRT_VERDICT_SCHEDULABLE);
    it.segments[0][0].longest = third + 1;
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-edf-exact"), GRT_VERDICT_UNSCHEDULABLE);
    CU_ASSERT_EQUAL(it.result.failing, GRT_ANALYSIS_NO_TASK);
    CU_ASSERT(it.result.has_witness);
    it.segments[0][0].longest = third;
    it.tasks[0].period--;
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-edf-exact"), GRT_VERDICT_UNSCHEDULABLE);
    it.tasks[0].period += 2;
    CU_ASSERT_NOT_EQUAL(analysis_case_run(&it, "np-edf-exact"), GRT_VERDICT_UNSCHEDULABLE);
    int64_t most = INT64_C(1000000000000000000);
    analysis_case_start(&it);
    analysis_case_add(&it, 1, most - 1, most); /* 1 / p + p / (p + 1) = 1 + 1 / (p^2 + p) */
    analysis_case_add(&it, most - 1, most, most);
    CU_ASSERT_EQUAL(analysis_case_run(&it, "utilisation"), GRT_VERDICT_UNSCHEDULABLE);
    it.tasks[0].period = most; /* 1 / (p + 1) + (p - 1) / p = 1 - 1 / (p^2 + p) */
    it.tasks[1].period = most - 1;
    it.segments[1][0].longest = it.segments[1][0].device_longest = most - 2;
    CU_ASSERT_EQUAL(analysis_case_run(&it, "utilisation"), GRT_VERDICT_UNKNOWN);
}

/* A request that may lag 3 behind its arrival has 3 less until its deadline; counted from the release it has not. */
static void jitter_is_sufficient_only(void) {
    analysis_case_start(&it);
    analysis_case_add(&it, 2, 10, 8)->jitter = 3;
    analysis_case_add(&it, 5, 20, 20);
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-edf-exact"), GRT_VERDICT_UNKNOWN);
    CU_ASSERT_FALSE(it.result.has_witness);
    it.tasks[0].deadline = 9;
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-edf-exact"), GRT_VERDICT_SCHEDULABLE);
    it.tasks[0].deadline = 6;
    it.tasks[0].deadline_from_release = true;
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-edf-exact"), GRT_VERDICT_SCHEDULABLE);
    it.tasks[0].jitter = 9; /* requests only 1 apart: 2 + 2 + 4 > 7 */
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-edf-exact"), GRT_VERDICT_UNKNOWN);
}

static void cpu_segments_ahead_are_jitter(void) {
    analysis_case_start(&it);
    analysis_case_add(&it, 0, 20, 14);
    analysis_case_segment(&it, false, 1, 4);
    analysis_case_segment(&it, true, 1, 5);
    analysis_case_add(&it, 6, 20, 20);
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-edf-exact"), GRT_VERDICT_SCHEDULABLE); /* 4 + 5 + 5 */
    it.tasks[0].deadline = 13;
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-edf-exact"), GRT_VERDICT_UNKNOWN);
    analysis_case_start(&it);
    analysis_case_add(&it, 6, 20, 14);
    analysis_case_segment(&it, false, 1, 4);
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-edf-exact"), GRT_VERDICT_INAPPLICABLE);
    CU_ASSERT_STRING_EQUAL(it.result.reason, "task a has CPU segments after its GPU segment");
}

/* ---- response times ---- */

/* b waits for what is left of c, and for a, whose deadline at 11 is before b's; a's second one, at 21, is not. c waits for both. */
static void responses_by_hand(void) {
    analysis_case_start(&it);
    analysis_case_add(&it, 2, 10, 10);
    analysis_case_add(&it, 4, 20, 18);
    analysis_case_add(&it, 5, 40, 40);
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-edf-response"), GRT_VERDICT_SCHEDULABLE);
    CU_ASSERT_EQUAL(it.response[0], 4 + 2);
    CU_ASSERT_EQUAL(it.response[1], 4 + 2 + 4);
    CU_ASSERT_EQUAL(it.response[2], 2 + 4 + 5);
    it.tasks[1].deadline = 9; /* less than a's: it waits for one of c only, a for both */
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-edf-response"), GRT_VERDICT_SCHEDULABLE);
    CU_ASSERT_EQUAL(it.response[1],
                    4 + 4 + 1); /* a starts before it: it comes a tick later than a, at the same deadline */
}

static void jitter_delays_responses(void) {
    analysis_case_start(&it);
    analysis_case_add(&it, 3, 20, 20)->jitter = 5;
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-edf-response"), GRT_VERDICT_SCHEDULABLE);
    CU_ASSERT_EQUAL(it.response[0], 5 + 3);
    it.tasks[0].deadline = 7;
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-edf-response"), GRT_VERDICT_UNKNOWN);
    it.tasks[0].deadline_from_release = true;
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-edf-response"), GRT_VERDICT_SCHEDULABLE);
    CU_ASSERT_EQUAL(it.response[0], 5 + 3);
}

/* A request of a may come 8 after its arrival, with a deadline only 4 after it, so that it goes before b's. That another one of a blocks
 * b, too, is counted, though they cannot be so close. a itself is blocked by b when it has not lagged. */
static void a_lagging_request_is_urgent(void) {
    analysis_case_start(&it);
    analysis_case_add(&it, 5, 30, 12)->jitter = 8;
    analysis_case_add(&it, 4, 30, 10);
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-edf-response"), GRT_VERDICT_UNKNOWN);
    CU_ASSERT_EQUAL(it.response[0], 8 + 3 + 5);
    CU_ASSERT_EQUAL(it.response[1], 4 + 5 + 4);
}

/* A full load with jitter has no end that could be computed; without, its busy period is the hyperperiod. */
static void full_load_with_jitter_is_not_bounded(void) {
    analysis_case_start(&it);
    analysis_case_add(&it, 1, 2, 2);
    analysis_case_add(&it, 2, 4, 8);
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-edf-response"), GRT_VERDICT_SCHEDULABLE);
    it.tasks[1].jitter = 1;
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-edf-response"), GRT_VERDICT_UNKNOWN);
    CU_ASSERT_EQUAL(it.response[0], GRT_ANALYSIS_NEVER);
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-fp-response"), GRT_VERDICT_UNKNOWN);
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-edf-exact"), GRT_VERDICT_UNKNOWN);
}

/* ---- what is refused, by all that take requests ---- */

static void refuses(const char *reason) {
    static const char *const analyses[] = {"np-edf-exact",   "np-edf-continuous", "np-edf-response",
                                           "np-fp-response", "np-rm-response",    "edf-demand",
                                           "fp-response",    "rm-utilisation",    "rm-hyperbolic"};
    for (size_t i = 0; i < sizeof analyses / sizeof analyses[0]; i++) {
        CU_ASSERT_EQUAL(analysis_case_run(&it, analyses[i]), GRT_VERDICT_INAPPLICABLE);
        CU_ASSERT_STRING_EQUAL(it.result.reason, reason);
        CU_ASSERT_EQUAL(it.result.failing, GRT_ANALYSIS_NO_TASK);
    }
}

static struct grt_analysis_task *a_task(void) {
    analysis_case_start(&it);
    return analysis_case_add(&it, 5, 20, 20);
}

static void what_is_not_covered_is_refused(void) {
    a_task()->after_others = true;
    refuses("task a is released by the ends of other tasks' jobs");
    a_task()->period = 0;
    refuses("task a has no least distance between its arrivals (\"sporadic\" with \"min_gap\" gives one)");
    a_task()->deadline = GRT_ANALYSIS_NEVER;
    refuses("task a has no deadline");
    a_task();
    analysis_case_segment(&it, true, 1, 1);
    refuses("task a has several GPU segments");
    a_task()->shares_core = true;
    analysis_case_segment(&it, false, 1, 1);
    refuses("task a shares the core of its CPU segments");
    a_task();
    it.segments[0][0].longest = GRT_ANALYSIS_NEVER;
    refuses("task a has no known longest time");
    a_task();
    it.set.interference = "several processes share the GPU";
    refuses("several processes share the GPU");
}

/* A task that never asks for the GPU is judged by its own time. */
static void tasks_without_gpu_segments_are_judged_alone(void) {
    analysis_case_start(&it);
    analysis_case_add(&it, 5, 20, 20);
    analysis_case_add(&it, 0, 20, 9)->jitter = 2;
    analysis_case_segment(&it, false, 1, 7);
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-fp-response"), GRT_VERDICT_SCHEDULABLE);
    CU_ASSERT_EQUAL(it.response[1], 9);
    it.tasks[1].deadline = 8;
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-fp-response"), GRT_VERDICT_UNKNOWN);
    it.tasks[1].deadline_from_release = true;
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-fp-response"), GRT_VERDICT_SCHEDULABLE);
    it.tasks[1].deadline = 6;
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-fp-response"), GRT_VERDICT_UNSCHEDULABLE);
    CU_ASSERT_EQUAL(it.result.failing, 1);
    CU_ASSERT_STRING_EQUAL(it.result.reason, "task b needs its core for 7 ns");
    CU_ASSERT_EQUAL(analysis_case_time(&it, "first_miss_by"), 6);
    it.tasks[1].deadline = 7; /* one job may be in the way of the next */
    for (int64_t jitter = 13; jitter <= 14; jitter++) {
        it.tasks[1].jitter = jitter;
        CU_ASSERT_EQUAL(analysis_case_run(&it, "np-fp-response"),
                        jitter == 13 ? GRT_VERDICT_SCHEDULABLE : GRT_VERDICT_UNKNOWN);
    }
    it.segments[1][0].longest = 21; /* ever later */
    it.tasks[1].deadline = 500;
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-fp-response"), GRT_VERDICT_UNSCHEDULABLE);
    /* job k ends at 21 (k + 1), and has until 20 k + 500 */
    CU_ASSERT_EQUAL(analysis_case_time(&it, "first_miss_by"), 20 * 480 + 500);
    it.segments[1][0].longest = 20000000000000001; /* not in 31 years */
    it.tasks[1].period = 20000000000000000;
    it.tasks[1].deadline = 500000000000000000;
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-fp-response"), GRT_VERDICT_UNSCHEDULABLE);
    CU_ASSERT_EQUAL(analysis_case_time(&it, "first_miss_by"), -1);
}

/* What may never be reached proves no miss. */
static void bounds_of_times_prove_no_miss(void) {
    static const char *const analyses[] = {"np-edf-exact", "edf-demand",  "np-fp-response",
                                           "fp-response",  "utilisation", "fp-suspension"};
    for (size_t i = 0; i < sizeof analyses / sizeof analyses[0]; i++) {
        bool overload_only = i >= 4;
        for (int overload = overload_only; overload <= 1; overload++) {
            analysis_case_start(&it);
            analysis_case_add(&it, 8, 10, overload ? 10 : 7);
            analysis_case_add(&it, overload ? 30 : 1, 100, 100);
            CU_ASSERT_EQUAL(analysis_case_run(&it, analyses[i]), GRT_VERDICT_UNSCHEDULABLE);
            it.set.longest_is_bound = true;
            CU_ASSERT_EQUAL(analysis_case_run(&it, analyses[i]), GRT_VERDICT_UNKNOWN);
            CU_ASSERT(!it.result.has_witness);
        }
    }
}

static void a_set_of_no_task_is_schedulable(void) {
    analysis_case_start(&it);
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-edf-exact"), GRT_VERDICT_SCHEDULABLE);
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-fp-response"), GRT_VERDICT_SCHEDULABLE);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"a later deadline blocks", a_later_deadline_blocks},
        {"full load can be schedulable", full_load_can_be_schedulable},
        {"load is compared exactly", load_is_compared_exactly},
        {"jitter is sufficient only", jitter_is_sufficient_only},
        {"CPU segments ahead are jitter", cpu_segments_ahead_are_jitter},
        {"responses by hand", responses_by_hand},
        {"jitter delays responses", jitter_delays_responses},
        {"a lagging request is urgent", a_lagging_request_is_urgent},
        {"full load with jitter is not bounded", full_load_with_jitter_is_not_bounded},
        {"what is not covered is refused", what_is_not_covered_is_refused},
        {"tasks without GPU segments are judged alone", tasks_without_gpu_segments_are_judged_alone},
        {"bounds of times prove no miss", bounds_of_times_prove_no_miss},
        {"a set of no task is schedulable", a_set_of_no_task_is_schedulable},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("non-preemptive EDF by demand", tests);
}
