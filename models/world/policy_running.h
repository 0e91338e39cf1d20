/* Who calls a policy's operations says that it runs, for the messages of failed checks and of crashes (sim/running.h). Operations are called in
 * models/ and nowhere else. */
#ifndef GRT_MODELS_WORLD_POLICY_RUNNING_H
#define GRT_MODELS_WORLD_POLICY_RUNNING_H

#include "models/policy.h"
#include "sim/running.h"

/* `now`: the world's instant; NULL: before there is one. */
static inline struct grt_running grt_policy_running(const struct grt_policy_ops *policy,
                                                    const grt_time *now) {
    return (struct grt_running){.what = "policy",
                                .name = policy->name,
                                .file = policy->plugin,
                                .now = now,
                                .when = "before the first instant",
                                .own = policy->plugin == NULL};
}

/* What an operation answered that takes or refuses a scenario, with `before` errors before it: a refusal without an error gets one. Returns `good`. (models/world/adapt.c) */
bool grt_policy_answered(const struct grt_policy_ops *policy, bool good, size_t before,
                         struct grt_errors *errors);

#endif
