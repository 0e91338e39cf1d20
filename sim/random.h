/* Named random streams: every stream is split from the run's seed by a name and two numbers, so that adding a task
 * or changing the policy leaves the draws of all others alone. The generator is sfc64 (Chris Doty-Humphrey,
 * PractRand). sim/random_gsl.h offers it to GSL. */
#ifndef GRT_SIM_RANDOM_H
#define GRT_SIM_RANDOM_H

#include <stdint.h>

/* The state of one stream: plain, may be copied. `rng` points into the struct only while a draw is made. */
struct grt_random {
    uint64_t a, b, c, counter;
};

/* A stream that depends on nothing but its arguments. `purpose` is a short constant such as "jitter". */
struct grt_random grt_random_stream(uint64_t seed, const char *purpose, uint64_t first, uint64_t second);

/* A stream from one 64-bit key, for the many short streams of single kernels. */
struct grt_random grt_random_of_key(uint64_t key);

/* The next 64 random bits. */
static inline uint64_t grt_random_bits(struct grt_random *random) {
    uint64_t result = random->a + random->b + random->counter++;
    random->a = random->b ^ (random->b >> 11);
    random->b = random->c + (random->c << 3);
    random->c = ((random->c << 24) | (random->c >> 40)) + result;
    return result;
}

/* Uniform in [0, 1): 53 random bits. */
static inline double grt_random_uniform(struct grt_random *random) {
    return (double)(grt_random_bits(random) >> 11) * (1.0 / 9007199254740992.0); /* 2^-53 */
}

/* Uniform integer in [0, bound), without bias; bound > 0. */
uint64_t grt_random_below(struct grt_random *random, uint64_t bound);

#endif
