#include "cli/policy/parameters.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "cli/terminal/json_numbers.h"
#include "cli/terminal/paragraph.h"
#include "cli/terminal/text_table.h"
#include "scenarios/read_fields.h"
#include "sim/unit.h"
#include "viz/gantt/text_cells.h"

static const struct {
    const char *name;
    const char *unit; /* of bounds in JSON */
    enum grt_quantity quantity;
} types[] = {
    [GRT_FIELD_TIME] = {"duration", "ns", GRT_QUANTITY_TIME},
    [GRT_FIELD_SIZE] = {"size", "bytes", GRT_QUANTITY_SIZE},
    [GRT_FIELD_RATE] = {"rate", "bytes per second", GRT_QUANTITY_RATE},
    [GRT_FIELD_FREQUENCY] = {"frequency", "hertz", GRT_QUANTITY_FREQUENCY},
    [GRT_FIELD_INTEGER] = {.name = "whole number"},
    [GRT_FIELD_NUMBER] = {.name = "number"},
    [GRT_FIELD_BOOLEAN] = {.name = "flag"},
    [GRT_FIELD_CHOICE] = {.name = "choice"},
    [GRT_FIELD_NAME] = {.name = "text"},
    [GRT_FIELD_OBJECT] = {.name = "object"},
    [GRT_FIELD_LIST] = {.name = "list"},
    [GRT_FIELD_CUSTOM] = {.name = "value"},
};

static bool is_quantity(const struct grt_field *field) {
    return types[field->type].unit != NULL;
}

static bool is_bounded(const struct grt_field *field) {
    return field->min != 0 || field->max != 0;
}

/* Those of the type itself are no news. */
static bool has_most(const struct grt_field *field) {
    return is_bounded(field) && field->max < (is_quantity(field) ? GRT_TIME_LIMIT : GRT_INTEGER_LIMIT);
}

static bool has_least(const struct grt_field *field) {
    return is_bounded(field) && field->min > (is_quantity(field) ? -GRT_TIME_LIMIT : -GRT_INTEGER_LIMIT);
}

static const char *bound(struct grt_arena *arena, const struct grt_field *field, int64_t value) {
    char text[GRT_UNIT_TEXT_SIZE];
    return is_quantity(field)
               ? grt_format(arena, "%s", grt_unit_text(types[field->type].quantity, value, text))
               : grt_format(arena, "%" PRId64, value);
}

/* "-1 to 4095", "above 0", "0ns or more", "any". */
static const char *range(struct grt_arena *arena, const struct grt_field *field) {
    bool above_zero = is_quantity(field) && field->min == 1 && field->max > 1;
    const char *least = bound(arena, field, field->min), *most = bound(arena, field, field->max);
    if (above_zero) {
        return has_most(field) ? grt_format(arena, "above 0, to %s", most) : "above 0";
    }
    if (!has_least(field)) {
        return has_most(field) ? grt_format(arena, "%s or less", most) : "any";
    }
    return !has_most(field)           ? grt_format(arena, "%s or more", least)
           : field->min == field->max ? least
                                      : grt_format(arena, "%s to %s", least, most);
}

static const char *choices(struct grt_arena *arena, const struct grt_field *field) {
    const char *text = "";
    for (size_t i = 0; field->choices[i] != NULL; i++) {
        text = grt_format(arena, "%s%s\"%s\"", text, i == 0 ? "" : ", ", field->choices[i]);
    }
    return text;
}

/* Which values there are. */
static const char *values(struct grt_arena *arena, const struct grt_field *field) {
    const struct grt_field text = {
        .min = 1, .max = field->max > 0 ? field->max : GRT_NAME_LENGTH, .type = GRT_FIELD_NAME};
    switch (field->type) {
    case GRT_FIELD_CHOICE:
        return choices(arena, field);
    case GRT_FIELD_BOOLEAN:
        return "true, false";
    case GRT_FIELD_NAME:
        return grt_format(arena, "%s bytes", range(arena, is_bounded(field) ? field : &text));
    case GRT_FIELD_LIST:
        return is_bounded(field) ? grt_format(arena, "%s objects", range(arena, field)) : "objects";
    case GRT_FIELD_OBJECT:
        return "the fields below";
    case GRT_FIELD_CUSTOM:
        return "";
    default:
        return range(arena, field);
    }
}

/* ---- for people ---- */

enum { INDENT = 2, GAP = 2, HELP_INDENT = 4, COLUMNS = 4 };

struct table {
    struct grt_arena arena;
    FILE *out;
    size_t width;
    size_t cells[COLUMNS]; /* of each column, with its gap */
};

struct row {
    const char *texts[COLUMNS];
};

static const struct row heading = {{"name", "type", "default", "values"}};

static struct row row_of(struct table *table, const struct grt_field *field) {
    const char *fallback = field->fallback;
    return (struct row){{field->name, types[field->type].name,
                         fallback == NULL      ? "required"
                         : fallback[0] == '\0' ? "none"
                                               : fallback,
                         values(&table->arena, field)}};
}

static void widen(struct table *table, const struct row *row, size_t indent) {
    for (size_t i = 0; i < COLUMNS; i++) {
        size_t cells = (i == 0 ? indent : 0) + grt_text_cells(row->texts[i]) + GAP;
        table->cells[i] = cells > table->cells[i] ? cells : table->cells[i];
    }
}

/* The fields of an object, or of a list's objects. */
static const struct grt_record *inner_of(const struct grt_field *field) {
    bool nested = field->type == GRT_FIELD_LIST || field->type == GRT_FIELD_OBJECT;
    return nested ? field->record : NULL;
}

/* Finds out how wide the columns are; returns the types of all fields, a bit each. */
static unsigned measure(struct table *table, const struct grt_record *record, size_t indent) {
    unsigned found = 0;
    for (size_t i = 0; record != NULL && i < record->field_count; i++) {
        struct row row = row_of(table, &record->fields[i]);
        widen(table, &row, indent);
        found |= 1u << record->fields[i].type | measure(table, inner_of(&record->fields[i]), indent + INDENT);
    }
    return found;
}

/* The last column is broken into lines where it is long. */
static void print_row(const struct table *table, const struct row *row, size_t indent) {
    size_t used = INDENT;
    fprintf(table->out, "%*s", (int)indent, "");
    for (size_t i = 0; i + 1 < COLUMNS; i++) {
        used += table->cells[i];
        grt_text_put(table->out, row->texts[i], table->cells[i] - (i == 0 ? indent - INDENT : 0),
                     GRT_TEXT_LEFT);
    }
    grt_paragraph_put(table->out, row->texts[COLUMNS - 1], used, table->width);
}

static void print_fields(struct table *table, const struct grt_record *record, size_t indent) {
    for (size_t i = 0; record != NULL && i < record->field_count; i++) {
        const struct grt_field *field = &record->fields[i];
        struct row row = row_of(table, field);
        print_row(table, &row, indent);
        if (field->help != NULL) {
            fprintf(table->out, "%*s", (int)indent + HELP_INDENT, "");
            grt_paragraph_put(table->out, field->help, indent + HELP_INDENT, table->width);
        }
        print_fields(table, inner_of(field), indent + INDENT);
    }
}

/* "A duration is a text with a unit: ns, us, ms, s, min, h." */
static void print_units(const struct table *table, unsigned found) {
    for (unsigned type = 0; type < sizeof types / sizeof types[0]; type++) {
        if (types[type].unit != NULL && (found >> type & 1) != 0) {
            fprintf(table->out, "\nA %s is a text, with a unit: %s.\n", types[type].name,
                    grt_unit_names(types[type].quantity));
        }
    }
}

void grt_parameters_print(const struct grt_record *record, size_t width, FILE *out) {
    struct table table = {.out = out, .width = width};
    widen(&table, &heading, 0);
    unsigned found = measure(&table, record, 0);
    print_row(&table, &heading, INDENT);
    print_fields(&table, record, INDENT);
    print_units(&table, found);
    grt_arena_clear(&table.arena);
}

/* ---- for programs ---- */

static cJSON *field_json(const struct grt_field *field) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "name", field->name);
    cJSON_AddStringToObject(object, "type", types[field->type].name);
    if (is_quantity(field)) {
        cJSON_AddStringToObject(object, "unit", types[field->type].unit);
    }
    if (has_least(field)) {
        grt_json_add_integer(object, "min", field->min);
    }
    if (has_most(field)) {
        grt_json_add_integer(object, "max", field->max);
    }
    cJSON *words = field->type == GRT_FIELD_CHOICE ? cJSON_AddArrayToObject(object, "choices") : NULL;
    for (size_t i = 0; words != NULL && field->choices[i] != NULL; i++) {
        cJSON_AddItemToArray(words, cJSON_CreateString(field->choices[i]));
    }
    cJSON_AddBoolToObject(object, "required", field->fallback == NULL);
    if (field->fallback != NULL && field->fallback[0] != '\0') {
        cJSON_AddItemToObject(object, "default", cJSON_Parse(field->fallback));
    }
    cJSON_AddStringToObject(object, "help", field->help != NULL ? field->help : "");
    if (inner_of(field) != NULL) {
        cJSON_AddItemToObject(object, "fields", grt_parameters_json(inner_of(field)));
    }
    return object;
}

cJSON *grt_parameters_json(const struct grt_record *record) {
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; record != NULL && i < record->field_count; i++) {
        cJSON_AddItemToArray(list, field_json(&record->fields[i]));
    }
    return list;
}
