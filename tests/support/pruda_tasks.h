/* Parameters of PRUDA's strategies for random worlds of 8 tasks at most, which get names. There must be room for as many items as there are tasks;
 * each function returns how many there are. */
#ifndef GRT_TESTS_SUPPORT_PRUDA_TASKS_H
#define GRT_TESTS_SUPPORT_PRUDA_TASKS_H

#include "policies/pruda/parameters.h"
#include "sim/random.h"
#include "tests/support/world_builder.h"

/* Pins most of the tasks that can be to an SM of their GPU. */
size_t grt_pin_tasks(struct grt_builder *builder, struct grt_random *random, struct pruda_pin_fields *pins);

/* Gives every task that uses a GPU a small server. */
size_t grt_serve_tasks(struct grt_builder *builder, struct pruda_server_fields *servers);

#endif
