#include "scenarios/scenario.h"

#include <stdlib.h>
#include <string.h>

#include "scenarios/assignment.h"
#include "scenarios/changes.h"
#include "scenarios/file_kind.h"
#include "scenarios/kernels.h"
#include "scenarios/notes.h"
#include "scenarios/records.h"
#include "scenarios/task_set.h"
#include "scenarios/text_file.h"
#include "sim/error_path.h"
#include "sim/memory.h"

static void copy_expect(const struct grt_expect_fields *fields, struct grt_expect *expect) {
    *expect = (struct grt_expect){.tasks = fields->tasks.items,
                                  .task_count = fields->tasks.count,
                                  .blocks = fields->blocks.items,
                                  .block_count = fields->blocks.count,
                                  .copies = fields->copies.items,
                                  .copy_count = fields->copies.count,
                                  .cores = fields->cores.items,
                                  .core_count = fields->cores.count,
                                  .rows = fields->rows.items,
                                  .row_count = fields->rows.count,
                                  .missed = fields->missed,
                                  .lost_items = fields->lost_items,
                                  .trace_digest = fields->trace_digest};
}

static void copy_scenario(struct grt_reader *reader, const struct grt_scenario_fields *fields,
                          const struct grt_task_set *set, const struct grt_field_list *processes,
                          struct grt_scenario *scenario) {
    struct grt_task *tasks = grt_arena_array(reader->arena, set->count, sizeof *tasks);
    for (size_t i = 0; i < set->count; i++) {
        tasks[i] = set->tasks[i].task;
    }
    *scenario = (struct grt_scenario){.name = fields->name,
                                      .seed = (uint64_t)fields->seed,
                                      .horizon_kind = fields->horizon.kind,
                                      .horizon = fields->horizon.span,
                                      .ties = fields->ties,
                                      .core_count = fields->platform.cpus,
                                      .context_switch = fields->platform.context_switch,
                                      .wake_up = fields->platform.wake_up,
                                      .gpus = fields->platform.gpus.items,
                                      .gpu_count = fields->platform.gpus.count,
                                      .processes = processes->items,
                                      .process_count = processes->count,
                                      .tasks = tasks,
                                      .task_count = set->count,
                                      .networks = fields->networks};
}

static bool all_clean(const struct grt_task_set *set) {
    for (size_t i = 0; i < set->count; i++) {
        if (!set->tasks[i].clean) {
            return false;
        }
    }
    return true;
}

/* Whether the number of cores could not be read, and is 0 for that. */
static bool is_refused(const cJSON *platform, int64_t cpus) {
    const cJSON *given = grt_json_find(platform, "cpus");
    return !cJSON_IsObject(platform) ||
           (given != NULL && (!cJSON_IsNumber(given) || given->valuedouble != (double)cpus));
}

static void read_tree(struct grt_reader *reader, const cJSON *tree, struct grt_scenario_file *out) {
    struct grt_path root = {0}, tasks = {.parent = &root, .key = "tasks"},
                    expect = {.parent = &root, .key = "expect"};
    struct grt_path platform = {.parent = &root, .key = "platform"};
    struct grt_path networks = {.parent = &root, .key = "networks"};
    struct grt_scenario_fields fields = {0};
    size_t before = reader->errors->count;
    grt_read_record(reader, &grt_scenario_record, tree, &root, &fields);
    fields.platform.cpus_refused = is_refused(grt_json_find(tree, "platform"), fields.platform.cpus);
    struct grt_task_set set = grt_task_set_create(reader, &fields, &tasks);
    grt_task_set_precedence(reader, &set);
    grt_task_set_priorities(reader, &set, tree);
    grt_task_set_processors(reader, &set, &fields.platform, fields.policy.ops);
    struct grt_field_list processes = {0};
    if (all_clean(&set)) { /* else names would seem unknown */
        processes = grt_task_set_processes(reader, &set, &fields.platform, &platform);
        grt_task_set_groups(reader, &set, &fields.platform, &platform);
        grt_task_set_check_sharing(reader, &set, &fields.platform, &processes, &platform);
        grt_task_set_expectations(reader, &set, &fields.expect, &expect);
    }
    struct grt_scenario_draft draft = {.policy = fields.policy.ops, .parameters = fields.policy.parameters};
    copy_scenario(reader, &fields, &set, &processes, &draft.scenario);
    grt_assignment_read(&fields, tree, &draft.assignment);
    if (all_clean(&set)) {
        grt_scenario_complete_tasks(&draft, reader->arena, reader->errors);
    }
    if (reader->errors->count == before) { /* else names might seem to be nobody's */
        grt_task_set_check_effects(reader, &set, fields.platform.gpus.items, grt_json_find(tree, "platform"),
                                   &platform);
        grt_task_set_check_networks(reader, &set, fields.networks, &networks);
        if (!reader->new_policy) { /* with another one they may be without effect: decision 15 */
            grt_task_set_check_costs(reader, &set, &fields.platform, fields.policy.ops, &platform);
        }
    }
    out->written = draft.scenario;
    if (reader->errors->count == before && grt_assignment_check(reader, &fields, tree, &draft)) {
        grt_scenario_complete_for_policy(&draft, reader->arena, reader->errors);
    }
    out->scenario = draft.scenario;
    out->policy = fields.policy.ops;
    out->policy_parameters = fields.policy.parameters;
    out->assignment = draft.assignment;
    copy_expect(&fields.expect, &out->expect);
    out->description = fields.description;
}

bool grt_scenario_parse(const char *text, size_t size, const char *folder,
                        const struct grt_scenario_changes *changes, struct grt_scenario_file *out,
                        struct grt_errors *errors) {
    size_t before = errors->count;
    *out = (struct grt_scenario_file){0};
    cJSON *tree = grt_json_parse(text, size, errors);
    if (tree == NULL) {
        return false;
    }
    if (!grt_file_kind_check(tree, GRT_FILE_SCENARIO, errors)) {
        cJSON_Delete(tree);
        return false;
    }
    struct grt_reader reader = {
        .arena = &out->arena, .errors = errors, .folder = folder != NULL ? folder : "."};
    reader.new_devices = grt_changes_new_devices(changes);
    reader.new_policy = changes != NULL && changes->policy != NULL;
    reader.policy_folder = grt_changes_policy_folder(changes, reader.folder);
    grt_changes_apply(changes, tree, errors);
    if (changes != NULL && changes->without_networks) {
        cJSON_DeleteItemFromObjectCaseSensitive(tree, "networks");
    }
    struct grt_kernels *kernels = grt_kernels_find(&reader, tree);
    if (kernels != NULL && grt_kernels_put(&reader, kernels, tree)) {
        read_tree(&reader, tree, out);
        if (errors->count == before) {
            grt_scenario_note(out, kernels);
        }
    }
    cJSON_Delete(tree);
    grt_kernels_free(kernels);
    if (changes != NULL) {
        grt_changes_name_options(changes, errors, before);
    }
    if (errors->count > before) {
        grt_scenario_file_free(out);
        return false;
    }
    return true;
}

bool grt_scenario_read(const char *path, const struct grt_scenario_changes *changes,
                       struct grt_scenario_file *out, struct grt_errors *errors) {
    size_t size;
    char *text = grt_text_file_read(path, &size, errors);
    *out = (struct grt_scenario_file){0};
    if (text == NULL) {
        return false;
    }
    struct grt_arena arena = {0};
    bool good = grt_scenario_parse(text, size, grt_folder_of(&arena, path), changes, out, errors);
    grt_arena_clear(&arena);
    free(text);
    return good;
}

void grt_scenario_file_free(struct grt_scenario_file *file) {
    grt_arena_clear(&file->arena);
    *file = (struct grt_scenario_file){0};
}
