/* Measured spans as a distribution. */
#ifndef GRT_CALIB_PROGRAM_IMPORT_MEASURED_H
#define GRT_CALIB_PROGRAM_IMPORT_MEASURED_H

#include "sim/distribution.h"
#include "sim/memory.h"

/* The constant where all are equal, else the empirical distribution of at most `most` (2 or more) of the values: evenly spaced in their order, the least and the greatest among
 * them. Puts the values, one or more, in ascending order; those that are kept belong to the arena. */
struct grt_distribution grt_measured_spans(grt_time *values, size_t count, size_t most,
                                           struct grt_arena *arena);

#endif
