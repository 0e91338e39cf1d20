/* The kernels that measure, as their host sees them; kernels.cu has their device side. All are one-dimensional and splittable: a launch executes the logical blocks
 * from `first_block` on, so that a sub-kernel is the same kernel with another first block and grid. Every block leaves a record. */
#ifndef GRT_CALIB_KERNELS_KERNELS_H
#define GRT_CALIB_KERNELS_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How blocks come to their SMs. */
enum grt_kernel_mode {
    GRT_KERNEL_PLAIN,  /* a launched block is a logical one, wherever the device puts it */
    GRT_KERNEL_FILTER, /* launched blocks on SMs outside [sm_low, sm_high) leave at once; those inside take logical ones from a counter until none is left */
};

/* The first parameter of every kernel, by value; the layout is the device's, too. Addresses are the device's; 0: not there. */
struct grt_kernel_control {
    uint64_t records; /* struct grt_block_record[], by logical block / record_every */
    /* uint32_t[4], 0 at first: logical blocks that have begun; those taken, launched ones that came, those of them that work (filter) */
    uint64_t counters;
    uint32_t first_block;  /* the first logical block of this launch */
    uint32_t block_count;  /* how many it has; the grid's size where it is plain */
    uint32_t record_every; /* only every so-manieth logical block leaves a record; 1 or more */
    uint32_t mode;         /* enum grt_kernel_mode */
    uint32_t sm_low, sm_high;
    /* buffers have room for 2^buffer_log2 floats; blocks that would be beyond begin anew */
    uint32_t buffer_log2;
};

struct grt_block_record {
    uint64_t start_ns, end_ns; /* %globaltimer; end 0: has not ended (records are cleared before a launch) */
    uint32_t start_cycle, end_cycle; /* low half of %clock64 */
    uint16_t sm, slot;               /* %smid; %warpid of the first warp */
    uint32_t order;                  /* how many blocks had begun before it */
};

enum grt_kernel_id {
    GRT_KERNEL_SPIN_NS,     /* amount: ns by the global timer */
    GRT_KERNEL_SPIN_CYCLES, /* amount: cycles of the SM */
    GRT_KERNEL_FMA,         /* amount: iterations of fused multiply-adds */
    GRT_KERNEL_VADD,        /* amount: floats of a block; DRAM */
    GRT_KERNEL_TRIAD,       /* amount: float4s of a block; DRAM */
    GRT_KERNEL_MATMUL,      /* amount: n of n x n; (n / 16)^2 blocks of 16 x 16 */
    GRT_KERNEL_STENCIL,     /* amount: width of a square, a multiple of 16; (width / 16)^2 blocks */
    GRT_KERNEL_REDUCE,      /* amount: floats of a block */
    GRT_KERNEL_TEXTURE,     /* amount: fetches of a thread */
    GRT_KERNEL_CHASE,       /* amount: hops of one thread through memory */
    GRT_KERNEL_LATCH, /* holds its stream until the host says go, or `amount` ns have passed. Parameters: ready, go: addresses of mapped uint32_t; ready becomes 1 when it begins, 2 when it has read the timer at its end */
    GRT_KERNEL_TICK, /* reads the global timer until it has seen `amount` different values, and writes them to uint64_t[amount]; one thread */
    GRT_KERNEL_CLOCKS, /* the global timer and %clock64 of every block's SM: records only */
    /* block b takes table[amount + b] ns by the global timer. The table is mapped memory of the host: a copy to the device before the launch would wait for the
     * copy engine, behind what else is copied. A block reads its entry once, while it is already spinning. */
    GRT_KERNEL_SPIN_TABLE,
    GRT_KERNEL_IDS,
    GRT_KERNEL_USER = GRT_KERNEL_IDS, /* of a file; see user.h */
};

/* What a kernel takes besides the control, in this order; buffers are filled with random floats. */
enum grt_kernel_parameters {
    GRT_PARAMETERS_AMOUNT,     /* uint64_t amount */
    GRT_PARAMETERS_IN_OUT,     /* in, out, uint64_t amount */
    GRT_PARAMETERS_TWO_IN_OUT, /* in, in, out, uint64_t amount */
    GRT_PARAMETERS_FLAGS,      /* ready, go, uint64_t amount */
    GRT_PARAMETERS_OUT,        /* out, uint64_t amount */
    GRT_PARAMETERS_TEXTURE,    /* a texture of `in` (0: there is none), in, out, uint64_t amount */
    GRT_PARAMETERS_TABLE,      /* const uint64_t table[], uint64_t amount */
};

struct grt_kernel_kind {
    const char *name;   /* in files: "fma" */
    const char *symbol; /* in the module: "k_fma" */
    enum grt_kernel_parameters parameters;
    uint32_t threads;     /* of a block as a rule; 1024 at most */
    bool fixed_threads;   /* its code relies on them */
    const char *bound_by; /* for people */
    const char *amount;   /* what it counts, for people */
};

/* By enum grt_kernel_id. */
extern const struct grt_kernel_kind grt_kernel_kinds[GRT_KERNEL_IDS];

/* The module, as PTX text that ends in a zero byte; who made it: the compiler's name, and a hash of the text; and the text of gpu_port.h, which users' kernels
 * include. */
const char *grt_kernels_ptx(void);
const char *grt_kernels_made_by(void);
const char *grt_kernels_port(void);

#endif
