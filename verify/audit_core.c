/* Cores: who has to run. The auditor knows of each thread when it became ready, and its priority: so at the end of every instant it knows who
 * runs from then on, and slices, which come when they end, are held against that.
 *
 * Of some threads it does not know when they became ready: those of policies, and those of jobs that do the host's part of a segment which was submitted
 * at an unknown instant. Where a core has such threads, it is expected that they have nothing to do, until a slice of theirs shows otherwise; what was
 * said of that time is then taken back. */
#include "verify/audit_internal.h"

/* Of the instant at which a thread had to be dispatched: it may have been any of several by now. */
#define MAYBE (GRT_TIME_NEVER - 1)

/* ---- threads ---- */

static bool uses_thread(const struct grt_audit *audit, const struct grt_task *spec) {
    bool gpu = false;
    for (size_t i = 0; i < spec->segment_count; i++) {
        gpu |= spec->segments[i].kind == GRT_SEGMENT_GPU;
    }
    return grt_task_uses_cpu(spec) || (gpu && audit->host != AUDIT_HOST_BY_JOB);
}

void audit_cores_create(struct grt_audit *audit) {
    const struct grt_scenario *scenario = audit->scenario;
    bool own = scenario->core_count == 0;
    uint32_t named = own ? (uint32_t)scenario->task_count : (uint32_t)scenario->core_count;
    audit->core_count = named + audit->promise.threads;
    audit->thread_count = (uint32_t)scenario->task_count + audit->promise.threads;
    audit->cores = grt_arena_array(&audit->arena, audit->core_count, sizeof *audit->cores);
    audit->threads = grt_arena_array(&audit->arena, audit->thread_count, sizeof *audit->threads);
    audit->touched = grt_arena_array(&audit->arena, audit->core_count, sizeof *audit->touched);
    uint32_t *threads = grt_arena_array(&audit->arena, audit->core_count, sizeof *threads);
    for (uint32_t i = 0; i < audit->thread_count; i++) {
        audit->threads[i] = (struct audit_thread){
            .number = i, .core = AUDIT_NONE, .ready_at = AUDIT_NONE, .idle_from = -1, .due = GRT_TIME_NEVER};
    }
    for (uint32_t i = 0; i < scenario->task_count; i++) {
        const struct grt_task *spec = &scenario->tasks[i];
        uint32_t core = own ? i : (uint32_t)spec->cpu;
        if (uses_thread(audit, spec) && core < named) {
            audit->threads[i].core = core;
            audit->threads[i].priority = spec->priority;
            audit->cores[core].has_unsure |= audit_host_may_be_unsure(audit, spec);
            threads[core]++;
        }
    }
    for (uint32_t i = 0; i < audit->core_count; i++) {
        struct audit_core *core = &audit->cores[i];
        core->running = core->last = core->cut = core->owed = AUDIT_NONE;
        core->point_at = core->cut_at = -1;
        core->has_unsure |= audit->promise.threads > 0;
        core->ready = grt_arena_array(&audit->arena, threads[i], sizeof *core->ready);
    }
}

static void touch(struct grt_audit *audit, uint32_t number) {
    struct audit_core *core = &audit->cores[number];
    if (!core->touched) {
        core->touched = true;
        audit->touched[audit->touched_count++] = number;
    }
}

void audit_thread_ready(struct grt_audit *audit, struct audit_thread *thread, bool point, grt_time now) {
    if (thread->core == AUDIT_NONE) {
        return;
    }
    if (thread->ready_at == AUDIT_NONE) {
        struct audit_core *core = &audit->cores[thread->core];
        thread->ready_at = core->ready_count;
        core->ready[core->ready_count++] = thread->number;
    }
    thread->overhead += thread->idle_from != now && !thread->vague ? audit->scenario->wake_up : 0;
    thread->idle_before = thread->idle_from;
    thread->since = now;
    thread->due = GRT_TIME_NEVER;
    thread->point = point;
    audit_thread_unsure(audit, thread, false);
    touch(audit, thread->core);
}

void audit_thread_unsure(struct grt_audit *audit, struct audit_thread *thread, bool unsure) {
    if (unsure != thread->unsure && thread->core != AUDIT_NONE) {
        audit->cores[thread->core].unsure_count += unsure ? 1 : UINT32_MAX;
        thread->unsure = unsure;
    }
}

void audit_thread_leave(struct grt_audit *audit, struct audit_thread *thread, grt_time now) {
    thread->idle_from = now;
    thread->gone_overhead = thread->overhead;
    thread->overhead = 0;
    thread->apart = false;
    thread->gone_unsure = thread->unsure;
    thread->gone_vague = thread->vague;
    thread->gone_since = thread->since;
    audit_thread_unsure(audit, thread, false);
    if (thread->ready_at == AUDIT_NONE) {
        return;
    }
    struct audit_core *core = &audit->cores[thread->core];
    uint32_t last = core->ready[--core->ready_count];
    core->ready[thread->ready_at] = last;
    audit->threads[last].ready_at = thread->ready_at;
    thread->ready_at = AUDIT_NONE;
    core->running = core->running == thread->number ? AUDIT_NONE : core->running;
    touch(audit, thread->core);
}

void audit_thread_priority(struct grt_audit *audit, struct audit_thread *thread, int64_t priority) {
    thread->priority = priority;
    if (thread->core != AUDIT_NONE) {
        touch(audit, thread->core);
    }
}

/* ---- who runs ---- */

/* Whether a ready thread goes before another one, which may have the core already. */
static bool goes_first(const struct audit_core *core, const struct audit_thread *thread,
                       const struct audit_thread *other) {
    if (thread->priority != other->priority) {
        return thread->priority > other->priority;
    }
    if (core->running == other->number || core->running == thread->number) {
        return core->running == thread->number;
    }
    return thread->tie != other->tie ? thread->tie < other->tie : thread->number < other->number;
}

static struct audit_thread *first_of(struct grt_audit *audit, const struct audit_core *core) {
    struct audit_thread *first = NULL;
    for (uint32_t i = 0; i < core->ready_count; i++) {
        struct audit_thread *thread = &audit->threads[core->ready[i]];
        if (thread->due == GRT_TIME_NEVER && (first == NULL || goes_first(core, thread, first))) {
            first = thread;
        }
    }
    return first;
}

/* Whether it would have nothing to do once it is dispatched. */
static bool takes_no_time(const struct grt_audit *audit, const struct audit_core *core,
                          const struct audit_thread *thread) {
    bool switches = core->last != thread->number && audit->scenario->context_switch > 0;
    return thread->point && thread->overhead <= 0 && !switches;
}

static bool has_equal(const struct grt_audit *audit, const struct audit_core *core,
                      const struct audit_thread *thread) {
    for (uint32_t i = 0; i < core->ready_count; i++) {
        const struct audit_thread *other = &audit->threads[core->ready[i]];
        if (other != thread && other->priority == thread->priority) {
            return true;
        }
    }
    return false;
}

/* Whether nobody else can have run in the place of a thread that was expected to. */
static bool is_certain(const struct grt_audit *audit, const struct audit_core *core,
                       const struct audit_thread *thread) {
    return !core->has_unsure && core->unsure_count == 0 && !core->doubtful &&
           (audit->scenario->ties != GRT_TIES_SHUFFLE || !has_equal(audit, core, thread));
}

/* Whether somebody became ready at this instant, too, who goes first or may. */
static bool has_rival(const struct grt_audit *audit, const struct audit_core *core,
                      const struct audit_thread *thread, grt_time now) {
    for (uint32_t i = 0; i < core->ready_count; i++) {
        const struct audit_thread *other = &audit->threads[core->ready[i]];
        if (other != thread && other->priority >= thread->priority &&
            (other->since == now || other->priority == thread->priority)) {
            return true;
        }
    }
    return false;
}

/* A thread that needs no time may have had its core before that. */
static void blur(struct grt_audit *audit, const struct audit_core *core, grt_time now) {
    for (uint32_t i = 0; i < core->ready_count; i++) {
        struct audit_thread *thread = &audit->threads[core->ready[i]];
        if (takes_no_time(audit, core, thread) && thread->since == now && thread->due == GRT_TIME_NEVER &&
            has_rival(audit, core, thread, now)) {
            thread->due = MAYBE;
            audit_host_dispatched(audit, thread, false, now);
        }
    }
}

/* Where what needs no time changes who is ready, a core may take up a thread and another one at the same instant: nothing shows of the first, but
 * the switch is owed. */
static void hide(struct grt_audit *audit, const struct audit_core *core, grt_time now) {
    if (core->free_from != now && core->running != AUDIT_NONE) {
        return;
    }
    uint32_t fresh = 0;
    for (uint32_t i = 0; i < core->ready_count; i++) {
        fresh += audit->threads[core->ready[i]].since == now;
    }
    for (uint32_t i = 0; i < core->ready_count; i++) {
        struct audit_thread *thread = &audit->threads[core->ready[i]];
        bool passed = thread->apart ? core->ready_count > 1 : thread->idle_before != now && fresh > 1;
        thread->hidden += thread->number != core->last || (thread->since == now && passed);
    }
}

static void settle(struct grt_audit *audit, struct audit_core *core, grt_time now) {
    for (uint32_t i = 0; i < core->ready_count; i++) {
        struct audit_thread *thread = &audit->threads[core->ready[i]];
        thread->due = thread->due == MAYBE ? GRT_TIME_NEVER : thread->due;
    }
    if (core->cut_at == now) { /* it gave way, and has to queue again */
        core->running = AUDIT_NONE;
    }
    if (audit->host != AUDIT_HOST_BY_JOB) {
        blur(audit, core, now);
    }
    if (audit->host != AUDIT_HOST_BY_JOB && audit->scenario->context_switch > 0) {
        hide(audit, core, now);
    }
    struct audit_thread *first = first_of(audit, core);
    while (first != NULL && takes_no_time(audit, core, first)) {
        bool equal = (audit->scenario->ties == GRT_TIES_SHUFFLE && has_equal(audit, core, first)) ||
                     (first->vague && audit->scenario->wake_up > 0) || first->hidden > 0;
        bool known = !equal && core->unsure_count == 0 && audit->promise.threads == 0;
        bool shown = core->running == first->number && core->since == now; /* by its overhead */
        first->due = equal ? MAYBE : now;
        core->point_at = now;
        audit_host_dispatched(audit, first, known || shown, now);
        first = first_of(audit, core);
    }
    uint32_t number = first == NULL ? AUDIT_NONE : first->number;
    core->doubtful |=
        first != NULL && audit->scenario->ties == GRT_TIES_SHUFFLE && has_equal(audit, core, first);
    bool again = core->cut != AUDIT_NONE && core->point_at != now && first != NULL &&
                 first->priority <= audit->threads[core->cut].priority;
    bool unseen = core->running != AUDIT_NONE && core->since < now &&
                  is_certain(audit, core, &audit->threads[core->running]);
    if (number != core->running && unseen) { /* it was cut off, or has to be */
        core->owed = core->running;
        core->owed_since = core->since;
    }
    if (number != core->running || again) {
        core->since = now;
    }
    core->running = number;
    if (again && !core->has_unsure && core->unsure_count == 0) {
        audit_find(audit, AUDIT_CPU_URGENT, now, audit_task_of(audit, core->cut), 0,
                   "is cut off for nobody more urgent");
    }
    core->cut = again && core->has_unsure ? core->cut : AUDIT_NONE;
}

void audit_cores_settle(struct grt_audit *audit) {
    uint32_t count = audit->touched_count;
    audit->touched_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct audit_core *core = &audit->cores[audit->touched[i]];
        core->touched = false;
        settle(audit, core, audit->now);
    }
}

bool audit_is_first(struct grt_audit *audit, const struct audit_thread *thread, grt_time now) {
    const struct audit_core *core = &audit->cores[thread->core];
    for (uint32_t i = 0; i < core->ready_count; i++) {
        const struct audit_thread *other = &audit->threads[core->ready[i]];
        bool counts = other != thread && other->since < now && !other->unsure &&
                      other->due == GRT_TIME_NEVER && (core->running != other->number || core->since < now);
        bool equal = other->priority == thread->priority && audit->scenario->ties == GRT_TIES_SHUFFLE;
        if (counts && !equal && goes_first(core, other, thread)) {
            return false;
        }
    }
    return true;
}

/* ---- slices ---- */

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
    bool equal = thread->due == MAYBE ||
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
    if (audit->scenario->context_switch == 0 && audit->scenario->wake_up == 0) {
        audit_check(audit, AUDIT_CPU_COSTS, !overhead, record, "has costs on a core that has none");
        return;
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
    } else if (overhead || length > 0) {
        thread->overhead = thread->hidden = 0;
    }
}

/* The same for whoever it is: the costs of what has ended were those of before. */
static void check_costs_of(struct grt_audit *audit, struct audit_core *core, struct audit_thread *thread,
                           bool gone, bool unexpected, const struct grt_trace_record *record) {
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
        } else if (!gone || core->running != AUDIT_NONE) {
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
    if (thread->ready_at != AUDIT_NONE && !unexpected && !gone) {
        core->running = thread->number; /* it goes on, unless it leaves or somebody is more urgent */
    }
    if (record->flags & GRT_TRACE_PREEMPTED) {
        /* perhaps for a thread of the policy's that needed no time, of which nothing shows */
        bool shows = core->unsure_count == 0 && !unexpected &&
                     (audit->promise.threads == 0 || audit->scenario->context_switch > 0);
        core->cut = shows ? thread->number : AUDIT_NONE;
        core->cut_at = record->time;
    }
    if (record->flags == GRT_TRACE_OVERHEAD && thread->point && thread->ready_at != AUDIT_NONE && !gone) {
        thread->due = core->point_at = record->time; /* that was all that it needed its core for */
        audit_host_dispatched(audit, thread, true, record->time);
    }
    touch(audit, record->row);
}

void audit_thread_aborted(struct grt_audit *audit, struct audit_thread *thread, grt_time now) {
    if (thread->core == AUDIT_NONE) {
        return;
    }
    struct audit_core *core = &audit->cores[thread->core];
    bool ran = core->running == thread->number && core->since < now && is_certain(audit, core, thread);
    if (ran) {
        core->owed = thread->number;
        core->owed_since = core->since;
    }
    audit_thread_leave(audit, thread, now);
}

void audit_cores_finish(struct grt_audit *audit) {
    for (uint32_t i = 0; i < audit->core_count; i++) {
        const struct audit_core *core = &audit->cores[i];
        audit->checked[AUDIT_CPU_IDLE] += core->ready_count > 0;
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
