/* Processes that share a GPU, by the numbers of the rules (docs/gpu-model.md), one small case each, with times computed by
 * hand. Two SMs that hold two blocks of 1024 threads each; turns of 100 ns; a copy of n bytes takes n ns. */
#include <stdio.h>
#include <string.h>

#include "policies/registry.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

enum { A, B, C };

static const struct grt_process processes[] = {{.name = "p"}, {.name = "q"}, {.name = "r"}};

static struct grt_builder *shared_gpu(int64_t preemption) {
    struct grt_builder *builder = grt_builder_create(10000);
    struct grt_device *device = grt_builder_gpu(builder, grt_built_tx2());
    device->context_preemption = preemption;
    device->time_slice = device->copy_time_slice = 100;
    builder->scenario.processes = processes;
    builder->scenario.process_count = 3;
    return builder;
}

/* The next task, in the process of its number. */
static struct grt_task *add(struct grt_builder *builder, grt_time at) {
    struct grt_task *task = grt_builder_task(builder, "t");
    task->process = task - builder->tasks;
    grt_builder_at(builder, task, at);
    return task;
}

/* The next task, with a kernel that fills the SMs `waves` times. */
static struct grt_task *add_waves(struct grt_builder *builder, grt_time at, int64_t waves, grt_time time) {
    struct grt_task *task = add(builder, at);
    grt_builder_kernel(builder, task, 4 * waves, 1024, time);
    return task;
}

/* The stay number `nth` of a context on the SMs. */
static bool stayed(const struct grt_built_run *run, uint32_t nth, uint32_t context, grt_time from,
                   grt_time to) {
    for (size_t i = 0; i < run->kept.record_count; i++) {
        const struct grt_trace_record *record = &run->kept.records[i];
        if (record->kind == GRT_TRACE_CONTEXT && nth-- == 0) {
            if (record->detail != context || record->other != from || record->time != to) {
                fprintf(stderr, "context %u stayed from %lld to %lld\n", record->detail,
                        (long long)record->other, (long long)record->time);
            }
            return record->detail == context && record->other == from && record->time == to;
        }
    }
    return false;
}

/* ---- the SMs ---- */

/* A's blocks and B's would fit beside each other, but a turn is the whole device's: A from 0 to 60, then B. */
static void t2_one_context_has_all_sms(void) {
    struct grt_builder *builder = shared_gpu(GRT_CONTEXT_PREEMPTION_BLOCK);
    struct grt_built_run run;
    grt_builder_kernel(builder, add(builder, 0), 1, 32, 60);
    grt_builder_kernel(builder, add(builder, 0), 1, 32, 60);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 60));
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 60, 120));
    grt_built_run_end(&run, builder);
}

/* Waves of 50: two in a turn of A, then two of B, and so on; C comes at 130 and has its turn after B's at 200. Once C has
 * ended at 250 its turn is A's, and so on. */
static void t3_turns_go_round(void) {
    struct grt_builder *builder = shared_gpu(GRT_CONTEXT_PREEMPTION_BLOCK);
    struct grt_built_run run;
    add_waves(builder, 0, 4, 50);
    add_waves(builder, 0, 5, 50);
    add_waves(builder, 130, 1, 50);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(stayed(&run, 0, 0, 0, 100));
    CU_ASSERT(stayed(&run, 1, 1, 100, 200));
    CU_ASSERT(stayed(&run, 2, 2, 200, 250));
    CU_ASSERT(stayed(&run, 3, 0, 250, 350));
    CU_ASSERT(stayed(&run, 4, 1, 350, 10000));
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 350));
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 100, 500));
    CU_ASSERT(grt_built_kernel_ran(&run, C, 0, 200, 250));
    grt_built_run_end(&run, builder);
}

/* Alone, A's turn goes on: B, which comes at 250, waits for the end of the third turn. */
static void t3_a_turn_that_nobody_wants_goes_on(void) {
    struct grt_builder *builder = shared_gpu(GRT_CONTEXT_PREEMPTION_BLOCK);
    struct grt_built_run run;
    add_waves(builder, 0, 40, 10);
    add_waves(builder, 250, 1, 10);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 300, 310));
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 410));
    grt_built_run_end(&run, builder);
}

/* A block of 70 that began at 70 runs to 140; then B has its turn. No block takes longer than alone. */
static void t4_blocks_run_out(void) {
    struct grt_builder *builder = shared_gpu(GRT_CONTEXT_PREEMPTION_BLOCK);
    struct grt_built_run run;
    add_waves(builder, 0, 3, 70);
    add_waves(builder, 0, 3, 70);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(stayed(&run, 0, 0, 0, 140));
    CU_ASSERT(stayed(&run, 1, 1, 140, 280));
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 350));
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 140, 420));
    for (size_t i = 0; i < run.kept.record_count; i++) {
        const struct grt_trace_record *record = &run.kept.records[i];
        CU_ASSERT(record->kind != GRT_TRACE_BLOCK || record->time - record->other == 70);
    }
    CU_ASSERT_EQUAL(run.result->gpus[0].busy, 420);
    grt_built_run_end(&run, builder);
}

/* The same inside blocks: each is switched out after 100 and goes on after B's turn. The block that A began at 70 ends at
 * 240, after 170 instead of 70: more than twice its time, as observed on Pascal. What the SMs do is the same in sum. */
static void t4_blocks_are_interrupted(void) {
    struct grt_builder *builder = shared_gpu(GRT_CONTEXT_PREEMPTION_INSTRUCTION);
    struct grt_built_run run;
    add_waves(builder, 0, 3, 70);
    add_waves(builder, 0, 3, 70);
    grt_built_run_under(&run, builder, "hardware");
    for (uint32_t i = 0; i < 4; i++) {
        CU_ASSERT(stayed(&run, i, i % 2, 100 * i, 100 * i + 100));
    }
    CU_ASSERT(stayed(&run, 4, 0, 400, 410));
    CU_ASSERT(grt_built_block_ran(&run, A, 4, 0, 70, 240));
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 410));
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 100, 420));
    CU_ASSERT_EQUAL(run.result->gpus[0].busy, 420);
    CU_ASSERT_DOUBLE_EQUAL(run.result->gpus[0].sm_busy, 840, 0);
    CU_ASSERT_DOUBLE_EQUAL(run.result->gpus[0].thread_time, 840, 0);
    CU_ASSERT_EQUAL(run.result->gpus[0].blocks, 24);
    grt_built_run_end(&run, builder);
}

/* Kernels that cannot be interrupted: A's first runs to 210, its second waits for B's. */
static void t4_kernels_run_out(void) {
    struct grt_builder *builder = shared_gpu(GRT_CONTEXT_PREEMPTION_NONE);
    struct grt_built_run run;
    struct grt_task *task = add_waves(builder, 0, 3, 70);
    grt_builder_kernel(builder, task, 4, 1024, 70);
    add_waves(builder, 0, 2, 70);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 210));
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 210, 350));
    CU_ASSERT(grt_built_kernel_ran(&run, A, 1, 350, 420));
    grt_built_run_end(&run, builder);
}

/* A switch takes 7; the first context is there at once, and the turn begins when the switch is over. */
static void switches_take_time(void) {
    for (int preemption = 0; preemption < 2; preemption++) {
        struct grt_builder *builder = shared_gpu(preemption);
        struct grt_built_run run;
        builder->gpus[0].context_switch = 7;
        add_waves(builder, 0, 4, 50);
        add_waves(builder, 0, 3, 50);
        grt_built_run_under(&run, builder, "hardware");
        CU_ASSERT(stayed(&run, 0, 0, 0, 100));
        CU_ASSERT(stayed(&run, 1, 1, 107, 207));
        CU_ASSERT(stayed(&run, 2, 0, 214, 314));
        CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 314));
        CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 107, 371));
        CU_ASSERT_EQUAL(run.result->gpus[0].busy, 350);
        grt_built_run_end(&run, builder);
    }
}

/* The first process of the run is there at once even if it is not the first of the file. */
static void the_first_switch_is_free(void) {
    struct grt_builder *builder = shared_gpu(GRT_CONTEXT_PREEMPTION_BLOCK);
    struct grt_built_run run;
    builder->gpus[0].context_switch = 7;
    add_waves(builder, 50, 1, 10);
    add_waves(builder, 0, 1, 10);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 0, 10));
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 57, 67));
    grt_built_run_end(&run, builder);
}

/* A process's own kernels are ordered by priority; another process's do not see it. */
static void priorities_end_at_the_process(void) {
    for (int same = 0; same < 2; same++) {
        struct grt_builder *builder = shared_gpu(GRT_CONTEXT_PREEMPTION_BLOCK);
        struct grt_built_run run;
        add_waves(builder, 0, 10, 10);
        struct grt_task *urgent = add_waves(builder, 15, 1, 10);
        urgent->stream_priority = -1;
        urgent->process = same ? A : B;
        grt_built_run_under(&run, builder, "hardware");
        CU_ASSERT(grt_built_kernel_ran(&run, B, 0, same ? 20 : 100, same ? 30 : 110));
        grt_built_run_end(&run, builder);
    }
}

/* N1 and N2 hold among the streams of a process: A's NULL stream waits for A's other stream, not for B's kernel, which
 * goes on at 10 when A has nothing. */
static void the_null_stream_is_the_process_own(void) {
    struct grt_builder *builder = shared_gpu(GRT_CONTEXT_PREEMPTION_BLOCK);
    struct grt_built_run run;
    for (int i = 0; i < 2; i++) {
        struct grt_task *task = add_waves(builder, 0, 1, 10);
        task->stream = "null";
    }
    struct grt_task *third = add_waves(builder, 0, 1, 10);
    third->process = A;
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 10));
    CU_ASSERT(grt_built_kernel_ran(&run, C, 0, 10, 20));
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 20, 30));
    grt_built_run_end(&run, builder);
}

/* B's kernel in its NULL stream has its turn at 100: it does not wait for A's kernel, which was launched before. */
static void null_streams_wait_for_their_process_only(void) {
    struct grt_builder *builder = shared_gpu(GRT_CONTEXT_PREEMPTION_BLOCK);
    struct grt_built_run run;
    add_waves(builder, 0, 40, 10);
    add_waves(builder, 0, 1, 10)->stream = "null";
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 100, 110));
    grt_built_run_end(&run, builder);
}

/* A's turn that began at 0 was over at 30, when it had nothing left; another begins at 60, and B waits for its end. */
static void t3_work_after_a_pause_is_a_new_turn(void) {
    struct grt_builder *builder = shared_gpu(GRT_CONTEXT_PREEMPTION_BLOCK);
    struct grt_built_run run;
    add_waves(builder, 0, 3, 10);
    add_waves(builder, 70, 1, 10);
    add_waves(builder, 60, 40, 10)->process = A;
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 160, 170));
    grt_built_run_end(&run, builder);
}

/* ---- turns of different lengths and frequencies ---- */

static void slices_can_be_a_process_own(void) {
    static const struct grt_process own[] = {
        {.name = "p", .spec.time_slice = 30}, {.name = "q"}, {.name = "r"}};
    struct grt_builder *builder = shared_gpu(GRT_CONTEXT_PREEMPTION_BLOCK);
    struct grt_built_run run;
    builder->scenario.processes = own;
    add_waves(builder, 0, 20, 10);
    add_waves(builder, 0, 20, 10);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(stayed(&run, 0, 0, 0, 30));
    CU_ASSERT(stayed(&run, 1, 1, 30, 130));
    CU_ASSERT(stayed(&run, 2, 0, 130, 160));
    grt_built_run_end(&run, builder);
}

/* The order of the first turns of processes of these levels, as digits. */
static void turns_are(const char *levels, const char *expected) {
    struct grt_process own[3] = {{.name = "p"}, {.name = "q"}, {.name = "r"}};
    struct grt_builder *builder = shared_gpu(GRT_CONTEXT_PREEMPTION_BLOCK);
    struct grt_built_run run;
    builder->scenario.processes = own;
    for (int i = 0; i < 3; i++) {
        own[i].spec.interleave = levels[i] == 'h'   ? GRT_INTERLEAVE_HIGH
                                 : levels[i] == 'm' ? GRT_INTERLEAVE_MEDIUM
                                                    : GRT_INTERLEAVE_LOW;
        add_waves(builder, 0, 500, 10);
    }
    grt_built_run_under(&run, builder, "hardware");
    char order[16] = "";
    grt_time since = 0;
    for (size_t i = 0, length = 0; i < run.kept.record_count && length + 1 < sizeof order; i++) {
        const struct grt_trace_record *record = &run.kept.records[i];
        for (; record->kind == GRT_TRACE_CONTEXT && since < record->time && length + 1 < sizeof order;
             since += 100) {
            order[length++] = (char)('0' + record->detail);
            order[length] = '\0';
        }
    }
    CU_ASSERT_EQUAL(strncmp(order, expected, strlen(expected)), 0);
    if (strncmp(order, expected, strlen(expected)) != 0) {
        fprintf(stderr, "%s: %s instead of %s\n", levels, order, expected);
    }
    grt_built_run_end(&run, builder);
}

/* L, M and H such contexts: a low one has 1 turn in a round, a medium one L (1 if L is 0), a high one (M + 1) L (M if L is
 * 0, 1 if M is, too). */
static void t6_interleave_levels(void) {
    turns_are("lll", "012012012");
    turns_are("llh", "202120212");
    turns_are("lmh", "212021202120");
    turns_are("mmh", "20212021");
    turns_are("hhh", "012012");
    turns_are("lhm", "121012101210");
}

/* ---- copies ---- */

/* E5: copies of two processes take turns of 100; chunks of 30 end a turn at 120. The engine has no turn of its own where
 * only one process copies. */
static void e5_copies_take_turns(void) {
    struct grt_builder *builder = shared_gpu(GRT_CONTEXT_PREEMPTION_BLOCK);
    struct grt_built_run run;
    builder->gpus[0].copy_chunk = 30;
    grt_builder_copy(builder, add(builder, 0), GRT_COMMAND_H2D, 200);
    grt_builder_copy(builder, add(builder, 0), GRT_COMMAND_H2D, 130);
    add_waves(builder, 0, 1, 500);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_copy_ran(&run, A, 0, 0, 120));
    CU_ASSERT(grt_built_copy_ran(&run, B, 0, 120, 240));
    CU_ASSERT(grt_built_copy_ran(&run, A, 1, 240, 320));
    CU_ASSERT(grt_built_copy_ran(&run, B, 1, 320, 330));
    CU_ASSERT_EQUAL(grt_built_run_find(&run, GRT_TRACE_COPY, A, 0, 0)->flags, GRT_TRACE_PREEMPTED);
    CU_ASSERT_EQUAL(grt_built_run_find(&run, GRT_TRACE_COPY, A, 0, 1)->flags, 0);
    CU_ASSERT(grt_built_kernel_ran(&run, C, 0, 0, 500)); /* the SMs are another matter */
    CU_ASSERT_EQUAL(run.result->gpus[0].engine_busy[0], 330);
    CU_ASSERT_EQUAL(run.result->gpus[0].copies, 2);
    grt_built_run_end(&run, builder);
}

/* The latency of 20 at the beginning of a copy is not cut by turns of 10; what follows is. */
static void e5_latency_is_not_cut(void) {
    struct grt_builder *builder = shared_gpu(GRT_CONTEXT_PREEMPTION_BLOCK);
    struct grt_built_run run;
    builder->gpus[0].copy_latency = 20;
    builder->gpus[0].copy_time_slice = 10;
    for (int i = 0; i < 2; i++) {
        grt_builder_copy(builder, add(builder, 0), GRT_COMMAND_H2D, 15);
    }
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_copy_ran(&run, A, 0, 0, 20));
    CU_ASSERT(grt_built_copy_ran(&run, B, 0, 20, 40));
    CU_ASSERT(grt_built_copy_ran(&run, A, 1, 40, 50));
    CU_ASSERT(grt_built_copy_ran(&run, B, 1, 50, 60));
    CU_ASSERT(grt_built_copy_ran(&run, A, 2, 60, 65));
    CU_ASSERT(grt_built_copy_ran(&run, B, 2, 65, 70));
    grt_built_run_end(&run, builder);
}

/* One runlist for all. A's turn ends at 100; its block runs to 150, its copy to 120, and its next copy must not begin
 * before its next turn: B's kernel has the turn from 150 on. */
static void no_copy_begins_while_the_turn_passes(void) {
    struct grt_builder *builder = shared_gpu(GRT_CONTEXT_PREEMPTION_BLOCK);
    struct grt_built_run run;
    builder->gpus[0].copy_runlist = GRT_COPY_RUNLIST_SHARED;
    builder->gpus[0].copy_chunk = 120;
    add_waves(builder, 0, 1, 150);
    struct grt_task *copies = add(builder, 0);
    copies->process = A;
    grt_builder_copy(builder, copies, GRT_COMMAND_H2D, 120);
    grt_builder_copy(builder, copies, GRT_COMMAND_H2D, 10);
    add_waves(builder, 0, 1, 30);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 150));
    CU_ASSERT(grt_built_copy_ran(&run, B, 0, 0, 120));
    CU_ASSERT(grt_built_kernel_ran(&run, C, 0, 150, 180));
    CU_ASSERT(grt_built_copy_ran(&run, B, 1, 180, 190));
    grt_built_run_end(&run, builder);
}

/* E6: with one runlist for all, B's copy waits through A's turns, in which A only computes, while A computes on through
 * B's: the copy runs for 1049 and rests for 1024, as measured on a TX2. */
static void e6_copies_wait_for_computing(void) {
    struct grt_builder *builder = shared_gpu(GRT_CONTEXT_PREEMPTION_INSTRUCTION);
    struct grt_built_run run;
    struct grt_device *device = &builder->gpus[0];
    device->copy_runlist = GRT_COPY_RUNLIST_SHARED;
    device->time_slice = 1024;
    device->copy_time_slice = 1049;
    add_waves(builder, 0, 20, 400);
    grt_builder_copy(builder, add(builder, 0), GRT_COMMAND_H2D, 3000);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_copy_ran(&run, B, 0, 1024, 1024 + 1049));
    CU_ASSERT(grt_built_copy_ran(&run, B, 1, 2 * 1024 + 1049, 2 * (1024 + 1049)));
    CU_ASSERT(grt_built_copy_ran(&run, B, 2, 3 * 1024 + 2 * 1049, 3 * 1024 + 3000));
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 8000));
    grt_built_run_end(&run, builder);
}

/* ---- what was taken back ---- */

/* B's copy is taken back at 60, while A's runs to the end of its chunk at 80: the turn is A's again, at once. */
static void no_turn_for_what_was_taken_back(void) {
    struct grt_builder *builder = shared_gpu(GRT_CONTEXT_PREEMPTION_BLOCK);
    struct grt_built_run run;
    builder->gpus[0].copy_chunk = 40;
    builder->gpus[0].copy_time_slice = 50;
    grt_builder_copy(builder, add(builder, 0), GRT_COMMAND_H2D, 200);
    struct grt_task *taken = add(builder, 10);
    taken->deadline = 50;
    taken->on_miss = GRT_MISS_ABORT;
    grt_builder_copy(builder, taken, GRT_COMMAND_H2D, 10);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_copy_ran(&run, A, 0, 0, 80));
    CU_ASSERT(grt_built_copy_ran(&run, A, 1, 80, 200));
    grt_built_run_end(&run, builder);
}

/* A's turn is over at 100; B, who was next, is taken back at 150, and C is next then: A begins nothing more, though its
 * second kernel would have room beside its first, which runs to 300. */
static void the_turn_passes_to_who_is_left(void) {
    for (int preemption = GRT_CONTEXT_PREEMPTION_BLOCK; preemption <= GRT_CONTEXT_PREEMPTION_NONE;
         preemption += 2) {
        struct grt_builder *builder = shared_gpu(preemption);
        struct grt_built_run run;
        grt_builder_kernel(builder, add(builder, 0), 1, 32, 300);
        struct grt_task *taken = add_waves(builder, 50, 1, 10);
        taken->deadline = 100;
        taken->on_miss = GRT_MISS_ABORT;
        add_waves(builder, 50, 1, 10);
        struct grt_task *more = add(builder, 120);
        more->process = A;
        grt_builder_kernel(builder, more, 1, 32, 500);
        grt_built_run_under(&run, builder, "hardware");
        CU_ASSERT(grt_built_kernel_ran(&run, C, 0, 300, 310));
        CU_ASSERT(grt_built_kernel_ran(&run, 3, 0, 310, 810));
        grt_built_run_end(&run, builder);
    }
}

/* One runlist for all. B, in its turn from 100 on, copies; that its kernel waits for A's block to end at 250 does not keep
 * its second copy from its own engine. */
static void copies_of_the_present_turn_go_on(void) {
    struct grt_builder *builder = shared_gpu(GRT_CONTEXT_PREEMPTION_BLOCK);
    struct grt_built_run run;
    builder->gpus[0].copy_runlist = GRT_COPY_RUNLIST_SHARED;
    builder->gpus[0].copy_time_slice = 1000;
    add_waves(builder, 0, 1, 250);
    struct grt_task *copies = add(builder, 0);
    grt_builder_copy(builder, copies, GRT_COMMAND_H2D, 20);
    grt_builder_copy(builder, copies, GRT_COMMAND_H2D, 20);
    add_waves(builder, 110, 1, 30)->process = B;
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_copy_ran(&run, B, 0, 100, 120));
    CU_ASSERT(grt_built_copy_ran(&run, B, 1, 120, 140));
    CU_ASSERT(grt_built_kernel_ran(&run, C, 0, 250, 280));
    grt_built_run_end(&run, builder);
}

/* One runlist for all: a turn begins after the switch of the SMs, for its copies too. */
static void copies_wait_for_the_switch(void) {
    struct grt_builder *builder = shared_gpu(GRT_CONTEXT_PREEMPTION_BLOCK);
    struct grt_built_run run;
    builder->gpus[0].copy_runlist = GRT_COPY_RUNLIST_SHARED;
    builder->gpus[0].context_switch = 30;
    add_waves(builder, 0, 2, 50);
    add_waves(builder, 0, 1, 50);
    struct grt_task *copies = add(builder, 0);
    copies->process = B;
    grt_builder_copy(builder, copies, GRT_COMMAND_H2D, 20);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 130, 180));
    CU_ASSERT(grt_built_copy_ran(&run, C, 0, 130, 150));
    grt_built_run_end(&run, builder);
}

/* ---- refusals ---- */

static void other_policies_are_one_process(void) {
    struct grt_builder *builder = shared_gpu(GRT_CONTEXT_PREEMPTION_BLOCK);
    struct grt_errors errors = {0};
    struct grt_world_options options = {0};
    add_waves(builder, 0, 1, 10);
    add_waves(builder, 0, 1, 10);
    CU_ASSERT_PTR_NULL(
        grt_world_create(&builder->scenario, grt_policy_find("fifo"), NULL, &options, &errors));
    CU_ASSERT_EQUAL_FATAL(errors.count, 1);
    CU_ASSERT_STRING_EQUAL(
        errors.messages[0],
        "policy: fifo runs the GPU work of all tasks in one process, but the tasks are in 3");
    grt_errors_clear(&errors);
    grt_builder_free(builder);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"T2r, one context has all SMs", t2_one_context_has_all_sms},
        {"T3r, turns go round", t3_turns_go_round},
        {"T3r, a turn that nobody wants goes on", t3_a_turn_that_nobody_wants_goes_on},
        {"T4r, blocks run out", t4_blocks_run_out},
        {"T4r, blocks are interrupted", t4_blocks_are_interrupted},
        {"T4r, kernels run out", t4_kernels_run_out},
        {"switches take time", switches_take_time},
        {"the first switch is free", the_first_switch_is_free},
        {"priorities end at the process", priorities_end_at_the_process},
        {"the NULL stream is the process's own", the_null_stream_is_the_process_own},
        {"NULL streams wait for their process only", null_streams_wait_for_their_process_only},
        {"T3r, work after a pause is a new turn", t3_work_after_a_pause_is_a_new_turn},
        {"slices can be a process's own", slices_can_be_a_process_own},
        {"T6r, interleave levels", t6_interleave_levels},
        {"E5, copies take turns", e5_copies_take_turns},
        {"E5, latency is not cut", e5_latency_is_not_cut},
        {"no copy begins while the turn passes", no_copy_begins_while_the_turn_passes},
        {"E6, copies wait for computing", e6_copies_wait_for_computing},
        {"no turn for what was taken back", no_turn_for_what_was_taken_back},
        {"the turn passes to who is left", the_turn_passes_to_who_is_left},
        {"copies of the present turn go on", copies_of_the_present_turn_go_on},
        {"copies wait for the switch", copies_wait_for_the_switch},
        {"other policies are one process", other_policies_are_one_process},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("processes on a GPU", tests);
}
