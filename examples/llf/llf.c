/* Least laxity first, a policy outside gpurt with an analysis of its own. A GPU executes one segment at a time, whole; a free GPU goes to the
 * job that can wait the least: the one whose laxity, deadline - now - time left, is the smallest. `now` is the same for all who wait, so
 * that the order is that of deadline - time left, the instant by which a job has to begin.
 *
 * Source: A. K. Mok, "Fundamental Design Problems of Distributed Systems for the Hard-Real-Time Environment", PhD thesis, MIT, 1983.
 * Deviates: jobs are not preempted. */
#include "models/plugin.h"

struct llf {
    grt_stream *streams;             /* of each GPU */
    struct grt_ready_queue *waiting; /* the same */
    grt_job *running;                /* the same; GRT_NO_JOB: it is free */
};

static uint32_t gpu_of(const struct grt_world *world, grt_job job) {
    return (uint32_t)grt_policy_scenario(world)->tasks[grt_policy_job(world, job)->task].gpu;
}

static bool start(void *state, struct grt_world *world, struct grt_errors *errors) {
    struct llf *llf = state;
    const struct grt_scenario *scenario = grt_policy_scenario(world);
    (void)errors; /* every scenario suits it */
    llf->streams = grt_policy_memory(world, scenario->gpu_count, sizeof *llf->streams);
    llf->waiting = grt_policy_memory(world, scenario->gpu_count, sizeof *llf->waiting);
    llf->running = grt_policy_memory(world, scenario->gpu_count, sizeof *llf->running);
    for (uint32_t gpu = 0; gpu < scenario->gpu_count; gpu++) {
        llf->streams[gpu] = grt_policy_stream(world, gpu, 0, "llf");
        llf->waiting[gpu] = grt_policy_ready_queue(world, (uint32_t)scenario->task_count);
        llf->running[gpu] = GRT_NO_JOB;
    }
    return true;
}

static void gpu_request(void *state, struct grt_world *world, grt_job job) {
    struct llf *llf = state;
    const struct grt_job_view *view = grt_policy_job(world, job);
    grt_time left = grt_policy_time_left(world, job);
    bool known = view->deadline != GRT_TIME_NEVER && left != GRT_TIME_NEVER;
    grt_ready_queue_push(&llf->waiting[gpu_of(world, job)], known ? view->deadline - left : GRT_TIME_NEVER,
                         view->tie, job);
}

static void gpu_withdrawn(void *state, struct grt_world *world, grt_job job) {
    grt_ready_queue_remove(&((struct llf *)state)->waiting[gpu_of(world, job)], job);
}

static void gpu_done(void *state, struct grt_world *world, grt_job job) {
    ((struct llf *)state)->running[gpu_of(world, job)] = GRT_NO_JOB;
}

static void decide(void *state, struct grt_world *world) {
    struct llf *llf = state;
    for (uint32_t gpu = 0; gpu < grt_policy_scenario(world)->gpu_count; gpu++) {
        if (llf->running[gpu] == GRT_NO_JOB && !grt_ready_queue_is_empty(&llf->waiting[gpu])) {
            llf->running[gpu] = grt_ready_queue_pop(&llf->waiting[gpu]);
            grt_policy_submit(world, llf->running[gpu], llf->streams[gpu]);
        }
    }
}

static const struct grt_policy_ops policy = {
    .name = "llf",
    .summary = "a segment at a time on each GPU, that of the job with the least laxity",
    .state_size = sizeof(struct llf),
    .promise = {.gpu = GRT_PROMISE_ONE, .whole = true, .never_idle = true, .aborts_nothing = true},
    .start = start,
    .gpu_request = gpu_request,
    .gpu_withdrawn = gpu_withdrawn,
    .gpu_done = gpu_done,
    .decide = decide,
};

GRT_PLUGIN(policy);
