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

struct grt_extreme_place grt_extreme_place(const struct grt_extreme *extreme, double x) {
    double t = reduced(extreme, x);
    if (grt_extreme_is_of_maxima(extreme->kind)) {
        double ln_below = -exp(-t);
        return (struct grt_extreme_place){exp(ln_below), ln_below, log(-expm1(ln_below))};
    }
    double below = t > 0 ? -expm1(-t) : 0;
    return (struct grt_extreme_place){below, log(below), -fmax(t, 0)};
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

/* How the cost of one value changes with z and xi: f = (1 + xi) t + m exp(-t), m = 1 of maxima. */
struct change {
    double by_z, by_xi, by_z_z, by_z_xi, by_xi_xi;
};

static struct change change_of(double z, double xi, double t, double hazard) {
    double y = 1 + xi * z, w = z / y, by_t = 1 + xi - hazard; /* df/dt; d2f/dt2 is the hazard m exp(-t) */
    double once = bend(z, xi, t);                             /* dt/dxi */
    double twice = fabs(xi * z) < 1e-4 ? z * z * z * (2.0 / 3 - 1.5 * xi * z) : -(w * w + 2 * once) / xi;
    return (struct change){
        .by_z = by_t / y,
        .by_xi = t + by_t * once,
        .by_z_z = (hazard - by_t * xi) / (y * y),
        .by_z_xi = (hazard * once + 1 - by_t * w) / y,
        .by_xi_xi = 2 * once + hazard * once * once + by_t * twice,
    };
}

double grt_extreme_curve(const struct grt_extreme *extreme, const double *values, size_t count,
                         double slope[3], double curve[3][3]) {
    bool maxima = grt_extreme_is_of_maxima(extreme->kind);
    double xi = extreme->shape, per = 1 / extreme->scale, cost = (double)count * log(extreme->scale);
    double z1 = 0, z2 = 0, z1z = 0, z2z = 0, z2zz = 0, mixed = 0, mixed_z = 0, xi1 = 0, xi2 = 0;
    for (size_t i = 0; i < count; i++) {
        double z = (values[i] - extreme->location) * per, t = reduced(extreme, values[i]);
        double hazard = maxima ? exp(-t) : 0;
        struct change change = change_of(z, xi, t, hazard);
        cost += (1 + xi) * t + hazard;
        z1 += change.by_z, z1z += z * change.by_z;
        z2 += change.by_z_z, z2z += z * change.by_z_z, z2zz += z * z * change.by_z_z;
        mixed += change.by_z_xi, mixed_z += z * change.by_z_xi;
        xi1 += change.by_xi, xi2 += change.by_xi_xi;
    }
    /* dz/dlocation = -1 / scale, dz/dln(scale) = -z */
    slope[0] = -per * z1, slope[1] = (double)count - z1z, slope[2] = xi1;
    curve[0][0] = per * per * z2;
    curve[0][1] = curve[1][0] = per * (z2z + z1);
    curve[1][1] = z2zz + z1z;
    curve[0][2] = curve[2][0] = -per * mixed;
    curve[1][2] = curve[2][1] = -mixed_z;
    curve[2][2] = xi2;
    return cost > -INFINITY ? cost : INFINITY; /* nor is it a number where differences of infinities met */
}
