#include "tests/support/host_policies.h"

#include "sim/check.h"

/* ---- the order, for one GPU ---- */

struct order {
    struct grt_ready_queue waiting;
    grt_stream stream;
    grt_job holder; /* GRT_NO_JOB: none */
};

static void order_start(struct order *order, struct grt_world *world) {
    order->waiting = grt_policy_ready_queue(world, (uint32_t)grt_policy_scenario(world)->task_count);
    order->stream = grt_policy_stream(world, 0, 0, "stream");
    order->holder = GRT_NO_JOB;
}

static void order_push(struct order *order, const struct grt_world *world, grt_job job) {
    grt_ready_queue_push(&order->waiting, -grt_policy_job(world, job)->priority, 0, job);
}

/* The next holder; GRT_NO_JOB where there is none to come. */
static grt_job order_next(struct order *order) {
    if (order->holder != GRT_NO_JOB || grt_ready_queue_is_empty(&order->waiting)) {
        return GRT_NO_JOB;
    }
    order->holder = grt_ready_queue_pop(&order->waiting);
    return order->holder;
}

/* ---- by job ---- */

static bool job_start(void *state, struct grt_world *world, struct grt_errors *errors) {
    (void)errors;
    order_start(state, world);
    return true;
}

static void job_request(void *state, struct grt_world *world, grt_job job) {
    order_push(state, world, job);
}

static void job_withdrawn(void *state, struct grt_world *world, grt_job job) {
    (void)world;
    grt_ready_queue_remove(&((struct order *)state)->waiting, job);
}

static void job_done(void *state, struct grt_world *world, grt_job job) {
    struct order *order = state;
    (void)world;
    GRT_REQUIRE(order->holder == job, "gpu_done comes of what was submitted");
    order->holder = GRT_NO_JOB;
}

static void job_decide(void *state, struct grt_world *world) {
    struct order *order = state;
    grt_job job = order_next(order);
    if (job != GRT_NO_JOB) {
        grt_policy_submit(world, job, order->stream);
    }
}

const struct grt_policy_ops grt_test_job_policy = {
    .name = "test-job",
    .summary = "host parts in the job's thread",
    .state_size = sizeof(struct order),
    .memoryless = true,
    .start = job_start,
    .gpu_request = job_request,
    .gpu_withdrawn = job_withdrawn,
    .gpu_done = job_done,
    .decide = job_decide,
};

/* ---- by thread ---- */

struct lock {
    const struct grt_test_lock_parameters *parameters;
    struct order order;
    grt_job boosted; /* it still has to be taken back from */
};

static bool lock_start(void *state, struct grt_world *world, struct grt_errors *errors) {
    struct lock *lock = state;
    (void)errors;
    lock->parameters = grt_policy_parameters(world);
    order_start(&lock->order, world);
    lock->boosted = GRT_NO_JOB;
    return true;
}

static void lock_request(void *state, struct grt_world *world, grt_job job) {
    order_push(&((struct lock *)state)->order, world, job);
}

static void lock_withdrawn(void *state, struct grt_world *world, grt_job job) {
    (void)world;
    grt_ready_queue_remove(&((struct lock *)state)->order.waiting, job);
}

static void lock_done(void *state, struct grt_world *world, grt_job job) {
    struct lock *lock = state;
    job_done(&lock->order, world, job);
    lock->boosted = job;
}

static void lock_job_ended(void *state, struct grt_world *world, grt_job job) {
    struct lock *lock = state;
    (void)world;
    lock->boosted = lock->boosted == job ? GRT_NO_JOB : lock->boosted;
}

static void lock_decide(void *state, struct grt_world *world) {
    struct lock *lock = state;
    if (lock->boosted != GRT_NO_JOB) {
        grt_policy_unboost(world, lock->boosted);
        lock->boosted = GRT_NO_JOB;
    }
    grt_job job = order_next(&lock->order);
    if (job != GRT_NO_JOB) {
        grt_policy_boost(world, job, grt_policy_job(world, job)->priority + lock->parameters->boost);
        grt_policy_spin(world, job, lock->parameters->spins);
        grt_policy_submit(world, job, lock->order.stream);
    }
}

const struct grt_policy_ops grt_test_lock_policy = {
    .name = "test-lock",
    .summary = "a lock that the job's thread holds",
    .state_size = sizeof(struct lock),
    .parameters_size = sizeof(struct grt_test_lock_parameters),
    .memoryless = true,
    .host = GRT_HOST_BY_THREAD,
    .start = lock_start,
    .gpu_request = lock_request,
    .gpu_withdrawn = lock_withdrawn,
    .gpu_done = lock_done,
    .job_ended = lock_job_ended,
    .decide = lock_decide,
};

/* ---- by policy ---- */

struct server {
    const struct grt_test_server_parameters *parameters;
    struct order order;
    grt_thread thread;
    uint32_t label;
    bool works, before, executed,
        after_done; /* the thread has work, the first part; what of the holder is done */
    bool gone;      /* the holder was aborted */
};

static bool server_start(void *state, struct grt_world *world, struct grt_errors *errors) {
    struct server *server = state;
    (void)errors;
    server->parameters = grt_policy_parameters(world);
    order_start(&server->order, world);
    server->thread =
        grt_policy_thread(world, server->parameters->core, server->parameters->priority, "server");
    server->label = grt_policy_label(world, "serves");
    return true;
}

static void server_request(void *state, struct grt_world *world, grt_job job) {
    order_push(&((struct server *)state)->order, world, job);
}

static void server_withdrawn(void *state, struct grt_world *world, grt_job job) {
    struct server *server = state;
    (void)world;
    if (server->order.holder == job) {
        server->gone = true;
    } else {
        grt_ready_queue_remove(&server->order.waiting, job);
    }
}

static void server_gpu_done(void *state, struct grt_world *world, grt_job job) {
    struct server *server = state;
    (void)world;
    GRT_REQUIRE(server->order.holder == job, "gpu_done comes of what was submitted");
    server->executed = true;
}

static void server_job_ended(void *state, struct grt_world *world, grt_job job) {
    struct server *server = state;
    (void)world;
    server->gone = server->gone || server->order.holder == job;
}

static void server_thread_done(void *state, struct grt_world *world, grt_thread thread) {
    struct server *server = state;
    (void)world;
    GRT_REQUIRE(thread == server->thread && server->works, "thread_done comes of threads with work");
    server->works = false;
    server->after_done = !server->before;
}

static void server_run(struct server *server, struct grt_world *world, enum grt_host_part part) {
    server->works = true;
    server->before = part == GRT_HOST_BEFORE;
    grt_policy_run(world, server->thread, grt_policy_host_time(world, server->order.holder, part),
                   server->label, server->order.holder);
}

static void server_free(struct server *server, struct grt_world *world) {
    if (server->works) {
        grt_policy_stop(world, server->thread);
    }
    server->order.holder = GRT_NO_JOB;
    server->works = server->before = server->executed = server->after_done = server->gone = false;
}

/* The thread has none and the holder goes on: its commands, its second part, its end. */
static void server_go_on(struct server *server, struct grt_world *world) {
    grt_job job = server->order.holder;
    const struct grt_job_view *view = grt_policy_job(world, job);
    const struct grt_segment *segment =
        &grt_policy_scenario(world)->tasks[view->task].segments[view->segment];
    if (server->before) {
        server->before = false;
        grt_policy_submit(world, job, server->order.stream);
        if (segment->host_mode == GRT_HOST_ASYNCHRONOUS) {
            server_run(server, world, GRT_HOST_AFTER);
        }
    } else if (server->executed && server->after_done) {
        grt_policy_finish(world, job);
        server_free(server, world);
    } else if (server->executed) {
        server_run(server, world, GRT_HOST_AFTER);
    }
}

static void server_decide(void *state, struct grt_world *world) {
    struct server *server = state;
    if (server->gone) {
        server_free(server, world);
    }
    if (server->order.holder != GRT_NO_JOB && !server->works) {
        server_go_on(server, world);
    }
    if (order_next(&server->order) != GRT_NO_JOB) {
        server_run(server, world, GRT_HOST_BEFORE);
    }
}

const struct grt_policy_ops grt_test_server_policy = {
    .name = "test-server",
    .summary = "a thread that executes the host parts of all",
    .state_size = sizeof(struct server),
    .parameters_size = sizeof(struct grt_test_server_parameters),
    .host = GRT_HOST_BY_POLICY,
    .start = server_start,
    .gpu_request = server_request,
    .gpu_withdrawn = server_withdrawn,
    .gpu_done = server_gpu_done,
    .job_ended = server_job_ended,
    .thread_done = server_thread_done,
    .decide = server_decide,
};
