/* What kind of file a command was given, by what only files of that kind have (scenarios/file_kind.h knows those of gpurt), so that another command's file is named as
 * such, with what takes it, instead of an error for all that it lacks. */
#ifndef GRT_CALIB_PROGRAM_FILES_FILE_TAKEN_H
#define GRT_CALIB_PROGRAM_FILES_FILE_TAKEN_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/error.h"

enum grt_taken {
    GRT_TAKEN_UNKNOWN, /* of no kind that is known */
    GRT_TAKEN_RAW,     /* raw measurements */
    GRT_TAKEN_NUMBERS, /* begins with a number: values for `worst` */
    GRT_TAKEN_TRACE,
    GRT_TAKEN_PRETENDED, /* a description of a pretended device */
    GRT_TAKEN_FINDINGS,  /* of `fit --json` */
    GRT_TAKEN_WORST,     /* of `worst --json` */
    GRT_TAKEN_NSYS,      /* any SQLite database */
    GRT_TAKEN_NCU,
    GRT_TAKEN_SCENARIO,
    GRT_TAKEN_OTHER, /* another one of gpurt's */
};

/* The kind of a text in memory: of its beginning, or where it is one JSON value, of all of it. */
enum grt_taken grt_taken_of(const char *text, size_t size);

/* False after adding an error if the text is of another known kind than the wanted one: "this is a trace; `gpurt-calib validate SCENARIO TRACE` takes it". */
bool grt_taken_check(const char *text, size_t size, enum grt_taken wanted, struct grt_errors *errors);

/* For files that others could not read, and said so in `errors`: where the file at `path` is of another known kind than the wanted one that sentence takes their place, with "PATH: " before
 * it if `named`. What cannot be read again, as standard input, stays as it is. */
void grt_taken_explain(const char *path, enum grt_taken wanted, bool named, struct grt_errors *errors);

#endif
