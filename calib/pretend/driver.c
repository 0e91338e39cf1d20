/* The pretended driver itself: its one instance, the way of every call, and its table of functions. Its calls come from one thread at a time; what is current is so for all. */
#include <stdlib.h>

#include "calib/pretend/driver_internal.h"
#include "sim/memory.h"

/* There is one at a time, since the CUDA driver's interface has no place for an owner. */
static struct pretend *instance;

grt_cuda_result pretend_enter(enum grt_engine_call what, enum pretend_need need, struct pretend **pretend) {
    if (instance == NULL) {
        return GRT_CUDA_NOT_INITIALIZED;
    }
    const struct grt_pretend_faults *faults = &instance->spec->faults;
    instance->calls++;
    if (faults->lost_at_call > 0 && instance->calls >= faults->lost_at_call) {
        instance->broken = GRT_CUDA_DEVICE_LOST;
    }
    if (instance->broken != GRT_CUDA_SUCCESS) {
        return instance->broken;
    }
    instance->ops->call(instance->engine, what);
    if (need != PRETEND_ANYTIME && !instance->initialised) {
        return GRT_CUDA_NOT_INITIALIZED;
    }
    if (need == PRETEND_CONTEXT && (instance->retained == 0 || !instance->current)) {
        return GRT_CUDA_INVALID_CONTEXT;
    }
    *pretend = instance;
    return GRT_CUDA_SUCCESS;
}

int pretend_driver_version(const struct pretend *pretend) {
    int64_t version = pretend->spec->faults.driver_version;
    return version > 0 ? (int)version : 13000;
}

bool pretend_has_groups(const struct pretend *pretend) {
    return !pretend->spec->faults.no_green_contexts && pretend_driver_version(pretend) >= 12040 &&
           grt_device_group_sms(&pretend->spec->device, 1) > 0;
}

static void close_driver(struct grt_driver *driver) {
    struct pretend *pretend = driver->state;
    pretend->ops->destroy(pretend->engine);
    for (uint32_t slot = 0; slot < pretend->slot_count; slot++) {
        free(pretend->slots[slot].item);
    }
    pretend_memory_free_all(pretend);
    free(pretend->slots);
    free(pretend->leaving);
    free(pretend);
    instance = NULL;
    *driver = (struct grt_driver){0};
}

/* The functions that this driver's version has. */
static void fill_in(const struct pretend *pretend, struct grt_cuda *cuda) {
    int version = pretend_driver_version(pretend);
#define PRETEND_FILL(name, parameters) .name = PRETEND(name),
    *cuda = (struct grt_cuda){GRT_CUDA_REQUIRED(PRETEND_FILL) GRT_CUDA_OPTIONAL(PRETEND_FILL)};
#undef PRETEND_FILL
    cuda->cuTexObjectCreate = NULL;
    cuda->cuTexObjectDestroy = NULL;
    if (version < 11040) {
        cuda->cuDeviceGetUuid_v2 = NULL;
    }
    if (version < 12040 || pretend->spec->faults.no_green_contexts) {
        cuda->cuDeviceGetDevResource = NULL;
        cuda->cuDevSmResourceSplitByCount = NULL;
        cuda->cuDevResourceGenerateDesc = NULL;
        cuda->cuGreenCtxCreate = NULL;
        cuda->cuGreenCtxDestroy = NULL;
        cuda->cuGreenCtxGetDevResource = NULL;
        cuda->cuGreenCtxStreamCreate = NULL;
    }
}

bool grt_pretend_open(const struct grt_pretend_spec *spec, const struct grt_engine_ops *engine,
                      struct grt_driver *driver, struct grt_errors *errors) {
    if (instance != NULL) {
        grt_error_add(errors, NULL, "a pretended driver is open already: close it first");
        return false;
    }
    if (!grt_pretend_check(spec, errors)) {
        return false;
    }
    void *state = engine->create(spec, errors);
    if (state == NULL) {
        return false;
    }
    instance = grt_allocate(sizeof *instance);
    *instance = (struct pretend){.spec = spec, .ops = engine, .engine = state};
    *driver = (struct grt_driver){.name = engine->name,
                                  .path = "",
                                  .clock = engine->clock,
                                  .state = instance,
                                  .close = close_driver,
                                  .connections = (int)spec->device.hardware_queues};
    driver->clock.state = state;
    fill_in(instance, &driver->cuda);
    return true;
}
