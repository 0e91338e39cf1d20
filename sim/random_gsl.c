#include "sim/random_gsl.h"

static void gsl_set(void *state, unsigned long int seed) {
    *(struct grt_random *)state = grt_random_of_key(seed);
}

static unsigned long int gsl_get(void *state) {
    return grt_random_bits(state);
}

static double gsl_get_double(void *state) {
    return grt_random_uniform(state);
}

static const gsl_rng_type gsl_type = {
    .name = "gpurt-sfc64",
    .max = UINT64_MAX,
    .min = 0,
    .size = sizeof(struct grt_random),
    .set = gsl_set,
    .get = gsl_get,
    .get_double = gsl_get_double,
};

const gsl_rng_type *const grt_random_gsl_type = &gsl_type;
