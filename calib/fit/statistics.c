#include "calib/fit/statistics.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <math.h>

/* Two-sided 95 %. */
#define TAIL 0.025
#define NORMAL_QUANTILE 1.959963984540054

struct grt_ranged grt_ranged_exactly(double value) {
    return (struct grt_ranged){value, value, value};
}

struct grt_ranged grt_ranged_unknown(void) {
    return (struct grt_ranged){NAN, NAN, NAN};
}

double grt_sorted_quantile(const double *sorted, size_t count, double q) {
    double place = q * (double)(count - 1);
    size_t below = (size_t)place;
    size_t above = below + 1 < count ? below + 1 : below;
    return sorted[below] + (place - (double)below) * (sorted[above] - sorted[below]);
}

/* The largest number of values that are below the median with a probability of at most TAIL. */
static size_t rank_of_end(size_t count) {
    size_t low = 0, high = count / 2; /* P(fewer than `low` below) is at most TAIL */
    while (low < high) {
        size_t middle = (low + high + 1) / 2;
        if (gsl_cdf_binomial_P((unsigned)middle - 1, 0.5, (unsigned)count) <= TAIL) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

struct grt_ranged grt_sorted_median(const double *sorted, size_t count) {
    struct grt_ranged median = grt_ranged_unknown();
    if (count == 0) {
        return median;
    }
    median.value = grt_sorted_quantile(sorted, count, 0.5);
    size_t rank = rank_of_end(count);
    if (rank > 0) {
        median.low = sorted[rank - 1];
        median.high = sorted[count - rank];
    }
    return median;
}

double grt_sorted_deviation(const double *sorted, size_t count, double *work) {
    double median = grt_sorted_quantile(sorted, count, 0.5);
    for (size_t i = 0; i < count; i++) {
        work[i] = fabs(sorted[i] - median);
    }
    gsl_sort(work, 1, count);
    return grt_sorted_quantile(work, count, 0.5);
}

/* The first point behind `first` with another x. */
static size_t end_of_ties(const double *x, size_t count, size_t first) {
    size_t end = first + 1;
    while (end < count && !(x[end] > x[first])) {
        end++;
    }
    return end;
}

size_t grt_slope_pairs(const double *x, size_t count) {
    size_t pairs = 0;
    for (size_t first = 0, end; first < count; first = end) {
        end = end_of_ties(x, count, first);
        pairs += (end - first) * (count - end);
    }
    return pairs;
}

/* The variance of Kendall's S under no dependence, with ties in x: Sen's eq. (2.6). */
static double variance_of_s(const double *x, size_t count) {
    double n = (double)count, sum = n * (n - 1) * (2 * n + 5);
    for (size_t first = 0, end; first < count; first = end) {
        end = end_of_ties(x, count, first);
        double ties = (double)(end - first);
        sum -= ties * (ties - 1) * (2 * ties + 5);
    }
    return sum / 18;
}

struct grt_ranged grt_slope(const double *x, const double *y, size_t count, double *work) {
    size_t pairs = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = end_of_ties(x, count, i); j < count; j++) {
            work[pairs++] = (y[j] - y[i]) / (x[j] - x[i]);
        }
    }
    struct grt_ranged slope = grt_ranged_unknown();
    if (pairs == 0) {
        return slope;
    }
    gsl_sort(work, 1, pairs);
    slope.value = grt_sorted_quantile(work, pairs, 0.5);
    double half = NORMAL_QUANTILE * sqrt(variance_of_s(x, count));
    double low = floor(((double)pairs - half) / 2), high = ceil(((double)pairs + half) / 2);
    if (low >= 1 && high < (double)pairs) { /* ranks low and high + 1, counted from 1 */
        slope.low = work[(size_t)low - 1];
        slope.high = work[(size_t)high];
    } else if (!(work[pairs - 1] > work[0])) { /* all the same, however few */
        slope.low = slope.high = slope.value;
    }
    return slope;
}

void grt_isotonic(const double *y, const double *weights, size_t count, double *out) {
    for (size_t i = 0; i < count; i++) { /* out[0..i] is the answer for the first points */
        double sum = y[i] * weights[i], weight = weights[i];
        size_t first = i;
        while (first > 0 && out[first - 1] >= sum / weight) {
            first--;
            sum += y[first] * weights[first];
            weight += weights[first];
        }
        for (size_t k = first; k <= i; k++) {
            out[k] = sum / weight;
        }
    }
}

struct grt_ranged grt_ranged_quotient(struct grt_ranged over, struct grt_ranged under) {
    double down = hypot(log(over.value / over.low), log(under.high / under.value));
    double up = hypot(log(over.high / over.value), log(under.value / under.low));
    double value = over.value / under.value;
    return (struct grt_ranged){value, value * exp(-down), value * exp(up)};
}
