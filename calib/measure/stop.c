#include "calib/measure/stop.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <math.h>

bool grt_median_ranks(size_t count, size_t *low, size_t *high) {
    static const double side = 0.025;
    if (count == 0 || gsl_cdf_binomial_P(0, 0.5, (unsigned)count) > side) {
        return false;
    }
    /* The median of so many tosses less 2 deviations is near; the rest is walked. */
    size_t r = (size_t)fmax(0, (double)count / 2 - 1.25 * sqrt((double)count));
    while (gsl_cdf_binomial_P((unsigned)r + 1, 0.5, (unsigned)count) <= side) {
        r++;
    }
    *low = r;
    *high = count - 1 - r;
    return true;
}

double grt_median(double *values, size_t count) {
    gsl_sort(values, 1, count);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

bool grt_median_is_known(double *values, size_t count, double precision) {
    size_t low, high;
    if (!grt_median_ranks(count, &low, &high)) {
        return false;
    }
    double median = grt_median(values, count);
    return values[high] - values[low] <= precision * fabs(median);
}
