/* Whether a table is of the experiment whose texts its figure gets. */
#ifndef GRT_STUDY_PLOT_ORIGIN_H
#define GRT_STUDY_PLOT_ORIGIN_H

#include <stdbool.h>

#include "scenarios/experiment/experiment.h"
#include "study/results/results.h"

/* Compares what the table's comments say with the experiment that was read from `path`; where they say nothing, all is good. False after adding an
 * error: the name is another one. *changed: the name is the same, but the results are of another state of the experiment, as its identity says, in
 * which the table's seed and samples are no change. Of results of another build of gpurt, whose identities are never the same, the files tell. */
bool grt_plot_origin_check(const struct grt_result_table *table, const struct grt_experiment *experiment,
                           const char *path, bool *changed, struct grt_errors *errors);

#endif
