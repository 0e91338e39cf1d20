/* The rules named here are those of docs/gpu-model.md. */
#include "models/analysis/coupling.h"

/* Streams that are at work at a time under a policy that has two. */
enum { STREAMS = 2 };

static const char *coupling_of_device(const struct grt_device *device) {
    if (grt_device_is_contended(device)) { /* B1, B3, the table */
        return "kernels that run at the same time slow each other down";
    }
    if (device->priority_levels < 2) { /* A1 */
        return "the GPU has one level of stream priority";
    }
    if (device->hardware_queues > 0 && (device->queue_model == GRT_QUEUE_MODEL_SINGLE ||
                                        device->hardware_queues < STREAMS)) { /* Q1, Q4, Q7 */
        return "streams share a hardware queue";
    }
    if (device->max_resident_grids < STREAMS) { /* Q9 */
        return "the GPU holds one kernel at a time";
    }
    return device->task_slots > 0 && device->task_slots < STREAMS
               ? "the GPU hands out blocks of one kernel at a time"
               : NULL; /* Q10 */
}

static const char *coupling_of_command(const struct grt_command_spec *command) {
    if (grt_command_is_call(command->kind)) { /* V2, K1, S1, S2 */
        return "GPU segments have calls, which may wait for other streams";
    }
    bool pinned = command->kind == GRT_COMMAND_KERNEL && command->kernel.sms.count > 0; /* W8 */
    return pinned ? "blocks of pinned kernels exit where others keep them from their SMs" : NULL;
}

static const char *coupling_of_task(const struct grt_task *task) {
    const char *clause = NULL;
    for (size_t i = 0; i < task->segment_count; i++) {
        for (size_t j = 0; j < task->segments[i].command_count && clause == NULL; j++) {
            clause = coupling_of_command(&task->segments[i].commands[j]);
        }
    }
    return clause;
}

const char *grt_analysis_coupling(const struct grt_scenario *scenario, uint32_t gpu) {
    const struct grt_device *device = &scenario->gpus[gpu];
    const char *clause = coupling_of_device(device);
    for (size_t i = 0; i < scenario->task_count && clause == NULL; i++) {
        const struct grt_task *task = &scenario->tasks[i];
        if (task->gpu != gpu || !grt_task_uses_gpu(task)) {
            continue;
        }
        clause = coupling_of_task(task);
        int64_t percentage = grt_process_of(scenario, task)->spec.active_thread_percentage;
        if (grt_device_mps_tpcs(device, percentage) < grt_device_tpcs(device)) { /* M3 */
            clause = "kernels share a limit of SMs";
        }
    }
    return clause;
}
