/* The files that an experiment depends on, and its identity. */
#ifndef GRT_SCENARIOS_EXPERIMENT_INPUTS_H
#define GRT_SCENARIOS_EXPERIMENT_INPUTS_H

#include "scenarios/experiment/fields.h"

/* Names of files, each once. Starts as {0}; the list is to be freed, the names are an arena's. */
struct grt_input_names {
    const char **names;
    uint32_t count, capacity;
};

void grt_input_names_add(struct grt_input_names *all, const char *name, struct grt_arena *arena);

/* Adds the files that a plan, which was read without errors, names. */
void grt_input_names_of_plan(struct grt_input_names *all, const cJSON *plan, struct grt_arena *arena);

/* Fills in experiment->inputs: the experiment's own text, then the files. Adds an error for each that cannot be read. */
void grt_inputs_hash(struct grt_reader *reader, const struct grt_input *own,
                     const struct grt_input_names *files, struct grt_experiment *experiment);

/* The identity: of the tree as it is after changes without what only speaks of results, of all files, and of gpurt's version. */
uint64_t grt_experiment_identity(const cJSON *tree, const struct grt_input *files, size_t count);

#endif
