/* What gpurt's own parts ask of policies beside any run; grt_policy_promise is in models/policy.h. (models/world/policy.c) */
#ifndef GRT_MODELS_WORLD_POLICY_QUESTION_H
#define GRT_MODELS_WORLD_POLICY_QUESTION_H

#include "models/policy.h"

/* Whether `prepare` of a policy trains networks with parameters; NULL: the defaults. */
bool grt_policy_trains(const struct grt_policy_ops *policy, const void *parameters);

/* Whether a promise says what there is: a place, an order and an overlap, and the order by lateness of batches only. */
bool grt_promise_is_valid(const struct grt_promise *promise);

#endif
