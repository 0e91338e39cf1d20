/* Random worlds for schedulers of batches. */
#ifndef GRT_TESTS_SUPPORT_BATCHED_WORLD_H
#define GRT_TESTS_SUPPORT_BATCHED_WORLD_H

#include "tests/support/audited_world.h"

/* A world in which some tasks want a separation, some have no deadline, and most GPU segments begin with a copy in and end with a copy out.
 * Free it with grt_builder_free. */
struct grt_builder *grt_batched_world(uint64_t number, enum grt_audited_kind kind);

#endif
