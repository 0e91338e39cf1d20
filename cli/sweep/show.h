/* One task set of an experiment as a scenario file: gpurt sweep --show. */
#ifndef GRT_CLI_SWEEP_SHOW_H
#define GRT_CLI_SWEEP_SHOW_H

#include <stdio.h>

#include "study/evaluate/sample.h"

/* Writes the scenario of "POINT:SET[:EVALUATION]": the point by its number or as "axis=value,..." with the values as the CSV has them, the evaluation by
 * its name or number, the first one where there is none. All numbers are from 1, as in the names of sets. False after adding an error. */
bool grt_sweep_show(const struct grt_study *study, const char *which, FILE *out, struct grt_errors *errors);

#endif
