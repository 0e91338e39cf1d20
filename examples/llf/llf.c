/* Least laxity first (A. K. Mok, PhD thesis, MIT, 1983), but never preempting, as a policy outside gpurt with an analysis. A free GPU goes to the
 * job that can wait the least: whose laxity, deadline - now - time left, or rather latest start, deadline - time left, is the smallest. */
#include "models/plugin.h"

struct gpu {
    grt_stream stream;
    struct grt_ready_queue waiting;
    bool busy;
};

static struct gpu *gpu_of(void *state, const struct grt_world *world, grt_job job) {
    return (struct gpu *)state + grt_policy_scenario(world)->tasks[grt_policy_job(world, job)->task].gpu;
}

static bool start(void *state, struct grt_world *world, struct grt_errors *errors) {
    struct gpu *gpus = state;
    for (uint32_t i = 0; i < grt_policy_scenario(world)->gpu_count; i++) {
        gpus[i].stream = grt_policy_stream(world, i, 0, "llf");
        gpus[i].waiting = grt_policy_ready_queue(world, (uint32_t)grt_policy_scenario(world)->task_count);
    }
    (void)errors; /* every scenario suits it */
    return true;
}

static void gpu_request(void *state, struct grt_world *world, grt_job job) {
    const struct grt_job_view *view = grt_policy_job(world, job);
    grt_time left = grt_policy_time_left(world, job), known = left != GRT_TIME_NEVER ? left : 0;
    grt_ready_queue_push(&gpu_of(state, world, job)->waiting, view->deadline - known, view->tie, job);
}

static void gpu_withdrawn(void *state, struct grt_world *world, grt_job job) {
    grt_ready_queue_remove(&gpu_of(state, world, job)->waiting, job);
}

static void gpu_done(void *state, struct grt_world *world, grt_job job) {
    gpu_of(state, world, job)->busy = false;
}

static void decide(void *state, struct grt_world *world) {
    for (struct gpu *gpu = state, *end = gpu + grt_policy_scenario(world)->gpu_count; gpu < end; gpu++) {
        if (!gpu->busy && !grt_ready_queue_is_empty(&gpu->waiting)) {
            gpu->busy = true;
            grt_policy_submit(world, grt_ready_queue_pop(&gpu->waiting), gpu->stream);
        }
    }
}

/* Tasks ask for C of the GPU at least T apart, and have to begin within S = D - C. Suppose that a job has not begun at its latest start k. Let t be the
 * earliest instant from which on until k there is always a job that is not done and whose latest start is at most k. From t to k the GPU is never idle,
 * and executes at most C - 1 ns of a job that began before t, whose S is above x = k - t, and jobs that came since and whose latest start is at most k:
 * of each task with S <= x at most floor((x - S) / T) + 1, but not the one that has not begun. So no job is late if these come to no more than x, for
 * every x below the longest span L in which the GPU is never idle, the least with L = sum of ceil(L / T) C; they change at each S + k T only.
 * (One function, as the proof is one: NOLINTNEXTLINE(readability-function-cognitive-complexity).) */
static void analyse(const struct grt_analysis_set *set, struct grt_analysis_result *result) {
    int64_t most = set->most_steps > 0 ? set->most_steps : GRT_ANALYSIS_STEPS, span = 0, next = 1;
    while (next != span && next != GRT_ANALYSIS_NEVER && result->steps < most) {
        span = next, next = 0;
        for (const struct grt_analysis_task *task = set->tasks; task < set->tasks + set->count; task++) {
            int64_t jobs = task->segments->on_gpu ? (span - 1) / task->period + 1 : 0;
            int64_t work = jobs > 0 ? grt_span_product(task->segments->longest, jobs) : GRT_ANALYSIS_NEVER;
            next = grt_span_sum(next, work), result->steps++;
        }
    }
    bool good = next == span;
    for (const struct grt_analysis_task *own = set->tasks; own < set->tasks + set->count && good; own++) {
        for (int64_t x = own->deadline - own->segments->longest; x < span && good; x += own->period) {
            int64_t work = 0, least = INT64_MAX, blocking = 0;
            for (size_t j = 0; j < set->count; j++, result->steps++) {
                int64_t cost = set->tasks[j].segments->longest, latest = set->tasks[j].deadline - cost;
                work += latest <= x ? ((x - latest) / set->tasks[j].period + 1) * cost : 0;
                least = latest <= x && cost < least ? cost : least;
                blocking = latest > x && cost - 1 > blocking ? cost - 1 : blocking;
            }
            good = work - least + blocking <= x && result->steps < most;
        }
        result->response[own - set->tasks] = own->deadline < span ? own->deadline : span;
    }
    result->verdict = good ? GRT_VERDICT_SCHEDULABLE : GRT_VERDICT_UNKNOWN;
}

static const struct grt_analysis_ops latest_start = {.name = "llf-latest-start",
                                                     .summary = "no job begins later than it may",
                                                     .source = "proven in examples/llf/llf.c",
                                                     .bounds = true,
                                                     .covers = GRT_COVERS_LATE_DEADLINES,
                                                     .run = analyse};

static const struct grt_policy_ops llf = {
    .name = "llf",
    .summary = "a segment at a time on each GPU, that of the job with the least laxity",
    .state_size = GRT_MAX_GPUS * sizeof(struct gpu),
    .analyses = (const struct grt_analysis_ops *const[]){&latest_start, NULL},
    .promise = {.gpu = GRT_PROMISE_ONE, .whole = true, .never_idle = true, .aborts_nothing = true},
    .start = start,
    .gpu_request = gpu_request,
    .gpu_withdrawn = gpu_withdrawn,
    .gpu_done = gpu_done,
    .decide = decide};
GRT_PLUGIN(llf);
