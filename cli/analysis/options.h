/* The command line of `gpurt analyze`. */
#ifndef GRT_CLI_ANALYSIS_OPTIONS_H
#define GRT_CLI_ANALYSIS_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/analysis/wishes.h"
#include "cli/terminal/options.h"
#include "scenarios/scenario.h"

struct grt_analyze_options {
    const char *scenario;                /* NULL: only `list` */
    struct grt_scenario_changes changes; /* `sets` is owned */
    struct grt_analysis_wishes wishes;
    bool all, list, sensitivity, fail_if_unproven, quiet;
    const char *json, *witness; /* files, or NULL */
    struct grt_style style;
    uint64_t given; /* the options that may be given once, as bits */
};

/* Reads the command line; ends the program where it is wrong. Free with grt_analyze_options_free. */
struct grt_analyze_options grt_analyze_options_read(int argc, char **argv);
void grt_analyze_options_free(struct grt_analyze_options *options);

#endif
