/* Non-preemptive fixed priorities on the GPU: when the GPU falls idle, the waiting segment of the task with the highest
 * priority goes next.
 *
 * Source: R. I. Davis, A. Burns, R. J. Bril, J. J. Lukkien, "Controller Area Network (CAN) Schedulability Analysis:
 * Refuted, Revisited and Revised", Real-Time Systems 35, 2007: the same rule on a bus, applied to whole GPU segments. */
#include "policies/one_at_a_time.h"

static void request(void *state, struct grt_world *world, grt_job job) {
    one_at_a_time_push(state, world, job, -grt_policy_job(world, job)->priority);
}

const struct grt_policy_ops grt_policy_np_fp = {
    .name = "np-fp",
    .summary = "one GPU segment at a time, highest task priority first",
    .state_size = sizeof(struct one_at_a_time),
    .memoryless = true,
    .promise = ONE_AT_A_TIME_PROMISE(GRT_ORDER_PRIORITY),
    .start = one_at_a_time_start,
    .gpu_request = request,
    .gpu_withdrawn = one_at_a_time_withdrawn,
    .gpu_done = one_at_a_time_done,
    .decide = one_at_a_time_decide,
};
