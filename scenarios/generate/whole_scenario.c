/* The generator `scenario`: a scenario file, read once, with a seed for each set. */
#include <stdlib.h>
#include <string.h>

#include "policies/audsley.h"
#include "scenarios/changes.h"
#include "scenarios/file_names.h"
#include "scenarios/generate/generated_scenario.h"
#include "scenarios/generate/shape.h"
#include "scenarios/plugin.h"
#include "scenarios/records.h"
#include "scenarios/scenario.h"
#include "scenarios/text_file.h"
#include "sim/memory.h"

enum { LONGEST_NAME = 1000 };

/* Where sets have their seeds from. */
enum seeds { SEEDS_DRAWN, SEEDS_OF_FILE };

static const char *const seeds[] = {"drawn", "file", NULL};

struct parameters {
    const char *file, *policy;
    struct grt_field_list sets; /* of const char * */
    int64_t seeds;              /* enum seeds */
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
     .min = 1,
     .max = LONGEST_NAME,
     .help =
         "The policy instead of the file's, without parameters: a name, or the file of a plug-in, relative "
         "to this file's folder."},
    {.name = "seeds",
     .type = GRT_FIELD_CHOICE,
     .offset = offsetof(struct parameters, seeds),
     .fallback = "\"drawn\"",
     .choices = seeds,
     .help =
         "drawn: each set has a seed that depends on the experiment's, the point and the set's number. "
         "file: set 0 has the file's own, every other one a seed that depends on it and the set's number: "
         "the same at all points, whatever the experiment's seed."},
};

static const struct grt_record record = {
    .name = "scenario",
    .size = sizeof(struct parameters),
    .fields = fields,
    .field_count = GRT_FIELD_COUNT(fields),
    .help =
        "One whole scenario, with its platform and policy. Sets differ in their seeds: in arrivals, times "
        "and whatever else it draws.",
};

struct maker {
    struct grt_scenario_file file;
    struct grt_scenario_assignment assignment;
    uint64_t seed; /* of the place */
    int64_t seeds;
    struct grt_arena arena;      /* of the names */
    struct grt_file_names files; /* the file, and those that it names; from the place's folder */
};

/* ---- Which files it has read ---- */

/* Of a file that was read without errors, as the experiment's folder sees them: its own, and what it names once changed. */
static void find_names(struct maker *maker, const char *path, const char *name,
                       const struct grt_scenario_changes *changes) {
    const char *folder = grt_folder_of(&maker->arena, name);
    struct grt_errors errors = {0};
    size_t size = 0;
    char *text = grt_text_file_read(path, &size, &errors);
    cJSON *tree = text != NULL ? grt_json_parse(text, size, &errors) : NULL;
    grt_file_names_add(&maker->files, name, &maker->arena);
    if (tree != NULL) {
        grt_changes_apply(changes, tree, &errors);
        if (changes->policy != NULL && grt_plugin_is_file(changes->policy)) { /* it starts elsewhere */
            grt_file_names_add(&maker->files, changes->policy, &maker->arena);
            cJSON_DeleteItemFromObjectCaseSensitive(tree, "policy");
        }
        grt_file_names_in(&maker->files, tree, folder, &maker->arena);
    }
    cJSON_Delete(tree);
    free(text);
    grt_errors_clear(&errors);
}

static size_t files(const void *state, struct grt_arena *arena, const char *const **names) {
    const struct maker *maker = state;
    const char **copy = grt_arena_array(arena, maker->files.count, sizeof *copy);
    for (uint32_t i = 0; i < maker->files.count; i++) {
        copy[i] = grt_arena_text(arena, maker->files.items[i]);
    }
    *names = copy;
    return maker->files.count;
}

/* ---- Making ---- */

static void destroy(void *state) {
    struct maker *maker = state;
    if (maker != NULL) {
        grt_scenario_file_free(&maker->file);
        grt_arena_clear(&maker->arena);
        free(maker->files.items);
        free(maker);
    }
}

/* Another policy shall ask an analysis of its own, where this one did. */
static struct grt_scenario_assignment rules_of(const struct grt_scenario_file *file) {
    struct grt_scenario_assignment rules = file->assignment;
    if (rules.analysis != NULL &&
        rules.analysis == grt_audsley_analysis_of(file->policy, file->policy_parameters)) {
        rules.analysis = NULL;
    }
    return rules;
}

/* What would read standard input, or change nothing. */
static bool check(const struct parameters *parameters, struct grt_errors *errors,
                  const struct grt_path *path) {
    const struct grt_path file = {.parent = path, .key = "file"}, list = {.parent = path, .key = "set"};
    const char *const *sets = parameters->sets.items;
    size_t before = errors->count;
    if (strcmp(parameters->file, "-") == 0) {
        grt_error_add(errors, &file, "must be the name of a file (got \"-\")");
    }
    for (size_t i = 0; i < parameters->sets.count && parameters->seeds == SEEDS_DRAWN; i++) {
        const struct grt_path place = {.parent = &list, .index = i};
        if (strncmp(sets[i], "seed=", 5) == 0) {
            grt_error_add(errors, &place, "has a meaning only with \"seeds\": \"file\"");
        }
    }
    return errors->count == before;
}

static const struct grt_change_names names_of_fields = {.policy = "policy", .sets = "set"};

static void *create(const void *given, const struct grt_generator_place *place, struct grt_errors *errors,
                    const struct grt_path *path) {
    const struct parameters *parameters = given;
    const struct grt_scenario_changes changes = {.policy = parameters->policy,
                                                 .policy_folder = place->folder,
                                                 .names = &names_of_fields,
                                                 .sets = parameters->sets.items,
                                                 .set_count = parameters->sets.count};
    const struct grt_path field = {.parent = path, .key = "file"};
    struct grt_errors inner = {0};
    if (!check(parameters, errors, path)) {
        return NULL;
    }
    struct maker *maker = grt_allocate(sizeof *maker);
    *maker = (struct maker){.seed = place->seed, .seeds = parameters->seeds};
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
    if (maker->seeds == SEEDS_DRAWN) {
        set->scenario.seed = grt_generated_seed(maker->seed, number + 1);
    } else if (number > 0) {
        set->scenario.seed = grt_generated_seed(set->scenario.seed, number);
    }
    return true;
}

const struct grt_generator_ops grt_generator_scenario = {
    .name = "scenario",
    .summary = "a scenario file as it is, with a seed for each set",
    .source = "the file",
    .record = &record,
    .create = create,
    .make = make,
    .files = files,
    .destroy = destroy,
};
