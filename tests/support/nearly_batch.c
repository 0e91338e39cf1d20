#include "tests/support/nearly_batch.h"

#include <string.h>

#include "tests/support/world_builder.h"

enum { MOST = 5, STAGES = 3 };

struct batch_gpu {
    grt_stream streams[MOST], out[MOST];
    grt_stream_event copied[MOST], computed[MOST], done[MOST];
    bool waiting[GRT_BUILDER_TASKS], member[GRT_BUILDER_TASKS];
    uint32_t size, left;
    grt_time rests_until;
    uint32_t timer;
};

struct nearly {
    struct grt_nearly_batch given;
    uint32_t label;
    grt_time first[GRT_BUILDER_TASKS], finished[GRT_BUILDER_TASKS]; /* -1: not yet */
    grt_time averages[GRT_BUILDER_TASKS];
    struct batch_gpu gpus[GRT_MAX_GPUS];
};

static struct batch_gpu *gpu_of(struct nearly *self, const struct grt_world *world, grt_job job) {
    return &self->gpus[grt_policy_scenario(world)->tasks[grt_policy_job(world, job)->task].gpu];
}

static bool start(void *state, struct grt_world *world, struct grt_errors *errors) {
    struct nearly *self = state;
    const struct grt_scenario *scenario = grt_policy_scenario(world);
    (void)errors;
    self->given = *(const struct grt_nearly_batch *)grt_policy_parameters(world);
    self->label = grt_policy_label(world, "its own");
    for (uint32_t i = 0; i < scenario->gpu_count; i++) {
        struct batch_gpu *gpu = &self->gpus[i];
        gpu->timer = grt_policy_new_timer(world);
        for (uint32_t j = 0; j < MOST; j++) {
            gpu->streams[j] = grt_policy_stream(world, i, 0, "batch");
            gpu->out[j] = grt_policy_stream(world, i, 0, "out");
            gpu->copied[j] = grt_policy_event(world, i);
            gpu->computed[j] = grt_policy_event(world, i);
            gpu->done[j] = grt_policy_event(world, i);
        }
    }
    for (uint32_t i = 0; i < scenario->task_count; i++) {
        self->first[i] = self->finished[i] = -1;
        for (uint32_t j = 0; j < scenario->tasks[i].segment_count; j++) {
            bool gpu = scenario->tasks[i].segments[j].kind == GRT_SEGMENT_GPU;
            self->averages[i] += gpu ? grt_policy_average_time(world, i, j, 2) : 0;
        }
    }
    return true;
}

static void released(void *state, struct grt_world *world, grt_job job) {
    struct nearly *self = state;
    const struct grt_job_view *view = grt_policy_job(world, job);
    self->first[view->task] = self->first[view->task] < 0 ? view->release : self->first[view->task];
}

static void request(void *state, struct grt_world *world, grt_job job) {
    struct batch_gpu *gpu = gpu_of(state, world, job);
    gpu->waiting[job] = true;
    gpu->member[job] = false;
}

static void withdrawn(void *state, struct grt_world *world, grt_job job) {
    gpu_of(state, world, job)->waiting[job] = false;
}

static void done(void *state, struct grt_world *world, grt_job job) {
    struct nearly *self = state;
    struct batch_gpu *gpu = gpu_of(self, world, job);
    gpu->member[job] = false;
    gpu->left--;
    bool rests = self->given.fault == GRT_BATCH_RESTS && gpu->left == 0;
    gpu->rests_until = grt_policy_now(world) + (rests ? 3 : 0);
}

static void ended(void *state, struct grt_world *world, grt_job job) {
    struct nearly *self = state;
    const struct grt_job_view *view = grt_policy_job(world, job);
    if (view->segment == grt_policy_scenario(world)->tasks[view->task].segment_count) {
        self->finished[view->task] = grt_policy_now(world);
    }
}

static void submission_done(void *state, struct grt_world *world, grt_job job, grt_submission submission) {
    (void)state, (void)world, (void)job, (void)submission;
}

static void call_done(void *state, struct grt_world *world, grt_submission call) {
    (void)state, (void)world, (void)call;
}

/* The date at which it is neither late nor early. */
static grt_time date_of(const struct nearly *self, const struct grt_world *world, grt_job job) {
    const struct grt_job_view *view = grt_policy_job(world, job);
    const struct grt_task *task = &grt_policy_scenario(world)->tasks[view->task];
    grt_time average = self->given.fault == GRT_BATCH_NO_AVERAGES ? 0 : self->averages[view->task];
    bool by_arrival = self->given.fault == GRT_BATCH_BY_ARRIVAL;
    grt_time last = by_arrival                        ? view->release
                    : self->finished[view->task] >= 0 ? self->finished[view->task]
                                                      : self->first[view->task];
    grt_time date = task->separation > 0 ? last + task->separation : view->deadline;
    return date < GRT_TIME_NEVER ? date - average : date;
}

static bool goes_first(const struct nearly *self, const struct grt_world *world, grt_job a, grt_job b) {
    const struct grt_job_view *one = grt_policy_job(world, a), *other = grt_policy_job(world, b);
    grt_time own = date_of(self, world, a), others = date_of(self, world, b);
    if (own != others) {
        return (own < others) != (self->given.fault == GRT_BATCH_EARLIEST);
    }
    return one->tie != other->tie ? one->tie < other->tie : one->task < other->task;
}

static grt_job first_of(const struct nearly *self, const struct batch_gpu *gpu,
                        const struct grt_world *world) {
    grt_job first = GRT_NO_JOB;
    for (grt_job job = 0; job < GRT_BUILDER_TASKS; job++) {
        if (gpu->waiting[job] && (first == GRT_NO_JOB || goes_first(self, world, job, first))) {
            first = job;
        }
    }
    return first;
}

/* ---- a batch ---- */

/* Where the kernels of a segment begin, and what is behind them. */
static void split(const struct grt_segment *segment, uint32_t bounds[STAGES + 1]) {
    uint32_t count = (uint32_t)segment->command_count;
    bounds[0] = 0;
    bounds[1] = bounds[2] = bounds[3] = count;
    for (uint32_t i = count; i-- > 0;) {
        bool kernel = segment->commands[i].kind == GRT_COMMAND_KERNEL;
        bounds[2] = kernel && bounds[1] == count ? i + 1 : bounds[2];
        bounds[1] = kernel ? i : bounds[1];
    }
}

static void wait_for(const struct nearly *self, struct grt_world *world, grt_stream stream,
                     grt_stream_event event, bool waits) {
    if (waits) {
        grt_policy_wait_event(world, stream, event, self->label, false);
    }
}

static void issue(struct grt_world *world, grt_job job, grt_stream stream, uint32_t from, uint32_t to) {
    if (to > from) {
        grt_policy_issue(world, job, from, (struct grt_piece){.commands = to - from}, stream);
    }
}

/* Hands a member to its stream; `behind`: who waits for whom. */
static void place(struct nearly *self, struct grt_world *world, struct batch_gpu *gpu, grt_job job,
                  uint32_t position) {
    const struct grt_job_view *view = grt_policy_job(world, job);
    const struct grt_segment *segment =
        &grt_policy_scenario(world)->tasks[view->task].segments[view->segment];
    uint32_t bounds[STAGES + 1], before = position > 0 ? position - 1 : 0;
    int64_t fault = self->given.fault, overlap = self->given.overlap;
    bool follows = position > 0 && fault != GRT_BATCH_TOGETHER;
    bool copies = follows && fault != GRT_BATCH_COPIES_AT_ONCE;
    grt_stream stream = gpu->streams[position],
               out = fault == GRT_BATCH_OUT_FIRST ? gpu->out[position] : stream;
    split(segment, bounds);
    wait_for(self, world, stream, gpu->done[before], copies && overlap == GRT_OVERLAP_NONE);
    wait_for(self, world, stream, gpu->copied[before], copies);
    issue(world, job, stream, bounds[0], bounds[1]);
    grt_policy_record_event(world, stream, gpu->copied[position], self->label, false);
    wait_for(self, world, stream, gpu->computed[before], follows && overlap == GRT_OVERLAP_COPIES);
    issue(world, job, stream, bounds[1], bounds[2]);
    grt_policy_record_event(world, stream, gpu->computed[position], self->label, false);
    issue(world, job, out, bounds[2], bounds[3]);
    grt_policy_record_event(world, stream, gpu->done[position], self->label, false);
    gpu->waiting[job] = false;
    gpu->member[job] = true;
    gpu->left++;
}

static void form(struct nearly *self, struct grt_world *world, struct batch_gpu *gpu, uint32_t most) {
    grt_job jobs[MOST];
    uint32_t count = 0;
    while (count < most && (jobs[count] = first_of(self, gpu, world)) != GRT_NO_JOB) {
        gpu->waiting[jobs[count++]] = false;
    }
    for (uint32_t i = 0; i < count; i++) {
        bool backwards = self->given.fault == GRT_BATCH_BACKWARDS;
        place(self, world, gpu, jobs[backwards ? count - 1 - i : i], i);
    }
    gpu->size = count;
}

static void decide(void *state, struct grt_world *world) {
    struct nearly *self = state;
    int64_t fault = self->given.fault;
    uint32_t most =
        (uint32_t)self->given.most + (fault == GRT_BATCH_ONE_MORE) - (fault == GRT_BATCH_ONE_LESS);
    for (uint32_t i = 0; i < grt_policy_scenario(world)->gpu_count; i++) {
        struct batch_gpu *gpu = &self->gpus[i];
        if (grt_policy_now(world) < gpu->rests_until) {
            grt_policy_timer(world, gpu->timer, gpu->rests_until);
        } else if (gpu->left == 0 || (fault == GRT_BATCH_EARLY && gpu->left < gpu->size)) {
            form(self, world, gpu, most);
        } else if (fault == GRT_BATCH_JOINED && gpu->size < most &&
                   first_of(self, gpu, world) != GRT_NO_JOB) {
            place(self, world, gpu, first_of(self, gpu, world), gpu->size++);
        }
    }
}

const struct grt_policy_ops grt_nearly_batch = {
    .name = "nearly-batch",
    .summary = "batches, perhaps with a fault",
    .state_size = sizeof(struct nearly),
    .parameters_size = sizeof(struct grt_nearly_batch),
    .start = start,
    .job_released = released,
    .gpu_request = request,
    .gpu_withdrawn = withdrawn,
    .gpu_submission_done = submission_done,
    .gpu_call_done = call_done,
    .gpu_done = done,
    .job_ended = ended,
    .decide = decide,
};
