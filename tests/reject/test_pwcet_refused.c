/* What worst-case execution times are not said of, and settings that make no sense. */
#include <math.h>
#include <string.h>

#include "calib/evt/pwcet.h"
#include "tests/support/execution_times.h"
#include "tests/support/suite.h"

enum { MANY = 10000 };
static double series[MANY];

static struct grt_pwcet_input input_of(enum grt_times_kind kind, size_t count) {
    struct grt_random random = grt_random_stream(1, "refused", 0, 0);
    grt_times_fill(kind, &random, series, count);
    struct grt_pwcet_input input = grt_pwcet_defaults();
    input.values = series;
    input.count = count;
    input.replicates = 300;
    return input;
}

/* The analysis refuses with such a sentence, and every answer says so and is none. */
static void expect_refusal(const struct grt_pwcet_input *input, const char *sentence) {
    struct grt_arena arena = {0};
    struct grt_errors errors = {0};
    const struct grt_pwcet *pwcet = grt_pwcet_analyse(input, &arena, &errors);
    CU_ASSERT_PTR_NOT_NULL_FATAL(pwcet);
    bool is_there = false;
    for (size_t i = 0; i < pwcet->refusal_count; i++) {
        is_there |= strstr(pwcet->refusals[i], sentence) != NULL;
    }
    if (!is_there) {
        printf("  wanted: %s\n", sentence);
        for (size_t i = 0; i < pwcet->refusal_count; i++) {
            printf("  got: %s\n", pwcet->refusals[i]);
        }
    }
    CU_ASSERT_TRUE(is_there);
    CU_ASSERT_EQUAL(pwcet->answer_count, 3);
    for (size_t i = 0; i < pwcet->answer_count; i++) {
        CU_ASSERT_EQUAL(pwcet->answers[i].verdict, GRT_PWCET_REFUSED);
        CU_ASSERT_TRUE(isnan(pwcet->answers[i].value) && pwcet->answers[i].why != NULL);
    }
    grt_arena_clear(&arena);
}

/* So many refusals, and not one. */
static void expect_count(const struct grt_pwcet_input *input, size_t count) {
    struct grt_arena arena = {0};
    struct grt_errors errors = {0};
    const struct grt_pwcet *pwcet = grt_pwcet_analyse(input, &arena, &errors);
    CU_ASSERT_PTR_NOT_NULL_FATAL(pwcet);
    CU_ASSERT_EQUAL(pwcet->refusal_count, count);
    grt_arena_clear(&arena);
}

static void values_that_are_no_times(void) {
    struct grt_pwcet_input input = input_of(GRT_TIMES_GAMMA, 2000);
    series[17] = NAN;
    expect_refusal(&input, "value 18 of 2000 is no execution time: nan");
    series[17] = INFINITY;
    expect_refusal(&input, "value 18 of 2000 is no execution time: inf");
    series[17] = -3;
    expect_refusal(&input, "value 18 of 2000 is no execution time: -3");
    series[17] = 1e17;
    expect_refusal(&input, "value 18 of 2000 is too long for an execution time: 1e+17 is more than 1e+16");
    input.count = 0;
    expect_refusal(&input, "there are no values");
}

static void too_few_values(void) {
    struct grt_pwcet_input input = input_of(GRT_TIMES_GAMMA, 999);
    expect_refusal(&input, "999 values are too few: at least 1000 are needed");
    input.count = 1;
    expect_refusal(&input, "1 values are too few");
    struct grt_arena arena = {0};
    struct grt_errors errors = {0};
    input = input_of(GRT_TIMES_GAMMA, 1000);
    const struct grt_pwcet *pwcet = grt_pwcet_analyse(&input, &arena, &errors);
    CU_ASSERT_PTR_NOT_NULL_FATAL(pwcet);
    CU_ASSERT_EQUAL(pwcet->refusal_count, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(pwcet->warnings[0], "1000 values are few: intervals are wide below 3000"));
    CU_ASSERT_PTR_NOT_NULL(strstr(pwcet->warnings[1], "1e-09 per run is more than three orders"));
    grt_arena_clear(&arena);
}

/* Equal times but for a few are neither constant nor have a tail. */
static void hardly_ever_different(void) {
    struct grt_pwcet_input input = input_of(GRT_TIMES_GAMMA, 2000);
    for (size_t i = 0; i < 2000; i++) {
        series[i] = i % 200 == 7 ? 13000 + (double)i : 12000 + 32 * (double)(i % 2);
    }
    input.unit = "ns";
    input.quantum = 32;
    expect_refusal(&input, "1990 of 2000 values are from 12us to 12.032us, within the clock's quantum; the "
                           "other 10 are longer, from 13.007us to 14.807us: too few differ");
    for (size_t i = 0; i < 2000; i++) {
        series[i] = i % 10 == 0 ? 12600 : 12000;
    }
    input.quantum = 0;
    expect_refusal(&input, "1800 of 2000 values are 12us; the other 200 are longer, from 12.6us to 12.6us");
    series[1] = 12600; /* more than a tenth: the clock is what is to blame */
    expect_refusal(&input, "values repeat: 200 of the largest 200 are equal to another one; say the quantum "
                           "of the clock that they were measured with, perhaps 600ns, of which all");
    expect_count(&input, 1);
    input.count = 999, input.quantum = 600;
    expect_refusal(&input, "999 values are too few"); /* not even of constants */
}

/* Two neighbouring ticks are no constant: they hide a drift as well as a jitter. */
static void two_ticks(void) {
    static const char sentence[] = "the clock is too coarse: all 1000 values are from 92.16us to 93.184us, "
                                   "within one of its quanta of 1.024us, which hides whether";
    struct grt_pwcet_input input = input_of(GRT_TIMES_GAMMA, 1000);
    input.unit = "ns", input.quantum = 1024;
    for (size_t i = 0; i < 1000; i++) { /* a drift */
        series[i] = i < 500 ? 92160 : 93184;
    }
    expect_refusal(&input, sentence);
    struct grt_random random = grt_random_stream(1, "ticks", 0, 0);
    for (size_t i = 0; i < 1000; i++) { /* times of 92.3us to 93us, at a random phase */
        double begin = 1024 * grt_random_uniform(&random), took = 92300 + 700 * grt_random_uniform(&random);
        series[i] = 1024 * floor((begin + took) / 1024);
    }
    expect_refusal(&input, sentence);
    for (size_t i = 0; i < 1000; i++) { /* few are longer: the same */
        series[i] = i % 100 == 0 ? 93184 : 92160;
    }
    expect_refusal(&input, sentence);
    expect_count(&input, 1);
}

/* A tail without end: answers are no times any more. Those that are stay. */
static void answers_beyond_all_times(void) {
    struct grt_arena arena = {0};
    struct grt_errors errors = {0};
    struct grt_pwcet_input input = input_of(GRT_TIMES_GAMMA, MANY);
    input.unit = "ns", input.exceedances[1] = 1e-15, input.exceedance_count = 2;
    struct grt_random random = grt_random_stream(1, "beyond", 0, 0);
    for (size_t i = 0; i < MANY; i++) {
        series[i] = round(1e10 * pow(1 - grt_random_uniform(&random), -0.7)); /* Pareto, from 10 s */
    }
    const struct grt_pwcet *pwcet = grt_pwcet_analyse(&input, &arena, &errors);
    CU_ASSERT_PTR_NOT_NULL_FATAL(pwcet);
    CU_ASSERT_EQUAL(pwcet->refusal_count, 0);
    CU_ASSERT_NOT_EQUAL(pwcet->answers[0].verdict, GRT_PWCET_REFUSED);
    const struct grt_pwcet_answer *beyond = &pwcet->answers[1];
    CU_ASSERT_EQUAL(beyond->verdict, GRT_PWCET_REFUSED);
    CU_ASSERT_PTR_NOT_NULL_FATAL(beyond->why);
    CU_ASSERT_PTR_NOT_NULL(strstr(beyond->why, ", and beyond 1e+18 nothing is an execution time"));
    CU_ASSERT_TRUE(beyond->declared >= pwcet->answers[0].declared && beyond->declared <= 1e18);
    grt_arena_clear(&arena);
}

static void coarse_clocks(void) {
    struct grt_pwcet_input input = input_of(GRT_TIMES_EXPONENTIAL, 5000);
    for (size_t i = 0; i < 5000; i++) {
        series[i] = 8 * round(series[i] / 8);
    }
    expect_refusal(&input, " of its quanta of 8, which the values show, on average; at least 3 are needed");
    input.quantum = 8;
    expect_refusal(&input,
                   "the clock is too coarse: the largest tenth of the values is above the others by ");
    input.unit = "ns";
    expect_refusal(&input, " of its quanta of 8ns on average; at least 3 are needed. There are ");
}

/* What repeats for another reason than a clock's steps. */
static void clumps(void) {
    struct grt_pwcet_input input = input_of(GRT_TIMES_GAMMA, 5000);
    input.unit = "ns";
    for (size_t i = 0; i < 5000; i++) {
        series[i] = round(1000 * series[i]);
        series[i] = series[i] > 33000 && series[i] < 36000 ? 36000 : series[i];
    }
    expect_refusal(&input,
                   " values are all 36us, more than there are around it, which steps of the clock, of "
                   "1ns by the values, do not explain");
    input = input_of(GRT_TIMES_GAMMA, 5000);
    for (size_t i = 0; i < 5000; i++) { /* without steps, but equal to another one */
        series[i] = series[i - i % 2];
    }
    expect_refusal(&input,
                   "values repeat: 250 of the largest 500 are equal to another one; say the quantum of "
                   "the clock that they were measured with");
}

/* Times that are quoted are those that somebody can look for. */
static void gaps_are_quoted_as_measured(void) {
    struct grt_pwcet_input input = input_of(GRT_TIMES_SLOW_MODE, MANY);
    input.unit = "ns";
    double least = INFINITY, most = 0;
    for (size_t i = 0; i < MANY; i++) {
        series[i] = 32 * round(1000 * series[i] / 32);
        least = series[i] > 90000 ? fmin(least, series[i]) : least;
        most = series[i] < 90000 ? fmax(most, series[i]) : most;
    }
    char text[120];
    snprintf(text, sizeof text, "are above it, from %.9gus, the others end at %.9gus. There", least / 1000,
             most / 1000);
    expect_refusal(&input, text);
}

static void dependent_values(void) {
    struct grt_pwcet_input input = input_of(GRT_TIMES_EXPONENTIAL, 5000);
    for (size_t i = 1; i < 5000; i++) {
        series[i] = 0.3 * series[i - 1] + 0.7 * series[i];
    }
    expect_refusal(&input, "neighbouring values depend on each other: Ljung-Box, p = ");
    expect_refusal(&input, "values above and below the median do not alternate at random: runs, p = ");
    expect_refusal(&input, "large values come in groups: Ljung-Box of peaks, p = ");
}

static void values_that_change(void) {
    struct grt_pwcet_input input = input_of(GRT_TIMES_GAMMA, 5000);
    for (size_t i = 0; i < 5000; i++) {
        series[i] += 4 * (double)i / 5000;
    }
    expect_refusal(&input, "the first half is distributed differently from the second: halves");
    expect_refusal(&input, "the level does not stay: KPSS, p = ");
    input = input_of(GRT_TIMES_GAMMA, 5000);
    for (size_t i = 2500; i < 5000; i++) { /* as many peaks, but larger ones */
        series[i] = series[i] > 33 ? 2.5 * series[i] - 49.5 : series[i];
    }
    expect_refusal(&input, "large values become larger or smaller: halves of peaks, p = ");
    for (size_t i = 2500; i < 5000; i++) { /* the same median, but more peaks */
        series[i] = series[i] > 25 ? 1.5 * series[i] - 12.5 : series[i];
    }
    expect_refusal(&input, "large values become more or fewer: KPSS of peaks, p = ");
}

static void rare_slow_modes(void) {
    struct grt_pwcet_input input = input_of(GRT_TIMES_SLOW_MODE, MANY);
    expect_refusal(&input, "the largest 1000 values have a gap, p = 0.01: ");
    expect_refusal(&input, "There may be a rare slow mode, which has to be measured apart or explained");
    input = input_of(GRT_TIMES_GAMMA, MANY);
    for (size_t i = 0; i < 5; i++) {
        series[1234 * i + 7] = 1e6; /* five runs that hung */
    }
    expect_refusal(&input, "it would not even have a mean. The largest value is 1000000, the median ");
    input.unit = "ns";
    expect_refusal(&input, "The largest value is 1ms, the median 18.");
    input = input_of(GRT_TIMES_GAMMA, MANY);
    for (size_t i = 0; i < 100; i++) { /* no gap: some runs take up to five times as long */
        series[99 * i + 7] *= 1 + 4 * (double)i / 100;
    }
    expect_refusal(
        &input, "no single distribution describes the largest 1000 values, p = 0.01: there may be a rare ");
}

static void expect_error(const struct grt_pwcet_input *input, const char *sentence) {
    struct grt_arena arena = {0};
    struct grt_errors errors = {0};
    CU_ASSERT_PTR_NULL(grt_pwcet_analyse(input, &arena, &errors));
    CU_ASSERT_EQUAL_FATAL(errors.count, 1);
    CU_ASSERT_STRING_EQUAL(errors.messages[0], sentence);
    grt_errors_clear(&errors);
    grt_arena_clear(&arena);
}

static void settings_without_sense(void) {
    const struct grt_pwcet_input good = input_of(GRT_TIMES_GAMMA, 1000);
    struct grt_pwcet_input input = good;
    input.exceedances[1] = 0.01;
    expect_error(&input, "an exceedance per run is from 1e-15 to 0.001, not 0.01");
    input.exceedances[1] = 0;
    expect_error(&input, "an exceedance per run is from 1e-15 to 0.001, not 0");
    input.exceedances[1] = NAN;
    expect_error(&input, "an exceedance per run is from 1e-15 to 0.001, not nan");
    input = good, input.exceedance_count = 0;
    expect_error(&input, "0 exceedances; 1 to 8 are possible");
    input.exceedance_count = 9;
    for (size_t i = 0; i < GRT_PWCET_EXCEEDANCES; i++) {
        input.exceedances[i] = 1e-6;
    }
    expect_error(&input, "9 exceedances; 1 to 8 are possible");
    input = good, input.quantum = -1;
    expect_error(&input, "the clock's quantum is a finite number from 0, not -1");
    input = good, input.quantum = INFINITY;
    expect_error(&input, "the clock's quantum is a finite number from 0, not inf");
    input = good, input.quantum = 0.5;
    expect_error(&input, "the values are no multiples of the quantum of 0.5");
    input.quantum = 32, input.unit = "ns";
    for (size_t i = 0; i < 1000; i++) {
        series[i] = 16 * round(50 * series[i]);
    }
    expect_error(&input, "the values are no multiples of the quantum of 32ns: their own step is 16ns");
    input.quantum = 1024;
    for (size_t i = 0; i < 1000; i++) {
        series[i] = i % 100 == 0 ? 10500 : 10000;
    }
    expect_error(&input, "the values are no multiples of the quantum of 1.024us: their own step is 500ns");
    input.quantum = 1e12;
    for (size_t i = 0; i < 1000; i++) {
        series[i] = 1000;
    }
    expect_error(&input, "the values are no multiples of the quantum of 1000s");
    input = good, input.margin = 0.9;
    expect_error(&input, "the margin is a factor from 1 to 100, not 0.9");
    input = good, input.replicates = 199;
    expect_error(&input, "the bootstrap needs 200 to 100000 replicates, not 199");
    input = good, input.values = NULL;
    expect_error(&input, "1000 values are announced, but there are none");
}

int main(void) {
    CU_TestInfo tests[] = {{"values that are no times", values_that_are_no_times},
                           {"too few values", too_few_values},
                           {"hardly ever different", hardly_ever_different},
                           {"two ticks", two_ticks},
                           {"answers beyond all times", answers_beyond_all_times},
                           {"coarse clocks", coarse_clocks},
                           {"clumps", clumps},
                           {"gaps are quoted as measured", gaps_are_quoted_as_measured},
                           {"dependent values", dependent_values},
                           {"values that change", values_that_change},
                           {"rare slow modes", rare_slow_modes},
                           {"settings without sense", settings_without_sense},
                           CU_TEST_INFO_NULL};
    return grt_suite_run("refused worst-case execution times", tests);
}
