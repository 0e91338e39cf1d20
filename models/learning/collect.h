/* Collects samples for training: executes a kernel on the simulated GPU beside others that run on and on, and takes its time and the counters. The device's whole
 * model of shares counts: modes, contention, tokens. */
#ifndef GRT_MODELS_LEARNING_COLLECT_H
#define GRT_MODELS_LEARNING_COLLECT_H

#include "models/learning/sample.h"
#include "models/learning/situation.h"

/* What to collect. */
struct grt_collection {
    uint64_t seed;
    double noise; /* of measured times: relative standard deviation, 0 to 0.2 */

    /* Is told now and then how many of how many are done; NULL: nobody is. */
    void (*tell)(void *context, int64_t done, int64_t all);
    void *context;
};

/* How long the measured kernel takes in a situation, ns, from when its launch is complete, and the indicators of the others (GRT_INDICATORS numbers), sampled
 * at the beginning. GRT_TIME_NEVER: so much is in its way that it does not end in 10^5 times its time alone. */
grt_time grt_collect_one(const struct grt_learner *learner, const struct grt_situation *situation,
                         double *indicators);

/* Fills samples->items, whose room the caller made, with samples->count samples, numbered from `first`: each follows from the seed, the kernel's name and its
 * number alone. Situations in which the kernel stands still are drawn anew. False after adding an error: it always does. */
bool grt_collect(const struct grt_learner *learner, const struct grt_collection *collection, uint64_t first,
                 struct grt_samples *samples, struct grt_errors *errors);

#endif
