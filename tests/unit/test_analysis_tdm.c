/* The analysis tdm: tasks without a slot have deadlines, too, and no set is called schedulable before these are known to be met. */
#include <string.h>

#include "policies/tdm/tdm.h"
#include "tests/support/analysis_case.h"
#include "tests/support/suite.h"

static struct analysis_case it;

/* A task with a slot, and one that computes for `time` of its period of 100. */
static struct grt_analysis_task *start(int64_t time, int64_t deadline) {
    static const struct grt_step work = {.each = 1, .units = 10, .new_segment = true};
    analysis_case_start(&it);
    analysis_case_add(&it, 10, 200, 200);
    it.segments[0][0].steps = &work;
    it.segments[0][0].step_count = 1;
    struct grt_analysis_task *task = analysis_case_add(&it, time, 100, deadline);
    it.segments[1][0].on_gpu = false;
    return task;
}

static enum grt_verdict run(void) {
    return analysis_case_run(&it, "tdm");
}

static void expect_doubt(void) {
    CU_ASSERT_EQUAL(run(), GRT_VERDICT_UNKNOWN);
    CU_ASSERT_EQUAL(it.result.failing, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(it.result.reason, "which has no slot, may miss its deadlines"));
    CU_ASSERT(analysis_case_time(&it, "server_period") > 0); /* the parameters are good all the same */
}

static void computing_in_time_is_enough(void) {
    start(60, 60);
    CU_ASSERT_EQUAL(run(), GRT_VERDICT_SCHEDULABLE);
    CU_ASSERT_EQUAL(it.response[1], 60);
    start(60, 59);
    expect_doubt();
    start(101, GRT_ANALYSIS_NEVER);
    CU_ASSERT_EQUAL(run(), GRT_VERDICT_SCHEDULABLE);
    CU_ASSERT_EQUAL(it.response[1], GRT_ANALYSIS_NEVER);
    start(100, 500);
    CU_ASSERT_EQUAL(run(), GRT_VERDICT_SCHEDULABLE);
    start(101, 500); /* ever later */
    expect_doubt();
}

/* Counted from releases, jitter does not matter as long as no job is in the way of the next. */
static void jitter_comes_before(void) {
    start(60, 70)->jitter = 10;
    CU_ASSERT_EQUAL(run(), GRT_VERDICT_SCHEDULABLE);
    CU_ASSERT_EQUAL(it.response[1], 70);
    start(60, 70)->jitter = 11;
    expect_doubt();
    for (int64_t jitter = 40; jitter <= 41; jitter++) {
        struct grt_analysis_task *task = start(60, 60);
        task->jitter = jitter;
        task->deadline_from_release = true;
        CU_ASSERT_EQUAL(run(), jitter == 40 ? GRT_VERDICT_SCHEDULABLE : GRT_VERDICT_UNKNOWN);
    }
}

static void what_is_not_known_is_not_proven(void) {
    start(60, 100)->shares_core = true;
    expect_doubt();
    start(60, 100)->after_others = true;
    expect_doubt();
    start(60, 100)->period = 0;
    expect_doubt();
}

/* The window ends at the deadline, counted from the arrival, or where the next job may come, and the core's time is missing from it. */
static void windows(void) {
    struct tdm_task task;
    uint32_t order;
    struct grt_analysis_task *a = start(60, 60) - 1;
    it.set.count = 1;
    a->jitter = 10;
    a->deadline = 50;
    CU_ASSERT_EQUAL(tdm_tasks_of(&it.set, &task, &order), 1);
    CU_ASSERT_EQUAL(task.deadline, 50);
    a->deadline_from_release = true;
    tdm_tasks_of(&it.set, &task, &order);
    CU_ASSERT_EQUAL(task.deadline, 60);
    a->deadline = 500;
    it.segments[0][1] = (struct grt_analysis_segment){.shortest = 1, .longest = 20};
    a->segment_count = 2;
    tdm_tasks_of(&it.set, &task, &order);
    CU_ASSERT_EQUAL(task.deadline, 200 - 20);
}

static void expect_refusal(const char *reason) {
    CU_ASSERT_EQUAL(run(), GRT_VERDICT_INAPPLICABLE);
    CU_ASSERT_STRING_EQUAL(it.result.reason, reason);
}

static void refusals(void) {
    start(60, 60);
    it.set.interference = "something else";
    expect_refusal("something else");
    start(60, 60);
    it.tasks[0].shares_core = true;
    it.segments[0][1] = (struct grt_analysis_segment){.shortest = 1, .longest = 1};
    it.tasks[0].segment_count = 2;
    expect_refusal("task a shares the core of its CPU segments");
    start(60, 60);
    it.tasks[0].after_others = true;
    expect_refusal("task a is released by the ends of other tasks' jobs");
}

int main(void) {
    CU_TestInfo tests[] = {
        {"computing in time is enough", computing_in_time_is_enough},
        {"jitter comes before", jitter_comes_before},
        {"refusals", refusals},
        {"windows", windows},
        {"what is not known is not proven", what_is_not_known_is_not_proven},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("the analysis tdm", tests);
}
