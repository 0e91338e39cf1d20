/* Which values of scenarios and experiments name files. */
#ifndef GRT_SCENARIOS_FILE_NAMES_H
#define GRT_SCENARIOS_FILE_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "scenarios/json_tree.h"
#include "sim/memory.h"

/* Names of files, each once. Starts as {0}; the list is to be freed, the names are an arena's. */
struct grt_file_names {
    const char **items;
    uint32_t count, capacity;
};

/* Adds a name, copied into the arena. */
void grt_file_names_add(struct grt_file_names *all, const char *name, struct grt_arena *arena);

/* Adds what is named anywhere in the tree of a scenario, or of an experiment's plan, that was read without errors: devices, usages, networks
 * and kernels that are files, and plug-ins. Names are as seen from `folder` where the tree's own are relative to it. */
void grt_file_names_in(struct grt_file_names *all, const cJSON *tree, const char *folder,
                       struct grt_arena *arena);

#endif
