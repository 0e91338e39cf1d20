#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <string.h>

#include "calib/evt/pwcet_parts.h"

static const enum grt_extreme_kind kinds[GRT_PWCET_METHODS] = {
    GRT_EXTREME_GUMBEL, GRT_EXTREME_GEV, GRT_EXTREME_EXPONENTIAL, GRT_EXTREME_GPD, GRT_EXTREME_EXPONENTIAL};
static const char *const purposes[GRT_PWCET_METHODS] = {"gumbel", "gev", "exponential", "gpd", "variation"};

/* The row of its table that a method takes; NULL: none. */
static const struct grt_choice *row_of(const struct grt_pwcet *out, enum grt_pwcet_method method) {
    const struct grt_choices *choices = method <= GRT_PWCET_GEV ? &out->blocks : &out->thresholds;
    size_t which = method == GRT_PWCET_VARIATION ? choices->chosen_by_variation : choices->chosen;
    return which < choices->count ? &choices->rows[which] : NULL;
}

/* ---- one method ---- */

/* The exceedances at which the bootstrap is to say something: those that are asked for, and behind them those of the curve. Returns how many. */
static size_t list_exceedances(const struct grt_pwcet_input *input, const struct grt_pwcet_fit *fit,
                               double exceedances[GRT_BOOTSTRAP_QUANTILES]) {
    double from = fit->block > 1 ? 1 / (double)fit->block : fit->rate / 2, rarest = GRT_PWCET_MOST_EXCEEDANCE;
    for (size_t i = 0; i < input->exceedance_count; i++) {
        exceedances[i] = input->exceedances[i];
        rarest = fmin(rarest, input->exceedances[i]);
    }
    for (size_t i = 0; i < GRT_PWCET_CURVE_POINTS; i++) {
        exceedances[input->exceedance_count + i] =
            from * pow(rarest / from, (double)i / (GRT_PWCET_CURVE_POINTS - 1));
    }
    return input->exceedance_count + GRT_PWCET_CURVE_POINTS;
}

static void read_quantiles(const double *exceedances, const struct grt_bootstrapped *drawn, size_t asked_for,
                           struct grt_pwcet_fit *out) {
    const struct grt_extreme *extreme = &out->estimate.likely.extreme;
    for (size_t i = 0; i < asked_for + GRT_PWCET_CURVE_POINTS; i++) {
        double value = grt_per_run_quantile(extreme, out->block, out->rate, exceedances[i]);
        double low = drawn->low[i], high = drawn->high[i];
        if (i < asked_for) {
            out->quantiles[i] = (struct grt_pwcet_quantile){value, low, high, NAN};
        } else {
            out->curve[i - asked_for] = (struct grt_pwcet_curve_point){exceedances[i], value, low, high};
        }
    }
}

/* Of values in ascending order, their goodness and everything that replicates say. */
static void fit(struct grt_pwcet_work *work, enum grt_pwcet_method method, const struct grt_choice *row,
                const double *extremes) {
    struct grt_pwcet_fit *out = &work->out->fits[method];
    const struct grt_pwcet_input *input = work->input;
    const struct grt_extreme *extreme = &out->estimate.likely.extreme;
    if (!grt_estimate_of(extremes, row->count, kinds[method], row->threshold, &out->estimate)) {
        out->why_not = "neither maximum likelihood nor L-moments lead to a distribution";
        return;
    }
    bool is_peaks = row->block == 1;
    out->why_not = NULL;
    out->count = row->count;
    out->block = row->block;
    out->rate = is_peaks ? (double)row->count / (double)work->out->count : 1;
    grt_goodness(extreme, extremes, row->count, out->distances);
    double exceedances[GRT_BOOTSTRAP_QUANTILES];
    size_t exceedance_count = list_exceedances(input, out, exceedances);
    struct grt_bootstrap setup = {.extreme = *extreme,
                                  .count = row->count,
                                  .of = is_peaks ? work->out->count : 0,
                                  .block = row->block,
                                  .exceedances = exceedances,
                                  .exceedance_count = exceedance_count,
                                  .replicates = input->replicates,
                                  .purpose = purposes[method],
                                  .seed = input->seed};
    struct grt_bootstrapped drawn = grt_bootstrap_run(&setup, out->distances);
    memcpy(out->p, drawn.p, sizeof out->p);
    bool has_curvature = !isnan(out->estimate.likely.covariance[1][1]);
    memcpy(out->covariance, has_curvature ? out->estimate.likely.covariance : drawn.covariance,
           sizeof out->covariance);
    out->failed = drawn.failed;
    double worse = fmin(out->p[GRT_DISTANCE_ANDERSON_DARLING], out->p[GRT_DISTANCE_UPPER_TAIL]);
    out->is_good = 2 * worse >= GRT_PWCET_GOOD_LEVEL;
    read_quantiles(exceedances, &drawn, input->exceedance_count, out);
}

static void warn_of_fit(struct grt_pwcet_work *work, enum grt_pwcet_method method) {
    const struct grt_pwcet_fit *out = &work->out->fits[method];
    const char *name = grt_pwcet_method_names[method];
    if (out->why_not == NULL && !out->estimate.is_likely) {
        grt_pwcet_warn(work, "%s: by L-moments, since the likelihood has no regular maximum", name);
    }
    if (out->why_not == NULL && out->failed * 20 > work->input->replicates) {
        grt_pwcet_warn(work,
                       "%s: %zu of %zu replicates of the bootstrap have no fit: intervals are too narrow",
                       name, out->failed, work->input->replicates);
    }
}

/* Two fits of the same values, the second with one parameter more: S. S. Wilks, The large-sample distribution of the likelihood ratio, Annals of Mathematical
 * Statistics 9, 1938. */
static struct grt_test likelihood_ratio(const struct grt_pwcet_fit *less, const struct grt_pwcet_fit *more) {
    if (less->why_not != NULL || more->why_not != NULL) {
        return (struct grt_test){NAN, NAN};
    }
    double ratio = fmax(0, 2 * (less->estimate.likely.cost - more->estimate.likely.cost));
    bool is_regular = less->estimate.is_likely && more->estimate.is_likely;
    return (struct grt_test){ratio, is_regular ? gsl_cdf_chisq_Q(ratio, 1) : NAN};
}

/* ---- how far quantiles still move ---- */

enum { STAGES = 5, LEAST_AT_STAGE = 20 };

/* The quantiles of a method after the first `count` values, of which it takes the same share, or the same blocks. False: there is no fit. */
static bool fit_stage(struct grt_pwcet_work *work, enum grt_pwcet_method method, const double *sorted,
                      size_t count, double *scratch, double quantiles[GRT_PWCET_EXCEEDANCES]) {
    const struct grt_pwcet_fit *whole = &work->out->fits[method];
    const struct grt_pwcet_input *input = work->input;
    struct grt_estimate estimate;
    const double *extremes = scratch;
    size_t extreme_count;
    double threshold = NAN;
    if (whole->block == 1) {
        extreme_count = (size_t)(whole->rate * (double)count);
        extremes = sorted + count - extreme_count;
        threshold = extremes[-1];
    } else {
        extreme_count = grt_block_maxima(work->out->series, count, whole->block, scratch);
    }
    if (extreme_count < LEAST_AT_STAGE ||
        !grt_estimate_of(extremes, extreme_count, kinds[method], threshold, &estimate)) {
        return false;
    }
    double rate = whole->block == 1 ? (double)extreme_count / (double)count : 1;
    for (size_t i = 0; i < input->exceedance_count; i++) {
        quantiles[i] =
            grt_per_run_quantile(&estimate.likely.extreme, whole->block, rate, input->exceedances[i]);
    }
    return true;
}

/* The smallest and the largest quantile at any stage. */
struct way {
    double least, most; /* not numbers as soon as a stage has no fit */
};

static struct way further(struct way way, bool is_first, double value) {
    if (is_first) {
        return (struct way){value, value};
    }
    bool is_known = !isnan(value) && !isnan(way.least);
    return is_known ? (struct way){fmin(way.least, value), fmax(way.most, value)} : (struct way){NAN, NAN};
}

static void follow(struct grt_pwcet_work *work) {
    struct grt_pwcet *out = work->out;
    struct way ways[GRT_PWCET_METHODS][GRT_PWCET_EXCEEDANCES];
    double *sorted = grt_arena_array(work->arena, out->count, sizeof *sorted);
    double *scratch = grt_arena_array(work->arena, out->count, sizeof *scratch);
    for (size_t stage = 0; stage < STAGES; stage++) {
        size_t count = out->count * (STAGES - 1 + stage) / (2 * (STAGES - 1));
        memcpy(sorted, out->series, count * sizeof *sorted);
        gsl_sort(sorted, 1, count);
        for (size_t method = 0; method < GRT_PWCET_METHODS; method++) {
            double quantiles[GRT_PWCET_EXCEEDANCES];
            bool is_there = out->fits[method].why_not == NULL &&
                            fit_stage(work, (enum grt_pwcet_method)method, sorted, count, scratch, quantiles);
            for (size_t i = 0; i < work->input->exceedance_count; i++) {
                ways[method][i] = further(ways[method][i], stage == 0, is_there ? quantiles[i] : NAN);
            }
        }
    }
    for (size_t method = 0; method < GRT_PWCET_METHODS; method++) {
        for (size_t i = 0; i < work->input->exceedance_count; i++) {
            struct grt_pwcet_quantile *quantile = &out->fits[method].quantiles[i];
            quantile->moved = (ways[method][i].most - ways[method][i].least) / quantile->value;
        }
    }
}

/* ---- all methods ---- */

void grt_pwcet_fit_all(struct grt_pwcet_work *work) {
    struct grt_pwcet *out = work->out;
    for (size_t i = 0; i < GRT_PWCET_METHODS; i++) {
        enum grt_pwcet_method method = (enum grt_pwcet_method)i;
        const struct grt_choice *row = row_of(out, method);
        if (row == NULL) {
            out->fits[i].why_not = method == GRT_PWCET_VARIATION
                                       ? "no tail has the coefficient of variation of an exponential one"
                                       : "no tail has a fit";
            continue;
        }
        const double *extremes = out->sorted + out->count - row->count;
        if (row->block > 1) {
            double *maxima = grt_arena_array(work->arena, row->count, sizeof *maxima);
            grt_block_maxima(out->series, out->count, row->block, maxima);
            extremes = out->maxima = maxima;
            out->maximum_count = row->count;
        }
        fit(work, method, row, extremes);
        warn_of_fit(work, method);
    }
    out->gumbel_or_gev = likelihood_ratio(&out->fits[GRT_PWCET_GUMBEL], &out->fits[GRT_PWCET_GEV]);
    out->exponential_or_gpd = likelihood_ratio(&out->fits[GRT_PWCET_EXPONENTIAL], &out->fits[GRT_PWCET_GPD]);
    follow(work);
}
