/* A server per GPU, which is always in one of a few steps. */
#include "tests/support/faulty_policies.h"
#include "tests/support/world_builder.h"

enum step {
    IDLE,
    RESTS,    /* a fault */
    ASKED,    /* spends epsilon */
    BEFORE,   /* executes the first part */
    EXECUTES, /* waits for the device */
    BESIDE,   /* executes the second part beside that */
    BEHIND,   /* or behind it */
    NOTIFIES, /* spends epsilon */
};

struct server {
    grt_stream stream;
    grt_thread thread;
    uint32_t timer;
    enum step step;
    bool runs; /* its thread has work */
    bool device_done, part_done;
    uint32_t owes; /* times that it has to spend epsilon for requests that came */
    bool spends;   /* it does */
    grt_time rests_until;
    grt_job job; /* whose request it executes */
    bool gone;   /* which was aborted */
    bool waiting[GRT_BUILDER_TASKS];
    uint32_t served;
};

struct serving {
    struct grt_host_server given;
    struct server servers[GRT_MAX_GPUS];
    uint32_t label;
};

static bool start(void *state, struct grt_world *world, struct grt_errors *errors) {
    struct serving *self = state;
    (void)errors;
    self->given = *(const struct grt_host_server *)grt_policy_parameters(world);
    self->label = grt_policy_label(world, "serves");
    for (uint32_t i = 0; i < grt_policy_scenario(world)->gpu_count; i++) {
        self->servers[i].stream = grt_policy_stream(world, i, 0, "gpu");
        self->servers[i].timer = grt_policy_new_timer(world);
        self->servers[i].thread = grt_policy_thread(world, self->given.core, 1000000, "server");
    }
    return true;
}

static struct server *server_of(struct serving *self, const struct grt_world *world, grt_job job) {
    return &self->servers[grt_policy_scenario(world)->tasks[grt_policy_job(world, job)->task].gpu];
}

static void request(void *state, struct grt_world *world, grt_job job) {
    struct serving *self = state;
    struct server *server = server_of(self, world, job);
    server->waiting[job] = true;
    if (server->step == IDLE) {
        server->step = RESTS;
        server->rests_until = grt_policy_now(world) + 5 * (self->given.fault == GRT_HOST_SLOW);
    } else {
        server->owes += self->given.charged;
    }
}

static void gone(void *state, struct grt_world *world, grt_job job) {
    struct server *server = server_of(state, world, job);
    server->gone |= server->job == job && server->step >= BEFORE;
    server->waiting[job] = false;
}

static void device_done(void *state, struct grt_world *world, grt_job job) {
    struct server *server = server_of(state, world, job);
    if (server->job == job && (server->step == EXECUTES || server->step == BESIDE)) {
        server->device_done = true;
    }
}

static void thread_done(void *state, struct grt_world *world, grt_thread thread) {
    struct serving *self = state;
    (void)world;
    for (size_t i = 0; i < GRT_MAX_GPUS; i++) {
        struct server *server = &self->servers[i];
        if (server->thread == thread && server->runs) {
            server->runs = false;
            server->part_done = !server->spends;
            server->spends = false;
        }
    }
}

static grt_job first_of(const struct serving *self, const struct grt_world *world,
                        const struct server *server) {
    grt_job first = GRT_NO_JOB;
    for (grt_job job = 0; job < grt_policy_scenario(world)->task_count; job++) {
        if (!server->waiting[job]) {
            continue;
        }
        if (first == GRT_NO_JOB) {
            first = job;
            continue;
        }
        const struct grt_job_view *one = grt_policy_job(world, job), *other = grt_policy_job(world, first);
        bool before =
            one->priority != other->priority ? one->priority > other->priority : one->tie < other->tie;
        first = before != (self->given.fault == GRT_HOST_LAST_FIRST) ? job : first;
    }
    return first;
}

static bool is_async(const struct grt_world *world, const struct server *server) {
    const struct grt_job_view *view = grt_policy_job(world, server->job);
    return grt_policy_scenario(world)->tasks[view->task].segments[view->segment].host_mode ==
           GRT_HOST_ASYNCHRONOUS;
}

static void work(struct serving *self, struct grt_world *world, struct server *server, grt_time amount) {
    server->runs = true;
    server->part_done = false;
    grt_policy_run(world, server->thread, amount, self->label, GRT_NO_JOB);
}

static grt_time part_of(const struct serving *self, const struct grt_world *world,
                        const struct server *server, enum grt_host_part part) {
    grt_time time = server->gone ? 0 : grt_policy_host_time(world, server->job, part);
    return time + (self->given.fault == GRT_HOST_PART_CHANGED && part == GRT_HOST_AFTER);
}

/* The next request, or none. */
static void next(struct serving *self, struct grt_world *world, struct server *server) {
    server->job = first_of(self, world, server);
    server->gone = server->device_done = false;
    server->step = server->job == GRT_NO_JOB ? IDLE : BEFORE;
    if (server->job != GRT_NO_JOB) {
        server->waiting[server->job] = false;
        work(self, world, server, part_of(self, world, server, GRT_HOST_BEFORE));
    }
}

/* One step on; false if it has to wait. */
static bool go_on(struct serving *self, struct grt_world *world, struct server *server) {
    bool free_one = self->given.fault == GRT_HOST_COST_FORGOTTEN && server->served % 3 == 2;
    if (server->runs) {
        return false;
    }
    if (server->owes > 0 && server->step >= EXECUTES) {
        server->owes--;
        bool part = server->part_done;
        work(self, world, server, self->given.cost);
        server->spends = true;
        server->part_done = part;
        return false;
    }
    switch (server->step) {
    case RESTS:
        if (server->rests_until > grt_policy_now(world)) {
            grt_policy_timer(world, server->timer, server->rests_until);
            return false;
        }
        server->step = ASKED;
        work(self, world, server, self->given.cost);
        return false;
    case ASKED:
        next(self, world, server);
        return false;
    case BEFORE:
        server->step = EXECUTES;
        if (server->gone) {
            server->step = NOTIFIES;
            work(self, world, server, self->given.cost);
            return false;
        }
        grt_policy_submit(world, server->job, server->stream);
        if (is_async(world, server)) {
            server->step = BESIDE;
            work(self, world, server, part_of(self, world, server, GRT_HOST_AFTER));
        }
        return false;
    case BESIDE:
    case EXECUTES:
        if (!server->device_done && !server->gone) {
            return false;
        }
        bool beside = server->step == BESIDE;
        server->step = BEHIND;
        if (!beside) {
            work(self, world, server, part_of(self, world, server, GRT_HOST_AFTER));
            return false;
        }
        return true;
    case BEHIND:
        server->step = NOTIFIES;
        work(self, world, server, free_one ? 0 : self->given.cost);
        return false;
    case NOTIFIES:
        if (!server->gone) {
            grt_policy_finish(world, server->job);
        }
        server->served++;
        next(self, world, server);
        return false;
    default:
        return false;
    }
}

static void decide(void *state, struct grt_world *world) {
    struct serving *self = state;
    for (uint32_t i = 0; i < grt_policy_scenario(world)->gpu_count; i++) {
        while (go_on(self, world, &self->servers[i])) {
        }
    }
}

const struct grt_policy_ops grt_host_server = {
    .name = "gpu-server",
    .summary = "for tests",
    .state_size = sizeof(struct serving),
    .parameters_size = sizeof(struct grt_host_server),
    .host = GRT_HOST_BY_POLICY,
    .promise = {.gpu = GRT_PROMISE_SERVER,
                .order = GRT_ORDER_PRIORITY,
                .whole = true,
                .aborts_nothing = true},
    .start = start,
    .gpu_request = request,
    .gpu_withdrawn = gone,
    .gpu_done = device_done,
    .job_ended = gone,
    .thread_done = thread_done,
    .decide = decide,
};
