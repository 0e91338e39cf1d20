/* labels: soak */
/* What rare quantiles by extreme value theory are worth where the truth is known: estimates against it, and how often 95 percent intervals hold it. The tables of
 * docs/worst-case-times.md; the long run holds them against what is written there. */
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>

#include "calib/evt/bootstrap.h"
#include "calib/evt/choice.h"
#include "tests/support/execution_times.h"
#include "tests/support/suite.h"

enum { METHODS = 4, MANY = 10000, WRITTEN_CASES = 1000, WRITTEN_INTERVALS = 1000 };
static const enum grt_extreme_kind kinds[METHODS] = {GRT_EXTREME_GUMBEL, GRT_EXTREME_GEV,
                                                     GRT_EXTREME_EXPONENTIAL, GRT_EXTREME_GPD};

/* ---- estimates ---- */

/* The quantile by each method, with the chosen threshold and blocks, as multiples of the truth; and the largest value. */
static void estimate_all(enum grt_times_kind kind, size_t size, double p, uint64_t seed,
                         double ratios[METHODS + 1]) {
    static double series[MANY], sorted[MANY], maxima[MANY];
    struct grt_random random = grt_random_stream(3, "worth", (uint64_t)kind, seed);
    struct grt_choices thresholds, blocks;
    double truth = grt_times_quantile(kind, p);
    grt_times_fill(kind, &random, series, size);
    for (size_t i = 0; i < size; i++) {
        sorted[i] = series[i];
    }
    gsl_sort(sorted, 1, size);
    grt_choose_threshold(sorted, size, &thresholds);
    grt_choose_block(series, size, &blocks);
    for (size_t i = 0; i < METHODS; i++) {
        const struct grt_choices *choices = i < 2 ? &blocks : &thresholds;
        const struct grt_choice *row = &choices->rows[choices->chosen < choices->count ? choices->chosen : 0];
        const double *extremes = sorted + size - row->count;
        struct grt_estimate estimate;
        if (i < 2) {
            grt_block_maxima(series, size, row->block, maxima);
            extremes = maxima;
        }
        bool is_there = grt_estimate_of(extremes, row->count, kinds[i], row->threshold, &estimate);
        double rate = (double)row->count / (double)size;
        ratios[i] =
            is_there ? grt_per_run_quantile(&estimate.likely.extreme, row->block, rate, p) / truth : NAN;
    }
    ratios[METHODS] = sorted[size - 1] / truth;
}

/* docs/worst-case-times.md, "What a quantile is worth": 5, 50 and 95 percent of the estimates are below. */
struct spread {
    double low, median, high;
};
static const struct {
    enum grt_times_kind kind;
    size_t size;
    double p;
    struct spread spreads[METHODS + 1];
} written[] = {
    {GRT_TIMES_GAMMA,
     1000,
     1e-9,
     {{0.99, 1.15, 1.31}, {0.49, 0.80, 3.57}, {1.01, 1.18, 1.33}, {0.48, 0.75, 2.93}, {0.42, 0.49, 0.58}}},
    {GRT_TIMES_NORMAL,
     1000,
     1e-9,
     {{1.15, 1.23, 1.33}, {0.82, 0.91, 1.28}, {1.15, 1.25, 1.34}, {0.82, 0.90, 1.17}, {0.80, 0.83, 0.86}}},
    {GRT_TIMES_BOUNDED,
     1000,
     1e-9,
     {{1.31, 1.41, 1.52}, {0.92, 1.00, 1.27}, {1.33, 1.44, 1.53}, {0.92, 0.98, 1.16}, {0.90, 0.93, 0.96}}},
    {GRT_TIMES_HEAVY,
     1000,
     1e-9,
     {{0.41, 0.47, 0.54}, {0.33, 1.14, 12.17}, {0.42, 0.48, 0.55}, {0.29, 0.83, 8.25}, {0.23, 0.26, 0.34}}},
    {GRT_TIMES_SLOW_MODE,
     1000,
     1e-9,
     {{0.82, 1.18, 1.62},
      {5.69, 170.98, 5536.12},
      {0.83, 1.13, 1.50},
      {7.70, 401.87, 72427.40},
      {0.58, 0.64, 0.73}}},
    {GRT_TIMES_GAMMA,
     3000,
     1e-9,
     {{1.05, 1.15, 1.25}, {0.58, 0.86, 2.17}, {1.08, 1.18, 1.27}, {0.57, 0.81, 1.48}, {0.47, 0.53, 0.63}}},
    {GRT_TIMES_NORMAL,
     3000,
     1e-9,
     {{1.12, 1.23, 1.29}, {0.85, 0.92, 1.21}, {1.17, 1.24, 1.29}, {0.85, 0.91, 1.07}, {0.82, 0.84, 0.88}}},
    {GRT_TIMES_BOUNDED,
     3000,
     1e-9,
     {{1.34, 1.42, 1.48}, {0.95, 1.00, 1.11}, {1.35, 1.44, 1.49}, {0.94, 0.99, 1.09}, {0.92, 0.94, 0.97}}},
    {GRT_TIMES_HEAVY,
     3000,
     1e-9,
     {{0.44, 0.48, 0.52}, {0.45, 1.12, 4.99}, {0.45, 0.48, 0.52}, {0.42, 0.94, 2.99}, {0.25, 0.29, 0.37}}},
    {GRT_TIMES_SLOW_MODE,
     3000,
     1e-9,
     {{1.11, 1.72, 2.25},
      {82.94, 4009.94, 113349.08},
      {1.08, 1.37, 1.72},
      {356.82, 7381.59, 312758.35},
      {0.63, 0.68, 0.76}}},
    {GRT_TIMES_GAMMA,
     10000,
     1e-6,
     {{1.03, 1.10, 1.15}, {0.83, 0.95, 1.25}, {1.06, 1.12, 1.16}, {0.81, 0.93, 1.12}, {0.70, 0.78, 0.91}}},
    {GRT_TIMES_GAMMA,
     10000,
     1e-9,
     {{1.08, 1.16, 1.22}, {0.69, 0.88, 1.65}, {1.10, 1.18, 1.23}, {0.66, 0.84, 1.21}, {0.52, 0.58, 0.68}}},
    {GRT_TIMES_NORMAL,
     10000,
     1e-6,
     {{1.03, 1.12, 1.15}, {0.94, 0.97, 1.06}, {1.06, 1.13, 1.15}, {0.94, 0.97, 1.02}, {0.91, 0.94, 0.98}}},
    {GRT_TIMES_NORMAL,
     10000,
     1e-9,
     {{1.09, 1.24, 1.27}, {0.88, 0.93, 1.20}, {1.13, 1.25, 1.27}, {0.88, 0.92, 1.03}, {0.84, 0.86, 0.90}}},
    {GRT_TIMES_BOUNDED,
     10000,
     1e-6,
     {{1.16, 1.21, 1.23}, {0.98, 1.00, 1.04}, {1.17, 1.22, 1.24}, {0.97, 1.00, 1.02}, {0.95, 0.97, 0.99}}},
    {GRT_TIMES_BOUNDED,
     10000,
     1e-9,
     {{1.34, 1.42, 1.46}, {0.97, 1.01, 1.06}, {1.36, 1.44, 1.47}, {0.97, 1.00, 1.03}, {0.94, 0.96, 0.98}}},
    {GRT_TIMES_HEAVY,
     10000,
     1e-6,
     {{0.69, 0.72, 0.76}, {0.81, 1.05, 1.44}, {0.70, 0.72, 0.75}, {0.77, 0.99, 1.28}, {0.56, 0.65, 0.86}}},
    {GRT_TIMES_HEAVY,
     10000,
     1e-9,
     {{0.46, 0.48, 0.51}, {0.63, 1.14, 2.31}, {0.46, 0.48, 0.51}, {0.55, 0.98, 1.78}, {0.28, 0.33, 0.43}}},
    {GRT_TIMES_SLOW_MODE,
     10000,
     1e-6,
     {{1.71, 2.14, 2.27}, {0.84, 0.92, 17.56}, {1.17, 2.59, 2.97}, {0.83, 0.92, 1.14}, {0.81, 0.86, 0.95}}},
    {GRT_TIMES_SLOW_MODE,
     10000,
     1e-9,
     {{2.27, 2.91, 3.08}, {0.70, 0.77, 493.65}, {1.31, 3.62, 4.23}, {0.69, 0.78, 0.98}, {0.67, 0.72, 0.79}}},
};
enum { WRITTEN = sizeof written / sizeof written[0] };

static void print_spreads(size_t which, const struct spread spreads[METHODS + 1]) {
    printf("    {%d, %zu, %g, {", (int)written[which].kind, written[which].size, written[which].p);
    for (size_t i = 0; i <= METHODS; i++) {
        printf("{%.2f, %.2f, %.2f}%s", spreads[i].low, spreads[i].median, spreads[i].high,
               i < METHODS ? ", " : "}},\n");
    }
}

/* Whether the cases, in ascending order, are as written: the same percentiles of as many, which are the same draws, or for few of them most in the written range. */
static void expect_spread(const double *ratios, size_t cases, const struct spread *wanted,
                          struct spread *out) {
    *out = (struct spread){gsl_stats_quantile_from_sorted_data(ratios, 1, cases, 0.05),
                           gsl_stats_quantile_from_sorted_data(ratios, 1, cases, 0.5),
                           gsl_stats_quantile_from_sorted_data(ratios, 1, cases, 0.95)};
    if (cases == WRITTEN_CASES) {
        CU_ASSERT_DOUBLE_EQUAL(out->low, wanted->low, 0.01 * wanted->low + 0.006);
        CU_ASSERT_DOUBLE_EQUAL(out->median, wanted->median, 0.01 * wanted->median + 0.006);
        CU_ASSERT_DOUBLE_EQUAL(out->high, wanted->high, 0.01 * wanted->high + 0.006);
        return;
    }
    size_t inside = 0;
    for (size_t i = 0; i < cases; i++) {
        inside += ratios[i] >= wanted->low - 0.005 && ratios[i] <= wanted->high + 0.005;
    }
    CU_ASSERT_TRUE(2 * inside >= cases);
    CU_ASSERT_TRUE(out->median >= wanted->low - 0.005 && out->median <= wanted->high + 0.005);
}

static void quantiles_are_worth_what_is_written(void) {
    int cases = grt_suite_cases(12, WRITTEN_CASES);
    static double ratios[METHODS + 1][WRITTEN_CASES];
    for (size_t i = 0; i < WRITTEN; i++) {
        struct spread spreads[METHODS + 1];
        for (int j = 0; j < cases; j++) {
            double found[METHODS + 1];
            estimate_all(written[i].kind, written[i].size, written[i].p, (uint64_t)j, found);
            for (size_t k = 0; k <= METHODS; k++) {
                CU_ASSERT_FALSE(isnan(found[k]));
                ratios[k][j] = found[k];
            }
        }
        for (size_t k = 0; k <= METHODS; k++) {
            gsl_sort(ratios[k], 1, (size_t)cases);
            expect_spread(ratios[k], (size_t)cases, &written[i].spreads[k], &spreads[k]);
        }
        if (cases == WRITTEN_CASES) {
            print_spreads(i, spreads);
        }
    }
}

/* ---- intervals ---- */

/* docs/worst-case-times.md, "Intervals": shares of 95 percent intervals that hold the truth, for 1e-6 and 1e-9 a run; values that are exactly of the fitted kind. */
static const struct {
    struct grt_extreme truth;
    enum grt_extreme_kind fitted;
    size_t size; /* runs: a tenth of them above the threshold, or in blocks of 20 */
    double holds[2];
} intervals[] = {
    {{GRT_EXTREME_GPD, 100, 5, 0.1}, GRT_EXTREME_GPD, 2000, {0.907, 0.906}},
    {{GRT_EXTREME_GPD, 100, 5, 0}, GRT_EXTREME_GPD, 2000, {0.918, 0.919}},
    {{GRT_EXTREME_GPD, 100, 5, -0.2}, GRT_EXTREME_GPD, 2000, {0.917, 0.923}},
    {{GRT_EXTREME_GPD, 100, 5, 0}, GRT_EXTREME_EXPONENTIAL, 2000, {0.943, 0.944}},
    {{GRT_EXTREME_GEV, 100, 5, 0}, GRT_EXTREME_GUMBEL, 2000, {0.951, 0.952}},
    {{GRT_EXTREME_GEV, 100, 5, 0}, GRT_EXTREME_GEV, 2000, {0.937, 0.937}},
};
enum { INTERVALS = sizeof intervals / sizeof intervals[0] };

/* One sample; adds which intervals hold. */
static void try_interval(size_t which, uint64_t seed, size_t replicates, double holds[2]) {
    static const double exceedances[2] = {1e-6, 1e-9};
    static double sorted[MANY];
    struct grt_random random = grt_random_stream(4, "intervals", which, seed);
    bool maxima = grt_extreme_is_of_maxima(intervals[which].fitted);
    size_t size = intervals[which].size, count = maxima ? size / 20 : 0, block = maxima ? 20 : 1;
    for (size_t i = 0; i < size && !maxima; i++) {
        count += grt_random_uniform(&random) < 0.1;
    }
    for (size_t i = 0; i < count; i++) {
        sorted[i] = grt_extreme_quantile(&intervals[which].truth, 1 - grt_random_uniform(&random));
    }
    gsl_sort(sorted, 1, count);
    struct grt_estimate estimate;
    CU_ASSERT_TRUE_FATAL(grt_estimate_of(sorted, count, intervals[which].fitted, 100, &estimate));
    double distances[GRT_DISTANCES];
    grt_goodness(&estimate.likely.extreme, sorted, count, distances);
    struct grt_bootstrap setup = {.extreme = estimate.likely.extreme,
                                  .count = count,
                                  .of = maxima ? 0 : size,
                                  .block = block,
                                  .exceedances = exceedances,
                                  .exceedance_count = 2,
                                  .replicates = replicates,
                                  .purpose = "intervals",
                                  .seed = seed};
    struct grt_bootstrapped drawn = grt_bootstrap_run(&setup, distances);
    for (size_t i = 0; i < 2; i++) {
        double truth = grt_per_run_quantile(&intervals[which].truth, block, 0.1, exceedances[i]);
        holds[i] += drawn.low[i] <= truth && truth <= drawn.high[i];
    }
}

static void intervals_hold_what_is_written(void) {
    int cases = grt_suite_cases(20, WRITTEN_INTERVALS);
    for (size_t i = 0; i < INTERVALS; i++) {
        double holds[2] = {0};
        for (int j = 0; j < cases; j++) {
            try_interval(i, (uint64_t)j, cases == WRITTEN_INTERVALS ? 400 : 100, holds);
        }
        if (cases == WRITTEN_INTERVALS) {
            printf("    interval %zu %s %g %zu: {%.3f, %.3f}\n", i, grt_extreme_names[intervals[i].fitted],
                   intervals[i].truth.shape, intervals[i].size, holds[0] / cases, holds[1] / cases);
        }
        for (size_t j = 0; j < 2; j++) {
            double p = intervals[i].holds[j]; /* as many cases are the same draws */
            double room = cases == WRITTEN_INTERVALS ? 0.01 : 4.5 * sqrt(p * (1 - p) / cases) + 0.02;
            CU_ASSERT_DOUBLE_EQUAL(holds[j] / cases, p, room);
        }
    }
}

int main(void) {
    CU_TestInfo tests[] = {{"quantiles are worth what is written", quantiles_are_worth_what_is_written},
                           {"intervals hold what is written", intervals_hold_what_is_written},
                           CU_TEST_INFO_NULL};
    return grt_suite_run("worth of quantiles", tests);
}
