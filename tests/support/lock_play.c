#include "tests/support/lock_play.h"

#include <string.h>

#include "tests/support/pick.h"

enum { MOST = GRT_REFERENCE_LOCK_TASKS };
#define BOOST (INT64_C(1) << 40)

/* Where a job is. In WANT it has reached a GPU segment and has yet to be dispatched at its base priority. */
enum phase { ABSENT, NORMAL, WANT, WAIT, BEFORE, DEVICE, AFTER };

struct thread {
    const struct grt_reference_lock_task *task;
    enum phase phase;
    int job, segment;              /* the job's number; segments done */
    int64_t normal_left;           /* of this normal segment */
    int64_t before, device, after; /* left, of the GPU segment */
    int64_t waking;                /* left of the wake-up */
    int64_t issued, issued_at;     /* number and instant of the request */
};

struct core {
    int last;          /* thread that it ran last; -1: none; MOST: the server */
    int64_t switching; /* left of the switch to it */
};

/* The server: what it computes now, and for whom. */
struct server {
    int serving;        /* thread; -1: none */
    int64_t overhead;   /* epsilons left before it goes on */
    int64_t enqueueing; /* epsilons left for requests that came */
    int64_t notifying;  /* left of the epsilon at the end; -1: not there */
    int64_t waking;
};

struct world {
    struct lock_play *play;
    struct grt_random *random;
    const struct grt_reference_lock *set;
    struct thread threads[MOST];
    struct core cores[LOCK_PLAY_CORES + MOST];
    struct server server;
    int64_t holder[MOST]; /* by GPU; -1: none */
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
    if (server->overhead + server->enqueueing > 0 || server->notifying > 0) {
        return true;
    }
    return server->serving >= 0 && (served->phase == BEFORE || (served->phase == AFTER && served->after > 0));
}

/* Whom a core runs: -1: none; MOST: the server. Of equal ones the first. */
static int top_of(const struct world *it, int core) {
    int top = -1;
    if (serves(it) && server_is_ready(it) && core == it->set->server_core) {
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
    it->threads[thread].waking = it->set->wake_up;
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
    wake(it, thread);
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
        bool before = best < 0 || (fifo ? self->issued < it->threads[best].issued
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
    if (!server_is_ready(it) && (it->play->charged || idle)) {
        server->waking = it->set->wake_up;
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
            self->phase = WANT;
        }
        return true;
    case WANT:
        request(it, thread);
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

/* The server's steps that take no time. */
static bool act_server(struct world *it) {
    struct server *server = &it->server;
    struct thread *served = &it->threads[server->serving >= 0 ? server->serving : 0];
    if (server->overhead + server->enqueueing > 0) {
        return false;
    }
    if (server->serving < 0) {
        int next = next_waiting(it, 0);
        if (next >= 0) {
            server->serving = next;
            server->notifying = -1;
            begin_segment(it, &it->threads[next]);
            if (it->threads[next].before == 0) {
                it->threads[next].phase = it->threads[next].task->asynchronous ? AFTER : DEVICE;
            }
        }
        return next >= 0;
    }
    if (served->phase == BEFORE && served->before == 0) {
        served->phase = served->task->asynchronous ? AFTER : DEVICE;
        return true;
    }
    if (served->phase == AFTER && served->after == 0 && served->device == 0 && server->notifying < 0) {
        server->notifying = it->set->epsilon;
        return true;
    }
    if (server->notifying == 0) {
        int thread = server->serving;
        server->serving = -1;
        server->notifying = -1;
        end_segment(it, thread);
        wake(it, thread);
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
        it->server.waking = it->set->wake_up;
    } else if (!serves(it) && it->set->suspends) {
        wake(it, thread);
    }
    return true;
}

/* Dispatches; returns whether the thread that a core runs did something at once. */
static bool dispatch(struct world *it, int index) {
    struct core *core = &it->cores[index];
    int top = top_of(it, index);
    if (top < 0) {
        return false;
    }
    if (top != core->last) {
        core->last = top;
        core->switching = it->set->context_switch;
    }
    if (core->switching > 0 || top == MOST || it->threads[top].waking > 0) {
        return false;
    }
    return (!serves(it) || it->threads[top].phase == NORMAL || it->threads[top].phase == WANT) &&
           act(it, top);
}

static void settle(struct world *it) {
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < it->set->count; i++) {
            more |= release(it, i);
            more |= end_device(it, i);
        }
        for (int i = 0; i < LOCK_PLAY_CORES + MOST; i++) {
            more |= dispatch(it, i);
        }
        more |= serves(it) ? act_server(it) : grant(it);
    }
}

/* ---- a tick ---- */

static void compute_server(struct world *it) {
    struct server *server = &it->server;
    int64_t *part = NULL;
    if (server->waking > 0) {
        part = &server->waking;
    } else if (server->enqueueing > 0) {
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
    struct core *core = &it->cores[index];
    int top = top_of(it, index);
    if (top < 0) {
        return;
    }
    struct thread *self = &it->threads[top < MOST ? top : 0];
    if (core->switching > 0) {
        core->switching--;
    } else if (top == MOST) {
        compute_server(it);
    } else if (self->waking > 0) {
        self->waking--;
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
    for (int i = 0; i < it->set->count; i++) {
        left[i] = it->threads[i].normal_left;
    }
    for (int i = 0; i < LOCK_PLAY_CORES + MOST; i++) {
        compute(it, i);
    }
    if (serves(it) && it->set->server_core < 0 && server_is_ready(it)) {
        compute_server(it);
    }
    for (int i = 0; i < it->set->count; i++) {
        bool ended = it->threads[i].phase == AFTER && it->threads[i].device == 1 && on_device[i];
        it->threads[i].device -= on_device[i];
        if (ended && it->threads[i].after == 0 && serves(it) && !server_is_ready(it)) {
            it->server.waking = it->set->wake_up;
        } else if (ended && it->threads[i].after == 0 && !serves(it) && it->set->suspends) {
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
    it.server = (struct server){.serving = -1, .notifying = -1};
    for (int i = 0; i < MOST; i++) {
        it.threads[i].task = &play->set->tasks[i];
        it.holder[i] = -1;
        play->response[i] = 0;
    }
    for (int i = 0; i < LOCK_PLAY_CORES + MOST; i++) {
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
