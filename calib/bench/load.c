/* The module and its kernels. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "calib/bench/internal.h"
#include "calib/kernels/user.h"

static bool ask_kernel(struct grt_bench *bench, size_t kernel) {
    struct grt_bench_kernel *told = &bench->kernels[kernel];
    const struct {
        enum grt_cuda_function_attribute number;
        int *value;
    } attributes[] = {
        {GRT_CUDA_FUNCTION_REGISTERS, &told->registers},
        {GRT_CUDA_FUNCTION_SHARED_SIZE, &told->shared_bytes},
        {GRT_CUDA_FUNCTION_MAX_THREADS_PER_BLOCK, &told->max_threads},
        {GRT_CUDA_FUNCTION_PTX_VERSION, &told->ptx_version},
        {GRT_CUDA_FUNCTION_BINARY_VERSION, &told->binary_version},
    };
    for (size_t i = 0; i < sizeof attributes / sizeof attributes[0]; i++) {
        if (!CALL(bench, cuFuncGetAttribute, attributes[i].value, (int)attributes[i].number,
                  bench->functions[kernel])) {
            return false;
        }
    }
    return true;
}

/* Blocks may have more shared memory than usual where the device says so. */
static bool opt_in(struct grt_bench *bench, size_t kernel) {
    int most = bench->device.shared_memory_per_block_opt_in - bench->kernels[kernel].shared_bytes;
    if (bench->device.shared_memory_per_block_opt_in <= bench->device.shared_memory_per_block) {
        return true;
    }
    return CALL(bench, cuFuncSetAttribute, bench->functions[kernel],
                GRT_CUDA_FUNCTION_MAX_DYNAMIC_SHARED_SIZE, most);
}

/* Blocks of kernels that prefer different carve-outs may not be on an SM together. Those that only spin all prefer the most shared memory, which they may have instead of
 * registers (calib/replay/residency.c); others keep what the driver gives them, since caches are what they are measured for. It is a hint: a device that has none may refuse it. */
static void prefer_shared(struct grt_bench *bench, size_t kernel) {
    static const bool spins[GRT_KERNEL_IDS + 1] = {
        [GRT_KERNEL_SPIN_NS] = true, [GRT_KERNEL_SPIN_CYCLES] = true, [GRT_KERNEL_SPIN_TABLE] = true,
        [GRT_KERNEL_LATCH] = true,   [GRT_KERNEL_TICK] = true,        [GRT_KERNEL_CLOCKS] = true,
    };
    if (spins[kernel]) {
        bench->cuda->cuFuncSetAttribute(bench->functions[kernel], GRT_CUDA_FUNCTION_PREFERRED_CARVEOUT,
                                        GRT_CUDA_CARVEOUT_MAX_SHARED);
    }
}

static bool load_kernel(struct grt_bench *bench, size_t kernel, grt_cuda_module module, const char *symbol) {
    if (!CALL(bench, cuModuleGetFunction, &bench->functions[kernel], module, symbol) ||
        !ask_kernel(bench, kernel) || !opt_in(bench, kernel)) {
        return false;
    }
    prefer_shared(bench, kernel);
    return true;
}

/* FNV-1a (Fowler, Noll, Vo: RFC 9923). */
static uint64_t hash_of(const char *text) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (const char *at = text; *at; at++) {
        hash = (hash ^ (unsigned char)*at) * UINT64_C(0x100000001b3);
    }
    return hash;
}

static bool load_user(struct grt_bench *bench, const struct grt_user_kernel *user) {
    bench->user_kind = (struct grt_kernel_kind){.name = user->name,
                                                .symbol = user->name,
                                                .parameters = GRT_PARAMETERS_IN_OUT,
                                                .threads = user->threads,
                                                .bound_by = "not known",
                                                .amount = "whatever it means there"};
    snprintf(bench->user_made_by, sizeof bench->user_made_by, "%s; hash %016" PRIx64,
             user->made_by ? user->made_by : "not known", hash_of(user->ptx));
    if (!CALL(bench, cuModuleLoadData, &bench->user_module, user->ptx)) {
        bench->user_module = NULL;
        return false;
    }
    return load_kernel(bench, GRT_KERNEL_USER, bench->user_module, user->name);
}

/* A driver may set up a kind of copy at the first one, too. */
static bool copy_each(struct grt_bench *bench) {
    enum { BYTES = 4096 };
    grt_cuda_stream own = bench->streams[OWN_STREAM].handle;
    void *const hosts[] = {bench->pinned[0], bench->pageable[0]};
    for (size_t i = 0; i < sizeof hosts / sizeof hosts[0]; i++) {
        if (!CALL(bench, cuMemcpyHtoDAsync_v2, bench->second[0], hosts[i], BYTES, own) ||
            !CALL(bench, cuMemcpyDtoHAsync_v2, hosts[i], bench->first[0], BYTES, own)) {
            return false;
        }
    }
    return CALL(bench, cuMemcpyDtoDAsync_v2, bench->second[0], bench->first[0], BYTES, own) &&
           CALL(bench, cuMemsetD32Async, bench->flush, 0, 1, own);
}

/* What such a device cannot execute at all is not launched: a kernel of more threads, say, than its blocks may have. */
static bool fits(struct grt_bench *bench, enum grt_kernel_id kernel) {
    return grt_bench_occupancy(bench, kernel, 0, 0) >= 1;
}

/* A driver loads a kernel at its first launch, which may wait for all that executes: a latch, say. So that first launch is now. The user's is launched where its amount is known. */
static bool launch_each(struct grt_bench *bench) {
    static const uint64_t amounts[GRT_KERNEL_IDS] = {
        [GRT_KERNEL_SPIN_NS] = 1000, [GRT_KERNEL_SPIN_CYCLES] = 1000, [GRT_KERNEL_FMA] = 1,
        [GRT_KERNEL_VADD] = 256,     [GRT_KERNEL_TRIAD] = 256,        [GRT_KERNEL_MATMUL] = 16,
        [GRT_KERNEL_STENCIL] = 16,   [GRT_KERNEL_REDUCE] = 256,       [GRT_KERNEL_TEXTURE] = 1,
        [GRT_KERNEL_CHASE] = 1,      [GRT_KERNEL_TICK] = 1,           [GRT_KERNEL_SPIN_TABLE] = 0,
    };
    for (int i = 0; i < GRT_KERNEL_IDS; i++) {
        if (i != GRT_KERNEL_LATCH && fits(bench, (enum grt_kernel_id)i)) {
            struct grt_bench_launch launch = {.kernel = (enum grt_kernel_id)i,
                                              .amount = amounts[i],
                                              .blocks = 1,
                                              .record = true,
                                              .record_base = bench->record_count};
            grt_bench_launch_any(bench, OWN_STREAM, &launch);
        }
    }
    bench->flags[0].go = 1;
    return copy_each(bench) && grt_bench_latch(bench, OWN_STREAM) &&
           CALL(bench, cuStreamSynchronize, bench->streams[OWN_STREAM].handle);
}

bool grt_bench_load(struct grt_bench *bench, const struct grt_bench_options *options) {
    if (!CALL(bench, cuModuleLoadData, &bench->module, grt_kernels_ptx())) {
        bench->module = NULL;
        return false;
    }
    for (size_t i = 0; i < GRT_KERNEL_IDS; i++) {
        if (!load_kernel(bench, i, bench->module, grt_kernel_kinds[i].symbol)) {
            return false;
        }
    }
    if (options->user && !load_user(bench, options->user)) {
        return false;
    }
    bench->generation = 0;
    if (!launch_each(bench)) {
        return false;
    }
    memset(bench->flags, 0, GENERATIONS * sizeof *bench->flags);
    bench->streams[OWN_STREAM].held = false;
    bench->held_since = GRT_TIME_NEVER;
    bench->generation = 1;
    return true;
}
