/* The command line of `gpurt analyze`. */
#ifndef GRT_CLI_ANALYZE_OPTIONS_H
#define GRT_CLI_ANALYZE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/terminal/options.h"
#include "policies/analyses/settings.h"
#include "scenarios/scenario.h"

enum { GRT_ANALYZE_MOST_NAMED = 32 };

struct grt_analyze_options {
    const char *scenario;                /* NULL: only `list` */
    struct grt_scenario_changes changes; /* `sets` is owned */
    const struct grt_analysis_ops *named[GRT_ANALYZE_MOST_NAMED];
    size_t named_count;
    struct grt_analysis_settings settings;
    bool all, list, sensitivity, fail_if_unproven, quiet;
    const char *json, *witness; /* files, or NULL */
    struct grt_style style;
    uint64_t given; /* the options that may be given once, as bits */
};

/* Reads the command line; ends the program where it is wrong. Free with grt_analyze_options_free. */
struct grt_analyze_options grt_analyze_options_read(int argc, char **argv);
void grt_analyze_options_free(struct grt_analyze_options *options);

#endif
