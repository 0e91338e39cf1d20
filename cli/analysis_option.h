/* --option ANALYSIS.OPTION=VALUE, of the commands that run analyses. */
#ifndef GRT_CLI_ANALYSIS_OPTION_H
#define GRT_CLI_ANALYSIS_OPTION_H

#include <argp.h>

#include "policies/analyses/run.h"

/* Takes the option's argument; ends the program where it is wrong. */
void grt_option_of_analysis(struct grt_analysis_settings *settings, const char *argument,
                            const struct argp_state *state);

/* Whether all options that were given are of analyses that the choice runs; else false, after adding errors. */
bool grt_options_of_analyses_check(const struct grt_analyses_subject *subject,
                                   const struct grt_analyses_choice *choice, struct grt_errors *errors);

#endif
