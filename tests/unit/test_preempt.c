/* Turns that end inside blocks: blocks that are thrown away and run again (T4x), and what saving and restoring them takes
 * (T4s); small cases with times computed by hand. Two SMs that hold two blocks of 1024 threads each; turns of 100 ns. */
#include <stdio.h>

#include "models/gpu.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

enum { A, B };

static const struct grt_process processes[] = {{.name = "p"}, {.name = "q"}};

static struct grt_builder *shared_gpu(int64_t preemption) {
    struct grt_builder *builder = grt_builder_create(10000);
    struct grt_device *device = grt_builder_gpu(builder, grt_built_tx2());
    device->context_preemption = preemption;
    device->time_slice = 100;
    builder->scenario.processes = processes;
    builder->scenario.process_count = 2;
    return builder;
}

/* The next task, in the process of its number, with a kernel that fills the SMs `waves` times. */
static struct grt_task *add_waves(struct grt_builder *builder, int64_t waves, grt_time time) {
    struct grt_task *task = grt_builder_task(builder, "t");
    task->process = task - builder->tasks;
    grt_builder_at(builder, task, 0);
    grt_builder_kernel(builder, task, 4 * waves, 1024, time);
    return task;
}

/* The number of blocks of a task that were thrown away, all of which ran from one instant to another. */
static int thrown(const struct grt_built_run *run, uint32_t task, grt_time from, grt_time to) {
    int count = 0;
    for (size_t i = 0; i < run->kept.record_count; i++) {
        const struct grt_trace_record *record = &run->kept.records[i];
        count += record->kind == GRT_TRACE_BLOCK && (record->flags & GRT_TRACE_PREEMPTED) &&
                 record->task == task && record->other == from && record->time == to;
    }
    return count;
}

/* Waves of 70: the second of A is thrown away at 100, after 30, and runs again from 200 to 270. So is every second one: 16
 * blocks lose 30 each, beside 24 that take 70 each: 2160 in all, of half an SM. */
static void t4x_blocks_begin_again(void) {
    struct grt_builder *builder = shared_gpu(GRT_CONTEXT_PREEMPTION_RESET);
    struct grt_built_run run;
    add_waves(builder, 3, 70);
    add_waves(builder, 3, 70);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT_EQUAL(thrown(&run, A, 70, 100), 4);
    CU_ASSERT_EQUAL(thrown(&run, B, 170, 200), 4);
    CU_ASSERT_EQUAL(thrown(&run, A, 270, 300), 4);
    CU_ASSERT_EQUAL(thrown(&run, B, 370, 400), 4);
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 470));
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 100, 540));
    CU_ASSERT_EQUAL(grt_built_run_count(&run, GRT_TRACE_BLOCK), 24 + 16);
    CU_ASSERT_EQUAL(run.result->gpus[0].blocks, 24);
    CU_ASSERT_EQUAL(run.result->gpus[0].busy, 540);
    CU_ASSERT_DOUBLE_EQUAL(run.result->gpus[0].thread_time, 1080, 0);
    grt_built_run_end(&run, builder);
}

/* Blocks longer than a turn do not end while the other process wants its turns: A's of 150 begin again when B's one wave of
 * 60 is over, and end at 310; where B has blocks of 150, too, nobody ever ends. */
static void t4x_long_blocks_starve(void) {
    for (int both = 0; both < 2; both++) {
        struct grt_builder *builder = shared_gpu(GRT_CONTEXT_PREEMPTION_RESET);
        struct grt_built_run run;
        add_waves(builder, 1, 150);
        add_waves(builder, 1, both ? 150 : 60);
        grt_built_run_under(&run, builder, "hardware");
        if (both) {
            CU_ASSERT_EQUAL(run.result->gpus[0].blocks, 0);
            CU_ASSERT_EQUAL(run.result->tasks[A].unfinished, 1);
            CU_ASSERT(grt_built_run_find(&run, GRT_TRACE_KERNEL, A, 0, 0)->flags & GRT_TRACE_OPEN);
            CU_ASSERT(grt_built_run_find(&run, GRT_TRACE_KERNEL, B, 0, 0)->flags & GRT_TRACE_OPEN);
        } else {
            CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 100, 160));
            CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 310));
        }
        grt_built_run_end(&run, builder);
    }
}

/* Nothing is saved: a switch takes context_switch, whatever was running. */
static void t4x_saves_nothing(void) {
    struct grt_builder *builder = shared_gpu(GRT_CONTEXT_PREEMPTION_RESET);
    struct grt_built_run run;
    builder->gpus[0].context_switch = 7;
    builder->gpus[0].context_save = GRT_CONTEXT_SAVE_STATE;
    builder->gpus[0].memory_bytes_per_second = GRT_SECOND;
    add_waves(builder, 1, 150);
    add_waves(builder, 1, 60);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 107, 167));
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 174 + 150));
    grt_built_run_end(&run, builder);
}

/* ---- T4s ---- */

/* Four blocks of 1024 threads with 32 registers are 512 KiB, which this memory moves in 10. A has the SMs from 0 to 100;
 * saving its blocks takes 10 and the switch 7; B from 117 to 217; saving 10, 7, restoring A's 10; and so on. */
static void t4s_state_takes_time(void) {
    struct grt_builder *builder = shared_gpu(GRT_CONTEXT_PREEMPTION_INSTRUCTION);
    struct grt_built_run run;
    builder->gpus[0].context_switch = 7;
    builder->gpus[0].context_save = GRT_CONTEXT_SAVE_STATE;
    builder->gpus[0].memory_bytes_per_second = (INT64_C(512) << 10) * GRT_SECOND / 10;
    for (int i = 0; i < 2; i++) {
        struct grt_task *task = grt_builder_task(builder, "t");
        task->process = i;
        grt_builder_at(builder, task, 0);
        grt_builder_kernel(builder, task, 12, 1024, 70)->needs.registers_per_thread = 32;
    }
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_block_ran(&run, A, 4, 0, 70, 244 + 40));
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 371 + 100 + 10 + 7 + 10 + 10));
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 117, 508 + 7 + 10 + 10));
    CU_ASSERT_EQUAL(run.result->gpus[0].busy, 420);
    grt_built_run_end(&run, builder);
}

/* Where turns end between blocks there is nothing to save; and the plain switch is the default. */
static void t4s_only_where_there_is_state(void) {
    for (int state = 0; state < 2; state++) {
        struct grt_builder *builder =
            shared_gpu(state ? GRT_CONTEXT_PREEMPTION_BLOCK : GRT_CONTEXT_PREEMPTION_INSTRUCTION);
        struct grt_built_run run;
        builder->gpus[0].context_switch = 7;
        builder->gpus[0].context_save = state ? GRT_CONTEXT_SAVE_STATE : GRT_CONTEXT_SAVE_FIXED;
        builder->gpus[0].memory_bytes_per_second = GRT_SECOND;
        add_waves(builder, 3, 50);
        add_waves(builder, 2, 50);
        grt_built_run_under(&run, builder, "hardware");
        CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 107, 207));
        CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 264));
        grt_built_run_end(&run, builder);
    }
}

/* 96 threads with 40 registers: 3 warps of 1280, 3840 registers; with 1000 bytes of shared memory, charged as 1024. Unknown
 * registers: 3 of an SM's 64 warps have 3072. A kernel that fills the device has all of them. */
static void t4s_the_state_of_a_block(void) {
    struct grt_device device = grt_built_tx2();
    struct grt_kernel kernel = {.blocks = 1,
                                .needs = {.threads = 96, .registers_per_thread = 40, .shared_memory = 1000}};
    struct grt_gpu_kernel prepared;
    CU_ASSERT_PTR_NULL(grt_gpu_kernel_prepare(&device, &kernel, &prepared));
    CU_ASSERT_EQUAL(prepared.state_bytes, 4 * prepared.registers + 1024);
    CU_ASSERT(prepared.registers >= 3840 && prepared.registers < 3840 + 512);
    kernel.needs.registers_per_thread = 0;
    CU_ASSERT_PTR_NULL(grt_gpu_kernel_prepare(&device, &kernel, &prepared));
    CU_ASSERT_EQUAL(prepared.state_bytes, 4 * 3072 + 1024);
    kernel.whole_device = true;
    CU_ASSERT_PTR_NULL(grt_gpu_kernel_prepare(&device, &kernel, &prepared));
    CU_ASSERT_EQUAL(prepared.state_bytes, 4 * 65536);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"T4x, blocks begin again", t4x_blocks_begin_again},
        {"T4x, long blocks starve", t4x_long_blocks_starve},
        {"T4x, saves nothing", t4x_saves_nothing},
        {"T4s, state takes time", t4s_state_takes_time},
        {"T4s, only where there is state", t4s_only_where_there_is_state},
        {"T4s, the state of a block", t4s_the_state_of_a_block},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("turns that end inside blocks", tests);
}
