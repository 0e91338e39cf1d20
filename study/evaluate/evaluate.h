/* One evaluation of one set, for the kinds of evaluations (struct grt_evaluation_ops), and what they share. */
#ifndef GRT_STUDY_EVALUATE_EVALUATE_H
#define GRT_STUDY_EVALUATE_EVALUATE_H

#include "policies/analyses/run.h"
#include "study/evaluate/sample.h"

/* Completed: platform, policy, parameters, priorities, cores and horizon are there. */
struct grt_asked {
    const struct grt_evaluation *evaluation;
    const struct grt_scenario *scenario;
    const struct grt_scenario *drawn; /* the same before the policy's versions of what runs were put in */
    const struct grt_policy_ops *policy;
    const void *parameters;         /* of the policy; NULL: the defaults */
    struct grt_analyses_kept *kept; /* of the scenario, which evaluations may share */
    const char *const *measures;    /* that are wanted */
    size_t measure_count;
    struct grt_arena *arena; /* until the next set */
};

extern const struct grt_evaluation_ops grt_evaluate_analysis;
extern const struct grt_evaluation_ops grt_evaluate_simulation;
extern const struct grt_evaluation_ops grt_evaluate_verify;
extern const struct grt_evaluation_ops grt_evaluate_training;

/* Ends an evaluation: the outcome and why, printf-like, cut to its room. */
void grt_found_say(struct grt_found *found, enum grt_outcome outcome, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same for what was refused, which the first of these errors says; clears them. */
void grt_found_refuse(struct grt_found *found, struct grt_errors *errors);

/* Gives the wanted measure of that name a value, and that of the task as well, "name:TASK" (NULL: of none): the larger one, where it has one already.
 * Not a number: nothing. */
void grt_found_put(const struct grt_asked *asked, struct grt_found *found, const char *name, const char *task,
                   double value);

/* The same of the task alone. */
void grt_found_put_task(const struct grt_asked *asked, struct grt_found *found, const char *name,
                        const char *task, double value);

/* Whether measures of tasks are wanted. */
bool grt_asked_of_tasks(const struct grt_asked *asked);

#endif
