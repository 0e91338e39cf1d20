/* The random streams of sim/random.h as a gsl_rng_type, so that GSL's distributions draw from them. Apart from these, so that whoever only
 * describes distributions, a policy outside the tree say, needs no GSL. */
#ifndef GRT_SIM_RANDOM_GSL_H
#define GRT_SIM_RANDOM_GSL_H

#include <gsl/gsl_rng.h>

#include "sim/random.h"

/* The generator as GSL sees it; its state is a struct grt_random. gsl_rng_set seeds it by grt_random_of_key. */
extern const gsl_rng_type *const grt_random_gsl_type;

/* A GSL view of the stream: draws made through it advance `random`. Lives as long as `random` does not move. */
static inline gsl_rng grt_random_gsl(struct grt_random *random) {
    return (gsl_rng){.type = grt_random_gsl_type, .state = random};
}

#endif
