/* Whether a kernel's usage is as the models of contention need it. */
#ifndef GRT_MODELS_DEVICE_USAGE_CHECK_H
#define GRT_MODELS_DEVICE_USAGE_CHECK_H

#include <stdbool.h>

#include "models/usage.h"
#include "sim/error.h"

/* The largest factor of a measured share, and the most events per second. */
#define GRT_MOST_SHARE_FACTOR 1e6
#define GRT_MOST_EVENTS 1e15

/* The names of the resources and of the indicators in files, by their enumerations. */
extern const char *const grt_resource_names[GRT_RESOURCES];
extern const char *const grt_indicator_names[GRT_INDICATORS];

/* Adds an error for every number that is beyond the bounds of struct grt_usage, with the path of its field under `path`, and
 * returns whether there was none. Numbers that are none (NaN) are beyond all bounds. `share_factors` must be NULL or good for its count. */
bool grt_usage_check(const struct grt_usage *usage, struct grt_errors *errors, const struct grt_path *path);

#endif
