/* Logarithm, exponential and roots from nothing but the four operations, which IEEE 754 rounds in one way: what is computed
 * with them is the same on every machine, while the last digit of log and pow differs between libraries. */
#ifndef GRT_SIM_ELEMENTARY_H
#define GRT_SIM_ELEMENTARY_H

#include <stdint.h>

/* The natural logarithm of a normal number above 0, within 3e-16 of the larger of its value and 1. */
double grt_elementary_log(double x);

/* e^x for -700 <= x <= 700, within 5e-16 of its value; below that 0, above it e^700. */
double grt_elementary_exp(double x);

/* The k-th root of 2^-60 <= x <= 1, at most 1 and within 1e-15 of its value; k >= 1. */
double grt_elementary_root(double x, uint32_t k);

#endif
