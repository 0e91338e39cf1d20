/* The policies of batches: what they hear, and their tables. See policies/batch/batch.h. */
#include "models/task/scenario_check.h"
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

static bool adapt_on_device(struct grt_scenario *scenario, const void *parameters, struct grt_arena *arena,
                            struct grt_errors *errors) {
    return grt_scenario_check(scenario, errors) && batch_adapt_device(scenario, parameters, arena, errors);
}

static bool adapt_atomic_on_device(struct grt_scenario *scenario, const void *parameters,
                                   struct grt_arena *arena, struct grt_errors *errors) {
    return adapt_atomic(scenario, parameters, arena, errors) &&
           batch_adapt_device(scenario, parameters, arena, errors);
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
    const struct batch_parameters *given = grt_policy_parameters(world);
    const struct grt_scenario *scenario = grt_policy_scenario(world);
    batch->kind = kind;
    batch->given = given;
    batch->scenario = scenario;
    batch->decision_time = kind->on_device ? given->device_decision_time : given->decision_time;
    batch->issue_time = kind->on_device ? given->device_issue_time : given->issue_time;
    batch->message_time = kind->on_device ? given->message_time : 0;
    batch->first_own = scenario->task_count - (kind->on_device ? batch_own_tasks(scenario, given) : 0);
    if ((!kind->on_device && !check_core(batch, errors)) || !batch_averages(batch, world, errors)) {
        return false;
    }
    make_labels(batch, world);
    batch->batches_counter = grt_policy_counter(world, "batches");
    batch->schedulers = grt_policy_memory(world, scenario->gpu_count, sizeof *batch->schedulers);
    for (uint32_t i = 0; i < scenario->gpu_count; i++) {
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

static bool start_synchronize(void *state, struct grt_world *world, struct grt_errors *errors) {
    return start(state, &batch_synchronize, world, errors);
}

static bool start_atomics(void *state, struct grt_world *world, struct grt_errors *errors) {
    return start(state, &batch_atomics, world, errors);
}

static bool start_order(void *state, struct grt_world *world, struct grt_errors *errors) {
    return start(state, &batch_order, world, errors);
}

static void describe(const void *state, const struct grt_world *world, struct grt_description *out) {
    const struct batch *batch = state;
    const struct grt_task *tasks = batch->scenario->tasks;
    (void)world;
    for (uint32_t i = 0; i < batch->first_own; i++) {
        if (grt_task_uses_gpu(&tasks[i])) {
            grt_describe_time(out, "average_runtime", (uint32_t)tasks[i].gpu, i, batch->average[i]);
        }
    }
    for (uint32_t i = 0; i < batch->first_own && batch->kind->polls; i++) {
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
    batch_scheduler_request(batch, world, scheduler_of(batch, world, job), job);
}

/* The kernel of a scheduler on the device is there. */
static void begun(void *state, struct grt_world *world, grt_job job) {
    struct batch *batch = state;
    scheduler_of(batch, world, job)->is_up |= grt_policy_job(world, job)->task >= batch->first_own;
}

static void withdrawn(void *state, struct grt_world *world, grt_job job) {
    struct batch *batch = state;
    struct batch_scheduler *scheduler = scheduler_of(batch, world, job);
    struct batch_place *place = place_of(scheduler, job);
    if (place != NULL) {
        leave(batch, world, place);
    } else if (!grt_ready_queue_remove(&scheduler->waiting, job)) {
        grt_ready_queue_remove(&scheduler->messages, job);
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
    struct batch_scheduler *scheduler = batch->schedulers;
    while (!batch_scheduler_timer(batch, world, scheduler, number)) {
        scheduler++;
    }
}

static void thread_done(void *state, struct grt_world *world, grt_thread thread) {
    struct batch *batch = state;
    struct batch_scheduler *scheduler = batch->schedulers;
    while (scheduler->thread != thread) {
        scheduler++;
    }
    batch_thread_done(batch, world, scheduler);
}

/* A scheduler that is a kernel is always there, and blocks nobody: jobs wait for what it decides, not for its end. */
static bool outranks(const void *state, const struct grt_world *world, grt_job a, grt_job b) {
    const struct batch *batch = state;
    uint32_t waiting = grt_policy_job(world, a)->task, other = grt_policy_job(world, b)->task;
    return other < batch->first_own && batch->keys[waiting] < batch->keys[other];
}

static void decide(void *state, struct grt_world *world) {
    struct batch *batch = state;
    for (size_t i = 0; i < batch->scenario->gpu_count; i++) {
        batch_scheduler_run(batch, world, &batch->schedulers[i]);
    }
}

/* ---- the tables ---- */

#define BATCH_POLICY(text, what, beside, follow, record, starts, adapts, on_device)                          \
    {                                                                                                        \
        .name = text, .summary = what, .state_size = sizeof(struct batch),                                   \
        .parameters_size = sizeof(struct batch_parameters), .parameters = &record,                           \
        .permissive = &batch_permissive,                                                                     \
        .promise = {.gpu = GRT_PROMISE_BATCHES,                                                              \
                    .order = GRT_ORDER_LATENESS,                                                             \
                    .overlap = beside,                                                                       \
                    .copies_follow = follow,                                                                 \
                    .whole = true,                                                                           \
                    .aborts_nothing = true},                                                                 \
        .start = starts, .describe = describe, .job_released = job_released, .gpu_request = request,         \
        .gpu_begun = begun, .gpu_withdrawn = withdrawn, .gpu_submission_done = submission_done,              \
        .gpu_call_done = call_done, .gpu_done = done, .job_ended = job_ended, .thread_done = thread_done,    \
        .timer = timer, .outranks = outranks, .decide = decide, .adapt = adapts, .needs_blocks = on_device   \
    }

const struct grt_policy_ops grt_policy_cpu_traditional =
    BATCH_POLICY("cpu-traditional", "batches of requests, one copy or kernel at a time", GRT_OVERLAP_NONE,
                 true, batch_parameters_record, start_traditional, NULL, false);

const struct grt_policy_ops grt_policy_cpu_interleave =
    BATCH_POLICY("cpu-interleave", "batches of requests, copies beside kernels", GRT_OVERLAP_COPIES, true,
                 batch_parameters_record, start_interleave, NULL, false);

const struct grt_policy_ops grt_policy_cpu_concurrent =
    BATCH_POLICY("cpu-concurrent", "batches of requests, copies and kernels beside each other",
                 GRT_OVERLAP_ALL, true, batch_parameters_record, start_concurrent, NULL, false);

const struct grt_policy_ops grt_policy_cpu_order = BATCH_POLICY(
    "cpu-order",
    "batches of requests, copies and kernels beside each other, results of the kernel that ends first first",
    GRT_OVERLAP_ALL, true, batch_parameters_record, start_order, adapt_atomic, false);

const struct grt_policy_ops grt_policy_gpu_synchronize = BATCH_POLICY(
    "gpu-synchronize",
    "batches of requests, scheduled by a kernel, which synchronises with those that it launches",
    GRT_OVERLAP_ALL, false, batch_device_parameters_record, start_synchronize, adapt_on_device, true);

const struct grt_policy_ops grt_policy_gpu_atomics = BATCH_POLICY(
    "gpu-atomics",
    "batches of requests, scheduled by a kernel, which looks at counters for the ends of others",
    GRT_OVERLAP_ALL, false, batch_device_parameters_record, start_atomics, adapt_atomic_on_device, true);
