#include "viz/answers/difference.h"

#include <stdlib.h>

#include "sim/check.h"
#include "sim/memory.h"
#include "viz/answers/difference_jobs.h"
#include "viz/answers/difference_rows.h"

static void compare_rows(struct grt_difference *difference, const struct grt_difference_scope *scope) {
    struct grt_difference_sweep *sweep = grt_difference_sweep_create(scope);
    for (uint32_t i = 0; i < difference->row_count; i++) {
        struct grt_difference_row *row = &difference->rows[i];
        *row = (struct grt_difference_row){.rows = difference->pairs.pairs[i]};
        grt_difference_sweep_rows(sweep, row->rows, &row->track);
        if (row->track.count > 0 && row->track.begin < difference->first) {
            difference->first = row->track.begin;
            difference->first_row = i;
        }
    }
    grt_difference_sweep_free(sweep);
}

static void compare_jobs(struct grt_difference *difference, const struct grt_difference_scope *scope,
                         uint32_t most_jobs) {
    uint32_t count = difference->pairs.task_count;
    difference->tasks = grt_allocate((count + 1) * sizeof *difference->tasks);
    for (uint32_t i = 0; i < count; i++) {
        difference->tasks[i] = (struct grt_difference_task){0};
        grt_difference_add_jobs(difference, scope, i, most_jobs);
    }
    grt_difference_sort_jobs(difference, most_jobs);
}

void grt_difference_make(struct grt_difference *difference, const struct grt_timeline *a,
                         const struct grt_timeline *b, const struct grt_difference_options *options) {
    GRT_REQUIRE(options->tolerance >= 0 && options->most_jobs >= 1,
                "compare with a tolerance of at least 0, and ask for at least one job");
    struct grt_difference_scope scope;
    *difference = (struct grt_difference){.first = GRT_TIME_NEVER, .first_row = GRT_NO_ROW};
    grt_row_pairs_make(&difference->pairs, a, b);
    grt_difference_scope_make(&scope, a, b, &difference->pairs, options);
    difference->row_count = difference->pairs.count;
    difference->rows = grt_allocate((difference->row_count + 1) * sizeof *difference->rows);
    compare_rows(difference, &scope);
    compare_jobs(difference, &scope, options->most_jobs);
    grt_difference_scope_free(&scope);
}

void grt_difference_free(struct grt_difference *difference) {
    for (uint32_t i = 0; i < difference->row_count; i++) {
        grt_track_free(&difference->rows[i].track);
    }
    free(difference->rows);
    free(difference->tasks);
    free(difference->jobs);
    grt_row_pairs_free(&difference->pairs);
    *difference = (struct grt_difference){0};
}
