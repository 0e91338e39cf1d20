/* Cells in rounds, in a random order, until they have samples enough or the time is over. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calib/measure/internal.h"
#include "sim/check.h"
#include "sim/memory.h"

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
                grt_visit_cell(measure, cell);
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
    uint32_t few = 0, given_up = 0, least = grt_least_samples(measure);
    for (uint32_t i = 0; i < measure->cell_count; i++) {
        const struct cell *cell = &measure->cells[i];
        given_up += cell->given_up && cell->drops_in_row >= GRT_DROPS_IN_A_ROW;
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
                         measure->cell_count, GRT_DROPS_IN_A_ROW);
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
        uint32_t least = grt_least_samples(measure), trimmed = grt_cells_trim(measure, (double)span, least);
        run_rounds(measure);
        if (!grt_bench_is_lost(measure->bench) && !measure->stopped) {
            tell_what_is_missing(measure, trimmed, span, measure->rested - rested);
        }
    }
    grt_cells_clear(measure);
}
