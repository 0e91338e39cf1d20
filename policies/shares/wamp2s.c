/* WAMP2S: a GPU is shared out in hundredths of its SMs, each application as much as it needs for its deadline by a model that has learnt how
 * long it takes beside others. To take a share away from somebody who runs is as good as to preempt him.
 *
 * Source: Y. Yao et al., "WAMP2S: Workload-Aware GPU Performance Model Based Pseudo-Preemptive Real-Time Scheduling for the Airborne Embedded System",
 * IEEE TPDS 33(11), 2022, sections 3 and 5. What is done at a change is in operation.c, the flaws of the listing in allocate.h; all that was decided is in
 * docs/decisions/0030-wamp2s.md.
 * Deviates:
 *   1. An application is a GPU segment of a job, with copies, calls and any number of kernels; it shall be done so long before the job's
 *      deadline that what comes behind it fits in. Segments without kernels need no share, and are submitted at once.
 *   2. A scheduling operation takes its time: until it is over everybody goes on with his old share, and who is new waits.
 *   3. There is a scheduler for every GPU. */
#include "policies/shares/wamp2s.h"

#include <stdio.h>

#include "policies/names.h"
#include "policies/shares/prepared.h"
#include "policies/shares/streams.h"
#include "policies/shares/weights.h"

/* ---- start ---- */

static void start_application(struct wamp2s *self, struct grt_world *world, uint32_t task,
                              const grt_stream *streams) {
    const struct grt_scenario *scenario = grt_policy_scenario(world);
    struct wamp2s_application *application = &self->applications[task];
    *application = (struct wamp2s_application){
        .task = task, .stream = streams[task], .set = GRT_FULL_SHARE, .last_job = UINT64_MAX};
    if (grt_task_uses_gpu(&scenario->tasks[task])) {
        char text[128];
        snprintf(text, sizeof text, "%s share", scenario->tasks[task].name);
        application->weight = shares_weight(scenario, task);
        application->row = grt_policy_row(world, text);
    }
}

static void start_scheduler(struct wamp2s *self, struct grt_world *world, uint32_t gpu) {
    const struct grt_scenario *scenario = grt_policy_scenario(world);
    struct wamp2s_scheduler *scheduler = &self->schedulers[gpu];
    uint32_t count = (uint32_t)scenario->task_count;
    char text[POLICY_NAME_SIZE];
    *scheduler = (struct wamp2s_scheduler){
        .gpu = gpu,
        .active = grt_policy_memory(world, count, sizeof(struct wamp2s_application *)),
        .predictor = shares_predictor_create((enum shares_predictor_kind)self->given->predictor,
                                             &scenario->gpus[gpu], count, grt_policy_arena(world)),
        .situation = grt_policy_memory(world, count, sizeof(struct shares_active)),
        .demands = grt_policy_memory(world, count, sizeof(struct shares_demand)),
        .shares = grt_policy_memory(world, count, sizeof(int64_t)),
        .predicts = grt_policy_memory(world, count, sizeof(bool)),
        .timer = grt_policy_new_timer(world),
        .row = policy_row_of_gpu(world, "decisions", gpu),
    };
    if (wamp2s_takes_time(self->given)) {
        scheduler->thread =
            grt_policy_thread(world, -1, 0, policy_name_of_gpu(world, "scheduler", gpu, text));
    }
}

static void make_labels(struct wamp2s *self, struct grt_world *world) {
    for (int share = 0; share <= GRT_FULL_SHARE; share++) {
        char text[16];
        snprintf(text, sizeof text, "%d %%", share);
        self->share_labels[share] = grt_policy_label(world, text);
    }
    self->operation = grt_policy_label(world, "schedules");
    self->prediction = grt_policy_label(world, "prediction");
    self->kept = grt_policy_label(world, "prediction kept (AETC)");
    self->skipped = grt_policy_label(world, "nothing to do (WDC)");
    self->unschedulable = grt_policy_label(world, "not schedulable");
}

static void make_counters(struct wamp2s *self, struct grt_world *world) {
    self->runs = grt_policy_counter(world, "scheduling_runs");
    self->predictions = grt_policy_counter(world, "predictions");
    self->wdc_skips = grt_policy_counter(world, "runs_skipped_by_wdc");
    self->aetc_skips = grt_policy_counter(world, "predictions_skipped_by_aetc");
    self->failures = grt_policy_counter(world, "not_schedulable");
    self->extrapolations = grt_policy_counter(world, "extrapolations");
}

static bool start(void *state, struct grt_world *world, struct grt_errors *errors) {
    struct wamp2s *self = state;
    const struct grt_scenario *scenario = grt_policy_scenario(world);
    const struct shares_prepared *prepared = grt_policy_prepared(world);
    self->given = grt_policy_parameters(world);
    self->matrix = prepared->matrix;
    self->application_count = (uint32_t)scenario->task_count;
    self->scheduler_count = (uint32_t)scenario->gpu_count;
    self->applications = grt_policy_memory(world, scenario->task_count, sizeof *self->applications);
    self->schedulers = grt_policy_memory(world, scenario->gpu_count, sizeof *self->schedulers);
    self->without_kernels = grt_policy_memory(world, scenario->task_count, sizeof *self->without_kernels);
    const grt_stream *streams = shares_make_streams(world);
    make_labels(self, world);
    make_counters(self, world);
    for (uint32_t i = 0; i < self->application_count; i++) {
        start_application(self, world, i, streams);
    }
    for (uint32_t i = 0; i < self->scheduler_count; i++) {
        start_scheduler(self, world, i);
    }
    bool in_range = wamp2s_check(self->given, errors);
    return shares_prepared_check(prepared, "wamp2s", errors) && in_range;
}

/* ---- applications come and go ---- */

static struct wamp2s_scheduler *scheduler_of(struct wamp2s *self, const struct grt_world *world,
                                             const struct wamp2s_application *application) {
    return &self->schedulers[grt_policy_scenario(world)->tasks[application->task].gpu];
}

void wamp2s_show_share(const struct wamp2s *self, struct grt_world *world,
                       struct wamp2s_application *application) {
    if (application->share_since < grt_policy_now(world)) {
        grt_policy_trace_slice(world, application->row, self->share_labels[application->share],
                               application->job, application->share_since);
    }
    application->share_since = grt_policy_now(world);
}

/* When the segment shall be done: what is behind it is to fit in before the deadline. */
static grt_time due_of(const struct grt_world *world, grt_job job) {
    const struct grt_job_view *view = grt_policy_job(world, job);
    grt_time left = grt_policy_time_left(world, job);
    if (view->deadline == GRT_TIME_NEVER || left == GRT_TIME_NEVER) {
        return view->deadline;
    }
    return view->deadline - (left - grt_policy_segment_time(world, view->task, view->segment));
}

/* Equals by the tie rule. */
static bool goes_first(const struct wamp2s_application *a, const struct wamp2s_application *b) {
    if (a->priority != b->priority) {
        return a->priority > b->priority;
    }
    return a->tie != b->tie ? a->tie < b->tie : a->task < b->task;
}

static void activate(struct wamp2s *self, const struct grt_world *world, grt_job job,
                     const struct shares_segment *segment) {
    const struct grt_job_view *view = grt_policy_job(world, job);
    struct wamp2s_application *application = &self->applications[view->task];
    struct wamp2s_scheduler *scheduler = scheduler_of(self, world, application);
    grt_time now = grt_policy_now(world);
    application->active = true;
    application->submitted = application->planned = application->late = false;
    application->job = job;
    application->priority = view->priority;
    application->tie = view->tie;
    application->segment = segment;
    application->requested = application->share_since = now;
    application->due = due_of(world, job);
    application->share = 0;
    application->predicted = 0;
    application->progress = (struct shares_progress){.since = now};
    application->estimates.count = 0;
    application->jobs += view->number != application->last_job;
    application->last_job = view->number;
    uint32_t place = scheduler->active_count++;
    for (; place > 0 && goes_first(application, scheduler->active[place - 1]); place--) {
        scheduler->active[place] = scheduler->active[place - 1];
    }
    scheduler->active[place] = application;
    scheduler->started = true;
}

static void request(void *state, struct grt_world *world, grt_job job) {
    struct wamp2s *self = state;
    const struct grt_job_view *view = grt_policy_job(world, job);
    const struct shares_segment *segment = shares_matrix_at(self->matrix, view->task, view->segment);
    if (segment == NULL) {
        self->without_kernels[self->without_count++] = job;
    } else {
        activate(self, world, job, segment);
    }
}

static void deactivate(struct wamp2s *self, struct grt_world *world, struct wamp2s_application *application) {
    struct wamp2s_scheduler *scheduler = scheduler_of(self, world, application);
    uint32_t kept = 0;
    wamp2s_show_share(self, world, application);
    application->active = false;
    application->share = 0;
    for (uint32_t i = 0; i < scheduler->active_count; i++) {
        if (scheduler->active[i] != application) {
            scheduler->active[kept++] = scheduler->active[i];
        }
    }
    scheduler->active_count = kept;
    scheduler->ended = true;
}

static void forget(struct wamp2s *self, grt_job job) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < self->without_count; i++) {
        if (self->without_kernels[i] != job) {
            self->without_kernels[kept++] = self->without_kernels[i];
        }
    }
    self->without_count = kept;
}

/* The segment is over, or was aborted before or while it had a share. */
static void done(void *state, struct grt_world *world, grt_job job) {
    struct wamp2s *self = state;
    struct wamp2s_application *application = &self->applications[grt_policy_job(world, job)->task];
    if (!application->active) {
        return;
    }
    if (grt_policy_is_alive(world, job)) {
        shares_estimates_end(&application->estimates, grt_policy_now(world), &self->given->estimates,
                             &self->errors, &application->error);
    }
    deactivate(self, world, application);
}

static void withdrawn(void *state, struct grt_world *world, grt_job job) {
    forget(state, job);
    done(state, world, job);
}

static void thread_done(void *state, struct grt_world *world, grt_thread thread) {
    struct wamp2s *self = state;
    (void)world;
    for (uint32_t i = 0; i < self->scheduler_count; i++) {
        if (self->schedulers[i].working && self->schedulers[i].thread == thread) {
            self->schedulers[i].worked = true;
        }
    }
}

/* ---- decide ---- */

static void set_shares(struct wamp2s *self, struct grt_world *world) {
    for (uint32_t i = 0; i < self->application_count; i++) {
        struct wamp2s_application *application = &self->applications[i];
        if (application->weight > 0 && application->set != application->share) {
            application->set = application->share;
            grt_policy_set_share(world, application->stream, application->share);
        }
    }
}

static void decide(void *state, struct grt_world *world) {
    struct wamp2s *self = state;
    for (uint32_t i = 0; i < self->without_count; i++) {
        grt_job job = self->without_kernels[i];
        grt_policy_submit(world, job, self->applications[grt_policy_job(world, job)->task].stream);
    }
    self->without_count = 0;
    for (uint32_t i = 0; i < self->scheduler_count; i++) {
        wamp2s_operate(self, world, &self->schedulers[i]);
    }
    set_shares(self, world);
}

/* ---- what is told ---- */

static void describe(const void *state, const struct grt_world *world, struct grt_description *out) {
    const struct wamp2s *self = state;
    const struct grt_scenario *scenario = grt_policy_scenario(world);
    for (uint32_t i = 0; i < self->application_count; i++) {
        if (self->applications[i].weight > 0) {
            grt_describe_number(out, "weight", (uint32_t)scenario->tasks[i].gpu, i,
                                (int64_t)self->applications[i].weight);
        }
    }
}

static int64_t narrow(grt_wide time) {
    return time < (grt_wide)GRT_TIME_LIMIT ? (int64_t)time : GRT_TIME_LIMIT;
}

/* Equation (16): what the operations during an average job of each application took, and the mean over the applications. */
static void describe_overhead(const struct wamp2s *self, struct grt_description *out) {
    grt_wide sum = 0, count = 0;
    for (uint32_t i = 0; i < self->application_count; i++) {
        const struct wamp2s_application *application = &self->applications[i];
        if (application->jobs > 0) {
            grt_wide mean = application->overhead / application->jobs;
            grt_describe_time(out, "overhead_of_a_job", GRT_NUMBER_OF_NONE, i, narrow(mean));
            sum += mean;
            count++;
        }
    }
    if (count > 0) {
        grt_describe_time(out, "mean_overhead", GRT_NUMBER_OF_NONE, GRT_NUMBER_OF_NONE, narrow(sum / count));
    }
}

static void conclude(const void *state, const struct grt_world *world, struct grt_description *out) {
    const struct wamp2s *self = state;
    const struct wamp2s_parameters *given = grt_policy_parameters(world);
    describe_overhead(self, out);
    for (uint32_t i = 0; i < self->scheduler_count; i++) {
        grt_describe_time(out, "saved_by_wdc", i, GRT_NUMBER_OF_NONE,
                          narrow(self->schedulers[i].saved_by_wdc));
    }
    for (uint32_t i = 0; i < self->scheduler_count; i++) {
        grt_describe_time(out, "saved_by_aetc", i, GRT_NUMBER_OF_NONE,
                          narrow(self->schedulers[i].saved_by_aetc));
    }
    if (given->estimate_errors) {
        shares_errors_describe(&self->errors, out);
        for (uint32_t i = 0; i < self->application_count; i++) {
            shares_task_error_describe(&self->applications[i].error, i, out);
        }
    }
}

static const void *prepare(const struct grt_scenario *scenario, const void *parameters,
                           struct grt_arena *arena) {
    const struct wamp2s_parameters *given = parameters;
    return shares_prepare(scenario, (enum shares_predictor_kind)given->predictor, arena);
}

static bool trains(const void *parameters) {
    const struct wamp2s_parameters *given = parameters;
    return given->predictor == SHARES_SOFNN;
}

const struct grt_policy_ops grt_policy_wamp2s = {
    .name = "wamp2s",
    .summary = "shares of the SMs by deadline and a learnt model of what runs beside (WAMP2S)",
    .state_size = sizeof(struct wamp2s),
    .parameters_size = sizeof(struct wamp2s_parameters),
    .parameters = &wamp2s_parameters_record,
    .permissive = &wamp2s_permissive,
    .many_processes = true,
    .sets_shares = true,
    .promise = {.gpu = GRT_PROMISE_SHARES, .whole = true, .aborts_nothing = true},
    .prepare = prepare,
    .trains = trains,
    .start = start,
    .describe = describe,
    .conclude = conclude,
    .gpu_request = request,
    .gpu_withdrawn = withdrawn,
    .gpu_done = done,
    .thread_done = thread_done,
    .decide = decide,
};
