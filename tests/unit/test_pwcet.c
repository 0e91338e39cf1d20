/* Worst-case execution times by extreme value theory: what the analysis says, piece by piece. */
#include <gsl/gsl_sort.h>
#include <math.h>
#include <string.h>

#include "calib/evt/pwcet.h"
#include "calib/evt/pwcet_parts.h"
#include "tests/support/execution_times.h"
#include "tests/support/suite.h"

enum { MANY = 10000 };
static double series[MANY];

static const struct grt_pwcet *analyse(struct grt_pwcet_input input, struct grt_arena *arena) {
    struct grt_errors errors = {0};
    input.values = series;
    const struct grt_pwcet *pwcet = grt_pwcet_analyse(&input, arena, &errors);
    CU_ASSERT_PTR_NOT_NULL_FATAL(pwcet);
    CU_ASSERT_EQUAL(errors.count, 0);
    return pwcet;
}

static struct grt_pwcet_input input_of(enum grt_times_kind kind, uint64_t seed, size_t count) {
    struct grt_random random = grt_random_stream(seed, "pwcet", 0, 0);
    grt_times_fill(kind, &random, series, count);
    struct grt_pwcet_input input = grt_pwcet_defaults();
    input.count = count;
    input.replicates = 200;
    return input;
}

static void everything_is_said(void) {
    struct grt_arena arena = {0};
    const struct grt_pwcet *pwcet = analyse(input_of(GRT_TIMES_EXPONENTIAL, 1, MANY), &arena);
    CU_ASSERT_EQUAL_FATAL(pwcet->refusal_count, 0);
    CU_ASSERT_EQUAL(pwcet->answer_count, 3);
    CU_ASSERT_EQUAL(pwcet->maximum_count, pwcet->fits[GRT_PWCET_GEV].count);
    CU_ASSERT_DOUBLE_EQUAL(pwcet->fallback, 1.2 * pwcet->largest, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(pwcet->median, 106.93, 0.5);
    CU_ASSERT_DOUBLE_EQUAL(pwcet->middle_half, 10.99, 0.5);
    for (size_t i = 0; i < GRT_PWCET_TESTS; i++) {
        CU_ASSERT_TRUE(pwcet->tests[i].p >= pwcet->tests[i].test.p && pwcet->tests[i].p <= 1);
    }
    CU_ASSERT_TRUE(pwcet->gumbel_or_gev.p > 0.01 && pwcet->exponential_or_gpd.p > 0.01);
    for (size_t i = 0; i < GRT_PWCET_METHODS; i++) {
        const struct grt_pwcet_fit *fit = &pwcet->fits[i];
        CU_ASSERT_PTR_NULL_FATAL(fit->why_not);
        CU_ASSERT_TRUE(fit->estimate.is_likely && fit->estimate.linear.scale > 0);
        CU_ASSERT_TRUE(fit->covariance[1][1] > 0 && fit->failed == 0);
        for (size_t j = 0; j < 3; j++) {
            const struct grt_pwcet_quantile *quantile = &fit->quantiles[j];
            CU_ASSERT_TRUE(quantile->low < quantile->value && quantile->value < quantile->high);
            CU_ASSERT_TRUE(quantile->moved >= 0 && quantile->moved < 1);
            CU_ASSERT_TRUE(j == 0 || quantile->value > fit->quantiles[j - 1].value);
        }
    }
    grt_arena_clear(&arena);
}

/* Each method's time for a chance of 1e-6 a run is that of the distribution. Maxima are of 20 values and more: taking the chance for a block's would be too low by
 * 30, here 13 percent. */
static void quantiles_are_per_run(void) {
    double means[GRT_PWCET_METHODS] = {0};
    const int cases = 4;
    for (int i = 0; i < cases; i++) {
        struct grt_arena arena = {0};
        const struct grt_pwcet *pwcet =
            analyse(input_of(GRT_TIMES_EXPONENTIAL, 10 + (uint64_t)i, MANY), &arena);
        CU_ASSERT_TRUE(pwcet->fits[GRT_PWCET_GUMBEL].block >= 20);
        for (size_t j = 0; j < GRT_PWCET_METHODS; j++) {
            means[j] += pwcet->fits[j].why_not == NULL ? pwcet->fits[j].quantiles[1].value / cases : NAN;
        }
        grt_arena_clear(&arena);
    }
    double truth = grt_times_quantile(GRT_TIMES_EXPONENTIAL, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(means[GRT_PWCET_GUMBEL], truth, 0.04 * truth);
    CU_ASSERT_DOUBLE_EQUAL(means[GRT_PWCET_EXPONENTIAL], truth, 0.04 * truth);
    CU_ASSERT_DOUBLE_EQUAL(means[GRT_PWCET_GEV], truth, 0.1 * truth);
    CU_ASSERT_DOUBLE_EQUAL(means[GRT_PWCET_GPD], truth, 0.1 * truth);
}

static void answers_are_the_seed_s(void) {
    struct grt_arena arena = {0};
    struct grt_pwcet_input input = input_of(GRT_TIMES_GAMMA, 2, 3000);
    for (size_t i = 0; i < input.count; i++) {
        series[i] = 0.01 * round(100 * series[i]);
    }
    input.quantum = 0.01;
    const struct grt_pwcet *one = analyse(input, &arena), *two = analyse(input, &arena);
    input.seed = 2;
    const struct grt_pwcet *other = analyse(input, &arena);
    for (size_t i = 0; i < 2; i++) { /* 1e-9 may be without a model */
        CU_ASSERT_EQUAL(
            memcmp(one->fits[i].quantiles, two->fits[i].quantiles, 3 * sizeof one->fits[i].quantiles[0]), 0);
        CU_ASSERT_NOT_EQUAL(one->fits[i].quantiles[0].low, other->fits[i].quantiles[0].low);
    }
    CU_ASSERT_EQUAL(memcmp(one->series, two->series, 3000 * sizeof(double)), 0);
    CU_ASSERT_NOT_EQUAL(one->series[0], other->series[0]);
    grt_arena_clear(&arena);
}

/* A time in other units has an answer in those, and nothing else changes. */
static void units_do_not_matter(void) {
    struct grt_arena arena = {0};
    struct grt_pwcet_input input = input_of(GRT_TIMES_GAMMA, 3, 3000);
    const struct grt_pwcet *one = analyse(input, &arena);
    for (size_t i = 0; i < input.count; i++) {
        series[i] *= 1024;
    }
    const struct grt_pwcet *two = analyse(input, &arena);
    for (size_t i = 0; i < GRT_PWCET_METHODS; i++) {
        CU_ASSERT_DOUBLE_EQUAL(two->fits[i].quantiles[1].value / one->fits[i].quantiles[1].value, 1024, 1e-3);
        CU_ASSERT_DOUBLE_EQUAL(two->fits[i].quantiles[1].high / one->fits[i].quantiles[1].high, 1024, 1e-3);
        CU_ASSERT_DOUBLE_EQUAL(two->fits[i].p[0], one->fits[i].p[0], 0.02);
    }
    grt_arena_clear(&arena);
}

/* Nor does where 0 is: times that are long beside their jitter have the same tail. */
static void long_times_keep_their_digits(void) {
    struct grt_arena arena = {0};
    struct grt_pwcet_input input = input_of(GRT_TIMES_GAMMA, 6, 3000);
    const struct grt_pwcet *one = analyse(input, &arena);
    for (size_t i = 0; i < input.count; i++) {
        series[i] += 1e9;
    }
    const struct grt_pwcet *two = analyse(input, &arena);
    for (size_t i = 0; i < GRT_PWCET_METHODS; i++) {
        double wanted = one->fits[i].quantiles[1].value;
        CU_ASSERT_DOUBLE_EQUAL(two->fits[i].quantiles[1].value - 1e9, wanted, 1e-3 * wanted);
    }
    for (size_t i = 0; i < 3; i++) { /* beside 1e9, all methods agree */
        CU_ASSERT_EQUAL(two->answers[i].verdict, GRT_PWCET_MODEL);
    }
    grt_arena_clear(&arena);
}

/* The larger where good methods are within 30 percent; else none, with both of them named. */
static void answers_are_by_the_rule(void) {
    size_t models = 0, none = 0;
    for (int i = 0; i < 4; i++) {
        struct grt_arena arena = {0};
        enum grt_times_kind kind = i % 2 == 0 ? GRT_TIMES_GAMMA : GRT_TIMES_HEAVY;
        const struct grt_pwcet *pwcet = analyse(input_of(kind, 20 + (uint64_t)i, 5000), &arena);
        for (size_t j = 0; j < 3 && pwcet->refusal_count == 0; j++) {
            const struct grt_pwcet_answer *answer = &pwcet->answers[j];
            double least = INFINITY, most = 0, low = INFINITY, high = 0;
            bool is_free = false;
            for (size_t k = 0; k < GRT_PWCET_METHODS; k++) {
                const struct grt_pwcet_fit *fit = &pwcet->fits[k];
                if (fit->why_not == NULL && fit->is_good) {
                    least = fmin(least, fit->quantiles[j].value);
                    most = fmax(most, fit->quantiles[j].value);
                    low = fmin(low, fit->quantiles[j].low);
                    high = fmax(high, fit->quantiles[j].high);
                    is_free |= k == GRT_PWCET_GEV || k == GRT_PWCET_GPD;
                }
            }
            bool is_model = is_free && most <= 1.3 * least;
            CU_ASSERT_EQUAL(answer->verdict, is_model ? GRT_PWCET_MODEL : GRT_PWCET_NO_MODEL);
            CU_ASSERT_TRUE(is_model ? answer->value == most && answer->low == low && answer->high == high
                                    : isnan(answer->value) && answer->why != NULL);
            models += is_model;
            none += !is_model;
        }
        grt_arena_clear(&arena);
    }
    CU_ASSERT_TRUE(models > 0 && none > 0);
}

static void quanta_are_smoothed(void) {
    struct grt_arena arena = {0};
    struct grt_pwcet_input input = input_of(GRT_TIMES_EXPONENTIAL, 4, MANY);
    const struct grt_pwcet *exact = analyse(input, &arena);
    double wanted = exact->fits[GRT_PWCET_GPD].quantiles[1].value;
    for (size_t i = 0; i < input.count; i++) {
        series[i] = round(series[i]);
    }
    input.quantum = 1;
    const struct grt_pwcet *coarse = analyse(input, &arena);
    CU_ASSERT_EQUAL(coarse->refusal_count, 0);
    CU_ASSERT_TRUE(coarse->was_jittered && !exact->was_jittered);
    CU_ASSERT_PTR_NOT_NULL(strstr(coarse->warnings[0], "half of the values are within 11 quanta"));
    CU_ASSERT_DOUBLE_EQUAL(coarse->fits[GRT_PWCET_GPD].quantiles[1].value / wanted, 1, 0.1);
    for (size_t i = 0; i < MANY; i++) {
        CU_ASSERT_TRUE(fabs(coarse->series[i] - series[i]) <= 0.5);
    }
    grt_arena_clear(&arena);
}

/* Whole ns, or multiples of a tick, are what measured times are as a rule: nobody has to say so, and saying too little is put right. */
static void steps_are_seen(void) {
    struct grt_arena arena = {0};
    struct grt_pwcet_input input = input_of(GRT_TIMES_GAMMA, 4, MANY);
    input.unit = "ns";
    for (size_t i = 0; i < input.count; i++) {
        series[i] = round(1000 * series[i]);
    }
    const struct grt_pwcet *whole = analyse(input, &arena);
    CU_ASSERT_EQUAL(whole->refusal_count, 0);
    CU_ASSERT_TRUE(whole->was_jittered && whole->quantum_is_seen && whole->quantum == 1);
    for (size_t i = 0; i < input.count; i++) {
        series[i] = 32 * round(series[i] / 32);
    }
    const struct grt_pwcet *ticks = analyse(input, &arena);
    CU_ASSERT_EQUAL(ticks->refusal_count, 0);
    CU_ASSERT_TRUE(ticks->quantum_is_seen && ticks->quantum == 32);
    input.quantum = 1;
    const struct grt_pwcet *wrong = analyse(input, &arena);
    CU_ASSERT_EQUAL(wrong->refusal_count, 0);
    CU_ASSERT_TRUE(wrong->quantum_is_seen && wrong->quantum == 32);
    CU_ASSERT_PTR_NOT_NULL(strstr(wrong->warnings[0], "look quantised by 32ns, of which all differences are "
                                                      "multiples: it is taken for the clock's quantum, not "
                                                      "1ns"));
    CU_ASSERT_EQUAL(memcmp(wrong->series, ticks->series, MANY * sizeof *wrong->series), 0);
    input.quantum = 32;
    const struct grt_pwcet *said = analyse(input, &arena);
    CU_ASSERT_TRUE(!said->quantum_is_seen && said->quantum == 32);
    CU_ASSERT_EQUAL(memcmp(said->series, ticks->series, MANY * sizeof *said->series), 0);
    grt_arena_clear(&arena);
}

/* A constant time is the answer, with a quantum of the clock, which shows less than that more as the same. */
static void constants_are_answers(void) {
    struct grt_arena arena = {0};
    struct grt_pwcet_input input = grt_pwcet_defaults();
    input.count = 2000, input.unit = "ns";
    for (size_t i = 0; i < input.count; i++) {
        series[i] = 12000;
    }
    const struct grt_pwcet *exact = analyse(input, &arena);
    CU_ASSERT_EQUAL(exact->refusal_count + exact->warning_count, 0);
    CU_ASSERT_PTR_NOT_NULL_FATAL(exact->constant);
    CU_ASSERT_PTR_NOT_NULL(strstr(exact->constant, "all 2000 times are equal: 12us. There is no"));
    CU_ASSERT_PTR_NOT_NULL(strstr(exact->constant, "fewer than one run in 668 shows a longer time (95 %)"));
    input.quantum = 32;
    const struct grt_pwcet *ticks = analyse(input, &arena);
    CU_ASSERT_PTR_NOT_NULL(strstr(ticks->constant,
                                  "are equal: 12us, on a clock that counts in 32ns. There is "
                                  "no distribution to fit, and 12.032us, one quantum more"));
    CU_ASSERT_PTR_NOT_NULL(strstr(ticks->constant, "fewer than one run in 668 is longer (95 %)"));
    for (size_t i = 0; i < 3; i++) {
        CU_ASSERT_EQUAL(exact->answers[i].verdict, GRT_PWCET_CONSTANT);
        CU_ASSERT_PTR_NULL(exact->answers[i].why);
        CU_ASSERT_TRUE(exact->answers[i].value == 12000 && exact->answers[i].low == 12000 &&
                       exact->answers[i].high == 12000);
        CU_ASSERT_TRUE(ticks->answers[i].value == 12032 && ticks->answers[i].low == 11968 &&
                       ticks->answers[i].high == 12032);
        CU_ASSERT_TRUE(grt_pwcet_has_value(&ticks->answers[i]));
        CU_ASSERT_EQUAL(ticks->answers[i].declared, 12032);
    }
    input.dropped = 20, input.condition = "nothing else runs"; /* of thrown away ones nobody knows */
    const struct grt_pwcet *dropped = analyse(input, &arena);
    CU_ASSERT_EQUAL(dropped->answers[0].verdict, GRT_PWCET_REFUSED);
    CU_ASSERT_FALSE(grt_pwcet_has_value(&dropped->answers[0]) || grt_pwcet_has_value(NULL));
    input.dropped = 0;
    series[1] = 12032; /* one duration can show as both; others can, too */
    CU_ASSERT_PTR_NULL(analyse(input, &arena)->constant);
    grt_arena_clear(&arena);
}

/* Methods that are apart at 1e-3 and agree at 1e-6, below what a margin on the largest time is: what is declared for the rarer one is no shorter. And in any order of asking. */
static void rarer_times_are_declared_no_shorter(void) {
    static const double says[2][2] = {{100, 140}, {145, 150}};
    for (size_t i = 0; i < 2; i++) {
        struct grt_arena arena = {0};
        struct grt_pwcet_input input = grt_pwcet_defaults();
        struct grt_pwcet out = {.largest = 130, .fallback = 156};
        struct grt_pwcet_work work = {.input = &input, .arena = &arena, .out = &out};
        input.exceedance_count = 2;
        input.exceedances[i] = 1e-3, input.exceedances[1 - i] = 1e-6;
        for (size_t j = 0; j < GRT_PWCET_METHODS; j++) {
            out.fits[j].why_not = j > GRT_PWCET_GEV ? "not tried" : NULL;
            out.fits[j].is_good = true;
            for (size_t k = 0; k < 2 && j <= GRT_PWCET_GEV; k++) {
                double value = says[k][j];
                out.fits[j].quantiles[k == 0 ? i : 1 - i] =
                    (struct grt_pwcet_quantile){value, value, value, 0};
            }
        }
        grt_pwcet_answer_all(&work);
        CU_ASSERT_EQUAL(out.answers[i].verdict, GRT_PWCET_NO_MODEL);
        CU_ASSERT_EQUAL(out.answers[1 - i].verdict, GRT_PWCET_MODEL);
        CU_ASSERT_EQUAL(out.answers[1 - i].value, 150);
        CU_ASSERT_EQUAL(out.answers[i].declared, 156);
        CU_ASSERT_EQUAL(out.answers[1 - i].declared, 156);
        grt_arena_clear(&arena);
    }
}

/* Holm's procedure on the values of the result. */
static void tests_are_adjusted_together(void) {
    struct grt_arena arena = {0};
    const struct grt_pwcet *pwcet = analyse(input_of(GRT_TIMES_NORMAL, 5, 3000), &arena);
    double sorted[GRT_PWCET_TESTS], most = 0;
    for (size_t i = 0; i < GRT_PWCET_TESTS; i++) {
        sorted[i] = pwcet->tests[i].test.p;
    }
    gsl_sort(sorted, 1, GRT_PWCET_TESTS);
    for (size_t i = 0; i < GRT_PWCET_TESTS; i++) {
        most = fmax(most, fmin(1, (double)(GRT_PWCET_TESTS - i) * sorted[i]));
        for (size_t j = 0; j < GRT_PWCET_TESTS; j++) {
            if (pwcet->tests[j].test.p == sorted[i]) {
                CU_ASSERT_DOUBLE_EQUAL(pwcet->tests[j].p, most, 1e-15);
            }
        }
    }
    grt_arena_clear(&arena);
}

static void hours_have_runs(void) {
    CU_ASSERT_DOUBLE_EQUAL(grt_per_hour_of_run(1e-9, 36000) / 3.5999352e-5, 1, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(grt_per_run_of_hour(1e-9, 36000) / 2.7777778e-14, 1, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(grt_per_run_of_hour(grt_per_hour_of_run(1e-7, 1e6), 1e6) / 1e-7, 1, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(grt_per_hour_of_run(0.5, 1), 0.5, 1e-15);
}

int main(void) {
    CU_TestInfo tests[] = {{"everything is said", everything_is_said},
                           {"quantiles are per run", quantiles_are_per_run},
                           {"answers are the seed's", answers_are_the_seed_s},
                           {"units do not matter", units_do_not_matter},
                           {"long times keep their digits", long_times_keep_their_digits},
                           {"answers are by the rule", answers_are_by_the_rule},
                           {"quanta are smoothed", quanta_are_smoothed},
                           {"steps are seen", steps_are_seen},
                           {"constants are answers", constants_are_answers},
                           {"rarer times are declared no shorter", rarer_times_are_declared_no_shorter},
                           {"tests are adjusted together", tests_are_adjusted_together},
                           {"hours have runs", hours_have_runs},
                           CU_TEST_INFO_NULL};
    return grt_suite_run("worst-case execution times", tests);
}
