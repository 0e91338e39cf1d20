#include "scenarios/release_pattern.h"

#include "scenarios/json_tree.h"
#include "sim/check.h"

static cJSON *longest(const cJSON *time, int how) {
    (void)how;
    return grt_scenario_tree_worst(time);
}

/* ---- arrivals ---- */

static void never_come(cJSON *object, const struct grt_task *task, grt_time horizon) {
    if (task->arrival == GRT_ARRIVAL_TIMES || task->arrival == GRT_ARRIVAL_AFTER) {
        cJSON *times = cJSON_CreateArray();
        cJSON_AddItemToArray(times, grt_scenario_tree_span(horizon));
        cJSON_DeleteItemFromObjectCaseSensitive(object, "after");
        grt_scenario_tree_put(object, "times", times);
    } else {
        grt_scenario_tree_put(object, "offset", grt_scenario_tree_span(horizon));
    }
}

static void come(cJSON *object, const struct grt_task *task, grt_time first) {
    if (task->arrival == GRT_ARRIVAL_SPORADIC) {
        cJSON_DeleteItemFromObjectCaseSensitive(object, "sporadic");
        grt_scenario_tree_put(object, "period", grt_scenario_tree_span(task->period));
    }
    grt_scenario_tree_put(object, "offset", grt_scenario_tree_span(first));
}

static bool has_gap(const struct grt_task *task) {
    return task->arrival == GRT_ARRIVAL_PERIODIC || task->arrival == GRT_ARRIVAL_SPORADIC;
}

static void change_task(cJSON *object, const cJSON *kernels, const struct grt_task *task,
                        const struct grt_release_pattern *pattern, grt_time first) {
    cJSON_DeleteItemFromObjectCaseSensitive(object, "jitter");
    grt_scenario_tree_change_times(cJSON_GetObjectItemCaseSensitive(object, "segments"), kernels, longest, 0);
    if (first == GRT_TIME_NEVER || !has_gap(task)) {
        never_come(object, task, pattern->horizon);
    } else {
        come(object, task, first);
    }
    if (pattern->stops_at_miss && task->deadline != GRT_TIME_NEVER) {
        grt_scenario_tree_put(object, "on_miss", cJSON_CreateString("stop"));
    }
}

/* ---- the file ---- */

char *grt_release_pattern_write(const struct grt_scenario_source *source, const struct grt_scenario *scenario,
                                const struct grt_release_pattern *pattern) {
    struct grt_errors errors = {0};
    cJSON *root = grt_scenario_tree_read(source, &errors);
    GRT_REQUIRE(root != NULL, "read the scenario first: it has errors");
    grt_scenario_tree_put(root, "description", cJSON_CreateString(pattern->description));
    grt_scenario_tree_put(root, "horizon", grt_scenario_tree_span(pattern->horizon));
    cJSON *tasks = cJSON_DetachItemFromObjectCaseSensitive(root, "tasks"), *object = tasks->child;
    for (size_t i = 0; object != NULL; i++, object = object->next) { /* policies add tasks that no file has */
        change_task(object, grt_json_find(root, "kernels"), &scenario->tasks[i], pattern,
                    pattern->first_releases[i]);
    }
    cJSON_AddItemToObject(root, "tasks", tasks); /* last, as people write it */
    char *text = cJSON_Print(root);
    cJSON_Delete(root);
    return text;
}
