/* How far samples are from a distribution, or from each other, in units in which the limit does not depend on their number. */
#ifndef GRT_TESTS_GOODNESS_H
#define GRT_TESTS_GOODNESS_H

#include <stddef.h>

/* The quantile of 1 - 10^-6 of Kolmogorov's distribution: seeds are fixed, so that a test passes always or never. */
#define GRT_KOLMOGOROV_LIMIT 2.694

/* sqrt(count) times the largest distance between the empirical and the given distribution function. Sorts the sample. */
double grt_kolmogorov(double *sample, size_t count, double (*distribution)(double x, const void *context),
                      const void *context);

/* sqrt(n m / (n + m)) times the largest distance between two empirical distribution functions. Sorts both. */
double grt_kolmogorov_two(double *first, size_t first_count, double *second, size_t second_count);

/* The probability of a larger chi-square where these counts come from cells of these weights, and of a smaller one where that is less:
 * counts that are too good are no chance either. */
double grt_chi_square(const size_t *counts, const double *weights, size_t cells);

#endif
