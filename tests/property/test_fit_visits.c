/* labels: soak */
/* Intervals of samples that are not independent: noise that blocks of a launch have in common, and launches of a visit. Intervals that take every sample as one of its own hold the truth far too
 * seldom, and fail here. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <gsl/gsl_randist.h>

#include "calib/fit/fit.h"
#include "sim/random.h"
#include "tests/support/raw_samples.h"
#include "tests/support/suite.h"

static struct raw_samples samples;

/* How samples come about: of each visit so many launches, of each launch so many samples; normal deviations of each. */
struct levels {
    size_t visits, launches, values;
    double visit_ns, launch_ns, value_ns;
};

static int64_t *draw(struct grt_random *random, struct grt_raw_cell *cell, const char *column, double truth,
                     const struct levels *levels) {
    gsl_rng rng = grt_random_gsl(random);
    int64_t *values = raw_column(&samples, cell, column);
    int64_t *launch = raw_column(&samples, cell, "launch");
    int64_t *visit = grt_arena_array(&samples.arena, cell->count, sizeof *visit);
    size_t at = 0;
    for (size_t i = 0; i < levels->visits; i++) {
        double center = truth + gsl_ran_gaussian(&rng, levels->visit_ns);
        for (size_t j = 0; j < levels->launches; j++) {
            double own = center + gsl_ran_gaussian(&rng, levels->launch_ns);
            for (size_t k = 0; k < levels->values; k++, at++) {
                values[at] = llround(own + gsl_ran_gaussian(&rng, levels->value_ns));
                launch[at] = (int64_t)(i * levels->launches + j);
                visit[at] = (int64_t)i;
            }
        }
    }
    cell->visits = visit;
    return values;
}

static size_t rows(const struct levels *levels) {
    return levels->visits * levels->launches * levels->values;
}

static const char *const cells[][4] = {
    {"coresidency", "kernel=fma,per_sm=2", "block_ns", "fma: block_time"},
    {"launch", "what=gap,streams=same", "gap_ns", "launch_gap"},
    {"launch", "what=call,queue=deep", "call_ns", "launch_call_deep"},
    {"launch", "what=call,queue=empty", "call_ns", "launch_call"},
    {"partition", "kernel=fma,sms=2,how=green", "span_ns", "fma: partition"}, /* over the next one */
    {"partition", "kernel=fma,sms=4,how=green", "span_ns", NULL},
};
enum { CELLS = sizeof cells / sizeof cells[0] };

static const double truth = 30000;

static bool covers(const struct grt_fit *fit, const char *name, double value) {
    const struct grt_finding *finding = grt_fit_find(fit, name);
    CU_ASSERT_FATAL(finding != NULL && finding->status == GRT_FINDING_MEASURED);
    CU_ASSERT_FATAL(finding->high - finding->low > 0); /* an interval there is */
    return finding->low <= value && value <= finding->high;
}

static void expect_coverage(const char *what, const struct levels levels[CELLS], uint64_t seed) {
    int inside[CELLS] = {0}, cases = grt_suite_cases(60, 2000);
    for (int i = 0; i < cases; i++) {
        struct grt_random random = grt_random_stream(seed, "visits", (uint64_t)i, 0);
        raw_start(&samples, 4);
        raw_workload(&samples, "fma", GRT_KERNEL_FMA, 256, 2);
        for (size_t k = 0; k < CELLS; k++) {
            struct grt_raw_cell *cell = raw_cell(&samples, cells[k][0], rows(&levels[k]), "%s", cells[k][1]);
            draw(&random, cell, cells[k][2], truth, &levels[k]);
        }
        const struct grt_fit *fit = grt_fit_all(&samples.raw, &samples.arena);
        for (size_t k = 0; k < CELLS && cells[k][3] != NULL; k++) {
            inside[k] += covers(fit, cells[k][3], k == 4 ? 1 : truth);
        }
    }
    for (size_t k = 0; k < CELLS && cells[k][3] != NULL; k++) {
        double part = (double)inside[k] / cases;
        printf("\n    %s: %-18s %.1f %%", what, cells[k][3], 100 * part);
        CU_ASSERT(part >= 0.95 - 3.5 * sqrt(0.95 * 0.05 / cases) - 0.005);
    }
}

/* Blocks of a launch are slow together, and bursts of launches. */
static void launches_have_noise(void) {
    const struct levels levels[CELLS] = {{6, 2, 256, 0, 500, 100}, {6, 5, 7, 0, 500, 100},
                                         {6, 5, 16, 0, 500, 100},  {6, 5, 1, 0, 500, 100},
                                         {6, 5, 1, 0, 500, 100},   {6, 5, 1, 0, 500, 100}};
    expect_coverage("launches", levels, 1);
}

static void visits_have_noise(void) {
    const struct levels levels[CELLS] = {{15, 2, 64, 500, 100, 100}, {6, 5, 7, 500, 100, 100},
                                         {12, 5, 16, 500, 100, 100}, {12, 5, 1, 500, 100, 0},
                                         {6, 5, 1, 500, 100, 0},     {6, 5, 1, 500, 100, 0}};
    expect_coverage("visits", levels, 2);
}

static void a_few_visits_are_students(void) {
    const struct levels levels[CELLS] = {{2, 2, 64, 500, 100, 100}, {3, 5, 7, 500, 100, 100},
                                         {4, 5, 16, 500, 100, 100}, {5, 5, 1, 500, 100, 0},
                                         {5, 5, 1, 500, 100, 0},    {5, 5, 1, 500, 100, 0}};
    expect_coverage("few visits", levels, 3);
}

/* However many samples: nothing tells how visits differ. */
static void one_visit_has_no_interval(void) {
    const struct levels levels = {1, 10, 256, 0, 100, 100};
    struct grt_random random = grt_random_stream(4, "visits", 0, 0);
    raw_start(&samples, 4);
    raw_workload(&samples, "fma", GRT_KERNEL_FMA, 256, 2);
    struct grt_raw_cell *cell = raw_cell(&samples, "coresidency", rows(&levels), "%s", "kernel=fma,per_sm=2");
    draw(&random, cell, "block_ns", truth, &levels);
    const struct grt_finding *finding =
        grt_fit_find(grt_fit_all(&samples.raw, &samples.arena), "fma: block_time");
    CU_ASSERT_FATAL(finding != NULL && finding->status == GRT_FINDING_MEASURED);
    CU_ASSERT(fabs(finding->value - truth) < 1000);
    CU_ASSERT(isnan(finding->low) && isnan(finding->high));
    CU_ASSERT_PTR_NOT_NULL(strstr(finding->how, "of one visit"));
}

int main(void) {
    static CU_TestInfo tests[] = {
        {"launches have noise", launches_have_noise},
        {"visits have noise", visits_have_noise},
        {"a few visits are Student's", a_few_visits_are_students},
        {"one visit has no interval", one_visit_has_no_interval},
        CU_TEST_INFO_NULL,
    };
    int result = grt_suite_run("intervals of samples that are not independent", tests);
    grt_arena_clear(&samples.arena);
    return result;
}
