/* What an analysis covers, enforced: the one place where a set is refused for what it has. */
#include <stdio.h>
#include <string.h>

#include "models/analysis.h"
#include "models/analysis_options.h"
#include "sim/check.h"
#include "sim/running.h"
#include "sim/utf8.h"

/* ---- tasks ---- */

/* What a task has, as bits, and how much it asks of processors. */
struct look {
    uint32_t has;
    size_t cpu_segments, gpu_segments;
};

static struct look look_at_segments(const struct grt_analysis_task *task) {
    struct look look = {0};
    for (size_t i = 0; i < task->segment_count; i++) {
        const struct grt_analysis_segment *segment = &task->segments[i];
        look.gpu_segments += segment->on_gpu;
        look.cpu_segments += !segment->on_gpu;
        look.has |= segment->longest == GRT_ANALYSIS_NEVER ? GRT_COVERS_UNKNOWN_TIMES : 0;
        look.has |= segment->host_before > 0 || segment->host_after > 0 ? GRT_COVERS_HOST_PARTS : 0;
    }
    return look;
}

static uint32_t bit(bool has, enum grt_feature feature) {
    return has ? (uint32_t)feature : 0;
}

static struct look look_at(const struct grt_analysis_task *task) {
    struct look look = look_at_segments(task);
    bool computes = look.cpu_segments > 0 || (look.has & GRT_COVERS_HOST_PARTS) != 0;
    bool has_deadline = task->deadline != GRT_ANALYSIS_NEVER;
    look.has |=
        bit(task->after_others, GRT_COVERS_AFTER_OTHERS) | bit(task->period <= 0, GRT_COVERS_NO_PERIOD) |
        bit(!has_deadline, GRT_COVERS_NO_DEADLINE) | bit(look.gpu_segments > 1, GRT_COVERS_SEVERAL_SEGMENTS) |
        bit(computes && task->shares_core, GRT_COVERS_SHARED_CORES) |
        bit(computes && task->shares_core_outside, GRT_COVERS_OUTSIDE_CORES) |
        bit(task->jitter > 0, GRT_COVERS_JITTER) |
        bit(look.cpu_segments > 0 && look.gpu_segments > 0, GRT_COVERS_CPU_SEGMENTS) |
        bit(has_deadline && task->period > 0 && task->deadline > task->period, GRT_COVERS_LATE_DEADLINES) |
        bit(has_deadline && task->deadline_from_release && task->jitter > 0,
            GRT_COVERS_DEADLINES_FROM_RELEASES) |
        bit(computes, GRT_COVERS_HOST_COSTS); /* where there are any */
    return look;
}

/* Most tasks of most sets: one GPU segment, and nothing that an analysis might not cover. */
static bool is_plain(const struct grt_analysis_task *task) {
    const struct grt_analysis_segment *segment = task->segments;
    return task->segment_count == 1 && task->period > 0 && task->deadline <= task->period &&
           task->jitter == 0 && !task->after_others && segment->on_gpu &&
           segment->longest != GRT_ANALYSIS_NEVER && segment->host_before == 0 && segment->host_after == 0;
}

/* Needs nothing of others, keeps nothing from them, and has no deadline to miss. */
static bool is_apart(const struct grt_analysis_task *task, const struct look *look) {
    return look->gpu_segments == 0 && !task->shares_core && task->deadline == GRT_ANALYSIS_NEVER;
}

/* What a task has that an analysis may not cover, in the order in which it is said. */
static const struct {
    enum grt_feature feature;
    const char *clause;
} clauses[] = {
    {GRT_COVERS_AFTER_OTHERS, "is released by the ends of other tasks' jobs"},
    {GRT_COVERS_NO_PERIOD,
     "has no least distance between its arrivals (\"sporadic\" with \"min_gap\" gives one)"},
    {GRT_COVERS_NO_DEADLINE, "has no deadline"},
    {GRT_COVERS_SEVERAL_SEGMENTS, "has several GPU segments"},
    {GRT_COVERS_SHARED_CORES, "shares the core of its CPU segments"},
    {GRT_COVERS_OUTSIDE_CORES, "shares its core with tasks of another GPU"},
    {GRT_COVERS_HOST_PARTS, "has host parts in its GPU segments"},
    {GRT_COVERS_UNKNOWN_TIMES, "has no known longest time"},
    {GRT_COVERS_JITTER, "has release jitter"},
    {GRT_COVERS_CPU_SEGMENTS, "has CPU segments besides its GPU segments"},
    {GRT_COVERS_LATE_DEADLINES, "has a deadline after its period"},
    {GRT_COVERS_DEADLINES_FROM_RELEASES, "has a deadline that counts from its release"},
    {GRT_COVERS_HOST_COSTS, "computes on a core, where context switches and wake-ups cost time"},
};

static const char *clause_of(uint32_t beyond) {
    size_t i = 0;
    while ((beyond & (uint32_t)clauses[i].feature) == 0) {
        i++;
    }
    return clauses[i].clause;
}

/* ---- sets ---- */

static bool use_several_gpus(const struct grt_analysis_set *set) {
    int64_t first = GRT_ANALYSIS_NO_GPU;
    for (size_t i = 0; i < set->count; i++) {
        int64_t gpu = set->tasks[i].gpu;
        if (gpu != GRT_ANALYSIS_NO_GPU && first != GRT_ANALYSIS_NO_GPU && gpu != first) {
            return true;
        }
        first = gpu != GRT_ANALYSIS_NO_GPU ? gpu : first;
    }
    return false;
}

/* What the analysis has to cover of what a task has: nothing, where it has no influence, or is looked at by the analysis itself. */
static uint32_t beyond_of(const struct grt_analysis_task *task, uint32_t covers) {
    struct look look = look_at(task);
    bool left_out = look.gpu_segments == 0 && (covers & GRT_COVERS_CPU_ONLY) != 0;
    return left_out || is_apart(task, &look) ? 0 : look.has & ~covers;
}

bool grt_analysis_is_beyond(const struct grt_analysis_set *set, uint32_t covers,
                            char reason[GRT_ANALYSIS_REASON_SIZE]) {
    const struct grt_analysis_platform *platform = &set->platform;
    if (set->interference != NULL && (covers & GRT_COVERS_INTERFERENCE) == 0) {
        snprintf(reason, GRT_ANALYSIS_REASON_SIZE, "%s", set->interference);
        return true;
    }
    if ((covers & GRT_COVERS_SEVERAL_GPUS) == 0 && use_several_gpus(set)) {
        snprintf(reason, GRT_ANALYSIS_REASON_SIZE, "the tasks use several GPUs");
        return true;
    }
    if (platform->context_switch == 0 && platform->wake_up == 0) {
        covers |= GRT_COVERS_HOST_COSTS;
    }
    for (size_t i = 0; i < set->count; i++) {
        uint32_t beyond = is_plain(&set->tasks[i]) ? 0 : beyond_of(&set->tasks[i], covers);
        if (beyond != 0) {
            snprintf(reason, GRT_ANALYSIS_REASON_SIZE, "task %s %s", set->tasks[i].name, clause_of(beyond));
            return true;
        }
    }
    return false;
}

/* ---- what came out ---- */

static bool is_task(const struct grt_analysis_set *set, uint32_t task) {
    return task == GRT_ANALYSIS_NO_TASK || task < set->count;
}

/* Bounds, or releases, of all tasks: no time is below 0. */
static bool are_times(const struct grt_analysis_set *set, const int64_t *times) {
    bool good = true;
    for (size_t i = 0; i < set->count; i++) {
        good &= times[i] >= 0;
    }
    return good;
}

static bool values_are_of_tasks(const struct grt_analysis_set *set,
                                const struct grt_analysis_result *result) {
    bool good = result->value_count <= result->value_capacity;
    for (size_t i = 0; good && i < result->value_count; i++) {
        good = result->values[i].name != NULL && is_task(set, result->values[i].task);
    }
    return good;
}

/* Whoever asks for a value by its name relies on the list of them. */
static bool are_listed(const struct grt_analysis_ops *ops, const struct grt_analysis_result *result) {
    for (size_t i = 0; i < result->value_count; i++) {
        const char *const *name = ops->values;
        while (name != NULL && *name != NULL && strcmp(*name, result->values[i].name) != 0) {
            name++;
        }
        if (name == NULL || *name == NULL) {
            return false;
        }
    }
    return true;
}

/* Whoever takes the result goes by it, whoever wrote the analysis. */
static void check_result(const struct grt_analysis_ops *ops, const struct grt_analysis_set *set,
                         const struct grt_analysis_result *result) {
    GRT_REQUIRE((unsigned)result->verdict <= GRT_VERDICT_UNKNOWN, "an analysis says one of the verdicts");
    GRT_REQUIRE(memchr(result->reason, '\0', sizeof result->reason) != NULL, "an analysis ends its reason");
    GRT_REQUIRE(grt_utf8_is_line(result->reason), "an analysis gives its reason as one line of UTF-8 text");
    GRT_REQUIRE(is_task(set, result->failing),
                "an analysis says of a task of the set that it fails, or of none (GRT_ANALYSIS_NO_TASK)");
    GRT_REQUIRE(values_are_of_tasks(set, result),
                "an analysis adds values, with a name, of a task of the set or of none");
    GRT_REQUIRE(are_listed(ops, result), "an analysis lists in its ops->values all values that it adds");
    GRT_REQUIRE(!ops->bounds || result->verdict == GRT_VERDICT_INAPPLICABLE ||
                    are_times(set, result->response),
                "an analysis bounds responses by times, 0 or more, or by GRT_ANALYSIS_NEVER");
    GRT_REQUIRE(!result->has_witness || are_times(set, result->first_release),
                "an analysis gives first releases, 0 or more, or GRT_ANALYSIS_NEVER");
}

static void run(const struct grt_analysis_ops *ops, const struct grt_analysis_set *set,
                struct grt_analysis_result *result) {
    if (grt_analysis_is_beyond(set, ops->covers, result->reason)) {
        result->verdict = GRT_VERDICT_INAPPLICABLE;
        result->failing = GRT_ANALYSIS_NO_TASK;
    } else if (ops->options != NULL && set->options == NULL) {
        _Alignas(max_align_t) char options[GRT_ANALYSIS_OPTIONS_SIZE];
        struct grt_analysis_set own = *set;
        grt_analysis_options_default(ops->options, options);
        own.options = options;
        ops->run(&own, result);
    } else {
        ops->run(set, result);
    }
    if (result->reason[GRT_ANALYSIS_REASON_SIZE - 2] != '\0' &&
        result->reason[GRT_ANALYSIS_REASON_SIZE - 1] == '\0') {
        grt_utf8_trim(result->reason); /* names of tasks may have been cut */
    }
    check_result(ops, set, result);
}

void grt_analysis_run(const struct grt_analysis_ops *ops, const struct grt_analysis_set *set,
                      struct grt_analysis_result *result) {
    const struct grt_running running = {.what = "analysis", .name = ops->name};
    const struct grt_running *before = grt_running_begin(&running);
    run(ops, set, result);
    grt_running_end(before);
}
