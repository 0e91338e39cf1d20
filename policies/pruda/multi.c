/* PRUDA's second strategy: two streams of different priority, which hold a job each.
 *
 * Source: R. Tekin, H.-E. Zahaf, G. Lipari, "PRUDA: An API for Time and Space Predictible Programming in NVIDIA GPUs using CUDA", JRWRTC
 * 2019, section 4.2: 1. h-sq and l-sq are empty: the first of rq goes to l-sq. 2. h-sq is empty, l-sq is not: the first of rq goes to h-sq if it
 * is more urgent than the job in l-sq. Preemption, at the ends of blocks, and what the preempted kernel has of left-over room are the
 * device's (rules A1, A2 of docs/gpu-model.md).
 * Deviates: the paper does not say what happens where l-sq is empty and h-sq is not, which it is once the preempted job has ended first:
 * `co_run` says whether the first of rq may go to l-sq then; by default it waits. */
#include "policies/pruda/pruda.h"
#include "policies/pruda/records.h"

enum { LOW, HIGH };

struct multi_gpu {
    struct pruda_run_queue run;
    struct pruda_stream_queue streams[2];
    uint32_t timer; /* of servers: the one of the job in l-sq gets a later deadline */
};

struct multi {
    struct pruda common; /* first: pruda_outranks takes the state */
    struct multi_gpu *gpus;
    uint32_t preemptions; /* a counter: jobs that came to h-sq */
};

static bool start(void *state, struct grt_world *world, struct grt_errors *errors) {
    struct multi *self = state;
    if (!pruda_start(&self->common, world, errors) ||
        !pruda_levels_suffice(&self->common, "pruda-multi", errors)) {
        return false;
    }
    uint32_t count = (uint32_t)self->common.scenario->gpu_count;
    self->gpus = grt_policy_memory(world, count, sizeof *self->gpus);
    self->preemptions = grt_policy_counter(world, "preemptions");
    for (uint32_t i = 0; i < count; i++) {
        self->gpus[i].run = pruda_new_run_queue(world, "rq", i);
        self->gpus[i].streams[HIGH] = pruda_new_stream_queue(world, "h-sq", i, -1);
        self->gpus[i].streams[LOW] = pruda_new_stream_queue(world, "l-sq", i, 0);
        self->gpus[i].timer = grt_policy_new_timer(world);
    }
    return true;
}

static void describe(const void *state, const struct grt_world *world, struct grt_description *out) {
    (void)world;
    pruda_describe(&((const struct multi *)state)->common, out);
}

static struct multi_gpu *gpu_of(struct multi *self, const struct grt_world *world, grt_job job) {
    return &self->gpus[pruda_gpu_of(&self->common, world, job)];
}

static void request(void *state, struct grt_world *world, grt_job job) {
    struct multi *self = state;
    pruda_push(&self->common, world, job, &gpu_of(self, world, job)->run);
}

static void withdrawn(void *state, struct grt_world *world, grt_job job) {
    struct multi *self = state;
    pruda_remove(&self->common, world, job, &gpu_of(self, world, job)->run);
}

static void done(void *state, struct grt_world *world, grt_job job) {
    struct multi *self = state;
    struct multi_gpu *gpu = gpu_of(self, world, job);
    pruda_done(&self->common, world, &gpu->streams[gpu->streams[HIGH].job == job ? HIGH : LOW]);
}

static void decide_gpu(struct multi *self, struct grt_world *world, struct multi_gpu *gpu) {
    while (!pruda_is_empty(&gpu->run)) {
        struct pruda_stream_queue *to =
            pruda_place(&self->common, world, &gpu->run, &gpu->streams[HIGH], &gpu->streams[LOW]);
        if (to == NULL) {
            break;
        }
        if (to == &gpu->streams[HIGH]) {
            grt_policy_count(world, self->preemptions);
        }
        pruda_submit(&self->common, world, &gpu->run, to);
    }
    if (pruda_urges(&self->common, &gpu->run)) {
        pruda_abort_best_effort(world, &gpu->streams[HIGH]);
        pruda_abort_best_effort(world, &gpu->streams[LOW]);
    }
}

/* A server's deadline that is reached may let a job preempt that waits. */
static void watch_servers(struct multi *self, struct grt_world *world, uint32_t number) {
    struct multi_gpu *gpu = &self->gpus[number];
    bool may = gpu->streams[HIGH].job == GRT_NO_JOB && !pruda_is_empty(&gpu->run);
    if (self->common.given->order == PRUDA_GRUB) {
        grt_policy_timer(world, gpu->timer,
                         may ? pruda_deadline_reached(&self->common, world, number) : GRT_TIME_NEVER);
    }
}

/* Of two jobs the one in h-sq is charged, though the other one may use what it leaves. */
static void decide(void *state, struct grt_world *world) {
    struct multi *self = state;
    for (uint32_t i = 0; i < self->common.scenario->gpu_count; i++) {
        struct multi_gpu *gpu = &self->gpus[i];
        pruda_settle(&self->common, world, i);
        decide_gpu(self, world, gpu);
        grt_job high = gpu->streams[HIGH].job;
        pruda_charge(&self->common, world, i, high != GRT_NO_JOB ? high : gpu->streams[LOW].job,
                     pruda_is_empty(&gpu->run));
        watch_servers(self, world, i);
    }
}

static struct grt_promise promised(const void *parameters) {
    const struct pruda_parameters *given = parameters;
    return (struct grt_promise){.gpu = GRT_PROMISE_TWO_LEVELS,
                                .order = pruda_promised_order(given),
                                .co_run = given->co_run == PRUDA_CO_RUN_ALLOWED,
                                .whole = true,
                                .never_idle = true,
                                .aborts_nothing = given->abort == PRUDA_ABORT_NEVER};
}

const struct grt_policy_ops grt_policy_pruda_multi = {
    .name = "pruda-multi",
    .summary = "PRUDA, two streams: a more urgent job preempts at the ends of blocks, once",
    .state_size = sizeof(struct multi),
    .parameters_size = sizeof(struct pruda_parameters),
    .parameters = &pruda_multi_record,
    .permissive = &pruda_multi_permissive,
    .promise = {.gpu = GRT_PROMISE_TWO_LEVELS, .whole = true, .never_idle = true},
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
