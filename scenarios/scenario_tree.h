/* A scenario as the tree of its file, which is changed and written as another scenario. */
#ifndef GRT_SCENARIOS_SCENARIO_TREE_H
#define GRT_SCENARIOS_SCENARIO_TREE_H

#include <cjson/cJSON.h>

#include "scenarios/scenario.h"

/* A scenario as a file has it, with changes. */
struct grt_scenario_source {
    const char *text;
    size_t size;
    /* where relative files are sought that it names; the new scenario names them absolutely */
    const char *folder;
    const struct grt_scenario_changes *changes; /* or NULL */
};

/* The changed tree, without `expect`, with absolute names of files and with the definitions of kernel files in
 * place, to be freed with cJSON_Delete; or NULL after adding errors. */
cJSON *grt_scenario_tree_read(const struct grt_scenario_source *source, struct grt_errors *errors);

/* Gives an object's field a value, which the object owns then: in its place, or behind the others where it has no such field. */
void grt_scenario_tree_put(cJSON *object, const char *key, cJSON *value);

/* A span of time as scenarios write it. */
cJSON *grt_scenario_tree_span(grt_time span);

/* Replaces every random time in a task's segments by what `change` makes of it; `kernels`: the root's definitions, which stay as they are: a kernel
 * that takes its time from one gets a time of its own. NULL: none. */
void grt_scenario_tree_change_times(cJSON *segments, const cJSON *kernels,
                                    cJSON *(*change)(const cJSON *time, int how), int how);

/* A copy of the worst case of a random time, by which policies and analyses go. */
cJSON *grt_scenario_tree_worst(const cJSON *time);

#endif
