/* Random worlds whose blocks launch kernels. */
#ifndef GRT_TESTS_SUPPORT_LAUNCHING_WORLD_H
#define GRT_TESTS_SUPPORT_LAUNCHING_WORLD_H

#include "tests/support/world_builder.h"

/* The scenario of that number, with task slots, processes, partitions, aborts, and contention in some. Free it with grt_builder_free. */
struct grt_builder *grt_launching_world(uint64_t number);

#endif
