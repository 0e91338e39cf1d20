/* Kernels that are kept to some TPCs, by the numbers of the rules (docs/gpu-model.md), one small case each, with times
 * computed by hand. Four SMs, a TPC each unless said otherwise, that hold two blocks of 1024 threads. */
#include <stdio.h>
#include <string.h>

#include "policies/registry.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

enum { A, B, C };

static const int64_t numbers[] = {0, 1, 2, 3, 4};

/* TPCs that follow each other. */
static struct grt_number_list tpcs(size_t first, size_t count) {
    return (struct grt_number_list){numbers + first, count};
}

static struct grt_builder *four_sms(void) {
    struct grt_builder *builder = grt_builder_create(1000);
    grt_builder_gpu(builder, grt_built_device(4));
    return builder;
}

/* The next task: a kernel of blocks of 10 on these TPCs; none: all. */
static struct grt_task *add(struct grt_builder *builder, int64_t blocks, struct grt_number_list list) {
    struct grt_task *task = grt_builder_task(builder, "t");
    grt_builder_at(builder, task, 0);
    grt_builder_kernel(builder, task, blocks, 1024, 10);
    task->tpcs = list;
    return task;
}

/* The SMs of a task's blocks, by index, as digits. */
static bool ran_on(const struct grt_built_run *run, uint32_t task, const char *expected) {
    char seen[32] = "";
    for (size_t i = 0; i < run->kept.record_count; i++) {
        const struct grt_trace_record *record = &run->kept.records[i];
        if (record->kind == GRT_TRACE_BLOCK && record->task == task && record->detail < sizeof seen - 1) {
            seen[record->detail] = (char)('0' + record->row);
        }
    }
    if (strcmp(seen, expected) != 0) {
        fprintf(stderr, "task %u ran on %s\n", task, seen);
    }
    return strcmp(seen, expected) == 0;
}

static void w1_blocks_stay_on_the_tpcs(void) {
    struct grt_builder *builder = four_sms();
    struct grt_built_run run;
    add(builder, 6, tpcs(1, 2));
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(ran_on(&run, A, "121212"));
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 20));
    grt_built_run_end(&run, builder);
}

static void w1_the_kernel_overrides_the_task(void) {
    struct grt_builder *builder = four_sms();
    struct grt_built_run run;
    struct grt_task *task = add(builder, 2, tpcs(0, 1));
    grt_builder_kernel(builder, task, 2, 1024, 10)->tpcs = tpcs(3, 1);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_block_ran(&run, A, 0, 0, 0, 10));
    CU_ASSERT_EQUAL(grt_built_run_find(&run, GRT_TRACE_BLOCK, A, 0, 2)->row, 3);
    grt_built_run_end(&run, builder);
}

/* Two SMs a TPC, taken one of each TPC first: TPC 1 is SMs 2 and 3. */
static void w1_a_tpc_has_several_sms(void) {
    struct grt_builder *builder = four_sms();
    struct grt_built_run run;
    builder->gpus[0].sms_per_tpc = 2;
    builder->gpus[0].sm_order = GRT_SM_ORDER_TPC_FIRST;
    add(builder, 3, tpcs(1, 1));
    add(builder, 4, tpcs(0, 0));
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(ran_on(&run, A, "232"));
    CU_ASSERT(ran_on(&run, B, "0101"));
    grt_built_run_end(&run, builder);
}

/* Sets with holes that overlap: A on 0 and 2, B on 2 and 3. B's blocks take what A leaves. */
static void w2_any_set_will_do(void) {
    static const int64_t holes[] = {0, 2};
    struct grt_builder *builder = four_sms();
    struct grt_built_run run;
    add(builder, 3, (struct grt_number_list){holes, 2});
    add(builder, 3, tpcs(2, 2));
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(ran_on(&run, A, "020"));
    CU_ASSERT(ran_on(&run, B, "323"));
    grt_built_run_end(&run, builder);
}

/* A has five waves on TPC 0. B begins at once where it may not wait for A, and waits where A may use its TPC. */
static void w3_the_queue_is_skipped(void) {
    for (int apart = 0; apart < 2; apart++) {
        struct grt_builder *builder = four_sms();
        struct grt_built_run run;
        add(builder, 10, tpcs(0, 1));
        add(builder, 2, tpcs((size_t)apart, 1));
        grt_built_run_under(&run, builder, "hardware");
        CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 50));
        CU_ASSERT(grt_built_kernel_ran(&run, B, 0, apart ? 0 : 50, apart ? 10 : 60));
        grt_built_run_end(&run, builder);
    }
}

/* A stuck kernel that may use all SMs holds back everybody (X1); one on TPC 0 leaves the others to a kernel that may use
 * all. */
static void w3_who_may_use_all(void) {
    for (int first_has_all = 0; first_has_all < 2; first_has_all++) {
        struct grt_builder *builder = four_sms();
        struct grt_built_run run;
        add(builder, 12, first_has_all ? tpcs(0, 0) : tpcs(0, 1));
        add(builder, 6, first_has_all ? tpcs(0, 1) : tpcs(0, 0));
        grt_built_run_under(&run, builder, "hardware");
        if (first_has_all) {
            CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 20));
            CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 10, 50)); /* beside one of A's last blocks until 20 */
        } else {
            CU_ASSERT(ran_on(&run, B, "123123"));
            CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 0, 10));
        }
        grt_built_run_end(&run, builder);
    }
}

/* Of overlapping sets, B gets what A, stuck, may not use: TPC 2, not TPC 1. */
static void w3_overlap_is_the_first_ones(void) {
    struct grt_builder *builder = four_sms();
    struct grt_built_run run;
    add(builder, 8, tpcs(0, 2));
    add(builder, 3, tpcs(1, 2));
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(ran_on(&run, B, "222"));
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 0, 20));
    grt_built_run_end(&run, builder);
}

/* A's blocks leave room for smaller ones on TPC 0, but while it has blocks left B waits: until A is dispatched at 10. */
static void w3_its_own_sms_are_kept(void) {
    struct grt_builder *builder = four_sms();
    struct grt_built_run run;
    for (int i = 0; i < 2; i++) {
        struct grt_task *task = grt_builder_task(builder, "t");
        grt_builder_at(builder, task, 0);
        grt_builder_kernel(builder, task, i == A ? 3 : 1, i == A ? 768 : 256, 10);
        task->tpcs = tpcs(0, 1);
    }
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 20));
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 10, 20));
    grt_built_run_end(&run, builder);
}

/* An urgent kernel that is stuck on TPC 0 holds back less urgent ones there only. */
static void w3_across_priorities(void) {
    struct grt_builder *builder = four_sms();
    struct grt_built_run run;
    add(builder, 2, tpcs(0, 1));
    add(builder, 2, tpcs(1, 1));
    add(builder, 4, tpcs(0, 1))->stream_priority = -1;
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, C, 0, 0, 20));
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 0, 10));
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 20, 30));
    grt_built_run_end(&run, builder);
}

/* A stream stays in order whatever its kernels' TPCs. */
static void w2_streams_stay_in_order(void) {
    struct grt_builder *builder = four_sms();
    struct grt_built_run run;
    struct grt_task *task = add(builder, 2, tpcs(0, 1));
    grt_builder_kernel(builder, task, 2, 1024, 10)->tpcs = tpcs(1, 1);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, A, 1, 10, 20));
    grt_built_run_end(&run, builder);
}

/* The device holds two grids: A's, and C's, which leaves none for B. So B keeps nothing from C, whose last block fits beside
 * A's on TPC 0. */
static void w3_a_kernel_without_grid_keeps_nothing(void) {
    struct grt_builder *builder = four_sms();
    struct grt_built_run run;
    builder->gpus[0].max_resident_grids = 2;
    grt_builder_at(builder, grt_builder_task(builder, "t"), 0);
    grt_builder_kernel(builder, &builder->tasks[A], 2, 768, 10);
    builder->tasks[A].tpcs = tpcs(0, 1);
    add(builder, 1, tpcs(0, 1));
    grt_builder_at(builder, grt_builder_task(builder, "t"), 0);
    grt_builder_kernel(builder, &builder->tasks[C], 13, 512, 10);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(ran_on(&run, C, "1231231231230"));
    CU_ASSERT(grt_built_kernel_ran(&run, C, 0, 0, 10));
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 10, 20));
    grt_built_run_end(&run, builder);
}

/* ---- refusals ---- */

static void refused(struct grt_builder *builder, const char *expected) {
    struct grt_errors errors = {0};
    struct grt_world_options options = {0};
    CU_ASSERT_PTR_NULL(
        grt_world_create(&builder->scenario, grt_policy_find("hardware"), NULL, &options, &errors));
    CU_ASSERT_EQUAL_FATAL(errors.count, 1);
    CU_ASSERT_STRING_EQUAL(errors.messages[0], expected);
    grt_errors_clear(&errors);
    grt_builder_free(builder);
}

static void refuses_what_cannot_be(void) {
    struct grt_builder *builder = four_sms();
    add(builder, 1, tpcs(4, 1));
    refused(builder,
            "tasks[0].segments[0].gpu[0]: kernel \"t\" can never run on \"built\": it is kept to a TPC "
            "that the device does not have");
    builder = four_sms();
    struct grt_task *task = grt_builder_task(builder, "t");
    grt_builder_whole(builder, task, 10)->tpcs = tpcs(0, 1);
    refused(builder,
            "tasks[0].segments[0].gpu[0]: kernel \"t\" can never run on \"built\": it is kept to some TPCs, "
            "but its time is that of the whole device");
}

int main(void) {
    CU_TestInfo tests[] = {
        {"W1, blocks stay on the TPCs", w1_blocks_stay_on_the_tpcs},
        {"W1, the kernel overrides the task", w1_the_kernel_overrides_the_task},
        {"W1, a TPC has several SMs", w1_a_tpc_has_several_sms},
        {"W2, any set will do", w2_any_set_will_do},
        {"W2, streams stay in order", w2_streams_stay_in_order},
        {"W3, the queue is skipped", w3_the_queue_is_skipped},
        {"W3, who may use all", w3_who_may_use_all},
        {"W3, overlap is the first one's", w3_overlap_is_the_first_ones},
        {"W3, its own SMs are kept", w3_its_own_sms_are_kept},
        {"W3, across priorities", w3_across_priorities},
        {"W3, a kernel without grid keeps nothing", w3_a_kernel_without_grid_keeps_nothing},
        {"refuses what cannot be", refuses_what_cannot_be},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("partitions of the SMs", tests);
}
