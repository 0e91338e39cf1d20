/* Random worlds in which blocks, copies and threads slow each other. */
#ifndef GRT_TESTS_SUPPORT_CONTENDED_WORLD_H
#define GRT_TESTS_SUPPORT_CONTENDED_WORLD_H

#include "tests/support/world_builder.h"

/* Makes the devices and tasks of a world contend, by that number, and all times constant. */
void grt_contend(struct grt_builder *builder, uint64_t number);

/* The random world of that number, so changed. Free it with grt_builder_free. */
struct grt_builder *grt_contended_world(uint64_t number);

/* The same with the tasks in two processes that take turns in all ways, or are clients of an MPS server. */
struct grt_builder *grt_contended_processes(uint64_t number);

#endif
