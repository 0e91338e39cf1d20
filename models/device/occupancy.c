/* Sources: cuda_occupancy.h of CUDA 13.0 (NVIDIA), which covers CC 3.x to 12.x: its rules, not its code; for CC 2.x
 * NVIDIA's occupancy calculator as given by the Haskell package cuda (T. L. McDonell, Foreign.CUDA.Analysis);
 * "CUDA C++ Programming Guide" (NVIDIA), tables of limits per compute capability.
 * Implements: rules O1 to O6 of docs/gpu-model.md.
 * Deviates: 1. Shared memory per SM is always the device's largest carve-out, the driver's default; a kernel cannot
 *              ask for more cache instead.
 *           2. Named barriers (CC 9.0 and later) are not counted: with one barrier per block they never limit.
 *           3. Partitioned global caching (CC 5.2, 5.3, 6.1, 6.2), which is off by default, is left out.
 *           4. A thread may use the device's max_registers_per_thread, 255; cuda_occupancy.h compares with 256 from
 *              CC 7.0 on, which no compiler emits.
 *           5. Kernels that share an SM are counted against one register total, not per partition. */
#include "models/occupancy.h"

#include <stddef.h>

#include "sim/check.h"

#define NO_LIMIT INT64_MAX

/* CC 6.0 splits the register file into 2 parts, but a launch must also be possible with 4. */
enum { CC_6_0 = 60, LAUNCH_PARTITIONS_OF_CC_6_0 = 4 };

struct limit {
    int64_t blocks;
    const char *refusal; /* where blocks is 0 */
};

static int64_t round_up(int64_t value, int64_t unit) {
    return (value + unit - 1) / unit * unit;
}

static int64_t round_down(int64_t value, int64_t unit) {
    return value / unit * unit;
}

static int64_t larger(int64_t a, int64_t b) {
    return a > b ? a : b;
}

static int64_t warps_of_block(const struct grt_device *device, const struct grt_block_needs *needs) {
    return round_up(needs->threads, device->warp_size) / device->warp_size;
}

/* Only for needs within max_registers_per_thread. */
static int64_t registers_of_warp(const struct grt_device *device, const struct grt_block_needs *needs) {
    return round_up(needs->registers_per_thread * device->warp_size, device->register_unit);
}

static int64_t shared_memory_of_block(const struct grt_device *device, const struct grt_block_needs *needs) {
    return round_up(needs->shared_memory + device->shared_memory_reserved, device->shared_memory_unit);
}

/* Rule O1. */
static struct limit warp_limit(const struct grt_device *device, const struct grt_block_needs *needs) {
    if (needs->threads > device->max_threads_per_block) {
        return (struct limit){0, "a block has more threads than the device allows in one block"};
    }
    int64_t warps_per_sm = device->max_threads_per_sm / device->warp_size;
    return (struct limit){warps_per_sm / warps_of_block(device, needs),
                          "a block has more warps than one SM holds"};
}

/* Rule O4. A launch reserves whole rows of warps, one warp in every partition. */
static bool launch_has_registers(const struct grt_device *device, int64_t warps, int64_t registers_per_warp) {
    int64_t partitions = device->sm_partitions;
    if (device->compute_capability == CC_6_0) {
        partitions = larger(partitions, LAUNCH_PARTITIONS_OF_CC_6_0);
    }
    return registers_per_warp <= device->registers_per_block / round_up(warps, partitions);
}

/* Rules O3 and O4. */
static struct limit register_limit(const struct grt_device *device, const struct grt_block_needs *needs) {
    if (needs->registers_per_thread == 0) {
        return (struct limit){NO_LIMIT, NULL};
    }
    if (needs->registers_per_thread > device->max_registers_per_thread) {
        return (struct limit){0, "a thread uses more registers than the device allows"};
    }
    int64_t warps = warps_of_block(device, needs);
    int64_t registers_per_warp = registers_of_warp(device, needs);
    if (!launch_has_registers(device, warps, registers_per_warp)) {
        return (struct limit){0, "a block uses more registers than the device allows in one block"};
    }
    int64_t warps_per_partition = device->registers_per_sm / device->sm_partitions / registers_per_warp;
    int64_t warps_per_sm = round_down(warps_per_partition * device->sm_partitions, device->warp_unit);
    return (struct limit){warps_per_sm / warps, "a block uses more registers than one SM has"};
}

/* Rules O5 and O6. */
static struct limit shared_memory_limit(const struct grt_device *device,
                                        const struct grt_block_needs *needs) {
    if (needs->shared_memory > device->shared_memory_per_block_opt_in) {
        return (struct limit){0, "a block uses more shared memory than the device allows in one block"};
    }
    if (needs->shared_memory > device->shared_memory_per_block && !needs->shared_memory_opt_in) {
        return (struct limit){0, "a block uses more shared memory than the device allows without opt-in"};
    }
    int64_t charge = shared_memory_of_block(device, needs);
    return (struct limit){charge == 0 ? NO_LIMIT : device->shared_memory_per_sm / charge,
                          "a block uses more shared memory than one SM has"};
}

/* The least charge c >= plain with registers per SM / c == blocks. Where blocks is at least the number of block slots
 * plain will do. Otherwise c exists: plain * blocks fits, and the device's bounds say that there are at least 64 * 63
 * registers, so that an integer lies in (registers / (blocks + 1), registers / blocks] for all blocks < 64. */
static int64_t register_charge(const struct grt_device *device, int64_t plain, int64_t blocks) {
    if (blocks >= device->max_blocks_per_sm) {
        return plain;
    }
    return larger(plain, device->registers_per_sm / (blocks + 1) + 1);
}

struct grt_occupancy grt_occupancy_of(const struct grt_device *device, const struct grt_block_needs *needs) {
    GRT_REQUIRE(needs->threads >= 1 && needs->registers_per_thread >= 0 && needs->shared_memory >= 0,
                "check the needs of a block before asking for its occupancy");
    const struct limit limits[] = {
        [GRT_LIMIT_WARPS] = warp_limit(device, needs),
        [GRT_LIMIT_BLOCKS] = {device->max_blocks_per_sm, NULL},
        [GRT_LIMIT_REGISTERS] = register_limit(device, needs),
        [GRT_LIMIT_SHARED_MEMORY] = shared_memory_limit(device, needs),
    };
    enum grt_occupancy_limit least = GRT_LIMIT_WARPS;
    for (enum grt_occupancy_limit i = GRT_LIMIT_BLOCKS; i <= GRT_LIMIT_SHARED_MEMORY; i++) {
        least = limits[i].blocks < limits[least].blocks ? i : least;
    }
    struct grt_occupancy result = {
        .blocks_per_sm = limits[least].blocks,
        .limit = least,
        .warps = warps_of_block(device, needs),
        .shared_memory = shared_memory_of_block(device, needs),
    };
    if (result.blocks_per_sm == 0) {
        result.refusal = limits[least].refusal;
    } else if (needs->registers_per_thread > 0) {
        int64_t plain = registers_of_warp(device, needs) * result.warps;
        result.registers = register_charge(device, plain, limits[GRT_LIMIT_REGISTERS].blocks);
    }
    return result;
}
