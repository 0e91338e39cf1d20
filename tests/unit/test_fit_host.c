/* The device of threads that gpurt-calib measures where nobody says another, measured in real time, and fitted. Bounds are loose, and times the quickest ones of a few: threads of a
 * machine that is busy may be woken milliseconds late. What cannot be shorter than it was told is asked exactly. */
#include <stdio.h>
#include <string.h>

#include "calib/fit/fit.h"
#include "tests/support/measured.h"
#include "tests/support/suite.h"

enum { SMS = 4, PER_SM = 4, WAVE = SMS * PER_SM, MEBIBYTE = 1 << 20 };

/* What times may be of what they should be, and how fast copies are. */
static const double loose = 1.5, bytes_per_ns = 0.25;

static struct grt_arena arena;
static const struct grt_raw *raw;
static const struct grt_fit *fit;

/* Everything that belongs to these experiments, with three samples of each cell; the budget is far away. */
static void measure(uint32_t experiments, uint32_t slowness, size_t buffer_bytes) {
    struct grt_pretend_spec spec;
    grt_pretend_small(&spec);
    struct grt_plan plan = grt_measured_plan();
    plan.workloads[plan.workload_count++] = "spin";
    grt_plan_for_threads(&plan);
    plan.experiments = experiments;
    plan.slowness = slowness;
    plan.least_samples = plan.most_samples = 3;
    plan.budget_s = 300;
    struct grt_measured_run run = {.spec = &spec,
                                   .engine = &grt_engine_threads,
                                   .plan = &plan,
                                   .path = GRT_SCRATCH_DIR "/raw.jsonl",
                                   .buffer_bytes = buffer_bytes};
    struct grt_errors errors = {0};
    enum grt_measure_result result;
    CU_ASSERT_TRUE(grt_pretend_check(&spec, &errors));
    CU_ASSERT_TRUE(grt_plan_check(&plan, &errors));
    raw = grt_measured(&run, &arena, &result);
    CU_ASSERT_EQUAL_FATAL(result, GRT_MEASURE_DONE);
    CU_ASSERT_PTR_NOT_NULL_FATAL(raw);
    CU_ASSERT_TRUE(raw->complete);
    fit = grt_fit_all(raw, &arena);
}

static double quickest(const struct grt_raw_cell *cell, const char *column) {
    const int64_t *values = grt_raw_values(cell, column);
    CU_ASSERT_TRUE_FATAL(values != NULL && cell->count >= 1);
    int64_t least = values[0];
    for (size_t i = 1; i < cell->count; i++) {
        least = values[i] < least ? values[i] : least;
    }
    return (double)least;
}

static const struct grt_finding *found(const char *name) {
    const struct grt_finding *finding = grt_fit_find(fit, name);
    CU_ASSERT_PTR_NOT_NULL_FATAL(finding);
    CU_ASSERT_EQUAL(finding->status, GRT_FINDING_MEASURED);
    return finding;
}

static void expect_between(double value, double low, double high) {
    if (!(value >= low && value <= high)) {
        printf("\n%g is not from %g to %g", value, low, high);
        CU_FAIL("out of bounds");
    }
}

/* One block more than a wave takes another wave. */
static void test_staircase(void) {
    measure(1u << GRT_EXPERIMENT_CORESIDENCY | 1u << GRT_EXPERIMENT_WAVES, 100, 0);
    const struct grt_raw_workload *spin = grt_raw_workload(raw, "spin");
    const struct grt_raw_cell *cell = NULL;
    CU_ASSERT_PTR_NOT_NULL_FATAL(spin);
    CU_ASSERT_EQUAL(spin->occupancy, PER_SM);
    bool seen[5] = {false};
    while ((cell = grt_raw_next(raw, "waves", cell)) != NULL) {
        int64_t waves = (grt_raw_number(cell, "blocks", 0) + WAVE - 1) / WAVE;
        double level = (double)waves * (double)spin->amount;
        CU_ASSERT_TRUE_FATAL(waves >= 1 && waves <= 4);
        seen[waves] = true;
        expect_between(quickest(cell, "span_ns"), level, loose * level);
    }
    CU_ASSERT_TRUE(seen[1] && seen[2] && seen[3] && seen[4]);
    expect_between(found("spin: kernel_time_error")->residual, 0, loose - 1);
    expect_between(found("spin: block_time")->value, (double)spin->amount, loose * (double)spin->amount);
    grt_arena_clear(&arena);
}

static void test_residency(void) {
    measure(1u << GRT_EXPERIMENT_RESIDENCY, 50, 0);
    CU_ASSERT_EQUAL(found("spin, 128 threads, 0 B shared: residency")->value, PER_SM);
    CU_ASSERT_EQUAL(found("spin, 512 threads, 0 B shared: residency")->value, PER_SM);
    CU_ASSERT_EQUAL(found("spin, 1024 threads, 0 B shared: residency")->value, 2);
    CU_ASSERT_EQUAL(found("spin, 128 threads, 49152 B shared: residency")->value, 1);
    grt_arena_clear(&arena);
}

/* The quickest copy alone of so many bytes. */
static double copy_time(const char *direction, int64_t bytes) {
    const struct grt_raw_cell *cell = NULL;
    do {
        cell = grt_raw_next(raw, "copy", cell);
        CU_ASSERT_PTR_NOT_NULL_FATAL(cell);
    } while (strcmp(grt_raw_text(cell, "direction"), direction) != 0 ||
             strcmp(grt_raw_text(cell, "memory"), "pinned") != 0 ||
             strcmp(grt_raw_text(cell, "beside"), "nothing") != 0 ||
             grt_raw_number(cell, "bytes", 0) != bytes);
    return quickest(cell, "elapsed_ns");
}

static void check_direction(const char *direction, const char *bandwidth) {
    for (int64_t bytes = 65536; bytes <= MEBIBYTE; bytes *= 2) {
        expect_between(copy_time(direction, bytes), (double)bytes / bytes_per_ns, 1e9);
        CU_ASSERT_TRUE(copy_time(direction, bytes) > copy_time(direction, bytes / 4));
    }
    double more = copy_time(direction, MEBIBYTE) - copy_time(direction, 65536);
    double should = (MEBIBYTE - 65536) / bytes_per_ns;
    expect_between(more, should / loose, should * loose);
    expect_between(found(bandwidth)->value, bytes_per_ns * 1e9 / 2, bytes_per_ns * 1e9 * 2);
}

static void test_copies(void) {
    measure(1u << GRT_EXPERIMENT_COPY, 1, MEBIBYTE);
    check_direction("h2d", "h2d pinned: bandwidth");
    check_direction("d2h", "d2h pinned: bandwidth");
    grt_arena_clear(&arena);
}

/* Copies in opposite directions go on at the same time; those of one direction follow one another. */
static void test_engines(void) {
    measure(1u << GRT_EXPERIMENT_ENGINES, 1, 4 * MEBIBYTE);
    const struct grt_raw_cell *cell = NULL;
    const double alone = 4 * MEBIBYTE / bytes_per_ns;
    while ((cell = grt_raw_next(raw, "engines", cell)) != NULL) {
        bool from_host = strcmp(grt_raw_text(cell, "first"), "h2d") == 0;
        double together = quickest(cell, "together_ns");
        if (from_host && strcmp(grt_raw_text(cell, "second"), "d2h") == 0) {
            expect_between(together, alone, alone * loose);
        } else if (from_host && strcmp(grt_raw_text(cell, "second"), "h2d") == 0) {
            expect_between(together, 2 * alone, 2 * alone * loose);
        }
    }
    CU_ASSERT_EQUAL(found("copy_engines")->value, 2);
    expect_between(found("h2d and d2h: overlap")->value, 0.5, 2);
    grt_arena_clear(&arena);
}

/* Of 1 to 4 SMs: the more of them, the less time, as measured, without pooling. */
static void check_partitions(const char *how, const struct grt_raw_workload *spin) {
    double times[SMS + 1] = {0};
    const struct grt_raw_cell *cell = NULL;
    while ((cell = grt_raw_next(raw, "partition", cell)) != NULL) {
        int64_t sms = grt_raw_number(cell, "sms", 0);
        CU_ASSERT_TRUE_FATAL(sms >= 1 && sms <= SMS);
        if (strcmp(grt_raw_text(cell, "how"), how) == 0) {
            times[sms] = quickest(cell, "span_ns");
        }
    }
    for (int sms = 1; sms <= SMS; sms++) {
        int64_t waves = ((int64_t)spin->blocks + sms * PER_SM - 1) / (sms * PER_SM);
        double level = (double)waves * (double)spin->amount;
        expect_between(times[sms], level, level * loose);
        CU_ASSERT_TRUE(sms == 1 || times[sms] < times[sms - 1]);
    }
}

static void test_partitions(void) {
    measure(1u << GRT_EXPERIMENT_PARTITION, 60, 0);
    const struct grt_raw_workload *spin = grt_raw_workload(raw, "spin");
    CU_ASSERT_PTR_NOT_NULL_FATAL(spin);
    check_partitions("green", spin);
    check_partitions("filter", spin);
    expect_between(found("spin: partition")->value, SMS / 2.0, SMS * 2.0);
    const struct grt_fitted_workload *fitted = &fit->workloads[0];
    CU_ASSERT_EQUAL_FATAL(fitted->share_factor_count, SMS);
    for (size_t i = 1; i < SMS; i++) {
        CU_ASSERT_TRUE(fitted->share_factors[i].factor <= fitted->share_factors[i - 1].factor);
    }
    CU_ASSERT_TRUE(fitted->share_factors[SMS - 1].factor < fitted->share_factors[0].factor);
    grt_arena_clear(&arena);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"staircase of waves", test_staircase}, {"residency", test_residency},   {"copies", test_copies},
        {"copy engines", test_engines},         {"partitions", test_partitions}, CU_TEST_INFO_NULL,
    };
    return grt_suite_run("measuring and fitting threads", tests);
}
