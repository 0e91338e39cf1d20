/* Cores: preemption, ties, cores of one's own, aborts, accounting, with times computed by hand. */
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

enum { A, B, C };

static struct grt_builder *on_cores(int64_t cores) {
    struct grt_builder *builder = grt_builder_create(1000);
    grt_builder_gpu(builder, grt_built_exclusive());
    builder->scenario.core_count = cores;
    return builder;
}

/* A task of one CPU segment. */
static struct grt_task *add(struct grt_builder *builder, int64_t core, int64_t priority, grt_time at,
                            grt_time time) {
    struct grt_task *task = grt_builder_task(builder, "t");
    task->cpu = core;
    task->priority = priority;
    grt_builder_at(builder, task, at);
    grt_builder_cpu(builder, task, time);
    return task;
}

/* The nth slice of a task's first job. */
static void slice(const struct grt_built_run *run, uint32_t task, uint32_t nth, grt_time from, grt_time to,
                  uint8_t flags) {
    const struct grt_trace_record *record = grt_built_run_find(run, GRT_TRACE_CPU, task, 0, nth);
    CU_ASSERT_PTR_NOT_NULL_FATAL(record);
    CU_ASSERT_EQUAL(record->other, from);
    CU_ASSERT_EQUAL(record->time, to);
    CU_ASSERT_EQUAL(record->flags, flags);
}

static void more_urgent_threads_preempt(void) {
    struct grt_builder *builder = on_cores(1);
    struct grt_built_run run;
    add(builder, 0, 1, 0, 10);
    add(builder, 0, 2, 3, 4);
    add(builder, 0, 3, 5, 1);
    grt_built_run_under(&run, builder, "hardware");
    slice(&run, A, 0, 0, 3, GRT_TRACE_PREEMPTED);
    slice(&run, B, 0, 3, 5, GRT_TRACE_PREEMPTED);
    slice(&run, C, 0, 5, 6, 0);
    slice(&run, B, 1, 6, 8, 0);
    slice(&run, A, 1, 8, 15, 0);
    CU_ASSERT_EQUAL(run.result->cores[0].busy, 15);
    grt_built_run_end(&run, builder);
}

static void equal_threads_do_not_preempt(void) {
    struct grt_builder *builder = on_cores(1);
    struct grt_built_run run;
    add(builder, 0, 1, 3, 5); /* the lower index does not help while B runs */
    add(builder, 0, 1, 0, 10);
    grt_built_run_under(&run, builder, "hardware");
    slice(&run, B, 0, 0, 10, 0);
    slice(&run, A, 0, 10, 15, 0);
    grt_built_run_end(&run, builder);
}

/* B is preempted at 2 and ready again at 5, together with A, released at 4: each tie rule in turn. */
static void ties_decide_between_equals(void) {
    for (int ties = GRT_TIES_TASK; ties <= GRT_TIES_ARRIVAL; ties++) {
        struct grt_builder *builder = on_cores(1);
        struct grt_built_run run;
        builder->scenario.ties = ties;
        add(builder, 0, 1, 4, 10);
        add(builder, 0, 1, 0, 10);
        add(builder, 0, 2, 2, 3);
        grt_built_run_under(&run, builder, "hardware");
        CU_ASSERT_EQUAL(grt_built_run_finish(&run, A, 0), ties == GRT_TIES_TASK ? 15 : 23);
        CU_ASSERT_EQUAL(grt_built_run_finish(&run, B, 0), ties == GRT_TIES_TASK ? 23 : 13);
        grt_built_run_end(&run, builder);
    }
}

static void cores_are_apart(void) {
    struct grt_builder *builder = on_cores(3);
    struct grt_built_run run;
    add(builder, 0, 1, 0, 10);
    add(builder, 2, 1, 0, 10);
    add(builder, 2, 0, 0, 10);
    grt_built_run_under(&run, builder, "hardware");
    slice(&run, A, 0, 0, 10, 0);
    slice(&run, B, 0, 0, 10, 0);
    slice(&run, C, 0, 10, 20, 0);
    CU_ASSERT_EQUAL(run.result->core_count, 3);
    CU_ASSERT_EQUAL(run.result->cores[0].busy, 10);
    CU_ASSERT_EQUAL(run.result->cores[1].busy, 0);
    CU_ASSERT_EQUAL(run.result->cores[2].busy, 20);
    grt_built_run_end(&run, builder);
}

static void without_cores_each_has_its_own(void) {
    struct grt_builder *builder = on_cores(0);
    struct grt_built_run run;
    add(builder, -1, 0, 0, 10);
    add(builder, -1, 0, 0, 10);
    grt_built_run_under(&run, builder, "hardware");
    slice(&run, A, 0, 0, 10, 0);
    slice(&run, B, 0, 0, 10, 0);
    CU_ASSERT_EQUAL(run.result->core_count, 0);
    grt_built_run_end(&run, builder);
}

/* A is aborted while it runs, B while it is ready after a preemption. */
static void aborts_leave_the_core(void) {
    struct grt_builder *builder = on_cores(1);
    struct grt_built_run run;
    struct grt_task *task = add(builder, 0, 2, 2, 10);
    task->deadline = 4;
    task->on_miss = GRT_MISS_ABORT;
    task = add(builder, 0, 1, 0, 10);
    task->deadline = 5;
    task->on_miss = GRT_MISS_ABORT;
    add(builder, 0, 0, 0, 10);
    grt_built_run_under(&run, builder, "hardware");
    slice(&run, B, 0, 0, 2, GRT_TRACE_PREEMPTED);
    slice(&run, A, 0, 2, 6, GRT_TRACE_ABORTED);
    CU_ASSERT_EQUAL(grt_built_run_abort(&run, B, 0), 5);
    CU_ASSERT_PTR_NULL(grt_built_run_find(&run, GRT_TRACE_CPU, B, 0, 1));
    slice(&run, C, 0, 6, 16, 0);
    grt_built_run_end(&run, builder);
}

/* A segment of no time waits for the core and takes a nanosecond. */
static void no_work_waits_for_its_turn(void) {
    struct grt_builder *builder = on_cores(1);
    struct grt_built_run run;
    add(builder, 0, 1, 0, 10);
    add(builder, 0, 0, 3, 0);
    grt_built_run_under(&run, builder, "hardware");
    slice(&run, B, 0, 10, 11, 0);
    CU_ASSERT_EQUAL(grt_built_run_finish(&run, B, 0), 11);
    grt_built_run_end(&run, builder);
}

static void the_end_of_the_run_cuts_slices(void) {
    struct grt_builder *builder = on_cores(1);
    struct grt_built_run run;
    builder->scenario.horizon = 7;
    add(builder, 0, 1, 0, 10);
    grt_built_run_under(&run, builder, "hardware");
    slice(&run, A, 0, 0, 7, GRT_TRACE_OPEN);
    CU_ASSERT_EQUAL(run.result->cores[0].busy, 7);
    CU_ASSERT_EQUAL(run.result->tasks[A].unfinished, 1);
    grt_built_run_end(&run, builder);
}

/* A GPU segment frees the core; when it is over, the thread preempts again. */
static void gpu_segments_suspend(void) {
    struct grt_builder *builder = on_cores(1);
    struct grt_built_run run;
    struct grt_task *task = add(builder, 0, 1, 0, 2);
    grt_builder_whole(builder, task, 5);
    grt_builder_cpu(builder, task, 3);
    add(builder, 0, 0, 0, 8);
    grt_built_run_under(&run, builder, "hardware");
    slice(&run, A, 0, 0, 2, 0);
    slice(&run, B, 0, 2, 7, GRT_TRACE_PREEMPTED);
    slice(&run, A, 1, 7, 10, 0);
    slice(&run, B, 1, 10, 13, 0);
    grt_built_run_end(&run, builder);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"more urgent threads preempt", more_urgent_threads_preempt},
        {"equal threads do not preempt", equal_threads_do_not_preempt},
        {"ties decide between equals", ties_decide_between_equals},
        {"cores are apart", cores_are_apart},
        {"without cores each has its own", without_cores_each_has_its_own},
        {"aborts leave the core", aborts_leave_the_core},
        {"no work waits for its turn", no_work_waits_for_its_turn},
        {"the end of the run cuts slices", the_end_of_the_run_cuts_slices},
        {"GPU segments suspend", gpu_segments_suspend},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("cores", tests);
}
