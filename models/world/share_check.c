/* What GPUs of granularity shares do not have, and who needs one. */
#include "models/world/internal.h"

static const struct grt_path root = {0};

/* What a policy needs of one GPU it needs of all. */
static void check_policy(const struct grt_scenario *scenario, const struct grt_policy_ops *policy,
                         struct grt_errors *errors) {
    struct grt_path platform = {&root, "platform", 0}, gpus = {&platform, "gpus", 0};
    for (size_t i = 0; i < scenario->gpu_count; i++) {
        struct grt_path gpu = {&gpus, NULL, i}, granularity = {&gpu, "granularity", 0};
        bool shares = grt_device_has_shares(&scenario->gpus[i]);
        if (policy->sets_shares && !shares) {
            grt_error_add(errors, &granularity,
                          "must be \"shares\" because policy %s sets shares (got \"blocks\")", policy->name);
        } else if (policy->needs_blocks && shares) {
            grt_error_add(errors, &granularity,
                          "must be \"blocks\" because policy %s has work done by blocks (got \"shares\")",
                          policy->name);
        }
    }
}

static void refuse(const struct grt_path *path, const char *key, const char *reason,
                   struct grt_errors *errors) {
    struct grt_path place = {path, key, 0};
    grt_error_add(errors, &place, "not allowed on a GPU with \"granularity\": \"shares\": %s", reason);
}

/* Rules D1 to D5, W1 and W8 are about blocks. */
static void check_kernel(const struct grt_kernel *kernel, const struct grt_path *path,
                         struct grt_errors *errors) {
    if (kernel->launches.count > 0) {
        refuse(path, "launches", "it has no blocks that could launch kernels", errors);
    }
    if (kernel->sms.count > 0) {
        refuse(path, "sms", "it has no SMs that kernels could be pinned to", errors);
    }
    if (kernel->tpcs.count > 0) {
        refuse(path, "tpcs", "it has no SMs that kernels could be kept to", errors);
    }
}

static void check_task(const struct grt_task *task, const struct grt_path *path, struct grt_errors *errors) {
    struct grt_path segments = {path, "segments", 0}, segment = {&segments, NULL, 0},
                    gpu = {&segment, "gpu", 0}, command = {&gpu, NULL, 0};
    if (task->tpcs.count > 0) {
        refuse(path, "tpcs", "it has no SMs that kernels could be kept to", errors);
    }
    for (; segment.index < task->segment_count; segment.index++) {
        const struct grt_segment *of = &task->segments[segment.index];
        for (command.index = 0; of->kind == GRT_SEGMENT_GPU && command.index < of->command_count;
             command.index++) {
            if (of->commands[command.index].kind == GRT_COMMAND_KERNEL) {
                check_kernel(&of->commands[command.index].kernel, &command, errors);
            }
        }
    }
}

/* M3 limits the SMs of a client of MPS. */
static void check_process(const struct grt_scenario *scenario, const struct grt_task *task,
                          const struct grt_path *path, struct grt_errors *errors) {
    int64_t percentage = grt_process_of(scenario, task)->spec.active_thread_percentage;
    if (percentage > 0 && scenario->gpus[task->gpu].mps) {
        refuse(path, "process",
               "its process has an active_thread_percentage; set the policy's shares instead", errors);
    }
}

bool world_check_shares(const struct grt_scenario *scenario, const struct grt_policy_ops *policy,
                        struct grt_errors *errors) {
    size_t before = errors->count;
    struct grt_path tasks = {&root, "tasks", 0}, item = {&tasks, NULL, 0};
    check_policy(scenario, policy, errors);
    for (; item.index < scenario->task_count; item.index++) {
        const struct grt_task *task = &scenario->tasks[item.index];
        if (grt_device_has_shares(&scenario->gpus[task->gpu])) {
            check_task(task, &item, errors);
            check_process(scenario, task, &item, errors);
        }
    }
    return errors->count == before;
}
