/* A policy by priority on one GPU, with an analysis that Audsley's algorithm may ask: a job waits for one less urgent segment at most, and for the
 * jobs of more urgent tasks that are there until its deadline. */
#include "models/plugin.h"

struct urgent {
    struct grt_ready_queue waiting;
    grt_stream stream;
    bool busy;
};

static bool start(void *state, struct grt_world *world, struct grt_errors *errors) {
    struct urgent *urgent = state;
    urgent->stream = grt_policy_stream(world, 0, 0, "urgent");
    urgent->waiting = grt_policy_ready_queue(world, (uint32_t)grt_policy_scenario(world)->task_count);
    return errors != NULL;
}

static void gpu_request(void *state, struct grt_world *world, grt_job job) {
    const struct grt_job_view *view = grt_policy_job(world, job);
    int64_t priority = grt_policy_scenario(world)->tasks[view->task].priority;
    grt_ready_queue_push(&((struct urgent *)state)->waiting, -priority, view->tie, job);
}

static void gpu_withdrawn(void *state, struct grt_world *world, grt_job job) {
    (void)world;
    grt_ready_queue_remove(&((struct urgent *)state)->waiting, job);
}

static void gpu_done(void *state, struct grt_world *world, grt_job job) {
    (void)world, (void)job;
    ((struct urgent *)state)->busy = false;
}

static void decide(void *state, struct grt_world *world) {
    struct urgent *urgent = state;
    if (!urgent->busy && !grt_ready_queue_is_empty(&urgent->waiting)) {
        urgent->busy = true;
        grt_policy_submit(world, grt_ready_queue_pop(&urgent->waiting), urgent->stream);
    }
}

static int64_t bound(const struct grt_analysis_set *set, size_t number, int64_t overlap) {
    const struct grt_analysis_task *task = &set->tasks[number];
    int64_t blocking = 0, sum = task->segments->longest;
    for (size_t i = 0; i < set->count; i++) {
        const struct grt_analysis_task *other = &set->tasks[i];
        int64_t longest = other->segments->longest;
        if (i != number && other->priority >= task->priority) {
            sum += ((task->deadline + other->deadline) / other->period + overlap) * longest;
        } else if (i != number && longest > blocking) {
            blocking = longest;
        }
    }
    return sum + blocking;
}

struct options {
    int64_t overlap;
};

/* So small that its default proves little. */
static void analyse(const struct grt_analysis_set *set, struct grt_analysis_result *result) {
    const struct options *options = set->options;
    result->verdict = GRT_VERDICT_SCHEDULABLE;
    for (size_t i = 0; i < set->count; i++) {
        result->response[i] = bound(set, i, options->overlap);
        if (result->response[i] > set->tasks[i].deadline) {
            result->verdict = GRT_VERDICT_UNKNOWN;
        }
    }
}

static const struct grt_field fields[] = {{.name = "overlap",
                                           .type = GRT_FIELD_INTEGER,
                                           .offset = offsetof(struct options, overlap),
                                           .fallback = "1000",
                                           .min = 1,
                                           .max = 1000,
                                           .help = "Jobs more of each task, of which one is enough."}};

static const struct grt_record record = {.name = "options",
                                         .size = sizeof(struct options),
                                         .fields = fields,
                                         .field_count = GRT_FIELD_COUNT(fields),
                                         .help = "How it counts."};

static const char *const audsley_options[] = {"overlap", "1", NULL};

static const struct grt_analysis_ops analysis = {.name = "urgent-deadlines",
                                                 .summary = "jobs until the deadline",
                                                 .source = "this file",
                                                 .bounds = true,
                                                 .options = &record,
                                                 .suits_audsley = true,
                                                 .audsley_options = audsley_options,
                                                 .run = analyse};

static const struct grt_policy_ops urgent = {
    .name = "urgent",
    .summary = "a segment at a time, that of the highest priority",
    .state_size = sizeof(struct urgent),
    .analyses = (const struct grt_analysis_ops *const[]){&analysis, NULL},
    .promise = {.gpu = GRT_PROMISE_ONE,
                .order = GRT_ORDER_PRIORITY,
                .whole = true,
                .never_idle = true,
                .aborts_nothing = true},
    .start = start,
    .gpu_request = gpu_request,
    .gpu_withdrawn = gpu_withdrawn,
    .gpu_done = gpu_done,
    .decide = decide,
};

GRT_PLUGIN(urgent);
