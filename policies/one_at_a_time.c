#include "policies/one_at_a_time.h"

#include "sim/inlining.h"

bool one_at_a_time_start(void *state, struct grt_world *world, struct grt_errors *errors) {
    struct one_at_a_time *self = state;
    (void)errors;
    self->scenario = grt_policy_scenario(world);
    self->gpus = grt_policy_memory(world, self->scenario->gpu_count, sizeof *self->gpus);
    for (uint32_t i = 0; i < self->scenario->gpu_count; i++) {
        self->gpus[i].stream = grt_policy_stream(world, i, 0, "gpu");
        self->gpus[i].waiting = grt_policy_ready_queue(world, (uint32_t)self->scenario->task_count);
    }
    return true;
}

static struct one_at_a_time_gpu *gpu_of(struct one_at_a_time *self, const struct grt_world *world,
                                        grt_job job) {
    bool several = self->scenario->gpu_count > 1;
    return several ? &self->gpus[self->scenario->tasks[grt_policy_job(world, job)->task].gpu] : self->gpus;
}

void one_at_a_time_push(void *state, const struct grt_world *world, grt_job job, int64_t key) {
    grt_ready_queue_push(&gpu_of(state, world, job)->waiting, key, grt_policy_job(world, job)->tie, job);
}

void one_at_a_time_withdrawn(void *state, struct grt_world *world, grt_job job) {
    grt_ready_queue_remove(&gpu_of(state, world, job)->waiting, job);
}

void one_at_a_time_done(void *state, struct grt_world *world, grt_job job) {
    gpu_of(state, world, job)->busy = false;
}

/* Apart, so that the many decisions without a submission stay short. */
static GRT_APART void submit_next(struct grt_world *world, struct one_at_a_time_gpu *gpu) {
    grt_policy_submit(world, grt_ready_queue_pop(&gpu->waiting), gpu->stream);
    gpu->busy = true;
}

void one_at_a_time_decide(void *state, struct grt_world *world) {
    struct one_at_a_time *self = state;
    for (size_t i = 0; i < self->scenario->gpu_count; i++) {
        struct one_at_a_time_gpu *gpu = &self->gpus[i];
        if (!gpu->busy && !grt_ready_queue_is_empty(&gpu->waiting)) {
            submit_next(world, gpu);
        }
    }
}
