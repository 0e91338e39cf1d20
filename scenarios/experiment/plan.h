/* What is done with the sets of a point: evaluations and their surroundings. */
#ifndef GRT_SCENARIOS_EXPERIMENT_PLAN_H
#define GRT_SCENARIOS_EXPERIMENT_PLAN_H

#include "scenarios/experiment/fields.h"

struct grt_plan {
    const struct grt_evaluation *evaluations;
    size_t count;
    /* of the platform of those that have none of their own; NULL: there is none */
    const struct grt_device *gpus;
};

/* Reads a plan from an object without anything else; NULL after adding errors. In the reader's arena. */
const struct grt_plan *grt_plan_read(struct grt_reader *reader, const cJSON *object);

/* Adds an error for each thing that two plans of an experiment must have in common, and have not. */
void grt_plan_compare(const struct grt_plan *first, const struct grt_plan *plan, struct grt_errors *errors);

/* Completes the surroundings of an evaluation: its own, and what it leaves to those of all. Adds errors at the path of the evaluation, or of
 * what is wrong. (setting.c) */
void grt_setting_apply(struct grt_reader *reader, const struct grt_setting_fields *all,
                       const struct grt_setting_fields *own, const struct grt_path *path,
                       struct grt_evaluation *evaluation);

/* The analysis of that name; NULL after adding an error. (plan.c) */
const struct grt_analysis_ops *grt_plan_analysis(struct grt_reader *reader,
                                                 const struct grt_policy_ops *policy, const char *name,
                                                 const struct grt_path *path);

#endif
