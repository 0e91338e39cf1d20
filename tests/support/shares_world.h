/* Random worlds on GPUs of granularity shares, and a policy that sets shares at random: for tests of the auditor and of the model. */
#ifndef GRT_TESTS_SUPPORT_SHARES_WORLD_H
#define GRT_TESTS_SUPPORT_SHARES_WORLD_H

#include "models/policy.h"
#include "tests/support/world_builder.h"

/* A random world (random_world.h), whose GPUs are of granularity shares: every mode and kind of contention, kernels with usages of all
 * kinds and without; some with calls, host parts or processes. Free it with grt_builder_free. */
struct grt_builder *grt_shares_world(uint64_t number);

/* The same without random times of kernels. */
struct grt_builder *grt_shares_world_of_fixed_times(uint64_t number);

/* Submits at once, every task in a stream of its own, whose shares it changes at random instants; at times several in one instant, and
 * sets again what they are. */
extern const struct grt_policy_ops grt_fickle_policy;

#endif
