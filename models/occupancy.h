/* How many blocks of a kernel one SM can hold: the resource rules of NVIDIA's occupancy calculation, in integers.
 * Sources and rules are in docs/gpu-model.md, section "Occupancy". */
#ifndef GRT_MODELS_OCCUPANCY_H
#define GRT_MODELS_OCCUPANCY_H

#include <stdbool.h>
#include <stdint.h>

#include "models/device.h"

/* What one block of a kernel needs. */
struct grt_block_needs {
    int64_t threads;              /* 1 or more */
    int64_t registers_per_thread; /* 0: not known, no limit */
    int64_t shared_memory;        /* bytes, static and dynamic, without the driver's own */
    bool shared_memory_opt_in;    /* the kernel asked for more than the usual limit per block */
};

/* What limits the number of resident blocks. */
enum grt_occupancy_limit {
    GRT_LIMIT_WARPS,
    GRT_LIMIT_BLOCKS,
    GRT_LIMIT_REGISTERS,
    GRT_LIMIT_SHARED_MEMORY,
};

/* The cost of one block on an SM in the units in which the SM's free room is counted, and the result. */
struct grt_occupancy {
    int64_t blocks_per_sm;          /* 0: a block of this kernel can never run */
    enum grt_occupancy_limit limit; /* the first of the enum's order that gives the minimum */
    const char *refusal;            /* where blocks_per_sm is 0: a sentence that says why; else NULL */
    int64_t warps;                  /* of one block, charged to the SM's max_threads_per_sm / warp_size */
    int64_t registers;              /* charged to the SM for one block; see below */
    int64_t shared_memory; /* bytes charged to the SM for one block, reserved part and rounding included */
};

/* Computes the occupancy of a kernel alone on an SM, for a device that grt_device_check accepts. threads >= 1, the
 * other needs >= 0. Counting the charges of resident blocks in one total per resource and SM gives exactly
 * blocks_per_sm for one kernel, although the hardware splits the register file into partitions: the register charge
 * is the least that does so and is never below the registers of the block's warps; 0 where the need is not known.
 * Where blocks_per_sm is 0 the charges mean nothing. */
struct grt_occupancy grt_occupancy_of(const struct grt_device *device, const struct grt_block_needs *needs);

#endif
