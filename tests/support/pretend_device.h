/* A pretended device behind the driver's interface, with a context, the kernels' module and page-locked memory for records: what the tests of the driver share. */
#ifndef GRT_TESTS_SUPPORT_PRETEND_DEVICE_H
#define GRT_TESTS_SUPPORT_PRETEND_DEVICE_H

#include <string.h>

#include "calib/pretend/pretend.h"
#include "tests/support/cunit.h"
#include "tests/support/world_builder.h"

enum { PRETEND_DEVICE_RECORDS = 4096 };

struct pretend_device {
    struct grt_pretend_spec spec;
    struct grt_driver driver;
    struct grt_cuda cuda; /* the driver's */
    grt_cuda_context context;
    grt_cuda_module module;
    grt_cuda_function functions[GRT_KERNEL_IDS];
    struct grt_block_record *records;
    uint32_t *counters; /* four, then `ready` and `go` */
    uint64_t *table;    /* of SPIN_TABLE, as long as the records */
    grt_cuda_address buffer;
};

#define CU_OK(call) CU_ASSERT_EQUAL_FATAL((call), GRT_CUDA_SUCCESS)

/* A device of so many SMs, two to a TPC, of which each holds so many blocks of 32 threads; copies of n bytes take n ns. To be changed before it is opened. */
static inline void pretend_device_describe(struct pretend_device *device, int64_t sms,
                                           int64_t blocks_per_sm) {
    memset(device, 0, sizeof *device);
    struct grt_device made = grt_built_device(sms);
    made.sms_per_tpc = 2;
    made.max_threads_per_sm = blocks_per_sm * 32;
    made.max_threads_per_block = 32 * blocks_per_sm < 1024 ? 32 * blocks_per_sm : 1024;
    made.copy_engines = 2;
    made.priority_levels = 3;
    made.pageable_percent = 50;
    grt_pretend_default(&made, &device->spec);
    for (int id = 0; id < GRT_KERNEL_IDS; id++) {
        device->spec.kernels[id].registers = 0;
        device->spec.kernels[id].shared_bytes = 0;
    }
}

static inline void *pretend_device_pinned(struct pretend_device *device, size_t bytes) {
    void *memory = NULL;
    CU_OK(device->cuda.cuMemHostAlloc(&memory, bytes, GRT_CUDA_HOST_ALLOC_MAPPED));
    return memory;
}

static inline void pretend_device_open(struct pretend_device *device, const struct grt_engine_ops *engine) {
    struct grt_errors errors = {0};
    bool is_open = grt_pretend_open(&device->spec, engine, &device->driver, &errors);
    grt_errors_print(&errors, stderr, "");
    CU_ASSERT_TRUE_FATAL(is_open);
    device->cuda = device->driver.cuda;
    const struct grt_cuda *cuda = &device->cuda;
    CU_OK(cuda->cuInit(0));
    CU_OK(cuda->cuDevicePrimaryCtxRetain(&device->context, 0));
    CU_OK(cuda->cuCtxSetCurrent(device->context));
    CU_OK(cuda->cuModuleLoadData(&device->module, grt_kernels_ptx()));
    for (int id = 0; id < GRT_KERNEL_IDS; id++) {
        CU_OK(cuda->cuModuleGetFunction(&device->functions[id], device->module, grt_kernel_kinds[id].symbol));
    }
    device->records = pretend_device_pinned(device, PRETEND_DEVICE_RECORDS * sizeof *device->records);
    device->table = pretend_device_pinned(device, PRETEND_DEVICE_RECORDS * sizeof *device->table);
    device->counters = pretend_device_pinned(device, 6 * sizeof *device->counters);
    CU_OK(cuda->cuMemAlloc_v2(&device->buffer, 1 << 16));
}

static inline void pretend_device_close(struct pretend_device *device) {
    device->driver.close(&device->driver);
}

static inline grt_cuda_stream pretend_device_stream(struct pretend_device *device, int priority) {
    grt_cuda_stream stream = NULL;
    CU_OK(device->cuda.cuStreamCreateWithPriority(&stream, GRT_CUDA_STREAM_NON_BLOCKING, priority));
    return stream;
}

static inline grt_cuda_event pretend_device_event(struct pretend_device *device) {
    grt_cuda_event event = NULL;
    CU_OK(device->cuda.cuEventCreate(&event, GRT_CUDA_EVENT_DEFAULT));
    return event;
}

/* The control of a launch whose logical block b leaves record `first_record` + b. */
static inline struct grt_kernel_control pretend_device_control(const struct pretend_device *device,
                                                               uint32_t blocks, uint32_t first_record) {
    return (struct grt_kernel_control){.records = (uint64_t)(uintptr_t)(device->records + first_record),
                                       .counters = (uint64_t)(uintptr_t)device->counters,
                                       .block_count = blocks,
                                       .record_every = 1,
                                       .buffer_log2 = 14};
}

/* Launches a grid of so many blocks of any kernel. */
static inline grt_cuda_result pretend_device_launch(struct pretend_device *device, grt_cuda_stream stream,
                                                    enum grt_kernel_id id, struct grt_kernel_control control,
                                                    uint32_t grid, uint32_t threads, uint64_t amount) {
    uint64_t buffer = device->buffer, table = (uint64_t)(uintptr_t)device->table, none = 0;
    uint64_t ready = (uint64_t)(uintptr_t)&device->counters[4],
             go = (uint64_t)(uintptr_t)&device->counters[5];
    void *layouts[][6] = {
        [GRT_PARAMETERS_AMOUNT] = {&control, &amount},
        [GRT_PARAMETERS_IN_OUT] = {&control, &buffer, &buffer, &amount},
        [GRT_PARAMETERS_TWO_IN_OUT] = {&control, &buffer, &buffer, &buffer, &amount},
        [GRT_PARAMETERS_FLAGS] = {&control, &ready, &go, &amount},
        [GRT_PARAMETERS_OUT] = {&control, &buffer, &amount},
        [GRT_PARAMETERS_TEXTURE] = {&control, &none, &buffer, &buffer, &amount},
        [GRT_PARAMETERS_TABLE] = {&control, &table, &amount},
    };
    return device->cuda.cuLaunchKernel(device->functions[id], grid, 1, 1, threads, 1, 1, 0, stream,
                                       layouts[grt_kernel_kinds[id].parameters], NULL);
}

/* A kernel that spins for `time` ns in each of its blocks of 32 threads. */
static inline void pretend_device_spin(struct pretend_device *device, grt_cuda_stream stream, uint32_t blocks,
                                       grt_time time, uint32_t first_record) {
    CU_OK(pretend_device_launch(device, stream, GRT_KERNEL_SPIN_NS,
                                pretend_device_control(device, blocks, first_record), blocks, 32,
                                (uint64_t)time));
}

static inline grt_time pretend_device_now(struct pretend_device *device) {
    return device->driver.clock.now(device->driver.clock.state);
}

static inline void pretend_device_idle(struct pretend_device *device, grt_time until) {
    device->driver.clock.idle(device->driver.clock.state, until);
}

#endif
