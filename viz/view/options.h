/* What gpurt-view is told on the command line. */
#ifndef GRT_VIZ_VIEW_OPTIONS_H
#define GRT_VIZ_VIEW_OPTIONS_H

#include <stdint.h>
#include <stdio.h>

#include "sim/time.h"
#include "viz/view/viewer.h"

enum { VIEW_MOST_SETS = 64 };

enum view_writing {
    VIEW_WRITES_NOTHING,
    VIEW_WRITES_PAGE,       /* the manual page */
    VIEW_WRITES_MARKDOWN,   /* the tables of the document */
    VIEW_WRITES_COMPLETION, /* for a shell */
};

struct view_options {
    const char *paths[2];
    size_t path_count;
    struct viewer_options viewer;
    const char *sets[VIEW_MOST_SETS];
    const char *against, *rows, *script;
    grt_time from, to;         /* GRT_TIME_NEVER: not given */
    uint64_t given;            /* the options that may be given once, as bits */
    enum view_writing writing; /* instead of showing anything */
    const char *shell;         /* of VIEW_WRITES_COMPLETION */
};

/* Reads them; ends the program after --help and --version, and with exit code 2 where one is wrong. */
void view_options_read(struct view_options *options, int argc, char **argv);

/* Writes what options->writing says. */
void view_options_write(const struct view_options *options, FILE *out);

#endif
