/* Random spans of time: a constant, or a distribution of GSL clamped to [min, max], so that every one has a worst
 * case that analyses can use. */
#ifndef GRT_SIM_DISTRIBUTION_H
#define GRT_SIM_DISTRIBUTION_H

#include <stdbool.h>

#include "sim/error.h"
#include "sim/random.h"
#include "sim/time.h"

enum grt_distribution_kind {
    GRT_CONSTANT,    /* max */
    GRT_UNIFORM,     /* whole nanoseconds in [min, max], both ends included */
    GRT_NORMAL,      /* location = mean, scale = standard deviation */
    GRT_LOGNORMAL,   /* location + exp(N(ln scale, shape)): scale is the median above the location */
    GRT_EXPONENTIAL, /* location + exponential with mean `scale` */
    GRT_GAMMA,       /* location + gamma(shape, scale) */
    GRT_WEIBULL,     /* location + Weibull(scale, shape) */
    GRT_GUMBEL,      /* location - scale * ln(-ln(U)): the law of maxima */
    GRT_PARETO,      /* Pareto with exponent `shape` and smallest value `scale`, plus location */
    GRT_DISTRIBUTION_KINDS
};

/* A distribution of spans. A plain struct; {.kind = GRT_CONSTANT, .max = x} is the constant x. */
struct grt_distribution {
    int64_t kind;      /* enum grt_distribution_kind */
    grt_time min, max; /* ns, 0 <= min; draws outside are clamped; max is the worst case */
    grt_time
        declared; /* ns: the worst case that policies and analyses go by, where that is not max: longer draws are
                                 overruns; it may be above max, where draws stay below it; 0: max */
    grt_time location, scale; /* ns; see the kinds */
    double shape;             /* without unit; see the kinds */
};

/* The words by which scenario files name the kinds, NULL-terminated, in the enum's order. */
extern const char *const grt_distribution_names[];

/* Adds errors for impossible parameters (scale <= 0, shape <= 0, min > max); true if there were none. */
bool grt_distribution_check(const struct grt_distribution *distribution, struct grt_errors *errors,
                            const struct grt_path *path);

/* One draw, rounded up to whole nanoseconds. A constant draws no random bits. */
grt_time grt_distribution_draw(const struct grt_distribution *distribution, struct grt_random *random);

/* The worst case that policies and analyses go by. */
static inline grt_time grt_distribution_worst(const struct grt_distribution *distribution) {
    return distribution->declared > 0 ? distribution->declared : distribution->max;
}

/* True if every draw is the same. */
static inline bool grt_distribution_is_constant(const struct grt_distribution *distribution) {
    return distribution->kind == GRT_CONSTANT || distribution->min == distribution->max;
}

#endif
