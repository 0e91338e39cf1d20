/* Who calls a policy's operations says that it runs, for the messages of failed checks and of crashes (sim/running.h). */
#ifndef GRT_MODELS_POLICY_RUNNING_H
#define GRT_MODELS_POLICY_RUNNING_H

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

/* Whether `prepare` of a policy trains networks with parameters; NULL: the defaults. Worlds say themselves that their policy runs, as do
 * grt_adapted and grt_policy_promise: its operations are called in models/ and nowhere else. (models/policy.c) */
bool grt_policy_trains(const struct grt_policy_ops *policy, const void *parameters);

#endif
