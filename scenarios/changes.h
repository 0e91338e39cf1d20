/* Changes to a scenario before it is checked: what the command line says. */
#ifndef GRT_SCENARIOS_CHANGES_H
#define GRT_SCENARIOS_CHANGES_H

#include "scenarios/json_tree.h"
#include "scenarios/scenario.h"

/* Makes the changes in the tree of a scenario; NULL means none. A change that has no place in the tree adds an error
 * and changes nothing. */
void grt_changes_apply(const struct grt_scenario_changes *changes, cJSON *root, struct grt_errors *errors);

/* Which GPUs of the file, a bit each, the changes give another device. */
uint64_t grt_changes_new_devices(const struct grt_scenario_changes *changes);

#endif
