/* A small device of threads: SMs that hold so many blocks of 32 threads at a time, and what the tests of it share. */
#ifndef GRT_TESTS_SUPPORT_THREAD_DEVICE_H
#define GRT_TESTS_SUPPORT_THREAD_DEVICE_H

#include <string.h>

#include "calib/pretend/engine.h"
#include "tests/support/cunit.h"
#include "tests/support/world_builder.h"

enum { THREAD_DEVICE_RECORDS = 1024 };

struct thread_device {
    struct grt_pretend_spec spec;
    const struct grt_engine_ops *ops;
    void *engine;
    uint32_t counters[4];
    struct grt_block_record records[THREAD_DEVICE_RECORDS];
};

/* Its description, to be changed before it is opened. */
static inline void thread_device_describe(struct thread_device *device, int64_t sms, int64_t blocks_per_sm) {
    memset(device, 0, sizeof *device);
    struct grt_pretend_spec *spec = &device->spec;
    spec->device = grt_built_device(sms);
    spec->device.max_threads_per_sm = blocks_per_sm * 32;
    spec->device.copy_engines = 2;
    spec->device.h2d_bytes_per_second = spec->device.d2h_bytes_per_second = 250000000;
    spec->device.memory_bytes_per_second = 250000000;
    spec->timer_tick = spec->event_tick = 1;
    spec->cycles_per_second = 1000000000;
    for (size_t i = 0; i < GRT_KERNEL_IDS; i++) {
        spec->kernels[i] = (struct grt_pretend_kernel){.registers = 16, .per_unit_ps = 1000};
    }
}

static inline void thread_device_open(struct thread_device *device) {
    struct grt_errors errors = {0};
    device->ops = &grt_engine_threads;
    device->engine = device->ops->create(&device->spec, &errors);
    CU_ASSERT_EQUAL(errors.count, 0);
    CU_ASSERT_PTR_NOT_NULL_FATAL(device->engine);
}

static inline uint32_t thread_device_stream(struct thread_device *device, int priority, const uint64_t *sms) {
    uint32_t stream = UINT32_MAX;
    CU_ASSERT_TRUE_FATAL(device->ops->stream(device->engine, priority, sms, &stream));
    return stream;
}

static inline uint32_t thread_device_event(struct thread_device *device) {
    uint32_t event = UINT32_MAX;
    CU_ASSERT_TRUE_FATAL(device->ops->event(device->engine, &event));
    return event;
}

/* A kernel of `blocks` blocks that take `amount` ns each, with records from `first` on. */
static inline struct grt_engine_kernel thread_device_kernel(struct thread_device *device, uint32_t blocks,
                                                            grt_time amount, uint32_t first) {
    struct grt_engine_kernel kernel = {.spec = &device->spec.kernels[GRT_KERNEL_SPIN_NS],
                                       .id = GRT_KERNEL_SPIN_NS,
                                       .amount = (uint64_t)amount,
                                       .blocks = blocks,
                                       .threads = 32};
    kernel.control = (struct grt_kernel_control){.records = (uint64_t)(uintptr_t)(device->records + first),
                                                 .counters = (uint64_t)(uintptr_t)device->counters,
                                                 .block_count = blocks,
                                                 .record_every = 1};
    return kernel;
}

static inline void thread_device_launch(struct thread_device *device, uint32_t stream, uint32_t blocks,
                                        grt_time amount, uint32_t first) {
    struct grt_engine_kernel kernel = thread_device_kernel(device, blocks, amount, first);
    device->ops->kernel(device->engine, stream, &kernel);
}

static inline void thread_device_clear(struct thread_device *device) {
    memset(device->records, 0, sizeof device->records);
    memset(device->counters, 0, sizeof device->counters);
}

static inline uint64_t thread_device_first_start(const struct grt_block_record *records, uint32_t count) {
    uint64_t first = UINT64_MAX;
    for (uint32_t i = 0; i < count; i++) {
        first = records[i].start_ns < first ? records[i].start_ns : first;
    }
    return first;
}

static inline uint64_t thread_device_last_end(const struct grt_block_record *records, uint32_t count) {
    uint64_t last = 0;
    for (uint32_t i = 0; i < count; i++) {
        last = records[i].end_ns > last ? records[i].end_ns : last;
    }
    return last;
}

/* How many blocks an SM had at a time, at most: at the start of one of them. */
static inline uint32_t thread_device_most(const struct grt_block_record *records, uint32_t count,
                                          uint32_t sm) {
    uint32_t most = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t resident = 0;
        for (uint32_t j = 0; j < count && records[i].sm == sm; j++) {
            resident += records[j].sm == sm && records[j].start_ns <= records[i].start_ns &&
                        records[i].start_ns < records[j].end_ns;
        }
        most = resident > most ? resident : most;
    }
    return most;
}

#endif
