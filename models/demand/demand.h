/* How long segments take that have the platform to themselves, in closed form, in the worst case: what policies may ask
 * (grt_policy_segment_time) and analyses start from. The simulator is not asked: a property test holds the two against each other. */
#ifndef GRT_MODELS_DEMAND_DEMAND_H
#define GRT_MODELS_DEMAND_DEMAND_H

#include "models/step.h"
#include "models/task.h"

/* The longest time of a segment, at least 1 ns; GRT_TIME_NEVER where it is not known or above GRT_TIME_LIMIT. What it includes is said at
 * grt_policy_segment_time (models/policy.h). */
grt_time grt_segment_time(const struct grt_scenario *scenario, const struct grt_task *task,
                          const struct grt_segment *segment);

/* The same of a GPU segment without its host parts: from the call of its first command to the completion of its last. */
grt_time grt_segment_device_time(const struct grt_scenario *scenario, const struct grt_task *task,
                                 const struct grt_segment *segment);

/* The steps of a GPU segment, one per command; `steps` has room for them. In one piece they take at least as long as the segment, and
 * more only where launches overlap with the execution of the command before. */
void grt_segment_steps(const struct grt_scenario *scenario, const struct grt_task *task,
                       const struct grt_segment *segment, struct grt_step *steps);

#endif
