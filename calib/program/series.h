/* Series of measured values that a command is given as text. */
#ifndef GRT_CALIB_PROGRAM_SERIES_H
#define GRT_CALIB_PROGRAM_SERIES_H

#include "sim/error.h"
#include "sim/memory.h"

struct grt_series {
    const double *values;
    size_t count;
};

/* Numbers between blanks, commas, semicolons or line ends, in their order; a line after # is a comment. False after adding errors "line 3: ...": anything else, numbers that are
 * negative or not finite, more than a million, none at all. The values belong to the arena. */
bool grt_series_parse(const char *text, struct grt_arena *arena, struct grt_series *series,
                      struct grt_errors *errors);

#endif
