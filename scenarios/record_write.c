#include "scenarios/record_write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/generate/generate.h"
#include "scenarios/records.h"
#include "sim/memory.h"
#include "sim/unit.h"

/* ---- Customs ---- */

static cJSON *write_times(const struct grt_time_list *list) {
    char text[GRT_UNIT_TEXT_SIZE];
    cJSON *times = cJSON_CreateArray();
    for (size_t i = 0; i < list->count; i++) {
        cJSON_AddItemToArray(times, cJSON_CreateString(grt_time_text(list->times[i], text)));
    }
    return times;
}

static cJSON *write_numbers(const struct grt_number_list *list) {
    cJSON *numbers = cJSON_CreateArray();
    for (size_t i = 0; i < list->count; i++) {
        cJSON_AddItemToArray(numbers, cJSON_CreateNumber((double)list->items[i]));
    }
    return numbers;
}

static cJSON *write_texts(const struct grt_field_list *list) {
    cJSON *texts = cJSON_CreateArray();
    const char *const *items = list->items;
    for (size_t i = 0; i < list->count; i++) {
        cJSON_AddItemToArray(texts, cJSON_CreateString(items[i]));
    }
    return texts;
}

static cJSON *write_span(const struct grt_distribution *span, struct grt_errors *errors,
                         const struct grt_path *path) {
    char text[GRT_UNIT_TEXT_SIZE];
    if (span->kind == GRT_CONSTANT && span->declared == 0 && span->evidence == GRT_EVIDENCE_ASSUMED) {
        return cJSON_CreateString(grt_time_text(span->max, text));
    }
    struct grt_distribution plain = *span;
    plain.min = span->kind == GRT_CONSTANT ? 0 : span->min; /* which would have no meaning */
    plain.measured = span->kind == GRT_EMPIRICAL ? span->measured : NULL;
    plain.tail = span->kind == GRT_EMPIRICAL ? span->tail : NULL;
    cJSON *object = grt_record_write(&grt_time_record, &plain, errors, path);
    if (span->kind == GRT_UNIFORM && grt_json_find(object, "min") == NULL) {
        cJSON_AddStringToObject(object, "min", "0s");
    }
    if ((span->kind == GRT_GEV || span->kind == GRT_GPD) && span->shape == 0) {
        cJSON_AddNumberToObject(object, "shape", 0);
    }
    return object;
}

static cJSON *write_measured(const struct grt_measured *measured) {
    const struct grt_time_list list = {(grt_time *)(size_t)measured->values, measured->count}; /* only read */
    return write_times(&list);
}

static bool same_numbers(const double *a, const double *b, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (a[i] != b[i]) {
            return false;
        }
    }
    return true;
}

static bool same_usages(const struct grt_usage *a, const struct grt_usage *b) {
    return a->host_fraction == b->host_fraction && a->sm_utilisation == b->sm_utilisation &&
           same_numbers(a->demand, b->demand, sizeof a->demand / sizeof a->demand[0]) &&
           same_numbers(a->bound, b->bound, sizeof a->bound / sizeof a->bound[0]) &&
           same_numbers(a->counters, b->counters, sizeof a->counters / sizeof a->counters[0]) &&
           a->share_factors.count == b->share_factors.count &&
           (a->share_factors.count == 0 ||
            memcmp(a->share_factors.items, b->share_factors.items,
                   a->share_factors.count * sizeof(struct grt_share_factor)) == 0);
}

/* By name where a preset says the same, else in place. */
static cJSON *write_usage(const struct grt_usage *usage, struct grt_errors *errors,
                          const struct grt_path *path) {
    struct grt_arena arena = {0};
    struct grt_errors unused = {0};
    struct grt_usage_fields preset;
    bool named = usage->name != NULL && grt_usage_preset(usage->name) != NULL &&
                 grt_usage_find(usage->name, NULL, &arena, &preset, &unused, path) &&
                 same_usages(usage, &preset.usage);
    grt_errors_clear(&unused);
    grt_arena_clear(&arena);
    if (named) {
        return cJSON_CreateString(usage->name);
    }
    const struct grt_usage_fields fields = {.version = 1, .usage = *usage};
    return grt_record_write(&grt_usage_record, &fields, errors, path);
}

/* One number for both ends. */
static cJSON *write_ends(double low, double high) {
    return low == high ? cJSON_CreateNumber(low) : cJSON_CreateDoubleArray((double[]){low, high}, 2);
}

/* NULL: the field is as it is where nothing was said, or a text for people. */
static cJSON *write_custom(const struct grt_field *field, const void *value, struct grt_errors *errors,
                           const struct grt_path *path) {
    const int64_t *whole = value;
    char text[16];
    switch (field->custom) {
    case GRT_CUSTOM_SPAN:
    case GRT_CUSTOM_POSITIVE_SPAN:
        return write_span(value, errors, path);
    case GRT_CUSTOM_TIMES:
    case GRT_CUSTOM_DELAYS:
        return ((const struct grt_time_list *)value)->count > 0 ? write_times(value) : NULL;
    case GRT_CUSTOM_RANGE: {
        const struct grt_generated_range *range = value;
        return write_ends(range->low, range->high);
    }
    case GRT_CUSTOM_COUNTS: {
        const struct grt_generated_count *counts = value;
        return write_ends((double)counts->low, (double)counts->high);
    }
    case GRT_CUSTOM_SMS:
        return ((const struct grt_number_list *)value)->count > 0 ? write_numbers(value) : NULL;
    case GRT_CUSTOM_NAMES:
    case GRT_CUSTOM_TEXTS:
        return ((const struct grt_field_list *)value)->count > 0 ? write_texts(value) : NULL;
    case GRT_CUSTOM_USAGE: {
        const struct grt_usage *const *usage = value;
        return *usage != NULL ? write_usage(*usage, errors, path) : NULL;
    }
    case GRT_CUSTOM_MEASURED: {
        const struct grt_measured *const *measured = value;
        return *measured != NULL ? write_measured(*measured) : NULL;
    }
    case GRT_CUSTOM_TAIL: {
        const struct grt_tail *const *tail = value;
        return *tail != NULL ? grt_record_write(&grt_tail_record, *tail, errors, path) : NULL;
    }
    case GRT_DEVICE_CUSTOM_COMPUTE_CAPABILITY:
        snprintf(text, sizeof text, "%d.%d", (int)(*whole / 10), (int)(*whole % 10));
        return *whole > 0 ? cJSON_CreateString(text) : NULL;
    case GRT_DEVICE_CUSTOM_SOURCES:
    case GRT_DEVICE_CUSTOM_ALIASES:
    case GRT_CUSTOM_LIKE: /* kernels are written out */
    case GRT_CUSTOM_KERNELS:
        return NULL;
    default:
        grt_error_add(errors, path, "cannot be written");
        return NULL;
    }
}

/* ---- Fields ---- */

static enum grt_quantity quantity_of(const struct grt_field *field) {
    static const enum grt_quantity quantities[] = {[GRT_FIELD_SIZE] = GRT_QUANTITY_SIZE,
                                                   [GRT_FIELD_RATE] = GRT_QUANTITY_RATE,
                                                   [GRT_FIELD_FREQUENCY] = GRT_QUANTITY_FREQUENCY};
    return quantities[field->type];
}

static cJSON *write_list(const struct grt_field *field, const struct grt_field_list *list,
                         struct grt_errors *errors, const struct grt_path *path) {
    struct grt_path place = {.parent = path};
    cJSON *array = cJSON_CreateArray();
    for (; place.index < list->count; place.index++) {
        const char *item = (const char *)list->items + place.index * field->record->size;
        cJSON_AddItemToArray(array, grt_record_write(field->record, item, errors, &place));
    }
    return array;
}

/* NULL where nothing is to be said. */
static cJSON *write_object(const struct grt_field *field, const void *value, struct grt_errors *errors,
                           const struct grt_path *path) {
    cJSON *object = grt_record_write(field->record, value, errors, path);
    if (object->child == NULL && field->fallback != NULL) {
        cJSON_Delete(object);
        return NULL;
    }
    return object;
}

static cJSON *write_value(const struct grt_field *field, const void *value, struct grt_errors *errors,
                          const struct grt_path *path) {
    char text[GRT_UNIT_TEXT_SIZE];
    switch (field->type) {
    case GRT_FIELD_TIME:
        return cJSON_CreateString(grt_time_text(*(const int64_t *)value, text));
    case GRT_FIELD_SIZE:
    case GRT_FIELD_RATE:
    case GRT_FIELD_FREQUENCY:
        return cJSON_CreateString(grt_unit_text(quantity_of(field), *(const int64_t *)value, text));
    case GRT_FIELD_INTEGER:
        return cJSON_CreateNumber((double)*(const int64_t *)value);
    case GRT_FIELD_NUMBER:
        return cJSON_CreateNumber(*(const double *)value);
    case GRT_FIELD_BOOLEAN:
        return cJSON_CreateBool(*(const bool *)value);
    case GRT_FIELD_CHOICE:
        return cJSON_CreateString(field->choices[*(const int64_t *)value]);
    case GRT_FIELD_NAME:
        return *(const char *const *)value != NULL ? cJSON_CreateString(*(const char *const *)value) : NULL;
    case GRT_FIELD_OBJECT:
        return write_object(field, value, errors, path);
    case GRT_FIELD_LIST: {
        const struct grt_field_list *list = value;
        return list->count > 0 || field->fallback == NULL ? write_list(field, list, errors, path) : NULL;
    }
    case GRT_FIELD_CUSTOM:
        return write_custom(field, value, errors, path);
    }
    return NULL;
}

cJSON *grt_record_difference(const struct grt_record *record, const void *values, const void *usual,
                             struct grt_errors *errors, const struct grt_path *path) {
    cJSON *object = cJSON_CreateObject();
    for (size_t i = 0; i < record->field_count; i++) {
        const struct grt_field *field = &record->fields[i];
        const struct grt_path place = {.parent = path, .key = field->name};
        cJSON *value = write_value(field, (const char *)values + field->offset, errors, &place);
        cJSON *other =
            usual != NULL ? write_value(field, (const char *)usual + field->offset, errors, &place) : NULL;
        if (value != NULL && (other == NULL || !cJSON_Compare(value, other, true))) {
            cJSON_AddItemToObject(object, field->name, value);
        } else {
            cJSON_Delete(value);
        }
        cJSON_Delete(other);
    }
    return object;
}

cJSON *grt_record_write(const struct grt_record *record, const void *values, struct grt_errors *errors,
                        const struct grt_path *path) {
    struct grt_arena arena = {0};
    struct grt_errors unused = {0};
    struct grt_reader reader = {.arena = &arena, .errors = &unused, .folder = "."};
    void *usual = grt_arena_array(&arena, 1, record->size);
    const struct grt_read_part part = {.record = record, .out = usual};
    cJSON *empty = cJSON_CreateObject();
    grt_read_parts(&reader, &part, 1, empty, path);
    cJSON *object = grt_record_difference(record, values, usual, errors, path);
    for (size_t i = 0; i < record->field_count; i++) { /* those that have to be there */
        const struct grt_field *field = &record->fields[i];
        const struct grt_path place = {.parent = path, .key = field->name};
        if (field->fallback == NULL && grt_json_find(object, field->name) == NULL) {
            cJSON *value = write_value(field, (const char *)values + field->offset, errors, &place);
            if (value != NULL) {
                cJSON_AddItemToObject(object, field->name, value);
            }
        }
    }
    cJSON_Delete(empty);
    grt_errors_clear(&unused);
    grt_arena_clear(&arena);
    return object;
}
