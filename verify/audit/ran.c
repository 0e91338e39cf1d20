/* Slices on cores against what was expected: who had to run, since when, and what switches and wake-ups cost. */
#include "verify/audit/cores.h"

static void find_first(struct grt_audit *audit, grt_time time, const struct audit_thread *waiter,
                       const struct grt_trace_record *record) {
    uint32_t task = audit_task_of(audit, waiter->number);
    audit_find(audit, AUDIT_CPU_URGENT, time, record->task, record->job,
               "runs while \"%s\" is ready, which goes first",
               task == AUDIT_NONE ? "a thread of the policy" : audit->scenario->tasks[task].name);
}

/* The thread that was expected on the core since some instant was not there. */
static void check_expected(struct grt_audit *audit, const struct audit_core *core,
                           const struct audit_thread *thread, grt_time ready,
                           const struct grt_trace_record *record) {
    const struct audit_thread *expected = core->running == AUDIT_NONE ? NULL : &audit->threads[core->running];
    audit->checked[AUDIT_CPU_URGENT]++;
    if (expected == NULL) {
        return;
    }
    bool shuffled = audit->scenario->ties == GRT_TIES_SHUFFLE;
    /* what comes of somebody's doing nothing at an instant comes after the rest of that */
    bool behind = audit->host != AUDIT_HOST_BY_JOB && expected->since == core->since;
    bool equal = thread->due == AUDIT_MAYBE ||
                 (expected->priority == thread->priority && (shuffled || behind) && ready <= core->since);
    if (expected != thread && !equal && core->since < record->time) {
        find_first(audit, core->since > record->other ? core->since : record->other, expected, record);
    }
    audit_check(audit, AUDIT_CPU_IDLE, record->other <= core->since || (expected != thread && !equal), record,
                "begins later than the core could have begun");
}

/* Nobody more urgent was ready while a thread ran of which it was not known that it was. */
static void check_unexpected(struct grt_audit *audit, const struct audit_core *core,
                             const struct audit_thread *thread, const struct grt_trace_record *record) {
    audit->checked[AUDIT_CPU_URGENT]++;
    for (uint32_t i = 0; i < core->ready_count; i++) {
        const struct audit_thread *other = &audit->threads[core->ready[i]];
        if (other != thread && !other->unsure && other->priority > thread->priority &&
            other->since < record->time && other->due == GRT_TIME_NEVER) {
            find_first(audit, record->time, other, record);
        }
    }
}

/* What was expected of the time of an unexpected slice is taken back. */
static void take_back(struct grt_audit *audit, struct audit_core *core,
                      const struct grt_trace_record *record) {
    for (uint32_t i = 0; i < core->ready_count; i++) {
        struct audit_thread *other = &audit->threads[core->ready[i]];
        other->due = other->due >= record->other && !other->unsure ? GRT_TIME_NEVER : other->due;
    }
    core->running = AUDIT_NONE;
}

/* Somebody was cut off, or was to be aborted while it ran: that has to fit to what comes next. */
static void check_before(struct grt_audit *audit, struct audit_core *core, const struct audit_thread *thread,
                         const struct grt_trace_record *record, bool unexpected) {
    if (core->cut != AUDIT_NONE) {
        bool good = core->cut != thread->number && unexpected && record->other == core->cut_at;
        audit_check(audit, AUDIT_CPU_URGENT, good, record, "follows a thread that is cut off for nobody");
        core->cut = AUDIT_NONE;
    }
    if (core->claimed != GRT_TIME_NEVER) {
        audit_check(audit, AUDIT_CPU_IDLE, record->other <= core->claimed, record,
                    "begins later than the core could have begun");
        core->claimed = GRT_TIME_NEVER;
    }
    if (core->owed != AUDIT_NONE) {
        audit_check(audit, AUDIT_CPU_IDLE, core->owed == thread->number && core->owed_since == record->other,
                    record, "begins later than the core could have begun");
        core->owed = AUDIT_NONE;
    }
}

/* The costs of a slice's thread: what it still has to execute of them, after this slice. */
static void check_costs(struct grt_audit *audit, struct audit_core *core, struct audit_thread *thread,
                        bool unsure, const struct grt_trace_record *record) {
    grt_time length = record->time - record->other;
    bool overhead = (record->flags & GRT_TRACE_OVERHEAD) != 0;
    bool cut = (record->flags & (GRT_TRACE_PREEMPTED | GRT_TRACE_ABORTED | GRT_TRACE_OPEN)) != 0;
    if (core->last != thread->number) {
        thread->overhead += audit->scenario->context_switch;
        core->last = thread->number;
    }
    if (unsure) { /* whether it had been idle is not known */
        thread->vague &= overhead && cut;
        grt_time most =
            thread->overhead + audit->scenario->wake_up + thread->hidden * audit->scenario->context_switch;
        bool switched = audit->host != AUDIT_HOST_BY_JOB && audit->scenario->context_switch > 0;
        audit_check(audit, AUDIT_CPU_COSTS,
                    overhead ? length <= most || switched : thread->overhead <= 0 || cut, record,
                    "has other costs than a switch and a wake-up");
        thread->overhead = overhead && cut && thread->overhead > length ? thread->overhead - length : 0;
        return;
    }
    grt_time most = thread->overhead + thread->hidden * audit->scenario->context_switch;
    bool whole =
        length == thread->overhead || (length > thread->overhead && length <= most &&
                                       (length - thread->overhead) % audit->scenario->context_switch == 0);
    bool good = overhead ? (cut ? length <= most : whole) : thread->overhead <= 0 || (length == 0 && cut);
    audit_check(audit, AUDIT_CPU_COSTS, good, record, "has other costs than its switches and wake-ups");
    if (overhead && cut) {
        thread->overhead -= length; /* below zero: of what nothing showed */
        if ((record->flags & GRT_TRACE_ABORTED) && audit_task_of(audit, thread->number) != AUDIT_NONE) {
            thread->overhead = thread->hidden = 0; /* a policy's thread goes on with other work */
        }
    } else if (overhead || length > 0) {
        thread->overhead = thread->hidden = 0;
    }
}

/* The same for whoever it is: the costs of what has ended were those of before. */
static void check_costs_of(struct grt_audit *audit, struct audit_core *core, struct audit_thread *thread,
                           bool gone, bool unexpected, const struct grt_trace_record *record) {
    if (!audit->has_costs) {
        core->last = thread->number;
        audit_check(audit, AUDIT_CPU_COSTS, (record->flags & GRT_TRACE_OVERHEAD) == 0, record,
                    "has costs on a core that has none");
        return;
    }
    bool server = audit->promise.policy.gpu == GRT_PROMISE_SERVER && audit->promise.threads == 1 &&
                  audit_task_of(audit, thread->number) == AUDIT_NONE;
    if (server) { /* nobody delays it: it became ready when it was seen, unless it went on */
        thread->overhead += record->other != thread->idle_from ? audit->scenario->wake_up : 0;
        thread->idle_from = record->time;
        thread->hidden +=
            audit->scenario->context_switch > 0; /* somebody may have had its core before it went on */
        check_costs(audit, core, thread, false, record);
        return;
    }
    bool stays_owed = gone && audit_task_of(audit, thread->number) != AUDIT_NONE &&
                      audit->tasks[thread->number].spun == record->time;
    if (stays_owed && (record->flags & GRT_TRACE_OVERHEAD)) {
        struct grt_trace_record part = *record; /* cut short by the device */
        part.flags |= GRT_TRACE_PREEMPTED;
        check_costs(audit, core, thread, unexpected, &part);
        return;
    }
    grt_time of_next = thread->overhead;
    thread->overhead = gone ? thread->gone_overhead : of_next;
    check_costs(audit, core, thread, unexpected || (gone ? thread->gone_vague : thread->vague), record);
    thread->overhead = gone ? of_next : thread->overhead;
}

void audit_core_slice(struct grt_audit *audit, struct audit_thread *thread, bool gone,
                      const struct grt_trace_record *record) {
    struct audit_core *core = &audit->cores[record->row];
    bool unexpected =
        (gone ? thread->gone_unsure : thread->unsure) || audit_task_of(audit, thread->number) == AUDIT_NONE;
    audit_check(audit, AUDIT_ONE_THREAD, record->other >= core->free_from, record,
                "begins before the slice before it on this core has ended");
    if (record->row == thread->core && record->time > record->other) {
        check_before(audit, core, thread, record, unexpected);
        if (unexpected) {
            check_unexpected(audit, core, thread, record);
        } else if (gone && core->running == AUDIT_NONE) {
            grt_time due = core->free_from > thread->gone_since ? core->free_from : thread->gone_since;
            audit_check(audit, AUDIT_CPU_IDLE, record->other <= due, record,
                        "begins later than the core could have begun");
        } else {
            check_expected(audit, core, thread, gone ? thread->gone_since : thread->since, record);
        }
    }
    check_costs_of(audit, core, thread, gone, unexpected, record);
    if (unexpected) {
        take_back(audit, core, record);
    }
    core->free_from = record->time > core->free_from ? record->time : core->free_from;
    core->since = core->free_from;
    core->doubtful = false;
    core->running = AUDIT_NONE;
    bool goes_on =
        !unexpected && !gone; /* unless it leaves or somebody is more urgent; alone, its next job does */
    if (thread->ready_at != AUDIT_NONE && (goes_on || core->alone)) {
        core->running = thread->number;
    }
    if (record->flags & GRT_TRACE_PREEMPTED) {
        /* perhaps for a thread of the policy's that needed no time, of which nothing shows */
        bool shows = core->unsure_count == 0 && !unexpected &&
                     (audit->promise.threads == 0 || audit->scenario->context_switch > 0);
        core->cut = shows && !core->alone ? thread->number : AUDIT_NONE;
        audit_check(audit, AUDIT_CPU_URGENT, !core->alone, record, "is cut off for nobody more urgent");
        core->cut_at = record->time;
    }
    if (record->flags == GRT_TRACE_OVERHEAD && thread->point && thread->ready_at != AUDIT_NONE && !gone) {
        thread->due = core->point_at = record->time; /* that was all that it needed its core for */
        audit_host_dispatched(audit, thread, true, record->time);
    }
    audit_core_touch(audit, record->row);
}

void audit_cores_finish(struct grt_audit *audit) {
    for (uint32_t i = 0; i < audit->core_count; i++) {
        const struct audit_core *core = &audit->cores[i];
        audit->checked[AUDIT_CPU_IDLE] += core->ready_count > 0;
        if (core->claimed < audit->promise.end) {
            audit_find(audit, AUDIT_CPU_IDLE, core->claimed, AUDIT_NONE, 0, "waited for an idle core");
        }
        if (core->owed != AUDIT_NONE) {
            audit_find(audit, AUDIT_CPU_IDLE, core->owed_since, audit_task_of(audit, core->owed), 0,
                       "waited for an idle core");
        }
        if (core->running != AUDIT_NONE && core->since < audit->promise.end) {
            audit_find(audit, AUDIT_CPU_IDLE, core->since, audit_task_of(audit, core->running), 0,
                       "waits for an idle core at the end of the run");
        }
    }
}
