#include "tests/support/lock_play.h"

#include <string.h>

#include "tests/support/pick.h"

enum {
    MOST = GRT_REFERENCE_LOCK_TASKS,
    CORES =
        LOCK_PLAY_CORES + MOST + 1 /* those with numbers, one of each task's own, one of the server's own */
};
#define BOOST (INT64_C(1) << 40)

/* Where a job is. NORMAL without work that is left: it has yet to be dispatched, at its base priority, to ask for the GPU or to end. */
enum phase { ABSENT, NORMAL, WAIT, BEFORE, DEVICE, AFTER };

struct thread {
    const struct grt_reference_lock_task *task;
    enum phase phase;
    int job, segment;              /* the job's number; segments done */
    int64_t normal_left;           /* of this normal segment */
    int64_t before, device, after; /* left, of the GPU segment */
    int64_t ended_at;              /* its last job, on its core; -1: none, or not there */
    int64_t issued, issued_at;     /* number and instant of the request */
};

struct core {
    int last; /* thread that it ran last; -1: none; MOST: the server */
};

/* The server: what it computes now, and for whom. */
struct server {
    int serving;        /* thread; -1: none */
    int64_t overhead;   /* epsilons left before it goes on */
    int64_t enqueueing; /* epsilons left for requests that came */
    int64_t notifying;  /* left of the epsilon at the end; -1: not there */
    int64_t busy_until; /* the last instant up to which it computed */
};

struct world {
    struct lock_play *play;
    struct grt_random *random;
    const struct grt_reference_lock *set;
    struct thread threads[MOST];
    struct core cores[CORES];
    struct server server;
    int64_t holder[MOST]; /* by GPU; -1: none */
    /* left of switches and wake-ups, in front of a thread's work; the last is the server's */
    int64_t overhead[MOST + 1];
    int64_t issued, now;
};

static bool serves(const struct world *it) {
    return it->set->protocol == GRT_REFERENCE_SERVER;
}

static int64_t drawn(const struct world *it, int64_t longest) {
    return it->play->shorter ? grt_pick(it->random, longest > 0, longest) : longest;
}

static int core_of(const struct world *it, int thread) {
    int64_t core = it->threads[thread].task->core;
    return core >= 0 ? (int)core : LOCK_PLAY_CORES + thread;
}

/* ---- priorities ---- */

static bool holds(const struct world *it, int thread) {
    return !serves(it) && it->holder[it->threads[thread].task->gpu] == thread;
}

/* The most urgent user on other cores; the own priority where there is none. */
static int64_t ceiling_of(const struct world *it, int thread) {
    const struct grt_reference_lock_task *own = it->threads[thread].task;
    int64_t priority = INT64_MIN;
    for (int i = 0; i < it->set->count; i++) {
        const struct grt_reference_lock_task *user = it->threads[i].task;
        bool elsewhere = core_of(it, i) != core_of(it, thread);
        if (elsewhere && user->segments > 0 && user->gpu == own->gpu && user->priority > priority) {
            priority = user->priority;
        }
    }
    return priority == INT64_MIN ? own->priority : priority;
}

static int64_t priority_of(const struct world *it, int thread) {
    const struct thread *self = &it->threads[thread];
    if (!holds(it, thread)) {
        return self->task->priority;
    }
    if (it->set->protocol == GRT_REFERENCE_FMLP) {
        return 2 * BOOST - self->issued;
    }
    return BOOST + (it->set->boosts_own ? self->task->priority : ceiling_of(it, thread));
}

static bool is_ready(const struct world *it, int thread) {
    const struct thread *self = &it->threads[thread];
    bool device_only =
        self->phase == DEVICE || (self->phase == AFTER && self->after == 0 && self->device > 0);
    if (self->phase == ABSENT || self->phase == WAIT || (serves(it) && self->phase > WAIT)) {
        return false;
    }
    return !device_only || !it->set->suspends;
}

static bool server_is_ready(const struct world *it) {
    const struct server *server = &it->server;
    const struct thread *served = &it->threads[server->serving >= 0 ? server->serving : 0];
    bool awakes = it->overhead[MOST] > 0; /* even where epsilon is 0, and it has nothing else to compute */
    if (awakes || server->overhead + server->enqueueing > 0 || server->notifying > 0) {
        return true;
    }
    return server->serving >= 0 && (served->phase == BEFORE || (served->phase == AFTER && served->after > 0));
}

/* Whom a core runs: -1: none; MOST: the server. Of equal ones the first. */
static int top_of(const struct world *it, int core) {
    int top = -1;
    int64_t of_server = it->set->server_core >= 0 ? it->set->server_core : CORES - 1;
    if (serves(it) && server_is_ready(it) && core == of_server) {
        return MOST;
    }
    for (int i = 0; i < it->set->count; i++) {
        if (core_of(it, i) == core && is_ready(it, i) &&
            (top < 0 || priority_of(it, i) > priority_of(it, top))) {
            top = i;
        }
    }
    return top;
}

/* ---- what takes no time; each says whether something happened ---- */

static void wake(struct world *it, int thread) {
    it->overhead[thread] += it->set->wake_up;
}

static void begin_normal(struct world *it, struct thread *self) {
    int64_t parts = self->task->segments + 1, whole = self->task->normal;
    int64_t first = it->play->first_normal[self - it->threads];
    int64_t share = whole / parts + (self->segment < whole % parts);
    if (first > 0) {
        int64_t behind = parts > 2 ? 2 : whole - first; /* of three parts, the one in the middle is 2 */
        share = self->segment == 0 ? first : self->segment == 1 ? behind : whole - first - behind;
    }
    self->phase = NORMAL;
    self->normal_left = drawn(it, share);
}

static void begin_segment(struct world *it, struct thread *self) {
    int u = self->segment;
    self->phase = BEFORE;
    self->before = drawn(it, self->task->before[u]);
    self->device = drawn(it, self->task->device[u]);
    self->after = drawn(it, self->task->after[u]);
}

static void end_job(struct world *it, int thread) {
    struct thread *self = &it->threads[thread];
    int64_t response = it->now - it->play->arrivals[thread][self->job];
    if (response > it->play->response[thread]) {
        it->play->response[thread] = response;
    }
    self->phase = ABSENT;
    self->ended_at = it->now;
    self->job++;
}

/* A job without work behind its last GPU segment ends with it. */
static void end_segment(struct world *it, int thread) {
    struct thread *self = &it->threads[thread];
    if (!serves(it)) {
        it->holder[self->task->gpu] = -1;
    }
    self->segment++;
    begin_normal(it, self);
    if (self->segment == self->task->segments && self->normal_left == 0) {
        end_job(it, thread);
    }
}

static bool release(struct world *it, int thread) {
    struct thread *self = &it->threads[thread];
    const struct lock_play *play = it->play;
    if (self->phase != ABSENT || self->job == play->arrival_count[thread] ||
        play->arrivals[thread][self->job] + play->delays[thread][self->job] > it->now) {
        return false;
    }
    self->segment = 0;
    begin_normal(it, self);
    if (self->ended_at < it->now) { /* else it has not been idle */
        wake(it, thread);
    }
    return true;
}

/* Who gets the GPU next; -1: none waits. */
static int next_waiting(const struct world *it, int64_t gpu) {
    int best = -1;
    for (int i = 0; i < it->set->count; i++) {
        const struct thread *self = &it->threads[i];
        if (self->phase != WAIT || self->task->gpu != gpu) {
            continue;
        }
        bool fifo = it->set->protocol == GRT_REFERENCE_FMLP;
        bool before = best < 0 || (fifo ? self->issued_at < it->threads[best].issued_at
                                        : self->task->priority > it->threads[best].task->priority);
        best = before ? i : best;
    }
    return best;
}

static void request(struct world *it, int thread) {
    struct thread *self = &it->threads[thread];
    struct server *server = &it->server;
    bool idle = server->serving < 0 && server->overhead == 0 && next_waiting(it, self->task->gpu) < 0;
    self->phase = WAIT;
    self->issued = it->issued++;
    self->issued_at = it->now;
    if (!serves(it)) {
        return;
    }
    if (!server_is_ready(it) && server->busy_until < it->now && (it->play->charged || idle)) {
        wake(it, MOST);
    }
    if (it->play->charged) {
        server->enqueueing += it->set->epsilon;
    } else if (idle) {
        server->overhead = it->set->epsilon;
    }
}

/* What the thread that its core runs does at once. */
static bool act(struct world *it, int thread) {
    struct thread *self = &it->threads[thread];
    switch (self->phase) {
    case NORMAL:
        if (self->normal_left > 0) {
            return false;
        }
        if (self->segment == self->task->segments) {
            end_job(it, thread);
        } else {
            request(it, thread);
        }
        return true;
    case BEFORE:
        if (self->before > 0) {
            return false;
        }
        self->phase = self->task->asynchronous ? AFTER : DEVICE;
        return true;
    case AFTER:
        if (self->after > 0 || self->device > 0) {
            return false;
        }
        end_segment(it, thread);
        return true;
    default:
        return false;
    }
}

static bool grant(struct world *it) {
    bool granted = false;
    for (int64_t gpu = 0; gpu < MOST && !serves(it); gpu++) {
        int next = it->holder[gpu] < 0 ? next_waiting(it, gpu) : -1;
        if (next >= 0) {
            it->holder[gpu] = next;
            begin_segment(it, &it->threads[next]);
            if (it->threads[next].issued_at < it->now) { /* else it has not left its core */
                wake(it, next);
            }
            granted = true;
        }
    }
    return granted;
}

/* Of those who have asked before: who is told that his request is done asks again only after that. */
static bool take_next(struct world *it) {
    struct server *server = &it->server;
    int next = server->overhead + server->enqueueing > 0 ? -1 : next_waiting(it, 0);
    if (next >= 0) {
        struct thread *self = &it->threads[next];
        server->serving = next;
        server->notifying = -1;
        begin_segment(it, self);
        if (self->before == 0) {
            self->phase = self->task->asynchronous ? AFTER : DEVICE;
        }
    }
    return next >= 0;
}

/* The server's steps that take no time. What it has computed has its effect before it receives what comes then. */
static bool act_server(struct world *it) {
    struct server *server = &it->server;
    struct thread *served = &it->threads[server->serving >= 0 ? server->serving : 0];
    if (it->overhead[MOST] > 0) {
        return false;
    }
    if (server->serving >= 0 && served->phase == BEFORE && served->before == 0) {
        served->phase = served->task->asynchronous ? AFTER : DEVICE;
        return true;
    }
    if (server->notifying == 0) {
        int thread = server->serving;
        server->serving = -1;
        server->notifying = -1;
        end_segment(it, thread);
        if (it->threads[thread].phase == ABSENT) {
            it->threads[thread].ended_at = -1; /* it was asleep */
        } else {
            wake(it, thread);
        }
        take_next(it);
        return true;
    }
    if (server->overhead + server->enqueueing > 0) {
        return false;
    }
    if (server->serving < 0) {
        return take_next(it);
    }
    if (served->phase == AFTER && served->after == 0 && served->device == 0 && server->notifying < 0) {
        server->notifying = it->set->epsilon;
        return true;
    }
    return false;
}

/* The GPU is done with a segment's commands. */
static bool end_device(struct world *it, int thread) {
    struct thread *self = &it->threads[thread];
    if (self->phase != DEVICE || self->device > 0) {
        return false;
    }
    bool asleep = serves(it) && !server_is_ready(it);
    self->phase = AFTER;
    if (asleep) {
        wake(it, MOST);
    } else if (!serves(it) && it->set->suspends) {
        wake(it, thread);
    }
    return true;
}

/* Dispatches; returns whether the thread that a core runs did something at once. */
static bool dispatch(struct world *it, int index, int top) {
    struct core *core = &it->cores[index];
    if (top < 0) {
        return false;
    }
    if (top != core->last && it->set->context_switch > 0) {
        return false; /* see take_up */
    }
    core->last = top;
    if (top == MOST || it->overhead[top] > 0) {
        return false;
    }
    return (!serves(it) || it->threads[top].phase == NORMAL) && act(it, top);
}

/* What a request or a release leads to comes before a core takes up another thread: who asks for a lock that is free does not leave its core. */
static bool serve_or_grant(struct world *it) {
    return serves(it) ? act_server(it) : grant(it);
}

/* Where switches cost, a core takes up another thread when nothing else happens any more at the instant. */
static bool take_up(struct world *it) {
    bool any = false;
    for (int i = 0; i < CORES; i++) {
        int top = top_of(it, i);
        if (top >= 0 && top != it->cores[i].last) {
            it->cores[i].last = top;
            it->overhead[top] += it->set->context_switch;
            any = true;
        }
    }
    return any;
}

static void settle(struct world *it) {
    int top[CORES];
    for (bool more = true; more; more = more || take_up(it)) {
        more = false;
        for (int i = 0; i < it->set->count; i++) {
            more |= release(it, i);
            more |= end_device(it, i);
        }
        more |= serve_or_grant(it);
        for (int i = 0; i < CORES; i++) { /* all at once: what one does then does not stop another */
            top[i] = top_of(it, i);
        }
        for (int i = 0; i < CORES; i++) {
            more |= dispatch(it, i, top[i]);
        }
        more |= serve_or_grant(it);
    }
}

/* ---- a tick ---- */

static void compute_server(struct world *it) {
    struct server *server = &it->server;
    int64_t *part = NULL;
    if (server->enqueueing > 0) {
        part = &server->enqueueing;
    } else if (server->overhead > 0) {
        part = &server->overhead;
    } else if (server->notifying > 0) {
        part = &server->notifying;
    } else {
        struct thread *served = &it->threads[server->serving];
        part = served->phase == BEFORE ? &served->before : &served->after;
    }
    *part -= 1;
}

static void compute(struct world *it, int index) {
    int top = top_of(it, index);
    if (top < 0) {
        return;
    }
    struct thread *self = &it->threads[top == MOST ? 0 : top];
    if (top == MOST) {
        it->server.busy_until = it->now + 1;
    }
    if (it->overhead[top] > 0) {
        it->overhead[top]--;
    } else if (top == MOST) {
        compute_server(it);
    } else if (self->phase == NORMAL) {
        self->normal_left--;
    } else if (self->phase == BEFORE) {
        self->before--;
    } else if (self->phase == AFTER && self->after > 0) {
        self->after--;
    }
}

static void tick(struct world *it) {
    bool on_device[MOST];
    for (int i = 0; i < it->set->count; i++) {
        enum phase phase = it->threads[i].phase;
        on_device[i] = phase == DEVICE || (phase == AFTER && it->threads[i].device > 0);
    }
    int64_t left[MOST];
    bool asleep[MOST]; /* with commands on the GPU: they are all that its segment waits for */
    for (int i = 0; i < it->set->count; i++) {
        left[i] = it->threads[i].normal_left;
        asleep[i] = it->threads[i].after == 0;
    }
    bool server_sleeps = !server_is_ready(it);
    for (int i = 0; i < CORES; i++) {
        compute(it, i);
    }
    for (int i = 0; i < it->set->count; i++) {
        bool ended = it->threads[i].phase == AFTER && it->threads[i].device == 1 && on_device[i];
        it->threads[i].device -= on_device[i];
        if (ended && asleep[i] && serves(it) && server_sleeps) {
            wake(it, MOST);
        } else if (ended && asleep[i] && !serves(it) && it->set->suspends) {
            wake(it, i);
        }
    }
    it->now++;
    for (int i = 0; i < it->set->count; i++) { /* what is done has ended before others come */
        struct thread *self = &it->threads[i];
        bool computed = self->phase == NORMAL && self->normal_left == 0 && left[i] == 1;
        if (computed && self->segment == self->task->segments) {
            end_job(it, i);
        } else if (computed) {
            request(it, i);
        }
    }
}

static bool is_over(const struct world *it) {
    for (int i = 0; i < it->set->count; i++) {
        if (it->threads[i].phase != ABSENT || it->threads[i].job < it->play->arrival_count[i]) {
            return false;
        }
    }
    return true;
}

void lock_play_run(struct lock_play *play, struct grt_random *random) {
    struct world it = {.play = play, .random = random, .set = play->set};
    it.server = (struct server){.serving = -1, .notifying = -1, .busy_until = -1};
    for (int i = 0; i < MOST; i++) {
        it.threads[i].task = &play->set->tasks[i];
        it.threads[i].ended_at = it.holder[i] = -1;
        play->response[i] = 0;
    }
    for (int i = 0; i < CORES; i++) {
        it.cores[i].last = -1;
    }
    for (settle(&it); !is_over(&it) && it.now < 4 * play->horizon; settle(&it)) {
        tick(&it);
    }
}

void lock_play_draw(struct lock_play *play, struct grt_random *random) {
    bool dense = grt_pick(random, 0, 1) == 0, together = grt_pick(random, 0, 3) == 0;
    play->shorter = grt_pick(random, 0, 3) == 0;
    for (int i = 0; i < play->set->count; i++) {
        const struct grt_reference_lock_task *task = &play->set->tasks[i];
        int64_t at = together ? 0 : grt_pick(random, 0, task->period);
        int count = 0;
        for (; at < play->horizon && count < LOCK_PLAY_ARRIVALS; count++) {
            play->arrivals[i][count] = at;
            play->delays[i][count] = grt_pick(random, 0, 1) * grt_pick(random, 0, task->jitter);
            at += task->period + (dense ? 0 : grt_pick(random, 0, 1) * grt_pick(random, 0, task->period / 2));
        }
        play->arrival_count[i] = count;
    }
}
