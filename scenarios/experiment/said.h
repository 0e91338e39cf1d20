/* What is said of the results: published numbers, claims, the figure. */
#ifndef GRT_SCENARIOS_EXPERIMENT_SAID_H
#define GRT_SCENARIOS_EXPERIMENT_SAID_H

#include "scenarios/experiment/fields.h"

/* Fills them in, by the names of the experiment's axes, values and evaluations, which have to be there; adds errors. */
void grt_said_read(struct grt_reader *reader, const struct grt_experiment_fields *fields,
                   struct grt_experiment *experiment);

#endif
