/* Changes to a scenario before it is checked: what the command line says. */
#ifndef GRT_SCENARIOS_CHANGES_H
#define GRT_SCENARIOS_CHANGES_H

#include <stdbool.h>

#include "scenarios/json_tree.h"
#include "scenarios/scenario.h"

/* Makes the changes in the tree of a scenario; NULL means none. A change that has no place in the tree adds an error
 * and changes nothing. */
void grt_changes_apply(const struct grt_scenario_changes *changes, cJSON *root, struct grt_errors *errors);

/* What errors call changes: as `given` (NULL: none is) says, with names for those that it leaves out. */
struct grt_change_names grt_changes_names(const struct grt_change_names *given);

/* Puts a value, which is then the tree's, where a path as in tasks[0].period leads; the last key need not be there. False after adding an error,
 * "<what>: no such place (...)", without a change. */
bool grt_changes_put(cJSON *root, const char *path, cJSON *value, const char *what,
                     struct grt_errors *errors);

/* Says of errors from number `before` on which change they come from, as "(set by --seed)". What one of `sets` has put behind that option needs no such
 * words. */
void grt_changes_name_options(const struct grt_scenario_changes *changes, struct grt_errors *errors,
                              size_t before);

/* Where the file of a policy's plug-in starts: in the scenario's folder, or where the change that names it says. */
const char *grt_changes_policy_folder(const struct grt_scenario_changes *changes, const char *folder);

/* Which GPUs of the file, a bit each, the changes give another device. */
uint64_t grt_changes_new_devices(const struct grt_scenario_changes *changes);

#endif
