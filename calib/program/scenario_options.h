/* Options of commands that take a scenario: --until, --seed, --policy, --set. */
#ifndef GRT_CALIB_PROGRAM_SCENARIO_OPTIONS_H
#define GRT_CALIB_PROGRAM_SCENARIO_OPTIONS_H

#include <argp.h>

#include "scenarios/scenario.h"

/* Their argp child; its input is a struct grt_scenario_changes, zeroed, to be freed by grt_change_options_free (cli/terminal/change_options.h). */
extern const struct argp grt_scenario_argp;

#endif
