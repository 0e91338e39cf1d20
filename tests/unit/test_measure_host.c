/* Measuring a device of threads, by the host's real clock: all experiments have cells, and what does not depend on time is as it should be. */
#include <string.h>

#include "calib/raw/raw_shapes.h"
#include "tests/support/measured.h"
#include "tests/support/suite.h"

static const char path[] = GRT_SCRATCH_DIR "/raw.jsonl";

static struct grt_plan short_plan(void) {
    struct grt_plan plan = grt_measured_plan();
    plan.workloads[0] = "spin";
    plan.workload_count = 1;
    plan.least_samples = 1;
    plan.most_samples = 1;
    plan.worst_samples = 2;
    plan.budget_s = 60;
    plan.exchanges = 2;
    plan.pin = true;
    return plan;
}

/* Kernels take no less time than their blocks would without anything around them. */
static void check_staircase(const struct grt_raw *raw) {
    const struct grt_raw_workload *spin = grt_raw_workload(raw, "spin");
    const struct grt_raw_cell *cell = NULL;
    while ((cell = grt_raw_next(raw, "waves", cell)) != NULL) {
        int64_t wave = 2 * spin->occupancy, waves = (grt_raw_number(cell, "blocks", 0) + wave - 1) / wave;
        const int64_t *values = grt_raw_values(cell, "span_ns");
        for (size_t i = 0; i < cell->count; i++) {
            CU_ASSERT(values[i] >= waves * (int64_t)spin->amount);
        }
    }
    while ((cell = grt_raw_next(raw, "residency", cell)) != NULL) {
        const int64_t *most = grt_raw_values(cell, "most_per_sm"),
                      *expected = grt_raw_values(cell, "expected");
        for (size_t i = 0; i < cell->count; i++) {
            CU_ASSERT(most[i] >= 1 && most[i] <= expected[i]);
        }
    }
}

static void test_all(void) {
    struct grt_arena arena = {0};
    struct grt_pretend_spec spec;
    struct grt_plan plan = short_plan();
    grt_measured_spec(2, &spec);
    struct grt_measured_run run = {.spec = &spec, .engine = &grt_engine_threads, .plan = &plan, .path = path};
    enum grt_measure_result result;
    struct grt_raw *raw = grt_measured(&run, &arena, &result);
    CU_ASSERT_EQUAL(result, GRT_MEASURE_DONE);
    CU_ASSERT_PTR_NOT_NULL_FATAL(raw);
    CU_ASSERT(raw->complete);
    CU_ASSERT_STRING_EQUAL(raw->backend, "host");
    CU_ASSERT_PTR_NOT_NULL(strstr(raw->host, "measuring thread"));
    for (int i = 0; i < GRT_EXPERIMENTS; i++) {
        CU_ASSERT_PTR_NOT_NULL(grt_raw_next(raw, grt_experiment_names[i], NULL));
    }
    check_staircase(raw);
    grt_arena_clear(&arena);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"all experiments on threads", test_all},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("measuring threads", tests);
}
