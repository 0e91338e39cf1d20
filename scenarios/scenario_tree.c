#include "scenarios/scenario_tree.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "scenarios/changes.h"
#include "scenarios/json_tree.h"
#include "scenarios/text_file.h"

void grt_scenario_tree_put(cJSON *object, const char *key, cJSON *value) {
    if (grt_json_find(object, key) != NULL) {
        cJSON_ReplaceItemInObjectCaseSensitive(object, key, value);
    } else {
        cJSON_AddItemToObject(object, key, value);
    }
}

cJSON *grt_scenario_tree_span(grt_time span) {
    char text[GRT_TIME_TEXT_SIZE];
    return cJSON_CreateString(grt_time_text(span, text));
}

/* ---- files that it names ---- */

/* The absolute path of a file that the name of a device, a usage or networks means; NULL where it means none, or where one is cannot be told. */
static const char *path_of(const char *name, const char *folder, struct grt_arena *arena) {
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

static void name_file(cJSON *object, const char *key, const char *folder) {
    struct grt_arena arena = {0};
    const char *path = path_of(cJSON_GetStringValue(grt_json_find(object, key)), folder, &arena);
    if (path != NULL) {
        grt_scenario_tree_put(object, key, cJSON_CreateString(path));
    }
    grt_arena_clear(&arena);
}

static void name_usages(const cJSON *task, const char *folder) {
    const cJSON *segment;
    cJSON *command;
    cJSON_ArrayForEach(segment, grt_json_find(task, "segments")) {
        cJSON_ArrayForEach(command, grt_json_find(segment, "gpu")) {
            name_file(command, "usage", folder);
        }
    }
}

static void name_files(cJSON *root, const char *folder) {
    cJSON *platform = cJSON_GetObjectItemCaseSensitive(root, "platform"), *gpu;
    const cJSON *task;
    cJSON_ArrayForEach(gpu, cJSON_GetObjectItemCaseSensitive(platform, "gpus")) {
        name_file(gpu, "device", folder);
    }
    cJSON_ArrayForEach(task, grt_json_find(root, "tasks")) {
        name_usages(task, folder);
    }
    name_file(root, "networks", folder);
}

cJSON *grt_scenario_tree_read(const struct grt_scenario_source *source, struct grt_errors *errors) {
    size_t before = errors->count;
    cJSON *root = grt_json_parse(source->text, source->size, errors);
    if (root == NULL) {
        return NULL;
    }
    grt_changes_apply(source->changes, root, errors);
    if (errors->count > before) {
        cJSON_Delete(root);
        return NULL;
    }
    cJSON_DeleteItemFromObjectCaseSensitive(root, "expect");
    name_files(root, source->folder != NULL ? source->folder : ".");
    return root;
}

/* ---- times ---- */

cJSON *grt_scenario_tree_worst(const cJSON *time) {
    const cJSON *declared = grt_json_find(time, "declared");
    return cJSON_Duplicate(declared != NULL ? declared : grt_json_find(time, "max"), true);
}

/* Random times are the only objects in a segment that have a "max". */
void grt_scenario_tree_change_times(cJSON *segments, cJSON *(*change)(const cJSON *time, int how), int how) {
    for (cJSON *child = segments->child, *next; child != NULL; child = next) {
        next = child->next;
        if (cJSON_IsObject(segments) && grt_json_find(child, "max") != NULL) {
            grt_scenario_tree_put(segments, child->string, change(child, how));
        } else {
            grt_scenario_tree_change_times(child, change, how);
        }
    }
}
