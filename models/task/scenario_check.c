#include "models/task/scenario_check.h"

#include <inttypes.h>
#include <stddef.h>

#include "models/device/usage_check.h"

/* As in scenario files; negating them, or adding a task's number, stays within 64 bits. */
#define LARGEST_PRIORITY INT64_C(1000000000)
#define LARGEST_RATE INT64_C(1000000000000000000)
enum { MOST_NEEDS = 1073741824, MOST_TPCS = 65536, MOST_LISTED_TIMES = 1 << 28 };

/* ---- numbers ---- */

/* A whole number of a struct. */
struct bound {
    const char *key;
    size_t offset;
    int64_t low, high;
};

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static void check_number(const char *key, int64_t value, int64_t low, int64_t high, struct grt_errors *errors,
                         const struct grt_path *path) {
    if (value < low || value > high) {
        struct grt_path place = {.parent = path, .key = key};
        grt_error_add(errors, &place, "must be %" PRId64 " to %" PRId64 " (got %" PRId64 ")", low, high,
                      value);
    }
}

static void check_bounds(const void *object, const struct bound *bounds, size_t count,
                         struct grt_errors *errors, const struct grt_path *path) {
    for (size_t i = 0; i < count; i++) {
        const char *at = (const char *)object + bounds[i].offset;
        check_number(bounds[i].key, *(const int64_t *)(const void *)at, bounds[i].low, bounds[i].high, errors,
                     path);
    }
}

/* Whether a list can be gone through. */
static bool check_list(const char *key, const void *items, size_t count, size_t least, size_t most,
                       struct grt_errors *errors, const struct grt_path *path) {
    if (count >= least && count <= most && (count == 0 || items != NULL)) {
        return true;
    }
    struct grt_path place = {.parent = path, .key = key};
    grt_error_add(errors, &place, "must be a list of %zu to %zu items (got %zu)", least, most, count);
    return false;
}

bool grt_span_check(const struct grt_distribution *span, grt_time least, struct grt_errors *errors,
                    const struct grt_path *path) {
    static const struct bound bounds[] = {
        {"distribution", offsetof(struct grt_distribution, kind), 0, GRT_DISTRIBUTION_KINDS - 1},
        {"min", offsetof(struct grt_distribution, min), 0, GRT_TIME_LIMIT},
        {"max", offsetof(struct grt_distribution, max), 0, GRT_TIME_LIMIT},
        {"declared", offsetof(struct grt_distribution, declared), 0, GRT_TIME_LIMIT},
        {"location", offsetof(struct grt_distribution, location), -GRT_TIME_LIMIT, GRT_TIME_LIMIT},
        {"scale", offsetof(struct grt_distribution, scale), 0, GRT_TIME_LIMIT},
    };
    size_t before = errors->count;
    check_bounds(span, bounds, COUNT(bounds), errors, path);
    if (errors->count > before) {
        return false;
    }
    check_number("max", span->max, least, GRT_TIME_LIMIT, errors, path);
    return grt_distribution_check(span, errors, path) && errors->count == before;
}

static void check_span(const char *key, const struct grt_distribution *span, grt_time least,
                       struct grt_errors *errors, const struct grt_path *path) {
    struct grt_path place = {.parent = path, .key = key};
    grt_span_check(span, least, errors, &place);
}

static void check_times(const char *key, const grt_time *times, size_t count, bool ascending,
                        struct grt_errors *errors, const struct grt_path *path) {
    struct grt_path list = {.parent = path, .key = key}, place = {.parent = &list};
    for (; place.index < count; place.index++) {
        size_t i = place.index;
        grt_time low = ascending && i > 0 ? times[i - 1] : 0;
        if (times[i] < low || times[i] > GRT_TIME_LIMIT) {
            grt_error_add(errors, &place, "must be %" PRId64 " to %" PRId64 " (got %" PRId64 ")", low,
                          GRT_TIME_LIMIT, times[i]);
            return;
        }
    }
}

/* ---- kernels and commands ---- */

static void check_kernel(const struct grt_kernel *kernel, int depth, struct grt_errors *errors,
                         const struct grt_path *path);

static void check_launch(const struct grt_launch_spec *launch, int depth, struct grt_errors *errors,
                         const struct grt_path *path) {
    static const struct bound bounds[] = {
        {"at", offsetof(struct grt_launch_spec, at), 0, GRT_TIME_LIMIT},
        {"from", offsetof(struct grt_launch_spec, from), 0, GRT_LAUNCH_FROM_FIRST_BLOCK},
        {"stream", offsetof(struct grt_launch_spec, stream), 0, GRT_LAUNCH_STREAM_TAIL},
    };
    check_bounds(launch, bounds, COUNT(bounds), errors, path);
    if (launch->kernel.whole_device) {
        grt_error_add(errors, path, "a launched kernel is a grid of blocks");
    }
    check_kernel(&launch->kernel, depth, errors, path);
}

static void check_launches(const struct grt_kernel *kernel, int depth, struct grt_errors *errors,
                           const struct grt_path *path) {
    const struct grt_launch_spec *launches = kernel->launches.items;
    struct grt_path list = {.parent = path, .key = "launches"}, place = {.parent = &list};
    if (!check_list("launches", launches, kernel->launches.count, 0, GRT_MAX_LAUNCHES, errors, path)) {
        return;
    }
    if (depth == GRT_MAX_LAUNCH_DEPTH && kernel->launches.count > 0) {
        grt_error_add(errors, &list, "launches must be at most %d levels deep", GRT_MAX_LAUNCH_DEPTH);
        return;
    }
    for (; place.index < kernel->launches.count; place.index++) {
        check_launch(&launches[place.index], depth + 1, errors, &place);
    }
}

/* W8: only what the host launches is pinned, and it launches nothing. */
static void check_pin(const struct grt_kernel *kernel, int depth, struct grt_errors *errors,
                      const struct grt_path *path) {
    struct grt_path sms = {.parent = path, .key = "sms"};
    if (!check_list("sms", kernel->sms.items, kernel->sms.count, 0, MOST_TPCS, errors, path) ||
        kernel->sms.count == 0) {
        return;
    }
    check_number("items", kernel->items, 0, INT32_MAX, errors, path);
    check_number("exit_time", kernel->exit_time, 0, GRT_TIME_LIMIT, errors, path); /* 0 takes 1 ns */
    if (kernel->whole_device) {
        grt_error_add(errors, &sms, "a kernel that is described by its time cannot be pinned");
    }
    if (depth > 0 || kernel->launches.count > 0) {
        grt_error_add(errors, &sms,
                      "kernels that blocks launch, or whose blocks launch some, cannot be pinned");
    }
}

static void check_kernel(const struct grt_kernel *kernel, int depth, struct grt_errors *errors,
                         const struct grt_path *path) {
    static const struct bound all[] = {
        {"draw", offsetof(struct grt_kernel, draw_per), 0, GRT_DRAW_PER_KERNEL},
        {"bandwidth", offsetof(struct grt_kernel, bandwidth), 0, LARGEST_RATE},
    };
    static const struct bound grid[] = {
        {"blocks", offsetof(struct grt_kernel, blocks), 1, INT32_MAX},
        {"threads", offsetof(struct grt_kernel, needs.threads), 1, MOST_NEEDS},
        {"regs", offsetof(struct grt_kernel, needs.registers_per_thread), 0, MOST_NEEDS},
        {"smem", offsetof(struct grt_kernel, needs.shared_memory), 0, MOST_NEEDS},
    };
    if (kernel->name == NULL) {
        grt_error_add(errors, path, "a kernel needs a name");
    }
    check_bounds(kernel, all, COUNT(all), errors, path);
    if (!kernel->whole_device) {
        check_bounds(kernel, grid, COUNT(grid), errors, path);
    }
    check_span(kernel->whole_device ? "time" : "block_time", &kernel->block_time, 0, errors,
               path); /* 0 takes 1 ns */
    check_list("tpcs", kernel->tpcs.items, kernel->tpcs.count, 0, MOST_TPCS, errors, path);
    if (kernel->usage != NULL) {
        struct grt_path usage = {.parent = path, .key = "usage"};
        grt_usage_check(kernel->usage, errors, &usage);
    }
    check_pin(kernel, depth, errors, path);
    check_launches(kernel, depth, errors, path);
}

static bool needs_event(int64_t kind) {
    return kind == GRT_COMMAND_RECORD || kind == GRT_COMMAND_WAIT; /* a query without one is of its stream */
}

static void check_command(const struct grt_command_spec *command, struct grt_errors *errors,
                          const struct grt_path *path) {
    size_t before = errors->count;
    check_number("kind", command->kind, 0, GRT_COMMAND_KINDS - 1, errors, path);
    check_number("bytes", command->bytes, 0, LARGEST_RATE, errors, path);
    if (errors->count > before) {
        return;
    }
    if (command->kind == GRT_COMMAND_KERNEL) {
        check_kernel(&command->kernel, 0, errors, path);
    } else if (command->kind == GRT_COMMAND_CALLBACK) {
        check_span("callback", &command->callback_time, 0, errors, path);
    } else if (needs_event(command->kind) && command->event == NULL) {
        grt_error_add(errors, path, "needs the name of an event");
    }
}

/* ---- tasks ---- */

static void check_segment(const struct grt_segment *segment, struct grt_errors *errors,
                          const struct grt_path *path) {
    size_t before = errors->count;
    check_number("kind", segment->kind, GRT_SEGMENT_CPU, GRT_SEGMENT_GPU, errors, path);
    check_number("bandwidth", segment->cpu_bandwidth, 0, LARGEST_RATE, errors, path);
    if (errors->count == before && segment->kind == GRT_SEGMENT_CPU) {
        check_span("cpu", &segment->cpu_time, 0, errors, path);
    }
    if (errors->count > before || segment->kind == GRT_SEGMENT_CPU ||
        !check_list("gpu", segment->commands, segment->command_count, 1, GRT_MAX_COMMANDS, errors, path)) {
        return;
    }
    struct grt_path host = {.parent = path, .key = "host"};
    check_number("mode", segment->host_mode, GRT_HOST_SYNCHRONOUS, GRT_HOST_ASYNCHRONOUS, errors, &host);
    check_span("before", &segment->host_part[GRT_HOST_BEFORE], 0, errors, &host);
    check_span("after", &segment->host_part[GRT_HOST_AFTER], 0, errors, &host);
    struct grt_path list = {.parent = path, .key = "gpu"}, place = {.parent = &list};
    for (; place.index < segment->command_count; place.index++) {
        check_command(&segment->commands[place.index], errors, &place);
    }
}

static void check_arrival(const struct grt_scenario *scenario, const struct grt_task *task,
                          struct grt_errors *errors, const struct grt_path *path) {
    bool gaps = task->arrival <= GRT_ARRIVAL_POISSON, after = task->arrival == GRT_ARRIVAL_AFTER;
    check_number("period", task->period, gaps ? 1 : 0, GRT_TIME_LIMIT, errors, path);
    if (task->clock == GRT_CLOCK_RELATIVE && task->arrival != GRT_ARRIVAL_PERIODIC) {
        struct grt_path clock = {.parent = path, .key = "clock"};
        grt_error_add(errors, &clock, "only periodic tasks have a relative clock");
    }
    if (task->arrival == GRT_ARRIVAL_SPORADIC && task->times == NULL) {
        check_span("extra_gap", &task->extra_gap, 0, errors, path);
    }
    if (check_list("times", task->times, task->times == NULL ? 0 : task->time_count, 0, MOST_LISTED_TIMES,
                   errors, path) &&
        (task->times != NULL || task->arrival == GRT_ARRIVAL_TIMES)) {
        size_t count = task->times == NULL ? 0 : task->time_count;
        check_times("times", task->times, count, true, errors, path);
        check_times("delays", task->delays, task->delays == NULL ? 0 : count, false, errors, path);
    } else if (task->delays != NULL) {
        grt_error_add(errors, path, "delays are of listed times");
    }
    if (!check_list("after", task->after, task->after_count, after ? 1 : 0, after ? scenario->task_count : 0,
                    errors, path)) {
        return;
    }
    struct grt_path list = {.parent = path, .key = "after"}, place = {.parent = &list};
    for (; place.index < task->after_count; place.index++) {
        if (task->after[place.index] >= scenario->task_count) {
            grt_error_add(errors, &place, "must be a task, 0 to %zu (got %" PRIu32 ")",
                          scenario->task_count - 1, task->after[place.index]);
        }
    }
}

/* Whether the task's core and GPU exist. */
static void check_places(const struct grt_scenario *scenario, const struct grt_task *task,
                         struct grt_errors *errors, const struct grt_path *path) {
    struct grt_path cpu = {path, "cpu", 0}, gpu = {path, "gpu", 0};
    bool has_core = !grt_task_uses_cpu(task) || scenario->core_count == 0 ||
                    (task->cpu >= 0 && task->cpu < scenario->core_count);
    if (!has_core) {
        grt_error_add(errors, &cpu, "must be a core of the platform, 0 to %" PRId64 " (got %" PRId64 ")",
                      scenario->core_count - 1, task->cpu);
    }
    if (task->gpu < 0 || (uint64_t)task->gpu >= scenario->gpu_count) {
        grt_error_add(errors, &gpu, "must be a GPU of the platform, 0 to %zu (got %" PRId64 ")",
                      scenario->gpu_count - 1, task->gpu);
    }
}

static void check_task(const struct grt_scenario *scenario, const struct grt_task *task,
                       struct grt_errors *errors, const struct grt_path *path) {
    static const struct bound bounds[] = {
        {"arrival", offsetof(struct grt_task, arrival), 0, GRT_ARRIVAL_AFTER},
        {"offset", offsetof(struct grt_task, offset), 0, GRT_TIME_LIMIT},
        {"jitter", offsetof(struct grt_task, jitter), 0, GRT_TIME_LIMIT},
        {"deadline_from", offsetof(struct grt_task, deadline_from), 0, GRT_DEADLINE_FROM_RELEASE},
        {"clock", offsetof(struct grt_task, clock), 0, GRT_CLOCK_RELATIVE},
        {"on_miss", offsetof(struct grt_task, on_miss), 0, GRT_MISS_STOP},
        {"separation", offsetof(struct grt_task, separation), 0, GRT_TIME_LIMIT},
        {"priority", offsetof(struct grt_task, priority), -LARGEST_PRIORITY, LARGEST_PRIORITY},
        {"stream_priority", offsetof(struct grt_task, stream_priority), -LARGEST_PRIORITY, LARGEST_PRIORITY},
        {"split_overhead", offsetof(struct grt_task, split_overhead), 0, GRT_TIME_LIMIT},
    };
    size_t before = errors->count;
    if (task->name == NULL) {
        struct grt_path name = {.parent = path, .key = "name"};
        grt_error_add(errors, &name, "required");
    }
    check_bounds(task, bounds, COUNT(bounds), errors, path);
    if (task->deadline != GRT_TIME_NEVER) {
        check_number("deadline", task->deadline, 1, GRT_TIME_LIMIT, errors, path);
    }
    size_t processes = scenario->process_count > 0 ? scenario->process_count : 1;
    check_number("process", task->process, 0, (int64_t)processes - 1, errors, path);
    check_list("tpcs", task->tpcs.items, task->tpcs.count, 0, MOST_TPCS, errors, path);
    if (errors->count == before) {
        check_arrival(scenario, task, errors, path);
    }
    if (!check_list("segments", task->segments, task->segment_count, 1, GRT_MAX_SEGMENTS, errors, path)) {
        return;
    }
    struct grt_path list = {.parent = path, .key = "segments"}, place = {.parent = &list};
    for (; place.index < task->segment_count; place.index++) {
        check_segment(&task->segments[place.index], errors, &place);
    }
    check_places(scenario, task, errors, path);
}

/* ---- the scenario ---- */

static void check_processes(const struct grt_scenario *scenario, struct grt_errors *errors,
                            const struct grt_path *path) {
    static const struct bound bounds[] = {
        {"time_slice", offsetof(struct grt_process, spec.time_slice), 0, GRT_TIME_LIMIT},
        {"interleave", offsetof(struct grt_process, spec.interleave), 0, GRT_INTERLEAVE_HIGH},
        {"priority", offsetof(struct grt_process, spec.priority), -LARGEST_PRIORITY, LARGEST_PRIORITY},
        {"active_thread_percentage", offsetof(struct grt_process, spec.active_thread_percentage), 0, 100},
    };
    struct grt_path list = {.parent = path, .key = "processes"}, place = {.parent = &list};
    for (; place.index < scenario->process_count; place.index++) {
        const struct grt_process *process = &scenario->processes[place.index];
        check_bounds(process, bounds, COUNT(bounds), errors, &place);
        if (process->name == NULL) {
            grt_error_add(errors, &place, "needs a name");
        }
    }
}

static bool check_lists(const struct grt_scenario *scenario, struct grt_errors *errors,
                        const struct grt_path *root, const struct grt_path *platform) {
    bool good = check_list("tasks", scenario->tasks, scenario->task_count, 1, GRT_MAX_TASKS, errors, root);
    good &= check_list("gpus", scenario->gpus, scenario->gpu_count, 1, GRT_MAX_GPUS, errors, platform);
    return check_list("processes", scenario->processes, scenario->process_count, 0, GRT_MAX_PROCESSES, errors,
                      platform) &&
           good;
}

bool grt_scenario_check(const struct grt_scenario *scenario, struct grt_errors *errors) {
    static const struct bound bounds[] = {
        {"horizon_kind", offsetof(struct grt_scenario, horizon_kind), 0, GRT_HORIZON_AUTO},
        {"horizon", offsetof(struct grt_scenario, horizon), 0, GRT_TIME_LIMIT},
        {"ties", offsetof(struct grt_scenario, ties), 0, GRT_TIES_SHUFFLE},
    };
    static const struct grt_path root = {0};
    const struct grt_path platform = {&root, "platform", 0}, gpus = {&platform, "gpus", 0},
                          tasks = {&root, "tasks", 0};
    size_t before = errors->count;
    if (!check_lists(scenario, errors, &root, &platform)) {
        return false;
    }
    check_bounds(scenario, bounds, COUNT(bounds), errors, &root);
    check_number("cpus", scenario->core_count, 0, GRT_MAX_CORES, errors, &platform);
    check_number("context_switch", scenario->context_switch, 0, GRT_TIME_LIMIT, errors, &platform);
    check_number("wake_up", scenario->wake_up, 0, GRT_TIME_LIMIT, errors, &platform);
    check_processes(scenario, errors, &platform);
    for (size_t i = 0; i < scenario->gpu_count; i++) {
        struct grt_path gpu = {&gpus, NULL, i};
        grt_device_check_bounds(&scenario->gpus[i], scenario->process_count > 1, errors, &gpu);
    }
    for (size_t i = 0; i < scenario->task_count; i++) {
        struct grt_path task = {&tasks, NULL, i};
        check_task(scenario, &scenario->tasks[i], errors, &task);
    }
    return errors->count == before;
}
