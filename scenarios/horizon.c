/* Horizons that follow from the tasks. */
#include "models/task/kernel_walk.h"
#include "models/world.h"
#include "scenarios/assignment.h"

static const char *const kind_names[] = {
    [GRT_HORIZON_HYPERPERIOD] = "hyperperiod", [GRT_HORIZON_AUTO] = "auto"};
static const char *const arrival_names[] = {[GRT_ARRIVAL_SPORADIC] = "is sporadic",
                                            [GRT_ARRIVAL_POISSON] = "arrives at random",
                                            [GRT_ARRIVAL_TIMES] = "has a list of times"};

static const char *const host_keys[] = {[GRT_HOST_BEFORE] = "before", [GRT_HOST_AFTER] = "after"};

/* The first random host part of a segment; NULL if there is none. */
static const char *random_host_part(const struct grt_segment *segment) {
    for (int part = 0; part < 2 && segment->kind == GRT_SEGMENT_GPU; part++) {
        if (!grt_distribution_is_constant(&segment->host_part[part])) {
            return host_keys[part];
        }
    }
    return NULL;
}

/* The first random span of a segment, as the end of a path; false if there is none. */
static bool find_random(const struct grt_segment *segment, size_t *command) {
    if (segment->kind == GRT_SEGMENT_CPU) {
        return !grt_distribution_is_constant(&segment->cpu_time);
    }
    for (*command = 0; *command < segment->command_count; ++*command) {
        const struct grt_command_spec *spec = &segment->commands[*command];
        if (grt_command_is_random(spec)) {
            return true;
        }
    }
    return false;
}

static void add_random(struct grt_errors *errors, const struct grt_path *path, size_t task, size_t index,
                       const struct grt_segment *segment, size_t command) {
    struct grt_path root = {0}, tasks = {.parent = &root, .key = "tasks"},
                    at = {.parent = &tasks, .index = task};
    struct grt_path segments = {.parent = &at, .key = "segments"},
                    here = {.parent = &segments, .index = index};
    bool cpu = segment->kind == GRT_SEGMENT_CPU;
    struct grt_path list = {.parent = &here, .key = cpu ? "cpu" : "gpu"},
                    one = {.parent = &list, .index = command};
    const struct grt_command_spec *spec = cpu ? NULL : &segment->commands[command];
    bool callback = spec != NULL && spec->kind == GRT_COMMAND_CALLBACK;
    bool own = spec != NULL && !grt_distribution_is_constant(&spec->kernel.block_time);
    const char *kernel_key = !own ? "launches" : spec->kernel.whole_device ? "time" : "block_time";
    struct grt_path span = {.parent = &one, .key = callback ? "callback" : kernel_key};
    char place[256];
    grt_error_add(errors, path, "\"auto\" needs constant times (%s is random)",
                  grt_path_text(cpu ? &list : &span, place, sizeof place));
}

static void add_random_host_part(struct grt_errors *errors, const struct grt_path *path, size_t task,
                                 size_t index, const char *key) {
    struct grt_path root = {0}, tasks = {&root, "tasks", 0}, at = {&tasks, NULL, task},
                    segments = {&at, "segments", 0}, here = {&segments, NULL, index},
                    host = {&here, "host", 0}, part = {&host, key, 0};
    char place[256];
    grt_error_add(errors, path, "\"auto\" needs constant times (%s is random)",
                  grt_path_text(&part, place, sizeof place));
}

static bool check_constant(struct grt_errors *errors, const struct grt_path *path, size_t index,
                           const struct grt_task *task) {
    if (task->jitter > 0) {
        grt_error_add(errors, path, "\"auto\" needs tasks without jitter (tasks[%zu] has some)", index);
        return false;
    }
    for (size_t i = 0; i < task->segment_count; i++) {
        size_t command = 0;
        if (find_random(&task->segments[i], &command)) {
            add_random(errors, path, index, i, &task->segments[i], command);
            return false;
        }
        if (random_host_part(&task->segments[i]) != NULL) {
            add_random_host_part(errors, path, index, i, random_host_part(&task->segments[i]));
            return false;
        }
    }
    return true;
}

/* Reports the first obstacle; there may be one in every task. */
static void check_repeats(struct grt_errors *errors, const struct grt_path *path,
                          const struct grt_scenario *scenario) {
    if (scenario->ties == GRT_TIES_SHUFFLE) {
        grt_error_add(errors, path, "\"auto\" needs \"ties\" other than \"shuffle\"");
        return;
    }
    for (size_t i = 0; i < scenario->task_count; i++) {
        if (!check_constant(errors, path, i, &scenario->tasks[i])) {
            return;
        }
    }
}

static void add_no_hyperperiod(struct grt_errors *errors, const struct grt_path *path,
                               const struct grt_scenario *scenario) {
    for (size_t i = 0; i < scenario->task_count; i++) {
        int64_t arrival = scenario->tasks[i].arrival;
        if (arrival != GRT_ARRIVAL_PERIODIC && arrival != GRT_ARRIVAL_AFTER) {
            grt_error_add(errors, path, "\"%s\" needs periodic tasks (tasks[%zu] %s)",
                          kind_names[scenario->horizon_kind], i, arrival_names[arrival]);
            return;
        }
        if (grt_task_drifts(&scenario->tasks[i])) {
            grt_error_add(errors, path,
                          "\"%s\" needs periodic tasks (tasks[%zu] drifts: its clock is relative, and it has "
                          "jitter)",
                          kind_names[scenario->horizon_kind], i);
            return;
        }
    }
    grt_error_add(errors, path, "the hyperperiod is longer than 31.7 years");
}

void grt_scenario_set_horizon(struct grt_scenario *scenario, struct grt_errors *errors,
                              const struct grt_path *path) {
    if (scenario->horizon_kind == GRT_HORIZON_FIXED) {
        return;
    }
    scenario->horizon = grt_scenario_hyperperiod(scenario);
    if (scenario->horizon == 0) {
        add_no_hyperperiod(errors, path, scenario);
    } else if (scenario->horizon_kind == GRT_HORIZON_AUTO) {
        check_repeats(errors, path, scenario);
    }
}
