/* Priorities and cores that a scenario leaves to a rule: `priorities` and `platform.allocation`. */
#ifndef GRT_SCENARIOS_ASSIGNMENT_H
#define GRT_SCENARIOS_ASSIGNMENT_H

#include "models/priority.h"
#include "scenarios/records.h"
#include "scenarios/scenario.h"

/* The words of `priorities`: of enum grt_priority_rule without the first, which is meant where the field is absent. */
#define grt_priority_choices (&grt_priority_rule_names[1])

/* The rule of a file that has `priorities`. */
static inline enum grt_priority_rule grt_priority_choice(const struct grt_scenario_fields *fields) {
    return (enum grt_priority_rule)(fields->priorities + 1);
}

/* Says in file->assignment what the file wants, puts its tasks on cores, and asks Audsley's algorithm; adds errors where there is no such
 * assignment. The scenario, its policy and its policy's parameters are there, and good. `tree`: of the file. */
void grt_scenario_assign(struct grt_reader *reader, const struct grt_scenario_fields *fields,
                         const cJSON *tree, struct grt_scenario_file *file);

#endif
