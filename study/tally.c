#include "study/tally.h"

#include <math.h>

static const char *const outcome_names[GRT_OUTCOMES] = {
    [GRT_OUTCOME_YES] = "yes",         [GRT_OUTCOME_NO] = "no",
    [GRT_OUTCOME_UNKNOWN] = "unknown", [GRT_OUTCOME_INAPPLICABLE] = "inapplicable",
    [GRT_OUTCOME_REFUSED] = "refused", [GRT_OUTCOME_NONE] = "none",
};

const char *const *const grt_outcome_names = outcome_names;

/* ---- moments ---- */

/* Adds to a sum of two parts, without loss up to twice the digits of a double (D. E. Knuth, The Art of Computer Programming, volume 2, 4.2.2, theorem B). */
static void add_to_sum(struct grt_moments *to, double value, double rest) {
    double sum = to->sum + value, added = sum - to->sum;
    double lost = (to->sum - (sum - added)) + (value - added);
    if (!isfinite(sum)) {
        to->sum = isnan(sum) ? (double)NAN : sum;
        to->rest = 0;
        return;
    }
    lost += to->rest + rest;
    to->sum = sum + lost;
    to->rest = lost - (to->sum - sum);
}

/* a b - c d, right to one and a half units in its last place (Jeannerod, Louvet, Muller, Further analysis of Kahan's algorithm for the accurate
 * computation of 2 x 2 determinants, Mathematics of Computation 82, 2013). */
static double difference_of_products(double a, double b, double c, double d) {
    double second = c * d, error = fma(-c, d, second);
    return fma(a, b, -second) + error;
}

/* What joining both adds to the squares: (n T_m - m T_n)^2 / (m n (m + n)) with T the sums of m and n values (T. F. Chan, G. H. Golub, R. J.
 * LeVeque, Updating formulae and a pairwise algorithm for computing sample variances, Stanford STAN-CS-79-773, 1979). */
static double squares_between(const struct grt_moments *first, const struct grt_moments *second) {
    double m = (double)first->count, n = (double)second->count;
    double difference = difference_of_products(n, first->sum, m, second->sum);
    difference += n * first->rest - m * second->rest;
    return difference / (m * n) * difference / (m + n);
}

void grt_moments_add(struct grt_moments *moments, double value) {
    if (isnan(value)) {
        return;
    }
    grt_moments_merge(moments,
                      &(struct grt_moments){.count = 1, .sum = value, .least = value, .most = value});
}

void grt_moments_merge(struct grt_moments *to, const struct grt_moments *from) {
    if (from->count == 0) {
        return;
    }
    if (to->count == 0) {
        *to = *from;
        return;
    }
    double squares = to->squares + from->squares + squares_between(to, from);
    to->squares = isfinite(squares) ? squares : (double)INFINITY;
    add_to_sum(to, from->sum, from->rest);
    to->count += from->count;
    to->least = from->least < to->least ? from->least : to->least;
    to->most = from->most > to->most ? from->most : to->most;
}

double grt_moments_mean(const struct grt_moments *moments) {
    if (moments->count == 0) {
        return (double)NAN;
    }
    double count = (double)moments->count, mean = moments->sum / count;
    /* What the quotient leaves of the sum, and its rest: the mean of equal values is that value. */
    return isfinite(mean) ? mean + (fma(-mean, count, moments->sum) + moments->rest) / count : mean;
}

double grt_moments_deviation(const struct grt_moments *moments) {
    if (moments->count < 2 || !isfinite(moments->squares)) {
        return (double)NAN;
    }
    return sqrt(moments->squares / (double)(moments->count - 1));
}

/* ---- sets ---- */

uint64_t grt_tally_sets(const struct grt_tally *tally) {
    uint64_t sets = 0;
    for (int outcome = 0; outcome < GRT_OUTCOMES; outcome++) {
        sets += outcome != GRT_OUTCOME_NONE ? tally->outcomes[outcome] : 0;
    }
    return sets;
}

/* ---- intervals ---- */

struct grt_interval grt_wilson_of(double proportion, double all, double z) {
    if (!(all > 0)) {
        return (struct grt_interval){0, 1};
    }
    double n = all, p = proportion, z2 = z * z;
    double centre = (p + z2 / (2 * n)) / (1 + z2 / n);
    double half = z * sqrt(p * (1 - p) / n + z2 / (4 * n * n)) / (1 + z2 / n);
    /* At the ends the two are equal, but for rounding. */
    return (struct grt_interval){p <= 0 ? 0 : centre - half, p >= 1 ? 1 : centre + half};
}

struct grt_interval grt_wilson(uint64_t yes, uint64_t all, double z) {
    return grt_wilson_of(all > 0 ? (double)yes / (double)all : 0, (double)all, z);
}

double grt_student_975(double freedom) {
    static const double few[] = {12.70620, 4.30265, 3.18245, 2.77645, 2.57058,
                                 2.44691,  2.36462, 2.30600, 2.26216};
    enum { FEW = sizeof few / sizeof few[0] };
    if (freedom < FEW + 1) {
        return few[freedom >= 1 ? (size_t)freedom - 1 : 0];
    }
    /* M. Abramowitz, I. A. Stegun, Handbook of Mathematical Functions, 1964, 26.7.5 */
    const double x = GRT_WILSON_95, x2 = x * x, v = freedom;
    const double g1 = x * (x2 + 1) / 4, g2 = x * ((5 * x2 + 16) * x2 + 3) / 96;
    const double g3 = x * (((3 * x2 + 19) * x2 + 17) * x2 - 15) / 384;
    const double g4 = x * ((((79 * x2 + 776) * x2 + 1482) * x2 - 1920) * x2 - 945) / 92160;
    return x + (g1 + (g2 + (g3 + g4 / v) / v) / v) / v;
}

struct grt_interval grt_moments_interval_of(const struct grt_moments *moments, double independent) {
    double mean = grt_moments_mean(moments), deviation = grt_moments_deviation(moments);
    if (isnan(deviation) || independent < 2) {
        return (struct grt_interval){NAN, NAN};
    }
    double half = grt_student_975(independent - 1) * deviation / sqrt(independent);
    return (struct grt_interval){mean - half, mean + half};
}

struct grt_interval grt_moments_interval(const struct grt_moments *moments) {
    return grt_moments_interval_of(moments, (double)moments->count);
}
