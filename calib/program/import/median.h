/* Medians of what imports read. */
#ifndef GRT_CALIB_PROGRAM_IMPORT_MEDIAN_H
#define GRT_CALIB_PROGRAM_IMPORT_MEDIAN_H

#include <stddef.h>

#include "sim/time.h"

/* The middle value, or the mean of both middle ones; puts the values, one or more, in ascending order. */
double grt_median(double *values, size_t count);

/* The same of spans; of both middle ones the lower. */
grt_time grt_median_time(grt_time *values, size_t count);

#endif
