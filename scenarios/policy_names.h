/* The policies that a scenario can name, for programs that offer them. */
#ifndef GRT_SCENARIOS_POLICY_NAMES_H
#define GRT_SCENARIOS_POLICY_NAMES_H

#include <stddef.h>

/* In the order of `gpurt policies`; NULL behind the last. */
const char *grt_scenario_policy_name(size_t number);

#endif
