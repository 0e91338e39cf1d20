#include "tests/support/nearly_levels.h"

#include "tests/support/world_builder.h"

enum { LOW, HIGH, THIRD, LEVELS };

struct levels_gpu {
    grt_stream streams[LEVELS];
    grt_job occupants[LEVELS];
    bool waiting[GRT_BUILDER_TASKS];
    grt_time rests_until;
    uint32_t timer;
};

struct nearly {
    struct grt_nearly_levels given;
    struct levels_gpu gpus[GRT_MAX_GPUS];
};

static struct levels_gpu *gpu_of(struct nearly *self, const struct grt_world *world, grt_job job) {
    return &self->gpus[grt_policy_scenario(world)->tasks[grt_policy_job(world, job)->task].gpu];
}

static bool start(void *state, struct grt_world *world, struct grt_errors *errors) {
    struct nearly *self = state;
    (void)errors;
    self->given = *(const struct grt_nearly_levels *)grt_policy_parameters(world);
    bool alike = self->given.fault == GRT_LEVELS_ALIKE, one = self->given.fault == GRT_LEVELS_ONE_STREAM;
    for (uint32_t i = 0; i < grt_policy_scenario(world)->gpu_count; i++) {
        struct levels_gpu *gpu = &self->gpus[i];
        gpu->timer = grt_policy_new_timer(world);
        for (int j = LOW; j < LEVELS; j++) {
            gpu->streams[j] = one && j > LOW ? gpu->streams[LOW]
                                             : grt_policy_stream(world, i, j == LOW || alike ? 0 : -1, "s");
            gpu->occupants[j] = GRT_NO_JOB;
        }
    }
    return true;
}

static void request(void *state, struct grt_world *world, grt_job job) {
    gpu_of(state, world, job)->waiting[job] = true;
}

static void withdrawn(void *state, struct grt_world *world, grt_job job) {
    gpu_of(state, world, job)->waiting[job] = false;
}

static void done(void *state, struct grt_world *world, grt_job job) {
    struct nearly *self = state;
    struct levels_gpu *gpu = gpu_of(self, world, job);
    for (int j = LOW; j < LEVELS; j++) {
        gpu->occupants[j] = gpu->occupants[j] == job ? GRT_NO_JOB : gpu->occupants[j];
    }
    gpu->rests_until = grt_policy_now(world) + (self->given.fault == GRT_LEVELS_RESTS ? 3 : 0);
}

static int64_t key_of(const struct nearly *self, const struct grt_world *world, grt_job job) {
    const struct grt_job_view *view = grt_policy_job(world, job);
    int64_t key = self->given.by_deadline ? view->deadline : -view->priority;
    return self->given.fault == GRT_LEVELS_LAST_FIRST ? -key : key;
}

static bool goes_first(const struct nearly *self, const struct grt_world *world, grt_job a, grt_job b) {
    const struct grt_job_view *one = grt_policy_job(world, a), *other = grt_policy_job(world, b);
    int64_t own = key_of(self, world, a), others = key_of(self, world, b);
    if (own != others) {
        return own < others;
    }
    return one->tie != other->tie ? one->tie < other->tie : one->task < other->task;
}

static grt_job first_of(const struct nearly *self, const struct levels_gpu *gpu,
                        const struct grt_world *world) {
    grt_job first = GRT_NO_JOB;
    for (grt_job job = 0; job < GRT_BUILDER_TASKS; job++) {
        if (gpu->waiting[job] && (first == GRT_NO_JOB || goes_first(self, world, job, first))) {
            first = job;
        }
    }
    return first;
}

static bool is_free(const struct levels_gpu *gpu, int level) {
    return gpu->occupants[level] == GRT_NO_JOB;
}

static bool is_above(const struct nearly *self, const struct grt_world *world, const struct levels_gpu *gpu,
                     grt_job job, int level) {
    return key_of(self, world, job) < key_of(self, world, gpu->occupants[level]);
}

/* Where that job goes; LEVELS: it waits. */
static int level_for(const struct nearly *self, const struct grt_world *world, const struct levels_gpu *gpu,
                     grt_job job) {
    int64_t fault = self->given.fault;
    int low = fault == GRT_LEVELS_SWAPPED ? HIGH : LOW, high = fault == GRT_LEVELS_SWAPPED ? LOW : HIGH;
    if (is_free(gpu, low) && is_free(gpu, high)) {
        return low;
    }
    if (is_free(gpu, high)) {
        bool goes = fault == GRT_LEVELS_ANYBODY || is_above(self, world, gpu, job, low);
        return goes && fault != GRT_LEVELS_NOBODY ? high : LEVELS;
    }
    if (is_free(gpu, low)) {
        return self->given.co_run || fault == GRT_LEVELS_CO_RUN ? low : LEVELS;
    }
    bool third = fault == GRT_LEVELS_THREE && is_free(gpu, THIRD) && is_above(self, world, gpu, job, high);
    return third ? THIRD : LEVELS;
}

static void decide(void *state, struct grt_world *world) {
    struct nearly *self = state;
    for (uint32_t i = 0; i < grt_policy_scenario(world)->gpu_count; i++) {
        struct levels_gpu *gpu = &self->gpus[i];
        grt_job job;
        int level;
        if (grt_policy_now(world) < gpu->rests_until) {
            grt_policy_timer(world, gpu->timer, gpu->rests_until);
            continue;
        }
        while ((job = first_of(self, gpu, world)) != GRT_NO_JOB &&
               (level = level_for(self, world, gpu, job)) < LEVELS) {
            grt_policy_submit(world, job, gpu->streams[level]);
            gpu->waiting[job] = false;
            gpu->occupants[level] = job;
        }
    }
}

const struct grt_policy_ops grt_nearly_levels = {
    .name = "nearly-levels",
    .summary = "two streams, perhaps with a fault",
    .state_size = sizeof(struct nearly),
    .parameters_size = sizeof(struct grt_nearly_levels),
    .start = start,
    .gpu_request = request,
    .gpu_withdrawn = withdrawn,
    .gpu_done = done,
    .decide = decide,
};
