/* labels: soak */
/* Vectors of utilisations with a given sum, against a second way to draw them or a formula: normalised exponential draws, rejection,
 * inclusion and exclusion. A generator that is known to be biased has to fail. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "scenarios/generate/utilisation.h"
#include "tests/support/goodness.h"
#include "tests/support/suite.h"

enum { MOST_VALUES = 20 };

/* A way to draw vectors. */
struct sampler {
    void (*draw)(const struct sampler *sampler, struct grt_random *random, double *values);
    size_t count;
    double total, least, most;
    const struct grt_fixed_sum *table;
};

static void by_uunifast(const struct sampler *s, struct grt_random *random, double *values) {
    grt_uunifast(random, values, s->count, s->total);
}

static void by_uunisort(const struct sampler *s, struct grt_random *random, double *values) {
    grt_uunisort(random, values, s->count, s->total);
}

static void by_discard(const struct sampler *s, struct grt_random *random, double *values) {
    CU_ASSERT_FATAL(
        grt_uunifast_discard(random, values, s->count, s->total, s->least, s->most, 1000000, NULL));
}

static void by_table(const struct sampler *s, struct grt_random *random, double *values) {
    grt_fixed_sum_draw(s->table, random, values);
}

/* Uniform on the simplex: exponential draws, divided by their sum (Devroye: Non-uniform random variate generation, 1986). */
static void simplex(struct grt_random *random, double *values, size_t count, double total) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        values[i] = -log(1 - grt_random_uniform(random));
        sum += values[i];
    }
    for (size_t i = 0; i < count; i++) {
        values[i] *= total / sum;
    }
}

static void by_exponentials(const struct sampler *s, struct grt_random *random, double *values) {
    simplex(random, values, s->count, s->total);
}

/* From the lower bounds up, or where that is likelier to succeed from the upper ones down, until all are within. */
static void by_rejection(const struct sampler *s, struct grt_random *random, double *values) {
    double n = (double)s->count, up = s->total - n * s->least, down = n * s->most - s->total;
    bool within = false;
    while (!within) {
        simplex(random, values, s->count, up < down ? up : down);
        within = true;
        for (size_t i = 0; i < s->count; i++) {
            within = within && values[i] <= s->most - s->least;
            values[i] = up < down ? s->least + values[i] : s->most - values[i];
        }
    }
}

/* The bias that UUniFast's authors warn of: uniform draws, scaled to the sum. */
static void by_scaling(const struct sampler *s, struct grt_random *random, double *values) {
    double sum = 0;
    for (size_t i = 0; i < s->count; i++) {
        values[i] = grt_random_uniform(random);
        sum += values[i];
    }
    for (size_t i = 0; i < s->count; i++) {
        values[i] *= s->total / sum;
    }
}

/* What is compared of a vector: each value, the smallest, the largest, the sum of squares. */
enum { SMALLEST, LARGEST, SQUARES, FIRST_VALUE };

static double property_of(const double *values, size_t count, size_t property) {
    double smallest = INFINITY, largest = -INFINITY, squares = 0;
    for (size_t i = 0; i < count; i++) {
        smallest = fmin(smallest, values[i]);
        largest = fmax(largest, values[i]);
        squares += values[i] * values[i];
    }
    return property == SMALLEST  ? smallest
           : property == LARGEST ? largest
           : property == SQUARES ? squares
                                 : values[property - FIRST_VALUE];
}

/* Properties of `samples` vectors, each in a row of its own. */
static double *sample(const struct sampler *sampler, uint64_t key, size_t samples) {
    size_t properties = FIRST_VALUE + sampler->count;
    double *rows = calloc(properties * samples, sizeof *rows), values[MOST_VALUES];
    CU_ASSERT_PTR_NOT_NULL_FATAL(rows);
    struct grt_random random = grt_random_of_key(key);
    for (size_t i = 0; i < samples; i++) {
        sampler->draw(sampler, &random, values);
        for (size_t property = 0; property < properties; property++) {
            rows[property * samples + i] = property_of(values, sampler->count, property);
        }
    }
    return rows;
}

/* The largest of the properties' distances. */
static double distance(const struct sampler *first, const struct sampler *second, size_t samples) {
    double *a = sample(first, 1, samples), *b = sample(second, 2, samples), worst = 0;
    for (size_t property = 0; property < FIRST_VALUE + first->count; property++) {
        worst =
            fmax(worst, grt_kolmogorov_two(a + property * samples, samples, b + property * samples, samples));
    }
    free(a);
    free(b);
    return worst;
}

static void expect_same(const struct sampler *first, const struct sampler *second, const char *name) {
    size_t samples = (size_t)grt_suite_cases(12000, 1000000);
    double worst = distance(first, second, samples);
    if (!(worst < GRT_KOLMOGOROV_LIMIT)) {
        printf("\n    %s, %zu values of %g: distance %.3f\n", name, first->count, first->total, worst);
    }
    CU_ASSERT(worst < GRT_KOLMOGOROV_LIMIT);
}

/* ---- Vectors without bounds ---- */

static const size_t sizes[] = {2, 3, 5, 10};

static void unbounded_vectors_are_uniform(void) {
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct sampler exponentials = {by_exponentials, sizes[i], 0.7, 0, 0.7, NULL};
        struct sampler uunifast = exponentials, uunisort = exponentials;
        uunifast.draw = by_uunifast;
        uunisort.draw = by_uunisort;
        expect_same(&uunifast, &exponentials, "uunifast");
        expect_same(&uunisort, &exponentials, "uunisort");
        expect_same(&uunisort, &uunifast, "uunisort and uunifast");
    }
}

static double first_of_simplex(double x, const void *context) {
    const struct sampler *s = context;
    return 1 - pow(1 - x / s->total, (double)s->count - 1);
}

/* Every value alone has the distribution Beta(1, n - 1). */
static void marginals_are_beta(void) {
    size_t samples = (size_t)grt_suite_cases(20000, 1000000);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (int sorted = 0; sorted < 2; sorted++) {
            struct sampler s = {sorted ? by_uunisort : by_uunifast, sizes[i], 1.3, 0, 1, NULL};
            double *rows = sample(&s, 3, samples);
            for (size_t value = 0; value < s.count; value++) {
                CU_ASSERT(grt_kolmogorov(rows + (FIRST_VALUE + value) * samples, samples, first_of_simplex,
                                         &s) < GRT_KOLMOGOROV_LIMIT);
            }
            free(rows);
        }
    }
}

static void biased_vectors_are_found_out(void) {
    for (size_t i = 1; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct sampler exponentials = {by_exponentials, sizes[i], 0.7, 0, 0.7, NULL}, scaled = exponentials;
        scaled.draw = by_scaling;
        CU_ASSERT(distance(&scaled, &exponentials, 20000) > 4 * GRT_KOLMOGOROV_LIMIT);
    }
}

/* ---- Vectors with bounds ---- */

static const struct sampler bounded[] = {
    {NULL, 2, 0.9, 0, 0.6, NULL},   {NULL, 3, 1, 0, 1, NULL},    {NULL, 4, 2, 0, 1, NULL},
    {NULL, 5, 1.7, 0.1, 0.6, NULL}, {NULL, 6, 5.5, 0, 1, NULL},  {NULL, 10, 1.5, 0.05, 1, NULL},
    {NULL, 10, 3, 0, 1, NULL},      {NULL, 10, 8.2, 0, 1, NULL},
};

static void bounded_vectors_are_uniform(void) {
    for (size_t i = 0; i < sizeof bounded / sizeof bounded[0]; i++) {
        struct sampler rejection = bounded[i], table = bounded[i], discard = bounded[i];
        rejection.draw = by_rejection;
        struct grt_fixed_sum *sum = grt_fixed_sum_create(table.count, table.total, table.least, table.most);
        table.draw = by_table;
        table.table = sum;
        expect_same(&table, &rejection, "randfixedsum");
        discard.draw = by_discard;
        if (grt_uunifast_share_within(discard.count, discard.total, discard.least, discard.most) > 0.02) {
            expect_same(&discard, &rejection, "uunifast-discard");
        }
        grt_fixed_sum_free(sum);
    }
}

/* Means and variances of the values, those of rejection's as the second way. */
static void moments_are_those_of_rejection(void) {
    size_t samples = (size_t)grt_suite_cases(20000, 1000000);
    for (size_t i = 0; i < sizeof bounded / sizeof bounded[0]; i++) {
        struct sampler rejection = bounded[i], table = bounded[i];
        rejection.draw = by_rejection;
        struct grt_fixed_sum *sum = grt_fixed_sum_create(table.count, table.total, table.least, table.most);
        table.draw = by_table;
        table.table = sum;
        double mean = table.total / (double)table.count, range = table.most - table.least;
        double *a = sample(&table, 5, samples), *b = sample(&rejection, 6, samples);
        for (size_t value = FIRST_VALUE; value < FIRST_VALUE + table.count; value++) {
            double shift = 0, squares[2] = {0, 0};
            for (size_t k = 0; k < samples; k++) {
                double x = a[value * samples + k] - mean, y = b[value * samples + k] - mean;
                shift += x / (double)samples;
                squares[0] += x * x / (double)samples;
                squares[1] += y * y / (double)samples;
            }
            double error = sqrt(squares[1] / (double)samples); /* of the mean */
            CU_ASSERT(fabs(shift) < 5 * error);
            CU_ASSERT(fabs(squares[0] - squares[1]) < 7 * range * range / 4 / sqrt((double)samples));
        }
        free(a);
        free(b);
        grt_fixed_sum_free(sum);
    }
}

static bool is_valid(const double *values, size_t count, double total, double least, double most) {
    double sum = 0, lost = 0; /* summed without rounding to speak of */
    for (size_t i = 0; i < count; i++) {
        double y = values[i] - lost, next = sum + y;
        lost = (next - sum) - y;
        sum = next;
        if (values[i] < least || values[i] > most) {
            return false;
        }
    }
    return fabs(sum - total) <= 1e-12 * (total > 1 ? total : 1);
}

static void sums_and_bounds_are_kept(void) {
    static double values[GRT_FIXED_SUM_MOST];
    struct grt_random random = grt_random_of_key(7);
    size_t wrong = 0;
    for (int i = 0; i < grt_suite_cases(2000, 200000); i++) {
        size_t count = 1 + (size_t)grt_random_below(&random, i % 100 == 0 ? GRT_FIXED_SUM_MOST : 30);
        double least = i % 3 == 0 ? 0 : 0.5 * grt_random_uniform(&random);
        double most = i % 5 == 0 ? least : least + grt_random_uniform(&random);
        double place = i % 7 == 0 ? (double)(i % 2) : grt_random_uniform(&random); /* the ends, too */
        double n = (double)count, total = n * least * (1 - place) + n * most * place;
        struct grt_fixed_sum *sum = grt_fixed_sum_create(count, total, least, most);
        grt_fixed_sum_draw(sum, &random, values);
        wrong += !is_valid(values, count, total, least, most);
        grt_fixed_sum_free(sum);
        total = 5 * grt_random_uniform(&random);
        grt_uunifast(&random, values, count, total);
        wrong += !is_valid(values, count, total, 0, INFINITY);
        grt_uunisort(&random, values, count, total);
        wrong += !is_valid(values, count, total, 0, INFINITY);
    }
    CU_ASSERT_EQUAL(wrong, 0);
}

/* Of many values each has nearly the density exp(rate x) on [0, 1]: the conditional limit theorem. */
struct tilted {
    double rate;
};

static double tilted_distribution(double x, const void *context) {
    double rate = ((const struct tilted *)context)->rate;
    return fabs(rate) < 1e-9 ? x : expm1(rate * x) / expm1(rate);
}

static double tilted_mean(double rate) {
    return fabs(rate) < 1e-6 ? 0.5 : 1 / -expm1(-rate) - 1 / rate;
}

static void a_thousand_values_do_not_underflow(void) {
    static const double totals[] = {0.5, 3.5, 80, 250, 500, 900, 996.5};
    enum { VECTORS = 40, COUNT = GRT_FIXED_SUM_MOST };
    static double values[VECTORS * COUNT];
    struct grt_random random = grt_random_of_key(8);
    for (size_t i = 0; i < sizeof totals / sizeof totals[0]; i++) {
        struct grt_fixed_sum *sum = grt_fixed_sum_create(COUNT, totals[i], 0, 1);
        for (size_t v = 0; v < VECTORS; v++) {
            grt_fixed_sum_draw(sum, &random, values + v * COUNT);
        }
        double low = -5000, high = 5000;
        while (high - low > 1e-9) {
            double middle = (low + high) / 2;
            *(tilted_mean(middle) < totals[i] / COUNT ? &low : &high) = middle;
        }
        struct tilted tilted = {low};
        double limit =
            GRT_KOLMOGOROV_LIMIT + sqrt(VECTORS * COUNT) / COUNT; /* the limit's own error is 1 / n */
        CU_ASSERT(grt_kolmogorov(values, VECTORS * COUNT, tilted_distribution, &tilted) < limit);
        grt_fixed_sum_free(sum);
    }
}

/* ---- What is discarded ---- */

/* P(some u > 1) = n (1 - 1 / U)^(n - 1) for 1 <= U <= 2; published figures to their digits. */
static void discards_as_often_as_computed(void) {
    static const struct {
        size_t count;
        double total, figure, digit;
    } cases[] = {{10, 1.5, .0005, .00005}, {10, 2, .02, .005},  {5, 1.5, .06, .005},
                 {5, 2, .31, .005},        {3, 1.5, .33, .005}, {3, 2, .75, .005}};
    unsigned long vectors = (unsigned long)grt_suite_cases(100000, 10000000);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double n = (double)cases[i].count, total = cases[i].total, values[MOST_VALUES];
        double discarded = n * pow(1 - 1 / total, n - 1);
        CU_ASSERT(fabs(discarded - cases[i].figure) <= cases[i].digit);
        CU_ASSERT_DOUBLE_EQUAL(1 - grt_uunifast_share_within(cases[i].count, total, 0, 1), discarded, 1e-12);
        unsigned long drawn = 0, found = 0, tried;
        struct grt_random random = grt_random_stream(9, "discard", i, 0);
        while (drawn < vectors) {
            CU_ASSERT(grt_uunifast_discard(&random, values, cases[i].count, total, 0, 1, 1000000, &tried));
            drawn += tried;
            found++;
        }
        double expected = (1 - discarded) * (double)drawn, error = sqrt(expected * discarded);
        CU_ASSERT(fabs((double)found - expected) < 5 * error);
    }
}

/* Where the sum of two values can be beyond their bounds, and with a lower bound: against counting. */
static void shares_within_bounds_are_right(void) {
    static const struct sampler cases[] = {{NULL, 5, 3, 0, 1, NULL},
                                           {NULL, 6, 2.5, 0.1, 0.8, NULL},
                                           {NULL, 3, 1, 0.2, 0.5, NULL},
                                           {NULL, 1, 0.4, 0, 1, NULL}};
    size_t vectors = (size_t)grt_suite_cases(100000, 10000000);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct grt_random random = grt_random_of_key(10 + i);
        size_t within = 0;
        for (size_t v = 0; v < vectors; v++) {
            double values[MOST_VALUES];
            simplex(&random, values, cases[i].count, cases[i].total);
            double largest = property_of(values, cases[i].count, LARGEST);
            within +=
                property_of(values, cases[i].count, SMALLEST) >= cases[i].least && largest <= cases[i].most;
        }
        double share =
            grt_uunifast_share_within(cases[i].count, cases[i].total, cases[i].least, cases[i].most);
        double expected = share * (double)vectors, error = sqrt(expected * (1 - share));
        CU_ASSERT(fabs((double)within - expected) <= 5 * error);
    }
}

int main(void) {
    CU_TestInfo tests[] = {
        {"unbounded vectors are uniform", unbounded_vectors_are_uniform},
        {"marginals are beta", marginals_are_beta},
        {"biased vectors are found out", biased_vectors_are_found_out},
        {"bounded vectors are uniform", bounded_vectors_are_uniform},
        {"moments are those of rejection", moments_are_those_of_rejection},
        {"sums and bounds are kept", sums_and_bounds_are_kept},
        {"a thousand values do not underflow", a_thousand_values_do_not_underflow},
        {"discards as often as computed", discards_as_often_as_computed},
        {"shares within bounds are right", shares_within_bounds_are_right},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("generated utilisations", tests);
}
