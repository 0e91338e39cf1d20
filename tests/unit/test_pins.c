/* Kernels whose blocks look on which SM they are (W8), one small case each, with times computed by hand. Two SMs that hold two blocks
 * of 1024 threads unless said otherwise; items take 10, exits 3. */
#include <stdio.h>
#include <string.h>

#include "policies/registry.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

enum { A, B, C };
enum { WORKS = 0, GOES_ON = GRT_TRACE_GOES_ON, EXITS = GRT_TRACE_EXITED };

static const int64_t numbers[] = {0, 1, 2, 3};

static struct grt_number_list sms(size_t first, size_t count) {
    return (struct grt_number_list){numbers + first, count};
}

static struct grt_builder *sm_count(int64_t count) {
    struct grt_builder *builder = grt_builder_create(1000);
    grt_builder_gpu(builder, grt_built_device(count));
    return builder;
}

/* The next task: at an instant a kernel of blocks of 1024 threads, pinned to one SM. */
static struct grt_kernel *add(struct grt_builder *builder, grt_time at, int64_t blocks, int64_t items,
                              size_t sm) {
    struct grt_task *task = grt_builder_task(builder, "t");
    grt_builder_at(builder, task, at);
    struct grt_kernel *kernel = grt_builder_kernel(builder, task, blocks, 1024, 10);
    kernel->sms = sms(sm, 1);
    kernel->items = items;
    kernel->exit_time = 3;
    return kernel;
}

/* How many slices there are of a block, on an SM, with these flags. */
static int slices(const struct grt_built_run *run, uint32_t task, uint32_t block, uint32_t sm, grt_time start,
                  grt_time end, uint8_t flags) {
    int count = 0;
    for (size_t i = 0; i < run->kept.record_count; i++) {
        const struct grt_trace_record *record = &run->kept.records[i];
        count += record->kind == GRT_TRACE_BLOCK && record->task == task && record->detail == block &&
                 record->row == sm && record->other == start && record->time == end && record->flags == flags;
    }
    return count;
}

static uint64_t lost(const struct grt_built_run *run) {
    return run->result->gpus[0].lost_items;
}

/* Blocks 0 and 2 come to SM 0, 1 and 3 to SM 1: two items each for those on SM 0, the second one's last is the fifth. */
static void blocks_work_where_they_should(void) {
    struct grt_builder *builder = sm_count(2);
    struct grt_built_run run;
    add(builder, 0, 4, 5, 0);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT_EQUAL(slices(&run, A, 1, 1, 0, 3, EXITS), 1);
    CU_ASSERT_EQUAL(slices(&run, A, 3, 1, 0, 3, EXITS), 1);
    CU_ASSERT_EQUAL(slices(&run, A, 0, 0, 0, 10, GOES_ON), 1);
    CU_ASSERT_EQUAL(slices(&run, A, 2, 0, 0, 10, GOES_ON), 1);
    CU_ASSERT_EQUAL(slices(&run, A, 0, 0, 10, 20, GOES_ON), 1);
    CU_ASSERT_EQUAL(slices(&run, A, 2, 0, 10, 20, WORKS), 1);
    CU_ASSERT_EQUAL(slices(&run, A, 0, 0, 20, 30, WORKS), 1);
    CU_ASSERT_EQUAL(grt_built_run_count(&run, GRT_TRACE_BLOCK), 7);
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 30));
    CU_ASSERT_EQUAL(run.result->gpus[0].blocks, 4);
    CU_ASSERT_EQUAL(run.result->gpus[0].busy, 30);
    CU_ASSERT_DOUBLE_EQUAL(run.result->gpus[0].sm_busy, 33, 0);
    CU_ASSERT_DOUBLE_EQUAL(run.result->gpus[0].thread_time, 0.5 * (30 + 20 + 3 + 3), 0);
    CU_ASSERT(run.result->gpus[0].pins);
    CU_ASSERT_EQUAL(lost(&run), 0);
    CU_ASSERT_EQUAL(grt_built_run_count(&run, GRT_TRACE_LOST_ITEMS), 0);
    grt_built_run_end(&run, builder);
}

/* Without a number there are as many items as blocks. */
static void as_many_items_as_blocks(void) {
    struct grt_builder *builder = sm_count(2);
    struct grt_built_run run;
    add(builder, 0, 4, 0, 1);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 20));
    CU_ASSERT_EQUAL(slices(&run, A, 1, 1, 10, 20, WORKS), 1);
    CU_ASSERT_EQUAL(slices(&run, A, 3, 1, 10, 20, WORKS), 1);
    grt_built_run_end(&run, builder);
}

/* Two items for eight blocks: the first two on SM 0 take them; whoever comes to its room later exits, too. */
static void blocks_without_an_item_exit(void) {
    struct grt_builder *builder = sm_count(2);
    struct grt_built_run run;
    add(builder, 0, 8, 2, 0)->needs.threads = 512;
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT_EQUAL(slices(&run, A, 0, 0, 0, 10, WORKS), 1);
    CU_ASSERT_EQUAL(slices(&run, A, 2, 0, 0, 10, WORKS), 1);
    CU_ASSERT_EQUAL(slices(&run, A, 4, 0, 0, 3, EXITS), 1);
    CU_ASSERT_EQUAL(slices(&run, A, 6, 0, 0, 3, EXITS), 1);
    CU_ASSERT_EQUAL(slices(&run, A, 7, 1, 0, 3, EXITS), 1);
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 10));
    CU_ASSERT_EQUAL(lost(&run), 0);
    grt_built_run_end(&run, builder);
}

/* Six blocks: where the exits make room on SM 1 the last two begin there. */
static void exits_make_room_for_the_next(void) {
    struct grt_builder *builder = sm_count(2);
    struct grt_built_run run;
    add(builder, 0, 6, 2, 0);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT_EQUAL(slices(&run, A, 4, 1, 3, 6, EXITS), 1);
    CU_ASSERT_EQUAL(slices(&run, A, 5, 1, 3, 6, EXITS), 1);
    grt_built_run_end(&run, builder);
}

/* Another kernel fills SM 0 until 100: no block comes there. */
static void work_is_lost_where_the_sm_is_busy(void) {
    struct grt_builder *builder = sm_count(2);
    struct grt_built_run run;
    add(builder, 0, 4, 2, 0)->block_time.max = 100;
    add(builder, 5, 6, 7, 0);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 5, 14));
    CU_ASSERT_EQUAL(lost(&run), 7);
    const struct grt_trace_record *record = grt_built_run_find(&run, GRT_TRACE_LOST_ITEMS, B, 0, 0);
    CU_ASSERT_PTR_NOT_NULL_FATAL(record);
    CU_ASSERT_EQUAL(record->time, 14);
    CU_ASSERT_EQUAL(record->other, 7);
    CU_ASSERT_EQUAL(record->detail, grt_trace_place(0, 0));
    grt_built_run_end(&run, builder);
}

/* B's blocks fit beside none of A's and keep C, which would, from both SMs until the last of them has found room. */
static void visitors_hold_up_the_queue(void) {
    struct grt_builder *builder = sm_count(2);
    struct grt_built_run run;
    add(builder, 0, 4, 2, 0)->needs.shared_memory = 16384;
    add(builder, 1, 4, 2, 0)->needs.shared_memory = 40000;
    struct grt_kernel *small = add(builder, 2, 1, 0, 0);
    small->needs.threads = 32;
    small->sms = sms(0, 0);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT_EQUAL(slices(&run, B, 0, 1, 3, 6, EXITS), 1);
    CU_ASSERT_EQUAL(slices(&run, B, 1, 1, 6, 9, EXITS), 1);
    CU_ASSERT_EQUAL(slices(&run, B, 2, 1, 9, 12, EXITS), 1);
    CU_ASSERT_EQUAL(slices(&run, B, 3, 0, 10, 20, GOES_ON), 1);
    CU_ASSERT_EQUAL(slices(&run, B, 3, 0, 20, 30, WORKS), 1);
    CU_ASSERT(grt_built_kernel_ran(&run, C, 0, 10, 20));
    grt_built_run_end(&run, builder);
}

/* The k-th item takes the k-th time that is drawn, and all of a launch the same where it draws once. */
static void items_draw_times(void) {
    for (int per_kernel = 0; per_kernel < 2; per_kernel++) {
        grt_time seen[2][8]; /* of an SM each */
        for (size_t sm = 0; sm < 2; sm++) {
            struct grt_builder *builder = sm_count(2);
            struct grt_built_run run;
            struct grt_kernel *kernel = add(builder, 0, 1 + (int64_t)sm, 8, sm);
            kernel->block_time = (struct grt_distribution){.kind = GRT_UNIFORM, .min = 10, .max = 1000};
            kernel->draw_per = per_kernel ? GRT_DRAW_PER_KERNEL : GRT_DRAW_PER_BLOCK;
            builder->scenario.horizon = 10000;
            grt_built_run_under(&run, builder, "hardware");
            size_t found = 0;
            for (uint32_t i = 0; i < run.kept.record_count && found < 8; i++) {
                const struct grt_trace_record *record = &run.kept.records[i];
                if (record->kind == GRT_TRACE_BLOCK && !(record->flags & GRT_TRACE_EXITED)) {
                    seen[sm][found++] = record->time - record->other;
                }
            }
            grt_built_run_end(&run, builder);
            CU_ASSERT_EQUAL_FATAL(found, 8);
        }
        CU_ASSERT(memcmp(seen[0], seen[1], sizeof seen[0]) == 0);
        CU_ASSERT(per_kernel ? seen[0][0] == seen[0][1] : seen[0][0] != seen[0][1]);
    }
}

/* An exit of no time takes 1, like everything. */
static void nothing_takes_no_time(void) {
    struct grt_builder *builder = sm_count(2);
    struct grt_built_run run;
    struct grt_kernel *kernel = add(builder, 0, 2, 2, 0);
    kernel->exit_time = kernel->block_time.max = 0;
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT_EQUAL(slices(&run, A, 1, 1, 0, 1, EXITS), 1);
    CU_ASSERT_EQUAL(slices(&run, A, 0, 0, 0, 1, GOES_ON), 1);
    CU_ASSERT_EQUAL(slices(&run, A, 0, 0, 1, 2, WORKS), 1);
    grt_built_run_end(&run, builder);
}

/* Pinned to SMs 1 and 2 of four, kept to TPCs 0 and 1, of one SM each: works on SM 1 only. */
static void within_its_tpcs(void) {
    struct grt_builder *builder = sm_count(4);
    struct grt_built_run run;
    struct grt_kernel *kernel = add(builder, 0, 4, 3, 1);
    kernel->sms = sms(1, 2);
    kernel->tpcs = sms(0, 2);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT_EQUAL(slices(&run, A, 0, 0, 0, 3, EXITS), 1);
    CU_ASSERT_EQUAL(slices(&run, A, 1, 1, 0, 10, GOES_ON), 1);
    CU_ASSERT_EQUAL(slices(&run, A, 1, 1, 10, 20, WORKS), 1);
    CU_ASSERT_EQUAL(slices(&run, A, 3, 1, 0, 10, WORKS), 1);
    grt_built_run_end(&run, builder);
}

/* SM ids, not places: with one SM of each TPC first, SM 1 is the third place. */
static void sms_are_ids(void) {
    struct grt_builder *builder = sm_count(4);
    struct grt_built_run run;
    builder->gpus[0].sms_per_tpc = 2;
    builder->gpus[0].sm_order = GRT_SM_ORDER_TPC_FIRST;
    add(builder, 0, 4, 1, 1);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT_EQUAL(slices(&run, A, 2, 1, 0, 10, WORKS), 1);
    CU_ASSERT_EQUAL(slices(&run, A, 1, 2, 0, 3, EXITS), 1);
    grt_built_run_end(&run, builder);
}

/* ---- turns ---- */

static const struct grt_process processes[] = {{.name = "p"}, {.name = "q"}};

/* A, whose one block takes three items of 70 on SM 0, and B, a kernel of 60, in processes of their own; turns of 100. */
static struct grt_builder *two_processes(int64_t preemption) {
    struct grt_builder *builder = sm_count(2);
    struct grt_device *device = &builder->gpus[0];
    device->context_preemption = preemption;
    device->time_slice = 100;
    builder->scenario.processes = processes;
    builder->scenario.process_count = 2;
    add(builder, 0, 1, 3, 0)->block_time.max = 70;
    struct grt_task *task = grt_builder_task(builder, "t");
    task->process = 1;
    grt_builder_at(builder, task, 0);
    grt_builder_kernel(builder, task, 1, 32, 60);
    return builder;
}

/* The second item from 70 is switched out at 100 and goes on from 160 to 200; the third follows. */
static void items_are_switched_out(void) {
    struct grt_builder *builder = two_processes(GRT_CONTEXT_PREEMPTION_INSTRUCTION);
    struct grt_built_run run;
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 100, 160));
    CU_ASSERT_EQUAL(slices(&run, A, 0, 0, 0, 70, GOES_ON), 1);
    CU_ASSERT_EQUAL(slices(&run, A, 0, 0, 70, 200, GOES_ON), 1);
    CU_ASSERT_EQUAL(slices(&run, A, 0, 0, 200, 270, WORKS), 1);
    grt_built_run_end(&run, builder);
}

/* It is thrown away and begins again at 160. */
static void items_begin_again(void) {
    struct grt_builder *builder = two_processes(GRT_CONTEXT_PREEMPTION_RESET);
    struct grt_built_run run;
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT_EQUAL(slices(&run, A, 0, 0, 70, 100, GRT_TRACE_PREEMPTED), 1);
    CU_ASSERT_EQUAL(slices(&run, A, 0, 0, 160, 230, GOES_ON), 1);
    CU_ASSERT_EQUAL(slices(&run, A, 0, 0, 230, 300, WORKS), 1);
    CU_ASSERT_EQUAL(lost(&run), 0);
    grt_built_run_end(&run, builder);
}

/* A block that loops is one block: the turn ends with its last item. */
static void turns_wait_for_the_last_item(void) {
    struct grt_builder *builder = two_processes(GRT_CONTEXT_PREEMPTION_BLOCK);
    struct grt_built_run run;
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 210));
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 210, 270));
    grt_built_run_end(&run, builder);
}

/* ---- aborts, and the end of the run ---- */

/* At 15 the second item is under way and runs out; the others are dropped, and not lost. */
static void aborts_drop_items(void) {
    struct grt_builder *builder = sm_count(2);
    struct grt_built_run run;
    add(builder, 0, 1, 5, 0);
    builder->tasks[A].deadline = 15;
    builder->tasks[A].on_miss = GRT_MISS_ABORT;
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT_EQUAL(slices(&run, A, 0, 0, 0, 10, GOES_ON), 1);
    CU_ASSERT_EQUAL(slices(&run, A, 0, 0, 10, 20, WORKS), 1);
    CU_ASSERT_EQUAL(grt_built_run_count(&run, GRT_TRACE_BLOCK), 2);
    CU_ASSERT_EQUAL(grt_built_run_find(&run, GRT_TRACE_KERNEL, A, 0, 0)->flags, GRT_TRACE_ABORTED);
    CU_ASSERT_EQUAL(lost(&run), 0);
    grt_built_run_end(&run, builder);
}

static void slices_are_open_at_the_end(void) {
    struct grt_builder *builder = sm_count(2);
    struct grt_built_run run;
    builder->scenario.horizon = 12;
    add(builder, 0, 1, 5, 0);
    add(builder, 10, 4, 1, 0);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT_EQUAL(slices(&run, A, 0, 0, 10, 12, GRT_TRACE_OPEN), 1);
    CU_ASSERT_EQUAL(slices(&run, B, 0, 1, 10, 12, GRT_TRACE_OPEN | EXITS), 1);
    CU_ASSERT_EQUAL(lost(&run), 0);
    grt_built_run_end(&run, builder);
}

/* ---- contention ---- */

/* Alone: two blocks work and draw all of the memory's bandwidth together, the exits beside them nothing. */
static void exits_draw_nothing(void) {
    for (int by_sm = 0; by_sm < 2; by_sm++) {
        struct grt_builder *builder = sm_count(2);
        struct grt_built_run run;
        struct grt_device *device = &builder->gpus[0];
        device->memory_bytes_per_second = 100 * GRT_SECOND;
        device->bandwidth_sharing = GRT_BANDWIDTH_SHARING_PROPORTIONAL;
        device->cores_per_sm = 64;
        device->threads_per_core = by_sm ? 16 : 0;
        add(builder, 0, 6, 4, 0)->bandwidth = 100 * GRT_SECOND;
        grt_built_run_under(&run, builder, "hardware");
        CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 20));
        CU_ASSERT_EQUAL(slices(&run, A, 1, 1, 0, 3, EXITS), 1);
        CU_ASSERT_EQUAL(slices(&run, A, 5, 1, 3, 6, EXITS), 1);
        grt_built_run_end(&run, builder);
    }
}

/* Of its 100 each of the two blocks that can work at a time on SM 1 draws 50, beside another kernel's 100: both take twice as long; exits
 * what they always take. */
static void exits_are_not_slowed(void) {
    struct grt_builder *builder = sm_count(2);
    struct grt_built_run run;
    struct grt_device *device = &builder->gpus[0];
    device->memory_bytes_per_second = 100 * GRT_SECOND;
    device->bandwidth_sharing = GRT_BANDWIDTH_SHARING_PROPORTIONAL;
    struct grt_task *task = grt_builder_task(builder, "t");
    grt_builder_at(builder, task, 0);
    struct grt_kernel *other = grt_builder_kernel(builder, task, 1, 32, 100);
    other->bandwidth = 100 * GRT_SECOND;
    add(builder, 0, 4, 4, 1)->bandwidth = 100 * GRT_SECOND;
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT_EQUAL(slices(&run, B, 0, 1, 0, 20, GOES_ON), 1);
    CU_ASSERT_EQUAL(slices(&run, B, 2, 1, 0, 20, GOES_ON), 1);
    CU_ASSERT_EQUAL(slices(&run, B, 0, 1, 20, 40, WORKS), 1);
    CU_ASSERT_EQUAL(slices(&run, B, 1, 0, 0, 3, EXITS), 1);
    CU_ASSERT_EQUAL(slices(&run, B, 3, 0, 3, 6, EXITS), 1);
    grt_built_run_end(&run, builder);
}

/* ---- refusals ---- */

static void refused(struct grt_builder *builder, const char *policy, const char *expected) {
    struct grt_built_run run;
    grt_built_run_start(&run, &builder->scenario, grt_policy_find(policy), false);
    CU_ASSERT_PTR_NULL(run.world);
    CU_ASSERT_EQUAL_FATAL(run.errors.count, 1);
    CU_ASSERT_STRING_EQUAL(run.errors.messages[0], expected);
    grt_built_run_end(&run, builder);
}

static void refuses_what_cannot_be(void) {
    struct grt_builder *builder = sm_count(2);
    add(builder, 0, 1, 1, 2);
    refused(
        builder, "hardware",
        "tasks[0].segments[0].gpu[0]: kernel \"t\" can never run on \"built\": it is pinned to an SM that "
        "the device does not have");
    builder = sm_count(2);
    add(builder, 0, 1, 1, 0)->tpcs = sms(1, 1);
    refused(
        builder, "hardware",
        "tasks[0].segments[0].gpu[0]: kernel \"t\" can never run on \"built\": none of the SMs that it is "
        "pinned to is among the TPCs that it is kept to");
    builder = sm_count(2);
    add(builder, 0, 1, -1, 0);
    refused(builder, "hardware", "tasks[0].segments[0].gpu[0].items: must be 0 to 2147483647 (got -1)");
    builder = sm_count(2);
    add(builder, 0, 1, 1, 0)->whole_device = true;
    refused(builder, "hardware",
            "tasks[0].segments[0].gpu[0].sms: a kernel that is described by its time cannot be pinned");
    builder = sm_count(2);
    struct grt_launch_spec launch = {.kernel = {.name = "c", .blocks = 1, .needs.threads = 32}};
    add(builder, 0, 1, 1, 0)->launches = (struct grt_field_list){&launch, 1};
    refused(
        builder, "hardware",
        "tasks[0].segments[0].gpu[0].sms: kernels that blocks launch, or whose blocks launch some, cannot "
        "be pinned");
    builder = sm_count(2);
    struct grt_kernel *parent = add(builder, 0, 1, 0, 0);
    launch.kernel.sms = parent->sms;
    parent->sms = sms(0, 0);
    parent->launches = (struct grt_field_list){&launch, 1};
    refused(builder, "hardware",
            "tasks[0].segments[0].gpu[0].launches[0].sms: kernels that blocks launch, or whose blocks launch "
            "some, cannot be pinned");
    builder = sm_count(2);
    add(builder, 0, 1, 1, 0);
    grt_builder_periodic(&builder->tasks[0], 100, 0);
    refused(builder, "tdm",
            "tasks[0].segments[0].gpu[0].sms: not allowed because policy tdm cuts GPU segments into pieces");
}

int main(void) {
    CU_TestInfo tests[] = {
        {"blocks work where they should", blocks_work_where_they_should},
        {"as many items as blocks", as_many_items_as_blocks},
        {"blocks without an item exit", blocks_without_an_item_exit},
        {"exits make room for the next", exits_make_room_for_the_next},
        {"work is lost where the SM is busy", work_is_lost_where_the_sm_is_busy},
        {"visitors hold up the queue", visitors_hold_up_the_queue},
        {"items draw times", items_draw_times},
        {"nothing takes no time", nothing_takes_no_time},
        {"within its TPCs", within_its_tpcs},
        {"SMs are ids", sms_are_ids},
        {"items are switched out", items_are_switched_out},
        {"items begin again", items_begin_again},
        {"turns wait for the last item", turns_wait_for_the_last_item},
        {"aborts drop items", aborts_drop_items},
        {"slices are open at the end", slices_are_open_at_the_end},
        {"exits draw nothing", exits_draw_nothing},
        {"exits are not slowed", exits_are_not_slowed},
        {"refuses what cannot be", refuses_what_cannot_be},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("pinned kernels", tests);
}
