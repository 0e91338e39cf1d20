#include "cli/analysis_report.h"

#include "models/analysis_set.h"
#include "policies/analyses/registry.h"

/* ---- which ---- */

static size_t choose(const struct grt_analysis_choice *choice, const char *policy,
                     const struct grt_analysis_ops **chosen) {
    size_t count = 0;
    for (size_t i = 0; i < choice->named_count; i++) {
        chosen[count++] = choice->named[i];
    }
    for (const struct grt_analysis_ops *const *analysis = grt_analyses;
         *analysis != NULL && choice->named_count == 0; analysis++) {
        if (choice->all || grt_analysis_is_of(*analysis, policy)) {
            chosen[count++] = *analysis;
        }
    }
    return count;
}

static size_t known_count(void) {
    size_t count = 0;
    while (grt_analyses[count] != NULL) {
        count++;
    }
    return count;
}

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

/* ---- running ---- */

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

static struct grt_analyzed analyze(const struct grt_analysis_report *report,
                                   const struct grt_analysis_set *set,
                                   const struct grt_analysis_ops *analysis, bool sensitivity) {
    struct grt_analyzed analyzed = {
        .ops = analysis,
        .of_policy = grt_analysis_is_of(analysis, report->file->policy->name),
        .result = grt_analysis_result_for(set, report->arena),
    };
    struct grt_analysis_set own = *set;
    own.parameters = analyzed.of_policy ? set->parameters : NULL; /* they are the policy's own */
    grt_analysis_run(analysis, &own, &analyzed.result);
    if (sensitivity && analyzed.result.verdict != GRT_VERDICT_INAPPLICABLE) {
        analyzed.limits = limits_of(&own, analysis, report->arena);
    }
    return analyzed;
}

struct grt_analysis_report grt_analysis_report_make(const struct grt_scenario_file *file,
                                                    const struct grt_analysis_choice *choice,
                                                    struct grt_arena *arena) {
    struct grt_analysis_report report = {.arena = arena, .file = file};
    const struct grt_analysis_ops **chosen =
        grt_arena_array(arena, known_count() + choice->named_count, sizeof *chosen);
    report.gpus = grt_arena_array(arena, file->scenario.gpu_count, sizeof *report.gpus);
    report.analysis_count = choose(choice, file->policy->name, chosen);
    for (uint32_t gpu = 0; gpu < file->scenario.gpu_count; gpu++) {
        struct grt_analysis_set set =
            grt_analysis_set_of(&file->scenario, gpu, file->policy_parameters, arena);
        if (!is_used(&set)) {
            continue;
        }
        struct grt_analyzed_gpu *analyzed = &report.gpus[report.gpu_count++];
        *analyzed = (struct grt_analyzed_gpu){.number = gpu, .set = set};
        analyzed->analyses = grt_arena_array(arena, report.analysis_count, sizeof *analyzed->analyses);
        for (size_t i = 0; i < report.analysis_count; i++) {
            analyzed->analyses[i] = analyze(&report, &analyzed->set, chosen[i], choice->sensitivity);
        }
    }
    return report;
}

/* ---- what it comes to ---- */

static const struct grt_analyzed *first_with(const struct grt_analysis_report *report,
                                             const struct grt_analyzed_gpu *gpu, enum grt_verdict verdict) {
    for (size_t i = 0; i < report->analysis_count; i++) {
        const struct grt_analyzed *analyzed = &gpu->analyses[i];
        if (analyzed->of_policy && analyzed->result.verdict == verdict && !analyzed->result.unsound) {
            return analyzed;
        }
    }
    return NULL;
}

enum grt_verdict grt_analyzed_verdict(const struct grt_analysis_report *report,
                                      const struct grt_analyzed_gpu *gpu, const struct grt_analyzed **by) {
    static const enum grt_verdict proofs[] = {GRT_VERDICT_UNSCHEDULABLE, GRT_VERDICT_SCHEDULABLE};
    for (size_t i = 0; i < sizeof proofs / sizeof proofs[0]; i++) {
        const struct grt_analyzed *found = first_with(report, gpu, proofs[i]);
        if (found != NULL && by != NULL) {
            *by = found;
        }
        if (found != NULL) {
            return proofs[i];
        }
    }
    return GRT_VERDICT_UNKNOWN;
}

bool grt_analysis_report_proven(const struct grt_analysis_report *report) {
    for (size_t i = 0; i < report->gpu_count; i++) {
        if (grt_analyzed_verdict(report, &report->gpus[i], NULL) != GRT_VERDICT_SCHEDULABLE) {
            return false;
        }
    }
    return true;
}

int64_t grt_analyzed_time(const struct grt_analysis_task *task, bool on_gpu) {
    int64_t time = 0;
    for (size_t i = 0; i < task->segment_count; i++) {
        int64_t longest = task->segments[i].longest;
        if (task->segments[i].on_gpu == on_gpu) {
            time = grt_span_sum(time, longest);
        }
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
