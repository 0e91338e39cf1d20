/* What `gpurt analyze` found out: made here, and shown as tables for people and as JSON for programs. */
#ifndef GRT_CLI_ANALYSIS_REPORT_H
#define GRT_CLI_ANALYSIS_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "cli/terminal/options.h"
#include "cli/terminal/table_columns.h"
#include "models/analysis.h"
#include "policies/analyses/run.h"
#include "policies/analyses/sensitivity.h"
#include "scenarios/scenario.h"

/* Limits of execution times and of periods: of each task of the set, and last of all together. */
struct grt_analysis_limits {
    struct grt_sensitivity_limit *times, *periods;
};

/* One analysis of the tasks of one GPU, or of all. */
struct grt_analyzed {
    const struct grt_analysis_ops *ops;
    const void *options; /* of ops->options; NULL: it has none */
    bool of_policy;      /* it speaks of the scenario's policy */
    struct grt_analysis_result result;
    struct grt_analysis_limits limits; /* NULL: not searched */
};

/* A GPU with tasks, or the whole platform: what analyses of GRT_SCOPE_PLATFORM look at. */
struct grt_analyzed_gpu {
    uint32_t number; /* GRT_ANALYSIS_ALL_GPUS: the platform */
    struct grt_analysis_set set;
    struct grt_analyzed *analyses;
    size_t analysis_count;
};

/* Everything is in the arena, but the scenario. */
struct grt_analysis_report {
    struct grt_arena *arena;
    const struct grt_scenario_file *file;
    /* those that tasks use, unless all analyses look at the platform; then that, if any does */
    struct grt_analyzed_gpu *gpus;
    size_t gpu_count;
    bool all; /* no analysis was left out */
};

/* Which analyses to run: those named, or all, or else those that speak of the policy. */
struct grt_analysis_choice {
    const struct grt_analysis_ops *const *named; /* NULL-terminated; NULL: none is */
    bool all, sensitivity;
    const struct grt_analysis_settings *settings; /* the analyses' options; NULL: the defaults */
};

/* Whether all settings of the choice are of analyses that it runs on this file; else false, after adding errors, of which the path is the
 * option of the command. */
bool grt_analysis_choice_check(const struct grt_scenario_file *file, const struct grt_analysis_choice *choice,
                               struct grt_arena *arena, struct grt_errors *errors);

/* Runs the analyses; the report is in the arena. Where no task uses a GPU it has at most the platform. */
struct grt_analysis_report grt_analysis_report_make(const struct grt_scenario_file *file,
                                                    const struct grt_analysis_choice *choice,
                                                    struct grt_arena *arena);

/* Whether an analysis that speaks of the policy has proven it of the GPU or the platform: GRT_VERDICT_SCHEDULABLE, or
 * GRT_VERDICT_UNSCHEDULABLE; else GRT_VERDICT_UNKNOWN. *by: that analysis, where it is not NULL. */
enum grt_verdict grt_analyzed_verdict(const struct grt_analyzed_gpu *gpu, const struct grt_analyzed **by);

/* Whose worst cases that the set's tasks declare rest on no model: "kernel fma-132-cold, task plan"; NULL: all rest on one, or on what somebody says. In the arena. What analyses prove is
 * proven under these times only, and is not called proven. */
const char *grt_analyzed_unfounded(const struct grt_analysis_report *report,
                                   const struct grt_analyzed_gpu *gpu);

/* Whether GRT_VERDICT_SCHEDULABLE is proven of every GPU, or of the platform, by worst cases of which none is without a model. */
bool grt_analysis_report_proven(const struct grt_analysis_report *report);

/* What a task's job uses, each alone: the device, by its GPU segments' commands; a core, by the host parts of these; a core, by its CPU segments. */
enum grt_analyzed_use { GRT_USE_DEVICE, GRT_USE_HOST_PARTS, GRT_USE_CPU };

/* The longest time for which a job of the task uses it; GRT_ANALYSIS_NEVER where it is not known. */
int64_t grt_analyzed_time(const struct grt_analysis_task *task, enum grt_analyzed_use use);

/* A task's bound where the verdict makes it one, else GRT_ANALYSIS_NEVER. */
int64_t grt_analyzed_bound(const struct grt_analyzed *analyzed, size_t task);

/* What is left between a task's bound and its deadline; false where that is not known. */
bool grt_analyzed_slack(const struct grt_analyzed *analyzed, const struct grt_analysis_set *set, size_t task,
                        int64_t *slack);

/* Prints it all. */
void grt_analysis_tables(const struct grt_analysis_report *report, const struct grt_style *style, FILE *out);

/* Begins a table that has a row for each task of a set, and their names in the first column. */
void grt_analysis_columns_begin(struct grt_columns *columns, const struct grt_analysis_set *set);

/* What an analysis says of the whole set besides: "load 0.7, server period 5ms", or "". Belongs to the arena. */
const char *grt_analysis_values_text(const struct grt_analysis_result *result, struct grt_arena *arena);

/* Prints what analyses say of tasks besides. */
void grt_analysis_value_table(const struct grt_analyzed_gpu *gpu, const struct grt_style *style, FILE *out);

/* Prints the limits that were searched. */
void grt_analysis_limit_tables(const struct grt_analyzed_gpu *gpu, const struct grt_style *style, FILE *out);

/* The same as a JSON object (docs/analyze.md has its keys), to be freed with free. */
char *grt_analysis_json(const struct grt_analysis_report *report);

/* "fifo, np-rm and np-edf": of whose schedules an analysis speaks. Belongs to the arena. */
const char *grt_analysis_policies_text(const struct grt_analysis_ops *ops, struct grt_arena *arena);

/* Prints all analyses that there are. */
void grt_analysis_list(const struct grt_style *style, FILE *out);

#endif
