/* What `gpurt verify` is asked to do. */
#ifndef GRT_CLI_VERIFY_OPTIONS_H
#define GRT_CLI_VERIFY_OPTIONS_H

#include "cli/analysis/wishes.h"
#include "cli/terminal/options.h"
#include "scenarios/scenario.h"

struct grt_verify_options {
    const char *scenario;  /* a file, or "-" */
    const char *json;      /* NULL: none */
    const char *reproduce; /* where a violation goes; never NULL */
    struct grt_scenario_changes changes;
    uint64_t patterns, seed;
    uint32_t jobs;       /* 0: as usual */
    grt_time time_limit; /* 0: none */
    bool no_audit, quiet;
    struct grt_analysis_wishes wishes;
    uint64_t given; /* options that may be given once */
    struct grt_style style;
};

/* Ends the program where the usage is wrong, and for --help. */
struct grt_verify_options grt_verify_options_read(int argc, char **argv);
void grt_verify_options_free(struct grt_verify_options *options);

#endif
