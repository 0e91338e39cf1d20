/* `wamp2s` a second time, from what it hears: which segments asked for the GPU and which ended, when. It keeps a record of every interval, as the paper
 * has it, adds them up anew each time, searches shares one by one, and shares with the policy only the contention model and the times of kernels by their
 * share. For tasks of one GPU segment, of one kernel and copies in front of it. */
#ifndef GRT_TESTS_SUPPORT_REFERENCE_WAMP2S_H
#define GRT_TESTS_SUPPORT_REFERENCE_WAMP2S_H

#include "models/task.h"
#include "policies/shares/parameters.h"

enum { REFERENCE_TASKS = 8, REFERENCE_INTERVALS = 512 };

/* A segment asked for the GPU, or is rid of it. */
struct reference_event {
    grt_time at;
    uint32_t task;
    bool asks;
    grt_time deadline; /* of the job; GRT_TIME_NEVER */
};

/* The share of a task changed. */
struct reference_change {
    grt_time at;
    uint32_t task;
    int64_t share;
};

/* All changes by `events`, which are sorted by time, ends first; `changes` has room for `most`. Returns how many. *edge becomes true where a share is
 * decided by less than the last digits of what is compared; then the changes from there on mean nothing. */
size_t reference_wamp2s(const struct grt_scenario *scenario, const struct wamp2s_parameters *given,
                        const struct reference_event *events, size_t count, grt_time end,
                        struct reference_change *changes, size_t most, bool *edge);

#endif
