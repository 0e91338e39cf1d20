#include "calib/evt/l_moments.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_roots.h>
#include <math.h>

#define LN3 1.09861228866810969140

struct grt_l_moments grt_l_moments_of(const double *sorted, size_t count) {
    /* probability-weighted moments, unbiased: b_r weighs the i-th value by the share of r others that are below it */
    double n = (double)count, b[4] = {0};
    for (size_t i = 0; i < count; i++) {
        double weight = 1 / n;
        for (size_t r = 0; r < 4 && weight > 0; r++) {
            b[r] += weight * sorted[i];
            weight *= ((double)i - (double)r) / (n - 1 - (double)r);
        }
    }
    struct grt_l_moments moments = {b[0], 2 * b[1] - b[0], 6 * b[2] - 6 * b[1] + b[0],
                                    20 * b[3] - 30 * b[2] + 12 * b[1] - b[0]};
    moments.mean = count >= 1 ? moments.mean : NAN;
    moments.scale = count >= 2 ? moments.scale : NAN;
    moments.third = count >= 3 ? moments.third : NAN;
    moments.fourth = count >= 4 ? moments.fourth : NAN;
    return moments;
}

/* How far the skewness of a GEV with k = -shape is above the wanted one: 2 (1 - 3^-k) / (1 - 2^-k) - 3 - t3. At 0 its limit. */
static double skewness_off(double k, void *wanted) {
    double ratio = fabs(k) < 1e-9 ? LN3 / M_LN2 : expm1(-k * LN3) / expm1(-k * M_LN2);
    return 2 * ratio - 3 - *(const double *)wanted;
}

/* R. P. Brent's method in between, where the skewness falls in k. */
static bool solve_shape(double skewness, double *k) {
    enum { MOST_STEPS = 200 };
    double low = -0.95, high = 3;
    if (!(skewness_off(low, &skewness) > 0 && skewness_off(high, &skewness) < 0)) {
        return false;
    }
    gsl_function function = {.function = skewness_off, .params = &skewness};
    gsl_root_fsolver *solver = gsl_root_fsolver_alloc(gsl_root_fsolver_brent);
    gsl_root_fsolver_set(solver, &function, low, high);
    int status = GSL_CONTINUE;
    for (int i = 0; status == GSL_CONTINUE && i < MOST_STEPS; i++) {
        gsl_root_fsolver_iterate(solver);
        status = gsl_root_test_interval(gsl_root_fsolver_x_lower(solver), gsl_root_fsolver_x_upper(solver),
                                        1e-14, 0);
    }
    *k = gsl_root_fsolver_root(solver);
    gsl_root_fsolver_free(solver);
    return true;
}

static bool fit_gev(const struct grt_l_moments *moments, struct grt_extreme *out) {
    double k;
    if (!solve_shape(moments->third / moments->scale, &k)) {
        return false;
    }
    if (fabs(k) < 1e-8) {
        out->scale = moments->scale / M_LN2;
        out->location = moments->mean - M_EULER * out->scale;
        return true;
    }
    double gamma = tgamma(1 + k);
    out->scale = moments->scale * k / (-expm1(-k * M_LN2) * gamma);
    out->location = moments->mean - out->scale * (1 - gamma) / k;
    out->shape = -k;
    return true;
}

bool grt_l_moments_fit(const struct grt_l_moments *moments, enum grt_extreme_kind kind, double threshold,
                       struct grt_extreme *out) {
    double above = moments->mean - threshold;
    *out = (struct grt_extreme){.kind = kind, .location = threshold};
    if (!(moments->scale > 0)) {
        return false;
    }
    switch (kind) {
    case GRT_EXTREME_GUMBEL:
        out->scale = moments->scale / M_LN2;
        out->location = moments->mean - M_EULER * out->scale;
        return true;
    case GRT_EXTREME_GEV:
        return fit_gev(moments, out);
    case GRT_EXTREME_EXPONENTIAL:
        out->scale = above;
        return above > 0;
    default:
        out->shape = 2 - above / moments->scale; /* k = l1 / l2 - 2 */
        out->scale = (1 - out->shape) * above;
        return above > 0 && out->shape > -3 && out->shape < 0.95;
    }
}
