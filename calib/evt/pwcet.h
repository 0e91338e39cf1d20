/* Probabilistic worst-case execution times: from a series of measured times to a time that one run exceeds with a given, small probability, with
 * everything that is needed to doubt it. Five methods side by side, the tests of what they take for granted, intervals, and refusals.
 * The method: docs/worst-case-times.md; why so: docs/decisions/0033-worst-case-by-extreme-values.md. */
#ifndef GRT_CALIB_EVT_PWCET_H
#define GRT_CALIB_EVT_PWCET_H

#include "calib/evt/applicability.h"
#include "calib/evt/bootstrap.h"
#include "calib/evt/choice.h"
#include "sim/error.h"
#include "sim/memory.h"

enum {
    GRT_PWCET_EXCEEDANCES = 8,                                                /* the most at a time */
    GRT_PWCET_CURVE_POINTS = GRT_BOOTSTRAP_QUANTILES - GRT_PWCET_EXCEEDANCES, /* of a curve, for pictures */
    GRT_PWCET_LEAST_VALUES = 1000,                                            /* fewer are refused */
    GRT_PWCET_FEW_VALUES = 3000,                                              /* fewer are warned of */
    GRT_PWCET_MOST_VALUES = 1000000,
};
#define GRT_PWCET_MOST_DROPPED 1e-3  /* share of runs thrown away; above it all is refused */
#define GRT_PWCET_LONGEST_VALUE 1e16 /* longer values are refused: 115 days, in ns */
#define GRT_PWCET_LONGEST_ANSWER                                                                             \
    1e18 /* longer answers are, too, and no interval goes beyond; 2^63 ns is 9.2e18 */
#define GRT_PWCET_MOST_EXCEEDANCE 1e-3 /* more often than this is seen in the sample itself */

struct grt_pwcet_input {
    /* execution times in the order of measuring, in any unit, from 0 to GRT_PWCET_LONGEST_VALUE */
    const double *values;
    size_t count;
    size_t dropped; /* runs besides, that were measured and thrown away, perhaps for being slow */
    /* what the others have in common: "the device was not throttled". NULL: nothing is thrown away */
    const char *condition;
    /* a sentence about runs that were measured under another condition and are not among the values; NULL: there are none */
    const char *apart;
    /* of the clock, in that unit: values are multiples of it, but for rounding, or it is an error; 0: not known. Where values are multiples of more than that, that counts */
    double quantum;
    const char *unit; /* of values, for sentences: "ns" shows times in ns, us, ms or s; NULL: numbers only */
    double exceedances[GRT_PWCET_EXCEEDANCES]; /* per run, at most GRT_PWCET_MOST_EXCEEDANCE */
    size_t exceedance_count;
    /* factor on the largest value where there is no model: a choice, no theory says it; 1 to 100 */
    double margin;
    size_t replicates; /* of the bootstrap, 200 to 100,000 */
    uint64_t seed;
};

/* 1e-3, 1e-6 and 1e-9 per run, a margin of 1.2, 1,000 replicates, seed 1; without values. */
struct grt_pwcet_input grt_pwcet_defaults(void);

enum grt_pwcet_method {
    GRT_PWCET_GUMBEL,      /* of block maxima */
    GRT_PWCET_GEV,         /* of block maxima */
    GRT_PWCET_EXPONENTIAL, /* of peaks over the threshold */
    GRT_PWCET_GPD,         /* of peaks over the threshold */
    GRT_PWCET_VARIATION, /* exponential above the threshold that the coefficient of variation says (MBPTA-CV) */
    GRT_PWCET_METHODS
};
extern const char *const grt_pwcet_method_names[GRT_PWCET_METHODS]; /* "block maxima, Gumbel" */

struct grt_pwcet_quantile {
    double value, low, high; /* of a 95 percent interval. Not a number: none */
    /* how far the value still moved while the last half of the samples came in: largest less smallest of five fits, relative to it */
    double moved;
};

/* A point of what a method says of all exceedances; not numbers: nothing. */
struct grt_pwcet_curve_point {
    double exceedance, value, low, high; /* low, high: of a 95 percent interval, at this point alone */
};

/* What one method says. */
struct grt_pwcet_fit {
    const char *why_not; /* NULL: it has a fit */
    struct grt_estimate estimate;
    double covariance
        [3][3]; /* of location, scale and shape: by curvature, where that is not known by the bootstrap */
    size_t count, block; /* excesses or maxima; values of a block, 1 of peaks */
    double rate;         /* share of values above the threshold; 1 of maxima */
    struct grt_pwcet_quantile quantiles[GRT_PWCET_EXCEEDANCES];
    /* evenly by the exceedance's logarithm: from one in a block, or half the share above the threshold, to the rarest that is asked for */
    struct grt_pwcet_curve_point curve[GRT_PWCET_CURVE_POINTS];
    double distances[GRT_DISTANCES], p[GRT_DISTANCES];
    /* Anderson-Darling and the upper tail's p are together not below 5 percent: twice the smaller one */
    bool is_good;
    size_t failed; /* replicates of the bootstrap without a fit */
};

enum grt_pwcet_test {
    GRT_PWCET_LJUNG_BOX, /* 20 lags */
    GRT_PWCET_RUNS,
    GRT_PWCET_HALVES,
    GRT_PWCET_STATIONARY,
    GRT_PWCET_MEMORY,
    GRT_PWCET_PEAKS_APART,  /* Ljung-Box of which values are among the largest tenth */
    GRT_PWCET_PEAKS_STEADY, /* KPSS of the same */
    GRT_PWCET_PEAKS_HALVES, /* halves of these values */
    GRT_PWCET_TESTS
};
extern const char *const grt_pwcet_test_names[GRT_PWCET_TESTS];

struct grt_pwcet_checked {
    struct grt_test test;
    /* for all tests together: S. Holm, A simple sequentially rejective multiple test procedure, Scandinavian J. Statistics 6, 1979 */
    double p;
};

enum grt_pwcet_verdict {
    GRT_PWCET_MODEL,    /* `value` is what to use */
    GRT_PWCET_CONSTANT, /* the same: all values are equal: `constant` */
    GRT_PWCET_NO_MODEL, /* methods fit, but do not agree, or none does fit: `fallback` with `why` */
    GRT_PWCET_REFUSED /* the values allow no extrapolation: `refusals` say why, or, of this exceedance alone, `why`; `fallback` where there are values */
};
extern const char *const grt_pwcet_verdict_names[GRT_PWCET_REFUSED + 1];

/* What is said for one exceedance. */
struct grt_pwcet_answer {
    double exceedance;
    enum grt_pwcet_verdict verdict;
    enum grt_pwcet_method method; /* of MODEL: the good one that says most */
    /* of MODEL: its quantile; of CONSTANT: the one time and a quantum of the clock, which shows less than that more as the same; else not a number */
    double value;
    double low,
        high; /* of MODEL: from the lowest to the highest end of the 95 percent intervals of all good methods, which is wider than that of any; of CONSTANT: between which the one time is: a quantum to both sides */
    double least, most; /* what good methods say; not a number: there are none */
    const char *why;    /* a sentence; NULL where there is a value */
    /* for whoever needs one time: `value`; without one the longer of the largest value times `margin` and, of values that are not refused, `most`.
     * Never less than the largest value, nor than for any larger exceedance. Not a number without values */
    double declared;
};

struct grt_pwcet {
    size_t count, dropped;
    const char *condition;                         /* as in the input: all that is said holds under it only */
    const char *apart;                             /* as in the input */
    double smallest, median, largest, middle_half; /* the last: between the quartiles */
    double quantum;       /* of the clock: the input's, or what the values show; 0: none */
    bool quantum_is_seen; /* the latter: all differences are multiples of it */
    /* a uniform share of a quantum was added to each value, since they are few quanta apart */
    bool was_jittered;
    /* a sentence: all values are equal, so that there is nothing to fit, and what that leaves open; NULL: they vary, or are refused */
    const char *constant;
    const char **refusals; /* sentences; none: not refused */
    size_t refusal_count;
    const char **warnings;
    size_t warning_count;
    struct grt_pwcet_checked tests[GRT_PWCET_TESTS];
    /* a rare slow mode shows as a tail that no single distribution describes: 0033; p over all its distances */
    struct grt_test one_mode;
    struct grt_choices thresholds, blocks;
    /* as fitted: in the order of measuring, jittered where `was_jittered`; `count` of them */
    const double *series;
    const double *sorted; /* the same ascending */
    const double *maxima; /* of the chosen blocks, ascending; NULL: not chosen */
    size_t maximum_count;
    struct grt_pwcet_fit fits[GRT_PWCET_METHODS];
    struct grt_test gumbel_or_gev, exponential_or_gpd; /* likelihood ratios: a small p speaks for a shape */
    struct grt_pwcet_answer answers[GRT_PWCET_EXCEEDANCES];
    size_t answer_count;
    double fallback; /* the largest value times `margin`; not a number without values */
    double margin;
};

/* The analysis, in the arena. NULL: the input's settings make no sense, or the values cannot be those of a clock of that quantum, which `errors` says; what values do not allow is a refusal in the result. */
const struct grt_pwcet *grt_pwcet_analyse(const struct grt_pwcet_input *input, struct grt_arena *arena,
                                          struct grt_errors *errors);

/* Whether there is a time for this exceedance: a model's, or the one that all values are. NULL: no. */
bool grt_pwcet_has_value(const struct grt_pwcet_answer *answer);

/* The chance that one of the runs of an hour exceeds a time that each exceeds with `per_run`, and back; runs independent of each other. */
double grt_per_hour_of_run(double per_run, double runs_per_hour);
double grt_per_run_of_hour(double per_hour, double runs_per_hour);

#endif
