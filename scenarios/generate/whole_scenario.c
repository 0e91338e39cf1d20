/* The generator `scenario`: a scenario file, read once, with other seeds. */
#include <stdlib.h>
#include <string.h>

#include "policies/audsley.h"
#include "scenarios/generate/generated_scenario.h"
#include "scenarios/generate/shape.h"
#include "scenarios/json_tree.h"
#include "scenarios/records.h"
#include "scenarios/scenario.h"
#include "scenarios/text_file.h"
#include "sim/memory.h"

enum { LONGEST_NAME = 1000 };

struct parameters {
    const char *file, *policy;
    struct grt_field_list sets; /* of const char * */
};

static const struct grt_field fields[] = {
    {.name = "file",
     .type = GRT_FIELD_NAME,
     .offset = offsetof(struct parameters, file),
     .min = 1,
     .max = LONGEST_NAME,
     .help = "Name of the scenario file, relative to this file's folder."},
    {.name = "set",
     .type = GRT_FIELD_CUSTOM,
     .offset = offsetof(struct parameters, sets),
     .fallback = "",
     .custom = GRT_CUSTOM_TEXTS,
     .help = "Changes of it, as `--set` of `gpurt run` has them: `PATH=VALUE`."},
    {.name = "policy",
     .type = GRT_FIELD_NAME,
     .offset = offsetof(struct parameters, policy),
     .fallback = "",
     .help = "The policy instead of the file's, without parameters."},
};

static const struct grt_record record = {
    .name = "scenario",
    .size = sizeof(struct parameters),
    .fields = fields,
    .field_count = GRT_FIELD_COUNT(fields),
    .help =
        "One whole scenario, with its platform and policy. Set 0 has the file's own seed, every other one a "
        "seed of its own.",
};

struct maker {
    struct grt_scenario_file file;
    struct grt_scenario_assignment assignment;
    struct grt_arena arena;   /* of the names */
    const char **names;       /* of the file, and of those that it names; from the place's folder */
    uint32_t count, capacity; /* of the names */
};

/* ---- Which files it has read ---- */

static void add_name(struct maker *maker, const char *path) {
    for (uint32_t i = 0; i < maker->count; i++) {
        if (strcmp(maker->names[i], path) == 0) {
            return;
        }
    }
    if (maker->count == maker->capacity) {
        maker->names = grt_array_grow(maker->names, &maker->capacity, maker->count + 1, sizeof *maker->names);
    }
    maker->names[maker->count++] = path;
}

/* Whether a value names a file; all that do are under such keys. */
static bool names_file(const cJSON *value) {
    const char *text = cJSON_GetStringValue(value);
    size_t length = text != NULL ? strlen(text) : 0;
    return length > 5 && strcmp(text + length - 5, ".json") == 0 && value->string != NULL &&
           (strcmp(value->string, "device") == 0 || strcmp(value->string, "usage") == 0 ||
            strcmp(value->string, "networks") == 0);
}

static void add_names_in(struct maker *maker, const cJSON *tree, const char *folder) {
    for (const cJSON *value = tree->child; value != NULL; value = value->next) {
        if (names_file(value)) {
            add_name(maker, grt_path_in_folder(&maker->arena, folder, value->valuestring));
        }
        add_names_in(maker, value, folder);
    }
}

/* A change "path=value" may put a file's name in. */
static void add_names_of_changes(struct maker *maker, const struct grt_scenario_changes *changes,
                                 const char *folder) {
    for (size_t i = 0; i < changes->set_count; i++) {
        const char *value = strchr(changes->sets[i], '=');
        size_t length = value != NULL ? strlen(value + 1) : 0;
        if (length > 5 && strcmp(value + 1 + length - 5, ".json") == 0) {
            add_name(maker, grt_path_in_folder(&maker->arena, folder, value + 1));
        }
    }
}

/* Of a file that was read without errors, as the experiment's folder sees them. */
static void find_names(struct maker *maker, const char *path, const char *name,
                       const struct grt_scenario_changes *changes) {
    const char *folder = grt_folder_of(&maker->arena, name);
    struct grt_errors errors = {0};
    size_t size = 0;
    char *text = grt_text_file_read(path, &size, &errors);
    cJSON *tree = text != NULL ? grt_json_parse(text, size, &errors) : NULL;
    add_name(maker, name);
    if (tree != NULL) {
        add_names_in(maker, tree, folder);
    }
    add_names_of_changes(maker, changes, folder);
    cJSON_Delete(tree);
    free(text);
    grt_errors_clear(&errors);
}

static size_t files(const void *state, struct grt_arena *arena, const char *const **names) {
    const struct maker *maker = state;
    const char **copy = grt_arena_array(arena, maker->count, sizeof *copy);
    for (uint32_t i = 0; i < maker->count; i++) {
        copy[i] = grt_arena_text(arena, maker->names[i]);
    }
    *names = copy;
    return maker->count;
}

/* ---- Making ---- */

static void destroy(void *state) {
    struct maker *maker = state;
    if (maker != NULL) {
        grt_scenario_file_free(&maker->file);
        grt_arena_clear(&maker->arena);
        free(maker->names);
        free(maker);
    }
}

/* Another policy shall ask an analysis of its own, where this one did. */
static struct grt_scenario_assignment rules_of(const struct grt_scenario_file *file) {
    struct grt_scenario_assignment rules = file->assignment;
    if (rules.analysis != NULL &&
        rules.analysis == grt_audsley_analysis_of(file->policy->name, file->policy_parameters)) {
        rules.analysis = NULL;
    }
    return rules;
}

static void *create(const void *given, const struct grt_generator_place *place, struct grt_errors *errors,
                    const struct grt_path *path) {
    const struct parameters *parameters = given;
    const struct grt_scenario_changes changes = {.policy = parameters->policy,
                                                 .policy_option = "policy",
                                                 .sets = parameters->sets.items,
                                                 .set_count = parameters->sets.count};
    const struct grt_path field = {.parent = path, .key = "file"};
    struct grt_errors inner = {0};
    struct maker *maker = grt_allocate(sizeof *maker);
    *maker = (struct maker){0};
    const char *name = grt_path_in_folder(&maker->arena, place->folder, parameters->file);
    bool good = grt_scenario_read(name, &changes, &maker->file, &inner);
    for (size_t i = 0; i < inner.count && i < GRT_ERRORS_KEPT; i++) {
        grt_error_add(errors, &field, "in %s: %s", parameters->file, inner.messages[i]);
    }
    grt_errors_clear(&inner);
    if (!good) {
        destroy(maker);
        return NULL;
    }
    maker->assignment = rules_of(&maker->file);
    find_names(maker, name, grt_arena_text(&maker->arena, parameters->file), &changes);
    return maker;
}

static bool make(const void *state, uint64_t number, struct grt_arena *arena, struct grt_drawn_set *set) {
    const struct maker *maker = state;
    (void)arena;
    *set = (struct grt_drawn_set){.scenario = maker->file.written,
                                  .whole = true,
                                  .policy = maker->file.policy,
                                  .parameters = maker->file.policy_parameters,
                                  .assignment = maker->assignment};
    if (number > 0) {
        set->scenario.seed = grt_generated_seed(set->scenario.seed, number);
    }
    return true;
}

const struct grt_generator_ops grt_generator_scenario = {
    .name = "scenario",
    .summary = "a scenario file as it is, with other seeds",
    .source = "the file",
    .record = &record,
    .create = create,
    .make = make,
    .files = files,
    .destroy = destroy,
};
