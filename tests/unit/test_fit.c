/* Fits of files that lack something, or that no device could have written: every finding has a value or a reason. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "calib/fit/fit.h"
#include "tests/support/findings.h"
#include "tests/support/suite.h"
#include "tests/support/synthetic_device.h"

static struct raw_samples samples;

static const struct grt_fit *fit(void) {
    return grt_fit_all(&samples.raw, &samples.arena);
}

static void start(void) {
    raw_start(&samples, 4);
    raw_workload(&samples, "fma", GRT_KERNEL_FMA, 256, 2);
}

static void expect_refused(const struct grt_fit *all, const char *name, const char *why) {
    const struct grt_finding *found = finding(all, name);
    CU_ASSERT_EQUAL(found->status, GRT_FINDING_REFUSED);
    if (found->why == NULL || strstr(found->why, why) == NULL) {
        printf("\n%s: %s", name, found->why != NULL ? found->why : "has a value");
        CU_FAIL("another reason");
    }
}

static void column(struct grt_raw_cell *cell, const char *name, const int64_t *values) {
    memcpy(raw_column(&samples, cell, name), values, cell->count * sizeof *values);
}

/* ---- missing ---- */

static void what_was_not_measured_is_said(void) {
    static const char *const names[] = {"timer_step",       "kernel_launch",  "residency",    "sm_order",
                                        "block_time",       "split_overhead", "copy_latency", "copy_engines",
                                        "partition",        "slowdowns",      "worst",        "h2d_bandwidth",
                                        "kernel_time_error"};
    start();
    samples.raw.device.priority_greatest = -5;
    samples.skipped[0] = (struct grt_raw_skipped){"partition", "the driver has no green contexts"};
    samples.raw.skipped_count = 1;
    const struct grt_fit *all = fit();
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        CU_ASSERT_EQUAL(finding(all, names[i])->status, GRT_FINDING_MISSING);
    }
    CU_ASSERT_STRING_EQUAL(finding(all, "partition")->why, "partition: the driver has no green contexts");
    CU_ASSERT_STRING_EQUAL(finding(all, "kernel_launch")->why, "launch: not measured");
    CU_ASSERT_STRING_EQUAL(finding(all, "kernel_launch")->field, "kernel_launch");
    CU_ASSERT_EQUAL(all->warning_count, 0);
    samples.raw.complete = false;
    samples.raw.cut_off = true;
    samples.raw.stopped = "the device is lost";
    all = fit();
    CU_ASSERT_STRING_EQUAL(finding(all, "kernel_launch")->why,
                           "launch: not measured before the measurement ended early");
    CU_ASSERT_EQUAL_FATAL(all->warning_count, 2);
    CU_ASSERT_PTR_NOT_NULL(strstr(all->warnings[1], "the device is lost"));
}

static void warnings_tell_of_clocks_and_dropped_samples(void) {
    start();
    struct grt_raw_cell *cell = raw_cell(&samples, "waves", 10, "kernel=fma,blocks=1");
    raw_column(&samples, cell, "span_ns");
    cell->dropped = 10;
    cell->dropped_for[GRT_RAW_DROP_OVERLAP] = 7;
    cell->sm_mhz_low = 1500;
    cell->sm_mhz_high = 1980;
    const struct grt_fit *all = fit();
    CU_ASSERT_EQUAL_FATAL(all->warning_count, 2);
    CU_ASSERT_PTR_NOT_NULL(strstr(all->warnings[0], "1500 to 1980 MHz"));
    CU_ASSERT_PTR_NOT_NULL(strstr(
        all->warnings[1], "10 of 20 samples were thrown away (overlap 7, the file does not say why 3)"));
}

/* Every experiment, with a cell that has no samples, or no columns. */
static void empty_cells_are_no_samples(void) {
    static const char *const cells[][2] = {{"clock", "what=tick"},
                                           {"clock", "what=offset"},
                                           {"launch", "what=idle"},
                                           {"residency", "kernel=fma,threads=32,shared_bytes=0,blocks=8"},
                                           {"dispatch", "kernel=fma,threads=32,blocks=8"},
                                           {"coresidency", "kernel=fma,per_sm=1"},
                                           {"waves", "kernel=fma,blocks=4"},
                                           {"split", "kernel=fma,parts=1,whole_waves=1"},
                                           {"copy", "direction=h2d,memory=pinned,bytes=4,beside=nothing"},
                                           {"engines", "first=h2d,second=d2h,bytes=4"},
                                           {"priority", "low=0,high=-1"},
                                           {"partition", "kernel=fma,sms=2,how=green"},
                                           {"together", "kernel=fma,beside=fma,sms=2,beside_sms=2,how=green"},
                                           {"worst", "kernel=fma,sms=4,beside=nothing,state=cold"}};
    for (size_t count = 0; count <= 3; count += 3) {
        start();
        for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++) {
            raw_cell(&samples, cells[i][0], count, "%s", cells[i][1]);
        }
        const struct grt_fit *all = fit();
        for (size_t i = 0; i < all->finding_count; i++) {
            CU_ASSERT(all->findings[i].status == GRT_FINDING_TOLD || all->findings[i].why != NULL);
        }
    }
}

/* ---- refused ---- */

static void records_that_cannot_be_are_refused(void) {
    const int64_t order[] = {0, 1, 2, 2}, block[] = {0, 1, 2, 3}, sm[] = {0, 1, 2, 3},
                  start_ns[] = {0, 0, 0, 0}, end_ns[] = {9, 9, 9, 9}, beyond[] = {0, 1, 2, 4},
                  good[] = {0, 1, 2, 3};
    start();
    struct grt_raw_cell *twice = raw_cell(&samples, "dispatch", 4, "kernel=fma,threads=32,blocks=4");
    column(twice, "order", order);
    column(twice, "block", block);
    column(twice, "sm", sm);
    column(twice, "start_ns", start_ns);
    column(twice, "end_ns", end_ns);
    expect_refused(fit(), "placement", "no launch has all its records");
    start();
    struct grt_raw_cell *outside = raw_cell(&samples, "dispatch", 4, "kernel=fma,threads=32,blocks=4");
    column(outside, "order", good);
    column(outside, "block", block);
    column(outside, "sm", beyond);
    column(outside, "start_ns", start_ns);
    column(outside, "end_ns", end_ns);
    const struct grt_fit *all = fit();
    expect_refused(all, "sm_order", "no launch has all its records");
    CU_ASSERT_EQUAL(all->warning_count, 1);
}

/* A device that puts blocks anywhere follows no rule. */
static void no_rule_of_placement_is_said(void) {
    enum { BLOCKS = 32 };
    start();
    struct grt_random random = grt_random_stream(9, "nowhere", 0, 0);
    struct grt_raw_cell *cell = raw_cell(&samples, "dispatch", BLOCKS, "kernel=fma,threads=32,blocks=32");
    int64_t *order = raw_column(&samples, cell, "order"), *block = raw_column(&samples, cell, "block");
    int64_t *sm = raw_column(&samples, cell, "sm"), *end = raw_column(&samples, cell, "end_ns");
    raw_column(&samples, cell, "start_ns");
    for (int64_t i = 0; i < BLOCKS; i++) {
        order[i] = block[i] = i;
        sm[i] = (int64_t)grt_random_below(&random, 4);
        end[i] = 1000;
    }
    expect_refused(fit(), "placement", "no rule agrees");
}

static void few_sizes_and_no_growth_are_refused(void) {
    start();
    raw_column(&samples, raw_cell(&samples, "copy", 5, "direction=h2d,memory=pinned,bytes=4,beside=nothing"),
               "elapsed_ns")[0] = 0;
    int64_t *two = raw_column(
        &samples, raw_cell(&samples, "copy", 1, "direction=d2h,memory=pinned,bytes=4,beside=nothing"),
        "elapsed_ns");
    two[0] = 5000;
    const struct grt_fit *all = fit();
    expect_refused(all, "d2h_bandwidth", "fewer than three sizes");
    expect_refused(all, "pageable_percent", "have to be known both");
    start();
    struct grt_random random = grt_random_stream(9, "flat", 0, 0);
    for (int bytes = 1; bytes <= 64; bytes *= 2) {
        struct grt_raw_cell *cell =
            raw_cell(&samples, "copy", 30, "direction=h2d,memory=pinned,bytes=%d,beside=nothing", bytes);
        int64_t *elapsed = raw_column(&samples, cell, "elapsed_ns");
        for (size_t i = 0; i < cell->count; i++) {
            elapsed[i] = 5000 + (int64_t)grt_random_below(&random, 1000);
        }
    }
    expect_refused(fit(), "h2d_bandwidth", "does not grow with the size");
}

static void spans_between_clocks_need_exchanges(void) {
    start();
    struct grt_raw_cell *cell = raw_cell(&samples, "launch", 6, "what=idle");
    raw_column(&samples, cell, "call_ns");
    raw_column(&samples, cell, "start_ns");
    expect_refused(fit(), "kernel_launch", "no exchanges of clocks");
}

static void same(const char *experiment, size_t count, const char *keys, const char *name, int64_t value) {
    int64_t *values = raw_column(&samples, raw_cell(&samples, experiment, count, "%s", keys), name);
    for (size_t i = 0; i < count; i++) {
        values[i] = value;
    }
}

/* Exchanges that leave 200 ns, and a launch that they make begin before its call; `early` ns before. */
static const struct grt_fit *launched_early(int64_t early) {
    start();
    struct grt_raw_cell *cell = raw_cell(&samples, "clock", 2, "what=offset");
    int64_t *before = raw_column(&samples, cell, "before_ns"),
            *after = raw_column(&samples, cell, "after_ns");
    int64_t *device = raw_column(&samples, cell, "device_ns");
    struct grt_raw_cell *idle = raw_cell(&samples, "launch", 8, "what=idle");
    int64_t *call = raw_column(&samples, idle, "call_ns"), *begin = raw_column(&samples, idle, "start_ns");
    for (int64_t i = 0; i < 2; i++) {
        before[i] = 1000000 * i;
        device[i] = before[i] + 100;
        after[i] = before[i] + 200;
    }
    for (int64_t i = 0; i < 8; i++) {
        call[i] = 100000 * (i + 1);
        begin[i] = call[i] - early;
    }
    return fit();
}

/* The clocks may be 100 ns apart either way: a launch of -50 ns is one of 50 ns at most, one of -500 ns is none. */
static void launches_before_their_calls_are_none(void) {
    const struct grt_finding *found = finding(launched_early(50), "kernel_launch");
    CU_ASSERT_EQUAL_FATAL(found->status, GRT_FINDING_MEASURED);
    CU_ASSERT_DOUBLE_EQUAL(found->value, 0, 0);
    CU_ASSERT_DOUBLE_EQUAL(found->low, 0, 0);
    CU_ASSERT_DOUBLE_EQUAL(found->high, 50, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(found->how, "0 is not excluded"));
    expect_refused(launched_early(500), "kernel_launch", "it cannot be below 0, but the samples say");
}

/* Blocks of 1 us, and a kernel of a full wave that takes 1.2 us. */
static void kernels_that_block_times_do_not_explain_are_doubtful(void) {
    start();
    same("clock", 10, "what=tick", "delta_ns", 1);
    same("coresidency", 6, "kernel=fma,per_sm=1", "block_ns", 1000);
    same("coresidency", 6, "kernel=fma,per_sm=2", "block_ns", 1000);
    same("waves", 6, "kernel=fma,blocks=4", "span_ns", 1000);
    same("waves", 6, "kernel=fma,blocks=8", "span_ns", 1250);
    const struct grt_fit *all = fit();
    const struct grt_finding *error = finding(all, "fma: kernel_time_error");
    CU_ASSERT_EQUAL(error->unit, GRT_UNIT_PERCENT);
    CU_ASSERT_DOUBLE_EQUAL(error->value, 20, 1e-9);
    CU_ASSERT(isnan(error->low) && isnan(error->high));
    CU_ASSERT_EQUAL_FATAL(all->warning_count, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(all->warnings[0], "a kernel of 8 blocks is 20.0 % shorter than measured"));
}

static void part_of_the_blocks_is_not_the_whole_sm(void) {
    start();
    struct grt_raw_cell *cell = raw_cell(&samples, "coresidency", 6, "kernel=fma,per_sm=1");
    int64_t *times = raw_column(&samples, cell, "block_ns");
    for (size_t i = 0; i < cell->count; i++) {
        times[i] = 100;
    }
    const struct grt_fit *all = fit();
    expect_refused(all, "fma: block_time", "up to 1 blocks per SM only, but 2 fit");
    CU_ASSERT_EQUAL(all->workloads[0].block_time_count, 0);
    expect_refused(all, "threads_per_core", "with one block per SM and with more");
}

static void the_driver_and_the_device_may_disagree(void) {
    start();
    const int64_t seen[] = {3, 2}, sms[] = {4, 4}, expected[] = {2, 2};
    struct grt_raw_cell *cell =
        raw_cell(&samples, "residency", 2, "kernel=fma,threads=256,shared_bytes=0,blocks=16");
    column(cell, "most_per_sm", seen);
    column(cell, "sms_used", sms);
    column(cell, "expected", expected);
    const struct grt_fit *all = fit();
    const struct grt_finding *found = finding(all, "fma, 256 threads, 0 B shared: residency");
    CU_ASSERT_DOUBLE_EQUAL(found->value, 3, 0);
    CU_ASSERT_DOUBLE_EQUAL(found->residual, 0.5, 0);
    CU_ASSERT_EQUAL(all->warning_count, 1);
}

/* ---- values by hand ---- */

/* 20 us, 10 us, 12 us, 5 us with 1, 2, 3, 4 SMs: the two in the middle are pooled. */
static void partitions_are_made_monotone(void) {
    static const int64_t spans[] = {20000, 10000, 12000, 5000};
    start();
    for (int sms = 1; sms <= 4; sms++) {
        struct grt_raw_cell *cell = raw_cell(&samples, "partition", 7, "kernel=fma,sms=%d,how=green", sms);
        int64_t *values = raw_column(&samples, cell, "span_ns");
        for (size_t i = 0; i < cell->count; i++) {
            values[i] = spans[sms - 1];
        }
    }
    const struct grt_fit *all = fit();
    const struct grt_fitted_workload *fma = &all->workloads[0];
    CU_ASSERT_EQUAL_FATAL(fma->share_factor_count, 4);
    static const int64_t shares[] = {25, 50, 75, 100};
    static const double factors[] = {4, 2.2, 2.2, 1};
    for (int i = 0; i < 4; i++) {
        CU_ASSERT_EQUAL(fma->share_factors[i].share, shares[i]);
        CU_ASSERT_DOUBLE_EQUAL(fma->share_factors[i].factor, factors[i], 1e-12);
    }
    CU_ASSERT_PTR_NOT_NULL(strstr(finding(all, "fma: partition")->how, "2 of 4 medians were pooled"));
}

/* A filter is not held against a kernel without one. */
static void filters_are_held_against_filters(void) {
    start();
    int64_t *part =
        raw_column(&samples, raw_cell(&samples, "partition", 1, "kernel=fma,sms=2,how=filter"), "span_ns");
    int64_t *whole =
        raw_column(&samples, raw_cell(&samples, "partition", 1, "kernel=fma,sms=4,how=none"), "span_ns");
    *part = 30000;
    *whole = 10000;
    expect_refused(fit(), "fma: partition", "in the same way");
    int64_t *filtered =
        raw_column(&samples, raw_cell(&samples, "partition", 1, "kernel=fma,sms=4,how=filter"), "span_ns");
    *filtered = 15000;
    const struct grt_fit *all = fit();
    CU_ASSERT_DOUBLE_EQUAL(finding(all, "fma: partition")->value, 2, 1e-12);
}

/* Both on all SMs: waiting for room is in it. */
static void kernels_on_the_same_sms_are_no_slowdown(void) {
    start();
    *raw_column(&samples,
                raw_cell(&samples, "together", 1, "kernel=fma,beside=nothing,sms=4,beside_sms=0,how=none"),
                "span_ns") = 1000;
    *raw_column(&samples,
                raw_cell(&samples, "together", 1, "kernel=fma,beside=fma,sms=4,beside_sms=0,how=none"),
                "span_ns") = 1900;
    const struct grt_fit *all = fit();
    CU_ASSERT_EQUAL(all->slowdown_count, 1);
    CU_ASSERT_DOUBLE_EQUAL(finding(all, "fma beside fma on all SMs: slowdown")->value, 1.9, 1e-12);
    expect_refused(all, "slowdowns", "no two kernels were measured on different SMs");
}

/* 64 blocks of 1 us, two on each of 2 SMs: 16 us, by the files. triad is bound by memory: its blocks take 0.56 us where only half of the SMs have some, and 1 us where all have, of whichever kernel. fma
 * is not, but slowed by triad. */
static void measure_halves(void) {
    start();
    raw_workload(&samples, "triad", GRT_KERNEL_TRIAD, 256, 2);
    same("together", 6, "kernel=triad,beside=nothing,sms=2,beside_sms=2,how=green", "span_ns", 16 * 560);
    same("together", 6, "kernel=triad,beside=triad,sms=2,beside_sms=2,how=green", "span_ns", 16000);
    same("together", 6, "kernel=triad,beside=fma,sms=2,beside_sms=2,how=green", "span_ns", 16 * 600);
    same("together", 6, "kernel=fma,beside=nothing,sms=2,beside_sms=2,how=green", "span_ns", 16000);
    same("together", 6, "kernel=fma,beside=triad,sms=2,beside_sms=2,how=green", "span_ns", 24000);
}

static void contention_is_not_counted_twice(void) {
    measure_halves();
    same("coresidency", 6, "kernel=triad,per_sm=2", "block_ns", 1000);
    same("coresidency", 6, "kernel=fma,per_sm=2", "block_ns", 1000);
    const struct grt_fit *all = fit();
    CU_ASSERT_DOUBLE_EQUAL(finding(all, "triad beside triad on 2 and 2 SMs: slowdown")->value, 1, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(finding(all, "triad beside fma on 2 and 2 SMs: slowdown")->value, 0.6, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(finding(all, "fma beside triad on 2 and 2 SMs: slowdown")->value, 1.5, 1e-12);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(finding(all, "triad beside triad on 2 and 2 SMs: slowdown")->how, "1.786 times that"));
    CU_ASSERT_DOUBLE_EQUAL(all->slowdowns[0].over_alone, 16000 / 8960.0, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(finding(all, "slowdowns")->value, 1.5, 1e-12);
    for (size_t i = 0; i < all->slowdown_count; i++) {
        CU_ASSERT_TRUE(all->slowdowns[i].is_separate);
    }
}

/* Without block times nobody knows what is in them. */
static void slowdowns_without_block_times_go_nowhere(void) {
    measure_halves();
    const struct grt_fit *all = fit();
    CU_ASSERT_DOUBLE_EQUAL(finding(all, "triad beside triad on 2 and 2 SMs: slowdown")->value, 16000 / 8960.0,
                           1e-12);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(finding(all, "fma beside triad on 2 and 2 SMs: slowdown")->how, "not for device files"));
    CU_ASSERT_FALSE(all->slowdowns[0].is_separate);
    expect_refused(all, "slowdowns", "the times of blocks were not measured");
}

static void copies_that_follow_one_another_have_one_engine(void) {
    start();
    struct grt_raw_cell *cell = raw_cell(&samples, "engines", 1, "first=d2h,second=h2d,bytes=1000");
    *raw_column(&samples, cell, "first_ns") = 1000;
    *raw_column(&samples, cell, "second_ns") = 1000;
    *raw_column(&samples, cell, "together_ns") = 1900;
    CU_ASSERT_DOUBLE_EQUAL(finding(fit(), "copy_engines")->value, 1, 0);
}

/* Urgent kernels that begin before any block has ended interrupt blocks. */
static void kernels_inside_blocks_are_seen(void) {
    start();
    samples.raw.device.priority_greatest = -1;
    const int64_t wait[] = {100, 120, 90, 80, 100, 110}, left[] = {9000, 8000, 7000, 9000, 9000, 9000},
                  overtook[] = {1, 1, 1, 1, 1, 1};
    struct grt_raw_cell *cell = raw_cell(&samples, "priority", 6, "low=0,high=-1");
    column(cell, "wait_ns", wait);
    column(cell, "left_ns", left);
    column(cell, "overtook", overtook);
    const struct grt_fit *all = fit();
    CU_ASSERT_STRING_EQUAL(finding(all, "priority_wait")->word, "inside blocks");
    CU_ASSERT_DOUBLE_EQUAL(finding(all, "priority_levels")->value, 2, 0);
}

/* ---- worst cases ---- */

/* A series without its longest runs says nothing about them. */
static void thrown_away_runs_are_said(void) {
    enum { RUNS = 3000 };
    static const size_t dropped[] = {0, 3, 4}; /* one in 1,000 at most */
    for (size_t k = 0; k < sizeof dropped / sizeof dropped[0]; k++) {
        start();
        struct grt_random random = grt_random_stream(9, "worst", 0, 0);
        struct grt_raw_cell *cell =
            raw_cell(&samples, "worst", RUNS, "kernel=fma,sms=2,beside=fma,state=cold");
        int64_t *spans = raw_column(&samples, cell, "span_ns");
        for (size_t i = 0; i < RUNS; i++) {
            spans[i] = 100000 - (int64_t)(1000 * log(1 - grt_random_uniform(&random)));
        }
        cell->dropped = dropped[k];
        const struct grt_fit *all = fit();
        CU_ASSERT_EQUAL_FATAL(all->worst_count, 1);
        const struct grt_pwcet *pwcet = all->worst[0].pwcet;
        CU_ASSERT_EQUAL(pwcet->dropped, dropped[k]);
        CU_ASSERT_PTR_NOT_NULL(strstr(pwcet->condition, "the other kernel runs all the time"));
        bool refused = dropped[k] > 3, warned = false;
        for (size_t i = 0; i < pwcet->warning_count; i++) {
            warned = warned || strstr(pwcet->warnings[i], "3 of 3003 runs were thrown away") != NULL;
        }
        CU_ASSERT_EQUAL(warned, dropped[k] == 3);
        CU_ASSERT_EQUAL(pwcet->answers[0].verdict, refused ? GRT_PWCET_REFUSED : GRT_PWCET_MODEL);
        CU_ASSERT(!refused || strstr(pwcet->refusals[0], "4 of 3004 runs were thrown away") != NULL);
        const struct grt_finding *said =
            finding(all, "fma, 2 SMs, cold, beside fma: time exceeded once in 1e3 runs");
        char text[64];
        snprintf(text, sizeof text, refused ? "%zu were thrown away" : "%zu of %zu runs were thrown away",
                 dropped[k], RUNS + dropped[k]);
        CU_ASSERT_PTR_NOT_NULL(strstr(refused ? said->why : said->how, text));
    }
}

static void long_series_have_a_worst_case(void) {
    enum { RUNS = 3000 };
    start();
    struct grt_random random = grt_random_stream(9, "worst", 0, 0);
    struct grt_raw_cell *cell =
        raw_cell(&samples, "worst", RUNS, "kernel=fma,sms=4,beside=nothing,state=cold");
    int64_t *spans = raw_column(&samples, cell, "span_ns");
    for (size_t i = 0; i < RUNS; i++) { /* exponential above 100 us */
        spans[i] = 100000 + llround(-1000 * log(1 - grt_random_uniform(&random)));
    }
    struct grt_raw_cell *few = raw_cell(&samples, "worst", 100, "kernel=fma,sms=4,beside=nothing,state=hot");
    memcpy(raw_column(&samples, few, "span_ns"), spans, 100 * sizeof *spans);
    const struct grt_fit *all = fit();
    CU_ASSERT_EQUAL_FATAL(all->worst_count, 2);
    CU_ASSERT_STRING_EQUAL(all->worst[0].name, "fma, 4 SMs, cold, beside nothing");
    const struct grt_finding *once =
        finding(all, "fma, 4 SMs, cold, beside nothing: time exceeded once in 1e6 runs");
    CU_ASSERT_EQUAL_FATAL(once->status, GRT_FINDING_MEASURED);
    double truth = 100000 + 1000 * log(1e6);
    CU_ASSERT(once->low < truth && truth < once->high);
    expect_refused(all, "fma, 4 SMs, hot, beside nothing: time exceeded once in 1e6 runs", "1000");
}

int main(void) {
    static CU_TestInfo tests[] = {
        {"what was not measured is said", what_was_not_measured_is_said},
        {"warnings tell of clocks and dropped samples", warnings_tell_of_clocks_and_dropped_samples},
        {"empty cells are no samples", empty_cells_are_no_samples},
        {"records that cannot be are refused", records_that_cannot_be_are_refused},
        {"no rule of placement is said", no_rule_of_placement_is_said},
        {"few sizes and no growth are refused", few_sizes_and_no_growth_are_refused},
        {"spans between clocks need exchanges", spans_between_clocks_need_exchanges},
        {"launches before their calls are none", launches_before_their_calls_are_none},
        {"kernels that block times do not explain are doubtful",
         kernels_that_block_times_do_not_explain_are_doubtful},
        {"part of the blocks is not the whole SM", part_of_the_blocks_is_not_the_whole_sm},
        {"the driver and the device may disagree", the_driver_and_the_device_may_disagree},
        {"partitions are made monotone", partitions_are_made_monotone},
        {"filters are held against filters", filters_are_held_against_filters},
        {"kernels on the same SMs are no slowdown", kernels_on_the_same_sms_are_no_slowdown},
        {"contention is not counted twice", contention_is_not_counted_twice},
        {"slowdowns without block times go nowhere", slowdowns_without_block_times_go_nowhere},
        {"copies that follow one another have one engine", copies_that_follow_one_another_have_one_engine},
        {"kernels inside blocks are seen", kernels_inside_blocks_are_seen},
        {"long series have a worst case", long_series_have_a_worst_case},
        {"runs thrown away are said", thrown_away_runs_are_said},
        CU_TEST_INFO_NULL,
    };
    int result = grt_suite_run("fits", tests);
    grt_arena_clear(&samples.arena);
    return result;
}
