#include "calib/fit/copy_series.h"

#include <math.h>
#include <stdlib.h>

#include "calib/fit/line.h"
#include "calib/fit/median_line.h"
#include "calib/fit/quantum.h"

/* ---- gathering ---- */

static int by_bytes(const void *a, const void *b) {
    const struct grt_copy_size *one = a, *other = b;
    return (one->bytes > other->bytes) - (one->bytes < other->bytes);
}

struct grt_copy_series grt_copy_series_of(struct grt_fit_build *build, const char *direction,
                                          const char *memory, const char *beside) {
    struct grt_copy_series series = {.direction = direction, .memory = memory, .beside = beside};
    const struct grt_raw_cell *cell = NULL;
    while ((cell = grt_raw_next(build->raw, "copy", cell)) != NULL && series.count < GRT_MOST_SIZES) {
        bool wanted = grt_fit_is_text(grt_raw_text(cell, "direction"), direction) &&
                      grt_fit_is_text(grt_raw_text(cell, "memory"), memory) &&
                      grt_fit_is_text(grt_raw_text(cell, "beside"), beside);
        double *sorted = wanted ? grt_fit_sorted(build, cell, "elapsed_ns") : NULL;
        int64_t bytes = grt_raw_number(cell, "bytes", 0);
        if (sorted != NULL && bytes > 0 && sorted[0] > 0) {
            struct grt_fit_series elapsed = grt_fit_series(build, cell, "elapsed_ns");
            series.sizes[series.count++] =
                (struct grt_copy_size){.bytes = (double)bytes,
                                       .sorted = sorted,
                                       .samples = cell->count,
                                       .cell = cell,
                                       .center = grt_fit_center(build, &elapsed, 1).value,
                                       .signs = grt_fit_visit_signs(&elapsed)};
            series.samples += cell->count;
        } else if (sorted != NULL && bytes > 0 && series.unseen_count < GRT_MOST_SIZES) {
            series.unseen[series.unseen_count++] = (double)bytes;
        }
    }
    qsort(series.sizes, series.count, sizeof series.sizes[0], by_bytes);
    return series;
}

struct grt_copy_series grt_copy_series_between(const struct grt_copy_series *series, double least,
                                               double most) {
    struct grt_copy_series part = {
        .direction = series->direction, .memory = series->memory, .beside = series->beside};
    for (size_t i = 0; i < series->count; i++) {
        if (series->sizes[i].bytes >= least && series->sizes[i].bytes <= most) {
            part.sizes[part.count++] = series->sizes[i];
            part.samples += series->sizes[i].samples;
        }
    }
    for (size_t i = 0; i < series->unseen_count; i++) {
        if (series->unseen[i] >= least && series->unseen[i] <= most) {
            part.unseen[part.unseen_count++] = series->unseen[i];
        }
    }
    return part;
}

/* ---- without noise ---- */

/* The driver gives milliseconds as a float. */
static double float_rounding(double ns) {
    return floor(ns * 0x1p-24 + 0.5);
}

/* What latency + bytes / bandwidth can be before it is rounded up, by all samples of a size; events are off by less than a step at both ends. */
static struct grt_gate gate_of(const struct grt_copy_size *size, int64_t event_step, double rounding) {
    enum { OPEN = 1000000 }; /* what is rounded up by a whole ns is none: a millionth of it is kept out */
    double least = size->sorted[0], most = size->sorted[size->samples - 1];
    double hidden = (double)(event_step - 1) + float_rounding(most);
    return (struct grt_gate){size->bytes, most - hidden - rounding * (1 - 1.0 / OPEN), least + hidden};
}

static bool gates_of(const struct grt_copy_series *series, int64_t event_step, double rounding,
                     struct grt_gate *gates) {
    for (size_t i = 0; i < series->count; i++) {
        gates[i] = gate_of(&series->sizes[i], event_step, rounding);
        if (gates[i].low > gates[i].high) {
            return false;
        }
    }
    return true;
}

static bool fit_exactly(struct grt_copy_series *series, int64_t event_step, double rounding) {
    struct grt_gate gates[GRT_MOST_SIZES];
    if (!gates_of(series, event_step, rounding, gates)) {
        return false;
    }
    struct grt_lines lines = grt_lines_through(gates, series->count, 0);
    double low = ceil(fmax(lines.low_at, 0)), high = floor(lines.high_at); /* latencies are whole */
    if (!lines.exist || low > high || !(lines.high_slope > 0)) {
        return false;
    }
    series->exact = series->known = true;
    series->latency = (struct grt_ranged){grt_roundest(low, high), low, high};
    series->ns_per_byte = (struct grt_ranged){(lines.low_slope + lines.high_slope) / 2,
                                              fmax(lines.low_slope, 0), lines.high_slope};
    return true;
}

bool grt_copy_series_settle(struct grt_copy_series *series, double latency, int64_t event_step,
                            double rounding) {
    struct grt_gate gates[GRT_MOST_SIZES];
    gates_of(series, event_step, rounding, gates);
    double low = 0, high = INFINITY;
    for (size_t i = 0; i < series->count; i++) {
        low = fmax(low, (gates[i].low - latency) / gates[i].x);
        high = fmin(high, (gates[i].high - latency) / gates[i].x);
    }
    double least = ceil(1e9 / high), most = low > 0 ? floor(1e9 / low) : least; /* bandwidths are whole */
    if (low > high || high <= 0 || least > most || !isfinite(most)) {
        return false;
    }
    series->latency.value = latency;
    series->slowest = least;
    series->fastest = most;
    series->ns_per_byte.value = 1e9 / grt_roundest(least, most);
    return true;
}

/* ---- with noise ---- */

#define NORMAL_QUANTILE 1.959963984540054

static void points_of(const struct grt_copy_series *series, int64_t event_step, double relative,
                      struct grt_line_point *points) {
    for (size_t i = 0; i < series->count; i++) {
        const struct grt_copy_size *size = &series->sizes[i];
        struct grt_ranged median = size->center;
        if (isnan(median.high - median.low)) { /* one visit: at least how its samples differ */
            median = grt_sorted_median(size->sorted, size->samples);
        }
        double error = (median.high - median.low) / (2 * NORMAL_QUANTILE); /* not a number: too few samples */
        error = hypot(error >= 0 ? error : 0.1 * median.value, (double)event_step / sqrt(12));
        points[i] = (struct grt_line_point){size->bytes, median.value, hypot(error, relative * median.value)};
    }
}

/* Where sizes are farther from the line than their noise, what all times may be off by relatively is raised until they are not: so weights go over to 1 / t^2. */
static double find_relative(const struct grt_copy_series *series, int64_t event_step) {
    struct grt_line_point points[GRT_MOST_SIZES];
    points_of(series, event_step, 0, points);
    enum { HALVINGS = 40, MUCH = 2 };
    if (!(grt_line_fit(points, series->count).misfit > MUCH)) {
        return 0;
    }
    double low = 0, high = 1;
    for (int i = 0; i < HALVINGS; i++) {
        double middle = (low + high) / 2;
        points_of(series, event_step, middle, points);
        bool enough = grt_line_fit(points, series->count).misfit <= 1;
        low = enough ? low : middle;
        high = enough ? middle : high;
    }
    return high;
}

/* A second line that leaves less than a quarter of the squares is said. */
static double find_bend(const struct grt_copy_series *series, const struct grt_line_point *points) {
    enum { LESS = 4 };
    struct grt_bent_line bent;
    bool much = series->relative > 0 && grt_line_bend(points, series->count, &bent) &&
                LESS * bent.squares < bent.single;
    return much ? series->sizes[bent.split].bytes : 0;
}

/* The clock hides less than a step of each time, and the device rounds it up: all of them by so much shift the start. */
static struct grt_ranged with_hidden_start(struct grt_ranged start, int64_t event_step, double rounding) {
    double hidden = (double)(event_step - 1);
    return (struct grt_ranged){start.value, start.low - hidden - rounding, start.high + hidden};
}

/* Those of the smallest size the one way, those of the largest the other. */
static struct grt_ranged with_hidden_slope(struct grt_ranged slope, const struct grt_copy_series *series,
                                           int64_t event_step, double rounding) {
    double apart = series->sizes[series->count - 1].bytes - series->sizes[0].bytes;
    double hidden = (2 * (double)(event_step - 1) + rounding) / apart;
    return (struct grt_ranged){slope.value, slope.low - hidden, slope.high + hidden};
}

static void fit_squares(struct grt_copy_series *series, int64_t event_step, double rounding) {
    struct grt_line_point points[GRT_MOST_SIZES];
    series->relative = find_relative(series, event_step);
    points_of(series, event_step, series->relative, points);
    struct grt_line line = grt_line_fit(points, series->count);
    series->latency = with_hidden_start(line.start, event_step, rounding);
    series->ns_per_byte = with_hidden_slope(line.slope, series, event_step, rounding);
    series->bend = find_bend(series, points);
}

/* How much less the samples say than as many independent ones: over all sizes, or as they count by weight and x^power, whichever is more. */
static double effect_of(const struct grt_copy_series *series, const struct grt_median_group *groups,
                        int power) {
    struct grt_visit_signs all = {0}, weighted = {0};
    for (size_t i = 0; i < series->count; i++) {
        const struct grt_visit_signs *signs = &series->sizes[i].signs;
        double score = groups[i].weight * pow(groups[i].x, power);
        all.squares += signs->squares;
        all.independent += signs->independent;
        weighted.squares += score * score * signs->squares;
        weighted.independent += score * score * signs->independent;
    }
    return all.independent > 0 ? fmax(all.squares / all.independent, weighted.squares / weighted.independent)
                               : 1;
}

/* The series as samples of a line of medians; `groups` has room for its sizes. */
static struct grt_median_samples medians_of(const struct grt_copy_series *series, int64_t event_step,
                                            struct grt_median_group *groups) {
    for (size_t i = 0; i < series->count; i++) {
        const struct grt_copy_size *size = &series->sizes[i];
        groups[i] =
            (struct grt_median_group){.x = size->bytes, .sorted = size->sorted, .count = size->samples};
    }
    grt_median_weights(groups, series->count, (double)event_step);
    return (struct grt_median_samples){groups, series->count, effect_of(series, groups, 0),
                                       effect_of(series, groups, 1)};
}

struct grt_ranged grt_copy_series_common(const struct grt_copy_series *one,
                                         const struct grt_copy_series *other, int64_t event_step,
                                         double rounding) {
    struct grt_median_group first[GRT_MOST_SIZES], second[GRT_MOST_SIZES];
    const struct grt_median_samples lines[] = {medians_of(one, event_step, first),
                                               medians_of(other, event_step, second)};
    return with_hidden_start(grt_median_start(lines, 2), event_step, rounding);
}

/* Fewer cases than this of samples that do lie on a line are taken for bent ones. */
#define BENT_LEVEL 1e-3

static void fit_medians(struct grt_copy_series *series, int64_t event_step, double rounding) {
    struct grt_median_group groups[GRT_MOST_SIZES];
    struct grt_median_samples line = medians_of(series, event_step, groups);
    struct grt_ranged slope = grt_median_slope(&line), start = grt_median_start(&line, 1);
    double hidden = (double)(event_step - 1) + rounding;
    series->straight = grt_median_straight(&line, start.value, slope.value, hidden) >= BENT_LEVEL &&
                       isfinite(slope.high - slope.low) && isfinite(start.high - start.low);
    series->latency = with_hidden_start(start, event_step, rounding);
    series->ns_per_byte = with_hidden_slope(slope, series, event_step, rounding);
}

/* Where no size was visited twice though samples come in visits. Of a single sample there are no visits to tell apart. */
static bool is_visited_once(const struct grt_copy_series *series) {
    bool once = true, more = false;
    for (size_t i = 0; i < series->count; i++) {
        const struct grt_raw_cell *cell = series->sizes[i].cell;
        bool visited = cell->visits != NULL && cell->visits[0] == cell->visits[cell->count - 1];
        once = once && visited;
        more = more || (visited && cell->count > 1);
    }
    return once && more;
}

static void fit_with_noise(struct grt_copy_series *series, int64_t event_step, double rounding) {
    if (!series->few) {
        fit_medians(series, event_step, rounding);
    }
    if (!series->straight) {
        fit_squares(series, event_step, rounding);
    }
    series->known = series->ns_per_byte.value > 0 && series->ns_per_byte.low > 0;
    series->why = series->known ? NULL : "the time does not grow with the size, beyond its noise";
}

void grt_copy_series_fit(struct grt_copy_series *series, int64_t event_step, double rounding) {
    enum { LEAST_SIZES = 3 };
    series->residual = NAN;
    series->few = is_visited_once(series);
    if (series->count < LEAST_SIZES) {
        series->why = series->unseen_count > 0
                          ? "copies of fewer than three sizes take longer than the step of events, by which "
                            "those of the others took 0 ns now and then or always"
                      : series->count == 0 ? "not measured"
                                           : "fewer than three sizes were measured";
        return;
    }
    if (fit_exactly(series, event_step, rounding)) {
        grt_copy_series_settle(series, series->latency.value, event_step, rounding);
    } else {
        fit_with_noise(series, event_step, rounding);
    }
    double distances[GRT_MOST_SIZES];
    for (size_t i = 0; i < series->count; i++) {
        const struct grt_copy_size *size = &series->sizes[i];
        double model = series->latency.value + series->ns_per_byte.value * size->bytes;
        distances[i] = fabs(size->center.value / model - 1);
    }
    series->residual = grt_fit_residual(distances, series->count);
}

struct grt_ranged grt_copy_series_rate(const struct grt_copy_series *series) {
    struct grt_ranged slope = series->ns_per_byte;
    double rate = 1e9 / slope.value;
    rate = fabs(rate - round(rate)) < 1e-3 ? round(rate) : rate; /* what dividing twice has rounded off */
    return (struct grt_ranged){rate, 1e9 / slope.high, 1e9 / slope.low};
}

const char *grt_copy_series_how(struct grt_fit_build *build, const struct grt_copy_series *series) {
    if (series->exact) {
        return grt_fit_text(
            build,
            "t = latency + bytes / bandwidth, the roundest that agree with all %zu samples of %zu "
            "sizes to the clock's step",
            series->samples, series->count);
    }
    if (series->straight) {
        return grt_fit_text(
            build,
            "t = latency + bytes / bandwidth through the medians of %zu samples of %zu sizes, "
            "interval by signs",
            series->samples, series->count);
    }
    return grt_fit_text(
        build,
        "t = latency + bytes / bandwidth by least squares over the medians of %zu sizes, which are "
        "%.2g %% from any line beyond their noise: weights nearly 1 / t^2",
        series->count, 100 * series->relative);
}

/* ---- beside something else ---- */

void grt_copy_series_beside(struct grt_fit_build *build, const struct grt_copy_series *alone,
                            const char *beside) {
    struct grt_copy_series series = grt_copy_series_of(build, alone->direction, alone->memory, beside);
    for (size_t i = series.count; i-- > 0;) { /* the largest size of both */
        for (size_t k = alone->count; k-- > 0;) {
            const struct grt_copy_size *with = &series.sizes[i], *without = &alone->sizes[k];
            if (with->bytes < without->bytes || with->bytes > without->bytes) {
                continue;
            }
            struct grt_ranged factor = grt_ranged_quotient(
                grt_fit_median(build, with->cell, "elapsed_ns", build->event_step).value,
                grt_fit_median(build, without->cell, "elapsed_ns", build->event_step).value);
            struct grt_finding finding = grt_fit_measured(
                "copy",
                grt_fit_text(build, "%s %s: slowdown beside %s", alone->direction, alone->memory, beside),
                GRT_UNIT_NONE, factor, with->samples);
            finding.how = grt_fit_text(build, "quotient of medians by visits, of %.0f bytes", with->bytes);
            grt_fit_add(build, finding);
            return;
        }
    }
}
