/* Profiling runs: how long a GPU segment takes on average, found by executing it. */
#ifndef GRT_MODELS_DEMAND_PROFILE_H
#define GRT_MODELS_DEMAND_PROFILE_H

#include "models/task.h"

/* The mean time of GPU segment `segment` of task `task`, in ns, rounded up, in `runs` executions (1 or more; one, where nothing is drawn), one
 * after the other in a stream of a GPU that nobody else uses, without its host parts: from the call of its first command to the completion
 * of its last. The draws follow from the scenario's seed, and are not those of the scenario's own jobs. GRT_TIME_NEVER: an execution did not
 * end, or the segment cannot be executed at all. */
grt_time grt_profile_segment(const struct grt_scenario *scenario, uint32_t task, uint32_t segment,
                             uint32_t runs);

/* How many blocks that would execute at most for all GPU segments of a task, launches of blocks and their items of work included; GRT_SPAN_NEVER: too
 * many to say. */
int64_t grt_profile_blocks(const struct grt_scenario *scenario, uint32_t task, uint32_t runs);

#endif
