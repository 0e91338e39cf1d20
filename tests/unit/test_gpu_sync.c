/* Calls that the host waits for and calls that synchronise by themselves, by the numbers of the rules (docs/gpu-model.md), one
 * small case each, with times computed by hand. The device and the words are those of tests/support/call_shorthand.h. */
#include "tests/support/call_shorthand.h"
#include "tests/support/suite.h"

/* ---- K2, E7 ---- */

/* B makes its second call when A's and its own kernels have ended, 1 ns later; with `stream`, when its own has. C is
 * called meanwhile and not held back. */
static void k2_synchronize(void) {
    static const enum grt_command_kind kinds[] = {GRT_COMMAND_SYNCHRONIZE, GRT_COMMAND_SYNCHRONIZE_DEVICE};
    for (int i = 0; i < 2; i++) {
        struct grt_builder *builder = start();
        struct grt_built_run run;
        struct grt_task *a = add(builder), *b = add(builder);
        kernel(builder, a, 20);
        kernel(builder, b, 10);
        call(builder, b, kinds[i], NULL);
        kernel(builder, b, 5);
        kernel(builder, add_at(builder, 3), 50);
        grt_built_run_under(&run, builder, "hardware");
        CU_ASSERT(grt_built_kernel_ran(&run, B, 1, i == 0 ? 11 : 21, i == 0 ? 16 : 26));
        CU_ASSERT_EQUAL(begin_of(&run, C), 3);
        grt_built_run_end(&run, builder);
    }
}

/* One queue of kernels, in the order of the calls: B's, called at 5, waits behind A's unless A's host waits for its copy.
 * Up to `early_return` bytes it does not. */
static void e7_synchronous_copies_delay_the_calls(void) {
    static const struct {
        bool sync;
        enum grt_command_kind kind;
        int64_t early_return;
        grt_time begin_b;
    } cases[] = {
        {false, GRT_COMMAND_H2D, 0, 100},  {true, GRT_COMMAND_H2D, 0, 5},   {true, GRT_COMMAND_H2D, 99, 5},
        {true, GRT_COMMAND_H2D, 100, 100}, {true, GRT_COMMAND_D2H, 100, 5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct grt_builder *builder = start();
        struct grt_built_run run;
        builder->gpus[0].queue_model = GRT_QUEUE_MODEL_SINGLE;
        builder->gpus[0].hardware_queues = 1;
        builder->gpus[0].early_return_bytes = cases[i].early_return;
        struct grt_task *a = add(builder);
        if (cases[i].sync) {
            grt_builder_sync_copy(builder, a, cases[i].kind, 100);
        } else {
            grt_builder_copy(builder, a, cases[i].kind, 100);
        }
        kernel(builder, a, 10);
        kernel(builder, add_at(builder, 5), 10);
        grt_built_run_under(&run, builder, "hardware");
        CU_ASSERT(grt_built_copy_ran(&run, A, 0, 0, 100));
        CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 100, 110));
        CU_ASSERT_EQUAL(begin_of(&run, B), cases[i].begin_b);
        grt_built_run_end(&run, builder);
    }
}

/* A fourth of the bandwidth, and the host waits: the launch, of 7, begins at 400. */
static void e7_pageable_copies(void) {
    struct grt_builder *builder = start();
    struct grt_built_run run;
    builder->gpus[0].pageable_percent = 25;
    builder->gpus[0].kernel_launch = 7;
    struct grt_task *a = add(builder);
    grt_builder_copy(builder, a, GRT_COMMAND_H2D, 100);
    ((struct grt_command_spec *)(uintptr_t)&a->segments[0].commands[0])->pageable =
        true; /* the builder's own */
    kernel(builder, a, 10);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_copy_ran(&run, A, 0, 0, 400));
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 407, 417));
    grt_built_run_end(&run, builder);
}

/* ---- S: implicit synchronisation ---- */

/* A: a kernel of 10. B: the call and a kernel. C: a kernel, called after B's call. When do B's and C's kernels begin? */
static void check_sync(int64_t implicit_sync, enum grt_command_kind kind, grt_time begin_b,
                       grt_time begin_c) {
    struct grt_builder *builder = start();
    struct grt_built_run run;
    builder->gpus[0].implicit_sync = implicit_sync;
    kernel(builder, add(builder), 10);
    struct grt_task *b = add(builder);
    grt_builder_call(builder, b, kind, NULL)->bytes = 4;
    kernel(builder, b, 5);
    kernel(builder, add(builder), 5);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT_EQUAL(begin_of(&run, B), begin_b);
    CU_ASSERT_EQUAL(begin_of(&run, C), begin_c);
    grt_built_run_end(&run, builder);
}

/* What the guide names waits for all that was called before, and all that is called later waits for it. */
static void s1_the_guide(void) {
    check_sync(GRT_IMPLICIT_SYNC_GUIDE, GRT_COMMAND_MALLOC, 11, 11);
    check_sync(GRT_IMPLICIT_SYNC_GUIDE, GRT_COMMAND_MALLOC_HOST, 11, 11);
    check_sync(GRT_IMPLICIT_SYNC_GUIDE, GRT_COMMAND_MEMSET, 14, 14);
    check_sync(GRT_IMPLICIT_SYNC_GUIDE, GRT_COMMAND_D2D, 18, 18);
    check_sync(GRT_IMPLICIT_SYNC_GUIDE, GRT_COMMAND_FREE, 0, 0);
}

/* What was measured: only free. */
static void s2_the_measurement(void) {
    check_sync(GRT_IMPLICIT_SYNC_MEASURED, GRT_COMMAND_MALLOC, 0, 0);
    check_sync(GRT_IMPLICIT_SYNC_MEASURED, GRT_COMMAND_MALLOC_HOST, 0, 0);
    check_sync(GRT_IMPLICIT_SYNC_MEASURED, GRT_COMMAND_MEMSET, 4, 0);
    check_sync(GRT_IMPLICIT_SYNC_MEASURED, GRT_COMMAND_D2D, 8, 0);
    check_sync(GRT_IMPLICIT_SYNC_MEASURED, GRT_COMMAND_FREE, 11, 11);
}

static void without_implicit_synchronisation(void) {
    check_sync(GRT_IMPLICIT_SYNC_NONE, GRT_COMMAND_MALLOC, 0, 0);
    check_sync(GRT_IMPLICIT_SYNC_NONE, GRT_COMMAND_MALLOC_HOST, 0, 0);
    check_sync(GRT_IMPLICIT_SYNC_NONE, GRT_COMMAND_MEMSET, 4, 0);
    check_sync(GRT_IMPLICIT_SYNC_NONE, GRT_COMMAND_D2D, 8, 0);
    check_sync(GRT_IMPLICIT_SYNC_NONE, GRT_COMMAND_FREE, 0, 0);
}

/* Launches take 3. A runs from 3 to 13, B's free is over at 14; C's call, made at 0, waited for the lock: 17. */
static void s2_free_holds_up_the_calls(void) {
    struct grt_builder *builder = start();
    struct grt_built_run run;
    builder->gpus[0].implicit_sync = GRT_IMPLICIT_SYNC_MEASURED;
    builder->gpus[0].kernel_launch = 3;
    kernel(builder, add(builder), 10);
    struct grt_task *b = add(builder), *c = add(builder);
    call(builder, b, GRT_COMMAND_FREE, NULL);
    kernel(builder, b, 5);
    kernel(builder, c, 5);
    kernel(builder, c, 5);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT_EQUAL(begin_of(&run, B), 17);
    CU_ASSERT(grt_built_kernel_ran(&run, C, 0, 17, 22));
    CU_ASSERT(grt_built_kernel_ran(&run, C, 1, 22, 27));
    grt_built_run_end(&run, builder);
}

/* B's allocation is gone at 20: C waits no longer. Two barriers: the second holds on. */
static void s1_aborts(void) {
    for (int second = 0; second < 2; second++) {
        struct grt_builder *builder = start();
        struct grt_built_run run;
        builder->gpus[0].implicit_sync = GRT_IMPLICIT_SYNC_GUIDE;
        kernel(builder, add(builder), 100);
        struct grt_task *b = add(builder);
        call(builder, b, GRT_COMMAND_MALLOC, NULL);
        abort_at(b, 20);
        struct grt_task *c = add(builder);
        if (second) {
            call(builder, c, GRT_COMMAND_MALLOC_HOST, NULL);
        }
        kernel(builder, c, 5);
        grt_built_run_under(&run, builder, "hardware");
        CU_ASSERT_EQUAL(begin_of(&run, C), second ? 101 : 20);
        grt_built_run_end(&run, builder);
    }
}

/* One queue, which C's stream has while its second kernel waits for B's allocation, which waits for A, which needs a
 * queue. */
static void s1_barriers_free_the_queue(void) {
    struct grt_builder *builder = start();
    struct grt_built_run run;
    builder->gpus[0].implicit_sync = GRT_IMPLICIT_SYNC_GUIDE;
    builder->gpus[0].hardware_queues = 1;
    struct grt_task *c = add_in(builder, "c");
    kernel(builder, c, 10);
    kernel(builder, add(builder), 10);
    call(builder, add(builder), GRT_COMMAND_MALLOC, NULL);
    kernel(builder, add_in(builder, "c"), 5);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 10, 20));
    CU_ASSERT(grt_built_kernel_ran(&run, D, 0, 21, 26));
    grt_built_run_end(&run, builder);
}

/* S3: kernels of two processes never run at once, though there is room: B begins when A is through. */
static void s3_two_processes_never_at_once(void) {
    static const struct grt_process processes[] = {{.name = "p"}, {.name = "q"}};
    struct grt_builder *builder = start();
    struct grt_built_run run;
    builder->scenario.processes = processes;
    builder->scenario.process_count = 2;
    kernel(builder, add(builder), 10);
    kernel(builder, add(builder), 10);
    builder->tasks[B].process = 1;
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 10));
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 10, 20));
    grt_built_run_end(&run, builder);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"K2: synchronize", k2_synchronize},
        {"E7: synchronous copies delay the calls", e7_synchronous_copies_delay_the_calls},
        {"E7: pageable copies", e7_pageable_copies},
        {"S1: the guide", s1_the_guide},
        {"S1: aborts", s1_aborts},
        {"S1: barriers free the queue", s1_barriers_free_the_queue},
        {"S2: the measurement", s2_the_measurement},
        {"S2: free holds up the calls", s2_free_holds_up_the_calls},
        {"without implicit synchronisation", without_implicit_synchronisation},
        {"S3: two processes never at once", s3_two_processes_never_at_once},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("calls that synchronise", tests);
}
