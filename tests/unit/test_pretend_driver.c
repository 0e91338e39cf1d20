/* The pretended driver: what it says about its device, and what becomes of misuse and faults. */
#include <signal.h>
#include <string.h>

#include "tests/support/child.h"
#include "tests/support/pretend_device.h"
#include "tests/support/suite.h"

static struct pretend_device device;

static void open_small(void) {
    pretend_device_describe(&device, 4, 4);
    pretend_device_open(&device, &grt_engine_model);
}

static void close_device(void) {
    pretend_device_close(&device);
}

/* A handle that nobody has made. */
#define NONSENSE(type) ((type)(void *)(uintptr_t)0x5a5a5a)

/* ---- before a context is there ---- */

static void test_order(void) {
    pretend_device_describe(&device, 4, 4);
    struct grt_errors errors = {0};
    CU_ASSERT_TRUE_FATAL(grt_pretend_open(&device.spec, &grt_engine_model, &device.driver, &errors));
    const struct grt_cuda *cuda = &device.driver.cuda;
    int number = -1;
    grt_cuda_address address = 0;
    CU_ASSERT_EQUAL(cuda->cuDeviceGetCount(&number), GRT_CUDA_NOT_INITIALIZED);
    CU_ASSERT_EQUAL(cuda->cuInit(1), GRT_CUDA_INVALID_VALUE);
    CU_ASSERT_EQUAL(cuda->cuMemAlloc_v2(&address, 8), GRT_CUDA_NOT_INITIALIZED);
    CU_OK(cuda->cuDriverGetVersion(&number)); /* works before */
    CU_ASSERT_EQUAL(number, 13000);
    CU_OK(cuda->cuInit(0));
    CU_ASSERT_EQUAL(cuda->cuMemAlloc_v2(&address, 8), GRT_CUDA_INVALID_CONTEXT);
    CU_ASSERT_EQUAL(cuda->cuCtxSetCurrent(NONSENSE(grt_cuda_context)), GRT_CUDA_INVALID_CONTEXT);
    CU_ASSERT_EQUAL(cuda->cuDevicePrimaryCtxRelease_v2(0), GRT_CUDA_INVALID_CONTEXT);
    CU_ASSERT_EQUAL(cuda->cuDevicePrimaryCtxRetain(&device.context, 1), GRT_CUDA_INVALID_DEVICE);
    CU_OK(cuda->cuDevicePrimaryCtxRetain(&device.context, 0));
    CU_ASSERT_EQUAL(cuda->cuMemAlloc_v2(&address, 8), GRT_CUDA_INVALID_CONTEXT);
    CU_OK(cuda->cuCtxSetCurrent(device.context));
    CU_OK(cuda->cuMemAlloc_v2(&address, 8));
    CU_OK(cuda->cuDevicePrimaryCtxRelease_v2(0));
    CU_ASSERT_EQUAL(cuda->cuMemFree_v2(address), GRT_CUDA_INVALID_CONTEXT);
    pretend_device_close(&device);
}

static void test_one_at_a_time(void) {
    open_small();
    struct grt_driver second;
    struct grt_errors errors = {0};
    CU_ASSERT_FALSE(grt_pretend_open(&device.spec, &grt_engine_model, &second, &errors));
    CU_ASSERT_EQUAL(errors.count, 1);
    grt_errors_clear(&errors);
    close_device();
    open_small();
    close_device();
}

/* ---- the device ---- */

static void test_device(void) {
    open_small();
    const struct grt_cuda *cuda = &device.cuda;
    int count, ordinal, value;
    char name[8], bus_id[16];
    size_t bytes;
    grt_cuda_uuid uuid, again;
    CU_OK(cuda->cuDeviceGetCount(&count));
    CU_ASSERT_EQUAL(count, 1);
    CU_OK(cuda->cuDeviceGet(&ordinal, 0));
    CU_ASSERT_EQUAL(cuda->cuDeviceGet(&ordinal, 1), GRT_CUDA_INVALID_DEVICE);
    CU_ASSERT_EQUAL(cuda->cuDeviceGet(&ordinal, -1), GRT_CUDA_INVALID_DEVICE);
    CU_OK(cuda->cuDeviceGetName(name, sizeof name, 0));
    CU_ASSERT_EQUAL(strncmp(name, device.spec.device.name, sizeof name - 1), 0);
    CU_ASSERT_EQUAL(cuda->cuDeviceGetName(name, 0, 0), GRT_CUDA_INVALID_VALUE);
    CU_OK(cuda->cuDeviceGetPCIBusId(bus_id, sizeof bus_id, 0));
    CU_ASSERT_STRING_EQUAL(bus_id, "0000:01:00.0");
    CU_ASSERT_EQUAL(cuda->cuDeviceGetPCIBusId(bus_id, 12, 0), GRT_CUDA_INVALID_VALUE);
    CU_OK(cuda->cuDeviceTotalMem_v2(&bytes, 0));
    CU_ASSERT_EQUAL(bytes, (size_t)device.spec.memory_bytes);
    CU_OK(cuda->cuDeviceGetUuid_v2(&uuid, 0));
    CU_OK(cuda->cuDeviceGetUuid_v2(&again, 0));
    CU_ASSERT_EQUAL(memcmp(&uuid, &again, sizeof uuid), 0);
    CU_OK(cuda->cuDeviceGetAttribute(&value, GRT_CUDA_MULTIPROCESSOR_COUNT, 0));
    CU_ASSERT_EQUAL(value, 4);
    CU_OK(cuda->cuDeviceGetAttribute(&value, GRT_CUDA_MAX_THREADS_PER_MULTIPROCESSOR, 0));
    CU_ASSERT_EQUAL(value, 128);
    CU_OK(cuda->cuDeviceGetAttribute(&value, GRT_CUDA_STREAM_PRIORITIES_SUPPORTED, 0));
    CU_ASSERT_EQUAL(value, 1);
    CU_ASSERT_EQUAL(cuda->cuDeviceGetAttribute(&value, 9999, 0), GRT_CUDA_INVALID_VALUE);
    CU_ASSERT_EQUAL(cuda->cuDeviceGetAttribute(&value, GRT_CUDA_WARP_SIZE, 3), GRT_CUDA_INVALID_DEVICE);
    int least, greatest;
    CU_OK(cuda->cuCtxGetStreamPriorityRange(&least, &greatest));
    CU_ASSERT_TRUE(least == 0 && greatest == -2);
    close_device();
}

static void test_errors(void) {
    open_small();
    const char *text = NULL;
    CU_OK(device.cuda.cuGetErrorName(GRT_CUDA_OUT_OF_MEMORY, &text));
    CU_ASSERT_STRING_EQUAL(text, "CUDA_ERROR_OUT_OF_MEMORY");
    CU_OK(device.cuda.cuGetErrorString(GRT_CUDA_NOT_READY, &text));
    CU_ASSERT_STRING_EQUAL(text, "not done yet");
    CU_ASSERT_EQUAL(device.cuda.cuGetErrorName(77777, &text), GRT_CUDA_INVALID_VALUE);
    close_device();
}

/* ---- memory ---- */

static void test_memory(void) {
    pretend_device_describe(&device, 4, 4);
    device.spec.memory_bytes = 1 << 20;
    pretend_device_open(&device, &grt_engine_model);
    const struct grt_cuda *cuda = &device.cuda;
    grt_cuda_address address = 0, second = 0;
    unsigned char bytes[64] = {0};
    CU_ASSERT_EQUAL(cuda->cuMemAlloc_v2(&address, 0), GRT_CUDA_INVALID_VALUE);
    CU_ASSERT_EQUAL(cuda->cuMemAlloc_v2(&address, (1 << 20) + 1), GRT_CUDA_OUT_OF_MEMORY);
    CU_ASSERT_EQUAL(cuda->cuMemAlloc_v2(&address, SIZE_MAX), GRT_CUDA_OUT_OF_MEMORY);
    CU_OK(cuda->cuMemAlloc_v2(&address, 900000)); /* the rest is in use already */
    CU_ASSERT_EQUAL(address % 256, 0);
    CU_ASSERT_EQUAL(cuda->cuMemAlloc_v2(&second, 900000), GRT_CUDA_OUT_OF_MEMORY);
    CU_ASSERT_EQUAL(cuda->cuMemcpyDtoH_v2(bytes, address + 900000 - 63, 64), GRT_CUDA_INVALID_VALUE);
    CU_OK(cuda->cuMemcpyDtoH_v2(bytes, address + 900000 - 64, 64));
    CU_ASSERT_EQUAL(cuda->cuMemFree_v2(address + 1), GRT_CUDA_INVALID_VALUE);
    CU_OK(cuda->cuMemFree_v2(address));
    CU_ASSERT_EQUAL(cuda->cuMemFree_v2(address), GRT_CUDA_INVALID_VALUE);
    CU_ASSERT_EQUAL(cuda->cuMemcpyHtoD_v2(address, bytes, 8), GRT_CUDA_INVALID_VALUE);
    CU_OK(cuda->cuMemFree_v2(0));
    CU_OK(cuda->cuMemAlloc_v2(&second, 900000));
    CU_ASSERT_EQUAL(cuda->cuMemsetD32Async(second + 2, 0, 1, NULL), GRT_CUDA_INVALID_VALUE);
    CU_ASSERT_EQUAL(cuda->cuMemsetD32Async(second, 0, 225001, NULL), GRT_CUDA_INVALID_VALUE);
    CU_ASSERT_EQUAL(cuda->cuMemcpyDtoDAsync_v2(second, second + 899999, 2, NULL), GRT_CUDA_INVALID_VALUE);
    CU_ASSERT_EQUAL(cuda->cuMemcpyHtoD_v2(second, NULL, 8), GRT_CUDA_INVALID_VALUE);
    close_device();
}

static void write_byte(void *byte) {
    signal(SIGSEGV, SIG_DFL);
    *(volatile unsigned char *)byte = 1;
}

/* A byte of the memory of the device or around it: whether it may be written, and if not, who ends the program. */
static void expect_good(unsigned char *byte) {
    char said[100];
    CU_ASSERT_EQUAL(grt_child_run(write_byte, byte, said, sizeof said), 0);
}

static void expect_fault(unsigned char *byte) {
    char said[100];
    CU_ASSERT(grt_child_ended_by(grt_child_run(write_byte, byte, said, sizeof said), SIGSEGV));
}

static void expect_mark(unsigned char *byte) {
#ifdef GRT_SANITIZED
    char said[200];
    CU_ASSERT_NOT_EQUAL(grt_child_run(write_byte, byte, said, sizeof said), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(said, "AddressSanitizer: "));
#else
    (void)byte;
#endif
}

/* The memory has so many bytes. Nobody may write in front of it or behind it, which the processor sees from the next page on, and the address sanitizer
 * at once: `spare` bytes are between the memory's end and that page. */
static void expect_guards(unsigned char *memory, size_t bytes, size_t spare) {
    enum { PAGE = 1 << 16 };
    expect_good(memory);
    expect_good(memory + bytes - 1);
    expect_fault(memory + bytes + spare);
    expect_fault(memory - PAGE);
    if (spare > 0) {
        expect_mark(memory + bytes);
        expect_mark(memory + bytes + spare - 1);
    }
}

/* Small memory is the allocator's, which aligns it otherwise. */
static void test_around_small_memory(void) {
    open_small();
    void *host = NULL;
    for (size_t bytes = 1; bytes < 300; bytes += 200) {
        CU_OK(device.cuda.cuMemHostAlloc(&host, bytes, 0));
        unsigned char *memory = host;
        expect_good(memory);
        expect_good(memory + bytes - 1);
        expect_mark(memory - 1);
        expect_mark(memory + bytes);
        CU_OK(device.cuda.cuMemFreeHost(host));
    }
    close_device();
}

/* From 1 MiB on memory is taken otherwise. All of it can be used, and is zero. */
static void test_large_memory(void) {
    enum { LARGE = 1 << 20, ALIGNMENT = 256 };
    open_small();
    const struct grt_cuda *cuda = &device.cuda;
    grt_cuda_address address;
    void *host = NULL;
    for (size_t bytes = LARGE - 1; bytes <= LARGE + 1; bytes++) {
        for (int again = 0; again < 2; again++) {
            CU_OK(cuda->cuMemHostAlloc(&host, bytes, 0));
            CU_ASSERT_EQUAL_FATAL((uintptr_t)host % 256, 0);
            unsigned char *memory = host;
            CU_ASSERT(memory[0] == 0 && memory[bytes / 2] == 0 && memory[bytes - 1] == 0);
            memset(memory, 0xff, bytes);
            CU_OK(cuda->cuMemFreeHost(host));
        }
    }
    CU_ASSERT_EQUAL(cuda->cuMemHostAlloc(&host, SIZE_MAX - 100, 0), GRT_CUDA_OUT_OF_MEMORY);
    CU_ASSERT_EQUAL(cuda->cuMemHostAlloc(&host, SIZE_MAX - 300, 0), GRT_CUDA_OUT_OF_MEMORY);
    CU_ASSERT_EQUAL(cuda->cuMemHostAlloc(&host, SIZE_MAX / 2, 0), GRT_CUDA_OUT_OF_MEMORY);
    CU_OK(cuda->cuMemHostAlloc(&host, LARGE, 0));
    expect_guards(host, LARGE, 0);
    CU_OK(cuda->cuMemFreeHost(host));
    CU_OK(cuda->cuMemHostAlloc(&host, LARGE + 1, 0));
    expect_guards(host, LARGE + 1, ALIGNMENT - 1);
    expect_mark((unsigned char *)host - 1);
    CU_OK(cuda->cuMemFreeHost(host));
#ifdef GRT_SANITIZED /* freed memory is nobody's again */
    void *next = NULL;
    CU_OK(cuda->cuMemHostAlloc(&next, LARGE + 1, 0));
    expect_fault(host);
    expect_good(next);
    CU_OK(cuda->cuMemFreeHost(next));
#endif
    close_device();
    pretend_device_describe(&device, 4, 4);
    pretend_device_open(&device, &grt_engine_model);
    CU_OK(cuda->cuMemAlloc_v2(&address, 2 * LARGE - ALIGNMENT));
    expect_guards((unsigned char *)(uintptr_t)address, 2 * LARGE - ALIGNMENT, 0);
    CU_OK(cuda->cuMemFree_v2(address));
    close_device();
}

static void test_host_memory(void) {
    open_small();
    const struct grt_cuda *cuda = &device.cuda;
    void *host = NULL;
    grt_cuda_address address;
    int local;
    CU_ASSERT_EQUAL(cuda->cuMemHostAlloc(&host, 64, 0x80), GRT_CUDA_INVALID_VALUE);
    CU_OK(cuda->cuMemHostAlloc(&host, 64, GRT_CUDA_HOST_ALLOC_MAPPED));
    CU_OK(cuda->cuMemHostGetDevicePointer_v2(&address, host, 0));
    CU_ASSERT_EQUAL(address, (grt_cuda_address)(uintptr_t)host);
    CU_ASSERT_EQUAL(cuda->cuMemHostGetDevicePointer_v2(&address, &local, 0), GRT_CUDA_INVALID_VALUE);
    CU_ASSERT_EQUAL(cuda->cuMemFree_v2((grt_cuda_address)(uintptr_t)host), GRT_CUDA_INVALID_VALUE);
    CU_OK(cuda->cuMemFreeHost(host));
    CU_ASSERT_EQUAL(cuda->cuMemFreeHost(host), GRT_CUDA_INVALID_VALUE);
    CU_ASSERT_EQUAL(cuda->cuMemHostGetDevicePointer_v2(&address, host, 0), GRT_CUDA_INVALID_VALUE);
    close_device();
}

/* ---- modules and functions ---- */

static const char tiny[] =
    ".version 6.3\n.target sm_90\n.address_size 64\n.visible .entry k_fma(\n) { ret; }\n";

static void test_modules(void) {
    pretend_device_describe(&device, 4, 4);
    device.spec.device.compute_capability = 89;
    device.spec.faults.driver_version = 11020;
    pretend_device_open(&device, &grt_engine_model);
    const struct grt_cuda *cuda = &device.cuda;
    grt_cuda_module module;
    grt_cuda_function function;
    CU_ASSERT_EQUAL(cuda->cuModuleLoadData(&module, "no PTX"), GRT_CUDA_INVALID_PTX);
    CU_ASSERT_EQUAL(cuda->cuModuleLoadData(&module, NULL), GRT_CUDA_INVALID_VALUE);
    CU_ASSERT_EQUAL(cuda->cuModuleLoadData(&module, ".version 7.3\n.target sm_60\n"),
                    GRT_CUDA_UNSUPPORTED_PTX_VERSION);
    CU_OK(cuda->cuModuleLoadData(&module, ".version 7.2\n.target sm_60\n"));
    CU_ASSERT_EQUAL(cuda->cuModuleLoadData(&module, tiny), GRT_CUDA_NO_BINARY_FOR_GPU);
    close_device();
    pretend_device_describe(&device, 4, 4);
    device.spec.device.compute_capability = 90;
    pretend_device_open(&device, &grt_engine_model);
    CU_OK(cuda->cuModuleLoadData(&module, tiny));
    CU_OK(cuda->cuModuleGetFunction(&function, module, "k_fma"));
    CU_ASSERT_EQUAL(cuda->cuModuleGetFunction(&function, module, "k_vadd"), GRT_CUDA_NOT_FOUND);
    CU_ASSERT_EQUAL(cuda->cuModuleGetFunction(&function, module, "k_fm"), GRT_CUDA_NOT_FOUND);
    CU_ASSERT_EQUAL(cuda->cuModuleGetFunction(&function, NONSENSE(grt_cuda_module), "k_fma"),
                    GRT_CUDA_INVALID_HANDLE);
    int value;
    CU_OK(cuda->cuFuncGetAttribute(&value, GRT_CUDA_FUNCTION_PTX_VERSION, function));
    CU_ASSERT_EQUAL(value, 63);
    CU_OK(cuda->cuModuleUnload(module));
    CU_ASSERT_EQUAL(cuda->cuModuleUnload(module), GRT_CUDA_INVALID_HANDLE);
    CU_ASSERT_EQUAL(cuda->cuFuncGetAttribute(&value, GRT_CUDA_FUNCTION_REGISTERS, function),
                    GRT_CUDA_INVALID_HANDLE);
    close_device();
}

static void test_functions(void) {
    pretend_device_describe(&device, 4, 32);
    device.spec.kernels[GRT_KERNEL_MATMUL].registers = 64;
    device.spec.kernels[GRT_KERNEL_MATMUL].shared_bytes = 2048;
    pretend_device_open(&device, &grt_engine_model);
    const struct grt_cuda *cuda = &device.cuda;
    grt_cuda_function function = device.functions[GRT_KERNEL_MATMUL];
    int value, blocks;
    CU_OK(cuda->cuFuncGetAttribute(&value, GRT_CUDA_FUNCTION_REGISTERS, function));
    CU_ASSERT_EQUAL(value, 64);
    CU_OK(cuda->cuFuncGetAttribute(&value, GRT_CUDA_FUNCTION_SHARED_SIZE, function));
    CU_ASSERT_EQUAL(value, 2048);
    CU_OK(cuda->cuFuncGetAttribute(&value, GRT_CUDA_FUNCTION_MAX_THREADS_PER_BLOCK, function));
    CU_ASSERT_TRUE(value > 0 && value <= 1024 && value * 64 <= device.spec.device.registers_per_sm);
    CU_ASSERT_EQUAL(cuda->cuFuncGetAttribute(&value, 12345, function), GRT_CUDA_INVALID_VALUE);
    CU_OK(cuda->cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 256, 0));
    CU_ASSERT_EQUAL(blocks, 4); /* 1024 threads; 64 registers of 256 threads are 16384 of 65536 */
    CU_OK(cuda->cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 256, 20000));
    CU_ASSERT_EQUAL(blocks, (int)(device.spec.device.shared_memory_per_sm / (20000 + 2048)));
    CU_ASSERT_EQUAL(cuda->cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 0, 0),
                    GRT_CUDA_INVALID_VALUE);
    CU_ASSERT_EQUAL(cuda->cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 1025, 0),
                    GRT_CUDA_INVALID_VALUE);
    CU_ASSERT_EQUAL(cuda->cuFuncSetAttribute(function, GRT_CUDA_FUNCTION_MAX_DYNAMIC_SHARED_SIZE, 1 << 30),
                    GRT_CUDA_INVALID_VALUE);
    CU_OK(cuda->cuFuncSetAttribute(function, GRT_CUDA_FUNCTION_MAX_DYNAMIC_SHARED_SIZE, 100));
    CU_OK(cuda->cuFuncGetAttribute(&value, GRT_CUDA_FUNCTION_MAX_DYNAMIC_SHARED_SIZE, function));
    CU_ASSERT_EQUAL(value, 100);
    CU_OK(cuda->cuFuncGetAttribute(&value, GRT_CUDA_FUNCTION_PREFERRED_CARVEOUT, function));
    CU_ASSERT_EQUAL(value, GRT_CUDA_CARVEOUT_DEFAULT);
    CU_OK(cuda->cuFuncSetAttribute(function, GRT_CUDA_FUNCTION_PREFERRED_CARVEOUT, 50));
    CU_OK(cuda->cuFuncGetAttribute(&value, GRT_CUDA_FUNCTION_PREFERRED_CARVEOUT, function));
    CU_ASSERT_EQUAL(value, 50);
    CU_ASSERT_EQUAL(cuda->cuFuncSetAttribute(function, GRT_CUDA_FUNCTION_PREFERRED_CARVEOUT, 101),
                    GRT_CUDA_INVALID_VALUE);
    close_device();
}

/* ---- launches ---- */

static grt_cuda_result launch(unsigned grid, unsigned threads, unsigned shared) {
    struct grt_kernel_control control = pretend_device_control(&device, grid, 0);
    uint64_t amount = 10;
    void *parameters[] = {&control, &amount};
    return device.cuda.cuLaunchKernel(device.functions[GRT_KERNEL_SPIN_NS], grid, 1, 1, threads, 1, 1, shared,
                                      NULL, parameters, NULL);
}

static void test_launch_misuse(void) {
    pretend_device_describe(&device, 4, 4);
    device.spec.kernels[GRT_KERNEL_SPIN_NS].registers = 255;
    device.spec.device.sm_partitions = 1;
    device.spec.device.registers_per_block = 16384;
    device.spec.device.shared_memory_per_block = 1024;
    pretend_device_open(&device, &grt_engine_model);
    const struct grt_cuda *cuda = &device.cuda;
    struct grt_kernel_control control = pretend_device_control(&device, 1, 0);
    uint64_t amount = 10;
    void *parameters[] = {&control, &amount};
    grt_cuda_function function = device.functions[GRT_KERNEL_SPIN_NS];
    CU_OK(launch(1, 32, 0));
    CU_ASSERT_EQUAL(launch(0, 32, 0), GRT_CUDA_INVALID_VALUE);
    CU_ASSERT_EQUAL(launch(1, 0, 0), GRT_CUDA_INVALID_VALUE);
    CU_ASSERT_EQUAL(launch(1, 129, 0), GRT_CUDA_INVALID_VALUE);
    CU_ASSERT_EQUAL(launch(1, 128, 0), GRT_CUDA_LAUNCH_OUT_OF_RESOURCES); /* 255 registers each */
    CU_ASSERT_EQUAL(launch(1, 32, 1025), GRT_CUDA_INVALID_VALUE);         /* has not opted in */
    CU_ASSERT_EQUAL(cuda->cuLaunchKernel(function, 1, 2, 1, 32, 1, 1, 0, NULL, parameters, NULL),
                    GRT_CUDA_INVALID_VALUE);
    CU_ASSERT_EQUAL(cuda->cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL),
                    GRT_CUDA_INVALID_VALUE);
    CU_ASSERT_EQUAL(
        cuda->cuLaunchKernel(NONSENSE(grt_cuda_function), 1, 1, 1, 32, 1, 1, 0, NULL, parameters, NULL),
        GRT_CUDA_INVALID_HANDLE);
    CU_ASSERT_EQUAL(
        cuda->cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, NONSENSE(grt_cuda_stream), parameters, NULL),
        GRT_CUDA_INVALID_HANDLE);
    amount = UINT64_MAX;
    CU_ASSERT_EQUAL(cuda->cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, NULL, parameters, NULL),
                    GRT_CUDA_NOT_SUPPORTED);
    CU_OK(cuda->cuCtxSynchronize()); /* none of all that has broken anything */
    close_device();
}

/* Each of these kernels would use memory that is not there: nothing works from then on. */
static void test_illegal_addresses(void) {
    for (int which = 0; which < 5; which++) {
        open_small();
        struct grt_kernel_control control = pretend_device_control(&device, 8, 0);
        enum grt_kernel_id id = GRT_KERNEL_SPIN_TABLE;
        uint64_t amount = 0;
        uint32_t local[4] = {0};
        control.first_block = which == 0 ? PRETEND_DEVICE_RECORDS - 7 : 0;
        control.records = which == 1 ? 64 : control.records;
        control.counters = which == 2 ? (uint64_t)(uintptr_t)local : control.counters;
        if (which == 3) {
            amount = PRETEND_DEVICE_RECORDS - 7;
        } else if (which == 4) {
            id = GRT_KERNEL_VADD;
            CU_OK(device.cuda.cuMemFree_v2(device.buffer));
        }
        CU_ASSERT_EQUAL(pretend_device_launch(&device, NULL, id, control, 8, 32, amount),
                        GRT_CUDA_ILLEGAL_ADDRESS);
        CU_ASSERT_EQUAL(device.cuda.cuCtxSynchronize(), GRT_CUDA_ILLEGAL_ADDRESS);
        const char *text;
        CU_OK(device.cuda.cuGetErrorName(GRT_CUDA_ILLEGAL_ADDRESS, &text));
        close_device();
    }
}

/* ---- streams and events ---- */

static void test_stream_misuse(void) {
    open_small();
    const struct grt_cuda *cuda = &device.cuda;
    grt_cuda_stream stream, second;
    CU_ASSERT_EQUAL(cuda->cuStreamCreateWithPriority(&stream, 0, 0), GRT_CUDA_NOT_SUPPORTED);
    CU_ASSERT_EQUAL(cuda->cuStreamCreateWithPriority(&stream, 2, 0), GRT_CUDA_INVALID_VALUE);
    CU_ASSERT_EQUAL(cuda->cuStreamCreateWithPriority(NULL, 1, 0), GRT_CUDA_INVALID_VALUE);
    stream = pretend_device_stream(&device, 0);
    pretend_device_spin(&device, stream, 1, 1000, 0);
    CU_OK(cuda->cuStreamDestroy_v2(stream)); /* what is in it goes on */
    CU_ASSERT_EQUAL(cuda->cuStreamDestroy_v2(stream), GRT_CUDA_INVALID_HANDLE);
    second = pretend_device_stream(&device, 0);
    CU_ASSERT_NOT_EQUAL(second, stream);
    CU_ASSERT_EQUAL(cuda->cuStreamSynchronize(stream), GRT_CUDA_INVALID_HANDLE);
    CU_ASSERT_EQUAL(cuda->cuStreamQuery(second), GRT_CUDA_SUCCESS);
    CU_OK(cuda->cuCtxSynchronize());
    CU_ASSERT_NOT_EQUAL(device.records[0].end_ns, 0);
    for (int i = 0; i < 5000; i++) { /* streams that have ended come back */
        CU_OK(cuda->cuStreamDestroy_v2(pretend_device_stream(&device, -1)));
    }
    close_device();
}

static void test_too_many_streams(void) {
    open_small();
    grt_cuda_stream stream;
    int made = 0;
    while (made < 10000 &&
           device.cuda.cuStreamCreateWithPriority(&stream, GRT_CUDA_STREAM_NON_BLOCKING, 0) == 0) {
        made++;
    }
    CU_ASSERT_TRUE(made >= 64 && made < 10000);
    CU_ASSERT_EQUAL(device.cuda.cuStreamCreateWithPriority(&stream, GRT_CUDA_STREAM_NON_BLOCKING, 0),
                    GRT_CUDA_OUT_OF_MEMORY);
    close_device();
}

static void test_event_misuse(void) {
    open_small();
    const struct grt_cuda *cuda = &device.cuda;
    grt_cuda_event event = pretend_device_event(&device), other = pretend_device_event(&device), untimed;
    grt_cuda_stream stream = pretend_device_stream(&device, 0);
    float elapsed;
    CU_ASSERT_EQUAL(cuda->cuEventCreate(&untimed, 8), GRT_CUDA_INVALID_VALUE);
    CU_OK(cuda->cuEventCreate(&untimed, GRT_CUDA_EVENT_DISABLE_TIMING));
    CU_OK(cuda->cuEventQuery(event)); /* never recorded: nothing to wait for */
    CU_OK(cuda->cuEventSynchronize(event));
    CU_OK(cuda->cuStreamWaitEvent(stream, event, 0));
    CU_ASSERT_EQUAL(cuda->cuStreamWaitEvent(stream, event, 1), GRT_CUDA_INVALID_VALUE);
    CU_ASSERT_EQUAL(cuda->cuEventElapsedTime(&elapsed, event, other), GRT_CUDA_INVALID_HANDLE);
    CU_OK(cuda->cuEventRecord(event, stream));
    pretend_device_spin(&device, stream, 1, 1000, 0);
    CU_OK(cuda->cuEventRecord(other, stream));
    CU_OK(cuda->cuEventRecord(untimed, stream));
    CU_ASSERT_EQUAL(cuda->cuEventElapsedTime(&elapsed, event, other), GRT_CUDA_NOT_READY);
    CU_OK(cuda->cuEventSynchronize(other));
    CU_OK(cuda->cuEventElapsedTime(&elapsed, event, other));
    CU_ASSERT_EQUAL(elapsed, 0.001f);
    CU_ASSERT_EQUAL(cuda->cuEventElapsedTime(&elapsed, event, untimed), GRT_CUDA_INVALID_HANDLE);
    pretend_device_spin(&device, stream, 1, 1000, 0);
    CU_OK(cuda->cuEventRecord(other, stream));
    CU_OK(cuda->cuEventDestroy_v2(other)); /* while it is pending */
    CU_ASSERT_EQUAL(cuda->cuEventQuery(other), GRT_CUDA_INVALID_HANDLE);
    CU_OK(cuda->cuEventQuery(pretend_device_event(&device)));
    CU_OK(cuda->cuStreamSynchronize(stream));
    CU_ASSERT_EQUAL(cuda->cuEventRecord(other, stream), GRT_CUDA_INVALID_HANDLE);
    close_device();
}

/* ---- green contexts ---- */

/* The table of the CUDA Programming Guide, section 4.6: 132 SMs of CC 9.0. */
static void test_splits(void) {
    static const struct {
        unsigned count, least, flags, groups, size, rest;
    } rows[] = {{2, 72, 0, 1, 72, 60}, {6, 11, 0, 6, 16, 36}, {6, 11, 1, 6, 12, 60}, {2, 1, 0, 2, 8, 116}};
    pretend_device_describe(&device, 132, 4);
    device.spec.device.compute_capability = 90;
    pretend_device_open(&device, &grt_engine_model);
    struct grt_cuda_resource all, groups[6], rest;
    CU_OK(device.cuda.cuDeviceGetDevResource(0, &all, GRT_CUDA_RESOURCE_SM));
    CU_ASSERT_EQUAL(all.sm.sm_count, 132);
    CU_ASSERT_EQUAL(all.sm.min_partition_size, 8);
    CU_ASSERT_EQUAL(all.sm.coscheduled_alignment, 8);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        unsigned count = rows[i].count;
        CU_OK(device.cuda.cuDevSmResourceSplitByCount(groups, &count, &all, &rest, rows[i].flags,
                                                      rows[i].least));
        CU_ASSERT_EQUAL(count, rows[i].groups);
        CU_ASSERT_EQUAL(groups[0].sm.sm_count, rows[i].size);
        CU_ASSERT_EQUAL(rest.sm.sm_count, rows[i].rest);
    }
    unsigned count = 0;
    CU_OK(device.cuda.cuDevSmResourceSplitByCount(NULL, &count, &all, NULL, 1, 2));
    CU_ASSERT_EQUAL(count, 66);
    CU_ASSERT_EQUAL(device.cuda.cuDevSmResourceSplitByCount(NULL, &count, &all, NULL, 0, 133),
                    GRT_CUDA_INVALID_RESOURCE_CONFIGURATION);
    CU_ASSERT_EQUAL(device.cuda.cuDevSmResourceSplitByCount(NULL, &count, &groups[0], NULL, 0, 8),
                    GRT_CUDA_INVALID_RESOURCE_CONFIGURATION);
    memset(&rest, 0, sizeof rest);
    CU_ASSERT_EQUAL(device.cuda.cuDevSmResourceSplitByCount(NULL, &count, &rest, NULL, 0, 8),
                    GRT_CUDA_INVALID_RESOURCE_TYPE);
    close_device();
}

static void test_green_misuse(void) {
    open_small();
    const struct grt_cuda *cuda = &device.cuda;
    struct grt_cuda_resource all, groups[2], others[2];
    grt_cuda_description description;
    grt_cuda_green green;
    grt_cuda_stream stream;
    unsigned count = 2, second = 2;
    CU_ASSERT_EQUAL(cuda->cuDeviceGetDevResource(0, &all, 7), GRT_CUDA_INVALID_RESOURCE_TYPE);
    CU_OK(cuda->cuDeviceGetDevResource(0, &all, GRT_CUDA_RESOURCE_SM));
    CU_OK(cuda->cuDevSmResourceSplitByCount(groups, &count, &all, NULL, 0, 2));
    CU_OK(cuda->cuDevSmResourceSplitByCount(others, &second, &all, NULL, 0, 2));
    struct grt_cuda_resource mixed[2] = {groups[0], others[1]}, twice[2] = {groups[0], groups[0]};
    CU_ASSERT_EQUAL(cuda->cuDevResourceGenerateDesc(&description, mixed, 2),
                    GRT_CUDA_INVALID_RESOURCE_CONFIGURATION);
    CU_ASSERT_EQUAL(cuda->cuDevResourceGenerateDesc(&description, twice, 2),
                    GRT_CUDA_INVALID_RESOURCE_CONFIGURATION);
    CU_ASSERT_EQUAL(cuda->cuDevResourceGenerateDesc(&description, groups, 0), GRT_CUDA_INVALID_VALUE);
    CU_OK(cuda->cuDevResourceGenerateDesc(&description, groups, 2));
    CU_ASSERT_EQUAL(cuda->cuGreenCtxCreate(&green, description, 0, 0), GRT_CUDA_INVALID_VALUE);
    CU_ASSERT_EQUAL(cuda->cuGreenCtxCreate(&green, NONSENSE(grt_cuda_description), 0, 1),
                    GRT_CUDA_INVALID_VALUE);
    CU_OK(cuda->cuGreenCtxCreate(&green, description, 0, GRT_CUDA_GREEN_DEFAULT_STREAM));
    CU_OK(cuda->cuGreenCtxGetDevResource(green, &all, GRT_CUDA_RESOURCE_SM));
    CU_ASSERT_EQUAL(all.sm.sm_count, 4);
    CU_ASSERT_EQUAL(cuda->cuGreenCtxStreamCreate(&stream, green, 0, 0), GRT_CUDA_INVALID_VALUE);
    CU_OK(cuda->cuGreenCtxStreamCreate(&stream, green, GRT_CUDA_STREAM_NON_BLOCKING, 0));
    pretend_device_spin(&device, stream, 4, 100, 0);
    CU_OK(cuda->cuGreenCtxDestroy(green));
    CU_ASSERT_EQUAL(cuda->cuStreamSynchronize(stream), GRT_CUDA_INVALID_HANDLE);
    CU_ASSERT_EQUAL(cuda->cuGreenCtxDestroy(green), GRT_CUDA_INVALID_HANDLE);
    CU_ASSERT_EQUAL(cuda->cuGreenCtxStreamCreate(&stream, green, GRT_CUDA_STREAM_NON_BLOCKING, 0),
                    GRT_CUDA_INVALID_HANDLE);
    CU_OK(cuda->cuCtxSynchronize());
    CU_ASSERT_NOT_EQUAL(device.records[3].end_ns, 0);
    close_device();
}

/* ---- faults ---- */

static void test_lost(void) {
    open_small();
    device.spec.faults.lost_at_call = 0;
    close_device();
    for (int64_t call = 30; call < 40; call++) {
        pretend_device_describe(&device, 4, 4);
        device.spec.faults.lost_at_call = call;
        pretend_device_open(&device, &grt_engine_model); /* fewer calls than that */
        int64_t made = 6 + GRT_KERNEL_IDS + 2;           /* from cuInit to cuMemAlloc */
        int value;
        for (; made < call - 1; made++) {
            CU_OK(device.cuda.cuDriverGetVersion(&value));
        }
        CU_ASSERT_EQUAL(device.cuda.cuDriverGetVersion(&value), GRT_CUDA_DEVICE_LOST);
        CU_ASSERT_EQUAL(device.cuda.cuCtxSynchronize(), GRT_CUDA_DEVICE_LOST);
        close_device();
    }
}

static void test_old_drivers(void) {
    pretend_device_describe(&device, 4, 4);
    device.spec.faults.driver_version = 12030;
    pretend_device_open(&device, &grt_engine_model);
    int version;
    CU_OK(device.cuda.cuDriverGetVersion(&version));
    CU_ASSERT_EQUAL(version, 12030);
    CU_ASSERT_PTR_NULL(device.cuda.cuGreenCtxCreate);
    CU_ASSERT_PTR_NOT_NULL(device.cuda.cuDeviceGetUuid_v2);
    CU_ASSERT_PTR_NULL(device.cuda.cuTexObjectCreate);
    close_device();
    device.spec.faults.driver_version = 12080; /* before 13.0 only the number of SMs is told */
    pretend_device_open(&device, &grt_engine_model);
    struct grt_cuda_resource all;
    CU_OK(device.cuda.cuDeviceGetDevResource(0, &all, GRT_CUDA_RESOURCE_SM));
    CU_ASSERT_TRUE(all.sm.sm_count == 4 && all.sm.min_partition_size == 0);
    close_device();
    device.spec.faults.no_green_contexts = true;
    pretend_device_open(&device, &grt_engine_model);
    CU_ASSERT_PTR_NULL(device.cuda.cuDeviceGetDevResource);
    close_device();
}

static void test_stub(void) {
    pretend_device_describe(&device, 4, 4);
    device.spec.faults.stub = true;
    struct grt_errors errors = {0};
    CU_ASSERT_TRUE_FATAL(grt_pretend_open(&device.spec, &grt_engine_model, &device.driver, &errors));
    CU_ASSERT_EQUAL(device.driver.cuda.cuInit(0), GRT_CUDA_STUB_LIBRARY);
    pretend_device_close(&device);
}

/* ---- specifications that make no sense ---- */

static void expect_refusal(const char *part) {
    struct grt_errors errors = {0};
    CU_ASSERT_FALSE(grt_pretend_open(&device.spec, &grt_engine_model, &device.driver, &errors));
    CU_ASSERT_EQUAL_FATAL(errors.count, 1);
    if (strstr(errors.messages[0], part) == NULL) {
        fprintf(stderr, "%s: not in: %s\n", part, errors.messages[0]);
        CU_FAIL("another error was expected");
    }
    grt_errors_clear(&errors);
    pretend_device_describe(&device, 4, 4);
}

static void test_refusals(void) {
    pretend_device_describe(&device, 4, 4);
    device.spec.timer_tick = 0;
    expect_refusal("clock.timer_tick: must be from 1 ns");
    device.spec.timer_drift = 0.5;
    expect_refusal("clock.drift");
    device.spec.timer_offset = -1;
    expect_refusal("clock.offset");
    device.spec.cycles_per_second = 0;
    expect_refusal("clock.cycles");
    device.spec.memory_bytes = 0;
    expect_refusal("memory");
    device.spec.launch_call = -1;
    expect_refusal("calls.launch");
    device.spec.kernels[GRT_KERNEL_FMA].per_unit_ps = -1;
    expect_refusal("kernels.fma.per_unit_ps");
    device.spec.kernels[GRT_KERNEL_FMA].registers = 256;
    expect_refusal("kernels.fma.registers");
    device.spec.kernels[GRT_KERNEL_FMA].noise = (struct grt_distribution){.kind = GRT_NORMAL};
    expect_refusal("kernels.fma.noise");
    device.spec.device.granularity = GRT_GRANULARITY_SHARES;
    expect_refusal("device: must be a device of granularity blocks");
    device.spec.faults.lost_at_call = -1;
    expect_refusal("faults");
}

int main(void) {
    CU_TestInfo tests[] = {
        {"order of calls", test_order},
        {"one at a time", test_one_at_a_time},
        {"device", test_device},
        {"errors", test_errors},
        {"memory", test_memory},
        {"around small memory", test_around_small_memory},
        {"large memory", test_large_memory},
        {"host memory", test_host_memory},
        {"modules", test_modules},
        {"functions", test_functions},
        {"misuse of launches", test_launch_misuse},
        {"illegal addresses", test_illegal_addresses},
        {"misuse of streams", test_stream_misuse},
        {"too many streams", test_too_many_streams},
        {"misuse of events", test_event_misuse},
        {"splits", test_splits},
        {"misuse of green contexts", test_green_misuse},
        {"lost device", test_lost},
        {"old drivers", test_old_drivers},
        {"stub", test_stub},
        {"refusals", test_refusals},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("pretend_driver", tests);
}
