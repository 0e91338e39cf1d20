#include "policies/shares/streams.h"

/* The process of a task on its GPU, made for the first task that is in it. */
static grt_gpu_process process_of(struct grt_world *world, uint32_t number, grt_gpu_process *made) {
    const struct grt_scenario *scenario = grt_policy_scenario(world);
    const struct grt_task *tasks = scenario->tasks, *task = &tasks[number];
    for (uint32_t earlier = 0; earlier < number; earlier++) {
        if (tasks[earlier].gpu == task->gpu && tasks[earlier].process == task->process &&
            grt_task_uses_gpu(&tasks[earlier])) {
            return made[earlier];
        }
    }
    const struct grt_process *process = grt_process_of(scenario, task);
    return grt_policy_process(world, (uint32_t)task->gpu, &process->spec, process->name);
}

grt_stream *shares_make_streams(struct grt_world *world) {
    const struct grt_scenario *scenario = grt_policy_scenario(world);
    grt_stream *streams = grt_policy_memory(world, scenario->task_count, sizeof *streams);
    grt_gpu_process *processes = grt_policy_memory(world, scenario->task_count, sizeof *processes);
    for (uint32_t i = 0; i < scenario->task_count; i++) {
        if (grt_task_uses_gpu(&scenario->tasks[i])) {
            processes[i] = process_of(world, i, processes);
            streams[i] = grt_policy_process_stream(world, processes[i], 0, scenario->tasks[i].name);
        }
    }
    return streams;
}
