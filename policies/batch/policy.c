/* The policies of batches: what they hear, and their tables. See policies/batch/batch.h. */
#include "models/scenario_check.h"
#include "policies/batch/batch.h"
#include "policies/names.h"

/* ---- what is executed ---- */

static bool adapt_atomic(struct grt_scenario *scenario, const void *parameters, struct grt_arena *arena,
                         struct grt_errors *errors) {
    const struct batch_parameters *given = parameters;
    if (!grt_scenario_check(scenario, errors)) {
        return false; /* what follows goes by it */
    }
    batch_count_threads(scenario, given->atomic_time, arena);
    return true;
}

/* ---- start ---- */

static bool check_core(const struct batch *batch, struct grt_errors *errors) {
    const struct grt_scenario *scenario = batch->scenario;
    int64_t last = batch->given->core + (int64_t)scenario->gpu_count - 1;
    if (batch->given->core < 0 || last < scenario->core_count) {
        return true;
    }
    static const struct grt_path root = {0};
    const struct grt_path policy = {&root, "policy", 0}, cpu = {&policy, "cpu", 0};
    grt_error_add(errors, &cpu,
                  "must leave a core of the platform, of which there are %lld, to the scheduler of every "
                  "GPU, of which there are %zu (got %lld)",
                  (long long)scenario->core_count, scenario->gpu_count, (long long)batch->given->core);
    return false;
}

static void make_labels(struct batch *batch, struct grt_world *world) {
    static const char *const words[BATCH_LABELS] = {"copy in",        "kernel",
                                                    "copy out",       "copy in begins",
                                                    "kernel begins",  "copy out begins",
                                                    "copy in ends",   "kernel ends",
                                                    "copy out ends",  "copy in awaited",
                                                    "kernel awaited", "copy out awaited",
                                                    "kernel queried", ""};
    for (int label = 0; label < BATCH_LABELS; label++) {
        batch->labels[label] = policy_labels_of_tasks(world, words[label]);
    }
    batch->decides_label = grt_policy_label(world, "decides");
    batch->polls_label = grt_policy_label(world, "polls");
}

static bool start(struct batch *batch, const struct batch_kind *kind, struct grt_world *world,
                  struct grt_errors *errors) {
    batch->kind = kind;
    batch->given = grt_policy_parameters(world);
    batch->scenario = grt_policy_scenario(world);
    if (!check_core(batch, errors) || !batch_averages(batch, world, errors)) {
        return false;
    }
    make_labels(batch, world);
    batch->batches_counter = grt_policy_counter(world, "batches");
    batch->schedulers = grt_policy_memory(world, batch->scenario->gpu_count, sizeof *batch->schedulers);
    for (uint32_t i = 0; i < batch->scenario->gpu_count; i++) {
        batch_scheduler_create(batch, world, i);
    }
    return true;
}

static bool start_traditional(void *state, struct grt_world *world, struct grt_errors *errors) {
    return start(state, &batch_traditional, world, errors);
}

static bool start_interleave(void *state, struct grt_world *world, struct grt_errors *errors) {
    return start(state, &batch_interleave, world, errors);
}

static bool start_concurrent(void *state, struct grt_world *world, struct grt_errors *errors) {
    return start(state, &batch_concurrent, world, errors);
}

static bool start_order(void *state, struct grt_world *world, struct grt_errors *errors) {
    return start(state, &batch_order, world, errors);
}

static void describe(const void *state, const struct grt_world *world, struct grt_description *out) {
    const struct batch *batch = state;
    const struct grt_task *tasks = batch->scenario->tasks;
    (void)world;
    for (uint32_t i = 0; i < batch->scenario->task_count; i++) {
        if (grt_task_uses_gpu(&tasks[i])) {
            grt_describe_time(out, "average_runtime", (uint32_t)tasks[i].gpu, i, batch->average[i]);
        }
    }
    for (uint32_t i = 0; i < batch->scenario->task_count && batch->kind->polls; i++) {
        if (grt_task_uses_gpu(&tasks[i])) {
            grt_describe_time(out, "atomic_cost", (uint32_t)tasks[i].gpu, i,
                              batch_atomic_cost(batch->scenario, &tasks[i], batch->given->atomic_time));
        }
    }
}

/* ---- what the policies hear ---- */

static struct batch_scheduler *scheduler_of(const struct batch *batch, const struct grt_world *world,
                                            grt_job job) {
    return &batch->schedulers[batch->scenario->tasks[grt_policy_job(world, job)->task].gpu];
}

/* The place of a job that is in the current batch; NULL if it is not. */
static struct batch_place *place_of(const struct batch_scheduler *scheduler, grt_job job) {
    for (uint32_t i = 0; i < scheduler->count; i++) {
        if (scheduler->places[i].job == job && !scheduler->places[i].done) {
            return &scheduler->places[i];
        }
    }
    return NULL;
}

static void leave(const struct batch *batch, struct grt_world *world, struct batch_place *place) {
    place->done = true;
    grt_policy_trace_slice(world, place->row, batch->labels[BATCH_LABEL_TASK][place->task], place->job,
                           place->since);
}

static void job_released(void *state, struct grt_world *world, grt_job job) {
    batch_rank(state, world, job);
}

static void request(void *state, struct grt_world *world, grt_job job) {
    struct batch *batch = state;
    const struct grt_job_view *view = grt_policy_job(world, job);
    grt_ready_queue_push(&scheduler_of(batch, world, job)->waiting, batch->keys[view->task], view->tie, job);
}

static void withdrawn(void *state, struct grt_world *world, grt_job job) {
    struct batch *batch = state;
    struct batch_scheduler *scheduler = scheduler_of(batch, world, job);
    struct batch_place *place = place_of(scheduler, job);
    if (place != NULL) {
        leave(batch, world, place);
    } else {
        grt_ready_queue_remove(&scheduler->waiting, job);
    }
}

static void submission_done(void *state, struct grt_world *world, grt_job job, grt_submission submission) {
    struct batch *batch = state;
    struct batch_scheduler *scheduler = scheduler_of(batch, world, job);
    batch_place_submission_done(place_of(scheduler, job), submission);
    if (scheduler->blocked_by == submission) {
        scheduler->blocked_by = GRT_NO_SUBMISSION;
    }
}

static void done(void *state, struct grt_world *world, grt_job job) {
    struct batch *batch = state;
    leave(batch, world, place_of(scheduler_of(batch, world, job), job));
}

static void job_ended(void *state, struct grt_world *world, grt_job job) {
    struct batch *batch = state;
    const struct grt_job_view *view = grt_policy_job(world, job);
    if (view->segment == batch->scenario->tasks[view->task].segment_count) {
        batch->last_done[view->task] = grt_policy_now(world);
    }
}

/* Being present it says that the policy makes calls of its own; none of them is to be told. */
static void call_done(void *state, struct grt_world *world, grt_submission submission) {
    (void)state, (void)world, (void)submission;
}

static void timer(void *state, struct grt_world *world, uint32_t number) {
    struct batch *batch = state;
    (void)world;
    for (size_t i = 0; i < batch->scenario->gpu_count; i++) {
        batch->schedulers[i].poll_ended |= batch->schedulers[i].timer == number;
    }
}

static void thread_done(void *state, struct grt_world *world, grt_thread thread) {
    struct batch *batch = state;
    struct batch_scheduler *scheduler = batch->schedulers;
    (void)world;
    while (scheduler->thread != thread) {
        scheduler++;
    }
    scheduler->work = BATCH_IDLE;
    scheduler->paid = true;
}

static bool outranks(const void *state, const struct grt_world *world, grt_job a, grt_job b) {
    const struct batch *batch = state;
    return batch->keys[grt_policy_job(world, a)->task] < batch->keys[grt_policy_job(world, b)->task];
}

static void decide(void *state, struct grt_world *world) {
    struct batch *batch = state;
    for (size_t i = 0; i < batch->scenario->gpu_count; i++) {
        batch_scheduler_run(batch, world, &batch->schedulers[i]);
    }
}

/* ---- the tables ---- */

#define BATCH_POLICY(text, what, starts, adapts)                                                             \
    {                                                                                                        \
        .name = text, .summary = what, .state_size = sizeof(struct batch),                                   \
        .parameters_size = sizeof(struct batch_parameters), .parameters = &batch_parameters_record,          \
        .permissive = &batch_permissive,                                                                     \
        .promise = {.gpu = GRT_PROMISE_ANYHOW, .whole = true, .aborts_nothing = true}, .start = starts,      \
        .describe = describe, .job_released = job_released, .gpu_request = request,                          \
        .gpu_withdrawn = withdrawn, .gpu_submission_done = submission_done, .gpu_call_done = call_done,      \
        .gpu_done = done, .job_ended = job_ended, .thread_done = thread_done, .timer = timer,                \
        .outranks = outranks, .decide = decide, .adapt = adapts                                              \
    }

const struct grt_policy_ops grt_policy_cpu_traditional = BATCH_POLICY(
    "cpu-traditional", "batches of requests, one copy or kernel at a time", start_traditional, NULL);

const struct grt_policy_ops grt_policy_cpu_interleave =
    BATCH_POLICY("cpu-interleave", "batches of requests, copies beside kernels", start_interleave, NULL);

const struct grt_policy_ops grt_policy_cpu_concurrent = BATCH_POLICY(
    "cpu-concurrent", "batches of requests, copies and kernels beside each other", start_concurrent, NULL);

const struct grt_policy_ops grt_policy_cpu_order =
    BATCH_POLICY("cpu-order", "the same, the results of the kernel that ends first are copied first",
                 start_order, adapt_atomic);
