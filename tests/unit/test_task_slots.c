/* Task slots, rule Q10 (docs/gpu-model.md), one small case each, with times computed by hand. Four SMs, a TPC each, that
 * hold two blocks of 1024 threads; every task has a stream of its own. */
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

enum { A, B, C, D };

static const int64_t numbers[] = {0, 1, 2, 3};

static struct grt_builder *with_slots(int64_t slots) {
    struct grt_builder *builder = grt_builder_create(1000);
    grt_builder_gpu(builder, grt_built_device(4))->task_slots = slots;
    return builder;
}

/* The next task: a kernel of blocks of 10 at an instant, kept to one TPC, or to none where tpc is negative. */
static struct grt_task *add(struct grt_builder *builder, grt_time at, int64_t blocks, int tpc) {
    struct grt_task *task = grt_builder_task(builder, "t");
    grt_builder_at(builder, task, at);
    grt_builder_kernel(builder, task, blocks, 1024, 10);
    if (tpc >= 0) {
        task->tpcs = (struct grt_number_list){numbers + tpc, 1};
    }
    return task;
}

/* A has four waves on TPC 0, B waits behind it. With two slots these two have them, and C waits for nothing else, though
 * TPC 1 is idle: until A has ended at 40. With three slots it begins at once. */
static void partitions_block_each_other(void) {
    for (int64_t slots = 2; slots <= 3; slots++) {
        struct grt_builder *builder = with_slots(slots);
        struct grt_built_run run;
        add(builder, 0, 8, 0);
        add(builder, 0, 2, 0);
        add(builder, 0, 2, 1);
        grt_built_run_under(&run, builder, "hardware");
        CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 40));
        CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 40, 50));
        CU_ASSERT(grt_built_kernel_ran(&run, C, 0, slots == 2 ? 40 : 0, slots == 2 ? 50 : 10));
        grt_built_run_end(&run, builder);
    }
}

/* Fully dispatched is not enough: A's two blocks run from 0 to 10, and its slot, the only one, is taken until then. */
static void kept_until_all_blocks_complete(void) {
    struct grt_builder *builder = with_slots(1);
    struct grt_built_run run;
    add(builder, 0, 2, -1);
    add(builder, 0, 2, -1);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 10));
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 10, 20));
    grt_built_run_end(&run, builder);
}

/* B has the second slot and has not begun when C, more urgent, comes at 5: it is evicted, and C begins at once. When C ends
 * at 15, B has its slot back before D, which came later. */
static void a_more_urgent_one_evicts(void) {
    struct grt_builder *builder = with_slots(2);
    struct grt_built_run run;
    add(builder, 0, 8, 0);
    add(builder, 0, 2, 0);
    add(builder, 5, 2, 1)->stream_priority = -1;
    add(builder, 5, 2, 2);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 40));
    CU_ASSERT(grt_built_kernel_ran(&run, C, 0, 5, 15));
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 40, 50));
    CU_ASSERT(grt_built_kernel_ran(&run, D, 0, 40, 50));
    grt_built_run_end(&run, builder);
}

/* A and B have begun: they keep their slots, and C, more urgent, waits for B's end though its TPC is idle. Without a limit
 * it begins at once. */
static void who_has_begun_is_not_evicted(void) {
    for (int64_t slots = 0; slots <= 2; slots += 2) {
        struct grt_builder *builder = with_slots(slots);
        struct grt_built_run run;
        add(builder, 0, 8, 0);
        add(builder, 0, 4, 1);
        add(builder, 5, 2, 2)->stream_priority = -1;
        grt_built_run_under(&run, builder, "hardware");
        CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 0, 20));
        CU_ASSERT(grt_built_kernel_ran(&run, C, 0, slots == 2 ? 20 : 5, slots == 2 ? 30 : 15));
        grt_built_run_end(&run, builder);
    }
}

/* One without a slot is not known to the work distributor: it does not keep its SMs from less urgent ones that have slots.
 * C, urgent and without a slot, may use all SMs; A and B go on with their second waves at 10. */
static void who_has_no_slot_holds_nobody_back(void) {
    struct grt_builder *builder = with_slots(2);
    struct grt_built_run run;
    add(builder, 0, 4, 0);
    add(builder, 0, 4, 1);
    add(builder, 5, 2, -1)->stream_priority = -1;
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 20));
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 0, 20));
    CU_ASSERT(grt_built_kernel_ran(&run, C, 0, 20, 30));
    grt_built_run_end(&run, builder);
}

/* Where Q9 is the smaller limit, a kernel that may not begin for it has a slot all the same. */
static void resident_grids_are_another_limit(void) {
    struct grt_builder *builder = with_slots(3);
    struct grt_built_run run;
    builder->gpus[0].max_resident_grids = 1;
    add(builder, 0, 8, 0);
    add(builder, 0, 2, 1);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 40, 50));
    grt_built_run_end(&run, builder);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"Q10, partitions block each other", partitions_block_each_other},
        {"Q10, kept until all blocks complete", kept_until_all_blocks_complete},
        {"Q10, a more urgent one evicts", a_more_urgent_one_evicts},
        {"Q10, who has begun is not evicted", who_has_begun_is_not_evicted},
        {"Q10, who has no slot holds nobody back", who_has_no_slot_holds_nobody_back},
        {"Q10 and Q9", resident_grids_are_another_limit},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("task slots", tests);
}
