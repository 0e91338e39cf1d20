/* Random scenarios that reach every corner of the GPU model: streams and priorities, the NULL stream, copies, kernels
 * of constant and random times, small limits, aborts, precedence, several GPUs. */
#ifndef GRT_TESTS_SUPPORT_RANDOM_WORLD_H
#define GRT_TESTS_SUPPORT_RANDOM_WORLD_H

#include "sim/random.h"
#include "tests/support/world_builder.h"

/* The scenario of that number; ties by task. Free it with grt_builder_free. */
struct grt_builder *grt_random_world(uint64_t number);

/* Makes the times of all kernels constant: the longest. */
void grt_random_world_fix_times(struct grt_builder *builder);

/* Puts calls between the commands of the GPU segments (events, host functions, synchronisation, allocations), makes some
 * copies synchronous or pageable, and gives the devices hardware queues of any model and what the calls depend on. Times
 * of host functions are constant. */
void grt_random_world_add_calls(struct grt_builder *builder, uint64_t number);

/* Gives GPU segments host parts of both modes, tasks a core where there are some, and cores costs. Not for policies that cut
 * segments into pieces. */
void grt_random_world_add_host(struct grt_builder *builder, uint64_t number);

/* Pins some of the kernels of blocks that launch none to some SMs. Not for policies that cut segments into pieces. */
void grt_random_world_pin(struct grt_builder *builder, uint64_t number);

/* Gives a device what several processes on it depend on: turns, preemption, copies that are stopped, hardware queues of any
 * model. */
void grt_random_turns(struct grt_random *random, struct grt_device *device);

/* Keeps a task to TPCs of its own GPU that follow each other, unless it has a kernel of the whole device. */
void grt_random_partition(struct grt_random *random, const struct grt_builder *builder,
                          struct grt_task *task);

/* Gives a world a few jobs early in a long run, which ends with it; whatever they wait for, all must come to an end. Writes the
 * world's number where they do not. Frees the builder. */
bool grt_random_world_ends(struct grt_builder *builder, uint64_t number);

#endif
