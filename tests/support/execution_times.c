#include "tests/support/execution_times.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>

#include "calib/evt/extreme.h"
#include "sim/random_gsl.h"

const char *const grt_times_names[GRT_TIMES_KINDS] = {
    "exponential", "gamma", "20 stages", "normal", "lognormal", "bounded", "uniform", "heavy", "slow mode"};

#define SLOW_SHARE 0.005

static const struct grt_extreme bounded = {GRT_EXTREME_GPD, 100, 10, -0.2};
static const struct grt_extreme heavy = {GRT_EXTREME_GPD, 100, 10, 0.1};

double grt_times_draw(enum grt_times_kind kind, struct grt_random *random) {
    gsl_rng rng = grt_random_gsl(random);
    double u = 1 - grt_random_uniform(random);
    switch (kind) {
    case GRT_TIMES_EXPONENTIAL:
        return 100 - 10 * log(u);
    case GRT_TIMES_GAMMA:
        return gsl_ran_gamma(&rng, 5, 4);
    case GRT_TIMES_STAGES:
        return gsl_ran_gamma(&rng, 20, 4);
    case GRT_TIMES_NORMAL:
        return 100 + gsl_ran_gaussian(&rng, 10);
    case GRT_TIMES_LOGNORMAL:
        return 100 * exp(gsl_ran_gaussian(&rng, 0.25));
    case GRT_TIMES_BOUNDED:
        return grt_extreme_quantile(&bounded, u);
    case GRT_TIMES_UNIFORM:
        return 100 + 10 * u;
    case GRT_TIMES_HEAVY:
        return grt_extreme_quantile(&heavy, u);
    default:
        return gsl_ran_gamma(&rng, 5, 4) + (u <= SLOW_SHARE ? 100 : 0);
    }
}

void grt_times_fill(enum grt_times_kind kind, struct grt_random *random, double *out, size_t count) {
    for (size_t i = 0; i < count; i++) {
        out[i] = grt_times_draw(kind, random);
    }
}

double grt_times_quantile(enum grt_times_kind kind, double p) {
    switch (kind) {
    case GRT_TIMES_EXPONENTIAL:
        return 100 - 10 * log(p);
    case GRT_TIMES_GAMMA:
        return gsl_cdf_gamma_Qinv(p, 5, 4);
    case GRT_TIMES_STAGES:
        return gsl_cdf_gamma_Qinv(p, 20, 4);
    case GRT_TIMES_NORMAL:
        return 100 + gsl_cdf_gaussian_Qinv(p, 10);
    case GRT_TIMES_LOGNORMAL:
        return 100 * exp(gsl_cdf_gaussian_Qinv(p, 0.25));
    case GRT_TIMES_BOUNDED:
        return grt_extreme_quantile(&bounded, p);
    case GRT_TIMES_UNIFORM:
        return 110 - 10 * p;
    case GRT_TIMES_HEAVY:
        return grt_extreme_quantile(&heavy, p);
    default:
        return 100 + gsl_cdf_gamma_Qinv(p / SLOW_SHARE, 5, 4); /* of the others, nothing is up there */
    }
}
