/* Which preset a measured device is described on. */
#ifndef GRT_CALIB_PROGRAM_FILES_DEVICE_BASE_H
#define GRT_CALIB_PROGRAM_FILES_DEVICE_BASE_H

#include <cjson/cJSON.h>

#include "calib/bench/bench.h"

/* Its tree, to be freed, with `sources` that say of what device they are where it is another one; an empty device where there is none. */
cJSON *grt_device_base_tree(const struct grt_bench_device *device);

#endif
