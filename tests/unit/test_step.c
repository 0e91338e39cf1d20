/* The steps of clocks, found again in values that were counted by them. */
#include <gsl/gsl_sort.h>
#include <math.h>

#include "calib/evt/step.h"
#include "tests/support/execution_times.h"
#include "tests/support/suite.h"

enum { COUNT = 2000 };
static double values[COUNT];

/* Times of mean 120,000, jitter 10,000. */
static void draw(uint64_t seed) {
    struct grt_random random = grt_random_stream(seed, "step", 0, 0);
    for (size_t i = 0; i < COUNT; i++) {
        values[i] = 100000 + 1000 * grt_times_draw(GRT_TIMES_GAMMA, &random);
    }
    gsl_sort(values, 1, COUNT);
}

/* Counted in `step`, shown in `digit`. */
static struct grt_step counted(double step, double digit) {
    draw(1);
    for (size_t i = 0; i < COUNT; i++) {
        values[i] = round(round(values[i] / step) * step / digit) * digit;
    }
    return grt_step_of(values, COUNT);
}

static void steps_are_found(void) {
    static const struct {
        double step, digit;
    } cases[] = {{1, 1}, {32, 1}, {1024, 1}, {0.5, 0.1}, {0.032, 0.001}, {1000, 1}, {20, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct grt_step step = counted(cases[i].step, cases[i].digit);
        CU_ASSERT_DOUBLE_EQUAL(step.step, cases[i].step, 1e-9 * cases[i].step);
        CU_ASSERT_DOUBLE_EQUAL(step.digit, cases[i].digit, 1e-12);
        CU_ASSERT_EQUAL(step.step, step.likely);
    }
}

/* 19.2 and 13.5 MHz, in whole nanoseconds. */
static void rounded_steps_are_found(void) {
    CU_ASSERT_DOUBLE_EQUAL(counted(1e9 / 19.2e6, 1).step, 1e9 / 19.2e6, 0.01);
    CU_ASSERT_DOUBLE_EQUAL(counted(1e9 / 13.5e6, 1).step, 1e9 / 13.5e6, 0.01);
}

static void continuous_values_have_none(void) {
    draw(1);
    struct grt_step step = grt_step_of(values, COUNT);
    CU_ASSERT_EQUAL(step.step, 0);
    CU_ASSERT_EQUAL(step.digit, 0);
    CU_ASSERT_EQUAL(step.different, COUNT);
}

/* Two durations are no clock. */
static void few_values_say_nothing(void) {
    for (size_t i = 0; i < COUNT; i++) {
        values[i] = i < COUNT / 2 ? 12000 : 12600;
    }
    struct grt_step step = grt_step_of(values, COUNT);
    CU_ASSERT_EQUAL(step.step, 0);
    CU_ASSERT_EQUAL(step.likely, 600);
    CU_ASSERT_EQUAL(step.different, 2);
    step = grt_step_of(values, 5);
    CU_ASSERT_EQUAL(step.likely, 0);
}

static size_t chances(size_t different, double nearest, double range, bool is_easy) {
    struct grt_random random = grt_random_stream(1, "chance", (uint64_t)different, (uint64_t)range);
    size_t tries = 20000, found = 0;
    for (size_t i = 0; i < tries; i++) {
        values[0] = 100000;
        for (size_t j = 1; j < different; j++) {
            values[j] = values[j - 1] + nearest + floor(range * grt_random_uniform(&random));
        }
        struct grt_step step = grt_step_of(values, different);
        found += (is_easy ? step.likely : step.step) > 1;
    }
    return found;
}

/* Whole numbers that have nothing to do with each other: what they seem to have in common is not said of few, and hardly found in more. */
static void chance_makes_no_steps(void) {
    static const double ranges[] = {8, 30, 100, 1000};
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        CU_ASSERT_TRUE(chances(8, 8, ranges[i], true) > 20); /* or nothing is tested */
        for (size_t different = 8; different <= 24; different += 4) {
            CU_ASSERT_TRUE(chances(different, 8, ranges[i], false) <= 2);
        }
    }
    CU_ASSERT_TRUE(chances(24, 3, 8, false) <= 2); /* so near that rounding alone would explain a step */
}

static void quanta_are_refuted(void) {
    struct grt_step step = counted(32, 1);
    CU_ASSERT_FALSE(grt_step_refutes(&step, values, COUNT, 32));
    CU_ASSERT_FALSE(grt_step_refutes(&step, values, COUNT, 33)); /* 32.5, rounded up */
    CU_ASSERT_FALSE(grt_step_refutes(&step, values, COUNT, 1));
    CU_ASSERT_TRUE(grt_step_refutes(&step, values, COUNT, 64));
    CU_ASSERT_TRUE(grt_step_refutes(&step, values, COUNT, 40));
    for (size_t i = 0; i < COUNT / 100; i++) { /* one in a hundred may be off */
        values[100 * i] += 3;
    }
    gsl_sort(values, 1, COUNT);
    step = grt_step_of(values, COUNT);
    CU_ASSERT_FALSE(grt_step_refutes(&step, values, COUNT, 32));
    step = counted(1e9 / 19.2e6, 1);
    CU_ASSERT_FALSE(grt_step_refutes(&step, values, COUNT, 53));
    CU_ASSERT_FALSE(grt_step_refutes(&step, values, COUNT, 52));
    CU_ASSERT_TRUE(grt_step_refutes(&step, values, COUNT, 104));
    CU_ASSERT_TRUE(grt_step_refutes(&step, values, COUNT, 56)); /* nearer by more than two digits */
    CU_ASSERT_FALSE(grt_step_refutes(&step, values, COUNT, 53.9));
    static const struct {
        double value, quantum;
        bool is_multiple;
    } cases[] = {{10240, 1024, true}, {10000, 1024, false}, {10250, 1024, true}, {10252, 1024, false},
                 {1000, 1e12, false}, {0, 1024, true},      {1023, 1024, true},  {1000, 1024, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0];
         i++) { /* all values equal: distances say nothing */
        step = grt_step_of(&cases[i].value, 1);
        CU_ASSERT_EQUAL(grt_step_refutes(&step, &cases[i].value, 1, cases[i].quantum), !cases[i].is_multiple);
    }
}

static void clumps_are_found(void) {
    static const double steps[] = {1, 32, 1024};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        struct grt_step step = counted(steps[i], 1);
        CU_ASSERT_EQUAL(grt_step_clump(&step, values, COUNT, COUNT / 10), COUNT);
        double top = values[COUNT - 30];
        for (size_t j = COUNT - 150; j < COUNT - 29;
             j++) { /* as if something waited for a tick of a slower clock */
            values[j] = top;
        }
        step = grt_step_of(values, COUNT);
        size_t place = grt_step_clump(&step, values, COUNT, COUNT / 10);
        CU_ASSERT_TRUE_FATAL(place < COUNT);
        CU_ASSERT_EQUAL(values[place], top);
    }
}

/* Twenty values at each of 41 steps, and more at one: six times and three times as many as around it are no clump, one more is. */
static void clumps_have_a_size(void) {
    enum { AT_EACH = 20, STEPS = 41, MOST_OF_STEPS = 6 + 3 * AT_EACH };
    for (size_t more = 0; more < 2; more++) {
        size_t count = 0, same = MOST_OF_STEPS + more;
        for (size_t i = 0; i < STEPS; i++) {
            for (size_t j = 0; j < (i == 30 ? same : AT_EACH); j++) {
                values[count++] = 32 * (double)(1000 + i);
            }
        }
        struct grt_step step = grt_step_of(values, count);
        CU_ASSERT_EQUAL(step.step, 32);
        size_t place = grt_step_clump(&step, values, count, count / 2);
        CU_ASSERT_EQUAL(place, more == 0 ? count : 30 * AT_EACH + same - 1);
    }
}

int main(void) {
    CU_TestInfo tests[] = {{"steps are found", steps_are_found},
                           {"rounded steps are found", rounded_steps_are_found},
                           {"continuous values have none", continuous_values_have_none},
                           {"few values say nothing", few_values_say_nothing},
                           {"chance makes no steps", chance_makes_no_steps},
                           {"quanta are refuted", quanta_are_refuted},
                           {"clumps are found", clumps_are_found},
                           {"clumps have a size", clumps_have_a_size},
                           CU_TEST_INFO_NULL};
    return grt_suite_run("steps of clocks", tests);
}
