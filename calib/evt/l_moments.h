/* Linear moments: as mean, deviation and skewness, but of order statistics, so that single large values do not rule them. J. R. M. Hosking, L-moments: analysis
 * and estimation of distributions using linear combinations of order statistics, J. Royal Statistical Society B 52, 1990. */
#ifndef GRT_CALIB_EVT_L_MOMENTS_H
#define GRT_CALIB_EVT_L_MOMENTS_H

#include "calib/evt/extreme.h"

struct grt_l_moments {
    double mean, scale, third, fourth; /* lambda 1 to 4; not a number where there are too few values */
};

/* Of values in ascending order. */
struct grt_l_moments grt_l_moments_of(const double *sorted, size_t count);

/* The distribution with these moments. `threshold`: the location of those above one. False where there is none (no spread, or a shape outside
 * -3 to 0.95). */
bool grt_l_moments_fit(const struct grt_l_moments *moments, enum grt_extreme_kind kind, double threshold,
                       struct grt_extreme *out);

#endif
