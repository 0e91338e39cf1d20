/* MPCP, FMLP+ and the GPU server played tick by tick, from their rules alone: shares nothing with the simulator, its policies or the analyses. */
#ifndef GRT_TESTS_SUPPORT_LOCK_PLAY_H
#define GRT_TESTS_SUPPORT_LOCK_PLAY_H

#include "sim/random.h"
#include "tests/support/reference_lock.h"

enum { LOCK_PLAY_CORES = 8, LOCK_PLAY_ARRIVALS = 256 };

/* How a set is played. */
struct lock_play {
    /* protocol, costs, suspends, boosts_own, server_core, epsilon, tasks */
    const struct grt_reference_lock *set;
    bool charged;    /* the server's enqueueing costs epsilon whatever it does */
    int64_t horizon; /* jobs come before it */
    bool shorter;    /* jobs take any time up to their longest */
    int64_t arrivals[GRT_REFERENCE_LOCK_TASKS][LOCK_PLAY_ARRIVALS]; /* ascending, a period apart or more */
    int64_t delays[GRT_REFERENCE_LOCK_TASKS][LOCK_PLAY_ARRIVALS];   /* up to the jitter */
    int arrival_count[GRT_REFERENCE_LOCK_TASKS];

    /* of a task's normal work, what comes before its first request; 0: an equal part */
    int64_t first_normal[GRT_REFERENCE_LOCK_TASKS];

    int64_t response[GRT_REFERENCE_LOCK_TASKS]; /* what comes out: the longest from arrival to end */
};

/* Draws arrivals: all from 0 on, or from anywhere, at their densest or sparser. */
void lock_play_draw(struct lock_play *play, struct grt_random *random);

/* Plays until all jobs that came before the horizon have ended; a job waits for its task's last one. */
void lock_play_run(struct lock_play *play, struct grt_random *random);

#endif
