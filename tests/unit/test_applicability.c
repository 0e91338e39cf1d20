/* Tests of levels and of long memory allow for what neighbours have in common. */
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "calib/evt/applicability.h"
#include "sim/random_gsl.h"
#include "tests/support/suite.h"

enum { LONG = 1000 };

/* Normal values of which each has so much of the one before. */
static void draw(struct grt_random *random, double kept, double *series, size_t count) {
    gsl_rng rng = grt_random_gsl(random);
    double value = gsl_ran_gaussian(&rng, 1 / sqrt(1 - kept * kept));
    for (size_t i = 0; i < count; i++) {
        series[i] = value;
        value = kept * value + gsl_ran_gaussian(&rng, 1);
    }
}

/* By the papers' formulas, product by product: W. K. Newey, K. D. West, Econometrica 55, 1987, equation (5), with 4 (n / 100)^(1/4) lags (D. Kwiatkowski et al., J. Econometrics 54, 1992). */
static double long_variance(const double *series, int count, int lags) {
    double mean = 0, sum = 0;
    for (int i = 0; i < count; i++) {
        mean += series[i] / count;
    }
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < count; k++) {
            int apart = abs(i - k);
            double weight = apart <= lags ? 1 - apart / (lags + 1.0) : 0;
            sum += weight * (series[i] - mean) * (series[k] - mean);
        }
    }
    return sum / count;
}

static void statistics_are_the_papers(void) {
    static const struct { int count, lags; } cases[] = {{100, 4}, {200, 4}, {400, 5}, {LONG, 7}};
    double series[LONG];
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        int count = cases[c].count;
        struct grt_random random = grt_random_stream(1, "papers", c, 0);
        draw(&random, 0.5, series, (size_t)count);
        double variance = long_variance(series, count, cases[c].lags), mean = 0;
        double sum = 0, squares = 0, least = 0, most = 0;
        for (int i = 0; i < count; i++) {
            mean += series[i] / count;
        }
        for (int i = 0; i < count; i++) {
            sum += series[i] - mean;
            squares += sum * sum;
            least = fmin(least, sum);
            most = fmax(most, sum);
        }
        CU_ASSERT_DOUBLE_EQUAL(grt_test_stationary(series, (size_t)count).statistic,
                               squares / (variance * count * count), 1e-9);
        CU_ASSERT_DOUBLE_EQUAL(grt_test_memory(series, (size_t)count).statistic,
                               (most - least) / sqrt(variance * count), 1e-9);
    }
}

/* A series whose neighbours are alike has one level and no long memory: of 300 such ones few are refused, though their sums go three times as far, by squares, as of independent values. */
static void likeness_of_neighbours_is_no_change_of_level(void) {
    enum { CASES = 300 };
    double series[LONG];
    int levels = 0, memories = 0;
    for (uint64_t i = 0; i < CASES; i++) {
        struct grt_random random = grt_random_stream(2, "alike", i, 0);
        draw(&random, 0.5, series, LONG);
        levels += grt_test_stationary(series, LONG).p < 0.05;
        memories += grt_test_memory(series, LONG).p < 0.05;
    }
    printf("\n  of %d series whose neighbours are alike: %d and %d refused", CASES, levels, memories);
    CU_ASSERT(levels >= 5 && levels < CASES / 6);
    CU_ASSERT(memories >= 3 && memories < CASES / 6);
}

int main(void) {
    static CU_TestInfo tests[] = {
        {"statistics are the papers'", statistics_are_the_papers},
        {"likeness of neighbours is no change of level", likeness_of_neighbours_is_no_change_of_level},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("tests of applicability", tests);
}
