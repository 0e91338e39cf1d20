/* The published timelines of T. Amert, N. Otterness, M. Yang, J. H. Anderson, F. D. Smith, "GPU Scheduling on the
 * NVIDIA TX2: Hidden Details Revealed", RTSS 2017, with the configurations of the authors' cuda_scheduling_examiner
 * (configs/rtss_2017_fig*.json): starts, ends and the SM of every block. */
#include <stdio.h>

#include "policies/registry.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

static const grt_time tenth = GRT_SECOND / 10;

/* A kernel of 32 KiB blocks leaves room for two on an SM. */
enum { SHARED = 32 * 1024, COPY_BYTES = 256 * 1000 * 1000 };

static struct grt_builder *on_tx2(void) {
    struct grt_builder *builder = grt_builder_create(10 * GRT_SECOND);
    struct grt_device *device = grt_builder_gpu(builder, grt_built_tx2());
    device->h2d_bytes_per_second = device->d2h_bytes_per_second =
        INT64_C(10) * COPY_BYTES; /* a copy takes 0.1 s */
    return builder;
}

/* A task of one kernel, released at `at` tenths of a second; the caller adds copies. */
static struct grt_task *add(struct grt_builder *builder, const char *name, const char *stream, grt_time at) {
    struct grt_task *task = grt_builder_task(builder, name);
    task->stream = stream;
    grt_builder_at(builder, task, at * tenth);
    return task;
}

static void run_under_hardware(struct grt_built_run *run, const struct grt_builder *builder) {
    grt_built_run_start(run, &builder->scenario, grt_policy_find("hardware"), false);
    CU_ASSERT_PTR_NOT_NULL_FATAL(run->result);
}

/* Blocks first, first + 1, ... of a task on SMs 0, 1, 0, 1, ..., in tenths of a second. */
static void in_turn(const struct grt_built_run *run, uint32_t task, uint32_t first, uint32_t count,
                    grt_time start, grt_time end) {
    for (uint32_t i = 0; i < count; i++) {
        CU_ASSERT(grt_built_block_ran(run, task, first + i, i % 2, start * tenth, end * tenth));
    }
}

static void figure_3_and_4(void) {
    enum { K1, K2, K3, K4, K5, K6 };
    struct grt_builder *builder = on_tx2();
    struct grt_built_run run;
    grt_builder_kernel(builder, add(builder, "K1", "S1", 0), 6, 768, GRT_SECOND);
    struct grt_task *task = add(builder, "K2", "S1", 0);
    grt_builder_kernel(builder, task, 2, 512, GRT_SECOND);
    grt_builder_copy(builder, task, GRT_COMMAND_D2H, COPY_BYTES);
    task = add(builder, "K3", "S1", 0);
    grt_builder_copy(builder, task, GRT_COMMAND_H2D, COPY_BYTES);
    grt_builder_kernel(builder, task, 2, 1024, GRT_SECOND);
    grt_builder_copy(builder, task, GRT_COMMAND_D2H, COPY_BYTES);
    grt_builder_kernel(builder, add(builder, "K4", "S2", 2), 4, 256, GRT_SECOND)->needs.shared_memory =
        SHARED;
    task = add(builder, "K5", "S3", 4);
    grt_builder_kernel(builder, task, 2, 256, GRT_SECOND)->needs.shared_memory = SHARED;
    grt_builder_copy(builder, task, GRT_COMMAND_D2H, COPY_BYTES);
    task = add(builder, "K6", "S2", 28);
    grt_builder_kernel(builder, task, 2, 512, GRT_SECOND);
    grt_builder_copy(builder, task, GRT_COMMAND_D2H, COPY_BYTES);
    run_under_hardware(&run, builder);
    in_turn(&run, K1, 0, 4, 0, 10);
    in_turn(&run, K1, 4, 2, 10, 20);
    in_turn(&run, K4, 0, 4, 10, 20); /* it would fit at 2, but K1 is not fully dispatched */
    in_turn(&run, K5, 0, 2, 20, 30);
    in_turn(&run, K2, 0, 2, 20, 30);
    in_turn(&run, K6, 0, 2, 28, 38);
    CU_ASSERT(grt_built_copy_ran(&run, K5, 0, 30 * tenth,
                                 31 * tenth)); /* K5's blocks were dispatched before K2's */
    CU_ASSERT(grt_built_copy_ran(&run, K2, 0, 31 * tenth, 32 * tenth));
    CU_ASSERT(grt_built_copy_ran(&run, K3, 0, 32 * tenth, 33 * tenth));
    in_turn(&run, K3, 0, 2, 33, 43);
    CU_ASSERT(grt_built_copy_ran(&run, K6, 0, 38 * tenth, 39 * tenth));
    CU_ASSERT(grt_built_copy_ran(&run, K3, 1, 43 * tenth, 44 * tenth));
    grt_built_run_free(&run);
    grt_builder_free(builder);
}

/* K3 is launched at 0.4 in the configuration and at 0.2 in Table 2 of the paper: the schedule is the same. */
static void figure_5_null_stream(void) {
    enum { K1, K2, K3, K4, K5, K6 };
    for (grt_time k3_at = 2; k3_at <= 4; k3_at += 2) {
        struct grt_builder *builder = on_tx2();
        struct grt_built_run run;
        grt_builder_kernel(builder, add(builder, "K1", "S1", 0), 6, 768, GRT_SECOND);
        grt_builder_kernel(builder, add(builder, "K2", "null", 2), 1, 1024, GRT_SECOND);
        grt_builder_kernel(builder, add(builder, "K3", "S2", k3_at), 4, 256, GRT_SECOND);
        grt_builder_kernel(builder, add(builder, "K4", "S2", 4), 4, 256, GRT_SECOND);
        grt_builder_kernel(builder, add(builder, "K5", "null", 6), 1, 1024, GRT_SECOND);
        grt_builder_kernel(builder, add(builder, "K6", "S3", 8), 2, 256, GRT_SECOND);
        run_under_hardware(&run, builder);
        in_turn(&run, K1, 0, 4, 0, 10);
        in_turn(&run, K1, 4, 2, 10, 20);
        in_turn(&run, K2, 0, 1, 20, 30);
        in_turn(&run, K3, 0, 4, 30, 40);
        in_turn(&run, K4, 0, 4, 40, 50);
        in_turn(&run, K5, 0, 1, 50, 60);
        in_turn(&run, K6, 0, 2, 60, 70);
        grt_built_run_free(&run);
        grt_builder_free(builder);
    }
}

static void figure_6_priorities(void) {
    enum { K1, K2, K3 };
    struct grt_builder *builder = on_tx2();
    struct grt_built_run run;
    grt_builder_kernel(builder, add(builder, "K1", "low", 0), 8, 1024, 5 * tenth);
    struct grt_task *task = add(builder, "K2", "high 1", 2);
    task->stream_priority = -1;
    grt_builder_kernel(builder, task, 16, 1024, 5 * tenth);
    task = add(builder, "K3", "high 2", 5);
    task->stream_priority = -1;
    grt_builder_kernel(builder, task, 16, 1024, 5 * tenth);
    run_under_hardware(&run, builder);
    in_turn(&run, K1, 0, 4, 0, 5);
    for (uint32_t wave = 0; wave < 4; wave++) {
        in_turn(&run, K2, 4 * wave, 4, 5 + 5 * wave, 10 + 5 * wave);
        in_turn(&run, K3, 4 * wave, 4, 25 + 5 * wave, 30 + 5 * wave);
    }
    in_turn(&run, K1, 4, 4, 45, 50);
    CU_ASSERT(grt_built_kernel_ran(&run, K1, 0, 0, 50 * tenth));
    grt_built_run_free(&run);
    grt_builder_free(builder);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"figures 3 and 4", figure_3_and_4},
        {"figure 5, NULL stream", figure_5_null_stream},
        {"figure 6, priorities", figure_6_priorities},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("Amert et al., RTSS 2017", tests);
}
