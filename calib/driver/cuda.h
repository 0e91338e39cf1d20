/* The part of the CUDA driver's interface that gpurt-calib uses, in declarations of its own: it builds without CUDA and opens the driver at run time
 * (driver.h). Names, numbers and layouts are those of NVIDIA's "CUDA Driver API" reference, versions 11 to 13; the suffixes _v2 are part of the exported names. */
#ifndef GRT_CALIB_DRIVER_CUDA_H
#define GRT_CALIB_DRIVER_CUDA_H

#include <stddef.h>
#include <stdint.h>

typedef int grt_cuda_result;       /* CUresult: 0 is success */
typedef int grt_cuda_device;       /* CUdevice */
typedef uint64_t grt_cuda_address; /* CUdeviceptr */
typedef struct grt_cuda_context_handle *grt_cuda_context;
typedef struct grt_cuda_module_handle *grt_cuda_module;
typedef struct grt_cuda_function_handle *grt_cuda_function;
typedef struct grt_cuda_stream_handle *grt_cuda_stream;
typedef struct grt_cuda_event_handle *grt_cuda_event;
typedef struct grt_cuda_green_handle *grt_cuda_green;             /* CUgreenCtx */
typedef struct grt_cuda_description_handle *grt_cuda_description; /* CUdevResourceDesc */

enum grt_cuda_error {
    GRT_CUDA_SUCCESS = 0,
    GRT_CUDA_INVALID_VALUE = 1,
    GRT_CUDA_OUT_OF_MEMORY = 2,
    GRT_CUDA_NOT_INITIALIZED = 3,
    GRT_CUDA_STUB_LIBRARY = 34,
    GRT_CUDA_CALL_REQUIRES_NEWER_DRIVER = 36,
    GRT_CUDA_DEVICE_UNAVAILABLE = 46,
    GRT_CUDA_NO_DEVICE = 100,
    GRT_CUDA_INVALID_DEVICE = 101,
    GRT_CUDA_INVALID_CONTEXT = 201,
    GRT_CUDA_NO_BINARY_FOR_GPU = 209,
    GRT_CUDA_ECC_UNCORRECTABLE = 214,
    GRT_CUDA_INVALID_PTX = 218,
    GRT_CUDA_JIT_COMPILER_NOT_FOUND = 221,
    GRT_CUDA_UNSUPPORTED_PTX_VERSION = 222,
    GRT_CUDA_DEVICE_LOST =
        226, /* CUDA_ERROR_CONTAINED: nothing works any more until the process starts anew */
    GRT_CUDA_INVALID_HANDLE = 400,
    GRT_CUDA_NOT_FOUND = 500,
    GRT_CUDA_NOT_READY = 600,
    GRT_CUDA_ILLEGAL_ADDRESS = 700,
    GRT_CUDA_LAUNCH_OUT_OF_RESOURCES = 701,
    GRT_CUDA_LAUNCH_TIMEOUT = 702,
    GRT_CUDA_LAUNCH_FAILED = 719,
    GRT_CUDA_NOT_SUPPORTED = 801,
    GRT_CUDA_SYSTEM_NOT_READY = 802,
    GRT_CUDA_SYSTEM_DRIVER_MISMATCH = 803,
    GRT_CUDA_COMPAT_NOT_SUPPORTED_ON_DEVICE = 804,
    GRT_CUDA_INVALID_RESOURCE_TYPE = 914,
    GRT_CUDA_INVALID_RESOURCE_CONFIGURATION = 915,
    GRT_CUDA_UNKNOWN = 999,
};

/* CUdevice_attribute. */
enum grt_cuda_attribute {
    GRT_CUDA_MAX_THREADS_PER_BLOCK = 1,
    GRT_CUDA_MAX_SHARED_MEMORY_PER_BLOCK = 8,
    GRT_CUDA_WARP_SIZE = 10,
    GRT_CUDA_MAX_REGISTERS_PER_BLOCK = 12,
    GRT_CUDA_CLOCK_RATE = 13, /* kHz */
    GRT_CUDA_MULTIPROCESSOR_COUNT = 16,
    GRT_CUDA_INTEGRATED = 18,
    GRT_CUDA_CONCURRENT_KERNELS = 31,
    GRT_CUDA_MEMORY_CLOCK_RATE = 36, /* kHz */
    GRT_CUDA_MEMORY_BUS_WIDTH = 37,  /* bits */
    GRT_CUDA_L2_CACHE_SIZE = 38,
    GRT_CUDA_MAX_THREADS_PER_MULTIPROCESSOR = 39,
    GRT_CUDA_ASYNC_ENGINE_COUNT = 40,
    GRT_CUDA_COMPUTE_CAPABILITY_MAJOR = 75,
    GRT_CUDA_COMPUTE_CAPABILITY_MINOR = 76,
    GRT_CUDA_STREAM_PRIORITIES_SUPPORTED = 78,
    GRT_CUDA_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR = 81,
    GRT_CUDA_MAX_REGISTERS_PER_MULTIPROCESSOR = 82,
    GRT_CUDA_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97,
    GRT_CUDA_MAX_BLOCKS_PER_MULTIPROCESSOR = 106,
    GRT_CUDA_RESERVED_SHARED_MEMORY_PER_BLOCK = 111,
};

/* CUfunction_attribute. */
enum grt_cuda_function_attribute {
    GRT_CUDA_FUNCTION_MAX_THREADS_PER_BLOCK = 0,
    GRT_CUDA_FUNCTION_SHARED_SIZE = 1,
    GRT_CUDA_FUNCTION_REGISTERS = 4,
    GRT_CUDA_FUNCTION_PTX_VERSION = 5,
    GRT_CUDA_FUNCTION_BINARY_VERSION = 6,
    GRT_CUDA_FUNCTION_MAX_DYNAMIC_SHARED_SIZE = 8,
    GRT_CUDA_FUNCTION_PREFERRED_CARVEOUT = 9, /* percent of what shared memory an SM can have */
};

/* CUshared_carveout. */
enum {
    GRT_CUDA_CARVEOUT_DEFAULT = -1, /* as the driver likes */
    GRT_CUDA_CARVEOUT_MAX_SHARED = 100,
};

enum {
    GRT_CUDA_CONTEXT_SCHED_SPIN = 1,
    GRT_CUDA_STREAM_NON_BLOCKING = 1,
    GRT_CUDA_EVENT_DEFAULT = 0,
    GRT_CUDA_EVENT_DISABLE_TIMING = 2,
    GRT_CUDA_HOST_ALLOC_PORTABLE = 1,
    GRT_CUDA_HOST_ALLOC_MAPPED = 2,
    GRT_CUDA_RESOURCE_SM = 1,
    GRT_CUDA_SPLIT_IGNORE_COSCHEDULING = 1,
    GRT_CUDA_GREEN_DEFAULT_STREAM = 1,
};

/* CUdevResource: 144 bytes in 12.4 to 13.x. Drivers before 13.0 fill in sm_count only. */
struct grt_cuda_resource {
    int type;
    unsigned char internal[92];
    union {
        struct {
            unsigned sm_count, min_partition_size, coscheduled_alignment, flags;
        } sm;
        unsigned char space[48];
    };
};

typedef struct {
    unsigned char bytes[16];
} grt_cuda_uuid;

enum { GRT_CUDA_RESOURCE_LINEAR = 2, GRT_CUDA_FORMAT_FLOAT = 0x20 };

/* CUDA_RESOURCE_DESC, of linear memory. */
struct grt_cuda_texture_memory {
    int type; /* GRT_CUDA_RESOURCE_LINEAR */
    union {
        struct {
            grt_cuda_address address;
            int format;
            unsigned channels;
            size_t bytes;
        } linear;
        int space[32];
    };
    unsigned flags;
};

/* CUDA_TEXTURE_DESC: all 0 is a plain fetch. */
struct grt_cuda_texture_access {
    int address_mode[3], filter_mode;
    unsigned flags, max_anisotropy;
    int mipmap_filter_mode;
    float mipmap_bias, mipmap_least, mipmap_most, border[4];
    int unused[12];
};

/* X(function, parameters): what every driver has that gpurt-calib runs on, CUDA 11.0 and later. */
#define GRT_CUDA_REQUIRED(X)                                                                                 \
    X(cuInit, (unsigned flags))                                                                              \
    X(cuDriverGetVersion, (int *version))                                                                    \
    X(cuGetErrorName, (grt_cuda_result error, const char **text))                                            \
    X(cuGetErrorString, (grt_cuda_result error, const char **text))                                          \
    X(cuDeviceGetCount, (int *count))                                                                        \
    X(cuDeviceGet, (grt_cuda_device * device, int ordinal))                                                  \
    X(cuDeviceGetName, (char *name, int size, grt_cuda_device device))                                       \
    X(cuDeviceGetAttribute, (int *value, int attribute, grt_cuda_device device))                             \
    X(cuDeviceGetPCIBusId, (char *id, int size, grt_cuda_device device))                                     \
    X(cuDeviceTotalMem_v2, (size_t * bytes, grt_cuda_device device))                                         \
    X(cuDevicePrimaryCtxSetFlags_v2, (grt_cuda_device device, unsigned flags))                               \
    X(cuDevicePrimaryCtxRetain, (grt_cuda_context * context, grt_cuda_device device))                        \
    X(cuDevicePrimaryCtxRelease_v2, (grt_cuda_device device))                                                \
    X(cuCtxSetCurrent, (grt_cuda_context context))                                                           \
    X(cuCtxSynchronize, (void))                                                                              \
    X(cuCtxGetStreamPriorityRange, (int *least, int *greatest))                                              \
    X(cuModuleLoadData, (grt_cuda_module * module, const void *image))                                       \
    X(cuModuleUnload, (grt_cuda_module module))                                                              \
    X(cuModuleGetFunction, (grt_cuda_function * function, grt_cuda_module module, const char *name))         \
    X(cuFuncGetAttribute, (int *value, int attribute, grt_cuda_function function))                           \
    X(cuFuncSetAttribute, (grt_cuda_function function, int attribute, int value))                            \
    X(cuOccupancyMaxActiveBlocksPerMultiprocessor,                                                           \
      (int *blocks, grt_cuda_function function, int threads, size_t dynamic_shared))                         \
    X(cuMemAlloc_v2, (grt_cuda_address * address, size_t bytes))                                             \
    X(cuMemFree_v2, (grt_cuda_address address))                                                              \
    X(cuMemHostAlloc, (void **address, size_t bytes, unsigned flags))                                        \
    X(cuMemFreeHost, (void *address))                                                                        \
    X(cuMemHostGetDevicePointer_v2, (grt_cuda_address * device, void *host, unsigned flags))                 \
    X(cuMemcpyHtoD_v2, (grt_cuda_address to, const void *from, size_t bytes))                                \
    X(cuMemcpyDtoH_v2, (void *to, grt_cuda_address from, size_t bytes))                                      \
    X(cuMemcpyHtoDAsync_v2, (grt_cuda_address to, const void *from, size_t bytes, grt_cuda_stream stream))   \
    X(cuMemcpyDtoHAsync_v2, (void *to, grt_cuda_address from, size_t bytes, grt_cuda_stream stream))         \
    X(cuMemcpyDtoDAsync_v2,                                                                                  \
      (grt_cuda_address to, grt_cuda_address from, size_t bytes, grt_cuda_stream stream))                    \
    X(cuMemsetD32Async, (grt_cuda_address to, unsigned value, size_t count, grt_cuda_stream stream))         \
    X(cuStreamCreateWithPriority, (grt_cuda_stream * stream, unsigned flags, int priority))                  \
    X(cuStreamDestroy_v2, (grt_cuda_stream stream))                                                          \
    X(cuStreamSynchronize, (grt_cuda_stream stream))                                                         \
    X(cuStreamQuery, (grt_cuda_stream stream))                                                               \
    X(cuStreamWaitEvent, (grt_cuda_stream stream, grt_cuda_event event, unsigned flags))                     \
    X(cuEventCreate, (grt_cuda_event * event, unsigned flags))                                               \
    X(cuEventDestroy_v2, (grt_cuda_event event))                                                             \
    X(cuEventRecord, (grt_cuda_event event, grt_cuda_stream stream))                                         \
    X(cuEventQuery, (grt_cuda_event event))                                                                  \
    X(cuEventSynchronize, (grt_cuda_event event))                                                            \
    X(cuEventElapsedTime, (float *milliseconds, grt_cuda_event start, grt_cuda_event end))                   \
    X(cuLaunchKernel, (grt_cuda_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z,        \
                       unsigned block_x, unsigned block_y, unsigned block_z, unsigned dynamic_shared,        \
                       grt_cuda_stream stream, void **parameters, void **extra))

/* What some have besides: green contexts (12.4), UUIDs of parts of a device (11.4); textures, which pretended devices lack. */
#define GRT_CUDA_OPTIONAL(X)                                                                                 \
    X(cuTexObjectCreate, (uint64_t * texture, const struct grt_cuda_texture_memory *memory,                  \
                          const struct grt_cuda_texture_access *access, const void *view))                   \
    X(cuTexObjectDestroy, (uint64_t texture))                                                                \
    X(cuDeviceGetUuid_v2, (grt_cuda_uuid * uuid, grt_cuda_device device))                                    \
    X(cuDeviceGetDevResource, (grt_cuda_device device, struct grt_cuda_resource * resource, int type))       \
    X(cuDevSmResourceSplitByCount,                                                                           \
      (struct grt_cuda_resource * groups, unsigned *count, const struct grt_cuda_resource *all,              \
       struct grt_cuda_resource *rest, unsigned flags, unsigned least))                                      \
    X(cuDevResourceGenerateDesc,                                                                             \
      (grt_cuda_description * description, struct grt_cuda_resource * resources, unsigned count))            \
    X(cuGreenCtxCreate,                                                                                      \
      (grt_cuda_green * green, grt_cuda_description description, grt_cuda_device device, unsigned flags))    \
    X(cuGreenCtxDestroy, (grt_cuda_green green))                                                             \
    X(cuGreenCtxGetDevResource, (grt_cuda_green green, struct grt_cuda_resource * resource, int type))       \
    X(cuGreenCtxStreamCreate, (grt_cuda_stream * stream, grt_cuda_green green, unsigned flags, int priority))

/* The functions of a driver: the real one, or one that pretends. Optional ones may be NULL. */
struct grt_cuda {
#define GRT_CUDA_MEMBER(name, parameters) grt_cuda_result(*name) parameters;
    GRT_CUDA_REQUIRED(GRT_CUDA_MEMBER)
    GRT_CUDA_OPTIONAL(GRT_CUDA_MEMBER)
#undef GRT_CUDA_MEMBER
};

#endif
