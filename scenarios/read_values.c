#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scenarios/read_fields.h"
#include "sim/check.h"
#include "sim/unit.h"

static bool is_quantity(const struct grt_field *field) {
    return field->type <= GRT_FIELD_FREQUENCY;
}

/* The field types begin with the quantities, in their order. */
static enum grt_quantity quantity_of(const struct grt_field *field) {
    static const enum grt_quantity quantities[] = {[GRT_FIELD_TIME] = GRT_QUANTITY_TIME,
                                                   [GRT_FIELD_SIZE] = GRT_QUANTITY_SIZE,
                                                   [GRT_FIELD_RATE] = GRT_QUANTITY_RATE,
                                                   [GRT_FIELD_FREQUENCY] = GRT_QUANTITY_FREQUENCY};
    return quantities[field->type];
}

static char *bound_text(const struct grt_field *field, int64_t bound, char text[GRT_UNIT_TEXT_SIZE]) {
    if (is_quantity(field)) {
        return grt_unit_text(quantity_of(field), bound, text);
    }
    snprintf(text, GRT_UNIT_TEXT_SIZE, "%lld", (long long)bound);
    return text;
}

static void add_below(struct grt_reader *reader, const struct grt_field *field, const cJSON *value,
                      const struct grt_path *path) {
    char min[GRT_UNIT_TEXT_SIZE];
    if (field->min == 0) {
        grt_read_error(reader, path, value, "must not be below 0");
    } else if (field->min == 1 && is_quantity(field)) {
        grt_read_error(reader, path, value, "must be above 0");
    } else {
        grt_read_error(reader, path, value, "must be at least %s", bound_text(field, field->min, min));
    }
}

bool grt_read_bounds(struct grt_reader *reader, const struct grt_field *field, const cJSON *value,
                     const struct grt_path *path, int64_t number) {
    char min[GRT_UNIT_TEXT_SIZE], max[GRT_UNIT_TEXT_SIZE];
    bool unbounded = field->min == 0 && field->max == 0, above = number > field->max;
    if (unbounded || (number >= field->min && !above)) {
        return true;
    }
    bool both = !is_quantity(field) && field->max < GRT_INTEGER_LIMIT;
    if (field->min == field->max) {
        grt_read_error(reader, path, value, "must be %s", bound_text(field, field->min, min));
    } else if (both) {
        grt_read_error(reader, path, value, "must be between %s and %s", bound_text(field, field->min, min),
                       bound_text(field, field->max, max));
    } else if (above) {
        grt_read_error(reader, path, value, "must be at most %s", bound_text(field, field->max, max));
    } else {
        add_below(reader, field, value, path);
    }
    return false;
}

static void read_quantity(struct grt_reader *reader, const struct grt_field *field, const cJSON *value,
                          const struct grt_path *path, int64_t *out) {
    int64_t number = 0;
    const char *text = cJSON_IsString(value) ? value->valuestring : "";
    const char *problem = grt_unit_parse(quantity_of(field), text, &number);
    bool readable = problem == NULL || number != 0; /* a number, perhaps beyond all limits */
    if (readable && !grt_read_bounds(reader, field, value, path, number)) {
        return;
    }
    if (problem != NULL) {
        grt_read_error(reader, path, value, "%s", problem);
    } else {
        *out = number;
    }
}

static void read_integer(struct grt_reader *reader, const struct grt_field *field, const cJSON *value,
                         const struct grt_path *path, int64_t *out) {
    double number = cJSON_IsNumber(value) ? value->valuedouble : 0.5;
    if (trunc(number) != number) {
        grt_read_error(reader, path, value, "must be a whole number");
        return;
    }
    struct grt_field bounded = *field;
    if (field->min == 0 && field->max == 0) {
        bounded.min = -GRT_INTEGER_LIMIT;
        bounded.max = GRT_INTEGER_LIMIT;
    }
    int64_t whole = number > (double)GRT_INTEGER_LIMIT    ? INT64_MAX
                    : number < (double)-GRT_INTEGER_LIMIT ? INT64_MIN
                                                          : (int64_t)number;
    if (grt_read_bounds(reader, &bounded, value, path, whole)) {
        *out = whole;
    }
}

static void read_number(struct grt_reader *reader, const struct grt_field *field, const cJSON *value,
                        const struct grt_path *path, double *out) {
    if (!cJSON_IsNumber(value)) {
        grt_read_error(reader, path, value, "must be a number");
        return;
    }
    bool unbounded = field->min == 0 && field->max == 0;
    double number = value->valuedouble;
    if (!unbounded && (number < (double)field->min || number > (double)field->max)) {
        grt_read_error(reader, path, value, "must be between %lld and %lld", (long long)field->min,
                       (long long)field->max);
        return;
    }
    *out = number;
}

static void read_boolean(struct grt_reader *reader, const cJSON *value, const struct grt_path *path,
                         bool *out) {
    if (cJSON_IsBool(value)) {
        *out = cJSON_IsTrue(value);
    } else {
        grt_read_error(reader, path, value, "must be true or false");
    }
}

enum { CHOICES_SIZE = 500 };

/* "\"a\", \"b\" or \"c\"", as many as have room. */
static void list_choices(const char *const *choices, char words[CHOICES_SIZE]) {
    static const char more[] = ", ...";
    size_t used = 0;
    for (size_t i = 0; choices[i] != NULL; i++) {
        const char *between = i == 0 ? "" : choices[i + 1] == NULL ? " or " : ", ";
        size_t room = CHOICES_SIZE - used;
        size_t length = (size_t)snprintf(words + used, room, "%s\"%s\"", between, choices[i]);
        if (length + sizeof more > room) {
            snprintf(words + used, room, "%s", more);
            return;
        }
        used += length;
    }
}

static void read_choice(struct grt_reader *reader, const struct grt_field *field, const cJSON *value,
                        const struct grt_path *path, int64_t *out) {
    for (int64_t i = 0; field->choices[i] != NULL; i++) {
        if (cJSON_IsString(value) && strcmp(value->valuestring, field->choices[i]) == 0) {
            *out = i;
            return;
        }
    }
    char words[CHOICES_SIZE] = "";
    list_choices(field->choices, words);
    grt_read_error(reader, path, value, "must be %s", words);
}

/* Control characters of ASCII but those in `allowed`, and U+0080 to U+009F, which some terminals obey. */
static bool has_control_characters(const char *text, const char *allowed) {
    for (const unsigned char *byte = (const unsigned char *)text; *byte != '\0'; byte++) {
        bool control = (*byte < 0x20 && strchr(allowed, *byte) == NULL) || *byte == 0x7F;
        if (control || (*byte == 0xC2 && byte[1] < 0xA0)) {
            return true;
        }
    }
    return false;
}

bool grt_read_text_is_good(struct grt_reader *reader, const cJSON *value, const struct grt_path *path,
                           int64_t min, int64_t max) {
    size_t before = reader->errors->count;
    if (!cJSON_IsString(value)) {
        grt_read_error(reader, path, value, "must be a text");
        return false;
    }
    int64_t length = (int64_t)strlen(value->valuestring);
    if (length < min || length > max) {
        grt_read_error(reader, path, value, "must be %lld to %lld bytes long", (long long)min,
                       (long long)max);
    }
    if (has_control_characters(value->valuestring, max > GRT_NAME_LENGTH ? "\n\t" : "")) {
        grt_read_error(reader, path, value, "must not hold control characters");
    }
    return reader->errors->count == before;
}

static void read_name(struct grt_reader *reader, const struct grt_field *field, const cJSON *value,
                      const struct grt_path *path, const char **out) {
    bool unbounded = field->min == 0 && field->max == 0;
    if (grt_read_text_is_good(reader, value, path, unbounded ? 1 : field->min,
                              unbounded ? GRT_NAME_LENGTH : field->max)) {
        *out = grt_arena_text(reader->arena, value->valuestring);
    }
}

void grt_read_plain_value(struct grt_reader *reader, const struct grt_field *field, const cJSON *value,
                          const struct grt_path *path, void *out) {
    switch (field->type) {
    case GRT_FIELD_TIME:
    case GRT_FIELD_SIZE:
    case GRT_FIELD_RATE:
    case GRT_FIELD_FREQUENCY:
        read_quantity(reader, field, value, path, out);
        break;
    case GRT_FIELD_INTEGER:
        read_integer(reader, field, value, path, out);
        break;
    case GRT_FIELD_NUMBER:
        read_number(reader, field, value, path, out);
        break;
    case GRT_FIELD_BOOLEAN:
        read_boolean(reader, value, path, out);
        break;
    case GRT_FIELD_CHOICE:
        read_choice(reader, field, value, path, out);
        break;
    case GRT_FIELD_NAME:
        read_name(reader, field, value, path, out);
        break;
    case GRT_FIELD_OBJECT:
    case GRT_FIELD_LIST:
    case GRT_FIELD_CUSTOM:
        GRT_REQUIRE(false, "read objects, lists and custom fields with grt_read_value");
    }
}
