/* Sets of the reference for locks (reference_lock.h) in gpurt's own simulator: scenario, policy and releases. */
#ifndef GRT_TESTS_SUPPORT_LOCK_WORLD_H
#define GRT_TESTS_SUPPORT_LOCK_WORLD_H

#include "policies/locks/parameters.h"
#include "tests/support/reference_lock.h"
#include "tests/support/world_builder.h"

enum { LOCK_WORLD_TASKS = GRT_REFERENCE_LOCK_TASKS, LOCK_WORLD_ARRIVALS = 4096 };

/* A set as a scenario. Start as {0}; used again for any number of sets, so that it takes no new memory each time. */
struct lock_world {
    const struct grt_reference_lock *set;
    bool charged; /* the server's enqueueing costs epsilon whatever it does */
    int64_t normal[LOCK_WORLD_TASKS][GRT_REFERENCE_LOCK_SEGMENTS + 1]; /* how a task's normal work is cut */

    int64_t arrivals[LOCK_WORLD_TASKS][LOCK_WORLD_ARRIVALS]; /* ascending */
    int64_t delays[LOCK_WORLD_TASKS][LOCK_WORLD_ARRIVALS];   /* used where the task has jitter */
    size_t arrival_count[LOCK_WORLD_TASKS];

    struct grt_builder *builder; /* the scenario; lock_world_free frees it */
    const struct grt_policy_ops *policy;
    const void *parameters; /* of the policy */
    struct grt_lock_parameters lock;
    struct grt_server_parameters server;
    struct grt_command_spec commands[LOCK_WORLD_TASKS][GRT_REFERENCE_LOCK_SEGMENTS];

    int64_t response[LOCK_WORLD_TASKS]; /* what comes out of a run: the longest from arrival to end */
    bool all_ended;                     /* every job that arrived did */
};

/* Cuts normal work into equal parts, the first ones larger by one: as the player does where it is not told otherwise. */
void lock_world_cut_equally(struct lock_world *it, const struct grt_reference_lock *set);

/* Makes scenario and policy of the set, whose normal work has been cut. */
void lock_world_make(struct lock_world *it, const struct grt_reference_lock *set);

/* Simulates the arrivals until `horizon`; `shorter`: everything takes any time up to its longest. */
void lock_world_run(struct lock_world *it, int64_t horizon, bool shorter, uint64_t seed);

void lock_world_free(struct lock_world *it);

#endif
