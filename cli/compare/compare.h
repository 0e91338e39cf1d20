/* One scenario under several policies, and what their slacks say of them. */
#ifndef GRT_CLI_COMPARE_COMPARE_H
#define GRT_CLI_COMPARE_COMPARE_H

#include <stdio.h>

#include "cli/compare/options.h"
#include "models/result/slack.h"
#include "scenarios/simulation.h"

/* A sum of slacks, and what it would be in the ideal system. */
struct grt_compared_slack {
    struct grt_slack slack;
    bool ideal_known;
    grt_signed_wide ideal; /* of the same jobs */
};

enum { GRT_COMPARED_REASON_SIZE = 320 }; /* the name of a task and a few words */

/* A policy's run. */
struct grt_compared_run {
    const char *label;
    const struct grt_policy_ops *policy;
    struct grt_simulation simulation;
    struct grt_errors errors;            /* why there is no result */
    bool refused;                        /* then nothing below is set */
    size_t task_count;                   /* those of the file: policies may have added some */
    struct grt_compared_slack *of_tasks; /* each of them */
    struct grt_compared_slack total;
    const char *unknown; /* the task whose ideal is not known; NULL: none */
    const char *
        starved; /* a task that had jobs, of which this run should have ended one, and ended none; NULL: none */
    struct grt_performance performance;
    char reason[GRT_COMPARED_REASON_SIZE]; /* where the performance's is not a constant */
    uint64_t missed;                       /* deadlines */
    uint64_t other;     /* of tasks: how many have another number of slacks than under the base */
    grt_time deviation; /* of gaps, of the task with the largest; GRT_TIME_NEVER: there are none */
};

struct grt_comparison {
    const struct grt_compare_options *options;
    struct grt_ideal_times ideal;
    struct grt_compared_run *runs; /* one for each of the options' policies */
    size_t run_count;
};

/* Runs the scenario under all policies. False after adding errors: the file cannot be read, or every policy refuses it. Free the comparison in
 * any case. */
bool grt_comparison_make(struct grt_comparison *comparison, const struct grt_compare_options *options,
                         struct grt_errors *errors);
void grt_comparison_free(struct grt_comparison *comparison);

/* The first run that was not refused: all say the same of the scenario. */
const struct grt_compared_run *grt_comparison_first(const struct grt_comparison *comparison);

/* Accumulated slack beyond the ideal. */
grt_signed_wide grt_compared_beyond(const struct grt_compared_slack *slack);

/* Prints the tables and a picture of the performances; the comparison as JSON (docs/metrics.md has the keys), and as CSV: to be freed
 * with free. */
void grt_comparison_tables(const struct grt_comparison *comparison, FILE *out);
char *grt_comparison_json(const struct grt_comparison *comparison);
char *grt_comparison_csv(const struct grt_comparison *comparison);

#endif
