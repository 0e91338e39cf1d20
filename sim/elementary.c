#include "sim/elementary.h"

#include <math.h>
#include <string.h>

/* ln 2 in two parts: the first has 32 bits, so that its product with an exponent is exact. */
static const double ln2_high = 0x1.62e42feep-1, ln2_low = 0x1.a39ef35793c76p-33;
static const double one_by_ln2 = 0x1.71547652b82fep+0, sqrt2 = 0x1.6a09e667f3bcdp+0;

static double two_to_the(int64_t exponent) {
    uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double result;
    memcpy(&result, &bits, sizeof result);
    return result;
}

/* ln m = 2 artanh s with s = (m - 1) / (m + 1), |s| < 0.172: eleven terms of its series. Two chains, since a processor
 * works on both at a time. */
static double log_near_one(double m) {
    double s = (m - 1) / (m + 1), z = s * s, y = z * z;
    double even = 1.0 / 21, odd = 1.0 / 19;
    for (int i = 17; i >= 1; i -= 4) {
        even = even * y + 1.0 / i;
    }
    for (int i = 15; i >= 3; i -= 4) {
        odd = odd * y + 1.0 / i;
    }
    return 2 * s * (even + z * odd);
}

double grt_elementary_log(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int64_t exponent = (int64_t)(bits >> 52) - 1023;
    bits = (bits & UINT64_C(0xfffffffffffff)) | UINT64_C(1023) << 52;
    double m;
    memcpy(&m, &bits, sizeof m);
    if (m > sqrt2) {
        m /= 2;
        exponent++;
    }
    double e = (double)exponent;
    return e * ln2_high + (e * ln2_low + log_near_one(m));
}

/* Taylor's series of e^r, |r| < 0.347, to r^14 / 14!. */
static double exp_near_zero(double r) {
    static const double even[] = {1.0 / 87178291200, 1.0 / 479001600, 1.0 / 3628800, 1.0 / 40320,
                                  1.0 / 720,         1.0 / 24,        1.0 / 2,       1};
    static const double odd[] = {
        1.0 / 6227020800, 1.0 / 39916800, 1.0 / 362880, 1.0 / 5040, 1.0 / 120, 1.0 / 6, 1};
    double y = r * r, a = even[0], b = odd[0];
    for (int i = 1; i < 8; i++) {
        a = a * y + even[i];
    }
    for (int i = 1; i < 7; i++) {
        b = b * y + odd[i];
    }
    return a + r * b;
}

double grt_elementary_exp(double x) {
    if (x < -700) {
        return 0;
    }
    x = x > 700 ? 700 : x;
    double k = floor(x * one_by_ln2 + 0.5);
    double r = (x - k * ln2_high) - k * ln2_low;
    return exp_near_zero(r) * two_to_the((int64_t)k);
}

double grt_elementary_root(double x, uint32_t k) {
    if (k <= 2) {
        return k == 1 ? x : sqrt(x); /* sqrt is rounded in one way, too */
    }
    double root = grt_elementary_exp(grt_elementary_log(x) / k);
    return root < 1 ? root : 1;
}
