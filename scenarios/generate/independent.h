/* The parameters of the generator `independent`: tasks that have nothing to do with each other. */
#ifndef GRT_SCENARIOS_GENERATE_INDEPENDENT_H
#define GRT_SCENARIOS_GENERATE_INDEPENDENT_H

#include "scenarios/generate/generate.h"

struct grt_independent {
    /* but for its seed, its number of tasks, and how many blocks run at once */
    struct grt_generator_spec spec;
    int64_t tasks;
    int64_t threads; /* of a block, where the work is given by blocks */
    double takes;    /* the share of its declared longest time that every kernel takes */
};

#endif
