/* Rows of a table of which not all columns need to be there. For files that were written by others. */
#ifndef GRT_CALIB_PROGRAM_IMPORT_SQLITE_TABLE_H
#define GRT_CALIB_PROGRAM_IMPORT_SQLITE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/error.h"

/* Of SQLite. */
struct sqlite3;
struct sqlite3_stmt;

struct grt_sqlite_column {
    const char *name;
    bool required;
};

enum { GRT_SQLITE_MOST_COLUMNS = 24, GRT_SQLITE_MOST_ROWS = 20000000 };

/* Bytes of a value, bytes of a table's texts, and steps of SQLite's machine, some 30 for a row. */
enum { GRT_SQLITE_MOST_VALUE = 16 << 20, GRT_SQLITE_MOST_TEXT = 512 << 20 };
#define GRT_SQLITE_MOST_STEPS INT64_C(10000000000)

/* A table that is read row by row. */
struct grt_sqlite_table {
    struct sqlite3 *database;
    struct sqlite3_stmt *statement;
    const char *name;
    const struct grt_sqlite_column *columns;
    bool there[GRT_SQLITE_MOST_COLUMNS]; /* by column */
    struct grt_errors *errors;
    bool failed;
    uint32_t rows,
        most_rows; /* read so far; more are an error: GRT_SQLITE_MOST_ROWS, unless the caller changes it */
    size_t text_bytes, most_text_bytes; /* so too: GRT_SQLITE_MOST_TEXT */
};

/* From now on the connection refuses large values, and interrupts what is done after *steps_left steps: pages that lead in circles have
   no last row. The number has to live as long as the connection. */
void grt_sqlite_guard(struct sqlite3 *database, int64_t *steps_left);

bool grt_sqlite_has_table(struct sqlite3 *database, const char *name);

/* Begins to read the columns; `order`: as in SQL, or "". A table that is computed in part or as a whole, by what the file's maker wrote, is
   refused. False after adding an error that names what is missing; then there is nothing to end. */
bool grt_sqlite_begin(struct sqlite3 *database, const char *name, const struct grt_sqlite_column *columns,
                      size_t count, const char *order, struct grt_sqlite_table *table,
                      struct grt_errors *errors);

/* The next row; false at the end, or after an error: `failed`. */
bool grt_sqlite_next(struct grt_sqlite_table *table);

/* A number of the row; `otherwise` where the column is not there or empty. Text in its place is an error. */
int64_t grt_sqlite_number(struct grt_sqlite_table *table, int column, int64_t otherwise);

/* A text, until the next row; NULL where there is none. */
const char *grt_sqlite_text(struct grt_sqlite_table *table, int column);

/* Ends reading; returns whether all was well. */
bool grt_sqlite_end(struct grt_sqlite_table *table);

#endif
