/* What comes out of a sweep as text: CSV and JSON for programs, tables for people; and CSV read again, to be drawn. */
#ifndef GRT_STUDY_RESULTS_RESULTS_H
#define GRT_STUDY_RESULTS_RESULTS_H

#include <stdio.h>

#include "study/sweep/sweep.h"

/* Writes CSV: comment lines "# key: value" that name the program's version and build, the experiment, its seed, samples, identity and inputs, whether it is
 * complete, and how many rows come; a line of column names; then a line for each point and evaluation: the axes' values, the evaluation's
 * name, sets, one count for each outcome, ratio, low, high (95 percent, Wilson), then for each measure m of any evaluation its mean m, of how many sets that
 * is, "sets:m", and the ends of the mean's 95 percent interval, "low:m" and "high:m"; empty where there is none. Numbers with as many digits as
 * tell doubles apart. No two columns have the same name (result_names.h). What is no text (file names) is escaped, so that it is always read again. */
void grt_results_csv(const struct grt_results *results, FILE *out);

/* The shortest decimal text, of 15 to 17 digits at most, that is read as the same finite number. Returns `text`. */
enum { GRT_DOUBLE_TEXT_SIZE = 32 };
char *grt_double_text(double value, char text[GRT_DOUBLE_TEXT_SIZE]);

/* The same as JSON with all that tallies have (docs/sweeps.md has its keys), to be freed with free. */
char *grt_results_json(const struct grt_results *results);

/* ---- read again ---- */

enum { GRT_RESULT_MOST_COLUMNS = 10000 };

/* A column's cells, as texts and as numbers: of times in ns, of sizes in bytes, not a number where a cell is none. */
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

/* Reads such a CSV ("-": standard input), or any with a line of column names whose last line ends (RFC 4180; lines may also end with a line feed
 * alone; comments "#" come first). False after adding errors with their lines, and an empty table: bytes that are no text, rows of another
 * length than the line of names, names that are repeated or empty, fewer or more rows than a comment "# rows: 12" says. */
bool grt_result_table_read(const char *path, struct grt_result_table *table, struct grt_errors *errors);

/* The same from a text of `size` bytes. */
bool grt_result_table_parse(const char *text, size_t size, struct grt_result_table *table,
                            struct grt_errors *errors);

/* The column of that name, or NULL. */
const struct grt_column *grt_result_table_find(const struct grt_result_table *table, const char *name);
void grt_result_table_free(struct grt_result_table *table);

#endif
