/* Which blocks of several kernels are on an SM together, by what each charges of it: whether it is the same with other charges. All mixes are compared that an SM may be
 * asked to hold; where blocks go by the room that is left, also the order of SMs by it. */
#ifndef GRT_CALIB_REPLAY_MIXES_H
#define GRT_CALIB_REPLAY_MIXES_H

#include <stdbool.h>
#include <stdint.h>

#include "models/device.h"
#include "models/occupancy.h"

enum { MIX_EXAMPLE_SIZE = 256 };

/* Of an SM: what blocks charge, or what there is. */
struct charge {
    int64_t blocks, warps, registers, shared_memory;
};

/* Blocks of kernels of a stream that charge the same. Kernels of a stream are never on the device together. */
struct mix_kind {
    const char *name; /* borrowed */
    uint32_t stream;
    int64_t blocks;            /* the most of one kernel */
    struct charge wanted, had; /* of a block: in the scenario, and as it is executed */
};

/* How mixes differ. */
struct mix_difference {
    uint32_t alone, together;       /* mixes of one kernel, of several: that fit in one case only */
    uint32_t orders;                /* kernels whose blocks find SMs in another order by their rooms */
    bool all;                       /* mixes were compared: there are not too many */
    char example[MIX_EXAMPLE_SIZE]; /* of mixes */
};

/* What a block charges of a device's SM; more blocks than an SM has where it never fits. */
struct charge charge_of(const struct grt_device *device, const struct grt_block_needs *needs);

/* `kinds` are sorted by stream. */
struct mix_difference mixes_compare(const struct grt_device *device, const struct mix_kind *kinds,
                                    uint32_t count);

#endif
