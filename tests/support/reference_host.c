#include "tests/support/reference_host.h"

#include <string.h>

enum { NOBODY = -1, MAX_THREADS = GRT_REFERENCE_HOST_TASKS + 1, FOREVER = 1 << 30 };

/* What a thread's work is for. */
enum work { IDLE, COMPUTE, ASK, BEFORE, BESIDE, WAIT, AFTER, SERVE_BEFORE, SERVE_AFTER };

struct thread {
    enum work work;
    int64_t left, owed, priority;
    int64_t idle_since; /* the instant its last work ended at */
    size_t core;
    /* the slice that is going on */
    bool open;
    enum grt_reference_host_kind kind;
    int64_t from;
};

enum place { NOWHERE, ON_CORE, ASKED, HAS_GPU };

struct job {
    enum place place;
    int64_t number, absolute_deadline;
    size_t segment;
    int64_t pending;    /* released and not begun */
    int64_t beside_end; /* when the part beside the commands last ended before they did */
};

struct state {
    const struct grt_reference_host_set *set;
    int64_t now;
    struct thread threads[MAX_THREADS]; /* of the tasks, then the server's */
    int running[GRT_REFERENCE_HOST_TASKS + 1], last[GRT_REFERENCE_HOST_TASKS + 1];
    struct job jobs[GRT_REFERENCE_HOST_TASKS];
    int64_t next_number[GRT_REFERENCE_HOST_TASKS];
    int64_t queue[GRT_REFERENCE_HOST_TASKS][64]; /* numbers of pending jobs */
    int holder;                                  /* task that has the GPU */
    bool draining;                               /* its job was given up */
    int64_t device_left;                         /* of the commands; 0: none are out */
    int64_t called_at;
    bool device_done, after_done, freed; /* of the holder */
    int64_t served_job;
    struct grt_reference_host_slice *slices;
    size_t count, capacity;
};

/* ---- slices ---- */

static void close_slice(struct state *s, size_t number) {
    struct thread *thread = &s->threads[number];
    bool server = number == s->set->task_count;
    if (thread->open && s->now > thread->from) {
        if (s->count < s->capacity) {
            s->slices[s->count] =
                (struct grt_reference_host_slice){.core = thread->core,
                                                  .task = number,
                                                  .job = server ? s->served_job : s->jobs[number].number,
                                                  .segment = server ? 0 : s->jobs[number].segment,
                                                  .kind = thread->kind,
                                                  .from = thread->from,
                                                  .to = s->now};
        }
        s->count++;
    }
    thread->open = false;
}

static void open_slice(struct state *s, size_t number) {
    struct thread *thread = &s->threads[number];
    thread->kind = thread->owed > 0       ? GRT_REFERENCE_OVERHEAD
                   : thread->work == WAIT ? GRT_REFERENCE_SPIN
                                          : GRT_REFERENCE_WORK;
    thread->from = s->now;
    thread->open = true;
}

/* ---- threads ---- */

static void give_work(struct state *s, size_t number, enum work work, int64_t amount) {
    struct thread *thread = &s->threads[number];
    thread->work = work;
    thread->left = amount;
    if (thread->idle_since != s->now) {
        thread->owed += s->set->wake_up;
    }
}

/* Its work is done, or taken away. */
static void become_idle(struct state *s, size_t number) {
    struct thread *thread = &s->threads[number];
    if (s->running[thread->core] == (int)number) {
        close_slice(s, number);
        s->running[thread->core] = NOBODY;
    }
    thread->work = IDLE;
    thread->idle_since = s->now;
}

static bool beats(const struct state *s, size_t a, size_t b) {
    return s->threads[a].priority != s->threads[b].priority ? s->threads[a].priority > s->threads[b].priority
                                                            : a < b;
}

/* Who of a core's threads goes on; who runs gives way to more urgent ones only. */
static void dispatch(struct state *s, size_t core) {
    int best = NOBODY, running = s->running[core];
    for (size_t i = 0; i <= s->set->task_count; i++) {
        const struct thread *thread = &s->threads[i];
        if (thread->work != IDLE && thread->core == core && (int)i != running &&
            (best == NOBODY || beats(s, i, (size_t)best))) {
            best = (int)i;
        }
    }
    if (best == NOBODY || (running != NOBODY && s->threads[best].priority <= s->threads[running].priority)) {
        return;
    }
    if (running != NOBODY) {
        close_slice(s, (size_t)running);
    }
    s->running[core] = best;
    if (s->last[core] != best) {
        s->threads[best].owed += s->set->context_switch;
    }
    s->last[core] = best;
    open_slice(s, (size_t)best);
}

/* ---- a job's way ---- */

static const struct grt_reference_host_segment *segment_of(const struct state *s, size_t task) {
    return &s->set->tasks[task].segments[s->jobs[task].segment];
}

static void begin_segment(struct state *s, size_t task, bool dispatched) {
    const struct grt_reference_host_segment *segment = segment_of(s, task);
    s->jobs[task].place = ON_CORE;
    if (!segment->gpu) {
        give_work(s, task, COMPUTE, segment->time);
    } else if (s->set->by == GRT_REFERENCE_BY_JOB || dispatched) {
        s->jobs[task].place = ASKED;
    } else {
        give_work(s, task, ASK, 0);
    }
}

static void next_job(struct state *s, size_t task) {
    struct job *job = &s->jobs[task];
    s->threads[task].priority = s->set->tasks[task].priority;
    job->place = NOWHERE;
    while (job->pending > 0 && job->place == NOWHERE) {
        const struct grt_reference_host_task *spec = &s->set->tasks[task];
        job->number = s->queue[task][0];
        memmove(s->queue[task], s->queue[task] + 1, (size_t)--job->pending * sizeof s->queue[task][0]);
        job->absolute_deadline = spec->offset + job->number * spec->period + spec->deadline;
        if (spec->aborts && job->absolute_deadline <= s->now) {
            continue; /* given up before it began */
        }
        job->segment = 0;
        begin_segment(s, task, false);
    }
}

static void next_segment(struct state *s, size_t task, bool dispatched) {
    struct job *job = &s->jobs[task];
    if (++job->segment < s->set->tasks[task].segment_count) {
        begin_segment(s, task, dispatched);
    } else {
        next_job(s, task);
    }
}

/* The holder's segment has ended: the GPU is free in the decision to come, which takes back the priority first. */
static void end_segment(struct state *s, size_t task) {
    s->freed = true;
    s->holder = NOBODY;
    next_segment(s, task, false);
}

/* ---- the holder ---- */

static void after_calling(struct state *s, size_t task) {
    const struct grt_reference_host_segment *segment = segment_of(s, task);
    s->device_left = segment->time;
    s->called_at = s->now;
    if (segment->asynchronous && segment->after > 0) {
        give_work(s, task, BESIDE, segment->after);
    } else if (s->set->by == GRT_REFERENCE_BY_THREAD && s->set->spins) {
        give_work(s, task, WAIT, FOREVER);
    }
}

static void grant(struct state *s, size_t task) {
    const struct grt_reference_host_segment *segment = segment_of(s, task);
    s->holder = (int)task;
    s->device_done = s->after_done = s->draining = false;
    if (s->set->by == GRT_REFERENCE_BY_SERVER) {
        s->served_job = s->jobs[task].number;
        give_work(s, s->set->task_count, SERVE_BEFORE, segment->before);
        return;
    }
    s->jobs[task].place = HAS_GPU;
    if (s->set->by == GRT_REFERENCE_BY_THREAD) {
        s->threads[task].priority = s->set->tasks[task].priority + s->set->boost;
    }
    if (s->set->by == GRT_REFERENCE_BY_THREAD || segment->before > 0) {
        give_work(s, task, BEFORE, segment->before);
    } else {
        after_calling(s, task);
    }
}

/* Whom it serves is gone; what it owes it still does. */
static void stop_server(struct state *s) {
    if (s->threads[s->set->task_count].work != IDLE) {
        become_idle(s, s->set->task_count);
    }
}

static void device_completed(struct state *s) {
    size_t task = (size_t)s->holder;
    const struct grt_reference_host_segment *segment = segment_of(s, task);
    s->device_done = true;
    if (s->draining) {
        stop_server(s);
        s->holder = NOBODY;
        next_job(s, task);
        return;
    }
    if (s->set->by == GRT_REFERENCE_BY_SERVER || s->threads[task].work == BESIDE) {
        return; /* the server decides; the second part goes on */
    }
    const struct thread *thread = &s->threads[task];
    bool waits = thread->work == WAIT && s->running[thread->core] == (int)task && thread->owed == 0;
    bool notices = waits || s->jobs[task].beside_end == s->now; /* it has had its core until now */
    if (thread->work == WAIT) {
        become_idle(s, task);
    }
    int64_t after = segment->asynchronous ? 0 : segment->after;
    if ((s->set->by == GRT_REFERENCE_BY_THREAD && !notices) || after > 0) {
        give_work(s, task, AFTER, after);
    } else {
        end_segment(s, task);
    }
}

/* ---- work that is done ---- */

static void work_done(struct state *s, size_t number) {
    enum work work = s->threads[number].work;
    become_idle(s, number);
    switch (work) {
    case COMPUTE:
        next_segment(s, number, s->threads[number].priority == s->set->tasks[number].priority);
        break;
    case ASK:
        s->jobs[number].place = ASKED;
        break;
    case BEFORE:
        after_calling(s, number);
        break;
    case BESIDE:
        s->jobs[number].beside_end = s->now;
        if (s->device_done) {
            end_segment(s, number);
        } else if (s->set->by == GRT_REFERENCE_BY_THREAD && s->set->spins) {
            give_work(s, number, WAIT, FOREVER);
        }
        break;
    case AFTER:
        end_segment(s, number);
        break;
    case SERVE_AFTER:
        s->after_done = true;
        break;
    default: /* SERVE_BEFORE: what follows is decided */
        break;
    }
}

/* ---- decisions ---- */

static void decide_server(struct state *s, bool before_done) {
    size_t task = (size_t)s->holder, server = s->set->task_count;
    const struct grt_reference_host_segment *segment = s->holder != NOBODY ? segment_of(s, task) : NULL;
    if (segment == NULL || s->threads[server].work != IDLE) {
        return;
    }
    if (before_done) {
        s->jobs[task].place = HAS_GPU;
        s->device_left = segment->time;
        s->called_at = s->now;
        if (segment->asynchronous) {
            give_work(s, server, SERVE_AFTER, segment->after);
        }
    } else if (s->device_done && s->after_done) {
        s->holder = NOBODY;
        next_segment(s, task, false);
    } else if (s->device_done) {
        give_work(s, server, SERVE_AFTER, segment->after);
    }
}

static void decide(struct state *s, bool before_done) {
    const struct grt_reference_host_set *set = s->set;
    if (s->freed) { /* of who is left alive the priority is its own again */
        for (size_t i = 0; i < set->task_count; i++) {
            s->threads[i].priority = s->holder == (int)i ? s->threads[i].priority : set->tasks[i].priority;
        }
        s->freed = false;
    }
    if (set->by == GRT_REFERENCE_BY_SERVER) {
        decide_server(s, before_done);
    }
    int best = NOBODY;
    for (size_t i = 0; i < set->task_count && s->holder == NOBODY; i++) {
        if (s->jobs[i].place == ASKED &&
            (best == NOBODY || set->tasks[i].priority > set->tasks[best].priority)) {
            best = (int)i;
        }
    }
    if (best != NOBODY) {
        grant(s, (size_t)best);
    }
    for (size_t core = 0; core < set->core_count; core++) {
        dispatch(s, core);
    }
}

/* ---- giving up ---- */

static void give_up(struct state *s, size_t task) {
    struct thread *thread = &s->threads[task];
    bool holds = s->holder == (int)task;
    if (thread->work != IDLE) {
        become_idle(s, task);
        thread->owed = 0;
    }
    if (holds && s->called_at == s->now) {
        s->device_left = 0; /* the device has not begun with them */
    }
    if (holds && s->jobs[task].place == HAS_GPU && s->device_left > 0) {
        s->draining = true; /* the commands run out */
        s->jobs[task].absolute_deadline = FOREVER;
        return;
    }
    if (holds) {
        stop_server(s);
    }
    s->holder = holds ? NOBODY : s->holder;
    next_job(s, task);
}

/* Whether a job has executed everything, and needs its thread's core, or the server's, for no time: it may still end at this instant. */
static bool is_ending(const struct state *s, size_t task) {
    const struct thread *thread = &s->threads[task];
    if (s->jobs[task].segment + 1 < s->set->tasks[task].segment_count || s->jobs[task].place != HAS_GPU) {
        return false;
    }
    if (s->set->by == GRT_REFERENCE_BY_SERVER) {
        return s->holder == (int)task && s->device_done;
    }
    bool switches = s->set->context_switch > 0 && s->last[thread->core] != (int)task;
    return thread->work == AFTER && thread->left == 0 && thread->owed == 0 && !switches;
}

/* Gives up whose deadline is now; true if somebody was. `ended`: the instant is over, and who could still end in it has not. */
static bool check_deadlines(struct state *s, bool ended) {
    bool any = false;
    for (size_t i = 0; i < s->set->task_count; i++) {
        if (s->set->tasks[i].aborts && s->jobs[i].place != NOWHERE &&
            s->jobs[i].absolute_deadline == s->now && (ended || !is_ending(s, i))) {
            give_up(s, i);
            any = true;
        }
    }
    return any;
}

static void release_jobs(struct state *s) {
    for (size_t i = 0; i < s->set->task_count; i++) {
        const struct grt_reference_host_task *spec = &s->set->tasks[i];
        if (spec->offset + s->next_number[i] * spec->period == s->now) {
            s->queue[i][s->jobs[i].pending++] = s->next_number[i]++;
            if (s->jobs[i].place == NOWHERE) {
                next_job(s, i);
            }
        }
    }
}

/* ---- time ---- */

/* Ends what has nothing left; true if anything ended. *before_done: the server's first part did. */
static bool complete(struct state *s, bool *before_done) {
    bool done[MAX_THREADS] = {false}, any = false;
    for (size_t core = 0; core < s->set->core_count; core++) {
        int running = s->running[core];
        if (running != NOBODY && s->threads[running].owed == 0 && s->threads[running].left == 0) {
            done[running] = any = true;
        }
    }
    for (size_t i = 0; i <= s->set->task_count; i++) {
        if (done[i]) {
            *before_done |= s->threads[i].work == SERVE_BEFORE;
            work_done(s, i);
        }
    }
    return any;
}

/* One nanosecond passes. */
static void pass(struct state *s) {
    for (size_t core = 0; core < s->set->core_count; core++) {
        if (s->running[core] != NOBODY) {
            struct thread *thread = &s->threads[s->running[core]];
            thread->owed > 0 ? thread->owed-- : thread->left--;
        }
    }
    s->now++;
    for (size_t core = 0; core < s->set->core_count; core++) {
        if (s->running[core] != NOBODY) {
            size_t running = (size_t)s->running[core];
            if (s->threads[running].kind == GRT_REFERENCE_OVERHEAD && s->threads[running].owed == 0) {
                close_slice(s, running);
                open_slice(s, running);
            }
        }
    }
}

/* All that happens at one instant: first what has completed, deadlines, releases, then the decisions, again as long as these have
 * work done that takes no time; then the deadlines of those that could still have ended. */
static void instant(struct state *s, bool last) {
    bool before_done = false, device = s->device_left > 0 && --s->device_left == 0;
    complete(s, &before_done);
    if (device) {
        device_completed(s);
    }
    check_deadlines(s, last);
    if (last) {
        return;
    }
    release_jobs(s);
    do {
        do {
            decide(s, before_done);
            before_done = false;
        } while (complete(s, &before_done));
    } while (check_deadlines(s, true));
}

size_t grt_reference_host_run(const struct grt_reference_host_set *set,
                              struct grt_reference_host_slice *slices, size_t capacity) {
    struct state s = {.set = set, .holder = NOBODY, .slices = slices, .capacity = capacity};
    for (size_t i = 0; i <= set->task_count; i++) {
        bool server = i == set->task_count;
        s.threads[i] = (struct thread){.idle_since = -1,
                                       .core = server ? set->server_core : set->tasks[i].core,
                                       .priority = server ? set->server_priority : set->tasks[i].priority};
    }
    for (size_t core = 0; core <= GRT_REFERENCE_HOST_TASKS; core++) {
        s.running[core] = s.last[core] = NOBODY;
    }
    for (size_t i = 0; i < set->task_count; i++) {
        s.jobs[i].beside_end = -1;
    }
    while (s.now < set->horizon) {
        instant(&s, false);
        pass(&s);
    }
    instant(&s, true);
    for (size_t i = 0; i <= set->task_count; i++) {
        close_slice(&s, i);
    }
    return s.count <= capacity ? s.count : SIZE_MAX;
}
