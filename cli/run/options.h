/* The command line of `gpurt run`. */
#ifndef GRT_CLI_RUN_OPTIONS_H
#define GRT_CLI_RUN_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/terminal/options.h"
#include "scenarios/scenario.h"
#include "sim/time.h"

struct grt_run_options {
    const char *scenario;
    struct grt_scenario_changes changes; /* `sets` is owned */
    const char *json, *trace;            /* files, or NULL */
    bool table, slack;                   /* asked for by name */
    bool quiet, fail_on_miss, no_cohorts;
    bool gantt, gantt_has_window;
    grt_time gantt_from, gantt_to;
    struct grt_style style;
    uint64_t given; /* options that may be given once */
};

/* Reads the command line; ends the program where it is wrong. Free with grt_run_options_free. */
struct grt_run_options grt_run_options_read(int argc, char **argv);
void grt_run_options_free(struct grt_run_options *options);

/* True if the scenario is not simulated as it is in its file. */
bool grt_run_options_change(const struct grt_run_options *options);

#endif
