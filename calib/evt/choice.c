#include "calib/evt/choice.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

#include "sim/memory.h"

static const double shares[] = {0.1, 0.075, 0.05, 0.04, 0.03, 0.025, 0.02, 0.015, 0.01, 0.0075, 0.005};
static const size_t block_sizes[] = {20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000};
enum {
    SHARES = sizeof shares / sizeof shares[0],
    SIZES = sizeof block_sizes / sizeof block_sizes[0],
    MOST_MAXIMA = 1000
};

/* ---- rows ---- */

/* J. R. M. Hosking, J. R. Wallis, Parameter and quantile estimation for the generalized Pareto distribution, Technometrics 29, 1987: the variance of the shape by
 * L-moments. Of the GEV there is no such formula. */
static double linear_error(enum grt_extreme_kind kind, double shape, size_t count) {
    double k = -shape;
    double variance = (1 + k) * (2 + k) * (2 + k) * (1 + k + 2 * k * k) / ((1 + 2 * k) * (3 + 2 * k));
    return kind == GRT_EXTREME_GPD && k > -0.5 ? sqrt(variance / (double)count) : NAN;
}

static void fit_row(struct grt_choice *row, const double *extremes, enum grt_extreme_kind kind) {
    struct grt_estimate estimate;
    row->has_fit = grt_estimate_of(extremes, row->count, kind, row->threshold, &estimate);
    row->shape_error = row->steady_scale = NAN;
    if (row->has_fit) {
        row->extreme = estimate.likely.extreme;
        row->shape_error = estimate.is_likely ? sqrt(estimate.likely.covariance[2][2])
                                              : linear_error(kind, row->extreme.shape, row->count);
        row->steady_scale = row->extreme.scale - row->extreme.shape * row->extreme.location;
    }
}

static void describe_excesses(struct grt_choice *row, const double *peaks) {
    double mean = gsl_stats_mean(peaks, 1, row->count);
    row->mean_excess = mean - row->threshold;
    row->variation = gsl_stats_sd_m(peaks, 1, row->count, mean) / row->mean_excess;
    row->variation_room = gsl_cdf_ugaussian_Pinv(0.975) / sqrt((double)row->count);
}

/* ---- rules ---- */

/* Whether two shapes may be the same; `fewer` has only extremes that `more` has, too. The error of the shape with fewer is taken from that with more, since errors of
 * few extremes are small where their shape happens to be. Shapes without a known error may. */
static bool agree(const struct grt_choice *more, const struct grt_choice *fewer, double z) {
    double ratio = (double)more->count / (double)fewer->count;
    double error = more->shape_error * sqrt(fmax(ratio - 1, 0));
    return !(fabs(more->extreme.shape - fewer->extreme.shape) > z * error);
}

static bool is_steady(const struct grt_choices *choices, size_t which) {
    size_t further = choices->count - which - 1;
    double z = further > 0 ? gsl_cdf_ugaussian_Qinv(0.025 / (double)further) : 0;
    for (size_t i = which + 1; i < choices->count; i++) {
        if (choices->rows[i].has_fit && !agree(&choices->rows[which], &choices->rows[i], z)) {
            return false;
        }
    }
    return choices->rows[which].has_fit;
}

static void choose(struct grt_choices *choices) {
    choices->chosen = choices->chosen_by_variation = choices->count;
    for (size_t i = choices->count; i > 0; i--) {
        const struct grt_choice *row = &choices->rows[i - 1];
        choices->chosen = is_steady(choices, i - 1) ? i - 1 : choices->chosen;
        if (choices->chosen_by_variation == i && fabs(row->variation - 1) <= row->variation_room) {
            choices->chosen_by_variation = i - 1;
        }
    }
}

/* ---- tables ---- */

void grt_choose_threshold(const double *sorted, size_t count, struct grt_choices *out) {
    *out = (struct grt_choices){.count = 0};
    for (size_t i = 0; i < SHARES; i++) {
        size_t above = (size_t)((double)count * shares[i] + 0.5);
        double threshold = above < count ? sorted[count - above - 1] : INFINITY;
        while (above > 0 && above < count && !(sorted[count - above] > threshold)) {
            above--; /* values equal to the threshold are not above it */
        }
        if (above < GRT_LEAST_EXTREMES || above > GRT_MOST_EXTREMES || above >= count ||
            (out->count > 0 && out->rows[out->count - 1].count == above)) {
            continue;
        }
        struct grt_choice *row = &out->rows[out->count++];
        *row = (struct grt_choice){.count = above, .block = 1, .threshold = threshold};
        fit_row(row, sorted + count - above, GRT_EXTREME_GPD);
        describe_excesses(row, sorted + count - above);
    }
    choose(out);
}

size_t grt_block_maxima(const double *series, size_t count, size_t block, double *out) {
    size_t blocks = count / block;
    for (size_t i = 0; i < blocks; i++) {
        out[i] = gsl_stats_max(series + i * block, 1, block);
    }
    gsl_sort(out, 1, blocks);
    return blocks;
}

void grt_choose_block(const double *series, size_t count, struct grt_choices *out) {
    double *maxima = grt_allocate((MOST_MAXIMA + 1) * sizeof *maxima);
    *out = (struct grt_choices){.count = 0};
    for (size_t i = 0; i < SIZES; i++) {
        size_t blocks = count / block_sizes[i];
        if (blocks < GRT_LEAST_EXTREMES || blocks > MOST_MAXIMA) {
            continue;
        }
        struct grt_choice *row = &out->rows[out->count++];
        *row = (struct grt_choice){.count = grt_block_maxima(series, count, block_sizes[i], maxima),
                                   .block = block_sizes[i],
                                   .mean_excess = NAN,
                                   .variation = NAN,
                                   .variation_room = NAN};
        fit_row(row, maxima, GRT_EXTREME_GEV);
        row->threshold = NAN;
    }
    choose(out);
    out->chosen_by_variation = out->count;
    free(maxima);
}
