/* What a fit is worth, by drawing: samples of the fitted distribution are fitted again in the same way (parametric bootstrap; B. Efron, R. J. Tibshirani, An
 * Introduction to the Bootstrap, 1993). One loop says both how far such fits are from their own samples, which a distance of a fit of measured values is held against
 * (W. Stute, W. Gonzales Manteiga, M. Presedo Quindimil, Bootstrap based goodness-of-fit-tests, Metrika 40, 1993), and how much their quantiles differ. */
#ifndef GRT_CALIB_EVT_BOOTSTRAP_H
#define GRT_CALIB_EVT_BOOTSTRAP_H

#include <stdint.h>

#include "calib/evt/estimate.h"
#include "calib/evt/goodness.h"

enum { GRT_BOOTSTRAP_QUANTILES = 40 }; /* the most at a time */

/* What is drawn and fitted. */
struct grt_bootstrap {
    struct grt_extreme extreme; /* the fit */
    size_t count;               /* of values that it was fitted to */
    /* the values were those of so many that are above the threshold: how many these are is binomial. 0: always `count` (maxima) */
    size_t of;
    size_t block;              /* how many values one of the maxima is of; 1 for peaks over a threshold */
    const double *exceedances; /* per run, as in grt_per_run_quantile; at most GRT_BOOTSTRAP_QUANTILES */
    size_t exceedance_count;
    size_t replicates;
    const char *purpose; /* of the random stream */
    uint64_t seed;
};

struct grt_bootstrapped {
    /* the chance of a distance as large as this one, (1 + larger ones) / (1 + replicates) */
    double p[GRT_DISTANCES];
    double low[GRT_BOOTSTRAP_QUANTILES],
        high[GRT_BOOTSTRAP_QUANTILES]; /* of 95 percent, of each exceedance; bias-corrected percentiles */
    double covariance[3][3];           /* of location, scale and shape */
    size_t fitted,
        failed; /* replicates; those without a fit are left out. All failed: the rest is not a number */
};

/* The value that a run exceeds with a probability of p. Of maxima of `block` runs each: a block stays below it with (1 - p)^block. Of peaks:
 * a run is above the threshold with a probability of `rate`, and then above the value with p / rate; not a number where p is not below the rate. */
double grt_per_run_quantile(const struct grt_extreme *extreme, size_t block, double rate, double p);

/* Draws and fits. `distances` are those of the fit from the measured values. */
struct grt_bootstrapped grt_bootstrap_run(const struct grt_bootstrap *setup,
                                          const double distances[GRT_DISTANCES]);

#endif
