/* The memory of a bench. */
#include <stdlib.h>
#include <string.h>

#include "calib/bench/internal.h"
#include "sim/memory.h"

#define MEBIBYTE ((size_t)1 << 20)
enum { USUAL_BUFFER = 256, PRETENDED_BUFFER = 4, LEAST_BUFFER = 1 }; /* MiB */
enum {
    USUAL_RECORDS = 65536,
    USUAL_TABLE = 65536,
    PRETENDED_FLUSH = 4096, /* bytes: there is no cache */
    SHARE = 16              /* of the device's memory is a buffer at most */
};

static size_t power_of_two(size_t most) {
    size_t power = 1;
    while (power <= most / 2) {
        power *= 2;
    }
    return power;
}

/* The buffers of a slot: three of the device, two of the host. */
static grt_cuda_result allocate_slot(struct grt_bench *bench, size_t slot) {
    grt_cuda_address *buffers[] = {&bench->first[slot], &bench->second[slot], &bench->out[slot]};
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++) {
        grt_cuda_result result = bench->cuda->cuMemAlloc_v2(buffers[i], bench->buffer_bytes);
        if (result != GRT_CUDA_SUCCESS) {
            *buffers[i] = 0;
            return result;
        }
    }
    grt_cuda_result result =
        bench->cuda->cuMemHostAlloc(&bench->pinned[slot], bench->buffer_bytes, GRT_CUDA_HOST_ALLOC_PORTABLE);
    if (result != GRT_CUDA_SUCCESS) {
        bench->pinned[slot] = NULL;
    }
    return result;
}

static void free_slot(struct grt_bench *bench, size_t slot) {
    grt_cuda_address *buffers[] = {&bench->first[slot], &bench->second[slot], &bench->out[slot]};
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++) {
        if (*buffers[i]) {
            bench->cuda->cuMemFree_v2(*buffers[i]);
        }
        *buffers[i] = 0;
    }
    if (bench->pinned[slot]) {
        bench->cuda->cuMemFreeHost(bench->pinned[slot]);
    }
    bench->pinned[slot] = NULL;
}

/* With half as much where that is too much. */
static bool allocate_buffers(struct grt_bench *bench) {
    for (;; bench->buffer_bytes /= 2) {
        grt_cuda_result result = allocate_slot(bench, 0);
        if (result == GRT_CUDA_SUCCESS) {
            result = allocate_slot(bench, 1);
        }
        if (result == GRT_CUDA_SUCCESS) {
            return true;
        }
        free_slot(bench, 0);
        free_slot(bench, 1);
        if (result != GRT_CUDA_OUT_OF_MEMORY || bench->buffer_bytes <= LEAST_BUFFER * MEBIBYTE) {
            return grt_bench_check(bench, result, "cuMemAlloc_v2");
        }
    }
}

/* Random floats from 0 to 1: values matter to power, and so to clocks. */
static void fill(float *values, size_t count) {
    uint64_t state = 88172645463325252u; /* xorshift64 (Marsaglia, JSS 2003) */
    for (size_t i = 0; i < count; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        values[i] = (float)(state >> 40) / (float)(1 << 24);
    }
}

/* Where time is simulated nothing depends on them: they stay as they are, and most of their pages are never had from the system. */
static bool fill_slot(struct grt_bench *bench, size_t slot) {
    float *values = bench->pinned[slot];
    size_t bytes = bench->buffer_bytes;
    bench->pageable[slot] = grt_allocate(bytes);
    if (bench->simulated) {
        return true;
    }
    fill(values, bytes / sizeof *values);
    memcpy(bench->pageable[slot], values, bytes);
    return CALL(bench, cuMemcpyHtoD_v2, bench->first[slot], values, bytes) &&
           CALL(bench, cuMemcpyHtoD_v2, bench->second[slot], values, bytes) &&
           CALL(bench, cuMemcpyHtoD_v2, bench->out[slot], values, bytes);
}

/* The texture kernel does without where there are none. */
static void make_texture(struct grt_bench *bench, size_t slot) {
    if (!bench->cuda->cuTexObjectCreate || !bench->cuda->cuTexObjectDestroy) {
        return;
    }
    size_t most =
        ((size_t)1 << 27) *
        sizeof(float); /* CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH is 2^27 texels at least */
    struct grt_cuda_texture_memory memory = {.type = GRT_CUDA_RESOURCE_LINEAR};
    memory.linear.address = bench->first[slot];
    memory.linear.format = GRT_CUDA_FORMAT_FLOAT;
    memory.linear.channels = 1;
    memory.linear.bytes = bench->buffer_bytes < most ? bench->buffer_bytes : most;
    struct grt_cuda_texture_access access = {.flags = 0};
    if (bench->cuda->cuTexObjectCreate(&bench->textures[slot], &memory, &access, NULL) != GRT_CUDA_SUCCESS) {
        bench->textures[slot] = 0;
    }
}

static bool allocate_mapped(struct grt_bench *bench, size_t bytes, void **host, grt_cuda_address *device) {
    if (!CALL(bench, cuMemHostAlloc, host, bytes,
              GRT_CUDA_HOST_ALLOC_MAPPED | GRT_CUDA_HOST_ALLOC_PORTABLE)) {
        *host = NULL;
        return false;
    }
    if (*host == NULL) {
        grt_bench_lose(bench, "cuMemHostAlloc: the driver gave no memory, and no error");
        return false;
    }
    if (!bench->pretends) { /* whose memory has zeros, and whose pages most runs never need */
        memset(*host, 0, bytes);
    }
    return CALL(bench, cuMemHostGetDevicePointer_v2, device, *host, 0);
}

static bool allocate_device(struct grt_bench *bench, size_t bytes, grt_cuda_address *address) {
    if (CALL(bench, cuMemAlloc_v2, address, bytes)) {
        return true;
    }
    *address = 0;
    return false;
}

static bool allocate_rest(struct grt_bench *bench) {
    size_t records = (size_t)bench->record_count + OWN_RECORDS, bytes = records * sizeof *bench->fetched;
    bench->flush_bytes = 2 * (size_t)bench->device.l2_bytes;
    if (bench->pretends && bench->flush_bytes > PRETENDED_FLUSH) {
        bench->flush_bytes = PRETENDED_FLUSH;
    }
    bench->flush_bytes = (bench->flush_bytes + 4) / 4 * 4;
    void *fetched = NULL, *table = NULL, *flags = NULL;
    bool done =
        allocate_device(bench, bench->flush_bytes, &bench->flush) &&
        allocate_device(bench, bytes, &bench->records) &&
        allocate_device(bench, COUNTER_SETS * COUNTERS * sizeof(uint32_t), &bench->counters) &&
        CALL(bench, cuMemHostAlloc, &fetched, bytes, GRT_CUDA_HOST_ALLOC_PORTABLE) &&
        allocate_mapped(bench, bench->table_count * sizeof *bench->table, &table, &bench->table_address) &&
        allocate_mapped(bench, GENERATIONS * sizeof *bench->flags, &flags, &bench->flags_address);
    bench->fetched = fetched;
    bench->table = table;
    bench->flags = flags;
    grt_cuda_stream own = bench->streams[OWN_STREAM].handle;
    return done && CALL(bench, cuMemsetD32Async, bench->counters, 0, (size_t)COUNTER_SETS * COUNTERS, own) &&
           CALL(bench, cuMemsetD32Async, bench->records, 0, bytes / 4, own) &&
           CALL(bench, cuStreamSynchronize, own);
}

bool grt_bench_allocate(struct grt_bench *bench, const struct grt_bench_options *options) {
    size_t most = (size_t)bench->device.memory_bytes / SHARE;
    size_t wanted = options->buffer_bytes;
    if (wanted == 0) {
        wanted = (bench->pretends ? PRETENDED_BUFFER : USUAL_BUFFER) * MEBIBYTE;
    }
    wanted = wanted < most ? wanted : most;
    bench->buffer_bytes = power_of_two(wanted > LEAST_BUFFER * MEBIBYTE ? wanted : LEAST_BUFFER * MEBIBYTE);
    bench->record_count = options->record_count ? options->record_count : USUAL_RECORDS;
    bench->table_count = options->table_count ? options->table_count : USUAL_TABLE;
    if (!allocate_buffers(bench)) {
        return false;
    }
    for (size_t bytes = bench->buffer_bytes / sizeof(float); bytes > 1; bytes /= 2) {
        bench->buffer_log2++;
    }
    for (size_t slot = 0; slot < SLOTS; slot++) {
        if (!fill_slot(bench, slot)) {
            return false;
        }
        make_texture(bench, slot);
    }
    return allocate_rest(bench);
}

void grt_bench_free(struct grt_bench *bench) {
    grt_cuda_address device[] = {bench->flush, bench->records, bench->counters};
    void *host[] = {bench->fetched, bench->table, bench->flags};
    for (size_t slot = 0; slot < SLOTS; slot++) {
        if (bench->textures[slot]) {
            bench->cuda->cuTexObjectDestroy(bench->textures[slot]);
        }
        free_slot(bench, slot);
        free(bench->pageable[slot]);
    }
    for (size_t i = 0; i < sizeof device / sizeof device[0]; i++) {
        if (device[i]) {
            bench->cuda->cuMemFree_v2(device[i]);
        }
    }
    for (size_t i = 0; i < sizeof host / sizeof host[0]; i++) {
        if (host[i]) {
            bench->cuda->cuMemFreeHost(host[i]);
        }
    }
}
