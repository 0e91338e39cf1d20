/* From what a user has said to a scenario that can be run: the priorities, cores, versions of kernels and horizon that follow from rules.
 * Whoever makes a task set comes here: the reader of files, the generators, programs. No text is needed. */
#ifndef GRT_SCENARIOS_COMPLETE_H
#define GRT_SCENARIOS_COMPLETE_H

#include "models/allocation.h"
#include "models/analysis.h"
#include "models/policy.h"
#include "models/priority.h"
#include "models/task.h"
#include "sim/error.h"
#include "sim/memory.h"

/* What counts as a task's utilisation of its core. */
enum grt_allocation_counts { GRT_ALLOCATION_COUNTS_CPU, GRT_ALLOCATION_COUNTS_CPU_AND_GPU };

/* By which rules priorities and cores are given. {0}: the tasks have them already. */
struct grt_scenario_assignment {
    int64_t priorities; /* enum grt_priority_rule; explicit also where they are rate monotonic by default */
    /* for Audsley's algorithm: which it asks; NULL: the policy's own, which is put here */
    const struct grt_analysis_ops *analysis;
    int64_t allocation; /* enum grt_allocation_rule */
    int64_t counts;     /* enum grt_allocation_counts */
};

/* A scenario and the policy that shall run it. */
struct grt_scenario_draft {
    struct grt_scenario scenario; /* horizon: of GRT_HORIZON_FIXED only; found for the other kinds */
    const struct grt_policy_ops *policy;
    const void *parameters; /* policy->parameters_size bytes; NULL: the defaults */
    struct grt_scenario_assignment assignment;
};

/* Completes a draft in place: priorities by the rule, the horizon, the policy's versions of what runs (models/adapt.h), cores, and
 * Audsley's priorities, in this order. The tasks are copied into the arena before they are changed. False after adding errors, with the
 * paths that a scenario file would have. */
bool grt_scenario_complete(struct grt_scenario_draft *draft, struct grt_arena *arena,
                           struct grt_errors *errors);

/* Its two halves, for whoever has something to say between them: priorities by the rule (by rates for Audsley's algorithm, which comes later) and the
 * horizon; then what goes by the policy. */
bool grt_scenario_complete_tasks(struct grt_scenario_draft *draft, struct grt_arena *arena,
                                 struct grt_errors *errors);
bool grt_scenario_complete_for_policy(struct grt_scenario_draft *draft, struct grt_arena *arena,
                                      struct grt_errors *errors);

#endif
