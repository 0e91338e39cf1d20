#include "scenarios/scenario_tree.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "scenarios/changes.h"
#include "scenarios/json_tree.h"
#include "scenarios/kernels.h"
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

/* NULL where one is cannot be told. */
static const char *absolute_path(const char *name, const char *folder, struct grt_arena *arena) {
    const char *path = grt_path_in_folder(arena, folder, name);
    char here[PATH_MAX];
    return path[0] == '/'                      ? path
           : getcwd(here, sizeof here) != NULL ? grt_path_in_folder(arena, here, path)
                                               : NULL;
}

/* The name of a device, a usage or networks means a file where it ends so; that of a plug-in always does. */
static void name_file(cJSON *object, const char *key, const char *folder) {
    struct grt_arena arena = {0};
    const char *name = cJSON_GetStringValue(grt_json_find(object, key));
    size_t length = name != NULL ? strlen(name) : 0;
    bool is_file =
        (length > 5 && strcmp(name + length - 5, ".json") == 0) || (length > 0 && strcmp(key, "plugin") == 0);
    const char *path = is_file ? absolute_path(name, folder, &arena) : NULL;
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
    cJSON *platform = cJSON_GetObjectItemCaseSensitive(root, "platform"), *gpu, *kernel;
    const cJSON *task;
    cJSON_ArrayForEach(gpu, cJSON_GetObjectItemCaseSensitive(platform, "gpus")) {
        name_file(gpu, "device", folder);
    }
    cJSON_ArrayForEach(task, grt_json_find(root, "tasks")) {
        name_usages(task, folder);
    }
    cJSON_ArrayForEach(kernel, cJSON_GetObjectItemCaseSensitive(root, "kernels")) {
        name_file(kernel, "usage", folder);
    }
    name_file(root, "networks", folder);
}

/* Puts the definitions of kernels that are in files in the place of the files' names. */
static void take_kernels(cJSON *root, const char *folder, struct grt_errors *errors) {
    struct grt_arena arena = {0};
    struct grt_reader reader = {.arena = &arena, .errors = errors, .folder = folder};
    struct grt_kernels *kernels = grt_kernels_find(&reader, root);
    if (kernels != NULL && reader.has_kernels) {
        grt_scenario_tree_put(root, "kernels", grt_kernels_in_place(kernels));
    }
    grt_kernels_free(kernels);
    grt_arena_clear(&arena);
}

cJSON *grt_scenario_tree_read(const struct grt_scenario_source *source, struct grt_errors *errors) {
    size_t before = errors->count;
    cJSON *root = grt_json_parse(source->text, source->size, errors);
    if (root == NULL) {
        return NULL;
    }
    const char *folder = source->folder != NULL ? source->folder : ".";
    grt_changes_apply(source->changes, root, errors);
    take_kernels(root, folder, errors);
    if (errors->count > before) {
        cJSON_Delete(root);
        return NULL;
    }
    cJSON_DeleteItemFromObjectCaseSensitive(root, "expect");
    name_files(root, folder);
    name_file(cJSON_GetObjectItemCaseSensitive(root, "policy"), "plugin",
              grt_changes_policy_folder(source->changes, folder));
    return root;
}

/* ---- times ---- */

cJSON *grt_scenario_tree_worst(const cJSON *time) {
    const cJSON *declared = grt_json_find(time, "declared");
    return cJSON_Duplicate(declared != NULL ? declared : grt_json_find(time, "max"), true);
}

static bool is_random(const cJSON *value) {
    return cJSON_IsObject(value) && grt_json_find(value, "max") != NULL;
}

/* The definition that a kernel takes its fields from; NULL: none. */
static const cJSON *definition_of(const cJSON *kernel, const cJSON *kernels) {
    const cJSON *like = grt_json_find(kernel, "like"), *name = grt_json_find(kernel, "kernel"), *definition;
    bool written_out = grt_json_find(kernel, "blocks") != NULL || grt_json_find(kernel, "time") != NULL;
    const char *wanted =
        like != NULL || !written_out ? cJSON_GetStringValue(like != NULL ? like : name) : NULL;
    cJSON_ArrayForEach(definition, kernels) {
        const char *other = cJSON_GetStringValue(grt_json_find(definition, "name"));
        if (wanted != NULL && other != NULL && strcmp(other, wanted) == 0) {
            return definition;
        }
    }
    return NULL;
}

/* Whether any of these launches, or of those that follow from them, has a random time. */
static bool launches_random(const cJSON *launches, const cJSON *kernels) {
    const cJSON *launch;
    cJSON_ArrayForEach(launch, launches) {
        const cJSON *definition = definition_of(launch, kernels);
        const cJSON *time = grt_json_find(launch, "block_time"), *next = grt_json_find(launch, "launches");
        time = time != NULL ? time : grt_json_find(definition, "block_time");
        next = next != NULL ? next : grt_json_find(definition, "launches");
        if (is_random(time) || launches_random(next, kernels)) {
            return true;
        }
    }
    return false;
}

/* Gives a kernel the random times of its definition, which others have, too, and may keep. */
static void take_times(cJSON *kernel, const cJSON *kernels) {
    static const char *const keys[] = {"time", "block_time", "launches"};
    const cJSON *definition = definition_of(kernel, kernels);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0] && definition != NULL; i++) {
        const cJSON *value = grt_json_find(definition, keys[i]);
        bool changes = is_random(value) || (cJSON_IsArray(value) && launches_random(value, kernels));
        if (changes && grt_json_find(kernel, keys[i]) == NULL) {
            if (grt_json_find(kernel, "like") == NULL) {
                cJSON_AddStringToObject(kernel, "like",
                                        cJSON_GetStringValue(grt_json_find(definition, "name")));
            }
            cJSON_AddItemToObject(kernel, keys[i], cJSON_Duplicate(value, true));
        }
    }
}

/* Random times are the only objects in a segment that have a "max". */
void grt_scenario_tree_change_times(cJSON *segments, const cJSON *kernels,
                                    cJSON *(*change)(const cJSON *time, int how), int how) {
    if (cJSON_IsObject(segments) && grt_json_find(segments, "kernel") != NULL) {
        take_times(segments, kernels);
    }
    for (cJSON *child = segments->child, *next; child != NULL; child = next) {
        next = child->next;
        if (cJSON_IsObject(segments) && is_random(child)) {
            grt_scenario_tree_put(segments, child->string, change(child, how));
        } else {
            grt_scenario_tree_change_times(child, kernels, change, how);
        }
    }
}
