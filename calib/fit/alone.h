/* How long a simulation of the fitted files would say that a kernel takes alone on some of the SMs: what slowdowns are relative to. */
#ifndef GRT_CALIB_FIT_ALONE_H
#define GRT_CALIB_FIT_ALONE_H

#include "calib/fit/build.h"

/* Its blocks, of the times that kernel files get (with as many on every SM of the device as fit), each where one ends first. The interval is as wide as that of the block time. Not known: the block
 * times or the occupancy are not. */
struct grt_ranged grt_fit_alone(struct grt_fit_build *build, const char *workload, int64_t sms);

#endif
