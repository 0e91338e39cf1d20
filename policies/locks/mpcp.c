/* The Multiprocessor Priority Ceiling Protocol: a GPU is a resource that tasks of several cores share. It goes to the most urgent task
 * that waits for it; who holds it is more urgent than all tasks' normal execution; who waits for it leaves its core.
 *
 * Source: R. Rajkumar, "Real-Time Synchronization Protocols for Shared Memory Multiprocessors", ICDCS 1990; as H. Kim, P. Patel, S. Wang, R.
 * Rajkumar, "A Server-based Approach for Predictable GPU Access Control", RTCSA 2017, section IV.A, uses it for a GPU.
 * Deviates: a GPU that only tasks of one core use is treated like the others, not by the priority ceiling protocol of one processor; the
 * holder is as urgent as its task then, above all tasks. */
#include "policies/locks/lock.h"

static void request(void *state, struct grt_world *world, grt_job job) {
    lock_push(state, world, job, -grt_policy_job(world, job)->priority);
}

/* The global ceiling. */
static int64_t urgency(const struct lock_policy *self, const struct grt_world *world, grt_job job) {
    const struct grt_job_view *view = grt_policy_job(world, job);
    bool own = self->given->boost == GRT_LOCK_BOOST_OWN;
    return self->base + (own ? view->priority : self->ceilings[view->task]);
}

static void decide(void *state, struct grt_world *world) {
    lock_decide(state, world, urgency);
}

static void describe(const void *state, const struct grt_world *world, struct grt_description *out) {
    const struct lock_policy *self = state;
    (void)world;
    for (uint32_t i = 0; i < self->scenario->task_count; i++) {
        if (grt_task_uses_gpu(&self->scenario->tasks[i])) {
            const struct grt_task *task = &self->scenario->tasks[i];
            bool own = self->given->boost == GRT_LOCK_BOOST_OWN;
            grt_describe_number(out, "boosted_priority", (uint32_t)task->gpu, i,
                                self->base + (own ? task->priority : self->ceilings[i]));
        }
    }
}

const struct grt_policy_ops grt_policy_mpcp = {
    .name = "mpcp",
    .summary = "a lock per GPU, given to the highest priority; its holder boosted",
    .state_size = sizeof(struct lock_policy),
    .parameters_size = sizeof(struct grt_lock_parameters),
    .parameters = &lock_mpcp_record,
    .host = GRT_HOST_BY_THREAD,
    .promise = LOCK_PROMISE(GRT_ORDER_PRIORITY),
    .start = lock_start,
    .describe = describe,
    .gpu_request = request,
    .gpu_withdrawn = lock_withdrawn,
    .gpu_done = lock_done,
    .job_ended = lock_job_ended,
    .timer = lock_timer,
    .decide = decide,
};
