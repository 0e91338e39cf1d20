/* Blocks that wait inside for what they launched (rule D4), small cases with times computed by hand. Two SMs that hold two
 * blocks of 1024 threads each; launches take no time unless said otherwise. The parent's blocks take 10. */
#include <stdio.h>
#include <string.h>

#include "policies/registry.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

/* A launch of one block of 1024 threads at `at` of every block. */
static struct grt_launch_spec child(const char *name, grt_time at, grt_time time, bool wait) {
    return (struct grt_launch_spec){
        .kernel = {.name = name,
                   .blocks = 1,
                   .needs = {.threads = 1024},
                   .block_time = {.kind = GRT_CONSTANT, .min = time, .max = time}},
        .at = at,
        .wait = wait,
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
    device->max_sync_depth = 2;
    return builder;
}

/* A task whose job at 0 runs one kernel of blocks of 10 that launches these. */
static struct grt_task *add(struct grt_builder *builder, int64_t blocks, const struct grt_launch_spec *list,
                            size_t count) {
    struct grt_task *task = grt_builder_task(builder, "t");
    grt_builder_at(builder, task, 0);
    launches(builder, grt_builder_kernel(builder, task, blocks, 1024, 10), list, count);
    return task;
}

/* Another task with one kernel. */
static struct grt_task *other(struct grt_builder *builder, grt_time at, int64_t blocks, int64_t threads,
                              grt_time time) {
    struct grt_task *task = grt_builder_task(builder, "u");
    grt_builder_at(builder, task, at);
    grt_builder_kernel(builder, task, blocks, threads, time);
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

/* The `nth` stay of a block of task 0's own kernel; all but the last are cut off. */
static bool stayed(const struct grt_built_run *run, uint32_t block, uint32_t nth, grt_time start,
                   grt_time end, uint8_t flags) {
    for (size_t i = 0; i < run->kept.record_count; i++) {
        const struct grt_trace_record *record = &run->kept.records[i];
        if (record->kind == GRT_TRACE_BLOCK && record->task == 0 && grt_trace_grid(record->row) == 0 &&
            record->detail == block && nth-- == 0) {
            bool good = record->other == start && record->time == end && record->flags == flags;
            if (!good) {
                fprintf(stderr, "block %u stayed from %lld to %lld, flags %u\n", block,
                        (long long)record->other, (long long)record->time, record->flags);
            }
            return good;
        }
    }
    return start == GRT_TIME_NEVER;
}

enum { CUT = GRT_TRACE_PREEMPTED };

/* ---- for what a block waits ---- */

/* c is launched at 4 and takes 30: the block goes on at 34 for the 6 that are left. With 5 for a launch, 5 later. */
static void longer_than_the_block(void) {
    for (int slow = 0; slow <= 5; slow += 5) {
        struct grt_builder *builder = two_sms();
        struct grt_built_run run;
        struct grt_launch_spec c = child("c", 4, 30, true);
        builder->gpus[0].device_launch = slow;
        add(builder, 1, &c, 1);
        grt_built_run_under(&run, builder, "hardware");
        CU_ASSERT(stayed(&run, 0, 0, 0, 4, CUT));
        CU_ASSERT(ran(&run, "c", 0, 4 + slow, 34 + slow));
        CU_ASSERT(stayed(&run, 0, 1, 34 + slow, 40 + slow, 0));
        CU_ASSERT(stayed(&run, 0, 2, NEVER, 0));
        CU_ASSERT(ran(&run, "t", 0, 0, 40 + slow));
        CU_ASSERT_EQUAL(run.result->gpus[0].blocks, 2);
        CU_ASSERT_EQUAL(run.result->gpus[0].busy, 40);
        CU_ASSERT_EQUAL(run.result->gpus[0].thread_time, (10 + 30) / 2.0);
        grt_built_run_end(&run, builder);
    }
}

/* x, launched at 1, takes until 51; that c, with which the block begins to wait, ends at 5 is not enough. */
static void for_all_that_it_launched(void) {
    struct grt_builder *builder = two_sms();
    struct grt_built_run run;
    struct grt_launch_spec list[] = {child("x", 1, 50, false), child("c", 4, 1, true)};
    list[0].stream = GRT_LAUNCH_STREAM_FIRE_AND_FORGET;
    add(builder, 1, list, 2);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(ran(&run, "c", 0, 4, 5));
    CU_ASSERT(stayed(&run, 0, 0, 0, 4, CUT) && stayed(&run, 0, 1, 51, 57, 0));
    grt_built_run_end(&run, builder);
}

/* And for what that launched: c's block ends at 5, d at 35. */
static void for_what_that_launched(void) {
    struct grt_builder *builder = two_sms();
    struct grt_built_run run;
    struct grt_launch_spec c = child("c", 4, 1, true), d = child("d", 0, 30, false);
    launches(builder, &c.kernel, &d, 1);
    add(builder, 1, &c, 1);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(ran(&run, "d", 0, 5, 35));
    CU_ASSERT(stayed(&run, 0, 1, 35, 41, 0));
    grt_built_run_end(&run, builder);
}

/* Tails begin when the block has ended. What it launches after 8 of its time, which is at 18, it does not wait for. */
static void not_for_tails_nor_for_later_ones(void) {
    struct grt_builder *builder = two_sms();
    struct grt_built_run run;
    struct grt_launch_spec list[] = {child("x", 1, 7, false), child("c", 4, 10, true),
                                     child("d", 8, 10, false)};
    list[0].stream = GRT_LAUNCH_STREAM_TAIL;
    add(builder, 1, list, 3);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(stayed(&run, 0, 0, 0, 4, CUT) && stayed(&run, 0, 1, 14, 20, 0));
    CU_ASSERT(ran(&run, "c", 0, 4, 14) && ran(&run, "d", 0, 18, 28) && ran(&run, "x", 0, 28, 35));
    grt_built_run_end(&run, builder);
}

/* After 4 it waits until 14, after 4 more, at 18, until 28, and goes on for the last 2. */
static void more_than_once(void) {
    struct grt_builder *builder = two_sms();
    struct grt_built_run run;
    struct grt_launch_spec list[] = {child("c", 4, 10, true), child("d", 8, 10, true)};
    add(builder, 1, list, 2);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(stayed(&run, 0, 0, 0, 4, CUT) && stayed(&run, 0, 1, 14, 18, CUT) &&
              stayed(&run, 0, 2, 28, 30, 0));
    grt_built_run_end(&run, builder);
}

/* Only block 0 launches c, and waits, then also for its x; block 1 does not wait for its own. */
static void only_who_launches(void) {
    struct grt_builder *builder = two_sms();
    struct grt_built_run run;
    struct grt_launch_spec list[] = {child("x", 1, 20, false), child("c", 4, 10, true)};
    list[0].stream = GRT_LAUNCH_STREAM_FIRE_AND_FORGET;
    list[1].from = GRT_LAUNCH_FROM_FIRST_BLOCK;
    add(builder, 2, list, 2);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(ran(&run, "x", 1, 1, 21) && ran(&run, "c", 0, 4, 14) && ran(&run, "c", 1, NEVER));
    CU_ASSERT(stayed(&run, 0, 0, 0, 4, CUT) && stayed(&run, 0, 1, 21, 27, 0));
    CU_ASSERT(stayed(&run, 1, 0, 0, 10, 0) && stayed(&run, 1, 1, NEVER, 0));
    grt_built_run_end(&run, builder);
}

/* One may be pending: the launch of block 1 fails, so that it has nothing to wait for. */
static void not_for_what_failed(void) {
    struct grt_builder *builder = two_sms();
    struct grt_built_run run;
    struct grt_launch_spec c = child("c", 4, 10, true);
    builder->gpus[0].device_launch = 5;
    builder->gpus[0].max_pending_launches = 1;
    add(builder, 2, &c, 1);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(stayed(&run, 0, 0, 0, 4, CUT) && stayed(&run, 0, 1, 19, 25, 0));
    CU_ASSERT(stayed(&run, 1, 0, 0, 10, 0) && stayed(&run, 1, 1, NEVER, 0));
    grt_built_run_end(&run, builder);
}

/* The moment comes in a block that has ended by then: it launches at its end, and waits no more. */
static void not_at_the_end(void) {
    struct grt_builder *builder = two_sms();
    struct grt_built_run run;
    struct grt_launch_spec c = child("c", 10, 10, true);
    add(builder, 1, &c, 1);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(stayed(&run, 0, 0, 0, 10, 0) && stayed(&run, 0, 1, NEVER, 0));
    CU_ASSERT(ran(&run, "c", 0, 10, 20) && ran(&run, "t", 0, 0, 20));
    grt_built_run_end(&run, builder);
}

/* ---- room ---- */

/* Six parents, of which four fill the SMs. At 4 they make room for the other two, which stand before the grids in the queue, and
 * for two grids, until 9; at 8 the other two make room for two more grids, until 13. Parents that come back then, two at 9 and
 * two at 13, go before the last two grids, which have room when the first two parents end, at 15. */
static void parents_that_fill_the_sms(void) {
    for (int no_cohorts = 0; no_cohorts < 2; no_cohorts++) {
        struct grt_builder *builder = two_sms();
        struct grt_built_run run;
        struct grt_launch_spec c = child("c", 4, 5, true);
        add(builder, 6, &c, 1);
        grt_built_run_start(&run, &builder->scenario, grt_policy_find("hardware"), no_cohorts);
        CU_ASSERT(stayed(&run, 0, 0, 0, 4, CUT) && stayed(&run, 3, 0, 0, 4, CUT));
        CU_ASSERT(stayed(&run, 4, 0, 4, 8, CUT) && stayed(&run, 5, 0, 4, 8, CUT));
        CU_ASSERT(ran(&run, "c", 0, 4, 9) && ran(&run, "c", 1, 4, 9));
        CU_ASSERT(ran(&run, "c", 2, 8, 13) && ran(&run, "c", 3, 8, 13));
        CU_ASSERT(stayed(&run, 0, 1, 9, 15, 0) && stayed(&run, 1, 1, 9, 15, 0));
        CU_ASSERT(stayed(&run, 2, 1, 13, 19, 0) && stayed(&run, 3, 1, 13, 19, 0));
        CU_ASSERT(ran(&run, "c", 4, 15, 20) && ran(&run, "c", 5, 15, 20));
        CU_ASSERT(stayed(&run, 4, 1, 20, 26, 0) && stayed(&run, 5, 1, 20, 26, 0));
        grt_built_run_end(&run, builder);
    }
}

/* c waits in turn for d: d runs from 9 to 16, c goes on from 16 to 31, the parent from 31 to 37. */
static void nested(void) {
    struct grt_builder *builder = two_sms();
    struct grt_built_run run;
    struct grt_launch_spec c = child("c", 4, 20, true), d = child("d", 5, 7, true);
    launches(builder, &c.kernel, &d, 1);
    add(builder, 1, &c, 1);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(ran(&run, "d", 0, 9, 16) && ran(&run, "c", 0, 4, 31));
    CU_ASSERT(stayed(&run, 0, 0, 0, 4, CUT) && stayed(&run, 0, 1, 31, 37, 0));
    grt_built_run_end(&run, builder);
}

/* One grid at a time: while both blocks wait theirs has no place, and c begins. At 14 block 0 comes back before the second c
 * can begin; that follows at 20. */
static void q9_q10_waiting_grids_hold_no_place(void) {
    for (int slots = 0; slots < 2; slots++) {
        struct grt_builder *builder = two_sms();
        struct grt_built_run run;
        struct grt_launch_spec c = child("c", 4, 10, true);
        builder->gpus[0].max_resident_grids = slots ? 16 : 1;
        builder->gpus[0].task_slots = slots;
        add(builder, 2, &c, 1);
        grt_built_run_under(&run, builder, "hardware");
        CU_ASSERT(ran(&run, "c", 0, 4, 14) && ran(&run, "c", 1, 20, 30));
        CU_ASSERT(stayed(&run, 0, 1, 14, 20, 0) && stayed(&run, 1, 1, 30, 36, 0));
        CU_ASSERT(ran(&run, "t", 0, 0, 36));
        grt_built_run_end(&run, builder);
    }
}

/* One grid at a time: block 1, which waits for nothing, ends at 10; only then all that is left of the grid waits. */
static void q9_the_last_that_runs_gives_the_place_back(void) {
    struct grt_builder *builder = two_sms();
    struct grt_built_run run;
    struct grt_launch_spec c = child("c", 4, 10, true);
    c.from = GRT_LAUNCH_FROM_FIRST_BLOCK;
    builder->gpus[0].max_resident_grids = 1;
    add(builder, 2, &c, 1);
    other(builder, 5, 1, 32, 3);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(ran(&run, "c", 0, 10, 20));
    CU_ASSERT(stayed(&run, 0, 1, 20, 26, 0) && stayed(&run, 1, 0, 0, 10, 0));
    CU_ASSERT(grt_built_kernel_ran(&run, 1, 0, 26, 29));
    grt_built_run_end(&run, builder);
}

/* c is complete at 5, when a more urgent kernel fills the SMs, until 25. Then the block goes before what waits since 6 in its
 * queue, which has only three places until 31. */
static void comes_back_by_its_priority(void) {
    struct grt_builder *builder = two_sms();
    struct grt_built_run run;
    struct grt_launch_spec c = child("c", 4, 1, true);
    add(builder, 1, &c, 1);
    other(builder, 5, 4, 1024, 20)->stream_priority = -1;
    other(builder, 6, 4, 1024, 10);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(stayed(&run, 0, 1, 25, 31, 0));
    CU_ASSERT(grt_built_kernel_ran(&run, 1, 0, 5, 25) && grt_built_kernel_ran(&run, 2, 0, 25, 41));
    grt_built_run_end(&run, builder);
}

/* One grid at a time: when c ends at 14 a more urgent kernel takes the place, and gives it back at 22. */
static void q9_q10_coming_back_needs_a_place(void) {
    for (int slots = 0; slots < 2; slots++) {
        struct grt_builder *builder = two_sms();
        struct grt_built_run run;
        struct grt_launch_spec c = child("c", 4, 10, true);
        builder->gpus[0].max_resident_grids = slots ? 16 : 1;
        builder->gpus[0].task_slots = slots;
        add(builder, 1, &c, 1);
        other(builder, 5, 1, 32, 8)->stream_priority = -1;
        grt_built_run_under(&run, builder, "hardware");
        CU_ASSERT(ran(&run, "c", 0, 4, 14) && grt_built_kernel_ran(&run, 1, 0, 14, 22));
        CU_ASSERT(stayed(&run, 0, 1, 22, 28, 0));
        grt_built_run_end(&run, builder);
    }
}

/* T4r: A's turn ends at 5, but a block of A runs until 20, and c until 10. A's other block does not come back then, because no
 * block begins any more: it does at 120, when B's has run. */
static void t4r_the_turn_passes_before_it_comes_back(void) {
    static const struct grt_process processes[] = {{.name = "p"}, {.name = "q"}};
    struct grt_builder *builder = two_sms();
    struct grt_built_run run;
    struct grt_launch_spec c = child("c", 4, 6, true);
    builder->scenario.processes = processes;
    builder->scenario.process_count = 2;
    builder->gpus[0].time_slice = 5;
    builder->gpus[0].context_preemption = GRT_CONTEXT_PREEMPTION_BLOCK;
    add(builder, 1, &c, 1);
    other(builder, 0, 1, 32, 20);
    other(builder, 0, 1, 32, 100)->process = 1;
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(ran(&run, "c", 0, 4, 10) && grt_built_kernel_ran(&run, 2, 0, 20, 120));
    CU_ASSERT(stayed(&run, 0, 1, 120, 126, 0));
    grt_built_run_end(&run, builder);
}

/* M3: a client of half the device, so of one of its two TPCs. SM 0 is full from 4 on: c begins on SM 1, because the block that
 * waits uses no TPC. When it is back, at 29, it uses one, and the other kernel of its client has but one place beside it. */
static void m3_waiting_blocks_use_no_tpc(void) {
    static const struct grt_process processes[] = {{.name = "p", .spec = {.active_thread_percentage = 50}},
                                                   {.name = "q"}};
    static const int64_t first = 0;
    struct grt_builder *builder = two_sms();
    struct grt_built_run run;
    struct grt_launch_spec c = child("c", 4, 25, true);
    builder->scenario.processes = processes;
    builder->scenario.process_count = 2;
    builder->gpus[0].mps = true;
    add(builder, 1, &c, 1);
    struct grt_task *full = other(builder, 2, 2, 1024, 20);
    full->process = 1;
    full->tpcs = (struct grt_number_list){&first, 1};
    other(builder, 30, 2, 1024, 10);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, 1, 0, 2, 24));
    CU_ASSERT(ran(&run, "c", 0, 4, 29) && stayed(&run, 0, 1, 29, 35, 0));
    CU_ASSERT(grt_built_kernel_ran(&run, 2, 0, 30, 45));
    grt_built_run_end(&run, builder);
}

/* ---- aborts ---- */

/* The job is aborted at 5, while its block runs: that runs out, without c, and does not wait for x. */
static void aborted_blocks_do_not_wait(void) {
    struct grt_builder *builder = two_sms();
    struct grt_built_run run;
    struct grt_launch_spec list[] = {child("x", 1, 50, false), child("c", 6, 10, true)};
    struct grt_task *task = add(builder, 1, list, 2);
    task->deadline = 5;
    task->on_miss = GRT_MISS_ABORT;
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(ran(&run, "x", 0, 1, 51) && ran(&run, "c", 0, NEVER) && ran(&run, "t", 0, 0, 51));
    CU_ASSERT(stayed(&run, 0, 0, 0, 10, 0) && stayed(&run, 0, 1, NEVER, 0));
    grt_built_run_end(&run, builder);
}

/* The job is aborted at 20: c runs out until 104, the block does not come back. */
static void aborted_blocks_do_not_come_back(void) {
    struct grt_builder *builder = two_sms();
    struct grt_built_run run;
    struct grt_launch_spec c = child("c", 4, 100, true);
    struct grt_task *task = add(builder, 2, &c, 1);
    task->deadline = 20;
    task->on_miss = GRT_MISS_ABORT;
    task->stream = other(builder, 1, 1, 32, 10)->stream = "s";
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(ran(&run, "c", 0, 4, 104) && ran(&run, "t", 0, 0, 104));
    CU_ASSERT(stayed(&run, 0, 0, 0, 4, CUT) && stayed(&run, 0, 1, NEVER, 0));
    CU_ASSERT_EQUAL(run.result->gpus[0].blocks, 3);
    CU_ASSERT(grt_built_kernel_ran(&run, 1, 0, 104, 114));
    grt_built_run_end(&run, builder);
}

/* The same while the launch is on its way, where one grid has place: nothing is left, and others begin, one by one. */
static void aborted_with_nothing_on_the_sms(void) {
    struct grt_builder *builder = two_sms();
    struct grt_built_run run;
    struct grt_launch_spec c = child("c", 4, 100, true);
    builder->gpus[0].device_launch = 50;
    builder->gpus[0].max_resident_grids = 1;
    struct grt_task *task = add(builder, 1, &c, 1);
    task->deadline = 20;
    task->on_miss = GRT_MISS_ABORT;
    other(builder, 21, 1, 32, 10);
    other(builder, 21, 1, 32, 10);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(ran(&run, "c", 0, NEVER) && ran(&run, "t", 0, 0, 20));
    CU_ASSERT_EQUAL(grt_built_run_find(&run, GRT_TRACE_GPU_SEGMENT, 0, 0, 0)->time, 20);
    CU_ASSERT(grt_built_kernel_ran(&run, 1, 0, 21, 31) && grt_built_kernel_ran(&run, 2, 0, 31, 41));
    grt_built_run_end(&run, builder);
}

/* c is complete at 5, when a more urgent kernel leaves 256 threads on each SM: the block has no room to come back, and what stands
 * behind it since 6 waits with it (X1), until the job is aborted at 20. */
static void aborted_on_the_way_back(void) {
    struct grt_builder *builder = two_sms();
    struct grt_built_run run;
    struct grt_launch_spec c = child("c", 4, 1, true);
    struct grt_task *task = add(builder, 1, &c, 1);
    task->deadline = 20;
    task->on_miss = GRT_MISS_ABORT;
    other(builder, 5, 4, 896, 20)->stream_priority = -1;
    other(builder, 6, 1, 256, 10);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(ran(&run, "c", 0, 4, 5) && ran(&run, "t", 0, 0, 20));
    CU_ASSERT(stayed(&run, 0, 0, 0, 4, CUT) && stayed(&run, 0, 1, NEVER, 0));
    CU_ASSERT(grt_built_kernel_ran(&run, 1, 0, 5, 25) && grt_built_kernel_ran(&run, 2, 0, 20, 30));
    grt_built_run_end(&run, builder);
}

/* ---- the rest ---- */

/* Blocks that wait when the run ends have no open slice; their kernel has. */
static void the_end_of_the_run(void) {
    struct grt_builder *builder = two_sms();
    struct grt_built_run run;
    struct grt_launch_spec c = child("c", 4, 30, true);
    builder->scenario.horizon = 20;
    add(builder, 1, &c, 1);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(stayed(&run, 0, 0, 0, 4, CUT) && stayed(&run, 0, 1, NEVER, 0));
    CU_ASSERT(ran(&run, "c", 0, 4, 20) && ran(&run, "t", 0, 0, 20) && ran(&run, "t", 1, NEVER));
    grt_built_run_end(&run, builder);
}

/* The block waits from 54 to 134 of every 100. */
static void states_repeat(void) {
    struct grt_builder *builder = two_sms();
    struct grt_built_run run;
    struct grt_launch_spec c = child("c", 4, 80, true);
    grt_builder_periodic(add(builder, 1, &c, 1), 100, 50);
    builder->scenario.horizon_kind = GRT_HORIZON_AUTO;
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(run.result->stopped_by_repeat);
    CU_ASSERT(ran(&run, "t", 0, 50, 140));
    grt_built_run_end(&run, builder);
}

static void refuses_deeper_waiting(void) {
    struct grt_builder *builder = two_sms();
    struct grt_errors errors = {0};
    struct grt_world_options options = {0};
    struct grt_launch_spec c = child("c", 4, 20, false), d = child("d", 5, 7, true);
    launches(builder, &c.kernel, &d, 1);
    builder->gpus[0].max_sync_depth = 1;
    add(builder, 1, &c, 1);
    CU_ASSERT_PTR_NULL(
        grt_world_create(&builder->scenario, grt_policy_find("hardware"), NULL, &options, &errors));
    CU_ASSERT_EQUAL_FATAL(errors.count, 1);
    CU_ASSERT_STRING_EQUAL(
        errors.messages[0],
        "tasks[0].segments[0].gpu[0].launches[0]: kernel \"c\" can never run on \"built\": its "
        "blocks wait for what they launch on level 2 of launches, but max_sync_depth is 1");
    grt_errors_clear(&errors);
    grt_builder_free(builder);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"longer than the block", longer_than_the_block},
        {"for all that it launched", for_all_that_it_launched},
        {"for what that launched", for_what_that_launched},
        {"not for tails nor for later ones", not_for_tails_nor_for_later_ones},
        {"more than once", more_than_once},
        {"only who launches", only_who_launches},
        {"not for what failed", not_for_what_failed},
        {"not at the end", not_at_the_end},
        {"parents that fill the SMs", parents_that_fill_the_sms},
        {"nested", nested},
        {"Q9, Q10, waiting grids hold no place", q9_q10_waiting_grids_hold_no_place},
        {"Q9, the last that runs gives the place back", q9_the_last_that_runs_gives_the_place_back},
        {"comes back by its priority", comes_back_by_its_priority},
        {"Q9, Q10, coming back needs a place", q9_q10_coming_back_needs_a_place},
        {"T4r, the turn passes before it comes back", t4r_the_turn_passes_before_it_comes_back},
        {"M3, waiting blocks use no TPC", m3_waiting_blocks_use_no_tpc},
        {"aborted blocks do not wait", aborted_blocks_do_not_wait},
        {"aborted blocks do not come back", aborted_blocks_do_not_come_back},
        {"aborted with nothing on the SMs", aborted_with_nothing_on_the_sms},
        {"aborted on the way back", aborted_on_the_way_back},
        {"the end of the run", the_end_of_the_run},
        {"states repeat", states_repeat},
        {"refuses deeper waiting", refuses_deeper_waiting},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("blocks that wait for what they launched", tests);
}
