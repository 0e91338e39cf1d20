/* calib/driver/cuda.h against NVIDIA's own header: numbers, layouts, prototypes; and the toolkit's stub has every function. Built only where the toolkit is. */
/* labels: cuda-header */
#include <cuda.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "calib/driver/cuda.h"
#include "calib/driver/driver.h"
#include "tests/support/file_text.h"
#include "tests/support/suite.h"

/* --- Numbers. */

#define SAME(ours, theirs)                                                                                   \
    { #ours, (long)(ours), (long)(theirs) }

static const struct {
    const char *name;
    long ours, theirs;
} numbers[] = {
    SAME(GRT_CUDA_SUCCESS, CUDA_SUCCESS),
    SAME(GRT_CUDA_INVALID_VALUE, CUDA_ERROR_INVALID_VALUE),
    SAME(GRT_CUDA_OUT_OF_MEMORY, CUDA_ERROR_OUT_OF_MEMORY),
    SAME(GRT_CUDA_NOT_INITIALIZED, CUDA_ERROR_NOT_INITIALIZED),
    SAME(GRT_CUDA_STUB_LIBRARY, CUDA_ERROR_STUB_LIBRARY),
    SAME(GRT_CUDA_CALL_REQUIRES_NEWER_DRIVER, CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER),
    SAME(GRT_CUDA_DEVICE_UNAVAILABLE, CUDA_ERROR_DEVICE_UNAVAILABLE),
    SAME(GRT_CUDA_NO_DEVICE, CUDA_ERROR_NO_DEVICE),
    SAME(GRT_CUDA_INVALID_DEVICE, CUDA_ERROR_INVALID_DEVICE),
    SAME(GRT_CUDA_INVALID_CONTEXT, CUDA_ERROR_INVALID_CONTEXT),
    SAME(GRT_CUDA_NO_BINARY_FOR_GPU, CUDA_ERROR_NO_BINARY_FOR_GPU),
    SAME(GRT_CUDA_INVALID_PTX, CUDA_ERROR_INVALID_PTX),
    SAME(GRT_CUDA_JIT_COMPILER_NOT_FOUND, CUDA_ERROR_JIT_COMPILER_NOT_FOUND),
    SAME(GRT_CUDA_UNSUPPORTED_PTX_VERSION, CUDA_ERROR_UNSUPPORTED_PTX_VERSION),
    SAME(GRT_CUDA_INVALID_HANDLE, CUDA_ERROR_INVALID_HANDLE),
    SAME(GRT_CUDA_NOT_FOUND, CUDA_ERROR_NOT_FOUND),
    SAME(GRT_CUDA_NOT_READY, CUDA_ERROR_NOT_READY),
    SAME(GRT_CUDA_ILLEGAL_ADDRESS, CUDA_ERROR_ILLEGAL_ADDRESS),
    SAME(GRT_CUDA_LAUNCH_OUT_OF_RESOURCES, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES),
    SAME(GRT_CUDA_LAUNCH_TIMEOUT, CUDA_ERROR_LAUNCH_TIMEOUT),
    SAME(GRT_CUDA_LAUNCH_FAILED, CUDA_ERROR_LAUNCH_FAILED),
    SAME(GRT_CUDA_NOT_SUPPORTED, CUDA_ERROR_NOT_SUPPORTED),
    SAME(GRT_CUDA_SYSTEM_NOT_READY, CUDA_ERROR_SYSTEM_NOT_READY),
    SAME(GRT_CUDA_SYSTEM_DRIVER_MISMATCH, CUDA_ERROR_SYSTEM_DRIVER_MISMATCH),
    SAME(GRT_CUDA_COMPAT_NOT_SUPPORTED_ON_DEVICE, CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE),
    SAME(GRT_CUDA_ECC_UNCORRECTABLE, CUDA_ERROR_ECC_UNCORRECTABLE),
    SAME(GRT_CUDA_INVALID_RESOURCE_TYPE, CUDA_ERROR_INVALID_RESOURCE_TYPE),
    SAME(GRT_CUDA_INVALID_RESOURCE_CONFIGURATION, CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION),
    SAME(GRT_CUDA_UNKNOWN, CUDA_ERROR_UNKNOWN),
    SAME(GRT_CUDA_MAX_THREADS_PER_BLOCK, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK),
    SAME(GRT_CUDA_MAX_SHARED_MEMORY_PER_BLOCK, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK),
    SAME(GRT_CUDA_WARP_SIZE, CU_DEVICE_ATTRIBUTE_WARP_SIZE),
    SAME(GRT_CUDA_MAX_REGISTERS_PER_BLOCK, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK),
    SAME(GRT_CUDA_CLOCK_RATE, CU_DEVICE_ATTRIBUTE_CLOCK_RATE),
    SAME(GRT_CUDA_MULTIPROCESSOR_COUNT, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT),
    SAME(GRT_CUDA_INTEGRATED, CU_DEVICE_ATTRIBUTE_INTEGRATED),
    SAME(GRT_CUDA_CONCURRENT_KERNELS, CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS),
    SAME(GRT_CUDA_MEMORY_CLOCK_RATE, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE),
    SAME(GRT_CUDA_MEMORY_BUS_WIDTH, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH),
    SAME(GRT_CUDA_L2_CACHE_SIZE, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE),
    SAME(GRT_CUDA_MAX_THREADS_PER_MULTIPROCESSOR, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR),
    SAME(GRT_CUDA_ASYNC_ENGINE_COUNT, CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT),
    SAME(GRT_CUDA_COMPUTE_CAPABILITY_MAJOR, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
    SAME(GRT_CUDA_COMPUTE_CAPABILITY_MINOR, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR),
    SAME(GRT_CUDA_STREAM_PRIORITIES_SUPPORTED, CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED),
    SAME(GRT_CUDA_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR,
         CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR),
    SAME(GRT_CUDA_MAX_REGISTERS_PER_MULTIPROCESSOR, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR),
    SAME(GRT_CUDA_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN),
    SAME(GRT_CUDA_MAX_BLOCKS_PER_MULTIPROCESSOR, CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR),
    SAME(GRT_CUDA_RESERVED_SHARED_MEMORY_PER_BLOCK, CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK),
    SAME(GRT_CUDA_FUNCTION_MAX_THREADS_PER_BLOCK, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK),
    SAME(GRT_CUDA_FUNCTION_SHARED_SIZE, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES),
    SAME(GRT_CUDA_FUNCTION_REGISTERS, CU_FUNC_ATTRIBUTE_NUM_REGS),
    SAME(GRT_CUDA_FUNCTION_PTX_VERSION, CU_FUNC_ATTRIBUTE_PTX_VERSION),
    SAME(GRT_CUDA_FUNCTION_BINARY_VERSION, CU_FUNC_ATTRIBUTE_BINARY_VERSION),
    SAME(GRT_CUDA_FUNCTION_MAX_DYNAMIC_SHARED_SIZE, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES),
    SAME(GRT_CUDA_FUNCTION_PREFERRED_CARVEOUT, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT),
    SAME(GRT_CUDA_CARVEOUT_DEFAULT, CU_SHAREDMEM_CARVEOUT_DEFAULT),
    SAME(GRT_CUDA_CARVEOUT_MAX_SHARED, CU_SHAREDMEM_CARVEOUT_MAX_SHARED),
    SAME(GRT_CUDA_CONTEXT_SCHED_SPIN, CU_CTX_SCHED_SPIN),
    SAME(GRT_CUDA_STREAM_NON_BLOCKING, CU_STREAM_NON_BLOCKING),
    SAME(GRT_CUDA_EVENT_DEFAULT, CU_EVENT_DEFAULT),
    SAME(GRT_CUDA_EVENT_DISABLE_TIMING, CU_EVENT_DISABLE_TIMING),
    SAME(GRT_CUDA_HOST_ALLOC_PORTABLE, CU_MEMHOSTALLOC_PORTABLE),
    SAME(GRT_CUDA_HOST_ALLOC_MAPPED, CU_MEMHOSTALLOC_DEVICEMAP),
    SAME(GRT_CUDA_RESOURCE_SM, CU_DEV_RESOURCE_TYPE_SM),
    SAME(GRT_CUDA_SPLIT_IGNORE_COSCHEDULING, CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING),
    SAME(GRT_CUDA_GREEN_DEFAULT_STREAM, CU_GREEN_CTX_DEFAULT_STREAM),
    SAME(GRT_CUDA_RESOURCE_LINEAR, CU_RESOURCE_TYPE_LINEAR),
    SAME(GRT_CUDA_FORMAT_FLOAT, CU_AD_FORMAT_FLOAT),
};

static void test_numbers(void) {
    size_t count = sizeof numbers / sizeof numbers[0], found = 0;
    for (size_t i = 0; i < count; i++) {
        CU_ASSERT_EQUAL(numbers[i].ours, numbers[i].theirs);
        if (numbers[i].ours != numbers[i].theirs) {
            fprintf(stderr, "%s is %ld\n", numbers[i].name, numbers[i].theirs);
        }
    }
    size_t bytes = 0;
    char *text = grt_file_text(GRT_SOURCE_DIR "/calib/driver/cuda.h", &bytes); /* none was left out */
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    for (const char *at = text; (at = strstr(at, "GRT_CUDA_")) != NULL;) {
        at += strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
        found += strncmp(at, " = ", 3) == 0;
    }
    CU_ASSERT_EQUAL(found, count);
    free(text);
}

/* --- Layouts. */

static void test_layouts(void) {
    CU_ASSERT_EQUAL(sizeof(struct grt_cuda_resource), sizeof(CUdevResource));
    CU_ASSERT_EQUAL(offsetof(struct grt_cuda_resource, type), offsetof(CUdevResource, type));
    CU_ASSERT_EQUAL(offsetof(struct grt_cuda_resource, sm.sm_count), offsetof(CUdevResource, sm.smCount));
    CU_ASSERT_EQUAL(sizeof(grt_cuda_uuid), sizeof(CUuuid));
    CU_ASSERT_EQUAL(sizeof(struct grt_cuda_texture_memory), sizeof(CUDA_RESOURCE_DESC));
    CU_ASSERT_EQUAL(offsetof(struct grt_cuda_texture_memory, linear.address),
                    offsetof(CUDA_RESOURCE_DESC, res.linear.devPtr));
    CU_ASSERT_EQUAL(offsetof(struct grt_cuda_texture_memory, linear.format),
                    offsetof(CUDA_RESOURCE_DESC, res.linear.format));
    CU_ASSERT_EQUAL(offsetof(struct grt_cuda_texture_memory, linear.channels),
                    offsetof(CUDA_RESOURCE_DESC, res.linear.numChannels));
    CU_ASSERT_EQUAL(offsetof(struct grt_cuda_texture_memory, linear.bytes),
                    offsetof(CUDA_RESOURCE_DESC, res.linear.sizeInBytes));
    CU_ASSERT_EQUAL(offsetof(struct grt_cuda_texture_memory, flags), offsetof(CUDA_RESOURCE_DESC, flags));
    CU_ASSERT_EQUAL(sizeof(struct grt_cuda_texture_access), sizeof(CUDA_TEXTURE_DESC));
    CU_ASSERT_EQUAL(offsetof(struct grt_cuda_texture_access, filter_mode),
                    offsetof(CUDA_TEXTURE_DESC, filterMode));
    CU_ASSERT_EQUAL(offsetof(struct grt_cuda_texture_access, flags), offsetof(CUDA_TEXTURE_DESC, flags));
    CU_ASSERT_EQUAL(offsetof(struct grt_cuda_texture_access, mipmap_bias),
                    offsetof(CUDA_TEXTURE_DESC, mipmapLevelBias));
    CU_ASSERT_EQUAL(offsetof(struct grt_cuda_texture_access, border),
                    offsetof(CUDA_TEXTURE_DESC, borderColor));
}

/* --- Prototypes: ours, with NVIDIA's names in the place of our types. */

#define grt_cuda_device CUdevice
#define grt_cuda_address CUdeviceptr
#define grt_cuda_context CUcontext
#define grt_cuda_module CUmodule
#define grt_cuda_function CUfunction
#define grt_cuda_stream CUstream
#define grt_cuda_event CUevent
#define grt_cuda_green CUgreenCtx
#define grt_cuda_description CUdevResourceDesc
#define grt_cuda_resource CUdevResource_st
#define grt_cuda_uuid CUuuid
#define grt_cuda_result CUresult

#define PROTOTYPE(name, parameters)                                                                          \
    {#name, __builtin_types_compatible_p(__typeof__(name), CUresult parameters)},

static const struct {
    const char *name;
    bool same;
} prototypes[] = {GRT_CUDA_REQUIRED(PROTOTYPE) GRT_CUDA_OPTIONAL(PROTOTYPE)};

/* Those that have an int where NVIDIA has an enumeration, or a structure of ours that is laid out like NVIDIA's. */
#define ALIKE(name, parameters)                                                                              \
    { #name, __builtin_types_compatible_p(__typeof__(name), CUresult parameters) }

static const struct {
    const char *name;
    bool same;
} others[] = {
    ALIKE(cuDeviceGetAttribute, (int *value, CUdevice_attribute attribute, CUdevice device)),
    ALIKE(cuFuncGetAttribute, (int *value, CUfunction_attribute attribute, CUfunction function)),
    ALIKE(cuFuncSetAttribute, (CUfunction function, CUfunction_attribute attribute, int value)),
    ALIKE(cuDeviceGetDevResource, (CUdevice device, CUdevResource *resource, CUdevResourceType type)),
    ALIKE(cuGreenCtxGetDevResource, (CUgreenCtx green, CUdevResource *resource, CUdevResourceType type)),
    ALIKE(cuTexObjectCreate, (CUtexObject * texture, const CUDA_RESOURCE_DESC *memory,
                              const CUDA_TEXTURE_DESC *access, const CUDA_RESOURCE_VIEW_DESC *view)),
    ALIKE(cuTexObjectDestroy, (CUtexObject texture)),
};

static bool alike(const char *name) {
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (strcmp(others[i].name, name) == 0) {
            return others[i].same;
        }
    }
    return false;
}

static void test_prototypes(void) {
    CU_ASSERT_EQUAL(sizeof(CUdevice_attribute), sizeof(int));
    CU_ASSERT_EQUAL(sizeof(CUtexObject), sizeof(uint64_t));
    for (size_t i = 0; i < sizeof prototypes / sizeof prototypes[0]; i++) {
        bool same = prototypes[i].same || alike(prototypes[i].name);
        CU_ASSERT_TRUE(same);
        if (!same) {
            fprintf(stderr, "%s has another prototype\n", prototypes[i].name);
        }
    }
}

/* --- The stub. */

static void test_stub(void) {
#ifdef GRT_CUDA_STUB
    struct grt_errors errors = {0};
    struct grt_driver driver;
    CU_ASSERT_EQUAL(grt_driver_open(GRT_CUDA_STUB, &driver, &errors), GRT_DRIVER_ABSENT);
    CU_ASSERT_EQUAL_FATAL(errors.count, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(errors.messages[0], "cuInit: error 34: "));
    CU_ASSERT_PTR_NOT_NULL(strstr(errors.messages[0], "which only linkers use"));
    grt_errors_clear(&errors);
    void *library = dlopen(GRT_CUDA_STUB, RTLD_NOW | RTLD_LOCAL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(library);
    for (size_t i = 0; i < sizeof prototypes / sizeof prototypes[0]; i++)
        CU_ASSERT_PTR_NOT_NULL(dlsym(library, prototypes[i].name));
    dlclose(library);
#else
    printf("(skipped: there is no stub of libcuda) ");
#endif
}

int main(void) {
    CU_TestInfo tests[] = {
        {"numbers", test_numbers},         {"layouts", test_layouts}, {"prototypes", test_prototypes},
        {"the toolkit's stub", test_stub}, CU_TEST_INFO_NULL,
    };
    return grt_suite_run("NVIDIA's header", tests);
}
