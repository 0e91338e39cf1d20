/* The rules of copies by their published numbers (docs/gpu-model.md), with times computed by hand. A copy of n bytes takes
 * n ns. */
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

enum { A, B, C };

static struct grt_builder *on_tx2(void) {
    struct grt_builder *builder = grt_builder_create(1000);
    grt_builder_gpu(builder, grt_built_tx2());
    return builder;
}

/* A task in a stream (NULL: its own), released at an instant. */
static struct grt_task *add(struct grt_builder *builder, const char *stream, grt_time at) {
    struct grt_task *task = grt_builder_task(builder, "t");
    task->stream = stream;
    grt_builder_at(builder, task, at);
    return task;
}

/* The copy waits for its stream's kernel (C1), the second task's for the engine (C2); kernels and copies overlap; the
 * kernel behind the copy waits for its end (C4). */
static void c1_to_c4_one_copy_at_a_time(void) {
    struct grt_builder *builder = on_tx2();
    struct grt_built_run run;
    struct grt_task *task = add(builder, NULL, 0);
    grt_builder_kernel(builder, task, 1, 32, 5);
    grt_builder_copy(builder, task, GRT_COMMAND_D2H, 10);
    grt_builder_kernel(builder, task, 1, 32, 5);
    task = add(builder, NULL, 6);
    grt_builder_copy(builder, task, GRT_COMMAND_H2D, 10);
    task = add(builder, NULL, 7);
    grt_builder_copy(builder, task, GRT_COMMAND_D2H, 1);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_copy_ran(&run, A, 0, 5, 15));
    CU_ASSERT(grt_built_kernel_ran(&run, A, 1, 15, 20));
    CU_ASSERT(grt_built_copy_ran(&run, B, 0, 15, 25));
    CU_ASSERT(grt_built_copy_ran(&run, C, 0, 25, 26));
    CU_ASSERT_EQUAL(run.result->gpus[0].engine_busy[0], 21);
    CU_ASSERT_EQUAL(run.result->gpus[0].copies, 3);
    grt_built_run_end(&run, builder);
}

static void two_engines_serve_a_direction_each(void) {
    struct grt_builder *builder = on_tx2();
    struct grt_built_run run;
    builder->gpus[0].copy_engines = 3;
    builder->gpus[0].copy_latency = 2;
    builder->gpus[0].d2h_bytes_per_second = 3 * GRT_SECOND; /* 10 bytes: 4 ns, rounded up */
    grt_builder_copy(builder, add(builder, NULL, 0), GRT_COMMAND_H2D, 10);
    grt_builder_copy(builder, add(builder, NULL, 0), GRT_COMMAND_D2H, 10);
    grt_builder_copy(builder, add(builder, NULL, 0), GRT_COMMAND_H2D, 10);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_copy_ran(&run, A, 0, 0, 12));
    CU_ASSERT(grt_built_copy_ran(&run, B, 0, 0, 6));
    CU_ASSERT(grt_built_copy_ran(&run, C, 0, 12, 24));
    CU_ASSERT_EQUAL(run.result->gpus[0].engine_count, 2);
    CU_ASSERT_EQUAL(run.result->gpus[0].engine_busy[1], 6);
    grt_built_run_end(&run, builder);
}

/* N1, N2: B's copy in the NULL stream waits for A's kernel, C's copy for B's. */
static void the_null_stream_orders_copies(void) {
    struct grt_builder *builder = on_tx2();
    struct grt_built_run run;
    builder->gpus[0].copy_engines = 2;
    grt_builder_kernel(builder, add(builder, NULL, 0), 1, 32, 10);
    grt_builder_copy(builder, add(builder, "null", 1), GRT_COMMAND_H2D, 10);
    grt_builder_copy(builder, add(builder, NULL, 2), GRT_COMMAND_D2H, 10);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_copy_ran(&run, B, 0, 10, 20));
    CU_ASSERT(grt_built_copy_ran(&run, C, 0, 20, 30));
    grt_built_run_end(&run, builder);
}

static void copies_without_engine_take_a_nanosecond(void) {
    struct grt_builder *builder = on_tx2();
    struct grt_built_run run;
    builder->gpus[0].copy_engines = 0;
    struct grt_task *task = add(builder, NULL, 3);
    grt_builder_copy(builder, task, GRT_COMMAND_H2D, 1000000);
    grt_builder_kernel(builder, task, 1, 32, 5);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_copy_ran(&run, A, 0, 3, 4));
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 4, 9));
    grt_built_run_end(&run, builder);
}

/* At 5 the first copy is on the engine and runs out; the second, in the engine's queue, and the third, in the stream, are
 * dropped: C's comes next. */
static void aborted_copies(void) {
    struct grt_builder *builder = on_tx2();
    struct grt_built_run run;
    for (int i = 0; i < 2; i++) {
        struct grt_task *task = add(builder, NULL, 0);
        task->deadline = 5;
        task->on_miss = GRT_MISS_ABORT;
        grt_builder_copy(builder, task, GRT_COMMAND_H2D, 10);
        grt_builder_copy(builder, task, GRT_COMMAND_D2H, 10);
    }
    grt_builder_copy(builder, add(builder, NULL, 6), GRT_COMMAND_H2D, 3);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_copy_ran(&run, A, 0, 0, 10));
    CU_ASSERT_EQUAL(grt_built_run_find(&run, GRT_TRACE_COPY, A, 0, 0)->flags, GRT_TRACE_ABORTED);
    CU_ASSERT(grt_built_copy_ran(&run, C, 0, 10, 13));
    CU_ASSERT_EQUAL(grt_built_run_count(&run, GRT_TRACE_COPY), 2);
    grt_built_run_end(&run, builder);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"C1 to C4, one copy at a time", c1_to_c4_one_copy_at_a_time},
        {"two engines serve a direction each", two_engines_serve_a_direction_each},
        {"N1, N2, the NULL stream orders copies", the_null_stream_orders_copies},
        {"copies without engine take a nanosecond", copies_without_engine_take_a_nanosecond},
        {"aborted copies", aborted_copies},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("copies", tests);
}
