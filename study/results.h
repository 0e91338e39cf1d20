/* What comes out of a sweep as text: CSV and JSON for programs, tables for people; and CSV read again, to be drawn. */
#ifndef GRT_STUDY_RESULTS_H
#define GRT_STUDY_RESULTS_H

#include <stdio.h>

#include "study/sweep.h"

/* Writes CSV: comment lines "# ..." that name the program's version, the experiment, its seed, samples, identity and inputs; a line of column names;
 * then a line for each point and evaluation: the axes' values, the evaluation's name, sets, one count for each outcome, ratio, low, high (95 percent,
 * Wilson), then for each measure its mean, empty where there is none. Numbers with as many digits as tell doubles apart. */
void grt_results_csv(const struct grt_results *results, FILE *out);

/* The same as JSON with all that tallies have (docs/sweeps.md has its keys), to be freed with free. */
char *grt_results_json(const struct grt_results *results);

/* ---- read again ---- */

/* A column's cells, as texts and as numbers (not a number where a cell is none). */
struct grt_column {
    const char *name;
    const char *const *texts;
    const double *numbers;
};

struct grt_result_table {
    struct grt_arena arena;
    const char *const *comments; /* without "# " */
    size_t comment_count;
    struct grt_column *columns;
    size_t column_count, row_count;
};

/* Reads such a CSV ("-": standard input), or any with a line of column names; false after adding errors with their lines. */
bool grt_result_table_read(const char *path, struct grt_result_table *table, struct grt_errors *errors);
void grt_result_table_free(struct grt_result_table *table);

#endif
