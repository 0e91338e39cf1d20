/* A visit of a cell: some samples of it, of which some are thrown away, and whether it has enough then. */
#include <math.h>
#include <stdlib.h>

#include "calib/measure/internal.h"
#include "calib/measure/stop.h"
#include "sim/memory.h"

enum {
    PER_VISIT = 5,
    FIRST_FIGURES = 32,
    SLOW_IN_A_ROW = 20, /* then the frequency is looked at anew */
};

/* A sample whose SMs were slower, in parts of the frequency that is usual, does not count. */
static const double least_frequency = 0.97;

/* Slow samples show a frequency that is usual for a cell where they differ by no more, and are no slower than this part of the warm one. */
static const double steady_ratio = 0.9, least_usual = 0.5;

/* So long after a warm-up another one would not help. */
static const grt_time warm_for = 10 * GRT_SECOND;

static uint32_t or_else(uint32_t number, uint32_t otherwise) {
    return number > 0 ? number : otherwise;
}

uint32_t grt_most_samples(const struct measure *measure) {
    uint32_t planned = measure->plan->most_samples, own = or_else(measure->experiment->most, planned);
    bool is_worst = measure->number == GRT_EXPERIMENT_WORST;
    return is_worst ? measure->plan->worst_samples : own < planned ? own : planned;
}

uint32_t grt_least_samples(const struct measure *measure) {
    uint32_t own = or_else(measure->experiment->least, measure->plan->least_samples),
             most = grt_most_samples(measure);
    return measure->number == GRT_EXPERIMENT_WORST || own > most ? most : own;
}

/* ---- samples ---- */

static double figure_of(struct measure *measure, uint32_t from) {
    uint32_t count = measure->row_count - from;
    if (!isnan(measure->figure) || count == 0) {
        return measure->figure;
    }
    double *values = grt_allocate(count * sizeof *values);
    for (uint32_t i = 0; i < count; i++) {
        values[i] = (double)measure->rows[(size_t)(from + i) * measure->row_values];
    }
    double median = grt_median(values, count);
    free(values);
    return median;
}

static void add_figure(struct cell *cell, double figure) {
    uint32_t needed = cell->figure_count + 1, first = GRT_FIRST_CAPACITY(FIRST_FIGURES);
    cell->figures = grt_array_grow(cell->figures, &cell->figure_capacity, needed > first ? needed : first,
                                   sizeof *cell->figures);
    cell->figures[cell->figure_count++] = figure;
}

/* The frequency of the sample's longest block; 0: not known, since it was too short. */
static double hertz_of(const struct measure *measure) {
    if (measure->longest_ns < GRT_TICKS_OF_A_FREQUENCY * (uint64_t)measure->tick_ns) {
        return 0;
    }
    return (double)measure->longest_cycles * 1e9 / (double)measure->longest_ns;
}

static bool was_slow(const struct measure *measure, const struct cell *cell) {
    double hertz = hertz_of(measure), usual = cell->own_hertz > 0 ? cell->own_hertz : measure->warm_hertz;
    return hertz > 0 && hertz < least_frequency * usual;
}

static void note_slow(const struct measure *measure, struct cell *cell) {
    double hertz = hertz_of(measure);
    bool is_first = cell->slow_in_row++ == 0;
    cell->slow_lowest = is_first ? hertz : fmin(cell->slow_lowest, hertz);
    cell->slow_highest = is_first ? hertz : fmax(cell->slow_highest, hertz);
    cell->slow_sum = is_first ? hertz : cell->slow_sum + hertz;
}

/* Why samples are dropped; of those that are as their cell says because they are slow. */
static const enum grt_raw_drop reasons[] = {[TAKEN] = GRT_RAW_DROP_CLOCK,
                                            [UNRECORDED] = GRT_RAW_DROP_RECORD,
                                            [MISPLACED] = GRT_RAW_DROP_PLACEMENT,
                                            [APART] = GRT_RAW_DROP_OVERLAP};

/* What a visit adds up to. */
struct visit {
    struct visited of;
    size_t taken;
    uint64_t cycles, ns;
    bool has_first; /* of an experiment that tells it: the first sample's value */
    int64_t first;
    struct visited of_first;
};

/* Takes a sample: its rows are the last ones. */
static enum taken take(struct measure *measure, struct cell *cell) {
    measure->figure = NAN;
    grt_take_anew(measure);
    return measure->experiment->sample(measure, cell);
}

/* The first sample of a visit, which is not one of the cell's. */
static void take_first(struct measure *measure, struct cell *cell, struct visit *visit) {
    enum taken taken = take(measure, cell);
    bool counts = measure->experiment->tells_first && !grt_bench_is_lost(measure->bench);
    if (counts && taken == TAKEN) {
        visit->has_first = true;
        visit->first = measure->rows[0];
        visit->of_first.hertz = hertz_of(measure);
    } else if (counts) {
        visit->of_first.dropped_for[reasons[taken]]++;
    }
    measure->row_count = 0;
}

static void take_counted(struct measure *measure, struct cell *cell, struct visit *visit) {
    uint32_t rows = measure->row_count;
    enum taken taken = take(measure, cell);
    if (grt_bench_is_lost(measure->bench)) {
        measure->row_count = rows;
        return;
    }
    bool slow = !measure->experiment->keeps_slow && was_slow(measure, cell);
    if (taken != TAKEN || slow) {
        measure->row_count = rows;
        if (slow) {
            note_slow(measure, cell);
        }
        visit->of.dropped_for[reasons[taken]]++;
        cell->drops_in_row++;
        return;
    }
    cell->drops_in_row = cell->slow_in_row = 0;
    visit->taken++;
    visit->cycles += measure->cycles;
    visit->ns += measure->cycles_ns;
    add_figure(cell, figure_of(measure, rows));
}

/* ---- visits ---- */

/* The samples of a cell are slow, one after the other: perhaps the device has cooled down, or settled elsewhere; or else its power does not suffice for the cell's kernel to run
 * as fast as the one thread of the warm-up, and its own frequency is what is usual for it. */
static void find_usual(struct measure *measure, struct cell *cell) {
    bool is_steady = cell->slow_lowest >= steady_ratio * cell->slow_highest;
    double mean = cell->slow_sum / cell->slow_in_row;
    if (grt_measure_now(measure) - measure->warm_at > warm_for) {
        grt_measure_warm_up(measure);
    } else if (is_steady && mean >= least_usual * measure->warm_hertz) {
        cell->own_hertz = mean;
        cell->drops_in_row = 0;
    }
    cell->slow_in_row = 0;
}

static void judge(struct measure *measure, struct cell *cell) {
    uint32_t least = grt_least_samples(measure), most = grt_most_samples(measure);
    cell->done = cell->figure_count >= most;
    if (!cell->done && cell->figure_count >= least) {
        double *copy = grt_allocate((cell->visit_count + 1) * sizeof *copy);
        for (uint32_t i = 0; i < cell->visit_count; i++) {
            copy[i] = cell->visits[i];
        }
        cell->done = least == most || grt_median_is_known(copy, cell->visit_count, measure->plan->precision);
        free(copy);
    }
    if (cell->slow_in_row >= SLOW_IN_A_ROW) {
        find_usual(measure, cell);
    }
    if (cell->drops_in_row >= GRT_DROPS_IN_A_ROW) {
        cell->given_up = cell->done = true;
    }
}

/* What the figures from `first` on come to: samples of a visit are not independent, visits are. */
static void end_visit(struct cell *cell, uint32_t first) {
    uint32_t count = cell->figure_count - first;
    if (count == 0) {
        return;
    }
    double *copy = grt_allocate(count * sizeof *copy);
    for (uint32_t i = 0; i < count; i++) {
        copy[i] = cell->figures[first + i];
    }
    cell->visits =
        grt_array_grow(cell->visits, &cell->visit_capacity, cell->visit_count + 1, sizeof *cell->visits);
    cell->visits[cell->visit_count++] = grt_median(copy, count);
    free(copy);
}

/* All that the visit has taken is of a device that was slowed. */
static void drop_all(struct measure *measure, struct visit *visit) {
    visit->of.dropped_for[GRT_RAW_DROP_THROTTLE] += visit->taken;
    visit->of_first.dropped_for[GRT_RAW_DROP_THROTTLE] += visit->has_first;
    visit->has_first = false;
    measure->row_count = 0;
}

/* The first sample, as one of a cell of its own. */
static void write_first(struct measure *measure, const struct cell *cell, const struct visit *visit) {
    struct cell first = *cell;
    grt_cell_text(&first, "run", "first");
    if (visit->has_first) {
        grt_cell_row(measure, &visit->first, 1);
    }
    grt_cell_write(measure, &first, &visit->of_first);
}

void grt_visit_cell(struct measure *measure, struct cell *cell) {
    grt_measure_offset_if_due(measure);
    struct visited visited = grt_cell_visited(measure);
    struct visit visit = {.of = visited, .of_first = visited};
    uint32_t per_visit = or_else(measure->experiment->per_visit, PER_VISIT);
    uint32_t left = grt_most_samples(measure) - cell->figure_count, figures = cell->figure_count;
    per_visit = per_visit < left ? per_visit : left;
    for (uint32_t i = 0; i <= per_visit && grt_measure_goes_on(measure); i++) {
        if (grt_measure_now(measure) >= measure->deadline) {
            break;
        }
        if (i == 0) {
            take_first(measure, cell, &visit);
        } else {
            take_counted(measure, cell, &visit);
        }
    }
    if (!grt_bench_is_lost(measure->bench) && grt_measure_is_throttled(measure)) {
        drop_all(measure, &visit);
        cell->figure_count = figures;
    }
    visit.of.hertz = visit.ns > 0 ? (double)visit.cycles * 1e9 / (double)visit.ns : 0;
    grt_cell_write(measure, cell, &visit.of);
    if (measure->experiment->tells_first) {
        write_first(measure, cell, &visit);
    }
    end_visit(cell, figures);
    judge(measure, cell);
}
