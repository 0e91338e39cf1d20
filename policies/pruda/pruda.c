#include "policies/pruda/pruda.h"

#include <inttypes.h>
#include <string.h>

#include "policies/names.h"

/* ---- servers ---- */

/* The longest time of a job's GPU segments; GRT_TIME_NEVER: it is not known. */
static grt_time gpu_time_of(const struct grt_world *world, uint32_t number) {
    const struct grt_task *task = &grt_policy_scenario(world)->tasks[number];
    grt_time sum = 0;
    for (uint32_t i = 0; i < task->segment_count; i++) {
        grt_time time =
            task->segments[i].kind == GRT_SEGMENT_GPU ? grt_policy_segment_time(world, number, i) : 0;
        if (time > GRT_TIME_LIMIT - sum) {
            return GRT_TIME_NEVER;
        }
        sum += time;
    }
    return sum;
}

static const struct pruda_server_fields *given_server(const struct pruda *self, const char *task) {
    const struct pruda_server_fields *items = self->given->servers.items;
    for (size_t i = 0; i < self->given->servers.count; i++) {
        if (strcmp(items[i].task, task) == 0) {
            return &items[i];
        }
    }
    return NULL;
}

static bool make_server(const struct pruda *self, const struct grt_world *world, uint32_t number,
                        struct grub_server *server, struct grt_errors *errors) {
    const struct grt_task *task = &self->scenario->tasks[number];
    const struct pruda_server_fields *given = given_server(self, task->name);
    server->budget = given != NULL && given->budget > 0 ? given->budget : gpu_time_of(world, number);
    server->period = given != NULL && given->period > 0 ? given->period : task->period;
    const char *lacks = server->budget == GRT_TIME_NEVER ? "budget" : server->period == 0 ? "period" : NULL;
    if (lacks != NULL) {
        grt_error_add(errors, NULL, "policy.servers: task \"%s\" needs a server with a %s", task->name,
                      lacks);
    } else if (server->budget > server->period) {
        grt_error_add(errors, NULL,
                      "policy.servers: the server of task \"%s\" needs %" PRId64 " ns every %" PRId64
                      " ns, which is more than the GPU has",
                      task->name, server->budget, server->period);
        lacks = "bandwidth";
    }
    return lacks == NULL;
}

static bool make_servers_of(struct pruda *self, struct grt_world *world, uint32_t gpu,
                            struct grt_errors *errors) {
    uint32_t count = (uint32_t)self->scenario->task_count;
    struct grub_server *servers = grt_policy_memory(world, count, sizeof *servers);
    bool good = true;
    for (uint32_t i = 0; i < count; i++) {
        const struct grt_task *task = &self->scenario->tasks[i];
        if (task->gpu == gpu && grt_task_uses_gpu(task)) {
            good &= make_server(self, world, i, &servers[i], errors);
        }
    }
    if (!good) {
        return false;
    }
    grub_start(&self->grubs[gpu], servers, count);
    if (grub_is_overloaded(&self->grubs[gpu])) {
        grt_error_add(errors, NULL, "policy.servers: the servers of gpu %u together need more than all of it",
                      gpu);
        return false;
    }
    return true;
}

static bool are_known(const struct pruda *self, struct grt_errors *errors) {
    const struct pruda_server_fields *items = self->given->servers.items;
    bool good = true;
    for (size_t i = 0; i < self->given->servers.count; i++) {
        bool known = false, again = false;
        for (size_t j = 0; j < self->scenario->task_count; j++) {
            const struct grt_task *task = &self->scenario->tasks[j];
            known |= strcmp(task->name, items[i].task) == 0 && grt_task_uses_gpu(task);
        }
        for (size_t j = 0; j < i; j++) {
            again |= strcmp(items[j].task, items[i].task) == 0;
        }
        if (!known || again) {
            grt_error_add(errors, NULL, "policy.servers[%zu].task: %s \"%s\"", i,
                          again ? "there is a server already of" : "no task with GPU segments is named",
                          items[i].task);
            good = false;
        }
    }
    return good;
}

static bool make_servers(struct pruda *self, struct grt_world *world, struct grt_errors *errors) {
    bool good = are_known(self, errors);
    if (self->scenario->horizon_kind == GRT_HORIZON_AUTO) {
        grt_error_add(errors, NULL,
                      "horizon: \"auto\" is not possible with the order grub, whose servers cannot be "
                      "compared; \"hyperperiod\" or a duration is");
        return false;
    }
    self->grubs = grt_policy_memory(world, self->scenario->gpu_count, sizeof *self->grubs);
    for (uint32_t gpu = 0; gpu < self->scenario->gpu_count; gpu++) {
        good &= make_servers_of(self, world, gpu, errors);
    }
    self->postponed = grt_policy_counter(world, "server_deadlines_postponed");
    return good;
}

/* ---- start ---- */

bool pruda_start(struct pruda *self, struct grt_world *world, struct grt_errors *errors) {
    self->given = grt_policy_parameters(world);
    self->scenario = grt_policy_scenario(world);
    self->labels = policy_labels_of_tasks(world, "");
    if (self->given->order == PRUDA_GRUB) {
        return make_servers(self, world, errors);
    }
    if (self->given->servers.count > 0) {
        grt_error_add(errors, NULL, "policy.servers: only the order grub has servers");
        return false;
    }
    return true;
}

bool pruda_levels_suffice(const struct pruda *self, const char *policy, struct grt_errors *errors) {
    bool good = true;
    for (uint32_t i = 0; i < self->scenario->gpu_count; i++) {
        const struct grt_device *device = &self->scenario->gpus[i];
        if (device->priority_levels < 2 && self->given->one_level == PRUDA_ONE_LEVEL_REFUSED) {
            grt_error_add(
                errors, NULL,
                "policy %s needs streams of two priorities; gpu %u (%s) has one; pruda-single does with one, "
                "and \"one_level\": \"accepted\" runs it all the same",
                policy, i, device->name);
            good = false;
        }
    }
    return good;
}

void pruda_describe(const struct pruda *self, struct grt_description *out) {
    static const char *const names[] = {"server_budget", "server_period"};
    for (int name = 0; self->grubs != NULL && name < 2; name++) {
        for (uint32_t gpu = 0; gpu < self->scenario->gpu_count; gpu++) {
            for (uint32_t i = 0; i < self->grubs[gpu].count; i++) {
                const struct grub_server *server = &self->grubs[gpu].servers[i];
                if (server->budget > 0) {
                    grt_describe_time(out, names[name], gpu, i, name == 0 ? server->budget : server->period);
                }
            }
        }
    }
}

struct pruda_run_queue pruda_new_run_queue(struct grt_world *world, const char *name, uint32_t gpu) {
    uint32_t count = (uint32_t)grt_policy_scenario(world)->task_count;
    return (struct pruda_run_queue){.jobs = grt_policy_ready_queue(world, count),
                                    .best_effort = grt_policy_ready_queue(world, count),
                                    .row = policy_row_of_gpu(world, name, gpu)};
}

struct pruda_stream_queue pruda_new_stream_queue(struct grt_world *world, const char *name, uint32_t gpu,
                                                 int64_t priority) {
    return (struct pruda_stream_queue){.stream = grt_policy_stream(world, gpu, priority, name),
                                       .job = GRT_NO_JOB,
                                       .row = policy_row_of_gpu(world, name, gpu)};
}

/* ---- order ---- */

uint32_t pruda_gpu_of(const struct pruda *self, const struct grt_world *world, grt_job job) {
    return (uint32_t)self->scenario->tasks[grt_policy_job(world, job)->task].gpu;
}

static int64_t key_of(const struct pruda *self, const struct grt_world *world, grt_job job) {
    const struct grt_job_view *view = grt_policy_job(world, job);
    switch (self->given->order) {
    case PRUDA_FP:
        return -view->priority;
    case PRUDA_GRUB:
        return grub_deadline(&self->grubs[pruda_gpu_of(self, world, job)], view->task);
    default:
        return view->deadline;
    }
}

/* Whether a job goes behind those with deadlines, and is aborted for them. */
static bool is_best_effort(const struct pruda *self, const struct grt_world *world, grt_job job) {
    return self->given->abort == PRUDA_ABORT_BEST_EFFORT &&
           grt_policy_job(world, job)->deadline == GRT_TIME_NEVER;
}

bool pruda_goes_before(const struct pruda *self, const struct grt_world *world, grt_job a, grt_job b) {
    bool late_a = is_best_effort(self, world, a), late_b = is_best_effort(self, world, b);
    return late_a != late_b ? late_b : key_of(self, world, a) < key_of(self, world, b);
}

bool pruda_is_first(const struct pruda *self, const struct grt_world *world, grt_job a, grt_job b) {
    if (pruda_goes_before(self, world, a, b) || pruda_goes_before(self, world, b, a)) {
        return pruda_goes_before(self, world, a, b);
    }
    uint64_t tie_a = grt_policy_job(world, a)->tie, tie_b = grt_policy_job(world, b)->tie;
    return tie_a != tie_b ? tie_a < tie_b : a < b;
}

enum grt_promise_order pruda_promised_order(const struct pruda_parameters *given) {
    if (given->order == PRUDA_FP) {
        return given->abort == PRUDA_ABORT_BEST_EFFORT ? GRT_ORDER_NONE : GRT_ORDER_PRIORITY;
    }
    return given->order == PRUDA_EDF ? GRT_ORDER_DEADLINE : GRT_ORDER_NONE;
}

bool pruda_outranks(const void *state, const struct grt_world *world, grt_job a, grt_job b) {
    const struct pruda *self = state;
    const struct grt_job_view *job_a = grt_policy_job(world, a), *job_b = grt_policy_job(world, b);
    return self->given->order == PRUDA_FP ? job_a->priority > job_b->priority
                                          : job_a->deadline < job_b->deadline;
}

/* ---- run queues ---- */

void pruda_push(struct pruda *self, struct grt_world *world, grt_job job, struct pruda_run_queue *queue) {
    const struct grt_job_view *view = grt_policy_job(world, job);
    if (self->grubs != NULL) {
        grt_time now = grt_policy_now(world);
        grub_arrive(&self->grubs[pruda_gpu_of(self, world, job)], view->task, view->release < now, now);
    }
    bool behind = is_best_effort(self, world, job);
    grt_ready_queue_push(behind ? &queue->best_effort : &queue->jobs, key_of(self, world, job), view->tie,
                         job);
}

/* A job no longer stands on a row; not shown where it did so for no time. */
static void show(const struct pruda *self, struct grt_world *world, uint32_t row, grt_job job,
                 grt_time since) {
    if (since < grt_policy_now(world)) {
        grt_policy_trace_slice(world, row, self->labels[grt_policy_job(world, job)->task], job, since);
    }
}

void pruda_remove(struct pruda *self, struct grt_world *world, grt_job job, struct pruda_run_queue *queue) {
    const struct grt_job_view *view = grt_policy_job(world, job);
    grt_ready_queue_remove(is_best_effort(self, world, job) ? &queue->best_effort : &queue->jobs, job);
    show(self, world, queue->row, job, view->requested);
    if (self->grubs != NULL) {
        grub_complete(&self->grubs[pruda_gpu_of(self, world, job)], view->task, grt_policy_now(world));
    }
}

bool pruda_is_empty(const struct pruda_run_queue *queue) {
    return grt_ready_queue_is_empty(&queue->jobs) && grt_ready_queue_is_empty(&queue->best_effort);
}

grt_job pruda_first(const struct pruda_run_queue *queue) {
    return grt_ready_queue_top(grt_ready_queue_is_empty(&queue->jobs) ? &queue->best_effort : &queue->jobs)
        ->item;
}

bool pruda_urges(const struct pruda *self, const struct pruda_run_queue *queue) {
    return self->given->abort == PRUDA_ABORT_BEST_EFFORT && !grt_ready_queue_is_empty(&queue->jobs);
}

/* ---- stream queues ---- */

void pruda_submit(struct pruda *self, struct grt_world *world, struct pruda_run_queue *from,
                  struct pruda_stream_queue *to) {
    grt_job job =
        grt_ready_queue_pop(grt_ready_queue_is_empty(&from->jobs) ? &from->best_effort : &from->jobs);
    show(self, world, from->row, job, grt_policy_job(world, job)->requested);
    to->job = job;
    to->since = grt_policy_now(world);
    grt_policy_submit(world, job, to->stream);
}

void pruda_done(struct pruda *self, struct grt_world *world, struct pruda_stream_queue *queue) {
    grt_job job = queue->job;
    show(self, world, queue->row, job, queue->since);
    queue->job = GRT_NO_JOB;
    if (self->grubs != NULL) {
        grub_complete(&self->grubs[pruda_gpu_of(self, world, job)], grt_policy_job(world, job)->task,
                      grt_policy_now(world));
    }
}

struct pruda_stream_queue *pruda_place(const struct pruda *self, const struct grt_world *world,
                                       const struct pruda_run_queue *from, struct pruda_stream_queue *high,
                                       struct pruda_stream_queue *low) {
    if (high->job == GRT_NO_JOB && low->job == GRT_NO_JOB) {
        return low; /* rule 1 */
    }
    if (high->job == GRT_NO_JOB) {
        return pruda_goes_before(self, world, pruda_first(from), low->job) ? high : NULL; /* rule 2 */
    }
    bool may = low->job == GRT_NO_JOB && self->given->co_run == PRUDA_CO_RUN_ALLOWED; /* rule 3 */
    return may ? low : NULL;
}

void pruda_abort_best_effort(struct grt_world *world, const struct pruda_stream_queue *queue) {
    if (queue->job != GRT_NO_JOB && grt_policy_job(world, queue->job)->deadline == GRT_TIME_NEVER &&
        grt_policy_is_alive(world, queue->job)) {
        grt_policy_abort(world, queue->job);
    }
}

/* ---- servers at work ---- */

void pruda_settle(struct pruda *self, struct grt_world *world, uint32_t gpu) {
    if (self->grubs != NULL) {
        grub_settle(&self->grubs[gpu], false, grt_policy_now(world));
    }
}

void pruda_charge(struct pruda *self, struct grt_world *world, uint32_t gpu, grt_job job, bool idle) {
    if (self->grubs == NULL) {
        return;
    }
    struct grub *grub = &self->grubs[gpu];
    grub_execute(grub, job == GRT_NO_JOB ? GRUB_NONE : grt_policy_job(world, job)->task,
                 grt_policy_now(world));
    if (job == GRT_NO_JOB && idle) {
        grub_settle(grub, true, grt_policy_now(world));
    }
    for (; grub->postponed > 0; grub->postponed--) {
        grt_policy_count(world, self->postponed);
    }
}

grt_time pruda_deadline_reached(const struct pruda *self, const struct grt_world *world, uint32_t gpu) {
    grt_time span = self->grubs != NULL ? grub_until_reached(&self->grubs[gpu]) : GRT_TIME_NEVER;
    grt_time now = grt_policy_now(world);
    return span < GRT_TIME_NEVER - now ? now + span : GRT_TIME_NEVER;
}
