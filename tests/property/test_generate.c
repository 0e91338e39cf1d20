/* labels: soak */
/* Distributions of generated periods, deadlines, jitter, overheads, offsets and blocks against their formulas, and that properties and
 * neighbouring sets have nothing to do with each other. Utilisations are in test_utilisation.c. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/generate/generate.h"
#include "tests/support/goodness.h"
#include "tests/support/suite.h"

enum { MOST_TASKS = 20 };

/* ---- Periods ---- */

enum { MOST_CELLS = 200 };

/* How often each multiple of the granularity was drawn, from the first on. */
static void count_multiples(const struct grt_periods *periods, size_t draws, size_t *counts, size_t cells) {
    struct grt_random random = grt_random_of_key(20);
    memset(counts, 0, cells * sizeof *counts);
    for (size_t i = 0; i < draws; i++) {
        grt_time period = grt_periods_draw(periods, &random);
        int64_t cell = period / periods->granularity - periods->first;
        CU_ASSERT_FATAL(period % periods->granularity == 0 && cell >= 0 && (size_t)cell < cells);
        counts[cell]++;
    }
}

static void periods_are_as_frequent_as_promised(void) {
    size_t draws = (size_t)grt_suite_cases(100000, 10000000), counts[MOST_CELLS];
    double weights[MOST_CELLS];
    struct grt_errors errors = {0};
    for (int64_t method = GRT_PERIODS_UNIFORM; method <= GRT_PERIODS_LOG_UNIFORM; method++) {
        struct grt_period_spec spec = {method, 7 * GRT_MILLISECOND - 1, 101 * GRT_MILLISECOND + 5,
                                       GRT_MILLISECOND, 0};
        struct grt_periods periods;
        CU_ASSERT_FATAL(grt_periods_prepare(&spec, &periods, &errors));
        size_t cells = 95; /* 7 to 101 */
        for (size_t i = 0; i < cells; i++) {
            weights[i] = method == GRT_PERIODS_UNIFORM ? 1 : log((double)(i + 8) / (double)(i + 7));
        }
        count_multiples(&periods, draws, counts, cells);
        CU_ASSERT(grt_chi_square(counts, weights, cells) > 1e-6);
    }
}

static double log_uniform(double x, const void *context) {
    const struct grt_period_spec *spec = context;
    return log(x / (double)spec->least) / log((double)spec->most / (double)spec->least);
}

static double uniform(double x, const void *context) {
    const struct grt_generated_range *range = context;
    return (x - range->low) / (range->high - range->low);
}

static void fine_periods_are_log_uniform(void) {
    struct grt_period_spec spec = {GRT_PERIODS_LOG_UNIFORM, GRT_MILLISECOND, 100 * GRT_SECOND, 1, 0};
    struct grt_periods periods;
    struct grt_errors errors = {0};
    CU_ASSERT_FATAL(grt_periods_prepare(&spec, &periods, &errors));
    size_t draws = (size_t)grt_suite_cases(50000, 1000000);
    double *values = malloc(draws * sizeof *values);
    struct grt_random random = grt_random_of_key(21);
    for (size_t i = 0; i < draws; i++) {
        values[i] = (double)grt_periods_draw(&periods, &random);
    }
    CU_ASSERT(grt_kolmogorov(values, draws, log_uniform, &spec) < GRT_KOLMOGOROV_LIMIT);
    const struct grt_generated_range plain = {(double)spec.least, (double)spec.most};
    CU_ASSERT(grt_kolmogorov(values, draws, uniform, &plain) >
              4 * GRT_KOLMOGOROV_LIMIT); /* the test can fail */
    free(values);
}

/* All divisors in the range, found by trying every number. */
static void divisors_are_all_divisors(void) {
    static const struct grt_period_spec specs[] = {
        {GRT_PERIODS_DIVISORS, 10, 1000, 1, 216000},
        {GRT_PERIODS_DIVISORS, 1, 5000, 1, 5040},
        {GRT_PERIODS_DIVISORS, 1, 999983, 1, 999983},
        {GRT_PERIODS_DIVISORS, 15, 100000, 5, 360000},
        {GRT_PERIODS_DIVISORS, 1, 100000, 1, 2000000014} /* 2 * 1000000007 */
    };
    for (size_t s = 0; s < sizeof specs / sizeof specs[0]; s++) {
        struct grt_periods periods;
        struct grt_errors errors = {0};
        CU_ASSERT_FATAL(grt_periods_prepare(&specs[s], &periods, &errors));
        size_t counts[MOST_CELLS] = {0}, cells = 0, wrong = 0;
        double weights[MOST_CELLS];
        for (grt_time t = specs[s].least; t <= specs[s].most; t++) {
            if (specs[s].hyperperiod % t == 0 && t % specs[s].granularity == 0 &&
                (specs[s].hyperperiod / specs[s].granularity) % (t / specs[s].granularity) == 0) {
                wrong += cells >= periods.choice_count || periods.choices[cells] != t;
                weights[cells++] = 1;
            }
        }
        CU_ASSERT(wrong == 0 && cells == periods.choice_count);
        struct grt_random random = grt_random_of_key(22);
        for (int i = 0; i < 20000; i++) {
            grt_time t = grt_periods_draw(&periods, &random);
            size_t cell = 0;
            while (cell < cells && periods.choices[cell] != t) {
                cell++;
            }
            CU_ASSERT_FATAL(cell < cells);
            counts[cell]++;
        }
        CU_ASSERT(cells < 2 || grt_chi_square(counts, weights, cells) > 1e-6);
        free(periods.choices);
    }
}

static void automotive_periods_are_as_published(void) {
    static const grt_time bins[] = {1, 2, 5, 10, 20, 50, 100, 200, 1000};
    static const double shares[2][9] = {{3, 2, 2, 25, 25, 3, 20, 1, 4}, {1, 1, 1, 1, 1, 1, 1, 1, 1}};
    for (int equal = 0; equal < 2; equal++) {
        struct grt_period_spec spec = {equal ? GRT_PERIODS_AUTOMOTIVE_EQUAL : GRT_PERIODS_AUTOMOTIVE, 0, 0, 1,
                                       0};
        struct grt_periods periods;
        struct grt_errors errors = {0};
        CU_ASSERT_FATAL(grt_periods_prepare(&spec, &periods, &errors));
        struct grt_random random = grt_random_of_key(23);
        size_t counts[9] = {0};
        for (int i = 0; i < 50000; i++) {
            grt_time period = grt_periods_draw(&periods, &random);
            size_t bin = 0;
            while (bin < 9 && bins[bin] * GRT_MILLISECOND != period) {
                bin++;
            }
            CU_ASSERT_FATAL(bin < 9);
            counts[bin]++;
        }
        CU_ASSERT(grt_chi_square(counts, shares[equal], 9) > 1e-6);
        CU_ASSERT(grt_chi_square(counts, shares[!equal], 9) < 1e-12);
    }
}

/* ---- Whole sets ---- */

/* One number of every task of many sets, gathered by `pick`. */
static double *gather(const struct grt_generator_spec *spec, size_t sets,
                      double (*pick)(const struct grt_generated_task *task)) {
    struct grt_errors errors = {0};
    struct grt_generator *generator = grt_generator_create(spec, &errors);
    CU_ASSERT_FATAL(generator != NULL);
    struct grt_generated_task tasks[MOST_TASKS];
    double *values = malloc(sets * spec->task_count * sizeof *values);
    for (size_t set = 0; set < sets; set++) {
        CU_ASSERT_FATAL(grt_generator_make(generator, set, tasks));
        for (size_t i = 0; i < spec->task_count; i++) {
            values[set * spec->task_count + i] = pick(&tasks[i]);
        }
    }
    grt_generator_free(generator);
    return values;
}

static double slack_of(const struct grt_generated_task *task) {
    return (double)(task->deadline - task->execution) / (double)(task->period - task->execution);
}

static double factor_of(const struct grt_generated_task *task) {
    return (double)task->deadline / (double)task->period;
}

static double jitter_of(const struct grt_generated_task *task) {
    return (double)task->jitter / (double)task->period;
}

static double overhead_of(const struct grt_generated_task *task) {
    return (double)task->overhead;
}

static double offset_of(const struct grt_generated_task *task) {
    return (double)task->offset / (double)task->period;
}

static double utilisation_of(const struct grt_generated_task *task) {
    return task->utilisation;
}

static double whole_period_of(const struct grt_generated_task *task) {
    return (double)task->period;
}

static double period_of(const struct grt_generated_task *task) {
    return log((double)task->period);
}

static double blocks_of(const struct grt_generated_task *task) {
    return (double)task->blocks;
}

static void expect_uniform(const struct grt_generator_spec *spec,
                           double (*pick)(const struct grt_generated_task *task), double low, double high) {
    size_t sets = (size_t)grt_suite_cases(2000, 100000);
    const struct grt_generated_range range = {low, high}, other = {low - 0.1 * (high - low), high};
    double *values = gather(spec, sets, pick);
    CU_ASSERT(grt_kolmogorov(values, sets * spec->task_count, uniform, &range) < GRT_KOLMOGOROV_LIMIT);
    CU_ASSERT(grt_kolmogorov(values, sets * spec->task_count, uniform, &other) > GRT_KOLMOGOROV_LIMIT);
    free(values);
}

static void what_is_uniform_is(void) {
    struct grt_generator_spec spec = grt_generator_spec_default();
    spec.periods.granularity = 1;
    spec.jitter = (struct grt_generated_range){0.05, 0.25};
    spec.overhead = 6 * GRT_MILLISECOND;
    spec.random_offsets = true;
    spec.deadlines = GRT_DEADLINES_SLACK;
    spec.deadline_factor = (struct grt_generated_range){0.25, 1};
    expect_uniform(&spec, jitter_of, 0.05, 0.25);
    expect_uniform(&spec, overhead_of, 0, 6 * GRT_MILLISECOND);
    expect_uniform(&spec, offset_of, 0, 1);
    expect_uniform(&spec, slack_of, 0.25, 1);
    spec.deadlines = GRT_DEADLINES_FACTOR;
    spec.deadline_factor = (struct grt_generated_range){0.5, 2};
    expect_uniform(&spec, factor_of, 0.5, 2);
}

/* Beta(1, 2), for the sum of the specification. */
static double first_of_three(double x, const void *context) {
    double share = x / ((const struct grt_generator_spec *)context)->utilisation;
    return 1 - (1 - share) * (1 - share);
}

/* The streams of neighbouring sets, too, are without relation: the utilisations of sets 0, 1, 2, ... are as of one stream. */
static void sets_are_as_of_one_stream(void) {
    struct grt_generator_spec spec = grt_generator_spec_default();
    size_t sets = (size_t)grt_suite_cases(20000, 1000000);
    spec.task_count = 3;
    spec.utilisation = 0.7;
    double *values = gather(&spec, sets, utilisation_of);
    for (size_t set = 0; set < sets; set++) {
        values[set] = values[3 * set];
    }
    CU_ASSERT(grt_kolmogorov(values, sets, first_of_three, &spec) < GRT_KOLMOGOROV_LIMIT);
    free(values);
}

static double correlation(const double *a, const double *b, size_t count) {
    double n = (double)count, sums[5] = {0};
    for (size_t i = 0; i < count; i++) {
        sums[0] += a[i] / n;
        sums[1] += b[i] / n;
    }
    for (size_t i = 0; i < count; i++) {
        double x = a[i] - sums[0], y = b[i] - sums[1];
        sums[2] += x * x;
        sums[3] += y * y;
        sums[4] += x * y;
    }
    return sums[4] / sqrt(sums[2] * sums[3]);
}

/* The first task's properties, each with every other, and each with all of the set before. */
static void properties_are_independent(void) {
    static double (*const picks[])(const struct grt_generated_task *task) = {
        utilisation_of, period_of, factor_of, jitter_of, overhead_of, offset_of, blocks_of};
    enum { PICKS = sizeof picks / sizeof picks[0] };
    struct grt_generator_spec spec = grt_generator_spec_default();
    size_t sets = (size_t)grt_suite_cases(10000, 200000);
    spec.task_count = 3;
    spec.deadlines = GRT_DEADLINES_FACTOR;
    spec.deadline_factor = (struct grt_generated_range){0.5, 1};
    spec.jitter = (struct grt_generated_range){0, 0.5};
    spec.overhead = GRT_SECOND;
    spec.random_offsets = true;
    spec.periods.granularity = 1; /* in coarse steps the mean of offset / period depends on the period */
    spec.blocks.low = 1;
    spec.blocks.high = 1000;
    double *values[PICKS];
    for (size_t pick = 0; pick < PICKS; pick++) {
        values[pick] = gather(&spec, sets, picks[pick]);
        for (size_t set = 0; set < sets; set++) {
            values[pick][set] = values[pick][3 * set];
        }
    }
    for (size_t a = 0; a < PICKS; a++) {
        for (size_t b = 0; b < PICKS; b++) {
            CU_ASSERT(a == b || fabs(correlation(values[a], values[b], sets)) < 5 / sqrt((double)sets));
            CU_ASSERT(fabs(correlation(values[a], values[b] + 1, sets - 1)) < 5 / sqrt((double)sets));
        }
    }
    for (size_t pick = 0; pick < PICKS; pick++) {
        free(values[pick]);
    }
}

static grt_time multiple(grt_time a, grt_time b) {
    grt_time x = a, y = b;
    assert(a > 0 && b > 0);
    while (y != 0) {
        grt_time rest = x % y;
        x = y;
        y = rest;
    }
    return a / x * b;
}

/* The shares that docs/generating.md tells, in its digits: periods uniform from 100 to 2000 ms, hyperperiod below 1000 s. */
static void short_hyperperiods_are_rare(void) {
    static const struct {
        grt_time step; /* ms */
        size_t tasks;
        double share, digit;
    } cases[] = {{1, 2, .70, .005},     {1, 3, .022, .0005}, {50, 5, .45, .005},
                 {50, 10, .028, .0005}, {100, 5, .82, .005}, {100, 10, .26, .005}};
    size_t sets = (size_t)grt_suite_cases(20000, 1000000);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct grt_generator_spec spec = grt_generator_spec_default();
        spec.task_count = cases[i].tasks;
        spec.periods = (struct grt_period_spec){GRT_PERIODS_UNIFORM, 100 * GRT_MILLISECOND, 2 * GRT_SECOND,
                                                cases[i].step * GRT_MILLISECOND, 0};
        double *values = gather(&spec, sets, whole_period_of), n = (double)sets, short_ones = 0;
        for (size_t set = 0; set < sets; set++) {
            grt_time hyperperiod = 1;
            for (size_t task = 0; task < cases[i].tasks && hyperperiod < 1000 * GRT_SECOND; task++) {
                hyperperiod = multiple(hyperperiod, (grt_time)values[set * cases[i].tasks + task]);
            }
            short_ones += hyperperiod < 1000 * GRT_SECOND;
        }
        CU_ASSERT(fabs(short_ones / n - cases[i].share) <
                  cases[i].digit + 5 * sqrt(cases[i].share * (1 - cases[i].share) / n));
        free(values);
    }
}

static void numbers_of_blocks_are_even(void) {
    struct grt_generator_spec spec = grt_generator_spec_default();
    spec.blocks.low = 5;
    spec.blocks.high = 24;
    enum { SETS = 3000, CELLS = 20 };
    double *values = gather(&spec, SETS, blocks_of), weights[CELLS];
    size_t counts[CELLS] = {0};
    for (size_t i = 0; i < SETS * spec.task_count; i++) {
        CU_ASSERT_FATAL(values[i] >= 5 && values[i] <= 24);
        counts[(size_t)values[i] - 5]++;
    }
    for (size_t i = 0; i < CELLS; i++) {
        weights[i] = 1;
    }
    CU_ASSERT(grt_chi_square(counts, weights, CELLS) > 1e-6);
    free(values);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"periods are as frequent as promised", periods_are_as_frequent_as_promised},
        {"fine periods are log-uniform", fine_periods_are_log_uniform},
        {"divisors are all divisors", divisors_are_all_divisors},
        {"automotive periods are as published", automotive_periods_are_as_published},
        {"what is uniform is", what_is_uniform_is},
        {"sets are as of one stream", sets_are_as_of_one_stream},
        {"properties are independent", properties_are_independent},
        {"short hyperperiods are rare", short_hyperperiods_are_rare},
        {"numbers of blocks are even", numbers_of_blocks_are_even},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("generated task sets", tests);
}
