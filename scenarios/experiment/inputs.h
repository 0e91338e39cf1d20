/* The files that an experiment depends on, and its identity. */
#ifndef GRT_SCENARIOS_EXPERIMENT_INPUTS_H
#define GRT_SCENARIOS_EXPERIMENT_INPUTS_H

#include "scenarios/experiment/fields.h"
#include "scenarios/file_names.h"

/* The experiment's own file. */
struct grt_own_text {
    const char *name, *text;
    size_t size;
};

/* Fills in experiment->inputs: the experiment's own file, then the others, all named as seen from its folder. Adds an error for each that cannot be
 * read. */
void grt_inputs_hash(struct grt_reader *reader, const struct grt_own_text *own,
                     const struct grt_file_names *files, struct grt_experiment *experiment);

/* The identity: of the tree as it is after changes without what only speaks of results, of all files, and of gpurt's version and build. */
uint64_t grt_experiment_identity(const cJSON *tree, const struct grt_input *files, size_t count);

#endif
