#include "tests/support/launching_world.h"

#include "tests/support/contended_world.h"
#include "tests/support/pick.h"
#include "tests/support/random_world.h"

enum { PROCESSES = 2, DEEPEST = 3 };

static const struct grt_process processes[PROCESSES] = {{.name = "p"}, {.name = "q"}};

static void make_time(struct grt_random *random, struct grt_distribution *time) {
    *time = (struct grt_distribution){.kind = GRT_CONSTANT, .max = grt_pick(random, 1, 30)};
    time->min = time->max;
    if (grt_pick(random, 0, 2) == 0) {
        time->kind = GRT_UNIFORM;
        time->min = 1;
    }
}

static void add_launches(struct grt_random *random, struct grt_builder *builder, struct grt_kernel *kernel,
                         int depth) {
    static const int64_t threads[] = {1, 32, 128, 512, 1024};
    size_t count = (size_t)grt_pick(random, 1, 3);
    struct grt_launch_spec *launches = grt_arena_array(&builder->arena, count, sizeof *launches);
    kernel->launches = (struct grt_field_list){launches, count};
    for (size_t i = 0; i < count; i++) {
        struct grt_launch_spec *launch = &launches[i];
        launch->kernel.name = "c";
        launch->kernel.blocks = grt_pick(random, 1, 5);
        launch->kernel.needs.threads = threads[grt_pick(random, 0, 4)];
        launch->kernel.draw_per = grt_pick(random, 0, 1);
        make_time(random, &launch->kernel.block_time);
        launch->at = grt_pick(random, 0, 1) * grt_pick(random, 1, kernel->block_time.max);
        launch->from = grt_pick(random, 0, 1);
        launch->stream = grt_pick(random, 0, 2);
        launch->wait =
            launch->stream != GRT_LAUNCH_STREAM_TAIL && launch->at > 0 && grt_pick(random, 0, 1) == 0;
        if (depth < DEEPEST && grt_pick(random, 0, 2) == 0) {
            add_launches(random, builder, &launch->kernel, depth + 1);
        }
    }
}

static void prepare_device(struct grt_random *random, struct grt_device *device) {
    device->device_launch = grt_pick(random, 0, 1) * grt_pick(random, 1, 20);
    device->max_pending_launches = grt_pick(random, 0, 2) > 0 ? 2048 : grt_pick(random, 1, 12);
    device->max_sync_depth = DEEPEST;
    device->task_slots = grt_pick(random, 0, 4);
    grt_random_turns(random, device);
    if (device->context_preemption == GRT_CONTEXT_PREEMPTION_RESET) { /* not where blocks launch kernels */
        device->context_preemption = GRT_CONTEXT_PREEMPTION_INSTRUCTION;
    }
}

/* Small grids launch kernels; tasks are spread over processes and TPCs. */
static void change_task(struct grt_random *random, struct grt_builder *builder, struct grt_task *task) {
    size_t index = (size_t)(task - builder->tasks);
    task->process = grt_pick(random, 0, PROCESSES - 1);
    for (size_t j = 0; j < task->segment_count; j++) {
        for (size_t k = 0; k < task->segments[j].command_count; k++) {
            /* the builder's own copy: it lives in its arena */
            struct grt_kernel *kernel = (struct grt_kernel *)&builder->segments[index][j].commands[k].kernel;
            bool small = task->segments[j].commands[k].kind == GRT_COMMAND_KERNEL && kernel->blocks <= 8;
            if (small && !kernel->whole_device && grt_pick(random, 0, 1) == 0) {
                add_launches(random, builder, kernel, 1);
            }
        }
    }
    if (grt_pick(random, 0, 2) == 0) {
        grt_random_partition(random, builder, task);
    }
}

struct grt_builder *grt_launching_world(uint64_t number) {
    struct grt_builder *builder = grt_random_world(number);
    struct grt_random random = grt_random_stream(number, "children", 0, 0);
    bool shared = number % 3 == 0;
    builder->scenario.processes = processes;
    builder->scenario.process_count = shared ? PROCESSES : 0;
    for (size_t i = 0; i < builder->scenario.gpu_count; i++) {
        prepare_device(&random, &builder->gpus[i]);
    }
    for (size_t i = 0; i < builder->scenario.task_count; i++) {
        change_task(&random, builder, &builder->tasks[i]);
        builder->tasks[i].process *= shared;
    }
    for (size_t i = 0; shared && i < builder->scenario.gpu_count; i++) {
        builder->gpus[i].mps = number % 2 == 0;
    }
    if (number % 4 == 1) {
        grt_contend(builder, number);
    }
    return builder;
}
