/* The parametric bootstrap and what it is made of: places, curvature, estimates, quantiles per run. */
#include <gsl/gsl_sort.h>
#include <math.h>
#include <string.h>

#include "calib/evt/bootstrap.h"
#include "sim/random.h"
#include "tests/support/suite.h"

static const struct grt_extreme kinds[] = {
    {GRT_EXTREME_GUMBEL, 5, 2, 0},    {GRT_EXTREME_GEV, 100, 10, 0.2},    {GRT_EXTREME_GEV, 100, 10, -0.3},
    {GRT_EXTREME_GEV, 100, 10, 1e-7}, {GRT_EXTREME_EXPONENTIAL, 7, 3, 0}, {GRT_EXTREME_GPD, 7, 3, 0.4},
    {GRT_EXTREME_GPD, 7, 3, -0.4},    {GRT_EXTREME_GPD, 7, 3, 1e-7}};
enum { KINDS = sizeof kinds / sizeof kinds[0], SOME = 100 };

static void draw(const struct grt_extreme *extreme, struct grt_random *random, double *out, size_t count) {
    for (size_t i = 0; i < count; i++) {
        out[i] = grt_extreme_quantile(extreme, 1 - grt_random_uniform(random));
    }
    gsl_sort(out, 1, count);
}

static void places_are_probabilities(void) {
    for (size_t i = 0; i < KINDS; i++) {
        for (double p = 1e-12; p < 0.95; p = p < 0.1 ? 10 * p : p + 0.1) {
            double x = grt_extreme_quantile(&kinds[i], p);
            struct grt_extreme_place place = grt_extreme_place(&kinds[i], x);
            CU_ASSERT_DOUBLE_EQUAL(place.below, grt_extreme_below(&kinds[i], x), 1e-15);
            CU_ASSERT_DOUBLE_EQUAL(place.ln_below, log1p(-grt_extreme_above(&kinds[i], x)), 1e-12);
            double wanted = log(grt_extreme_above(&kinds[i], x));
            CU_ASSERT_DOUBLE_EQUAL(place.ln_above, wanted, 1e-12 * fmax(1, fabs(wanted)));
        }
    }
}

/* The slope of an extreme's cost where parameter `which` is changed by `move`. */
static void slope_beside(const struct grt_extreme *kind, size_t which, double move, const double *values,
                         double slope[3]) {
    struct grt_extreme there = *kind;
    there.location += which == 0 ? move : 0;
    there.scale *= which == 1 ? exp(move) : 1;
    there.shape += which == 2 ? move : 0;
    grt_extreme_slope(&there, values, SOME, slope);
}

/* The slope of grt_extreme_curve is that of grt_extreme_slope, and its curvature the difference of slopes. */
static void curvature_is_the_slope_s(void) {
    struct grt_random random = grt_random_stream(1, "curvature", 0, 0);
    for (size_t i = 0; i < KINDS; i++) {
        double values[SOME], slope[3], again[3], curve[3][3];
        draw(&kinds[i], &random, values, SOME);
        double cost = grt_extreme_curve(&kinds[i], values, SOME, slope, curve);
        CU_ASSERT_DOUBLE_EQUAL(cost, grt_extreme_cost(&kinds[i], values, SOME), 1e-9);
        grt_extreme_slope(&kinds[i], values, SOME, again);
        size_t parameters = grt_extreme_has_shape(kinds[i].kind) ? 3 : 2;
        for (size_t j = grt_extreme_is_of_maxima(kinds[i].kind) ? 0 : 1; j < parameters; j++) {
            double sides[2][3], step = j == 0 ? 1e-5 * kinds[i].scale : 1e-5;
            CU_ASSERT_DOUBLE_EQUAL(slope[j], again[j], 1e-7);
            slope_beside(&kinds[i], j, -step, values, sides[0]);
            slope_beside(&kinds[i], j, step, values, sides[1]);
            for (size_t k = 0; k < parameters; k++) {
                double wanted = (sides[1][k] - sides[0][k]) / (2 * step);
                CU_ASSERT_DOUBLE_EQUAL(curve[j][k], wanted, 1e-3 * fmax(1, fabs(wanted)));
            }
        }
    }
}

static void impossible_values_cost_everything(void) {
    const double values[] = {1, 2, 1000};
    double slope[3], curve[3][3];
    for (size_t i = 0; i < KINDS; i++) {
        if (kinds[i].shape < -0.1) {
            CU_ASSERT_TRUE(grt_extreme_curve(&kinds[i], values, 3, slope, curve) == INFINITY);
        }
    }
}

/* Values of a uniform distribution have a shape of -1, where the likelihood has no maximum. */
static void ends_are_estimated_by_l_moments(void) {
    double values[2000];
    for (size_t i = 0; i < 2000; i++) {
        values[i] = 100 + 10 * ((double)i + 0.5) / 2000;
    }
    struct grt_estimate estimate;
    CU_ASSERT_TRUE_FATAL(grt_estimate_of(values, 2000, GRT_EXTREME_GPD, 100, &estimate));
    CU_ASSERT_FALSE(estimate.is_likely);
    CU_ASSERT_DOUBLE_EQUAL(estimate.likely.extreme.shape, -1, 0.01);
    CU_ASSERT_TRUE(grt_extreme_quantile(&estimate.likely.extreme, 1e-9) > values[1999]);
    CU_ASSERT_DOUBLE_EQUAL(grt_extreme_quantile(&estimate.likely.extreme, 1e-9), 110, 0.1);
    CU_ASSERT_TRUE(isnan(estimate.likely.covariance[1][1]) && isfinite(estimate.likely.cost));
}

/* A block of b independent runs stays below a run's quantile with (1 - p)^b: taking p for the block's own chance, which is easily done, is too low by a
 * factor of b in the probability. */
static void blocks_are_not_runs(void) {
    for (size_t i = 0; i < KINDS; i++) {
        for (double p = 1e-9; p < 0.01; p *= 10) {
            const size_t block = 50;
            double rate = 0.1;
            if (grt_extreme_is_of_maxima(kinds[i].kind)) {
                double x = grt_per_run_quantile(&kinds[i], block, 1, p);
                CU_ASSERT_DOUBLE_EQUAL(grt_extreme_place(&kinds[i], x).ln_below / ((double)block * log1p(-p)),
                                       1, 1e-6);
                CU_ASSERT_TRUE(x < grt_extreme_quantile(&kinds[i], p));
            } else {
                double x = grt_per_run_quantile(&kinds[i], 1, rate, p);
                CU_ASSERT_DOUBLE_EQUAL(rate * grt_extreme_above(&kinds[i], x) / p, 1, 1e-6);
            }
        }
    }
    CU_ASSERT_TRUE(isnan(grt_per_run_quantile(&kinds[4], 1, 0.001, 0.001)));
}

/* A gap is as many mean spacings wide as the values above it say: with k above it, 1 / k of the scale is a usual one. */
static void spacings_are_of_the_gap(void) {
    const struct grt_extreme exponential = {GRT_EXTREME_EXPONENTIAL, 0, 1, 0};
    double values[SOME], distances[GRT_DISTANCES];
    for (size_t i = 0; i < SOME; i++) {
        values[i] = grt_extreme_quantile(&exponential, 1 - ((double)i + 0.5) / SOME) + (i >= 90 ? 2 : 0);
    }
    grt_goodness(&exponential, values, SOME, distances);
    CU_ASSERT_EQUAL(grt_goodness_above_spacing(&exponential, values, SOME), 10);
    CU_ASSERT_DOUBLE_EQUAL(distances[GRT_DISTANCE_SPACING], 10 * (values[90] - values[89]), 1e-9);
}

static struct grt_bootstrapped run(const struct grt_estimate *estimate, const double *sorted, size_t count,
                                   size_t replicates, uint64_t seed) {
    static const double exceedances[] = {1e-3, 1e-6};
    double distances[GRT_DISTANCES];
    struct grt_bootstrap setup = {.extreme = estimate->likely.extreme,
                                  .count = count,
                                  .block = 20,
                                  .exceedances = exceedances,
                                  .exceedance_count = 2,
                                  .replicates = replicates,
                                  .purpose = "test",
                                  .seed = seed};
    grt_goodness(&setup.extreme, sorted, count, distances);
    return grt_bootstrap_run(&setup, distances);
}

static void draws_are_the_seed_s(void) {
    struct grt_random random = grt_random_stream(3, "draws", 0, 0);
    double values[SOME];
    struct grt_estimate estimate;
    draw(&kinds[1], &random, values, SOME);
    CU_ASSERT_TRUE_FATAL(grt_estimate_of(values, SOME, GRT_EXTREME_GEV, 0, &estimate));
    struct grt_bootstrapped one = run(&estimate, values, SOME, 100, 7),
                            two = run(&estimate, values, SOME, 100, 7),
                            other = run(&estimate, values, SOME, 100, 8);
    CU_ASSERT_EQUAL(memcmp(&one, &two, sizeof one), 0);
    CU_ASSERT_NOT_EQUAL(one.low[0], other.low[0]);
    CU_ASSERT_EQUAL(one.fitted + one.failed, 100);
    for (size_t i = 0; i < 2; i++) {
        double value = grt_per_run_quantile(&estimate.likely.extreme, 20, 1, i == 0 ? 1e-3 : 1e-6);
        CU_ASSERT_TRUE(one.low[i] < value && value < one.high[i]);
    }
}

/* What replicates scatter by is what the curvature of the likelihood says. */
static void scatter_is_the_curvature_s(void) {
    struct grt_random random = grt_random_stream(4, "scatter", 0, 0);
    static double values[500];
    struct grt_estimate estimate;
    draw(&kinds[1], &random, values, 500);
    CU_ASSERT_TRUE_FATAL(grt_estimate_of(values, 500, GRT_EXTREME_GEV, 0, &estimate));
    struct grt_bootstrapped drawn = run(&estimate, values, 500, 1000, 1);
    CU_ASSERT_EQUAL(drawn.failed, 0);
    for (size_t i = 0; i < 3; i++) {
        double ratio = drawn.covariance[i][i] / estimate.likely.covariance[i][i];
        CU_ASSERT_TRUE(ratio > 0.8 && ratio < 1.3);
    }
}

/* How many runs are above a threshold is a matter of chance, too. With a known threshold u the quantile is u + scale ln(rate / p): of 100 peaks of 1,000 runs the scale is off by a tenth of itself, and
 * ln(rate) by sqrt(0.9 / 100). Near the threshold nearly all of the scatter is of the rate. */
static void numbers_of_peaks_scatter(void) {
    enum { PEAKS = 100, RUNS = 1000 };
    static const double exceedances[] = {0.07, 0.03, 1e-4};
    struct grt_random random = grt_random_stream(6, "peaks", 0, 0);
    double values[PEAKS], distances[GRT_DISTANCES];
    struct grt_estimate estimate;
    draw(&kinds[4], &random, values, PEAKS);
    CU_ASSERT_TRUE_FATAL(grt_estimate_of(values, PEAKS, GRT_EXTREME_EXPONENTIAL, 7, &estimate));
    struct grt_bootstrap setup = {.extreme = estimate.likely.extreme,
                                  .count = PEAKS,
                                  .of = RUNS,
                                  .block = 1,
                                  .exceedances = exceedances,
                                  .exceedance_count = 3,
                                  .replicates = 2000,
                                  .purpose = "test",
                                  .seed = 1};
    grt_goodness(&setup.extreme, values, PEAKS, distances);
    struct grt_bootstrapped drawn = grt_bootstrap_run(&setup, distances);
    CU_ASSERT_EQUAL(drawn.failed, 0);
    for (size_t i = 0; i < 3; i++) {
        double above = log((double)PEAKS / RUNS / exceedances[i]), of_rate = 0.9 / PEAKS;
        double wanted = setup.extreme.scale * sqrt(above * above / PEAKS + of_rate);
        double ratio = (drawn.high[i] - drawn.low[i]) / (2 * 1.96 * wanted);
        CU_ASSERT_TRUE(ratio > 0.9 && ratio < 1.1); /* without the rate's: 0.35, 0.79, 0.99 */
    }
}

/* Peaks of a distribution that they do not have are far away; of the one that they have they are not. */
static void wrong_kinds_are_found(void) {
    struct grt_random random = grt_random_stream(5, "wrong", 0, 0);
    static double values[1000];
    struct grt_estimate right, wrong;
    draw(&kinds[6], &random, values, 1000);
    CU_ASSERT_TRUE_FATAL(grt_estimate_of(values, 1000, GRT_EXTREME_GPD, 7, &right));
    CU_ASSERT_TRUE_FATAL(grt_estimate_of(values, 1000, GRT_EXTREME_EXPONENTIAL, 7, &wrong));
    struct grt_bootstrapped fair = run(&right, values, 1000, 199, 1),
                            poor = run(&wrong, values, 1000, 199, 1);
    for (size_t i = 0; i < GRT_DISTANCE_SPACING; i++) {
        CU_ASSERT_TRUE(fair.p[i] > 0.02);
        CU_ASSERT_DOUBLE_EQUAL(poor.p[i], 1.0 / 200, 1e-12);
    }
}

int main(void) {
    CU_TestInfo tests[] = {{"places are probabilities", places_are_probabilities},
                           {"curvature is the slope's", curvature_is_the_slope_s},
                           {"impossible values cost everything", impossible_values_cost_everything},
                           {"ends are estimated by L-moments", ends_are_estimated_by_l_moments},
                           {"blocks are not runs", blocks_are_not_runs},
                           {"spacings are of the gap", spacings_are_of_the_gap},
                           {"draws are the seed's", draws_are_the_seed_s},
                           {"scatter is the curvature's", scatter_is_the_curvature_s},
                           {"numbers of peaks scatter", numbers_of_peaks_scatter},
                           {"wrong kinds are found", wrong_kinds_are_found},
                           CU_TEST_INFO_NULL};
    return grt_suite_run("bootstrap", tests);
}
