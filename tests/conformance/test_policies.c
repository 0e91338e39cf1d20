/* The same cases under every policy that is registered: what no policy may break. */
#include "tests/support/every_policy.h"
#include "tests/support/random_world.h"
#include "tests/support/suite.h"

static struct grt_builder *on_exclusive(grt_time horizon) {
    struct grt_builder *builder = grt_builder_create(horizon);
    grt_builder_gpu(builder, grt_built_exclusive());
    return builder;
}

/* ---- nothing, little, too much ---- */

static void saw_nothing(const struct grt_built_run *run) {
    CU_ASSERT_EQUAL(run->kept.record_count, 0);
    CU_ASSERT_EQUAL(run->result->gpus[0].busy, 0);
    CU_ASSERT_EQUAL(run->result->end, 1000);
}

static void idle(void) {
    struct grt_builder *builder = on_exclusive(1000);
    struct grt_task *task = grt_builder_task(builder, "later");
    grt_builder_at(builder, task, 1001);
    grt_builder_whole(builder, task, 10);
    task = grt_builder_task(builder, "never");
    grt_builder_times(builder, task, NULL, 0);
    grt_builder_cpu(builder, task, 10);
    grt_run_under_every_policy(builder, saw_nothing);
}

static void saw_ten_jobs(const struct grt_built_run *run) {
    CU_ASSERT_EQUAL(run->result->tasks[0].met, 10);
    CU_ASSERT_EQUAL(run->result->tasks[0].unfinished, 0); /* none is released at the horizon */
    CU_ASSERT_EQUAL(run->result->tasks[0].response.min, 7);
    CU_ASSERT_EQUAL(run->result->tasks[0].response.max, 7);
    CU_ASSERT_EQUAL(run->result->tasks[0].gpu_wait.max, 0);
    CU_ASSERT_EQUAL(run->result->tasks[0].blocking.max, 0);
    CU_ASSERT_EQUAL(run->result->gpus[0].busy, 70);
}

static void one_task(void) {
    struct grt_builder *builder = on_exclusive(100);
    struct grt_task *task = grt_builder_task(builder, "only");
    grt_builder_periodic(task, 10, 0);
    grt_builder_whole(builder, task, 7);
    grt_run_under_every_policy(builder, saw_ten_jobs);
}

static void gpu_was_never_idle(const struct grt_built_run *run) {
    CU_ASSERT_EQUAL(run->result->gpus[0].busy, 1000);
    CU_ASSERT(run->result->tasks[0].missed + run->result->tasks[1].missed > 0);
}

static void overload(void) {
    struct grt_builder *builder = on_exclusive(1000);
    for (int i = 0; i < 3; i++) {
        struct grt_task *task = grt_builder_task(builder, "t");
        grt_builder_periodic(task, 10 + i, 0);
        grt_builder_whole(builder, task, 6);
    }
    grt_run_under_every_policy(builder, gpu_was_never_idle);
}

static void saw_the_first_instant(const struct grt_built_run *run) {
    CU_ASSERT_EQUAL(run->result->tasks[0].released, 1);
    CU_ASSERT_EQUAL(run->result->tasks[0].unfinished + run->result->tasks[0].finished, 1);
    CU_ASSERT_EQUAL(run->result->tasks[1].released, 1);
}

static void saw_no_instant(const struct grt_built_run *run) {
    CU_ASSERT_EQUAL(run->result->tasks[0].released + run->result->tasks[1].released, 0);
    CU_ASSERT_EQUAL(run->result->end, 0);
}

/* A horizon of 0 ends before the releases at 0; one of 1 ns holds them and the completion at 1. */
static void short_horizons(void) {
    for (grt_time horizon = 0; horizon < 2; horizon++) {
        struct grt_builder *builder = on_exclusive(horizon);
        struct grt_task *task = grt_builder_task(builder, "gpu");
        grt_builder_periodic(task, 10, 0);
        grt_builder_whole(builder, task, 1);
        task = grt_builder_task(builder, "cpu");
        grt_builder_periodic(task, 10, 0);
        grt_builder_cpu(builder, task, 1);
        grt_builder_copy(builder, task, GRT_COMMAND_H2D, 5);
        grt_run_under_every_policy(builder, horizon == 0 ? saw_no_instant : saw_the_first_instant);
    }
}

/* ---- aborts ---- */

/* The instant at which job 0 of a task is aborted, and nothing else of it. */
static void aborted_at(const struct grt_built_run *run, uint32_t task, grt_time instant) {
    CU_ASSERT_EQUAL(grt_built_run_abort(run, task, 0), instant);
    CU_ASSERT_EQUAL(run->result->tasks[task].aborted, 1);
    CU_ASSERT_EQUAL(run->result->tasks[task].finished, 0);
}

static void saw_all_aborts(const struct grt_built_run *run) {
    static const grt_time instants[] = {12, 3, 2, 13, 8, 9};
    for (uint32_t task = 0; task < sizeof instants / sizeof instants[0]; task++) {
        aborted_at(run, task, instants[task]);
    }
    CU_ASSERT_EQUAL(grt_built_run_finish(run, 6, 0), 130); /* the GPU is free again */
}

/* Task 0 runs on the GPU from 0 on and is aborted at 12, but its kernel runs out at 30; tasks 1 and 2 are aborted on
 * the core, running and ready; 3, 4 and 5 while they wait for the GPU; task 6 comes last and runs. */
static void aborts(void) {
    struct grt_builder *builder = on_exclusive(1000);
    static const grt_time deadlines[] = {12, 3, 2, 12, 7, 8};
    builder->scenario.core_count = 1;
    for (int i = 0; i < 6; i++) {
        struct grt_task *task = grt_builder_task(builder, "t");
        task->cpu = 0;
        task->deadline = deadlines[i];
        task->on_miss = GRT_MISS_ABORT;
        if (i == 1 || i == 2) {
            grt_builder_cpu(builder, task, 50);
        } else {
            grt_builder_at(builder, task, i > 2);
        }
        grt_builder_whole(builder, task, 30);
        grt_builder_copy(builder, task, GRT_COMMAND_D2H, 20);
    }
    struct grt_task *last = grt_builder_task(builder, "last");
    last->cpu = 0;
    grt_builder_at(builder, last, 100);
    grt_builder_whole(builder, last, 30);
    grt_run_under_every_policy(builder, saw_all_aborts);
}

static void saw_pending_aborts(const struct grt_built_run *run) {
    static const grt_time instants[] = {10, 11, 12, 210};
    for (uint32_t job = 0; job < 4; job++) {
        CU_ASSERT_EQUAL(grt_built_run_abort(run, 0, job), instants[job]);
    }
    CU_ASSERT_EQUAL(run->result->tasks[0].aborted, 4);
    CU_ASSERT_EQUAL(grt_built_run_count(run, GRT_TRACE_GPU_REQUEST), 2);
    CU_ASSERT_EQUAL(run->result->gpus[0].busy, 60);
}

/* Jobs 1 and 2 wait behind job 0, which drains until 30, and never begin. */
static void aborts_of_pending_jobs(void) {
    static const grt_time times[] = {0, 1, 2, 200};
    struct grt_builder *builder = on_exclusive(1000);
    struct grt_task *task = grt_builder_task(builder, "t");
    grt_builder_times(builder, task, times, 4);
    task->deadline = 10;
    task->on_miss = GRT_MISS_ABORT;
    grt_builder_whole(builder, task, 30);
    grt_run_under_every_policy(builder, saw_pending_aborts);
}

/* ---- skip-next and stop ---- */

static void saw_skips(const struct grt_built_run *run) {
    /* job 0 misses at 10 and finishes at 15; job 1 is skipped; job 2 comes at 20, and so on */
    CU_ASSERT_EQUAL(grt_built_run_finish(run, 0, 0), 15);
    CU_ASSERT_EQUAL(grt_built_run_release(run, 0, 1), GRT_TIME_NEVER);
    CU_ASSERT_EQUAL(grt_built_run_finish(run, 0, 2), 35);
    CU_ASSERT_EQUAL(run->result->tasks[0].skipped, 5);
    CU_ASSERT_EQUAL(run->result->tasks[0].finished, 5);
    CU_ASSERT_EQUAL(run->result->tasks[0].missed, 5);
    CU_ASSERT_EQUAL(run->result->tasks[0].worst_tardiness, 5);
}

static void skip_next(void) {
    struct grt_builder *builder = on_exclusive(99);
    struct grt_task *task = grt_builder_task(builder, "t");
    grt_builder_periodic(task, 10, 0);
    task->on_miss = GRT_MISS_SKIP_NEXT;
    grt_builder_whole(builder, task, 15);
    grt_run_under_every_policy(builder, saw_skips);
}

static void saw_the_stop(const struct grt_built_run *run) {
    CU_ASSERT(run->result->stopped_by_miss);
    CU_ASSERT_EQUAL(run->result->end, 20);
    CU_ASSERT_EQUAL(run->result->tasks[0].unfinished, 1);
    CU_ASSERT_EQUAL(run->result->tasks[0].missed, 1);
}

static void stop(void) {
    struct grt_builder *builder = on_exclusive(1000);
    struct grt_task *task = grt_builder_task(builder, "t");
    task->deadline = 20;
    task->on_miss = GRT_MISS_STOP;
    grt_builder_whole(builder, task, 30);
    task = grt_builder_task(builder, "other");
    grt_builder_periodic(task, 10, 0);
    grt_builder_cpu(builder, task, 3);
    grt_run_under_every_policy(builder, saw_the_stop);
}

/* ---- precedence ---- */

static void saw_the_chain(const struct grt_built_run *run) {
    CU_ASSERT_EQUAL(grt_built_run_release(run, 2, 0), 12); /* the later of 5 and 12 */
    CU_ASSERT_EQUAL(grt_built_run_finish(run, 2, 0), 15);
    CU_ASSERT_EQUAL(run->result->tasks[2].response.min, 15); /* from the predecessors' arrival */
}

static void precedence(void) {
    struct grt_builder *builder = on_exclusive(99);
    struct grt_task *first = grt_builder_task(builder, "gpu"), *second = grt_builder_task(builder, "cpu");
    struct grt_task *both = grt_builder_task(builder, "both");
    grt_builder_periodic(first, 100, 0);
    grt_builder_periodic(second, 100, 0);
    grt_builder_whole(builder, first, 5);
    grt_builder_cpu(builder, second, 12);
    grt_builder_after(builder, both, first);
    grt_builder_after(builder, both, second);
    grt_builder_whole(builder, both, 3);
    grt_run_under_every_policy(builder, saw_the_chain);
}

static void saw_lost_jobs(const struct grt_built_run *run) {
    CU_ASSERT_EQUAL(grt_built_run_abort(run, 0, 0), 10);
    CU_ASSERT_EQUAL(run->result->tasks[0].aborted, 1);
    for (uint32_t task = 1; task < 3; task++) { /* job 0 is lost all along the chain, job 1 is not */
        CU_ASSERT_EQUAL(run->result->tasks[task].skipped, 1);
        CU_ASSERT_EQUAL(run->result->tasks[task].finished, 1);
        CU_ASSERT_EQUAL(grt_built_run_release(run, task, 0), GRT_TIME_NEVER);
    }
    CU_ASSERT_EQUAL(grt_built_run_finish(run, 2, 1), 111);
}

/* Job 0 of the first task meets a GPU that is taken, and is aborted. */
static void lost_predecessors(void) {
    struct grt_builder *builder = on_exclusive(199);
    struct grt_task *first = grt_builder_task(builder, "first"),
                    *second = grt_builder_task(builder, "second");
    struct grt_task *third = grt_builder_task(builder, "third"),
                    *in_the_way = grt_builder_task(builder, "other");
    grt_builder_periodic(first, 100, 1);
    first->deadline = 9;
    first->on_miss = GRT_MISS_ABORT;
    grt_builder_whole(builder, first, 4);
    grt_builder_after(builder, second, first);
    grt_builder_cpu(builder, second, 4);
    grt_builder_after(builder, third, second);
    grt_builder_whole(builder, third, 2);
    grt_builder_whole(builder, in_the_way, 30);
    grt_run_under_every_policy(builder, saw_lost_jobs);
}

static void saw_order_kept(const struct grt_built_run *run) {
    CU_ASSERT_EQUAL(grt_built_run_release(run, 1, 0), 15);
    CU_ASSERT_EQUAL(grt_built_run_release(run, 1, 1), GRT_TIME_NEVER);
    CU_ASSERT_EQUAL(grt_built_run_release(run, 1, 2), 35);
}

/* Job 1 of the first task is skipped at 10, while job 0 goes on until 15: the successor's job 0 is not lost. */
static void skipped_before_the_earlier_one_ends(void) {
    struct grt_builder *builder = on_exclusive(39);
    struct grt_task *first = grt_builder_task(builder, "first"),
                    *second = grt_builder_task(builder, "second");
    grt_builder_periodic(first, 10, 0);
    first->on_miss = GRT_MISS_SKIP_NEXT;
    grt_builder_whole(builder, first, 15);
    grt_builder_after(builder, second, first);
    grt_builder_cpu(builder, second, 1);
    grt_run_under_every_policy(builder, saw_order_kept);
}

/* ---- more of everything ---- */

static void saw_two_gpus(const struct grt_built_run *run) {
    CU_ASSERT_EQUAL(grt_built_run_finish(run, 0, 0), 10);
    CU_ASSERT_EQUAL(grt_built_run_finish(run, 1, 0), 12);
    CU_ASSERT_EQUAL(run->result->gpus[0].busy, 10);
    CU_ASSERT_EQUAL(run->result->gpus[1].busy, 12);
}

static void two_gpus(void) {
    struct grt_builder *builder = on_exclusive(50);
    grt_builder_gpu(builder, grt_built_exclusive());
    for (int i = 0; i < 2; i++) {
        struct grt_task *task = grt_builder_task(builder, "t");
        task->gpu = i;
        grt_builder_whole(builder, task, 10 + 2 * i);
    }
    grt_run_under_every_policy(builder, saw_two_gpus);
}

static void saw_all_segments(const struct grt_built_run *run) {
    CU_ASSERT_EQUAL(grt_built_run_finish(run, 0, 0), 21); /* 1 + (2 + 3) + 4 + 5 + 6 */
    CU_ASSERT_EQUAL(run->result->tasks[0].gpu_wait.count, 3);
    CU_ASSERT_EQUAL(run->result->tasks[0].gpu_wait.max, 2); /* the copy before the first kernel */
    CU_ASSERT_EQUAL(run->result->tasks[0].gpu_wait.sum_low, 2);
}

static void many_segments(void) {
    struct grt_builder *builder = on_exclusive(50);
    struct grt_task *task = grt_builder_task(builder, "t");
    grt_builder_cpu(builder, task, 1);
    grt_builder_copy(builder, task, GRT_COMMAND_H2D, 2);
    grt_builder_whole(builder, task, 3);
    grt_builder_gpu_segment(builder, task); /* two GPU segments in a row */
    grt_builder_whole(builder, task, 4);
    grt_builder_cpu(builder, task, 5);
    grt_builder_copy(builder, task, GRT_COMMAND_D2H, 6);
    grt_run_under_every_policy(builder, saw_all_segments);
}

static void saw_ten_at_once(const struct grt_built_run *run) {
    uint64_t waited = 0;
    for (size_t i = 0; i < run->result->task_count; i++) {
        CU_ASSERT_EQUAL(run->result->tasks[i].finished, 1);
        waited += run->result->tasks[i].gpu_wait.sum_low;
    }
    CU_ASSERT_EQUAL(waited, 5 * (0 + 1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9));
}

static void same_instant(void) {
    struct grt_builder *builder = on_exclusive(50);
    for (int i = 0; i < 10; i++) {
        struct grt_task *task = grt_builder_task(builder, "t");
        task->priority = i % 3;
        task->period = 10;
        task->deadline = 100 + i % 4;
        grt_builder_whole(builder, task, 5);
    }
    grt_run_under_every_policy(builder, saw_ten_at_once);
}

static void random_worlds(void) {
    for (uint64_t number = 0; number < 40; number++) {
        grt_run_under_every_policy(grt_random_world(2000000 + number), NULL);
    }
}

int main(void) {
    CU_TestInfo tests[] = {
        {"idle", idle},
        {"one task", one_task},
        {"overload", overload},
        {"short horizons", short_horizons},
        {"aborts in every state", aborts},
        {"aborts of pending jobs", aborts_of_pending_jobs},
        {"skip-next", skip_next},
        {"stop", stop},
        {"precedence", precedence},
        {"lost predecessors", lost_predecessors},
        {"skipped before the earlier one ends", skipped_before_the_earlier_one_ends},
        {"two GPUs", two_gpus},
        {"many segments", many_segments},
        {"many requests at one instant", same_instant},
        {"random worlds", random_worlds},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("conformance of the policies", tests);
}
