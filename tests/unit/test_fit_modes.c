/* What medians do not say: samples in two places, samples that differ although the interval is a point, the longest of a few, steps that are no whole ns. */
#include <math.h>
#include <string.h>

#include "calib/fit/build.h"
#include "calib/program/report/findings.h"
#include "tests/support/findings.h"
#include "tests/support/raw_samples.h"
#include "tests/support/suite.h"

static struct raw_samples samples;

/* ---- modes ---- */

static void only_far_places_are_modes(void) {
    enum { COUNT = 100 };
    static const struct {
        double low_width, high, high_width;
        int above; /* of 100 samples */
        bool modes;
    } cases[] = {
        {0, 50000, 0, 43, true}, {100, 50000, 300, 10, true},    {100, 50000, 300, 9, false},
        {0, 1, 0, 50, false},    {40000, 50000, 300, 50, false}, {100, 400, 200, 50, false},
        {0, 1020, 0, 50, false}, /* from 1000 on: 2 % more */
    };
    struct grt_arena arena = {0};
    struct grt_fit_build build = {.arena = &arena};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double sorted[COUNT], start = i == 6 ? 1000 : 0;
        for (int j = 0; j < COUNT; j++) {
            int below = COUNT - cases[i].above;
            sorted[j] = j < below ? start + cases[i].low_width * j / below
                                  : cases[i].high + cases[i].high_width * (j - below) / cases[i].above;
        }
        CU_ASSERT_EQUAL(grt_fit_modes(&build, sorted, COUNT, 1).text != NULL, cases[i].modes);
        CU_ASSERT_PTR_NULL(
            grt_fit_modes(&build, sorted, COUNT, 50000).text); /* the clock's step hides them */
    }
    grt_arena_clear(&arena);
}

static bool is_in(const char *text, const char *part) {
    bool found = text != NULL && strstr(text, part) != NULL;
    if (!found) {
        printf("    \"%s\" is not in \"%s\"\n", part, text != NULL ? text : "");
    }
    return found;
}

/* Three of seven gaps are long; the median of each visit is 0. */
static void gaps_of_two_kinds_are_not_exact(void) {
    raw_start(&samples, 4);
    struct grt_raw_cell *cell = raw_cell(&samples, "launch", 210, "what=gap,streams=other");
    int64_t *gaps = raw_column(&samples, cell, "gap_ns"), *launches = raw_column(&samples, cell, "launch");
    int64_t *visits = grt_arena_array(&samples.arena, 210, sizeof *visits);
    for (int64_t i = 0; i < 210; i++) {
        gaps[i] = i % 7 % 2 * 50000;
        launches[i] = i / 7;
        visits[i] = i / 35;
    }
    cell->visits = visits;
    const struct grt_fit *fit = grt_fit_all(&samples.raw, &samples.arena);
    const struct grt_finding *gap = grt_fit_find(fit, "launch_gap_other_stream");
    CU_ASSERT_PTR_NOT_NULL_FATAL(gap);
    CU_ASSERT(gap->value == 0 && gap->varied);
    CU_ASSERT_STRING_EQUAL(grt_finding_interval_text(gap, &samples.arena), "0ns to 50us");
    CU_ASSERT_TRUE(is_in(gap->how, "two modes: 57 % of the samples about 0, 43 % about 50000 ns, and the "
                                   "interval reaches over both"));
    CU_ASSERT_PTR_NULL(strstr(gap->how, "the same"));
    CU_ASSERT_TRUE(is_warned(fit, "launch_gap_other_stream has two modes"));
    for (int i = 0; i < 210; i++) {
        gaps[i] = 700;
    }
    gap = grt_fit_find(grt_fit_all(&samples.raw, &samples.arena), "launch_gap_other_stream");
    CU_ASSERT_STRING_EQUAL(grt_finding_interval_text(gap, &samples.arena), "exact");
    CU_ASSERT_TRUE(is_in(gap->how, "all 210 samples are the same"));
    grt_arena_clear(&samples.arena);
}

/* ---- the longest ---- */

static void quantiles_need_samples(void) {
    double sorted[200];
    struct grt_arena arena = {0};
    struct grt_fit_build build = {.arena = &arena};
    for (int i = 0; i < 200; i++) {
        sorted[i] = i + 1;
    }
    CU_ASSERT_STRING_EQUAL(grt_fit_longest(&build, sorted, 20, " ns"), "the largest of 20 is 20 ns");
    CU_ASSERT_STRING_EQUAL(grt_fit_longest(&build, sorted, 200, " ns"),
                           "99 % are at most 198.01 ns, the largest is 200 ns");
    grt_arena_clear(&arena);
}

/* ---- steps ---- */

/* A timer whose values are multiples of 10.4 ns, cut to whole ns. */
static void uneven_steps_are_not_exact(void) {
    raw_start(&samples, 4);
    struct grt_raw_cell *cell = raw_cell(&samples, "clock", 300, "what=tick");
    int64_t *deltas = raw_column(&samples, cell, "delta_ns");
    for (int i = 0; i < 300; i++) {
        deltas[i] = (int64_t)floor(10.4 * (2 + i % 5));
    }
    const struct grt_finding *step = grt_fit_find(grt_fit_all(&samples.raw, &samples.arena), "timer_step");
    CU_ASSERT_FATAL(step != NULL && step->status == GRT_FINDING_MEASURED);
    CU_ASSERT(step->low < step->value && step->value < step->high);
    CU_ASSERT(step->low <= 10.4 && 10.4 <= step->high);
    for (int i = 0; i < 300; i++) {
        deltas[i] = 32 * (1 + i % 5);
    }
    step = grt_fit_find(grt_fit_all(&samples.raw, &samples.arena), "timer_step");
    CU_ASSERT(step->low == 32 && step->high == 32);
    grt_arena_clear(&samples.arena);
}

/* ---- overlap ---- */

static void overlaps_above_one_are_explained(void) {
    for (int quick = 0; quick <= 1; quick++) {
        raw_start(&samples, 4);
        struct grt_raw_cell *cell = raw_cell(&samples, "engines", 30, "first=d2d,second=d2d,bytes=16777216");
        int64_t *first = raw_column(&samples, cell, "first_ns"),
                *second = raw_column(&samples, cell, "second_ns");
        int64_t *both = raw_column(&samples, cell, "together_ns");
        for (int i = 0; i < 30; i++) {
            first[i] = second[i] = 1000;
            both[i] = quick ? 700 : 1000;
        }
        const struct grt_finding *overlap =
            grt_fit_find(grt_fit_all(&samples.raw, &samples.arena), "d2d and d2d: overlap");
        CU_ASSERT_PTR_NOT_NULL_FATAL(overlap);
        CU_ASSERT_STRING_EQUAL(grt_finding_value_text(overlap, &samples.arena),
                               quick ? "1.3 of the shorter" : "1 of the shorter");
        CU_ASSERT_EQUAL(strstr(overlap->how, "above 1") != NULL, quick == 1);
        grt_arena_clear(&samples.arena);
    }
}

/* ---- numbers ---- */

static void rounding_is_no_number(void) {
    static const struct {
        enum grt_finding_unit unit;
        double value;
        const char *text;
    } cases[] = {{GRT_UNIT_NONE, 2.2204e-16, "0"},
                 {GRT_UNIT_PERCENT, -3e-14, "0%"},
                 {GRT_UNIT_NS, 0, "0ns"},
                 {GRT_UNIT_NONE, -1.5e-11, "-1.5e-11"},
                 {GRT_UNIT_PERCENT, 0.25, "0.25%"}};
    struct grt_arena arena = {0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CU_ASSERT_STRING_EQUAL(grt_finding_number_text(cases[i].value, cases[i].unit, &arena), cases[i].text);
    }
    const struct grt_finding exact = {.status = GRT_FINDING_MEASURED, .residual = 1.1e-16};
    CU_ASSERT_STRING_EQUAL(grt_finding_residual_text(&exact, &arena), "0%");
    grt_arena_clear(&arena);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"only far places are modes", only_far_places_are_modes},
        {"gaps of two kinds are not exact", gaps_of_two_kinds_are_not_exact},
        {"quantiles need samples", quantiles_need_samples},
        {"uneven steps are not exact", uneven_steps_are_not_exact},
        {"overlaps above one are explained", overlaps_above_one_are_explained},
        {"rounding is no number", rounding_is_no_number},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("fits: what medians do not say", tests);
}
