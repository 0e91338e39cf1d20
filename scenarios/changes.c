#include "scenarios/changes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/json_syntax.h"
#include "scenarios/plugin.h"
#include "sim/error_path.h"
#include "sim/memory.h"
#include "sim/utf8.h"

enum { MOST_KEYS_SHOWN = 16 };

static const char *name_or(const char *name, const char *fallback) {
    return name != NULL ? name : fallback;
}

struct grt_change_names grt_changes_names(const struct grt_change_names *given) {
    static const struct grt_change_names none = {0};
    given = given != NULL ? given : &none;
    return (struct grt_change_names){.policy = name_or(given->policy, "changes.policy"),
                                     .seed = name_or(given->seed, "changes.seed"),
                                     .horizon = name_or(given->horizon, "changes.horizon"),
                                     .sets = name_or(given->sets, "changes.sets"),
                                     .samples = name_or(given->samples, "changes.samples")};
}

/* A text as JSON if it is JSON, else as a text of its own; NULL after adding an error. */
static cJSON *value_of(const char *option, const char *text, struct grt_errors *errors) {
    size_t offset, size = strlen(text);
    if (grt_json_check(text, size, &offset) == NULL) {
        struct grt_errors inner = {0};
        cJSON *value = grt_json_parse(text, size, &inner);
        if (inner.count > 0) {
            grt_error_add(errors, NULL, "%s: %s", option, inner.messages[0]);
            cJSON_Delete(value);
            value = NULL;
        }
        grt_errors_clear(&inner);
        return value;
    }
    if (!grt_utf8_valid(text)) {
        grt_error_add(errors, NULL, "%s: the value is not valid UTF-8", option);
        return NULL;
    }
    return cJSON_CreateString(text);
}

static void put_field(cJSON *object, const char *key, cJSON *value) {
    if (value == NULL) {
        return;
    }
    if (grt_json_find(object, key) != NULL) {
        cJSON_ReplaceItemInObjectCaseSensitive(object, key, value);
    } else {
        cJSON_AddItemToObject(object, key, value);
    }
}

/* One step of a path: a key, or an element of a list. */
struct step {
    char *key; /* NULL: an element */
    int index;
};

/* Reads "key", ".key" or "[index]" from *path, which is changed, and moves on; false if there is none of them. */
static bool next_step(char **path, bool first, struct step *step) {
    char *text = *path;
    if (*text == '[') {
        size_t digits = strspn(text + 1, "0123456789");
        if (digits < 1 || digits > 9 || text[digits + 1] != ']') {
            return false;
        }
        *step = (struct step){.key = NULL, .index = atoi(text + 1)};
        *path = text + digits + 2;
        return true;
    }
    if (!first && *text++ != '.') {
        return false;
    }
    size_t length = strcspn(text, ".[");
    if (length == 0) {
        return false;
    }
    *step = (struct step){.key = text};
    *path = text + length;
    return true;
}

static cJSON *child_of(cJSON *parent, const struct step *step) {
    if (step->key != NULL) {
        return cJSON_IsObject(parent) ? cJSON_GetObjectItemCaseSensitive(parent, step->key) : NULL;
    }
    return cJSON_IsArray(parent) ? cJSON_GetArrayItem(parent, step->index) : NULL;
}

/* Puts the value where the last step leads; false if there is no such place. */
static bool put_value(cJSON *parent, const struct step *step, cJSON *value) {
    if (step->key != NULL && cJSON_IsObject(parent)) {
        put_field(parent, step->key, value);
        return true;
    }
    return step->key == NULL && child_of(parent, step) != NULL &&
           cJSON_ReplaceItemInArray(parent, step->index, value);
}

enum outcome { DONE, BAD_PATH, NO_PLACE };

/* Walks the path, which is changed on the way and restored, and puts the value at its end. */
static enum outcome put_at(cJSON *root, char *path, cJSON *value) {
    struct step step;
    cJSON *parent = root;
    bool good = next_step(&path, true, &step);
    while (good && *path != '\0') {
        char *end = path, kept = *end;
        *end = '\0'; /* the key ends here; an element's number has been read */
        parent = child_of(parent, &step);
        *end = kept;
        good = next_step(&path, false, &step);
    }
    if (!good) {
        return BAD_PATH;
    }
    return put_value(parent, &step, value) ? DONE : NO_PLACE;
}

/* What is at a place, where a path wants more. */
static void put_content(FILE *out, const cJSON *place) {
    char shown[GRT_JSON_SHOWN_SIZE];
    if (cJSON_IsArray(place)) {
        int count = cJSON_GetArraySize(place);
        fprintf(out, "has %d element%s", count, count == 1 ? "" : "s");
    } else if (place == NULL || !cJSON_IsObject(place)) {
        fprintf(out, "is %s", grt_json_show(place, shown));
    } else if (place->child == NULL) {
        fputs("is empty", out);
    } else {
        int left = MOST_KEYS_SHOWN;
        fputs("has", out);
        for (const cJSON *field = place->child; field != NULL && left-- > 0; field = field->next) {
            const char *behind = field->next == NULL ? "" : left > 0 ? "," : ", ...";
            fprintf(out, " %s%s", grt_text_show(field->string, shown), behind);
        }
    }
}

/* What says more of a list of which an element was asked for by its name: `: "map" is tasks[1]`, or how one is written: ": the first is tasks[0]". */
static void put_element(FILE *out, const cJSON *list, const char *path, const char *name) {
    int index = 0;
    const cJSON *element = list->child;
    while (element != NULL) {
        const char *known = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(element, "name"));
        if (known != NULL && strcmp(known, name) == 0) {
            break;
        }
        element = element->next;
        index++;
    }
    char shown[GRT_JSON_SHOWN_SIZE];
    if (element != NULL) {
        fprintf(out, ": %s is %s[%d]", grt_text_show(name, shown), path, index);
    } else if (list->child != NULL) {
        fprintf(out, ": the first is %s[0]", path);
    }
}

/* `no such place ("tasks" has 2 elements: "map" is tasks[1])`: how far a path leads, and what is there. To be freed. */
static char *describe_missing(cJSON *root, char *path) {
    char *text = NULL, *begin = path, shown[GRT_JSON_SHOWN_SIZE];
    size_t size = 0;
    cJSON *place = root;
    struct step step = {0};
    char *reached = path;
    while (place != NULL && next_step(&path, path == begin, &step)) {
        char kept = *path;
        *path = '\0';
        cJSON *child = child_of(place, &step);
        if (child == NULL) {
            break; /* a key ends here */
        }
        *path = kept;
        place = child;
        reached = path;
    }
    *reached = '\0';
    FILE *out = open_memstream(&text, &size);
    fprintf(out, "no such place (%s ", begin[0] == '\0' ? "the file" : grt_text_show(begin, shown));
    put_content(out, place);
    if (cJSON_IsArray(place) && step.key != NULL) {
        put_element(out, place, begin, step.key);
    }
    fputs(")", out);
    fclose(out);
    return text;
}

bool grt_changes_put(cJSON *root, const char *path, cJSON *value, const char *what,
                     struct grt_errors *errors) {
    size_t size = strlen(path) + 1;
    char *steps = memcpy(grt_allocate(size), path, size);
    bool valid = grt_utf8_valid(path);
    enum outcome outcome = valid ? put_at(root, steps, value) : BAD_PATH;
    if (outcome == NO_PLACE) {
        char *problem = describe_missing(root, steps);
        grt_error_add(errors, NULL, "%s: %s", what, problem);
        free(problem);
    } else if (outcome == BAD_PATH) {
        grt_error_add(errors, NULL, "%s: %s", what,
                      valid ? "the path must be one like tasks[0].period" : "the path is not valid UTF-8");
    }
    if (outcome != DONE) {
        cJSON_Delete(value);
    }
    free(steps);
    return outcome == DONE;
}

static void apply_set(const char *set, const char *name, cJSON *root, struct grt_errors *errors) {
    char option[GRT_JSON_SHOWN_SIZE + 32], shown[GRT_JSON_SHOWN_SIZE];
    snprintf(option, sizeof option, "%s %s", name, grt_text_show(set, shown));
    const char *equals = strchr(set, '=');
    if (equals == NULL) {
        grt_error_add(errors, NULL, "%s: must be of the form path=value", option);
        return;
    }
    cJSON *value = value_of(option, equals + 1, errors);
    if (value == NULL) {
        return;
    }
    size_t length = (size_t)(equals - set);
    char *path = memcpy(grt_allocate(length + 1), set, length);
    path[length] = '\0';
    grt_changes_put(root, path, value, option, errors);
    free(path);
}

static void apply_policy(const char *name, const char *change, cJSON *root, struct grt_errors *errors) {
    if (!grt_utf8_valid(name)) {
        grt_error_add(errors, NULL, "%s: the name is not valid UTF-8", change);
        return;
    }
    cJSON *policy = cJSON_CreateObject();
    cJSON_AddItemToObject(policy, grt_plugin_is_file(name) ? "plugin" : "name", cJSON_CreateString(name));
    put_field(root, "policy", policy);
}

void grt_changes_apply(const struct grt_scenario_changes *changes, cJSON *root, struct grt_errors *errors) {
    if (changes == NULL || !cJSON_IsObject(root)) {
        return; /* what is no object is refused later */
    }
    const struct grt_change_names names = grt_changes_names(changes->names);
    if (changes->policy != NULL) {
        apply_policy(changes->policy, names.policy, root, errors);
    }
    if (changes->seed != NULL) {
        put_field(root, "seed", value_of(names.seed, changes->seed, errors));
    }
    if (changes->horizon != NULL) {
        put_field(root, "horizon", value_of(names.horizon, changes->horizon, errors));
    }
    for (size_t i = 0; i < changes->set_count; i++) {
        apply_set(changes->sets[i], names.sets, root, errors);
    }
}

const char *grt_changes_policy_folder(const struct grt_scenario_changes *changes, const char *folder) {
    bool changed = changes != NULL && changes->policy != NULL;
    return !changed ? folder : changes->policy_folder != NULL ? changes->policy_folder : ".";
}

uint64_t grt_changes_new_devices(const struct grt_scenario_changes *changes) {
    static const char list[] = "platform.gpus[", key[] = "].device=";
    uint64_t devices = 0;
    for (size_t i = 0; changes != NULL && i < changes->set_count; i++) {
        const char *set = changes->sets[i], *number = set + strlen(list);
        if (strncmp(set, list, strlen(list)) != 0) {
            continue;
        }
        size_t digits = strspn(number, "0123456789");
        int gpu = digits > 0 && digits <= 2 ? atoi(number) : 64;
        if (gpu < 64 && strncmp(number + digits, key, strlen(key)) == 0) {
            devices |= UINT64_C(1) << gpu;
        }
    }
    return devices;
}

/* ---- errors ---- */

/* Whether --set has put a value where the message is about. */
static bool is_of_a_set(const struct grt_scenario_changes *changes, const char *message) {
    for (size_t i = 0; i < changes->set_count; i++) {
        if (grt_error_is_about(message, changes->sets[i], strcspn(changes->sets[i], "="))) {
            return true;
        }
    }
    return false;
}

static char *with_option(const char *message, const char *option) {
    size_t size = strlen(message) + strlen(option) + sizeof " (set by )";
    char *longer = grt_allocate(size);
    snprintf(longer, size, "%s (set by %s)", message, option);
    return longer;
}

void grt_changes_name_options(const struct grt_scenario_changes *changes, struct grt_errors *errors,
                              size_t before) {
    const struct grt_change_names names = grt_changes_names(changes->names);
    const struct {
        const char *key, *option, *value;
    } options[] = {{"policy", names.policy, changes->policy},
                   {"seed", names.seed, changes->seed},
                   {"horizon", names.horizon, changes->horizon}};
    for (size_t i = before; i < errors->count && i < GRT_ERRORS_KEPT; i++) {
        for (size_t j = 0; j < sizeof options / sizeof options[0]; j++) {
            char *message = errors->messages[i];
            if (options[j].value != NULL &&
                grt_error_is_about(message, options[j].key, strlen(options[j].key)) &&
                !is_of_a_set(changes, message)) {
                errors->messages[i] = with_option(message, options[j].option);
                free(message);
            }
        }
    }
}
