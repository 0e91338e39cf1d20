/* From axes and a tree to points, each fully checked. */
#ifndef GRT_SCENARIOS_EXPERIMENT_POINTS_H
#define GRT_SCENARIOS_EXPERIMENT_POINTS_H

#include "scenarios/experiment/axes.h"
#include "scenarios/file_names.h"

/* What points are made of. */
struct grt_point_source {
    struct grt_reader *reader;
    const struct grt_axis_plan *axes;
    size_t axis_count;
    const cJSON *body; /* the tree without what is the same for all points */
    uint64_t seed;
    struct grt_file_names *files; /* gets the files that points name */
};

/* Fills in the points of an experiment, its makers and the number of evaluations; adds each different error of the points once. What it has made
 * before an error is the experiment's. */
void grt_points_read(const struct grt_point_source *source, struct grt_experiment *experiment);

/* Splits a tree: what axes cannot change, and what is unknown, stays in it; the rest is returned, to be deleted. */
cJSON *grt_points_split(cJSON *tree);

#endif
