/* What reports say: numbers with intervals that can be seen, their order, what was dropped, and the summary that somebody signs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calib/fit/fit.h"
#include "calib/program/report/chart.h"
#include "calib/program/report/chart_tics.h"
#include "calib/program/report/findings.h"
#include "calib/program/report/host_costs.h"
#include "calib/program/report/page.h"
#include "cli/terminal/text_table.h"
#include "tests/support/raw_samples.h"
#include "tests/support/suite.h"

static struct raw_samples samples;
static struct grt_arena arena;

/* ---- numbers ---- */

static void intervals_can_be_seen(void) {
    static const struct {
        const char *name;
        enum grt_finding_unit unit;
        double value, low, high;
        const char *value_text, *interval_text;
    } cases[] = {
        {"kernel_launch", GRT_UNIT_NS, 59980, 59964, 60002, "59.98us", "59.964us to 60.002us"},
        {"sm_frequency", GRT_UNIT_HERTZ, 1.3e9, 1.299957e9, 1.300043e9, "1.300000GHz",
         "1.299957GHz to 1.300043GHz"},
        {"sm_frequency", GRT_UNIT_HERTZ, 1.98e9, 1.98e9 - 877, 1.98e9 + 877, "1.9800000GHz", "+- 877Hz"},
        {"clock_offset", GRT_UNIT_NS, 3.6e12 + 2, 3.6e12 - 1, 3.6e12 + 11, "3600.000000002s", "- 3ns, + 9ns"},
        {"clock_offset", GRT_UNIT_NS, 12, 12, 12, "12ns", "exact"},
        {"launch_gap", GRT_UNIT_NS, 0, -31, 31, "0ns", "-31ns to 31ns"},
        {"early_return", GRT_UNIT_BYTES, 65536, 65536, 65539, "64.0000KiB", "64.0000KiB to 64.0029KiB"},
        {"clock_drift", GRT_UNIT_NONE, -1.5e-11, -4e-11, 1e-11, "-1.5e-11 s/s", "-4e-11 to 1e-11 s/s"},
        {"pageable_percent", GRT_UNIT_NONE, 50, 49, 51, "50 %", "49 to 51 %"},
        {"memory_bus_bits", GRT_UNIT_NONE, 128, 128, 128, "128 bits", "exact"},
        {"spin, 32 threads, 0 B shared: residency", GRT_UNIT_NONE, 8, 8, 8, "8 per SM", "exact"},
        {"fma: partition", GRT_UNIT_NONE, 1.9655, 1.9506, 1.9756, "1.9655 x", "1.9506 to 1.9756 x"},
        {"copy_engines", GRT_UNIT_NONE, 2, NAN, NAN, "2", "-"},
        {"kernel_launch", GRT_UNIT_NS, NAN, NAN, NAN, "-", "-"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct grt_finding finding = {.name = cases[i].name,
                                            .unit = cases[i].unit,
                                            .value = cases[i].value,
                                            .low = cases[i].low,
                                            .high = cases[i].high};
        CU_ASSERT_STRING_EQUAL(grt_finding_value_text(&finding, &arena), cases[i].value_text);
        CU_ASSERT_STRING_EQUAL(grt_finding_interval_text(&finding, &arena), cases[i].interval_text);
    }
    grt_arena_clear(&arena);
}

/* ---- order ---- */

static void add_residency(int threads) {
    struct grt_raw_cell *cell =
        raw_cell(&samples, "residency", 3, "kernel=spin,threads=%d,shared_bytes=0,blocks=64", threads);
    int64_t *most = raw_column(&samples, cell, "most_per_sm");
    int64_t *used = raw_column(&samples, cell, "sms_used");
    int64_t *expected = raw_column(&samples, cell, "expected");
    for (size_t i = 0; i < cell->count; i++) {
        most[i] = expected[i] = 8;
        used[i] = 4;
    }
}

static void findings_are_in_the_order_of_numbers(void) {
    static const int threads[] = {1024, 32, 256, 128, 64}, wanted[] = {32, 64, 128, 256, 1024};
    raw_start(&samples, 4);
    for (size_t i = 0; i < 5; i++) {
        add_residency(threads[i]);
    }
    const struct grt_fit *fit = grt_fit_all(&samples.raw, &samples.arena);
    size_t found = 0;
    for (size_t i = 0; i < fit->finding_count; i++) {
        int number;
        if (sscanf(fit->findings[i].name, "spin, %d threads", &number) == 1) {
            CU_ASSERT(found < 5 && number == wanted[found]);
            found++;
        }
    }
    CU_ASSERT_EQUAL(found, 5);
    grt_arena_clear(&samples.arena);
}

/* Cells of parts in a random order, as they are measured. */
static void curves_go_from_left_to_right(void) {
    static const int parts[] = {8, 1, 16, 4, 2};
    raw_start(&samples, 4);
    raw_workload(&samples, "fma", GRT_KERNEL_FMA, 256, 8);
    for (size_t i = 0; i < 5; i++) {
        struct grt_raw_cell *cell =
            raw_cell(&samples, "split", 10, "kernel=fma,parts=%d,whole_waves=1", parts[i]);
        int64_t *spans = raw_column(&samples, cell, "span_ns"), *gaps = raw_column(&samples, cell, "gap_ns");
        for (int j = 0; j < 10; j++) {
            spans[j] = 100000 + 5000 * (parts[i] - 1);
            gaps[j] = 5000 * (parts[i] - 1);
        }
    }
    const struct grt_fit *fit = grt_fit_all(&samples.raw, &samples.arena);
    CU_ASSERT_FATAL(fit->curve_count == 1 && fit->curves[0].count >= 4); /* one part is the whole */
    const struct grt_chart chart = grt_chart_of_curve(&fit->curves[0], &samples.arena);
    for (size_t i = 0; i < chart.line_count; i++) {
        for (size_t j = 1; j < chart.lines[i].count; j++) {
            CU_ASSERT(chart.lines[i].points[j].x > chart.lines[i].points[j - 1].x);
        }
    }
    grt_arena_clear(&samples.arena);
}

/* ---- pictures ---- */

static void a_rule_is_drawn_where_it_says_otherwise(void) {
    struct grt_curve_point points[] = {
        {0, 0, NAN, NAN, 0}, {1, 1, NAN, NAN, 1}, {2, 0, NAN, NAN, 1}, {3, 1, NAN, NAN, NAN}};
    struct grt_curve curve = {.name = "where blocks go",
                              .x_label = "order",
                              .y_label = "SM",
                              .model_label = "rule",
                              .points = points,
                              .count = 4};
    struct grt_chart chart = grt_chart_of_curve(&curve, &arena);
    CU_ASSERT_TRUE(chart.y_whole);
    CU_ASSERT_EQUAL_FATAL(chart.line_count, 2);
    CU_ASSERT_EQUAL(chart.lines[0].count, 4);
    CU_ASSERT_FATAL(chart.lines[1].count == 1);
    CU_ASSERT(chart.lines[1].points[0].x == 2 && chart.lines[1].points[0].y == 1);
    points[2].model = 0;
    chart = grt_chart_of_curve(&curve, &arena);
    CU_ASSERT_EQUAL(chart.lines[1].count, 0);
    CU_ASSERT_STRING_EQUAL(chart.lines[1].label, "rule: agrees with the 3 of which it says something");
    points[3].model = 1;
    chart = grt_chart_of_curve(&curve, &arena);
    CU_ASSERT_STRING_EQUAL(chart.lines[1].label, "rule: agrees with all");
    grt_arena_clear(&arena);
}

/* ---- tics ---- */

static const char *tics_text(double from, double to, bool is_size, bool is_log) {
    size_t count = 0;
    const struct grt_figure_tic *tics = is_log ? grt_chart_log_tics(from, to, is_size, &count, &arena)
                                               : grt_chart_even_tics(from, to, &count, &arena);
    const char *text = "";
    for (size_t i = 0; i < count; i++) {
        CU_ASSERT(tics[i].at >= from * (1 - 1e-9) && tics[i].at <= to * (1 + 1e-9));
        text = grt_format(&arena, "%s%s%s", text, i > 0 ? ", " : "", tics[i].text);
    }
    return text;
}

static void tics_are_in_one_style(void) {
    CU_ASSERT_STRING_EQUAL(tics_text(0.9, 1.2e6, false, true), "1, 100, 10k, 1M");
    CU_ASSERT_STRING_EQUAL(tics_text(500, 3e4, false, true), "500, 1000, 2000, 5000, 10k, 20k");
    CU_ASSERT_STRING_EQUAL(tics_text(1, 1e15, false, true), "1, 1000, 1M, 1G, 1T, 1P");
    CU_ASSERT_STRING_EQUAL(tics_text(21, 48, false, true), "25, 30, 35, 40, 45");
    CU_ASSERT_STRING_EQUAL(tics_text(0.015, 0.2, false, true), "0.02, 0.05, 0.1, 0.2");
    CU_ASSERT_STRING_EQUAL(tics_text(3, 1e8, true, true), "32 B, 1 KiB, 32 KiB, 1 MiB, 32 MiB");
    CU_ASSERT_STRING_EQUAL(tics_text(60000, 5e6, true, true), "64 KiB, 256 KiB, 1 MiB, 4 MiB");
    CU_ASSERT_STRING_EQUAL(tics_text(0, 2.5e6, false, false), "0, 500k, 1M, 1.5M, 2M, 2.5M");
    CU_ASSERT_STRING_EQUAL(grt_chart_tic_text(2097152, true, &arena), "2 MiB");
    CU_ASSERT_STRING_EQUAL(grt_chart_tic_text(1e6, false, &arena), "1M");
    grt_arena_clear(&arena);
}

/* ---- pages ---- */

static char *page_of(void) {
    struct grt_errors errors = {0};
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    struct grt_page page = {.fit = grt_fit_all(&samples.raw, &samples.arena),
                            .out = out,
                            .arena = &samples.arena,
                            .errors = &errors};
    grt_page_write(&page);
    fclose(out);
    CU_ASSERT_FALSE(page.failed);
    return text;
}

static void expect_in(const char *page, const char *part) {
    bool found = strstr(page, part) != NULL;
    CU_ASSERT_TRUE(found);
    if (!found) {
        printf("    not in the page: %s\n", part);
    }
}

static void summaries_say_what_a_signer_needs(void) {
    raw_start(&samples, 4);
    add_residency(32);
    struct grt_raw_cell *cell = raw_cell(&samples, "priority", 2, "low=0,high=-1");
    raw_column(&samples, cell, "wait_ns")[0] = 1;
    raw_column(&samples, cell, "left_ns")[0] = 1;
    raw_column(&samples, cell, "overtook")[0] = 1;
    cell->dropped = 9;
    cell->dropped_for[GRT_RAW_DROP_CLOCK] = 2;
    cell->dropped_for[GRT_RAW_DROP_OVERLAP] = 4; /* of three nobody says why */
    samples.skipped[0] = (struct grt_raw_skipped){"copy", "no time was left"};
    samples.raw.skipped_count = 1;
    samples.raw.seconds = 12.5;
    samples.raw.health = (struct grt_raw_health_range){.count = 3,
                                                       .sm_mhz_low = 1400,
                                                       .sm_mhz_high = 1980,
                                                       .celsius_low = 40,
                                                       .celsius_high = 71,
                                                       .milliwatts_high = 350500,
                                                       .reasons = 0x40 /* hardware heat limit */};
    int64_t *launches =
        raw_column(&samples, raw_cell(&samples, "coresidency", 6, "kernel=fma,per_sm=1"), "launch");
    for (int i = 0; i < 6; i++) {
        launches[i] = i / 2;
    }
    char *page = page_of();
    expect_in(page, "| worst | **not measured** | | | | |\n");
    expect_in(page,
              "\n- priority: low 0, high -1: 9 of 11 samples: clock 2, overlap 4, the file does not say why "
              "3\n\n");
    expect_in(page, "\n## Summary to sign\n\n**This is no measurement of a GPU**: the device was pretended "
                    "(gpurt's own model of a GPU, back end sim).\n");
    expect_in(page, "| Real or pretended | pretended: ");
    expect_in(page,
              "| Health | 40 to 71 C, up to 350.5 W, 1400 to 1980 MHz; slowed by: hardware heat limit |");
    expect_in(page, "| Measured | 2026-11-23T00:00:00Z, in 12.5 s |");
    expect_in(page, "| residency | 1 | 3 | 3 | 0 |  |\n");
    expect_in(page, "| priority | 1 | 2 | 2 | 9 | clock 2, overlap 4, the file does not say why 3 |\n");
    expect_in(page, "| coresidency | 1 | 3 | 6 | 0 |  |\n");
    expect_in(page, "\n- copy: no time was left\n");
    expect_in(page, "\n- Not found: ");
    free(page);
    samples.raw.backend = "cuda";
    samples.raw.health.count = 0;
    page = page_of();
    expect_in(page, "| Real or pretended | real: back end cuda |");
    expect_in(page, "| Health | not known: ");
    CU_ASSERT_PTR_NULL(strstr(page, "no measurement of a GPU"));
    free(page);
    grt_arena_clear(&samples.arena);
}

/* ---- kernels side by side ---- */

static void add_together(const char *kernel, const char *beside, int sms, int beside_sms, const char *how,
                         size_t count, int64_t span) {
    struct grt_raw_cell *cell =
        raw_cell(&samples, "together", count, "kernel=%s,beside=%s,sms=%d,beside_sms=%d,how=%s", kernel,
                 beside, sms, beside_sms, how);
    int64_t *spans = raw_column(&samples, cell, "span_ns");
    for (size_t i = 0; i < count; i++) {
        spans[i] = span + (i == 0 ? span / 10 : 0);
    }
}

static const char *line_of(const char *page, const char *start) {
    const char *line = strstr(page, start);
    CU_ASSERT_PTR_NOT_NULL(line);
    return line != NULL ? line : page;
}

/* In the order of names and of parts, with SMs, and no quantile of 20 samples. */
static void pairs_are_sorted_and_say_their_sms(void) {
    raw_start(&samples, 132);
    raw_workload(&samples, "matmul", GRT_KERNEL_MATMUL, 256, 8);
    raw_workload(&samples, "fma", GRT_KERNEL_FMA, 256, 8);
    add_together("matmul", "nothing", 132, 0, "none", 20, 1000);
    add_together("matmul", "nothing", 64, 0, "green", 20, 2000);
    add_together("fma", "nothing", 64, 0, "green", 20, 2000);
    add_together("matmul", "fma", 132, 0, "none", 20, 2500);
    add_together("matmul", "fma", 64, 64, "green", 120, 2400);
    add_together("fma", "matmul", 64, 64, "green", 20, 2000);
    char *page = page_of();
    expect_in(
        page,
        "\nOn 64 SMs beside 64 others (green contexts). Rows: the kernel; columns: what runs beside it.\n"
        "\n| beside | fma | matmul |\n|---|---|---|\n| fma |  | 1.00x |\n| matmul | 1.20x |  |\n");
    expect_in(page, "| beside | fma |\n|---|---|\n| matmul | 2.50x |\n");
    const char *first = line_of(page, "| fma | matmul | 64 | 64 | 1.00x |");
    const char *second = line_of(page, "| matmul | fma | 64 | 64 | 1.20x |");
    const char *third = line_of(page, "| matmul | fma | 132 | the same | 2.50x |");
    CU_ASSERT(first < second && second < third);
    CU_ASSERT_PTR_NOT_NULL(strstr(first, "| longest of 20: 1.10x |"));
    CU_ASSERT_PTR_NOT_NULL(strstr(second, "| 99 %: 1.20x |"));
    CU_ASSERT(strstr(second, "| 99 %: 1.20x |") < third);
    free(page);
    grt_arena_clear(&samples.arena);
}

/* Costs that were not found, or are nothing, are left out; without any there is no member. */
static void host_costs_are_a_member_of_segments(void) {
    static const struct {
        double call, back; /* ns; not a number: not found */
        const char *wanted;
    } cases[] = {
        {2000, 6020, "\"host\": {\"before\": \"2us\", \"after\": \"6.02us\"}"},
        {2000, NAN, "\"host\": {\"before\": \"2us\"}"},
        {0, 6020, "\"host\": {\"after\": \"6.02us\"}"},
        {0, -300, NULL},
        {NAN, NAN, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const double values[] = {cases[i].call, cases[i].back};
        struct grt_finding findings[] = {{.name = "launch_call"}, {.name = "sync_return"}};
        for (size_t j = 0; j < 2; j++) {
            findings[j].status = isfinite(values[j]) ? GRT_FINDING_MEASURED : GRT_FINDING_MISSING;
            findings[j].value = findings[j].low = findings[j].high = values[j];
        }
        const struct grt_fit fit = {.findings = findings, .finding_count = 2};
        const char *member = grt_host_costs_member(&fit, &arena);
        CU_ASSERT_EQUAL_FATAL(member == NULL, cases[i].wanted == NULL);
        if (member != NULL) {
            CU_ASSERT_STRING_EQUAL(member, cases[i].wanted);
        }
    }
    grt_arena_clear(&arena);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"intervals can be seen", intervals_can_be_seen},
        {"findings are in the order of numbers", findings_are_in_the_order_of_numbers},
        {"curves go from left to right", curves_go_from_left_to_right},
        {"a rule is drawn where it says otherwise", a_rule_is_drawn_where_it_says_otherwise},
        {"tics are in one style", tics_are_in_one_style},
        {"host costs are a member of segments", host_costs_are_a_member_of_segments},
        {"pairs are sorted and say their SMs", pairs_are_sorted_and_say_their_sms},
        {"summaries say what a signer needs", summaries_say_what_a_signer_needs},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("reports", tests);
}
