#include "scenarios/experiment/experiment.h"

#include <stdlib.h>
#include <string.h>

#include "scenarios/changes.h"
#include "scenarios/experiment/inputs.h"
#include "scenarios/experiment/names.h"
#include "scenarios/experiment/points.h"
#include "scenarios/experiment/said.h"
#include "scenarios/file_kind.h"
#include "scenarios/text_file.h"
#include "sim/error_path.h"

/* ---- changes ---- */

/* Whether a path, or a key, ends with the field. */
static bool ends_with_train(const char *path) {
    size_t length = path != NULL ? strlen(path) : 0;
    return length >= 5 && strcmp(path + length - 5, "train") == 0 && (length == 5 || path[length - 6] == '.');
}

static bool is_full(const cJSON *value) {
    return cJSON_IsString(value) && strcmp(value->valuestring, "full") == 0;
}

/* Wherever something in a value is called so: the file's evaluations, and what axes put there. */
static void train_quickly(cJSON *value) {
    for (cJSON *item = value != NULL ? value->child : NULL, *next; item != NULL; item = next) {
        next = item->next;
        if (ends_with_train(item->string) && is_full(item)) {
            cJSON_ReplaceItemInObjectCaseSensitive(value, item->string, cJSON_CreateString("quick"));
        } else {
            train_quickly(item);
        }
    }
}

/* Values of an axis along the field; they keep their names. */
static void train_axis_quickly(cJSON *axis) {
    cJSON *values = cJSON_GetObjectItemCaseSensitive(axis, "values");
    if (!ends_with_train(cJSON_GetStringValue(grt_json_find(axis, "path"))) || !cJSON_IsArray(values)) {
        return;
    }
    for (int i = 0; i < cJSON_GetArraySize(values); i++) {
        cJSON *value = cJSON_GetArrayItem(values, i);
        if (is_full(value)) {
            cJSON *named = cJSON_CreateObject();
            cJSON_AddStringToObject(named, "label", "full");
            cJSON_AddStringToObject(named, "value", "quick");
            cJSON_ReplaceItemInArray(values, i, named);
        } else if (is_full(grt_json_find(value, "value"))) {
            cJSON_ReplaceItemInObjectCaseSensitive(value, "value", cJSON_CreateString("quick"));
        }
    }
}

static void train_all_quickly(cJSON *tree) {
    cJSON *train = cJSON_GetObjectItemCaseSensitive(tree, "train"), *axis;
    if (is_full(train)) {
        cJSON_ReplaceItemInObjectCaseSensitive(tree, "train", cJSON_CreateString("quick"));
    }
    train_quickly(cJSON_GetObjectItemCaseSensitive(tree, "evaluations"));
    train_quickly(cJSON_GetObjectItemCaseSensitive(tree, "axes"));
    cJSON_ArrayForEach(axis, grt_json_find(tree, "axes")) {
        train_axis_quickly(axis);
    }
}

/* Those that scenarios have, too. */
static struct grt_scenario_changes common_changes(const struct grt_experiment_changes *changes) {
    return (struct grt_scenario_changes){.names = changes->names,
                                         .seed = changes->seed,
                                         .sets = changes->sets,
                                         .set_count = changes->set_count};
}

static void apply_changes(const struct grt_experiment_changes *changes, cJSON *tree,
                          struct grt_errors *errors) {
    if (changes == NULL || !cJSON_IsObject(tree)) {
        return;
    }
    const struct grt_scenario_changes own = common_changes(changes);
    grt_changes_apply(&own, tree, errors);
    if (changes->samples != 0) {
        grt_changes_put(tree, "samples", cJSON_CreateNumber((double)changes->samples),
                        grt_changes_names(changes->names).samples, errors);
    }
    if (changes->quick_training) {
        train_all_quickly(tree);
    }
}

/* ---- what is the same for all points ---- */

/* The fields that axes may change are known, but not there: for what unknown fields may have meant. */
static void read_frame(struct grt_reader *reader, const cJSON *frame, struct grt_experiment_fields *fields) {
    static const struct grt_path root = {0};
    struct grt_sets_fields sets;
    struct grt_plan_fields plan;
    const struct grt_read_part parts[] = {{.record = &grt_experiment_record, .out = fields},
                                          {&grt_sets_record, &sets, .only_present = true},
                                          {&grt_plan_record, &plan, .only_present = true}};
    grt_read_parts(reader, parts, 3, frame, &root);
}

/* Journals and pictures are called by it. */
static void check_name(struct grt_reader *reader, const cJSON *frame, const char *name) {
    static const struct grt_path root = {0};
    const struct grt_path place = {.parent = &root, .key = "name"};
    if (name != NULL && (strchr(name, '/') != NULL || strchr(".-", name[0]) != NULL)) {
        grt_read_error(reader, &place, grt_json_find(frame, "name"),
                       "must do as the name of a file: without \"/\", and not beginning with \".\" or \"-\"");
    }
    grt_name_check_ends(reader, frame, &root, name);
}

static void copy_fields(const struct grt_experiment_fields *fields, struct grt_experiment *experiment) {
    experiment->name = fields->name;
    experiment->title = fields->title != NULL ? fields->title : fields->name;
    experiment->description = fields->description;
    experiment->source = fields->source;
    experiment->seed = (uint64_t)fields->seed;
    experiment->samples = fields->samples;
}

/* ---- the whole ---- */

static void copy_axes(const struct grt_axis_plan *plans, size_t count, struct grt_reader *reader,
                      struct grt_experiment *experiment) {
    struct grt_axis *axes = grt_arena_array(reader->arena, count, sizeof *axes);
    for (size_t i = 0; i < count; i++) {
        axes[i] = plans[i].axis;
    }
    experiment->axes = axes;
    experiment->axis_count = count;
}

static bool is_too_much(const struct grt_axis_plan *plans, size_t count, size_t size,
                        struct grt_errors *errors) {
    uint64_t points = 1;
    for (size_t i = 0; i < count; i++) {
        points *= plans[i].axis.count;
    }
    if (points <= GRT_MOST_POINTS && points * size > GRT_MOST_WORK) {
        grt_error_add(errors, NULL,
                      "the file is too long for so many points: its bytes times points may be 2^32");
        return true;
    }
    return false;
}

/* Whether the axes could be read, whatever else could not be. */
static bool axes_are_good(const struct grt_errors *errors) {
    bool good = errors->count <= GRT_ERRORS_KEPT;
    for (size_t i = 0; good && i < errors->count; i++) {
        good = !grt_error_is_about(errors->messages[i], "axes", strlen("axes"));
    }
    return good;
}

/* The axes, then the points, then what is said of them, where all else is good. */
static void read_parts(struct grt_reader *reader, const struct grt_experiment_fields *fields,
                       const cJSON *body, size_t size, struct grt_file_names *files,
                       struct grt_experiment *experiment) {
    struct grt_axis_plan plans[GRT_MOST_AXES] = {0};
    size_t before = reader->errors->count, count = fields->axes.count;
    cJSON *made = cJSON_CreateArray();
    grt_axes_read(reader, fields->axes.items, count, made, plans);
    if (reader->errors->count == before && !is_too_much(plans, count, size, reader->errors)) {
        const struct grt_point_source source = {.reader = reader,
                                                .axes = plans,
                                                .axis_count = count,
                                                .body = body,
                                                .seed = (uint64_t)fields->seed,
                                                .files = files};
        copy_axes(plans, count, reader, experiment);
        grt_points_read(&source, experiment);
    }
    if (reader->errors->count == 0) {
        grt_said_read(reader, fields, experiment);
    }
    cJSON_Delete(made);
}

static void read_tree(struct grt_reader *reader, cJSON *tree, const struct grt_own_text *own,
                      struct grt_experiment *experiment) {
    static const struct grt_path root = {0};
    struct grt_experiment_fields fields = {0};
    struct grt_file_names files = {0};
    if (!cJSON_IsObject(tree)) {
        grt_read_error(reader, &root, tree, "the file must hold an object");
        return;
    }
    cJSON *frame = cJSON_Duplicate(tree, true), *body = grt_points_split(frame);
    read_frame(reader, frame, &fields);
    check_name(reader, frame, fields.name);
    copy_fields(&fields, experiment);
    if (axes_are_good(reader->errors)) {
        read_parts(reader, &fields, body, own->size, &files, experiment);
    }
    if (reader->errors->count == 0) {
        grt_inputs_hash(reader, own, &files, experiment);
        experiment->identity =
            grt_experiment_identity(tree, experiment->inputs + 1, experiment->input_count - 1);
    }
    free(files.items);
    cJSON_Delete(frame);
    cJSON_Delete(body);
}

bool grt_experiment_parse(const char *text, size_t size, const char *name, const char *folder,
                          const struct grt_experiment_changes *changes, struct grt_experiment *out,
                          struct grt_errors *errors) {
    struct grt_errors own = {0};
    *out = (struct grt_experiment){0};
    struct grt_reader reader = {.arena = &out->arena, .errors = &own};
    reader.folder = grt_arena_text(&out->arena, folder != NULL ? folder : ".");
    cJSON *tree = grt_json_parse(text, size, &own);
    if (tree != NULL && grt_file_kind_check(tree, GRT_FILE_EXPERIMENT, &own)) {
        const struct grt_own_text own_text = {name, text, size};
        apply_changes(changes, tree, &own);
        read_tree(&reader, tree, &own_text, out);
        if (changes != NULL) {
            const struct grt_scenario_changes common = common_changes(changes);
            grt_changes_name_options(&common, &own, 0);
        }
    }
    cJSON_Delete(tree);
    bool good = own.count == 0;
    grt_errors_move(&own, errors);
    if (!good) {
        grt_experiment_free(out);
    }
    return good;
}

bool grt_experiment_read(const char *path, const struct grt_experiment_changes *changes,
                         struct grt_experiment *out, struct grt_errors *errors) {
    size_t size;
    char *text = grt_text_file_read(path, &size, errors);
    *out = (struct grt_experiment){0};
    if (text == NULL) {
        return false;
    }
    struct grt_arena arena = {0};
    const char *slash = strrchr(path, '/');
    bool good = grt_experiment_parse(text, size, slash != NULL ? slash + 1 : path,
                                     grt_folder_of(&arena, path), changes, out, errors);
    grt_arena_clear(&arena);
    free(text);
    return good;
}

void grt_experiment_free(struct grt_experiment *experiment) {
    for (size_t i = 0; i < experiment->maker_count; i++) {
        experiment->makers[i].generator->destroy(experiment->makers[i].maker);
    }
    grt_arena_clear(&experiment->arena);
    *experiment = (struct grt_experiment){0};
}

size_t grt_experiment_point(const struct grt_experiment *experiment, const size_t *values) {
    size_t number = 0;
    for (size_t i = 0; i < experiment->axis_count; i++) {
        number = number * experiment->axes[i].count + values[i];
    }
    return number;
}
