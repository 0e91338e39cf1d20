/* First in, first out on the GPU: when the GPU falls idle, the segment that asked first goes next. */
#include "policies/one_at_a_time.h"

static void request(void *state, struct grt_world *world, grt_job job) {
    one_at_a_time_push(state, world, job, grt_policy_job(world, job)->requested);
}

const struct grt_policy_ops grt_policy_fifo = {
    .name = "fifo",
    .summary = "one GPU segment at a time, in the order of the requests",
    .state_size = sizeof(struct one_at_a_time),
    .memoryless = true,
    .promise = ONE_AT_A_TIME_PROMISE(GRT_ORDER_REQUEST),
    .start = one_at_a_time_start,
    .gpu_request = request,
    .gpu_withdrawn = one_at_a_time_withdrawn,
    .gpu_done = one_at_a_time_done,
    .decide = one_at_a_time_decide,
};
