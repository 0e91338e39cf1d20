#include "models/analysis_options.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/analysis.h"
#include "sim/check.h"
#include "sim/unit.h"

static void *place_of(const struct grt_field *field, void *options) {
    return (char *)options + field->offset;
}

/* ---- reading; each returns what is wrong, or NULL ---- */

static const char *read_choice(const struct grt_field *field, const char *text, int64_t *value) {
    for (int64_t i = 0; field->choices[i] != NULL; i++) {
        if (strcmp(field->choices[i], text) == 0) {
            *value = i;
            return NULL;
        }
    }
    return "unknown word";
}

static const char *read_boolean(const char *text, bool *value) {
    bool yes = strcmp(text, "true") == 0;
    if (!yes && strcmp(text, "false") != 0) {
        return "expected true or false";
    }
    *value = yes;
    return NULL;
}

static const char *read_integer(const char *text, int64_t *value) {
    enum { MOST_DIGITS = 18 }; /* so that it fits */
    const char *digits = text + (*text == '-');
    size_t count = strspn(digits, "0123456789");
    if (count == 0 || count > MOST_DIGITS || digits[count] != '\0') {
        return "expected a whole number";
    }
    *value = strtoll(text, NULL, 10);
    return NULL;
}

static bool is_within(const struct grt_field *field, int64_t value) {
    return (field->min == 0 && field->max == 0) || (value >= field->min && value <= field->max);
}

static const char *read_value(const struct grt_field *field, const char *text, void *options) {
    int64_t number = 0;
    const char *wrong = NULL;
    switch (field->type) {
    case GRT_FIELD_BOOLEAN:
        return read_boolean(text, place_of(field, options));
    case GRT_FIELD_CHOICE:
        wrong = read_choice(field, text, &number);
        break;
    case GRT_FIELD_INTEGER:
        wrong = read_integer(text, &number);
        break;
    case GRT_FIELD_TIME:
        wrong = grt_unit_parse(GRT_QUANTITY_TIME, text, &number);
        break;
    default:
        GRT_REQUIRE(false, "describe options of analyses as choices, booleans, whole numbers or times");
    }
    if (wrong == NULL && field->type != GRT_FIELD_CHOICE && !is_within(field, number)) {
        wrong = "out of range";
    }
    if (wrong == NULL) {
        *(int64_t *)place_of(field, options) = number;
    }
    return wrong;
}

/* ---- defaults ---- */

/* The text of a JSON value: without the quotes of a string. Defaults have no escapes. */
static void unquote(const char *json, char text[GRT_ANALYSIS_OPTION_TEXT_SIZE]) {
    bool quoted = json[0] == '"';
    snprintf(text, GRT_ANALYSIS_OPTION_TEXT_SIZE, "%s", json + quoted);
    if (quoted) {
        text[strcspn(text, "\"")] = '\0';
    }
}

void grt_analysis_options_default(const struct grt_record *record, void *options) {
    GRT_REQUIRE(record->size <= GRT_ANALYSIS_OPTIONS_SIZE, "give an analysis fewer options");
    memset(options, 0, record->size);
    for (size_t i = 0; i < record->field_count; i++) {
        const struct grt_field *field = &record->fields[i];
        char text[GRT_ANALYSIS_OPTION_TEXT_SIZE];
        GRT_REQUIRE(field->fallback != NULL, "give every option of an analysis a default");
        unquote(field->fallback, text);
        GRT_REQUIRE(read_value(field, text, options) == NULL,
                    "give an option of an analysis a default that it allows");
    }
}

/* ---- setting ---- */

static const struct grt_field *find(const struct grt_record *record, const char *name) {
    for (size_t i = 0; i < record->field_count; i++) {
        if (strcmp(record->fields[i].name, name) == 0) {
            return &record->fields[i];
        }
    }
    return NULL;
}

/* The words of a choice, ", allowed: a, b", or the bounds of a number. */
static void add_allowed(char *text, size_t size, const struct grt_field *field) {
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; field->type == GRT_FIELD_CHOICE && field->choices[i] != NULL && used < size; i++) {
        used += (size_t)snprintf(text + used, size - used, "%s%s", i == 0 ? "; allowed: " : ", ",
                                 field->choices[i]);
    }
    if (field->type == GRT_FIELD_INTEGER && (field->min != 0 || field->max != 0)) {
        snprintf(text, size, "; from %" PRId64 " to %" PRId64, field->min, field->max);
    }
    if (field->type == GRT_FIELD_TIME && (field->min != 0 || field->max != 0)) {
        char min[GRT_UNIT_TEXT_SIZE], max[GRT_UNIT_TEXT_SIZE];
        snprintf(text, size, "; from %s to %s", grt_unit_text(GRT_QUANTITY_TIME, field->min, min),
                 grt_unit_text(GRT_QUANTITY_TIME, field->max, max));
    }
}

bool grt_analysis_option_set(const struct grt_record *record, void *options, const char *prefix,
                             const char *name, const char *text, struct grt_errors *errors) {
    const struct grt_path root = {0}, analysis = {.parent = &root, .key = prefix};
    const struct grt_path path = {.parent = &analysis, .key = name};
    const struct grt_field *field = record != NULL ? find(record, name) : NULL;
    if (field == NULL) {
        grt_error_add(errors, &path, "unknown option; `gpurt analyze --list` lists them");
        return false;
    }
    const char *wrong = read_value(field, text, options);
    if (wrong != NULL) {
        char allowed[512];
        add_allowed(allowed, sizeof allowed, field);
        grt_error_add(errors, &path, "%s (got \"%s\")%s", wrong, text, allowed);
    }
    return wrong == NULL;
}

const char *grt_analysis_option_text(const struct grt_field *field, const void *options,
                                     char text[GRT_ANALYSIS_OPTION_TEXT_SIZE]) {
    const void *place = (const char *)options + field->offset;
    if (field->type == GRT_FIELD_BOOLEAN) {
        return *(const bool *)place ? "true" : "false";
    }
    int64_t value = *(const int64_t *)place;
    if (field->type == GRT_FIELD_CHOICE) {
        return field->choices[value];
    }
    if (field->type == GRT_FIELD_TIME) {
        return grt_unit_text(GRT_QUANTITY_TIME, value, text);
    }
    snprintf(text, GRT_ANALYSIS_OPTION_TEXT_SIZE, "%" PRId64, value);
    return text;
}
