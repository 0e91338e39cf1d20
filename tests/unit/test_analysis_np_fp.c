/* Response times under non-preemptive fixed priorities: published values and examples by hand. Against a second implementation and
 * against simulations: tests/property/. */
#include "tests/support/analysis_case.h"
#include "tests/support/suite.h"

static struct analysis_case it;

/* Davis, Burns, Bril, Lukkien 2007, the three messages: C = 1 ms, T = 2.5, 3.5, 3.5 ms, D = 2.5, 3.25, 3.25 ms; R = 2, 3, 3.5 ms, the last for the second
 * instance, which the earlier analysis did not look at. Requests block for a nanosecond less here. */
static void messages_of_davis_and_others(void) {
    analysis_case_start(&it);
    analysis_case_add(&it, 1000000, 2500000, 2500000);
    analysis_case_add(&it, 1000000, 3500000, 3250000);
    analysis_case_add(&it, 1000000, 3500000, 3250000);
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-fp-response"), GRT_VERDICT_UNSCHEDULABLE);
    CU_ASSERT_EQUAL(it.response[0], 1999999);
    CU_ASSERT_EQUAL(it.response[1], 2999999);
    CU_ASSERT_EQUAL(it.response[2], 3500000);
    CU_ASSERT_EQUAL(it.result.failing, 2);
    CU_ASSERT(it.result.has_witness);
    CU_ASSERT_EQUAL(it.first_release[0], 0);
    CU_ASSERT_EQUAL(it.first_release[2], 0);
    CU_ASSERT_EQUAL(analysis_case_time(&it, "first_miss_by"), 6750000);
}

/* The longest lower request starts one tick before the others: 4 - 1 of it are left. */
static void a_lower_request_blocks_for_a_tick_less(void) {
    analysis_case_start(&it);
    analysis_case_add(&it, 2, 20, 4);
    analysis_case_add(&it, 3, 20, 20);
    analysis_case_add(&it, 4, 20, 20);
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-fp-response"), GRT_VERDICT_UNSCHEDULABLE);
    CU_ASSERT_EQUAL(it.response[0], 5);
    CU_ASSERT_EQUAL(it.response[1], 8);
    CU_ASSERT_EQUAL(it.response[2], 9);
    CU_ASSERT_EQUAL(it.result.failing, 0);
    CU_ASSERT_EQUAL(it.first_release[0], 1);
    CU_ASSERT_EQUAL(it.first_release[1], 1);
    CU_ASSERT_EQUAL(it.first_release[2], 0);
    CU_ASSERT_EQUAL(analysis_case_time(&it, "first_miss_by"), 5);
    it.tasks[0].deadline = 5;
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-fp-response"), GRT_VERDICT_SCHEDULABLE);
    CU_ASSERT_FALSE(it.result.has_witness);
    CU_ASSERT_STRING_EQUAL(it.result.reason, "");
}

/* Under rate-monotonic priorities the order of the scenario plays no part. */
static void rates_order_tasks(void) {
    analysis_case_start(&it);
    analysis_case_add(&it, 4, 40, 40);
    analysis_case_add(&it, 3, 30, 30);
    analysis_case_add(&it, 2, 20, 20);
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-rm-response"), GRT_VERDICT_SCHEDULABLE);
    CU_ASSERT_EQUAL(it.response[0], 9);
    CU_ASSERT_EQUAL(it.response[1], 8);
    CU_ASSERT_EQUAL(it.response[2], 5);
}

/* Either may go first: both wait for the other. That is not exact: one of them does not, under every rule for ties. */
static void equal_priorities_may_go_either_way(void) {
    analysis_case_start(&it);
    analysis_case_add(&it, 4, 20, 4)->priority = 1;
    analysis_case_add(&it, 3, 20, 20)->priority = 1;
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-fp-response"), GRT_VERDICT_UNKNOWN);
    CU_ASSERT_EQUAL(it.response[0], 7);
    CU_ASSERT_EQUAL(it.response[1], 7);
    CU_ASSERT_EQUAL(it.result.failing, 0);
    CU_ASSERT_FALSE(it.result.has_witness);
}

/* Jitter of 5: the higher task's second request may come 20 - 5 after its first, within the lower one's wait. */
static void jitter_brings_requests_together(void) {
    analysis_case_start(&it);
    analysis_case_add(&it, 8, 20, 20)->jitter = 5;
    analysis_case_add(&it, 8, 40, 40);
    analysis_case_add(&it, 3, 40, 40);
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-fp-response"), GRT_VERDICT_SCHEDULABLE);
    CU_ASSERT_EQUAL(it.response[0], 5 + 7 + 8);
    CU_ASSERT_EQUAL(it.response[1], 2 + 8 + 8);
    CU_ASSERT_EQUAL(it.response[2], 8 + 8 + 8 + 3);
    it.tasks[2].deadline = 26;
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-fp-response"),
                    GRT_VERDICT_UNKNOWN); /* no witness has jitter */
    CU_ASSERT_EQUAL(it.result.failing, 2);
}

/* Deadlines that count from the release do not pay for the jitter: 7 + 8 = 15 suffice. */
static void deadlines_from_the_release_leave_jitter_out(void) {
    analysis_case_start(&it);
    analysis_case_add(&it, 8, 20, 15)->jitter = 5;
    analysis_case_add(&it, 8, 40, 40);
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-fp-response"), GRT_VERDICT_UNKNOWN);
    it.tasks[0].deadline_from_release = true;
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-fp-response"), GRT_VERDICT_SCHEDULABLE);
    CU_ASSERT_EQUAL(it.response[0], 20);
    it.tasks[0].deadline = 14;
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-fp-response"), GRT_VERDICT_UNKNOWN);
}

/* 2 to 5 on its own core, 8 on the GPU, 4 on the core: requests jitter by 3. */
static void cpu_segments_are_jitter_and_tail(void) {
    analysis_case_start(&it);
    analysis_case_add(&it, 0, 30, 24);
    analysis_case_segment(&it, false, 2, 5);
    analysis_case_segment(&it, true, 1, 8);
    analysis_case_segment(&it, false, 1, 4);
    analysis_case_add(&it, 8, 40, 40);
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-fp-response"), GRT_VERDICT_SCHEDULABLE);
    CU_ASSERT_EQUAL(it.response[0], 5 + 7 + 8 + 4);
    CU_ASSERT_EQUAL(it.response[1], 8 + 8);
    it.tasks[0].deadline = 23;
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-fp-response"), GRT_VERDICT_UNKNOWN);
    it.tasks[0].deadline = 60;
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-fp-response"), GRT_VERDICT_SCHEDULABLE);
    it.tasks[0].period = 23; /* its jobs might overlap: nothing is known of the core's part */
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-fp-response"), GRT_VERDICT_UNKNOWN);
    CU_ASSERT_STRING_EQUAL(it.result.reason, "jobs of task a may overlap on its core");
}

static void overload_is_proven_by_releases_together(void) {
    analysis_case_start(&it);
    analysis_case_add(&it, 5, 10, 100);
    analysis_case_add(&it, 6, 10, 100);
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-fp-response"), GRT_VERDICT_UNSCHEDULABLE);
    CU_ASSERT_EQUAL(it.result.failing, 1);
    CU_ASSERT_EQUAL(it.response[0], 10);
    CU_ASSERT_EQUAL(it.response[1], GRT_ANALYSIS_NEVER);
    CU_ASSERT(it.result.has_witness);
    CU_ASSERT(analysis_case_time(&it, "first_miss_by") >= 1100);
}

static void times_of_years_do_not_overflow(void) {
    int64_t year = INT64_C(31557600000000000), most = INT64_C(1000000000000000000);
    analysis_case_start(&it);
    analysis_case_add(&it, 15 * year, 31 * year, 31 * year);
    analysis_case_add(&it, 15 * year, 31 * year, 31 * year);
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-fp-response"), GRT_VERDICT_SCHEDULABLE);
    CU_ASSERT_EQUAL(it.response[1], 30 * year);
    analysis_case_add(&it, most, most, most)->jitter = 0;
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-fp-response"), GRT_VERDICT_UNSCHEDULABLE);
    it.tasks[2].period = most + 1;
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-fp-response"), GRT_VERDICT_INAPPLICABLE);
    CU_ASSERT_STRING_EQUAL(it.result.reason, "task c has times above 31 years");
}

static void many_tasks_need_memory(void) {
    analysis_case_start(&it);
    for (int i = 0; i < ANALYSIS_CASE_TASKS; i++) {
        analysis_case_add(&it, 2, 200, 200);
    }
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-fp-response"), GRT_VERDICT_SCHEDULABLE);
    CU_ASSERT_EQUAL(it.response[0], 1 + 2);
    CU_ASSERT_EQUAL(it.response[ANALYSIS_CASE_TASKS - 2], 2 * (ANALYSIS_CASE_TASKS - 1) + 1);
    CU_ASSERT_EQUAL(it.response[ANALYSIS_CASE_TASKS - 1], 2 * ANALYSIS_CASE_TASKS);
    it.tasks[ANALYSIS_CASE_TASKS - 1].period = 0;
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-fp-response"), GRT_VERDICT_INAPPLICABLE);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"messages of Davis and others", messages_of_davis_and_others},
        {"a lower request blocks for a tick less", a_lower_request_blocks_for_a_tick_less},
        {"rates order tasks", rates_order_tasks},
        {"equal priorities may go either way", equal_priorities_may_go_either_way},
        {"jitter brings requests together", jitter_brings_requests_together},
        {"deadlines from the release leave jitter out", deadlines_from_the_release_leave_jitter_out},
        {"CPU segments are jitter and tail", cpu_segments_are_jitter_and_tail},
        {"overload is proven by releases together", overload_is_proven_by_releases_together},
        {"many tasks need memory", many_tasks_need_memory},
        {"times of years do not overflow", times_of_years_do_not_overflow},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("response times under non-preemptive fixed priorities", tests);
}
