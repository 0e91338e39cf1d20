/* The words by which scenario files name rules. Lists that grow: libgpurt does not show them. */
#ifndef GRT_MODELS_TASK_RULE_NAMES_H
#define GRT_MODELS_TASK_RULE_NAMES_H

/* Of enum grt_priority_rule, in its order, NULL-terminated. */
extern const char *const grt_priority_rule_names[];
/* The same of enum grt_allocation_rule. */
extern const char *const grt_allocation_rule_names[];

#endif
