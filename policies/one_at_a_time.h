/* The common part of policies that keep a GPU to one GPU segment at a time, whole, in one stream: they differ only in
 * which waiting segment goes next. */
#ifndef GRT_POLICIES_ONE_AT_A_TIME_H
#define GRT_POLICIES_ONE_AT_A_TIME_H

#include "models/policy.h"

/* One GPU's queue. */
struct one_at_a_time_gpu {
    struct grt_ready_queue waiting; /* the smallest key goes first */
    grt_stream stream;
    bool busy;
};

/* The state of such a policy. */
struct one_at_a_time {
    struct one_at_a_time_gpu *gpus;
    const struct grt_scenario *scenario;
};

/* What they promise; `by`: enum grt_promise_order. */
#define ONE_AT_A_TIME_PROMISE(by)                                                                            \
    { .gpu = GRT_PROMISE_ONE, .order = (by), .whole = true, .never_idle = true, .aborts_nothing = true }

/* Makes a queue and a stream per GPU. */
bool one_at_a_time_start(void *state, struct grt_world *world, struct grt_errors *errors);

/* Queues a job's request: the smallest key goes first, ties by the scenario's rule. */
void one_at_a_time_push(void *state, const struct grt_world *world, grt_job job, int64_t key);

/* The operations that need no key. */
void one_at_a_time_withdrawn(void *state, struct grt_world *world, grt_job job);
void one_at_a_time_done(void *state, struct grt_world *world, grt_job job);
void one_at_a_time_decide(void *state, struct grt_world *world);

#endif
