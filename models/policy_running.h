/* Says that a policy runs, for the messages of failed checks and of crashes (sim/running.h). */
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
                                .when = "before the first instant"};
}

#endif
