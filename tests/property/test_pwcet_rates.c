/* labels: soak */
/* How often worst-case execution times are refused, given and wrong, where the truth is known: the tables of docs/worst-case-times.md, which the long run holds against
 * what is written there. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "calib/evt/pwcet.h"
#include "tests/support/execution_times.h"
#include "tests/support/suite.h"

enum { MANY = 10000, REPLICATES = 299 };

/* Of some analyses: how many were refused for which reason; and for 1e-6 a run how many have a model, how many of these are too low, and how many intervals hold the
 * truth. */
struct rates {
    double tests, modes, model, low, holds;
};

static void count(const struct grt_pwcet *pwcet, double truth, struct rates *rates) {
    bool dependent = false;
    for (size_t i = 0; i < GRT_PWCET_TESTS; i++) {
        dependent |= pwcet->tests[i].p < 0.01;
    }
    const struct grt_pwcet_answer *answer = &pwcet->answers[1];
    rates->tests += dependent;
    rates->modes += pwcet->one_mode.p <= 0.0101;
    rates->model += answer->verdict == GRT_PWCET_MODEL;
    rates->low += answer->value < truth;
    rates->holds += answer->low <= truth && truth <= answer->high;
}

static struct rates measure(enum grt_times_kind kind, double quantum, size_t size, int cases) {
    static double series[MANY];
    struct rates rates = {0};
    for (int i = 0; i < cases; i++) {
        struct grt_random random = grt_random_stream(1, "rates", (uint64_t)kind, (uint64_t)i);
        struct grt_arena arena = {0};
        struct grt_errors errors = {0};
        struct grt_pwcet_input input = grt_pwcet_defaults();
        grt_times_fill(kind, &random, series, size);
        for (size_t j = 0; j < size && quantum > 0; j++) {
            series[j] = quantum * round(series[j] / quantum);
        }
        input.values = series, input.count = size, input.quantum = quantum;
        input.replicates = REPLICATES, input.seed = (uint64_t)i;
        count(grt_pwcet_analyse(&input, &arena, &errors), grt_times_quantile(kind, 1e-6), &rates);
        grt_arena_clear(&arena);
    }
    double models = rates.model > 0 ? rates.model : 1;
    return (struct rates){rates.tests / cases, rates.modes / cases, rates.model / cases, rates.low / models,
                          rates.holds / models};
}

/* Rates of so many cases are those written down, but for chance: four deviations of the difference of two such rates. */
static void expect_rate(double got, double written, double cases, double written_cases) {
    double p = fmin(fmax(written, 0.01), 0.99);
    double room = 4 * sqrt(p * (1 - p) * (1 / cases + 1 / written_cases)) + 0.5 / cases;
    CU_ASSERT_TRUE(fabs(got - written) <= room);
}

/* docs/worst-case-times.md, "How often it refuses, and is wrong". */
enum { WRITTEN_CASES = 80 };
static const struct {
    enum grt_times_kind kind;
    double quantum;
    struct rates rates;
} written[] = {
    {GRT_TIMES_EXPONENTIAL, 0, {0.000, 0.037, 0.887, 0.225, 0.972}},
    {GRT_TIMES_GAMMA, 0, {0.000, 0.025, 0.838, 0.015, 0.985}},
    {GRT_TIMES_NORMAL, 0, {0.000, 0.000, 1.000, 0.062, 0.988}},
    {GRT_TIMES_LOGNORMAL, 0, {0.025, 0.013, 0.887, 0.042, 0.986}},
    {GRT_TIMES_BOUNDED, 0, {0.037, 0.013, 0.950, 0.079, 0.987}},
    {GRT_TIMES_UNIFORM, 0, {0.013, 0.013, 0.975, 0.090, 0.731}},
    {GRT_TIMES_HEAVY, 0, {0.000, 0.000, 0.388, 0.484, 0.935}},
    {GRT_TIMES_SLOW_MODE, 0, {0.000, 1.000, 0.000, 0.000, 0.000}},
    {GRT_TIMES_GAMMA, 1.2, {0.000, 0.025, 0.838, 0.030, 1.000}},
    {GRT_TIMES_GAMMA, 0.06, {0.000, 0.013, 0.850, 0.015, 0.985}},
};
enum { WRITTEN = sizeof written / sizeof written[0] };

static void rates_are_as_written(void) {
    int cases = grt_suite_cases(1, WRITTEN_CASES);
    for (size_t i = 0; i < WRITTEN; i++) {
        struct rates rates = measure(written[i].kind, written[i].quantum, MANY, cases);
        double models = rates.model * cases;
        if (cases == WRITTEN_CASES) {
            printf("| %s, quantum %g | %.3f | %.3f | %.3f | %.3f | %.3f |\n",
                   grt_times_names[written[i].kind], written[i].quantum, rates.tests, rates.modes,
                   rates.model, rates.low, rates.holds);
        }
        expect_rate(rates.tests, written[i].rates.tests, cases, WRITTEN_CASES);
        expect_rate(rates.modes, written[i].rates.modes, cases, WRITTEN_CASES);
        expect_rate(rates.model, written[i].rates.model, cases, WRITTEN_CASES);
        if (models > 0) {
            expect_rate(rates.low, written[i].rates.low, models, WRITTEN_CASES * written[i].rates.model);
            expect_rate(rates.holds, written[i].rates.holds, models, WRITTEN_CASES * written[i].rates.model);
        }
    }
}

/* ---- slow modes ---- */

/* Gamma distributed times of 5 stages, some of them longer by so many interquartile ranges of the others. */
static double share_found(size_t size, double share, double apart, int cases) {
    static double series[MANY];
    const double stage = 4, middle_half = 2.909 * stage; /* 6.274 - 3.369, in stages */
    int found = 0;
    for (int i = 0; i < cases; i++) {
        struct grt_random random = grt_random_stream(2, "slow", size, (uint64_t)i);
        struct grt_arena arena = {0};
        struct grt_errors errors = {0};
        struct grt_pwcet_input input = grt_pwcet_defaults();
        grt_times_fill(GRT_TIMES_GAMMA, &random, series, size);
        for (size_t j = 0; j < size; j++) {
            series[j] += grt_random_uniform(&random) < share ? apart * middle_half : 0;
        }
        input.values = series, input.count = size, input.replicates = REPLICATES, input.seed = (uint64_t)i;
        found += grt_pwcet_analyse(&input, &arena, &errors)->one_mode.p <= 0.0101;
        grt_arena_clear(&arena);
    }
    return (double)found / cases;
}

/* docs/worst-case-times.md, "Rare slow modes". */
static const struct {
    size_t size;
    double share, apart, found;
} slow[] = {
    {10000, 0.005, 4, 0.075},  {10000, 0.005, 5, 0.900}, {10000, 0.005, 6, 1.000},
    {10000, 0.005, 8, 1.000},  {10000, 0.02, 6, 1.000},  {10000, 0.001, 8, 0.950},
    {10000, 0.001, 12, 1.000}, {3000, 0.005, 8, 0.975},  {1000, 0.005, 12, 0.475},
};
enum { SLOW = sizeof slow / sizeof slow[0] };

static void slow_modes_are_found_as_written(void) {
    int cases = grt_suite_cases(1, WRITTEN_CASES / 2);
    for (size_t i = 0; i < SLOW; i++) {
        double found = share_found(slow[i].size, slow[i].share, slow[i].apart, cases);
        if (cases == WRITTEN_CASES / 2) {
            printf("| %zu | %g | %g | %.3f |\n", slow[i].size, slow[i].share, slow[i].apart, found);
        }
        expect_rate(found, slow[i].found, cases, WRITTEN_CASES / 2.0);
    }
}

int main(void) {
    CU_TestInfo tests[] = {{"rates are as written", rates_are_as_written},
                           {"slow modes are found as written", slow_modes_are_found_as_written},
                           CU_TEST_INFO_NULL};
    return grt_suite_run("rates of worst-case execution times", tests);
}
