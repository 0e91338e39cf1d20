/* Blocking and waiting for the GPU, computed by hand: blocking is the part of the wait during which a less urgent
 * segment is still with the device that was there at the request. */
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

enum { A, B, C, D };

static struct grt_builder *on(struct grt_device device) {
    struct grt_builder *builder = grt_builder_create(GRT_SECOND);
    grt_builder_gpu(builder, device);
    return builder;
}

/* A task of one kernel that fills the device. */
static struct grt_task *add(struct grt_builder *builder, int64_t priority, grt_time at, grt_time time) {
    struct grt_task *task = grt_builder_task(builder, "t");
    task->priority = priority;
    grt_builder_at(builder, task, at);
    grt_builder_whole(builder, task, time);
    return task;
}

static void waited(const struct grt_built_run *run, uint32_t task, grt_time gpu_wait, grt_time blocking) {
    const struct grt_task_result *result = &run->result->tasks[task];
    CU_ASSERT_EQUAL(result->gpu_wait.count, 1);
    CU_ASSERT_EQUAL(result->gpu_wait.max, gpu_wait);
    CU_ASSERT_EQUAL(result->blocking.count, 1);
    CU_ASSERT_EQUAL(result->blocking.max, blocking);
}

/* A, least urgent, runs 0 to 10. B asks at 3, the most urgent, C at 4. C waits for A, which blocks, and for B, which
 * interferes. D, less urgent than all, is not blocked by A's equal. */
static void by_priorities(void) {
    struct grt_builder *builder = on(grt_built_exclusive());
    struct grt_built_run run;
    add(builder, 1, 0, 10);
    add(builder, 3, 3, 5);
    add(builder, 2, 4, 5);
    add(builder, 1, 5, 5);
    grt_built_run_under(&run, builder, "np-fp");
    waited(&run, A, 0, 0);
    waited(&run, B, 7, 7);
    waited(&run, C, 11, 6);
    waited(&run, D, 15, 0);
    grt_built_run_end(&run, builder);
}

/* The same by deadlines and by periods, against the priorities. */
static void by_the_policys_own_order(void) {
    static const char *const names[] = {"np-edf", "np-rm"};
    for (int i = 0; i < 2; i++) {
        struct grt_builder *builder = on(grt_built_exclusive());
        struct grt_built_run run;
        add(builder, 9, 0, 10)->deadline = 500;
        add(builder, 1, 3, 5)->deadline = 100;
        add(builder, 2, 4, 5)->deadline = 200;
        grt_built_run_under(&run, builder, names[i]);
        waited(&run, A, 0, 0);
        waited(&run, B, 7, 7);
        waited(&run, C, 11, 6);
        grt_built_run_end(&run, builder);
    }
}

/* Under fifo C waits for A and for B, which is behind A. Both were asked for before; only A was on the GPU. */
static void only_who_was_on_the_gpu_blocks(void) {
    struct grt_builder *builder = on(grt_built_exclusive());
    struct grt_built_run run;
    add(builder, 1, 0, 10);
    add(builder, 1, 1, 10);
    add(builder, 2, 2, 10);
    grt_built_run_under(&run, builder, "fifo");
    waited(&run, C, 18, 8);
    grt_built_run_end(&run, builder);
}

/* Under hardware B has been submitted too, and blocks until 20. */
static void submitted_segments_block(void) {
    struct grt_builder *builder = on(grt_built_exclusive());
    struct grt_built_run run;
    add(builder, 1, 0, 10);
    add(builder, 1, 1, 10);
    add(builder, 2, 2, 10);
    grt_built_run_under(&run, builder, "hardware");
    waited(&run, C, 18, 18);
    grt_built_run_end(&run, builder);
}

/* B runs beside A from the start: it waits for nobody. */
static void who_begins_is_not_blocked(void) {
    struct grt_builder *builder = on(grt_built_tx2());
    struct grt_built_run run;
    struct grt_task *task = grt_builder_task(builder, "t");
    grt_builder_kernel(builder, task, 1, 32, 100);
    task = grt_builder_task(builder, "t");
    task->priority = 5;
    grt_builder_at(builder, task, 1);
    grt_builder_kernel(builder, task, 1, 32, 100);
    grt_built_run_under(&run, builder, "hardware");
    waited(&run, B, 0, 0);
    grt_built_run_end(&run, builder);
}

/* A is aborted at 4 but on the device until 10; C is taken back at 6, and has waited until then. */
static void aborted_segments_block_until_they_are_gone(void) {
    struct grt_builder *builder = on(grt_built_exclusive());
    struct grt_built_run run;
    struct grt_task *task = add(builder, 1, 0, 10);
    task->deadline = 4;
    task->on_miss = GRT_MISS_ABORT;
    add(builder, 2, 3, 5);
    task = add(builder, 3, 3, 5);
    task->deadline = 3;
    task->on_miss = GRT_MISS_ABORT;
    grt_built_run_under(&run, builder, "np-fp");
    waited(&run, A, 0, 0);
    waited(&run, B, 7, 7);
    waited(&run, C, 3, 3);
    grt_built_run_end(&run, builder);
}

/* The trace says how long, and who blocked. */
static void the_trace_tells_who_blocked(void) {
    struct grt_builder *builder = on(grt_built_exclusive());
    struct grt_built_run run;
    add(builder, 1, 0, 10 * GRT_MICROSECOND);
    add(builder, 2, 3 * GRT_MICROSECOND + 1, 5);
    grt_built_run_under(&run, builder, "np-fp");
    const struct grt_trace_record *blocked = grt_built_run_find(&run, GRT_TRACE_BLOCKED, B, 0, 0);
    CU_ASSERT_PTR_NOT_NULL_FATAL(blocked);
    CU_ASSERT_EQUAL(blocked->other, 3 * GRT_MICROSECOND + 1);
    CU_ASSERT_EQUAL(blocked->time, 10 * GRT_MICROSECOND);
    CU_ASSERT_EQUAL(blocked->row, A);
    CU_ASSERT_EQUAL(grt_built_run_count(&run, GRT_TRACE_BLOCKED), 1);
    waited(&run, B, 6999, 6999);
    grt_built_run_end(&run, builder);
}

/* A finishes at the instant at which B asks: whatever is told first, B is not blocked. */
static void who_leaves_at_the_request_does_not_block(void) {
    struct grt_builder *builder = on(grt_built_exclusive());
    struct grt_built_run run;
    add(builder, 1, 0, 10);
    struct grt_task *task = grt_builder_task(builder, "cpu first");
    task->priority = 2;
    grt_builder_cpu(builder, task, 10);
    grt_builder_whole(builder, task, 5);
    grt_built_run_under(&run, builder, "np-fp");
    waited(&run, B, 0, 0);
    grt_built_run_end(&run, builder);
}

/* C, on GPU 0, waits for B, more urgent. A, less urgent, is on GPU 1 all the time and blocks nobody. */
static void other_gpus_do_not_block(void) {
    struct grt_builder *builder = on(grt_built_exclusive());
    struct grt_built_run run;
    grt_builder_gpu(builder, grt_built_exclusive());
    add(builder, 1, 0, 100)->gpu = 1;
    add(builder, 3, 1, 10);
    add(builder, 2, 2, 5);
    grt_built_run_under(&run, builder, "np-fp");
    waited(&run, C, 9, 0);
    grt_built_run_end(&run, builder);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"by priorities", by_priorities},
        {"by the policy's own order", by_the_policys_own_order},
        {"only who was on the GPU blocks", only_who_was_on_the_gpu_blocks},
        {"submitted segments block", submitted_segments_block},
        {"who begins is not blocked", who_begins_is_not_blocked},
        {"aborted segments block until they are gone", aborted_segments_block_until_they_are_gone},
        {"the trace tells who blocked", the_trace_tells_who_blocked},
        {"who leaves at the request does not block", who_leaves_at_the_request_does_not_block},
        {"other GPUs do not block", other_gpus_do_not_block},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("blocking", tests);
}
