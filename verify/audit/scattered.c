/* GPU segments whose commands a policy issues in any order, in several streams (models/policy.h, grt_policy_issue), each whole or a
 * kernel in pieces. What still holds: every command is executed once, in its job's segment; what is in one stream goes one after
 * the other; a segment ends with its last command. A block does not say of which of its job's kernels it is, so that blocks are
 * counted by segment, and their room on an SM by the least that any of its kernels takes. */
#include <stdlib.h>

#include "verify/audit/internal.h"

/* A command of the present segment. */
struct audit_scattered {
    uint64_t slices; /* of a kernel: its pieces */
    grt_time copied;
    bool done;
};

void audit_scattered_create(struct grt_audit *audit) {
    for (uint32_t i = 0; audit->any_order && i < audit->scenario->task_count; i++) {
        struct audit_task *task = &audit->tasks[i];
        size_t most = 0;
        for (size_t j = 0; j < task->spec->segment_count; j++) {
            size_t count = task->spec->segments[j].command_count;
            most = count > most ? count : most;
        }
        task->scattered = grt_arena_array(&audit->arena, most, sizeof *task->scattered);
    }
}

void audit_scattered_free(struct grt_audit *audit) {
    free(audit->streams_free);
}

void audit_scattered_request(struct audit_task *task) {
    for (size_t i = 0; i < task->spec->segments[task->segment].command_count; i++) {
        task->scattered[i] = (struct audit_scattered){0};
    }
}

/* Kernels and calls say in which stream they are: there they follow each other, whosever they are. */
static bool follows(struct grt_audit *audit, const struct grt_trace_record *record) {
    uint32_t stream = grt_trace_row(record->row), known = audit->stream_count;
    if (record->kind == GRT_TRACE_COPY) {
        return true;
    }
    if (stream >= known) {
        audit->stream_count = stream + 1;
        audit->streams_free = grt_array_grow(audit->streams_free, &audit->stream_capacity,
                                             audit->stream_count, sizeof *audit->streams_free);
        for (uint32_t i = known; i <= stream; i++) {
            audit->streams_free[i] = 0;
        }
    }
    bool good = record->other >= audit->streams_free[stream];
    audit->streams_free[stream] = record->time;
    return good;
}

void audit_scattered_turn(struct grt_audit *audit, struct audit_task *task,
                          const struct grt_trace_record *record) {
    struct audit_scattered *command = &task->scattered[grt_trace_command(record->detail)];
    bool good = !command->done && record->other >= task->since;
    good &= follows(audit, record);
    audit_check(audit, AUDIT_COMMANDS, good, record,
                "executes a command twice, before its segment, or beside another one of its stream");
    task->command = grt_trace_command(record->detail);
    task->command_free = record->time > task->command_free ? record->time : task->command_free;
    task->copied = command->copied;
}

void audit_scattered_copied(struct audit_task *task, bool complete) {
    task->scattered[task->command].copied = task->copied;
    task->scattered[task->command].done = complete;
}

/* A kernel of the host's, or a piece of it, has ended. */
void audit_scattered_kernel(struct grt_audit *audit, struct audit_task *task,
                            const struct grt_trace_record *record) {
    struct audit_gpu *gpu = &audit->gpus[task->spec->gpu];
    const struct grt_command_spec *command = &task->spec->segments[task->segment].commands[task->command];
    grt_time launch = command->kernel.from_device ? gpu->device->device_launch : gpu->device->kernel_launch;
    audit_check(audit, AUDIT_LAUNCHES, record->other - task->since >= launch, record,
                "has a kernel that begins before its launch has reached the device");
    if (!gpu->has_launches && !gpu->turns && !grt_device_has_shares(gpu->device)) {
        audit_check(audit, AUDIT_GRIDS, audit_room_take(&gpu->grids, record->other, record->time, 1), record,
                    "has a kernel for which there was no place on the device");
    }
    task->scattered[task->command].slices++;
}

/* The block of a kernel of the host's. */
void audit_scattered_block(struct audit_task *task, const struct grt_trace_record *record) {
    if ((record->flags & (GRT_TRACE_PREEMPTED | GRT_TRACE_OPEN)) == 0) {
        task->blocks++;
        task->block_sum += audit_hash_of_block(record->detail);
    }
}

/* The least that a block of the present segment's kernels takes of an SM, each resource by itself; NULL: it has no kernel. */
const struct audit_kernel *audit_scattered_least(struct audit_task *task) {
    const struct grt_segment *segment = &task->spec->segments[task->segment];
    struct audit_kernel *least = &task->least;
    bool any = false;
    for (size_t i = 0; i < segment->command_count; i++) {
        const struct audit_kernel *kernel = &task->kernels[task->segment][i];
        for (int j = 0; segment->commands[i].kind == GRT_COMMAND_KERNEL && j < AUDIT_RESOURCES; j++) {
            bool lower = !any || kernel->charges[j] < least->charges[j];
            least->charges[j] = lower ? kernel->charges[j] : least->charges[j];
        }
        any |= segment->commands[i].kind == GRT_COMMAND_KERNEL;
    }
    return any ? least : NULL;
}

/* A segment has ended, and was not aborted: whether all of its commands were executed, and all blocks of its kernels. A kernel that is
 * described by its time has a block on every SM in each of its pieces. */
bool audit_scattered_complete(const struct audit_task *task) {
    const struct grt_segment *segment = &task->spec->segments[task->segment];
    uint64_t blocks = 0, sum = 0;
    bool all = true;
    for (size_t i = 0; i < segment->command_count; i++) {
        const struct audit_kernel *kernel = &task->kernels[task->segment][i];
        uint64_t slices = task->scattered[i].slices;
        if (segment->commands[i].kind == GRT_COMMAND_KERNEL) {
            uint64_t times = kernel->whole_device ? slices : 1;
            all &= slices > 0;
            blocks += times * kernel->blocks;
            sum += times * audit_sum_of_blocks(kernel->blocks);
        } else {
            all &= task->scattered[i].done;
        }
    }
    return all && blocks == task->blocks && sum == task->block_sum;
}
