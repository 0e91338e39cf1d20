/* Series of measured values that a command is given as text. */
#ifndef GRT_CALIB_PROGRAM_SERIES_H
#define GRT_CALIB_PROGRAM_SERIES_H

#include "sim/error.h"
#include "sim/memory.h"

/* Which numbers of a file are times, and in what. */
enum {
    GRT_SERIES_ANY = 0, /* all of a single line; of several lines each has one */
    GRT_SERIES_ALL = -1 /* all of all lines, one after the other */
};
struct grt_series_format {
    int column; /* from 1: of each line this one, where the first line may have a word, its heading; or one of those above */
    double unit; /* ns */
};

struct grt_series {
    const double *values; /* ns */
    size_t count;
    bool is_whole; /* all are as they are written, without their unit */
};

/* Text of so many bytes and a zero byte, perhaps with a byte order mark: numbers between blanks, commas, semicolons or line ends, in their order; a line after # is a comment. False after adding errors "line 3: ...": anything else, zero bytes, numbers that are
 * negative or in ns not finite, lines that lack the column or have several numbers without one, more than a million, none at all. The values belong to the arena. */
bool grt_series_parse(const char *text, size_t size, const struct grt_series_format *format,
                      struct grt_arena *arena, struct grt_series *series, struct grt_errors *errors);

#endif
