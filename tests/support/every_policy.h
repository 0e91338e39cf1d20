/* One case under every policy that is registered: what no policy may break. */
#ifndef GRT_TESTS_SUPPORT_EVERY_POLICY_H
#define GRT_TESTS_SUPPORT_EVERY_POLICY_H

#include "tests/support/world_builder.h"

/* Runs the case under every policy and tie rule, twice each, and asserts that the runs are equal, keep the limits of the
 * device and the rules of jobs, and what the policy promises; `judge`, which may be NULL, looks at each run besides,
 * but for those of policies that leave the GPU idle while somebody waits. Where a policy sets shares the GPUs have shares
 * (tests/support/shared_world.h); the others run on such GPUs as well, if they can, and `judge` does not look.
 * Takes the builder. */
void grt_run_under_every_policy(struct grt_builder *builder, void (*judge)(const struct grt_built_run *run));

/* Whether the auditor accepts a finished run beside what the policy promises with these parameters, NULL: the defaults. `scenario`: as it was executed. Writes what it
 * does not accept to standard error. */
bool grt_run_keeps_promises(const struct grt_scenario *scenario, const struct grt_built_run *run,
                            const struct grt_policy_ops *policy, const void *parameters);

/* The same, and the rules of jobs and the limits of the device, by code of its own that knows jobs, kernels and copies as random worlds have them
 * (tests/support/random_world.h), but nothing of calls, processes, launches by blocks or pins. */
bool grt_run_is_sound(const struct grt_scenario *scenario, const struct grt_built_run *run,
                      const struct grt_policy_ops *policy, const void *parameters);

#endif
