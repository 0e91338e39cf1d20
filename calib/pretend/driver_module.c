/* Modules, functions and launches of a pretended driver. It executes no code: it knows the kernels of kernels.h by their symbols, if the module has them. */
#include <stdio.h>
#include <string.h>

#include "calib/pretend/driver_internal.h"
#include "models/occupancy.h"
#include "sim/memory.h"

#define OTHER GRT_ENGINE_CALL_OTHER

/* ---- modules ---- */

/* The number behind a directive of PTX text, such as ".version 6.3" or ".target sm_75", tenfold where it has a fraction; -1: there is none. */
static int directive(const char *image, const char *name) {
    const char *at = strstr(image, name);
    int whole, tenths;
    if (at == NULL) {
        return -1;
    }
    at += strlen(name);
    if (sscanf(at, " sm_%4d", &whole) == 1) {
        return whole;
    }
    return sscanf(at, " %4d.%1d", &whole, &tenths) == 2 ? 10 * whole + tenths : -1;
}

/* A driver of CUDA m.n knows PTX (m - 4).n: NVIDIA, "PTX ISA", release history, from CUDA 11.0 on but for single releases. */
static int newest_ptx(const struct pretend *pretend) {
    int version = pretend_driver_version(pretend);
    return 10 * (version / 1000 - 4) + version % 1000 / 10;
}

grt_cuda_result PRETEND(cuModuleLoadData)(grt_cuda_module *module, const void *image) {
    PRETEND_ENTER(pretend, OTHER, PRETEND_CONTEXT);
    if (module == NULL || image == NULL) {
        return GRT_CUDA_INVALID_VALUE;
    }
    int version = directive(image, ".version"), target = directive(image, ".target");
    int capability = (int)pretend->spec->device.compute_capability;
    if (version < 0 || target < 0) {
        return GRT_CUDA_INVALID_PTX;
    }
    if (version > newest_ptx(pretend)) {
        return GRT_CUDA_UNSUPPORTED_PTX_VERSION;
    }
    if (capability > 0 && target > capability) {
        return GRT_CUDA_NO_BINARY_FOR_GPU;
    }
    size_t size = strlen(image) + 1;
    struct pretend_module *item = grt_allocate(sizeof *item + size);
    *item = (struct pretend_module){.ptx_version = version};
    memcpy(item->image, image, size);
    *module = pretend_handle(pretend, PRETEND_MODULE, item);
    return GRT_CUDA_SUCCESS;
}

static void end_if_of(struct pretend *pretend, void *handle, void *item, const void *module) {
    const struct pretend_function *function = item;
    if (function->module == module) {
        pretend_end(pretend, PRETEND_FUNCTION, handle);
    }
}

grt_cuda_result PRETEND(cuModuleUnload)(grt_cuda_module module) {
    PRETEND_ENTER(pretend, OTHER, PRETEND_CONTEXT);
    if (pretend_find(pretend, PRETEND_MODULE, module) == NULL) {
        return GRT_CUDA_INVALID_HANDLE;
    }
    pretend->ops->wait_all(pretend->engine);
    pretend_each(pretend, PRETEND_FUNCTION, end_if_of, module);
    pretend_end(pretend, PRETEND_MODULE, module);
    return GRT_CUDA_SUCCESS;
}

/* Whether PTX text has a kernel of that name. */
static bool has_entry(const char *image, const char *name) {
    size_t length = strlen(name);
    for (const char *at = strstr(image, ".entry"); at != NULL; at = strstr(at, ".entry")) {
        at += strlen(".entry");
        at += strspn(at, " \t\r\n");
        if (strncmp(at, name, length) == 0 && strchr("( \t\r\n", at[length]) != NULL) {
            return true;
        }
    }
    return false;
}

grt_cuda_result PRETEND(cuModuleGetFunction)(grt_cuda_function *function, grt_cuda_module module,
                                             const char *name) {
    PRETEND_ENTER(pretend, OTHER, PRETEND_CONTEXT);
    const struct pretend_module *item = pretend_find(pretend, PRETEND_MODULE, module);
    if (function == NULL || name == NULL) {
        return GRT_CUDA_INVALID_VALUE;
    }
    if (item == NULL) {
        return GRT_CUDA_INVALID_HANDLE;
    }
    for (int id = 0; id < GRT_KERNEL_IDS; id++) {
        if (strcmp(grt_kernel_kinds[id].symbol, name) == 0 && has_entry(item->image, name)) {
            struct pretend_function *made = grt_allocate(sizeof *made);
            int64_t shared = pretend->spec->kernels[id].shared_bytes;
            int64_t most = pretend->spec->device.shared_memory_per_block;
            *made = (struct pretend_function){.module = module,
                                              .id = (enum grt_kernel_id)id,
                                              .ptx_version = item->ptx_version,
                                              .most_dynamic = most > shared ? most - shared : 0,
                                              .carveout = GRT_CUDA_CARVEOUT_DEFAULT};
            *function = pretend_handle(pretend, PRETEND_FUNCTION, made);
            return GRT_CUDA_SUCCESS;
        }
    }
    return GRT_CUDA_NOT_FOUND;
}

/* ---- functions ---- */

struct grt_block_needs pretend_needs(const struct pretend *pretend, const struct pretend_function *function,
                                     unsigned threads, int64_t dynamic) {
    const struct grt_pretend_kernel *kernel = &pretend->spec->kernels[function->id];
    int64_t shared = kernel->shared_bytes + dynamic;
    return (struct grt_block_needs){
        .threads = threads,
        .registers_per_thread = kernel->registers,
        .shared_memory = shared,
        .shared_memory_opt_in = shared > pretend->spec->device.shared_memory_per_block,
    };
}

/* The most threads of a block that an SM can hold. */
int pretend_most_threads(const struct pretend *pretend, const struct pretend_function *function) {
    const struct grt_device *device = &pretend->spec->device;
    int64_t threads = device->max_threads_per_block;
    for (; threads > device->warp_size; threads -= device->warp_size) {
        struct grt_block_needs needs = pretend_needs(pretend, function, (unsigned)threads, 0);
        if (grt_occupancy_of(device, &needs).blocks_per_sm > 0) {
            break;
        }
    }
    return (int)threads;
}

grt_cuda_result PRETEND(cuFuncGetAttribute)(int *value, int attribute, grt_cuda_function function) {
    PRETEND_ENTER(pretend, OTHER, PRETEND_CONTEXT);
    const struct pretend_function *item = pretend_find(pretend, PRETEND_FUNCTION, function);
    if (value == NULL) {
        return GRT_CUDA_INVALID_VALUE;
    }
    if (item == NULL) {
        return GRT_CUDA_INVALID_HANDLE;
    }
    switch (attribute) {
    case GRT_CUDA_FUNCTION_MAX_THREADS_PER_BLOCK:
        *value = pretend_most_threads(pretend, item);
        return GRT_CUDA_SUCCESS;
    case GRT_CUDA_FUNCTION_SHARED_SIZE:
        *value = (int)pretend->spec->kernels[item->id].shared_bytes;
        return GRT_CUDA_SUCCESS;
    case GRT_CUDA_FUNCTION_REGISTERS:
        *value = (int)pretend->spec->kernels[item->id].registers;
        return GRT_CUDA_SUCCESS;
    case GRT_CUDA_FUNCTION_PTX_VERSION:
        *value = item->ptx_version;
        return GRT_CUDA_SUCCESS;
    case GRT_CUDA_FUNCTION_BINARY_VERSION:
        *value = (int)pretend->spec->device.compute_capability;
        return GRT_CUDA_SUCCESS;
    case GRT_CUDA_FUNCTION_MAX_DYNAMIC_SHARED_SIZE:
        *value = (int)item->most_dynamic;
        return GRT_CUDA_SUCCESS;
    case GRT_CUDA_FUNCTION_PREFERRED_CARVEOUT:
        *value = item->carveout;
        return GRT_CUDA_SUCCESS;
    default:
        return GRT_CUDA_INVALID_VALUE;
    }
}

static grt_cuda_result set_carveout(struct pretend_function *item, int value) {
    if (value < GRT_CUDA_CARVEOUT_DEFAULT || value > GRT_CUDA_CARVEOUT_MAX_SHARED) {
        return GRT_CUDA_INVALID_VALUE;
    }
    item->carveout = value;
    return GRT_CUDA_SUCCESS;
}

grt_cuda_result PRETEND(cuFuncSetAttribute)(grt_cuda_function function, int attribute, int value) {
    PRETEND_ENTER(pretend, OTHER, PRETEND_CONTEXT);
    struct pretend_function *item = pretend_find(pretend, PRETEND_FUNCTION, function);
    if (item == NULL) {
        return GRT_CUDA_INVALID_HANDLE;
    }
    if (attribute == GRT_CUDA_FUNCTION_PREFERRED_CARVEOUT) {
        return set_carveout(item, value);
    }
    int64_t most =
        pretend->spec->device.shared_memory_per_block_opt_in - pretend->spec->kernels[item->id].shared_bytes;
    if (attribute != GRT_CUDA_FUNCTION_MAX_DYNAMIC_SHARED_SIZE || value < 0 || value > most) {
        return GRT_CUDA_INVALID_VALUE;
    }
    item->most_dynamic = value;
    return GRT_CUDA_SUCCESS;
}

grt_cuda_result PRETEND(cuOccupancyMaxActiveBlocksPerMultiprocessor)(int *blocks, grt_cuda_function function,
                                                                     int threads, size_t dynamic_shared) {
    PRETEND_ENTER(pretend, OTHER, PRETEND_CONTEXT);
    const struct pretend_function *item = pretend_find(pretend, PRETEND_FUNCTION, function);
    const struct grt_device *device = &pretend->spec->device;
    if (item == NULL) {
        return GRT_CUDA_INVALID_HANDLE;
    }
    if (blocks == NULL || threads < 1 || threads > device->max_threads_per_block) {
        return GRT_CUDA_INVALID_VALUE;
    }
    size_t all = (size_t)pretend->spec->kernels[item->id].shared_bytes + dynamic_shared;
    if (pretend->spec->faults.strict_occupancy && all > (size_t)device->shared_memory_per_block_opt_in) {
        return GRT_CUDA_INVALID_VALUE;
    }
    *blocks = 0;
    if (dynamic_shared <= (size_t)device->shared_memory_per_block_opt_in) {
        struct grt_block_needs needs =
            pretend_needs(pretend, item, (unsigned)threads, (int64_t)dynamic_shared);
        *blocks = (int)grt_occupancy_of(device, &needs).blocks_per_sm;
    }
    return GRT_CUDA_SUCCESS;
}
