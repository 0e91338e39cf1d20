/* The slots of the reservation server of GPU-TDMh as numbers, for the auditor, which knows no policy. */
#ifndef GRT_VERIFY_SLOTS_H
#define GRT_VERIFY_SLOTS_H

#include "models/policy.h"
#include "verify/audit.h"

/* What the policy promises on every GPU, in the arena; NULL: it has no slots, or promises nothing. */
const struct grt_audit_slots *grt_slots_of(const struct grt_scenario *scenario,
                                           const struct grt_policy_ops *policy, const void *parameters,
                                           struct grt_arena *arena);

#endif
