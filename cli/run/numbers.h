/* The numbers that a run's policy works with, and those that it measured, as tables and as JSON. */
#ifndef GRT_CLI_RUN_NUMBERS_H
#define GRT_CLI_RUN_NUMBERS_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "cli/terminal/options.h"
#include "models/result.h"

/* Of both a line of those that are of no task, and a table with a row per task that has some; nothing where there are none. */
void grt_report_numbers(const struct grt_result *result, const struct grt_style *style, FILE *out);

/* The lists "policy_numbers" and "policy_measures"; nothing where there are none. */
void grt_report_numbers_json(cJSON *root, const struct grt_result *result);

/* Of the measures alone: the list. And behind `before` those that are of no task, "scheduling runs 12, predictions 34", in lines of the style's
 * width; nothing where there are none. */
void grt_report_measures_json(cJSON *root, const struct grt_result *result);
void grt_report_measures_line(const struct grt_result *result, const char *before,
                              const struct grt_style *style, FILE *out);

#endif
