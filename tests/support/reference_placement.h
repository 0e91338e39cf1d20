/* Reference for the choice of the SM (streaming multiprocessor) that receives the next block of a kernel.
 *
 * Blocks are placed one by one and none leaves. Before each block everything is counted again from the list
 * of resident blocks. A block occupies its threads in whole warps of 32 (33 threads = 2 warps), one block
 * slot, a flat number of registers and of bytes of shared memory; rounding the latter two to allocation units
 * is up to the caller. Most-room, its tie-break by a fixed SM order and the warp rounding follow Gilman,
 * Ogden, Guo, Walls: Demystifying the Placement Policies of the NVIDIA GPU Thread Block Scheduler for
 * Concurrent Kernels, Performance Evaluation Review, 2020. */
#ifndef GRT_TESTS_SUPPORT_REFERENCE_PLACEMENT_H
#define GRT_TESTS_SUPPORT_REFERENCE_PLACEMENT_H

#include <stddef.h>
#include <stdint.h>

enum grt_reference_placement_policy {
    /* The SM that could take the most further blocks of this kernel; ties: the earliest in the order. */
    GRT_REFERENCE_PLACEMENT_MOST_ROOM,
    /* The first SM of the order with room for a block. */
    GRT_REFERENCE_PLACEMENT_FIRST_FIT,
    /* Of the SMs with room, the one with the fewest resident warps; ties: the earliest in the order. */
    GRT_REFERENCE_PLACEMENT_LEAST_LOADED,
    /* The next SM with room, cyclically in the order, after the SM used last. */
    GRT_REFERENCE_PLACEMENT_ROUND_ROBIN,
};

/* What one SM has in all; the same for every SM. */
struct grt_reference_placement_limits {
    int64_t warps;
    int64_t block_slots;
    int64_t registers;
    int64_t shared_memory_bytes;
};

/* What one block occupies. */
struct grt_reference_placement_block {
    int64_t threads;             /* >= 1 */
    int64_t registers;           /* >= 0, of the whole block, not per thread */
    int64_t shared_memory_bytes; /* >= 0 */
};

struct grt_reference_placement_resident {
    int sm;
    struct grt_reference_placement_block block;
};

struct grt_reference_placement {
    enum grt_reference_placement_policy policy;
    struct grt_reference_placement_limits limits;
    const int *order; /* ids (any numbers >= 0) of the SMs that may be used, each once */
    size_t order_count;
    /* One element per block that is already there. */
    const struct grt_reference_placement_resident *residents;
    size_t resident_count;
    struct grt_reference_placement_block block; /* of the kernel to be placed */
    int last_sm; /* for ROUND_ROBIN: the SM used last; -1: start at the front of the order */
};

/* Returns how many further blocks of the kernel (placement->block) the SM `sm` could take now, each limit
 * considered. */
int64_t grt_reference_placement_room(const struct grt_reference_placement *placement, int sm);

/* Places `block_count` blocks one by one and writes the SM id of each, or -1 if no SM had room, into
 * sm_of_block[0 .. block_count - 1]. `placement` itself stays as it is: to continue, the caller adds the new
 * blocks to `residents` and sets `last_sm`. Aborts if `placement` breaks a condition above or if the
 * residents already exceed the limits of an SM. */
void grt_reference_placement_run(const struct grt_reference_placement *placement, size_t block_count,
                                 int *sm_of_block);

#endif
