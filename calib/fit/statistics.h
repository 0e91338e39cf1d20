/* What fits say of samples: values with 95 % intervals that assume no distribution wherever that is possible. */
#ifndef GRT_CALIB_FIT_STATISTICS_H
#define GRT_CALIB_FIT_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>

/* A value and the ends of its 95 % interval; not a number: not known. */
struct grt_ranged {
    double value, low, high;
};

struct grt_ranged grt_ranged_exactly(double value);
struct grt_ranged grt_ranged_unknown(void);

/* The quantile q of values in ascending order, between two of them linear (R. J. Hyndman, Y. Fan, Sample quantiles in statistical packages, The American
 * Statistician 50, 1996, type 7). count >= 1. */
double grt_sorted_quantile(const double *sorted, size_t count, double q);

/* The median of values in ascending order. Its interval is from one of the values to another, which contain the median of what they were drawn of with a probability of at
 * least 95 %, whatever its distribution: the ranks are quantiles of the binomial distribution (H. A. David, H. N. Nagaraja, Order Statistics, 3rd edition, 2003, section 7.1). Below six
 * values there is none. */
struct grt_ranged grt_sorted_median(const double *sorted, size_t count);

/* The median of the distances from the median, of values in ascending order. `work` holds as many. */
double grt_sorted_deviation(const double *sorted, size_t count, double *work);

/* The ascending values nearest to `y` by squares of these weights, into `out`: adjacent violators are pooled (M. Ayer et al., An empirical distribution function
 * for sampling with incomplete information, Annals of Mathematical Statistics 26, 1955). `out` may not be `y`. */
void grt_isotonic(const double *y, const double *weights, size_t count, double *out);

/* The quotient of two independent values above 0, with an interval from theirs (on logarithms; A. Donner, G. Y. Zou, Closed-form confidence intervals for functions of the normal
 * mean and standard deviation, Statistical Methods in Medical Research 21, 2012: the method of variance estimates recovery). */
struct grt_ranged grt_ranged_quotient(struct grt_ranged over, struct grt_ranged under);

#endif
