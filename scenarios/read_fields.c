#include "scenarios/read_fields.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/records.h"
#include "scenarios/shared_lists.h"
#include "scenarios/spelling.h"
#include "sim/check.h"

enum { MOST_PARTS = 4, MOST_FIELDS = 128 };

void grt_read_error(struct grt_reader *reader, const struct grt_path *path, const cJSON *value,
                    const char *format, ...) {
    if (reader->errors->count >= GRT_ERRORS_KEPT) {
        reader->errors->count++; /* only counted: spare the work of showing */
        return;
    }
    char sentence[600], shown[GRT_JSON_SHOWN_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    grt_error_add(reader->errors, path, "%s (got %s)", sentence, grt_json_show(value, shown));
}

void grt_read_unknown(struct grt_reader *reader, const cJSON *value, const struct grt_path *path,
                      const char *what, const char *(*name)(size_t number)) {
    char shown[GRT_JSON_SHOWN_SIZE], hint[GRT_GUESS_TEXT_SIZE], *known;
    struct grt_guess guess = grt_guess_start(value->valuestring);
    size_t size;
    FILE *out = open_memstream(&known, &size);
    for (size_t i = 0; name(i) != NULL; i++) {
        grt_guess_try(&guess, name(i));
        fprintf(out, "%s%s", i > 0 ? ", " : "", name(i));
    }
    fclose(out);
    grt_error_add(reader->errors, path, "unknown %s %s%s; known are %s", what, grt_json_show(value, shown),
                  grt_guess_text(&guess, hint), known);
    free(known);
}

/* What a part's object gave for each of its fields. */
struct found {
    const cJSON *values[MOST_FIELDS];
};

static void add_unknown(struct grt_reader *reader, const struct grt_read_part *parts, size_t part_count,
                        const char *key, const struct grt_path *path) {
    struct grt_errors *errors = reader->errors;
    if (errors->count >= GRT_ERRORS_KEPT) {
        errors->count++;
        return;
    }
    struct grt_guess guess = grt_guess_start(key);
    for (size_t part = 0; part < part_count; part++) {
        for (size_t i = 0; i < parts[part].record->field_count; i++) {
            grt_guess_try(&guess, parts[part].record->fields[i].name);
        }
    }
    char shown[GRT_JSON_SHOWN_SIZE], hint[GRT_GUESS_TEXT_SIZE];
    struct grt_path place = {.parent = path, .key = grt_key_show(key, shown)};
    grt_error_add(errors, &place, "unknown field%s", grt_guess_text(&guess, hint));
}

/* Notes the value as the first one of its field; false if no record has a field of that name. */
static bool find_field(const struct grt_read_part *parts, struct found *found, size_t part_count,
                       const cJSON *value) {
    for (size_t part = 0; part < part_count; part++) {
        const struct grt_record *record = parts[part].record;
        for (size_t i = 0; i < record->field_count; i++) {
            if (strcmp(record->fields[i].name, value->string) == 0) {
                const cJSON **place = &found[part].values[i];
                *place = *place != NULL ? *place : value;
                return true;
            }
        }
    }
    return false;
}

/* Defaults are part of the program: one that does not parse is a bug. They are not checked against bounds, so that a
 * default may stand for "none". */
static void read_default(struct grt_reader *reader, const struct grt_field *field,
                         const struct grt_path *path, void *out) {
    cJSON *value = cJSON_Parse(field->fallback);
    GRT_REQUIRE(value != NULL, "write a field's default as JSON");
    struct grt_field unbounded = *field;
    if (field->type == GRT_FIELD_INTEGER || field->type == GRT_FIELD_TIME ||
        field->type == GRT_FIELD_NUMBER) {
        unbounded.min = unbounded.max = 0;
    }
    grt_read_value(reader, &unbounded, value, path, out);
    cJSON_Delete(value);
}

static void read_part(struct grt_reader *reader, const struct grt_read_part *part, const struct found *found,
                      const struct grt_path *path) {
    for (size_t i = 0; i < part->record->field_count; i++) {
        const struct grt_field *field = &part->record->fields[i];
        struct grt_path place = {.parent = path, .key = field->name};
        char *out = (char *)part->out + field->offset;
        if (found->values[i] != NULL) {
            grt_read_value(reader, field, found->values[i], &place, out);
        } else if (field->fallback == NULL && !part->only_present) {
            grt_error_add(reader->errors, &place, "required");
        } else if (!part->only_present && field->fallback[0] != '\0') {
            read_default(reader, field, &place, out);
        }
    }
}

bool grt_read_parts(struct grt_reader *reader, const struct grt_read_part *parts, size_t part_count,
                    const cJSON *object, const struct grt_path *path) {
    size_t before = reader->errors->count;
    struct found found[MOST_PARTS];
    if (!cJSON_IsObject(object)) {
        grt_read_error(reader, path, object,
                       path->parent == NULL ? "the file must hold an object" : "must be an object");
        return false;
    }
    GRT_REQUIRE(part_count <= MOST_PARTS, "raise MOST_PARTS");
    memset(found, 0, part_count * sizeof *found);
    for (size_t i = 0; i < part_count; i++) {
        GRT_REQUIRE(parts[i].record->field_count <= MOST_FIELDS, "raise MOST_FIELDS");
    }
    for (const cJSON *value = object->child; value != NULL; value = value->next) {
        if (!find_field(parts, found, part_count, value)) {
            add_unknown(reader, parts, part_count, value->string, path);
        }
    }
    for (size_t i = 0; i < part_count; i++) {
        read_part(reader, &parts[i], &found[i], path);
    }
    return reader->errors->count == before;
}

/* Writes `"a", "b" and "c"` of those names that the object has, or of all where it is NULL; returns their number. */
static size_t list_names(const char *const *names, const cJSON *object, const char *last, char *text,
                         size_t size) {
    size_t count = 0, used = 0;
    text[0] = '\0';
    for (; *names != NULL; names++) {
        if (object == NULL || grt_json_find(object, *names) != NULL) {
            const char *between = count == 0 ? "" : names[1] == NULL || object != NULL ? last : ", ";
            used += (size_t)snprintf(text + used, size - used, "%s\"%s\"", between, *names);
            count++;
        }
    }
    return count;
}

static void check_one_of(struct grt_reader *reader, const char *const *names, const cJSON *object,
                         const struct grt_path *path) {
    char all[256], given[256];
    size_t count = list_names(names, object, " and ", given, sizeof given);
    if (count == 1) {
        return;
    }
    list_names(names, NULL, " or ", all, sizeof all);
    if (count == 0) {
        grt_error_add(reader->errors, path, "needs one of %s", all);
    } else {
        grt_error_add(reader->errors, path, "takes only one of %s (got %s)", all, given);
    }
}

bool grt_read_record(struct grt_reader *reader, const struct grt_record *record, const cJSON *object,
                     const struct grt_path *path, void *out) {
    size_t before = reader->errors->count;
    const struct grt_read_part part = {.record = record, .out = out};
    bool clean = grt_read_parts(reader, &part, 1, object, path);
    const struct grt_record_rule *rule = grt_record_rule_find(record);
    if (rule == NULL || !cJSON_IsObject(object)) {
        return clean;
    }
    if (rule->one_of != NULL) {
        check_one_of(reader, rule->one_of, object, path);
    }
    if (rule->finish != NULL) {
        rule->finish(reader, object, path, out, reader->errors->count == before);
    }
    return reader->errors->count == before;
}

bool grt_read_list(struct grt_reader *reader, const cJSON *value, const struct grt_path *path, int64_t min,
                   int64_t max, size_t *count) {
    max = max > 0 ? max : GRT_LIST_LENGTH;
    *count = 0;
    if (!cJSON_IsArray(value)) {
        grt_read_error(reader, path, value, "must be a list");
        return false;
    }
    for (const cJSON *element = value->child; element != NULL; element = element->next) {
        ++*count;
    }
    if ((int64_t)*count < min || (int64_t)*count > max) {
        grt_error_add(reader->errors, path, "must have between %lld and %lld elements (got %zu)",
                      (long long)min, (long long)max, *count);
        return false;
    }
    return true;
}

static void read_list_of_records(struct grt_reader *reader, const struct grt_field *field, const cJSON *value,
                                 const struct grt_path *path, struct grt_field_list *list) {
    size_t count, before = reader->errors->count;
    if (grt_shared_find(reader, value, list) ||
        !grt_read_list(reader, value, path, field->min, field->max, &count)) {
        return;
    }
    *list = (struct grt_field_list){grt_arena_array(reader->arena, count, field->record->size), count};
    struct grt_path place = {.parent = path};
    for (const cJSON *element = value->child; element != NULL; element = element->next, place.index++) {
        grt_read_record(reader, field->record, element, &place,
                        (char *)list->items + place.index * field->record->size);
    }
    if (reader->errors->count == before) {
        grt_shared_add(reader, value, list);
    }
}

void grt_read_value(struct grt_reader *reader, const struct grt_field *field, const cJSON *value,
                    const struct grt_path *path, void *out) {
    if (field->type == GRT_FIELD_CUSTOM) {
        const struct grt_custom *custom = grt_custom_find(field->custom);
        GRT_REQUIRE(custom != NULL, "list the custom field in scenarios/records.c");
        custom->read(reader, field, value, path, out);
    } else if (field->type == GRT_FIELD_OBJECT) {
        grt_read_record(reader, field->record, value, path, out);
    } else if (field->type == GRT_FIELD_LIST) {
        read_list_of_records(reader, field, value, path, out);
    } else {
        grt_read_plain_value(reader, field, value, path, out);
    }
}
