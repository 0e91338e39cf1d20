/* What networks depend on, as a text: two trainings with the same text come to the same networks. */
#ifndef GRT_STUDY_EVALUATE_TRAINING_KEY_H
#define GRT_STUDY_EVALUATE_TRAINING_KEY_H

#include "models/learning/applications.h"
#include "models/learning/train.h"

/* GPUs with all that is said of them, but their names and descriptions, for telling whether they are the same; in the arena. */
const char *grt_gpus_key(const struct grt_device *gpus, size_t count, struct grt_arena *arena);

/* All that grt_networks_train looks at: the effort, the seed, the GPUs with all their kernels, and which of these get networks. In the arena; NULL after adding
 * the errors of grt_learners_find. */
const char *grt_training_key(const struct grt_scenario *scenario, uint64_t seed,
                             enum grt_training_effort effort, struct grt_arena *arena,
                             struct grt_errors *errors);

#endif
