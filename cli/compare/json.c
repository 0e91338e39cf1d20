#include <cjson/cJSON.h>
#include <math.h>

#include "cli/compare/compare.h"
#include "cli/policy/json.h"
#include "cli/run/numbers.h"
#include "cli/run/slack.h"
#include "cli/terminal/json_numbers.h"

static void add_wide(cJSON *object, const char *key, bool known, grt_signed_wide value) {
    if (known) {
        grt_json_add_wide(object, key, value);
    } else {
        cJSON_AddNullToObject(object, key);
    }
}

static void add_ideal(cJSON *object, const struct grt_compared_slack *slack) {
    bool known = slack->ideal_known && slack->slack.count > 0;
    add_wide(object, "ideal_ns", known, slack->ideal);
    add_wide(object, "beyond_ideal_ns", known, grt_compared_beyond(slack));
}

static void add_tasks(cJSON *object, const struct grt_compared_run *run) {
    cJSON *list = cJSON_AddArrayToObject(object, "tasks");
    for (size_t i = 0; i < run->task_count; i++) {
        const struct grt_task_result *result = &run->simulation.result->tasks[i];
        cJSON *item = cJSON_CreateObject();
        cJSON_AddStringToObject(item, "name", result->name);
        grt_json_add_count(item, "released", result->released);
        grt_json_add_count(item, "missed", result->missed);
        bool any = result->response.count > 0;
        grt_json_add_time(item, "response_mean_ns",
                          any ? (grt_time)llround(grt_stats_mean(&result->response)) : -1);
        grt_json_add_time(item, "response_max_ns", any ? result->response.max : -1);
        grt_report_task_slack_json(item, &run->simulation.file.written.tasks[i], result);
        add_ideal(item, &run->of_tasks[i]);
        cJSON_AddItemToArray(list, item);
    }
}

static void add_performance(cJSON *object, const struct grt_performance *performance) {
    if (performance->reason == NULL) {
        cJSON_AddNumberToObject(object, "performance_ratio", performance->ratio);
        cJSON_AddNullToObject(object, "undefined");
    } else {
        cJSON_AddNullToObject(object, "performance_ratio");
        cJSON_AddStringToObject(object, "undefined", performance->reason);
    }
}

static void add_refusal(cJSON *object, const struct grt_errors *errors) {
    cJSON *list = cJSON_AddArrayToObject(object, "refused");
    for (size_t i = 0; i < errors->count && i < GRT_ERRORS_KEPT; i++) {
        cJSON_AddItemToArray(list, cJSON_CreateString(errors->messages[i]));
    }
}

static void add_run(cJSON *list, const struct grt_compared_run *run) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "label", run->label);
    grt_json_add_policy(object, run->policy);
    cJSON_AddItemToArray(list, object);
    if (run->refused) {
        add_refusal(object, &run->errors);
        return;
    }
    cJSON_AddNullToObject(object, "refused");
    add_performance(object, &run->performance);
    add_ideal(object, &run->total);
    grt_report_slack_json(cJSON_AddObjectToObject(object, "slack"), &run->total.slack);
    grt_json_add_count(object, "missed", run->missed);
    grt_json_add_time(object, "gap_deviation_max_ns", run->deviation);
    grt_json_add_count(object, "tasks_with_other_jobs", run->other);
    grt_json_add_time(object, "end_ns", run->simulation.result->end);
    grt_report_measures_json(object, run->simulation.result);
    add_tasks(object, run);
}

char *grt_comparison_json(const struct grt_comparison *comparison) {
    const struct grt_compared_run *first = grt_comparison_first(comparison);
    cJSON *root = cJSON_CreateObject();
    cJSON_AddNumberToObject(root, "gpurt_compare", 1);
    cJSON_AddStringToObject(root, "version", GRT_VERSION);
    cJSON_AddStringToObject(root, "scenario", first->simulation.file.written.name);
    grt_json_add_count(root, "seed", first->simulation.file.written.seed);
    cJSON_AddStringToObject(root, "ideal", grt_ideal_names[comparison->options->ideal]);
    cJSON_AddStringToObject(root, "base", comparison->runs[comparison->options->base].label);
    cJSON *list = cJSON_AddArrayToObject(root, "policies");
    for (size_t i = 0; i < comparison->run_count; i++) {
        add_run(list, &comparison->runs[i]);
    }
    char *text = cJSON_Print(root);
    cJSON_Delete(root);
    return text;
}
