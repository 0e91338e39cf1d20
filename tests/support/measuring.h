/* Measuring pretended devices, in virtual time: the frame of tests that do. */
#ifndef GRT_TESTS_SUPPORT_MEASURING_H
#define GRT_TESTS_SUPPORT_MEASURING_H

#include <string.h>

#include "tests/support/measured.h"
#include "tests/support/suite.h"

static const char path[] = GRT_SCRATCH_DIR "/raw.jsonl";

static struct grt_pretend_spec spec;
static struct grt_arena arena;

/* With what is to be done to the driver before; NULL where there is nothing to read. */
static inline struct grt_raw *try_prepared(const struct grt_plan *plan, const char *file,
                                           void (*prepare)(struct grt_driver *driver),
                                           enum grt_measure_result *result) {
    struct grt_measured_run run = {
        .spec = &spec, .engine = &grt_engine_model, .plan = plan, .path = file, .prepare = prepare};
    return grt_measured(&run, &arena, result);
}

static inline struct grt_raw *try_it(const struct grt_plan *plan, const char *file,
                                     enum grt_measure_result *result) {
    return try_prepared(plan, file, NULL, result);
}

static inline struct grt_raw *measure_prepared(const struct grt_plan *plan,
                                               void (*prepare)(struct grt_driver *driver)) {
    enum grt_measure_result result;
    struct grt_raw *raw = try_prepared(plan, path, prepare, &result);
    CU_ASSERT_EQUAL(result, GRT_MEASURE_DONE);
    CU_ASSERT_PTR_NOT_NULL_FATAL(raw);
    return raw;
}

static inline struct grt_raw *measure(const struct grt_plan *plan) {
    return measure_prepared(plan, NULL);
}

static inline struct grt_plan plan_of(const char *workload, uint32_t experiments) {
    struct grt_plan plan = grt_measured_plan();
    plan.workloads[0] = workload;
    plan.workload_count = workload != NULL;
    plan.experiments = experiments;
    return plan;
}

static inline const struct grt_raw_skipped *skipped(const struct grt_raw *raw, const char *experiment) {
    for (size_t i = 0; i < raw->skipped_count; i++) {
        if (strcmp(raw->skipped[i].experiment, experiment) == 0) {
            return &raw->skipped[i];
        }
    }
    return NULL;
}

#endif
