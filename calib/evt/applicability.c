#include "calib/evt/applicability.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_sf_bessel.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/memory.h"

static const struct grt_test no_test = {NAN, NAN};

/* ---- dependence over short distances ---- */

/* The sum of products of values that are so far apart, from the mean. */
static double products(const double *series, size_t count, size_t apart, double mean) {
    double sum = 0;
    for (size_t i = apart; i < count; i++) {
        sum += (series[i] - mean) * (series[i - apart] - mean);
    }
    return sum;
}

struct grt_test grt_test_ljung_box(const double *series, size_t count, size_t lags) {
    double mean = gsl_stats_mean(series, 1, count), sum = 0, n = (double)count;
    double all = count > lags + 1 ? products(series, count, 0, mean) : 0;
    if (!(all > 0)) {
        return no_test;
    }
    for (size_t lag = 1; lag <= lags; lag++) {
        double correlation = products(series, count, lag, mean) / all;
        sum += correlation * correlation / (n - (double)lag);
    }
    double statistic = n * (n + 2) * sum;
    return (struct grt_test){statistic, gsl_cdf_chisq_Q(statistic, (double)lags)};
}

/* A copy in ascending order, to be freed. */
static double *sorted_copy(const double *series, size_t count) {
    double *copy = grt_allocate((count + 1) * sizeof *copy);
    memcpy(copy, series, count * sizeof *copy);
    gsl_sort(copy, 1, count);
    return copy;
}

struct grt_test grt_test_runs(const double *series, size_t count) {
    double *sorted = sorted_copy(series, count);
    double median = sorted != NULL && count > 0 ? gsl_stats_median_from_sorted_data(sorted, 1, count) : NAN;
    double above = 0, below = 0, runs = 0;
    int last = 0;
    free(sorted);
    for (size_t i = 0; i < count; i++) {
        int side = (series[i] > median) - (series[i] < median);
        above += side > 0;
        below += side < 0;
        runs += side != 0 && side != last;
        last = side != 0 ? side : last;
    }
    double n = above + below, both = 2 * above * below;
    double variance = both * (both - n) / (n * n * (n - 1));
    if (!(variance > 0)) {
        return no_test;
    }
    double statistic = (runs - both / n - 1) / sqrt(variance);
    return (struct grt_test){statistic, 2 * gsl_cdf_ugaussian_Q(fabs(statistic))};
}

/* ---- the same distribution ---- */

/* The chance that the Kolmogorov distribution is above x. Below 0.3 the series needs many terms, and all but 1e-5 of it is above. */
static double kolmogorov_above(double x) {
    double sum = 0;
    for (int k = 1; k <= 100 && x > 0.2; k++) {
        double term = exp(-2.0 * k * k * x * x);
        sum += k % 2 == 1 ? term : -term;
    }
    return x > 0.2 ? fmin(1, fmax(0, 2 * sum)) : 1;
}

struct grt_test grt_test_halves(const double *series, size_t count) {
    size_t half = count / 2, other = count - half, i = 0, j = 0;
    double *one = sorted_copy(series, half), *two = sorted_copy(series + half, other), distance = 0;
    while (one != NULL && two != NULL && i < half && j < other) {
        double at = fmin(one[i], two[j]); /* steps of both at equal values */
        while (i < half && one[i] <= at) {
            i++;
        }
        while (j < other && two[j] <= at) {
            j++;
        }
        distance = fmax(distance, fabs((double)i / (double)half - (double)j / (double)other));
    }
    free(one);
    free(two);
    if (half < 2) {
        return no_test;
    }
    double size = sqrt((double)half * (double)other / (double)count);
    return (struct grt_test){distance, kolmogorov_above(size * distance)};
}

/* ---- levels and long distances ---- */

/* The variance of sums: that of the values, and what neighbours have in common, by Bartlett's weights (W. K. Newey, K. D. West, Econometrica 55, 1987). */
static double long_variance(const double *series, size_t count, double mean) {
    double n = (double)count, sum = products(series, count, 0, mean) / n;
    size_t lags = (size_t)(4 * pow(n / 100, 0.25));
    for (size_t lag = 1; lag <= lags && lag < count; lag++) {
        double weight = 1 - (double)lag / ((double)lags + 1);
        sum += 2 * weight * products(series, count, lag, mean) / n;
    }
    return sum;
}

/* T. W. Anderson, D. A. Darling, Asymptotic theory of certain "goodness of fit" criteria, Annals of Mathematical Statistics 23, 1952: the distribution of the
 * integral of a squared Brownian bridge. */
static double cramer_von_mises_below(double x) {
    double sum = 0, factor = 1; /* (2j)! / (4^j j!^2) */
    for (int j = 0; j < 40; j++) {
        double odd = 4.0 * j + 1, argument = odd * odd / (16 * x);
        if (argument > 700) {
            break;
        }
        sum += factor * sqrt(odd) * exp(-argument) * gsl_sf_bessel_Knu(0.25, argument);
        factor *= (2.0 * j + 1) / (2.0 * j + 2);
    }
    return fmin(1, sum / (M_PI * sqrt(x)));
}

/* The sums of differences from the mean, as far as each value. */
struct sums {
    double squares, least, most; /* of their squares; the smallest and the largest of them, and 0 */
};

static struct sums add_up(const double *series, size_t count, double mean) {
    struct sums sums = {0};
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += series[i] - mean;
        sums.squares += sum * sum;
        sums.least = fmin(sums.least, sum);
        sums.most = fmax(sums.most, sum);
    }
    return sums;
}

struct grt_test grt_test_stationary(const double *series, size_t count) {
    double n = (double)count, mean = gsl_stats_mean(series, 1, count);
    double variance = count >= 3 ? long_variance(series, count, mean) : 0;
    if (!(variance > 0)) {
        return no_test;
    }
    double statistic = add_up(series, count, mean).squares / (n * n * variance);
    return (struct grt_test){statistic, 1 - cramer_von_mises_below(statistic)};
}

/* W. Feller, The asymptotic distribution of the range of sums of independent random variables, Annals of Mathematical Statistics 22, 1951. */
static double range_above(double x) {
    double sum = 0;
    for (int k = 1; k <= 100 && x > 0.3; k++) {
        double square = 4.0 * k * k * x * x;
        sum += 2 * (square - 1) * exp(-square / 2);
    }
    return x > 0.3 ? fmin(1, fmax(0, sum)) : 1;
}

struct grt_test grt_test_memory(const double *series, size_t count) {
    double n = (double)count, mean = gsl_stats_mean(series, 1, count);
    double variance = count >= 3 ? long_variance(series, count, mean) : 0;
    if (!(variance > 0)) {
        return no_test;
    }
    struct sums sums = add_up(series, count, mean);
    double statistic = (sums.most - sums.least) / sqrt(n * variance);
    return (struct grt_test){statistic, range_above(statistic)};
}
