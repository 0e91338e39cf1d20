/* Pictures of worst-case times: what is drawn where. */
#include <math.h>
#include <string.h>

#include "calib/program/report/chart.h"
#include "calib/program/report/worst.h"
#include "tests/support/execution_times.h"
#include "tests/support/suite.h"

enum { RUNS = 10000 };
static double series[RUNS];

static const struct grt_pwcet *analyse(enum grt_times_kind kind, struct grt_arena *arena) {
    struct grt_random random = grt_random_stream(7, "chart", 0, 0);
    struct grt_errors errors = {0};
    grt_times_fill(kind, &random, series, RUNS);
    struct grt_pwcet_input input = grt_pwcet_defaults();
    input.values = series, input.count = RUNS, input.replicates = 200;
    const struct grt_pwcet *pwcet = grt_pwcet_analyse(&input, arena, &errors);
    CU_ASSERT_PTR_NOT_NULL_FATAL(pwcet);
    return pwcet;
}

static bool has_band(const struct grt_chart_line *line) {
    bool all = true, any = false;
    for (size_t i = 0; i < line->count; i++) {
        const struct grt_figure_point *point = &line->points[i];
        bool known = isfinite(point->low) && isfinite(point->high);
        all = all && known;
        any = any || known;
        CU_ASSERT_TRUE(!known || (point->low <= point->y && point->y <= point->high));
    }
    CU_ASSERT_TRUE(all || !any);
    return any;
}

/* Every method has a line; with a band where it describes the tail, which is wider the rarer the times are; and a mark at the number of runs. */
static void returns_have_bands_and_an_end(void) {
    struct grt_arena arena = {0};
    const struct grt_pwcet *pwcet = analyse(GRT_TIMES_EXPONENTIAL, &arena);
    const struct grt_chart chart = grt_chart_of_returns(pwcet, "k", &arena);
    size_t at = 1, bands = 0;
    CU_ASSERT_STRING_EQUAL(chart.title, "k: times that are exceeded rarely");
    CU_ASSERT_STRING_EQUAL(chart.y_label, "Time (ns); bands: 95 % intervals");
    for (size_t i = 0; i < GRT_PWCET_METHODS; i++) {
        const struct grt_pwcet_fit *fit = &pwcet->fits[i];
        if (fit->why_not != NULL) {
            continue;
        }
        const struct grt_chart_line *line = &chart.lines[at];
        CU_ASSERT_EQUAL(chart.pens[at], 1 + i);
        const struct grt_figure_point *first = &line->points[0], *last = &line->points[line->count - 1];
        CU_ASSERT_EQUAL(has_band(line), fit->is_good);
        CU_ASSERT_EQUAL(strstr(line->label, "(does not fit)") == NULL, fit->is_good);
        CU_ASSERT_TRUE(!fit->is_good || last->high - last->low > 3 * (first->high - first->low));
        /* it ends with the rarest answer, and says the same */
        CU_ASSERT_DOUBLE_EQUAL(last->x, 1e9, 1);
        CU_ASSERT_DOUBLE_EQUAL(last->y, fit->quantiles[2].value, 1e-6 * last->y);
        CU_ASSERT_TRUE(!fit->is_good || fabs(last->high - fit->quantiles[2].high) < 1e-6 * last->high);
        bands += fit->is_good;
        at++;
    }
    CU_ASSERT_TRUE(bands > 0);
    CU_ASSERT_EQUAL_FATAL(at + 1, chart.line_count);
    const struct grt_chart_line *end = &chart.lines[at];
    CU_ASSERT_STRING_EQUAL(end->label, "10000 runs measured; to the right: extrapolated");
    CU_ASSERT_TRUE(end->count == 2 && end->points[0].x == RUNS && end->points[1].x == RUNS);
    CU_ASSERT_TRUE(end->points[0].y < end->points[1].y);
    grt_arena_clear(&arena);
}

/* The sample of a good fit is inside the band at nearly all points; the picture of a mixture says that it was refused. */
static void quantiles_have_bands(void) {
    static const enum grt_times_kind kinds[] = {GRT_TIMES_EXPONENTIAL, GRT_TIMES_SLOW_MODE};
    for (size_t k = 0; k < 2; k++) {
        struct grt_arena arena = {0};
        const struct grt_chart chart = grt_chart_of_quantiles(analyse(kinds[k], &arena), "k", &arena);
        CU_ASSERT_EQUAL_FATAL(chart.line_count, 2);
        const struct grt_chart_line *sample = &chart.lines[0], *agreed = &chart.lines[1];
        CU_ASSERT_TRUE(sample->count == agreed->count && sample->count > 40 && has_band(agreed));
        size_t inside = 0;
        for (size_t i = 0; i < sample->count; i++) {
            inside +=
                agreed->points[i].low <= sample->points[i].y && sample->points[i].y <= agreed->points[i].high;
        }
        CU_ASSERT_TRUE(k == 1 || inside >= sample->count * 9 / 10);
        CU_ASSERT_STRING_EQUAL(chart.title, k == 0 ? "k: quantiles" : "k: quantiles (refused)");
        grt_arena_clear(&arena);
    }
}

/* A constant time is drawn as it is, with nothing beside it. */
static void constants_have_no_models(void) {
    struct grt_arena arena = {0};
    struct grt_errors errors = {0};
    for (size_t i = 0; i < RUNS; i++) {
        series[i] = 12000;
    }
    struct grt_pwcet_input input = grt_pwcet_defaults();
    input.values = series, input.count = RUNS;
    const struct grt_pwcet *pwcet = grt_pwcet_analyse(&input, &arena, &errors);
    const struct grt_chart returns = grt_chart_of_returns(pwcet, "k", &arena);
    CU_ASSERT_EQUAL(returns.line_count, 1);
    CU_ASSERT_STRING_EQUAL(returns.title, "k: times that are exceeded rarely (constant)");
    CU_ASSERT_STRING_EQUAL(returns.y_label, "Time (us)");
    CU_ASSERT_EQUAL(grt_chart_of_quantiles(pwcet, "k", &arena).line_count, 0);
    grt_arena_clear(&arena);
}

/* Of the largest of 50 exponential values 95 percent are between -ln(1 - 0.025^(1/50)) and -ln(1 - 0.975^(1/50)). */
static void bands_are_those_of_order_statistics(void) {
    struct grt_arena arena = {0};
    struct grt_pwcet pwcet = {.largest = 1, .answer_count = 1};
    double sorted[50];
    for (size_t i = 0; i < 50; i++) {
        sorted[i] = -log(1 - ((double)i + 0.5) / 50);
    }
    for (size_t i = 0; i < GRT_PWCET_METHODS; i++) {
        pwcet.fits[i].why_not = "not tried";
    }
    pwcet.answers[0].verdict = GRT_PWCET_NO_MODEL;
    pwcet.sorted = sorted, pwcet.count = 50;
    pwcet.fits[GRT_PWCET_EXPONENTIAL] =
        (struct grt_pwcet_fit){.estimate = {.likely = {.extreme = {GRT_EXTREME_EXPONENTIAL, 0, 1, 0}}},
                               .count = 50,
                               .block = 1,
                               .rate = 1};
    const struct grt_chart chart = grt_chart_of_quantiles(&pwcet, "k", &arena);
    const struct grt_figure_point *largest = &chart.lines[1].points[49];
    CU_ASSERT_DOUBLE_EQUAL(largest->low, -log(1 - pow(0.025, 1.0 / 50)), 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(largest->high, -log(1 - pow(0.975, 1.0 / 50)), 1e-9);
    const struct grt_figure_point *smallest = &chart.lines[1].points[0];
    CU_ASSERT_DOUBLE_EQUAL(smallest->low, -log(0.975) / 50, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(smallest->high, -log(0.025) / 50, 1e-9);
    grt_arena_clear(&arena);
}

static void expect_bound(double value, const char *lower, const char *upper) {
    struct grt_arena arena = {0};
    CU_ASSERT_STRING_EQUAL(grt_worst_lower_text(value, "ns", &arena), lower);
    CU_ASSERT_STRING_EQUAL(grt_worst_upper_text(value, "ns", &arena), upper);
    grt_arena_clear(&arena);
}

/* A worst case that is shown is never shorter than it is, and the same that is in a kernel file. */
static void bounds_are_rounded_outwards(void) {
    expect_bound(178656, "178.656us", "178.656us");
    expect_bound(175952.3, "175.952us", "175.953us");
    expect_bound(3 * (178656.0 / 3), "178.656us", "178.656us");
    expect_bound(1234567890.4, "1.23456789s", "1.234567891s");
    expect_bound(999.9999, "999.999ns", "1us");
    expect_bound(99.1234, "99.123ns", "99.124ns");
    expect_bound(0, "0ns", "0ns");
    expect_bound(NAN, "-", "-");
}

int main(void) {
    CU_TestInfo tests[] = {{"returns have bands and an end", returns_have_bands_and_an_end},
                           {"quantiles have bands", quantiles_have_bands},
                           {"constants have no models", constants_have_no_models},
                           {"bands are those of order statistics", bands_are_those_of_order_statistics},
                           {"bounds are rounded outwards", bounds_are_rounded_outwards},
                           CU_TEST_INFO_NULL};
    return grt_suite_run("pictures of worst-case times", tests);
}
