/* Cores: who has to run. The auditor knows of each thread when it became ready, and its priority: so at the end of every instant it knows who
 * runs from then on, and slices, which come when they end, are held against that.
 *
 * Of some threads it does not know when they became ready: those of policies, and those of jobs that do the host's part of a segment which was submitted
 * at an unknown instant. Where a core has such threads, it is expected that they have nothing to do, until a slice of theirs shows otherwise; what was
 * said of that time is then taken back. */
#include "verify/audit/cores.h"

/* ---- threads ---- */

static bool uses_thread(const struct grt_audit *audit, const struct grt_task *spec) {
    return grt_task_uses_cpu(spec) || (audit->host != AUDIT_HOST_BY_JOB && grt_task_uses_gpu(spec));
}

void audit_cores_create(struct grt_audit *audit) {
    const struct grt_scenario *scenario = audit->scenario;
    bool own = scenario->core_count == 0;
    uint32_t named = own ? (uint32_t)scenario->task_count : (uint32_t)scenario->core_count;
    audit->core_count = named + audit->promise.threads;
    audit->has_costs = scenario->context_switch > 0 || scenario->wake_up > 0;
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
        core->claimed = GRT_TIME_NEVER;
        core->has_unsure |= audit->promise.threads > 0;
        core->ready = grt_arena_array(&audit->arena, threads[i], sizeof *core->ready);
        core->alone = threads[i] == 1 && !core->has_unsure && audit->host == AUDIT_HOST_BY_JOB;
    }
}

void audit_core_touch(struct grt_audit *audit, uint32_t number) {
    struct audit_core *core = &audit->cores[number];
    if (!core->touched && !core->alone) {
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
    if (audit->cores[thread->core].alone) {
        audit->cores[thread->core].running = thread->number;
        audit->cores[thread->core].since = now;
    }
    audit_core_touch(audit, thread->core);
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
    audit_core_touch(audit, thread->core);
}

void audit_thread_priority(struct grt_audit *audit, struct audit_thread *thread, int64_t priority) {
    thread->priority = priority;
    if (thread->core != AUDIT_NONE) {
        audit_core_touch(audit, thread->core);
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

/* Whether somebody became ready at this instant, too, who goes first or may; or, where a server may have let go on both at this instant, an equal before
 * it, who may have had the core first. */
static bool has_rival(const struct grt_audit *audit, const struct audit_core *core,
                      const struct audit_thread *thread, grt_time now) {
    bool served = audit->host == AUDIT_HOST_BY_POLICY;
    for (uint32_t i = 0; i < core->ready_count; i++) {
        const struct audit_thread *other = &audit->threads[core->ready[i]];
        bool before = served && other->priority == thread->priority && thread->since == now;
        if (other != thread && other->priority >= thread->priority && (other->since == now || before)) {
            return true;
        }
    }
    return false;
}

/* A thread that needs no time may have had its core before that. */
static void blur(struct grt_audit *audit, const struct audit_core *core, grt_time now) {
    bool is_free = core->running == AUDIT_NONE;
    bool any_of_equals = audit->scenario->ties == GRT_TIES_SHUFFLE && is_free;
    for (uint32_t i = 0; i < core->ready_count; i++) {
        struct audit_thread *thread = &audit->threads[core->ready[i]];
        if (takes_no_time(audit, core, thread) && thread->due == GRT_TIME_NEVER &&
            (((thread->since == now || is_free) && has_rival(audit, core, thread, now)) ||
             (any_of_equals && has_equal(audit, core, thread)))) {
            thread->due = AUDIT_MAYBE;
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

/* Those that need no time are dispatched as soon as they go first. */
static void dispatch_points(struct grt_audit *audit, struct audit_core *core, grt_time now) {
    for (uint32_t i = 0; i < core->ready_count; i++) {
        struct audit_thread *thread = &audit->threads[core->ready[i]];
        thread->due = thread->due == AUDIT_MAYBE ? GRT_TIME_NEVER : thread->due;
    }
    blur(audit, core, now);
    if (audit->scenario->context_switch > 0) {
        hide(audit, core, now);
    }
    struct audit_thread *first = first_of(audit, core);
    bool doubtful = core->unsure_count > 0;
    while (first != NULL && takes_no_time(audit, core, first)) {
        bool equal = (audit->scenario->ties == GRT_TIES_SHUFFLE && has_equal(audit, core, first)) ||
                     (first->vague && audit->scenario->wake_up > 0) || first->hidden > 0;
        bool known = !equal && core->unsure_count == 0 && audit->promise.threads == 0;
        bool shown = core->running == first->number && core->since == now; /* by its overhead */
        doubtful |= equal;                                                 /* of those behind it, too */
        first->due = doubtful ? AUDIT_MAYBE : now;
        core->point_at = now;
        audit_host_dispatched(audit, first, known || shown, now);
        first = first_of(audit, core);
    }
}

static void settle(struct grt_audit *audit, struct audit_core *core, grt_time now) {
    if (core->ready_count == 0) {
        core->cut = AUDIT_NONE;
        return;
    }
    if (core->cut_at == now) { /* it gave way, and has to queue again */
        core->running = AUDIT_NONE;
    }
    if (audit->host != AUDIT_HOST_BY_JOB) {
        dispatch_points(audit, core, now);
    }
    const struct audit_thread *first = first_of(audit, core);
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
        bool passes = takes_no_time(audit, core, other); /* and is done in this instant, too */
        if (counts && !equal && !passes && goes_first(core, other, thread)) {
            return false;
        }
    }
    return true;
}

void audit_thread_aborted(struct grt_audit *audit, struct audit_thread *thread, grt_time now) {
    if (thread->core == AUDIT_NONE) {
        return;
    }
    struct audit_core *core = &audit->cores[thread->core];
    bool ran = core->running == thread->number && core->since < now && is_certain(audit, core, thread);
    bool one_of_equals = !ran && core->running != AUDIT_NONE && core->since < now && !core->has_unsure &&
                         core->unsure_count == 0 &&
                         audit->threads[core->running].priority == thread->priority;
    if (ran) {
        core->owed = thread->number;
        core->owed_since = core->since;
    } else if (one_of_equals && core->since < core->claimed) {
        core->claimed = core->since;
    }
    audit_thread_leave(audit, thread, now);
}
