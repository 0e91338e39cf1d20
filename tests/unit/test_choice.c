/* Tables of thresholds and of blocks, and the rows that are chosen. */
#include <gsl/gsl_sort.h>
#include <math.h>

#include "calib/evt/choice.h"
#include "tests/support/execution_times.h"
#include "tests/support/suite.h"

enum { MANY = 10000 };
static double series[MANY], sorted[MANY];

static void fill(enum grt_times_kind kind, uint64_t seed, size_t count) {
    struct grt_random random = grt_random_stream(seed, "choice", 0, 0);
    grt_times_fill(kind, &random, series, count);
    for (size_t i = 0; i < count; i++) {
        sorted[i] = series[i];
    }
    gsl_sort(sorted, 1, count);
}

static void rows_are_what_they_say(void) {
    struct grt_choices choices;
    fill(GRT_TIMES_EXPONENTIAL, 1, MANY);
    grt_choose_threshold(sorted, MANY, &choices);
    CU_ASSERT_EQUAL(choices.count, 11);
    CU_ASSERT_EQUAL(choices.rows[0].count, 1000);
    CU_ASSERT_EQUAL(choices.rows[10].count, 50);
    for (size_t i = 0; i < choices.count; i++) {
        const struct grt_choice *row = &choices.rows[i];
        double sum = 0, squares = 0, n = (double)row->count;
        size_t above = 0;
        for (size_t j = 0; j < MANY; j++) {
            double excess = series[j] - row->threshold;
            above += excess > 0;
            sum += excess > 0 ? excess : 0;
            squares += excess > 0 ? excess * excess : 0;
        }
        CU_ASSERT_EQUAL(above, row->count);
        CU_ASSERT_DOUBLE_EQUAL(row->mean_excess, sum / n, 1e-9);
        double variance = (squares - sum * sum / n) / (n - 1);
        CU_ASSERT_DOUBLE_EQUAL(row->variation, sqrt(variance) / (sum / n), 1e-9);
        CU_ASSERT_DOUBLE_EQUAL(row->variation_room, 1.959964 / sqrt(n), 1e-6);
        CU_ASSERT_DOUBLE_EQUAL(row->steady_scale, row->extreme.scale - row->extreme.shape * row->threshold,
                               1e-9);
        CU_ASSERT_TRUE(row->has_fit && row->block == 1 && row->shape_error > 0);
    }
}

static void blocks_are_what_they_say(void) {
    struct grt_choices choices;
    fill(GRT_TIMES_GAMMA, 1, 9990);
    grt_choose_block(series, 9990, &choices);
    CU_ASSERT_EQUAL_FATAL(choices.count, 3); /* of 200, there would be 49 */
    CU_ASSERT_EQUAL(choices.rows[0].block, 20);
    CU_ASSERT_EQUAL(choices.rows[0].count, 499);
    CU_ASSERT_EQUAL(choices.rows[2].block, 100);
    static double maxima[MANY];
    CU_ASSERT_EQUAL(grt_block_maxima(series, 9990, 20, maxima), 499);
    CU_ASSERT_TRUE(maxima[498] <= sorted[9989] && maxima[0] <= maxima[498]);
    const double few[] = {1, 5, 2, 4, 3, 9};
    CU_ASSERT_EQUAL(grt_block_maxima(few, 6, 4, maxima), 1);
    CU_ASSERT_EQUAL(maxima[0], 5);
    CU_ASSERT_EQUAL(grt_block_maxima(few, 5, 2, maxima), 2);
    CU_ASSERT_EQUAL(maxima[1], 5);
    CU_ASSERT_EQUAL(maxima[0], 4);
}

/* A tail that is what it is from its first row on stays there as a rule; one that changes above the 97th percent is left. */
static void tails_that_change_are_left(void) {
    int first = 0, left = 0, cases = 40;
    for (int i = 0; i < cases; i++) {
        struct grt_choices choices;
        fill(GRT_TIMES_HEAVY, (uint64_t)i, MANY);
        grt_choose_threshold(sorted, MANY, &choices);
        first += choices.chosen == 0;
        double bend = sorted[MANY - 300];
        for (size_t j = MANY - 300; j < MANY; j++) { /* from here on the tail of a uniform distribution */
            sorted[j] = bend + 20 * (double)(j - MANY + 300) / 300;
        }
        grt_choose_threshold(sorted, MANY, &choices);
        left += choices.chosen < choices.count && choices.rows[choices.chosen].count <= 300;
    }
    CU_ASSERT_TRUE(first >= cases * 8 / 10);
    CU_ASSERT_TRUE(left >= cases * 9 / 10);
}

/* The errors of shapes are what shapes scatter by, by maximum likelihood and by L-moments. */
static void errors_are_scatter(void) {
    static const enum grt_times_kind kinds[] = {GRT_TIMES_HEAVY, GRT_TIMES_BOUNDED, GRT_TIMES_UNIFORM};
    const int cases = 200;
    for (size_t k = 0; k < 3; k++) {
        double sum = 0, squares = 0, errors = 0;
        for (int i = 0; i < cases; i++) {
            struct grt_choices choices;
            fill(kinds[k], (uint64_t)i, 2000);
            grt_choose_threshold(sorted, 2000, &choices);
            sum += choices.rows[0].extreme.shape;
            squares += choices.rows[0].extreme.shape * choices.rows[0].extreme.shape;
            errors += choices.rows[0].shape_error;
        }
        double scatter = sqrt((squares - sum * sum / cases) / (cases - 1));
        CU_ASSERT_DOUBLE_EQUAL(errors / cases / scatter, 1, 0.2);
    }
}

static void variation_knows_exponential_tails(void) {
    int exponential = 0, uniform = 0, cases = 40;
    for (int i = 0; i < cases; i++) {
        struct grt_choices choices;
        fill(GRT_TIMES_EXPONENTIAL, (uint64_t)i, MANY);
        grt_choose_threshold(sorted, MANY, &choices);
        exponential += choices.chosen_by_variation < choices.count;
        fill(GRT_TIMES_UNIFORM, (uint64_t)i, MANY);
        grt_choose_threshold(sorted, MANY, &choices);
        uniform += choices.chosen_by_variation < choices.count;
    }
    CU_ASSERT_TRUE(exponential >= cases * 8 / 10);
    CU_ASSERT_TRUE(uniform <= cases / 10);
}

/* Where many values are equal to a threshold none of them is above it. */
static void ties_are_not_above(void) {
    struct grt_choices choices;
    fill(GRT_TIMES_GAMMA, 2, MANY);
    for (size_t i = MANY - 1500; i < MANY - 800; i++) {
        sorted[i] = sorted[MANY - 1500];
    }
    grt_choose_threshold(sorted, MANY, &choices);
    CU_ASSERT_EQUAL(choices.rows[0].count, 800);
    CU_ASSERT_EQUAL(choices.rows[1].count, 750);
    for (size_t i = 0; i < MANY; i++) {
        sorted[i] = 5;
    }
    grt_choose_threshold(sorted, MANY, &choices);
    CU_ASSERT_EQUAL(choices.count, 0);
    CU_ASSERT_EQUAL(choices.chosen, 0);
    grt_choose_block(series, 900, &choices);
    CU_ASSERT_EQUAL(choices.count, 0);
}

int main(void) {
    CU_TestInfo tests[] = {{"rows are what they say", rows_are_what_they_say},
                           {"blocks are what they say", blocks_are_what_they_say},
                           {"tails that change are left", tails_that_change_are_left},
                           {"errors are scatter", errors_are_scatter},
                           {"variation knows exponential tails", variation_knows_exponential_tails},
                           {"ties are not above", ties_are_not_above},
                           CU_TEST_INFO_NULL};
    return grt_suite_run("choice", tests);
}
