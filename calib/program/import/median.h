/* Medians of spans that imports read; those of other numbers are in calib/measure/stop.h. */
#ifndef GRT_CALIB_PROGRAM_IMPORT_MEDIAN_H
#define GRT_CALIB_PROGRAM_IMPORT_MEDIAN_H

#include <stddef.h>

#include "sim/time.h"

/* The middle one of spans, one or more, of both middle ones the lower; puts them in ascending order. */
grt_time grt_median_time(grt_time *values, size_t count);

#endif
