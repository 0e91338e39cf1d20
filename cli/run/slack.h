/* How late jobs ended, and how far apart: docs/metrics.md. */
#ifndef GRT_CLI_RUN_SLACK_H
#define GRT_CLI_RUN_SLACK_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "cli/terminal/options.h"
#include "models/result.h"
#include "models/task.h"

/* Whether a task of the run is throughput-oriented. */
bool grt_report_has_gaps(const struct grt_result *result);

/* The sum over all tasks. */
struct grt_slack grt_report_slack_total(const struct grt_result *result);

/* Prints the table, with a row for each task that has slacks, and their sum. */
void grt_report_slack(const struct grt_scenario *scenario, const struct grt_result *result,
                      const struct grt_style *style, FILE *out);

/* Adds the keys of a slack to an object, and of a task's slack and gaps to the task's. */
void grt_report_slack_json(cJSON *object, const struct grt_slack *slack);
void grt_report_task_slack_json(cJSON *object, const struct grt_task *task,
                                const struct grt_task_result *result);

#endif
