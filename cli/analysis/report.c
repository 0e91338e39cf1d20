#include "cli/analysis/report.h"

#include <string.h>

#include "cli/analysis/wishes.h"
#include "cli/terminal/text_table.h"
#include "models/task/evidence.h"
#include "policies/analyses/run.h"

/* ---- running ---- */

static bool is_used(const struct grt_analysis_set *set) {
    for (size_t i = 0; i < set->count; i++) {
        for (size_t j = 0; j < set->tasks[i].segment_count; j++) {
            if (set->tasks[i].segments[j].on_gpu) {
                return true;
            }
        }
    }
    return false;
}

static struct grt_sensitivity_limit *search_limits(struct grt_sensitivity *sensitivity,
                                                   enum grt_sensitivity_of of, size_t count,
                                                   struct grt_arena *arena) {
    struct grt_sensitivity_limit *limits = grt_arena_array(arena, count + 1, sizeof *limits);
    for (size_t i = 0; i < count; i++) {
        limits[i] = grt_sensitivity_find(sensitivity, (struct grt_sensitivity_change){of, (uint32_t)i});
    }
    return limits;
}

/* The limits of all tasks together come first: the steps may not do for more. */
static struct grt_sensitivity_limit limit_of_all(struct grt_sensitivity *sensitivity,
                                                 enum grt_sensitivity_of of) {
    return grt_sensitivity_find(sensitivity, (struct grt_sensitivity_change){of, GRT_ANALYSIS_NO_TASK});
}

static struct grt_analysis_limits limits_of(const struct grt_analysis_set *set,
                                            const struct grt_analysis_ops *analysis,
                                            struct grt_arena *arena) {
    void *memory = grt_arena_array(arena, grt_sensitivity_size(set), 1);
    struct grt_sensitivity *sensitivity = grt_sensitivity_begin(memory, set, analysis);
    struct grt_sensitivity_limit times = limit_of_all(sensitivity, GRT_SENSITIVITY_TIMES);
    struct grt_sensitivity_limit periods = limit_of_all(sensitivity, GRT_SENSITIVITY_PERIODS);
    struct grt_analysis_limits limits = {
        .times = search_limits(sensitivity, GRT_SENSITIVITY_TIMES, set->count, arena),
        .periods = search_limits(sensitivity, GRT_SENSITIVITY_PERIODS, set->count, arena),
    };
    limits.times[set->count] = times;
    limits.periods[set->count] = periods;
    return limits;
}

/* A report that is being made. */
struct making {
    struct grt_analysis_report report;
    bool sensitivity;
    bool left_out; /* the present set, whose tasks only compute */
};

static void begin_gpu(void *context, const struct grt_analysis_set *set, size_t count) {
    struct making *making = context;
    struct grt_analysis_report *report = &making->report;
    making->left_out = set->gpu != GRT_ANALYSIS_ALL_GPUS && !is_used(set);
    if (!making->left_out) {
        struct grt_analyzed_gpu *gpu = &report->gpus[report->gpu_count++];
        *gpu = (struct grt_analyzed_gpu){.number = set->gpu, .set = *set};
        gpu->analyses = grt_arena_array(report->arena, count, sizeof *gpu->analyses);
    }
}

/* The options that it was run with, to be shown. */
static const void *options_of(const struct grt_analysis_ops *ops, const struct grt_analysis_set *set,
                              struct grt_arena *arena) {
    void *options = ops->options != NULL ? grt_arena_array(arena, 1, ops->options->size) : NULL;
    if (options != NULL && set->options != NULL) {
        memcpy(options, set->options, ops->options->size);
    } else if (options != NULL) {
        grt_analysis_options_default(ops->options, options);
    }
    return options;
}

static void take_result(void *context, const struct grt_analysis_ops *ops, const struct grt_analysis_set *set,
                        const struct grt_analysis_result *result) {
    struct making *making = context;
    struct grt_arena *arena = making->report.arena;
    if (making->left_out) {
        return;
    }
    struct grt_analyzed_gpu *gpu = &making->report.gpus[making->report.gpu_count - 1];
    struct grt_analyzed *analyzed = &gpu->analyses[gpu->analysis_count++];
    *analyzed = (struct grt_analyzed){
        .ops = ops,
        .options = options_of(ops, set, arena),
        .of_policy =
            grt_analysis_speaks_of(ops, making->report.file->policy, making->report.file->policy_parameters),
        .result = *result,
    };
    if (making->sensitivity && result->verdict != GRT_VERDICT_INAPPLICABLE) {
        analyzed->limits = limits_of(set, ops, arena);
    }
}

static struct grt_analyses_subject subject_of(const struct grt_scenario_file *file) {
    return (struct grt_analyses_subject){&file->scenario, file->policy, file->policy_parameters};
}

static struct grt_analyses_choice chosen_by(const struct grt_scenario_file *file,
                                            const struct grt_analysis_choice *choice,
                                            struct grt_arena *arena) {
    return (struct grt_analyses_choice){
        .analyses = choice->named != NULL ? choice->named : grt_analyses_for(file->policy, arena),
        .whatever_policy = choice->all || choice->named != NULL,
        .settings = choice->settings,
    };
}

bool grt_analysis_choice_check(const struct grt_scenario_file *file, const struct grt_analysis_choice *choice,
                               struct grt_arena *arena, struct grt_errors *errors) {
    const struct grt_analyses_subject subject = subject_of(file);
    const struct grt_analyses_choice chosen = chosen_by(file, choice, arena);
    return grt_options_of_analyses_check(&subject, &chosen, errors);
}

struct grt_analysis_report grt_analysis_report_make(const struct grt_scenario_file *file,
                                                    const struct grt_analysis_choice *choice,
                                                    struct grt_arena *arena) {
    struct making making = {.report = {.arena = arena, .file = file, .all = choice->all},
                            .sensitivity = choice->sensitivity};
    making.report.gpus = grt_arena_array(arena, file->scenario.gpu_count + 1, sizeof *making.report.gpus);
    const struct grt_analyses_subject subject = subject_of(file);
    const struct grt_analyses_choice chosen = chosen_by(file, choice, arena);
    const struct grt_analyses_visitor visitor = {&making, begin_gpu, take_result};
    grt_analyses_run(&subject, &chosen, &visitor, arena);
    return making.report;
}

/* ---- what it comes to ---- */

static const struct grt_analyzed *first_with(const struct grt_analyzed_gpu *gpu, enum grt_verdict verdict) {
    for (size_t i = 0; i < gpu->analysis_count; i++) {
        const struct grt_analyzed *analyzed = &gpu->analyses[i];
        bool claimed = analyzed->result.unsound || grt_analysis_only_claims(analyzed->ops, &analyzed->result);
        if (analyzed->of_policy && analyzed->result.verdict == verdict && !claimed) {
            return analyzed;
        }
    }
    return NULL;
}

enum grt_verdict grt_analyzed_verdict(const struct grt_analyzed_gpu *gpu, const struct grt_analyzed **by) {
    static const enum grt_verdict proofs[] = {GRT_VERDICT_UNSCHEDULABLE, GRT_VERDICT_SCHEDULABLE};
    for (size_t i = 0; i < sizeof proofs / sizeof proofs[0]; i++) {
        const struct grt_analyzed *found = first_with(gpu, proofs[i]);
        if (found != NULL && by != NULL) {
            *by = found;
        }
        if (found != NULL) {
            return proofs[i];
        }
    }
    return GRT_VERDICT_UNKNOWN;
}

const char *grt_analyzed_unfounded(const struct grt_analysis_report *report,
                                   const struct grt_analyzed_gpu *gpu) {
    enum { MOST = 16 };
    const char *text = NULL;
    for (size_t i = 0; i < gpu->set.count; i++) {
        const struct grt_task *task = &report->file->scenario.tasks[gpu->set.tasks[i].number];
        struct grt_unfounded unfounded[MOST];
        size_t count = grt_task_unfounded(task, unfounded, MOST);
        for (size_t j = 0; j < count; j++) {
            const char *one =
                grt_format(report->arena, "%s %s", unfounded[j].name != NULL ? "kernel" : "task",
                           unfounded[j].name != NULL ? unfounded[j].name : task->name);
            const char *between = grt_format(report->arena, ", %s,", one);
            bool is_new = text == NULL || strstr(grt_format(report->arena, ", %s,", text), between) == NULL;
            text = text == NULL ? one : is_new ? grt_format(report->arena, "%s, %s", text, one) : text;
        }
    }
    return text;
}

bool grt_analysis_report_proven(const struct grt_analysis_report *report) {
    bool all = report->gpu_count > 0;
    for (size_t i = 0; i < report->gpu_count; i++) {
        const struct grt_analyzed_gpu *gpu = &report->gpus[i];
        bool proven = grt_analyzed_verdict(gpu, NULL) == GRT_VERDICT_SCHEDULABLE &&
                      grt_analyzed_unfounded(report, gpu) == NULL;
        if (gpu->number == GRT_ANALYSIS_ALL_GPUS) {
            return proven || (all && i > 0); /* it comes last */
        }
        all = all && proven;
    }
    return all;
}

static int64_t time_of(const struct grt_analysis_segment *segment, enum grt_analyzed_use use) {
    switch (use) {
    case GRT_USE_DEVICE:
        return segment->device_longest;
    case GRT_USE_HOST_PARTS:
        return grt_span_sum(segment->host_before, segment->host_after);
    default:
        return segment->on_gpu ? 0 : segment->longest;
    }
}

int64_t grt_analyzed_time(const struct grt_analysis_task *task, enum grt_analyzed_use use) {
    int64_t time = 0;
    for (size_t i = 0; i < task->segment_count; i++) {
        time = grt_span_sum(time, time_of(&task->segments[i], use));
    }
    return time;
}

int64_t grt_analyzed_bound(const struct grt_analyzed *analyzed, size_t task) {
    bool holds = analyzed->ops->bounds && analyzed->result.verdict == GRT_VERDICT_SCHEDULABLE &&
                 !analyzed->result.unsound;
    return holds ? analyzed->result.response[task] : GRT_ANALYSIS_NEVER;
}

bool grt_analyzed_slack(const struct grt_analyzed *analyzed, const struct grt_analysis_set *set, size_t task,
                        int64_t *slack) {
    const struct grt_analysis_task *spec = &set->tasks[task];
    int64_t bound = grt_analyzed_bound(analyzed, task);
    bool other_origin = spec->deadline_from_release && spec->jitter > 0; /* bounds count from the arrival */
    if (bound == GRT_ANALYSIS_NEVER || spec->deadline == GRT_ANALYSIS_NEVER || other_origin) {
        return false;
    }
    *slack = spec->deadline - bound;
    return true;
}
