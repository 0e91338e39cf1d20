/* A lock on every GPU, with a list of jobs that wait. */
#include "tests/support/faulty_policies.h"
#include "tests/support/world_builder.h"

struct lock_gpu {
    grt_stream stream;
    uint32_t holders;
    bool waiting[GRT_BUILDER_TASKS];
    grt_time rests_until;
    uint32_t timer;
};

struct lock {
    struct grt_host_lock given;
    struct lock_gpu gpus[GRT_MAX_GPUS];
    bool holds[GRT_BUILDER_TASKS], release[GRT_BUILDER_TASKS];
    uint32_t taken;
};

static bool start(void *state, struct grt_world *world, struct grt_errors *errors) {
    struct lock *self = state;
    (void)errors;
    self->given = *(const struct grt_host_lock *)grt_policy_parameters(world);
    for (uint32_t i = 0; i < grt_policy_scenario(world)->gpu_count; i++) {
        self->gpus[i].stream = grt_policy_stream(world, i, 0, "gpu");
        self->gpus[i].timer = grt_policy_new_timer(world);
    }
    return true;
}

static struct lock_gpu *gpu_of(struct lock *self, const struct grt_world *world, grt_job job) {
    return &self->gpus[grt_policy_scenario(world)->tasks[grt_policy_job(world, job)->task].gpu];
}

static void request(void *state, struct grt_world *world, grt_job job) {
    gpu_of(state, world, job)->waiting[job] = true;
}

static void withdrawn(void *state, struct grt_world *world, grt_job job) {
    gpu_of(state, world, job)->waiting[job] = false;
}

static void done(void *state, struct grt_world *world, grt_job job) {
    struct lock *self = state;
    struct lock_gpu *gpu = gpu_of(self, world, job);
    gpu->holders--;
    self->holds[job] = false;
    self->release[job] = true;
    if (self->given.fault == GRT_HOST_LEAVES_IDLE) {
        gpu->rests_until = grt_policy_now(world) + 5;
    }
}

static void ended(void *state, struct grt_world *world, grt_job job) {
    struct lock *self = state;
    (void)world;
    self->release[job] = false; /* the priority goes with the job */
}

static bool goes_first(const struct lock *self, const struct grt_world *world, grt_job a, grt_job b) {
    const struct grt_job_view *one = grt_policy_job(world, a), *other = grt_policy_job(world, b);
    int64_t key = self->given.by_request ? one->requested : -one->priority,
            own = self->given.by_request ? other->requested : -other->priority;
    bool first = key != own ? key < own : one->tie != other->tie ? one->tie < other->tie : a < b;
    return first != (self->given.fault == GRT_HOST_LAST_FIRST);
}

static void take(struct lock *self, struct grt_world *world, struct lock_gpu *gpu, grt_job job) {
    bool third = self->taken++ % 3 == 2;
    int64_t raised = self->given.boost + grt_policy_job(world, job)->priority -
                     (self->given.fault == GRT_HOST_BOOSTED_BADLY && third);
    gpu->waiting[job] = false;
    gpu->holders++;
    self->holds[job] = true;
    if (self->given.fault != GRT_HOST_NOT_BOOSTED || !third) {
        grt_policy_boost(world, job, raised);
    }
    grt_policy_spin(world, job, self->given.spins != (self->given.fault == GRT_HOST_WAITS_BADLY));
    grt_policy_submit(world, job, gpu->stream);
}

static bool hand_on(struct lock *self, struct grt_world *world, struct lock_gpu *gpu) {
    grt_job first = GRT_NO_JOB;
    uint32_t most = self->given.fault == GRT_HOST_TWO_AT_A_TIME ? 2 : 1;
    for (grt_job job = 0; job < grt_policy_scenario(world)->task_count; job++) {
        if (gpu->waiting[job] && (first == GRT_NO_JOB || goes_first(self, world, job, first))) {
            first = job;
        }
    }
    if (first == GRT_NO_JOB || gpu->holders >= most) {
        return false;
    }
    if (gpu->rests_until > grt_policy_now(world)) {
        grt_policy_timer(world, gpu->timer, gpu->rests_until);
        return false;
    }
    take(self, world, gpu, first);
    return true;
}

static void decide(void *state, struct grt_world *world) {
    struct lock *self = state;
    for (grt_job job = 0; job < grt_policy_scenario(world)->task_count; job++) {
        bool long_one = self->given.fault == GRT_HOST_BOOSTED_LONG && self->taken % 3 == 1;
        if (self->release[job] && !long_one) {
            grt_policy_unboost(world, job);
        }
        self->release[job] = false;
    }
    for (uint32_t i = 0; i < grt_policy_scenario(world)->gpu_count; i++) {
        while (hand_on(self, world, &self->gpus[i])) {
        }
    }
}

#define LOCK(by)                                                                                             \
    .summary = "for tests", .state_size = sizeof(struct lock),                                               \
    .parameters_size = sizeof(struct grt_host_lock), .host = GRT_HOST_BY_THREAD,                             \
    .promise = {.gpu = GRT_PROMISE_LOCK, .order = (by), .whole = true, .aborts_nothing = true},              \
    .start = start, .gpu_request = request, .gpu_withdrawn = withdrawn, .gpu_done = done,                    \
    .job_ended = ended, .decide = decide

const struct grt_policy_ops grt_host_mpcp = {.name = "mpcp", LOCK(GRT_ORDER_PRIORITY)};
const struct grt_policy_ops grt_host_fmlp = {.name = "fmlp+", LOCK(GRT_ORDER_REQUEST)};
