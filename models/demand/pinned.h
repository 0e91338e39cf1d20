/* How long a pinned kernel takes that has the device to itself (rule W8). Pure. */
#ifndef GRT_MODELS_DEMAND_PINNED_H
#define GRT_MODELS_DEMAND_PINNED_H

#include "models/task.h"

/* ns from the first block's start to the last one's end, launch time not included, if every item takes its longest; GRT_TIME_NEVER if that
 * is above GRT_TIME_LIMIT. `tpcs`: what the kernel is kept to, none: nothing; `sms`: on how many SMs it may run at a time, whichever
 * they are where that is less than the device has and there are no TPCs; `per_sm`: how many of its blocks fit on one, 1 or more.
 *
 * With constant times it is exact where all blocks find room at once, or the exits are over before the work is, if blocks are placed
 * by most room or least load and the SMs are given; else an upper bound. Items that are lost count as done. */
grt_time grt_pinned_kernel_time(const struct grt_device *device, const struct grt_kernel *kernel,
                                const struct grt_number_list *tpcs, int64_t sms, int64_t per_sm);

#endif
