/* Surroundings of evaluations: platform, priorities, networks, horizon. */
#include <string.h>

#include "models/allocation.h"
#include "models/priority.h"
#include "policies/audsley.h"
#include "scenarios/experiment/names.h"
#include "scenarios/experiment/plan.h"

static bool has(const struct grt_setting_fields *setting, const char *name) {
    return grt_json_find(setting->object, name) != NULL;
}

static void check_platform(struct grt_reader *reader, const struct grt_setting_fields *setting,
                           const struct grt_path *path) {
    const struct grt_path platform = {.parent = path, .key = "platform"},
                          counts = {.parent = &platform, .key = "allocation_counts"},
                          rule = {.parent = &platform, .key = "allocation"};
    const cJSON *object = grt_json_find(setting->object, "platform");
    bool given = setting->platform.allocation == GRT_ALLOCATION_GIVEN;
    if (given && grt_json_find(object, "allocation_counts") != NULL) {
        grt_error_add(reader->errors, &counts, "has no meaning without an allocation");
    } else if (!given && setting->platform.cpus == 0) {
        grt_error_add(reader->errors, &rule,
                      "not allowed because platform.cpus is 0: there are no cores to share");
    }
}

static void check(struct grt_reader *reader, const struct grt_setting_fields *setting,
                  const struct grt_path *path) {
    check_platform(reader, setting, path);
    if (has(setting, "networks") && has(setting, "train")) {
        grt_error_add(reader->errors, path, "takes only one of \"networks\" and \"train\"");
    }
}

GRT_FINISH(grt_finish_plan) {
    struct grt_plan_fields *plan = out;
    plan->setting.object = object;
    if (clean) {
        check(reader, &plan->setting, path);
    }
}

/* What has a meaning only for some of enum grt_evaluation_kind, a bit each. */
static const struct {
    const char *field;
    unsigned kinds;
    const char *words;
} meanings[] = {
    {"analysis", 1u << GRT_EVALUATE_ANALYSIS | 1u << GRT_EVALUATE_VERIFY, "analysis or verify"},
    {"options", 1u << GRT_EVALUATE_ANALYSIS | 1u << GRT_EVALUATE_VERIFY, "analysis or verify"},
    {"stop_at_miss", 1u << GRT_EVALUATE_SIMULATION, "simulation"},
    {"horizon", 1u << GRT_EVALUATE_SIMULATION, "simulation"},
    {"patterns", 1u << GRT_EVALUATE_VERIFY, "verify"},
    {"jobs", 1u << GRT_EVALUATE_VERIFY, "verify"},
    {"kernel", 1u << GRT_EVALUATE_TRAINING, "training"},
    {"model", 1u << GRT_EVALUATE_TRAINING, "training"},
};

GRT_FINISH(grt_finish_evaluation) {
    struct grt_evaluation_fields *evaluation = out;
    evaluation->setting.object = object;
    grt_name_check_ends(reader, object, path, evaluation->name);
    if (!clean) {
        return;
    }
    check(reader, &evaluation->setting, path);
    for (size_t i = 0; i < sizeof meanings / sizeof meanings[0]; i++) {
        const struct grt_path place = {.parent = path, .key = meanings[i].field};
        if (grt_json_find(object, meanings[i].field) != NULL &&
            (meanings[i].kinds & 1u << evaluation->kind) == 0) {
            grt_error_add(reader->errors, &place, "has a meaning only with \"kind\": %s", meanings[i].words);
        }
    }
}

/* ---- an evaluation's own, and those of all ---- */

static void apply_platform(const struct grt_platform_fields *platform, struct grt_evaluation *evaluation) {
    evaluation->gpus = platform->gpus.items;
    evaluation->gpu_count = platform->gpus.count;
    evaluation->core_count = platform->cpus;
    evaluation->context_switch = platform->context_switch;
    evaluation->wake_up = platform->wake_up;
    evaluation->assignment.allocation = platform->allocation;
    evaluation->assignment.counts = platform->allocation_counts;
}

static void apply_priority_analysis(struct grt_reader *reader, const char *name, const struct grt_path *path,
                                    struct grt_evaluation *evaluation) {
    const struct grt_path place = {.parent = path, .key = "priority_analysis"};
    if (evaluation->assignment.priorities != GRT_PRIORITIES_AUDSLEY) {
        grt_error_add(reader->errors, &place, "has a meaning only with \"priorities\": \"audsley\"");
        return;
    }
    const struct grt_analysis_ops *analysis = grt_plan_analysis(reader, evaluation->policy, name, &place);
    const char *objection = analysis != NULL ? grt_audsley_objection(analysis) : NULL;
    if (objection != NULL) {
        grt_error_add(reader->errors, &place, "Audsley's algorithm cannot ask %s, which %s", analysis->name,
                      objection);
    }
    evaluation->assignment.analysis = analysis;
}

static void apply_priorities(struct grt_reader *reader, const struct grt_setting_fields *all,
                             const struct grt_setting_fields *own, const struct grt_path *path,
                             struct grt_evaluation *evaluation) {
    static const struct grt_path root = {0};
    const struct grt_setting_fields *by = has(own, "priorities") ? own : all;
    const struct grt_setting_fields *named = has(own, "priority_analysis") ? own : by;
    evaluation->assignment.priorities =
        has(by, "priorities") ? by->priorities + 1 : (int64_t)GRT_PRIORITIES_EXPLICIT;
    if (named->priority_analysis != NULL) {
        apply_priority_analysis(reader, named->priority_analysis, named == own ? path : &root, evaluation);
    } else if (evaluation->assignment.priorities == GRT_PRIORITIES_AUDSLEY && evaluation->policy != NULL &&
               grt_audsley_analysis_of(evaluation->policy, evaluation->parameters) == NULL) {
        grt_error_add(
            reader->errors, path,
            "policy %s has no analysis of its own that Audsley's algorithm can ask; say which it asks as "
            "\"priority_analysis\"",
            evaluation->policy->name);
    }
}

void grt_setting_apply(struct grt_reader *reader, const struct grt_setting_fields *all,
                       const struct grt_setting_fields *own, const struct grt_path *path,
                       struct grt_evaluation *evaluation) {
    const struct grt_setting_fields *learnt = has(own, "networks") || has(own, "train") ? own : all;
    const struct grt_setting_fields *end = has(own, "horizon") ? own : all;
    apply_platform(has(own, "platform") ? &own->platform : &all->platform, evaluation);
    apply_priorities(reader, all, own, path, evaluation);
    evaluation->networks = learnt->networks;
    evaluation->training = has(learnt, "train") ? learnt->train + GRT_TRAIN_QUICK : GRT_TRAIN_NOT;
    evaluation->horizon = end->end.horizon;
    evaluation->periods = end->end.periods;
}
