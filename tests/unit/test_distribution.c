/* Random spans against their distribution functions (Kolmogorov and Smirnov's test), means, clamping, messages. */
#include <CUnit/CUnit.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/distribution.h"
#include "tests/support/suite.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { DRAWS = 40000 };

/* The distance that a true sample of DRAWS exceeds with a probability of 10^-6: sqrt(-ln(10^-6 / 2) / (2 n)). */
static double allowed_distance(void) {
    return sqrt(-log(1e-6 / 2) / (2.0 * DRAWS));
}

/* P(draw <= x) before rounding and clamping. GSL's functions where it has them; they do not share code with its
 * random draws. */
static double continuous_cdf(const struct grt_distribution *d, double x) {
    double above = x - (double)d->location, scale = (double)d->scale;
    switch (d->kind) {
    case GRT_NORMAL:
        return gsl_cdf_gaussian_P(above, scale);
    case GRT_LOGNORMAL:
        return above > 0 ? gsl_cdf_gaussian_P(log(above / scale), d->shape) : 0;
    case GRT_EXPONENTIAL:
        return above > 0 ? 1 - exp(-above / scale) : 0;
    case GRT_GAMMA:
        return gsl_cdf_gamma_P(above, d->shape, scale);
    case GRT_WEIBULL:
        return above > 0 ? 1 - exp(-pow(above / scale, d->shape)) : 0;
    case GRT_GUMBEL:
        return exp(-exp(-above / scale));
    case GRT_PARETO:
        return above > scale ? 1 - pow(above / scale, -d->shape) : 0;
    case GRT_UNIFORM: /* k of the whole numbers from min to max */
        return fmin(1, fmax(0, (x - (double)d->min + 1) / ((double)d->max - (double)d->min + 1)));
    default:
        return x >= (double)d->max;
    }
}

/* P(draw <= x) at a whole x: rounding up changes nothing there, clamping gathers what is outside at the ends. */
static double cdf(const struct grt_distribution *d, grt_time x) {
    return x < d->min ? 0 : x >= d->max ? 1 : continuous_cdf(d, (double)x);
}

static int compare(const void *left, const void *right) {
    const grt_time *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* The greatest distance between the sample's steps and the distribution function, at and just before each value. */
static double distance(const struct grt_distribution *d, grt_time *draws) {
    qsort(draws, DRAWS, sizeof *draws, compare);
    double greatest = 0;
    for (size_t i = 0; i < DRAWS;) {
        size_t first = i;
        while (i < DRAWS && draws[i] == draws[first]) {
            i++;
        }
        greatest = fmax(greatest, fabs((double)first / DRAWS - cdf(d, draws[first] - 1)));
        greatest = fmax(greatest, fabs((double)i / DRAWS - cdf(d, draws[first])));
    }
    return greatest;
}

static void draw_all(const struct grt_distribution *d, uint64_t number, grt_time *draws) {
    struct grt_random random = grt_random_stream(1, "test distribution", (uint64_t)d->kind, number);
    for (size_t i = 0; i < DRAWS; i++) {
        draws[i] = grt_distribution_draw(d, &random);
    }
}

#define ANY .min = 0, .max = GRT_TIME_LIMIT

static const struct grt_distribution shapes[] = {
    {.kind = GRT_UNIFORM, .min = 5, .max = 11},
    {.kind = GRT_UNIFORM, .min = 1000000, .max = 9999999},
    {.kind = GRT_UNIFORM, .min = 0, .max = GRT_TIME_LIMIT},
    {.kind = GRT_NORMAL, ANY, .location = 50000000, .scale = 4000000},
    {.kind = GRT_NORMAL, ANY, .location = 40, .scale = 3},
    {.kind = GRT_NORMAL, ANY, .location = -5000, .scale = 10000}, /* most are raised to 0 */
    {.kind = GRT_NORMAL, .min = 49000000, .max = 53000000, .location = 50000000, .scale = 4000000},
    {.kind = GRT_LOGNORMAL, ANY, .location = 0, .scale = 1000000, .shape = 0.5},
    {.kind = GRT_LOGNORMAL, ANY, .location = 7000000, .scale = 20000, .shape = 2},
    {.kind = GRT_LOGNORMAL, .min = 0, .max = 3000000, .location = -400000, .scale = 1000000, .shape = 1},
    {.kind = GRT_EXPONENTIAL, ANY, .location = 0, .scale = 2000000},
    {.kind = GRT_EXPONENTIAL, ANY, .location = 3, .scale = 2},
    {.kind = GRT_EXPONENTIAL, .min = 500000, .max = 4000000, .location = 100000, .scale = 2000000},
    {.kind = GRT_GAMMA, ANY, .location = 0, .scale = 1000000, .shape = 3},
    {.kind = GRT_GAMMA, ANY, .location = 123456, .scale = 1000000, .shape = 0.4},
    {.kind = GRT_WEIBULL, ANY, .location = 0, .scale = 1000000, .shape = 1.7},
    {.kind = GRT_WEIBULL, ANY, .location = 5000000, .scale = 1000000, .shape = 0.6},
    {.kind = GRT_GUMBEL, ANY, .location = 20000000, .scale = 1000000},
    {.kind = GRT_GUMBEL, .min = 19000000, .max = 25000000, .location = 20000000, .scale = 1000000},
    {.kind = GRT_PARETO, ANY, .location = 0, .scale = 1000000, .shape = 3},
    {.kind = GRT_PARETO, .min = 0, .max = 9000000, .location = -500000, .scale = 1000000, .shape = 0.8},
};

static void draws_follow_their_distribution(void) {
    static grt_time draws[DRAWS];
    for (size_t k = 0; k < COUNT(shapes); k++) {
        draw_all(&shapes[k], k, draws);
        double found = distance(&shapes[k], draws);
        if (found > allowed_distance()) {
            fprintf(stderr, "shape %zu, %s: distance %g\n", k, grt_distribution_names[shapes[k].kind], found);
        }
        CU_ASSERT(found <= allowed_distance());
        CU_ASSERT(draws[0] >= shapes[k].min && draws[DRAWS - 1] <= shapes[k].max); /* they are sorted now */
    }
}

/* The test above would notice: it refuses each sample for a neighbouring distribution. */
static void the_test_has_power(void) {
    static grt_time draws[DRAWS];
    for (size_t k = 0; k < COUNT(shapes); k++) {
        struct grt_distribution other = shapes[k];
        if (other.kind == GRT_UNIFORM) {
            other.max -= (other.max - other.min) / 6;
        } else {
            other.scale += other.scale / 4 + 1;
        }
        draw_all(&shapes[k], k, draws);
        CU_ASSERT(distance(&other, draws) > allowed_distance());
    }
}

/* --- Means, in closed form. */

static const double euler_gamma = 0.57721566490153286;

static double mean_of(const struct grt_distribution *d) {
    double location = (double)d->location, scale = (double)d->scale;
    switch (d->kind) {
    case GRT_UNIFORM:
        return ((double)d->min + (double)d->max) / 2;
    case GRT_NORMAL:
        return location;
    case GRT_LOGNORMAL:
        return location + scale * exp(d->shape * d->shape / 2);
    case GRT_EXPONENTIAL:
        return location + scale;
    case GRT_GAMMA:
        return location + d->shape * scale;
    case GRT_WEIBULL:
        return location + scale * tgamma(1 + 1 / d->shape);
    case GRT_GUMBEL:
        return location + euler_gamma * scale;
    default:
        return location + scale * d->shape / (d->shape - 1);
    }
}

static void draws_have_their_mean(void) {
    static const size_t unclamped[] = {0, 1, 2, 3, 7, 10, 13, 14, 15, 16, 17, 19};
    static grt_time draws[DRAWS];
    for (size_t k = 0; k < COUNT(unclamped); k++) {
        const struct grt_distribution *d = &shapes[unclamped[k]];
        draw_all(d, 100 + k, draws);
        double sum = 0, squares = 0, mean = mean_of(d);
        for (size_t i = 0; i < DRAWS; i++) {
            double difference = (double)draws[i] - mean;
            sum += difference;
            squares += difference * difference;
        }
        double error = sqrt(squares) / DRAWS; /* the standard error of the mean */
        CU_ASSERT(fabs(sum / DRAWS) <= 5 * error + (d->kind == GRT_UNIFORM ? 0 : 0.5));
    }
}

/* --- Ends and constants. */

static bool same_state(struct grt_random a, struct grt_random b) {
    return a.a == b.a && a.b == b.b && a.c == b.c && a.counter == b.counter;
}

static void constants_draw_no_bits(void) {
    struct grt_random random = grt_random_of_key(1), before = random;
    struct grt_distribution constant = {.kind = GRT_CONSTANT, .max = 1500000};
    CU_ASSERT_EQUAL(grt_distribution_draw(&constant, &random), 1500000);
    CU_ASSERT(same_state(random, before));
    CU_ASSERT(grt_distribution_is_constant(&constant));
    struct grt_distribution zero = {0};
    CU_ASSERT_EQUAL(grt_distribution_draw(&zero, &random), 0);
    CU_ASSERT(grt_distribution_is_constant(&zero));
}

static void equal_ends_are_constant(void) {
    struct grt_random random = grt_random_of_key(2);
    for (int64_t kind = GRT_UNIFORM; kind < GRT_DISTRIBUTION_KINDS; kind++) {
        struct grt_distribution d = {
            .kind = kind, .min = 42, .max = 42, .location = 7, .scale = 100, .shape = 1.5};
        CU_ASSERT(grt_distribution_is_constant(&d));
        for (int i = 0; i < 20; i++) {
            CU_ASSERT_EQUAL(grt_distribution_draw(&d, &random), 42);
        }
        d.max = 43;
        CU_ASSERT(!grt_distribution_is_constant(&d));
    }
}

/* Wild parameters: draws that overflow, underflow or are infinite before they are clamped. */
static void draws_are_always_clamped(void) {
    static const grt_time ends[][2] = {
        {0, GRT_TIME_LIMIT}, {1, 2}, {1000, 2000}, {GRT_TIME_LIMIT - 1, GRT_TIME_LIMIT}};
    static const grt_time locations[] = {-GRT_TIME_LIMIT, 0, GRT_TIME_LIMIT},
                          scales[] = {1, 1000, GRT_TIME_LIMIT};
    static const double wild[] = {1e-300, 1e-3, 1, 50, 1e300};
    struct grt_random random = grt_random_of_key(3);
    unsigned outside = 0, drawn = 0;
    for (int64_t kind = GRT_UNIFORM; kind < GRT_DISTRIBUTION_KINDS; kind++) {
        for (size_t i = 0; i < 4 * 3 * 3 * 5; i++) {
            struct grt_distribution d = {.kind = kind,
                                         .min = ends[i % 4][0],
                                         .max = ends[i % 4][1],
                                         .location = locations[i / 4 % 3],
                                         .scale = scales[i / 12 % 3],
                                         .shape = wild[i / 36]};
            for (int k = 0; k < 20; k++, drawn++) {
                grt_time span = grt_distribution_draw(&d, &random);
                outside += span < d.min || span > d.max;
            }
        }
    }
    CU_ASSERT_EQUAL(outside, 0);
    CU_ASSERT_EQUAL(drawn, 8 * 180 * 20);
}

/* --- Names and messages. */

static void kinds_have_their_names(void) {
    static const char *const names[] = {"constant", "uniform", "normal", "lognormal", "exponential",
                                        "gamma",    "weibull", "gumbel", "pareto"};
    CU_ASSERT_EQUAL(GRT_DISTRIBUTION_KINDS, COUNT(names));
    for (size_t i = 0; i < COUNT(names); i++) {
        CU_ASSERT_STRING_EQUAL(grt_distribution_names[i], names[i]);
    }
    CU_ASSERT_PTR_NULL(grt_distribution_names[COUNT(names)]);
}

static const struct grt_path root = {0}, period = {.parent = &root, .key = "period"};

static void expect_errors(struct grt_distribution d, const char *first, const char *second) {
    struct grt_errors errors = {0};
    grt_error_add(&errors, NULL, "an error of before");
    CU_ASSERT_EQUAL(grt_distribution_check(&d, &errors, &period), first == NULL);
    const char *expected[] = {first, second};
    size_t count = 1;
    for (size_t i = 0; i < 2 && expected[i] != NULL; i++, count++) {
        CU_ASSERT_FATAL(errors.count > count);
        CU_ASSERT_STRING_EQUAL(errors.messages[count], expected[i]);
    }
    CU_ASSERT_EQUAL(errors.count, count);
    grt_errors_clear(&errors);
}

static void possible_parameters_are_accepted(void) {
    for (size_t k = 0; k < COUNT(shapes); k++) {
        expect_errors(shapes[k], NULL, NULL);
    }
    expect_errors((struct grt_distribution){.kind = GRT_CONSTANT, .max = 5}, NULL, NULL);
    expect_errors((struct grt_distribution){.kind = GRT_UNIFORM, .min = 5, .max = 5}, NULL, NULL);
}

static void impossible_parameters_are_told(void) {
    const char *order = "period: min must not be above max";
    for (int64_t kind = GRT_CONSTANT; kind < GRT_DISTRIBUTION_KINDS; kind++) {
        bool shaped = kind == GRT_LOGNORMAL || kind == GRT_GAMMA || kind == GRT_WEIBULL || kind == GRT_PARETO;
        char scale[80], shape[80];
        snprintf(scale, sizeof scale, "period: a %s distribution needs a scale above zero",
                 grt_distribution_names[kind]);
        snprintf(shape, sizeof shape, "period: a %s distribution needs a shape above zero",
                 grt_distribution_names[kind]);
        struct grt_distribution d = {.kind = kind, .min = 1, .max = 2, .scale = 1, .shape = 1};
        expect_errors(d, NULL, NULL);
        d.min = 3;
        expect_errors(d, order, NULL);
        d.scale = 0;
        expect_errors(d, order, kind >= GRT_NORMAL ? scale : NULL);
        d.min = 2;
        d.scale = -1;
        expect_errors(d, kind >= GRT_NORMAL ? scale : NULL, NULL);
        static const double bad[] = {0, -1, (double)NAN, (double)INFINITY};
        for (size_t i = 0; i < COUNT(bad); i++) {
            d.scale = 1;
            d.shape = bad[i];
            expect_errors(d, shaped ? shape : NULL, NULL);
            d.scale = 0;
            expect_errors(d, kind >= GRT_NORMAL ? scale : NULL, shaped ? shape : NULL);
        }
    }
}

int main(void) {
    CU_TestInfo tests[] = {
        {"draws follow their distribution", draws_follow_their_distribution},
        {"the test has power", the_test_has_power},
        {"draws have their mean", draws_have_their_mean},
        {"constants draw no bits", constants_draw_no_bits},
        {"equal ends are constant", equal_ends_are_constant},
        {"draws are always clamped", draws_are_always_clamped},
        {"kinds have their names", kinds_have_their_names},
        {"possible parameters are accepted", possible_parameters_are_accepted},
        {"impossible parameters are told", impossible_parameters_are_told},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("distribution", tests);
}
