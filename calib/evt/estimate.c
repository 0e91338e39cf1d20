#include "calib/evt/estimate.h"

#include <math.h>

#include "calib/evt/l_moments.h"

/* A distribution under which one of the values cannot be is none of them. */
static bool can_be(const struct grt_extreme *extreme, const double *sorted, size_t count) {
    return isfinite(grt_extreme_cost(extreme, sorted, count));
}

/* L-moments have no means to see that a value is above their upper end. Such an end is moved to the largest value, by as much as is needed. */
static bool keep_all(struct grt_extreme *extreme, const double *sorted, size_t count) {
    double most = sorted[count - 1] - extreme->location;
    if (extreme->shape < 0 && most >= -extreme->scale / extreme->shape) {
        extreme->scale = -extreme->shape * most * (1 + 1 / (double)count);
    }
    return can_be(extreme, sorted, count);
}

bool grt_estimate_of(const double *sorted, size_t count, enum grt_extreme_kind kind, double threshold,
                     struct grt_estimate *out) {
    struct grt_l_moments moments = grt_l_moments_of(sorted, count);
    *out = (struct grt_estimate){.is_likely = false};
    if (!grt_l_moments_fit(&moments, kind, threshold, &out->linear)) {
        out->linear = (struct grt_extreme){.kind = kind};
        return false;
    }
    out->is_likely = grt_likelihood_fit(&out->linear, sorted, count, &out->likely);
    if (out->is_likely) {
        return true;
    }
    out->likely = (struct grt_likely){.extreme = out->linear};
    for (size_t i = 0; i < 9; i++) {
        out->likely.covariance[i / 3][i % 3] = NAN;
    }
    /* above -0.5 the likelihood has a maximum, as a rule: where it was not found, the values are not of this kind */
    bool ends = out->linear.shape < -0.3 && keep_all(&out->likely.extreme, sorted, count);
    out->likely.cost = ends ? grt_extreme_cost(&out->likely.extreme, sorted, count) : INFINITY;
    return ends;
}
