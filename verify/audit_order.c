/* Policies that keep a GPU to one segment at a time: it is never idle while one waits, and the right one goes first.
 *
 * Nobody tells the auditor when a segment was submitted. On a GPU that it has to itself its first command shows it: a copy or a call
 * begins at that instant, a kernel a launch later. That is known when the command ends; until then the GPU counts as free, and requests
 * that are taken back are remembered if they came when it should have been given away. */
#include "verify/audit_internal.h"

static grt_time later(grt_time a, grt_time b) {
    return a > b ? a : b;
}

static int64_t key_of(const struct grt_audit *audit, const struct audit_task *task) {
    const struct grt_task *spec = task->spec;
    switch (audit->order) {
    case AUDIT_BY_REQUEST:
        return task->since;
    case AUDIT_BY_DEADLINE:
        return audit_job_at(task, 0)->deadline;
    case AUDIT_BY_PERIOD:
        return spec->period > 0 ? spec->period : spec->deadline;
    default:
        return -spec->priority;
    }
}

static bool is_waiting(const struct audit_task *task) {
    return task->wait_at != AUDIT_NONE;
}

void audit_order_request(struct grt_audit *audit, struct audit_task *task) {
    struct audit_gpu *gpu = &audit->gpus[task->spec->gpu];
    if (is_waiting(task)) { /* of a spoilt trace */
        return;
    }
    task->wait_at = gpu->waiting_count;
    gpu->waiting[gpu->waiting_count++] = task->number;
}

static void stop_waiting(struct grt_audit *audit, struct audit_gpu *gpu, struct audit_task *task) {
    uint32_t last = gpu->waiting[--gpu->waiting_count];
    gpu->waiting[task->wait_at] = last;
    audit->tasks[last].wait_at = task->wait_at;
    task->wait_at = AUDIT_NONE;
}

/* The instant at which the GPU had to be given away. */
static grt_time due(const struct grt_audit *audit, const struct audit_gpu *gpu) {
    grt_time due = gpu->idle_since;
    for (uint32_t i = 0; i < gpu->waiting_count; i++) {
        grt_time could = later(gpu->free_from, audit->tasks[gpu->waiting[i]].since);
        due = could < due ? could : due;
    }
    return due;
}

/* Whether somebody with that key, tie and number goes before the task. With shuffled ties any of equals may. */
static bool goes_before(const struct grt_audit *audit, const struct audit_task *task, int64_t key,
                        uint64_t tie, uint32_t number) {
    int64_t own = key_of(audit, task);
    if (key != own) {
        return key < own;
    }
    if (audit->scenario->ties == GRT_TIES_SHUFFLE) {
        return false;
    }
    return tie != task->tie ? tie < task->tie : number < task->number;
}

static void check_order(struct grt_audit *audit, const struct audit_gpu *gpu, const struct audit_task *task,
                        grt_time begun, const struct grt_trace_record *record) {
    const struct audit_task *first = NULL;
    audit->checked[AUDIT_GPU_ORDER]++;
    for (uint32_t i = 0; i < gpu->waiting_count; i++) {
        const struct audit_task *other = &audit->tasks[gpu->waiting[i]];
        if (other != task && other->since <= begun &&
            goes_before(audit, task, key_of(audit, other), other->tie, other->number)) {
            first = other;
        }
    }
    for (uint32_t i = 0; i < gpu->gone_count; i++) {
        const struct audit_task *other = &audit->tasks[gpu->gone[i]];
        if (other != task && other->withdrawn_since <= begun && begun < other->withdrawn_until &&
            goes_before(audit, task, other->withdrawn_key, other->withdrawn_tie, other->number)) {
            first = other;
        }
    }
    if (first != NULL) {
        audit_find(audit, AUDIT_GPU_ORDER, begun, record->task, record->job,
                   "is given the GPU although \"%s\" waits, which goes first", first->spec->name);
    }
}

/* The task was given the GPU at that instant. */
static void give(struct grt_audit *audit, struct audit_gpu *gpu, struct audit_task *task, grt_time begun,
                 const struct grt_trace_record *record) {
    bool was_free = gpu->occupant == AUDIT_NONE && begun >= gpu->free_from;
    grt_time had_to = due(audit, gpu);
    audit_check(audit, AUDIT_ONE_SEGMENT, was_free, record,
                "is given the GPU before the segment before has left it");
    if (was_free) {
        audit_check(audit, AUDIT_GPU_IDLE, begun <= had_to, record,
                    "is given the GPU later than it was free");
        check_order(audit, gpu, task, begun, record);
    }
    stop_waiting(audit, gpu, task);
    for (uint32_t i = 0; i < gpu->gone_count; i++) {
        audit->tasks[gpu->gone[i]].withdrawn = false;
    }
    gpu->gone_count = 0;
    gpu->idle_since = GRT_TIME_NEVER;
    gpu->occupant = task->number;
    task->begun = begun;
}

/* Whether the host makes all calls of a segment at once, so that it is known when each of its kernels reaches the device. */
static bool is_called_at_once(const struct grt_segment *segment) {
    for (size_t i = 0; i < segment->command_count; i++) {
        const struct grt_command_spec *command = &segment->commands[i];
        if (grt_command_is_call(command->kind) || command->sync || command->pageable) {
            return false;
        }
    }
    return true;
}

/* What has the GPU to itself goes on as soon as it can. */
static void check_haste(struct grt_audit *audit, const struct audit_gpu *gpu, const struct audit_task *task,
                        const struct grt_trace_record *record) {
    bool kernel = record->kind == GRT_TRACE_KERNEL;
    grt_time reached = task->begun + (kernel ? (task->launched + 1) * gpu->device->kernel_launch : 0);
    audit_check(audit, AUDIT_LAUNCHES, record->other >= reached, record,
                "has a command that begins before its launch can have reached the device");
    if (is_called_at_once(&task->spec->segments[task->segment])) {
        audit_check(audit, AUDIT_GPU_IDLE, record->other <= later(reached, task->command_free), record,
                    "executes a command later than it could");
    }
}

void audit_order_begun(struct grt_audit *audit, struct audit_task *task,
                       const struct grt_trace_record *record) {
    struct audit_gpu *gpu = &audit->gpus[task->spec->gpu];
    grt_time launch = record->kind == GRT_TRACE_KERNEL ? gpu->device->kernel_launch : 0;
    if (is_waiting(task)) {
        give(audit, gpu, task, record->other - launch, record);
    }
    audit_check(audit, AUDIT_ONE_SEGMENT, gpu->occupant == task->number, record,
                "executes a command while another segment has the GPU");
    check_haste(audit, gpu, task, record);
}

/* A segment was submitted, but nothing of it was executed: there was no time for that. */
static void give_unseen(struct grt_audit *audit, struct audit_gpu *gpu, struct audit_task *task,
                        const struct grt_trace_record *record) {
    int64_t kind = task->spec->segments[task->segment].commands[0].kind;
    grt_time begun = due(audit, gpu),
             shows = begun + (kind == GRT_COMMAND_KERNEL ? gpu->device->kernel_launch : 0);
    audit_check(audit, AUDIT_ONE_SEGMENT, begun < record->time, record,
                "was submitted before the segment before had left the GPU");
    audit_check(audit, AUDIT_GPU_IDLE,
                begun >= task->since && (shows >= record->time || grt_command_is_call(kind)), record,
                "was submitted later than the GPU was free");
    give(audit, gpu, task, begun, record);
}

/* A request is taken back. It should have been given the GPU, or whoever has it now. */
static void withdraw(struct grt_audit *audit, struct audit_gpu *gpu, struct audit_task *task, grt_time now) {
    grt_time could = later(gpu->free_from, task->since);
    stop_waiting(audit, gpu, task);
    if (gpu->occupant != AUDIT_NONE || could >= now) {
        return;
    }
    gpu->idle_since = could < gpu->idle_since ? could : gpu->idle_since;
    if (!task->withdrawn) {
        task->withdrawn = true;
        task->withdrawn_since = task->since;
        task->withdrawn_until = now;
        task->withdrawn_key = key_of(audit, task);
        task->withdrawn_tie = task->tie;
        gpu->gone[gpu->gone_count++] = task->number;
    }
}

void audit_order_end(struct grt_audit *audit, struct audit_task *task,
                     const struct grt_trace_record *record) {
    struct audit_gpu *gpu = &audit->gpus[task->spec->gpu];
    bool open = (record->flags & GRT_TRACE_OPEN) != 0;
    if (is_waiting(task) && record->row == GRT_TRACE_NO_ROW) {
        audit_check(audit, AUDIT_ONE_SEGMENT, open || (record->flags & GRT_TRACE_ABORTED), record,
                    "ends without having been submitted");
        if (!open) {
            withdraw(audit, gpu, task, record->time);
        }
        return;
    }
    if (is_waiting(task)) { /* it was submitted, but nothing of it was executed */
        give_unseen(audit, gpu, task, record);
    }
    if (!open) {
        gpu->occupant = gpu->occupant == task->number ? AUDIT_NONE : gpu->occupant;
        gpu->free_from = record->time;
    }
}

void audit_order_finish(struct grt_audit *audit) {
    for (uint32_t i = 0; i < audit->scenario->gpu_count; i++) {
        const struct audit_gpu *gpu = &audit->gpus[i];
        if (gpu->occupant == AUDIT_NONE && (gpu->waiting_count > 0 || gpu->idle_since != GRT_TIME_NEVER)) {
            audit->checked[AUDIT_GPU_IDLE]++;
            if (due(audit, gpu) < audit->promise.end) {
                uint32_t task = gpu->waiting_count > 0 ? gpu->waiting[0] : gpu->gone[0];
                audit_find(audit, AUDIT_GPU_IDLE, due(audit, gpu), task, 0,
                           "waits for an idle GPU at the end of the run");
            }
        }
    }
}
