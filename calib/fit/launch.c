/* What a launch takes: of the host, until the kernel begins, between kernels of a stream, and until the host knows of the end. */
#include <math.h>
#include <string.h>

#include "calib/fit/build.h"

static const char experiment[] = "launch";

static const struct grt_raw_cell *cell_of(const struct grt_fit_build *build, const char *what,
                                          const char *key, const char *value) {
    const struct grt_raw_cell *cell = NULL;
    while ((cell = grt_raw_next(build->raw, experiment, cell)) != NULL) {
        const char *text = grt_raw_text(cell, "what"), *other = key != NULL ? grt_raw_text(cell, key) : "";
        bool same = text != NULL && strcmp(text, what) == 0;
        if (same && cell->count > 0 && (key == NULL || (other != NULL && strcmp(other, value) == 0))) {
            return cell;
        }
    }
    return NULL;
}

static void warn_of_modes(struct grt_fit_build *build, const char *name, const struct grt_fit_center *span) {
    if (span->modes != NULL) {
        grt_fit_warn(build, grt_fit_text(build, "%s has %s ns: the value is their median, and no typical one",
                                         name, span->modes));
    }
}

/* A cell of one column of spans. */
static void fit_spans(struct grt_fit_build *build, const struct grt_raw_cell *cell, const char *column,
                      const char *name, int64_t step) {
    double *sorted = cell != NULL ? grt_fit_sorted(build, cell, column) : NULL;
    if (sorted == NULL) {
        grt_fit_miss(build, experiment, name, NULL);
        return;
    }
    struct grt_fit_center span = grt_fit_median(build, cell, column, step);
    struct grt_finding finding = grt_fit_measured(experiment, name, GRT_UNIT_NS, span.value, cell->count);
    finding.varied = span.varied;
    finding.how = grt_fit_text(build, "%s; %s", span.how, grt_fit_longest(build, sorted, cell->count, " ns"));
    warn_of_modes(build, name, &span);
    grt_fit_add_span(build, finding);
}

/* Spans between an instant of the host's clock and one of the device's: `sign` 1 where the device's is the later one. */
static void fit_across(struct grt_fit_build *build, const char *what, const char *host_column,
                       const char *device_column, double sign, const char *name, const char *field) {
    const struct grt_raw_cell *cell = cell_of(build, what, NULL, NULL);
    const int64_t *host = cell != NULL ? grt_raw_values(cell, host_column) : NULL;
    const int64_t *device = cell != NULL ? grt_raw_values(cell, device_column) : NULL;
    if (host == NULL || device == NULL) {
        grt_fit_miss(build, experiment, name, field);
        return;
    }
    const struct grt_fit_clock *clock = &build->clock;
    if (!clock->known) {
        grt_fit_refuse(build, experiment, name, field,
                       "the device's time is not known in the host's: no exchanges of clocks");
        return;
    }
    double *spans = grt_arena_array(build->arena, cell->count, sizeof *spans);
    for (size_t i = 0; i < cell->count; i++) {
        spans[i] = sign * (grt_fit_host_time(clock, device[i]) - (double)(host[i] - clock->host_ns));
        spans[i] =
            fabs(spans[i] - round(spans[i])) < 1e-3 ? round(spans[i]) : spans[i]; /* rounding of the line */
    }
    const struct grt_fit_series series = {.values = spans, .visits = cell->visits, .count = cell->count};
    struct grt_fit_center center = grt_fit_center(build, &series, build->timer_step);
    struct grt_ranged span = center.value;
    double between =
        fabs(clock->slope - 1) > 1e-12 ? 1 : 0; /* instants of a clock that drifts lie between its ns */
    span.low -= clock->error + between;
    span.high += clock->error + between;
    struct grt_finding finding = grt_fit_measured(experiment, name, GRT_UNIT_NS, span, cell->count);
    finding.field = field;
    finding.varied = center.varied;
    warn_of_modes(build, name, &center);
    finding.how = grt_fit_text(build, "%s, and by how much the clocks may be apart (%.0f ns)", center.how,
                               clock->error);
    grt_fit_add_span(build, finding);
    build->kernel_launch = field != NULL ? fmax(span.value, 0) : build->kernel_launch;
}

/* What leaving records adds to workloads: the difference of a pair. */
static void fit_records(struct grt_fit_build *build, const struct grt_raw_cell *cell) {
    const int64_t *with = grt_raw_values(cell, "with_ns"), *without = grt_raw_values(cell, "without_ns");
    const char *workload = grt_raw_text(cell, "kernel");
    if (with == NULL || without == NULL || cell->count == 0 || workload == NULL) {
        return;
    }
    double *more = grt_arena_array(build->arena, cell->count, sizeof *more);
    for (size_t i = 0; i < cell->count; i++) {
        more[i] = (double)(with[i] - without[i]);
    }
    const struct grt_fit_series series = {.values = more, .visits = cell->visits, .count = cell->count};
    struct grt_fit_center center =
        grt_fit_center(build, &series, 2 * build->event_step - 1); /* both by events */
    struct grt_fit_center alone = grt_fit_median(build, cell, "without_ns", build->event_step);
    const char *name = grt_fit_text(build, "%s: record_cost", workload);
    struct grt_finding finding = grt_fit_measured(experiment, name, GRT_UNIT_NS, center.value, cell->count);
    finding.varied = center.varied;
    warn_of_modes(build, name, &center);
    finding.how = grt_fit_text(build,
                               "what blocks' records add to %.0f ns without them, by events: %s; nothing is "
                               "taken off for it",
                               alone.value.value, center.how);
    grt_fit_add_span(build, finding);
}

void grt_fit_launch(struct grt_fit_build *build) {
    fit_across(build, "idle", "call_ns", "start_ns", 1, "kernel_launch", "kernel_launch");
    fit_spans(build, cell_of(build, "call", "queue", "empty"), "call_ns", "launch_call", 1);
    fit_spans(build, cell_of(build, "call", "queue", "deep"), "call_ns", "launch_call_deep", 1);
    fit_spans(build, cell_of(build, "gap", "streams", "same"), "gap_ns", "launch_gap", build->timer_step);
    const struct grt_raw_cell *other = cell_of(build, "gap", "streams", "other");
    if (other != NULL) {
        fit_spans(build, other, "gap_ns", "launch_gap_other_stream", build->timer_step);
    }
    fit_across(build, "sync", "return_ns", "end_ns", -1, "sync_return", NULL);
    const struct grt_raw_cell *cell = NULL;
    while ((cell = grt_raw_next(build->raw, experiment, cell)) != NULL) {
        if (grt_fit_is_text(grt_raw_text(cell, "what"), "records")) {
            fit_records(build, cell);
        }
    }
}
