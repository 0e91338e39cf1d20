#include "sim/distribution.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>

#include "sim/check.h"
#include "sim/distribution_names.h"
#include "sim/elementary.h"
#include "sim/random_gsl.h"

const char *const grt_distribution_names[] = {"constant", "uniform", "normal", "lognormal", "exponential",
                                              "gamma",    "weibull", "gumbel", "pareto",    "empirical",
                                              "gev",      "gpd",     NULL};
const char *const grt_evidence_names[] = {"assumed", "model", "constant", "no-model", "refused", NULL};

/* ---- checks ---- */

static bool needs_scale(int64_t kind) {
    return kind >= GRT_NORMAL && kind != GRT_EMPIRICAL;
}

static bool needs_shape_above_zero(int64_t kind) {
    return kind == GRT_LOGNORMAL || kind == GRT_GAMMA || kind == GRT_WEIBULL || kind == GRT_PARETO;
}

static void check_steepness(double shape, const char *what, struct grt_errors *errors,
                            const struct grt_path *path) {
    if (!(fabs(shape) <= GRT_STEEPEST_SHAPE)) {
        grt_error_add(errors, path, "%s needs a shape from %d to %d", what, -GRT_STEEPEST_SHAPE,
                      GRT_STEEPEST_SHAPE);
    }
}

static void check_measured(const struct grt_measured *measured, struct grt_errors *errors,
                           const struct grt_path *path) {
    struct grt_path values = {.parent = path, .key = "values"}, place = {.parent = &values};
    if (measured == NULL || measured->count < 1 || measured->count > GRT_MOST_MEASURED) {
        grt_error_add(errors, path, "an empirical distribution needs 1 to %d values", GRT_MOST_MEASURED);
        return;
    }
    for (; place.index < measured->count; place.index++) {
        grt_time value = measured->values[place.index],
                 least = place.index > 0 ? measured->values[place.index - 1] : 0;
        if (value < least || value > GRT_TIME_LIMIT) {
            grt_error_add(errors, &place, "must not be below the value before it, or above the limit");
            return;
        }
    }
}

/* The values that draws below a tail are made of. */
static size_t count_of_body(const struct grt_measured *measured, grt_time threshold) {
    size_t low = 0, high = measured->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (measured->values[middle] <= threshold) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static void check_tail(const struct grt_tail *tail, const struct grt_measured *measured,
                       struct grt_errors *errors, const struct grt_path *path) {
    if (tail->threshold < 0 || tail->threshold > GRT_TIME_LIMIT || tail->scale <= 0 ||
        tail->scale > GRT_TIME_LIMIT) {
        grt_error_add(errors, path, "a tail needs a threshold from zero on and a scale above zero");
    } else if (count_of_body(measured, tail->threshold) == 0) {
        grt_error_add(errors, path, "needs a value that is not above the tail's threshold");
    }
    check_steepness(tail->shape, "a tail", errors, path);
    if (!(tail->ratio > 0 && tail->ratio <= 1)) {
        grt_error_add(errors, path, "a tail needs a ratio above 0, at most 1");
    }
}

static void check_empirical(const struct grt_distribution *distribution, struct grt_errors *errors,
                            const struct grt_path *path) {
    struct grt_path tail = {.parent = path, .key = "tail"};
    size_t before = errors->count;
    check_measured(distribution->measured, errors, path);
    if (distribution->tail != NULL && errors->count == before) {
        check_tail(distribution->tail, distribution->measured, errors, &tail);
    }
}

bool grt_distribution_check(const struct grt_distribution *distribution, struct grt_errors *errors,
                            const struct grt_path *path) {
    size_t before = errors->count;
    const char *name = grt_distribution_names[distribution->kind];
    char what[64];
    if (distribution->min > distribution->max) {
        grt_error_add(errors, path, "min must not be above max");
    }
    if (needs_scale(distribution->kind) && distribution->scale <= 0) {
        grt_error_add(errors, path, "a %s distribution needs a scale above zero", name);
    }
    if (needs_shape_above_zero(distribution->kind) &&
        !(distribution->shape > 0 && isfinite(distribution->shape))) {
        grt_error_add(errors, path, "a %s distribution needs a shape above zero", name);
    }
    if (distribution->kind == GRT_GEV || distribution->kind == GRT_GPD) {
        snprintf(what, sizeof what, "a %s distribution", name);
        check_steepness(distribution->shape, what, errors, path);
    }
    if (distribution->kind == GRT_EMPIRICAL) {
        check_empirical(distribution, errors, path);
    }
    return errors->count == before;
}

/* ---- extreme values ---- */

/* (e^y - 1) / y, 1 at 0. Where y is small the errors of e^y and of its logarithm are the same one and cancel (N. Higham, Accuracy
 * and Stability of Numerical Algorithms, 2002, section 1.14.1). */
static double excess_of(double y) {
    double power = grt_elementary_exp(y);
    return fabs(y) > 40 ? (power - 1) / y : power == 1 ? 1 : (power - 1) / grt_elementary_log(power);
}

/* (e^(-shape * log) - 1) / shape * scale, for any shape. */
static double quantile_of(double scale, double shape, double log) {
    return scale * -log * excess_of(-shape * log);
}

/* -ln(1 - p), in the same way. */
static double minus_log_of_rest(double p) {
    double rest = 1 - p;
    return rest == 1 ? p : -grt_elementary_log(rest) * (p / (1 - rest));
}

double grt_gev_exceeded(double scale, double shape, double p) {
    return quantile_of(scale, shape, grt_elementary_log(minus_log_of_rest(p)));
}

double grt_gpd_exceeded(double scale, double shape, double p) {
    return quantile_of(scale, shape, grt_elementary_log(p));
}

/* ---- draws ---- */

/* A probability above 0 and below 1 with all 64 bits: small ones have as many digits as large ones. */
static double draw_probability(struct grt_random *random) {
    double p = ((double)grt_random_bits(random) + 0.5) * 0x1p-64;
    return p < 1 ? p : 1 - 0x1p-53;
}

static grt_time draw_measured(const struct grt_measured *measured, const struct grt_tail *tail,
                              struct grt_random *random) {
    size_t count = measured->count;
    if (tail != NULL) {
        double p = draw_probability(random);
        if (p < tail->ratio) { /* then it is uniform below the ratio */
            return grt_time_of_double((double)tail->threshold +
                                      grt_gpd_exceeded((double)tail->scale, tail->shape, p / tail->ratio));
        }
        count = count_of_body(measured, tail->threshold);
    }
    return measured->values[grt_random_below(random, count)];
}

static double draw_above_location(const struct grt_distribution *d, const gsl_rng *rng) {
    double scale = (double)d->scale;
    switch (d->kind) {
    case GRT_NORMAL:
        return gsl_ran_gaussian_ziggurat(rng, scale);
    case GRT_LOGNORMAL:
        return gsl_ran_lognormal(rng, log(scale), d->shape);
    case GRT_EXPONENTIAL:
        return gsl_ran_exponential(rng, scale);
    case GRT_GAMMA:
        return gsl_ran_gamma(rng, d->shape, scale);
    case GRT_WEIBULL:
        return gsl_ran_weibull(rng, scale, d->shape);
    case GRT_GUMBEL:
        return -scale * log(-log(gsl_rng_uniform_pos(rng)));
    default:
        return gsl_ran_pareto(rng, d->shape, scale);
    }
}

static grt_time draw(const struct grt_distribution *d, struct grt_random *random) {
    double location = (double)d->location, scale = (double)d->scale;
    if (d->kind == GRT_EMPIRICAL) {
        return draw_measured(d->measured, d->tail, random);
    }
    if (d->kind == GRT_GEV) {
        return grt_time_of_double(location + grt_gev_exceeded(scale, d->shape, draw_probability(random)));
    }
    if (d->kind == GRT_GPD) {
        return grt_time_of_double(location + grt_gpd_exceeded(scale, d->shape, draw_probability(random)));
    }
    gsl_rng rng = grt_random_gsl(random);
    return grt_time_of_double(location + draw_above_location(d, &rng));
}

grt_time grt_distribution_draw(const struct grt_distribution *d, struct grt_random *random) {
    if (d->kind == GRT_CONSTANT) {
        return d->max;
    }
    if (d->kind == GRT_UNIFORM) {
        return d->min + (grt_time)grt_random_below(random, (uint64_t)(d->max - d->min) + 1);
    }
    grt_time span = draw(d, random);
    return span < d->min ? d->min : span > d->max ? d->max : span;
}
