/* What a device says about itself. */
#include <stdio.h>
#include <string.h>

#include "calib/bench/internal.h"

static const struct attribute {
    enum grt_cuda_attribute number;
    size_t offset; /* of an int in struct grt_bench_device */
    int unit;
} attributes[] = {
    {GRT_CUDA_MULTIPROCESSOR_COUNT, offsetof(struct grt_bench_device, sm_count), 1},
    {GRT_CUDA_WARP_SIZE, offsetof(struct grt_bench_device, warp_size), 1},
    {GRT_CUDA_MAX_THREADS_PER_BLOCK, offsetof(struct grt_bench_device, max_threads_per_block), 1},
    {GRT_CUDA_MAX_THREADS_PER_MULTIPROCESSOR, offsetof(struct grt_bench_device, max_threads_per_sm), 1},
    {GRT_CUDA_MAX_BLOCKS_PER_MULTIPROCESSOR, offsetof(struct grt_bench_device, max_blocks_per_sm), 1},
    {GRT_CUDA_MAX_REGISTERS_PER_MULTIPROCESSOR, offsetof(struct grt_bench_device, registers_per_sm), 1},
    {GRT_CUDA_MAX_REGISTERS_PER_BLOCK, offsetof(struct grt_bench_device, registers_per_block), 1},
    {GRT_CUDA_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, offsetof(struct grt_bench_device, shared_memory_per_sm),
     1},
    {GRT_CUDA_MAX_SHARED_MEMORY_PER_BLOCK, offsetof(struct grt_bench_device, shared_memory_per_block), 1},
    {GRT_CUDA_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN,
     offsetof(struct grt_bench_device, shared_memory_per_block_opt_in), 1},
    {GRT_CUDA_RESERVED_SHARED_MEMORY_PER_BLOCK, offsetof(struct grt_bench_device, shared_memory_reserved), 1},
    {GRT_CUDA_L2_CACHE_SIZE, offsetof(struct grt_bench_device, l2_bytes), 1},
    {GRT_CUDA_ASYNC_ENGINE_COUNT, offsetof(struct grt_bench_device, async_engines), 1},
    {GRT_CUDA_CLOCK_RATE, offsetof(struct grt_bench_device, core_khz), 1},
    {GRT_CUDA_MEMORY_CLOCK_RATE, offsetof(struct grt_bench_device, memory_khz), 1},
    {GRT_CUDA_MEMORY_BUS_WIDTH, offsetof(struct grt_bench_device, memory_bus_bits), 1},
    {GRT_CUDA_INTEGRATED, offsetof(struct grt_bench_device, integrated), 1},
    {GRT_CUDA_COMPUTE_CAPABILITY_MAJOR, offsetof(struct grt_bench_device, compute_capability), 10},
    {GRT_CUDA_COMPUTE_CAPABILITY_MINOR, offsetof(struct grt_bench_device, compute_capability), 1},
};

/* What a driver does not know stays 0: drivers differ in their attributes. */
static void ask_attributes(struct grt_bench *bench) {
    for (size_t i = 0; i < sizeof attributes / sizeof attributes[0]; i++) {
        int value = 0, sum;
        if (bench->cuda->cuDeviceGetAttribute(&value, (int)attributes[i].number, bench->number) !=
            GRT_CUDA_SUCCESS) {
            continue;
        }
        char *field = (char *)&bench->device + attributes[i].offset;
        memcpy(&sum, field, sizeof sum);
        sum += value * attributes[i].unit;
        memcpy(field, &sum, sizeof sum);
    }
}

static void ask_uuid(struct grt_bench *bench) {
    grt_cuda_uuid uuid;
    if (!bench->cuda->cuDeviceGetUuid_v2 ||
        bench->cuda->cuDeviceGetUuid_v2(&uuid, bench->number) != GRT_CUDA_SUCCESS) {
        return;
    }
    char *text = bench->device.uuid;
    size_t size = sizeof bench->device.uuid, length = (size_t)snprintf(text, size, "GPU");
    for (size_t i = 0; i < sizeof uuid.bytes; i++) {
        length += (size_t)snprintf(text + length, size - length, "%s%02x",
                                   i == 0 || i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", uuid.bytes[i]);
    }
}

/* The sizes that partitions can have, as a split into the smallest groups shows. */
static void ask_partitions(struct grt_bench *bench) {
    const struct grt_cuda *cuda = bench->cuda;
    struct grt_cuda_resource all = {0}, group = {0}, rest = {0};
    unsigned count = 1;
    if (!cuda->cuDeviceGetDevResource || !cuda->cuDevSmResourceSplitByCount ||
        !cuda->cuDevResourceGenerateDesc || !cuda->cuGreenCtxCreate || !cuda->cuGreenCtxDestroy ||
        !cuda->cuGreenCtxGetDevResource || !cuda->cuGreenCtxStreamCreate) {
        return;
    }
    if (cuda->cuDeviceGetDevResource(bench->number, &all, GRT_CUDA_RESOURCE_SM) != GRT_CUDA_SUCCESS ||
        cuda->cuDevSmResourceSplitByCount(&group, &count, &all, &rest, GRT_CUDA_SPLIT_IGNORE_COSCHEDULING,
                                          1) != GRT_CUDA_SUCCESS ||
        count != 1) {
        return;
    }
    bench->device.partition_least = bench->device.partition_step = (int)group.sm.sm_count;
}

bool grt_bench_ask_device(struct grt_bench *bench) {
    struct grt_bench_device *device = &bench->device;
    size_t memory = 0;
    ask_attributes(bench); /* a driver need not know all of them; calls that have to succeed come after */
    if (!CALL(bench, cuDeviceGetName, device->name, GRT_BENCH_NAME_SIZE, bench->number) ||
        !CALL(bench, cuDeviceGetPCIBusId, device->bus_id, GRT_BENCH_UUID_SIZE, bench->number) ||
        !CALL(bench, cuDriverGetVersion, &device->driver_version) ||
        !CALL(bench, cuDeviceTotalMem_v2, &memory, bench->number) ||
        !CALL(bench, cuCtxGetStreamPriorityRange, &device->priority_least, &device->priority_greatest)) {
        return false;
    }
    device->name[GRT_BENCH_NAME_SIZE - 1] = '\0';
    device->memory_bytes = (int64_t)memory;
    ask_uuid(bench);
    ask_partitions(bench);
    if (device->sm_count >= 1 && device->sm_count <= UINT16_MAX) {
        return true;
    }
    grt_error_add(bench->errors, NULL, "device %s: %d SMs are not possible", device->name, device->sm_count);
    bench->lost = true;
    return false;
}
