/* Times of a workload's blocks by how many are on every SM: experiment coresidency. */
#ifndef GRT_CALIB_FIT_BLOCK_TIMES_H
#define GRT_CALIB_FIT_BLOCK_TIMES_H

#include "calib/fit/build.h"
#include "models/device.h"

struct grt_block_times_row {
    int64_t per_sm;
    struct grt_ranged median; /* ns */
    const char *how;          /* it was found */
    const double *sorted;
    size_t samples;
};

/* Ascending by per_sm. */
struct grt_block_times {
    struct grt_block_times_row rows[GRT_DEVICE_MAX_BLOCKS_PER_SM];
    size_t count; /* 0: not measured */
};

struct grt_block_times grt_block_times_of(struct grt_fit_build *build, const char *workload);

/* B(r): the medians, between two of them linear, beyond the first and the last as these. count >= 1. */
double grt_block_time_at(const struct grt_block_times *times, double per_sm);

#endif
