#include "tests/support/goodness.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

static int compare(const void *left, const void *right) {
    const double *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

double grt_kolmogorov(double *sample, size_t count, double (*distribution)(double x, const void *context),
                      const void *context) {
    double n = (double)count, worst = 0;
    qsort(sample, count, sizeof *sample, compare);
    for (size_t i = 0; i < count; i++) {
        double share = distribution(sample[i], context);
        worst = fmax(worst, fmax(share - (double)i / n, (double)(i + 1) / n - share));
    }
    return worst * sqrt(n);
}

double grt_kolmogorov_two(double *first, size_t first_count, double *second, size_t second_count) {
    double n = (double)first_count, m = (double)second_count, worst = 0;
    qsort(first, first_count, sizeof *first, compare);
    qsort(second, second_count, sizeof *second, compare);
    for (size_t i = 0, j = 0; i < first_count && j < second_count;) {
        double next = first[i] < second[j] ? first[i] : second[j];
        while (i < first_count && first[i] <= next) {
            i++;
        }
        while (j < second_count && second[j] <= next) {
            j++;
        }
        worst = fmax(worst, fabs((double)i / n - (double)j / m));
    }
    return worst * sqrt(n * m / (n + m));
}

double grt_chi_square(const size_t *counts, const double *weights, size_t cells) {
    double total = 0, all = 0, sum = 0;
    for (size_t i = 0; i < cells; i++) {
        total += (double)counts[i];
        all += weights[i];
    }
    for (size_t i = 0; i < cells; i++) {
        double expected = total * weights[i] / all, difference = (double)counts[i] - expected;
        sum += difference * difference / expected;
    }
    return fmin(gsl_cdf_chisq_Q(sum, (double)cells - 1), gsl_cdf_chisq_P(sum, (double)cells - 1));
}
