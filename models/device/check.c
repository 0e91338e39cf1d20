/* Figures of a device that contradict each other. */
#include <inttypes.h>
#include <string.h>

#include "models/device.h"
#include "sim/unit.h"

/* Where an error of `key` is reported. A path without parent would be the root and write nothing. */
static struct grt_path under(const struct grt_path *path, const char *key) {
    static const struct grt_path root = {0};
    return (struct grt_path){.parent = path != NULL ? path : &root, .key = key};
}

static void check_multiple(int64_t value, int64_t unit, const char *key, const char *unit_key,
                           struct grt_errors *errors, const struct grt_path *path) {
    if (value % unit != 0) {
        struct grt_path place = under(path, key);
        grt_error_add(errors, &place, "must be a multiple of %s, %" PRId64 " (got %" PRId64 ")", unit_key,
                      unit, value);
    }
}

static void check_shared_memory(const struct grt_device *device, struct grt_errors *errors,
                                const struct grt_path *path) {
    if (device->shared_memory_per_block > device->shared_memory_per_block_opt_in) {
        char usual[GRT_UNIT_TEXT_SIZE], opt_in[GRT_UNIT_TEXT_SIZE];
        struct grt_path place = under(path, "shared_memory_per_block_opt_in");
        grt_error_add(errors, &place, "must be at least shared_memory_per_block, \"%s\" (got \"%s\")",
                      grt_unit_text(GRT_QUANTITY_SIZE, device->shared_memory_per_block, usual),
                      grt_unit_text(GRT_QUANTITY_SIZE, device->shared_memory_per_block_opt_in, opt_in));
    }
}

static void check_queues(const struct grt_device *device, struct grt_errors *errors,
                         const struct grt_path *path) {
    if (device->max_hardware_queues > 0 && device->hardware_queues > device->max_hardware_queues) {
        struct grt_path place = under(path, "hardware_queues");
        grt_error_add(errors, &place, "must be at most max_hardware_queues, %" PRId64 " (got %" PRId64 ")",
                      device->max_hardware_queues, device->hardware_queues);
    }
}

/* What keeps a factor within the range of speeds. */
#define MOST_FACTOR 1e6

static void check_factor(double factor, const char *key, struct grt_errors *errors,
                         const struct grt_path *row) {
    if (!(factor >= 1 && factor <= MOST_FACTOR)) {
        struct grt_path place = under(row, key);
        grt_error_add(errors, &place, "must be from 1 to %g (got %g)", MOST_FACTOR, factor);
    }
}

/* A pair stands once. */
static void check_pair(const struct grt_slowdown *slowdowns, size_t number, struct grt_errors *errors,
                       const struct grt_path *row) {
    const struct grt_slowdown *slowdown = &slowdowns[number];
    for (size_t i = 0; i < number; i++) {
        if (strcmp(slowdowns[i].class_name, slowdown->class_name) == 0 &&
            strcmp(slowdowns[i].beside, slowdown->beside) == 0) {
            grt_error_add(errors, row, "says again what slowdowns[%zu] says, \"%s\" beside \"%s\"", i,
                          slowdown->class_name, slowdown->beside);
            return;
        }
    }
}

static void check_contention(const struct grt_device *device, struct grt_errors *errors,
                             const struct grt_path *path) {
    if (device->bandwidth_sharing != GRT_BANDWIDTH_SHARING_NONE && device->memory_bytes_per_second == 0) {
        struct grt_path place = under(path, "memory_bandwidth");
        grt_error_add(errors, &place, "required with bandwidth_sharing");
    }
    if (grt_device_has_shares(device) && device->contention == GRT_CONTENTION_SLOWDOWNS &&
        device->slowdowns.count == 0) {
        struct grt_path place = under(path, "slowdowns");
        grt_error_add(errors, &place, "required with contention \"slowdowns\"");
    }
    struct grt_path list = under(path, "slowdowns");
    const struct grt_slowdown *slowdowns = device->slowdowns.items;
    for (size_t i = 0; i < device->slowdowns.count; i++) {
        const struct grt_slowdown *slowdown = &slowdowns[i];
        struct grt_path row = {.parent = &list, .index = i};
        check_pair(slowdowns, i, errors, &row);
        check_factor(slowdown->factor, "factor", errors, &row);
        if (slowdown->same_sm != 0) {
            check_factor(slowdown->same_sm, "same_sm", errors, &row);
        }
    }
}

static void check_save(const struct grt_device *device, struct grt_errors *errors,
                       const struct grt_path *path) {
    if (device->context_save == GRT_CONTEXT_SAVE_STATE && device->memory_bytes_per_second == 0) {
        struct grt_path place = under(path, "context_save");
        grt_error_add(errors, &place, "\"state\" needs the device's memory_bandwidth");
    }
}

bool grt_device_check_demand(const struct grt_device *device, int64_t bytes_per_second,
                             struct grt_errors *errors, const struct grt_path *path) {
    if (device->bandwidth_sharing == GRT_BANDWIDTH_SHARING_NONE ||
        bytes_per_second <= device->memory_bytes_per_second) {
        return true;
    }
    char most[GRT_UNIT_TEXT_SIZE], given[GRT_UNIT_TEXT_SIZE];
    struct grt_path place = under(path, "bandwidth");
    grt_error_add(errors, &place, "must be at most the memory_bandwidth of \"%s\", \"%s\" (got \"%s\")",
                  device->name, grt_unit_text(GRT_QUANTITY_RATE, device->memory_bytes_per_second, most),
                  grt_unit_text(GRT_QUANTITY_RATE, bytes_per_second, given));
    return false;
}

bool grt_device_check(const struct grt_device *device, struct grt_errors *errors,
                      const struct grt_path *path) {
    size_t before = errors->count;
    if (device->sm_order == GRT_SM_ORDER_TPC_FIRST) {
        check_multiple(device->sm_count, device->sms_per_tpc, "sm_count", "sms_per_tpc", errors, path);
    }
    check_multiple(device->max_threads_per_sm, device->warp_size, "max_threads_per_sm", "warp_size", errors,
                   path);
    check_multiple(device->registers_per_sm, device->sm_partitions, "registers_per_sm", "sm_partitions",
                   errors, path);
    check_shared_memory(device, errors, path);
    check_queues(device, errors, path);
    check_contention(device, errors, path);
    check_save(device, errors, path);
    return errors->count == before;
}
