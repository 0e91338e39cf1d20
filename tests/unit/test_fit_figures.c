/* Figures by hand: small raw files, of which each says one thing that a fit has to weigh. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "calib/fit/fit.h"
#include "tests/support/findings.h"
#include "tests/support/raw_samples.h"
#include "tests/support/suite.h"

static struct raw_samples samples;

static const struct grt_fit *fit(void) {
    return grt_fit_all(&samples.raw, &samples.arena);
}

static void start(void) {
    raw_start(&samples, 4);
    raw_workload(&samples, "fma", GRT_KERNEL_FMA, 256, 2);
}

static void fill(struct grt_raw_cell *cell, const char *name, int64_t value) {
    int64_t *values = raw_column(&samples, cell, name);
    for (size_t i = 0; i < cell->count; i++) {
        values[i] = value;
    }
}

/* ---- dispatch ---- */

/* 20 launches of a block on each of 4 SMs, the last two of which change places in some of them: a block of four is then where no rule has it, and the one after it is where it has to be. */
static const struct grt_fit *fit_launches(int64_t swapped) {
    enum { LAUNCHES = 20, BLOCKS = 4 };
    start();
    struct grt_raw_cell *cell =
        raw_cell(&samples, "dispatch", LAUNCHES * BLOCKS, "kernel=fma,threads=32,blocks=4");
    int64_t *order = raw_column(&samples, cell, "order"), *block = raw_column(&samples, cell, "block");
    int64_t *sm = raw_column(&samples, cell, "sm");
    raw_column(&samples, cell, "start_ns");
    fill(cell, "end_ns", 1000);
    for (int64_t i = 0; i < LAUNCHES * BLOCKS; i++) {
        bool elsewhere = i / BLOCKS < swapped && i % BLOCKS >= 2;
        order[i] = block[i] = i % BLOCKS;
        sm[i] = elsewhere ? 5 - i % BLOCKS : i % BLOCKS;
    }
    return fit();
}

static void a_rule_has_nine_blocks_in_ten(void) {
    const struct grt_fit *all = fit_launches(5); /* 5 of 80 */
    CU_ASSERT_STRING_EQUAL(finding(all, "sm_order")->word, "ascending");
    CU_ASSERT_DOUBLE_EQUAL(finding(all, "placement")->residual, 5.0 / 80, 1e-12);
    all = fit_launches(10);
    CU_ASSERT_EQUAL(finding(all, "placement")->status, GRT_FINDING_REFUSED);
    CU_ASSERT_PTR_NOT_NULL(strstr(finding(all, "placement")->why, "70 of 80 blocks"));
}

/* Three blocks on an SM that end in the reverse of their order: each of the next three follows the earliest end that is left, 100 ns later. */
static void refills_follow_the_earliest_end(void) {
    static const int64_t starts[] = {0, 0, 0, 1100, 2100, 3100},
                         ends[] = {3000, 2000, 1000, 9000, 9000, 9000};
    raw_start(&samples, 1);
    struct grt_raw_cell *cell = raw_cell(&samples, "dispatch", 6, "kernel=fma,threads=32,blocks=6");
    int64_t *order = raw_column(&samples, cell, "order"), *block = raw_column(&samples, cell, "block");
    raw_column(&samples, cell, "sm");
    memcpy(raw_column(&samples, cell, "start_ns"), starts, sizeof starts);
    memcpy(raw_column(&samples, cell, "end_ns"), ends, sizeof ends);
    for (int64_t i = 0; i < 6; i++) {
        order[i] = block[i] = i;
    }
    const struct grt_finding *gap = finding(fit(), "refill_gap");
    CU_ASSERT_DOUBLE_EQUAL(gap->value, 100, 0);
    CU_ASSERT_DOUBLE_EQUAL(gap->low, 100, 0);
    CU_ASSERT_DOUBLE_EQUAL(gap->high, 100, 0);
}

/* ---- residency, priorities, engines ---- */

/* A grid that leaves SMs empty does not say how many blocks fit. */
static void half_full_grids_do_not_say_what_fits(void) {
    static const int blocks[] = {7, 8};
    for (int i = 0; i < 2; i++) {
        start();
        struct grt_raw_cell *cell =
            raw_cell(&samples, "residency", 3, "kernel=fma,threads=256,shared_bytes=0,blocks=%d", blocks[i]);
        fill(cell, "most_per_sm", 2);
        fill(cell, "sms_used", 4);
        fill(cell, "expected", 2);
        const struct grt_finding *found = finding(fit(), "fma, 256 threads, 0 B shared: residency");
        CU_ASSERT_EQUAL(found->status, i == 0 ? GRT_FINDING_REFUSED : GRT_FINDING_MEASURED);
        CU_ASSERT(i == 1 || strstr(found->why, "no grid had as many blocks as fit") != NULL);
    }
}

/* One urgent kernel in twenty may begin early by a coincidence of clocks, two may not. */
static void one_in_twenty_may_begin_early(void) {
    for (size_t early = 0; early <= 3; early++) {
        start();
        samples.raw.device.priority_greatest = -1;
        struct grt_raw_cell *cell = raw_cell(&samples, "priority", 20, "low=0,high=-1");
        fill(cell, "left_ns", 9000);
        fill(cell, "overtook", 1);
        int64_t *wait = raw_column(&samples, cell, "wait_ns");
        for (size_t i = 0; i < 20; i++) {
            wait[i] = i < early ? 100 : 9000;
        }
        CU_ASSERT_STRING_EQUAL(finding(fit(), "priority_wait")->word,
                               early <= 1 ? "ends of blocks" : "inside blocks");
    }
}

/* Two directions at a time have two engines; of a third one only the driver knows. */
static void the_driver_knows_of_further_engines(void) {
    static const int told[] = {0, 1, 2, 3};
    for (int i = 0; i < 4; i++) {
        start();
        samples.raw.device.async_engines = told[i];
        struct grt_raw_cell *cell = raw_cell(&samples, "engines", 10, "first=h2d,second=d2h,bytes=1000");
        fill(cell, "first_ns", 1000);
        fill(cell, "second_ns", 1000);
        fill(cell, "together_ns", 1000);
        const struct grt_finding *engines = finding(fit(), "copy_engines");
        CU_ASSERT_DOUBLE_EQUAL(engines->value, told[i] > 2 ? told[i] : 2, 0);
        CU_ASSERT_EQUAL(strstr(engines->how, "the driver says") != NULL, told[i] > 2);
    }
}

/* ---- clocks ---- */

/* Two exchanges of 100 ns, a second apart, and launches of 5 us a hundred seconds later: the device's clock goes as the host's, but both exchanges would agree with one that is 1e-7 faster or slower. */
static void lines_are_as_sure_as_where_they_are_used(void) {
    const int64_t second = 1000000000, launch = 5000;
    start();
    struct grt_raw_cell *cell = raw_cell(&samples, "clock", 2, "what=offset");
    int64_t *before = raw_column(&samples, cell, "before_ns"),
            *after = raw_column(&samples, cell, "after_ns");
    int64_t *device = raw_column(&samples, cell, "device_ns");
    for (int64_t i = 0; i < 2; i++) {
        before[i] = i * second;
        after[i] = i * second + 100;
        device[i] = i == 0 ? before[i] : after[i];
    }
    struct grt_raw_cell *idle = raw_cell(&samples, "launch", 10, "what=idle");
    fill(idle, "call_ns", 100 * second);
    fill(idle, "start_ns", 100 * second + launch);
    const struct grt_fit *all = fit();
    const struct grt_finding *found = finding(all, "kernel_launch");
    CU_ASSERT_EQUAL_FATAL(found->status, GRT_FINDING_MEASURED);
    CU_ASSERT(found->low <= (double)launch && found->high >= (double)launch);
    CU_ASSERT(finding(all, "clock_offset")->high - finding(all, "clock_offset")->low > 15000);
}

/* Events that go in steps of 1,024 ns cut each size's time by another part of a step: a slope may be off by two steps over the sizes' distance, whatever the samples say. One of ten copies takes 5 us
 * longer, so that no line agrees with all. */
static void steps_of_events_tilt_lines(void) {
    enum { STEP = 1024, ROWS = 40, SIZES = 8 };
    int tilted = 0;
    for (int k = 1; k <= 20; k++) {
        double ns_per_byte = 0.3 + 0.02 * k;
        start();
        struct grt_raw_cell *steps = raw_cell(&samples, "clock", 200, "what=event");
        int64_t *deltas = raw_column(&samples, steps, "elapsed_ns");
        for (int i = 0; i < 200; i++) {
            deltas[i] = STEP * (5 + i % 40);
        }
        for (int size = 1; size <= SIZES; size++) {
            struct grt_raw_cell *cell = raw_cell(
                &samples, "copy", ROWS, "direction=h2d,memory=pinned,bytes=%d,beside=nothing", 1024 * size);
            int64_t *elapsed = raw_column(&samples, cell, "elapsed_ns");
            for (int i = 0; i < ROWS; i++) {
                double time = 10000 + ns_per_byte * 1024 * size + (i % 10 == 0 ? 5000 : 0);
                elapsed[i] = (int64_t)floor(time / STEP) * STEP;
            }
        }
        const struct grt_finding *rate = finding(fit(), "h2d_bandwidth");
        CU_ASSERT_EQUAL_FATAL(rate->status, GRT_FINDING_MEASURED);
        CU_ASSERT(rate->low <= 1e9 / ns_per_byte && 1e9 / ns_per_byte <= rate->high);
        tilted += fabs(rate->value * ns_per_byte / 1e9 - 1) > 0.1;
    }
    CU_ASSERT(tilted > 0);
}

/* ---- partitions ---- */

/* 20 times of 10 us and 5 of 12 us are pooled by their numbers: 10.4 us. */
static void pooled_medians_weigh_their_samples(void) {
    static const int64_t spans[] = {20000, 10000, 12000, 5000};
    static const size_t counts[] = {6, 20, 5, 6};
    start();
    for (int i = 0; i < 4; i++) {
        fill(raw_cell(&samples, "partition", counts[i], "kernel=fma,sms=%d,how=green", i + 1), "span_ns",
             spans[i]);
    }
    const struct grt_fitted_workload *fma = &fit()->workloads[0];
    CU_ASSERT_EQUAL_FATAL(fma->share_factor_count, 4);
    CU_ASSERT_DOUBLE_EQUAL(fma->share_factors[1].factor, 10400.0 / 5000, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(fma->share_factors[2].factor, 10400.0 / 5000, 1e-12);
}

/* Times of a way of dividing, 20 samples around a middle: medians are that, and their intervals not empty. */
static void around(const char *how, int sms, int64_t middle, int64_t apart) {
    struct grt_raw_cell *cell = raw_cell(&samples, "partition", 21, "kernel=fma,sms=%d,how=%s", sms, how);
    int64_t *values = raw_column(&samples, cell, "span_ns");
    for (int64_t i = 0; i < 21; i++) {
        values[i] = middle + (i - 10) * apart;
    }
}

static void filters_are_held_against_green_contexts(void) {
    start();
    around("green", 1, 40000, 20);
    around("green", 2, 20000, 10);
    around("none", 4, 10000, 5); /* all SMs: nothing is divided */
    around("filter", 2, 22000, 10);
    around("filter", 3, 15000, 10); /* no green context has as many */
    around("filter", 4, 11000, 5);
    const struct grt_finding *slower = finding(fit(), "fma: filter over green context");
    CU_ASSERT_DOUBLE_EQUAL(slower->value, 1.1, 1e-12);
    CU_ASSERT(slower->low < 1.1 && slower->low > 1.09 && slower->high > 1.1 && slower->high < 1.11);
    CU_ASSERT_EQUAL(slower->samples, 63);
    CU_ASSERT_PTR_NOT_NULL(strstr(slower->how, "1.1 with 2 SMs, 1.1 with 4 SMs"));
    CU_ASSERT_PTR_NOT_NULL(strstr(slower->how, "they differ"));
    start();
    around("green", 2, 20000, 10);
    around("filter", 2, 20001, 10);
    slower = finding(fit(), "fma: filter over green context");
    CU_ASSERT(slower->low < 1 && slower->high > 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(slower->how, "they agree"));
    start();
    around("green", 2, 20000, 10);
    around("filter", 3, 20000, 10);
    CU_ASSERT_PTR_NULL(grt_fit_find(fit(), "fma: filter over green context"));
}

int main(void) {
    static CU_TestInfo tests[] = {
        {"a rule has nine blocks in ten", a_rule_has_nine_blocks_in_ten},
        {"refills follow the earliest end", refills_follow_the_earliest_end},
        {"half-full grids do not say what fits", half_full_grids_do_not_say_what_fits},
        {"one in twenty may begin early", one_in_twenty_may_begin_early},
        {"the driver knows of further engines", the_driver_knows_of_further_engines},
        {"lines are as sure as where they are used", lines_are_as_sure_as_where_they_are_used},
        {"steps of events tilt lines", steps_of_events_tilt_lines},
        {"pooled medians weigh their samples", pooled_medians_weigh_their_samples},
        {"filters are held against green contexts", filters_are_held_against_green_contexts},
        CU_TEST_INFO_NULL,
    };
    int result = grt_suite_run("figures of fits", tests);
    grt_arena_clear(&samples.arena);
    return result;
}
