/* Memory of a pretended driver, all of it this process's own, and what fills and copies it. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "calib/pretend/driver_internal.h"
#include "sim/memory.h"

enum {
    ALIGNMENT = 256,
    LARGE = 1 << 20,
    GUARD = 1 << 16 /* a page, as large as any */
};

#ifdef GRT_SANITIZED
#include <sanitizer/asan_interface.h>

/* From here on the sanitizer reports whoever touches these bytes. */
static void forbid(const unsigned char *start, size_t bytes) {
    __asan_poison_memory_region(start, bytes);
}

/* Keeps the place of this memory, so that nobody has it again: the processor sees whoever touches it. */
static void unmap(unsigned char *memory, size_t bytes) {
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE;
    if (mmap(memory, bytes, PROT_NONE, flags, -1, 0) == MAP_FAILED) {
        __asan_unpoison_memory_region(memory, bytes); /* else marks would outlive it */
        munmap(memory, bytes);
    }
}
#else
static void forbid(const unsigned char *start, size_t bytes) {
    (void)start;
    (void)bytes;
}

static void unmap(unsigned char *memory, size_t bytes) {
    munmap(memory, bytes);
}
#endif

/* The bytes that large memory takes: whole pages, and one in front of them and one behind them that nobody may touch. */
static size_t mapped_bytes(size_t bytes) {
    return (bytes + GUARD - 1) / GUARD * GUARD + 2 * GUARD;
}

static unsigned char *map(size_t bytes) {
    size_t whole = mapped_bytes(bytes);
    unsigned char *memory = mmap(NULL, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        return NULL;
    }
    if (mprotect(memory + GUARD, whole - 2 * GUARD, PROT_READ | PROT_WRITE) != 0) {
        munmap(memory, whole);
        return NULL;
    }
    return memory;
}

/* Takes the memory of an allocation whose bytes are set; zeroed. What is large is the system's own to give, page by page, once it is used: an allocator that keeps
 * notes of every byte, as the address sanitizer's, would be busy with those. It ends where the guard begins, as far as the alignment allows. False where there
 * is none. */
static bool take(struct pretend_allocation *allocation) {
    size_t bytes = allocation->bytes;
    if (bytes > SIZE_MAX / 2) {
        return false;
    }
    bool large = bytes >= LARGE;
    size_t whole = large ? mapped_bytes(bytes) - 2 * GUARD : bytes + ALIGNMENT;
    allocation->memory = large ? map(bytes) : calloc(1, whole);
    if (allocation->memory == NULL) {
        return false;
    }
    unsigned char *usable = allocation->memory + (large ? GUARD : 0);
    size_t skipped =
        large ? (whole - bytes) / ALIGNMENT * ALIGNMENT : ALIGNMENT - (uintptr_t)usable % ALIGNMENT;
    allocation->start = usable + skipped;
    forbid(usable, skipped);
    forbid(allocation->start + bytes, whole - skipped - bytes);
    return true;
}

static void give_back(const struct pretend_allocation *allocation) {
    if (allocation->bytes < LARGE) {
        free(allocation->memory);
    } else {
        unmap(allocation->memory, mapped_bytes(allocation->bytes));
    }
}

static grt_cuda_result allocate(struct pretend *pretend, size_t bytes, bool host, void **start) {
    if (bytes == 0) {
        return GRT_CUDA_INVALID_VALUE;
    }
    if (!host && (bytes > (size_t)pretend->spec->memory_bytes ||
                  (int64_t)bytes > pretend->spec->memory_bytes - pretend->device_bytes)) {
        return GRT_CUDA_OUT_OF_MEMORY;
    }
    struct pretend_allocation allocation = {.bytes = bytes, .host = host};
    if (!take(&allocation)) {
        return GRT_CUDA_OUT_OF_MEMORY;
    }
    uint32_t place = pretend->allocation_count++;
    pretend->allocations = grt_array_grow(pretend->allocations, &pretend->allocation_capacity,
                                          pretend->allocation_count, sizeof *pretend->allocations);
    pretend->allocations[place] = allocation;
    pretend->device_bytes += host ? 0 : (int64_t)bytes;
    *start = allocation.start;
    return GRT_CUDA_SUCCESS;
}

const struct pretend_allocation *pretend_memory_of(const struct pretend *pretend, const void *start,
                                                   size_t bytes) {
    uintptr_t from = (uintptr_t)start;
    for (uint32_t i = 0; i < pretend->allocation_count; i++) {
        const struct pretend_allocation *allocation = &pretend->allocations[i];
        uintptr_t begin = (uintptr_t)allocation->start;
        if (from >= begin && from - begin <= allocation->bytes &&
            bytes <= allocation->bytes - (from - begin)) {
            return allocation;
        }
    }
    return NULL;
}

/* Frees what begins there, once the device does nothing more: the call synchronises. */
static grt_cuda_result release(struct pretend *pretend, const void *start, bool host) {
    for (uint32_t i = 0; i < pretend->allocation_count; i++) {
        struct pretend_allocation *allocation = &pretend->allocations[i];
        if (allocation->start == start && allocation->host == host) {
            pretend->ops->wait_all(pretend->engine);
            pretend->device_bytes -= host ? 0 : (int64_t)allocation->bytes;
            give_back(allocation);
            *allocation = pretend->allocations[--pretend->allocation_count];
            return GRT_CUDA_SUCCESS;
        }
    }
    return GRT_CUDA_INVALID_VALUE;
}

void pretend_memory_free_all(struct pretend *pretend) {
    for (uint32_t i = 0; i < pretend->allocation_count; i++) {
        give_back(&pretend->allocations[i]);
    }
    free(pretend->allocations);
}

grt_cuda_result PRETEND(cuMemAlloc_v2)(grt_cuda_address *address, size_t bytes) {
    PRETEND_ENTER(pretend, GRT_ENGINE_CALL_OTHER, PRETEND_CONTEXT);
    void *start = NULL;
    grt_cuda_result result =
        address != NULL ? allocate(pretend, bytes, false, &start) : GRT_CUDA_INVALID_VALUE;
    if (result == GRT_CUDA_SUCCESS) {
        *address = (grt_cuda_address)(uintptr_t)start;
    }
    return result;
}

grt_cuda_result PRETEND(cuMemFree_v2)(grt_cuda_address address) {
    PRETEND_ENTER(pretend, GRT_ENGINE_CALL_OTHER, PRETEND_CONTEXT);
    return address == 0 ? GRT_CUDA_SUCCESS : release(pretend, (const void *)(uintptr_t)address, false);
}

grt_cuda_result PRETEND(cuMemHostAlloc)(void **address, size_t bytes, unsigned flags) {
    PRETEND_ENTER(pretend, GRT_ENGINE_CALL_OTHER, PRETEND_CONTEXT);
    const unsigned known = GRT_CUDA_HOST_ALLOC_PORTABLE | GRT_CUDA_HOST_ALLOC_MAPPED;
    return address != NULL && (flags & ~known) == 0 ? allocate(pretend, bytes, true, address)
                                                    : GRT_CUDA_INVALID_VALUE;
}

grt_cuda_result PRETEND(cuMemFreeHost)(void *address) {
    PRETEND_ENTER(pretend, GRT_ENGINE_CALL_OTHER, PRETEND_CONTEXT);
    return address == NULL ? GRT_CUDA_SUCCESS : release(pretend, address, true);
}

grt_cuda_result PRETEND(cuMemHostGetDevicePointer_v2)(grt_cuda_address *device, void *host, unsigned flags) {
    PRETEND_ENTER(pretend, GRT_ENGINE_CALL_OTHER, PRETEND_CONTEXT);
    const struct pretend_allocation *allocation = pretend_memory_of(pretend, host, 1);
    if (device == NULL || flags != 0 || allocation == NULL || !allocation->host) {
        return GRT_CUDA_INVALID_VALUE;
    }
    *device = (grt_cuda_address)(uintptr_t)host;
    return GRT_CUDA_SUCCESS;
}

/* ---- copies ---- */

/* Whether the device's ends of a transfer are the device's memory, or the host's that it can see. */
static bool is_memory(const struct pretend *pretend, const struct grt_engine_transfer *transfer) {
    bool to = transfer->kind == GRT_ENGINE_D2H
                  ? transfer->to != NULL
                  : pretend_memory_of(pretend, transfer->to, transfer->bytes) != NULL;
    if (transfer->kind == GRT_ENGINE_MEMSET) {
        return to;
    }
    return to && (transfer->kind == GRT_ENGINE_H2D
                      ? transfer->from != NULL
                      : pretend_memory_of(pretend, transfer->from, transfer->bytes) != NULL);
}

/* Page-locked memory is what was allocated as such. */
static bool is_pageable(const struct pretend *pretend, const struct grt_engine_transfer *transfer) {
    const void *host = transfer->kind == GRT_ENGINE_H2D ? transfer->from : transfer->to;
    return transfer->kind <= GRT_ENGINE_D2H && pretend_memory_of(pretend, host, transfer->bytes) == NULL;
}

/* `sync`: the call returns once it is done. Those of pageable memory do so, too, but for short ones to the device. */
static grt_cuda_result copy(struct pretend *pretend, grt_cuda_stream stream,
                            struct grt_engine_transfer transfer, bool sync) {
    uint32_t number;
    if (!pretend_stream_of(pretend, stream, &number)) {
        return GRT_CUDA_INVALID_HANDLE;
    }
    if (transfer.bytes == 0) {
        return GRT_CUDA_SUCCESS;
    }
    if (!is_memory(pretend, &transfer)) {
        return GRT_CUDA_INVALID_VALUE;
    }
    transfer.pageable = is_pageable(pretend, &transfer);
    bool early = transfer.kind == GRT_ENGINE_H2D && transfer.pageable &&
                 (int64_t)transfer.bytes <= pretend->spec->device.early_return_bytes;
    pretend->ops->transfer(pretend->engine, number, &transfer);
    if ((sync || transfer.pageable) && !early) {
        pretend->ops->wait_stream(pretend->engine, number);
    }
    return GRT_CUDA_SUCCESS;
}

#define AT(address) ((void *)(uintptr_t)(address))

grt_cuda_result PRETEND(cuMemcpyHtoD_v2)(grt_cuda_address to, const void *from, size_t bytes) {
    PRETEND_ENTER(pretend, GRT_ENGINE_CALL_COPY, PRETEND_CONTEXT);
    struct grt_engine_transfer transfer = {GRT_ENGINE_H2D, AT(to), from, 0, bytes, false};
    return copy(pretend, NULL, transfer, true);
}

grt_cuda_result PRETEND(cuMemcpyDtoH_v2)(void *to, grt_cuda_address from, size_t bytes) {
    PRETEND_ENTER(pretend, GRT_ENGINE_CALL_COPY, PRETEND_CONTEXT);
    struct grt_engine_transfer transfer = {GRT_ENGINE_D2H, to, AT(from), 0, bytes, false};
    return copy(pretend, NULL, transfer, true);
}

grt_cuda_result PRETEND(cuMemcpyHtoDAsync_v2)(grt_cuda_address to, const void *from, size_t bytes,
                                              grt_cuda_stream stream) {
    PRETEND_ENTER(pretend, GRT_ENGINE_CALL_COPY, PRETEND_CONTEXT);
    struct grt_engine_transfer transfer = {GRT_ENGINE_H2D, AT(to), from, 0, bytes, false};
    return copy(pretend, stream, transfer, false);
}

grt_cuda_result PRETEND(cuMemcpyDtoHAsync_v2)(void *to, grt_cuda_address from, size_t bytes,
                                              grt_cuda_stream stream) {
    PRETEND_ENTER(pretend, GRT_ENGINE_CALL_COPY, PRETEND_CONTEXT);
    struct grt_engine_transfer transfer = {GRT_ENGINE_D2H, to, AT(from), 0, bytes, false};
    return copy(pretend, stream, transfer, false);
}

grt_cuda_result PRETEND(cuMemcpyDtoDAsync_v2)(grt_cuda_address to, grt_cuda_address from, size_t bytes,
                                              grt_cuda_stream stream) {
    PRETEND_ENTER(pretend, GRT_ENGINE_CALL_COPY, PRETEND_CONTEXT);
    struct grt_engine_transfer transfer = {GRT_ENGINE_D2D, AT(to), AT(from), 0, bytes, false};
    return copy(pretend, stream, transfer, false);
}

grt_cuda_result PRETEND(cuMemsetD32Async)(grt_cuda_address to, unsigned value, size_t count,
                                          grt_cuda_stream stream) {
    PRETEND_ENTER(pretend, GRT_ENGINE_CALL_COPY, PRETEND_CONTEXT);
    if (to % 4 != 0 || count > SIZE_MAX / 4) {
        return GRT_CUDA_INVALID_VALUE;
    }
    struct grt_engine_transfer transfer = {GRT_ENGINE_MEMSET, AT(to), NULL, value, 4 * count, false};
    return copy(pretend, stream, transfer, false);
}
