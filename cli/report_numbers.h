/* The numbers that a run's policy works with, as tables and as JSON. */
#ifndef GRT_CLI_REPORT_NUMBERS_H
#define GRT_CLI_REPORT_NUMBERS_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "cli/options.h"
#include "models/result.h"

/* A line of those that are of no task, and a table with a row per task that has some; nothing where there are none. */
void grt_report_numbers(const struct grt_result *result, const struct grt_style *style, FILE *out);

/* The list "policy_numbers"; nothing where there are none. */
void grt_report_numbers_json(cJSON *root, const struct grt_result *result);

#endif
