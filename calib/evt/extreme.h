/* Distributions of extreme values: of the largest of many values (Gumbel, generalised extreme value), and of what lies above a high threshold
 * (exponential, generalised Pareto). S. Coles, An Introduction to Statistical Modeling of Extreme Values, 2001, chapters 3 and 4. A shape above 0 is a
 * heavy tail, below 0 an upper end. */
#ifndef GRT_CALIB_EVT_EXTREME_H
#define GRT_CALIB_EVT_EXTREME_H

#include <stdbool.h>
#include <stddef.h>

enum grt_extreme_kind {
    GRT_EXTREME_GUMBEL,      /* of maxima, shape 0 */
    GRT_EXTREME_GEV,         /* of maxima */
    GRT_EXTREME_EXPONENTIAL, /* above `location`, shape 0 */
    GRT_EXTREME_GPD,         /* above `location`, which is the threshold */
    GRT_EXTREME_KINDS
};

/* The words for them in files, in the enum's order. */
extern const char *const grt_extreme_names[GRT_EXTREME_KINDS];

/* In the unit of the values; the shape has none. */
struct grt_extreme {
    enum grt_extreme_kind kind;
    double location, scale, shape; /* scale > 0; shape 0 of those that have none */
};

bool grt_extreme_has_shape(enum grt_extreme_kind kind);
bool grt_extreme_is_of_maxima(enum grt_extreme_kind kind);

/* The probability of at most x, and of more than x. */
double grt_extreme_below(const struct grt_extreme *extreme, double x);
double grt_extreme_above(const struct grt_extreme *extreme, double x);

/* Where a value is in a distribution, with the digits of both tails. */
struct grt_extreme_place {
    double below, ln_below, ln_above; /* the probability of at most x; logarithms of it and of more than x */
};
struct grt_extreme_place grt_extreme_place(const struct grt_extreme *extreme, double x);

/* The value that is exceeded with a probability of 0 < p < 1; as exact for 1e-12 as for 0.5. */
double grt_extreme_quantile(const struct grt_extreme *extreme, double p);

/* Minus the logarithm of the likelihood of these values; infinite where one of them cannot be. */
double grt_extreme_cost(const struct grt_extreme *extreme, const double *values, size_t count);

/* What the cost changes by per location, logarithm of the scale, and shape, at values that can be. */
void grt_extreme_slope(const struct grt_extreme *extreme, const double *values, size_t count,
                       double slope[3]);

/* The cost, that slope, and its own in the same three, in one pass. Of values that can be; the others are not numbers where one cannot. */
double grt_extreme_curve(const struct grt_extreme *extreme, const double *values, size_t count,
                         double slope[3], double curve[3][3]);

#endif
