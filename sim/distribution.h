/* Random spans of time: a constant, a distribution of GSL, a law of extreme values or measured values, clamped to [min, max], so
 * that every one has a worst case that analyses can use. */
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
    GRT_EMPIRICAL, /* one of the measured values, each as probable as the others; no value in between is made up. With a
                        tail, longer ones come from that */
    GRT_GEV, /* generalised extreme value: location + scale * ((-ln U)^-shape - 1) / shape; shape 0: gumbel */
    GRT_GPD, /* generalised Pareto: location + scale * (U^-shape - 1) / shape above location, the threshold; shape 0:
                        exponential */
    GRT_DISTRIBUTION_KINDS
};

enum { GRT_MOST_MEASURED = 100000, GRT_STEEPEST_SHAPE = 10 };

/* Measured spans, ns, ascending; equal ones may follow one another. Shared by all distributions that draw from them. */
struct grt_measured {
    const grt_time *values;
    size_t count; /* 1 to GRT_MOST_MEASURED */
};

/* What is above a threshold: a generalised Pareto distribution, as peaks over that threshold give it. Below it draws are as
 * measured. S. Coles, An Introduction to Statistical Modeling of Extreme Values, 2001, section 4.2. */
struct grt_tail {
    grt_time threshold,
        scale;    /* ns; as many values as are not above the threshold, one at least, are drawn from */
    double shape; /* -GRT_STEEPEST_SHAPE to GRT_STEEPEST_SHAPE; below 0 the tail has an end */
    double ratio; /* how many draws are above the threshold: above 0, at most 1 */
};

/* What the worst case that is declared rests on. */
enum grt_evidence {
    GRT_EVIDENCE_ASSUMED,  /* somebody says it */
    GRT_EVIDENCE_MODEL,    /* a model of extreme value theory, of measured times that passed its tests */
    GRT_EVIDENCE_CONSTANT, /* measured times that were all equal */
    GRT_EVIDENCE_NO_MODEL, /* a choice by measured times, for which methods did not agree or none fitted, or beside which others took longer */
    GRT_EVIDENCE_REFUSED,  /* a choice by measured times that allow no extrapolation */
};

/* A distribution of spans. A plain struct; {.kind = GRT_CONSTANT, .max = x} is the constant x. */
struct grt_distribution {
    int64_t kind;      /* enum grt_distribution_kind */
    grt_time min, max; /* ns, 0 <= min; draws outside are clamped; max is the worst case */
    /* ns: the worst case that policies and analyses go by, where that is not max: longer draws are overruns; it may be above max, where draws stay
     * below it; 0: max */
    grt_time declared;
    grt_time location, scale;            /* ns; see the kinds */
    double shape;                        /* without unit; see the kinds */
    const struct grt_measured *measured; /* GRT_EMPIRICAL; else NULL */
    const struct grt_tail *tail;         /* of GRT_EMPIRICAL; NULL: none */
    int64_t evidence;                    /* enum grt_evidence, of `declared` */
};

/* Adds errors for impossible parameters (scale <= 0, shape <= 0, min > max, values that do not ascend); true if there were none. */
bool grt_distribution_check(const struct grt_distribution *distribution, struct grt_errors *errors,
                            const struct grt_path *path);

/* One draw, rounded up to whole nanoseconds. A constant draws no random bits. */
grt_time grt_distribution_draw(const struct grt_distribution *distribution, struct grt_random *random);

/* What a span of GRT_GEV, of GRT_GPD or of a tail exceeds with a probability of 0 < p < 1 above `location`, which is not added: in
 * nanoseconds, not rounded or clamped. As exact for p = 1e-15 as for 0.5, and the same on every machine. */
double grt_gev_exceeded(double scale, double shape, double p);
double grt_gpd_exceeded(double scale, double shape, double p);

/* The worst case that policies and analyses go by. */
static inline grt_time grt_distribution_worst(const struct grt_distribution *distribution) {
    return distribution->declared > 0 ? distribution->declared : distribution->max;
}

/* Whether the worst case is a choice by measured times, which no model stands behind: of a proof that goes by it no more is left than what that is worth. */
static inline bool grt_distribution_is_unfounded(const struct grt_distribution *distribution) {
    return distribution->evidence == GRT_EVIDENCE_NO_MODEL || distribution->evidence == GRT_EVIDENCE_REFUSED;
}

/* True if every draw is the same. */
static inline bool grt_distribution_is_constant(const struct grt_distribution *distribution) {
    return distribution->kind == GRT_CONSTANT || distribution->min == distribution->max;
}

#endif
