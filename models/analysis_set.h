/* From a scenario to what analyses need of it. */
#ifndef GRT_MODELS_ANALYSIS_SET_H
#define GRT_MODELS_ANALYSIS_SET_H

#include "models/analysis.h"
#include "models/task.h"
#include "sim/memory.h"

/* The tasks of GPU number `gpu`, or with GRT_ANALYSIS_ALL_GPUS all of the scenario. `parameters`: of the policy, or NULL. Everything is in
 * the arena; names are the scenario's. */
struct grt_analysis_set grt_analysis_set_of(const struct grt_scenario *scenario, uint32_t gpu,
                                            const void *parameters, struct grt_arena *arena);

/* The first GPU that tasks use, to whose set those belong that use none; 0 where no task uses any. */
uint32_t grt_analysis_first_gpu(const struct grt_scenario *scenario);

/* An empty result with room for all that analyses of the set say, in the arena. Use it for one analysis. */
struct grt_analysis_result grt_analysis_result_for(const struct grt_analysis_set *set,
                                                   struct grt_arena *arena);

#endif
