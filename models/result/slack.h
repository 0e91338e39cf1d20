/* The slack of tasks' jobs, by which runs of one scenario under several policies are compared: sums, and what the sums do not see.
 *
 * Source: P. Muyan-Ozcelik, J. D. Owens, Multitasking Real-time Embedded GPU Computing Tasks, PMAM 2016, section 4.4. */
#ifndef GRT_MODELS_RESULT_SLACK_H
#define GRT_MODELS_RESULT_SLACK_H

#include "models/result.h"
#include "models/task.h"

/* "latency", "throughput"; NULL of none. */
extern const char *const grt_slack_kind_names[];

/* Which slack the jobs of a task have. */
enum grt_slack_kind grt_slack_kind_of(const struct grt_task *task);

/* What a task's slack is by the rest of its result: what the result's `slack` says. */
struct grt_slack grt_slack_of(const struct grt_task *task, const struct grt_task_result *result);

/* Adds the slack of a task to a sum over several, which starts as {0}. */
void grt_slack_add(struct grt_slack *sum, const struct grt_slack *slack);

/* The mean of all slacks with those below zero taken as zero, in ns; 0 where there is none. */
double grt_slack_mean_lateness(const struct grt_slack *slack);

/* The standard deviation of all gaps (the square root of their variance, with their number as divisor), in ns: the jitter of a
 * throughput-oriented task; 0 where there is none. */
double grt_gap_deviation(const struct grt_slack_record *ends);

#endif
