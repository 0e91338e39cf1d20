/* Calibration without a device: a small one behind the pretended driver measured whole, its samples fitted, and launches of one block after the other, against a world that simulates
 * as many kernels. All in CPU time: the pretended device's own is virtual. */
#include <stdio.h>
#include <stdlib.h>

#include "calib/fit/fit.h"
#include "calib/program/files/raw_read.h"
#include "models/world.h"
#include "policies/registry.h"
#include "tests/bench/bench.h"
#include "tests/support/measured.h"
#include "tests/support/world_builder.h"

enum { LAUNCHES = 20000, AT_A_TIME = 100 };

static const char path[] = "gpurt-bench-pretended.jsonl";

/* ---- a whole calibration ---- */

static uint64_t measure(void *state) {
    (void)state;
    struct grt_pretend_spec spec;
    struct grt_arena arena = {0};
    struct grt_plan plan = grt_measured_plan();
    grt_measured_spec(4, &spec);
    struct grt_measured_run run = {.spec = &spec, .engine = &grt_engine_model, .plan = &plan, .path = path};
    struct grt_raw *raw = grt_measured(&run, &arena, NULL);
    uint64_t samples = 0;
    for (size_t i = 0; raw != NULL && i < raw->cell_count; i++) {
        samples += raw->cells[i].count;
    }
    grt_arena_clear(&arena);
    return samples > 0 ? samples : 1;
}

static uint64_t fit(void *state) {
    const struct grt_raw *raw = state;
    struct grt_arena arena = {0};
    struct grt_fit *fitted = grt_fit_all(raw, &arena);
    uint64_t samples = 0;
    for (size_t i = 0; i < raw->cell_count; i++) {
        samples += raw->cells[i].count;
    }
    bench_use(fitted->finding_count);
    grt_arena_clear(&arena);
    return samples;
}

/* ---- launches ---- */

/* Kernels of one block in one stream, waited for now and then, as a benchmark of launches does. */
static uint64_t launch(void *state) {
    struct grt_bench *bench = state;
    uint32_t stream = grt_bench_stream(bench, NULL, 0);
    const struct grt_bench_launch one = {
        .kernel = GRT_KERNEL_SPIN_NS, .amount = 1000, .blocks = 1, .record = true, .unordered = true};
    for (int i = 1; i <= LAUNCHES; i++) {
        grt_bench_launch(bench, stream, &one);
        if (i % AT_A_TIME == 0) {
            grt_bench_sync_stream(bench, stream);
        }
    }
    grt_bench_stream_end(bench, stream);
    return LAUNCHES;
}

/* The reference: as many kernels of one block, simulated. */
static uint64_t simulate(void *state) {
    struct grt_builder *builder = grt_builder_create(1000 * (LAUNCHES + 1));
    (void)state;
    grt_builder_gpu(builder, grt_built_device(4));
    struct grt_task *task = grt_builder_task(builder, "t");
    grt_builder_periodic(task, 1000, 0);
    grt_builder_kernel(builder, task, 1, 32, 900);
    struct grt_errors errors = {0};
    struct grt_world_options options = {0};
    struct grt_world *world =
        grt_world_create(&builder->scenario, grt_policy_find("hardware"), NULL, &options, &errors);
    grt_world_run(world);
    uint64_t kernels = grt_world_result(world)->gpus[0].kernels;
    grt_world_free(world);
    grt_builder_free(builder);
    return kernels;
}

static void bench_launches(double reference) {
    struct grt_pretend_spec spec;
    struct grt_driver driver;
    struct grt_errors errors = {0};
    grt_measured_spec(4, &spec);
    if (!grt_pretend_open(&spec, &grt_engine_model, &driver, &errors)) {
        grt_errors_print(&errors, stderr, "");
        exit(1);
    }
    driver.cuda.cuInit(0);
    struct grt_bench *bench =
        grt_bench_open(&(struct grt_bench_options){.driver = &driver, .buffer_bytes = 1 << 18}, &errors);
    bench_report("pretended driver, a launch", bench_ns_per_unit(launch, bench, 5), "a kernel of a world",
                 reference, "");
    grt_bench_close(bench);
    driver.close(&driver);
}

void bench_pretended(void) {
    struct grt_arena arena = {0};
    double reference = bench_ns_per_unit(simulate, NULL, 5);
    bench_launches(reference);
    bench_report("pretended device of 4 SMs measured, a sample", bench_ns_per_unit(measure, NULL, 2),
                 "a kernel of a world", reference, "");
    struct grt_errors errors = {0};
    struct grt_raw *raw = grt_raw_read(path, &arena, &errors);
    if (raw == NULL) {
        grt_errors_print(&errors, stderr, "");
        exit(1);
    }
    bench_report("its fit with all intervals, a sample", bench_ns_per_unit(fit, raw, 2),
                 "a kernel of a world", reference, "");
    grt_arena_clear(&arena);
    remove(path);
}
