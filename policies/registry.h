/* The policies that gpurt knows, by name. */
#ifndef GRT_POLICIES_REGISTRY_H
#define GRT_POLICIES_REGISTRY_H

#include "models/policy.h"

/* All policies in the order in which they are listed, NULL-terminated. */
extern const struct grt_policy_ops *const *const grt_policies;

/* The policy of that name, or NULL. */
const struct grt_policy_ops *grt_policy_find(const char *name);

#endif
