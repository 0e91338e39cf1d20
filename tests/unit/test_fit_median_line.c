/* Lines of medians: what they are of is returned, nothing but signs counts, and bent ones are told. */
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdio.h>

#include "calib/fit/median_line.h"
#include "sim/random.h"
#include "tests/support/suite.h"

enum { SIZES = 8, SAMPLES = 25 };

struct series {
    double values[SIZES][SAMPLES];
    struct grt_median_group groups[SIZES];
    struct grt_median_samples line;
};

/* At x = 1, 4, 16, ...: start + slope x, and exponential noise less its median. */
static void draw(struct series *series, struct grt_random *random, double start, double slope, double noise) {
    for (int i = 0; i < SIZES; i++) {
        double x = pow(4, i);
        for (int k = 0; k < SAMPLES; k++) {
            double added = -noise * (log(1 - grt_random_uniform(random)) + log(2)); /* its median is 0 */
            series->values[i][k] = start + slope * x + added;
        }
        gsl_sort(series->values[i], 1, SAMPLES);
        series->groups[i] = (struct grt_median_group){.x = x, .sorted = series->values[i], .count = SAMPLES};
    }
    grt_median_weights(series->groups, SIZES, 0.1);
    series->line = (struct grt_median_samples){.groups = series->groups, .count = SIZES};
}

static void samples_without_noise_give_the_line(void) {
    struct series series;
    struct grt_random random = grt_random_stream(1, "line", 0, 0);
    draw(&series, &random, 700, 0.25, 0);
    struct grt_ranged start = grt_median_start(&series.line, 1), slope = grt_median_slope(&series.line);
    CU_ASSERT_DOUBLE_EQUAL(start.value, 700, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(slope.value, 0.25, 1e-9);
    CU_ASSERT(start.high - start.low < 1e-6 && slope.high - slope.low < 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(grt_median_straight(&series.line, 700, 0.25, 1e-6), 1, 0);
}

/* Medians of one x are those of the sample: the line through two x goes through both medians. */
static void two_sizes_give_their_medians(void) {
    const double first[] = {1, 5, 9}, second[] = {10, 12, 100};
    const struct grt_median_group groups[] = {{1, first, 3, 1}, {2, second, 3, 1}};
    const struct grt_median_samples line = {.groups = groups, .count = 2};
    CU_ASSERT_DOUBLE_EQUAL(grt_median_start(&line, 1).value, 5 - 7, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(grt_median_slope(&line).value, 7, 1e-6);
    CU_ASSERT(isnan(grt_median_straight(&line, -2, 7, 0)));
}

static void far_samples_count_by_their_sign_only(void) {
    struct series series;
    struct grt_random random = grt_random_stream(2, "line", 0, 0);
    draw(&series, &random, 700, 0.25, 50);
    struct grt_ranged before = grt_median_start(&series.line, 1);
    for (int i = 0; i < SIZES; i++) {
        series.values[i][SAMPLES - 1] *= 1000; /* an interruption */
    }
    struct grt_ranged after = grt_median_start(&series.line, 1);
    CU_ASSERT_DOUBLE_EQUAL(after.value, before.value, 1e-3);
    CU_ASSERT_DOUBLE_EQUAL(after.low, before.low, 1e-3);
    CU_ASSERT_DOUBLE_EQUAL(after.high, before.high, 1e-3);
}

/* With the same values the fit is the same line elsewhere. */
static void what_all_take_longer_is_the_starts(void) {
    struct series one, other;
    struct grt_random random = grt_random_stream(3, "line", 0, 0), again = random;
    draw(&one, &random, 0, 0.5, 20);
    draw(&other, &again, 4000, 0.5, 20);
    struct grt_ranged first = grt_median_start(&one.line, 1), second = grt_median_start(&other.line, 1);
    CU_ASSERT_DOUBLE_EQUAL(second.value - first.value, 4000, 1e-3);
    CU_ASSERT_DOUBLE_EQUAL(second.low - first.low, 4000, 1e-3);
    CU_ASSERT_DOUBLE_EQUAL(grt_median_slope(&one.line).value, grt_median_slope(&other.line).value, 1e-7);
}

/* Two lines of one start say it better than each alone. */
static void a_common_start_is_surer(void) {
    struct series series[2];
    double alone = 0, together = 0;
    for (uint64_t i = 0; i < 20; i++) {
        struct grt_random random = grt_random_stream(4, "line", i, 0);
        draw(&series[0], &random, 900, 0.5, 20);
        draw(&series[1], &random, 900, 0.1, 20);
        const struct grt_median_samples lines[] = {series[0].line, series[1].line};
        struct grt_ranged one = grt_median_start(lines, 1), both = grt_median_start(lines, 2);
        alone += one.high - one.low;
        together += both.high - both.low;
    }
    CU_ASSERT(together / alone > 0.6 && together / alone < 0.82); /* 1 / sqrt(2) */
}

static void bent_lines_are_told(void) {
    struct series series;
    int straight = 0, cases = 200;
    for (int i = 0; i < cases; i++) {
        struct grt_random random = grt_random_stream(5, "line", (uint64_t)i, 0);
        draw(&series, &random, 700, 0.25, 50);
        double start = grt_median_start(&series.line, 1).value, slope = grt_median_slope(&series.line).value;
        straight += grt_median_straight(&series.line, start, slope, 0) > 0.05;
    }
    CU_ASSERT(straight > 170 && straight < 200); /* nineteen of twenty, about */
    for (int k = 0; k < SAMPLES; k++) {
        series.values[4][k] += 200; /* of one x, far beyond the noise */
    }
    double start = grt_median_start(&series.line, 1).value, slope = grt_median_slope(&series.line).value;
    CU_ASSERT(grt_median_straight(&series.line, start, slope, 0) < 1e-4);
    CU_ASSERT(grt_median_straight(&series.line, start, slope, 400) >
              0.99); /* of which a clock may hide all */
}

/* Weights of three sizes with these distances between quartiles. */
static void weigh(const double spreads[3], size_t count, double least, double weights[3]) {
    static double values[3][1001];
    struct grt_median_group groups[3];
    for (size_t i = 0; i < 3; i++) {
        for (size_t k = 0; k < count; k++) {
            values[i][k] = 2 * spreads[i] * (double)k / (double)(count - 1);
        }
        groups[i] = (struct grt_median_group){.x = (double)i + 1, .sorted = values[i], .count = count};
    }
    grt_median_weights(groups, 3, least);
    for (size_t i = 0; i < 3; i++) {
        weights[i] = groups[i].weight;
    }
}

static void spreads_that_may_be_alike_are_pooled(void) {
    const double rising[] = {10, 14, 100}, falling[] = {100, 10, 10}, none[] = {0, 0, 0};
    double weights[3];
    weigh(rising, 21, 1, weights);
    CU_ASSERT_DOUBLE_EQUAL(1 / weights[0], 12, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(1 / weights[1], 12, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(1 / weights[2], 100, 1e-9);
    weigh(rising, 1001, 1, weights); /* many samples are sure of it */
    CU_ASSERT_DOUBLE_EQUAL(1 / weights[0], 10, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(1 / weights[1], 14, 1e-9);
    weigh(falling, 21, 1, weights);
    CU_ASSERT_DOUBLE_EQUAL(1 / weights[0], 40, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(1 / weights[2], 40, 1e-9);
    weigh(none, 21, 0.5, weights);
    CU_ASSERT_DOUBLE_EQUAL(weights[1], 2, 0);
}

int main(void) {
    static CU_TestInfo tests[] = {
        {"samples without noise give the line", samples_without_noise_give_the_line},
        {"two sizes give their medians", two_sizes_give_their_medians},
        {"far samples count by their sign only", far_samples_count_by_their_sign_only},
        {"what all take longer is the start's", what_all_take_longer_is_the_starts},
        {"a common start is surer", a_common_start_is_surer},
        {"bent lines are told", bent_lines_are_told},
        {"spreads that may be alike are pooled", spreads_that_may_be_alike_are_pooled},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("lines of medians", tests);
}
