/* The columns of results: which there are, and how they are called. */
#ifndef GRT_STUDY_RESULTS_RESULT_NAMES_H
#define GRT_STUDY_RESULTS_RESULT_NAMES_H

#include "scenarios/experiment/experiment.h"
#include "sim/memory.h"

/* What stands in front of a measure in the names of its other columns: of how many sets its mean is, and the ends of the mean's interval. */
#define GRT_COLUMN_SETS "sets:"
#define GRT_COLUMN_LOW "low:"
#define GRT_COLUMN_HIGH "high:"

/* One measure of any evaluation. */
struct grt_measure_names {
    const char *measure;
    const char *mean, *sets, *low, *high; /* columns */
};

/* No two columns have the same name: experiments whose names clash are refused where they are read, and what came from elsewhere gets "_2", "_3" behind it. */
struct grt_result_names {
    const char **axes; /* by axis */
    struct grt_measure_names *measures;
    size_t measure_count;
};

/* The names belong to the arena, or to the experiment. */
struct grt_result_names grt_result_names(const struct grt_experiment *experiment, struct grt_arena *arena);

#endif
