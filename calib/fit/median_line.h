/* The line that medians lie on: y = start + slope x, of many samples at each of a few x. Like single medians it does not ask which distribution the samples
 * have, only that half of what differs from the line lies above it at each x; noise that only ever adds shifts the start by its median and leaves the slope.
 *
 * R. Koenker, G. Bassett, Regression quantiles, Econometrica 46, 1978; intervals by inverting tests of signs (R. Koenker, Confidence intervals for regression
 * quantiles, in: Asymptotic Statistics, 1994): a start is inside if the samples above and below the best line with that start are as even as coins fall. The
 * sums of such coins have a known variance, which no spread has to be estimated for. */
#ifndef GRT_CALIB_FIT_MEDIAN_LINE_H
#define GRT_CALIB_FIT_MEDIAN_LINE_H

#include <stdbool.h>
#include <stddef.h>

#include "calib/fit/statistics.h"

/* The samples at one x. */
struct grt_median_group {
    double x;             /* above 0 */
    const double *sorted; /* ascending */
    size_t count;
    double weight; /* one over their spread; above 0: grt_median_weights */
};

/* A line's samples. Those that were taken together may be alike: how many times the variance of sums of their signs is that of independent ones (L. Kish, Survey Sampling, 1965, section 8.2:
 * the design effect), as they count for the start and for the slope. Below 1: taken for 1. */
struct grt_median_samples {
    const struct grt_median_group *groups; /* ascending in x, of two x or more */
    size_t count;
    double start_effect, slope_effect;
};

enum { GRT_MOST_MEDIAN_GROUPS = 100 };

/* Sets the weights: one over the distance between the quartiles, but at least `least` (above 0). Neighbours have the same one unless the spread at the larger x is larger for
 * sure: few samples tell little of their spread, and intervals take the weights for right. At most GRT_MOST_MEDIAN_GROUPS. */
void grt_median_weights(struct grt_median_group *groups, size_t count, double least);

/* The start that the lines have in common, whose slopes may differ. */
struct grt_ranged grt_median_start(const struct grt_median_samples *lines, size_t count);

/* The slope of one line. */
struct grt_ranged grt_median_slope(const struct grt_median_samples *line);

/* The chance that the samples above and below a line are as uneven as these, if their medians are on it: chi-squared over the groups. Samples that are not farther off
 * than `hidden` are on neither side. Not a number below three groups. */
double grt_median_straight(const struct grt_median_samples *line, double start, double slope, double hidden);

#endif
