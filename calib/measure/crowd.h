/* Which blocks of a launch ran beside as many others as were wanted. Devices begin blocks one after the other (about one a nanosecond), so that short ones never run all at the same time. */
#ifndef GRT_CALIB_MEASURE_CROWD_H
#define GRT_CALIB_MEASURE_CROWD_H

#include <stdint.h>

#include "calib/kernels/kernels.h"

/* Of a launch of `per_sm` blocks for each of `sms` SMs, all of which fit at a time: those beside which, on average over their time, nine tenths of all blocks ran. Their numbers into `picked`, which holds
 * `count`; returns how many. None where an SM had more or fewer blocks than `per_sm`. */
uint32_t grt_crowd_of_wave(const struct grt_block_record *records, uint32_t count, uint32_t sms,
                           uint32_t per_sm, uint32_t *picked);

/* Of a launch of several times as many blocks as fit at a time: those that began after the first one had ended and ended before the last one began, while every place that became free was filled again. */
uint32_t grt_crowd_of_waves(const struct grt_block_record *records, uint32_t count, uint32_t *picked);

#endif
