/* labels: soak */
/* A pretended device is measured through its driver's interface, sample by sample, and fitted: what it was made of comes back, and its device file is that of the device. */
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "calib/fit/fit.h"
#include "calib/program/files/device_write.h"
#include "calib/program/files/kernels_write.h"
#include "sim/random.h"
#include "tests/support/measured.h"
#include "tests/support/suite.h"

static struct grt_arena arena;

/* A file of this run's own: others may go on in the same folder. */
static struct grt_raw *measure_by(const struct grt_pretend_spec *spec, const struct grt_plan *plan,
                                  size_t buffer_bytes) {
    char path[] = GRT_SCRATCH_DIR "/raw-XXXXXX";
    int file = mkstemp(path);
    CU_ASSERT_FATAL(file >= 0);
    close(file);
    const struct grt_measured_run run = {
        .spec = spec, .engine = &grt_engine_model, .plan = plan, .path = path, .buffer_bytes = buffer_bytes};
    grt_arena_clear(&arena);
    struct grt_raw *raw = grt_measured(&run, &arena, NULL);
    remove(path);
    CU_ASSERT_PTR_NOT_NULL_FATAL(raw);
    return raw;
}

/* Bits of experiments: everything but the longest times, and what is asked about with noise. */
#define EVERYTHING (((UINT32_C(1) << GRT_EXPERIMENTS) - 1) & ~(UINT32_C(1) << GRT_EXPERIMENT_WORST))
#define NOISY                                                                                                \
    (UINT32_C(1) << GRT_EXPERIMENT_CLOCK | UINT32_C(1) << GRT_EXPERIMENT_LAUNCH |                            \
     UINT32_C(1) << GRT_EXPERIMENT_CORESIDENCY | UINT32_C(1) << GRT_EXPERIMENT_SPLIT |                       \
     UINT32_C(1) << GRT_EXPERIMENT_COPY)

static const struct grt_fit *measure(const struct grt_pretend_spec *spec, uint32_t experiments,
                                     uint32_t most_samples, size_t buffer_bytes) {
    struct grt_plan plan = grt_measured_plan();
    plan.experiments = experiments;
    plan.most_samples = most_samples;
    plan.least_samples = most_samples < plan.least_samples ? most_samples : plan.least_samples;
    plan.workloads[0] = "fma";
    plan.workloads[1] = "triad";
    plan.workload_count = 2;
    return grt_fit_all(measure_by(spec, &plan, buffer_bytes), &arena);
}

/* ---- devices ---- */

static int64_t drawn(struct grt_random *random, int64_t low, int64_t high) {
    return low + (int64_t)grt_random_below(random, (uint64_t)(high - low + 1));
}

static void draw_spec(struct grt_random *random, struct grt_pretend_spec *spec) {
    static const struct grt_slowdown row = {.class_name = "fma", .beside = "triad", .factor = 1.5};
    grt_measured_spec((int)drawn(random, 2, 6) * 2, spec);
    struct grt_device *device = &spec->device;
    device->kernel_launch = drawn(random, 0, 9000);
    device->copy_latency = drawn(random, 500, 9000);
    device->h2d_bytes_per_second = drawn(random, 5, 60) * 100000000;
    device->d2h_bytes_per_second = drawn(random, 5, 60) * 100000000;
    device->memory_bytes_per_second = drawn(random, 20, 900) * 1000000000;
    device->pageable_percent = drawn(random, 10, 90);
    device->early_return_bytes = 65536;
    device->copy_engines = drawn(random, 1, 2);
    device->priority_levels = drawn(random, 1, 6);
    device->sms_per_tpc = 2;
    device->sm_order = drawn(random, 0, 1);
    device->placement = drawn(random, 0, 2);
    if (drawn(random, 0, 1) == 1) {
        device->slowdowns = (struct grt_field_list){(void *)(uintptr_t)&row, 1};
    }
    spec->sync_return = drawn(random, 0, 5000);
    spec->timer_offset = drawn(random, 0, 1000000);
    spec->cycles_per_second = drawn(random, 5, 25) * 100000000;
}

/* ---- what came back ---- */

static void expect_value(const struct grt_fit *fit, const char *name, double truth, double step) {
    const struct grt_finding *finding = grt_fit_find(fit, name);
    bool good = finding != NULL && finding->status == GRT_FINDING_MEASURED &&
                fabs(finding->value - truth) <= step && finding->low <= truth + step &&
                finding->high >= truth - step;
    if (!good) {
        printf("\n%s: %.12g in %.12g to %.12g, not %.12g (%s)", name, finding != NULL ? finding->value : NAN,
               finding != NULL ? finding->low : NAN, finding != NULL ? finding->high : NAN, truth,
               finding != NULL && finding->why != NULL ? finding->why : "");
    }
    CU_ASSERT_TRUE(good);
}

static void expect_word(const struct grt_fit *fit, const char *name, const char *truth) {
    const struct grt_finding *finding = grt_fit_find(fit, name);
    CU_ASSERT_PTR_NOT_NULL_FATAL(finding);
    const char *word = finding->word != NULL ? finding->word : "";
    CU_ASSERT(strcmp(word, truth) == 0 || strstr(finding->how, truth) != NULL); /* or that agrees as well */
    CU_ASSERT_DOUBLE_EQUAL(finding->residual, 0, 0);
}

static void check_numbers(const struct grt_pretend_spec *spec, const struct grt_fit *fit) {
    const struct grt_device *device = &spec->device;
    expect_value(fit, "timer_step", (double)spec->timer_tick, 0);
    expect_value(fit, "clock_offset", (double)spec->timer_offset, 0);
    expect_value(fit, "sm_frequency", (double)spec->cycles_per_second, 0);
    expect_value(fit, "kernel_launch", (double)device->kernel_launch, 0);
    expect_value(fit, "sync_return", (double)spec->sync_return, 0);
    expect_value(fit, "copy_latency", (double)device->copy_latency, 1); /* rounded up with the bytes' time */
    expect_value(fit, "h2d_bandwidth", (double)device->h2d_bytes_per_second, 0);
    expect_value(fit, "d2h_bandwidth", (double)device->d2h_bytes_per_second, 0);
    expect_value(fit, "memory_bandwidth", (double)device->memory_bytes_per_second, 0);
    expect_value(fit, "pageable_percent", (double)device->pageable_percent, 0);
    expect_value(fit, "early_return", (double)device->early_return_bytes, 0);
    expect_value(fit, "copy_engines", (double)device->copy_engines, 0);
    CU_ASSERT_DOUBLE_EQUAL(grt_fit_find(fit, "priority_levels")->value, (double)device->priority_levels, 0);
    expect_value(fit, "dispatch_interval", 0, 0);
    expect_value(fit, "refill_gap", 0, 0);
    CU_ASSERT_DOUBLE_EQUAL(grt_fit_find(fit, "fma: kernel_time_error")->value, 0, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(grt_fit_find(fit, "fma: kernel_time_error_closed")->value, 0, 1e-9);
}

static void check_words(const struct grt_pretend_spec *spec, const struct grt_fit *fit) {
    static const char *const orders[] = {"ascending", "tpc_first"};
    static const char *const placements[] = {"most_room", "round_robin", "first_fit"};
    expect_word(fit, "sm_order", orders[spec->device.sm_order]);
    expect_word(fit, "placement", placements[spec->device.placement]);
}

/* The device file, read again. What it is not asked for stays as the preset has it. */
static void check_file(const struct grt_pretend_spec *spec, const struct grt_fit *fit) {
    const struct grt_device *truth = &spec->device;
    struct grt_errors errors = {0};
    struct grt_device device;
    char *text = grt_device_file_text(fit, NULL, &errors),
         *kernels = grt_kernel_file_text(fit, "mine", &errors);
    CU_ASSERT_FATAL(text != NULL && kernels != NULL);
    CU_ASSERT_TRUE(grt_device_file_read(text, strlen(text), &arena, &device, &errors));
    CU_ASSERT_EQUAL(device.sm_count, truth->sm_count);
    CU_ASSERT_EQUAL(device.kernel_launch, truth->kernel_launch);
    CU_ASSERT_EQUAL(device.h2d_bytes_per_second, truth->h2d_bytes_per_second);
    CU_ASSERT_EQUAL(device.d2h_bytes_per_second, truth->d2h_bytes_per_second);
    CU_ASSERT_EQUAL(device.pageable_percent, truth->pageable_percent);
    CU_ASSERT_EQUAL(device.priority_levels, truth->priority_levels);
    CU_ASSERT_EQUAL(device.registers_per_sm, truth->registers_per_sm);
    CU_ASSERT_EQUAL_FATAL(device.slowdowns.count, truth->slowdowns.count);
    if (device.slowdowns.count > 0) {
        const struct grt_slowdown *row = device.slowdowns.items;
        CU_ASSERT(strcmp(row->class_name, "fma") == 0 && strcmp(row->beside, "triad") == 0);
        CU_ASSERT(fabs(row->factor - 1.5) < 0.001);
    }
    free(text);
    free(kernels);
    grt_errors_clear(&errors);
}

/* Copies inside the device are so quick that with smaller buffers a nanosecond hides digits of its bandwidth. */
#define LARGE_BUFFERS ((size_t)4 << 20)

static void devices_without_noise_come_back(void) {
    int cases = grt_suite_cases(5, 150);
    for (int i = 0; i < cases; i++) {
        struct grt_random random = grt_random_stream(6, "closed loop", (uint64_t)i, 0);
        struct grt_pretend_spec spec;
        draw_spec(&random, &spec);
        const struct grt_fit *fit = measure(&spec, EVERYTHING, 2, LARGE_BUFFERS);
        check_numbers(&spec, fit);
        check_words(&spec, fit);
        check_file(&spec, fit);
    }
}

/* ---- noise ---- */

struct covered {
    int inside, runs;
};

static void count(struct covered *covered, const struct grt_fit *fit, const char *name, double truth) {
    const struct grt_finding *finding = grt_fit_find(fit, name);
    CU_ASSERT_FATAL(finding != NULL && finding->status == GRT_FINDING_MEASURED);
    covered->runs++;
    covered->inside += finding->low <= truth && truth <= finding->high;
}

/* How long a block of a workload takes, but for its noise. */
static double block_time_of(const struct grt_pretend_spec *spec, const struct grt_fit *fit,
                            const char *name) {
    const struct grt_raw_workload *workload = grt_raw_workload(fit->raw, name);
    const struct grt_pretend_kernel *kernel = &spec->kernels[workload->kernel];
    return (double)kernel->fixed + ceil((double)workload->amount * (double)kernel->per_unit_ps / 1000);
}

/* Noise that only ever adds, whole ns, and its median. */
struct noise {
    const char *name;
    struct grt_distribution call, copy, block;
};

static const struct noise noises[] = {
    {"uniform",
     {.kind = GRT_UNIFORM, .max = 400},
     {.kind = GRT_UNIFORM, .max = 600},
     {.kind = GRT_UNIFORM, .max = 1000}},
    {"gamma",
     {.kind = GRT_GAMMA, .shape = 2, .scale = 100, .max = 1000000},
     {.kind = GRT_GAMMA, .shape = 2, .scale = 150, .max = 1000000},
     {.kind = GRT_GAMMA, .shape = 2, .scale = 300, .max = 1000000}},
    {"exponential",
     {.kind = GRT_EXPONENTIAL, .scale = 200, .max = 1000000},
     {.kind = GRT_EXPONENTIAL, .scale = 300, .max = 1000000},
     {.kind = GRT_EXPONENTIAL, .scale = 500, .max = 1000000}},
};

static double median_of(const struct grt_distribution *noise) {
    switch (noise->kind) {
    case GRT_UNIFORM:
        return (double)noise->max / 2;
    case GRT_GAMMA:
        return ceil(gsl_cdf_gamma_Pinv(0.5, noise->shape, (double)noise->scale));
    default:
        return ceil((double)noise->scale * log(2));
    }
}

enum { NAMES = 8 };
static const char *const names[NAMES] = {"copy_latency",        "h2d_bandwidth",   "d2h_bandwidth",
                                         "launch_call",         "fma: block_time", "kernel_launch",
                                         "fma: split_overhead", "pageable_percent"};

/* Spans are said by their medians, which such noise shifts by its own. A launch is counted from the moment of the call. */
static void count_inside(const struct noise *noise, uint32_t samples, struct grt_random *random,
                         struct covered covered[NAMES]) {
    struct grt_pretend_spec spec;
    draw_spec(random, &spec);
    spec.seed = grt_random_bits(random);
    spec.device.slowdowns.count = 0;
    spec.launch_call = 2000;
    spec.call_noise = noise->call;
    spec.copy_noise = noise->copy;
    spec.kernels[GRT_KERNEL_FMA].noise = noise->block;
    const struct grt_fit *fit = measure(&spec, NOISY, samples, 0);
    const double truths[NAMES] = {(double)spec.device.copy_latency + median_of(&noise->copy),
                                  (double)spec.device.h2d_bytes_per_second,
                                  (double)spec.device.d2h_bytes_per_second,
                                  2000 + median_of(&noise->call),
                                  block_time_of(&spec, fit, "fma") + median_of(&noise->block),
                                  (double)spec.device.kernel_launch,
                                  0 /* each part takes longer than a launch */,
                                  (double)spec.device.pageable_percent};
    for (int k = 0; k < NAMES; k++) {
        count(&covered[k], fit, names[k], truths[k]);
    }
}

static void noise_of(const struct noise *noise, uint32_t samples) {
    struct covered covered[NAMES] = {{0}};
    int cases = grt_suite_cases(2, 300);
    for (int i = 0; i < cases; i++) {
        struct grt_random random = grt_random_stream(7, noise->name, (uint64_t)i, samples);
        count_inside(noise, samples, &random, covered);
    }
    printf("\n  %s noise, %u samples", noise->name, (unsigned)samples);
    for (int k = 0; k < NAMES; k++) {
        double part = (double)covered[k].inside / covered[k].runs;
        printf("\n    %-20s %.1f %%", names[k], 100 * part);
        CU_ASSERT(part >= 0.95 - 3.5 * sqrt(0.95 * 0.05 / covered[k].runs));
    }
}

static void noise_stays_inside_intervals(void) {
    for (size_t i = 0; i < sizeof noises / sizeof noises[0]; i++) {
        noise_of(&noises[i], 20);
        noise_of(&noises[i], 30);
    }
}

int main(void) {
    static CU_TestInfo tests[] = {
        {"devices without noise come back", devices_without_noise_come_back},
        {"noise stays inside intervals", noise_stays_inside_intervals},
        CU_TEST_INFO_NULL,
    };
    int result = grt_suite_run("closed loop of fits", tests);
    grt_arena_clear(&arena);
    return result;
}
