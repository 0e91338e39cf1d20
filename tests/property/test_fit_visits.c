/* labels: soak */
/* Intervals of samples that are not independent: noise that blocks of a launch have in common, and launches of a visit. Intervals that take every sample as one of its own hold the truth far too
 * seldom, and fail here. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_statistics_double.h>

#include "calib/fit/fit.h"
#include "sim/random_gsl.h"
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

/* Gaps between parts are held against their truth where that is far from 0, below which no interval reaches. */
static void gaps_of_parts_have_noise(void) {
    static const struct levels all[] = {
        {6, 5, 1, 500, 0, 100}, {12, 5, 1, 500, 0, 100}, {4, 5, 1, 500, 0, 100}};
    for (size_t l = 0; l < sizeof all / sizeof all[0]; l++) {
        int inside = 0, cases = grt_suite_cases(60, 2000);
        for (int i = 0; i < cases; i++) {
            struct grt_random random = grt_random_stream(5 + l, "visits", (uint64_t)i, 0);
            raw_start(&samples, 4);
            raw_workload(&samples, "fma", GRT_KERNEL_FMA, 256, 2);
            for (int parts = 2; parts <= 4; parts *= 2) {
                int gaps = parts - 1;
                const struct levels own = {
                    all[l].visits,         all[l].launches, all[l].values, gaps * all[l].visit_ns, 0,
                    gaps * all[l].value_ns};
                struct grt_raw_cell *cell =
                    raw_cell(&samples, "split", rows(&own), "kernel=fma,parts=%d,whole_waves=1", parts);
                const int64_t *gap = draw(&random, cell, "gap_ns", gaps * truth, &own);
                int64_t *span = raw_column(&samples, cell, "span_ns");
                for (size_t k = 0; k < cell->count; k++) {
                    span[k] = 2000000 + gap[k];
                }
            }
            inside += covers(grt_fit_all(&samples.raw, &samples.arena), "fma: split_overhead", truth);
        }
        double part = (double)inside / cases;
        printf("\n    %zu visits: gaps of parts %.1f %%", all[l].visits, 100 * part);
        CU_ASSERT(part >= 0.95 - 3.5 * sqrt(0.95 * 0.05 / cases) - 0.005);
    }
}

/* ---- signs ---- */

enum { MOST_VISITS = 5, VISIT_ROWS = 15 };

/* Student's t of the mean signs of visits about a place: by its definition, one place after the other. */
static double statistic_at(const int64_t *values, const size_t *first, size_t visits, int64_t place) {
    double means[MOST_VISITS];
    for (size_t v = 0; v < visits; v++) {
        int sum = 0;
        for (size_t i = first[v]; i < first[v + 1]; i++) {
            sum += (values[i] > place) - (values[i] < place);
        }
        means[v] = sum / (double)(first[v + 1] - first[v]);
    }
    double mean = gsl_stats_mean(means, 1, visits);
    return fabs(mean) < 1e-9 ? 0 : fabs(mean) / (gsl_stats_sd(means, 1, visits) / sqrt((double)visits));
}

/* Intervals of few visits: Student's of their medians, and all places about which signs are even. */
static void intervals_of_few_visits_reach_over_signs(void) {
    int cases = grt_suite_cases(200, 5000), wider = 0;
    for (int i = 0; i < cases; i++) {
        struct grt_random random = grt_random_stream(6, "signs", (uint64_t)i, 0);
        gsl_rng rng = grt_random_gsl(&random);
        size_t visits = 2 + (size_t)i % (MOST_VISITS - 1), first[MOST_VISITS + 1] = {0};
        for (size_t v = 0; v < visits; v++) {
            first[v + 1] = first[v] + 3 + grt_random_below(&random, VISIT_ROWS - 2);
        }
        raw_start(&samples, 4);
        struct grt_raw_cell *cell = raw_cell(&samples, "launch", first[visits], "what=gap,streams=same");
        int64_t *values = raw_column(&samples, cell, "gap_ns");
        int64_t *visit = grt_arena_array(&samples.arena, cell->count, sizeof *visit);
        double medians[MOST_VISITS];
        for (size_t v = 0; v < visits; v++) {
            double sorted[VISIT_ROWS];
            size_t count = first[v + 1] - first[v];
            for (size_t k = 0; k < count; k++) {
                values[first[v] + k] = 100000 + llround(gsl_ran_exponential(&rng, 20));
                visit[first[v] + k] = (int64_t)v;
                sorted[k] = (double)values[first[v] + k];
            }
            medians[v] = gsl_stats_median(sorted, 1, count);
        }
        cell->visits = visit;
        double t = gsl_cdf_tdist_Pinv(0.975, (double)visits - 1), mean = gsl_stats_mean(medians, 1, visits);
        double half = t * gsl_stats_sd(medians, 1, visits) / sqrt((double)visits);
        double low = mean - half, high = mean + half;
        for (size_t k = 0; k < cell->count; k++) {
            if (statistic_at(values, first, visits, values[k]) <= t) {
                low = fmin(low, (double)values[k]);
                high = fmax(high, (double)values[k]);
            }
        }
        const struct grt_finding *gap = grt_fit_find(grt_fit_all(&samples.raw, &samples.arena), "launch_gap");
        CU_ASSERT_FATAL(gap != NULL && gap->status == GRT_FINDING_MEASURED);
        CU_ASSERT_DOUBLE_EQUAL(gap->low, low, 1e-6);
        CU_ASSERT_DOUBLE_EQUAL(gap->high, high, 1e-6);
        wider += low < mean - half || high > mean + half;
    }
    CU_ASSERT(10 * wider > cases); /* the signs do say something */
}

/* A file of a MB or two: not every place is held against every sample, which would take half a minute and more. */
static void many_samples_of_few_visits(void) {
    const struct levels levels = {2, 1, 100000, 0, 0, 1000000};
    struct grt_random random = grt_random_stream(7, "visits", 0, 0);
    raw_start(&samples, 4);
    struct grt_raw_cell *cell = raw_cell(&samples, "launch", rows(&levels), "what=gap,streams=same");
    draw(&random, cell, "gap_ns", 100 * 1e6, &levels);
    CU_ASSERT_TRUE(covers(grt_fit_all(&samples.raw, &samples.arena), "launch_gap", 100 * 1e6));
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
        {"gaps of parts have noise", gaps_of_parts_have_noise},
        {"intervals of few visits reach over signs", intervals_of_few_visits_reach_over_signs},
        {"many samples of few visits", many_samples_of_few_visits},
        {"one visit has no interval", one_visit_has_no_interval},
        CU_TEST_INFO_NULL,
    };
    int result = grt_suite_run("intervals of samples that are not independent", tests);
    grt_arena_clear(&samples.arena);
    return result;
}
