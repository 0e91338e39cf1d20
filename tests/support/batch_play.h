/* A second way to know when the jobs of a batch are done: a small player of calls in queues, which shares nothing with gpurt's devices and policies.
 * Its only rules: calls stand in queues in the order in which the host makes them; the front of a queue goes on when all that was called before it in its
 * stream is complete, and then leaves: a wait once its event is complete, a record and a query at once, a copy once its engine is free, a
 * kernel once all its blocks have slots, which the kernel that was ready first takes first. (Source: S. Rennich, "CUDA C/C++ Streams and
 * Concurrency", 2011, as quoted by others.) */
#ifndef GRT_TESTS_SUPPORT_BATCH_PLAY_H
#define GRT_TESTS_SUPPORT_BATCH_PLAY_H

#include <stdbool.h>

#include "sim/time.h"

enum { GRT_PLAYED_JOBS = 4 };

/* In the order of the names of the policies. */
enum grt_played { GRT_PLAYED_TRADITIONAL, GRT_PLAYED_INTERLEAVE, GRT_PLAYED_CONCURRENT, GRT_PLAYED_ORDER };

/* One copy in, one kernel and one copy out each; the most urgent first. */
struct grt_played_batch {
    enum grt_played how;
    bool single;      /* one queue for kernels, one for every engine; else one for every stream */
    int copy_engines; /* 1: for both ways; 2 */
    int slots;        /* blocks that run at a time */
    /* of those that are ready at the same instant, the one that was called last goes first; else the one called first */
    bool last_first;
    grt_time issue, poll;
    int count;
    struct {
        grt_time in, block, out; /* ns */
        int blocks;
    } jobs[GRT_PLAYED_JOBS];
};

/* When each job is done, from the first call on. */
void grt_batch_play(const struct grt_played_batch *batch, grt_time done[GRT_PLAYED_JOBS]);

#endif
