/* The imports of the program: from an export of a profiler to files that scenarios use, with what there is to say about it. */
#ifndef GRT_CALIB_PROGRAM_IMPORT_IMPORT_H
#define GRT_CALIB_PROGRAM_IMPORT_IMPORT_H

#include "calib/program/import/nsys_scenario.h"
#include "cli/terminal/options.h"
#include "cli/terminal/program.h"

struct grt_import {
    const char *file;   /* to be read */
    const char *device; /* a preset's name or a file; NULL: not said */
    const char *out; /* ncu: the folder of the usage files; nsys: the scenario's file, "-": standard output */
    bool quiet;      /* no table; warnings all the same */
    struct grt_style style;

    /* nsys */
    const char *name; /* of the scenario; NULL: the file's */
    struct grt_nsys_options tasks;
    struct grt_nsys_period *periods; /* in `arena` */
    uint32_t period_count;
    size_t most_values;
    struct grt_arena arena;
};

/* They print their errors. */
enum grt_exit grt_import_ncu(struct grt_import *import);
enum grt_exit grt_import_nsys(struct grt_import *import);

/* Prints warnings as "gpurt-calib: FILE: warning: ..." and empties the list. */
void grt_import_warn(struct grt_errors *warnings, const char *file);

#endif
