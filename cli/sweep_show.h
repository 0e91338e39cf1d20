/* One task set of an experiment as a scenario file: gpurt sweep --show. */
#ifndef GRT_CLI_SWEEP_SHOW_H
#define GRT_CLI_SWEEP_SHOW_H

#include <stdio.h>

#include "study/evaluate/sample.h"

/* Writes the scenario of "POINT:SAMPLE[:EVALUATION]": the point by its number or as "axis=value,...", the evaluation by its name or number, the first
 * one where there is none. False after adding an error. */
bool grt_sweep_show(const struct grt_study *study, const char *which, FILE *out, struct grt_errors *errors);

#endif
