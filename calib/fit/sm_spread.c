/* How SMs differ: the slowest against the quickest, by times of the same blocks with one on every SM. */
#include <gsl/gsl_sort.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "calib/fit/build.h"

static const char experiment[] = "coresidency";

enum { LEAST_VISITS = 4, SM_NUMBERS = 65536 };

/* Blocks of launches that each have every SM once: in the same order, by the SMs' numbers. */
struct table {
    double *times;   /* launch by launch */
    int64_t *visits; /* of each launch, counted from 0 */
    uint16_t *sms;
    size_t launch_count, sm_count;
};

static const struct grt_raw_cell *cell_of(const struct grt_fit_build *build, const char *workload) {
    const struct grt_raw_cell *cell = NULL;
    while ((cell = grt_raw_next(build->raw, experiment, cell)) != NULL) {
        if (grt_fit_is_text(grt_raw_text(cell, "kernel"), workload) &&
            grt_raw_number(cell, "per_sm", 0) == 1 && grt_raw_values(cell, "sm") != NULL && cell->count > 0) {
            return cell;
        }
    }
    return NULL;
}

/* The place of each SM in a launch's row, from the first launch; how many there are. */
static size_t find_sms(const struct grt_raw_cell *cell, uint32_t *places, uint16_t *sms) {
    const int64_t *sm = grt_raw_values(cell, "sm");
    size_t count = 0;
    memset(places, 0, SM_NUMBERS * sizeof *places);
    for (size_t i = 0; i < cell->count; i++) {
        places[sm[i]] = 1;
    }
    for (size_t number = 0; number < SM_NUMBERS; number++) {
        if (places[number] > 0) {
            sms[count] = (uint16_t)number;
            places[number] = (uint32_t)++count; /* from 1 on */
        }
    }
    return count;
}

/* False: launches do not have every SM once. */
static bool fill(struct grt_fit_build *build, const struct grt_raw_cell *cell, struct table *table) {
    const int64_t *sm = grt_raw_values(cell, "sm"), *launches = grt_raw_values(cell, "launch");
    const int64_t *times = grt_raw_values(cell, "block_ns");
    struct grt_arena *arena = build->arena;
    uint32_t *places = grt_arena_array(arena, SM_NUMBERS, sizeof *places);
    table->sms = grt_arena_array(arena, SM_NUMBERS, sizeof *table->sms);
    table->sm_count = find_sms(cell, places, table->sms);
    table->launch_count = cell->count / table->sm_count;
    table->times = grt_arena_array(arena, cell->count, sizeof *table->times);
    table->visits = grt_arena_array(arena, table->launch_count + 1, sizeof *table->visits);
    if (launches == NULL || cell->count % table->sm_count != 0 ||
        table->sm_count != (size_t)build->raw->device.sm_count) {
        return false;
    }
    for (size_t i = 0; i < cell->count; i++) {
        table->times[i] = NAN;
    }
    for (size_t i = 0; i < cell->count; i++) {
        size_t launch = i / table->sm_count;
        double *place = &table->times[launch * table->sm_count + places[sm[i]] - 1];
        if (launches[i] != launches[launch * table->sm_count] || !isnan(*place)) {
            return false;
        }
        *place = (double)times[i];
    }
    for (size_t i = 0; i < table->launch_count; i++) {
        const int64_t *visits = cell->visits; /* NULL: each is on its own */
        size_t row = i * table->sm_count, before = i > 0 ? row - table->sm_count : 0;
        bool same = i > 0 && visits != NULL && visits[row] == visits[before];
        table->visits[i] = i == 0 ? 0 : table->visits[i - 1] + !same;
    }
    return true;
}

/* The SM whose median over even visits is the largest, or the smallest. */
static size_t extreme_of(const struct table *table, double sign, double *work) {
    size_t found = 0;
    double most = -INFINITY;
    for (size_t sm = 0; sm < table->sm_count; sm++) {
        size_t count = 0;
        for (size_t i = 0; i < table->launch_count; i++) {
            if (table->visits[i] % 2 == 0) {
                work[count++] = sign * table->times[i * table->sm_count + sm];
            }
        }
        gsl_sort(work, 1, count);
        double median = grt_sorted_quantile(work, count, 0.5);
        found = median > most ? sm : found;
        most = fmax(median, most);
    }
    return found;
}

static void compare(struct grt_fit_build *build, const struct table *table, const char *name,
                    const char *workload) {
    double *more = grt_arena_array(build->arena, table->launch_count, sizeof *more);
    size_t slow = extreme_of(table, 1, more), quick = extreme_of(table, -1, more), count = 0;
    int64_t *visits = grt_arena_array(build->arena, table->launch_count, sizeof *visits);
    double quickest = 0;
    for (size_t i = 0; i < table->launch_count; i++) {
        const double *row = &table->times[i * table->sm_count];
        if (table->visits[i] % 2 == 1) {
            visits[count] = table->visits[i];
            more[count++] = row[slow] - row[quick];
            quickest += row[quick];
        }
    }
    const struct grt_fit_series series = {.values = more, .visits = visits, .count = count};
    struct grt_fit_center center =
        grt_fit_center(build, &series, 2 * build->timer_step - 1); /* of two spans */
    struct grt_finding finding = grt_fit_measured(experiment, name, GRT_UNIT_NS, center.value, count);
    double mean = quickest / (double)count;
    finding.how = grt_fit_text(
        build,
        "a block of %s on SM %u, the slowest by half of the visits, less one on SM %u, the quickest, by the "
        "other half: %.2g %% (at most %.2g %%) of its time; %s",
        workload, table->sms[slow], table->sms[quick], 100 * fmax(center.value.value, 0) / mean,
        100 * center.value.high / mean, center.how);
    grt_fit_add_span(build, finding);
}

void grt_fit_sm_spread(struct grt_fit_build *build, const char *workload) {
    const struct grt_raw_cell *cell = cell_of(build, workload);
    if (cell == NULL) {
        return; /* of an older file */
    }
    const char *name = grt_fit_text(build, "%s: sm_spread", workload);
    struct table table;
    if (!fill(build, cell, &table)) {
        grt_fit_refuse(build, experiment, name, NULL, "launches have not every SM once");
    } else if (table.visits[table.launch_count - 1] + 1 < LEAST_VISITS) {
        grt_fit_refuse(build, experiment, name, NULL,
                       grt_fit_text(build, "%" PRId64 " visits, and %d are needed",
                                    table.visits[table.launch_count - 1] + 1, LEAST_VISITS));
    } else {
        compare(build, &table, name, workload);
    }
}
