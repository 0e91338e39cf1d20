#include "calib/evt/extreme.h"

#include <math.h>

const char *const grt_extreme_names[GRT_EXTREME_KINDS] = {"gumbel", "gev", "exponential", "gpd"};

/* Below this a shape is taken for 0: (1 + xi z)^(1/xi) has lost its digits before. */
#define FLAT 1e-8

bool grt_extreme_has_shape(enum grt_extreme_kind kind) {
    return kind == GRT_EXTREME_GEV || kind == GRT_EXTREME_GPD;
}

bool grt_extreme_is_of_maxima(enum grt_extreme_kind kind) {
    return kind == GRT_EXTREME_GUMBEL || kind == GRT_EXTREME_GEV;
}

/* All four are simple functions of t = ln(1 + xi z) / xi with z = (x - location) / scale, and of t = z where xi is 0. Infinite outside. */
static double reduced(const struct grt_extreme *extreme, double x) {
    double z = (x - extreme->location) / extreme->scale, xi = extreme->shape;
    if (fabs(xi) < FLAT) {
        return z;
    }
    return 1 + xi * z > 0 ? log1p(xi * z) / xi : xi > 0 ? -INFINITY : INFINITY;
}

double grt_extreme_below(const struct grt_extreme *extreme, double x) {
    double t = reduced(extreme, x);
    if (grt_extreme_is_of_maxima(extreme->kind)) {
        return exp(-exp(-t));
    }
    return t > 0 ? -expm1(-t) : 0;
}

double grt_extreme_above(const struct grt_extreme *extreme, double x) {
    double t = reduced(extreme, x);
    if (grt_extreme_is_of_maxima(extreme->kind)) {
        return -expm1(-exp(-t));
    }
    return t > 0 ? exp(-t) : 1;
}

double grt_extreme_quantile(const struct grt_extreme *extreme, double p) {
    double xi = extreme->shape;
    double t = grt_extreme_is_of_maxima(extreme->kind) ? -log(-log1p(-p)) : -log(p);
    return extreme->location + extreme->scale * (fabs(xi) < FLAT ? t : expm1(xi * t) / xi);
}

double grt_extreme_cost(const struct grt_extreme *extreme, const double *values, size_t count) {
    bool maxima = grt_extreme_is_of_maxima(extreme->kind);
    double cost = (double)count * log(extreme->scale);
    for (size_t i = 0; i < count; i++) {
        double t = reduced(extreme, values[i]);
        if (isinf(t) || (!maxima && values[i] < extreme->location)) {
            return INFINITY;
        }
        cost += (1 + extreme->shape) * t + (maxima ? exp(-t) : 0);
    }
    return cost;
}

/* dt/dxi for a fixed z. Near xi = 0 by its series, as the difference loses all digits there. */
static double bend(double z, double xi, double t) {
    if (fabs(xi * z) < 1e-4) {
        return z * z * (-0.5 + xi * z * (2.0 / 3 - 0.75 * xi * z));
    }
    return (z / (1 + xi * z) - t) / xi;
}

void grt_extreme_slope(const struct grt_extreme *extreme, const double *values, size_t count,
                       double slope[3]) {
    bool maxima = grt_extreme_is_of_maxima(extreme->kind);
    double xi = extreme->shape, by_location = 0, by_scale = 0, by_shape = 0;
    for (size_t i = 0; i < count; i++) {
        double z = (values[i] - extreme->location) / extreme->scale, t = reduced(extreme, values[i]);
        double by_t = 1 + xi - (maxima ? exp(-t) : 0), by_z = by_t / (1 + xi * z);
        by_location -= by_z / extreme->scale;
        by_scale += 1 - z * by_z;
        by_shape += t + by_t * bend(z, xi, t);
    }
    slope[0] = by_location;
    slope[1] = by_scale;
    slope[2] = by_shape;
}
