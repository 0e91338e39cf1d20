/* Comma-separated values as RFC 4180 has them: cells with or without quotes, quotes doubled inside, lines that end in LF or CRLF. */
#ifndef GRT_CALIB_PROGRAM_IMPORT_CSV_H
#define GRT_CALIB_PROGRAM_IMPORT_CSV_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/error.h"
#include "sim/memory.h"

struct grt_csv_row {
    const char **cells;
    size_t count;
    size_t line; /* in which it begins, from 1 */
};

struct grt_csv {
    struct grt_csv_row *rows;
    size_t count;
};

/* Reads `size` bytes, of which the first is in line `line`. Empty lines, and lines that begin with `comment` (NULL: none), are left out. What is
 * read lives as long as the arena. False after adding an error with the line: a quote that does not end, text behind one, a zero byte. */
bool grt_csv_read(const char *text, size_t size, size_t line, const char *comment, struct grt_arena *arena,
                  struct grt_csv *out, struct grt_errors *errors);

/* The number of a cell in a row of names; SIZE_MAX: it is not there. */
size_t grt_csv_column(const struct grt_csv_row *names, const char *name);

#endif
