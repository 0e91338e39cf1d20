/* The common part of locking protocols: a GPU is a critical section. A job's thread takes the lock of its GPU, executes the whole GPU segment
 * while it holds it, at a raised priority, and gives it back; who has to wait for it leaves the core. There is a lock for every GPU. The
 * protocols differ in who is next and in how urgent a holder is. */
#ifndef GRT_POLICIES_LOCKS_LOCK_H
#define GRT_POLICIES_LOCKS_LOCK_H

#include "models/policy.h"
#include "policies/locks/parameters.h"

extern const struct grt_record lock_mpcp_record, lock_fmlp_record;

#define LOCK_PROMISE(by)                                                                                     \
    { .gpu = GRT_PROMISE_LOCK, .order = (by), .whole = true }

/* The lock of a GPU. */
struct lock_gpu {
    struct grt_ready_queue waiting; /* the smallest key is next */
    grt_stream stream;
    grt_job holder;   /* GRT_NO_JOB: it is free */
    grt_job released; /* gave it back, and is still boosted; GRT_NO_JOB: nobody */
    grt_time since;   /* the holder has it */
    bool cut;         /* its budget is used up */
    uint32_t timer, row, boost_row;
};

struct lock_policy {
    const struct grt_lock_parameters *given;
    const struct grt_scenario *scenario;
    struct lock_gpu *gpus;
    int64_t base;        /* added to a task's priority it is above all tasks */
    int64_t *ceilings;   /* by task: the priority of the most urgent task of another core that uses its GPU */
    uint32_t *labels[2]; /* by task: "T holds", "T boosted" */
    uint32_t requests, waits, cuts; /* counters */
};

/* Operations that the protocols share. lock_push queues a request: the smallest key is next, ties by the scenario's rule. */
bool lock_start(void *state, struct grt_world *world, struct grt_errors *errors);
void lock_push(void *state, struct grt_world *world, grt_job job, int64_t key);
void lock_withdrawn(void *state, struct grt_world *world, grt_job job);
void lock_done(void *state, struct grt_world *world, grt_job job);
void lock_job_ended(void *state, struct grt_world *world, grt_job job);
void lock_timer(void *state, struct grt_world *world, uint32_t timer);

/* Gives back, cuts and grants. `urgency`: the priority of a job that holds the lock, above all tasks' priorities. */
void lock_decide(struct lock_policy *self, struct grt_world *world,
                 int64_t (*urgency)(const struct lock_policy *self, const struct grt_world *world,
                                    grt_job job));

#endif
