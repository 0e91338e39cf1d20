/* The functions of a pretended driver about itself, its device and its context. */
#include <stdio.h>
#include <string.h>

#include "calib/pretend/driver_internal.h"
#include "sim/random.h"

#define OTHER GRT_ENGINE_CALL_OTHER

grt_cuda_result PRETEND(cuInit)(unsigned flags) {
    PRETEND_ENTER(pretend, OTHER, PRETEND_ANYTIME);
    if (flags != 0) {
        return GRT_CUDA_INVALID_VALUE;
    }
    if (pretend->spec->faults.stub) {
        return GRT_CUDA_STUB_LIBRARY;
    }
    pretend->initialised = true;
    return GRT_CUDA_SUCCESS;
}

grt_cuda_result PRETEND(cuDriverGetVersion)(int *version) {
    PRETEND_ENTER(pretend, OTHER, PRETEND_ANYTIME);
    if (version == NULL) {
        return GRT_CUDA_INVALID_VALUE;
    }
    *version = pretend_driver_version(pretend);
    return GRT_CUDA_SUCCESS;
}

/* The words of NVIDIA's reference for names; the sentences are our own. */
static const struct {
    grt_cuda_result error;
    const char *name, *text;
} texts[] = {
    {GRT_CUDA_SUCCESS, "CUDA_SUCCESS", "no error"},
    {GRT_CUDA_INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "an argument is invalid"},
    {GRT_CUDA_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {GRT_CUDA_NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED", "the driver is not initialised"},
    {GRT_CUDA_STUB_LIBRARY, "CUDA_ERROR_STUB_LIBRARY", "the library is a stub"},
    {GRT_CUDA_NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "there is no device"},
    {GRT_CUDA_INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE", "there is no such device"},
    {GRT_CUDA_INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "no context is current"},
    {GRT_CUDA_NO_BINARY_FOR_GPU, "CUDA_ERROR_NO_BINARY_FOR_GPU", "the module is for other devices"},
    {GRT_CUDA_INVALID_PTX, "CUDA_ERROR_INVALID_PTX", "the module is no PTX"},
    {GRT_CUDA_DEVICE_LOST, "CUDA_ERROR_CONTAINED", "the device had a fault"},
    {GRT_CUDA_UNSUPPORTED_PTX_VERSION, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION",
     "the module's PTX is newer than the driver"},
    {GRT_CUDA_INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE", "a handle is invalid"},
    {GRT_CUDA_NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "there is no such symbol"},
    {GRT_CUDA_NOT_READY, "CUDA_ERROR_NOT_READY", "not done yet"},
    {GRT_CUDA_ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS", "a kernel used memory that is not its own"},
    {GRT_CUDA_LAUNCH_OUT_OF_RESOURCES, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES",
     "a block needs more than an SM has"},
    {GRT_CUDA_NOT_SUPPORTED, "CUDA_ERROR_NOT_SUPPORTED", "the device or the driver cannot do that"},
    {GRT_CUDA_INVALID_RESOURCE_TYPE, "CUDA_ERROR_INVALID_RESOURCE_TYPE", "not a resource of this type"},
    {GRT_CUDA_INVALID_RESOURCE_CONFIGURATION, "CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION",
     "resources cannot be divided or joined so"},
};

/* These two work whatever has happened. */
grt_cuda_result PRETEND(cuGetErrorName)(grt_cuda_result error, const char **text) {
    for (size_t i = 0; text != NULL && i < sizeof texts / sizeof texts[0]; i++) {
        if (texts[i].error == error) {
            *text = texts[i].name;
            return GRT_CUDA_SUCCESS;
        }
    }
    return GRT_CUDA_INVALID_VALUE;
}

grt_cuda_result PRETEND(cuGetErrorString)(grt_cuda_result error, const char **text) {
    for (size_t i = 0; text != NULL && i < sizeof texts / sizeof texts[0]; i++) {
        if (texts[i].error == error) {
            *text = texts[i].text;
            return GRT_CUDA_SUCCESS;
        }
    }
    return GRT_CUDA_INVALID_VALUE;
}

grt_cuda_result PRETEND(cuDeviceGetCount)(int *count) {
    PRETEND_ENTER(pretend, OTHER, PRETEND_INITIALISED);
    if (count == NULL) {
        return GRT_CUDA_INVALID_VALUE;
    }
    *count = 1;
    return GRT_CUDA_SUCCESS;
}

grt_cuda_result PRETEND(cuDeviceGet)(grt_cuda_device *device, int ordinal) {
    PRETEND_ENTER(pretend, OTHER, PRETEND_INITIALISED);
    if (device == NULL) {
        return GRT_CUDA_INVALID_VALUE;
    }
    if (ordinal != 0) {
        return GRT_CUDA_INVALID_DEVICE;
    }
    *device = 0;
    return GRT_CUDA_SUCCESS;
}

/* Cut to the size, as the real one does. */
grt_cuda_result PRETEND(cuDeviceGetName)(char *name, int size, grt_cuda_device device) {
    PRETEND_ENTER(pretend, OTHER, PRETEND_INITIALISED);
    if (name == NULL || size <= 0) {
        return GRT_CUDA_INVALID_VALUE;
    }
    if (device != 0) {
        return GRT_CUDA_INVALID_DEVICE;
    }
    snprintf(name, (size_t)size, "%s", pretend->spec->device.name);
    return GRT_CUDA_SUCCESS;
}

/* The value of an attribute; -1: not one that is known. */
static int64_t attribute_of(const struct grt_device *device, int attribute) {
    switch (attribute) {
    case GRT_CUDA_MAX_THREADS_PER_BLOCK:
        return device->max_threads_per_block;
    case GRT_CUDA_MAX_SHARED_MEMORY_PER_BLOCK:
        return device->shared_memory_per_block;
    case GRT_CUDA_WARP_SIZE:
        return device->warp_size;
    case GRT_CUDA_MAX_REGISTERS_PER_BLOCK:
        return device->registers_per_block;
    case GRT_CUDA_CLOCK_RATE:
        return device->core_hertz / 1000;
    case GRT_CUDA_MULTIPROCESSOR_COUNT:
        return device->sm_count;
    case GRT_CUDA_INTEGRATED:
        return device->integrated;
    case GRT_CUDA_CONCURRENT_KERNELS:
        return device->max_resident_grids > 1;
    case GRT_CUDA_MEMORY_CLOCK_RATE:
        return device->memory_hertz / 1000;
    case GRT_CUDA_MEMORY_BUS_WIDTH:
        return device->memory_bus_bits;
    case GRT_CUDA_L2_CACHE_SIZE:
        return device->l2_bytes;
    case GRT_CUDA_MAX_THREADS_PER_MULTIPROCESSOR:
        return device->max_threads_per_sm;
    case GRT_CUDA_ASYNC_ENGINE_COUNT:
        return device->copy_engines;
    case GRT_CUDA_COMPUTE_CAPABILITY_MAJOR:
        return device->compute_capability / 10;
    case GRT_CUDA_COMPUTE_CAPABILITY_MINOR:
        return device->compute_capability % 10;
    case GRT_CUDA_STREAM_PRIORITIES_SUPPORTED:
        return device->priority_levels > 1;
    case GRT_CUDA_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR:
        return device->shared_memory_per_sm;
    case GRT_CUDA_MAX_REGISTERS_PER_MULTIPROCESSOR:
        return device->registers_per_sm;
    case GRT_CUDA_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
        return device->shared_memory_per_block_opt_in;
    case GRT_CUDA_MAX_BLOCKS_PER_MULTIPROCESSOR:
        return device->max_blocks_per_sm;
    case GRT_CUDA_RESERVED_SHARED_MEMORY_PER_BLOCK:
        return device->shared_memory_reserved;
    default:
        return -1;
    }
}

grt_cuda_result PRETEND(cuDeviceGetAttribute)(int *value, int attribute, grt_cuda_device device) {
    PRETEND_ENTER(pretend, OTHER, PRETEND_INITIALISED);
    int64_t known = attribute_of(&pretend->spec->device, attribute);
    if (value == NULL || known < 0) {
        return GRT_CUDA_INVALID_VALUE;
    }
    if (device != 0) {
        return GRT_CUDA_INVALID_DEVICE;
    }
    *value = known < INT32_MAX ? (int)known : INT32_MAX;
    return GRT_CUDA_SUCCESS;
}

grt_cuda_result PRETEND(cuDeviceGetPCIBusId)(char *id, int size, grt_cuda_device device) {
    PRETEND_ENTER(pretend, OTHER, PRETEND_INITIALISED);
    static const char bus_id[] = "0000:01:00.0";
    if (id == NULL || size < (int)sizeof bus_id) {
        return GRT_CUDA_INVALID_VALUE;
    }
    if (device != 0) {
        return GRT_CUDA_INVALID_DEVICE;
    }
    memcpy(id, bus_id, sizeof bus_id);
    return GRT_CUDA_SUCCESS;
}

/* Follows from the seed. */
grt_cuda_result PRETEND(cuDeviceGetUuid_v2)(grt_cuda_uuid *uuid, grt_cuda_device device) {
    PRETEND_ENTER(pretend, OTHER, PRETEND_INITIALISED);
    if (uuid == NULL) {
        return GRT_CUDA_INVALID_VALUE;
    }
    if (device != 0) {
        return GRT_CUDA_INVALID_DEVICE;
    }
    struct grt_random random = grt_random_stream(pretend->spec->seed, "pretend uuid", 0, 0);
    uint64_t words[2];
    words[0] = grt_random_bits(&random);
    words[1] = grt_random_bits(&random);
    memcpy(uuid->bytes, words, sizeof uuid->bytes);
    return GRT_CUDA_SUCCESS;
}

grt_cuda_result PRETEND(cuDeviceTotalMem_v2)(size_t *bytes, grt_cuda_device device) {
    PRETEND_ENTER(pretend, OTHER, PRETEND_INITIALISED);
    if (bytes == NULL) {
        return GRT_CUDA_INVALID_VALUE;
    }
    if (device != 0) {
        return GRT_CUDA_INVALID_DEVICE;
    }
    *bytes = (size_t)pretend->spec->memory_bytes;
    return GRT_CUDA_SUCCESS;
}

/* ---- the context: there is the primary one only ---- */

grt_cuda_result PRETEND(cuDevicePrimaryCtxSetFlags_v2)(grt_cuda_device device, unsigned flags) {
    PRETEND_ENTER(pretend, OTHER, PRETEND_INITIALISED);
    if (device != 0) {
        return GRT_CUDA_INVALID_DEVICE;
    }
    (void)pretend;
    return flags <= GRT_CUDA_CONTEXT_SCHED_SPIN ? GRT_CUDA_SUCCESS : GRT_CUDA_INVALID_VALUE;
}

grt_cuda_result PRETEND(cuDevicePrimaryCtxRetain)(grt_cuda_context *context, grt_cuda_device device) {
    PRETEND_ENTER(pretend, OTHER, PRETEND_INITIALISED);
    if (context == NULL) {
        return GRT_CUDA_INVALID_VALUE;
    }
    if (device != 0) {
        return GRT_CUDA_INVALID_DEVICE;
    }
    pretend->retained++;
    *context = (grt_cuda_context)(void *)pretend;
    return GRT_CUDA_SUCCESS;
}

grt_cuda_result PRETEND(cuDevicePrimaryCtxRelease_v2)(grt_cuda_device device) {
    PRETEND_ENTER(pretend, OTHER, PRETEND_INITIALISED);
    if (device != 0) {
        return GRT_CUDA_INVALID_DEVICE;
    }
    if (pretend->retained == 0) {
        return GRT_CUDA_INVALID_CONTEXT;
    }
    pretend->retained--;
    pretend->current = pretend->current && pretend->retained > 0;
    return GRT_CUDA_SUCCESS;
}

grt_cuda_result PRETEND(cuCtxSetCurrent)(grt_cuda_context context) {
    PRETEND_ENTER(pretend, OTHER, PRETEND_INITIALISED);
    if (context != NULL && ((const void *)context != (const void *)pretend || pretend->retained == 0)) {
        return GRT_CUDA_INVALID_CONTEXT;
    }
    pretend->current = context != NULL;
    return GRT_CUDA_SUCCESS;
}

grt_cuda_result PRETEND(cuCtxSynchronize)(void) {
    PRETEND_ENTER(pretend, OTHER, PRETEND_CONTEXT);
    pretend->ops->wait_all(pretend->engine);
    return GRT_CUDA_SUCCESS;
}

grt_cuda_result PRETEND(cuCtxGetStreamPriorityRange)(int *least, int *greatest) {
    PRETEND_ENTER(pretend, OTHER, PRETEND_CONTEXT);
    if (least != NULL) {
        *least = 0;
    }
    if (greatest != NULL) {
        *greatest = 1 - (int)pretend->spec->device.priority_levels;
    }
    return GRT_CUDA_SUCCESS;
}
