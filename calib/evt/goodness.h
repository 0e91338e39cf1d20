/* How well a distribution describes values: distances between its distribution function and theirs. Which distance is large depends on what was estimated of the same values, so
 * that it has to be found by drawing: bootstrap.h. */
#ifndef GRT_CALIB_EVT_GOODNESS_H
#define GRT_CALIB_EVT_GOODNESS_H

#include "calib/evt/extreme.h"

enum grt_distance {
    GRT_DISTANCE_ANDERSON_DARLING, /* A^2: both tails weigh more than the middle */
    GRT_DISTANCE_UPPER_TAIL, /* AU^2: the upper one does (M. I. Ahmad, C. D. Sinclair, B. D. Spurr, Water Resources Research 24, 1988) */
    GRT_DISTANCE_CRAMER_VON_MISES, /* W^2 */
    GRT_DISTANCE_KOLMOGOROV,       /* D */
    /* The largest spacing between neighbours, as multiples of what it should be on average: -ln(1 - F) of the values is exponential, and the spacing below the k-th largest
     * of them, times k, again, and independent of all others (A. Renyi, On the theory of order statistics, Acta Mathematica Hungarica 4, 1953). */
    GRT_DISTANCE_SPACING,
    GRT_DISTANCES
};

extern const char *const grt_distance_names[GRT_DISTANCES];

/* All of them, of values in ascending order. Infinite where a value cannot be. */
void grt_goodness(const struct grt_extreme *extreme, const double *sorted, size_t count,
                  double distances[GRT_DISTANCES]);

/* How many of the values are above the largest spacing of GRT_DISTANCE_SPACING. */
size_t grt_goodness_above_spacing(const struct grt_extreme *extreme, const double *sorted, size_t count);

/* Pearson's chi-squared over so many cells of equal probability. */
double grt_goodness_cells(const struct grt_extreme *extreme, const double *values, size_t count,
                          size_t cells);

#endif
