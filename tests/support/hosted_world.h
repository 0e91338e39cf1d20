/* Random worlds whose cores have to do with GPU segments. */
#ifndef GRT_TESTS_SUPPORT_HOSTED_WORLD_H
#define GRT_TESTS_SUPPORT_HOSTED_WORLD_H

#include "tests/support/world_builder.h"

/* A random world with host parts, on few cores, with costs; free it with grt_builder_free. */
struct grt_builder *grt_hosted_world(uint64_t number);

#endif
