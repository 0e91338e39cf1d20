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

/* Opens the pretended device and measures it. False: it could not be opened. */
static bool measure(const struct grt_measured_run *run, struct grt_raw_writer *writer,
                    enum grt_measure_result *result, struct grt_errors *errors) {
    struct grt_driver driver;
    if (!grt_pretend_open(run->spec, run->engine, &driver, errors)) {
        return false;
    }
    driver.cuda.cuInit(0);
    if (run->prepare != NULL) {
        run->prepare(&driver);
    }
    struct grt_bench_options options = {.driver = &driver,
                                        .buffer_bytes =
                                            run->buffer_bytes > 0 ? run->buffer_bytes : BUFFER_BYTES,
                                        .record_count = run->record_count,
                                        .user = run->user};
    struct grt_bench *bench = grt_bench_open(&options, errors);
    if (bench != NULL) {
        struct grt_raw_head head = {.program = "test", .backend = driver.name};
        *result = grt_measure_device(bench, run->plan, &head, writer, errors);
        grt_bench_close(bench);
    }
    driver.close(&driver);
    return bench != NULL;
}

struct grt_raw *grt_measured(const struct grt_measured_run *run, struct grt_arena *arena,
                             enum grt_measure_result *result) {
    struct grt_errors errors = {0};
    struct grt_raw *raw = NULL;
    enum grt_measure_result ended = GRT_MEASURE_LOST;
    struct grt_raw_writer *writer = grt_raw_writer_open(run->path, true, &errors);
    bool measured = writer != NULL && measure(run, writer, &ended, &errors);
    if (writer != NULL) {
        grt_raw_writer_close(writer, &errors);
    }
    grt_errors_clear(&errors);
    if (measured && ended != GRT_MEASURE_UNWRITTEN) {
        raw = grt_raw_read(run->path, arena, &errors);
        grt_errors_print(&errors, stderr, "");
        grt_errors_clear(&errors);
    }
    if (result != NULL) {
        *result = ended;
    }
    return raw;
}
