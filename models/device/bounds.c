/* Bounds of a device's figures, for devices that no reader of fields has checked. */
#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "models/task/scenario_check.h"

/* The largest that a compute capability, major * 10 + minor, can be written as: "99.9". */
enum { MOST_COMPUTE_CAPABILITY = 999 };

static int64_t integer_at(const struct grt_device *device, size_t offset) {
    return *(const int64_t *)(const void *)((const char *)device + offset);
}

/* Whether nothing uses the field, so that it may be 0 below its least value. */
static bool may_be_zero(const struct grt_device *device, const struct grt_field *field, bool processes) {
    switch (field->offset) {
    case offsetof(struct grt_device, version):
    case offsetof(struct grt_device, max_hardware_queues): /* more than that are refused */
        return true;
    case offsetof(struct grt_device, cores_per_sm):
        return device->threads_per_core == 0;
    case offsetof(struct grt_device, time_slice):
    case offsetof(struct grt_device, copy_time_slice):
        return !processes || device->mps; /* nobody takes turns */
    case offsetof(struct grt_device, share_launch):
        return device->share_interval == 0; /* no tokens */
    default:
        return field->fallback != NULL && field->fallback[0] == '\0'; /* not known */
    }
}

static void add(struct grt_errors *errors, const struct grt_path *path, int64_t low, int64_t high,
                int64_t given) {
    grt_error_add(errors, path, "must be %" PRId64 " to %" PRId64 " (got %" PRId64 ")", low, high, given);
}

static void check_list(const struct grt_field_list *list, int64_t most, struct grt_errors *errors,
                       const struct grt_path *path) {
    if (list->count > (size_t)most || (list->count > 0 && list->items == NULL)) {
        grt_error_add(errors, path, "must be a list of at most %" PRId64 " items (got %zu)", most,
                      list->count);
        return;
    }
    const struct grt_slowdown *slowdowns = list->items;
    struct grt_path row = {.parent = path};
    for (; row.index < list->count; row.index++) {
        if (slowdowns[row.index].class_name == NULL || slowdowns[row.index].beside == NULL) {
            grt_error_add(errors, &row, "needs the names of two classes");
        }
    }
}

static size_t choices_of(const struct grt_field *field) {
    size_t count = 0;
    while (field->choices[count] != NULL) {
        count++;
    }
    return count;
}

/* The numbers of the device and of what it holds. */
static void check_numbers(const void *object, const struct grt_field *fields, size_t count,
                          struct grt_errors *errors, const struct grt_path *path) {
    for (size_t i = 0; i < count; i++) {
        const struct grt_field *field = &fields[i];
        const void *at = (const char *)object + field->offset;
        struct grt_path place = {.parent = path, .key = field->name};
        if (field->type == GRT_FIELD_OBJECT) {
            check_numbers(at, field->record->fields, field->record->field_count, errors, &place);
        }
        if (field->type != GRT_FIELD_NUMBER) {
            continue;
        }
        double value = *(const double *)at;
        if (!(value >= (double)field->min && value <= (double)field->max)) { /* nor what is no number */
            grt_error_add(errors, &place, "must be %" PRId64 " to %" PRId64 " (got %g)", field->min,
                          field->max, value);
        }
    }
}

static void check_field(const struct grt_device *device, const struct grt_field *field, bool processes,
                        struct grt_errors *errors, const struct grt_path *path) {
    struct grt_path place = {.parent = path, .key = field->name};
    int64_t value, low = field->min, high = field->max;
    switch (field->type) {
    case GRT_FIELD_NAME: /* a description is for people */
    case GRT_FIELD_BOOLEAN:
    case GRT_FIELD_NUMBER: /* check_numbers */
    case GRT_FIELD_OBJECT:
        return;
    case GRT_FIELD_LIST:
        check_list(&device->slowdowns, field->max, errors, &place);
        return;
    case GRT_FIELD_CUSTOM:
        if (field->custom != GRT_DEVICE_CUSTOM_COMPUTE_CAPABILITY) {
            return;
        }
        high = MOST_COMPUTE_CAPABILITY;
        break;
    case GRT_FIELD_CHOICE:
        high = (int64_t)choices_of(field) - 1;
        break;
    default:
        break;
    }
    value = integer_at(device, field->offset);
    low = low > 0 && may_be_zero(device, field, processes) ? 0 : low;
    if (value < low || value > high) {
        add(errors, &place, low, high, value);
    }
}

bool grt_device_check_bounds(const struct grt_device *device, bool processes, struct grt_errors *errors,
                             const struct grt_path *path) {
    size_t before = errors->count;
    for (size_t i = 0; i < grt_device_record.field_count; i++) {
        check_field(device, &grt_device_record.fields[i], processes, errors, path);
    }
    check_numbers(device, grt_device_record.fields, grt_device_record.field_count, errors, path);
    if (device->name == NULL) {
        struct grt_path place = {.parent = path, .key = "name"};
        grt_error_add(errors, &place, "required");
    }
    return errors->count == before && grt_device_check(device, errors, path);
}
