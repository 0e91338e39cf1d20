#include "scenarios/release_pattern.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "scenarios/changes.h"
#include "scenarios/json_tree.h"
#include "scenarios/text_file.h"
#include "sim/check.h"

static void put(cJSON *object, const char *key, cJSON *value) {
    if (grt_json_find(object, key) != NULL) {
        cJSON_ReplaceItemInObjectCaseSensitive(object, key, value);
    } else {
        cJSON_AddItemToObject(object, key, value);
    }
}

static cJSON *text_of(grt_time time) {
    char text[GRT_TIME_TEXT_SIZE];
    return cJSON_CreateString(grt_time_text(time, text));
}

/* ---- longest times ---- */

/* Random spans are the only objects in a segment that have a "max". */
static void fix_times(cJSON *value) {
    for (cJSON *child = value->child, *next; child != NULL; child = next) {
        next = child->next;
        const cJSON *longest = grt_json_find(child, "max");
        if (cJSON_IsObject(value) && longest != NULL) {
            put(value, child->string, cJSON_CreateString(cJSON_GetStringValue(longest)));
        } else {
            fix_times(child);
        }
    }
}

/* ---- arrivals ---- */

static void never_come(cJSON *object, const struct grt_task *task, grt_time horizon) {
    if (task->arrival == GRT_ARRIVAL_TIMES || task->arrival == GRT_ARRIVAL_AFTER) {
        cJSON *times = cJSON_CreateArray();
        cJSON_AddItemToArray(times, text_of(horizon));
        cJSON_DeleteItemFromObjectCaseSensitive(object, "after");
        put(object, "times", times);
    } else {
        put(object, "offset", text_of(horizon));
    }
}

static void come(cJSON *object, const struct grt_task *task, grt_time first) {
    if (task->arrival == GRT_ARRIVAL_SPORADIC) {
        cJSON_DeleteItemFromObjectCaseSensitive(object, "sporadic");
        put(object, "period", text_of(task->period));
    }
    put(object, "offset", text_of(first));
}

static bool has_gap(const struct grt_task *task) {
    return task->arrival == GRT_ARRIVAL_PERIODIC || task->arrival == GRT_ARRIVAL_SPORADIC;
}

static void change_task(cJSON *object, const struct grt_task *task, const struct grt_release_pattern *pattern,
                        grt_time first) {
    cJSON_DeleteItemFromObjectCaseSensitive(object, "jitter");
    fix_times(cJSON_GetObjectItemCaseSensitive(object, "segments"));
    if (first == GRT_TIME_NEVER || !has_gap(task)) {
        never_come(object, task, pattern->horizon);
    } else {
        come(object, task, first);
    }
    if (pattern->stops_at_miss && task->deadline != GRT_TIME_NEVER) {
        put(object, "on_miss", cJSON_CreateString("stop"));
    }
}

/* ---- the rest of the file ---- */

/* The absolute path of a file that a device's name means; NULL where it means none, or where one is cannot be told. */
static const char *device_path(const char *name, const char *folder, struct grt_arena *arena) {
    size_t length = name != NULL ? strlen(name) : 0;
    if (length <= 5 || strcmp(name + length - 5, ".json") != 0) {
        return NULL;
    }
    const char *path = grt_path_in_folder(arena, folder, name);
    char here[PATH_MAX];
    return path[0] == '/'                      ? path
           : getcwd(here, sizeof here) != NULL ? grt_path_in_folder(arena, here, path)
                                               : NULL;
}

/* Device files are found from anywhere. */
static void name_devices(cJSON *root, const char *folder) {
    cJSON *platform = cJSON_GetObjectItemCaseSensitive(root, "platform"), *gpu;
    cJSON_ArrayForEach(gpu, cJSON_GetObjectItemCaseSensitive(platform, "gpus")) {
        struct grt_arena arena = {0};
        const char *path = device_path(cJSON_GetStringValue(grt_json_find(gpu, "device")), folder, &arena);
        if (path != NULL) {
            put(gpu, "device", cJSON_CreateString(path));
        }
        grt_arena_clear(&arena);
    }
}

char *grt_release_pattern_write(const struct grt_scenario_source *source, const struct grt_scenario *scenario,
                                const struct grt_release_pattern *pattern) {
    struct grt_errors errors = {0};
    cJSON *root = grt_json_parse(source->text, source->size, &errors);
    grt_changes_apply(source->changes, root, &errors);
    GRT_REQUIRE(errors.count == 0, "read the scenario first: it has errors");
    cJSON_DeleteItemFromObjectCaseSensitive(root, "expect");
    put(root, "description", cJSON_CreateString(pattern->description));
    put(root, "horizon", text_of(pattern->horizon));
    name_devices(root, source->folder != NULL ? source->folder : ".");
    cJSON *tasks = cJSON_DetachItemFromObjectCaseSensitive(root, "tasks"), *object = tasks->child;
    for (size_t i = 0; i < scenario->task_count; i++, object = object->next) {
        change_task(object, &scenario->tasks[i], pattern, pattern->first_releases[i]);
    }
    cJSON_AddItemToObject(root, "tasks", tasks); /* last, as people write it */
    char *text = cJSON_Print(root);
    cJSON_Delete(root);
    return text;
}
