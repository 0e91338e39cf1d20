/* The rules of the tables in which a plug-in describes its parameters. Who reads by them trusts them: places in a struct, bounds, defaults. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/json_syntax.h"
#include "scenarios/plugin_check.h"
#include "scenarios/read_fields.h"
#include "sim/word.h"

enum { MOST_FIELDS = 64, MOST_CHOICES = 64, MOST_DEPTH = 4, LONGEST_WORD = 60 };

static bool check_record(const struct plugin_check *check, const struct grt_record *record, int depth);

/* "FILE: policy mine has a parameter NAME ...". */
static bool __attribute__((format(printf, 3, 4)))
refuse_field(const struct plugin_check *check, const struct grt_field *field, const char *format, ...) {
    char what[700];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return plugin_refuse(check, "has %s %s %s", check->of_options ? "an option" : "a parameter", field->name,
                         what);
}

/* ---- places ---- */

/* What a value needs; objects and lists were checked. */
struct room {
    size_t size, alignment;
};

static struct room room_of(const struct grt_field *field) {
    switch (field->type) {
    case GRT_FIELD_BOOLEAN:
        return (struct room){sizeof(bool), _Alignof(bool)};
    case GRT_FIELD_NAME:
        return (struct room){sizeof(const char *), _Alignof(const char *)};
    case GRT_FIELD_LIST:
        return (struct room){sizeof(struct grt_field_list), _Alignof(struct grt_field_list)};
    case GRT_FIELD_OBJECT: {
        struct room room = {field->record->size, 1};
        for (size_t i = 0; i < field->record->field_count; i++) {
            struct room inner = room_of(&field->record->fields[i]);
            room.alignment = inner.alignment > room.alignment ? inner.alignment : room.alignment;
        }
        return room;
    }
    default:
        return (struct room){sizeof(int64_t), _Alignof(int64_t)};
    }
}

static bool overlap(const struct grt_field *a, const struct grt_field *b) {
    return a->offset < b->offset + room_of(b).size && b->offset < a->offset + room_of(a).size;
}

static bool check_place(const struct plugin_check *check, const struct grt_record *record, size_t number) {
    const struct grt_field *field = &record->fields[number];
    struct room room = room_of(field);
    if (room.size > record->size || field->offset > record->size - room.size) {
        return refuse_field(check, field, "outside of its struct");
    }
    if (field->offset % room.alignment != 0 || record->size % room.alignment != 0) {
        return refuse_field(check, field, "whose place, or struct, is no multiple of %zu bytes",
                            room.alignment);
    }
    for (size_t i = 0; i < number; i++) {
        if (overlap(&record->fields[i], field)) {
            return plugin_refuse(check, "has parameters %s and %s in one place", record->fields[i].name,
                                 field->name);
        }
    }
    return true;
}

/* ---- defaults ---- */

/* Between quotes, with nothing in it that JSON would write otherwise. */
static bool is_plain_text(const char *json) {
    size_t length = strlen(json);
    return length >= 2 && length <= LONGEST_WORD + 2 && json[0] == '"' && json[length - 1] == '"' &&
           memchr(json + 1, '"', length - 2) == NULL && strchr(json, '\\') == NULL;
}

/* Worlds that are made without a file have the defaults as well, by grt_record_defaults, which reads no JSON. */
static bool is_plain_default(const struct grt_field *field) {
    const char *text = field->fallback;
    char *end;
    switch (field->type) {
    case GRT_FIELD_NAME:
    case GRT_FIELD_OBJECT:
    case GRT_FIELD_LIST:
        return false;
    case GRT_FIELD_INTEGER:
        text += text[0] == '-';
        return text[0] != '\0' && text[strspn(text, "0123456789")] == '\0';
    case GRT_FIELD_NUMBER:
        (void)strtod(text, &end);
        return strchr("-0123456789", text[0]) != NULL && *end == '\0';
    case GRT_FIELD_BOOLEAN:
        return strcmp(text, "true") == 0 || strcmp(text, "false") == 0;
    default:
        return is_plain_text(text);
    }
}

/* The default must be one that a file could give. */
static bool check_value(const struct plugin_check *check, const struct grt_record *record,
                        const struct grt_field *field) {
    struct grt_arena arena = {0};
    struct grt_errors errors = {0};
    struct grt_reader reader = {.arena = &arena, .errors = &errors, .folder = "."};
    char *memory = grt_arena_array(&arena, 1, record->size);
    cJSON *value = grt_json_parse(field->fallback, strlen(field->fallback), &errors);
    if (value != NULL && errors.count == 0) {
        grt_read_value(&reader, field, value, NULL, memory + field->offset);
    }
    bool good =
        errors.count == 0 || refuse_field(check, field, "with a wrong default: %s", errors.messages[0]);
    cJSON_Delete(value);
    grt_errors_clear(&errors);
    grt_arena_clear(&arena);
    return good;
}

static bool check_default(const struct plugin_check *check, const struct grt_record *record,
                          const struct grt_field *field) {
    if (field->fallback == NULL || field->fallback[0] == '\0') {
        return true;
    }
    if (!is_plain_default(field)) {
        return refuse_field(
            check, field,
            "whose default is not plain: texts, objects and lists have \"\" or "
            "none, whole numbers digits, choices and quantities a word in quotes, truths true or false");
    }
    return check_value(check, record, field);
}

/* ---- fields ---- */

static bool check_choices(const struct plugin_check *check, const struct grt_field *field) {
    size_t count = 0;
    for (; field->choices != NULL && field->choices[count] != NULL; count++) {
        const char *word = field->choices[count];
        if (count == MOST_CHOICES) {
            return refuse_field(check, field, "with more than %d choices", MOST_CHOICES);
        }
        if (!plugin_is_text(word) || strlen(word) > LONGEST_WORD || strpbrk(word, "\"\\") != NULL) {
            return refuse_field(check, field,
                                "with a choice (number %zu) that is no short text, or "
                                "has quotes or backslashes",
                                count);
        }
        for (size_t i = 0; i < count; i++) {
            if (strcmp(field->choices[i], word) == 0) {
                return refuse_field(check, field, "with the choice %s twice", word);
            }
        }
    }
    return count > 0 || refuse_field(check, field, "without choices");
}

static bool check_type(const struct plugin_check *check, const struct grt_field *field, int depth) {
    bool nested = field->type == GRT_FIELD_OBJECT || field->type == GRT_FIELD_LIST;
    if ((unsigned)field->type >= GRT_FIELD_CUSTOM) {
        return refuse_field(check, field, "of a type that plug-ins may not have");
    }
    if (field->min > field->max) {
        return refuse_field(check, field, "of which nothing is within its bounds");
    }
    if (field->type == GRT_FIELD_CHOICE && !check_choices(check, field)) {
        return false;
    }
    if (nested && field->record == NULL) {
        return refuse_field(check, field, "without a record");
    }
    return !nested || check_record(check, field->record, depth + 1);
}

static bool check_names(const struct plugin_check *check, const struct grt_record *record, size_t number,
                        int depth) {
    const struct grt_field *field = &record->fields[number];
    if (!grt_word_is_valid(field->name, "_")) {
        return plugin_refuse(
            check,
            "has %s whose name is not of letters, digits and \"_\" in lower case, a letter first, at most %d "
            "(number %zu of %s)",
            check->of_options ? "an option" : "a parameter", GRT_WORD_LONGEST, number, record->name);
    }
    for (size_t i = 0; i < number; i++) {
        if (strcmp(record->fields[i].name, field->name) == 0) {
            return plugin_refuse(check, "has two %s %s", check->of_options ? "options" : "parameters",
                                 field->name);
        }
    }
    if (depth == 0 && !check->of_options &&
        (strcmp(field->name, "name") == 0 || strcmp(field->name, "plugin") == 0)) {
        return plugin_refuse(check, "has a parameter %s, which says something else there", field->name);
    }
    return (field->help != NULL && (field->help[0] == '\0' || plugin_is_text(field->help))) ||
           refuse_field(check, field, "without a help, which is one line");
}

static bool check_record(const struct plugin_check *check, const struct grt_record *record, int depth) {
    if (depth > MOST_DEPTH) {
        return plugin_refuse(check, "has parameters nested more than %d deep", MOST_DEPTH);
    }
    if (!plugin_is_text(record->name) || (record->field_count > 0 && record->fields == NULL)) {
        return plugin_refuse(check, "has a table of parameters without a name, or without fields");
    }
    if (record->field_count > MOST_FIELDS) {
        return plugin_refuse(check, "has more than %d parameters in one table", MOST_FIELDS);
    }
    if (record->size > PLUGIN_MOST_BYTES) {
        return plugin_refuse(check, "has a state or parameters above %zu bytes", PLUGIN_MOST_BYTES);
    }
    for (size_t i = 0; i < record->field_count; i++) {
        if (!check_names(check, record, i, depth) || !check_type(check, &record->fields[i], depth) ||
            !check_place(check, record, i) || !check_default(check, record, &record->fields[i])) {
            return false;
        }
    }
    return true;
}

bool plugin_check_parameters(const struct plugin_check *check, const struct grt_record *record) {
    return check_record(check, record, 0);
}

bool plugin_check_options(const struct plugin_check *check, const struct grt_record *record) {
    struct plugin_check of_options = *check;
    of_options.of_options = true;
    return check_record(&of_options, record, 0);
}
