/* The device of threads that gpurt-calib measures where nobody says another, measured in real time, and fitted. What cannot be shorter than it was told is asked of every
 * sample. What a busy machine can spoil, whose threads are woken milliseconds late, is asked of the quickest sample, and until it comes out, a few times, with longer
 * and longer kernels. */
#include <math.h>
#include <string.h>

#include "calib/fit/fit.h"
#include "tests/support/measured.h"
#include "tests/support/suite.h"

enum { SMS = 4, PER_SM = 4, WAVE = SMS * PER_SM, WAVES = 4, MEBIBYTE = 1 << 20, TRIES = 5 };

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
    grt_arena_clear(&arena);
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

/* NAN: refused, as too noisy samples are, so that they are to be taken again. */
static double found(const char *name) {
    const struct grt_finding *finding = grt_fit_find(fit, name);
    CU_ASSERT_PTR_NOT_NULL_FATAL(finding);
    CU_ASSERT_TRUE(finding->status == GRT_FINDING_MEASURED || finding->status == GRT_FINDING_REFUSED);
    return finding->status == GRT_FINDING_MEASURED ? finding->value : NAN;
}

static bool is_between(double value, double low, double high) {
    return value >= low && value <= high;
}

/* Of something that was measured again and again: its time against what it should be at least, at best; 0: not measured. */
static bool is_near(double *best, double time, double least) {
    double ratio = time / least;
    CU_ASSERT_TRUE(ratio >= 1);
    *best = *best == 0 || ratio < *best ? ratio : *best;
    return *best <= loose;
}

/* One block more than a wave takes another wave. */
static bool has_staircase(double best[WAVES * WAVE + 1]) {
    const struct grt_raw_workload *spin = grt_raw_workload(raw, "spin");
    const struct grt_raw_cell *cell = NULL;
    CU_ASSERT_PTR_NOT_NULL_FATAL(spin);
    CU_ASSERT_EQUAL(spin->occupancy, PER_SM);
    bool good = true;
    while ((cell = grt_raw_next(raw, "waves", cell)) != NULL) {
        int64_t blocks = grt_raw_number(cell, "blocks", 0), waves = (blocks + WAVE - 1) / WAVE;
        CU_ASSERT_TRUE_FATAL(waves >= 1 && waves <= WAVES);
        double level = (double)waves * (double)spin->amount;
        good = is_near(&best[blocks], quickest(cell, "span_ns"), level) && good;
    }
    const struct grt_finding *error = grt_fit_find(fit, "spin: kernel_time_error");
    CU_ASSERT_PTR_NOT_NULL_FATAL(error);
    double time = found("spin: block_time");
    CU_ASSERT_FALSE(time < (double)spin->amount);
    return good && error->residual < loose - 1 && time <= (double)spin->amount * loose;
}

static void test_staircase(void) {
    double best[WAVES * WAVE + 1] = {0};
    bool good = false;
    for (uint32_t i = 0; i < TRIES && !good; i++) {
        measure(1u << GRT_EXPERIMENT_CORESIDENCY | 1u << GRT_EXPERIMENT_WAVES, 100u << i, 0);
        good = has_staircase(best);
    }
    CU_ASSERT_TRUE(good);
    for (int waves = 1; waves <= WAVES; waves++) {
        CU_ASSERT_TRUE(best[waves * WAVE] > 0); /* measured: whole waves, and one block more */
        CU_ASSERT_TRUE(waves == WAVES || best[waves * WAVE + 1] > 0);
    }
}

static bool has_residency(void) {
    double most = found("spin, 128 threads, 0 B shared: residency"),
           large = found("spin, 1024 threads, 0 B shared: residency"),
           alone = found("spin, 128 threads, 49152 B shared: residency");
    CU_ASSERT_FALSE(most > PER_SM || large > 2 || alone > 1);
    return most == PER_SM && large == 2 && alone == 1 &&
           found("spin, 512 threads, 0 B shared: residency") == PER_SM;
}

static void test_residency(void) {
    bool good = false;
    for (uint32_t i = 0; i < TRIES && !good; i++) {
        measure(1u << GRT_EXPERIMENT_RESIDENCY, 50u << i, 0);
        good = has_residency();
    }
    CU_ASSERT_TRUE(good);
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

enum { SIZES = 3 };

/* Times of 64 KiB, 256 KiB and 1 MiB, at best: each is longer than the one before by what its bytes take. */
static bool has_bandwidth(const char *direction, const char *bandwidth, double best[SIZES]) {
    bool good = true;
    for (int i = 0; i < SIZES; i++) {
        int64_t bytes = MEBIBYTE >> 2 * (SIZES - 1 - i);
        double time = copy_time(direction, bytes);
        CU_ASSERT_TRUE(time >= (double)bytes / bytes_per_ns);
        best[i] = best[i] == 0 || time < best[i] ? time : best[i];
        double more = i > 0 ? best[i] - best[i - 1] : 0, should = 0.75 * (double)bytes / bytes_per_ns;
        good = good && (i == 0 || is_between(more, should / loose, should * loose));
    }
    double rate = found(bandwidth) / 1e9;
    return good && is_between(rate, bytes_per_ns / loose, bytes_per_ns * loose);
}

static void test_copies(void) {
    double h2d[SIZES] = {0}, d2h[SIZES] = {0};
    bool good_h2d = false, good_d2h = false;
    for (uint32_t i = 0; i < 4 * TRIES && !(good_h2d && good_d2h); i++) {
        measure(1u << GRT_EXPERIMENT_COPY, 1, MEBIBYTE);
        good_h2d = has_bandwidth("h2d", "h2d pinned: bandwidth", h2d) || good_h2d;
        good_d2h = has_bandwidth("d2h", "d2h pinned: bandwidth", d2h) || good_d2h;
    }
    CU_ASSERT_TRUE(good_h2d && good_d2h);
}

/* Copies in opposite directions go on at the same time; those of one direction follow one another. */
static bool has_engines(double *opposite, double *same) {
    const struct grt_raw_cell *cell = NULL;
    const double alone = 4 * MEBIBYTE / bytes_per_ns;
    bool good = true;
    while ((cell = grt_raw_next(raw, "engines", cell)) != NULL) {
        double together = quickest(cell, "together_ns");
        if (strcmp(grt_raw_text(cell, "first"), "h2d") != 0) {
            continue;
        }
        if (strcmp(grt_raw_text(cell, "second"), "d2h") == 0) {
            good = is_near(opposite, together, alone) && good;
        } else if (strcmp(grt_raw_text(cell, "second"), "h2d") == 0) {
            good = is_near(same, together, 2 * alone) && good;
        }
    }
    return good && *opposite > 0 && *same > 0 && found("copy_engines") == 2;
}

static void test_engines(void) {
    double opposite = 0, same = 0;
    bool good = false;
    for (uint32_t i = 0; i < TRIES && !good; i++) {
        measure(1u << GRT_EXPERIMENT_ENGINES, 1, 4 * MEBIBYTE);
        good = has_engines(&opposite, &same);
    }
    CU_ASSERT_TRUE(good);
}

/* Times on 1 to 4 SMs, in blocks' times, at best: the more SMs, the less time, as measured. */
static bool is_monotone(const char *how, double best[SMS + 1]) {
    const struct grt_raw_workload *spin = grt_raw_workload(raw, "spin");
    const struct grt_raw_cell *cell = NULL;
    CU_ASSERT_PTR_NOT_NULL_FATAL(spin);
    bool good = true;
    while ((cell = grt_raw_next(raw, "partition", cell)) != NULL) {
        int64_t sms = grt_raw_number(cell, "sms", 0), at_once = sms * PER_SM;
        CU_ASSERT_TRUE_FATAL(sms >= 1 && sms <= SMS);
        if (strcmp(grt_raw_text(cell, "how"), how) == 0) {
            int64_t waves = ((int64_t)spin->blocks + at_once - 1) / at_once;
            double level = (double)waves * (double)spin->amount;
            good = is_near(&best[sms], quickest(cell, "span_ns"), level) && good;
        }
    }
    for (int sms = 2; sms <= SMS; sms++) {
        double waves = ceil(4.0 * SMS / sms), before = ceil(4.0 * SMS / (sms - 1));
        good = good && best[sms] > 0 && best[sms] * waves < best[sms - 1] * before;
    }
    return good;
}

static bool has_table(void) {
    const struct grt_fitted_workload *fitted = &fit->workloads[0];
    CU_ASSERT_EQUAL_FATAL(fitted->share_factor_count, SMS);
    for (size_t i = 1; i < SMS; i++) {
        CU_ASSERT_TRUE(fitted->share_factors[i].factor <= fitted->share_factors[i - 1].factor);
    }
    return is_between(found("spin: partition"), SMS / loose, SMS * loose) &&
           is_between(fitted->share_factors[0].factor, SMS / loose, SMS * loose);
}

static void test_partitions(void) {
    double green[SMS + 1] = {0}, filter[SMS + 1] = {0};
    bool good = false;
    for (uint32_t i = 0; i < TRIES && !good; i++) {
        measure(1u << GRT_EXPERIMENT_PARTITION, 60u << i, 0);
        CU_ASSERT_EQUAL(raw->workloads[0].blocks, 4 * WAVE);
        bool is_green = is_monotone("green", green), is_filter = is_monotone("filter", filter);
        good = is_green && is_filter && has_table();
    }
    CU_ASSERT_TRUE(good);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"staircase of waves", test_staircase}, {"residency", test_residency},   {"copies", test_copies},
        {"copy engines", test_engines},         {"partitions", test_partitions}, CU_TEST_INFO_NULL,
    };
    int result = grt_suite_run("measuring and fitting threads", tests);
    grt_arena_clear(&arena);
    return result;
}
