/* Random scenarios that reach every corner of the GPU model: streams and priorities, the NULL stream, copies, kernels
 * of constant and random times, small limits, aborts, precedence, several GPUs. */
#ifndef GRT_TESTS_SUPPORT_RANDOM_WORLD_H
#define GRT_TESTS_SUPPORT_RANDOM_WORLD_H

#include "tests/support/world_builder.h"

/* The scenario of that number; ties by task. Free it with grt_builder_free. */
struct grt_builder *grt_random_world(uint64_t number);

/* Makes the times of all kernels constant: the longest. */
void grt_random_world_fix_times(struct grt_builder *builder);

#endif
