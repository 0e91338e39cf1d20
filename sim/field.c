#include "sim/field.h"

#include <stdlib.h>
#include <string.h>

#include "sim/check.h"
#include "sim/unit.h"

enum { TEXT_SIZE = 64 };

/* What stands between the quotes. */
static void unquote(const char *fallback, char text[TEXT_SIZE]) {
    size_t length = strlen(fallback);
    GRT_REQUIRE(length >= 2 && length - 2 < TEXT_SIZE && fallback[0] == '"' && fallback[length - 1] == '"',
                "write the default of a quantity or a choice as a text in quotes");
    memcpy(text, fallback + 1, length - 2);
    text[length - 2] = '\0';
}

static int64_t quantity_of(enum grt_quantity quantity, const char *fallback) {
    char text[TEXT_SIZE];
    int64_t value = 0;
    unquote(fallback, text);
    GRT_REQUIRE(grt_unit_parse(quantity, text, &value) == NULL, "write a default with its unit");
    return value;
}

static int64_t choice_of(const struct grt_field *field) {
    char text[TEXT_SIZE];
    unquote(field->fallback, text);
    int64_t place = 0;
    while (field->choices[place] != NULL && strcmp(field->choices[place], text) != 0) {
        place++;
    }
    GRT_REQUIRE(field->choices[place] != NULL, "the default of a choice is one of its words");
    return place;
}

static int64_t whole_of(const char *fallback) {
    char *end;
    long long value = strtoll(fallback, &end, 10);
    GRT_REQUIRE(end != fallback && *end == '\0', "write the default of a whole number as one");
    return value;
}

static double number_of(const char *fallback) {
    char *end;
    double value = strtod(fallback, &end);
    GRT_REQUIRE(end != fallback && *end == '\0', "write the default of a number as one");
    return value;
}

static void set_default(const struct grt_field *field, void *out) {
    int64_t whole;
    switch (field->type) {
    case GRT_FIELD_TIME:
    case GRT_FIELD_SIZE:
    case GRT_FIELD_RATE:
    case GRT_FIELD_FREQUENCY: {
        static const enum grt_quantity quantities[] = {[GRT_FIELD_TIME] = GRT_QUANTITY_TIME,
                                                       [GRT_FIELD_SIZE] = GRT_QUANTITY_SIZE,
                                                       [GRT_FIELD_RATE] = GRT_QUANTITY_RATE,
                                                       [GRT_FIELD_FREQUENCY] = GRT_QUANTITY_FREQUENCY};
        whole = quantity_of(quantities[field->type], field->fallback);
        break;
    }
    case GRT_FIELD_INTEGER:
        whole = whole_of(field->fallback);
        break;
    case GRT_FIELD_CHOICE:
        whole = choice_of(field);
        break;
    case GRT_FIELD_NUMBER:
        *(double *)out = number_of(field->fallback);
        return;
    case GRT_FIELD_BOOLEAN:
        *(bool *)out = strcmp(field->fallback, "true") == 0;
        return;
    default:
        GRT_REQUIRE(false,
                    "fields with defaults of their own are numbers, choices and truths; give others \"\"");
        return;
    }
    *(int64_t *)out = whole;
}

bool grt_record_defaults(const struct grt_record *record, void *out) {
    bool complete = true;
    memset(out, 0, record->size);
    for (size_t i = 0; i < record->field_count; i++) {
        const struct grt_field *field = &record->fields[i];
        complete &= field->fallback != NULL;
        if (field->fallback != NULL && field->fallback[0] != '\0') {
            set_default(field, (char *)out + field->offset);
        }
    }
    return complete;
}
