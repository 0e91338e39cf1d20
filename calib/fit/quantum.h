/* What is lost by a clock that goes in steps, and what is left to be known. */
#ifndef GRT_CALIB_FIT_QUANTUM_H
#define GRT_CALIB_FIT_QUANTUM_H

#include <stddef.h>
#include <stdint.h>

/* The largest number of which nearly all values are multiples. */
struct grt_quantum {
    double step; /* at least 1: finer ones cannot be told */
    double low,
        high;     /* all steps of which the same values are the same multiples; equal where none may be off */
    double share; /* of the values that are multiples of it */
    size_t distinct; /* different values; of few, the true step may be a whole part of this one */
};

/* Of values of at least 1 in ascending order: multiples may be off by `tolerance` (0: not at all), and two in a hundred values by more. count >= 1. */
struct grt_quantum grt_quantum_of(const int64_t *sorted, size_t count, int64_t tolerance);

/* The number with the fewest significant digits of those from low to high, the middle one where there are several. Device files are written by people, so that, of the numbers that
 * samples leave possible, this one is the likeliest. */
double grt_roundest(double low, double high);

#endif
