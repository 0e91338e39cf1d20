/* The device's clocks: the steps of its timer and of events, its time against the host's, and the frequency of the SMs. */
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calib/fit/build.h"
#include "calib/fit/line.h"
#include "calib/fit/quantum.h"

static const char experiment[] = "clock";

static const struct grt_raw_cell *cell_of(const struct grt_fit_build *build, const char *what) {
    const struct grt_raw_cell *cell = NULL;
    while ((cell = grt_raw_next(build->raw, experiment, cell)) != NULL) {
        const char *text = grt_raw_text(cell, "what");
        if (text != NULL && strcmp(text, what) == 0 && cell->count > 0) {
            return cell;
        }
    }
    return NULL;
}

/* ---- steps ---- */

/* Values of several cells: whole numbers. */
struct pool {
    double *values;
    size_t count;
};

/* Adds those of a column from 1 to `most`. */
static void pour(struct pool *pool, const struct grt_raw_cell *cell, const char *column, int64_t most) {
    const int64_t *values = grt_raw_values(cell, column);
    for (size_t i = 0; values != NULL && i < cell->count; i++) {
        if (values[i] >= 1 && values[i] <= most) {
            pool->values[pool->count++] = (double)values[i];
        }
    }
}

/* The values in ascending order, in the arena. */
static int64_t *sorted_of(struct grt_fit_build *build, const struct pool *pool) {
    int64_t *sorted = grt_arena_array(build->arena, pool->count + 1, sizeof *sorted);
    gsl_sort(pool->values, 1, pool->count);
    for (size_t i = 0; i < pool->count; i++) {
        sorted[i] = (int64_t)pool->values[i];
    }
    return sorted;
}

static void add_step(struct grt_fit_build *build, const char *name, const struct grt_quantum *quantum,
                     size_t count) {
    struct grt_finding finding =
        grt_fit_measured(experiment, name, GRT_UNIT_NS,
                         (struct grt_ranged){quantum->step, quantum->low, quantum->high}, count);
    finding.how = grt_fit_text(build, "the largest number of which %.1f %% of %zu values are multiples%s",
                               100 * quantum->share, count,
                               quantum->low < quantum->high ? ", to 1 ns: it is no whole number of ns" : "");
    grt_fit_add(build, finding);
}

/* The step of a clock by values that are multiples of it, or nearly; `few`: how many different ones are too few to tell it. */
static int64_t fit_step(struct grt_fit_build *build, const char *name, const int64_t *sorted, size_t count,
                        int64_t tolerance, size_t few) {
    if (count == 0) {
        grt_fit_refuse(build, experiment, name, NULL, "no sample is above 0 ns");
        return 1;
    }
    struct grt_quantum quantum = grt_quantum_of(sorted, count, tolerance);
    if (quantum.distinct < few && quantum.step > 1) {
        grt_fit_refuse(
            build, experiment, name, NULL,
            grt_fit_text(build,
                         "only %zu different values: they are multiples of %g ns, but the step may "
                         "be a part of that",
                         quantum.distinct, quantum.step));
        return 1;
    }
    add_step(build, name, &quantum, count);
    return (int64_t)ceil(quantum.step);
}

/* Spans by the device's timer, beside those of its own experiment. */
static const struct {
    const char *experiment, *column;
} timed[] = {
    {"launch", "gap_ns"},     {"coresidency", "block_ns"}, {"waves", "span_ns"}, {"split", "span_ns"},
    {"partition", "span_ns"}, {"together", "span_ns"},     {"worst", "span_ns"},
};
enum { TIMED = sizeof timed / sizeof timed[0] };

/* All that are above 0. */
static struct pool pool_of_spans(struct grt_fit_build *build) {
    const struct grt_raw_cell *cell = NULL;
    size_t most = 0;
    for (size_t i = 0; i < TIMED; i++) {
        while ((cell = grt_raw_next(build->raw, timed[i].experiment, cell)) != NULL) {
            most += cell->count;
        }
    }
    struct pool pool = {grt_arena_array(build->arena, most > 0 ? most : 1, sizeof *pool.values), 0};
    for (size_t i = 0; i < TIMED; i++) {
        while ((cell = grt_raw_next(build->raw, timed[i].experiment, cell)) != NULL) {
            pour(&pool, cell, timed[i].column, INT64_C(1) << 53);
        }
    }
    return pool;
}

static void miss_timer_step(struct grt_fit_build *build, const char *but) {
    grt_fit_miss(build, experiment, "timer_step", NULL);
    grt_fit_warn(build,
                 grt_fit_text(build,
                              "the step of the device's timer was not measured%s: 1 ns is assumed, and "
                              "what is said to be exact may be off by a step",
                              but));
}

/* Files that lack its samples: spans of many different lengths say the step by what they are multiples of. */
static void fit_timer_step_by_spans(struct grt_fit_build *build) {
    enum { FEW = 20 };
    struct pool pool = pool_of_spans(build);
    if (pool.count == 0) {
        grt_fit_miss(build, experiment, "timer_step", NULL);
        return;
    }
    struct grt_quantum quantum = grt_quantum_of(sorted_of(build, &pool), pool.count, 0);
    if (quantum.distinct < FEW) {
        miss_timer_step(
            build, grt_fit_text(build, ", and %zu different spans are too few to tell it", quantum.distinct));
        return;
    }
    add_step(build, "timer_step", &quantum, pool.count);
    build->timer_step = (int64_t)quantum.step;
}

static void fit_timer_step(struct grt_fit_build *build) {
    const struct grt_raw_cell *cell = cell_of(build, "tick");
    if (cell == NULL) {
        fit_timer_step_by_spans(build);
        return;
    }
    struct pool pool = {grt_arena_array(build->arena, cell->count, sizeof *pool.values), 0};
    pour(&pool, cell, "delta_ns", INT64_C(1) << 53); /* beyond, numbers are not whole any more */
    const int64_t *sorted = sorted_of(build, &pool);
    enum { LEAST = 8 }; /* a timer whose steps are no whole ns shows two that differ by one */
    bool whole = pool.count == 0 || sorted[0] < LEAST || grt_quantum_of(sorted, pool.count, 0).step > 1;
    build->timer_step = fit_step(build, "timer_step", sorted, pool.count, whole ? 0 : 1, 1);
}

/* Times of copies are by events, too, and more varied than those of equal kernels. Longer ones than this are not whole nanoseconds any more: the driver gives ms as a float. */
#define EXACT_FLOAT_NS 8000000

static struct pool pool_of_events(struct grt_fit_build *build) {
    const struct grt_raw_cell *cell = cell_of(build, "event"), *copy = NULL;
    size_t most = cell != NULL ? cell->count : 0;
    while ((copy = grt_raw_next(build->raw, "copy", copy)) != NULL) {
        most += copy->count;
    }
    struct pool pool = {grt_arena_array(build->arena, most > 0 ? most : 1, sizeof *pool.values), 0};
    if (cell != NULL) {
        pour(&pool, cell, "elapsed_ns", EXACT_FLOAT_NS);
    }
    while ((copy = grt_raw_next(build->raw, "copy", copy)) != NULL) {
        pour(&pool, copy, "elapsed_ns", EXACT_FLOAT_NS);
    }
    return pool;
}

static void fit_event_step(struct grt_fit_build *build) {
    struct pool pool = pool_of_events(build);
    if (pool.count == 0 && cell_of(build, "event") == NULL) {
        grt_fit_miss(build, experiment, "event_step", NULL);
        return;
    }
    const int64_t *sorted = sorted_of(build, &pool);
    enum { FEW = 5 };
    bool whole = pool.count > 0 && grt_quantum_of(sorted, pool.count, 0).step > 1;
    build->event_step = fit_step(build, "event_step", sorted, pool.count, whole ? 0 : 1, FEW);
}

/* ---- the device's time against the host's ---- */

/* An exchange with small numbers, relative to the first one. */
static struct grt_gate gate_of(const struct grt_fit_build *build, const struct grt_raw_cell *cell, size_t i,
                               int64_t hidden) {
    const int64_t *before = grt_raw_values(cell, "before_ns"), *after = grt_raw_values(cell, "after_ns");
    const int64_t *device = grt_raw_values(cell, "device_ns");
    return (struct grt_gate){.x = (double)(device[i] - build->clock.device_ns),
                             .low = (double)(before[i] - build->clock.host_ns - hidden),
                             .high = (double)(after[i] - build->clock.host_ns)};
}

static int by_width(const void *a, const void *b) {
    const struct grt_gate *one = a, *other = b;
    double left = one->high - one->low, right = other->high - other->low;
    return (left > right) - (left < right);
}

static int by_place(const void *a, const void *b) {
    const struct grt_gate *one = a, *other = b;
    return (one->x > other->x) - (one->x < other->x);
}

/* The quickest exchanges, but from each part of the time: in every tenth of them in order, a tenth of what can be looked at. */
static size_t pick_gates(struct grt_gate *gates, size_t count) {
    enum { PARTS = 10, EACH = GRT_MOST_GATES / PARTS };
    qsort(gates, count, sizeof *gates, by_place);
    if (count <= GRT_MOST_GATES) {
        return count;
    }
    size_t kept = 0;
    for (size_t part = 0; part < PARTS; part++) {
        size_t from = count * part / PARTS, to = count * (part + 1) / PARTS;
        qsort(gates + from, to - from, sizeof *gates, by_width);
        memmove(gates + kept, gates + from, EACH * sizeof *gates);
        kept += EACH;
    }
    return kept;
}

/* The middle of all possible lines: it goes through the middles at both ends of the time, and is nowhere farther off than there, because the width of what is possible is
 * convex. */
static bool take_middle(struct grt_fit_clock *clock, const struct grt_gate *gates, size_t count, double first,
                        double last) {
    struct grt_lines begin = grt_lines_through(gates, count, first),
                     end = grt_lines_through(gates, count, last);
    if (!begin.exist || !(last > first)) {
        return false;
    }
    double low = (begin.low_at + begin.high_at) / 2, high = (end.low_at + end.high_at) / 2;
    clock->slope = (high - low) / (last - first);
    clock->start = low - clock->slope * first;
    clock->error = fmax(begin.high_at - begin.low_at, end.high_at - end.low_at) / 2;
    clock->low_slope = fmin(begin.low_slope, clock->slope);
    clock->high_slope = fmax(begin.high_slope, clock->slope);
    return true;
}

/* Clocks that do not go straight: the line of least squares, and the largest distance from it. */
static void take_squares(struct grt_fit_clock *clock, const struct grt_gate *gates, size_t count) {
    struct grt_line_point points[GRT_MOST_GATES] = {{0}};
    for (size_t i = 0; i < count; i++) {
        double width = gates[i].high - gates[i].low;
        points[i] =
            (struct grt_line_point){gates[i].x, (gates[i].low + gates[i].high) / 2, fmax(width / 2, 1)};
    }
    struct grt_line line = grt_line_fit(points, count);
    clock->start = line.start.value;
    clock->slope = line.slope.value;
    clock->low_slope = clock->high_slope = NAN; /* it has none */
    clock->error = 0;
    for (size_t i = 0; i < count; i++) {
        double off = fabs(points[i].y - clock->start - clock->slope * points[i].x);
        clock->error = fmax(clock->error, off + (gates[i].high - gates[i].low) / 2);
    }
}

/* Until when the line is used: the stamps of launches lie beside the exchanges. */
static void widen(const struct grt_fit_build *build, double *first, double *last) {
    static const char *const columns[] = {"start_ns", "end_ns"};
    const struct grt_raw_cell *cell = NULL;
    while ((cell = grt_raw_next(build->raw, "launch", cell)) != NULL) {
        for (int c = 0; c < 2; c++) {
            const int64_t *values = grt_raw_values(cell, columns[c]);
            for (size_t i = 0; values != NULL && i < cell->count; i++) {
                double x = (double)(values[i] - build->clock.device_ns);
                *first = fmin(*first, x);
                *last = fmax(*last, x);
            }
        }
    }
}

static size_t gates_of(struct grt_fit_build *build, const struct grt_raw_cell *cell, int64_t hidden,
                       struct grt_gate *gates) {
    for (size_t i = 0; i < cell->count; i++) {
        gates[i] = gate_of(build, cell, i, hidden);
    }
    return pick_gates(gates, cell->count);
}

static void add_offset(struct grt_fit_build *build, const struct grt_raw_cell *cell, bool straight) {
    const struct grt_fit_clock *clock = &build->clock;
    uint64_t origins = build->raw->device_origin_ns - (uint64_t)build->raw->host_origin_ns;
    double apart = (double)((int64_t)origins + clock->device_ns - clock->host_ns) - clock->start;
    double rounding = fabs(apart) * 0x1p-53; /* of the number itself, where it is large */
    struct grt_finding offset = grt_fit_measured(
        experiment, "clock_offset", GRT_UNIT_NS,
        (struct grt_ranged){apart, apart - clock->error - rounding, apart + clock->error + rounding},
        cell->count);
    offset.how = straight
                     ? "device's time minus host's at the first exchange: the middle of all lines that every "
                       "exchange allows; the interval has them all"
                     : "device's time minus host's at the first exchange, by least squares: no straight line "
                       "agrees with every exchange; the interval has the largest distance";
    grt_fit_add(build, offset);
    struct grt_finding drift = grt_fit_measured(experiment, "clock_drift", GRT_UNIT_NONE,
                                                grt_ranged_exactly(1 / clock->slope - 1), cell->count);
    drift.low = 1 / clock->high_slope - 1;
    drift.high = 1 / clock->low_slope - 1;
    drift.how =
        straight
            ? "the slope of the same line: how much faster the device's clock goes; the interval has all "
              "lines that every exchange allows"
            : "the slope of the same line: how much faster the device's clock goes on the whole";
    grt_fit_add(build, drift);
}

static void fit_offset(struct grt_fit_build *build) {
    const struct grt_raw_cell *cell = cell_of(build, "offset");
    if (cell == NULL || grt_raw_values(cell, "before_ns") == NULL ||
        grt_raw_values(cell, "after_ns") == NULL || grt_raw_values(cell, "device_ns") == NULL) {
        grt_fit_miss(build, experiment, "clock_offset", NULL);
        return;
    }
    struct grt_fit_clock *clock = &build->clock;
    clock->host_ns = grt_raw_values(cell, "before_ns")[0];
    clock->device_ns = grt_raw_values(cell, "device_ns")[0];
    struct grt_gate *gates = grt_arena_array(build->arena, cell->count, sizeof *gates);
    size_t count = gates_of(build, cell, build->timer_step - 1, gates);
    double first = gates[0].x, last = gates[0].x;
    for (size_t i = 0; i < count; i++) {
        first = fmin(first, gates[i].x);
        last = fmax(last, gates[i].x);
    }
    widen(build, &first, &last);
    bool straight = take_middle(clock, gates, count, first, last);
    if (!straight) { /* a drifting clock's own rounding hides a whole step */
        count = gates_of(build, cell, build->timer_step, gates);
        straight = take_middle(clock, gates, count, first, last);
    }
    if (!straight) {
        take_squares(clock, gates, count);
    }
    clock->known = clock->slope > 0;
    if (!clock->known) {
        grt_fit_refuse(build, experiment, "clock_offset", NULL,
                       "exchanges at one instant only say nothing of later ones");
        return;
    }
    add_offset(build, cell, straight);
}

/* ---- frequency ---- */

/* Each window says that the frequency is between (cycles - 1) / (ns + hidden) and (cycles + 1) / (ns - hidden). */
static void fit_frequency(struct grt_fit_build *build) {
    const struct grt_raw_cell *cell = cell_of(build, "frequency");
    const int64_t *cycles = cell != NULL ? grt_raw_values(cell, "cycles") : NULL;
    const int64_t *ns = cell != NULL ? grt_raw_values(cell, "ns") : NULL;
    if (cycles == NULL || ns == NULL) {
        grt_fit_miss(build, experiment, "sm_frequency", NULL);
        return;
    }
    double hidden = (double)build->timer_step, low = 0, high = INFINITY, widest = 0;
    double *rates = grt_arena_array(build->arena, cell->count, sizeof *rates);
    for (size_t i = 0; i < cell->count; i++) {
        double c = (double)cycles[i], t = (double)ns[i];
        rates[i] = c / t * 1e9;
        low = fmax(low, (c - 1) / (t + hidden) * 1e9);
        high = fmin(high, (c + 1) / fmax(t - hidden, 1) * 1e9);
        widest = fmax(widest, hidden / t);
    }
    const struct grt_fit_series series = {
        .values = rates, .visits = cell->visits, .count = cell->count, .unit = " Hz"};
    struct grt_fit_center center = grt_fit_center(build, &series, 1);
    struct grt_ranged rate = center.value;
    rate.low *= 1 - widest;
    rate.high *= 1 + widest;
    bool one = low <= high;
    if (one) {
        rate = (struct grt_ranged){grt_roundest(low, high), low, high};
    }
    struct grt_finding finding =
        grt_fit_measured(experiment, "sm_frequency", GRT_UNIT_HERTZ, rate, cell->count);
    finding.how = one ? "the roundest frequency that agrees with every window of spinning"
                      : grt_fit_text(build, "windows of spinning: %s", center.how);
    finding.field = build->raw->device.core_khz == 0 ? "core_clock" : NULL;
    grt_fit_add(build, finding);
}

void grt_fit_steps(struct grt_fit_build *build) {
    fit_timer_step(build);
    fit_event_step(build);
}

void grt_fit_clocks(struct grt_fit_build *build) {
    grt_fit_steps(build);
    fit_offset(build);
    fit_frequency(build);
}
