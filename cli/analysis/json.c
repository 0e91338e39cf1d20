#include <cjson/cJSON.h>
#include <stdio.h>

#include "cli/analysis/report.h"
#include "cli/policy/json.h"
#include "cli/terminal/json_numbers.h"

static void add_text(cJSON *object, const char *key, const char *text) {
    if (text == NULL || text[0] == '\0') {
        cJSON_AddNullToObject(object, key);
    } else {
        cJSON_AddStringToObject(object, key, text);
    }
}

static void add_task_name(cJSON *object, const char *key, const struct grt_analysis_set *set, uint32_t task) {
    add_text(object, key, task < set->count ? set->tasks[task].name : NULL);
}

static const char *verdict_key(enum grt_verdict verdict) {
    static const char *const keys[] = {
        [GRT_VERDICT_INAPPLICABLE] = "inapplicable",
        [GRT_VERDICT_SCHEDULABLE] = "schedulable",
        [GRT_VERDICT_UNSCHEDULABLE] = "unschedulable",
        [GRT_VERDICT_UNKNOWN] = "unknown",
    };
    return keys[verdict];
}

/* ---- tasks ---- */

static void add_tasks(cJSON *object, const struct grt_analysis_set *set) {
    cJSON *list = cJSON_AddArrayToObject(object, "tasks");
    for (size_t i = 0; i < set->count; i++) {
        const struct grt_analysis_task *task = &set->tasks[i];
        cJSON *item = cJSON_CreateObject();
        cJSON_AddStringToObject(item, "name", task->name);
        grt_json_add_count(item, "number", task->number);
        grt_json_add_time(item, "period_ns", task->period > 0 ? task->period : -1);
        grt_json_add_time(item, "deadline_ns", task->deadline);
        grt_json_add_time(item, "jitter_ns", task->jitter);
        grt_json_add_integer(item, "priority", task->priority);
        grt_json_add_time(item, "gpu_time_ns", grt_analyzed_time(task, GRT_USE_DEVICE));
        grt_json_add_time(item, "host_time_ns", grt_analyzed_time(task, GRT_USE_HOST_PARTS));
        grt_json_add_time(item, "cpu_time_ns", grt_analyzed_time(task, GRT_USE_CPU));
        cJSON_AddItemToArray(list, item);
    }
}

/* ---- one analysis ---- */

static void add_values(cJSON *object, const struct grt_analysis_result *result, uint32_t task) {
    cJSON *values = cJSON_AddObjectToObject(object, "values");
    for (size_t i = 0; i < result->value_count; i++) {
        const struct grt_analysis_value *value = &result->values[i];
        if (value->task != task) {
            continue;
        }
        if (value->is_time) {
            char key[80];
            snprintf(key, sizeof key, "%s_ns", value->name);
            grt_json_add_time(values, key, value->time);
        } else {
            cJSON_AddNumberToObject(values, value->name, value->number);
        }
    }
}

static void add_bounds(cJSON *object, const struct grt_analyzed *analyzed,
                       const struct grt_analysis_set *set) {
    cJSON *list = cJSON_AddArrayToObject(object, "tasks");
    for (uint32_t i = 0; i < set->count; i++) {
        cJSON *item = cJSON_CreateObject();
        int64_t slack;
        cJSON_AddStringToObject(item, "name", set->tasks[i].name);
        grt_json_add_time(item, "bound_ns", grt_analyzed_bound(analyzed, i));
        grt_json_add_time(item, "computed_ns", analyzed->result.response[i]);
        if (grt_analyzed_slack(analyzed, set, i, &slack)) {
            grt_json_add_integer(item, "slack_ns", slack);
        } else {
            cJSON_AddNullToObject(item, "slack_ns");
        }
        add_values(item, &analyzed->result, i);
        cJSON_AddItemToArray(list, item);
    }
}

static void add_witness(cJSON *object, const struct grt_analysis_result *result,
                        const struct grt_analysis_set *set) {
    if (!result->has_witness) {
        cJSON_AddNullToObject(object, "witness");
        return;
    }
    cJSON *list = cJSON_AddArrayToObject(object, "witness");
    for (size_t i = 0; i < set->count; i++) {
        cJSON *item = cJSON_CreateObject();
        cJSON_AddStringToObject(item, "name", set->tasks[i].name);
        grt_json_add_time(item, "first_release_ns", result->first_release[i]);
        cJSON_AddItemToArray(list, item);
    }
}

/* ---- sensitivity ---- */

/* A value of a change: of factors a number; of one task's period its time. */
static void add_limit_value(cJSON *object, const char *name, int64_t value, int64_t period) {
    char key[80];
    snprintf(key, sizeof key, "%s_%s", name, period > 0 ? "period_ns" : "factor");
    if (value == 0) {
        cJSON_AddNullToObject(object, key);
    } else if (period > 0) {
        grt_json_add_time(object, key, value);
    } else {
        cJSON_AddNumberToObject(object, key, (double)value / GRT_SENSITIVITY_UNIT);
    }
}

/* `period` is 0 but for limits of one task's period. */
static void add_limit(cJSON *object, const char *key, const struct grt_sensitivity_limit *limit,
                      const struct grt_analysis_set *set, int64_t period) {
    static const char *const kinds[] = {
        [GRT_LIMIT_FOUND] = "found",
        [GRT_LIMIT_NONE] = "none",
        [GRT_LIMIT_NO_PASS] = "never_passes",
        [GRT_LIMIT_NO_SENSE] = "no_sense",
        [GRT_LIMIT_NOT_SEARCHED] = "not_searched",
    };
    cJSON *item = cJSON_AddObjectToObject(object, key);
    bool fails = limit->kind == GRT_LIMIT_FOUND || limit->kind == GRT_LIMIT_NO_PASS;
    cJSON_AddStringToObject(item, "limit", kinds[limit->kind]);
    add_limit_value(item, "passes_at", limit->value, period);
    if (period > 0) {
        grt_json_add_ratio(item, "passes_at_factor", (double)limit->value,
                           limit->value > 0 ? (double)period : 0.0);
    }
    add_limit_value(item, "fails_at", limit->beyond, period);
    add_text(item, "fails_with", fails ? verdict_key(limit->verdict) : NULL);
    add_text(item, "fails_because", limit->reason);
    add_task_name(item, "failing", set, limit->failing);
    add_limit_value(item, "easier_but_fails_at", limit->fails_before, period);
    add_limit_value(item, "harder_but_passes_at", limit->passes_after, period);
    cJSON_AddBoolToObject(item, "cut_short", limit->cut_short);
}

static void add_limits(cJSON *object, const struct grt_analyzed *analyzed,
                       const struct grt_analysis_set *set) {
    const struct grt_analysis_limits *limits = &analyzed->limits;
    if (limits->times == NULL) {
        cJSON_AddNullToObject(object, "sensitivity");
        return;
    }
    cJSON *root = cJSON_AddObjectToObject(object, "sensitivity");
    add_limit(root, "execution_times", &limits->times[set->count], set, 0);
    add_limit(root, "periods", &limits->periods[set->count], set, 0);
    cJSON *list = cJSON_AddArrayToObject(root, "tasks");
    for (size_t i = 0; i < set->count; i++) {
        cJSON *item = cJSON_CreateObject();
        cJSON_AddStringToObject(item, "name", set->tasks[i].name);
        add_limit(item, "execution_time", &limits->times[i], set, 0);
        add_limit(item, "period", &limits->periods[i], set, set->tasks[i].period);
        cJSON_AddItemToArray(list, item);
    }
}

/* ---- all ---- */

/* Only of analyses that have options. */
static void add_options(cJSON *object, const struct grt_analyzed *analyzed) {
    const struct grt_record *record = analyzed->ops->options;
    cJSON *options = record != NULL ? cJSON_AddObjectToObject(object, "options") : NULL;
    for (size_t i = 0; options != NULL && i < record->field_count; i++) {
        char text[GRT_ANALYSIS_OPTION_TEXT_SIZE];
        const struct grt_field *field = &record->fields[i];
        cJSON_AddStringToObject(options, field->name,
                                grt_analysis_option_text(field, analyzed->options, text));
    }
}

static cJSON *analysis_of(const struct grt_analyzed *analyzed, const struct grt_analysis_set *set) {
    const struct grt_analysis_ops *ops = analyzed->ops;
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "name", ops->name);
    cJSON_AddStringToObject(object, "summary", ops->summary);
    add_text(object, "source", ops->source);
    add_text(object, "deviation", ops->deviation);
    add_options(object, analyzed);
    cJSON_AddBoolToObject(object, "of_policy", analyzed->of_policy);
    cJSON_AddBoolToObject(object, "exact", ops->exact);
    cJSON_AddBoolToObject(object, "bounds", ops->bounds);
    cJSON_AddStringToObject(object, "verdict", verdict_key(analyzed->result.verdict));
    cJSON_AddBoolToObject(object, "unsound", analyzed->result.unsound);
    cJSON_AddBoolToObject(object, "claimed", grt_analysis_only_claims(ops, &analyzed->result));
    add_text(object, "reason", analyzed->result.reason);
    add_task_name(object, "failing", set, analyzed->result.failing);
    add_values(object, &analyzed->result, GRT_ANALYSIS_NO_TASK);
    add_bounds(object, analyzed, set);
    add_witness(object, &analyzed->result, set);
    add_limits(object, analyzed, set);
    return object;
}

/* Of a GPU, or of the platform, which has no number and no device. */
static cJSON *gpu_of(const struct grt_analysis_report *report, const struct grt_analyzed_gpu *gpu) {
    cJSON *object = cJSON_CreateObject();
    const struct grt_analyzed *by = NULL;
    if (gpu->number != GRT_ANALYSIS_ALL_GPUS) {
        grt_json_add_count(object, "gpu", gpu->number);
        add_text(object, "device", report->file->scenario.gpus[gpu->number].name);
    }
    const char *unfounded = grt_analyzed_unfounded(report, gpu);
    enum grt_verdict verdict =
        unfounded == NULL ? grt_analyzed_verdict(gpu, &by) : GRT_VERDICT_UNKNOWN; /* nothing is proven */
    cJSON_AddStringToObject(object, "verdict", verdict_key(verdict));
    add_text(object, "verdict_by", by != NULL ? by->ops->name : NULL);
    add_text(object, "without_model", unfounded);
    add_text(object, "interference", gpu->set.interference);
    add_tasks(object, &gpu->set);
    cJSON *list = cJSON_AddArrayToObject(object, "analyses");
    for (size_t i = 0; i < gpu->analysis_count; i++) {
        cJSON_AddItemToArray(list, analysis_of(&gpu->analyses[i], &gpu->set));
    }
    return object;
}

char *grt_analysis_json(const struct grt_analysis_report *report) {
    cJSON *root = cJSON_CreateObject();
    cJSON_AddNumberToObject(root, "gpurt_analysis", 1);
    cJSON_AddStringToObject(root, "version", GRT_VERSION);
    cJSON_AddStringToObject(root, "scenario", report->file->scenario.name);
    grt_json_add_policy(root, report->file->policy);
    cJSON_AddBoolToObject(root, "proven", grt_analysis_report_proven(report));
    cJSON *list = cJSON_AddArrayToObject(root, "gpus");
    for (size_t i = 0; i < report->gpu_count; i++) {
        cJSON *object = gpu_of(report, &report->gpus[i]);
        if (report->gpus[i].number == GRT_ANALYSIS_ALL_GPUS) {
            cJSON_AddItemToObject(root, "platform", object);
        } else {
            cJSON_AddItemToArray(list, object);
        }
    }
    char *text = cJSON_Print(root);
    cJSON_Delete(root);
    return text;
}
