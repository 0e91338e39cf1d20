/* Networks for a scenario that names none, trained on the way into a run: fewer samples and turns than `gpurt train` takes, a fraction of a second per
 * kernel. What that costs in precision is said in docs/wamp2s.md. */
#ifndef GRT_POLICIES_SHARES_QUICK_TRAINING_H
#define GRT_POLICIES_SHARES_QUICK_TRAINING_H

#include "models/learning/network.h"
#include "models/task.h"
#include "sim/error.h"

/* A network for every kernel whose usage has counters; always the same for the same scenario. Everything is in the arena. NULL after adding errors:
 * there is no such kernel, or two of one name differ. */
const struct grt_networks *shares_train_quickly(const struct grt_scenario *scenario, struct grt_arena *arena,
                                                struct grt_errors *errors);

#endif
