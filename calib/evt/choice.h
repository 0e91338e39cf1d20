/* How much of a sample is its tail: tables of thresholds and of block sizes, with what the theory says should no longer change, and a rule that chooses. */
#ifndef GRT_CALIB_EVT_CHOICE_H
#define GRT_CALIB_EVT_CHOICE_H

#include "calib/evt/estimate.h"

enum {
    GRT_CHOICES = 16,        /* the most rows of a table */
    GRT_LEAST_EXTREMES = 50, /* maxima or excesses that a fit needs */
    GRT_MOST_EXTREMES = 5000 /* excesses; more say little that fewer do not */
};

/* One threshold, or one size of blocks. */
struct grt_choice {
    size_t count;               /* excesses, or maxima */
    size_t block;               /* values in a block; 1 of thresholds */
    double threshold;           /* not a number of blocks */
    bool has_fit;               /* the others are not numbers otherwise */
    struct grt_extreme extreme; /* GPD, or GEV; how: grt_estimate_of */
    double shape_error;         /* its standard deviation; not a number of a GEV by L-moments */
    /* scale - shape threshold: the same above all thresholds above which the model holds (S. Coles, 2001, section 4.3.4) */
    double steady_scale;
    double mean_excess;    /* a line in the threshold where it holds (section 4.3.1) */
    double variation;      /* coefficient of variation of the excesses: 1 for an exponential tail */
    double variation_room; /* 1 +- this holds 95 percent: 1.96 / sqrt(count) */
};

struct grt_choices {
    struct grt_choice rows[GRT_CHOICES]; /* from the most extremes to the fewest */
    size_t count;
    /* The row with most extremes whose shape is that of all further rows, or count where there is none. Shapes of two rows, one of which has only extremes of the other
     * one, are different if their difference is too large for the difference of their variances (J. A. Hausman, Specification tests in econometrics, Econometrica 46,
     * 1978), at 5 percent for all further rows together. */
    size_t chosen;
    /* The row with most excesses whose variation, and that of all further rows, is in its room (J. Abella, M. Padilla, J. Del Castillo, F. J. Cazorla, Measurement-based
     * worst-case execution time estimation using the coefficient of variation, ACM TODAES 22(4), 2017); count: there is none. */
    size_t chosen_by_variation;
};

/* Thresholds above which 10 percent to 0.5 percent of the values are, at least GRT_LEAST_EXTREMES and at most GRT_MOST_EXTREMES. */
void grt_choose_threshold(const double *sorted, size_t count, struct grt_choices *out);

/* Blocks of 20, 50, 100, ... values in their order, so that there are GRT_LEAST_EXTREMES to 1,000 of them. */
void grt_choose_block(const double *series, size_t count, struct grt_choices *out);

/* The largest of each block of the series, ascending; a last, shorter block is left out. `out` has count / block places; returns how many. */
size_t grt_block_maxima(const double *series, size_t count, size_t block, double *out);

#endif
