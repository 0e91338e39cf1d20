#include "scenarios/experiment/axis_range.h"

#include <stdlib.h>
#include <string.h>

#include "scenarios/experiment/axes.h"
#include "scenarios/experiment/decimal.h"

/* `from`, `to` or `step`. */
struct bound {
    int kind; /* as grt_axis_number */
    struct grt_decimal number;
};

static int quantity_of(const char *text, int64_t *number) {
    for (int quantity = GRT_QUANTITY_TIME; quantity <= GRT_QUANTITY_FREQUENCY; quantity++) {
        if (grt_unit_parse((enum grt_quantity)quantity, text, number) == NULL) {
            return GRT_AXIS_QUANTITY + quantity;
        }
    }
    return GRT_AXIS_TEXT;
}

int grt_axis_number(const char *text, double *number) {
    int64_t whole;
    char *end;
    if (text[0] != '\0' && text[strspn(text, "0123456789+-.eE")] == '\0') {
        *number = strtod(text, &end);
        return *end == '\0' ? GRT_AXIS_NUMBER : GRT_AXIS_TEXT;
    }
    int kind = quantity_of(text, &whole);
    if (kind != GRT_AXIS_TEXT) {
        *number = (double)whole;
    }
    return kind;
}

static bool read_bound(struct grt_reader *reader, const cJSON *value, const char *key,
                       const struct grt_path *path, struct bound *bound) {
    const struct grt_path place = {.parent = path, .key = key};
    const char *text =
        cJSON_IsNumber(value) || cJSON_IsString(value) ? grt_axis_text(value, reader->arena) : "";
    *bound = (struct bound){.kind = GRT_AXIS_NUMBER};
    if (cJSON_IsString(value)) {
        bound->kind = quantity_of(text, &bound->number.digits);
    } else if (!grt_decimal_parse(text, &bound->number)) {
        bound->kind = GRT_AXIS_TEXT;
    }
    if (bound->kind == GRT_AXIS_TEXT) {
        grt_read_error(reader, &place, value,
                       "must be a number of at most 15 digits, or a text such as \"250us\"");
    }
    return bound->kind != GRT_AXIS_TEXT;
}

static cJSON *value_of(int kind, struct grt_decimal number) {
    char text[GRT_UNIT_TEXT_SIZE > GRT_DECIMAL_TEXT_SIZE ? GRT_UNIT_TEXT_SIZE : GRT_DECIMAL_TEXT_SIZE];
    if (kind == GRT_AXIS_NUMBER) {
        return cJSON_CreateNumber(strtod(grt_decimal_text(number, text), NULL));
    }
    enum grt_quantity quantity = (enum grt_quantity)(kind - GRT_AXIS_QUANTITY);
    return cJSON_CreateString(grt_unit_text(quantity, number.digits, text));
}

/* How many values there are; 0 after adding an error. */
static int64_t count_of(struct grt_reader *reader, const struct grt_path *path, const struct bound *from,
                        const struct bound *to, const struct bound *step) {
    int64_t span = to->number.digits - from->number.digits, size = step->number.digits;
    if (size <= 0) {
        const struct grt_path place = {.parent = path, .key = "step"};
        grt_error_add(reader->errors, &place, "must be above 0");
    } else if (span < 0) {
        grt_error_add(reader->errors, path, "\"to\" must not be below \"from\"");
    } else if (span % size != 0) {
        grt_error_add(reader->errors, path, "steps of \"step\" must lead from \"from\" to \"to\"");
    } else if (span / size >= GRT_MOST_VALUES) {
        grt_error_add(reader->errors, path, "must have at most %d values (got %lld)", GRT_MOST_VALUES,
                      (long long)(span / size) + 1);
    } else {
        return span / size + 1;
    }
    return 0;
}

const cJSON *grt_axis_range(struct grt_reader *reader, const struct grt_axis_fields *axis,
                            const struct grt_path *path, cJSON *made) {
    struct bound from, to, step;
    if (axis->from == NULL || axis->to == NULL || axis->step == NULL) {
        return NULL; /* which was said */
    }
    bool good = read_bound(reader, axis->from, "from", path, &from);
    good = read_bound(reader, axis->to, "to", path, &to) && good;
    good = read_bound(reader, axis->step, "step", path, &step) && good;
    if (!good) {
        return NULL;
    }
    if (from.kind != to.kind || from.kind != step.kind) {
        grt_error_add(reader->errors, path, "\"from\", \"to\" and \"step\" must be of the same kind");
        return NULL;
    }
    if (!grt_decimal_align(&from.number, &step.number) || !grt_decimal_align(&from.number, &to.number) ||
        !grt_decimal_align(&from.number, &step.number)) {
        grt_error_add(reader->errors, path, "\"from\", \"to\" and \"step\" have too many digits together");
        return NULL;
    }
    int64_t count = count_of(reader, path, &from, &to, &step);
    cJSON *values = cJSON_CreateArray();
    cJSON_AddItemToArray(made, values);
    for (int64_t i = 0; i < count; i++) {
        struct grt_decimal number = {from.number.digits + i * step.number.digits, from.number.scale};
        cJSON_AddItemToArray(values, value_of(from.kind, number));
    }
    return count > 0 ? values : NULL;
}
