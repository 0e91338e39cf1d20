/* Green contexts of a pretended driver: SMs divided into groups, and streams that stay on some of them.
 *
 * Source: NVIDIA, "CUDA Driver API", Green Contexts, and "CUDA C++ Programming Guide", section 4.6 (granularity by compute capability; the table of splits on 132 SMs).
 * Groups take SMs in ascending order. */
#include <string.h>

#include "calib/pretend/driver_internal.h"
#include "sim/memory.h"

/* What a resource's inside says here: SMs from `first` on. */
struct inside {
    uint32_t mark;
    uint32_t what; /* enum origin */
    uint64_t split;
    uint32_t first, count;
};

enum { MARK = 0x67505254 };
enum origin { WHOLE = 1, PART };

#define CHECK_GROUPS(pretend)                                                                                \
    do {                                                                                                     \
        if (!pretend_has_groups(pretend)) {                                                                  \
            return GRT_CUDA_NOT_SUPPORTED;                                                                   \
        }                                                                                                    \
    } while (0)

static void write_inside(const struct pretend *pretend, struct grt_cuda_resource *resource,
                         struct inside inside) {
    const struct grt_device *device = &pretend->spec->device;
    *resource = (struct grt_cuda_resource){.type = GRT_CUDA_RESOURCE_SM};
    inside.mark = MARK;
    memcpy(resource->internal, &inside, sizeof inside);
    resource->sm.sm_count = inside.count;
    if (pretend_driver_version(pretend) >= 13000) {
        resource->sm.min_partition_size = (unsigned)grt_device_group_sms(device, 1);
        resource->sm.coscheduled_alignment =
            (unsigned)(grt_device_group_sms(device, resource->sm.min_partition_size + 1) -
                       resource->sm.min_partition_size);
    }
}

static bool read_inside(const struct grt_cuda_resource *resource, struct inside *inside) {
    memcpy(inside, resource->internal, sizeof *inside);
    return resource->type == GRT_CUDA_RESOURCE_SM && inside->mark == MARK;
}

grt_cuda_result PRETEND(cuDeviceGetDevResource)(grt_cuda_device device, struct grt_cuda_resource *resource,
                                                int type) {
    PRETEND_ENTER(pretend, GRT_ENGINE_CALL_OTHER, PRETEND_INITIALISED);
    CHECK_GROUPS(pretend);
    if (device != 0) {
        return GRT_CUDA_INVALID_DEVICE;
    }
    if (resource == NULL) {
        return GRT_CUDA_INVALID_VALUE;
    }
    if (type != GRT_CUDA_RESOURCE_SM) {
        return GRT_CUDA_INVALID_RESOURCE_TYPE;
    }
    struct inside all = {.what = WHOLE, .count = (uint32_t)pretend->spec->device.sm_count};
    write_inside(pretend, resource, all);
    return GRT_CUDA_SUCCESS;
}

/* How many SMs a group has that is asked to have so many. */
static int64_t group_size(const struct grt_device *device, unsigned flags, int64_t least) {
    if ((flags & GRT_CUDA_SPLIT_IGNORE_COSCHEDULING) == 0) {
        return grt_device_group_sms(device, least);
    }
    int64_t tpc = device->sms_per_tpc;
    return least > tpc ? (least + tpc - 1) / tpc * tpc : tpc;
}

/* Without `groups` only says how many there could be. What a split made cannot be split again. */
grt_cuda_result PRETEND(cuDevSmResourceSplitByCount)(struct grt_cuda_resource *groups, unsigned *count,
                                                     const struct grt_cuda_resource *all,
                                                     struct grt_cuda_resource *rest, unsigned flags,
                                                     unsigned least) {
    PRETEND_ENTER(pretend, GRT_ENGINE_CALL_OTHER, PRETEND_INITIALISED);
    CHECK_GROUPS(pretend);
    struct inside whole;
    if (count == NULL || all == NULL || flags > GRT_CUDA_SPLIT_IGNORE_COSCHEDULING) {
        return GRT_CUDA_INVALID_VALUE;
    }
    if (!read_inside(all, &whole)) {
        return GRT_CUDA_INVALID_RESOURCE_TYPE;
    }
    int64_t size = group_size(&pretend->spec->device, flags, least);
    if (whole.what != WHOLE || size > whole.count) {
        return GRT_CUDA_INVALID_RESOURCE_CONFIGURATION;
    }
    unsigned possible = (unsigned)(whole.count / size);
    if (groups == NULL) {
        *count = possible;
        return GRT_CUDA_SUCCESS;
    }
    *count = *count < possible ? *count : possible;
    uint64_t split = ++pretend->splits;
    uint32_t next = whole.first;
    for (unsigned i = 0; i < *count; i++) {
        write_inside(pretend, &groups[i], (struct inside){0, PART, split, next, (uint32_t)size});
        next += (uint32_t)size;
    }
    if (rest != NULL) {
        uint32_t left = whole.first + whole.count - next;
        write_inside(pretend, rest, (struct inside){0, PART, split, next, left});
    }
    return GRT_CUDA_SUCCESS;
}

/* Adds the SMs of a resource; false where some are there already. */
static bool add_sms(struct pretend_green *green, const struct inside *inside) {
    for (uint32_t sm = inside->first; sm < inside->first + inside->count; sm++) {
        uint64_t bit = UINT64_C(1) << sm % 64;
        if ((green->sms[sm / 64] & bit) != 0) {
            return false;
        }
        green->sms[sm / 64] |= bit;
    }
    return true;
}

/* All must come from the same split. */
grt_cuda_result PRETEND(cuDevResourceGenerateDesc)(grt_cuda_description *description,
                                                   struct grt_cuda_resource *resources, unsigned count) {
    PRETEND_ENTER(pretend, GRT_ENGINE_CALL_OTHER, PRETEND_INITIALISED);
    CHECK_GROUPS(pretend);
    if (description == NULL || resources == NULL || count == 0) {
        return GRT_CUDA_INVALID_VALUE;
    }
    struct pretend_green green = {0};
    for (unsigned i = 0; i < count; i++) {
        struct inside inside;
        if (!read_inside(&resources[i], &inside)) {
            return GRT_CUDA_INVALID_RESOURCE_TYPE;
        }
        green.split = i == 0 ? inside.split : green.split;
        if (inside.split != green.split || inside.count == 0 || !add_sms(&green, &inside)) {
            return GRT_CUDA_INVALID_RESOURCE_CONFIGURATION;
        }
    }
    struct pretend_green *item = grt_allocate(sizeof *item);
    *item = green;
    *description = pretend_handle(pretend, PRETEND_DESCRIPTION, item);
    return GRT_CUDA_SUCCESS;
}

grt_cuda_result PRETEND(cuGreenCtxCreate)(grt_cuda_green *green, grt_cuda_description description,
                                          grt_cuda_device device, unsigned flags) {
    PRETEND_ENTER(pretend, GRT_ENGINE_CALL_OTHER, PRETEND_INITIALISED);
    CHECK_GROUPS(pretend);
    if (pretend->spec->faults.green_refused) {
        return GRT_CUDA_NOT_SUPPORTED;
    }
    const struct pretend_green *sms = pretend_find(pretend, PRETEND_DESCRIPTION, description);
    if (device != 0) {
        return GRT_CUDA_INVALID_DEVICE;
    }
    if (green == NULL || sms == NULL || flags != GRT_CUDA_GREEN_DEFAULT_STREAM) {
        return GRT_CUDA_INVALID_VALUE;
    }
    if (pretend->retained == 0) { /* it shares the primary context */
        return GRT_CUDA_INVALID_CONTEXT;
    }
    struct pretend_green *item = grt_allocate(sizeof *item);
    *item = *sms;
    *green = pretend_handle(pretend, PRETEND_GREEN, item);
    return GRT_CUDA_SUCCESS;
}

/* Its streams end with it. */
grt_cuda_result PRETEND(cuGreenCtxDestroy)(grt_cuda_green green) {
    PRETEND_ENTER(pretend, GRT_ENGINE_CALL_OTHER, PRETEND_INITIALISED);
    CHECK_GROUPS(pretend);
    if (pretend_find(pretend, PRETEND_GREEN, green) == NULL) {
        return GRT_CUDA_INVALID_HANDLE;
    }
    pretend_streams_end_of(pretend, green);
    pretend_end(pretend, PRETEND_GREEN, green);
    return GRT_CUDA_SUCCESS;
}

/* It can be split again where its SMs follow one another. */
grt_cuda_result PRETEND(cuGreenCtxGetDevResource)(grt_cuda_green green, struct grt_cuda_resource *resource,
                                                  int type) {
    PRETEND_ENTER(pretend, GRT_ENGINE_CALL_OTHER, PRETEND_INITIALISED);
    CHECK_GROUPS(pretend);
    const struct pretend_green *item = pretend_find(pretend, PRETEND_GREEN, green);
    if (item == NULL) {
        return GRT_CUDA_INVALID_HANDLE;
    }
    if (resource == NULL) {
        return GRT_CUDA_INVALID_VALUE;
    }
    if (type != GRT_CUDA_RESOURCE_SM) {
        return GRT_CUDA_INVALID_RESOURCE_TYPE;
    }
    struct inside inside = {.split = item->split, .first = UINT32_MAX};
    uint32_t end = 0;
    for (uint32_t sm = 0; sm < GRT_DEVICE_MAX_SMS; sm++) {
        if ((item->sms[sm / 64] >> sm % 64 & 1) != 0) {
            inside.first = inside.first == UINT32_MAX ? sm : inside.first;
            inside.count++;
            end = sm + 1;
        }
    }
    inside.what = end - inside.first == inside.count ? WHOLE : PART;
    write_inside(pretend, resource, inside);
    return GRT_CUDA_SUCCESS;
}

grt_cuda_result PRETEND(cuGreenCtxStreamCreate)(grt_cuda_stream *stream, grt_cuda_green green, unsigned flags,
                                                int priority) {
    PRETEND_ENTER(pretend, GRT_ENGINE_CALL_OTHER, PRETEND_INITIALISED);
    CHECK_GROUPS(pretend);
    if (pretend->spec->faults.green_no_streams) {
        return GRT_CUDA_NOT_SUPPORTED;
    }
    const struct pretend_green *item = pretend_find(pretend, PRETEND_GREEN, green);
    if (stream == NULL || flags != GRT_CUDA_STREAM_NON_BLOCKING) {
        return GRT_CUDA_INVALID_VALUE;
    }
    if (item == NULL) {
        return GRT_CUDA_INVALID_HANDLE;
    }
    return pretend_stream_make(pretend, priority, item->sms, green, stream);
}
