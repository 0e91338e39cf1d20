/* Non-preemptive earliest deadline first on the GPU.
 *
 * Source: K. Jeffay, D. F. Stanat, C. U. Martel, "On Non-Preemptive Scheduling of Periodic and Sporadic Tasks", RTSS
 * 1991, applied to whole GPU segments: when the GPU falls idle, the waiting segment whose job has the earliest
 * absolute deadline goes next. */
#include "policies/one_at_a_time.h"

static void request(void *state, struct grt_world *world, grt_job job) {
    one_at_a_time_push(state, world, job, grt_policy_job(world, job)->deadline);
}

static bool outranks(const void *state, const struct grt_world *world, grt_job a, grt_job b) {
    (void)state;
    return grt_policy_job(world, a)->deadline < grt_policy_job(world, b)->deadline;
}

const struct grt_policy_ops grt_policy_np_edf = {
    .name = "np-edf",
    .summary = "one GPU segment at a time, earliest absolute deadline first",
    .state_size = sizeof(struct one_at_a_time),
    .memoryless = true,
    .promise = ONE_AT_A_TIME_PROMISE(GRT_ORDER_DEADLINE),
    .start = one_at_a_time_start,
    .gpu_request = request,
    .gpu_withdrawn = one_at_a_time_withdrawn,
    .gpu_done = one_at_a_time_done,
    .outranks = outranks,
    .decide = one_at_a_time_decide,
};
