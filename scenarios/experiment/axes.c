#include "scenarios/experiment/axes.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/changes.h"
#include "scenarios/experiment/axis_range.h"
#include "scenarios/experiment/names.h"
#include "sim/check.h"

struct value_fields {
    const char *label;
    const cJSON *value, *set;
};

static const struct grt_field value_fields[] = {
    {.name = "label",
     .type = GRT_FIELD_NAME,
     .offset = offsetof(struct value_fields, label),
     .help = "The value in results."},
    {.name = "value",
     .type = GRT_FIELD_CUSTOM,
     .offset = offsetof(struct value_fields, value),
     .fallback = "",
     .custom = GRT_CUSTOM_AXIS_VALUE,
     .help = "What is put at the axis's `path`."},
    {.name = "set",
     .type = GRT_FIELD_CUSTOM,
     .offset = offsetof(struct value_fields, set),
     .fallback = "",
     .custom = GRT_CUSTOM_AXIS_SET,
     .help = "Instead of it: several values by their paths, as in `{\"generator.cores\": 4, "
             "\"platform.cpus\": 4}`."},
};

const struct grt_record grt_axis_value_record = {
    .name = "axis_value",
    .size = sizeof(struct value_fields),
    .fields = value_fields,
    .field_count = GRT_FIELD_COUNT(value_fields),
    .help = "A value that is no text or number, or puts several things into the tree.",
};

const char *grt_axis_text(const cJSON *value, struct grt_arena *arena) {
    if (cJSON_IsString(value)) {
        return value->valuestring;
    }
    if (!cJSON_IsNumber(value) && !cJSON_IsBool(value) && !cJSON_IsArray(value)) {
        return NULL;
    }
    char *printed = cJSON_PrintUnformatted(value);
    const char *text = grt_arena_text(arena, printed);
    cJSON_free(printed);
    return text;
}

/* ---- what is said of one axis ---- */

static void check_name(struct grt_reader *reader, const cJSON *object, const struct grt_path *path,
                       const char *name) {
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    const struct grt_path place = {.parent = path, .key = "name"};
    const cJSON *value = grt_json_find(object, "name");
    if (name[strspn(name, allowed)] != '\0') {
        grt_read_error(reader, &place, value, "must be of letters, digits, \"_\", \"-\" and \".\"");
    }
    if (grt_name_is_of_column(name)) {
        grt_read_error(reader, &place, value, "must not be the name of another column of the results");
    }
}

GRT_FINISH(grt_finish_axis) {
    const struct grt_axis_fields *axis = out;
    int bounds = (axis->from != NULL) + (axis->to != NULL) + (axis->step != NULL);
    if (axis->name != NULL) {
        check_name(reader, object, path, axis->name);
    }
    if (!clean) {
        return;
    }
    if ((axis->values != NULL) == (bounds > 0)) {
        grt_error_add(reader->errors, path, "%s",
                      axis->values != NULL ? "takes either \"values\", or \"from\", \"to\" and \"step\""
                                           : "needs \"values\", or \"from\", \"to\" and \"step\"");
    } else if (bounds > 0 && bounds < 3) {
        grt_error_add(reader->errors, path, "needs all of \"from\", \"to\" and \"step\"");
    } else if (bounds == 3 && axis->path == NULL) {
        grt_error_add(reader->errors, path, "needs a \"path\" for its values");
    }
}

/* ---- paths ---- */

static bool is_field_of(const struct grt_record *record, const char *path, size_t length) {
    for (size_t i = 0; i < record->field_count; i++) {
        const char *name = record->fields[i].name;
        if (strlen(name) == length && strncmp(name, path, length) == 0) {
            return true;
        }
    }
    return false;
}

bool grt_axis_may_change(const char *path) {
    size_t length = strcspn(path, ".[");
    return is_field_of(&grt_sets_record, path, length) || is_field_of(&grt_plan_record, path, length);
}

static void check_path(struct grt_reader *reader, const struct grt_axis_fields *axis, const char *path,
                       const struct grt_path *place) {
    char shown[GRT_JSON_SHOWN_SIZE];
    if (!grt_axis_may_change(path)) {
        grt_error_add(reader->errors, place,
                      "must lead into generator, platform, priorities, priority_analysis, networks, train, "
                      "horizon or evaluations (got %s)",
                      grt_text_show(path, shown));
    } else if (axis->same_sets && strncmp(path, "generator", strcspn(path, ".[")) == 0) {
        grt_error_add(reader->errors, place,
                      "changes the generator, so that the values cannot see the \"same_sets\"");
    }
}

/* ---- values ---- */

static void read_object(struct grt_reader *reader, const struct grt_axis_fields *axis, const cJSON *value,
                        const struct grt_path *path, struct grt_axis_choice *choice) {
    struct value_fields fields = {0};
    const struct grt_path set = {.parent = path, .key = "set"};
    if (!grt_read_record(reader, &grt_axis_value_record, value, path, &fields)) {
        return;
    }
    bool is_set = cJSON_IsObject(fields.set) && fields.set->child != NULL;
    *choice = (struct grt_axis_choice){fields.label, fields.value, is_set ? fields.set : NULL};
    if ((fields.value != NULL) == (fields.set != NULL)) {
        grt_error_add(reader->errors, path, "needs either a \"value\" or a \"set\"");
    } else if (fields.value != NULL && axis->path == NULL) {
        grt_error_add(reader->errors, path, "has a \"value\" but the axis no \"path\" for it");
    } else if (fields.set != NULL && !is_set) {
        grt_read_error(reader, &set, fields.set, "must be an object of values by their paths");
    }
    const cJSON *item = choice->set != NULL ? choice->set->child : NULL;
    for (; item != NULL; item = item->next) {
        check_path(reader, axis, item->string, &set);
    }
}

static void read_choice(struct grt_reader *reader, const struct grt_axis_fields *axis, const cJSON *value,
                        const struct grt_path *path, struct grt_axis_choice *choice) {
    if (cJSON_IsObject(value)) {
        read_object(reader, axis, value, path, choice);
        return;
    }
    const char *text = grt_axis_text(value, reader->arena);
    if (text == NULL) {
        grt_read_error(reader, path, value, "must be a number, a text, true, false, a list or an object");
    } else if (axis->path == NULL) {
        grt_read_error(reader, path, value,
                       "must be an object with a \"set\", since the axis has no \"path\"");
    } else if (strlen(text) > GRT_NAME_LENGTH) {
        grt_read_error(reader, path, value, "is too long; write {\"label\": ..., \"value\": ...}");
    } else if (!cJSON_IsString(value) || grt_read_text_is_good(reader, value, path, 1, GRT_NAME_LENGTH)) {
        *choice = (struct grt_axis_choice){.text = grt_arena_text(reader->arena, text), .value = value};
    }
}

static void check_repeated(struct grt_reader *reader, const struct grt_axis_choice *choices, size_t number,
                           const struct grt_path *path) {
    char shown[GRT_JSON_SHOWN_SIZE];
    for (size_t i = 0; i < number; i++) {
        if (choices[i].text != NULL && choices[number].text != NULL &&
            strcmp(choices[i].text, choices[number].text) == 0) {
            grt_error_add(reader->errors, path, "is the same as values[%zu] (got %s)", i,
                          grt_text_show(choices[number].text, shown));
            return;
        }
    }
}

/* The values as numbers; NULL: not all are, or they are of different kinds. */
static const double *numbers_of(struct grt_reader *reader, const struct grt_axis_choice *choices,
                                size_t count) {
    double *numbers = grt_arena_array(reader->arena, count, sizeof *numbers);
    int kind = GRT_AXIS_TEXT;
    for (size_t i = 0; i < count; i++) {
        int own = choices[i].text != NULL ? grt_axis_number(choices[i].text, &numbers[i]) : GRT_AXIS_TEXT;
        if (own == GRT_AXIS_TEXT || (i > 0 && own != kind)) {
            return NULL;
        }
        kind = own;
    }
    return numbers;
}

static void read_axis(struct grt_reader *reader, const struct grt_axis_fields *axis,
                      const struct grt_path *path, cJSON *made, struct grt_axis_plan *plan) {
    const struct grt_path list = {.parent = path, .key = "values"}, at = {.parent = path, .key = "path"};
    struct grt_path place = {.parent = &list};
    size_t count = 0;
    const cJSON *values = axis->values;
    if (axis->path != NULL) {
        check_path(reader, axis, axis->path, &at);
    }
    if (values == NULL) {
        values = grt_axis_range(reader, axis, path, made);
    }
    if (values == NULL || !grt_read_list(reader, values, &list, 1, GRT_MOST_VALUES, &count)) {
        return;
    }
    struct grt_axis_choice *choices = grt_arena_array(reader->arena, count, sizeof *choices);
    const char **texts = grt_arena_array(reader->arena, count, sizeof *texts);
    for (const cJSON *value = values->child; value != NULL; value = value->next, place.index++) {
        read_choice(reader, axis, value, &place, &choices[place.index]);
        check_repeated(reader, choices, place.index, &place);
        texts[place.index] = choices[place.index].text;
    }
    *plan = (struct grt_axis_plan){.axis = {.name = axis->name,
                                            .label = axis->label != NULL ? axis->label : axis->name,
                                            .same_sets = axis->same_sets,
                                            .count = count,
                                            .values = texts,
                                            .numbers = numbers_of(reader, choices, count)},
                                   .path = axis->path,
                                   .choices = choices};
}

/* ---- several axes at one place ---- */

/* What is left of a path behind one that leads to a place around it, or to the same place (""); NULL: it leads elsewhere. */
static const char *rest_behind(const char *path, const char *outer) {
    GRT_ASSERT(path != NULL && outer != NULL, "what is written has a path");
    while (*outer != '\0') {
        if (*path != *outer) {
            return NULL;
        }
        bool number = *outer == '[';
        path += 1 + (number ? strspn(path + 1, "0") : 0);
        outer += 1 + (number ? strspn(outer + 1, "0") : 0);
    }
    return *path == '\0' || *path == '.' || *path == '[' ? path : NULL;
}

/* Whether a value has something where the rest of a path leads. */
static bool has_at(const cJSON *value, const char *rest) {
    while (value != NULL && *rest != '\0') {
        if (*rest == '[') {
            value = cJSON_IsArray(value) ? cJSON_GetArrayItem(value, atoi(rest + 1)) : NULL;
            rest += strcspn(rest, "]");
            rest += *rest == ']';
        } else {
            char key[GRT_NAME_LENGTH + 1];
            size_t length = strcspn(++rest, ".[");
            snprintf(key, sizeof key, "%.*s", (int)length, rest);
            value = length <= GRT_NAME_LENGTH ? grt_json_find(value, key) : NULL;
            rest += length;
        }
    }
    return value != NULL;
}

/* Something that a value of an axis writes. */
struct written {
    const char *path;
    const cJSON *value;
};

/* The place at which what is written first is lost, since a later axis writes there, too; else NULL. */
static const char *lost_place(const struct written *first, const struct written *later) {
    if (rest_behind(first->path, later->path) != NULL) {
        return first->path;
    }
    const char *rest = rest_behind(later->path, first->path);
    return rest != NULL && has_at(first->value, rest) ? later->path : NULL;
}

/* What a value writes, one after the other; its `value` is NULL behind the last. */
static struct written first_written(const struct grt_axis_plan *plan, size_t value) {
    const struct grt_axis_choice *choice = &plan->choices[value];
    const cJSON *item = choice->set != NULL ? choice->set->child : NULL;
    return item != NULL ? (struct written){item->string, item} : (struct written){plan->path, choice->value};
}

static struct written next_written(const struct grt_axis_choice *choice, struct written written) {
    const cJSON *next = choice->set != NULL ? written.value->next : NULL;
    return (struct written){next != NULL ? next->string : NULL, next};
}

/* What of an earlier axis a later writing makes lost, or NULL. */
static const char *lost_of(const struct grt_axis_plan *first, const struct written *later) {
    for (size_t i = 0; i < first->axis.count; i++) {
        struct written written = first_written(first, i);
        for (; written.value != NULL; written = next_written(&first->choices[i], written)) {
            const char *lost = lost_place(&written, later);
            if (lost != NULL) {
                return lost;
            }
        }
    }
    return NULL;
}

/* The earlier axis would only be a label: the later one, whose values are put last, silently wins. */
static void check_overwriting(struct grt_reader *reader, const struct grt_axis_plan *plans, size_t first,
                              size_t later, const struct grt_path *path) {
    const struct grt_axis_plan *plan = &plans[later];
    char shown[GRT_JSON_SHOWN_SIZE];
    for (size_t i = 0; i < plan->axis.count; i++) {
        struct written written = first_written(plan, i);
        const struct grt_path values = {.parent = path, .key = "values"},
                              value = {.parent = &values, .index = i}, set = {.parent = &value, .key = "set"},
                              own = {.parent = path, .key = "path"};
        for (; written.value != NULL; written = next_written(&plan->choices[i], written)) {
            const char *lost = lost_of(&plans[first], &written);
            if (lost != NULL) {
                grt_error_add(reader->errors, plan->choices[i].set != NULL ? &set : &own,
                              "writes %s, as axes[%zu] does", grt_text_show(lost, shown), first);
                return;
            }
        }
    }
}

void grt_axes_read(struct grt_reader *reader, const struct grt_axis_fields *axes, size_t count, cJSON *made,
                   struct grt_axis_plan *plans) {
    static const struct grt_path root = {0};
    const struct grt_path list = {.parent = &root, .key = "axes"};
    size_t before = reader->errors->count;
    for (size_t i = 0; i < count; i++) {
        const struct grt_path path = {.parent = &list, .index = i}, name = {.parent = &path, .key = "name"};
        read_axis(reader, &axes[i], &path, made, &plans[i]);
        for (size_t j = 0; j < i; j++) {
            if (axes[i].name != NULL && axes[j].name != NULL &&
                grt_names_are_alike(axes[i].name, axes[j].name)) {
                grt_error_add(reader->errors, &name, "%s axes[%zu].name (got \"%s\")",
                              strcmp(axes[i].name, axes[j].name) == 0 ? "is the same as" : "reads like", j,
                              axes[i].name);
                break;
            }
        }
    }
    for (size_t i = 0; i < count && reader->errors->count == before; i++) {
        const struct grt_path path = {.parent = &list, .index = i};
        for (size_t j = 0; j < i; j++) {
            check_overwriting(reader, plans, j, i, &path);
        }
    }
}

/* ---- points ---- */

void grt_axes_put(const struct grt_axis_plan *plans, size_t count, const size_t *values, cJSON *tree,
                  struct grt_errors *errors) {
    char what[64];
    for (size_t i = 0; i < count; i++) {
        const struct grt_axis_choice *choice = &plans[i].choices[values[i]];
        if (choice->value != NULL) {
            snprintf(what, sizeof what, "axes[%zu].path", i);
            grt_changes_put(tree, plans[i].path, cJSON_Duplicate(choice->value, true), what, errors);
        }
        const cJSON *item = choice->set != NULL ? choice->set->child : NULL;
        for (; item != NULL; item = item->next) {
            char shown[GRT_JSON_SHOWN_SIZE], place[sizeof what + GRT_JSON_SHOWN_SIZE];
            snprintf(place, sizeof place, "axes[%zu].values[%zu].set: %s", i, values[i],
                     grt_text_show(item->string, shown));
            grt_changes_put(tree, item->string, cJSON_Duplicate(item, true), place, errors);
        }
    }
}
