#include "calib/fit/build.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_SIZE = 1024 };

const char *grt_fit_text(struct grt_fit_build *build, const char *format, ...) {
    char text[TEXT_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return grt_arena_text(build->arena, text);
}

void grt_fit_add(struct grt_fit_build *build, struct grt_finding finding) {
    build->findings = grt_array_grow(build->findings, &build->finding_capacity, build->finding_count + 1,
                                     sizeof *build->findings);
    build->findings[build->finding_count++] = finding;
}

struct grt_finding grt_fit_measured(const char *experiment, const char *name, enum grt_finding_unit unit,
                                    struct grt_ranged value, size_t samples) {
    return (struct grt_finding){.name = name,
                                .experiment = experiment,
                                .status = GRT_FINDING_MEASURED,
                                .unit = unit,
                                .value = value.value,
                                .low = value.low,
                                .high = value.high,
                                .samples = samples,
                                .residual = NAN};
}

static struct grt_finding without_value(const char *experiment, const char *name, const char *field,
                                        const char *why) {
    struct grt_finding finding = grt_fit_measured(experiment, name, GRT_UNIT_NONE, grt_ranged_unknown(), 0);
    finding.field = field;
    finding.why = why;
    return finding;
}

void grt_fit_refuse(struct grt_fit_build *build, const char *experiment, const char *name, const char *field,
                    const char *why) {
    struct grt_finding finding = without_value(experiment, name, field, why);
    finding.status = GRT_FINDING_REFUSED;
    grt_fit_add(build, finding);
}

void grt_fit_add_span(struct grt_fit_build *build, struct grt_finding finding) {
    enum { FAR = 3 }; /* halves of the interval: no chance */
    double half = (finding.high - finding.low) / 2;
    if (finding.high < 0 && -finding.value > FAR * half) {
        grt_fit_refuse(build, finding.experiment, finding.name, finding.field,
                       grt_fit_text(build, "it cannot be below 0, but the samples say %.0f to %.0f ns",
                                    finding.low, finding.high));
        return;
    }
    if (finding.low < 0) {
        finding.low = 0;
        finding.high = finding.high < 0 ? half : finding.high;
        finding.how =
            grt_fit_text(build, "%s; at most %.4g ns, 0 is not excluded", finding.how, finding.high);
    }
    finding.value = fmax(finding.value, 0); /* without an interval it may be below 0, too */
    grt_fit_add(build, finding);
}

static const char *why_missing(struct grt_fit_build *build, const char *experiment) {
    const struct grt_raw *raw = build->raw;
    for (size_t i = 0; i < raw->skipped_count; i++) {
        if (strcmp(raw->skipped[i].experiment, experiment) == 0) {
            return grt_fit_text(build, "%s: %s", experiment, raw->skipped[i].why);
        }
    }
    return grt_fit_text(build, "%s: %s", experiment,
                        raw->complete ? "not measured" : "not measured before the measurement ended early");
}

void grt_fit_miss(struct grt_fit_build *build, const char *experiment, const char *name, const char *field) {
    struct grt_finding finding = without_value(experiment, name, field, why_missing(build, experiment));
    finding.status = GRT_FINDING_MISSING;
    grt_fit_add(build, finding);
}

void grt_fit_warn(struct grt_fit_build *build, const char *warning) {
    build->warnings = grt_array_grow(build->warnings, &build->warning_capacity, build->warning_count + 1,
                                     sizeof *build->warnings);
    build->warnings[build->warning_count++] = warning;
}

void grt_fit_add_slowdown(struct grt_fit_build *build, struct grt_fitted_slowdown slowdown) {
    build->slowdowns = grt_array_grow(build->slowdowns, &build->slowdown_capacity, build->slowdown_count + 1,
                                      sizeof *build->slowdowns);
    build->slowdowns[build->slowdown_count++] = slowdown;
}

struct grt_curve *grt_fit_curve(struct grt_fit_build *build, struct grt_curve curve, size_t capacity) {
    build->curves =
        grt_array_grow(build->curves, &build->curve_capacity, build->curve_count + 1, sizeof *build->curves);
    curve.points = grt_arena_array(build->arena, capacity > 0 ? capacity : 1, sizeof *curve.points);
    build->curves[build->curve_count] = curve;
    return &build->curves[build->curve_count++];
}

double *grt_fit_sorted(struct grt_fit_build *build, const struct grt_raw_cell *cell, const char *column) {
    const int64_t *values = grt_raw_values(cell, column);
    if (values == NULL || cell->count == 0) {
        return NULL;
    }
    double *sorted = grt_arena_array(build->arena, cell->count, sizeof *sorted);
    for (size_t i = 0; i < cell->count; i++) {
        sorted[i] = (double)values[i];
    }
    gsl_sort(sorted, 1, cell->count);
    return sorted;
}

struct grt_curve_point grt_fit_point(double x, const double *sorted, size_t count, double model) {
    return (struct grt_curve_point){.x = x,
                                    .measured = grt_sorted_quantile(sorted, count, 0.5),
                                    .low = grt_sorted_quantile(sorted, count, 0.05),
                                    .high = grt_sorted_quantile(sorted, count, 0.95),
                                    .model = model};
}

double grt_fit_residual(double *distances, size_t count) {
    if (count == 0) {
        return NAN;
    }
    gsl_sort(distances, 1, count);
    return grt_sorted_quantile(distances, count, 0.5);
}

bool grt_fit_is_text(const char *a, const char *b) {
    return a != NULL && b != NULL && strcmp(a, b) == 0;
}
