/* What the schedulers of batches promise, as numbers for the auditor, which knows no policy. */
#ifndef GRT_VERIFY_BATCHES_H
#define GRT_VERIFY_BATCHES_H

#include "models/policy.h"
#include "verify/audit.h"

/* In the arena; NULL: the policy makes no batches, or nothing is known of its parameters. NULL as `parameters`: the defaults. */
const struct grt_audit_batches *grt_batches_of(const struct grt_scenario *scenario,
                                               const struct grt_policy_ops *policy, const void *parameters,
                                               struct grt_arena *arena);

/* How many tasks at the end of a scenario are the policy's own: the kernels of schedulers on the device. They cannot be left out. */
size_t grt_batches_own_tasks(const struct grt_scenario *scenario, const struct grt_policy_ops *policy,
                             const void *parameters);

#endif
