/* Cells in rounds, in a random order, until they have samples enough or the time is over. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calib/measure/internal.h"
#include "calib/measure/stop.h"
#include "sim/check.h"
#include "sim/memory.h"

enum {
    PER_VISIT = 5,
    FIRST_FIGURES = 32,
    MOST_DROPS = 20, /* in a row: then the frequency is looked at anew, or the cell is given up */
    MOST_REPEATED = 40,
};

/* A sample whose SMs were slower, in parts of the frequency that is usual, does not count. */
static const double least_frequency = 0.97;

/* Slow samples show a frequency that is usual for a cell where they differ by no more, and are no slower than this part of the warm one. */
static const double steady_ratio = 0.9, least_usual = 0.5;

/* So long after a warm-up another one would not help. */
static const grt_time warm_for = 10 * GRT_SECOND;

static const struct experiment *const experiments[GRT_EXPERIMENTS] = {
    &grt_experiment_clock,    &grt_experiment_launch,      &grt_experiment_residency,
    &grt_experiment_dispatch, &grt_experiment_coresidency, &grt_experiment_waves,
    &grt_experiment_split,    &grt_experiment_copy,        &grt_experiment_engines,
    &grt_experiment_priority, &grt_experiment_partition,   &grt_experiment_together,
    &grt_experiment_worst,
};

double grt_experiment_weight(enum grt_experiment number) {
    return experiments[number]->weight;
}

static uint32_t or_else(uint32_t number, uint32_t otherwise) {
    return number > 0 ? number : otherwise;
}

/* Of a cell: what the experiment says, but no more than the plan. */
static uint32_t most_of(const struct measure *measure) {
    uint32_t planned = measure->plan->most_samples, own = or_else(measure->experiment->most, planned);
    bool is_worst = measure->number == GRT_EXPERIMENT_WORST;
    return is_worst ? measure->plan->worst_samples : own < planned ? own : planned;
}

static uint32_t least_of(const struct measure *measure) {
    uint32_t own = or_else(measure->experiment->least, measure->plan->least_samples), most = most_of(measure);
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
        values[i] = (double)measure->rows[(from + i) * measure->row_values];
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
    grt_time at;
    size_t taken, dropped_for[GRT_RAW_DROPS];
    uint64_t cycles, ns;
};

/* Takes a sample. `counts`: it is not the first one of a visit. */
static void take(struct measure *measure, struct cell *cell, struct visit *visit, bool counts) {
    uint32_t rows = measure->row_count;
    measure->figure = NAN;
    measure->cycles = measure->cycles_ns = measure->longest_cycles = measure->longest_ns = 0;
    enum taken taken = measure->experiment->sample(measure, cell);
    if (grt_bench_is_lost(measure->bench) || !counts) {
        measure->row_count = rows;
        return;
    }
    bool slow = !measure->experiment->keeps_slow && was_slow(measure, cell);
    if (taken != TAKEN || slow) {
        measure->row_count = rows;
        if (slow) {
            note_slow(measure, cell);
        }
        visit->dropped_for[reasons[taken]]++;
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
    uint32_t least = least_of(measure), most = most_of(measure);
    cell->done = cell->figure_count >= most;
    if (!cell->done && cell->figure_count >= least) {
        double *copy = grt_allocate((cell->visit_count + 1) * sizeof *copy);
        for (uint32_t i = 0; i < cell->visit_count; i++) {
            copy[i] = cell->visits[i];
        }
        cell->done = least == most || grt_median_is_known(copy, cell->visit_count, measure->plan->precision);
        free(copy);
    }
    if (cell->slow_in_row >= MOST_DROPS) {
        find_usual(measure, cell);
    }
    if (cell->drops_in_row >= MOST_REPEATED) {
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

static void visit_cell(struct measure *measure, struct cell *cell) {
    grt_measure_offset_if_due(measure);
    struct visit visit = {.at = grt_measure_now(measure)};
    uint32_t per_visit = or_else(measure->experiment->per_visit, PER_VISIT);
    uint32_t left = most_of(measure) - cell->figure_count, figures = cell->figure_count;
    per_visit = per_visit < left ? per_visit : left;
    uint32_t extra = measure->experiment->keeps_first ? 0 : 1;
    for (uint32_t i = 0; i < per_visit + extra && grt_measure_goes_on(measure); i++) {
        if (grt_measure_now(measure) >= measure->deadline) {
            break;
        }
        take(measure, cell, &visit, i >= extra);
    }
    if (!grt_bench_is_lost(measure->bench) && grt_measure_is_throttled(measure)) {
        visit.dropped_for[GRT_RAW_DROP_THROTTLE] += visit.taken;
        cell->figure_count = figures;
        measure->row_count = 0;
    }
    double hertz = visit.ns > 0 ? (double)visit.cycles * 1e9 / (double)visit.ns : 0;
    grt_cell_write(measure, cell, visit.at, hertz, visit.dropped_for);
    end_visit(cell, figures);
    judge(measure, cell);
}

/* ---- setups ---- */

static void leave_setup(struct measure *measure) {
    if (measure->setup != 0 && measure->experiment->teardown != NULL) {
        measure->experiment->teardown(measure);
    }
    measure->setup = 0;
}

/* Gives up all cells of a setup; said at the end, together with others of the same reason. */
static void give_up(struct measure *measure, const struct cell *cell, const char *why) {
    uint32_t count = 0, setup = cell->setup;
    for (uint32_t i = 0; i < measure->cell_count; i++) {
        struct cell *other = &measure->cells[i];
        if (other->setup == setup) {
            count += !other->done;
            other->done = other->given_up = true;
        }
    }
    size_t at = 0;
    while (at < measure->refusal_count && strcmp(measure->refusals[at].why, why) != 0) {
        at++;
    }
    GRT_REQUIRE(at < REFUSALS, "setups fail for few reasons: make more room for them");
    measure->refusals[at].why = why;
    measure->refusals[at].setups++;
    measure->refusals[at].cells += count;
    measure->refusal_count += at == measure->refusal_count;
}

static bool enter_setup(struct measure *measure, const struct cell *cell) {
    if (measure->setup == cell->setup) {
        return true;
    }
    leave_setup(measure);
    const char *why = "it is not possible";
    if (cell->setup != 0 && !measure->experiment->setup(measure, cell, &why)) {
        if (!grt_bench_is_lost(measure->bench)) {
            give_up(measure, cell, why);
        }
        return false;
    }
    measure->setup = cell->setup;
    return true;
}

/* ---- rounds ---- */

struct turn {
    uint64_t group, place; /* random: cells of a setup have the same group */
    uint32_t cell;
};

static int compare_turns(const void *left, const void *right) {
    const struct turn *a = left, *b = right;
    if (a->group != b->group) {
        return a->group < b->group ? -1 : 1;
    }
    return a->place != b->place ? (a->place < b->place ? -1 : 1) : (a->cell > b->cell) - (a->cell < b->cell);
}

/* A random order of the cells that are not done; returns how many. */
static uint32_t draw_order(struct measure *measure, struct grt_random *random, uint32_t round,
                           struct turn *turns) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < measure->cell_count; i++) {
        const struct cell *cell = &measure->cells[i];
        uint64_t place = grt_random_bits(random);
        if (!cell->done) {
            struct grt_random group = grt_random_stream(measure->plan->seed, "setup", cell->setup,
                                                        round * GRT_EXPERIMENTS + measure->number);
            uint64_t key = cell->setup != 0 ? grt_random_bits(&group) : place;
            turns[count++] = (struct turn){.group = key, .place = place, .cell = i};
        }
    }
    qsort(turns, count, sizeof *turns, compare_turns);
    return count;
}

static void run_rounds(struct measure *measure) {
    struct grt_random random = grt_random_stream(measure->plan->seed, "order", measure->number, 0);
    struct turn *turns = grt_allocate((measure->cell_count + 1) * sizeof *turns);
    const char *name = grt_experiment_names[measure->number];
    for (uint32_t round = 0; grt_measure_goes_on(measure); round++) {
        uint32_t count = draw_order(measure, &random, round, turns);
        if (count == 0 || grt_measure_now(measure) >= measure->deadline) {
            break;
        }
        for (uint32_t i = 0; i < count && grt_measure_goes_on(measure); i++) {
            struct cell *cell = &measure->cells[turns[i].cell];
            bool is_late = grt_measure_now(measure) >= measure->deadline;
            if (!cell->done && !is_late && enter_setup(measure, cell)) {
                visit_cell(measure, cell);
            }
            grt_measure_progress(measure, name, measure->cell_count, measure->cell_count - count + i);
        }
    }
    leave_setup(measure);
    free(turns);
}

/* ---- what was left out ---- */

static void tell_refusals(struct measure *measure, const char *name) {
    for (size_t i = 0; i < measure->refusal_count; i++) {
        const struct refusal *refusal = &measure->refusals[i];
        if (refusal->setups > 1) {
            grt_measure_skip(measure, name, "%u cells, of %u partitions: %s", refusal->cells, refusal->setups,
                             refusal->why);
        } else {
            grt_measure_skip(measure, name, "%u cells: %s", refusal->cells, refusal->why);
        }
    }
}

/* Cells that were judged by a frequency of their own. */
static void tell_slow_cells(struct measure *measure, const char *name) {
    double lowest = measure->warm_hertz;
    uint32_t count = 0;
    for (uint32_t i = 0; i < measure->cell_count; i++) {
        const struct cell *cell = &measure->cells[i];
        count += cell->own_hertz > 0;
        lowest = cell->own_hertz > 0 ? fmin(lowest, cell->own_hertz) : lowest;
    }
    if (count > 0) {
        grt_measure_skip(measure, name,
                         "warning: in %u of %u cells the SMs ran steadily below the warm frequency of %.0f "
                         "MHz, at %.0f MHz or more: samples were judged by that",
                         count, measure->cell_count, measure->warm_hertz / 1e6, lowest / 1e6);
    }
}

static void tell_what_is_missing(struct measure *measure, uint32_t trimmed, grt_time span, grt_time rested) {
    uint32_t few = 0, given_up = 0, least = least_of(measure);
    for (uint32_t i = 0; i < measure->cell_count; i++) {
        const struct cell *cell = &measure->cells[i];
        given_up += cell->given_up && cell->drops_in_row >= MOST_REPEATED;
        few += !cell->given_up && cell->figure_count < least;
    }
    const char *name = grt_experiment_names[measure->number];
    if (trimmed > 0) {
        grt_measure_skip(measure, name, "%u of %u cells, the finest ones, would not have fit into its %.3g s",
                         trimmed, trimmed + measure->cell_count, (double)span / 1e9);
    }
    tell_refusals(measure, name);
    if (given_up > 0) {
        grt_measure_skip(measure, name,
                         "%u of %u cells ended early, since %d samples in a row had to be dropped", given_up,
                         measure->cell_count, MOST_REPEATED);
    }
    if (few > 0 && rested > 0) {
        grt_measure_skip(measure, name,
                         "%u of %u cells have fewer than %u samples: its %.3g s were over, of which the "
                         "device was given %.3g s of rest, since power or heat slowed it",
                         few, measure->cell_count, least, (double)span / 1e9, (double)rested / 1e9);
    } else if (few > 0) {
        grt_measure_skip(measure, name, "%u of %u cells have fewer than %u samples: its %.3g s were over",
                         few, measure->cell_count, least, (double)span / 1e9);
    }
    tell_slow_cells(measure, name);
}

void grt_measure_experiment(struct measure *measure, enum grt_experiment number, grt_time span) {
    const char *why = "there is nothing to measure";
    measure->number = number;
    measure->experiment = experiments[number];
    measure->random = grt_random_stream(measure->plan->seed, "samples", number, 0);
    measure->deadline = grt_measure_now(measure) + span;
    measure->refusal_count = 0;
    memset(measure->refusals, 0, sizeof measure->refusals);
    grt_time rested = measure->rested;
    bool possible = measure->experiment->plan(measure, &why);
    if (!possible && !grt_bench_is_lost(measure->bench)) {
        grt_measure_skip(measure, grt_experiment_names[number], "%s", why);
    } else if (possible) {
        uint32_t least = least_of(measure), trimmed = grt_cells_trim(measure, (double)span, least);
        run_rounds(measure);
        if (!grt_bench_is_lost(measure->bench) && !measure->stopped) {
            tell_what_is_missing(measure, trimmed, span, measure->rested - rested);
        }
    }
    grt_cells_clear(measure);
}
