/* The device that threads pretend to be where nobody says another. */
#include "calib/pretend/spec.h"

/* Limits of an SM as of compute capability 6.2, but for its blocks (CUDA C++ Programming Guide, table of technical specifications). */
static const struct grt_device small = {
    .name = "threads",
    .description = "A small device that threads pretend to be",
    .compute_capability = 62,
    .sm_count = 4,
    .sms_per_tpc = 1,
    .warp_size = 32,
    .max_threads_per_block = 1024,
    .max_threads_per_sm = 2048,
    .max_blocks_per_sm = 4,
    .registers_per_sm = 65536,
    .registers_per_block = 65536,
    .max_registers_per_thread = 255,
    .register_unit = 256,
    .warp_unit = 1,
    .sm_partitions = 4,
    .shared_memory_per_sm = 65536,
    .shared_memory_per_block = 49152,
    .shared_memory_per_block_opt_in = 49152,
    .shared_memory_unit = 256,
    .max_resident_grids = 16,
    .copy_engines = 2,
    .h2d_bytes_per_second = 250000000,
    .d2h_bytes_per_second = 250000000,
    .memory_bytes_per_second = 1000000000,
    .copy_latency = 100 * GRT_MICROSECOND,
    .pageable_percent = 50,
    .priority_levels = 3,
    .core_hertz = 1000000000,
    .group_minimum_sms = 1,
    .group_multiple_sms = 1,
    .copy_time_slice = 1024 * GRT_MICROSECOND,
};

/* Against a GPU; the stencil's blocks, whose size is given, are slower still. */
enum { SLOWNESS = 100, OF_STENCIL = 1000 };

void grt_pretend_small(struct grt_pretend_spec *spec) {
    grt_pretend_default(&small, spec);
    for (int id = GRT_KERNEL_FMA; id <= GRT_KERNEL_CHASE; id++) {
        spec->kernels[id].fixed *= SLOWNESS;
        spec->kernels[id].per_unit_ps *= id == GRT_KERNEL_STENCIL ? OF_STENCIL : SLOWNESS;
    }
}
