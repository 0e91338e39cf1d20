/* From a scenario to what analyses need of it. */
#ifndef GRT_MODELS_ANALYSIS_SET_H
#define GRT_MODELS_ANALYSIS_SET_H

#include "models/analysis.h"
#include "models/task.h"
#include "sim/memory.h"

/* The tasks of GPU number `gpu`, those without GPU segments included where it is GPU 0. `parameters`: of the policy, or NULL. Everything is
 * in the arena; names are the scenario's. */
struct grt_analysis_set grt_analysis_set_of(const struct grt_scenario *scenario, uint32_t gpu,
                                            const void *parameters, struct grt_arena *arena);

/* An empty result with room for all that analyses of the set say, in the arena. Use it for one analysis. */
struct grt_analysis_result grt_analysis_result_for(const struct grt_analysis_set *set,
                                                   struct grt_arena *arena);

#endif
