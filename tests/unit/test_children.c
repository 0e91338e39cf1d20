/* Kernels launched by blocks, by the numbers of the rules (docs/gpu-model.md), one small case each, with times computed by
 * hand. Two SMs that hold two blocks of 1024 threads each; launches take no time unless said otherwise. */
#include <stdio.h>
#include <string.h>

#include "policies/registry.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

/* A launch of `blocks` blocks of 1024 threads that take `time`, at the end of every block into the block's stream. */
static struct grt_launch_spec child(const char *name, int64_t blocks, grt_time time) {
    return (struct grt_launch_spec){
        .kernel = {.name = name,
                   .blocks = blocks,
                   .needs = {.threads = 1024},
                   .block_time = {.kind = GRT_CONSTANT, .min = time, .max = time}},
    };
}

static void launches(struct grt_builder *builder, struct grt_kernel *kernel,
                     const struct grt_launch_spec *list, size_t count) {
    struct grt_launch_spec *copy = grt_arena_array(&builder->arena, count, sizeof *copy);
    memcpy(copy, list, count * sizeof *copy);
    kernel->launches = (struct grt_field_list){copy, count};
}

static struct grt_builder *two_sms(void) {
    struct grt_builder *builder = grt_builder_create(1000);
    struct grt_device *device = grt_builder_gpu(builder, grt_built_device(2));
    device->max_pending_launches = 2048;
    return builder;
}

/* A task whose job at 0 runs one kernel that launches these. */
static struct grt_task *add(struct grt_builder *builder, int64_t blocks, grt_time time,
                            const struct grt_launch_spec *list, size_t count) {
    struct grt_task *task = grt_builder_task(builder, "t");
    grt_builder_at(builder, task, 0);
    launches(builder, grt_builder_kernel(builder, task, blocks, 1024, time), list, count);
    return task;
}

/* The `nth` kernel of that name, by the trace, began and ended then. */
static bool ran(const struct grt_built_run *run, const char *name, uint32_t nth, grt_time start,
                grt_time end) {
    for (size_t i = 0; i < run->kept.record_count; i++) {
        const struct grt_trace_record *record = &run->kept.records[i];
        if (record->kind != GRT_TRACE_KERNEL) {
            continue;
        }
        const char *text =
            grt_trace_memory_name(&run->kept, GRT_NAME_KERNEL, record->task,
                                  grt_trace_segment(record->detail), grt_trace_command(record->detail));
        if (text != NULL && strcmp(text, name) == 0 && nth-- == 0) {
            bool good = record->other == start && record->time == end;
            if (!good) {
                fprintf(stderr, "%s ran from %lld to %lld\n", name, (long long)record->other,
                        (long long)record->time);
            }
            return good;
        }
    }
    return start == GRT_TIME_NEVER;
}

#define NEVER GRT_TIME_NEVER, GRT_TIME_NEVER

/* ---- D1 ---- */

/* Four blocks end at 10 and launch a grid each; two may be pending. The other launches fail. */
static void d1_too_many_are_pending(void) {
    for (int no_cohorts = 0; no_cohorts < 2; no_cohorts++) {
        struct grt_builder *builder = two_sms();
        struct grt_built_run run;
        struct grt_launch_spec c = child("c", 1, 10);
        builder->gpus[0].max_pending_launches = 2;
        add(builder, 4, 10, &c, 1);
        grt_built_run_start(&run, &builder->scenario, grt_policy_find("hardware"), no_cohorts);
        CU_ASSERT(ran(&run, "c", 0, 10, 20) && ran(&run, "c", 1, 10, 20) && ran(&run, "c", 2, NEVER));
        CU_ASSERT_EQUAL(run.result->gpus[0].failed_launches, 2);
        CU_ASSERT_EQUAL(grt_built_run_count(&run, GRT_TRACE_LAUNCH_FAILED), 2);
        CU_ASSERT_EQUAL(grt_built_run_find(&run, GRT_TRACE_LAUNCH_FAILED, 0, 0, 0)->time, 10);
        CU_ASSERT_EQUAL(grt_built_run_finish(&run, 0, 0), 20);
        grt_built_run_end(&run, builder);
    }
}

/* One may be pending: the second launch, at 3, finds the first one begun; with 5 for a launch it does not. */
static void d1_who_has_begun_is_not_pending(void) {
    for (int slow = 0; slow < 2; slow++) {
        struct grt_builder *builder = two_sms();
        struct grt_built_run run;
        struct grt_launch_spec list[] = {child("c", 1, 10), child("d", 1, 10)};
        list[0].at = 1;
        list[1].at = 3;
        list[1].stream = GRT_LAUNCH_STREAM_FIRE_AND_FORGET;
        builder->gpus[0].max_pending_launches = 1;
        builder->gpus[0].device_launch = slow ? 5 : 0;
        add(builder, 1, 10, list, 2);
        grt_built_run_under(&run, builder, "hardware");
        CU_ASSERT(ran(&run, "c", 0, slow ? 6 : 1, slow ? 16 : 11));
        CU_ASSERT(slow ? ran(&run, "d", 0, NEVER) : ran(&run, "d", 0, 3, 13));
        grt_built_run_end(&run, builder);
    }
}

/* ---- D2 ---- */

/* The kernel's blocks end at 10, the grid that one of them launched at 60 and what that launched at 65: then the kernel is
 * complete, and the next in its stream begins. */
static void d2_complete_when_the_children_are(void) {
    struct grt_builder *builder = two_sms();
    struct grt_built_run run;
    struct grt_launch_spec c = child("c", 1, 50), d = child("d", 1, 5);
    c.from = GRT_LAUNCH_FROM_FIRST_BLOCK;
    launches(builder, &c.kernel, &d, 1);
    struct grt_task *task = add(builder, 2, 10, &c, 1);
    grt_builder_kernel(builder, task, 1, 32, 7);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(ran(&run, "d", 0, 60, 65));
    CU_ASSERT(ran(&run, "c", 0, 10, 65));
    CU_ASSERT(ran(&run, "t", 0, 0, 65));
    CU_ASSERT(ran(&run, "t", 1, 65, 72));
    CU_ASSERT(ran(&run, "c", 1, NEVER));
    grt_built_run_end(&run, builder);
}

/* ---- D3 ---- */

/* A block's launches into its own stream run one after the other, whenever they are made; the second of two blocks does
 * not wait for the first. */
static void d3_in_the_stream_of_the_block(void) {
    for (int apart = 0; apart < 2; apart++) {
        struct grt_builder *builder = two_sms();
        struct grt_built_run run;
        struct grt_launch_spec list[] = {child("c", 1, 40), child("d", 1, 10)};
        list[0].at = apart ? 5 : 0;
        add(builder, 2, 10, list, 2);
        grt_built_run_under(&run, builder, "hardware");
        for (uint32_t i = 0; i < 2; i++) {
            CU_ASSERT(ran(&run, "c", i, apart ? 5 : 10, apart ? 45 : 50));
            CU_ASSERT(ran(&run, "d", i, apart ? 45 : 50, apart ? 55 : 60));
        }
        grt_built_run_end(&run, builder);
    }
}

static void d3_fire_and_forget(void) {
    struct grt_builder *builder = two_sms();
    struct grt_built_run run;
    struct grt_launch_spec list[] = {child("c", 1, 40), child("d", 1, 10)};
    list[1].stream = GRT_LAUNCH_STREAM_FIRE_AND_FORGET;
    add(builder, 1, 10, list, 2);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(ran(&run, "c", 0, 10, 50));
    CU_ASSERT(ran(&run, "d", 0, 10, 20));
    CU_ASSERT(ran(&run, "t", 0, 0, 50));
    grt_built_run_end(&run, builder);
}

/* Tails launched at 1, while the block runs to 10 and another launch to 50: they follow then, one after the other. */
static void d3_tails_come_last(void) {
    struct grt_builder *builder = two_sms();
    struct grt_built_run run;
    struct grt_launch_spec list[] = {child("x", 1, 10), child("y", 1, 20), child("c", 1, 40)};
    list[0].at = list[1].at = 1;
    list[0].stream = list[1].stream = GRT_LAUNCH_STREAM_TAIL;
    add(builder, 1, 10, list, 3);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(ran(&run, "c", 0, 10, 50));
    CU_ASSERT(ran(&run, "x", 0, 50, 60));
    CU_ASSERT(ran(&run, "y", 0, 60, 80));
    CU_ASSERT(ran(&run, "t", 0, 0, 80));
    grt_built_run_end(&run, builder);
}

/* ---- D5 ---- */

/* Launched at 3, in the queue at 8, whatever the block does. */
static void d5_a_launch_takes_its_time(void) {
    struct grt_builder *builder = two_sms();
    struct grt_built_run run;
    struct grt_launch_spec list[] = {child("c", 1, 10), child("d", 1, 10)};
    list[0].at = 3;
    builder->gpus[0].device_launch = 5;
    add(builder, 1, 20, list, 2);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(ran(&run, "c", 0, 8, 18));
    CU_ASSERT(ran(&run, "d", 0, 25, 35));
    grt_built_run_end(&run, builder);
}

/* A fills the SMs until 10. What it launches then goes before B, which waits since 5 in a less urgent queue, where A's
 * stream is urgent; in one queue it goes behind B. */
static void d5_at_the_priority_of_the_parent(void) {
    for (int urgent = 0; urgent < 2; urgent++) {
        struct grt_builder *builder = two_sms();
        struct grt_built_run run;
        struct grt_launch_spec c = child("c", 4, 10);
        c.from = GRT_LAUNCH_FROM_FIRST_BLOCK;
        add(builder, 4, 10, &c, 1)->stream_priority = urgent ? -1 : 0;
        struct grt_task *task = grt_builder_task(builder, "b");
        grt_builder_at(builder, task, 5);
        grt_builder_kernel(builder, task, 4, 1024, 10);
        grt_built_run_under(&run, builder, "hardware");
        CU_ASSERT(ran(&run, "c", 0, urgent ? 10 : 20, urgent ? 20 : 30));
        CU_ASSERT(ran(&run, "b", 0, urgent ? 20 : 10, urgent ? 30 : 20));
        grt_built_run_end(&run, builder);
    }
}

/* ---- with the other rules ---- */

/* One resident grid, or one task slot: a kernel that only waits for what it launched holds neither. */
static void q9_q10_waiting_for_children_holds_nothing(void) {
    for (int slots = 0; slots < 2; slots++) {
        struct grt_builder *builder = two_sms();
        struct grt_built_run run;
        struct grt_launch_spec c = child("c", 1, 10);
        builder->gpus[0].max_resident_grids = slots ? 16 : 1;
        builder->gpus[0].task_slots = slots;
        add(builder, 2, 10, &c, 1);
        grt_built_run_under(&run, builder, "hardware");
        CU_ASSERT(ran(&run, "c", 0, 10, 20) && ran(&run, "c", 1, 20, 30));
        CU_ASSERT(ran(&run, "t", 0, 0, 30));
        grt_built_run_end(&run, builder);
    }
}

/* Q5: the stream has the only hardware queue until its own last kernel is dispatched, at 50; what a block launched in
 * between needs none and gives none back. */
static void q5_children_need_no_hardware_queue(void) {
    struct grt_builder *builder = two_sms();
    struct grt_built_run run;
    struct grt_launch_spec c = child("c", 1, 40);
    builder->gpus[0].hardware_queues = 1;
    struct grt_task *task = add(builder, 1, 10, &c, 1);
    grt_builder_kernel(builder, task, 1, 32, 10);
    task = grt_builder_task(builder, "b");
    grt_builder_at(builder, task, 0);
    grt_builder_kernel(builder, task, 1, 32, 10);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(ran(&run, "c", 0, 10, 50));
    CU_ASSERT(ran(&run, "b", 0, 50, 60));
    grt_built_run_end(&run, builder);
}

/* W1: what a kernel launches is kept to its TPCs, or to others where it says so. */
static void w1_children_stay_with_their_parent(void) {
    static const int64_t numbers[] = {0, 1};
    struct grt_builder *builder = two_sms();
    struct grt_built_run run;
    struct grt_launch_spec list[] = {child("c", 2, 10), child("d", 2, 10)};
    list[1].kernel.tpcs = (struct grt_number_list){numbers, 1};
    add(builder, 1, 10, list, 2)->tpcs = (struct grt_number_list){numbers + 1, 1};
    grt_built_run_under(&run, builder, "hardware");
    for (size_t i = 0; i < run.kept.record_count; i++) {
        const struct grt_trace_record *record = &run.kept.records[i];
        if (record->kind == GRT_TRACE_BLOCK) {
            CU_ASSERT_EQUAL(grt_trace_row(record->row), record->other < 20);
        }
    }
    CU_ASSERT(ran(&run, "d", 0, 20, 30));
    grt_built_run_end(&run, builder);
}

/* T4r: A's block has had 5 when its turn ends at 5, and goes on at 10: it launches after 7 of its own time, at 12. The turn
 * passes again at 15, and its grid, like the block, goes on at 20 for the rest. */
static void t4r_moments_wait_with_the_block(void) {
    static const struct grt_process processes[] = {{.name = "p"}, {.name = "q"}};
    struct grt_builder *builder = two_sms();
    struct grt_built_run run;
    struct grt_launch_spec c = child("c", 1, 6);
    c.at = 7;
    builder->scenario.processes = processes;
    builder->scenario.process_count = 2;
    builder->gpus[0].time_slice = 5;
    builder->gpus[0].context_preemption = GRT_CONTEXT_PREEMPTION_INSTRUCTION;
    add(builder, 1, 9, &c, 1);
    struct grt_task *task = grt_builder_task(builder, "b");
    grt_builder_at(builder, task, 0);
    grt_builder_kernel(builder, task, 1, 32, 100);
    task->process = 1;
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(ran(&run, "c", 0, 12, 23)); /* 3 until 15, then 3 more */
    CU_ASSERT(ran(&run, "t", 0, 0, 23));
    grt_built_run_end(&run, builder);
}

/* ---- aborts ---- */

/* The job is aborted at 15: c runs out until 30, d, which waits for it, and the rest of the kernel's blocks are dropped,
 * and c launches nothing any more. */
static void aborts_drop_what_has_not_begun(void) {
    struct grt_builder *builder = two_sms();
    struct grt_built_run run;
    struct grt_launch_spec list[] = {child("c", 4, 20), child("d", 1, 10), child("x", 1, 10)};
    struct grt_launch_spec e = child("e", 1, 10);
    launches(builder, &list[0].kernel, &e, 1);
    list[0].from = list[1].from = GRT_LAUNCH_FROM_FIRST_BLOCK;
    list[2].stream = GRT_LAUNCH_STREAM_TAIL;
    struct grt_task *task = add(builder, 4, 10, list, 3);
    task->deadline = 15;
    task->on_miss = GRT_MISS_ABORT;
    task = grt_builder_task(builder, "b");
    task->stream = builder->tasks[0].stream = "s";
    grt_builder_at(builder, task, 16);
    grt_builder_kernel(builder, task, 1, 32, 10);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(ran(&run, "c", 0, 10, 30));
    CU_ASSERT(ran(&run, "d", 0, NEVER) && ran(&run, "x", 0, NEVER) && ran(&run, "e", 0, NEVER));
    CU_ASSERT(ran(&run, "t", 0, 0, 30));
    CU_ASSERT_EQUAL(grt_built_run_find(&run, GRT_TRACE_KERNEL, 0, 0, 1)->flags, GRT_TRACE_ABORTED);
    CU_ASSERT(ran(&run, "b", 0, 30, 40));
    grt_built_run_end(&run, builder);
}

/* At 12 nothing of the job runs: its launches are on their way until 15. It is gone at once. */
static void aborts_drop_launches_on_their_way(void) {
    struct grt_builder *builder = two_sms();
    struct grt_built_run run;
    struct grt_launch_spec c = child("c", 1, 20);
    builder->gpus[0].device_launch = 5;
    struct grt_task *task = add(builder, 2, 10, &c, 1);
    task->deadline = 12;
    task->on_miss = GRT_MISS_ABORT;
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(ran(&run, "c", 0, NEVER));
    CU_ASSERT(ran(&run, "t", 0, 0, 12));
    CU_ASSERT_EQUAL(grt_built_run_find(&run, GRT_TRACE_GPU_SEGMENT, 0, 0, 0)->time, 12);
    grt_built_run_end(&run, builder);
}

/* ---- the rest ---- */

/* What the blocks of task 0 launch takes as long whatever others launch meanwhile, and no two of them alike. */
static void times_depend_on_nothing_else(void) {
    grt_time lengths[2][4];
    for (int others = 0; others < 2; others++) {
        struct grt_builder *builder = two_sms();
        struct grt_built_run run;
        struct grt_launch_spec c = child("c", 1, 100);
        c.kernel.block_time.kind = GRT_UNIFORM;
        c.kernel.block_time.min = 1;
        c.kernel.needs.threads = 32;
        add(builder, 4, 10, &c, 1);
        if (others > 0) {
            struct grt_task *task = add(builder, 2, 3, &c, 1);
            task->stream_priority = -1;
        }
        grt_built_run_under(&run, builder, "hardware");
        for (uint32_t block = 0; block < 4; block++) {
            lengths[others][block] = 0;
        }
        for (size_t i = 0; i < run.kept.record_count; i++) {
            const struct grt_trace_record *record = &run.kept.records[i];
            uint32_t grid = grt_trace_grid(record->row);
            if (record->kind == GRT_TRACE_KERNEL && record->task == 0 && grid > 0) {
                lengths[others][(grid - 1) % 4] += record->time - record->other;
            }
        }
        grt_built_run_end(&run, builder);
    }
    grt_time sums[2] = {0};
    for (int block = 0; block < 4; block++) {
        sums[0] += lengths[0][block];
        sums[1] += lengths[1][block];
        CU_ASSERT(block == 0 || lengths[0][block] != lengths[0][block - 1]);
    }
    CU_ASSERT_EQUAL(sums[0], sums[1]);
}

/* The latest moment of a launch is the block's end, here at 10 though the longest block takes 30. */
static void at_the_end_at_the_latest(void) {
    struct grt_builder *builder = two_sms();
    struct grt_built_run run;
    struct grt_launch_spec c = child("c", 1, 10);
    c.at = 25;
    add(builder, 1, 10, &c, 1);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(ran(&run, "c", 0, 10, 20));
    grt_built_run_end(&run, builder);
}

/* Period 100: c begins at 10, and the first job's grids run on into the second period, behind which all repeats. */
static void states_repeat(void) {
    struct grt_builder *builder = two_sms();
    struct grt_built_run run;
    struct grt_launch_spec list[] = {child("c", 1, 40), child("d", 1, 45)};
    list[0].at = 5;
    grt_builder_periodic(add(builder, 1, 10, list, 2), 100, 0);
    builder->scenario.horizon_kind = GRT_HORIZON_AUTO;
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(run.result->stopped_by_repeat);
    CU_ASSERT(ran(&run, "d", 0, 45, 90));
    grt_built_run_end(&run, builder);
}

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
    struct grt_builder *builder = two_sms();
    struct grt_launch_spec c = child("c", 1, 10);
    builder->gpus[0].max_pending_launches = 0;
    add(builder, 1, 10, &c, 1);
    refused(builder,
            "tasks[0].segments[0].gpu[0]: kernel \"t\" can never run on \"built\": its blocks launch "
            "kernels, which they cannot on this device");
    builder = two_sms();
    c.kernel.needs.threads = 2048;
    add(builder, 1, 10, &c, 1);
    refused(builder, "tasks[0].segments[0].gpu[0].launches[0]: kernel \"c\" can never run on \"built\": "
                     "a block has more threads than the device allows in one block (2048, at most 1024)");
}

int main(void) {
    CU_TestInfo tests[] = {
        {"D1, too many are pending", d1_too_many_are_pending},
        {"D1, who has begun is not pending", d1_who_has_begun_is_not_pending},
        {"D2, complete when the children are", d2_complete_when_the_children_are},
        {"D3, in the stream of the block", d3_in_the_stream_of_the_block},
        {"D3, fire and forget", d3_fire_and_forget},
        {"D3, tails come last", d3_tails_come_last},
        {"D5, a launch takes its time", d5_a_launch_takes_its_time},
        {"D5, at the priority of the parent", d5_at_the_priority_of_the_parent},
        {"Q9, Q10, waiting for children holds nothing", q9_q10_waiting_for_children_holds_nothing},
        {"Q5, children need no hardware queue", q5_children_need_no_hardware_queue},
        {"W1, children stay with their parent", w1_children_stay_with_their_parent},
        {"T4r, moments wait with the block", t4r_moments_wait_with_the_block},
        {"aborts drop what has not begun", aborts_drop_what_has_not_begun},
        {"aborts drop launches on their way", aborts_drop_launches_on_their_way},
        {"times depend on nothing else", times_depend_on_nothing_else},
        {"at the end at the latest", at_the_end_at_the_latest},
        {"states repeat", states_repeat},
        {"refuses what cannot be", refuses_what_cannot_be},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("kernels launched by blocks", tests);
}
