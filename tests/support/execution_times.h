/* Execution times whose distribution is known, to hold extreme value theory against. */
#ifndef GRT_TESTS_SUPPORT_EXECUTION_TIMES_H
#define GRT_TESTS_SUPPORT_EXECUTION_TIMES_H

#include <stddef.h>

#include "sim/random.h"

enum grt_times_kind {
    GRT_TIMES_EXPONENTIAL, /* 100 and more, of mean 110 */
    GRT_TIMES_GAMMA,       /* 5 stages of mean 4 */
    GRT_TIMES_STAGES,      /* 20 stages of mean 4 */
    GRT_TIMES_NORMAL,      /* 100 +- 10 */
    GRT_TIMES_LOGNORMAL,   /* 100, deviation 0.25 of the logarithm */
    GRT_TIMES_BOUNDED,     /* 100 + GPD of scale 10, shape -0.2: at most 150 */
    GRT_TIMES_UNIFORM,     /* 100 to 110 */
    GRT_TIMES_HEAVY,       /* 100 + GPD of scale 10, shape 0.1 */
    GRT_TIMES_SLOW_MODE,   /* gamma, and 100 more with a probability of 0.5 percent */
    GRT_TIMES_KINDS
};
extern const char *const grt_times_names[GRT_TIMES_KINDS];

/* One time. */
double grt_times_draw(enum grt_times_kind kind, struct grt_random *random);

/* `count` of them. */
void grt_times_fill(enum grt_times_kind kind, struct grt_random *random, double *out, size_t count);

/* The time that is exceeded with a probability of p, at most 1e-3. */
double grt_times_quantile(enum grt_times_kind kind, double p);

#endif
