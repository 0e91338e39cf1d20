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
};

bool grt_sqlite_has_table(struct sqlite3 *database, const char *name);

/* Begins to read the columns; `order`: as in SQL, or "". False after adding an error that names what is missing; then there is nothing to end. */
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
