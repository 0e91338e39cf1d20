/* Counts, sums and intervals of sweeps. */
#include <math.h>

#include "sim/random.h"
#include "study/tally.h"
#include "tests/support/suite.h"

static void check_interval(uint64_t yes, uint64_t all, double low, double high, double digits) {
    struct grt_interval interval = grt_wilson(yes, all, GRT_WILSON_95);
    CU_ASSERT_DOUBLE_EQUAL(interval.low, low, digits);
    CU_ASSERT_DOUBLE_EQUAL(interval.high, high, digits);
}

/* R. G. Newcombe, Two-sided confidence intervals for the single proportion, Statistics in Medicine 17, 1998, Table I, method 3. */
static void wilson_is_as_published(void) {
    check_interval(81, 263, 0.2553, 0.3662, 5e-5);
    check_interval(15, 148, 0.0624, 0.1605, 5e-5);
    check_interval(0, 20, 0, 0.1611, 5e-5);
    check_interval(1, 29, 0.0061, 0.1718, 5e-5);
}

static void wilson_by_hand(void) {
    check_interval(8, 10, 0.4901625, 0.9433178, 5e-8);
    check_interval(0, 10, 0, 0.2775328, 5e-8);
    check_interval(10, 10, 0.7224672, 1, 5e-8);
    CU_ASSERT(grt_wilson(0, 10, GRT_WILSON_95).low == 0 && grt_wilson(10, 10, GRT_WILSON_95).high == 1);
    check_interval(0, 0, 0, 1, 0);
}

/* The ends are where a test of the proportion with z would just not reject: (p^ - p)^2 = z^2 p (1 - p) / n. */
static void wilson_solves_its_equation(void) {
    for (uint64_t all = 1; all <= 60; all++) {
        for (uint64_t yes = 0; yes <= all; yes++) {
            struct grt_interval interval = grt_wilson(yes, all, GRT_WILSON_95);
            const double ends[] = {interval.low, interval.high};
            for (int i = 0; i < 2; i++) {
                double p = (double)yes / (double)all, difference = p - ends[i];
                double rest = difference * difference -
                              GRT_WILSON_95 * GRT_WILSON_95 * ends[i] * (1 - ends[i]) / (double)all;
                CU_ASSERT_DOUBLE_EQUAL(rest, 0, 1e-14);
            }
            CU_ASSERT(interval.low <= (double)yes / (double)all);
            CU_ASSERT(interval.high >= (double)yes / (double)all);
        }
    }
}

enum { VALUES = 1000 };

static void draw(double *values, double middle, double width) {
    struct grt_random random = grt_random_stream(1, "tally", 0, 0);
    for (int i = 0; i < VALUES; i++) {
        double unit = (double)grt_random_below(&random, UINT64_C(1) << 53) * 0x1p-53;
        values[i] = middle + width * (unit - 0.5);
    }
}

static void check_moments(double middle, double width, double precision) {
    double values[VALUES], sum = 0, squares = 0, least = INFINITY, most = -INFINITY;
    struct grt_moments moments = {0};
    draw(values, middle, width);
    for (int i = 0; i < VALUES; i++) {
        grt_moments_add(&moments, values[i]);
        sum += values[i];
        least = values[i] < least ? values[i] : least;
        most = values[i] > most ? values[i] : most;
    }
    for (int i = 0; i < VALUES; i++) {
        squares += (values[i] - sum / VALUES) * (values[i] - sum / VALUES);
    }
    double deviation = sqrt(squares / (VALUES - 1));
    CU_ASSERT_EQUAL(moments.count, VALUES);
    CU_ASSERT(moments.least == least && moments.most == most);
    CU_ASSERT_DOUBLE_EQUAL(grt_moments_mean(&moments), sum / VALUES, fabs(middle) * 1e-13);
    CU_ASSERT_DOUBLE_EQUAL(grt_moments_deviation(&moments), deviation, deviation * precision);
}

static void moments_are_those_of_two_passes(void) {
    check_moments(0.5, 1, 1e-12);
    check_moments(-7e6, 1e6, 1e-12);
    check_moments(1e9, 1e6, 1e-12); /* ns */
}

/* Differences from a large middle, in steps that are exact there: sums of integers tell mean and deviation exactly. */
static void large_values_near_each_other(void) {
    static const struct {
        double middle, step;
    } cases[] = {{1e15, 0.125}, {-1e15, 0.125}, {9e15, 1}, {1e9, 0x1p-20}, {0x1p52, 1}, {1e300, 0x1p944}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct grt_random random = grt_random_stream(2, "tally", i, 0);
        struct grt_moments all = {0}, chunk = {0};
        int64_t sum = 0, squares = 0;
        for (int j = 0; j < VALUES; j++) {
            int64_t steps = (int64_t)grt_random_below(&random, 33);
            sum += steps;
            squares += steps * steps;
            grt_moments_add(&chunk, cases[i].middle + (double)steps * cases[i].step);
            if (j % 20 == 19) {
                grt_moments_merge(&all, &chunk);
                chunk = (struct grt_moments){0};
            }
        }
        double mean = (double)sum / VALUES * cases[i].step;
        /* n squares - sum^2 is an integer. */
        double variance = (double)(VALUES * squares - sum * sum) / VALUES / (VALUES - 1);
        double deviation = sqrt(variance) * cases[i].step;
        CU_ASSERT_DOUBLE_EQUAL(grt_moments_mean(&all), cases[i].middle + mean, fabs(cases[i].middle) * 3e-16);
        if (fabs(cases[i].middle) < 1e100) {
            CU_ASSERT_DOUBLE_EQUAL(grt_moments_deviation(&all), deviation, deviation * 1e-14);
        } else { /* the squares are too large for a double */
            CU_ASSERT(isnan(grt_moments_deviation(&all)));
        }
    }
}

static void values_that_are_not_finite(void) {
    struct grt_moments moments = {0};
    grt_moments_add(&moments, 1);
    grt_moments_add(&moments, (double)INFINITY);
    grt_moments_add(&moments, 2);
    CU_ASSERT(isinf(grt_moments_mean(&moments)) && isnan(grt_moments_deviation(&moments)));
    CU_ASSERT(moments.most == (double)INFINITY && moments.least == 1);
    CU_ASSERT(isnan(grt_moments_interval(&moments).low));
    grt_moments_add(&moments, -(double)INFINITY);
    CU_ASSERT(isnan(grt_moments_mean(&moments)) && moments.count == 4);
}

static void moments_of_few_values(void) {
    struct grt_moments moments = {0};
    grt_moments_add(&moments, (double)NAN);
    CU_ASSERT_EQUAL(moments.count, 0);
    CU_ASSERT(isnan(grt_moments_mean(&moments)) && isnan(grt_moments_deviation(&moments)));
    grt_moments_add(&moments, -3);
    CU_ASSERT(grt_moments_mean(&moments) == -3 && isnan(grt_moments_deviation(&moments)));
    CU_ASSERT(isnan(grt_moments_interval(&moments).low) && isnan(grt_moments_interval(&moments).high));
    CU_ASSERT(moments.least == -3 && moments.most == -3);
    grt_moments_add(&moments, 5);
    CU_ASSERT_DOUBLE_EQUAL(grt_moments_deviation(&moments), sqrt(32), 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(grt_moments_interval(&moments).high, 1 + 12.7062 * 4, 1e-3);
    struct grt_moments equal = {0};
    for (int i = 0; i < 1000; i++) {
        grt_moments_add(&equal, 0.1);
        CU_ASSERT(i == 0 || grt_moments_deviation(&equal) == 0);
        CU_ASSERT(grt_moments_mean(&equal) == 0.1);
    }
}

/* Between -t and t is 95 percent of the area under Student's density, by Simpson's rule. */
static void student_is_what_the_density_says(void) {
    for (int freedom = 1; freedom <= 200; freedom += freedom < 30 ? 1 : 10) {
        enum { STEPS = 2000 };
        double v = freedom, t = grt_student_975(v), area = 0;
        double factor = exp(lgamma((v + 1) / 2) - lgamma(v / 2)) / sqrt(v * 3.14159265358979323846);
        for (int i = 0; i <= STEPS; i++) {
            double x = t * i / STEPS, weight = i == 0 || i == STEPS ? 1 : i % 2 == 1 ? 4 : 2;
            area += weight * factor * pow(1 + x * x / v, -(v + 1) / 2);
        }
        CU_ASSERT_DOUBLE_EQUAL(2 * area * t / STEPS / 3, 0.95, 2e-6);
    }
    CU_ASSERT_DOUBLE_EQUAL(grt_student_975(1e9), GRT_WILSON_95, 1e-8);
    CU_ASSERT_EQUAL(grt_student_975(4.9), grt_student_975(4)); /* rather too wide */
}

/* What chunks of their own say, merged in their order, does not depend on which chunk was worked on first. */
static void chunks_add_up(void) {
    enum { CHUNKS = 10 };
    double values[VALUES];
    struct grt_moments chunks[CHUNKS] = {{0}}, backwards[CHUNKS] = {{0}}, all = {0}, again = {0}, one = {0};
    draw(values, 3, 1);
    for (int i = 0; i < VALUES; i++) {
        grt_moments_add(&chunks[i / (VALUES / CHUNKS)], values[i]);
        grt_moments_add(&one, values[i]);
    }
    for (int chunk = CHUNKS - 1; chunk >= 0; chunk--) {
        for (int i = 0; i < VALUES / CHUNKS; i++) {
            grt_moments_add(&backwards[chunk], values[chunk * (VALUES / CHUNKS) + i]);
        }
    }
    grt_moments_merge(&all, &(struct grt_moments){0});
    CU_ASSERT_EQUAL(all.count, 0);
    for (int i = 0; i < CHUNKS; i++) {
        grt_moments_merge(&all, &chunks[i]);
        grt_moments_merge(&again, &backwards[i]);
    }
    CU_ASSERT(all.sum == again.sum && all.rest == again.rest && all.squares == again.squares);
    CU_ASSERT_EQUAL(all.count, again.count);
    CU_ASSERT(all.least == one.least && all.most == one.most && all.count == one.count);
    CU_ASSERT_EQUAL(all.sum, one.sum); /* with its rest it has all digits */
    CU_ASSERT_DOUBLE_EQUAL(all.squares, one.squares, one.squares * 1e-13);
}

static void sets_that_were_not_found_do_not_count(void) {
    const struct grt_tally tally = {.outcomes = {1, 2, 3, 4, 5, 6}};
    CU_ASSERT_EQUAL(grt_tally_sets(&tally), 15);
    CU_ASSERT_STRING_EQUAL(grt_outcome_names[GRT_OUTCOME_NONE], "none");
}

int main(void) {
    CU_TestInfo tests[] = {
        {"wilson, published", wilson_is_as_published},
        {"wilson, by hand", wilson_by_hand},
        {"wilson, its equation", wilson_solves_its_equation},
        {"moments, two passes", moments_are_those_of_two_passes},
        {"moments, few values", moments_of_few_values},
        {"moments, large values near each other", large_values_near_each_other},
        {"moments, not finite", values_that_are_not_finite},
        {"Student's distribution", student_is_what_the_density_says},
        {"chunks", chunks_add_up},
        {"sets", sets_that_were_not_found_do_not_count},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("tally", tests);
}
