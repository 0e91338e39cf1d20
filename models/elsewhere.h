/* A GPU whose commands are executed elsewhere, by a real device say. The world is the simulator's: arrivals, draws, cores, jobs and the policy are its own, so that
 * what is executed is exactly what would be simulated. Only commands go to somebody else, and instants come when they come there. */
#ifndef GRT_MODELS_ELSEWHERE_H
#define GRT_MODELS_ELSEWHERE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/time.h"

struct grt_gpu_command;
struct grt_world;

/* Who executes the commands of a world with one GPU (struct grt_world_options). */
struct grt_elsewhere {
    void *state;
    /* A stream was made: before the run. `row`: its number in the trace. */
    void (*stream)(void *state, uint32_t stream, int64_t priority, bool is_null, uint32_t row);
    /* A command was called in a stream: the arguments of grt_gpu_submit. The kernel of the command stays as long as the world where its policy does not cut
     * segments; the command itself does not. Aborts are not possible: no job of the world may be aborted. */
    void (*submit)(void *state, uint32_t stream, const struct grt_gpu_command *command, uint32_t job,
                   uint64_t random_key);
    /* Waits until the instant `next` has come, and returns true; or, where commands have completed before or at that instant, tells them by grt_world_complete and
     * returns false. */
    bool (*wait)(void *state, struct grt_world *world, grt_time next);
};

/* In `wait`: at this instant, not before the present one, a command has completed that was the `last` of its owner, or else one that its owner waits for. The world
 * hears of it when it comes to the instant. */
void grt_world_complete(struct grt_world *world, uint32_t owner, bool last, grt_time instant);

/* In `wait`, which then returns false: the run ends at the last instant that it has come to. */
void grt_world_stop_waiting(struct grt_world *world);

#endif
