/* Blocks of the stream of high priority go before those of the low one: rule A2 of the device, as far as a trace shows it. From the instant at which a
 * kernel is the first of its queue until its last block has started, no block of a less urgent queue starts. */
#include <stdlib.h>

#include "verify/audit/levels.h"

/* Whether priorities act on blocks as they should: kernels that are kept or pinned to some SMs pass others by (W3, W8), blocks that wait come back. */
static bool checks_blocks(const struct grt_audit *audit, uint32_t gpu) {
    bool kept = audit->gpus[gpu].has_launches;
    for (size_t i = 0; i < audit->scenario->task_count; i++) {
        const struct grt_task *task = &audit->scenario->tasks[i];
        kept |= task->gpu == gpu && task->tpcs.count > 0;
        for (size_t j = 0; task->gpu == gpu && j < task->segment_count; j++) {
            for (size_t k = 0; k < task->segments[j].command_count; k++) {
                const struct grt_kernel *kernel = &task->segments[j].commands[k].kernel;
                kept |= kernel->tpcs.count > 0 || kernel->sms.count > 0;
            }
        }
    }
    return !kept;
}

/* Whether two kernels reach their queues and begin, whatever else: it is not known otherwise when the more urgent one could have begun (Q1, Q4, Q9,
 * Q10). */
static bool has_room_for_two(const struct grt_device *device) {
    return levels_have_queues(device) && device->max_resident_grids >= LEVELS &&
           (device->task_slots == 0 || device->task_slots >= LEVELS);
}

/* Whether segments of a GPU make calls: one of another segment may hold up a launch (S2). */
static bool has_calls(const struct grt_scenario *scenario, uint32_t gpu) {
    bool any = false;
    for (size_t i = 0; i < scenario->task_count; i++) {
        const struct grt_task *task = &scenario->tasks[i];
        for (size_t j = 0; task->gpu == gpu && j < task->segment_count; j++) {
            for (size_t k = 0; k < task->segments[j].command_count; k++) {
                any |= grt_command_is_call(task->segments[j].commands[k].kind);
            }
        }
    }
    return any;
}

void levels_blocks_create(const struct grt_audit *audit, struct levels *self, uint32_t gpu) {
    struct levels_gpu *own = &self->gpus[gpu];
    own->blocks =
        self->has_order && audit->scenario->gpus[gpu].priority_levels >= LEVELS && checks_blocks(audit, gpu);
    own->queued = has_room_for_two(&audit->scenario->gpus[gpu]) && !has_calls(audit->scenario, gpu);
    own->last_start = AUDIT_UNKNOWN;
}

void levels_blocks_free(struct levels_gpu *gpu) {
    free(gpu->windows);
    free(gpu->starts);
    gpu->windows = NULL;
    gpu->starts = NULL;
    gpu->window_count = gpu->window_capacity = gpu->start_count = gpu->start_capacity = 0;
}

/* When a kernel of a segment that was called at once came to its queue; its first block's start where that is not known. */
static grt_time queued_at(const struct grt_audit *audit, const struct levels *self,
                          const struct levels_gpu *gpu, const struct audit_task *task,
                          const struct grt_trace_record *record) {
    const struct grt_segment *segment = &task->spec->segments[task->segment];
    grt_time launch = audit->gpus[task->spec->gpu].device->kernel_launch;
    grt_time reached = self->tasks[task->number].given + (task->launched + 1) * launch;
    bool known = gpu->queued && self->tasks[task->number].given != AUDIT_UNKNOWN &&
                 !grt_segment_has_host_parts(segment); /* the host calls when it comes to it */
    for (size_t i = 0; i < segment->command_count; i++) {
        const struct grt_command_spec *command = &segment->commands[i];
        known = known && !grt_command_is_call(command->kind) && !command->sync && !command->pageable;
    }
    return !known ? record->other : reached > task->command_free ? reached : task->command_free;
}

/* The kernel in the high stream has ended: no block of the low one began before its last one. */
void levels_kernel_end(struct grt_audit *audit, struct levels *self, struct levels_gpu *gpu,
                       const struct audit_task *task, const struct grt_trace_record *record) {
    struct window window = {queued_at(audit, self, gpu, task, record), gpu->last_start};
    for (uint32_t i = 0; i < gpu->start_count; i++) {
        audit_check(audit, self->rules + LEVELS_BLOCKS_WAIT,
                    gpu->starts[i] <= window.first || gpu->starts[i] >= window.last, record,
                    "has a block that waited while one of the stream of low priority began");
    }
    gpu->start_count = 0;
    gpu->last_start = AUDIT_UNKNOWN;
    if (window.last > window.first && gpu->occupant[LOW] != AUDIT_NONE) {
        if (gpu->window_count == gpu->window_capacity) {
            gpu->windows = grt_array_grow(gpu->windows, &gpu->window_capacity, gpu->window_count + 1,
                                          sizeof *gpu->windows);
        }
        gpu->windows[gpu->window_count++] = window;
    }
}

void levels_block(struct grt_audit *audit, struct levels *self, const struct audit_task *task,
                  const struct grt_trace_record *record) {
    struct levels_gpu *gpu = &self->gpus[task->spec->gpu];
    uint32_t level = levels_of(gpu, task->number);
    if (!gpu->blocks || gpu->unknown) {
        return;
    }
    if (level == HIGH) {
        gpu->last_start = record->other > gpu->last_start ? record->other : gpu->last_start;
    } else if (level == LOW) {
        for (uint32_t i = 0; i < gpu->window_count; i++) {
            audit_check(audit, self->rules + LEVELS_BLOCKS_WAIT,
                        record->other <= gpu->windows[i].first || record->other >= gpu->windows[i].last,
                        record,
                        "has a block that began before those of the stream of high priority that waited");
        }
        if (gpu->occupant[HIGH] != AUDIT_NONE) {
            if (gpu->start_count == gpu->start_capacity) {
                gpu->starts = grt_array_grow(gpu->starts, &gpu->start_capacity, gpu->start_count + 1,
                                             sizeof *gpu->starts);
            }
            gpu->starts[gpu->start_count++] = record->other;
        }
    }
}
