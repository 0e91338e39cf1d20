#include "calib/evt/bootstrap.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

#include "sim/check.h"
#include "sim/memory.h"
#include "sim/random_gsl.h"

double grt_per_run_quantile(const struct grt_extreme *extreme, size_t block, double rate, double p) {
    if (grt_extreme_is_of_maxima(extreme->kind)) {
        return grt_extreme_quantile(extreme, -expm1((double)block * log1p(-p)));
    }
    return p < rate ? grt_extreme_quantile(extreme, p / rate) : NAN;
}

/* What comes of the replicates. */
struct replicates {
    size_t fitted, larger[GRT_DISTANCES];
    double *quantiles[GRT_BOOTSTRAP_QUANTILES];
    double *parameters[3];
};

/* `count` values of the distribution in ascending order: uniform order statistics are the sums of exponential variables, as shares of all of them
 * (L. Devroye, Non-Uniform Random Variate Generation, 1986, chapter V.3). */
static void draw(const struct grt_extreme *extreme, size_t count, struct grt_random *random, double *out) {
    double sum = -log1p(-grt_random_uniform(random));
    for (size_t i = count; i > 0; i--) {
        out[i - 1] = sum;
        sum -= log1p(-grt_random_uniform(random));
    }
    for (size_t i = 0; i < count; i++) {
        out[i] = grt_extreme_quantile(extreme, out[i] / sum);
    }
}

static size_t draw_count(const struct grt_bootstrap *setup, struct grt_random *random) {
    if (setup->of == 0) {
        return setup->count;
    }
    gsl_rng rng = grt_random_gsl(random);
    return gsl_ran_binomial(&rng, (double)setup->count / (double)setup->of, (unsigned)setup->of);
}

/* The quantile of a fit to so many values. */
static double per_run(const struct grt_bootstrap *setup, const struct grt_extreme *extreme, size_t count,
                      size_t which) {
    double rate = setup->of > 0 ? (double)count / (double)setup->of : 1;
    return grt_per_run_quantile(extreme, setup->block, rate, setup->exceedances[which]);
}

static void replicate(const struct grt_bootstrap *setup, const double distances[GRT_DISTANCES], size_t count,
                      const double *sorted, struct replicates *out) {
    struct grt_estimate estimate;
    const struct grt_extreme *extreme = &estimate.likely.extreme;
    double there[GRT_DISTANCES];
    if (!grt_estimate_of(sorted, count, setup->extreme.kind, setup->extreme.location, &estimate)) {
        return;
    }
    grt_goodness(extreme, sorted, count, there);
    for (size_t i = 0; i < GRT_DISTANCES; i++) {
        out->larger[i] += !(there[i] < distances[i]);
    }
    for (size_t i = 0; i < setup->exceedance_count; i++) {
        out->quantiles[i][out->fitted] = per_run(setup, extreme, count, i);
    }
    out->parameters[0][out->fitted] = extreme->location;
    out->parameters[1][out->fitted] = extreme->scale;
    out->parameters[2][out->fitted++] = extreme->shape;
}

/* The values between which 95 percent of the replicates are, moved by how far these are off the estimate themselves (B. Efron, Nonparametric standard errors and
 * confidence intervals, Canadian J. Statistics 9, 1981): refitted shapes are too small more often than too large, and intervals that leave this alone are too low. Any
 * monotone function of a quantile, such as its logarithm, has the same. */
static void percentiles(double *values, size_t count, double estimate, double *low, double *high) {
    double less = 0.5;
    for (size_t i = 0; i < count; i++) {
        less += values[i] < estimate;
    }
    double off = 2 * gsl_cdf_ugaussian_Pinv(less / ((double)count + 1)), z = gsl_cdf_ugaussian_Pinv(0.975);
    gsl_sort(values, 1, count);
    *low = gsl_stats_quantile_from_sorted_data(values, 1, count, gsl_cdf_ugaussian_P(off - z));
    *high = gsl_stats_quantile_from_sorted_data(values, 1, count, gsl_cdf_ugaussian_P(off + z));
}

static void conclude(const struct grt_bootstrap *setup, struct replicates *replicates,
                     struct grt_bootstrapped *out) {
    out->fitted = replicates->fitted;
    out->failed = setup->replicates - replicates->fitted;
    bool is_known = out->fitted > 1;
    for (size_t i = 0; i < GRT_DISTANCES; i++) {
        out->p[i] = is_known ? (1 + (double)replicates->larger[i]) / (1 + (double)replicates->fitted) : NAN;
    }
    for (size_t i = 0; i < 9; i++) {
        const double *one = replicates->parameters[i / 3], *other = replicates->parameters[i % 3];
        out->covariance[i / 3][i % 3] =
            is_known ? gsl_stats_covariance(one, 1, other, 1, replicates->fitted) : NAN;
    }
    for (size_t i = 0; i < setup->exceedance_count; i++) {
        double estimate = per_run(setup, &setup->extreme, setup->count, i);
        out->low[i] = out->high[i] = NAN;
        if (is_known && !isnan(estimate)) {
            percentiles(replicates->quantiles[i], replicates->fitted, estimate, &out->low[i], &out->high[i]);
        }
    }
}

struct grt_bootstrapped grt_bootstrap_run(const struct grt_bootstrap *setup,
                                          const double distances[GRT_DISTANCES]) {
    GRT_REQUIRE(setup->exceedance_count <= GRT_BOOTSTRAP_QUANTILES, "ask for fewer exceedances at a time");
    struct grt_bootstrapped out = {.fitted = 0};
    struct replicates replicates = {.fitted = 0};
    struct grt_arena arena = {0};
    for (size_t i = 0; i < setup->exceedance_count; i++) {
        replicates.quantiles[i] = grt_arena_array(&arena, setup->replicates + 1, sizeof(double));
    }
    for (size_t i = 0; i < 3; i++) {
        replicates.parameters[i] = grt_arena_array(&arena, setup->replicates + 1, sizeof(double));
    }
    size_t room = setup->of > 0 ? setup->of : setup->count;
    double *sorted = grt_arena_array(&arena, room + 1, sizeof *sorted);
    for (size_t i = 0; i < setup->replicates; i++) {
        struct grt_random random = grt_random_stream(setup->seed, setup->purpose, i, 0);
        size_t count = draw_count(setup, &random);
        draw(&setup->extreme, count, &random, sorted);
        replicate(setup, distances, count, sorted, &replicates);
    }
    conclude(setup, &replicates, &out);
    grt_arena_clear(&arena);
    return out;
}
