/* The partitioned FIFO Multiprocessor Locking Protocol, FMLP+: a GPU goes to who asked for it first; who holds it is more urgent than all
 * tasks' normal execution, and among holders the one that asked first; who waits for it leaves its core.
 *
 * Source: B. B. Brandenburg, "Scheduling and Locking in Multiprocessor Real-Time Operating Systems", dissertation, The University of North
 * Carolina at Chapel Hill, 2011, section 6.3 (the FMLP+ for partitioned scheduling), with a GPU as the only resource of a segment. */
#include "policies/locks/lock.h"

static void request(void *state, struct grt_world *world, grt_job job) {
    lock_push(state, world, job, grt_policy_job(world, job)->requested);
}

/* Earlier requests are more urgent; priorities of tasks are within 2^53, times within 2^60. */
static int64_t urgency(const struct lock_policy *self, const struct grt_world *world, grt_job job) {
    (void)self;
    return (INT64_C(1) << 62) - grt_policy_job(world, job)->requested;
}

static void decide(void *state, struct grt_world *world) {
    lock_decide(state, world, urgency);
}

const struct grt_policy_ops grt_policy_fmlp = {
    .name = "fmlp+",
    .summary = "a lock per GPU, given to who asked first; its holder boosted",
    .state_size = sizeof(struct lock_policy),
    .parameters_size = sizeof(struct grt_lock_parameters),
    .parameters = &lock_fmlp_record,
    .host = GRT_HOST_BY_THREAD,
    .promise = LOCK_PROMISE(GRT_ORDER_REQUEST),
    .start = lock_start,
    .gpu_request = request,
    .gpu_withdrawn = lock_withdrawn,
    .gpu_done = lock_done,
    .job_ended = lock_job_ended,
    .timer = lock_timer,
    .decide = decide,
};
