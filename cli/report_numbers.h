/* The numbers that a run's policy works with, and those that it measured, as tables and as JSON. */
#ifndef GRT_CLI_REPORT_NUMBERS_H
#define GRT_CLI_REPORT_NUMBERS_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "cli/options.h"
#include "models/result.h"

/* Of both a line of those that are of no task, and a table with a row per task that has some; nothing where there are none. */
void grt_report_numbers(const struct grt_result *result, const struct grt_style *style, FILE *out);

/* The lists "policy_numbers" and "policy_measures"; nothing where there are none. */
void grt_report_numbers_json(cJSON *root, const struct grt_result *result);

/* Of the measures alone: the list; and those that are of no task in one line, "scheduling runs 12, predictions 34", without a line feed. */
void grt_report_measures_json(cJSON *root, const struct grt_result *result);
void grt_report_measures_line(const struct grt_result *result, FILE *out);

#endif
