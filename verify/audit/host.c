/* What threads of jobs do for GPU segments: they ask, execute the host parts, wait for the device, and end the segment.
 *
 * A phase begins at an instant that is known: with the request where segments are submitted at once, with the lock where there is one, when the commands
 * have been called, when the last one ends. Where it is not, or a part may take no time at all, the thread is of those of which the cores know
 * nothing until a slice shows them. */
#include "verify/audit/cores.h"

static const struct grt_segment *segment_of(const struct audit_task *task) {
    return &task->spec->segments[task->segment];
}

static grt_time least_of(const struct grt_distribution *time) {
    return time->kind == GRT_CONSTANT ? time->max : time->min;
}

static bool may_be_nothing(const struct grt_distribution *time) {
    return time->max > 0 && least_of(time) == 0;
}

static bool ends_with_call(const struct grt_segment *segment) {
    return segment->command_count == 0 ||
           grt_command_is_call(segment->commands[segment->command_count - 1].kind);
}

/* Whether the thread of the task's job has something to do in a GPU segment. */
static bool takes_part(const struct grt_audit *audit, const struct grt_segment *segment) {
    return audit->host == AUDIT_HOST_BY_THREAD ||
           (audit->host == AUDIT_HOST_BY_JOB && grt_segment_has_host_parts(segment));
}

bool audit_host_takes_part(const struct grt_audit *audit, const struct grt_segment *segment) {
    return audit->host == AUDIT_HOST_BY_POLICY || takes_part(audit, segment);
}

bool audit_host_may_be_unsure(const struct grt_audit *audit, const struct grt_task *spec) {
    bool unknown = audit->host == AUDIT_HOST_BY_JOB && audit->promise.policy.gpu != GRT_PROMISE_AT_ONCE;
    for (size_t i = 0; i < spec->segment_count; i++) {
        const struct grt_segment *segment = &spec->segments[i];
        if (segment->kind == GRT_SEGMENT_GPU && takes_part(audit, segment) &&
            (unknown || ends_with_call(segment) || may_be_nothing(&segment->host_part[GRT_HOST_BEFORE]) ||
             may_be_nothing(&segment->host_part[GRT_HOST_AFTER]))) {
            return true;
        }
    }
    return false;
}

/* ---- asking ---- */

void audit_host_begin(struct grt_audit *audit, struct audit_task *task, grt_time now) {
    struct audit_thread *thread = &audit->threads[task->number];
    bool dispatched = task->dispatched == now;
    task->dispatched = AUDIT_UNKNOWN;
    task->phase = AUDIT_NO_PHASE;
    if (audit->host != AUDIT_HOST_BY_JOB && !dispatched) {
        task->phase = AUDIT_ASKS;
        thread->tie = task->tie;
        audit_thread_ready(audit, thread, true, now);
    }
}

/* What takes no time is done now: its thread has its core, and had to have it no earlier. */
static void check_point(struct grt_audit *audit, const struct audit_thread *thread,
                        const struct grt_trace_record *record) {
    struct audit_core *core = &audit->cores[thread->core];
    bool costs =
        thread->overhead > 0 || (core->last != thread->number && audit->scenario->context_switch > 0);
    audit_check(audit, AUDIT_DISPATCHED, audit_is_first(audit, thread, record->time) && !costs, record,
                "goes on although its thread does not have its core");
    audit_check(audit, AUDIT_CPU_IDLE, thread->due >= record->time, record,
                "has its core later than it could");
    core->point_at = record->time;
}

bool audit_host_asks(struct grt_audit *audit, struct audit_task *task,
                     const struct grt_trace_record *record) {
    struct audit_thread *thread = &audit->threads[task->number];
    if (audit->host != AUDIT_HOST_BY_JOB) {
        audit_check(audit, AUDIT_DISPATCHED, thread->priority == task->spec->priority, record,
                    "asks for the GPU at another priority than its task's");
    }
    if (task->phase != AUDIT_ASKS) {
        return task->since == record->time;
    }
    check_point(audit, thread, record);
    audit_thread_leave(audit, thread, record->time);
    return true;
}

void audit_host_requested(struct grt_audit *audit, struct audit_task *task) {
    struct audit_thread *thread = &audit->threads[task->number];
    task->phase = AUDIT_NO_PHASE;
    task->called = task->host_end = AUDIT_UNKNOWN;
    task->device_done = task->guessed = false;
    task->waited = 0;
    if (takes_part(audit, segment_of(task))) {
        task->phase = AUDIT_WAITS;
        audit_thread_unsure(audit, thread, audit->host == AUDIT_HOST_BY_JOB);
    }
}

/* ---- the way through the segment ---- */

/* The thread has something to do from now on, which may be nothing. */
static void begin_part(struct grt_audit *audit, struct audit_task *task, enum audit_phase phase,
                       const struct grt_distribution *time, grt_time now) {
    struct audit_thread *thread = &audit->threads[task->number];
    task->phase = phase;
    task->computed = 0;
    thread->tie = task->tie;
    if (may_be_nothing(time)) {
        audit_thread_unsure(audit, thread, true);
    } else {
        audit_thread_ready(audit, thread, time->max == 0, now);
    }
}

static bool spins(const struct grt_audit *audit) {
    return audit->host == AUDIT_HOST_BY_THREAD && audit->promise.lock != NULL && audit->promise.lock->spins;
}

static void wait_for_device(struct grt_audit *audit, struct audit_task *task, grt_time now) {
    task->phase = AUDIT_ON_DEVICE;
    if (spins(audit)) {
        task->phase = AUDIT_SPINS;
        audit_thread_ready(audit, &audit->threads[task->number], false, now);
    }
}

static void call(struct grt_audit *audit, struct audit_task *task, grt_time now) {
    const struct grt_segment *segment = segment_of(task);
    task->called = now;
    if (segment->host_mode == GRT_HOST_ASYNCHRONOUS && segment->host_part[GRT_HOST_AFTER].max > 0) {
        begin_part(audit, task, AUDIT_BESIDE, &segment->host_part[GRT_HOST_AFTER], now);
    } else {
        wait_for_device(audit, task, now);
    }
}

void audit_host_submitted(struct grt_audit *audit, struct audit_task *task, grt_time now) {
    const struct grt_distribution *before = &segment_of(task)->host_part[GRT_HOST_BEFORE];
    if (task->phase != AUDIT_WAITS) {
        return;
    }
    audit_thread_unsure(audit, &audit->threads[task->number], false);
    if (audit->host == AUDIT_HOST_BY_THREAD || before->max > 0) {
        begin_part(audit, task, AUDIT_BEFORE, before, now);
    } else {
        call(audit, task, now);
    }
}

void audit_host_dispatched(struct grt_audit *audit, struct audit_thread *thread, bool certain, grt_time now) {
    struct audit_task *task = &audit->tasks[thread->number];
    if (task->phase != AUDIT_BEFORE) {
        return; /* a record has to show it */
    }
    audit_thread_leave(audit, thread, now);
    if (certain) {
        call(audit, task, now);
    } else {
        audit_thread_unsure(audit, thread, true);
    }
}

void audit_host_device_done(struct grt_audit *audit, struct audit_task *task, grt_time now) {
    const struct grt_segment *segment = segment_of(task);
    const struct grt_distribution *after = &segment->host_part[GRT_HOST_AFTER];
    struct audit_thread *thread = &audit->threads[task->number];
    static const struct grt_distribution nothing = {.kind = GRT_CONSTANT};
    bool beside = segment->host_mode == GRT_HOST_ASYNCHRONOUS;
    task->device_done = true;
    task->waited = task->phase == AUDIT_SPINS ? now - thread->since : 0;
    if (task->phase == AUDIT_NO_PHASE || task->phase == AUDIT_BESIDE || task->phase == AUDIT_EITHER ||
        (beside && thread->unsure && after->max > 0)) {
        return;
    }
    if (task->beside_end == now) { /* its thread has had its core until now */
        audit_thread_leave(audit, thread, now);
        task->host_end = now;
        task->phase = AUDIT_NO_PHASE;
        return;
    }
    if (task->phase == AUDIT_SPINS || (thread->unsure && spins(audit))) {
        grt_time owed = thread->overhead; /* of costs that it has not executed */
        task->spun = now;
        audit_thread_aborted(audit, thread, now);
        thread->overhead = owed;
    }
    after = beside ? &nothing : after;
    if (audit->host == AUDIT_HOST_BY_THREAD || after->max > 0) {
        begin_part(audit, task, AUDIT_BEHIND, after, now);
        if (ends_with_call(segment)) { /* it may come a ns later */
            audit_thread_leave(audit, thread, now);
            audit_thread_unsure(audit, thread, true);
        }
    } else {
        task->host_end = now;
        task->phase = AUDIT_NO_PHASE;
    }
}

/* A part is done. */
static void end_part(struct grt_audit *audit, struct audit_task *task, grt_time now) {
    audit_thread_leave(audit, &audit->threads[task->number], now);
    if (task->phase == AUDIT_BEFORE) {
        call(audit, task, now);
    } else if (task->phase == AUDIT_BESIDE && !task->device_done) {
        task->beside_end = now;
        wait_for_device(audit, task, now);
    } else {
        task->host_end = now;
        task->phase = AUDIT_NO_PHASE;
    }
}

/* Which part a thread executes of which nothing was known. */
static enum audit_phase shown_by(const struct audit_task *task) {
    const struct grt_segment *segment = segment_of(task);
    const struct grt_distribution *before = &segment->host_part[GRT_HOST_BEFORE];
    bool beside = segment->host_mode == GRT_HOST_ASYNCHRONOUS;
    bool first = before->max > 0 && task->called == AUDIT_UNKNOWN && task->command == 0 && !task->device_done;
    if (task->phase == AUDIT_EITHER || (first && beside && may_be_nothing(before))) {
        return AUDIT_EITHER;
    }
    if (task->phase == AUDIT_BEFORE && !first) {
        return beside ? AUDIT_BESIDE : AUDIT_BEHIND;
    }
    if (task->phase == AUDIT_WAITS || task->phase == AUDIT_ON_DEVICE || task->phase == AUDIT_SPINS) {
        return first ? AUDIT_BEFORE : beside ? AUDIT_BESIDE : AUDIT_BEHIND;
    }
    return task->phase;
}

bool audit_host_computes(struct grt_audit *audit, struct audit_task *task,
                         const struct grt_trace_record *record) {
    struct audit_thread *thread = &audit->threads[task->number];
    if (record->flags & GRT_TRACE_SPIN) {
        return task->phase == AUDIT_SPINS || task->spun == record->time || (thread->unsure && spins(audit));
    }
    if (record->flags & GRT_TRACE_OVERHEAD) {
        return thread->ready_at != AUDIT_NONE || thread->unsure;
    }
    if (thread->unsure) {
        task->guessed = true;
        task->computed = task->phase == shown_by(task) ? task->computed : 0;
        task->phase = shown_by(task);
    }
    return task->phase >= AUDIT_BESIDE || task->phase == AUDIT_BEFORE;
}

struct grt_distribution audit_host_part(const struct audit_task *task) {
    const struct grt_distribution *parts = segment_of(task)->host_part;
    if (task->phase == AUDIT_EITHER) {
        return (struct grt_distribution){.kind = GRT_UNIFORM, .max = parts[0].max + parts[1].max};
    }
    return parts[task->phase == AUDIT_BEFORE ? GRT_HOST_BEFORE : GRT_HOST_AFTER];
}

void audit_host_computed(struct grt_audit *audit, struct audit_task *task,
                         const struct grt_trace_record *record) {
    if (record->flags == 0 && task->phase != AUDIT_EITHER) {
        end_part(audit, task, record->time);
    }
}

/* ---- the end of the segment ---- */

bool audit_host_ends(struct grt_audit *audit, struct audit_task *task,
                     const struct grt_trace_record *record) {
    struct audit_thread *thread = &audit->threads[task->number];
    bool unsure = thread->unsure;
    if (unsure) {
        if (audit->host == AUDIT_HOST_BY_THREAD && thread->core != AUDIT_NONE) { /* it had its core */
            audit->cores[thread->core].point_at = record->time;
        }
        audit_thread_leave(audit, thread, record->time);
        thread->vague = audit->host == AUDIT_HOST_BY_JOB; /* it may have had nothing to do for long */
    }
    if (!takes_part(audit, segment_of(task))) {
        return audit->host == AUDIT_HOST_BY_POLICY && record->time >= task->command_free;
    }
    if (task->phase == AUDIT_BEHIND && !unsure) { /* it takes no time */
        const struct audit_core *core = &audit->cores[thread->core];
        bool sees = task->spun == record->time && core->last == thread->number &&
                    core->free_from == record->time && thread->overhead <= 0;
        if (!sees) { /* it was not busy-waiting on its core when the device was done */
            check_point(audit, thread, record);
        }
        audit_thread_leave(audit, thread, record->time);
        task->phase = AUDIT_NO_PHASE;
        return thread->point;
    }
    task->phase = AUDIT_NO_PHASE;
    return unsure ? record->time >= task->command_free : task->host_end == record->time;
}

void audit_host_aborted(struct grt_audit *audit, struct audit_task *task, uint64_t job, grt_time now) {
    struct audit_thread *thread = &audit->threads[task->number];
    if (thread->ready_at != AUDIT_NONE || thread->unsure) {
        task->computed = thread->unsure && task->phase != shown_by(task) ? 0 : task->computed;
        task->phase = thread->unsure ? shown_by(task) : task->phase;
        bool unsure = thread->unsure, unsubmitted = task->state == AUDIT_ON_GPU && task->since == now;
        audit_cpu_aborted(audit, task, job, now);
        thread->vague = unsure || (unsubmitted && thread->gone_vague);
        thread->idle_from = unsubmitted ? thread->idle_before : now;
    }
    task->phase = AUDIT_NO_PHASE;
}
