/* How what runs at the same time slows each other, by the numbers of the rules (docs/gpu-model.md), one small case each,
 * with times computed by hand. Two SMs, a memory of 100 bytes per ns. */
#include <string.h>

#include "policies/registry.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

enum { A, B, C };

#define PER_NS GRT_SECOND

static struct grt_builder *shared(enum grt_bandwidth_sharing sharing) {
    struct grt_builder *builder = grt_builder_create(100000);
    struct grt_device *device = grt_builder_gpu(builder, grt_built_device(2));
    device->memory_bytes_per_second = 100 * PER_NS;
    device->bandwidth_sharing = sharing;
    return builder;
}

/* The next task: a kernel of blocks of 1000 that draws so many bytes per ns. */
static struct grt_kernel *add(struct grt_builder *builder, grt_time at, int64_t blocks, int64_t bandwidth) {
    struct grt_task *task = grt_builder_task(builder, "t");
    grt_builder_at(builder, task, at);
    struct grt_kernel *kernel = grt_builder_kernel(builder, task, blocks, 256, 1000);
    kernel->bandwidth = bandwidth * PER_NS;
    return kernel;
}

static void b1_kernels_slow_each_other(void) {
    struct grt_builder *builder = shared(GRT_BANDWIDTH_SHARING_PROPORTIONAL);
    struct grt_built_run run;
    add(builder, 0, 2, 100);
    add(builder, 500, 2, 100);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 1500));
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 500, 2000));
    grt_built_run_end(&run, builder);
}

static void b1_off_they_do_not(void) {
    struct grt_builder *builder = shared(GRT_BANDWIDTH_SHARING_NONE);
    struct grt_built_run run;
    add(builder, 0, 2, 100);
    add(builder, 500, 2, 100);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 1000));
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 500, 1500));
    grt_built_run_end(&run, builder);
}

/* A kernel's bandwidth is that of all its blocks that fit: of two blocks each draws 50, of one block it is 100. */
static void b1_a_block_draws_its_part(void) {
    struct grt_builder *builder = shared(GRT_BANDWIDTH_SHARING_MAX_MIN);
    struct grt_built_run run;
    add(builder, 0, 2, 100); /* 2 x 50: gets 2 x 33.3 */
    add(builder, 0, 1, 100); /* gets 33.3 of 100 */
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 1500));
    /* B has done 500 by then and goes on alone */
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 0, 2000));
    grt_built_run_end(&run, builder);
}

/* Of a grid of 40 blocks 16 fit; its 100 are theirs, and the last 8 draw half as much. */
static void b1_a_kernel_alone_is_not_slowed(void) {
    struct grt_builder *builder = shared(GRT_BANDWIDTH_SHARING_PROPORTIONAL);
    struct grt_built_run run;
    add(builder, 0, 40, 100);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 3000));
    grt_built_run_end(&run, builder);
}

static void b1_copies_draw_too(void) {
    struct grt_builder *builder = shared(GRT_BANDWIDTH_SHARING_PROPORTIONAL);
    struct grt_built_run run;
    builder->gpus[0].h2d_bytes_per_second = 60 * PER_NS;
    add(builder, 0, 2, 60);
    struct grt_task *task = grt_builder_task(builder, "copy");
    grt_builder_copy(builder, task, GRT_COMMAND_H2D, 60000); /* both at 5/6 */
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 1200));
    CU_ASSERT(grt_built_copy_ran(&run, B, 0, 0, 1200));
    grt_built_run_end(&run, builder);
}

/* Where the memory is the CPU's, every byte of a copy is read and written there. */
static void b2_copies_draw_twice_where_integrated(void) {
    struct grt_builder *builder = shared(GRT_BANDWIDTH_SHARING_PROPORTIONAL);
    struct grt_built_run run;
    builder->gpus[0].integrated = true;
    builder->gpus[0].h2d_bytes_per_second = 50 * PER_NS;
    add(builder, 0, 2, 100);
    struct grt_task *task = grt_builder_task(builder, "copy");
    grt_builder_copy(builder, task, GRT_COMMAND_H2D, 50000); /* 200 asked for: both at a half */
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 2000));
    CU_ASSERT(grt_built_copy_ran(&run, B, 0, 0, 2000));
    grt_built_run_end(&run, builder);
}

/* A copy alone is not slowed, even if its link is faster than the memory; one beside it draws all that there is. */
static void b1_a_copy_alone_is_not_slowed(void) {
    struct grt_builder *builder = shared(GRT_BANDWIDTH_SHARING_PROPORTIONAL);
    struct grt_built_run run;
    builder->gpus[0].h2d_bytes_per_second = 400 * PER_NS;
    grt_builder_copy(builder, grt_builder_task(builder, "copy"), GRT_COMMAND_H2D, 40000);
    add(builder, 100, 2, 100)->block_time.max = 1000;
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_copy_ran(&run, A, 0, 0, 100));
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 100, 1100));
    grt_built_run_end(&run, builder);
}

/* The latency of 300 moves no bytes; then both go at half speed: the copy's 100 take 200, in which A does 100. */
static void b1_the_latency_of_a_copy_draws_nothing(void) {
    struct grt_builder *builder = shared(GRT_BANDWIDTH_SHARING_PROPORTIONAL);
    struct grt_built_run run;
    builder->gpus[0].h2d_bytes_per_second = 100 * PER_NS;
    builder->gpus[0].copy_latency = 300;
    add(builder, 0, 2, 100);
    grt_builder_copy(builder, grt_builder_task(builder, "copy"), GRT_COMMAND_H2D, 10000);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_copy_ran(&run, B, 0, 0, 500));
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 1100));
    grt_built_run_end(&run, builder);
}

static struct grt_builder *with_thread(bool integrated) {
    struct grt_builder *builder = shared(GRT_BANDWIDTH_SHARING_PROPORTIONAL);
    builder->gpus[0].integrated = integrated;
    add(builder, 0, 2, 100);
    struct grt_task *task = grt_builder_task(builder, "thread");
    grt_builder_cpu(builder, task, 1500)->cpu_bandwidth = 100 * PER_NS;
    return builder;
}

static void b2_threads_and_kernels_slow_each_other(void) {
    struct grt_builder *builder = with_thread(true);
    struct grt_built_run run;
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 2000));
    CU_ASSERT_EQUAL(grt_built_run_finish(&run, B, 0), 2500); /* 1000 of 1500 done in 2000 */
    grt_built_run_end(&run, builder);
}

static void b2_not_where_the_memories_are_two(void) {
    struct grt_builder *builder = with_thread(false);
    struct grt_built_run run;
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 1000));
    CU_ASSERT_EQUAL(grt_built_run_finish(&run, B, 0), 1500);
    grt_built_run_end(&run, builder);
}

/* One core, two threads: the one that waits draws nothing, and what was done before a preemption counts. */
static void b2_a_preempted_thread_draws_nothing(void) {
    struct grt_builder *builder = with_thread(true);
    struct grt_built_run run;
    builder->scenario.core_count = 1;
    struct grt_task *task = grt_builder_task(builder, "urgent");
    task->priority = 5;
    task->cpu = builder->tasks[B].cpu = 0;
    grt_builder_at(builder, task, 1000);
    grt_builder_cpu(builder, task, 300);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT_EQUAL(grt_built_run_finish(&run, C, 0), 1300);
    /* half speed for 1000, full for 300, half for the 200 that are left */
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 1700));
    /* 500 done until 1000, 200 from 1300 to 1700, 800 left */
    CU_ASSERT_EQUAL(grt_built_run_finish(&run, B, 0), 2500);
    grt_built_run_end(&run, builder);
}

static struct grt_builder *loaded(int64_t threads_per_core) {
    struct grt_builder *builder = shared(GRT_BANDWIDTH_SHARING_NONE);
    builder->gpus[0].sm_count = 1;
    builder->gpus[0].cores_per_sm = 64;
    builder->gpus[0].threads_per_core = threads_per_core;
    add(builder, 0, 2, 0);
    add(builder, 500, 2, 0);
    return builder;
}

/* 512 threads at full speed: A has them; from 500 on all go at half speed. */
static void b3_an_sm_serves_so_many_threads(void) {
    struct grt_builder *builder = loaded(8);
    struct grt_built_run run;
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 1500));
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 500, 2000));
    grt_built_run_end(&run, builder);
}

/* 256 threads at full speed: A alone has 512 already, which its time includes; so each block counts as 128. */
static void b3_a_kernel_alone_is_not_slowed(void) {
    struct grt_builder *builder = loaded(4);
    struct grt_built_run run;
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 1500));
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 500, 2000));
    grt_built_run_end(&run, builder);
}

static void b3_off_any_number(void) {
    struct grt_builder *builder = loaded(0);
    struct grt_built_run run;
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 1000));
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 500, 1500));
    grt_built_run_end(&run, builder);
}

/* Only the SM that is overloaded slows its blocks: A and B are on SM 0, C is on SM 1. */
static void b3_each_sm_for_itself(void) {
    static const int64_t numbers[] = {0, 1};
    struct grt_builder *builder = loaded(8);
    struct grt_built_run run;
    builder->gpus[0].sm_count = 2;
    grt_builder_at(builder, &builder->tasks[B], 0);
    add(builder, 0, 2, 0);
    builder->tasks[A].tpcs = builder->tasks[B].tpcs = (struct grt_number_list){numbers, 1};
    builder->tasks[C].tpcs = (struct grt_number_list){numbers + 1, 1};
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 2000));
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 0, 2000));
    CU_ASSERT(grt_built_kernel_ran(&run, C, 0, 0, 1000));
    grt_built_run_end(&run, builder);
}

static const struct grt_slowdown table[] = {
    {.class_name = "victim", .beside = "hog", .factor = 2, .same_sm = 4},
    {.class_name = "hog", .beside = "hog", .factor = 1.25},
};

/* Two SMs and a table; a class each. */
static struct grt_builder *with_table(const char *first, const char *second) {
    struct grt_builder *builder = shared(GRT_BANDWIDTH_SHARING_NONE);
    builder->gpus[0].slowdowns = (struct grt_field_list){(void *)(uintptr_t)table, 2};
    add(builder, 0, 1, 0)->class_name = first;
    add(builder, 0, 1, 0)->class_name = second;
    return builder;
}

static void a_table_slows_one_side(void) {
    struct grt_builder *builder = with_table("victim", "hog");
    struct grt_built_run run;
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 0, 1000));
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 1500)); /* 500 done by then */
    grt_built_run_end(&run, builder);
}

static void a_table_knows_the_same_sm(void) {
    static const int64_t first[] = {0};
    struct grt_builder *builder = with_table("victim", "hog");
    struct grt_built_run run;
    builder->tasks[A].tpcs = builder->tasks[B].tpcs = (struct grt_number_list){first, 1};
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 1750)); /* 250 done by 1000 */
    grt_built_run_end(&run, builder);
}

static void a_table_knows_kernels_of_one_class(void) {
    struct grt_builder *builder = with_table("hog", "hog");
    struct grt_built_run run;
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 1250));
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 0, 1250));
    grt_built_run_end(&run, builder);
}

static void blocks_of_one_kernel_do_not_count(void) {
    struct grt_builder *builder = with_table("hog", "nothing");
    struct grt_built_run run;
    ((struct grt_kernel *)(uintptr_t)&builder->segments[A][0].commands[0].kernel)->blocks = 4;
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 1000));
    grt_built_run_end(&run, builder);
}

/* Two hogs, of which one has blocks on both SMs: 2 x 2 = 4, whatever the number of blocks. */
static void a_table_multiplies_by_kernel(void) {
    struct grt_builder *builder = with_table("victim", "hog");
    struct grt_built_run run;
    struct grt_slowdown rows[] = {{.class_name = "victim", .beside = "hog", .factor = 2}};
    builder->gpus[0].slowdowns = (struct grt_field_list){rows, 1};
    add(builder, 0, 4, 0)->class_name = "hog";
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 1750));
    grt_built_run_end(&run, builder);
}

static void a_kernel_without_class_goes_by_its_name(void) {
    struct grt_builder *builder = with_table(NULL, "hog");
    struct grt_built_run run;
    ((struct grt_kernel *)(uintptr_t)&builder->segments[A][0].commands[0].kernel)->name = "victim";
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 1500));
    grt_built_run_end(&run, builder);
}

/* The table halves what A draws: 50 + 50 is not more than there is. */
static void who_is_slowed_draws_less(void) {
    struct grt_builder *builder = with_table("victim", "hog");
    struct grt_built_run run;
    builder->gpus[0].bandwidth_sharing = GRT_BANDWIDTH_SHARING_PROPORTIONAL;
    for (int i = 0; i < 2; i++) {
        struct grt_kernel *kernel =
            (struct grt_kernel *)(uintptr_t)&builder->segments[i][0].commands[0].kernel;
        kernel->bandwidth = (i == A ? 100 : 50) * PER_NS;
    }
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 0, 1000));
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 1500));
    grt_built_run_end(&run, builder);
}

static struct grt_builder *with_two_processes(void) {
    static const struct grt_process processes[] = {{.name = "p"}, {.name = "q"}};
    struct grt_builder *builder = shared(GRT_BANDWIDTH_SHARING_PROPORTIONAL);
    builder->scenario.processes = processes;
    builder->scenario.process_count = 2;
    builder->gpus[0].context_preemption = GRT_CONTEXT_PREEMPTION_INSTRUCTION;
    builder->gpus[0].time_slice = builder->gpus[0].copy_time_slice = 400;
    builder->gpus[0].context_switch = 100;
    return builder;
}

/* Who is switched out draws nothing, and neither does anybody while contexts are switched: A's turns are 0 to 400 and, after
 * B's and two switches of 100, 1000 to 1400 and so on; each has the memory to itself in his turns. */
static void processes_that_take_turns_do_not_slow_each_other(void) {
    struct grt_builder *builder = with_two_processes();
    struct grt_built_run run;
    add(builder, 0, 2, 100);
    add(builder, 0, 2, 100);
    builder->tasks[B].process = 1;
    grt_built_run_under(&run, builder, "hardware");
    /* A: 0-400, 1000-1400, 2000-2200. B: 500-900, 1500-1900, 2300-2500 */
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 2200));
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 500, 2500));
    grt_built_run_end(&run, builder);
}

/* A copy of the other process runs all the time: blocks have 100/200 of their speed in their turns. */
static void a_copy_slows_only_who_has_the_turn(void) {
    struct grt_builder *builder = with_two_processes();
    struct grt_built_run run;
    builder->gpus[0].h2d_bytes_per_second = 100 * PER_NS;
    add(builder, 0, 2, 100);
    struct grt_task *task = grt_builder_task(builder, "copy");
    task->process = 1;
    grt_builder_at(builder, task, 500);
    grt_builder_copy(builder, task, GRT_COMMAND_H2D, 100000);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 1500));
    CU_ASSERT(grt_built_copy_ran(&run, B, 0, 500, 2000));
    grt_built_run_end(&run, builder);
}

static struct grt_task *add_copy(struct grt_builder *builder, int64_t process, int64_t bytes) {
    struct grt_task *task = grt_builder_task(builder, "copy");
    task->process = process;
    grt_builder_copy(builder, task, GRT_COMMAND_H2D, bytes);
    return task;
}

/* A has half its speed beside the copy, which is over when A is back: A runs 0 to 400, 1000 to 1400 and 2000 to 2400. */
static void who_comes_back_goes_at_the_speed_of_now(void) {
    struct grt_builder *builder = with_two_processes();
    struct grt_built_run run;
    builder->gpus[0].h2d_bytes_per_second = 100 * PER_NS;
    add(builder, 0, 2, 100);
    add(builder, 0, 2, 0);
    builder->tasks[B].process = 1;
    add_copy(builder, 0, 30000);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_copy_ran(&run, C, 0, 0, 500)); /* 200 done by 400, then alone */
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 2400));
    grt_built_run_end(&run, builder);
}

/* The turn on the copy engine is over at 450, when the copy has done 225 and has to go on to the end of its third chunk, 300.
 * At 500 the kernel ends, and the copy goes on at full speed: until 550. */
static void a_copy_stops_at_its_chunk_at_any_speed(void) {
    struct grt_builder *builder = with_two_processes();
    struct grt_built_run run;
    builder->gpus[0].h2d_bytes_per_second = 100 * PER_NS;
    builder->gpus[0].copy_time_slice = 450;
    builder->gpus[0].copy_chunk = 10000;
    add(builder, 0, 2, 100)->block_time.max = 250;
    add_copy(builder, 0, 100000);
    add_copy(builder, 1, 10000);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 500));
    CU_ASSERT(grt_built_copy_ran(&run, B, 0, 0, 550));
    CU_ASSERT(grt_built_copy_ran(&run, C, 0, 550, 650));
    grt_built_run_end(&run, builder);
}

/* A block launches when it has had 400 of its 1000: at half speed that is at 800. The other kernel ends at 800 too. */
static void a_slow_block_launches_later(void) {
    static const struct grt_launch_spec launch = {
        .kernel = {.name = "child", .blocks = 1, .needs = {.threads = 32}, .block_time = {.max = 50}},
        .at = 400};
    struct grt_builder *builder = shared(GRT_BANDWIDTH_SHARING_PROPORTIONAL);
    struct grt_built_run run;
    builder->gpus[0].max_pending_launches = 10;
    add(builder, 0, 2, 100)->launches = (struct grt_field_list){(void *)(uintptr_t)&launch, 1};
    add(builder, 0, 2, 100)->block_time.max = 400;
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 800, 850));
    CU_ASSERT(grt_built_kernel_ran(&run, A, 1, 800, 850));
    CU_ASSERT(grt_built_kernel_ran(&run, A, 2, 0, 1400));
    grt_built_run_end(&run, builder);
}

/* Block 0 of A has had 400 at 800, when it leaves to wait for a child that draws as much and takes 30: all stays at half speed,
 * and the child takes 60. The others have had 1000 at 2000; block 0 has had 970, and is alone. */
static void a_waiting_block_slows_nobody(void) {
    static const struct grt_launch_spec launch = {.kernel = {.name = "child",
                                                             .blocks = 1,
                                                             .needs = {.threads = 32},
                                                             .block_time = {.max = 30},
                                                             .bandwidth = 50 * PER_NS},
                                                  .at = 400,
                                                  .from = GRT_LAUNCH_FROM_FIRST_BLOCK,
                                                  .wait = true};
    struct grt_builder *builder = shared(GRT_BANDWIDTH_SHARING_PROPORTIONAL);
    struct grt_built_run run;
    builder->gpus[0].max_pending_launches = builder->gpus[0].max_sync_depth = 1;
    add(builder, 0, 2, 100)->launches = (struct grt_field_list){(void *)(uintptr_t)&launch, 1};
    add(builder, 0, 2, 100);
    grt_built_run_under(&run, builder, "hardware");
    const struct grt_trace_record *stay = grt_built_run_find(&run, GRT_TRACE_BLOCK, A, 0, 0);
    CU_ASSERT(stay->other == 0 && stay->time == 800 && stay->flags == GRT_TRACE_PREEMPTED);
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 800, 860));
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 0, 2000));
    CU_ASSERT(grt_built_kernel_ran(&run, A, 1, 0, 2030));
    stay = grt_built_run_find(&run, GRT_TRACE_BLOCK, A, 0, 3);
    CU_ASSERT(stay->detail == 0 && stay->other == 860 && stay->time == 2030 && stay->flags == 0);
    grt_built_run_end(&run, builder);
}

/* The run ends before the blocks of two kernels have launched: they are written in the order of their ends, kernel by kernel. */
static void open_blocks_that_would_have_launched(void) {
    static const struct grt_launch_spec launch = {
        .kernel = {.name = "child", .blocks = 1, .needs = {.threads = 32}, .block_time = {.max = 50}},
        .at = 400};
    for (int no_cohorts = 0; no_cohorts < 2; no_cohorts++) {
        struct grt_builder *builder = shared(GRT_BANDWIDTH_SHARING_PROPORTIONAL);
        struct grt_built_run run;
        builder->scenario.horizon = 300;
        builder->gpus[0].max_pending_launches = 10;
        add(builder, 0, 2, 100)->launches = (struct grt_field_list){(void *)(uintptr_t)&launch, 1};
        add(builder, 0, 2, 100)->launches = (struct grt_field_list){(void *)(uintptr_t)&launch, 1};
        grt_built_run_start(&run, &builder->scenario, grt_policy_find("hardware"), no_cohorts);
        for (uint32_t i = 0, next = 0; i < run.kept.record_count; i++) {
            const struct grt_trace_record *record = &run.kept.records[i];
            if (record->kind == GRT_TRACE_BLOCK) {
                CU_ASSERT(record->task == next / 2 && record->detail == next % 2);
                next++;
            }
        }
        grt_built_run_end(&run, builder);
    }
}

/* Blocks that the run's end finds half done are half done. */
static void the_end_of_the_run_cuts_slowed_blocks(void) {
    struct grt_builder *builder = shared(GRT_BANDWIDTH_SHARING_PROPORTIONAL);
    struct grt_built_run run;
    builder->scenario.horizon = 1200;
    add(builder, 0, 2, 100);
    add(builder, 500, 2, 100);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT_EQUAL(run.result->gpus[0].blocks, 0);
    CU_ASSERT_EQUAL(grt_built_run_find(&run, GRT_TRACE_BLOCK, A, 0, 0)->flags, GRT_TRACE_OPEN);
    CU_ASSERT_EQUAL(run.result->gpus[0].busy, 1200);
    grt_built_run_end(&run, builder);
}

static bool refuses(struct grt_builder *builder, const char *sentence) {
    struct grt_built_run run;
    grt_built_run_start(&run, &builder->scenario, grt_policy_find("hardware"), false);
    bool refused =
        run.world == NULL && run.errors.count == 1 && strstr(run.errors.messages[0], sentence) != NULL;
    if (!refused) {
        grt_errors_print(&run.errors, stderr, "");
    }
    grt_built_run_end(&run, builder);
    return refused;
}

static void who_asks_for_more_than_there_is_is_refused(void) {
    struct grt_builder *builder = shared(GRT_BANDWIDTH_SHARING_PROPORTIONAL);
    add(builder, 0, 2, 101);
    CU_ASSERT(refuses(builder, "tasks[0].segments[0].gpu[0].bandwidth: must be at most the memory_bandwidth "
                               "of \"built\", \"100GB/s\" (got \"101GB/s\")"));
    builder = with_thread(true);
    builder->segments[B][0].cpu_bandwidth++;
    CU_ASSERT(refuses(builder, "tasks[1].segments[0].bandwidth: must be at most the memory_bandwidth of "
                               "\"built\", \"100GB/s\" (got \"100000000001B/s\")"));
    builder = with_thread(true);
    grt_builder_gpu(builder, builder->gpus[0]);
    CU_ASSERT(refuses(builder, "platform.gpus[1]: only one GPU can share the bandwidth of the CPU's memory"));
}

int main(void) {
    CU_TestInfo tests[] = {
        {"B1: kernels slow each other", b1_kernels_slow_each_other},
        {"B1 off: they do not", b1_off_they_do_not},
        {"B1: a block draws its part", b1_a_block_draws_its_part},
        {"B1: a kernel alone is not slowed", b1_a_kernel_alone_is_not_slowed},
        {"B1: copies draw too", b1_copies_draw_too},
        {"B1: a copy alone is not slowed", b1_a_copy_alone_is_not_slowed},
        {"B1: the latency of a copy draws nothing", b1_the_latency_of_a_copy_draws_nothing},
        {"B2: copies draw twice where integrated", b2_copies_draw_twice_where_integrated},
        {"B2: threads and kernels slow each other", b2_threads_and_kernels_slow_each_other},
        {"B2: not where the memories are two", b2_not_where_the_memories_are_two},
        {"B2: a preempted thread draws nothing", b2_a_preempted_thread_draws_nothing},
        {"B3: an SM serves so many threads", b3_an_sm_serves_so_many_threads},
        {"B3: a kernel alone is not slowed", b3_a_kernel_alone_is_not_slowed},
        {"B3 off: any number", b3_off_any_number},
        {"B3: each SM for itself", b3_each_sm_for_itself},
        {"a table slows one side", a_table_slows_one_side},
        {"a table knows the same SM", a_table_knows_the_same_sm},
        {"a table knows kernels of one class", a_table_knows_kernels_of_one_class},
        {"blocks of one kernel do not count", blocks_of_one_kernel_do_not_count},
        {"a table multiplies by kernel", a_table_multiplies_by_kernel},
        {"a kernel without class goes by its name", a_kernel_without_class_goes_by_its_name},
        {"who is slowed draws less", who_is_slowed_draws_less},
        {"processes that take turns do not slow each other",
         processes_that_take_turns_do_not_slow_each_other},
        {"a copy slows only who has the turn", a_copy_slows_only_who_has_the_turn},
        {"who comes back goes at the speed of now", who_comes_back_goes_at_the_speed_of_now},
        {"a copy stops at its chunk at any speed", a_copy_stops_at_its_chunk_at_any_speed},
        {"a slow block launches later", a_slow_block_launches_later},
        {"a waiting block slows nobody", a_waiting_block_slows_nobody},
        {"open blocks that would have launched", open_blocks_that_would_have_launched},
        {"the end of the run cuts slowed blocks", the_end_of_the_run_cuts_slowed_blocks},
        {"who asks for more than there is is refused", who_asks_for_more_than_there_is_is_refused},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("contention", tests);
}
