/* Maximum likelihood: the parameters under which the values are most likely, and how sure they are. */
#ifndef GRT_CALIB_EVT_LIKELIHOOD_H
#define GRT_CALIB_EVT_LIKELIHOOD_H

#include "calib/evt/extreme.h"

/* Estimates have the usual properties for shapes above -0.5 only (R. L. Smith, Maximum likelihood estimation in a class of nonregular cases, Biometrika
 * 72, 1985); above 1 there is not even a mean. */
#define GRT_LEAST_SHAPE (-0.5)
#define GRT_MOST_SHAPE 1.0

struct grt_likely {
    struct grt_extreme extreme;
    double cost; /* grt_extreme_cost of it */
    /* Of location, scale and shape, by the curvature of the cost; 0 of what is not estimated (a threshold, no shape). Not a number: the cost has no
     * well-formed minimum there. */
    double covariance[3][3];
};

/* Estimates a distribution of this kind, starting from `start`, whose location stays where it is a threshold. False where none is found, or its
 * shape is outside the limits above. */
bool grt_likelihood_fit(const struct grt_extreme *start, const double *values, size_t count,
                        struct grt_likely *out);

#endif
