/* The one way in which distributions of extreme values are estimated: by maximum likelihood from the L-moments on; where the likelihood has no regular maximum (a
 * shape below -0.5: the values crowd at an upper end), by the L-moments alone. */
#ifndef GRT_CALIB_EVT_ESTIMATE_H
#define GRT_CALIB_EVT_ESTIMATE_H

#include "calib/evt/likelihood.h"

struct grt_estimate {
    struct grt_likely likely;  /* of the L-moments: the cost of these; covariance not a number */
    struct grt_extreme linear; /* by L-moments; scale 0: there is none */
    bool is_likely;            /* by maximum likelihood */
};

/* Of values in ascending order, for peaks all above `threshold`. False: neither way leads to a distribution. */
bool grt_estimate_of(const double *sorted, size_t count, enum grt_extreme_kind kind, double threshold,
                     struct grt_estimate *out);

#endif
