/* How a kernel of a scenario uses a device that is simulated by shares: what its description says, or what follows from its grid. */
#ifndef GRT_MODELS_DEVICE_KERNEL_USAGE_H
#define GRT_MODELS_DEVICE_KERNEL_USAGE_H

#include "models/task.h"

/* How many blocks of a kernel fit on the whole device at a time, at least 1; 1 as well where none can ever run there. Of one that is described by its time: as many as it
 * has, one per SM. */
int64_t grt_kernel_wave(const struct grt_device *device, const struct grt_kernel *kernel);

/* Fills in the usage: the kernel's own, or, where it has none, that of one that is on the SMs all the time, fills those that its blocks fill,
 * and depends on them alone. */
void grt_kernel_usage(const struct grt_device *device, const struct grt_kernel *kernel,
                      struct grt_usage *usage);

#endif
