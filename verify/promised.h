/* What a policy promises of a run, with all the numbers that the auditor has to know. They follow from the scenario and the parameters, without
 * what the policy itself made of them: docs/decisions/0022-promises.md. */
#ifndef GRT_VERIFY_PROMISED_H
#define GRT_VERIFY_PROMISED_H

#include "models/policy.h"
#include "verify/audit.h"

/* `parameters`: of the policy, NULL: the defaults. What it points to is in the arena. `end` is the scenario's horizon: change it where the run
 * ended before. */
struct grt_audit_promise grt_promised(const struct grt_scenario *scenario,
                                      const struct grt_policy_ops *policy, const void *parameters,
                                      struct grt_arena *arena);

/* Of what rules of the promise need numbers that are not known of the policy, such as one of a plug-in, and are not checked: "slots"; constant text. NULL:
 * all that the auditor has are checked. */
const char *grt_promised_unaudited(const struct grt_audit_promise *promise);

#endif
