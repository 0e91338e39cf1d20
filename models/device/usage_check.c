#include "models/device/usage_check.h"

#include <inttypes.h>

const char *const grt_resource_names[GRT_RESOURCES] = {
    [GRT_RESOURCE_SM] = "sm",           [GRT_RESOURCE_L2] = "l2",
    [GRT_RESOURCE_DRAM] = "dram",       [GRT_RESOURCE_SHARED_MEMORY] = "shared_memory",
    [GRT_RESOURCE_TEXTURE] = "texture",
};

const char *const grt_indicator_names[GRT_INDICATORS] = {
    [GRT_INDICATOR_INSTRUCTIONS] = "instructions",
    [GRT_INDICATOR_WARPS] = "warps",
    [GRT_INDICATOR_L2_READ] = "l2_read",
    [GRT_INDICATOR_L2_WRITE] = "l2_write",
    [GRT_INDICATOR_GLOBAL_LOAD] = "global_load",
    [GRT_INDICATOR_GLOBAL_STORE] = "global_store",
    [GRT_INDICATOR_SHARED_LOAD] = "shared_load",
    [GRT_INDICATOR_SHARED_STORE] = "shared_store",
    [GRT_INDICATOR_SHARED_LOAD_CONFLICTS] = "shared_load_conflicts",
    [GRT_INDICATOR_SHARED_STORE_CONFLICTS] = "shared_store_conflicts",
    [GRT_INDICATOR_TEXTURE_LOAD] = "texture_load",
};

/* Room for what adding up decimal fractions that make 1 may leave above it. */
#define ROUNDING 1e-9

static void check_number(double value, double low, double high, struct grt_errors *errors,
                         const struct grt_path *path) {
    if (!(value >= low && value <= high)) {
        grt_error_add(errors, path, "must be from %g to %g (got %g)", low, high, value);
    }
}

static void check_numbers(const double *values, const char *const *names, size_t count, double high,
                          struct grt_errors *errors, const struct grt_path *path) {
    for (size_t i = 0; i < count; i++) {
        struct grt_path place = {.parent = path, .key = names[i]};
        check_number(values[i], 0, high, errors, &place);
    }
}

static void check_sum(const struct grt_usage *usage, struct grt_errors *errors, const struct grt_path *path) {
    double sum = 0;
    for (size_t i = 0; i < GRT_RESOURCES; i++) {
        sum += usage->bound[i];
    }
    if (sum > 1 + ROUNDING) {
        grt_error_add(errors, path, "must be at most 1 in sum (got %g)", sum);
    }
}

static void check_factors(const struct grt_field_list *list, struct grt_errors *errors,
                          const struct grt_path *path) {
    const struct grt_share_factor *factors = list->items;
    struct grt_path row = {.parent = path};
    int64_t least = 1;
    if (list->count > GRT_FULL_SHARE || (list->count > 0 && factors == NULL)) {
        grt_error_add(errors, path, "must be a list of at most %d items (got %zu)", GRT_FULL_SHARE,
                      list->count);
        return;
    }
    for (; row.index < list->count; row.index++) {
        const struct grt_share_factor *point = &factors[row.index];
        struct grt_path share = {&row, "share", 0}, factor = {&row, "factor", 0};
        if (point->share < least || point->share > GRT_FULL_SHARE) {
            grt_error_add(errors, &share, "must be from %" PRId64 " to %d: shares ascend (got %" PRId64 ")",
                          least, GRT_FULL_SHARE, point->share);
            return;
        }
        if (point->share == GRT_FULL_SHARE && point->factor != 1) {
            grt_error_add(errors, &factor, "must be 1 with all of the SMs (got %g)", point->factor);
        }
        check_number(point->factor, 1, GRT_MOST_SHARE_FACTOR, errors, &factor);
        least = point->share + 1;
    }
}

bool grt_usage_check(const struct grt_usage *usage, struct grt_errors *errors, const struct grt_path *path) {
    static const struct grt_path root = {0};
    path = path != NULL ? path : &root;
    size_t before = errors->count;
    struct grt_path host = {path, "host_fraction", 0}, fills = {path, "sm_utilisation", 0},
                    demand = {path, "demand", 0}, bound = {path, "bound", 0},
                    counters = {path, "counters", 0}, factors = {path, "share_factors", 0};
    if (!(usage->host_fraction >= 0 && usage->host_fraction < 1)) {
        grt_error_add(errors, &host, "must be at least 0 and below 1 (got %g)", usage->host_fraction);
    }
    if (!(usage->sm_utilisation > 0 && usage->sm_utilisation <= 1)) {
        grt_error_add(errors, &fills, "must be above 0 and at most 1 (got %g)", usage->sm_utilisation);
    }
    check_numbers(usage->demand, grt_resource_names, GRT_RESOURCES, 1, errors, &demand);
    check_numbers(usage->bound, grt_resource_names, GRT_RESOURCES, 1, errors, &bound);
    check_sum(usage, errors, &bound);
    check_numbers(usage->counters, grt_indicator_names, GRT_INDICATORS, GRT_MOST_EVENTS, errors, &counters);
    check_factors(&usage->share_factors, errors, &factors);
    return errors->count == before;
}
