/* What random cases are made with. */
#ifndef GRT_TESTS_SUPPORT_PICK_H
#define GRT_TESTS_SUPPORT_PICK_H

#include "sim/random.h"

/* A whole number in [from, to]. */
static inline int64_t grt_pick(struct grt_random *random, int64_t from, int64_t to) {
    return from + (int64_t)grt_random_below(random, (uint64_t)(to - from) + 1);
}

#endif
