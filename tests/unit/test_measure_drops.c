/* What is thrown away: samples of slow SMs, and of a device that was throttled. */
#include <stdlib.h>
#include <string.h>

#include "calib/driver/nvml.h"
#include "tests/support/file_text.h"
#include "tests/support/measured.h"
#include "tests/support/suite.h"

static const char path[] = GRT_SCRATCH_DIR "/raw.jsonl";

static struct grt_pretend_spec spec;
static struct grt_arena arena;

static struct grt_raw *measure(const struct grt_plan *plan, void (*prepare)(struct grt_driver *driver)) {
    struct grt_measured_run run = {
        .spec = &spec, .engine = &grt_engine_model, .plan = plan, .path = path, .prepare = prepare};
    enum grt_measure_result result;
    struct grt_raw *raw = grt_measured(&run, &arena, &result);
    CU_ASSERT_EQUAL(result, GRT_MEASURE_DONE);
    CU_ASSERT_PTR_NOT_NULL_FATAL(raw);
    return raw;
}

static struct grt_plan waves_plan(void) {
    struct grt_plan plan = grt_measured_plan();
    plan.workloads[0] = "fma";
    plan.workload_count = 1;
    plan.experiments = 1u << GRT_EXPERIMENT_WAVES;
    plan.least_samples = plan.most_samples = 20;
    return plan;
}

/* ---- slow SMs ---- */

/* Of the copies of more than one record that have come from the device, so many of every `slow_every` say that blocks took longer, in as many cycles. */
static grt_cuda_result (*fetch)(void *to, grt_cuda_address from, size_t bytes, grt_cuda_stream stream);
static grt_cuda_result (*synchronise)(grt_cuda_stream stream);
static int slow_from, slow_every, fetched;
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
        coming[i].end_ns += (coming[i].end_ns - coming[i].start_ns) / 10;
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

/* Some of the samples: they are dropped, and the others are as if nothing had been. */
static void test_slow_samples(void) {
    grt_measured_spec(4, &spec);
    slow_from = 60;
    slow_every = 7;
    struct grt_plan plan = waves_plan();
    struct grt_raw *raw = measure(&plan, slow_down);
    const struct grt_raw_cell *cell = NULL;
    size_t dropped = 0, whole = 0;
    while ((cell = grt_raw_next(raw, "waves", cell)) != NULL) {
        const int64_t *values = grt_raw_values(cell, "span_ns");
        for (size_t i = 1; i < cell->count; i++) {
            CU_ASSERT_EQUAL(values[i], values[0]);
        }
        dropped += cell->dropped;
        whole += cell->count == 20;
    }
    CU_ASSERT(dropped > 10);
    CU_ASSERT(whole > 10);
    grt_arena_clear(&arena);
}

/* All of them, from some point on: cells are given up, and the file says so. */
static void test_slow_for_good(void) {
    grt_measured_spec(4, &spec);
    slow_from = 150;
    slow_every = 1;
    struct grt_plan plan = waves_plan();
    struct grt_raw *raw = measure(&plan, slow_down);
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
    struct grt_raw *raw = measure(&plan, slow_down);
    const struct grt_raw_cell *cell = NULL;
    size_t cells = 0;
    while ((cell = grt_raw_next(raw, "worst", cell)) != NULL) {
        const int64_t *values = grt_raw_values(cell, "span_ns");
        size_t slow = 0;
        if (strcmp(grt_raw_text(cell, "beside"), "nothing") != 0) {
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
    plan.budget_s = 300;
    plan.least_samples = plan.most_samples = 300;
    struct grt_raw *raw = measure(&plan, give_nvml);
    size_t size, dropped = 0, short_of = 0;
    char *text = grt_file_text(path, &size);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "{\"health\": {"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"reasons\": 64}}"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"reasons\": 1}}"));
    const struct grt_raw_cell *cell = NULL;
    while ((cell = grt_raw_next(raw, "waves", cell)) != NULL) {
        dropped += cell->dropped;
        short_of += cell->count != 300;
    }
    CU_ASSERT(dropped > 0 && dropped % 5 == 0);
    CU_ASSERT_EQUAL(short_of, 0);
    free(text);
    grt_arena_clear(&arena);
    grt_nvml_close(nvml);
    unsetenv("FAKE_reasons");
}

#endif

int main(void) {
    CU_TestInfo tests[] = {
        {"slow samples are dropped", test_slow_samples},
        {"cells that stay slow are given up", test_slow_for_good},
        {"slow runs of worst count", test_slow_runs_of_worst},
#ifdef GRT_FAKE_NVIDIA
        {"a throttled device is given a rest", test_throttled},
#endif
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("dropped samples", tests);
}
