#include "models/analysis_set.h"

#include "models/analysis/coupling.h"
#include "models/demand/demand.h"

/* Values that an analysis may add: for the set, and for each task. */
enum { SET_VALUES = 16, TASK_VALUES = 8 };

/* ---- the platform ---- */

static struct grt_analysis_platform platform_of(const struct grt_scenario *scenario) {
    return (struct grt_analysis_platform){
        .core_count = scenario->core_count,
        .gpu_count = (uint32_t)scenario->gpu_count,
        .context_switch = scenario->context_switch,
        .wake_up = scenario->wake_up,
    };
}

/* The host parts of a GPU segment, the longest. */
static void take_host_parts(const struct grt_segment *spec, struct grt_analysis_segment *segment) {
    segment->host_before = grt_distribution_worst(&spec->host_part[GRT_HOST_BEFORE]);
    segment->host_after = grt_distribution_worst(&spec->host_part[GRT_HOST_AFTER]);
    segment->asynchronous = spec->host_mode == GRT_HOST_ASYNCHRONOUS;
}

/* ---- tasks ---- */

static struct grt_analysis_segment segment_of(const struct grt_scenario *scenario,
                                              const struct grt_task *task, const struct grt_segment *spec,
                                              struct grt_arena *arena) {
    struct grt_analysis_segment segment = {.on_gpu = spec->kind == GRT_SEGMENT_GPU, .shortest = 1};
    segment.longest = grt_segment_time(scenario, task, spec);
    if (segment.on_gpu) {
        struct grt_step *steps = grt_arena_array(arena, spec->command_count, sizeof *steps);
        grt_segment_steps(scenario, task, spec, steps);
        segment.steps = steps;
        segment.step_count = spec->command_count;
        segment.device_longest = grt_segment_device_time(scenario, task, spec);
        take_host_parts(spec, &segment);
        segment.longest = grt_analysis_longest_of(&segment);
    } else {
        const struct grt_distribution *time = &spec->cpu_time;
        grt_time shortest = grt_distribution_is_constant(time) ? time->max : time->min;
        shortest =
            shortest < segment.longest ? shortest : segment.longest; /* less may be declared than is drawn */
        segment.shortest = shortest > 0 ? shortest : 1;
    }
    return segment;
}

uint32_t grt_analysis_first_gpu(const struct grt_scenario *scenario) {
    int64_t first = -1;
    for (size_t i = 0; i < scenario->task_count; i++) {
        const struct grt_task *task = &scenario->tasks[i];
        if (grt_task_uses_gpu(task) && (first < 0 || task->gpu < first)) {
            first = task->gpu;
        }
    }
    return first < 0 ? 0 : (uint32_t)first;
}

/* Which tasks belong to a set. */
struct members {
    uint32_t gpu;
    bool idle; /* those without GPU segments, too */
};

static struct members members_of(const struct grt_scenario *scenario, uint32_t gpu) {
    return (struct members){gpu, gpu == GRT_ANALYSIS_ALL_GPUS || gpu == grt_analysis_first_gpu(scenario)};
}

static bool is_member(const struct members *members, const struct grt_task *task) {
    if (!grt_task_uses_gpu(task)) {
        return members->idle;
    }
    return members->gpu == GRT_ANALYSIS_ALL_GPUS || task->gpu == (int64_t)members->gpu;
}

/* Says whether other tasks of the scenario compute on the task's core. */
static void look_for_rivals(const struct grt_scenario *scenario, const struct members *members,
                            struct grt_analysis_task *task) {
    if (task->core < 0 || !grt_task_uses_cpu(&scenario->tasks[task->number])) {
        return;
    }
    for (size_t i = 0; i < scenario->task_count && !task->shares_core_outside; i++) {
        const struct grt_task *other = &scenario->tasks[i];
        if (i != task->number && other->cpu == task->core && grt_task_uses_cpu(other)) {
            task->shares_core = true;
            task->shares_core_outside = !is_member(members, other);
        }
    }
}

static struct grt_analysis_task task_of(const struct grt_scenario *scenario, const struct members *members,
                                        uint32_t number, struct grt_arena *arena) {
    const struct grt_task *spec = &scenario->tasks[number];
    bool has_gap = spec->arrival == GRT_ARRIVAL_PERIODIC || spec->arrival == GRT_ARRIVAL_SPORADIC;
    struct grt_analysis_segment *segments = grt_arena_array(arena, spec->segment_count, sizeof *segments);
    for (size_t i = 0; i < spec->segment_count; i++) {
        segments[i] = segment_of(scenario, spec, &spec->segments[i], arena);
    }
    struct grt_analysis_task task = {
        .name = spec->name,
        .number = number,
        .period = has_gap ? spec->period : 0,
        .deadline = spec->deadline,
        .jitter = spec->jitter,
        .overhead = spec->split_overhead,
        .priority = spec->priority,
        .core = scenario->core_count > 0 ? spec->cpu : -1,
        .gpu = grt_task_uses_gpu(spec) ? spec->gpu : GRT_ANALYSIS_NO_GPU,
        .deadline_from_release = spec->deadline_from == GRT_DEADLINE_FROM_RELEASE,
        .after_others = spec->arrival == GRT_ARRIVAL_AFTER,
        .aborts = spec->on_miss != GRT_MISS_CONTINUE,
        .segments = segments,
        .segment_count = spec->segment_count,
    };
    look_for_rivals(scenario, members, &task);
    return task;
}

/* ---- what may make segments take longer than alone ---- */

static bool waits_for_events(const struct grt_segment *segment) {
    for (size_t i = 0; i < segment->command_count; i++) {
        if (segment->commands[i].kind == GRT_COMMAND_WAIT) {
            return true;
        }
    }
    return false;
}

static bool draws_bandwidth(const struct grt_task *task) {
    for (size_t i = 0; i < task->segment_count; i++) {
        if (task->segments[i].kind == GRT_SEGMENT_CPU && task->segments[i].cpu_bandwidth > 0) {
            return true;
        }
    }
    return false;
}

static bool cpu_shares_memory(const struct grt_scenario *scenario) {
    for (size_t i = 0; i < scenario->gpu_count; i++) {
        if (grt_device_shares_cpu_memory(&scenario->gpus[i])) {
            return true;
        }
    }
    return false;
}

static const char *interference_on(const struct grt_scenario *scenario, uint32_t gpu) {
    struct members members = members_of(scenario, gpu);
    bool own = grt_device_shares_cpu_memory(&scenario->gpus[gpu]), shared = cpu_shares_memory(scenario);
    for (size_t i = 0; i < scenario->task_count; i++) {
        const struct grt_task *task = &scenario->tasks[i];
        if (own && draws_bandwidth(task)) {
            return "CPU segments draw bandwidth from the GPU's memory";
        }
        if (shared && is_member(&members, task) && draws_bandwidth(task)) {
            return "CPU segments share the bandwidth of their memory with another GPU";
        }
        for (size_t j = 0; j < task->segment_count && task->gpu == gpu; j++) {
            if (waits_for_events(&task->segments[j])) {
                return "GPU segments wait for events that others may record";
            }
        }
    }
    return scenario->process_count > 1 ? "several processes share the GPU" : NULL;
}

/* M3 where the last TPC is smaller: whether a client's kernel runs on it is up to the placement, and its time is a bound (models/demand/demand.c). */
static bool longest_is_bound_on(const struct grt_scenario *scenario, uint32_t gpu) {
    const struct grt_device *device = &scenario->gpus[gpu];
    for (size_t i = 0; device->sm_count % device->sms_per_tpc != 0 && i < scenario->task_count; i++) {
        const struct grt_task *task = &scenario->tasks[i];
        int64_t percentage = grt_process_of(scenario, task)->spec.active_thread_percentage;
        if (task->gpu == gpu && grt_task_uses_gpu(task) &&
            grt_device_mps_tpcs(device, percentage) < grt_device_tpcs(device)) {
            return true;
        }
    }
    return false;
}

/* The same of the set of one GPU, or of the first GPU of which there is something to say. */
static const char *interference_of(const struct grt_scenario *scenario, uint32_t gpu) {
    const char *clause = NULL;
    for (uint32_t i = 0; i < scenario->gpu_count && clause == NULL; i++) {
        clause = gpu == i || gpu == GRT_ANALYSIS_ALL_GPUS ? interference_on(scenario, i) : NULL;
    }
    return clause;
}

static bool longest_is_bound(const struct grt_scenario *scenario, uint32_t gpu) {
    bool bound = false;
    for (uint32_t i = 0; i < scenario->gpu_count; i++) {
        bound = bound || ((gpu == i || gpu == GRT_ANALYSIS_ALL_GPUS) && longest_is_bound_on(scenario, i));
    }
    return bound;
}

struct grt_analysis_set grt_analysis_set_of(const struct grt_scenario *scenario, uint32_t gpu,
                                            const void *parameters, struct grt_arena *arena) {
    struct grt_analysis_task *tasks = grt_arena_array(arena, scenario->task_count, sizeof *tasks);
    struct members members = members_of(scenario, gpu);
    struct grt_analysis_set set = {
        .platform = platform_of(scenario),
        .gpu = gpu,
        .tasks = tasks,
        .parameters = parameters,
        .interference = interference_of(scenario, gpu),
        .coupling = gpu < scenario->gpu_count ? grt_analysis_coupling(scenario, gpu) : NULL,
        .longest_is_bound = longest_is_bound(scenario, gpu)};
    for (uint32_t i = 0; i < scenario->task_count; i++) {
        if (is_member(&members, &scenario->tasks[i])) {
            tasks[set.count++] = task_of(scenario, &members, i, arena);
        }
    }
    return set;
}

struct grt_analysis_result grt_analysis_result_for(const struct grt_analysis_set *set,
                                                   struct grt_arena *arena) {
    struct grt_analysis_result result = {.failing = GRT_ANALYSIS_NO_TASK};
    result.response = grt_arena_array(arena, set->count, sizeof *result.response);
    result.first_release = grt_arena_array(arena, set->count, sizeof *result.first_release);
    result.value_capacity = SET_VALUES + TASK_VALUES * set->count;
    result.values = grt_arena_array(arena, result.value_capacity, sizeof *result.values);
    for (size_t i = 0; i < set->count; i++) {
        result.response[i] = result.first_release[i] = GRT_ANALYSIS_NEVER;
    }
    return result;
}
