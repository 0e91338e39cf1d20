/* One check of a whole scenario, whoever made it: that every number is within the bounds that the model relies on, and every
 * index is of something that is there. A scenario that passes can be simulated and analysed without undefined behaviour; whether a
 * policy takes it, and whether its kernels fit their devices, is found where a world is made. */
#ifndef GRT_MODELS_TASK_SCENARIO_CHECK_H
#define GRT_MODELS_TASK_SCENARIO_CHECK_H

#include <stdbool.h>

#include "models/task.h"
#include "sim/error.h"

/* Adds an error with a path as in scenario files ("tasks[2].period: must be ...") for everything that is wrong and returns whether
 * there was nothing. Pointers have to be NULL or good for as many items as the count beside them says. */
bool grt_scenario_check(const struct grt_scenario *scenario, struct grt_errors *errors);

/* The device's part of it: bounds as in grt_device_record, but that a field which nothing uses may be 0, as in structs that a program
 * fills itself (the format's version, the most hardware queues of a device without any, the cores of an SM without threads_per_core, time
 * slices where no `processes` take turns on the device); then grt_device_check. `path`: the device's. */
bool grt_device_check_bounds(const struct grt_device *device, bool processes, struct grt_errors *errors,
                             const struct grt_path *path);

/* Whether a span is as the model needs it: a known kind, 0 <= min <= max <= GRT_TIME_LIMIT, max at least `least`. */
bool grt_span_check(const struct grt_distribution *span, grt_time least, struct grt_errors *errors,
                    const struct grt_path *path);

#endif
