#include "sim/distribution.h"

#include <gsl/gsl_randist.h>
#include <math.h>

#include "sim/check.h"

const char *const grt_distribution_names[] = {"constant", "uniform", "normal", "lognormal", "exponential",
                                              "gamma",    "weibull", "gumbel", "pareto",    NULL};

bool grt_distribution_check(const struct grt_distribution *distribution, struct grt_errors *errors,
                            const struct grt_path *path) {
    size_t before = errors->count;
    bool needs_scale = distribution->kind >= GRT_NORMAL;
    bool needs_shape = distribution->kind == GRT_LOGNORMAL || distribution->kind == GRT_GAMMA ||
                       distribution->kind == GRT_WEIBULL || distribution->kind == GRT_PARETO;
    if (distribution->min > distribution->max) {
        grt_error_add(errors, path, "min must not be above max");
    }
    if (needs_scale && distribution->scale <= 0) {
        grt_error_add(errors, path, "a %s distribution needs a scale above zero",
                      grt_distribution_names[distribution->kind]);
    }
    if (needs_shape && !(distribution->shape > 0 && isfinite(distribution->shape))) {
        grt_error_add(errors, path, "a %s distribution needs a shape above zero",
                      grt_distribution_names[distribution->kind]);
    }
    return errors->count == before;
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

grt_time grt_distribution_draw(const struct grt_distribution *d, struct grt_random *random) {
    if (d->kind == GRT_CONSTANT) {
        return d->max;
    }
    if (d->kind == GRT_UNIFORM) {
        return d->min + (grt_time)grt_random_below(random, (uint64_t)(d->max - d->min) + 1);
    }
    gsl_rng rng = grt_random_gsl(random);
    grt_time span = grt_time_of_double((double)d->location + draw_above_location(d, &rng));
    return span < d->min ? d->min : span > d->max ? d->max : span;
}
