/* PRUDA's third strategy: SMs as cores. Tasks that are pinned to SMs have a queue and a stream for each such part of the GPU, and parts execute
 * beside each other. All others need the GPU for themselves, and share it among each other by two streams, as under the second strategy.
 *
 * Source: R. Tekin, H.-E. Zahaf, G. Lipari, "PRUDA: An API for Time and Space Predictible Programming in NVIDIA GPUs using CUDA", JRWRTC
 * 2019, section 4.3.
 * Deviates: 1. The paper has two SMs, and puts the first jobs of sm0-q and sm1-q into l-sq and h-sq. Here every part has a stream of its own, of low
 * priority, so that there may be any number, and none goes before another. 2. What keeps the parts from starving who needs the whole GPU, and the other
 * way round, is not said: here the most urgent of all that wait decides. If it needs the whole GPU, parts begin nothing less urgent until it has it; if
 * it is pinned, it begins when its part is free, and nobody who has the whole GPU is preempted meanwhile. Of equally urgent ones the pinned one goes
 * first. */
#include <inttypes.h>
#include <stdio.h>

#include "policies/names.h"
#include "policies/pruda/pin.h"
#include "policies/pruda/pruda.h"
#include "policies/pruda/records.h"

enum { LOW, HIGH };

struct sm_part {
    struct pruda_run_queue run;
    struct pruda_stream_queue stream;
    uint32_t gpu;
};

struct sm_gpu {
    struct pruda_run_queue run;
    struct pruda_stream_queue streams[2];
};

struct sm {
    struct pruda common; /* first: pruda_outranks takes the state */
    struct sm_gpu *gpus;
    struct sm_part *parts;
    uint32_t part_count;
    uint32_t *part_of; /* by task; PRUDA_NO_PART: it needs the whole GPU */
};

static bool adapt(struct grt_scenario *scenario, const void *parameters, struct grt_arena *arena,
                  struct grt_errors *errors) {
    return pruda_adapt(scenario, parameters, arena, errors) &&
           pruda_pin_kernels(scenario, parameters, arena, errors);
}

/* ---- start ---- */

/* "sm0", or "sm4-7" where there are several. */
static void make_part(struct grt_world *world, const struct pruda_part *from, struct sm_part *part) {
    char stream[POLICY_NAME_SIZE / 2], queue[POLICY_NAME_SIZE / 2];
    int64_t last = from->sm + from->sms - 1;
    int length = snprintf(stream, sizeof stream, "sm%" PRId64, from->sm);
    if (last > from->sm) {
        snprintf(stream + length, sizeof stream - (size_t)length, "-%" PRId64, last);
    }
    snprintf(queue, sizeof queue, "%.28s-q", stream);
    part->run = pruda_new_run_queue(world, queue, from->gpu);
    part->stream = pruda_new_stream_queue(world, stream, from->gpu, 0);
    part->gpu = from->gpu;
}

static bool start(void *state, struct grt_world *world, struct grt_errors *errors) {
    struct sm *self = state;
    if (!pruda_start(&self->common, world, errors) ||
        !pruda_levels_suffice(&self->common, "pruda-sm", errors)) {
        return false;
    }
    uint32_t tasks = (uint32_t)self->common.scenario->task_count;
    uint32_t gpus = (uint32_t)self->common.scenario->gpu_count;
    struct pruda_part *parts = grt_policy_memory(world, tasks, sizeof *parts);
    self->part_of = grt_policy_memory(world, tasks, sizeof *self->part_of);
    self->part_count = pruda_find_parts(self->common.scenario, self->common.given, parts, self->part_of);
    self->gpus = grt_policy_memory(world, gpus, sizeof *self->gpus);
    self->parts = grt_policy_memory(world, tasks, sizeof *self->parts);
    for (uint32_t i = 0; i < gpus; i++) {
        self->gpus[i].run = pruda_new_run_queue(world, "rq", i);
        self->gpus[i].streams[HIGH] = pruda_new_stream_queue(world, "h-sq", i, -1);
        self->gpus[i].streams[LOW] = pruda_new_stream_queue(world, "l-sq", i, 0);
    }
    for (uint32_t i = 0; i < self->part_count; i++) {
        make_part(world, &parts[i], &self->parts[i]);
    }
    return true;
}

/* ---- events ---- */

static struct pruda_run_queue *run_queue_of(struct sm *self, const struct grt_world *world, grt_job job) {
    uint32_t part = self->part_of[grt_policy_job(world, job)->task];
    return part != PRUDA_NO_PART ? &self->parts[part].run
                                 : &self->gpus[pruda_gpu_of(&self->common, world, job)].run;
}

static void request(void *state, struct grt_world *world, grt_job job) {
    struct sm *self = state;
    pruda_push(&self->common, world, job, run_queue_of(self, world, job));
}

static void withdrawn(void *state, struct grt_world *world, grt_job job) {
    struct sm *self = state;
    pruda_remove(&self->common, world, job, run_queue_of(self, world, job));
}

static void done(void *state, struct grt_world *world, grt_job job) {
    struct sm *self = state;
    uint32_t part = self->part_of[grt_policy_job(world, job)->task];
    struct sm_gpu *gpu = &self->gpus[pruda_gpu_of(&self->common, world, job)];
    pruda_done(&self->common, world,
               part != PRUDA_NO_PART           ? &self->parts[part].stream
               : gpu->streams[HIGH].job == job ? &gpu->streams[HIGH]
                                               : &gpu->streams[LOW]);
}

/* ---- decisions ---- */

static bool is_whole_taken(const struct sm_gpu *gpu) {
    return gpu->streams[HIGH].job != GRT_NO_JOB || gpu->streams[LOW].job != GRT_NO_JOB;
}

static bool is_part_taken(const struct sm *self, uint32_t number) {
    for (uint32_t i = 0; i < self->part_count; i++) {
        if (self->parts[i].gpu == number && self->parts[i].stream.job != GRT_NO_JOB) {
            return true;
        }
    }
    return false;
}

/* Whether a pinned job waits that is at least as urgent as the first one that needs the whole GPU: who needs that does not preempt another one
 * before it. */
static bool is_held_up(const struct sm *self, const struct grt_world *world, uint32_t number) {
    const struct sm_gpu *gpu = &self->gpus[number];
    for (uint32_t i = 0; i < self->part_count; i++) {
        const struct sm_part *part = &self->parts[i];
        if (part->gpu == number && !pruda_is_empty(&part->run) &&
            !pruda_goes_before(&self->common, world, pruda_first(&gpu->run), pruda_first(&part->run))) {
            return true;
        }
    }
    return false;
}

/* Whether the first job of a part may begin: the part is free, and nobody more urgent needs the whole GPU. */
static bool may_begin(const struct sm *self, const struct grt_world *world, const struct sm_part *part) {
    const struct pruda_run_queue *whole = &self->gpus[part->gpu].run;
    return part->stream.job == GRT_NO_JOB && !pruda_is_empty(&part->run) &&
           (pruda_is_empty(whole) ||
            !pruda_goes_before(&self->common, world, pruda_first(whole), pruda_first(&part->run)));
}

/* The part of a GPU whose first job is the first of all that may begin; NULL: there is none. */
static struct sm_part *next_part(const struct sm *self, const struct grt_world *world, uint32_t number) {
    struct sm_part *next = NULL;
    for (uint32_t i = 0; i < self->part_count; i++) {
        struct sm_part *part = &self->parts[i];
        if (part->gpu == number && may_begin(self, world, part) &&
            (next == NULL ||
             pruda_is_first(&self->common, world, pruda_first(&part->run), pruda_first(&next->run)))) {
            next = part;
        }
    }
    return next;
}

/* The most urgent first: the blocks of those behind it wait for its own (X1). */
static void submit_pinned(struct sm *self, struct grt_world *world, uint32_t number) {
    for (struct sm_part *part; (part = next_part(self, world, number)) != NULL;) {
        pruda_submit(&self->common, world, &part->run, &part->stream);
    }
}

static void submit_whole(struct sm *self, struct grt_world *world, uint32_t number) {
    struct sm_gpu *gpu = &self->gpus[number];
    while (!pruda_is_empty(&gpu->run)) {
        struct pruda_stream_queue *to =
            pruda_place(&self->common, world, &gpu->run, &gpu->streams[HIGH], &gpu->streams[LOW]);
        if (to == NULL || is_held_up(self, world, number)) {
            return;
        }
        pruda_submit(&self->common, world, &gpu->run, to);
    }
}

/* Jobs without a deadline, for those with one that wait for their place, or for the whole GPU. */
static void abort_best_effort(struct sm *self, struct grt_world *world, uint32_t number) {
    struct sm_gpu *gpu = &self->gpus[number];
    bool urges = pruda_urges(&self->common, &gpu->run);
    for (uint32_t i = 0; i < self->part_count; i++) {
        struct sm_part *part = &self->parts[i];
        if (part->gpu == number && (urges || pruda_urges(&self->common, &part->run))) {
            pruda_abort_best_effort(world, &part->stream);
        }
    }
    for (uint32_t i = 0; !urges && i < self->part_count; i++) {
        urges = self->parts[i].gpu == number && pruda_urges(&self->common, &self->parts[i].run);
    }
    for (int i = LOW; urges && i <= HIGH; i++) {
        pruda_abort_best_effort(world, &gpu->streams[i]);
    }
}

static void decide(void *state, struct grt_world *world) {
    struct sm *self = state;
    for (uint32_t i = 0; i < self->common.scenario->gpu_count; i++) {
        if (!is_whole_taken(&self->gpus[i])) {
            submit_pinned(self, world, i);
        }
        if (!is_part_taken(self, i)) {
            submit_whole(self, world, i);
        }
        abort_best_effort(self, world, i);
    }
}

static struct grt_promise promised(const void *parameters) {
    const struct pruda_parameters *given = parameters;
    return (struct grt_promise){.gpu = GRT_PROMISE_PLACES,
                                .order = pruda_promised_order(given),
                                .whole = true,
                                .never_idle = true,
                                .aborts_nothing = given->abort == PRUDA_ABORT_NEVER};
}

const struct grt_policy_ops grt_policy_pruda_sm = {
    .name = "pruda-sm",
    .summary = "PRUDA, SMs as cores: pinned jobs beside each other, others as with two streams",
    .state_size = sizeof(struct sm),
    .parameters_size = sizeof(struct pruda_parameters),
    .parameters = &pruda_sm_record,
    .permissive = &pruda_multi_permissive,
    .promise = {.gpu = GRT_PROMISE_PLACES, .whole = true, .never_idle = true},
    .promised = promised,
    .needs_blocks = true,
    .adapt = adapt,
    .start = start,
    .gpu_request = request,
    .gpu_withdrawn = withdrawn,
    .gpu_done = done,
    .outranks = pruda_outranks,
    .decide = decide,
};
