/* --option ANALYSIS.OPTION=VALUE, of the commands that run analyses. */
#ifndef GRT_CLI_ANALYSIS_OPTION_H
#define GRT_CLI_ANALYSIS_OPTION_H

#include <argp.h>

#include "policies/analyses/settings.h"

/* Takes the option's argument; ends the program where it is wrong. */
void grt_option_of_analysis(struct grt_analysis_settings *settings, const char *argument,
                            const struct argp_state *state);

#endif
