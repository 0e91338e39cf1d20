/* Cores: one thread at a time, the most urgent one that is ready, and nobody waits beside an idle core.
 *
 * A slice comes when it ends. Whoever was ready at some time while it ran is then still in the core's list, or was aborted since the
 * last slice: two lists say all there is to know. */
#include "verify/audit_internal.h"

void audit_cpu_create(struct grt_audit *audit) {
    const struct grt_scenario *scenario = audit->scenario;
    bool own = scenario->core_count == 0;
    audit->core_count = own ? (uint32_t)scenario->task_count : (uint32_t)scenario->core_count;
    audit->cores = grt_arena_array(&audit->arena, audit->core_count, sizeof *audit->cores);
    uint32_t *threads = grt_arena_array(&audit->arena, audit->core_count, sizeof *threads);
    for (uint32_t i = 0; i < scenario->task_count; i++) {
        struct audit_task *task = &audit->tasks[i];
        uint32_t core = own ? i : (uint32_t)task->spec->cpu;
        bool good = grt_task_uses_cpu(task->spec) && core < audit->core_count;
        task->core = good ? core : AUDIT_NONE;
        task->ready_at = task->gone_at = AUDIT_NONE;
        if (good) {
            threads[core]++;
        }
    }
    for (uint32_t i = 0; i < audit->core_count; i++) {
        struct audit_core *core = &audit->cores[i];
        core->idle_since = GRT_TIME_NEVER;
        core->ready = grt_arena_array(&audit->arena, threads[i], sizeof *core->ready);
        core->gone = grt_arena_array(&audit->arena, threads[i], sizeof *core->gone);
    }
}

static grt_time later(grt_time a, grt_time b) {
    return a > b ? a : b;
}

void audit_cpu_ready(struct grt_audit *audit, struct audit_task *task) {
    if (task->core != AUDIT_NONE && task->ready_at == AUDIT_NONE) {
        struct audit_core *core = &audit->cores[task->core];
        task->ready_at = core->ready_count;
        core->ready[core->ready_count++] = task->number;
    }
}

static void leave_ready(struct grt_audit *audit, struct audit_task *task) {
    struct audit_core *core = &audit->cores[task->core];
    uint32_t last = core->ready[--core->ready_count];
    core->ready[task->ready_at] = last;
    audit->tasks[last].ready_at = task->ready_at;
    task->ready_at = AUDIT_NONE;
}

/* A job that computed, or was ready to, is given up. If it was running, its slice comes next. */
void audit_cpu_aborted(struct grt_audit *audit, struct audit_task *task, uint64_t job, grt_time now) {
    if (task->core == AUDIT_NONE || task->ready_at == AUDIT_NONE) {
        return;
    }
    struct audit_core *core = &audit->cores[task->core];
    grt_time from = later(core->free_from, task->since);
    leave_ready(audit, task);
    if (task->since == now) { /* it never was ready at the end of an instant */
        return;
    }
    if (from < now && from < core->idle_since) {
        core->idle_since = from;
    }
    if (task->gone_at == AUDIT_NONE) {
        task->gone_at = core->gone_count;
        core->gone[core->gone_count++] = task->number;
    }
    task->gone_job = job;
    task->gone_since = task->since;
    task->gone_until = now;
    task->gone_segment = task->segment;
    task->gone_computed = task->computed;
    task->gone_tie = task->tie;
}

/* ---- a slice ---- */

/* Whose slice it is: the current job's, or that of a job that was just given up. */
struct runner {
    const struct audit_task *task;
    grt_time since;
    uint64_t tie;
};

/* A thread that was ready from `since` until `until` while the slice ran. */
static void check_waiter(struct grt_audit *audit, const struct runner *runner,
                         const struct audit_task *waiter, grt_time since, grt_time until, uint64_t tie,
                         const struct grt_trace_record *record) {
    int64_t own = runner->task->spec->priority, other = waiter->spec->priority;
    grt_time start = record->other;
    if (until <= start) {
        return;
    }
    bool first = tie != runner->tie ? tie < runner->tie : waiter->number < runner->task->number;
    bool passed = other == own && since <= start && first && audit->scenario->ties != GRT_TIES_SHUFFLE;
    audit->checked[AUDIT_CPU_URGENT]++;
    if ((other > own && since < record->time) || passed) {
        audit_find(audit, AUDIT_CPU_URGENT, later(since, start), record->task, record->job,
                   "runs while \"%s\" is ready, which goes first", waiter->spec->name);
    }
}

static void check_waiters(struct grt_audit *audit, struct audit_core *core, const struct runner *runner,
                          const struct grt_trace_record *record) {
    bool preemptor = false;
    grt_time due = later(core->free_from, runner->since);
    due = due < core->idle_since ? due : core->idle_since;
    for (uint32_t i = 0; i < core->ready_count; i++) {
        const struct audit_task *waiter = &audit->tasks[core->ready[i]];
        if (waiter != runner->task) {
            grt_time ready = later(core->free_from, waiter->since);
            due = ready < due ? ready : due;
            preemptor |= waiter->spec->priority > runner->task->spec->priority;
            check_waiter(audit, runner, waiter, waiter->since, GRT_TIME_NEVER, waiter->tie, record);
        }
    }
    for (uint32_t i = 0; i < core->gone_count; i++) {
        struct audit_task *waiter = &audit->tasks[core->gone[i]];
        waiter->gone_at = AUDIT_NONE;
        if (waiter != runner->task) {
            check_waiter(audit, runner, waiter, waiter->gone_since, waiter->gone_until, waiter->gone_tie,
                         record);
        }
    }
    core->gone_count = 0;
    audit_check(audit, AUDIT_CPU_IDLE, record->other <= due, record,
                "begins later than the core could have begun");
    if (record->flags & GRT_TRACE_PREEMPTED) {
        audit_check(audit, AUDIT_CPU_URGENT, preemptor, record, "is cut off for nobody more urgent");
    }
}

static bool is_slowed(const struct grt_audit *audit, const struct grt_segment *segment) {
    bool shared = false;
    for (size_t i = 0; i < audit->scenario->gpu_count; i++) {
        shared |= grt_device_shares_cpu_memory(&audit->scenario->gpus[i]);
    }
    return shared && segment->cpu_bandwidth > 0;
}

/* `whole`: the segment is complete; else it has something left. */
static void check_time(struct grt_audit *audit, const struct audit_task *task, uint32_t number,
                       grt_time computed, bool whole, const struct grt_trace_record *record) {
    const struct grt_segment *segment = &task->spec->segments[number];
    const struct grt_distribution *time = &segment->cpu_time;
    grt_time least = time->kind == GRT_CONSTANT ? time->max : time->min;
    bool enough = !whole || computed >= later(least, 1);
    bool not_too_much = computed <= later(time->max, 1) || is_slowed(audit, segment);
    audit_check(audit, AUDIT_CPU_TIME, enough && not_too_much, record,
                enough ? "computes longer than its segment can" : "computes less than its segment does");
}

/* The slice of a job that was just given up. */
static bool is_of_gone(const struct audit_task *task, const struct grt_trace_record *record) {
    return (record->flags & GRT_TRACE_ABORTED) && task->gone_at != AUDIT_NONE &&
           (uint32_t)task->gone_job == record->job && task->gone_until == record->time &&
           task->gone_segment == record->detail;
}

void audit_cpu_slice(struct grt_audit *audit, const struct grt_trace_record *record) {
    struct audit_task *task = &audit->tasks[record->task];
    bool gone = is_of_gone(task, record);
    bool good = gone || (audit_current(task, record) != NULL && task->state == AUDIT_COMPUTING &&
                         task->segment == record->detail && !(record->flags & GRT_TRACE_ABORTED));
    struct runner runner = {task, gone ? task->gone_since : task->since, gone ? task->gone_tie : task->tie};
    audit_check(audit, AUDIT_SEGMENTS, good && record->other >= runner.since, record,
                "computes in a segment that is not its present one");
    audit_check(audit, AUDIT_CORES, record->row == task->core, record, "is on another core than its task's");
    if (record->row >= audit->core_count) {
        return;
    }
    struct audit_core *core = &audit->cores[record->row];
    audit_check(audit, AUDIT_ONE_THREAD, record->other >= core->free_from, record,
                "begins before the slice before it on this core has ended");
    if (good) {
        check_waiters(audit, core, &runner, record);
    }
    core->free_from = later(core->free_from, record->time);
    core->idle_since = GRT_TIME_NEVER;
    if (!good) {
        return;
    }
    grt_time length = record->time - record->other;
    if (gone) {
        check_time(audit, task, task->gone_segment, task->gone_computed + length, false, record);
        return;
    }
    task->computed += length;
    check_time(audit, task, task->segment, task->computed, record->flags == 0, record);
    if (record->flags == 0) {
        leave_ready(audit, task);
        audit_advance(audit, task, record->time);
    }
}

void audit_cpu_finish(struct grt_audit *audit) {
    for (uint32_t i = 0; i < audit->core_count; i++) {
        const struct audit_core *core = &audit->cores[i];
        audit->checked[AUDIT_CPU_IDLE] += core->ready_count > 0;
        if (core->gone_count > 0 && core->idle_since < audit->promise.end) {
            const struct audit_task *task = &audit->tasks[core->gone[0]];
            audit_find(audit, AUDIT_CPU_IDLE, core->idle_since, task->number, task->gone_job,
                       "waited for an idle core");
        }
        for (uint32_t j = 0; j < core->ready_count; j++) {
            const struct audit_task *task = &audit->tasks[core->ready[j]];
            if (later(core->free_from, task->since) < audit->promise.end && task->count > 0) {
                audit_find(audit, AUDIT_CPU_IDLE, later(core->free_from, task->since), task->number,
                           audit_job_at(task, 0)->number, "waits for an idle core at the end of the run");
            }
        }
    }
}
