/* Sums and products of spans of time that never overflow: what is too long to say stays so. All take spans from 0 on, and GRT_SPAN_NEVER,
 * which is what the "never" of times, steps and analyses is: larger than every span. */
#ifndef GRT_MODELS_SPAN_H
#define GRT_MODELS_SPAN_H

#include <stdint.h>

#include "sim/wide.h"

#define GRT_SPAN_NEVER INT64_MAX

/* a + b; GRT_SPAN_NEVER where one of them is, or the sum is not below it. */
static inline int64_t grt_span_sum(int64_t a, int64_t b) {
    return a < GRT_SPAN_NEVER - b ? a + b : GRT_SPAN_NEVER;
}

/* a + b; GRT_SPAN_NEVER where it is above `most`. */
static inline int64_t grt_span_sum_within(int64_t a, int64_t b, int64_t most) {
    return a <= most && b <= most - a ? a + b : GRT_SPAN_NEVER;
}

/* count * span, count from 0 on; GRT_SPAN_NEVER where it is above `most`. */
static inline int64_t grt_span_product_within(int64_t span, int64_t count, int64_t most) {
    grt_wide product = (grt_wide)(uint64_t)span * (uint64_t)count;
    return product <= (grt_wide)(uint64_t)most ? (int64_t)product : GRT_SPAN_NEVER;
}

/* count * span; GRT_SPAN_NEVER where `span` is, and count above 0, or the product is not below it. */
static inline int64_t grt_span_product(int64_t span, int64_t count) {
    return grt_span_product_within(span, count, GRT_SPAN_NEVER);
}

#endif
