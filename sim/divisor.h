/* The greatest common divisor. */
#ifndef GRT_SIM_DIVISOR_H
#define GRT_SIM_DIVISOR_H

#include <stdint.h>

/* The greatest number that divides both (Euclid); the other one where one is 0. */
static inline uint64_t grt_common_divisor(uint64_t a, uint64_t b) {
    while (b > 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

#endif
