#include "tests/support/world_builder.h"

#include <stdlib.h>

#include "sim/check.h"

struct grt_device grt_built_device(int64_t sm_count) {
    return (struct grt_device){
        .name = "built",
        .compute_capability = 62,
        .sm_count = sm_count,
        .sms_per_tpc = 1,
        .warp_size = 32,
        .max_threads_per_block = 1024,
        .max_threads_per_sm = 2048,
        .max_blocks_per_sm = 32,
        .registers_per_sm = 65536,
        .registers_per_block = 32768,
        .max_registers_per_thread = 255,
        .register_unit = 256,
        .warp_unit = 1,
        .sm_partitions = 4,
        .shared_memory_per_sm = 65536,
        .shared_memory_per_block = 49152,
        .shared_memory_per_block_opt_in = 49152,
        .shared_memory_unit = 256,
        .max_resident_grids = 16,
        .copy_engines = 1,
        .h2d_bytes_per_second = GRT_SECOND,
        .d2h_bytes_per_second = GRT_SECOND,
        .priority_levels = 2,
        .pageable_percent = 50,
        .copy_time_slice = 1024 * GRT_MICROSECOND,
    };
}

struct grt_device grt_built_tx2(void) {
    return grt_built_device(2);
}

struct grt_device grt_built_exclusive(void) {
    struct grt_device device = grt_built_device(1);
    device.name = "exclusive";
    device.max_threads_per_sm = 1024;
    device.max_blocks_per_sm = 1;
    device.max_resident_grids = 1;
    device.priority_levels = 1;
    return device;
}

struct grt_builder *grt_builder_create(grt_time horizon) {
    struct grt_builder *builder = grt_allocate(sizeof *builder);
    *builder = (struct grt_builder){
        .scenario = {.name = "built", .seed = 1, .horizon_kind = GRT_HORIZON_FIXED, .horizon = horizon},
    };
    builder->scenario.gpus = builder->gpus;
    builder->scenario.tasks = builder->tasks;
    return builder;
}

void grt_builder_free(struct grt_builder *builder) {
    grt_arena_clear(&builder->arena);
    free(builder);
}

struct grt_device *grt_builder_gpu(struct grt_builder *builder, struct grt_device device) {
    GRT_REQUIRE(builder->scenario.gpu_count < GRT_MAX_GPUS, "give a builder fewer GPUs");
    builder->gpus[builder->scenario.gpu_count] = device;
    return &builder->gpus[builder->scenario.gpu_count++];
}

struct grt_task *grt_builder_task(struct grt_builder *builder, const char *name) {
    GRT_REQUIRE(builder->scenario.task_count < GRT_BUILDER_TASKS, "give a builder fewer tasks");
    size_t index = builder->scenario.task_count++;
    struct grt_task *task = &builder->tasks[index];
    builder->segments[index] =
        grt_arena_array(&builder->arena, GRT_BUILDER_SEGMENTS, sizeof(struct grt_segment));
    *task = (struct grt_task){
        .name = name,
        .deadline = 1000 * GRT_SECOND,
        .priority = -(int64_t)index,
        .cpu = -1,
        .segments = builder->segments[index],
    };
    grt_builder_at(builder, task, 0);
    return task;
}

void grt_builder_periodic(struct grt_task *task, grt_time period, grt_time offset) {
    task->arrival = GRT_ARRIVAL_PERIODIC;
    task->period = task->deadline = period;
    task->offset = offset;
    task->times = NULL;
    task->time_count = 0;
}

void grt_builder_times(struct grt_builder *builder, struct grt_task *task, const grt_time *times,
                       size_t count) {
    grt_time *copy = grt_arena_array(&builder->arena, count, sizeof *copy);
    for (size_t i = 0; i < count; i++) {
        copy[i] = times[i];
    }
    task->arrival = GRT_ARRIVAL_TIMES;
    task->clock = GRT_CLOCK_ABSOLUTE;
    task->times = copy;
    task->time_count = count;
}

void grt_builder_at(struct grt_builder *builder, struct grt_task *task, grt_time instant) {
    grt_builder_times(builder, task, &instant, 1);
}

void grt_builder_after(struct grt_builder *builder, struct grt_task *task,
                       const struct grt_task *predecessor) {
    uint32_t *after = grt_arena_array(&builder->arena, task->after_count + 1, sizeof *after);
    for (size_t i = 0; i < task->after_count; i++) {
        after[i] = task->after[i];
    }
    after[task->after_count] = (uint32_t)(predecessor - builder->tasks);
    task->arrival = GRT_ARRIVAL_AFTER;
    task->period = 0;
    task->after = after;
    task->after_count++;
}

static struct grt_segment *add_segment(struct grt_builder *builder, struct grt_task *task) {
    GRT_REQUIRE(task->segment_count < GRT_BUILDER_SEGMENTS, "give a task of a builder fewer segments");
    return &builder->segments[task - builder->tasks][task->segment_count++];
}

struct grt_segment *grt_builder_cpu(struct grt_builder *builder, struct grt_task *task, grt_time time) {
    struct grt_segment *segment = add_segment(builder, task);
    *segment = (struct grt_segment){.kind = GRT_SEGMENT_CPU, .cpu_time = {.kind = GRT_CONSTANT, .max = time}};
    return segment;
}

void grt_builder_gpu_segment(struct grt_builder *builder, struct grt_task *task) {
    struct grt_command_spec *commands =
        grt_arena_array(&builder->arena, GRT_BUILDER_COMMANDS, sizeof(struct grt_command_spec));
    *add_segment(builder, task) = (struct grt_segment){.kind = GRT_SEGMENT_GPU, .commands = commands};
}

static struct grt_command_spec *add_command(struct grt_builder *builder, struct grt_task *task) {
    struct grt_segment *segments = builder->segments[task - builder->tasks];
    if (task->segment_count == 0 || segments[task->segment_count - 1].kind != GRT_SEGMENT_GPU) {
        grt_builder_gpu_segment(builder, task);
    }
    struct grt_segment *segment = &segments[task->segment_count - 1];
    GRT_REQUIRE(segment->command_count < GRT_BUILDER_COMMANDS,
                "give a GPU segment of a builder fewer commands");
    /* the memory is the builder's own, made writable above */
    return (struct grt_command_spec *)(uintptr_t)&segment->commands[segment->command_count++];
}

struct grt_kernel *grt_builder_kernel(struct grt_builder *builder, struct grt_task *task, int64_t blocks,
                                      int64_t threads, grt_time block_time) {
    struct grt_command_spec *command = add_command(builder, task);
    *command = (struct grt_command_spec){
        .kind = GRT_COMMAND_KERNEL,
        .kernel = {.name = task->name,
                   .blocks = blocks,
                   .needs = {.threads = threads},
                   .block_time = {.kind = GRT_CONSTANT, .max = block_time}},
    };
    return &command->kernel;
}

struct grt_kernel *grt_builder_whole(struct grt_builder *builder, struct grt_task *task, grt_time time) {
    struct grt_kernel *kernel = grt_builder_kernel(builder, task, 0, 0, time);
    kernel->whole_device = true;
    return kernel;
}

void grt_builder_copy(struct grt_builder *builder, struct grt_task *task, enum grt_command_kind kind,
                      int64_t bytes) {
    *add_command(builder, task) = (struct grt_command_spec){.kind = kind, .bytes = bytes};
}

void grt_builder_sync_copy(struct grt_builder *builder, struct grt_task *task, enum grt_command_kind kind,
                           int64_t bytes) {
    *add_command(builder, task) = (struct grt_command_spec){.kind = kind, .bytes = bytes, .sync = true};
}

struct grt_command_spec *grt_builder_call(struct grt_builder *builder, struct grt_task *task,
                                          enum grt_command_kind kind, const char *event) {
    struct grt_command_spec *command = add_command(builder, task);
    *command = (struct grt_command_spec){.kind = kind, .event = event};
    return command;
}

void grt_builder_callback(struct grt_builder *builder, struct grt_task *task, grt_time time) {
    grt_builder_call(builder, task, GRT_COMMAND_CALLBACK, NULL)->callback_time =
        (struct grt_distribution){.kind = GRT_CONSTANT, .max = time};
}
