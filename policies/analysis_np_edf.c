/* Non-preemptive earliest deadline first, by demand.
 *
 * Source: K. Jeffay, D. F. Stanat, C. U. Martel, "On Non-Preemptive Scheduling of Periodic and Sporadic Tasks", RTSS 1991, theorems 3.2
 * and 4.1; L. George, N. Rivierre, M. Spuri, "Preemptive and Non-Preemptive Real-Time Uniprocessor Scheduling", INRIA research report
 * 2966, 1996, theorem for deadlines of any length.
 * Implements: U <= 1, and for all t >= the least D at which a deadline may be,
 *     sum of (floor((t - D_i) / T_i) + 1) C_i over D_i <= t  +  max of C_j - 1 over D_j > t  <=  t.
 * Symbols: C cost, T period, D deadline of struct request_stream.
 * Assumes: what requests_take checks, and deadlines that are met on the GPU (requests_refuse_cpu_after).
 * Deviates: 1. spans are searched downwards as by QPA (analysis_demand.h), once for every value of the blocking term, which is constant
 * between two deadlines D_j. 2. Release jitter and CPU segments ahead make demand come closer together: deadlines are counted from
 * the latest request. It is then sufficient only. 3. np-edf-continuous takes C_j in place of C_j - 1, which is for clocks without ticks. */
#include "policies/analysis_demand.h"

#include <inttypes.h>

/* Where the longest request that may block has to end by the deadline `after`, or has a later one. */
static size_t longest_after(const struct requests *requests, int64_t after) {
    size_t longest = REQUESTS_NO_STREAM;
    for (size_t i = 0; i < requests->count; i++) {
        const struct request_stream *stream = &requests->streams[i];
        if (stream->deadline > after &&
            (longest == REQUESTS_NO_STREAM || stream->cost > requests->streams[longest].cost)) {
            longest = i;
        }
    }
    return longest;
}

static void sort_by_deadline(struct request_stream *streams, size_t count) {
    for (size_t i = 1; i < count; i++) {
        struct request_stream moved = streams[i];
        size_t at = i;
        for (; at > 0 && streams[at - 1].deadline > moved.deadline; at--) {
            streams[at] = streams[at - 1];
        }
        streams[at] = moved;
    }
}

/* Spans from the longest to the shortest, in pieces between deadlines D: in each, the same requests may block. `tick`: how much of a
 * request has surely passed when those arrive that it blocks. */
static enum demand_search search(struct requests *requests, int64_t tick, int64_t *at) {
    struct request_stream *streams = requests->streams;
    int64_t to = demand_horizon(requests), blocking = 0;
    bool open = to == REQUESTS_HORIZON; /* where nothing blocks, there is no longest span */
    sort_by_deadline(streams, requests->count);
    for (size_t i = requests->count; i > 0; i--) {
        int64_t from = streams[i - 1].deadline, cost = streams[i - 1].cost;
        bool skip = open && i == requests->count;
        enum demand_search found = skip ? DEMAND_MET : demand_search(requests, from, to, blocking, at);
        if (found != DEMAND_MET) {
            return found;
        }
        to = from - 1; /* the horizon is for demand without blocking */
        blocking = cost - tick > blocking ? cost - tick : blocking;
    }
    enum demand_search found = demand_search(requests, 0, to, blocking, at);
    return found == DEMAND_MET && open ? DEMAND_TOO_LONG : found;
}

static void fail(const struct requests *requests, const struct grt_analysis_set *set,
                 struct grt_analysis_result *result, int64_t tick, int64_t at) {
    bool exact = requests->plain && tick > 0;
    size_t blocker = longest_after(requests, at);
    uint32_t failing = demand_task_at(requests, at);
    requests_wide sum = demand_in(requests->streams, requests->count, at);
    const char *blocked_by = "", *clause = "";
    if (blocker != REQUESTS_NO_STREAM && requests->streams[blocker].cost > tick) {
        sum += (uint64_t)(requests->streams[blocker].cost - tick);
        clause = ", the rest of a request of ";
        blocked_by = set->tasks[requests->streams[blocker].task].name;
    } else {
        blocker = REQUESTS_NO_STREAM;
    }
    grt_analysis_fail(result, exact ? GRT_VERDICT_UNSCHEDULABLE : GRT_VERDICT_UNKNOWN, failing,
                      "in a span of %" PRId64 " ns, jobs with deadlines in it%s%s ask for %" PRId64 " ns", at,
                      clause, blocked_by, requests_time(sum));
    if (exact) {
        requests_witness(requests, set, result, blocker, at);
    }
}

static void analyse(struct requests *requests, const struct grt_analysis_set *set,
                    struct grt_analysis_result *result, int64_t tick) {
    int64_t at = 0;
    for (size_t i = 0; i < requests->count; i++) {
        const struct request_stream *stream = &requests->streams[i];
        if (stream->deadline - stream->lag < stream->cost && !requests->plain) {
            grt_analysis_fail(result, GRT_VERDICT_UNKNOWN, stream->task,
                              "task %s has %" PRId64 " ns left for its GPU segment of %" PRId64 " ns",
                              set->tasks[stream->task].name, stream->deadline - stream->lag, stream->cost);
            return;
        }
    }
    switch (search(requests, tick, &at)) {
    case DEMAND_MET:
        result->verdict = GRT_VERDICT_SCHEDULABLE;
        break;
    case DEMAND_EXCEEDED:
        fail(requests, set, result, tick, at);
        break;
    case DEMAND_TOO_LONG:
        grt_analysis_fail(result, GRT_VERDICT_UNKNOWN, GRT_ANALYSIS_NO_TASK,
                          "the load is so close to one that there are too many spans to look at");
        break;
    }
}

static void run(const struct grt_analysis_set *set, struct grt_analysis_result *result, int64_t tick) {
    struct requests requests;
    if (!requests_take(&requests, set, result)) {
        return;
    }
    if (requests_load(requests.streams, requests.count) > 0) {
        requests_overload(&requests, set, result);
    } else if (!requests_refuse_cpu_after(&requests, set, result)) {
        analyse(&requests, set, result, tick);
    }
    requests_free(&requests);
}

static void run_exact(const struct grt_analysis_set *set, struct grt_analysis_result *result) {
    run(set, result, 1);
}

static void run_continuous(const struct grt_analysis_set *set, struct grt_analysis_result *result) {
    run(set, result, 0);
}

static const char *const policies[] = {"np-edf", NULL};

#define SOURCE                                                                                               \
    "K. Jeffay, D. F. Stanat, C. U. Martel, On Non-Preemptive Scheduling of Periodic and Sporadic Tasks, "   \
    "RTSS 1991; "                                                                                            \
    "L. George, N. Rivierre, M. Spuri, Preemptive and Non-Preemptive Real-Time Uniprocessor Scheduling, "    \
    "INRIA RR-2966, 1996"

const struct grt_analysis_ops grt_analysis_np_edf_exact = {
    .name = "np-edf-exact",
    .summary = "demand and blocking under non-preemptive EDF in every span, in whole nanoseconds",
    .source = SOURCE,
    .deviation =
        "spans are searched downwards as by QPA; with release jitter or CPU segments it is sufficient only",
    .policies = policies,
    .exact = true,
    .run = run_exact,
};

const struct grt_analysis_ops grt_analysis_np_edf_continuous = {
    .name = "np-edf-continuous",
    .summary = "the same for clocks without ticks: sufficient, a nanosecond of blocking stricter",
    .source = SOURCE,
    .deviation = "the whole blocking request counts, where releases come any time after its start",
    .policies = policies,
    .run = run_continuous,
};
