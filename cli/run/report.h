/* The results of a run, as tables for people and as JSON for programs. */
#ifndef GRT_CLI_RUN_REPORT_H
#define GRT_CLI_RUN_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "cli/terminal/options.h"
#include "scenarios/simulation.h"

/* What the table of tasks and the verdict speak of. */
struct grt_report_tasks {
    const struct grt_task_result *results;
    const grt_time *deadlines; /* relative; 0 or GRT_TIME_NEVER: none */
    size_t count;
    bool has_waits; /* gpu_wait and blocking are known */
};

/* Says which deadlines were missed, or that all were met. */
void grt_report_verdict(const struct grt_report_tasks *tasks, const struct grt_style *style, FILE *out);

/* The table of tasks. */
void grt_report_task_table(const struct grt_report_tasks *tasks, const struct grt_style *style, FILE *out);

/* Whether priorities or cores were found by a rule that the file names, and what they are: a line and a table. (assignment_table.c) */
bool grt_report_has_assignment(const struct grt_scenario_file *file);
void grt_report_assignment(const struct grt_scenario_file *file, const struct grt_style *style, FILE *out);

/* Prints the header, the verdict and the tables of tasks and resources. That of slacks is shown where it is asked for, or where a task
 * is throughput-oriented. */
void grt_report_tables(const struct grt_simulation *simulation, bool slack, const struct grt_style *style,
                       FILE *out);

/* The same as a JSON object (docs/gpurt.md has its keys), to be freed with free. */
char *grt_report_json(const struct grt_simulation *simulation);

/* The rule for ties, as scenario files call it, and what ended the run: "horizon", "miss" or "repeat". */
const char *grt_report_ties(const struct grt_scenario *scenario);
const char *grt_report_stop(const struct grt_result *result);

/* True if the task has a deadline. */
bool grt_report_has_deadline(const struct grt_task *task);

/* Deadlines missed, over all tasks that have one. */
uint64_t grt_report_missed(const struct grt_simulation *simulation);

#endif
