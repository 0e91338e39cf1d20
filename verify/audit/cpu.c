/* Slices on cores: whose they are, and how long threads compute. Who runs when is in core.c. */
#include "verify/audit/cores.h"

static grt_time later(grt_time a, grt_time b) {
    return a > b ? a : b;
}

void audit_cpu_ready(struct grt_audit *audit, struct audit_task *task) {
    struct audit_thread *thread = &audit->threads[task->number];
    thread->tie = task->tie;
    task->dispatched = AUDIT_UNKNOWN;
    audit_thread_ready(audit, thread, false, task->since);
}

/* A job whose thread has something to do, or may have, is given up. If it was running, its slice comes next. */
void audit_cpu_aborted(struct grt_audit *audit, struct audit_task *task, uint64_t job, grt_time now) {
    struct audit_thread *thread = &audit->threads[task->number];
    task->gone = true;
    task->gone_job = job;
    task->gone_since = thread->unsure ? task->since : thread->since;
    task->gone_until = now;
    task->gone_segment = task->segment;
    task->gone_computed = task->computed;
    task->gone_time =
        task->state == AUDIT_COMPUTING ? task->spec->segments[task->segment].cpu_time : audit_host_part(task);
    audit_thread_aborted(audit, thread, now);
}

static bool is_slowed(const struct grt_audit *audit, const struct grt_segment *segment) {
    bool shared = false;
    for (size_t i = 0; i < audit->scenario->gpu_count; i++) {
        shared |= grt_device_shares_cpu_memory(&audit->scenario->gpus[i]);
    }
    return shared && segment->cpu_bandwidth > 0;
}

/* `whole`: the work is complete; else it has something left. `shortest`: what is drawn takes at least that. */
static void check_time(struct grt_audit *audit, const struct grt_distribution *time, grt_time shortest,
                       bool slowed, grt_time computed, bool whole, const struct grt_trace_record *record) {
    grt_time least = time->kind == GRT_CONSTANT ? time->max : time->min;
    bool enough = !whole || computed >= later(least, shortest);
    bool not_too_much = computed <= later(time->max, shortest) || slowed;
    audit_check(audit, AUDIT_CPU_TIME, enough && not_too_much, record,
                enough ? "computes longer than its segment can" : "computes less than its segment does");
}

/* The slice of a job that was just given up. */
static bool is_of_gone(const struct audit_task *task, const struct grt_trace_record *record) {
    return (record->flags & GRT_TRACE_ABORTED) && task->gone && (uint32_t)task->gone_job == record->job &&
           task->gone_until == record->time && task->gone_segment == record->detail;
}

/* Whether the record is of what the thread of the current job has to do. */
static bool is_of_current(struct grt_audit *audit, struct audit_task *task,
                          const struct grt_trace_record *record) {
    if (audit_current(task, record) == NULL || task->segment != record->detail ||
        (record->flags & GRT_TRACE_ABORTED)) {
        return false;
    }
    if (task->state == AUDIT_COMPUTING) {
        return (record->flags & GRT_TRACE_SPIN) == 0;
    }
    if (task->state == AUDIT_ASKING) { /* its thread is woken up to ask */
        return task->phase == AUDIT_ASKS && (record->flags & GRT_TRACE_OVERHEAD);
    }
    return task->state == AUDIT_ON_GPU && audit_host_computes(audit, task, record);
}

/* The thread has computed some of what the present segment, or part of one, is. */
static void compute(struct grt_audit *audit, struct audit_task *task, const struct grt_trace_record *record) {
    const struct grt_segment *segment = &task->spec->segments[task->segment];
    task->computed += record->time - record->other;
    if (task->state != AUDIT_COMPUTING) {
        const struct grt_distribution part = audit_host_part(task);
        check_time(audit, &part, 0, false, task->computed, record->flags == 0, record);
        audit_host_computed(audit, task, record);
        return;
    }
    check_time(audit, &segment->cpu_time, 1, is_slowed(audit, segment), task->computed, record->flags == 0,
               record);
    if (record->flags == 0) {
        struct audit_thread *thread = &audit->threads[task->number];
        audit_thread_leave(audit, thread, record->time);
        task->dispatched = thread->priority == task->spec->priority ? record->time : AUDIT_UNKNOWN;
        audit_advance(audit, task, record->time);
    }
}

void audit_cpu_slice(struct grt_audit *audit, const struct grt_trace_record *record) {
    struct audit_task *task = &audit->tasks[record->task];
    struct audit_thread *thread = &audit->threads[record->task];
    bool gone = is_of_gone(task, record), good = gone || is_of_current(audit, task, record);
    grt_time since = gone ? task->gone_since : thread->unsure ? task->since : thread->since;
    bool spun = (record->flags & (GRT_TRACE_SPIN | GRT_TRACE_OVERHEAD)) && task->spun == record->time &&
                record->other < record->time && !gone;
    audit_check(audit, AUDIT_SEGMENTS, good && (record->other >= since || spun), record,
                "computes in a segment that is not its present one");
    audit_check(audit, AUDIT_CORES, record->row == thread->core, record,
                "is on another core than its task's");
    if (record->row >= audit->core_count) {
        return;
    }
    audit_core_slice(audit, thread, gone || spun, record);
    if (audit->host != AUDIT_HOST_BY_JOB) {
        audit_families_slice(audit, task, record);
    }
    if (!good || (record->flags & (GRT_TRACE_SPIN | GRT_TRACE_OVERHEAD))) {
        return;
    }
    if (gone) {
        const struct grt_segment *segment = &task->spec->segments[task->gone_segment];
        check_time(audit, &task->gone_time, segment->kind == GRT_SEGMENT_CPU, is_slowed(audit, segment),
                   task->gone_computed + record->time - record->other, false, record);
    } else {
        compute(audit, task, record);
    }
}

/* A thread of the policy's own: its core is where it is first seen. */
void audit_thread_slice(struct grt_audit *audit, const struct grt_trace_record *record) {
    uint32_t number = (uint32_t)audit->scenario->task_count + (record->detail & 0xffff);
    bool known = number < audit->thread_count && record->row < audit->core_count;
    audit_check(audit, AUDIT_CORES, known, record, "is of a thread that the policy does not have");
    if (!known) {
        return;
    }
    struct audit_thread *thread = &audit->threads[number];
    thread->core = thread->core == AUDIT_NONE ? record->row : thread->core;
    thread->priority = INT64_MAX;
    audit_check(audit, AUDIT_CORES, record->row == thread->core, record,
                "is on another core than its thread's");
    audit_core_slice(audit, thread, false, record);
}

void audit_priority(struct grt_audit *audit, const struct grt_trace_record *record) {
    struct audit_task *task = &audit->tasks[record->task];
    bool boosted = record->other != task->spec->priority;
    bool known = audit->host == AUDIT_HOST_BY_THREAD && boosted == ((record->flags & GRT_TRACE_BOOSTED) != 0);
    audit_check(audit, audit->host == AUDIT_HOST_BY_JOB ? AUDIT_CPU_URGENT : AUDIT_PRIORITIES, known, record,
                "has another priority than its task's, which nobody promised");
    audit_thread_priority(audit, &audit->threads[record->task], record->other);
    audit_families_priority(audit, task, record);
}
