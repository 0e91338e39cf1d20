/* Response times under preemptive fixed priorities of tasks that suspend themselves: their GPU segments are what they execute, their CPU
 * segments what they wait for meanwhile. No policy of gpurt preempts a GPU: it is for comparison.
 *
 * Source: J.-J. Chen, G. Nelissen, W.-H. Huang, M. Yang, B. Brandenburg, K. Bletsas, C. Liu, P. Richard, F. Ridouard, N. Audsley, R. Rajkumar,
 * D. de Niz, G. von der Brueggen, "Many suspensions, many problems: a review of self-suspending tasks in real-time systems", Real-Time
 * Systems 55, 2019, sections on suspension-oblivious analysis and on suspension as release jitter.
 * Implements: R_i = J_i + the least w of the two, with C, J, T as in struct request_stream and S the suspension,
 *     w = C_i + S_i + sum over hp of ceil((w + R_h - C_h) / T_h) C_h       suspension is jitter
 *     w = C_i + S_i + sum over hp of ceil((w + J_h) / T_h) (C_h + S_h)     suspension is execution
 * where R_h, from the arrival, is h's own least bound. (S_h as jitter instead of R_h - C_h is wrong, as the survey shows.)
 * Assumes: what requests_take_suspending checks; that each task's bound is at most its period and deadline, or nothing is said.
 * Deviates: a task of the same priority counts as a higher one, with the least of period and deadline for its R_h. */
#include "policies/analyses/requests.h"

/* Up to which response a task is known to have no two jobs at a time, and no late one. */
static int64_t limit_of(const struct request_stream *stream) {
    return stream->deadline < stream->period ? stream->deadline : stream->period;
}

enum form { SUSPENSION_IS_JITTER, SUSPENSION_IS_EXECUTION };

/* The response of the task at `self` with those at [0, same) and the others at [same, end) before it; GRT_ANALYSIS_NEVER above the
 * limit. */
static int64_t respond(struct requests *requests, const struct grt_analysis_result *result, size_t self,
                       size_t same, size_t end, enum form form) {
    const struct request_stream *streams = requests->streams, *task = &streams[self];
    int64_t limit = limit_of(task) - task->jitter, w = task->cost + task->suspension;
    while (w <= limit && requests_step(requests, end)) {
        requests_wide sum = (uint64_t)task->cost + (uint64_t)task->suspension;
        for (size_t i = 0; i < end; i++) {
            const struct request_stream *other = &streams[i];
            int64_t response = i < same ? result->response[other->task] : limit_of(other);
            int64_t jitter = form == SUSPENSION_IS_EXECUTION ? other->jitter
                             : response > other->cost        ? response - other->cost
                                                             : 0;
            int64_t cost = other->cost + (form == SUSPENSION_IS_EXECUTION ? other->suspension : 0);
            uint64_t jobs = requests_periods(other, w - 1 + jitter) + 1;
            sum += i == self ? 0 : (requests_wide)jobs * (uint64_t)cost;
        }
        int64_t next = requests_time(sum);
        if (next <= w) {
            return task->jitter + w;
        }
        w = next;
    }
    return GRT_ANALYSIS_NEVER;
}

static bool bounds_task(struct requests *requests, const struct grt_analysis_set *set,
                        struct grt_analysis_result *result, size_t self, size_t same, size_t end) {
    const struct request_stream *task = &requests->streams[self];
    int64_t jitter = respond(requests, result, self, same, end, SUSPENSION_IS_JITTER);
    int64_t execution = respond(requests, result, self, same, end, SUSPENSION_IS_EXECUTION);
    result->response[task->task] = jitter < execution ? jitter : execution;
    if (result->response[task->task] < GRT_ANALYSIS_NEVER) {
        return true;
    }
    grt_analysis_fail(result, GRT_VERDICT_UNKNOWN, task->task,
                      "no response within period and deadline is proven for task %s",
                      set->tasks[task->task].name);
    return false;
}

/* From high to low, up to the first that has no bound: those of lower ones would depend on it. */
static void analyse(struct requests *requests, const struct grt_analysis_set *set,
                    struct grt_analysis_result *result) {
    struct request_stream *streams = requests->streams;
    for (size_t i = 0; i < requests->count; i++) {
        streams[i].key = -set->tasks[streams[i].task].priority;
    }
    requests_sort(requests);
    for (size_t same = 0, end = 0; same < requests->count; same = end) {
        while (end < requests->count && streams[end].key == streams[same].key) {
            end++;
        }
        for (size_t i = same; i < end; i++) {
            if (!bounds_task(requests, set, result, i, same, end)) {
                return;
            }
        }
    }
    result->verdict = GRT_VERDICT_SCHEDULABLE;
}

static void run(const struct grt_analysis_set *set, struct grt_analysis_result *result) {
    struct requests requests;
    if (!requests_take_suspending(&requests, set, result)) {
        return;
    }
    if (requests_load(requests.streams, requests.count) > 0) {
        requests_overload(&requests, set, result);
    } else {
        analyse(&requests, set, result);
    }
    requests_free(&requests);
}

static const char *const policies[] = {NULL};

static const char *const values[] = {"first_miss_by", NULL};

const struct grt_analysis_ops grt_analysis_fp_suspension = {
    .name = "fp-suspension",
    .summary = "response times under preemptive fixed priorities, CPU segments being self-suspension",
    .source = "J.-J. Chen and others, Many suspensions, many problems: a review of self-suspending tasks in "
              "real-time systems, "
              "Real-Time Systems 55, 2019",
    .deviation = "the less of two bounds for each task: suspension as release jitter R - C, and as execution",
    .policies = policies,
    .bounds = true,
    .covers = REQUESTS_COVERED | GRT_COVERS_SEVERAL_SEGMENTS,
    .values = values,
    .audsley_objection = "goes by the bounds of higher tasks, which depend on the order of these",
    .run = run,
};
