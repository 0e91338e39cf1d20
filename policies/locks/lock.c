#include "policies/locks/lock.h"

#include "policies/names.h"
#include "sim/inlining.h"

enum { HOLDS, BOOSTED };

/* ---- start ---- */

/* A task without a core of its own in the file has one; then every other task is on another. */
static int64_t core_of(const struct grt_scenario *scenario, uint32_t task) {
    return scenario->core_count > 0 ? scenario->tasks[task].cpu : task;
}

/* The highest priority of the tasks of other cores that use the GPU; of the task itself where there are none. */
static int64_t ceiling_of(const struct grt_scenario *scenario, uint32_t number) {
    const struct grt_task *task = &scenario->tasks[number];
    int64_t ceiling = INT64_MIN;
    for (uint32_t i = 0; i < scenario->task_count; i++) {
        const struct grt_task *other = &scenario->tasks[i];
        bool remote = core_of(scenario, i) != core_of(scenario, number);
        if (remote && other->gpu == task->gpu && grt_task_uses_gpu(other) && other->priority > ceiling) {
            ceiling = other->priority;
        }
    }
    return ceiling != INT64_MIN ? ceiling : task->priority;
}

/* What has to be added to any task's priority to be above all of them. */
static int64_t boost_base(const struct grt_scenario *scenario) {
    int64_t least = INT64_MAX, most = INT64_MIN;
    for (uint32_t i = 0; i < scenario->task_count; i++) {
        int64_t priority = scenario->tasks[i].priority;
        least = priority < least ? priority : least;
        most = priority > most ? priority : most;
    }
    return most - least + 1;
}

bool lock_start(void *state, struct grt_world *world, struct grt_errors *errors) {
    struct lock_policy *self = state;
    (void)errors;
    self->scenario = grt_policy_scenario(world);
    self->given = grt_policy_parameters(world);
    self->base = boost_base(self->scenario);
    self->gpus = grt_policy_memory(world, self->scenario->gpu_count, sizeof *self->gpus);
    self->ceilings = grt_policy_memory(world, self->scenario->task_count, sizeof *self->ceilings);
    for (uint32_t i = 0; i < self->scenario->task_count; i++) {
        self->ceilings[i] = ceiling_of(self->scenario, i);
    }
    for (uint32_t i = 0; i < self->scenario->gpu_count; i++) {
        struct lock_gpu *gpu = &self->gpus[i];
        gpu->stream = grt_policy_stream(world, i, 0, "lock");
        gpu->waiting = grt_policy_ready_queue(world, (uint32_t)self->scenario->task_count);
        gpu->holder = gpu->released = GRT_NO_JOB;
        gpu->timer = grt_policy_new_timer(world);
        gpu->row = policy_row_of_gpu(world, "lock", i);
        gpu->boost_row = policy_row_of_gpu(world, "boosted", i);
    }
    self->labels[HOLDS] = policy_labels_of_tasks(world, "holds the GPU");
    self->labels[BOOSTED] = policy_labels_of_tasks(world, "boosted");
    self->requests = grt_policy_counter(world, "requests");
    self->waits = grt_policy_counter(world, "requests_that_waited");
    if (self->given->budget > 0) {
        self->cuts = grt_policy_counter(world, "requests_cut");
    }
    return true;
}

/* ---- requests ---- */

static struct lock_gpu *gpu_of(const struct lock_policy *self, const struct grt_world *world, grt_job job) {
    return &self->gpus[self->scenario->tasks[grt_policy_job(world, job)->task].gpu];
}

void lock_push(void *state, struct grt_world *world, grt_job job, int64_t key) {
    struct lock_policy *self = state;
    struct lock_gpu *gpu = gpu_of(self, world, job);
    grt_policy_count(world, self->requests);
    grt_ready_queue_push(&gpu->waiting, key, grt_policy_job(world, job)->tie, job);
}

void lock_withdrawn(void *state, struct grt_world *world, grt_job job) {
    grt_ready_queue_remove(&gpu_of(state, world, job)->waiting, job);
}

/* ---- giving back ---- */

void lock_done(void *state, struct grt_world *world, grt_job job) {
    struct lock_policy *self = state;
    struct lock_gpu *gpu = gpu_of(self, world, job);
    uint32_t task = grt_policy_job(world, job)->task;
    grt_policy_trace_slice(world, gpu->row, self->labels[HOLDS][task], job, gpu->since);
    grt_policy_trace_slice(world, gpu->boost_row, self->labels[BOOSTED][task], job, gpu->since);
    if (self->given->budget > 0) {
        grt_policy_timer(world, gpu->timer, GRT_TIME_NEVER);
    }
    gpu->holder = GRT_NO_JOB;
    gpu->released = job;
    gpu->cut = false;
}

/* The priority of a job that has ended went with it. */
void lock_job_ended(void *state, struct grt_world *world, grt_job job) {
    struct lock_gpu *gpu = gpu_of(state, world, job);
    if (gpu->released == job) {
        gpu->released = GRT_NO_JOB;
    }
}

void lock_timer(void *state, struct grt_world *world, uint32_t timer) {
    struct lock_policy *self = state;
    (void)world;
    for (size_t i = 0; i < self->scenario->gpu_count; i++) {
        self->gpus[i].cut |= self->gpus[i].timer == timer;
    }
}

/* ---- decisions ---- */

/* A holder that is being aborted for another reason keeps the lock until the device is rid of it. */
static GRT_RARE void cut(struct lock_policy *self, struct grt_world *world, struct lock_gpu *gpu) {
    gpu->cut = false;
    if (gpu->holder != GRT_NO_JOB && grt_policy_is_alive(world, gpu->holder)) {
        grt_policy_count(world, self->cuts);
        grt_policy_abort(world, gpu->holder);
    }
}

static GRT_APART void grant(struct lock_policy *self, struct grt_world *world, struct lock_gpu *gpu,
                            int64_t urgency, grt_job job) {
    grt_time now = grt_policy_now(world);
    gpu->holder = job;
    gpu->since = now;
    if (now > grt_policy_job(world, job)->requested) {
        grt_policy_count(world, self->waits);
    }
    grt_policy_boost(world, job, urgency);
    grt_policy_spin(world, job, self->given->waiting == GRT_LOCK_SPIN);
    grt_policy_submit(world, job, gpu->stream);
    if (self->given->budget > 0) {
        grt_policy_timer(world, gpu->timer, now + self->given->budget);
    }
}

void lock_decide(struct lock_policy *self, struct grt_world *world,
                 int64_t (*urgency)(const struct lock_policy *self, const struct grt_world *world,
                                    grt_job job)) {
    for (size_t i = 0; i < self->scenario->gpu_count; i++) {
        struct lock_gpu *gpu = &self->gpus[i];
        if (gpu->released != GRT_NO_JOB) {
            grt_policy_unboost(world, gpu->released);
            gpu->released = GRT_NO_JOB;
        }
        if (gpu->cut) {
            cut(self, world, gpu);
        }
        if (gpu->holder == GRT_NO_JOB && !grt_ready_queue_is_empty(&gpu->waiting)) {
            grt_job job = grt_ready_queue_pop(&gpu->waiting);
            grant(self, world, gpu, urgency(self, world, job), job);
        }
    }
}
