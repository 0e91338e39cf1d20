/* Which tasks are pinned to which part of their GPU, for the auditor, which knows no policy. */
#ifndef GRT_VERIFY_PLACES_H
#define GRT_VERIFY_PLACES_H

#include "models/policy.h"
#include "verify/audit.h"

/* In the arena; NULL: the policy pins nothing, or nothing is known of its parameters. NULL as `parameters`: the defaults. */
const struct grt_audit_places *grt_places_of(const struct grt_scenario *scenario,
                                             const struct grt_policy_ops *policy, const void *parameters,
                                             struct grt_arena *arena);

#endif
