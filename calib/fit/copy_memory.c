/* Copies inside the device: what its memory gives, and what its L2 cache does. */
#include <math.h>

#include "calib/fit/copy_series.h"
#include "calib/fit/quantum.h"

static const char experiment[] = "copy";

/* A copy has its source and its destination in the cache: of one that both fit in half of it all is found there again. Where they are four times as large, a cache that throws out at random
 * keeps 2 % of a copy that is repeated (h = exp(-(1 - h) size / cache)), and one that throws out the oldest keeps nothing. */
#define WITHIN 0.5
#define BEYOND 4

enum { LEAST_SIZES = 3 };

/* Sizes of one kind, and the lines through them. */
struct sides {
    double l2;                        /* bytes; 0: the driver does not say */
    struct grt_copy_series near, far; /* within the cache, and well beyond it */
};

static struct sides divide(const struct grt_fit_build *build, const struct grt_copy_series *all) {
    struct sides sides = {.l2 = (double)build->raw->device.l2_bytes, .far = *all};
    sides.near = grt_copy_series_between(all, 0, WITHIN * sides.l2 / 2);
    sides.far = grt_copy_series_between(all, BEYOND * sides.l2 / 2, INFINITY);
    return sides;
}

/* Where there are too few sizes for a line: what the largest copy takes beyond the latency of those within the cache, which is little of it. */
static void fit_largest(struct grt_fit_build *build, struct grt_copy_series *far,
                        const struct grt_copy_series *near) {
    if (far->count == 0 || !near->known) {
        return;
    }
    *far = grt_copy_series_between(far, far->sizes[far->count - 1].bytes, INFINITY);
    const struct grt_copy_size *size = &far->sizes[0];
    struct grt_ranged time = grt_fit_median(build, size->cell, "elapsed_ns", build->event_step).value;
    far->latency = near->latency;
    far->ns_per_byte =
        (struct grt_ranged){(time.value - near->latency.value) / size->bytes,
                            (time.low - near->latency.high - GRT_COPY_DEVICE_ROUNDING) / size->bytes,
                            (time.high - near->latency.low) / size->bytes};
    far->known = far->ns_per_byte.value > 0 && far->ns_per_byte.low > 0;
    far->residual = NAN; /* one size has no line */
    far->why = "the largest copy takes no longer than those within the cache, as far as the clock tells";
}

/* Reading and writing. */
static struct grt_ranged twice(struct grt_ranged rate) {
    return (struct grt_ranged){2 * rate.value, 2 * rate.low, 2 * rate.high};
}

static const char *how_of(struct grt_fit_build *build, const struct grt_copy_series *series) {
    if (series->count == 1) {
        return grt_fit_text(
            build,
            "twice the bandwidth of a copy of %.0f bytes inside the device, which is read "
            "and written: its median by visits of %zu samples, less the latency of copies within the "
            "L2 cache",
            series->sizes[0].bytes, series->samples);
    }
    return grt_fit_text(build,
                        "twice the bandwidth of copies inside the device, which read and write, of %.0f to "
                        "%.0f bytes; %s",
                        series->sizes[0].bytes, series->sizes[series->count - 1].bytes,
                        grt_copy_series_how(build, series));
}

/* ---- the memory ---- */

/* The kernel that does nothing but move bytes moves so many, in each of whose launches there are more than the cache has: a check by other means. */
static const char *beside_triad(struct grt_fit_build *build, double l2, double rate) {
    for (size_t i = 0; i < build->raw->workload_count; i++) {
        const struct grt_fitted_workload *triad = &build->workloads[i];
        double moved = grt_fit_block_bytes(triad->workload) * triad->workload->blocks;
        if (triad->workload->kernel == GRT_KERNEL_TRIAD && triad->bytes_per_second > 0 &&
            moved >= BEYOND * l2) {
            return grt_fit_text(build, "; workload %s moves %.3g times as much by its block times",
                                triad->workload->name, triad->bytes_per_second / rate);
        }
    }
    return "";
}

static void refuse_memory(struct grt_fit_build *build, const char *why) {
    grt_fit_refuse(build, experiment, "memory_bandwidth", "memory_bandwidth", why);
}

static const char *why_not(struct grt_fit_build *build, const struct sides *sides,
                           const struct grt_copy_series *all) {
    if (sides->l2 > 0 && all->count > 0 && sides->far.count == 0) {
        return grt_fit_text(
            build,
            "copies are in the L2 cache, of %.0f bytes, in part unless they read and write %d times as much "
            "as it has; the largest that was measured has %.0f bytes",
            sides->l2, BEYOND, all->sizes[all->count - 1].bytes);
    }
    return sides->far.why;
}

/* Rules S1 and S2: a copy inside the device reads and writes. */
static void add_memory(struct grt_fit_build *build, const struct sides *sides,
                       const struct grt_copy_series *all) {
    const struct grt_copy_series *far = &sides->far;
    if (!far->known) {
        refuse_memory(build, why_not(build, sides, all));
        return;
    }
    struct grt_ranged rate = twice(grt_copy_series_rate(far));
    if (!isfinite(rate.high)) {
        refuse_memory(build, "larger copies inside the device take no longer, as far as the clock tells");
        return;
    }
    if (far->slowest > 0) { /* of those that go with the latency that was settled on; halves were whole */
        double least = fmax(2 * far->slowest - 1, ceil(rate.low));
        rate.value = grt_roundest(least, fmin(2 * far->fastest + 1, floor(rate.high)));
    }
    struct grt_finding finding =
        grt_fit_measured(experiment, "memory_bandwidth", GRT_UNIT_BYTES_PER_SECOND, rate, far->samples);
    finding.field = "memory_bandwidth";
    finding.residual = far->residual;
    finding.how = grt_fit_text(
        build, "%s%s%s", how_of(build, far),
        sides->l2 > 0 ? ""
                      : "; the driver does not say how large the L2 cache is, which may hold some of them",
        beside_triad(build, sides->l2, rate.value));
    grt_fit_add(build, finding);
}

/* ---- the cache ---- */

static void add_cache(struct grt_fit_build *build, const struct sides *sides) {
    const struct grt_copy_series *near = &sides->near;
    struct grt_ranged rate = near->known ? twice(grt_copy_series_rate(near)) : grt_ranged_unknown();
    if (!(sides->l2 > 0) || near->count == 0) {
        return;
    }
    if (!near->known || !isfinite(rate.high)) {
        grt_fit_refuse(build, experiment, "l2_bandwidth", NULL,
                       near->known
                           ? "copies within half of the L2 cache take no longer where they are larger, "
                             "as far as the clock tells"
                           : near->why);
        return;
    }
    struct grt_finding finding =
        grt_fit_measured(experiment, "l2_bandwidth", GRT_UNIT_BYTES_PER_SECOND, rate, near->samples);
    finding.residual = near->residual;
    finding.how = how_of(build, near);
    grt_fit_add(build, finding);
}

/* ---- both ---- */

static double model_at(const struct sides *sides, double bytes) {
    const struct grt_copy_series *near = &sides->near, *far = &sides->far;
    const struct grt_copy_series *of = bytes <= WITHIN * sides->l2 / 2   ? near
                                       : bytes >= BEYOND * sides->l2 / 2 ? far
                                                                         : NULL;
    return of != NULL && of->known ? of->latency.value + of->ns_per_byte.value * bytes : NAN;
}

static void add_curve(struct grt_fit_build *build, const struct sides *sides,
                      const struct grt_copy_series *all) {
    struct grt_curve *curve = grt_fit_curve(
        build,
        (struct grt_curve){.name = "d2d device: copy time",
                           .experiment = experiment,
                           .x_label = "bytes",
                           .y_label = "time, ns",
                           .model_label = "latency + bytes / bandwidth, within the L2 cache and beyond it",
                           .x_log = true,
                           .y_log = true},
        all->count);
    for (size_t i = 0; i < all->count; i++) {
        const struct grt_copy_size *size = &all->sizes[i];
        curve->points[curve->count++] =
            grt_fit_point(size->bytes, size->sorted, size->samples, model_at(sides, size->bytes));
    }
}

void grt_fit_copies_inside(struct grt_fit_build *build) {
    struct grt_copy_series all = grt_copy_series_of(build, "d2d", "device", "nothing");
    struct sides sides = divide(build, &all);
    grt_copy_series_fit(&sides.near, build->event_step, GRT_COPY_DEVICE_ROUNDING);
    grt_copy_series_fit(&sides.far, build->event_step, GRT_COPY_DEVICE_ROUNDING);
    if (sides.far.count < LEAST_SIZES) {
        fit_largest(build, &sides.far, &sides.near);
    }
    add_memory(build, &sides, &all);
    add_cache(build, &sides);
    if (all.count > 0) {
        add_curve(build, &sides, &all);
    }
    grt_copy_series_beside(build, &all, "kernel");
}
