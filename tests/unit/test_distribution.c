/* Random spans against their distribution functions (Kolmogorov and Smirnov's test), means, clamping, messages. */
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/distribution.h"
#include "sim/distribution_names.h"
#include "tests/support/suite.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { DRAWS = 40000 };

/* The distance that a true sample of DRAWS exceeds with a probability of 10^-6: sqrt(-ln(10^-6 / 2) / (2 n)). */
static double allowed_distance(void) {
    return sqrt(-log(1e-6 / 2) / (2.0 * DRAWS));
}

/* P(draw > x) of the generalised Pareto distribution, and P(draw <= x) of that of extreme values (Coles 2001, (4.2) and (3.2)). */
static double gpd_above(double x, double shape) {
    if (x <= 0 || (shape < 0 && 1 + shape * x <= 0)) {
        return x <= 0;
    }
    return shape == 0 ? exp(-x) : pow(1 + shape * x, -1 / shape);
}

static double gev_cdf(double x, double shape) {
    if (shape == 0) {
        return exp(-exp(-x));
    }
    return 1 + shape * x <= 0 ? shape < 0 : exp(-pow(1 + shape * x, -1 / shape));
}

/* Steps at the values, below a threshold only where there is a tail. */
static double measured_cdf(const struct grt_distribution *d, double x) {
    double below = 0, body = 0;
    for (size_t i = 0; i < d->measured->count; i++) {
        double value = (double)d->measured->values[i];
        bool in_body = d->tail == NULL || value <= (double)d->tail->threshold;
        body += in_body;
        below += in_body && value <= x;
    }
    return d->tail == NULL ? below / body
                           : below / body * (1 - d->tail->ratio) +
                                 d->tail->ratio *
                                     (1 - gpd_above((x - (double)d->tail->threshold) / (double)d->tail->scale,
                                                    d->tail->shape));
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
    case GRT_EMPIRICAL:
        return measured_cdf(d, x);
    case GRT_GEV:
        return gev_cdf(above / scale, d->shape);
    case GRT_GPD:
        return 1 - gpd_above(above / scale, d->shape);
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

static const grt_time few_values[] = {1000, 1000, 1024, 2048, 2048, 2048, 5000};
static const struct grt_measured few = {few_values, COUNT(few_values)};
static const struct grt_tail heavy = {.threshold = 2048, .scale = 4000, .shape = 0.3, .ratio = 0.25},
                             bounded = {.threshold = 1023, .scale = 10000, .shape = -0.5, .ratio = 0.8};

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
    {.kind = GRT_EMPIRICAL, ANY, .measured = &few},
    {.kind = GRT_EMPIRICAL, .min = 1001, .max = 4000, .measured = &few},
    {.kind = GRT_EMPIRICAL, ANY, .measured = &few, .tail = &heavy},
    {.kind = GRT_EMPIRICAL, .min = 0, .max = 9000, .measured = &few, .tail = &bounded},
    {.kind = GRT_GEV, ANY, .location = 20000000, .scale = 1000000, .shape = 0.2},
    {.kind = GRT_GEV, ANY, .location = 20000000, .scale = 1000000, .shape = -0.3},
    {.kind = GRT_GEV, ANY, .location = 20000000, .scale = 1000000, .shape = 0},
    {.kind = GRT_GEV, .min = 19000000, .max = 25000000, .location = 20000000, .scale = 1000000, .shape = 0.5},
    {.kind = GRT_GPD, ANY, .location = 700000, .scale = 1000000, .shape = 0.25},
    {.kind = GRT_GPD, ANY, .location = 700000, .scale = 1000000, .shape = -0.4},
    {.kind = GRT_GPD, ANY, .location = 3, .scale = 20, .shape = 0},
    {.kind = GRT_GPD, ANY, .location = 700000, .scale = 1000000, .shape = -2},
    {.kind = GRT_GPD, .min = 0, .max = 2000000, .location = -400000, .scale = 1000000, .shape = 1.5},
};

/* Another one with the same parameters but one. */
struct neighbour {
    struct grt_distribution distribution;
    struct grt_measured measured;
    struct grt_tail tail;
};

static void make_neighbour(const struct grt_distribution *d, struct neighbour *other) {
    *other = (struct neighbour){.distribution = *d};
    if (d->kind == GRT_UNIFORM) {
        other->distribution.max -= (d->max - d->min) / 6;
    } else if (d->tail != NULL) {
        other->tail = *d->tail;
        other->tail.scale += d->tail->scale / 4;
        other->distribution.tail = &other->tail;
    } else if (d->kind == GRT_EMPIRICAL) {
        other->measured = (struct grt_measured){d->measured->values, d->measured->count - 1};
        other->distribution.measured = &other->measured;
    } else {
        other->distribution.scale += d->scale / 4 + 1;
    }
}

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
        struct neighbour other;
        make_neighbour(&shapes[k], &other);
        draw_all(&shapes[k], k, draws);
        CU_ASSERT(distance(&other.distribution, draws) > allowed_distance());
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
            .kind = kind, .min = 42, .max = 42, .location = 7, .scale = 100, .shape = 1.5, .measured = &few};
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
                                         .shape = wild[i / 36],
                                         .measured = &few};
            bool steep = kind == GRT_GEV || kind == GRT_GPD; /* they are of at most this shape */
            d.shape = steep ? fmin(d.shape, GRT_STEEPEST_SHAPE) * (i % 2 == 0 ? 1 : -1) : d.shape;
            for (int k = 0; k < 20; k++, drawn++) {
                grt_time span = grt_distribution_draw(&d, &random);
                outside += span < d.min || span > d.max;
            }
        }
    }
    CU_ASSERT_EQUAL(outside, 0);
    CU_ASSERT_EQUAL(drawn, 11 * 180 * 20);
}

/* --- Names and messages. */

static void kinds_have_their_names(void) {
    static const char *const names[] = {"constant", "uniform", "normal", "lognormal", "exponential", "gamma",
                                        "weibull",  "gumbel",  "pareto", "empirical", "gev",         "gpd"};
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
    for (int64_t kind = GRT_CONSTANT; kind <= GRT_PARETO; kind++) {
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

static void impossible_extremes_are_told(void) {
    static const double bad[] = {10.001, -10.001, (double)NAN, (double)INFINITY};
    for (int64_t kind = GRT_GEV; kind <= GRT_GPD; kind++) {
        struct grt_distribution d = {.kind = kind, .max = 2, .scale = 1, .shape = -10};
        char shape[80], scale[80];
        snprintf(shape, sizeof shape, "period: a %s distribution needs a shape from -10 to 10",
                 grt_distribution_names[kind]);
        snprintf(scale, sizeof scale, "period: a %s distribution needs a scale above zero",
                 grt_distribution_names[kind]);
        expect_errors(d, NULL, NULL);
        for (size_t i = 0; i < COUNT(bad); i++) {
            d.shape = bad[i];
            expect_errors(d, shape, NULL);
        }
        d.shape = 0;
        d.scale = 0;
        expect_errors(d, scale, NULL);
    }
}

static void impossible_measurements_are_told(void) {
    static const grt_time falling[] = {5, 4}, negative[] = {-1}, huge[] = {5, GRT_TIME_LIMIT + 1};
    static const struct {
        struct grt_measured measured;
        struct grt_tail tail;
        const char *first, *second;
    } cases[] = {
        {{few_values, 0}, {10, 1, 0, 1}, "period: an empirical distribution needs 1 to 100000 values", NULL},
        {{few_values, 100001},
         {10, 1, 0, 1},
         "period: an empirical distribution needs 1 to 100000 values",
         NULL},
        {{falling, 2},
         {10, 1, 0, 1},
         "period.values[1]: must not be below the value before it, or above the limit",
         NULL},
        {{negative, 1},
         {10, 1, 0, 1},
         "period.values[0]: must not be below the value before it, or above the limit",
         NULL},
        {{huge, 2},
         {10, 1, 0, 1},
         "period.values[1]: must not be below the value before it, or above the limit",
         NULL},
        {{few_values, 7},
         {999, 1, 0, 1},
         "period.tail: needs a value that is not above the tail's threshold",
         NULL},
        {{few_values, 7},
         {-1, 1, 0, 1},
         "period.tail: a tail needs a threshold from zero on and a scale above zero",
         NULL},
        {{few_values, 7},
         {1000, 0, 11, 1},
         "period.tail: a tail needs a threshold from zero on and a scale above zero",
         "period.tail: a tail needs a shape from -10 to 10"},
        {{few_values, 7}, {1000, 1, 0, 0}, "period.tail: a tail needs a ratio above 0, at most 1", NULL},
        {{few_values, 7}, {1000, 1, 0, 1.01}, "period.tail: a tail needs a ratio above 0, at most 1", NULL},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct grt_distribution d = {
            .kind = GRT_EMPIRICAL, .max = 9, .measured = &cases[i].measured, .tail = &cases[i].tail};
        expect_errors(d, cases[i].first, cases[i].second);
    }
    expect_errors((struct grt_distribution){.kind = GRT_EMPIRICAL, .max = 9},
                  "period: an empirical distribution needs 1 to 100000 values", NULL);
}

/* --- Quantiles, far out. */

/* Against the C library's functions, which share nothing with them. */
static void quantiles_are_exact_far_out(void) {
    static const double shapes_of_tails[] = {0,   1e-12, -1e-12, 1e-5, -1e-5, 0.1, -0.1,
                                             0.7, -0.7,  3,      -3,   10,    -10};
    for (size_t i = 0; i < COUNT(shapes_of_tails); i++) {
        double shape = shapes_of_tails[i];
        for (double p = 0.97; p > 1e-19; p *= 0.61) {
            double gpd = shape == 0 ? -log(p) : expm1(-shape * log(p)) / shape, t = -log1p(-p);
            double gev = shape == 0 ? -log(t) : expm1(-shape * log(t)) / shape;
            CU_ASSERT_DOUBLE_EQUAL(grt_gpd_exceeded(1, shape, p), gpd, fabs(gpd) * 2e-13);
            CU_ASSERT_DOUBLE_EQUAL(grt_gev_exceeded(1, shape, p), gev, fabs(gev) * 2e-13 + 1e-13);
        }
    }
    CU_ASSERT_DOUBLE_EQUAL(grt_gpd_exceeded(1000, 0.25, 1e-12), 4000 * (1e3 - 1), 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(grt_gpd_exceeded(1000, -0.5, 1e-18), 2000 * (1 - 1e-9), 1e-9);
    double end = grt_gpd_exceeded(1000, -10, 5e-20); /* the end of the tail, scale / -shape */
    CU_ASSERT_DOUBLE_EQUAL(end, 100, 1e-10);
}

/* Every draw is a value that was measured. */
static void nothing_is_made_up_between_measurements(void) {
    struct grt_distribution d = {.kind = GRT_EMPIRICAL, ANY, .measured = &few};
    struct grt_random random = grt_random_of_key(9);
    unsigned counts[COUNT(few_values)] = {0}, strange = 0;
    for (int i = 0; i < 7000; i++) {
        grt_time span = grt_distribution_draw(&d, &random);
        size_t k = 0;
        while (k < COUNT(few_values) && few_values[k] != span) {
            k++;
        }
        strange += k == COUNT(few_values);
        counts[k % COUNT(few_values)]++;
    }
    CU_ASSERT_EQUAL(strange, 0);
    CU_ASSERT(counts[0] > 1800 && counts[2] > 850 && counts[3] > 2800 && counts[6] > 850);
}

/* Adding kinds has left the draws of the others as they were: these are from before. */
static void draws_of_older_kinds_stay(void) {
    static const grt_time first[] = {
        361650815128004060, 763414, 139723024, 1241786, 1913055, 1239622, 814663, 1479795};
    for (int64_t kind = GRT_UNIFORM; kind <= GRT_PARETO; kind++) {
        struct grt_distribution d = {
            .kind = kind, .max = GRT_TIME_LIMIT, .location = 1000000, .scale = 300000, .shape = 2.5};
        struct grt_random random = grt_random_stream(5, "older", (uint64_t)kind, 0);
        grt_distribution_draw(&d, &random);
        CU_ASSERT_EQUAL(grt_distribution_draw(&d, &random), first[kind - GRT_UNIFORM]);
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
        {"impossible extremes are told", impossible_extremes_are_told},
        {"impossible measurements are told", impossible_measurements_are_told},
        {"quantiles are exact far out", quantiles_are_exact_far_out},
        {"nothing is made up between measurements", nothing_is_made_up_between_measurements},
        {"draws of older kinds stay", draws_of_older_kinds_stay},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("distribution", tests);
}
