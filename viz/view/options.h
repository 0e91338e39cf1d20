/* What gpurt-view is told on the command line. */
#ifndef GRT_VIZ_VIEW_OPTIONS_H
#define GRT_VIZ_VIEW_OPTIONS_H

#include <argp.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/time.h"
#include "viz/view/viewer.h"

enum { VIEW_MOST_SETS = 64 };

struct view_options {
    const char *paths[2];
    size_t path_count;
    struct viewer_options viewer;
    const char *sets[VIEW_MOST_SETS];
    const char *against, *rows, *script;
    grt_time from, to; /* GRT_TIME_NEVER: not given */
    uint64_t given;    /* the options that may be given once, as bits */
    void (*write_manual)(FILE *out,
                         const struct argp_option *options); /* instead of showing anything; else NULL */
};

/* Reads them; ends the program after --help and --version, and with exit code 2 where one is wrong. */
void view_options_read(struct view_options *options, int argc, char **argv);

/* Writes the manual that `options` asks for. */
void view_options_write_manual(const struct view_options *options, FILE *out);

#endif
