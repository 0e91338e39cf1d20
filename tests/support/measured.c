#include "tests/support/measured.h"

#include <stdio.h>

#include "calib/program/files/raw_read.h"
#include "tests/support/world_builder.h"

enum { BUFFER_BYTES = 1 << 18 };

struct grt_plan grt_measured_plan(void) {
    struct grt_plan plan = grt_plan_default(true);
    plan.least_samples = 3;
    plan.most_samples = 4;
    plan.worst_samples = 20;
    plan.exchanges = 10;
    plan.warm_up_s = 0.001;
    plan.pin = false;
    return plan;
}

void grt_measured_spec(int sms, struct grt_pretend_spec *spec) {
    struct grt_device device = grt_built_device(sms);
    device.copy_engines = 2;
    device.h2d_bytes_per_second = device.d2h_bytes_per_second = INT64_C(1000000000);
    device.memory_bytes_per_second = INT64_C(4000000000);
    device.priority_levels = 5;
    grt_pretend_default(&device, spec);
}

struct grt_raw *grt_measured(const struct grt_pretend_spec *spec, const struct grt_engine_ops *engine,
                             const struct grt_plan *plan, const char *path, struct grt_arena *arena,
                             enum grt_measure_result *result) {
    struct grt_errors errors = {0};
    struct grt_driver driver;
    struct grt_raw_writer *writer = grt_raw_writer_open(path, true, &errors);
    struct grt_bench *bench = NULL;
    if (writer != NULL && grt_pretend_open(spec, engine, &driver, &errors)) {
        struct grt_bench_options options = {.driver = &driver, .buffer_bytes = BUFFER_BYTES};
        driver.cuda.cuInit(0);
        bench = grt_bench_open(&options, &errors);
        enum grt_measure_result ended = GRT_MEASURE_LOST;
        if (bench != NULL) {
            struct grt_raw_head head = {.program = "test", .backend = driver.name};
            ended = grt_measure_device(bench, plan, &head, writer, &errors);
            grt_bench_close(bench);
        }
        if (result != NULL) {
            *result = ended;
        }
        driver.close(&driver);
    }
    if (writer != NULL) {
        grt_raw_writer_close(writer, &errors);
    }
    grt_errors_clear(&errors);
    if (bench == NULL) {
        return NULL;
    }
    struct grt_raw *raw = grt_raw_read(path, arena, &errors);
    grt_errors_print(&errors, stderr, "");
    grt_errors_clear(&errors);
    return raw;
}
