/* Block placement as models/device/placement.h does it, held against where a device put the blocks of a launch. */
#ifndef GRT_CALIB_FIT_PLACEMENT_REPLAY_H
#define GRT_CALIB_FIT_PLACEMENT_REPLAY_H

#include "models/device.h"
#include "sim/memory.h"

/* A block of a launch, as it was recorded; in the order in which they began. */
struct grt_placed_block {
    int64_t start_ns, end_ns;
    int64_t sm;
};

/* How many of the blocks went elsewhere than the device's rules say, if all before them are where they were. `per_sm`: how many fit on an SM. `wrong` is given, for each block, the SM that
 * the rules say (GRT_NO_SM: none has room). */
#define GRT_NO_SM (-1)
size_t grt_placement_differences(const struct grt_device *device, int64_t per_sm,
                                 const struct grt_placed_block *blocks, size_t count, int64_t *predicted);

#endif
