/* PRUDA's first strategy: one stream, which holds one job. When it is empty, the first of the run queue goes there.
 *
 * Source: R. Tekin, H.-E. Zahaf, G. Lipari, "PRUDA: An API for Time and Space Predictible Programming in NVIDIA GPUs using CUDA", JRWRTC
 * 2019, section 4.1; `pruda_abort`: section 5.
 * Deviates: the paper leaves it to the user when to abort; here jobs without a deadline are aborted for those with one, if asked for. */
#include "policies/pruda/pruda.h"
#include "policies/pruda/records.h"

struct single_gpu {
    struct pruda_run_queue run;
    struct pruda_stream_queue stream;
};

struct single {
    struct pruda common; /* first: pruda_outranks takes the state */
    struct single_gpu *gpus;
};

static bool start(void *state, struct grt_world *world, struct grt_errors *errors) {
    struct single *self = state;
    if (!pruda_start(&self->common, world, errors)) {
        return false;
    }
    uint32_t count = (uint32_t)self->common.scenario->gpu_count;
    self->gpus = grt_policy_memory(world, count, sizeof *self->gpus);
    for (uint32_t i = 0; i < count; i++) {
        self->gpus[i].run = pruda_new_run_queue(world, "rq", i);
        self->gpus[i].stream = pruda_new_stream_queue(world, "sq", i, 0);
    }
    return true;
}

static void describe(const void *state, const struct grt_world *world, struct grt_description *out) {
    (void)world;
    pruda_describe(&((const struct single *)state)->common, out);
}

static struct single_gpu *gpu_of(struct single *self, const struct grt_world *world, grt_job job) {
    return &self->gpus[pruda_gpu_of(&self->common, world, job)];
}

static void request(void *state, struct grt_world *world, grt_job job) {
    struct single *self = state;
    pruda_push(&self->common, world, job, &gpu_of(self, world, job)->run);
}

static void withdrawn(void *state, struct grt_world *world, grt_job job) {
    struct single *self = state;
    pruda_remove(&self->common, world, job, &gpu_of(self, world, job)->run);
}

static void done(void *state, struct grt_world *world, grt_job job) {
    struct single *self = state;
    pruda_done(&self->common, world, &gpu_of(self, world, job)->stream);
}

static void decide(void *state, struct grt_world *world) {
    struct single *self = state;
    for (uint32_t i = 0; i < self->common.scenario->gpu_count; i++) {
        struct single_gpu *gpu = &self->gpus[i];
        pruda_settle(&self->common, world, i);
        if (gpu->stream.job == GRT_NO_JOB && !pruda_is_empty(&gpu->run)) {
            pruda_submit(&self->common, world, &gpu->run, &gpu->stream);
        }
        if (pruda_urges(&self->common, &gpu->run)) {
            pruda_abort_best_effort(world, &gpu->stream);
        }
        pruda_charge(&self->common, world, i, gpu->stream.job, pruda_is_empty(&gpu->run));
    }
}

static struct grt_promise promised(const void *parameters) {
    const struct pruda_parameters *given = parameters;
    struct grt_promise promise = {.gpu = GRT_PROMISE_ONE, .whole = true, .never_idle = true};
    promise.order = pruda_promised_order(given);
    promise.aborts_nothing = given->abort == PRUDA_ABORT_NEVER;
    return promise;
}

const struct grt_policy_ops grt_policy_pruda_single = {
    .name = "pruda-single",
    .summary = "PRUDA, one stream: a job at a time, by deadline, priority or GRUB",
    .state_size = sizeof(struct single),
    .parameters_size = sizeof(struct pruda_parameters),
    .parameters = &pruda_single_record,
    .memoryless = true, /* with servers, `auto` is refused in pruda_start */
    .promise = {.gpu = GRT_PROMISE_ONE, .whole = true, .never_idle = true},
    .promised = promised,
    .adapt = pruda_adapt,
    .start = start,
    .describe = describe,
    .gpu_request = request,
    .gpu_withdrawn = withdrawn,
    .gpu_done = done,
    .outranks = pruda_outranks,
    .decide = decide,
};
