/* What a kernel in parts costs, by raw samples: one gap for all, gaps of parts that are too short for the pace of launches, and gaps that no rule explains. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "calib/fit/fit.h"
#include "tests/support/raw_samples.h"
#include "tests/support/suite.h"

static struct raw_samples samples;

static void start(void) {
    raw_start(&samples, 2);
    raw_workload(&samples, "fma", GRT_KERNEL_FMA, 256, 8);
}

enum { ROWS = 30, VISIT = 5 };

/* Samples of so many parts: of each, what the blocks take and a gap between two parts. The blocks of each further part wait `wait` ns for the last one. */
static void add_cell(int parts, int64_t blocks_ns, int64_t gap, int64_t wait) {
    struct grt_raw_cell *cell = raw_cell(&samples, "split", ROWS, "kernel=fma,parts=%d,whole_waves=1", parts);
    int64_t *span = raw_column(&samples, cell, "span_ns"), *gaps = raw_column(&samples, cell, "gap_ns");
    int64_t *visits = grt_arena_array(&samples.arena, ROWS, sizeof *visits);
    for (int i = 0; i < ROWS; i++) {
        gaps[i] = (parts - 1) * gap;
        span[i] = blocks_ns + gaps[i] + (parts - 1) * (wait > 0 ? wait + 13 * i % 7 : 0);
        visits[i] = i / VISIT;
    }
    cell->visits = visits;
}

static const struct grt_fit *fit(void) {
    return grt_fit_all(&samples.raw, &samples.arena);
}

static const struct grt_finding *overhead(const struct grt_fit *all) {
    const struct grt_finding *finding = grt_fit_find(all, "fma: split_overhead");
    CU_ASSERT_PTR_NOT_NULL_FATAL(finding);
    return finding;
}

static bool says(const char *text, const char *words) {
    bool found = text != NULL && strstr(text, words) != NULL;
    if (!found) {
        printf("\n%s", text != NULL ? text : "(nothing)");
    }
    return found;
}

/* The time of all grows by 800 ns for each part as well, since its first block waits for the last one before: no cost of splitting. */
static void one_gap_for_all(void) {
    start();
    for (int parts = 1; parts <= 16; parts *= 2) {
        add_cell(parts, 400000, 1500, 800);
    }
    const struct grt_fit *all = fit();
    const struct grt_finding *finding = overhead(all);
    CU_ASSERT_EQUAL_FATAL(finding->status, GRT_FINDING_MEASURED);
    CU_ASSERT_DOUBLE_EQUAL(finding->value, 1500, 0);
    CU_ASSERT(finding->low <= 1500 && 1500 <= finding->high && finding->high - finding->low < 10);
    CU_ASSERT_DOUBLE_EQUAL(all->workloads[0].split_overhead, 1500, 0);
    CU_ASSERT_DOUBLE_EQUAL(finding->residual, 0, 0);
    CU_ASSERT_TRUE(says(finding->how, "of 16 parts"));
}

/* All samples of a number of parts are the same, but not those of two: no gap is exact. */
static void gaps_that_nearly_agree_are_not_exact(void) {
    static const int64_t gaps[] = {910, 950, 1000, 1000};
    start();
    add_cell(1, 400000, 0, 0);
    for (int i = 0; i < 4; i++) {
        add_cell(2 << i, 400000, gaps[i], 800);
    }
    const struct grt_finding *finding = overhead(fit());
    CU_ASSERT_EQUAL_FATAL(finding->status, GRT_FINDING_MEASURED);
    CU_ASSERT_DOUBLE_EQUAL(finding->value, 1000, 0);
    CU_ASSERT_DOUBLE_EQUAL(finding->low, 910, 0);
    CU_ASSERT_DOUBLE_EQUAL(finding->high, 1000, 0);
    CU_ASSERT_TRUE(finding->varied);
    CU_ASSERT_TRUE(says(finding->how, "others that differ by little: 910 ns between 2 parts"));
}

/* Two numbers of parts, where the shorter parts have the shorter gap: nothing waits for launches. Each visit is off by up to 60 ns, to one side and the other. */
static void shorter_gaps_of_shorter_parts_are_refused(void) {
    static const struct { int64_t longer, off; } cases[] = {{9000, 0}, {1400, 0}, {1500, 60}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        start();
        add_cell(1, 400000, 0, 0);
        add_cell(2, 400000, cases[k].longer, 0);
        add_cell(4, 400000, 1000, 0);
        for (size_t c = samples.raw.cell_count - 2; c < samples.raw.cell_count; c++) {
            int64_t *gaps = (int64_t *)(uintptr_t)grt_raw_values(&samples.cells[c], "gap_ns");
            int64_t parts = grt_raw_number(&samples.cells[c], "parts", 0);
            for (int i = 0; i < ROWS; i++) {
                gaps[i] += (parts - 1) * cases[k].off * (2 * (i / VISIT) - 5) / 5;
            }
        }
        const struct grt_finding *finding = overhead(fit());
        bool says_gaps =
            finding->status == GRT_FINDING_REFUSED && says(finding->why, "gaps depend on how long parts are");
        CU_ASSERT_TRUE(says_gaps);
    }
}

/* A launch takes 60 us, one after the other: parts of less wait for it. Longer ones follow one another at once. */
static void short_parts_wait_for_launches(void) {
    start();
    for (int parts = 1; parts <= 16; parts *= 2) {
        int64_t length = 352000 / parts;
        add_cell(parts, 352000, length < 60000 ? 60000 - length : 0, 0);
    }
    const struct grt_fit *all = fit();
    const struct grt_finding *finding = overhead(all);
    CU_ASSERT_EQUAL_FATAL(finding->status, GRT_FINDING_MEASURED);
    CU_ASSERT_DOUBLE_EQUAL(finding->value, 0, 0);
    CU_ASSERT_DOUBLE_EQUAL(finding->low, 0, 0);
    CU_ASSERT_DOUBLE_EQUAL(finding->high, 0, 0);
    CU_ASSERT_TRUE(says(finding->how, "of 4 parts of 88000 ns"));
    CU_ASSERT_TRUE(says(finding->how, "after 60000 ns: 16000 ns between 8 parts of 44000 ns, "
                                      "38000 ns between 16 parts of 22000 ns"));
    CU_ASSERT_DOUBLE_EQUAL(all->workloads[0].split_overhead, 0, 0);
    const struct grt_curve *curve = &all->curves[all->curve_count - 1];
    CU_ASSERT_EQUAL_FATAL(curve->count, 4);
    for (size_t i = 0; i < curve->count; i++) {
        CU_ASSERT_DOUBLE_EQUAL(curve->points[i].model, curve->points[i].measured, 1e-6);
    }
}

static void parts_that_all_wait_are_refused(void) {
    start();
    for (int parts = 1; parts <= 16; parts *= 2) {
        add_cell(parts, 52000, 60000 - 52000 / parts, 0);
    }
    const struct grt_fit *all = fit();
    CU_ASSERT_EQUAL(overhead(all)->status, GRT_FINDING_REFUSED);
    CU_ASSERT_TRUE(says(overhead(all)->why, "one follows the other after 60000 ns"));
    CU_ASSERT_DOUBLE_EQUAL(all->workloads[0].split_overhead, 0, 0);
}

/* Gaps that shrink, and gaps that grow with neither the pace nor the number. */
static void gaps_without_a_rule_are_refused(void) {
    static const int64_t gaps[][3] = {{9000, 3000, 1000}, {1000, 9000, 4000}, {1000, 3000, 9000}};
    for (size_t k = 0; k < sizeof gaps / sizeof gaps[0]; k++) {
        start();
        add_cell(1, 400000, 0, 0);
        add_cell(2, 400000, gaps[k][0], 0);
        add_cell(4, 400000, gaps[k][1], 0);
        add_cell(8, 400000, gaps[k][2], 0);
        const struct grt_finding *finding = overhead(fit());
        bool says_gaps =
            finding->status == GRT_FINDING_REFUSED && says(finding->why, "gaps depend on how long parts are");
        CU_ASSERT_TRUE(says_gaps);
    }
}

static void one_number_of_parts_is_none(void) {
    start();
    add_cell(1, 400000, 0, 0);
    CU_ASSERT_EQUAL(overhead(fit())->status, GRT_FINDING_REFUSED);
    CU_ASSERT_TRUE(says(overhead(fit())->why, "one number of parts only"));
    start();
    add_cell(1, 400000, 0, 0);
    add_cell(2, 400000, 700, 0);
    CU_ASSERT_DOUBLE_EQUAL(overhead(fit())->value, 700, 0);
}

/* A timer of 32 ns may show a gap of nothing as one below 0. */
static void no_gap_is_below_nothing(void) {
    start();
    struct grt_raw_cell *tick = raw_cell(&samples, "clock", 3, "what=tick");
    int64_t *values = raw_column(&samples, tick, "delta_ns");
    values[0] = values[1] = values[2] = 32;
    add_cell(1, 400000, 0, 0);
    add_cell(2, 400000, 0, 0);
    const struct grt_finding *finding = overhead(fit());
    CU_ASSERT_EQUAL(finding->status, GRT_FINDING_MEASURED);
    CU_ASSERT(finding->value >= 0);
    CU_ASSERT_DOUBLE_EQUAL(finding->low, 0, 0);
    CU_ASSERT_DOUBLE_EQUAL(finding->high, 31, 0);
    CU_ASSERT_TRUE(says(finding->how, "at most 31 ns, 0 is not excluded"));
}

int main(void) {
    static CU_TestInfo tests[] = {
        {"one gap for all", one_gap_for_all},
        {"gaps that nearly agree are not exact", gaps_that_nearly_agree_are_not_exact},
        {"shorter gaps of shorter parts are refused", shorter_gaps_of_shorter_parts_are_refused},
        {"short parts wait for launches", short_parts_wait_for_launches},
        {"parts that all wait are refused", parts_that_all_wait_are_refused},
        {"gaps without a rule are refused", gaps_without_a_rule_are_refused},
        {"one number of parts is none", one_number_of_parts_is_none},
        {"no gap is below nothing", no_gap_is_below_nothing},
        CU_TEST_INFO_NULL,
    };
    int result = grt_suite_run("fits of kernels in parts", tests);
    grt_arena_clear(&samples.arena);
    return result;
}
