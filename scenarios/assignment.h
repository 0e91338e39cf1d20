/* Cores and priorities that a scenario leaves to a rule: `platform.allocation`, and Audsley's algorithm. Internal to complete.c and to the reader
 * of files. */
#ifndef GRT_SCENARIOS_ASSIGNMENT_H
#define GRT_SCENARIOS_ASSIGNMENT_H

#include "models/priority.h"
#include "models/task/rule_names.h"
#include "scenarios/complete.h"
#include "scenarios/records.h"

/* The words of `priorities`: of enum grt_priority_rule without the first, which is meant where the field is absent. */
#define grt_priority_choices (&grt_priority_rule_names[1])

/* The rule of a file that has `priorities`. */
static inline enum grt_priority_rule grt_priority_choice(const struct grt_scenario_fields *fields) {
    return (enum grt_priority_rule)(fields->priorities + 1);
}

/* What the file `tree` wants of priorities and cores. Adds errors for what it says in vain, and for analyses that there are not, at once with that of
 * grt_allocation_check; false then. (assignment_fields.c) */
void grt_assignment_read(const struct grt_scenario_fields *fields, const cJSON *tree,
                         struct grt_scenario_assignment *assignment);
bool grt_assignment_check(struct grt_reader *reader, const struct grt_scenario_fields *fields,
                          const cJSON *tree, struct grt_scenario_draft *draft);

/* False after adding an error: there are no cores to choose from. */
bool grt_allocation_check(const struct grt_scenario_draft *draft, struct grt_errors *errors);

/* Puts the tasks, which are the draft's, on cores by its rule; false after adding errors. */
bool grt_allocation_apply(const struct grt_scenario_draft *draft, struct grt_task *tasks,
                          struct grt_arena *arena, struct grt_errors *errors);

/* Gives the tasks, which are the draft's, priorities by Audsley's algorithm, and says in the draft which analysis was asked; false after adding
 * errors. */
bool grt_audsley_apply(struct grt_scenario_draft *draft, struct grt_task *tasks, struct grt_arena *arena,
                       struct grt_errors *errors);

/* Computes the horizon where it is "hyperperiod" or "auto", or says why it has none. The scenario is complete but for
 * its horizon. (horizon.c) */
void grt_scenario_set_horizon(struct grt_scenario *scenario, struct grt_errors *errors,
                              const struct grt_path *path);

#endif
