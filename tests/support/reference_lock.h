/* A reference for the analyses of locks and of the GPU server: the equations as the papers and docs/locks.md print them, segment by segment,
 * every span tried one tick after the other, arrivals counted one by one. For sets of small numbers. */
#ifndef GRT_TESTS_SUPPORT_REFERENCE_LOCK_H
#define GRT_TESTS_SUPPORT_REFERENCE_LOCK_H

#include <stdbool.h>
#include <stdint.h>

enum { GRT_REFERENCE_LOCK_TASKS = 20, GRT_REFERENCE_LOCK_SEGMENTS = 4 };

struct grt_reference_lock_task {
    int64_t normal, period, deadline, jitter, priority, core, gpu;
    int segments;
    int64_t before[GRT_REFERENCE_LOCK_SEGMENTS], device[GRT_REFERENCE_LOCK_SEGMENTS],
        after[GRT_REFERENCE_LOCK_SEGMENTS];
    bool asynchronous;
};

enum grt_reference_protocol { GRT_REFERENCE_MPCP, GRT_REFERENCE_FMLP, GRT_REFERENCE_SERVER };

struct grt_reference_lock {
    enum grt_reference_protocol protocol;
    int64_t context_switch, wake_up;
    bool suspends, boosts_own;                        /* locks */
    bool by_request, by_job;                          /* which bounds on waits count */
    bool jitter_of_all, jitter_deadline, jitter_wait; /* else W - E of those that suspend */
    bool one_more;
    bool hold_local_higher, hold_local, hold_any_core; /* MPCP: W' of the literature */
    bool every_boost;                                  /* MPCP */
    bool once;                                         /* FMLP+ */
    int64_t server_core, epsilon;
    bool repaired, server_deadline;

    struct grt_reference_lock_task tasks[GRT_REFERENCE_LOCK_TASKS];
    int count;

    int64_t response[GRT_REFERENCE_LOCK_TASKS]; /* what comes out; -1: none */
    int64_t wait[GRT_REFERENCE_LOCK_TASKS];
};

/* Whether all tasks have a bound. */
bool grt_reference_lock(struct grt_reference_lock *it);

#endif
