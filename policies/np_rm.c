/* Non-preemptive rate monotonic on the GPU: when the GPU falls idle, the waiting segment whose task has the shortest
 * period goes next; the task priorities of the scenario play no part.
 *
 * Source: C. L. Liu, J. W. Layland, "Scheduling Algorithms for Multiprogramming in a Hard-Real-Time Environment", JACM
 * 1973, for the priorities, applied to whole GPU segments. Sporadic tasks count with their smallest gap, Poisson tasks
 * with their mean gap, tasks without a period with their relative deadline. */
#include "policies/one_at_a_time.h"

static grt_time rate_key(const struct grt_world *world, grt_job job) {
    const struct grt_task *task = &grt_policy_scenario(world)->tasks[grt_policy_job(world, job)->task];
    return task->period > 0 ? task->period : task->deadline;
}

static void request(void *state, struct grt_world *world, grt_job job) {
    one_at_a_time_push(state, world, job, rate_key(world, job));
}

static bool outranks(const void *state, const struct grt_world *world, grt_job a, grt_job b) {
    (void)state;
    return rate_key(world, a) < rate_key(world, b);
}

const struct grt_policy_ops grt_policy_np_rm = {
    .name = "np-rm",
    .summary = "one GPU segment at a time, shortest period first",
    .state_size = sizeof(struct one_at_a_time),
    .memoryless = true,
    .promise = ONE_AT_A_TIME_PROMISE(GRT_ORDER_PERIOD),
    .start = one_at_a_time_start,
    .gpu_request = request,
    .gpu_withdrawn = one_at_a_time_withdrawn,
    .gpu_done = one_at_a_time_done,
    .outranks = outranks,
    .decide = one_at_a_time_decide,
};
