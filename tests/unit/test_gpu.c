/* The rules of streams, queues and block dispatch by their published numbers (docs/gpu-model.md), one small case each,
 * with times computed by hand. Two SMs of 2048 threads, 64 KiB and 65536 registers; a copy of n bytes takes n ns. */
#include <stdio.h>

#include "policies/registry.h"
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

/* Such a task with one kernel. */
static struct grt_kernel *add_kernel(struct grt_builder *builder, const char *stream, grt_time at,
                                     int64_t blocks, int64_t threads, grt_time time) {
    return grt_builder_kernel(builder, add(builder, stream, at), blocks, threads, time);
}

/* ---- streams ---- */

/* Calls of a stream follow one another, each launch takes 5; copies ride along. */
static void g1_launches_take_time(void) {
    struct grt_builder *builder = on_tx2();
    struct grt_built_run run;
    builder->gpus[0].kernel_launch = 5;
    struct grt_task *task = add(builder, NULL, 0);
    grt_builder_copy(builder, task, GRT_COMMAND_H2D, 2);
    grt_builder_kernel(builder, task, 1, 32, 1);
    grt_builder_kernel(builder, task, 1, 32, 3);
    grt_builder_copy(builder, task, GRT_COMMAND_D2H, 4);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_copy_ran(&run, A, 0, 0, 2));
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 5, 6));
    CU_ASSERT(grt_built_kernel_ran(&run, A, 1, 10, 13));
    CU_ASSERT(grt_built_copy_ran(&run, A, 1, 13, 17));
    CU_ASSERT_EQUAL(run.result->tasks[A].gpu_wait.max, 5); /* until the first kernel */
    grt_built_run_end(&run, builder);
}

/* B becomes the head of its stream at 10, after C has entered the queue. */
static void g2_heads_enter_the_queue(void) {
    struct grt_builder *builder = on_tx2();
    struct grt_built_run run;
    add_kernel(builder, "s", 0, 4, 1024, 10);
    add_kernel(builder, "s", 0, 4, 1024, 20);
    add_kernel(builder, NULL, 5, 4, 1024, 30);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 10));
    CU_ASSERT(grt_built_kernel_ran(&run, C, 0, 10, 40));
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 40, 60));
    grt_built_run_end(&run, builder);
}

static void g3_dispatched_kernels_leave_the_queue(void) {
    struct grt_builder *builder = on_tx2();
    struct grt_built_run run;
    add_kernel(builder, NULL, 0, 1, 32, 100);
    add_kernel(builder, NULL, 0, 1, 32, 10);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 100));
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 0, 10));
    grt_built_run_end(&run, builder);
}

/* At 10 four of A's five blocks have ended: C may go, B, in A's stream, may not. */
static void g4_completed_kernels_leave_the_stream(void) {
    struct grt_builder *builder = on_tx2();
    struct grt_built_run run;
    add_kernel(builder, "s", 0, 5, 1024, 10);
    add_kernel(builder, "s", 0, 1, 32, 10);
    add_kernel(builder, NULL, 0, 1, 32, 10);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 20));
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 20, 30));
    CU_ASSERT(grt_built_kernel_ran(&run, C, 0, 10, 20));
    grt_built_run_end(&run, builder);
}

/* ---- dispatch ---- */

/* C would fit at 1, but B waits for shared memory in front of it. */
static void x1_the_front_blocks_all_others(void) {
    struct grt_builder *builder = on_tx2();
    struct grt_built_run run;
    add_kernel(builder, NULL, 0, 2, 256, 10)->needs.shared_memory = 32768;
    add_kernel(builder, NULL, 0, 1, 256, 10)->needs.shared_memory = 49152;
    add_kernel(builder, NULL, 1, 1, 32, 10);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 10));
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 10, 20));
    CU_ASSERT(grt_built_kernel_ran(&run, C, 0, 10, 20));
    grt_built_run_end(&run, builder);
}

/* One kernel with these needs alone: block `last` is the first that has to wait for the second wave. */
static void two_waves(struct grt_device device, struct grt_block_needs needs, uint32_t last) {
    struct grt_builder *builder = grt_builder_create(1000);
    struct grt_built_run run;
    grt_builder_gpu(builder, device);
    add_kernel(builder, NULL, 0, last + 1, needs.threads, 10)->needs = needs;
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_block_ran(&run, A, last - 1, (last - 1) % 2, 0, 10));
    CU_ASSERT(grt_built_block_ran(&run, A, last, 0, 10, 20));
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 20));
    grt_built_run_end(&run, builder);
}

static void r1_block_slots(void) {
    struct grt_device device = grt_built_tx2();
    device.max_blocks_per_sm = 3;
    two_waves(device, (struct grt_block_needs){.threads = 32}, 6);
}

static void r2_threads(void) {
    two_waves(grt_built_tx2(), (struct grt_block_needs){.threads = 1024}, 4);
    two_waves(grt_built_tx2(), (struct grt_block_needs){.threads = 65},
              42); /* 3 warps: 21 blocks in 64 warps */
}

static void r3_shared_memory_and_registers(void) {
    two_waves(grt_built_tx2(), (struct grt_block_needs){.threads = 32, .shared_memory = 49152}, 2);
    two_waves(grt_built_tx2(), (struct grt_block_needs){.threads = 32, .shared_memory = 16385},
              6); /* 16640 each */
    two_waves(grt_built_tx2(), (struct grt_block_needs){.threads = 512, .registers_per_thread = 64}, 4);
}

/* B has room at 10, but A is resident until 20. */
static void resident_grids_are_limited(void) {
    struct grt_builder *builder = on_tx2();
    struct grt_built_run run;
    builder->gpus[0].max_resident_grids = 1;
    add_kernel(builder, NULL, 0, 5, 1024, 10);
    add_kernel(builder, NULL, 0, 1, 32, 10);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 20));
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 20, 30));
    grt_built_run_end(&run, builder);
}

/* B, urgent, may not begin while A is on the device: A goes on, though A2 alone would keep it from doing so. */
static void a_kernel_that_waits_for_a_grid_holds_nobody_back(void) {
    struct grt_builder *builder = on_tx2();
    struct grt_built_run run;
    builder->gpus[0].max_resident_grids = 1;
    add_kernel(builder, NULL, 0, 8, 1024, 10);
    add_kernel(builder, NULL, 5, 1, 32, 10);
    builder->tasks[B].stream_priority = -1;
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 20));
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 20, 30));
    grt_built_run_end(&run, builder);
}

/* A high-priority kernel goes before the blocks that A has left, at the next end of a block. */
static void a2_priorities_act_at_block_boundaries(void) {
    for (int64_t priority = -1; priority >= -5; priority -= 4) { /* -5 is clamped */
        struct grt_builder *builder = on_tx2();
        struct grt_built_run run;
        add_kernel(builder, NULL, 0, 8, 1024, 10);
        add_kernel(builder, NULL, 5, 4, 1024, 10);
        builder->tasks[B].stream_priority = priority;
        grt_built_run_under(&run, builder, "hardware");
        CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 30));
        CU_ASSERT(grt_built_block_ran(&run, A, 4, 0, 20, 30));
        CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 10, 20));
        grt_built_run_end(&run, builder);
    }
}

static void a1_one_level_knows_no_priorities(void) {
    struct grt_builder *builder = on_tx2();
    struct grt_built_run run;
    builder->gpus[0].priority_levels = 1;
    add_kernel(builder, NULL, 0, 8, 1024, 10);
    add_kernel(builder, NULL, 5, 4, 1024, 10);
    builder->tasks[B].stream_priority = -1;
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 20));
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 20, 30));
    grt_built_run_end(&run, builder);
}

/* C has low priority and would fit at 2; B, of high priority, does not fit and keeps it out. */
static void a2_a_high_priority_that_does_not_fit_blocks(void) {
    struct grt_builder *builder = on_tx2();
    struct grt_built_run run;
    add_kernel(builder, NULL, 0, 2, 256, 10)->needs.shared_memory = 32768;
    add_kernel(builder, NULL, 1, 1, 256, 10)->needs.shared_memory = 49152;
    add_kernel(builder, NULL, 2, 1, 32, 10);
    builder->tasks[B].stream_priority = -1;
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 10, 20));
    CU_ASSERT(grt_built_kernel_ran(&run, C, 0, 10, 20));
    grt_built_run_end(&run, builder);
}

/* ---- the NULL stream ---- */

static void n1_the_null_stream_waits_for_all(void) {
    struct grt_builder *builder = on_tx2();
    struct grt_built_run run;
    add_kernel(builder, NULL, 0, 1, 32, 10);
    add_kernel(builder, NULL, 1, 1, 32, 20);
    add_kernel(builder, "null", 2, 1, 32, 5);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 1, 21));
    CU_ASSERT(grt_built_kernel_ran(&run, C, 0, 21, 26));
    grt_built_run_end(&run, builder);
}

/* C was launched after the NULL stream's kernel, which itself waits for A. */
static void n2_all_wait_for_the_null_stream(void) {
    struct grt_builder *builder = on_tx2();
    struct grt_built_run run;
    add_kernel(builder, NULL, 0, 1, 32, 10);
    add_kernel(builder, "null", 1, 1, 32, 5);
    add_kernel(builder, NULL, 2, 1, 32, 1);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 10, 15));
    CU_ASSERT(grt_built_kernel_ran(&run, C, 0, 15, 16));
    grt_built_run_end(&run, builder);
}

/* ---- where blocks go ---- */

/* SMs 0, 2, 1, 3: the first of each TPC, then the second. */
static void p4_the_order_of_the_sms(void) {
    struct grt_builder *builder = grt_builder_create(100);
    struct grt_built_run run;
    struct grt_device *device = grt_builder_gpu(builder, grt_built_device(4));
    device->sms_per_tpc = 2;
    device->sm_order = GRT_SM_ORDER_TPC_FIRST;
    add_kernel(builder, NULL, 0, 5, 256, 10);
    grt_built_run_under(&run, builder, "hardware");
    static const uint32_t sms[] = {0, 2, 1, 3, 0};
    for (uint32_t i = 0; i < 5; i++) {
        CU_ASSERT(grt_built_block_ran(&run, A, i, sms[i], 0, 10));
    }
    grt_built_run_end(&run, builder);
}

/* ---- aborts ---- */

/* Twelve blocks, four at a time. At 15 the second wave is on the SMs: it runs out, the third is dropped. */
static void an_abort_drops_what_has_not_begun(void) {
    struct grt_builder *builder = on_tx2();
    struct grt_built_run run;
    struct grt_task *task = add(builder, NULL, 0);
    task->deadline = 15;
    task->on_miss = GRT_MISS_ABORT;
    grt_builder_kernel(builder, task, 12, 1024, 10);
    grt_builder_copy(builder, task, GRT_COMMAND_D2H, 10);
    add_kernel(builder, NULL, 1, 1, 1024, 10);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 20));
    CU_ASSERT_EQUAL(grt_built_run_find(&run, GRT_TRACE_KERNEL, A, 0, 0)->flags, GRT_TRACE_ABORTED);
    CU_ASSERT_EQUAL(grt_built_run_abort(&run, A, 0), 15);
    CU_ASSERT_EQUAL(grt_built_run_count(&run, GRT_TRACE_COPY), 0);
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 20, 30));
    CU_ASSERT_EQUAL(run.result->gpus[0].blocks, 9);
    grt_built_run_end(&run, builder);
}

/* A's launch would have reached the device at 10, but A is aborted at 5. It must not let C, in its stream, go before B at
 * 10, where B and C are submitted in the order of the tasks. */
static void an_aborted_launch_leaves_no_trace(void) {
    struct grt_builder *builder = on_tx2();
    struct grt_built_run run;
    builder->gpus[0].kernel_launch = 10;
    add_kernel(builder, "s", 0, 1, 32, 1);
    builder->tasks[A].deadline = 5;
    builder->tasks[A].on_miss = GRT_MISS_ABORT;
    grt_builder_copy(builder, add(builder, NULL, 10), GRT_COMMAND_H2D, 2);
    grt_builder_copy(builder, add(builder, "s", 10), GRT_COMMAND_H2D, 2);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_copy_ran(&run, B, 0, 10, 12));
    CU_ASSERT(grt_built_copy_ran(&run, C, 0, 12, 14));
    grt_built_run_end(&run, builder);
}

/* C is aborted at 10, when its next job is released: that was called behind B, and its stream's old place is gone. */
static void an_aborted_job_keeps_no_place(void) {
    struct grt_builder *builder = on_tx2();
    struct grt_built_run run;
    add_kernel(builder, NULL, 0, 4, 1024, 15);
    add_kernel(builder, NULL, 10, 4, 1024, 2);
    add_kernel(builder, NULL, 1, 4, 1024, 2);
    grt_builder_times(builder, &builder->tasks[C], (const grt_time[]){1, 10}, 2);
    builder->tasks[C].deadline = 9;
    builder->tasks[C].on_miss = GRT_MISS_ABORT;
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT_EQUAL(grt_built_run_abort(&run, C, 0), 10);
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 15, 17));
    CU_ASSERT_EQUAL(grt_built_run_finish(&run, C, 1), 19);
    grt_built_run_end(&run, builder);
}

/* A's first wave ends at 10, exactly at its deadline: nothing of it is on the device, and B goes at once. */
static void an_abort_between_two_waves(void) {
    struct grt_builder *builder = on_tx2();
    struct grt_built_run run;
    add_kernel(builder, NULL, 0, 12, 1024, 10);
    builder->tasks[A].deadline = 10;
    builder->tasks[A].on_miss = GRT_MISS_ABORT;
    add_kernel(builder, NULL, 1, 1, 1024, 10);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 10));
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 10, 20));
    grt_built_run_end(&run, builder);
}

/* ---- figures ---- */

/* A: 6 blocks of 512 threads, 0 to 10; B: one of 1024, 10 to 30; C: one of 1024, from 30 to the end of the run. */
static void results_add_up(void) {
    struct grt_builder *builder = on_tx2();
    struct grt_built_run run;
    add_kernel(builder, NULL, 0, 6, 512, 10);
    add_kernel(builder, NULL, 5, 1, 1024, 20);
    add_kernel(builder, NULL, 30, 1, 1024, 10000);
    grt_built_run_under(&run, builder, "hardware");
    const struct grt_gpu_result *gpu = &run.result->gpus[0];
    CU_ASSERT(grt_built_block_ran(&run, B, 0, 0, 10, 30)); /* no SM had 1024 threads left before */
    CU_ASSERT_EQUAL(gpu->busy, 1000);
    CU_ASSERT_DOUBLE_EQUAL(gpu->sm_busy, 10 + 10 + 20 + 970, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(gpu->thread_time, (6 * 512 * 10 + 1024 * 20 + 1024 * 970) / 2048.0, 1e-9);
    CU_ASSERT_EQUAL(gpu->kernels, 2);
    CU_ASSERT_EQUAL(gpu->blocks, 7);
    grt_built_run_end(&run, builder);
}

/* No block is infinitely fast, alone or in a cohort. */
static void blocks_of_no_time_take_a_nanosecond(void) {
    for (int no_cohorts = 0; no_cohorts < 2; no_cohorts++) {
        struct grt_builder *builder = on_tx2();
        struct grt_built_run run;
        add_kernel(builder, NULL, 0, 4, 1024, 0);
        add_kernel(builder, NULL, 0, 1, 1024, 0);
        grt_built_run_start(&run, &builder->scenario, grt_policy_find("hardware"), no_cohorts == 1);
        CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 1));
        CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 1, 2));
        grt_built_run_end(&run, builder);
    }
}

/* The run ends between the first wave of B and its next, which waits for the more urgent C. */
static void open_slices_are_written(void) {
    struct grt_builder *builder = on_tx2();
    struct grt_built_run run;
    builder->scenario.horizon = 15;
    add_kernel(builder, NULL, 50, 1, 32, 1);
    add_kernel(builder, NULL, 0, 8, 1024, 10);
    add_kernel(builder, NULL, 1, 4, 1024, 10);
    builder->tasks[C].stream_priority = -1;
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 0, 15));
    CU_ASSERT(grt_built_kernel_ran(&run, C, 0, 10, 15));
    CU_ASSERT(grt_built_block_ran(&run, C, 3, 1, 10, 15));
    CU_ASSERT_EQUAL(grt_built_run_find(&run, GRT_TRACE_KERNEL, B, 0, 0)->flags, GRT_TRACE_OPEN);
    CU_ASSERT_EQUAL(grt_built_run_count(&run, GRT_TRACE_BLOCK), 8);
    grt_built_run_end(&run, builder);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"G1, launches take time", g1_launches_take_time},
        {"G2, heads enter the queue", g2_heads_enter_the_queue},
        {"G3, dispatched kernels leave the queue", g3_dispatched_kernels_leave_the_queue},
        {"G4, completed kernels leave the stream", g4_completed_kernels_leave_the_stream},
        {"X1, the front blocks all others", x1_the_front_blocks_all_others},
        {"R1, block slots", r1_block_slots},
        {"R2, threads", r2_threads},
        {"R3, shared memory and registers", r3_shared_memory_and_registers},
        {"Q9, resident grids are limited", resident_grids_are_limited},
        {"Q9 and A2", a_kernel_that_waits_for_a_grid_holds_nobody_back},
        {"A2, priorities act at block boundaries", a2_priorities_act_at_block_boundaries},
        {"A1, one level knows no priorities", a1_one_level_knows_no_priorities},
        {"A2, a high priority that does not fit blocks", a2_a_high_priority_that_does_not_fit_blocks},
        {"N1, the NULL stream waits for all", n1_the_null_stream_waits_for_all},
        {"N2, all wait for the NULL stream", n2_all_wait_for_the_null_stream},
        {"P4, the order of the SMs", p4_the_order_of_the_sms},
        {"an abort drops what has not begun", an_abort_drops_what_has_not_begun},
        {"an aborted launch leaves no trace", an_aborted_launch_leaves_no_trace},
        {"an aborted job keeps no place", an_aborted_job_keeps_no_place},
        {"an abort between two waves", an_abort_between_two_waves},
        {"results add up", results_add_up},
        {"blocks of no time take a nanosecond", blocks_of_no_time_take_a_nanosecond},
        {"open slices are written", open_slices_are_written},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("GPU", tests);
}
