/* Cases for GPUs of granularity blocks, as they are on GPUs of granularity shares. */
#ifndef GRT_TESTS_SUPPORT_SHARED_WORLD_H
#define GRT_TESTS_SUPPORT_SHARED_WORLD_H

#include "tests/support/world_builder.h"

/* A copy of the scenario, in the builder's arena, in which every GPU has shares. What is only for blocks is left out of it: launches by blocks,
 * kernels pinned to SMs, TPCs, and percentages of MPS. */
const struct grt_scenario *grt_shared_world(struct grt_builder *builder);

#endif
