/* Checks that need the scenario and its platform together, before anything is built. */
#include <math.h>

#include "models/task/scenario_check.h"
#include "models/world/internal.h"
#include "sim/check.h"

/* Where tasks without CPU segments need a core, too. Everything else of places is checked by grt_scenario_check. */
static bool check_thread(const struct grt_scenario *scenario, const struct grt_policy_ops *policy,
                         uint32_t number, struct grt_errors *errors) {
    static const struct grt_path root = {0};
    const struct grt_task *task = &scenario->tasks[number];
    struct grt_path tasks = {&root, "tasks", 0}, item = {&tasks, NULL, number}, cpu = {&item, "cpu", 0};
    if (scenario->core_count == 0 || grt_task_uses_cpu(task) || !job_needs_thread(policy, task) ||
        (task->cpu >= 0 && task->cpu < scenario->core_count)) {
        return true;
    }
    if (task->cpu < 0) {
        grt_error_add(errors, &cpu, "required because under policy %s the task's thread asks for the GPU",
                      policy->name);
    } else {
        grt_error_add(errors, &cpu, "must be a core of the platform, 0 to %lld (got %lld)",
                      (long long)scenario->core_count - 1, (long long)task->cpu);
    }
    return false;
}

static void check_threads(const struct grt_task *task, uint32_t number, const struct grt_device *device,
                          struct grt_errors *errors) {
    static const struct grt_path root = {0};
    struct grt_path tasks = {&root, "tasks", 0}, item = {&tasks, NULL, number};
    for (size_t i = 0; i < task->segment_count; i++) {
        struct grt_path segments = {&item, "segments", 0}, segment = {&segments, NULL, i};
        grt_device_check_demand(device, task->segments[i].cpu_bandwidth, errors, &segment);
    }
}

/* The CPU has one memory; a thread alone must not ask for more than that has. */
static bool check_memory(const struct grt_scenario *scenario, struct grt_errors *errors) {
    static const struct grt_path root = {0};
    const struct grt_device *shared = NULL;
    size_t before = errors->count;
    for (size_t i = 0; i < scenario->gpu_count; i++) {
        const struct grt_device *device = &scenario->gpus[i];
        struct grt_path platform = {&root, "platform", 0}, gpus = {&platform, "gpus", 0},
                        gpu = {&gpus, NULL, i};
        bool shares = grt_device_shares_cpu_memory(device);
        if (shares && shared != NULL) {
            grt_error_add(errors, &gpu, "only one GPU can share the bandwidth of the CPU's memory");
        }
        shared = shares ? device : shared;
    }
    for (uint32_t i = 0; shared != NULL && i < scenario->task_count; i++) {
        check_threads(&scenario->tasks[i], i, shared, errors);
    }
    return errors->count == before;
}

/* "auto" looks at the state once a hyperperiod. */
static bool check_horizon(const struct grt_scenario *scenario, struct grt_errors *errors) {
    if (scenario->horizon_kind != GRT_HORIZON_AUTO || grt_scenario_hyperperiod(scenario) > 0) {
        return true;
    }
    grt_error_add(errors, NULL, "horizon: \"auto\" needs periodic tasks with a hyperperiod");
    return false;
}

/* About how far apart a task's jobs come, in the mean, or where gaps are drawn at most; 0: it is not said by a period. */
static grt_time gap_of(const struct grt_task *task) {
    bool gaps = task->arrival == GRT_ARRIVAL_SPORADIC && task->times == NULL;
    if (task->arrival == GRT_ARRIVAL_PERIODIC || task->arrival == GRT_ARRIVAL_POISSON) {
        return task->period;
    }
    return gaps && task->extra_gap.max <= GRT_TIME_LIMIT ? task->period + task->extra_gap.max : 0;
}

/* A run that nobody lives to see the end of is a slip of a unit. */
bool world_check_jobs(const struct grt_scenario *scenario, struct grt_errors *errors) {
    grt_time horizon = repeat_horizon(scenario);
    double jobs = 0;
    for (size_t i = 0; i < scenario->task_count; i++) {
        const struct grt_task *task = &scenario->tasks[i];
        grt_time gap = gap_of(task), span = horizon > task->offset ? horizon - task->offset : 0;
        jobs += gap > 0 ? (double)span / (double)gap : 0;
    }
    if (jobs <= (double)GRT_MAX_JOBS) {
        return true;
    }
    char text[GRT_TIME_TEXT_SIZE];
    int digits = jobs < 10 * (double)GRT_MAX_JOBS
                     ? 14
                     : 2; /* what is about the limit is above it as it is written, too */
    grt_error_add(errors, NULL,
                  "horizon: a run of %s has about %.*g jobs, more than %.14g: look at the horizon and the "
                  "shortest periods",
                  grt_time_text(horizon, text), digits, ceil(jobs), (double)GRT_MAX_JOBS);
    return false;
}

/* A pinned kernel's blocks share its work out as they run: a part of the blocks is no part of the work (W8). */
static void refuse_pins(const struct grt_policy_ops *policy, const struct grt_segment *segment,
                        const struct grt_path *path, struct grt_errors *errors) {
    struct grt_path gpu = {path, "gpu", 0}, command = {&gpu, NULL, 0}, sms = {&command, "sms", 0};
    for (; command.index < segment->command_count; command.index++) {
        const struct grt_command_spec *spec = &segment->commands[command.index];
        if (spec->kind == GRT_COMMAND_KERNEL && spec->kernel.sms.count > 0) {
            grt_error_add(errors, &sms, "not allowed because policy %s cuts GPU segments into pieces",
                          policy->name);
        }
    }
}

/* Pieces have no host parts, and nothing of a pinned kernel. */
static bool check_pieces(const struct grt_policy_ops *policy, const struct grt_task *task, uint32_t number,
                         struct grt_errors *errors) {
    static const struct grt_path root = {0};
    struct grt_path tasks = {&root, "tasks", 0}, item = {&tasks, NULL, number},
                    segments = {&item, "segments", 0};
    size_t before = errors->count;
    bool cuts = policy->gpu_piece_done != NULL || policy->gpu_submission_done != NULL;
    GRT_REQUIRE(!cuts || policy->host == GRT_HOST_BY_JOB,
                "a policy that has segments cut is GRT_HOST_BY_JOB");
    for (size_t i = 0; i < task->segment_count && cuts; i++) {
        struct grt_path segment = {&segments, NULL, i}, host = {&segment, "host", 0};
        if (grt_segment_has_host_parts(&task->segments[i])) {
            grt_error_add(errors, &host, "not allowed because policy %s cuts GPU segments into pieces",
                          policy->name);
        }
        refuse_pins(policy, &task->segments[i], &segment, errors);
    }
    return errors->count == before;
}

bool world_check(const struct grt_scenario *scenario, const struct grt_policy_ops *policy,
                 struct grt_errors *errors) {
    if (!grt_scenario_check(scenario, errors) || !check_horizon(scenario, errors)) {
        return false; /* what follows goes by it */
    }
    bool good = check_memory(scenario, errors);
    good &= world_check_shares(scenario, policy, errors);
    for (uint32_t i = 0; i < scenario->task_count; i++) {
        good &= check_thread(scenario, policy, i, errors);
        good &= check_pieces(policy, &scenario->tasks[i], i, errors);
    }
    return good;
}

bool world_check_processes(const struct grt_scenario *scenario, const struct grt_policy_ops *policy,
                           struct grt_errors *errors) {
    if (scenario->process_count <= 1 || policy->many_processes) {
        return true;
    }
    grt_error_add(errors, NULL,
                  "policy: %s runs the GPU work of all tasks in one process, but the tasks are in %zu",
                  policy->name, scenario->process_count);
    return false;
}
