/* The GPU server: a thread at the highest priority receives the requests of all tasks and executes their GPU segments, host parts included, one after
 * the other, the most urgent that it has received first. The tasks leave their cores meanwhile; nobody's priority is raised.
 *
 *     asleep -- a request: receive --> take the next: before --> commands --> after --> notify and take the next, or sleep
 *
 * Source: H. Kim, P. Patel, S. Wang, R. Rajkumar, "A Server-based Approach for Predictable GPU Access Control", RTCSA 2017, section V.A.
 * The paper's server is one thread that signals tell of requests: one that comes while it computes is received at once, and what it computed
 * goes on then.
 * Deviates: there is a server for every GPU, on the same core. */
#include "policies/locks/server.h"
#include "models/policy.h"
#include "policies/names.h"
#include "sim/inlining.h"

/* What the thread does. */
enum work { WORK_NONE, WORK_RECEIVE, WORK_BEFORE, WORK_AFTER, WORK_NOTIFY, WORK_KINDS };

/* How far the request is that it serves. */
enum phase { PHASE_BEFORE, PHASE_DEVICE, PHASE_NOTIFY };

/* The server of a GPU. */
struct server {
    grt_thread thread;
    grt_stream stream;
    enum work work, done;           /* that it is doing; that it has just done */
    enum work interrupted;          /* by receiving: what it goes on with then */
    grt_time left;                  /* of that */
    struct grt_ready_queue queue;   /* received: the most urgent first */
    struct grt_ready_queue arrived; /* not yet received: the first that came first */
    /* whose request is being received and goes into the queue then; GRT_NO_JOB: nobody's */
    grt_job receiving;
    bool asleep; /* it has nobody to serve */

    grt_job current; /* that it serves; GRT_NO_JOB: nobody */
    enum phase phase;
    bool gone;       /* its job was aborted */
    bool executed;   /* its commands have completed */
    bool after_done; /* its second host part is being, or has been executed */
    grt_time since;  /* it serves it */
    bool cut;        /* the budget is used up */
    uint32_t timer, row;
};

struct gpu_server {
    const struct grt_server_parameters *given;
    const struct grt_scenario *scenario;
    struct server *servers;
    uint32_t *labels[WORK_KINDS];   /* by task: what the thread does for it */
    uint32_t *served;               /* by task: "T is served" */
    uint32_t requests, wakes, cuts; /* counters */
};

/* ---- start ---- */

/* More urgent than all tasks. */
static int64_t highest_priority(const struct grt_scenario *scenario) {
    int64_t most = INT64_MIN;
    for (uint32_t i = 0; i < scenario->task_count; i++) {
        most = scenario->tasks[i].priority > most ? scenario->tasks[i].priority : most;
    }
    return most + 1;
}

static void start_server(struct gpu_server *self, struct grt_world *world, uint32_t gpu) {
    struct server *server = &self->servers[gpu];
    char text[POLICY_NAME_SIZE];
    uint32_t tasks = (uint32_t)self->scenario->task_count;
    server->thread = grt_policy_thread(world, self->given->core, highest_priority(self->scenario),
                                       policy_name_of_gpu(world, "server", gpu, text));
    server->stream = grt_policy_stream(world, gpu, 0, "server");
    server->queue = grt_policy_ready_queue(world, tasks);
    server->arrived = grt_policy_ready_queue(world, tasks);
    server->current = server->receiving = GRT_NO_JOB;
    server->asleep = true;
    server->timer = grt_policy_new_timer(world);
    server->row = policy_row_of_gpu(world, "server", gpu);
}

static bool start(void *state, struct grt_world *world, struct grt_errors *errors) {
    static const char *const words[WORK_KINDS] = {NULL, "received", "before", "after", "notified"};
    struct gpu_server *self = state;
    self->scenario = grt_policy_scenario(world);
    self->given = grt_policy_parameters(world);
    if (self->given->core >= self->scenario->core_count) {
        static const struct grt_path root = {0};
        struct grt_path policy = {&root, "policy", 0}, cpu = {&policy, "cpu", 0};
        long long cores = self->scenario->core_count, core = self->given->core;
        if (cores == 0) {
            grt_error_add(errors, &cpu, "must be -1, since the platform has no cores (got %lld)", core);
        } else {
            grt_error_add(errors, &cpu, "must be a core of the platform, 0 to %lld, or -1 (got %lld)",
                          cores - 1, core);
        }
        return false;
    }
    self->servers = grt_policy_memory(world, self->scenario->gpu_count, sizeof *self->servers);
    for (uint32_t i = 0; i < self->scenario->gpu_count; i++) {
        start_server(self, world, i);
    }
    for (int work = WORK_RECEIVE; work < WORK_KINDS; work++) {
        self->labels[work] = policy_labels_of_tasks(world, words[work]);
    }
    self->served = policy_labels_of_tasks(world, "is served");
    self->requests = grt_policy_counter(world, "requests");
    self->wakes = grt_policy_counter(world, "server_wake_ups");
    if (self->given->budget > 0) {
        self->cuts = grt_policy_counter(world, "requests_cut");
    }
    return true;
}

/* ---- what the server hears ---- */

static struct server *server_of(struct gpu_server *self, const struct grt_world *world, grt_job job) {
    return &self->servers[self->scenario->tasks[grt_policy_job(world, job)->task].gpu];
}

static void enqueue(struct server *server, const struct grt_world *world, grt_job job) {
    const struct grt_job_view *view = grt_policy_job(world, job);
    grt_ready_queue_push(&server->queue, -view->priority, view->tie, job);
}

/* One that finds the server asleep wakes it up; the others wait for it to receive them, or, where that costs nothing, are in the queue. */
static void request(void *state, struct grt_world *world, grt_job job) {
    struct gpu_server *self = state;
    struct server *server = server_of(self, world, job);
    const struct grt_job_view *view = grt_policy_job(world, job);
    grt_policy_count(world, self->requests);
    if (self->given->enqueue_cost == GRT_LOCK_ENQUEUE_CHARGED) {
        grt_ready_queue_push(&server->arrived, view->requested, view->tie, job);
    } else {
        enqueue(server, world, job);
    }
}

static void withdrawn(void *state, struct grt_world *world, grt_job job) {
    struct server *server = server_of(state, world, job);
    if (server->current == job && !server->gone) {
        server->gone = true;
    } else if (server->receiving == job) {
        server->receiving = GRT_NO_JOB;
    } else if (!grt_ready_queue_remove(&server->arrived, job)) {
        grt_ready_queue_remove(&server->queue, job);
    }
}

/* The commands have completed. */
static void done(void *state, struct grt_world *world, grt_job job) {
    struct server *server = server_of(state, world, job);
    server->executed = true;
}

static void job_ended(void *state, struct grt_world *world, grt_job job) {
    struct server *server = server_of(state, world, job);
    server->gone |= server->current == job;
}

static void timer(void *state, struct grt_world *world, uint32_t number) {
    struct gpu_server *self = state;
    (void)world;
    for (size_t i = 0; i < self->scenario->gpu_count; i++) {
        self->servers[i].cut |= self->servers[i].timer == number;
    }
}

/* ---- what the thread does ---- */

/* What is done for a job that is gone is shown as for nobody: the handle may be that of its task's next job by now. */
static void run(struct gpu_server *self, struct grt_world *world, struct server *server, enum work work,
                grt_job job, grt_time amount) {
    bool gone = work != WORK_RECEIVE && server->gone; /* all else is for the request that it serves */
    server->work = work;
    grt_policy_run(world, server->thread, amount, self->labels[work][grt_policy_job(world, job)->task],
                   gone ? GRT_NO_JOB : job);
}

static void take_next(struct gpu_server *self, struct grt_world *world, struct server *server) {
    grt_job job = grt_ready_queue_pop(&server->queue);
    server->current = job;
    server->phase = PHASE_BEFORE;
    server->gone = server->executed = server->after_done = false;
    server->since = grt_policy_now(world);
    if (self->given->budget > 0) {
        grt_policy_timer(world, server->timer, server->since + self->given->budget);
    }
    run(self, world, server, WORK_BEFORE, job, grt_policy_host_time(world, job, GRT_HOST_BEFORE));
}

/* The request that it serves is over. */
static void leave(struct gpu_server *self, struct grt_world *world, struct server *server) {
    uint32_t task = grt_policy_job(world, server->current)->task;
    grt_policy_trace_slice(world, server->row, self->served[task],
                           server->gone ? GRT_NO_JOB : server->current, server->since);
    if (!server->gone) {
        grt_policy_finish(world, server->current);
    }
    if (self->given->budget > 0) {
        grt_policy_timer(world, server->timer, GRT_TIME_NEVER);
    }
    server->current = GRT_NO_JOB;
    server->cut = server->gone = false;
}

/* The second host part, once; false if there is nothing to compute. */
static bool run_after(struct gpu_server *self, struct grt_world *world, struct server *server) {
    grt_time after =
        server->gone || server->after_done ? 0 : grt_policy_host_time(world, server->current, GRT_HOST_AFTER);
    server->after_done = true;
    if (after > 0) {
        run(self, world, server, WORK_AFTER, server->current, after);
    }
    return after > 0;
}

/* Whether the second host part is executed beside the commands. */
static bool is_beside(const struct gpu_server *self, const struct grt_world *world, grt_job job) {
    const struct grt_job_view *view = grt_policy_job(world, job);
    return self->scenario->tasks[view->task].segments[view->segment].host_mode == GRT_HOST_ASYNCHRONOUS;
}

/* Goes on with the request that it serves; false if the thread has nothing to do for it now. */
static bool serve(struct gpu_server *self, struct grt_world *world, struct server *server) {
    if (server->phase == PHASE_BEFORE && !server->gone) {
        server->phase = PHASE_DEVICE;
        grt_policy_submit(world, server->current, server->stream);
        return is_beside(self, world, server->current) && run_after(self, world, server);
    }
    if (server->phase == PHASE_DEVICE && !server->executed) {
        return false;
    }
    if (server->phase == PHASE_DEVICE && run_after(self, world, server)) {
        return true;
    }
    server->phase = PHASE_NOTIFY;
    run(self, world, server, WORK_NOTIFY, server->current, self->given->epsilon);
    return true;
}

static void receive(struct gpu_server *self, struct grt_world *world, struct server *server, grt_job job) {
    if (server->asleep) {
        grt_policy_count(world, self->wakes);
        server->asleep = false;
    }
    run(self, world, server, WORK_RECEIVE, job, self->given->epsilon);
}

static void thread_done(void *state, struct grt_world *world, grt_thread thread) {
    struct gpu_server *self = state;
    struct server *server = self->servers;
    while (server->thread != thread) {
        server++;
    }
    if (server->receiving != GRT_NO_JOB) {
        enqueue(server, world, server->receiving);
        server->receiving = GRT_NO_JOB;
    }
    server->done = server->work;
    server->work = WORK_NONE;
    if (server->done == WORK_NOTIFY) {
        leave(self, world, server);
    }
}

/* ---- decisions ---- */

/* What the thread has done leads to something at once: it goes on with the request. */
static void follow_up(struct gpu_server *self, struct grt_world *world, struct server *server) {
    enum work done = server->done;
    server->done = WORK_NONE;
    if (done == WORK_BEFORE || done == WORK_AFTER) {
        serve(self, world, server);
    }
}

/* A request has come: whatever the thread computes waits until it is received. */
static GRT_APART void receive_first(struct gpu_server *self, struct grt_world *world, struct server *server) {
    if (server->work != WORK_NONE) {
        server->interrupted = server->work;
        server->left = grt_policy_interrupt(world, server->thread);
    }
    server->receiving = grt_ready_queue_pop(&server->arrived);
    receive(self, world, server, server->receiving);
}

static GRT_APART void resume(struct gpu_server *self, struct grt_world *world, struct server *server) {
    enum work work = server->interrupted;
    server->interrupted = WORK_NONE;
    run(self, world, server, work, server->current, server->left);
}

/* The thread is free: it goes on with what it computed, or with the request that it serves, or takes the next one. */
static void step(struct gpu_server *self, struct grt_world *world, struct server *server) {
    bool serves = server->current != GRT_NO_JOB;
    if (server->interrupted != WORK_NONE) {
        resume(self, world, server);
    } else if (serves && server->phase == PHASE_DEVICE && server->executed) {
        serve(self, world, server);
    } else if (!serves && grt_ready_queue_is_empty(&server->queue)) {
        server->asleep = true;
    } else if (!serves && server->asleep && self->given->enqueue_cost == GRT_LOCK_ENQUEUE_MERGED) {
        receive(self, world, server, grt_ready_queue_top(&server->queue)->item);
    } else if (!serves) {
        take_next(self, world, server);
    }
}

static bool is_part(enum work work) {
    return work == WORK_BEFORE || work == WORK_AFTER;
}

/* Whether the job that it serves has been aborted: it is gone, or will be when the device is rid of it. */
static bool serves_nobody(const struct grt_world *world, const struct server *server) {
    return server->gone || (server->current != GRT_NO_JOB && !grt_policy_is_alive(world, server->current));
}

/* Nobody needs the rest of a host part of an aborted job; the thread goes on as if it had executed it. Notifying is the server's own. */
static GRT_RARE void leave_part(struct grt_world *world, struct server *server) {
    if (is_part(server->work)) {
        grt_policy_stop(world, server->thread);
        server->interrupted = server->work;
        server->work = WORK_NONE;
    }
    if (is_part(server->interrupted)) {
        server->left = 0;
    }
}

/* Whether a job has been cut: it is aborted when this decision is over, and what becomes of the request is for the next one, in the same instant. */
static GRT_RARE bool cut(struct gpu_server *self, struct grt_world *world, struct server *server) {
    server->cut = false;
    if (serves_nobody(world, server) || server->current == GRT_NO_JOB) {
        return false;
    }
    grt_policy_count(world, self->cuts);
    grt_policy_abort(world, server->current);
    return true;
}

static void decide(void *state, struct grt_world *world) {
    struct gpu_server *self = state;
    for (size_t i = 0; i < self->scenario->gpu_count; i++) {
        struct server *server = &self->servers[i];
        if (server->cut && cut(self, world, server)) {
            continue;
        }
        if (serves_nobody(world, server)) {
            leave_part(world, server);
        }
        if (server->work == WORK_NONE) {
            follow_up(self, world, server);
        }
        if (server->work != WORK_RECEIVE && !grt_ready_queue_is_empty(&server->arrived)) {
            receive_first(self, world, server);
        } else if (server->work == WORK_NONE) {
            step(self, world, server);
        }
    }
}

static void describe(const void *state, const struct grt_world *world, struct grt_description *out) {
    const struct gpu_server *self = state;
    (void)world;
    for (uint32_t i = 0; i < self->scenario->gpu_count; i++) {
        grt_describe_time(out, "epsilon", i, GRT_NUMBER_OF_NONE, self->given->epsilon);
        grt_describe_number(out, "server_priority", i, GRT_NUMBER_OF_NONE, highest_priority(self->scenario));
    }
}

const struct grt_policy_ops grt_policy_gpu_server = {
    .name = "gpu-server",
    .summary = "a server thread executes the GPU segments of all tasks, by priority",
    .state_size = sizeof(struct gpu_server),
    .parameters_size = sizeof(struct grt_server_parameters),
    .parameters = &server_parameters_record,
    .permissive = &server_permissive,
    .host = GRT_HOST_BY_POLICY,
    .promise = {.gpu = GRT_PROMISE_SERVER, .order = GRT_ORDER_PRIORITY, .whole = true},
    .start = start,
    .describe = describe,
    .gpu_request = request,
    .gpu_withdrawn = withdrawn,
    .gpu_done = done,
    .job_ended = job_ended,
    .thread_done = thread_done,
    .timer = timer,
    .decide = decide,
};
