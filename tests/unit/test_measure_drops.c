/* labels: alone */
/* What is thrown away: samples of slow SMs, and of a device that was throttled. */
#include <stdlib.h>
#include <string.h>

#include "calib/driver/nvml.h"
#include "tests/support/file_text.h"
#include "tests/support/measuring.h"

static struct grt_plan waves_plan(void) {
    struct grt_plan plan = plan_of("fma", 1u << GRT_EXPERIMENT_WAVES);
    plan.least_samples = plan.most_samples = 20;
    return plan;
}

/* ---- slow SMs ---- */

/* Of the copies of more than one record that have come from the device, so many of every `slow_every` say that blocks took longer, in as many cycles. */
static grt_cuda_result (*fetch)(void *to, grt_cuda_address from, size_t bytes, grt_cuda_stream stream);
static grt_cuda_result (*synchronise)(grt_cuda_stream stream);
static int slow_from, slow_every, slow_part, slow_step, fetched;
static struct grt_block_record *coming;
static size_t coming_count;

static grt_cuda_result noted_fetch(void *to, grt_cuda_address from, size_t bytes, grt_cuda_stream stream) {
    coming = to;
    coming_count = bytes / sizeof *coming;
    return fetch(to, from, bytes, stream);
}

static grt_cuda_result slow_synchronise(grt_cuda_stream stream) {
    grt_cuda_result result = synchronise(stream);
    bool slow = coming_count > 1 && ++fetched > slow_from && fetched % slow_every == 0;
    for (size_t i = 0; slow && i < coming_count; i++) {
        int part = slow_part + slow_step * (fetched % 2);
        coming[i].end_ns += (coming[i].end_ns - coming[i].start_ns) * (uint64_t)part / 100;
    }
    coming_count = 0;
    return result;
}

static void slow_down(struct grt_driver *driver) {
    fetch = driver->cuda.cuMemcpyDtoHAsync_v2;
    synchronise = driver->cuda.cuStreamSynchronize;
    driver->cuda.cuMemcpyDtoHAsync_v2 = noted_fetch;
    driver->cuda.cuStreamSynchronize = slow_synchronise;
    fetched = 0;
    coming_count = 0;
}

static const char *why_of(const struct grt_raw *raw, const char *what) {
    const struct grt_raw_skipped *found = skipped(raw, what);
    return found != NULL ? found->why : "";
}

/* Some of the samples: they are dropped, and the others are as if nothing had been. */
static void test_slow_samples(void) {
    grt_measured_spec(4, &spec);
    slow_from = 60;
    slow_every = 7;
    slow_part = 10;
    slow_step = 0;
    struct grt_plan plan = waves_plan();
    struct grt_raw *raw = measure_prepared(&plan, slow_down);
    const struct grt_raw_cell *cell = NULL;
    size_t dropped = 0, whole = 0;
    while ((cell = grt_raw_next(raw, "waves", cell)) != NULL) {
        const int64_t *values = grt_raw_values(cell, "span_ns");
        for (size_t i = 1; i < cell->count; i++) {
            CU_ASSERT_EQUAL(values[i], values[0]);
        }
        dropped += cell->dropped;
        CU_ASSERT_EQUAL(cell->dropped_for[GRT_RAW_DROP_CLOCK], cell->dropped);
        whole += cell->count == 20;
    }
    CU_ASSERT(dropped > 10);
    CU_ASSERT(whole > 10);
    grt_arena_clear(&arena);
}

/* All of them, from some point on, by parts that differ: cells are given up, and the file says so. */
static void test_slow_for_good(void) {
    grt_measured_spec(4, &spec);
    slow_from = 150;
    slow_every = 1;
    slow_part = 10;
    slow_step = 30;
    struct grt_plan plan = waves_plan();
    struct grt_raw *raw = measure_prepared(&plan, slow_down);
    CU_ASSERT_FATAL(raw->skipped_count == 1);
    CU_ASSERT_STRING_EQUAL(raw->skipped[0].experiment, "waves");
    CU_ASSERT_PTR_NOT_NULL(strstr(raw->skipped[0].why, "40 samples in a row had to be dropped"));
    grt_arena_clear(&arena);
}

/* Of series for the longest times slow samples are the ones that matter. */
static void test_slow_runs_of_worst(void) {
    grt_measured_spec(4, &spec);
    slow_from = 60;
    slow_every = 7;
    struct grt_plan plan = waves_plan();
    plan.experiments = 1u << GRT_EXPERIMENT_WORST;
    plan.worst_samples = 200;
    struct grt_raw *raw = measure_prepared(&plan, slow_down);
    const struct grt_raw_cell *cell = NULL;
    size_t cells = 0;
    while ((cell = grt_raw_next(raw, "worst", cell)) != NULL) {
        const int64_t *values = grt_raw_values(cell, "span_ns");
        size_t slow = 0;
        if (grt_raw_text(cell, "run") != NULL || strcmp(grt_raw_text(cell, "beside"), "nothing") != 0) {
            continue; /* where the other kernel's records may be the slow ones */
        }
        for (size_t i = 0; i < cell->count; i++) {
            slow += values[i] > values[0];
        }
        CU_ASSERT(cell->count == 200 && cell->dropped == 0 && slow > 15 && slow < 50);
        cells++;
    }
    CU_ASSERT_EQUAL(cells, 2);
    grt_arena_clear(&arena);
}

/* The kernel always runs 10 % slower than the one thread of the warm-up, as where power does not suffice: that is its frequency, and the file says so. */
static void test_own_frequency(void) {
    grt_measured_spec(4, &spec);
    slow_from = 0;
    slow_every = 1;
    slow_part = 10;
    slow_step = 0;
    struct grt_plan plan = waves_plan();
    struct grt_raw *raw = measure_prepared(&plan, slow_down);
    CU_ASSERT_EQUAL(raw->skipped_count, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(why_of(raw, "waves"), "steadily below the warm frequency of 1000 MHz"));
    CU_ASSERT_PTR_NOT_NULL(strstr(why_of(raw, "waves"), "at 909 MHz or more"));
    const struct grt_raw_cell *cell = NULL;
    size_t cells = 0;
    while ((cell = grt_raw_next(raw, "waves", cell)) != NULL) {
        CU_ASSERT_EQUAL(cell->count, 20);
        cells++;
    }
    CU_ASSERT(cells > 10);
    grt_arena_clear(&arena);
}

/* Less than half of it is nobody's usual frequency. */
static void test_far_too_slow(void) {
    grt_measured_spec(4, &spec);
    slow_from = 150;
    slow_every = 1;
    slow_part = 120;
    slow_step = 0;
    struct grt_plan plan = waves_plan();
    struct grt_raw *raw = measure_prepared(&plan, slow_down);
    CU_ASSERT_PTR_NOT_NULL(strstr(why_of(raw, "waves"), "40 samples in a row had to be dropped"));
    grt_arena_clear(&arena);
}

/* ---- samples of something else ---- */

static int asked_elapsed, windows;
static grt_cuda_result (*elapsed)(float *milliseconds, grt_cuda_event from, grt_cuda_event to);
static grt_cuda_result (*launch)(grt_cuda_function function, unsigned grid_x, unsigned grid_y,
                                 unsigned grid_z, unsigned block_x, unsigned block_y, unsigned block_z,
                                 unsigned shared, grt_cuda_stream stream, void **parameters, void **extra);

/* Each says more than the one before, so that nothing beside a copy ever lasts long enough. */
static grt_cuda_result never_overlaps(float *milliseconds, grt_cuda_event from, grt_cuda_event to) {
    grt_cuda_result result = elapsed(milliseconds, from, to);
    *milliseconds = (float)++asked_elapsed;
    return result;
}

/* Counts the windows of 20 ms in which a frequency is looked at. */
static grt_cuda_result counted_launch(grt_cuda_function function, unsigned grid_x, unsigned grid_y,
                                      unsigned grid_z, unsigned block_x, unsigned block_y, unsigned block_z,
                                      unsigned shared, grt_cuda_stream stream, void **parameters,
                                      void **extra) {
    windows += grid_x == 1 && *(const uint64_t *)parameters[1] == 20 * GRT_MILLISECOND;
    return launch(function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared, stream, parameters,
                  extra);
}

static void take_overlap(struct grt_driver *driver) {
    elapsed = driver->cuda.cuEventElapsedTime;
    launch = driver->cuda.cuLaunchKernel;
    driver->cuda.cuEventElapsedTime = never_overlaps;
    driver->cuda.cuLaunchKernel = counted_launch;
    asked_elapsed = windows = 0;
}

/* Dropped since they were not of what their cell says: warming up would not help, and there is none. */
static void test_drops_without_warming(void) {
    grt_measured_spec(4, &spec);
    struct grt_plan plan = waves_plan();
    plan.experiments = 1u << GRT_EXPERIMENT_COPY;
    plan.warm_up_s = 0.5;
    plan.budget_s = 300;
    struct grt_raw *raw = measure_prepared(&plan, take_overlap);
    CU_ASSERT_PTR_NOT_NULL(strstr(why_of(raw, "copy"), "40 samples in a row had to be dropped"));
    CU_ASSERT(windows >= 25 && windows < 30); /* of the one warm-up */
    size_t apart = 0;
    const struct grt_raw_cell *cell = NULL;
    while ((cell = grt_raw_next(raw, "copy", cell)) != NULL) {
        CU_ASSERT_EQUAL(cell->dropped_for[GRT_RAW_DROP_OVERLAP], cell->dropped);
        CU_ASSERT(cell->dropped == 0 || strcmp(grt_raw_text(cell, "beside"), "nothing") != 0);
        apart += cell->dropped;
    }
    CU_ASSERT(apart >= 40);
    grt_arena_clear(&arena);
}

/* ---- throttling ---- */

#ifdef GRT_FAKE_NVIDIA

static struct grt_nvml *nvml;
static int asked;

static void give_nvml(struct grt_driver *driver) {
    driver->nvml = nvml;
}

/* Throttled for a while. */
static bool heat(void *state) {
    (void)state;
    asked++;
    setenv("FAKE_reasons", asked > 1500 && asked < 2500 ? "64" : "1", 1);
    return false;
}

static void test_throttled(void) {
    nvml = grt_nvml_open(GRT_FAKE_NVIDIA);
    CU_ASSERT_PTR_NOT_NULL_FATAL(nvml);
    grt_measured_spec(4, &spec);
    struct grt_plan plan = waves_plan();
    plan.interrupted = heat;
    plan.budget_s = 1000;
    plan.least_samples = plan.most_samples = 300;
    struct grt_raw *raw = measure_prepared(&plan, give_nvml);
    size_t size, dropped = 0, short_of = 0;
    char *text = grt_file_text(path, &size);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "{\"health\": {"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"reasons\": 64, \"pcie_generation\": 4, "));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"reasons\": 1, \"pcie_generation\": 4, "));
    const struct grt_raw_cell *cell = NULL;
    while ((cell = grt_raw_next(raw, "waves", cell)) != NULL) {
        dropped += cell->dropped;
        CU_ASSERT_EQUAL(cell->dropped_for[GRT_RAW_DROP_THROTTLE], cell->dropped);
        short_of += cell->count != 300;
    }
    CU_ASSERT(dropped > 0 && dropped % 5 == 0);
    CU_ASSERT_EQUAL(raw->skipped_count, 0);
    CU_ASSERT_EQUAL(short_of, 0);
    free(text);
    grt_arena_clear(&arena);
    grt_nvml_close(nvml);
    unsetenv("FAKE_reasons");
}

/* Throttled again and again, each time for a bit longer than a visit of `worst`: some 15 ms. */
static int hot_spells;

static bool heat_shortly(void *state) {
    (void)state;
    enum { EVERY = 250, LENGTH = 110 };
    asked++;
    bool hot = asked % EVERY >= EVERY - LENGTH;
    hot_spells += asked % EVERY == EVERY - 1;
    setenv("FAKE_reasons", hot ? "64" : "1", 1);
    return false;
}

/* After every visit of long runs the device's health is looked at: each spell costs the visit at whose end it was, whole. */
static void test_throttled_long_runs(void) {
    nvml = grt_nvml_open(GRT_FAKE_NVIDIA);
    CU_ASSERT_PTR_NOT_NULL_FATAL(nvml);
    grt_measured_spec(4, &spec);
    asked = hot_spells = 0;
    struct grt_plan plan = waves_plan();
    plan.experiments = 1u << GRT_EXPERIMENT_WORST;
    plan.worst_samples = 400;
    plan.budget_s = 1000;
    plan.interrupted = heat_shortly;
    struct grt_raw *raw = measure_prepared(&plan, give_nvml);
    const struct grt_raw_cell *cell = NULL;
    size_t dropped = 0, firsts = 0;
    while ((cell = grt_raw_next(raw, "worst", cell)) != NULL) {
        size_t throttled = cell->dropped_for[GRT_RAW_DROP_THROTTLE];
        if (grt_raw_text(cell, "run") != NULL) { /* one of each visit */
            CU_ASSERT_EQUAL(cell->count, 4);
            firsts += throttled;
            continue;
        }
        CU_ASSERT_EQUAL(cell->count, 400);
        CU_ASSERT_EQUAL(throttled % 100, 0);
        dropped += throttled;
    }
    CU_ASSERT(hot_spells >= 4);
    CU_ASSERT_EQUAL(100 * firsts, dropped);
    CU_ASSERT(dropped >= 100 * (size_t)(hot_spells - 1) && dropped <= 200 * (size_t)(hot_spells + 1));
    grt_arena_clear(&arena);
    grt_nvml_close(nvml);
    unsetenv("FAKE_reasons");
}

/* A power cap that is always there, as on many servers and virtual machines: nothing is dropped, and the file says so. */
static void test_capped(void) {
    nvml = grt_nvml_open(GRT_FAKE_NVIDIA);
    CU_ASSERT_PTR_NOT_NULL_FATAL(nvml);
    setenv("FAKE_reasons", "4", 1);
    grt_measured_spec(4, &spec);
    struct grt_plan plan = waves_plan();
    struct grt_raw *raw = measure_prepared(&plan, give_nvml);
    const struct grt_raw_cell *cell = NULL;
    size_t cells = 0;
    while ((cell = grt_raw_next(raw, "waves", cell)) != NULL) {
        CU_ASSERT(cell->count == 20 && cell->dropped == 0);
        cells++;
    }
    CU_ASSERT(cells > 10);
    CU_ASSERT_EQUAL(raw->skipped_count, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(why_of(raw, "health"), "when it is warm"));
    CU_ASSERT_PTR_NOT_NULL(strstr(why_of(raw, "health"), "(software power cap)"));
    grt_arena_clear(&arena);
    grt_nvml_close(nvml);
    unsetenv("FAKE_reasons");
}

/* Hot from some point on, for good. */
static bool heat_for_good(void *state) {
    (void)state;
    asked++;
    setenv("FAKE_reasons", asked > 1500 ? "96" : "1", 1);
    return false;
}

/* Pauses do not help: after a tenth of the budget measuring goes on as it is. */
static void test_hot_for_good(void) {
    nvml = grt_nvml_open(GRT_FAKE_NVIDIA);
    CU_ASSERT_PTR_NOT_NULL_FATAL(nvml);
    grt_measured_spec(4, &spec);
    asked = 0;
    struct grt_plan plan = waves_plan();
    plan.interrupted = heat_for_good;
    plan.least_samples = plan.most_samples = 300;
    struct grt_raw *raw = measure_prepared(&plan, give_nvml);
    const struct grt_raw_cell *cell = NULL;
    size_t short_of = 0, dropped = 0;
    while ((cell = grt_raw_next(raw, "waves", cell)) != NULL) {
        short_of += cell->count != 300;
        dropped += cell->dropped;
    }
    CU_ASSERT(short_of == 0 && dropped > 0 && dropped < 100);
    CU_ASSERT_PTR_NOT_NULL(strstr(why_of(raw, "health"), "a tenth of the budget"));
    CU_ASSERT_PTR_NOT_NULL(strstr(why_of(raw, "health"), "(software heat limit, hardware heat limit)"));
    grt_arena_clear(&arena);
    grt_nvml_close(nvml);
    unsetenv("FAKE_reasons");
}

#endif

int main(void) {
    CU_TestInfo tests[] = {
        {"slow samples are dropped", test_slow_samples},
        {"slow runs of worst count", test_slow_runs_of_worst},
        {"cells of no steady frequency are given up", test_slow_for_good},
        {"a kernel's own frequency", test_own_frequency},
        {"cells that are far too slow are given up", test_far_too_slow},
        {"other drops warm nothing up", test_drops_without_warming},
#ifdef GRT_FAKE_NVIDIA
        {"a throttled device is given a rest", test_throttled},
        {"throttled long runs are dropped by visits", test_throttled_long_runs},
        {"a device that is always capped", test_capped},
        {"a device that stays hot", test_hot_for_good},
#endif
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("dropped samples", tests);
}
