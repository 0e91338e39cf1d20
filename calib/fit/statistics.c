#include "calib/fit/statistics.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <math.h>

/* Two-sided 95 %. */
#define TAIL 0.025

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
