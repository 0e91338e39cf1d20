/* How much longer blocks take beside others of their kernel on an SM: B(r), the time of a block with r on every SM. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calib/fit/block_times.h"
#include "calib/fit/build.h"

static const char experiment[] = "coresidency";

enum { MOST_KEPT = 1000 };

/* Where B(r) does not bend as rule B3 has it, its distance from that is larger than this. */
#define GOOD_SHAPE 0.1

static int by_residency(const void *a, const void *b) {
    const struct grt_block_times_row *one = a, *other = b;
    return (one->per_sm > other->per_sm) - (one->per_sm < other->per_sm);
}

struct grt_block_times grt_block_times_of(struct grt_fit_build *build, const char *workload) {
    struct grt_block_times times = {0};
    const struct grt_raw_cell *cell = NULL;
    while ((cell = grt_raw_next(build->raw, experiment, cell)) != NULL &&
           times.count < GRT_DEVICE_MAX_BLOCKS_PER_SM) {
        int64_t per_sm = grt_raw_number(cell, "per_sm", 0);
        double *sorted = grt_fit_sorted(build, cell, "block_ns");
        if (grt_fit_is_text(grt_raw_text(cell, "kernel"), workload) && per_sm > 0 && sorted != NULL) {
            struct grt_fit_center center = grt_fit_median(build, cell, "block_ns", build->timer_step);
            times.rows[times.count++] =
                (struct grt_block_times_row){per_sm, center.value, center.how, sorted, cell->count};
        }
    }
    qsort(times.rows, times.count, sizeof times.rows[0], by_residency);
    return times;
}

double grt_block_time_at(const struct grt_block_times *times, double per_sm) {
    const struct grt_block_times_row *rows = times->rows;
    size_t i = 0;
    while (i + 1 < times->count && (double)rows[i + 1].per_sm < per_sm) {
        i++;
    }
    if (times->count == 1 || per_sm <= (double)rows[0].per_sm) {
        return rows[0].median.value;
    }
    if (per_sm >= (double)rows[times->count - 1].per_sm) {
        return rows[times->count - 1].median.value;
    }
    double part = (per_sm - (double)rows[i].per_sm) / (double)(rows[i + 1].per_sm - rows[i].per_sm);
    return rows[i].median.value + part * (rows[i + 1].median.value - rows[i].median.value);
}

/* ---- what goes into kernel files ---- */

static void keep_times(struct grt_fit_build *build, struct grt_fitted_workload *workload,
                       const struct grt_block_times_row *row) {
    size_t count = row->samples < MOST_KEPT ? row->samples : MOST_KEPT;
    int64_t *kept = grt_arena_array(build->arena, count, sizeof *kept);
    for (size_t i = 0; i < count; i++) {
        size_t place = count == row->samples ? i : i * (row->samples - 1) / (count - 1);
        kept[i] =
            (int64_t)row->sorted[place]; /* a value that was measured, the least and the largest among them */
    }
    workload->block_times = kept;
    workload->block_time_count = count;
}

/* By kernels.cu: two floats in and one out of each element, float4s, one float in. */
double grt_fit_block_bytes(const struct grt_raw_workload *workload) {
    double amount = (double)workload->amount;
    switch (workload->kernel) {
    case GRT_KERNEL_VADD:
        return 12 * amount;
    case GRT_KERNEL_TRIAD:
        return 48 * amount;
    case GRT_KERNEL_REDUCE:
        return 4 * amount;
    default:
        return 0;
    }
}

/* With as many blocks as fit on the device, or as there are. */
static double bytes_per_second(const struct grt_fit_build *build, const struct grt_raw_workload *workload,
                               double block_ns) {
    double blocks = fmin((double)workload->blocks, (double)build->raw->device.sm_count * workload->occupancy);
    return block_ns > 0 ? blocks * grt_fit_block_bytes(workload) / block_ns * 1e9 : 0;
}

/* Of kernels that say how much they move: what goes into kernel files as their bandwidth. */
static void keep_bandwidth(struct grt_fit_build *build, struct grt_fitted_workload *workload,
                           const struct grt_block_times_row *row) {
    struct grt_ranged time = row->median, rate;
    rate.value = bytes_per_second(build, workload->workload, time.value);
    rate.low = rate.value * time.value / time.high;
    rate.high = time.low > 0 ? rate.value * time.value / time.low : NAN;
    workload->bytes_per_second = rate.value;
    if (!(rate.value > 0)) {
        return;
    }
    const char *name = grt_fit_text(build, "%s: bandwidth", workload->workload->name);
    struct grt_finding finding =
        grt_fit_measured(experiment, name, GRT_UNIT_BYTES_PER_SECOND, rate, row->samples);
    finding.how = grt_fit_text(build,
                               "%.0f bytes that a block reads and writes, over its time, with all blocks "
                               "that run at a time",
                               grt_fit_block_bytes(workload->workload));
    grt_fit_add(build, finding);
}

static void fit_full(struct grt_fit_build *build, struct grt_fitted_workload *workload,
                     const struct grt_block_times *times) {
    const struct grt_block_times_row *row = &times->rows[times->count - 1];
    int occupancy = workload->workload->occupancy;
    const char *name = grt_fit_text(build, "%s: block_time", workload->workload->name);
    if (occupancy > 0 && row->per_sm < occupancy) {
        grt_fit_refuse(build, experiment, name, NULL,
                       grt_fit_text(build, "measured up to %" PRId64 " blocks per SM only, but %d fit",
                                    row->per_sm, occupancy));
        return;
    }
    struct grt_finding finding = grt_fit_measured(experiment, name, GRT_UNIT_NS, row->median, row->samples);
    finding.how = grt_fit_text(build, "with %" PRId64 " blocks on every SM: %s", row->per_sm, row->how);
    grt_fit_add(build, finding);
    keep_times(build, workload, row);
    workload->block_time = row->median;
    keep_bandwidth(build, workload, row);
}

/* ---- the capacity of an SM, in threads (rule B3) ---- */

/* B(r) / B(1) = max(1, r threads / capacity). */
static double shape(double threads, double capacity) {
    return fmax(1, threads / capacity);
}

/* Each r beyond the knee says a capacity: r threads B(1) / B(r). What most of them say, and how far all are from it. */
static bool find_capacity(const struct grt_block_times *times, double threads, struct grt_ranged *capacity,
                          double *distance) {
    enum { MOST = GRT_DEVICE_MAX_BLOCKS_PER_SM };
    double said[MOST], alone = times->rows[0].median.value;
    size_t count = 0;
    *capacity = (struct grt_ranged){NAN, INFINITY, 0};
    for (size_t i = 0; i < times->count; i++) {
        const struct grt_block_times_row *row = &times->rows[i];
        double slower = row->median.value / alone;
        if (row->per_sm > 1 && slower > 1 + GOOD_SHAPE) {
            said[count++] = (double)row->per_sm * threads / slower;
            capacity->low = fmin(capacity->low, said[count - 1]);
            capacity->high = fmax(capacity->high, said[count - 1]);
        }
    }
    if (count == 0) {
        return false;
    }
    double copy[MOST];
    memcpy(copy, said, count * sizeof copy[0]);
    capacity->value = grt_fit_residual(copy, count); /* their median */
    *distance = 0;
    for (size_t i = 0; i < times->count; i++) {
        double model = shape((double)times->rows[i].per_sm * threads, capacity->value);
        *distance = fmax(*distance, fabs(times->rows[i].median.value / alone / model - 1));
    }
    return true;
}

/* Lanes of an SM by compute capability: NVIDIA, CUDA C++ Programming Guide, table of arithmetic throughput (32-bit floating-point additions). 0: not in it. */
static int lanes_of(int compute_capability) {
    static const struct {
        int capability, lanes;
    } rows[] = {{50, 128}, {52, 128}, {53, 128},  {60, 64},   {61, 128}, {62, 128},
                {70, 64},  {72, 64},  {75, 64},   {80, 64},   {86, 128}, {87, 128},
                {89, 128}, {90, 128}, {100, 128}, {103, 128}, {120, 128}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].capability == compute_capability) {
            return rows[i].lanes;
        }
    }
    return 0;
}

static void add_threads_per_core(struct grt_fit_build *build, const struct grt_finding *capacity) {
    int lanes = lanes_of(build->raw->device.compute_capability);
    double per_core = lanes > 0 ? round(capacity->value / lanes) : 0;
    if (per_core < 1) {
        grt_fit_refuse(build, experiment, "threads_per_core", "threads_per_core",
                       lanes == 0 ? "it is not known how many lanes an SM has"
                                  : "an SM is full with less than a thread per lane");
        return;
    }
    struct grt_finding finding = *capacity;
    finding.name = "threads_per_core";
    finding.value = per_core;
    finding.low = floor(capacity->low / lanes);
    finding.high = ceil(capacity->high / lanes);
    finding.field = "threads_per_core";
    finding.how = grt_fit_text(
        build, "where arithmetic blocks begin to slow each other, over %d lanes of an SM", lanes);
    grt_fit_add(build, finding);
}

/* Only arithmetic says it of the device. */
static void fit_capacity(struct grt_fit_build *build, const struct grt_raw_workload *workload,
                         const struct grt_block_times *times) {
    bool arithmetic = workload->kernel == GRT_KERNEL_FMA;
    const char *name = grt_fit_text(build, "%s: sm_capacity", workload->name), *why = NULL;
    struct grt_ranged capacity;
    double distance = 0;
    if (times->rows[0].per_sm != 1 || times->count < 2) {
        why = "not measured with one block per SM and with more";
    } else if (!find_capacity(times, workload->threads, &capacity, &distance)) {
        why = grt_fit_text(build, "up to %" PRId64 " blocks on an SM do not slow each other",
                           times->rows[times->count - 1].per_sm);
    } else if (distance > GOOD_SHAPE) {
        why = grt_fit_text(
            build,
            "blocks do not slow each other as by a number of threads that an SM serves: up to %.0f %% off",
            100 * distance);
    }
    if (why != NULL) {
        grt_fit_refuse(build, experiment, name, NULL, why);
        if (arithmetic) {
            grt_fit_refuse(build, experiment, "threads_per_core", "threads_per_core", why);
        }
        return;
    }
    struct grt_finding finding = grt_fit_measured(experiment, name, GRT_UNIT_NONE, capacity, times->count);
    finding.residual = distance;
    finding.how = "threads on an SM from which on B(r) grows in proportion; median over r, and their range";
    grt_fit_add(build, finding);
    if (arithmetic) {
        add_threads_per_core(build, &finding);
    }
}

static void add_curve(struct grt_fit_build *build, const struct grt_raw_workload *workload,
                      const struct grt_block_times *times) {
    struct grt_curve *curve =
        grt_fit_curve(build,
                      (struct grt_curve){.name = grt_fit_text(build, "%s: block time", workload->name),
                                         .experiment = experiment,
                                         .x_label = "blocks on every SM",
                                         .y_label = "time of a block, ns",
                                         .model_label = NULL},
                      times->count);
    for (size_t i = 0; i < times->count; i++) {
        const struct grt_block_times_row *row = &times->rows[i];
        curve->points[curve->count++] = grt_fit_point((double)row->per_sm, row->sorted, row->samples, NAN);
    }
}

void grt_fit_coresidency(struct grt_fit_build *build) {
    for (size_t i = 0; i < build->raw->workload_count; i++) {
        const struct grt_raw_workload *workload = &build->raw->workloads[i];
        struct grt_block_times times = grt_block_times_of(build, workload->name);
        if (times.count > 0) {
            fit_full(build, &build->workloads[i], &times);
            fit_capacity(build, workload, &times);
            add_curve(build, workload, &times);
        }
        grt_fit_sm_spread(build, workload->name);
    }
}
