/* Which blocks of a launch ran beside as many others as were wanted. Devices begin blocks one after the other (about one a nanosecond), so that short ones never run all at the same time. */
#ifndef GRT_CALIB_MEASURE_CROWD_H
#define GRT_CALIB_MEASURE_CROWD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "calib/kernels/kernels.h"

/* One more than the largest number of an SM in them. */
size_t grt_crowd_sm_numbers(const struct grt_block_record *records, uint32_t count);

/* None of this goes by a block's own time: choosing by it would leave out the long ones, which are alone in the end. */

/* Whether a launch of `per_sm` blocks for each of `sms` SMs, which fit all at a time, ran at the same time: every SM had as many, some of them at the same time and the others nearly, and two of their starts are less than a tenth of a block's time apart, on
 * average. count >= 1. */
bool grt_crowd_is_one(const struct grt_block_record *records, uint32_t count, uint32_t sms, uint32_t per_sm);

/* Whether SMs were as full as `per_sm` says in a launch of several times as many blocks: one of them had as many at a time, and all had nine tenths of that. Where blocks end sooner than the device
 * can begin as many, what it can begin during one takes the place of `per_sm`. count >= 1. */
bool grt_crowd_is_full(const struct grt_block_record *records, uint32_t count, uint32_t sms, uint32_t per_sm);

/* Of a launch of several times as many blocks as fit at a time: those that began after the first one had ended, and so long before the last one began that the longest could have ended by then: while every
 * place that became free was filled again. Their numbers into `picked`, which holds `count`; returns how many. */
uint32_t grt_crowd_of_waves(const struct grt_block_record *records, uint32_t count, uint32_t *picked);

#endif
