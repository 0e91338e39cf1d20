/* Workloads: kernels whose sizes fit the device. They run for about 100 us on all of it (times the plan's slowness), in four waves of blocks or more, so that a split,
 * a share of the SMs and a competitor show, and thousands of samples fit into a budget. */
#include <math.h>
#include <string.h>

#include "calib/measure/internal.h"

enum { TRIES = 8, WAVES = 4, RECORDS_PER_BLOCK = GRT_PLAN_RECORDS_PER_BLOCK };

static const uint64_t span_on_a_gpu_ns = 100000;
static const double near_ratio = 1.3;

struct preset {
    const char *name;
    enum grt_kernel_id kernel;
    uint64_t start, step,
        most;       /* amounts: the first one tried, of which all are multiples, and which none is above */
    bool grid_only; /* a block's time does not depend on the amount: more blocks make it longer */
};

static const struct preset presets[] = {
    {"fma", GRT_KERNEL_FMA, 1000, 10, 100000000, false},
    {"triad", GRT_KERNEL_TRIAD, 1024, 256, 16777216, false},
    {"matmul", GRT_KERNEL_MATMUL, 512, 16, 8192, false},
    {"stencil", GRT_KERNEL_STENCIL, 1024, 16, 1024, true},
    {"reduce", GRT_KERNEL_REDUCE, 4096, 256, 16777216, false},
    {"texture", GRT_KERNEL_TEXTURE, 100, 10, 100000000, false},
    {"chase", GRT_KERNEL_CHASE, 32, 1, 10000000, false},
    {"spin", GRT_KERNEL_SPIN_NS, 25000, 25000, 25000, true},
    {"vadd", GRT_KERNEL_VADD, 4096, 256, 67108864, false},
    {"cycles", GRT_KERNEL_SPIN_CYCLES, 50000, 100, 1000000000, false},
};

enum { PRESETS = sizeof presets / sizeof presets[0], AS_A_RULE = 8 };

const char *grt_plan_workload(size_t number) {
    return number < PRESETS ? presets[number].name : NULL;
}

const struct workload *grt_measure_workload(const struct measure *measure, const char *name) {
    for (size_t i = 0; i < measure->workload_count; i++) {
        if (strcmp(measure->workloads[i].raw.name, name) == 0) {
            return &measure->workloads[i];
        }
    }
    return NULL;
}

/* How long it takes with these numbers; the quicker one of two runs. Not a number: the device is lost. */
static double time_span(struct measure *measure, const struct workload *workload) {
    double best = NAN;
    for (int i = 0; i < 2; i++) {
        struct grt_bench_launch launch = grt_take_workload(workload, workload->raw.blocks, 0);
        struct span span;
        if (!grt_take_kernel(measure, measure->streams[0], &launch, &span)) {
            return NAN;
        }
        best = fmin(best, (double)(span.end - span.start)); /* fmin: NAN is no number */
    }
    return best;
}

/* The nearest multiple of the step, to two digits, in the preset's bounds, that the device can launch. */
static uint64_t round_amount(struct measure *measure, const struct preset *preset, struct workload *workload,
                             double amount) {
    double scale = pow(10, fmax(0, floor(log10(fmax(amount, 1))) - 1));
    double whole = round(amount / scale) * scale / (double)preset->step;
    uint64_t rounded = whole < 1 ? preset->step : (uint64_t)whole * preset->step;
    rounded = rounded > preset->most ? preset->most : rounded;
    for (;;) {
        workload->raw.amount = rounded;
        struct grt_bench_launch launch = grt_take_workload(workload, workload->raw.blocks, 0);
        if (rounded <= preset->step || grt_bench_launch_problem(measure->bench, &launch) == NULL) {
            return rounded;
        }
        rounded = rounded / 2 / preset->step * preset->step;
        rounded = rounded < preset->step ? preset->step : rounded;
    }
}

/* Whole waves of which four fit into the records: two kernels beside each other need three. */
static uint32_t most_blocks(const struct measure *measure, const struct workload *workload) {
    uint32_t records = grt_bench_record_count(measure->bench) / RECORDS_PER_BLOCK;
    return records < workload->wave ? records : records / workload->wave * workload->wave;
}

/* Finds the amount, or where that changes nothing the number of blocks, with which it takes as long as wanted. */
static void size(struct measure *measure, const struct preset *preset, struct workload *workload) {
    double amount = (double)preset->start;
    double wanted_span_ns = (double)grt_measure_slowed(measure, span_on_a_gpu_ns);
    uint32_t most = most_blocks(measure, workload);
    workload->raw.blocks = WAVES * workload->wave < most ? WAVES * workload->wave : most;
    for (int i = 0; i < TRIES; i++) {
        uint64_t before = workload->raw.amount;
        uint32_t blocks_before = workload->raw.blocks;
        round_amount(measure, preset, workload, amount);
        if (i > 0 && preset->grid_only) {
            double waves = wanted_span_ns / workload->span_ns * workload->raw.blocks / workload->wave;
            double blocks = fmin(fmax(round(waves), WAVES) * workload->wave, most);
            workload->raw.blocks = (uint32_t)blocks;
        }
        if (i > 0 && before == workload->raw.amount && blocks_before == workload->raw.blocks) {
            break;
        }
        workload->span_ns = time_span(measure, workload);
        double ratio = wanted_span_ns / workload->span_ns;
        if (isnan(ratio) || (ratio < near_ratio && ratio > 1 / near_ratio)) {
            break;
        }
        amount = preset->grid_only ? amount : (double)workload->raw.amount * fmin(ratio, 100);
    }
}

/* A user's grid is measured as it is, or not at all. */
static const char *user_problem(struct measure *measure, const struct workload *workload) {
    struct grt_bench_launch launch = grt_take_workload(workload, workload->raw.blocks, 0);
    if (workload->raw.blocks > grt_bench_record_count(measure->bench) / RECORDS_PER_BLOCK) {
        return "there are records for fewer, of which a block beside another kernel needs four";
    }
    return grt_bench_launch_problem(measure->bench, &launch);
}

static void add(struct measure *measure, const char *name, enum grt_kernel_id kernel, uint32_t threads,
                const struct preset *preset) {
    struct workload *workload = &measure->workloads[measure->workload_count];
    const struct grt_bench_kernel *told = grt_bench_kernel(measure->bench, kernel);
    int occupancy = grt_bench_occupancy(measure->bench, kernel, threads, 0);
    if (occupancy < 1 || grt_bench_is_lost(measure->bench)) {
        grt_measure_skip(measure, name, "no block of %u threads fits on an SM", threads);
        return;
    }
    *workload = (struct workload){.raw = {.name = name,
                                          .kernel = kernel,
                                          .threads = threads,
                                          .registers = told->registers,
                                          .static_shared_bytes = told->shared_bytes,
                                          .occupancy = occupancy,
                                          .ptx_version = told->ptx_version,
                                          .binary_version = told->binary_version,
                                          .made_by = grt_bench_made_by(measure->bench, kernel)},
                                  .wave = (uint32_t)(occupancy * measure->device->sm_count)};
    if (preset != NULL) {
        struct preset slowed = *preset;
        if (kernel == GRT_KERNEL_SPIN_NS) { /* its amount is a time */
            slowed.start = slowed.step = slowed.most = grt_measure_slowed(measure, preset->start);
        }
        size(measure, &slowed, workload);
    } else {
        workload->raw.amount = measure->plan->user_amount;
        workload->raw.blocks = measure->plan->user_blocks;
        const char *why = user_problem(measure, workload);
        if (why != NULL) {
            grt_measure_skip(measure, name, "%u blocks of %u threads: %s", workload->raw.blocks, threads,
                             why);
            return;
        }
        workload->span_ns = time_span(measure, workload);
    }
    if (isnan(workload->span_ns) || workload->span_ns <= 0) {
        grt_measure_skip(measure, name, "it takes no time that the device's timer can tell");
        return;
    }
    measure->unwritten = measure->unwritten || !grt_raw_write_workload(measure->writer, &workload->raw);
    measure->workload_count++;
}

static bool is_wanted(const struct grt_plan *plan, size_t number) {
    for (size_t i = 0; i < plan->workload_count; i++) {
        if (strcmp(plan->workloads[i], presets[number].name) == 0) {
            return true;
        }
    }
    return plan->workload_count == 0 && number < AS_A_RULE;
}

void grt_measure_workloads(struct measure *measure) {
    for (size_t i = 0; i < PRESETS && grt_measure_goes_on(measure); i++) {
        if (is_wanted(measure->plan, i)) {
            const struct grt_kernel_kind *kind = grt_bench_kind(measure->bench, presets[i].kernel);
            add(measure, presets[i].name, presets[i].kernel, kind->threads, &presets[i]);
        }
    }
    const struct grt_kernel_kind *kind = grt_bench_kind(measure->bench, GRT_KERNEL_USER);
    if (kind != NULL && measure->plan->user_blocks > 0 && grt_measure_goes_on(measure)) {
        uint32_t threads = measure->plan->user_threads;
        add(measure, GRT_RAW_USER_KERNEL, GRT_KERNEL_USER, threads > 0 ? threads : kind->threads, NULL);
    }
}
