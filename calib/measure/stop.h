/* When a cell has samples enough. */
#ifndef GRT_CALIB_MEASURE_STOP_H
#define GRT_CALIB_MEASURE_STOP_H

#include <stdbool.h>
#include <stddef.h>

/* The ranks (from 0) of the order statistics between which the median lies with a probability of 95 % or more, whatever the distribution: the r-th and the (count - 1 - r)-th,
 * with the largest r for which the probability of at most r heads of `count` tosses of a coin is 2.5 % or less. False: there are too few values, 5 or less. (H. A. David, H. N. Nagaraja,
 * Order Statistics, 2003, section 7.1.) */
bool grt_median_ranks(size_t count, size_t *low, size_t *high);

/* Whether that interval is narrower than `precision` times the median. Sorts the values. */
bool grt_median_is_known(double *values, size_t count, double precision);

/* The median; sorts the values, of which there is one at least. */
double grt_median(double *values, size_t count);

#endif
