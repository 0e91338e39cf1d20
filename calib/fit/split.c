/* What it costs to launch a kernel in parts: delta, by which each further part makes it longer. */
#include <math.h>
#include <stdlib.h>

#include "calib/fit/build.h"

static const char experiment[] = "split";

/* More samples than this of a workload would make too many pairs. */
enum { MOST_POINTS = 1200 };

struct point {
    double parts, span;
};

static int by_parts(const void *a, const void *b) {
    const struct point *one = a, *other = b;
    return (one->parts > other->parts) - (one->parts < other->parts);
}

/* Parts of whole waves: there splitting makes no further waves, so that all that it costs is delta. */
static bool counts(const struct grt_raw_cell *cell, const char *workload) {
    return grt_fit_is_text(grt_raw_text(cell, "kernel"), workload) &&
           grt_raw_number(cell, "whole_waves", 0) == 1 && grt_raw_number(cell, "parts", 0) >= 1;
}

static size_t count_samples(const struct grt_fit_build *build, const char *workload) {
    size_t count = 0;
    const struct grt_raw_cell *cell = NULL;
    while ((cell = grt_raw_next(build->raw, experiment, cell)) != NULL) {
        count += counts(cell, workload) && grt_raw_values(cell, "span_ns") != NULL ? cell->count : 0;
    }
    return count;
}

/* The medians of visits, which are independent, every so-manieth of each cell, so that there are at most MOST_POINTS. */
static size_t gather(struct grt_fit_build *build, const char *workload, size_t step, struct point *points) {
    size_t count = 0;
    const struct grt_raw_cell *cell = NULL;
    while ((cell = grt_raw_next(build->raw, experiment, cell)) != NULL) {
        struct grt_fit_series series = grt_fit_series(build, cell, "span_ns");
        if (!counts(cell, workload) || series.count == 0) {
            continue;
        }
        double *medians = grt_arena_array(build->arena, series.count, sizeof *medians);
        size_t visits = grt_fit_visit_medians(&series, medians);
        for (size_t i = 0; i < visits; i += step) {
            points[count++] = (struct point){(double)grt_raw_number(cell, "parts", 1), medians[i]};
        }
    }
    qsort(points, count, sizeof *points, by_parts);
    return count;
}

static struct grt_ranged slope_of(struct grt_fit_build *build, const struct point *points, size_t count) {
    double *x = grt_arena_array(build->arena, 2 * count, sizeof *x), *y = x + count;
    for (size_t i = 0; i < count; i++) {
        x[i] = points[i].parts - 1;
        y[i] = points[i].span;
    }
    double *work = grt_allocate(sizeof *work * (grt_slope_pairs(x, count) + 1));
    struct grt_ranged slope = grt_slope(x, y, count, work);
    free(work);
    /* Each span is off by less than a step, so that the slope over the whole range is by 2 steps of it. */
    double hidden = 2 * (double)(build->timer_step - 1) / fmax(x[count - 1] - x[0], 1);
    slope.low -= hidden;
    slope.high += hidden;
    return slope;
}

/* By records: the gaps between parts, each. */
static const char *gaps_text(struct grt_fit_build *build, const char *workload) {
    double *gaps = NULL, parts = 1;
    size_t count = 0;
    const struct grt_raw_cell *cell = NULL;
    while ((cell = grt_raw_next(build->raw, experiment, cell)) != NULL) {
        double *sorted = counts(cell, workload) ? grt_fit_sorted(build, cell, "gap_ns") : NULL;
        if (sorted != NULL && (double)grt_raw_number(cell, "parts", 1) > parts) {
            parts = (double)grt_raw_number(cell, "parts", 1);
            gaps = sorted;
            count = cell->count;
        }
    }
    return gaps != NULL ? grt_fit_text(build, "; the gaps between %.0f parts are %.1f ns each", parts,
                                       grt_sorted_quantile(gaps, count, 0.5) / (parts - 1))
                        : "";
}

static void add_curve(struct grt_fit_build *build, const char *workload, double start, double slope) {
    size_t most = 0;
    const struct grt_raw_cell *cell = NULL;
    while ((cell = grt_raw_next(build->raw, experiment, cell)) != NULL) {
        most += counts(cell, workload);
    }
    struct grt_curve *curve =
        grt_fit_curve(build,
                      (struct grt_curve){.name = grt_fit_text(build, "%s: in parts", workload),
                                         .experiment = experiment,
                                         .x_label = "parts",
                                         .y_label = "time of all, ns",
                                         .model_label = "a constant for each further part"},
                      most);
    while ((cell = grt_raw_next(build->raw, experiment, cell)) != NULL) {
        double *sorted = counts(cell, workload) ? grt_fit_sorted(build, cell, "span_ns") : NULL;
        if (sorted != NULL) {
            double parts = (double)grt_raw_number(cell, "parts", 1);
            curve->points[curve->count++] =
                grt_fit_point(parts, sorted, cell->count, start + slope * (parts - 1));
        }
    }
}

/* Adds the finding; the median of relative distances tells how straight it is. */
static void add_overhead(struct grt_fit_build *build, struct grt_fitted_workload *workload,
                         const struct point *points, size_t count, struct grt_ranged slope, size_t samples) {
    const char *name = workload->workload->name;
    double *offs = grt_arena_array(build->arena, count, sizeof *offs);
    for (size_t i = 0; i < count; i++) {
        offs[i] = points[i].span - slope.value * (points[i].parts - 1);
    }
    double start = grt_fit_residual(offs, count); /* their median */
    for (size_t i = 0; i < count; i++) {
        offs[i] = fabs(points[i].span / (start + slope.value * (points[i].parts - 1)) - 1);
    }
    struct grt_finding finding = grt_fit_measured(experiment, grt_fit_text(build, "%s: split_overhead", name),
                                                  GRT_UNIT_NS, slope, samples);
    finding.residual = grt_fit_residual(offs, count);
    finding.how = grt_fit_text(
        build,
        "Theil-Sen slope of the time over the number of parts, all of whole waves, by medians of visits%s",
        gaps_text(build, name));
    grt_fit_add(build, finding);
    workload->split_overhead = fmax(slope.value, 0);
    add_curve(build, name, start, slope.value);
}

void grt_fit_split(struct grt_fit_build *build) {
    for (size_t i = 0; i < build->raw->workload_count; i++) {
        const char *workload = build->raw->workloads[i].name;
        size_t all = count_samples(build, workload), step = (all + MOST_POINTS - 1) / MOST_POINTS;
        if (all == 0) {
            continue;
        }
        struct point *points = grt_arena_array(build->arena, all, sizeof *points);
        size_t count = gather(build, workload, step, points);
        struct grt_ranged slope = slope_of(build, points, count);
        if (isnan(slope.value)) {
            grt_fit_refuse(build, experiment, grt_fit_text(build, "%s: split_overhead", workload), NULL,
                           "measured with one number of parts only");
        } else {
            add_overhead(build, &build->workloads[i], points, count, slope, all);
        }
    }
}
