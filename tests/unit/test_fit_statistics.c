/* Statistics of fits, against brute force and by hand. */
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "calib/fit/line.h"
#include "calib/fit/quantum.h"
#include "calib/fit/statistics.h"
#include "sim/random.h"
#include "tests/support/suite.h"

enum { MOST = 60 };

static struct grt_random random_here;

static double uniform(void) {
    return grt_random_uniform(&random_here);
}

/* ---- medians ---- */

static void quantiles_lie_between_values(void) {
    const double sorted[] = {1, 2, 4, 8};
    CU_ASSERT_DOUBLE_EQUAL(grt_sorted_quantile(sorted, 4, 0), 1, 0);
    CU_ASSERT_DOUBLE_EQUAL(grt_sorted_quantile(sorted, 4, 0.5), 3, 0);
    CU_ASSERT_DOUBLE_EQUAL(grt_sorted_quantile(sorted, 4, 1), 8, 0);
    CU_ASSERT_DOUBLE_EQUAL(grt_sorted_quantile(sorted, 1, 0.3), 1, 0);
    double work[4];
    CU_ASSERT_DOUBLE_EQUAL(grt_sorted_deviation(sorted, 4, work), 1.5, 0); /* 2, 1, 1, 5 */
}

/* The chance that fewer than `rank` of them are below the median, added up. */
static double tail(size_t count, size_t rank) {
    double sum = 0, term = pow(0.5, (double)count);
    for (size_t i = 0; i < rank; i++) {
        sum += term;
        term *= (double)(count - i) / (double)(i + 1);
    }
    return sum;
}

static void a_medians_interval_is_of_order_statistics(void) {
    double sorted[200];
    for (size_t i = 0; i < 200; i++) {
        sorted[i] = (double)i + 1;
    }
    for (size_t count = 1; count <= 200; count++) {
        struct grt_ranged median = grt_sorted_median(sorted, count);
        if (count < 6) {
            CU_ASSERT(isnan(median.low) && isnan(median.high));
            continue;
        }
        size_t rank = (size_t)median.low;
        CU_ASSERT_DOUBLE_EQUAL(median.high, (double)(count + 1 - rank), 0);
        CU_ASSERT(tail(count, rank) <= 0.025 && tail(count, rank + 1) > 0.025);
    }
    CU_ASSERT_DOUBLE_EQUAL(grt_sorted_median(sorted, 30).low, 10, 0); /* the tables' 10th and 21st of 30 */
}

/* ---- isotonic regression ---- */

static double squares(const double *y, const double *weights, const double *fit, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += weights[i] * (y[i] - fit[i]) * (y[i] - fit[i]);
    }
    return sum;
}

/* The least squares of ascending values from a grid, by dynamic programming. */
static double least_on_grid(const double *y, const double *weights, size_t count, const double *grid,
                            size_t steps) {
    double best[MOST] = {0};
    for (size_t i = 0; i < count; i++) {
        double least = INFINITY;
        for (size_t k = 0; k < steps; k++) {
            least = fmin(least, best[k]);
            best[k] = least + weights[i] * (y[i] - grid[k]) * (y[i] - grid[k]);
        }
    }
    double least = INFINITY;
    for (size_t k = 0; k < steps; k++) {
        least = fmin(least, best[k]);
    }
    return least;
}

/* No values on a grid that has the answer's are nearer. */
static void isotonic_regression_is_nearest(void) {
    for (int round = 0; round < 300; round++) {
        double y[MOST], weights[MOST], fit[MOST], grid[MOST];
        size_t count = 1 + (size_t)grt_random_below(&random_here, 12);
        for (size_t i = 0; i < count; i++) {
            y[i] = floor(uniform() * 10) + (double)i / 2;
            weights[i] = 1 + floor(uniform() * 5);
        }
        grt_isotonic(y, weights, count, fit);
        for (size_t i = 0; i < count; i++) {
            CU_ASSERT(i == 0 || fit[i] >= fit[i - 1]);
            grid[i] = fit[i];
            grid[count + i] = y[i];
            grid[2 * count + i] = fit[i] + uniform() - 0.5;
        }
        gsl_sort(grid, 1, 3 * count);
        double least = least_on_grid(y, weights, count, grid, 3 * count);
        CU_ASSERT_DOUBLE_EQUAL(squares(y, weights, fit, count), least, 1e-9 * (1 + least));
    }
}

static void quotients_have_both_intervals(void) {
    struct grt_ranged exact = grt_ranged_quotient(grt_ranged_exactly(6), grt_ranged_exactly(4));
    CU_ASSERT_DOUBLE_EQUAL(exact.value, 1.5, 0);
    CU_ASSERT_DOUBLE_EQUAL(exact.low, 1.5, 1e-15);
    struct grt_ranged one = {100, 100 / 1.1, 110}, quotient = grt_ranged_quotient(one, one);
    double half = exp(sqrt(2) * log(1.1));
    CU_ASSERT_DOUBLE_EQUAL(quotient.high, half, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(quotient.low, 1 / half, 1e-12);
}

/* ---- quanta ---- */

static void a_quantum_is_found(void) {
    int64_t values[400];
    for (int round = 0; round < 200; round++) {
        int64_t step = 1 + (int64_t)grt_random_below(&random_here, 2000), last = 0;
        for (size_t i = 0; i < 400; i++) {
            last += step * (int64_t)(grt_random_below(&random_here, 3));
            values[i] = last + step;
        }
        struct grt_quantum quantum = grt_quantum_of(values, 400, 0);
        CU_ASSERT_DOUBLE_EQUAL(quantum.step, (double)step, 0);
        CU_ASSERT_DOUBLE_EQUAL(quantum.share, 1, 0);
    }
}

static int by_value(const void *a, const void *b) {
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

static void a_quantum_bears_stray_values_and_rounding(void) {
    int64_t values[500];
    for (size_t i = 0; i < 500; i++) {
        values[i] =
            32 * (1 + (int64_t)grt_random_below(&random_here, 100)) + (i % 100 == 0 ? 7 : 0); /* 1 % strays */
    }
    qsort(values, 500, sizeof values[0], by_value);
    CU_ASSERT_DOUBLE_EQUAL(grt_quantum_of(values, 500, 0).step, 32, 0);
    CU_ASSERT_DOUBLE_EQUAL(grt_quantum_of(values, 500, 0).share, 0.99, 1e-12);
    for (size_t i = 0; i < 500; i++) { /* 1.0245 us, rounded to ns */
        values[i] = llround(1024.5 * (double)(1 + grt_random_below(&random_here, 50)));
    }
    qsort(values, 500, sizeof values[0], by_value);
    CU_ASSERT_DOUBLE_EQUAL(grt_quantum_of(values, 500, 1).step, 1024.5, 0.01);
    for (size_t i = 0; i < 500; i++) {
        values[i] = 5000 + (int64_t)grt_random_below(&random_here, 100);
    }
    qsort(values, 500, sizeof values[0], by_value);
    CU_ASSERT_DOUBLE_EQUAL(grt_quantum_of(values, 500, 1).step, 1, 0); /* finer than can be told */
    values[0] = 4096;
    CU_ASSERT_EQUAL(grt_quantum_of(values, 1, 0).distinct, 1);
}

/* Digits of the shortest text that reads back as the number. */
static int digits_of(double value) {
    char text[40];
    for (int digits = 1; digits < 18; digits++) {
        snprintf(text, sizeof text, "%.*e", digits - 1, value);
        if (strtod(text, NULL) == value) {
            return digits;
        }
    }
    return 18;
}

static void the_roundest_has_fewest_digits(void) {
    CU_ASSERT_DOUBLE_EQUAL(grt_roundest(4993, 5023), 5000, 0);
    CU_ASSERT_DOUBLE_EQUAL(grt_roundest(54999998, 55000003), 55e6, 0);
    CU_ASSERT_DOUBLE_EQUAL(grt_roundest(0.29, 0.31), 0.3, 0);
    CU_ASSERT_DOUBLE_EQUAL(grt_roundest(-31, 31), 0, 0);
    CU_ASSERT_DOUBLE_EQUAL(grt_roundest(-0.31, -0.29), -0.3, 0);
    CU_ASSERT_DOUBLE_EQUAL(grt_roundest(95, 105), 100, 0);
    CU_ASSERT_DOUBLE_EQUAL(grt_roundest(7, 7), 7, 0);
    for (int round = 0; round < 500; round++) {
        double low = ceil(uniform() * 1e6), high = low + floor(uniform() * uniform() * 1e3);
        double roundest = grt_roundest(low, high);
        CU_ASSERT_FATAL(roundest >= low && roundest <= high);
        int fewest = 18;
        for (double value = low; value <= high; value++) {
            int digits = digits_of(value);
            fewest = digits < fewest ? digits : fewest;
        }
        CU_ASSERT_EQUAL(digits_of(roundest), fewest);
    }
}

/* ---- lines ---- */

/* Every line between the ends that a fine search finds is between those of the corners, and nearly reaches them. */
static void lines_through_gates_are_all(void) {
    for (int round = 0; round < 100; round++) {
        struct grt_gate gates[8];
        size_t count = 2 + (size_t)grt_random_below(&random_here, 7);
        double start = uniform() * 100, slope = uniform() * 4 - 2;
        for (size_t i = 0; i < count; i++) {
            double x = (double)i * 10 + uniform();
            gates[i] = (struct grt_gate){x, start + slope * x - uniform(), start + slope * x + uniform()};
        }
        struct grt_lines lines = grt_lines_through(gates, count, 0);
        CU_ASSERT_FATAL(lines.exist);
        CU_ASSERT(lines.low_at <= start && start <= lines.high_at);
        CU_ASSERT(lines.low_slope <= slope && slope <= lines.high_slope);
        double least = INFINITY, most = -INFINITY;
        for (double b = lines.low_slope; b <= lines.high_slope;
             b += (lines.high_slope - lines.low_slope) / 2000) {
            double low = -INFINITY, high = INFINITY;
            for (size_t i = 0; i < count; i++) {
                low = fmax(low, gates[i].low - b * gates[i].x);
                high = fmin(high, gates[i].high - b * gates[i].x);
            }
            least = low <= high ? fmin(least, low) : least;
            most = low <= high ? fmax(most, high) : most;
        }
        double size = lines.high_at - lines.low_at;
        CU_ASSERT(least >= lines.low_at - 1e-9 && most <= lines.high_at + 1e-9);
        CU_ASSERT(least <= lines.low_at + size * 0.01 && most >= lines.high_at - size * 0.01);
    }
}

static void gates_without_a_line_are_seen(void) {
    const struct grt_gate bent[] = {{0, 0, 1}, {10, 20, 21}, {20, 0, 1}}, same[] = {{5, 0, 1}, {5, 0, 1}};
    CU_ASSERT_FALSE(grt_lines_through(bent, 3, 0).exist);
    CU_ASSERT_FALSE(grt_lines_through(same, 2, 0).exist);
    const struct grt_gate exact[] = {{0, 7, 7}, {1e9, 2e9 + 7, 2e9 + 7}, {3e9, 6e9 + 7, 6e9 + 7}};
    struct grt_lines lines = grt_lines_through(exact, 3, 0);
    CU_ASSERT(lines.exist);
    CU_ASSERT_DOUBLE_EQUAL(lines.low_at, 7, 1e-3);
    CU_ASSERT_DOUBLE_EQUAL(lines.high_slope, 2, 1e-12);
}

/* By the normal equations, without centring. */
static void a_line_of_least_squares_is_one(void) {
    struct grt_line_point points[20];
    double w = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (int i = 0; i < 20; i++) {
        points[i] = (struct grt_line_point){i, 5 + 2 * i + uniform(), 0.5 + uniform()};
        double weight = 1 / (points[i].error * points[i].error);
        w += weight;
        x += weight * points[i].x;
        y += weight * points[i].y;
        xx += weight * points[i].x * points[i].x;
        xy += weight * points[i].x * points[i].y;
    }
    struct grt_line line = grt_line_fit(points, 20);
    double slope = (w * xy - x * y) / (w * xx - x * x), start = (y - slope * x) / w;
    CU_ASSERT_DOUBLE_EQUAL(line.slope.value, slope, 1e-10);
    CU_ASSERT_DOUBLE_EQUAL(line.start.value, start, 1e-10);
    double quantile = gsl_cdf_tdist_Pinv(0.975, 18); /* errors are larger than the noise: not widened */
    CU_ASSERT(line.misfit < 1);
    CU_ASSERT_DOUBLE_EQUAL(line.slope.high - slope, quantile * sqrt(w / (w * xx - x * x)), 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(line.start.high - start, quantile * sqrt(xx / (w * xx - x * x)), 1e-9);
    CU_ASSERT(isnan(grt_line_fit(points, 1).slope.value));
    CU_ASSERT(isnan(grt_line_fit(points, 2).slope.low));
}

static void a_bend_is_where_squares_are_least(void) {
    struct grt_line_point points[20];
    struct grt_bent_line bent;
    for (int i = 0; i < 20; i++) {
        double y = i < 12 ? 10 + i : 40 + 5 * i;
        points[i] = (struct grt_line_point){i, y + (i % 2) * 0.01, 1};
    }
    CU_ASSERT_TRUE(grt_line_bend(points, 20, &bent));
    CU_ASSERT_EQUAL(bent.split, 12);
    CU_ASSERT_DOUBLE_EQUAL(bent.behind.slope.value, 5, 0.01);
    CU_ASSERT(bent.squares < 0.01 && bent.single > 100);
    CU_ASSERT_FALSE(grt_line_bend(points, 5, &bent));
}

int main(void) {
    random_here = grt_random_stream(7, "fit statistics", 0, 0);
    static CU_TestInfo tests[] = {
        {"quantiles lie between values", quantiles_lie_between_values},
        {"a median's interval is of order statistics", a_medians_interval_is_of_order_statistics},
        {"isotonic regression is nearest", isotonic_regression_is_nearest},
        {"quotients have both intervals", quotients_have_both_intervals},
        {"a quantum is found", a_quantum_is_found},
        {"a quantum bears stray values and rounding", a_quantum_bears_stray_values_and_rounding},
        {"the roundest has fewest digits", the_roundest_has_fewest_digits},
        {"lines through gates are all", lines_through_gates_are_all},
        {"gates without a line are seen", gates_without_a_line_are_seen},
        {"a line of least squares is one", a_line_of_least_squares_is_one},
        {"a bend is where squares are least", a_bend_is_where_squares_are_least},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("statistics of fits", tests);
}
