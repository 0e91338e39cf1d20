/* The witness of an analysis as a scenario file: releases with which `gpurt run` shows a missed deadline. */
#ifndef GRT_CLI_ANALYSIS_WITNESS_H
#define GRT_CLI_ANALYSIS_WITNESS_H

#include "cli/analysis/report.h"
#include "scenarios/release_pattern.h"

/* A witness that was simulated. */
struct grt_analysis_witness {
    const struct grt_analyzed *analyzed; /* NULL: no analysis that speaks of the policy has one */
    char *text;       /* the scenario, as JSON; to be freed with free; NULL: see `analyzed`, or an error */
    const char *task; /* which misses its deadline; in the report's scenario */
    grt_time miss;    /* when it is known */
};

/* Takes the first witness of the report, simulates it as far as the first missed deadline, and makes a scenario that goes on a little further.
 * What was made is read back and simulated. Adds an error where nothing is missed within some millions of jobs. */
struct grt_analysis_witness grt_analysis_witness_make(const struct grt_analysis_report *report,
                                                      const struct grt_scenario_source *source,
                                                      struct grt_errors *errors);

#endif
