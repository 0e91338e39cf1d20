/* The line that medians lie on: y = start + slope x, of many samples at each of a few x. Like single medians it does not ask which distribution the samples
 * have, only that half of what differs from the line lies above it at each x; noise that only ever adds shifts the start by its median and leaves the slope.
 *
 * R. Koenker, G. Bassett, Regression quantiles, Econometrica 46, 1978; intervals by inverting tests of signs (R. Koenker, Confidence intervals for regression
 * quantiles, in: Asymptotic Statistics, 1994): a start is inside if the samples above and below the best line with that start are as even as coins fall. The
 * sums of such coins have a known variance, which no spread has to be estimated for; weights that are estimated badly only make the interval wider. */
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

/* A line's samples. */
struct grt_median_samples {
    const struct grt_median_group *groups; /* ascending in x, of two x or more */
    size_t count;
};

/* Sets the weights: one over the distance between the quartiles, but at least `least` (above 0), and never smaller where x is larger (adjacent violators are pooled), since
 * few samples tell little of their spread. `work` has room for 3 * count. */
void grt_median_weights(struct grt_median_group *groups, size_t count, double least, double *work);

/* The start that the lines have in common, whose slopes may differ. */
struct grt_ranged grt_median_start(const struct grt_median_samples *lines, size_t count);

/* The slope of one line. */
struct grt_ranged grt_median_slope(const struct grt_median_samples *line);

/* The chance that the samples above and below a line are as uneven as these, if their medians are on it: chi-squared over the groups. Samples that are not farther off
 * than `hidden` are on neither side. Not a number below three groups. */
double grt_median_straight(const struct grt_median_samples *line, double start, double slope, double hidden);

#endif
