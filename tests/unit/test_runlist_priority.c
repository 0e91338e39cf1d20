/* Processes with priorities on a runlist that software rewrites (rule T9r), one small case each, with times computed by hand.
 * Two SMs that hold two blocks of 1024 threads each; turns of 100 ns. */
#include "policies/registry.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

enum { A, B, C };

/* Three processes: low, high, low. */
static const struct grt_process processes[] = {
    {.name = "p"}, {.name = "q", .spec = {.priority = 3}}, {.name = "r"}};

static struct grt_builder *shared_gpu(int64_t preemption, grt_time update) {
    struct grt_builder *builder = grt_builder_create(10000);
    struct grt_device *device = grt_builder_gpu(builder, grt_built_tx2());
    device->context_preemption = preemption;
    device->time_slice = device->copy_time_slice = 100;
    device->runlist_update = update;
    builder->scenario.processes = processes;
    builder->scenario.process_count = 3;
    return builder;
}

/* The next task, in the process of its number, with a kernel that fills the SMs `waves` times. */
static void add(struct grt_builder *builder, grt_time at, int64_t waves, grt_time time) {
    struct grt_task *task = grt_builder_task(builder, "t");
    task->process = task - builder->tasks;
    grt_builder_at(builder, task, at);
    grt_builder_kernel(builder, task, 4 * waves, 1024, time);
}

/* B comes in the middle of A's turn and is not kept waiting for its end. */
static void the_more_urgent_goes_first(void) {
    struct grt_builder *builder = shared_gpu(GRT_CONTEXT_PREEMPTION_INSTRUCTION, 0);
    struct grt_built_run run;
    add(builder, 0, 1, 500);
    add(builder, 30, 1, 300);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 30, 330));
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 800));
    grt_built_run_end(&run, builder);
}

/* At block ends: B waits for A's wave. */
static void blocks_run_out_first(void) {
    struct grt_builder *builder = shared_gpu(GRT_CONTEXT_PREEMPTION_BLOCK, 0);
    struct grt_built_run run;
    add(builder, 0, 2, 80);
    add(builder, 30, 3, 70);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 80, 290));
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 370));
    grt_built_run_end(&run, builder);
}

/* A and C take turns of 100; B takes none of theirs before it comes at 150, and has no turns but goes on until it is done. */
static void equals_take_turns(void) {
    struct grt_builder *builder = shared_gpu(GRT_CONTEXT_PREEMPTION_INSTRUCTION, 0);
    struct grt_built_run run;
    add(builder, 0, 1, 250);
    add(builder, 150, 1, 400);
    add(builder, 0, 1, 100);
    grt_built_run_under(&run, builder, "hardware");
    /* A 0-100, C 100-150, B 150-550; A's turn is next after B's in the order p, q, r: C 550-600, A 600-750 */
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 150, 550));
    CU_ASSERT(grt_built_kernel_ran(&run, C, 0, 100, 600));
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 750));
    grt_built_run_end(&run, builder);
}

/* The update takes 20: A begins at 20; B, who comes at 50, at 70; A is back 20 after B's end. */
static void an_update_takes_its_time(void) {
    struct grt_builder *builder = shared_gpu(GRT_CONTEXT_PREEMPTION_INSTRUCTION, 20);
    struct grt_built_run run;
    add(builder, 0, 1, 100);
    add(builder, 50, 1, 30);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 70, 100));
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 20, 170)); /* 50 done by 70, 50 from 120 on */
    grt_built_run_end(&run, builder);
}

/* B comes and is done while nobody else has work: one update for it; A comes during that one and needs one more. */
static void an_update_ends_with_who_is_most_urgent_then(void) {
    struct grt_builder *builder = shared_gpu(GRT_CONTEXT_PREEMPTION_INSTRUCTION, 20);
    struct grt_built_run run;
    add(builder, 10, 1, 100);
    add(builder, 15, 1, 30);
    grt_built_run_under(&run, builder, "hardware");
    /* the update for A, 10 to 30, ends with B on the runlist */
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 30, 60));
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 80, 180));
    grt_built_run_end(&run, builder);
}

/* Copies have runlists of their own: the less urgent one's goes on. */
static void copies_go_unhindered(void) {
    struct grt_builder *builder = shared_gpu(GRT_CONTEXT_PREEMPTION_INSTRUCTION, 0);
    struct grt_built_run run;
    struct grt_task *task = grt_builder_task(builder, "copy");
    grt_builder_copy(builder, task, GRT_COMMAND_H2D, 300);
    add(builder, 30, 1, 300);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_copy_ran(&run, A, 0, 0, 300));
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 30, 330));
    grt_built_run_end(&run, builder);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"the more urgent goes first", the_more_urgent_goes_first},
        {"blocks run out first", blocks_run_out_first},
        {"equals take turns", equals_take_turns},
        {"an update takes its time", an_update_takes_its_time},
        {"an update ends with who is most urgent then", an_update_ends_with_who_is_most_urgent_then},
        {"copies go unhindered", copies_go_unhindered},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("priorities of processes", tests);
}
