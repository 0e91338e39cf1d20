#include "tests/support/shared_world.h"

#include <string.h>

#include "models/adapt.h"

static void *copy(struct grt_arena *arena, const void *items, size_t count, size_t size) {
    void *made = grt_arena_array(arena, count, size);
    if (count > 0) {
        memcpy(made, items, count * size);
    }
    return made;
}

static void share_task(struct grt_task *task, struct grt_arena *arena) {
    struct grt_segment *segments = grt_adapt_segments(task, arena);
    task->tpcs.count = 0;
    for (size_t i = 0; i < task->segment_count; i++) {
        struct grt_command_spec *commands = grt_adapt_commands(&segments[i]);
        for (size_t j = 0; j < segments[i].command_count; j++) {
            commands[j].kernel.launches.count = 0;
            commands[j].kernel.sms.count = 0;
            commands[j].kernel.tpcs.count = 0;
        }
    }
}

const struct grt_scenario *grt_shared_world(struct grt_builder *builder) {
    struct grt_arena *arena = &builder->arena;
    struct grt_scenario *scenario = grt_arena_new(arena, struct grt_scenario);
    *scenario = builder->scenario;
    struct grt_device *gpus = copy(arena, scenario->gpus, scenario->gpu_count, sizeof *gpus);
    struct grt_process *processes =
        copy(arena, scenario->processes, scenario->process_count, sizeof *processes);
    for (size_t i = 0; i < scenario->gpu_count; i++) {
        gpus[i].granularity = GRT_GRANULARITY_SHARES;
        gpus[i].contention = GRT_CONTENTION_MAX_MIN;
    }
    for (size_t i = 0; i < scenario->process_count; i++) {
        processes[i].spec.active_thread_percentage = 0;
    }
    scenario->gpus = gpus;
    scenario->processes = processes;
    struct grt_task *tasks = grt_adapt_tasks(scenario, 0, arena);
    for (size_t i = 0; i < scenario->task_count; i++) {
        share_task(&tasks[i], arena);
    }
    return scenario;
}
