#include "viz/answers/difference.h"

#include <inttypes.h>
#include <stdlib.h>

#include "sim/check.h"
#include "sim/memory.h"
#include "viz/answers/difference_jobs.h"
#include "viz/answers/difference_rows.h"
#include "viz/answers/words.h"

enum { MOST_NAMES = 4 };

static bool has_partners(struct grt_row_pair rows) {
    return rows.a != GRT_NO_ROW && rows.b != GRT_NO_ROW;
}

static void compare_rows(struct grt_difference *difference, const struct grt_difference_scope *scope) {
    struct grt_difference_sweep *sweep = grt_difference_sweep_create(scope);
    for (uint32_t i = 0; i < difference->row_count; i++) {
        struct grt_difference_row *row = &difference->rows[i];
        *row = (struct grt_difference_row){.rows = difference->pairs.pairs[i]};
        if (has_partners(row->rows)) {
            grt_difference_sweep_rows(sweep, row->rows, &row->track);
        }
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
        difference->only_a += difference->pairs.pairs[i].b == GRT_NO_ROW;
        difference->only_b += difference->pairs.pairs[i].a == GRT_NO_ROW;
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

size_t grt_difference_only_text(const struct grt_difference *difference, const struct grt_timeline *timeline,
                                int side, char *text, size_t size) {
    struct grt_words words = {.text = text, .size = size};
    uint32_t count = side == 0 ? difference->only_a : difference->only_b, said = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < difference->pairs.task_count && said < count && said < MOST_NAMES; i++) {
        const struct grt_row_pair *pair = &difference->pairs.pairs[i];
        if (has_partners(*pair) || (side == 0) != (pair->b == GRT_NO_ROW)) {
            continue;
        }
        char name[GRT_NAME_WORDS];
        const char *before = said == 0 ? "" : said + 1 == count ? " and " : ", ";
        grt_words_say(&words, "%s%s", before, grt_task_words(timeline, side == 0 ? pair->a : pair->b, name));
        said++;
    }
    if (said < count) {
        grt_words_say(&words, " and %" PRIu32 " more", count - said);
    }
    return words.length;
}
