/* How long a sweep may still take. */
#ifndef GRT_STUDY_SWEEP_TIME_LEFT_H
#define GRT_STUDY_SWEEP_TIME_LEFT_H

#include "study/sweep/sweep.h"

/* What is remembered of the run; starts as zeros. */
struct grt_time_left {
    bool started;
    struct {
        double seconds;
        uint64_t done;
    } from, next; /* the rate is that since `from`, which becomes `next` as time goes on */
};

/* The seconds that are left, from the rate of chunks in the last third to two thirds of this run, since points take unequally long: 0 where all is done; else at least 1.
 * Where no chunk came in that time, as if one came now. Below 0: nothing is known yet, since this run has done no chunk. Call it with growing progress. */
double grt_time_left(struct grt_time_left *state, const struct grt_sweep_progress *progress);

#endif
