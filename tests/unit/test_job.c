/* A job's way: in turn within its task, its draws whatever becomes of others, deadlines and what follows a miss. */
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

enum { A, B };

static struct grt_builder *on_exclusive(grt_time horizon) {
    struct grt_builder *builder = grt_builder_create(horizon);
    grt_builder_gpu(builder, grt_built_exclusive());
    return builder;
}

static void jobs_of_a_task_go_in_turn(void) {
    struct grt_builder *builder = on_exclusive(49);
    struct grt_built_run run;
    struct grt_task *task = grt_builder_task(builder, "t");
    grt_builder_periodic(task, 10, 0);
    grt_builder_cpu(builder, task, 3);
    grt_builder_whole(builder, task, 12);
    grt_built_run_under(&run, builder, "fifo");
    for (uint32_t job = 0; job < 3; job++) {
        CU_ASSERT_EQUAL(grt_built_run_finish(&run, A, job), 15 * (job + 1));
    }
    const struct grt_task_result *result = &run.result->tasks[A];
    CU_ASSERT_EQUAL(result->released, 5);
    CU_ASSERT_EQUAL(result->finished, 3);
    CU_ASSERT_EQUAL(result->met, 0);
    CU_ASSERT_EQUAL(result->unfinished, 2);
    CU_ASSERT_EQUAL(result->missed, 4); /* the deadline of job 3, unfinished, has passed too */
    CU_ASSERT_EQUAL(result->worst_tardiness, 15);
    CU_ASSERT_EQUAL(result->response.min, 15);
    CU_ASSERT_EQUAL(result->response.max, 25);
    grt_built_run_end(&run, builder);
}

/* ---- draws ---- */

enum { JOBS = 40 };

/* The CPU time of each of A's jobs that finished, else -1. A draws for its core and twice for the GPU; `change` alters
 * what happens around the draws. */
static void draws_of(void (*change)(struct grt_builder *builder), const char *policy, grt_time cpu[JOBS],
                     grt_time gpu[JOBS]) {
    struct grt_builder *builder = on_exclusive(100 * JOBS);
    struct grt_built_run run;
    struct grt_task *task = grt_builder_task(builder, "t");
    grt_builder_periodic(task, 50, 0);
    grt_builder_cpu(builder, task, 40)->cpu_time.kind = GRT_UNIFORM;
    grt_builder_whole(builder, task, 40)->block_time.kind = GRT_UNIFORM;
    grt_builder_whole(builder, task, 2)->block_time =
        (struct grt_distribution){.kind = GRT_UNIFORM, .min = 1, .max = 9};
    change(builder);
    grt_built_run_under(&run, builder, policy);
    for (uint32_t job = 0; job < JOBS; job++) {
        const struct grt_trace_record *slice = grt_built_run_find(&run, GRT_TRACE_CPU, A, job, 0);
        const struct grt_trace_record *kernel = grt_built_run_find(&run, GRT_TRACE_KERNEL, A, job, 1);
        bool finished = grt_built_run_finish(&run, A, job) != GRT_TIME_NEVER;
        cpu[job] = finished && slice != NULL ? slice->time - slice->other : -1;
        gpu[job] = finished && kernel != NULL ? kernel->time - kernel->other : -1;
    }
    grt_built_run_end(&run, builder);
}

static void nothing_changes(struct grt_builder *builder) {
    (void)builder;
}

static void late_jobs_are_aborted(struct grt_builder *builder) {
    builder->tasks[A].on_miss = GRT_MISS_ABORT;
}

static void jobs_after_late_ones_are_skipped(struct grt_builder *builder) {
    builder->tasks[A].on_miss = GRT_MISS_SKIP_NEXT;
}

static void another_task_is_there(struct grt_builder *builder) {
    struct grt_task *task = grt_builder_task(builder, "other");
    grt_builder_periodic(task, 30, 0);
    grt_builder_whole(builder, task, 3)->block_time.kind = GRT_UNIFORM;
}

/* Releases in pairs, so that some jobs expire before they begin. */
static void jobs_come_in_pairs(struct grt_builder *builder) {
    grt_time times[JOBS];
    for (int i = 0; i < JOBS; i++) {
        times[i] = i / 2 * 100;
    }
    grt_builder_times(builder, &builder->tasks[A], times, JOBS);
    builder->tasks[A].deadline = 60;
    builder->tasks[A].on_miss = GRT_MISS_ABORT;
}

static void draws_belong_to_the_job(void) {
    static void (*const changes[])(struct grt_builder *) = {
        late_jobs_are_aborted, jobs_after_late_ones_are_skipped, another_task_is_there, jobs_come_in_pairs};
    static const char *const policies[] = {"fifo", "np-edf", "hardware", "fifo"};
    grt_time cpu[JOBS], gpu[JOBS], other_cpu[JOBS], other_gpu[JOBS];
    draws_of(nothing_changes, "fifo", cpu, gpu);
    for (int change = 0; change < 4; change++) {
        int compared = 0;
        draws_of(changes[change], policies[change], other_cpu, other_gpu);
        for (int job = 0; job < JOBS; job++) {
            if (cpu[job] >= 0 && other_cpu[job] >= 0) {
                compared++;
                CU_ASSERT_EQUAL(cpu[job], other_cpu[job]);
                CU_ASSERT_EQUAL(gpu[job], other_gpu[job]);
            }
        }
        CU_ASSERT(compared >= 10);
    }
}

/* ---- deadlines ---- */

/* A job that ends at its deadline has met it, on a core as on the GPU. */
static void the_deadline_itself_is_in_time(void) {
    for (int on_miss = GRT_MISS_CONTINUE; on_miss <= GRT_MISS_STOP; on_miss++) {
        struct grt_builder *builder = on_exclusive(100);
        struct grt_built_run run;
        for (int i = 0; i < 2; i++) {
            struct grt_task *task = grt_builder_task(builder, "t");
            task->deadline = 10;
            task->on_miss = on_miss;
            if (i == 0) {
                grt_builder_cpu(builder, task, 10);
            } else {
                grt_builder_whole(builder, task, 10);
            }
        }
        grt_built_run_under(&run, builder, "np-fp");
        CU_ASSERT_EQUAL(run.result->tasks[A].met, 1);
        CU_ASSERT_EQUAL(run.result->tasks[B].met, 1);
        CU_ASSERT_EQUAL(run.result->end, 100);
        CU_ASSERT_EQUAL(grt_built_run_count(&run, GRT_TRACE_MISS), 0);
        grt_built_run_end(&run, builder);
    }
}

/* The run ends at the deadline of a job that is not through: missed. A job without deadline never is. */
static void unfinished_jobs(void) {
    struct grt_builder *builder = on_exclusive(10);
    struct grt_built_run run;
    struct grt_task *task = grt_builder_task(builder, "due");
    task->deadline = 10;
    grt_builder_whole(builder, task, 11);
    task = grt_builder_task(builder, "never due");
    task->deadline = GRT_TIME_NEVER;
    grt_builder_cpu(builder, task, 11);
    grt_built_run_under(&run, builder, "np-edf");
    CU_ASSERT_EQUAL(run.result->tasks[A].missed, 1);
    CU_ASSERT_EQUAL(grt_built_run_find(&run, GRT_TRACE_UNFINISHED, A, 0, 0)->flags,
                    GRT_TRACE_LATE | GRT_TRACE_OPEN);
    CU_ASSERT_EQUAL(run.result->tasks[B].missed, 0);
    CU_ASSERT_EQUAL(run.result->tasks[B].unfinished, 1);
    CU_ASSERT_EQUAL(grt_built_run_find(&run, GRT_TRACE_UNFINISHED, B, 0, 0)->flags, GRT_TRACE_OPEN);
    grt_built_run_end(&run, builder);
}

/* Deadlines are events only where somebody asked: with `continue` a late job leaves no MISS record. */
static void misses_are_recorded_where_handled(void) {
    for (int on_miss = GRT_MISS_CONTINUE; on_miss <= GRT_MISS_SKIP_NEXT; on_miss++) {
        struct grt_builder *builder = on_exclusive(100);
        struct grt_built_run run;
        struct grt_task *task = grt_builder_task(builder, "t");
        task->deadline = 10;
        task->on_miss = on_miss;
        grt_builder_cpu(builder, task, 12);
        grt_built_run_under(&run, builder, "fifo");
        CU_ASSERT_EQUAL(grt_built_run_count(&run, GRT_TRACE_MISS), on_miss == GRT_MISS_CONTINUE ? 0 : 1);
        CU_ASSERT_EQUAL(run.result->tasks[A].missed, 1);
        CU_ASSERT_EQUAL(run.result->tasks[A].aborted, on_miss == GRT_MISS_ABORT ? 1 : 0);
        grt_built_run_end(&run, builder);
    }
}

/* Each late job costs the next one: 0 is late, 1 is skipped, 2 is in time, 3 comes. */
static void skip_next_skips_one(void) {
    static const grt_time times[] = {0, 10, 20, 30};
    struct grt_builder *builder = on_exclusive(100);
    struct grt_built_run run;
    struct grt_task *task = grt_builder_task(builder, "t");
    grt_builder_times(builder, task, times, 4);
    task->deadline = 8;
    task->on_miss = GRT_MISS_SKIP_NEXT;
    grt_builder_cpu(builder, task, 7);
    grt_builder_whole(builder, task, 1);
    struct grt_task *other = grt_builder_task(builder, "in the way, once");
    grt_builder_at(builder, other, 6);
    grt_builder_whole(builder, other, 3);
    grt_built_run_under(&run, builder, "fifo");
    CU_ASSERT_EQUAL(grt_built_run_finish(&run, A, 0), 10);
    CU_ASSERT_EQUAL(grt_built_run_find(&run, GRT_TRACE_SKIP, A, 1, 0)->time, 10);
    CU_ASSERT_EQUAL(grt_built_run_finish(&run, A, 2), 28);
    CU_ASSERT_EQUAL(grt_built_run_finish(&run, A, 3), 38);
    CU_ASSERT_EQUAL(run.result->tasks[A].skipped, 1);
    CU_ASSERT_EQUAL(run.result->tasks[A].missed, 1);
    grt_built_run_end(&run, builder);
}

/* A, aborted at 5, has a copy of 20 under way in front of its kernel: it has waited until 5, though the device is rid of
 * it only at 20. B's request is taken back at 5 before it was submitted. */
static void waits_end_with_the_job(void) {
    struct grt_builder *builder = on_exclusive(100);
    struct grt_built_run run;
    for (int i = 0; i < 2; i++) {
        struct grt_task *task = grt_builder_task(builder, "t");
        task->deadline = 5;
        task->on_miss = GRT_MISS_ABORT;
        grt_builder_copy(builder, task, GRT_COMMAND_H2D, 20);
        grt_builder_whole(builder, task, 3);
    }
    grt_built_run_under(&run, builder, "fifo");
    for (uint32_t i = A; i <= B; i++) {
        const struct grt_trace_record *segment = grt_built_run_find(&run, GRT_TRACE_GPU_SEGMENT, i, 0, 0);
        CU_ASSERT_PTR_NOT_NULL_FATAL(segment);
        CU_ASSERT_EQUAL(segment->flags, GRT_TRACE_ABORTED);
        CU_ASSERT_EQUAL(segment->time, i == A ? 20 : 5);
        CU_ASSERT_EQUAL(segment->row, i == A ? 0 : GRT_TRACE_NO_ROW);
        CU_ASSERT_EQUAL(run.result->tasks[i].gpu_wait.count, 1);
        CU_ASSERT_EQUAL(run.result->tasks[i].gpu_wait.max, 5);
    }
    grt_built_run_end(&run, builder);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"jobs of a task go in turn", jobs_of_a_task_go_in_turn},
        {"draws belong to the job", draws_belong_to_the_job},
        {"the deadline itself is in time", the_deadline_itself_is_in_time},
        {"unfinished jobs", unfinished_jobs},
        {"misses are recorded where handled", misses_are_recorded_where_handled},
        {"skip-next skips one", skip_next_skips_one},
        {"waits end with the job", waits_end_with_the_job},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("jobs", tests);
}
