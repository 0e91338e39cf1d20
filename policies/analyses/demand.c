#include "policies/analyses/demand.h"

#include <inttypes.h>

/* ---- demand ---- */

/* The least t in which a request and its deadline fit. */
static inline int64_t first_step(const struct request_stream *stream) {
    return stream->deadline - stream->lag;
}

/* A span of t has floor((t - D + J) / T) + 1 clocks that count; J - lag of it is what clocks of their own jitter are denser. */
static inline int64_t first_clock(const struct request_stream *stream) {
    return stream->deadline - stream->jitter;
}

/* The most time that requests made within t >= 0 ns, of jobs whose deadlines are within them, too, ask for. */
static requests_wide demand_in(const struct request_stream *streams, size_t count, int64_t t) {
    requests_wide sum = 0;
    for (size_t i = 0; i < count; i++) {
        const struct request_stream *stream = &streams[i];
        if (t >= first_step(stream)) {
            uint64_t jobs = requests_periods(stream, t - first_clock(stream)) + 1;
            sum += (requests_wide)jobs * (uint64_t)stream->cost;
        }
    }
    return sum;
}

static int64_t last_step_of(const struct request_stream *stream, int64_t most) {
    if (most < first_step(stream)) {
        return -1;
    }
    int64_t step = most - (most - first_clock(stream)) % stream->period;
    return step > first_step(stream) ? step : first_step(stream);
}

/* The largest t at most `most` at which the demand steps up; below 0: there is none. */
static int64_t last_step(const struct request_stream *streams, size_t count, int64_t most) {
    int64_t last = -1;
    for (size_t i = 0; i < count; i++) {
        int64_t step = last_step_of(&streams[i], most);
        last = step > last ? step : last;
    }
    return last;
}

/* A task with a deadline at step t. */
static uint32_t task_at(const struct requests *requests, int64_t t) {
    for (size_t i = 0; i < requests->count; i++) {
        if (last_step_of(&requests->streams[i], t) == t) {
            return requests->streams[i].task;
        }
    }
    return GRT_ANALYSIS_NO_TASK;
}

/* A stream's demand is at most (t + T - D + J) C / T, or t C / T where T + J < D. In units of 2^-32, rounded up. */
static int64_t load_horizon(const struct requests *requests) {
    requests_wide above = 0, load = 0, one = (requests_wide)1 << 32;
    for (size_t i = 0; i < requests->count; i++) {
        const struct request_stream *stream = &requests->streams[i];
        uint64_t period = (uint64_t)stream->period;
        requests_wide share = ((requests_wide)(uint64_t)stream->cost << 32) / period + 1;
        int64_t early = stream->period - first_clock(stream);
        load += share;
        above += early > 0 ? share * (uint64_t)early : 0;
    }
    return load < one ? requests_time(above / (one - load) + 1) : REQUESTS_HORIZON;
}

/* From where on spans need not be looked at; REQUESTS_HORIZON: this was not found. */
static int64_t horizon_of(struct requests *requests) {
    int64_t most = load_horizon(requests), busy = 1;
    if (!requests_end(requests->streams, requests->count)) {
        return REQUESTS_HORIZON;
    }
    size_t tries = most < REQUESTS_HORIZON ? 10000 : SIZE_MAX; /* of steps that are not worth it, then */
    for (size_t i = 0; i < tries && requests_step(requests, requests->count); i++) {
        int64_t next = requests_time(requests_in(requests->streams, requests->count, busy - 1));
        if (next >= most || next <= busy) {
            return next < most ? next : most;
        }
        busy = next;
    }
    return most;
}

enum search_result { SEARCH_MET, SEARCH_EXCEEDED, SEARCH_TOO_LONG };

/* Whether demand + blocking <= t for all steps t in [from, to], from >= 0. Where not, `at` is one for which it is not.
 *
 * Downwards as QPA: if demand + blocking = h < t, then it is at most h < t' for all t' in (h, t), so that h is the next to look at. */
static enum search_result search_piece(struct requests *requests, int64_t from, int64_t to, int64_t blocking,
                                       int64_t *at) {
    const struct request_stream *streams = requests->streams;
    size_t count = requests->count;
    requests_step(requests, count);
    int64_t t = last_step(streams, count, to);
    while (t >= from) {
        if (!requests_step(requests, count)) {
            return SEARCH_TOO_LONG;
        }
        int64_t asked = requests_time(demand_in(streams, count, t) + (uint64_t)blocking);
        if (asked > t) {
            *at = last_step(streams, count, t);
            return SEARCH_EXCEEDED;
        }
        t = asked < t ? asked : last_step(streams, count, t - 1);
    }
    return SEARCH_MET;
}

/* ---- analyses ---- */

/* The longest request with a deadline after that one. */
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

/* Spans from the longest to the shortest, in pieces between deadlines D: in each, the same requests may block. */
static enum search_result search(struct requests *requests, int64_t tick, int64_t *at) {
    struct request_stream *streams = requests->streams;
    int64_t to = horizon_of(requests), blocking = 0;
    bool open = to == REQUESTS_HORIZON; /* where nothing blocks, there is no longest span */
    if (tick == DEMAND_PREEMPTIVE) {
        return open ? SEARCH_TOO_LONG : search_piece(requests, 0, to, 0, at);
    }
    for (size_t i = 0; i < requests->count; i++) {
        streams[i].key = streams[i].deadline;
    }
    requests_sort(requests);
    for (size_t i = requests->count; i > 0; i--) {
        int64_t from = streams[i - 1].deadline, cost = streams[i - 1].cost;
        bool skip = open && i == requests->count;
        enum search_result found = skip ? SEARCH_MET : search_piece(requests, from, to, blocking, at);
        if (found != SEARCH_MET) {
            return found;
        }
        to = from - 1; /* the horizon is for demand without blocking */
        blocking = cost - tick > blocking ? cost - tick : blocking;
    }
    enum search_result found = search_piece(requests, 0, to, blocking, at);
    return found == SEARCH_MET && open ? SEARCH_TOO_LONG : found;
}

static void fail(const struct requests *requests, const struct grt_analysis_set *set,
                 struct grt_analysis_result *result, int64_t tick, int64_t at) {
    bool exact = requests->plain && tick > 0 && !set->longest_is_bound;
    size_t blocker = longest_after(requests, at);
    uint32_t failing = task_at(requests, at);
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
    case SEARCH_MET:
        result->verdict = GRT_VERDICT_SCHEDULABLE;
        break;
    case SEARCH_EXCEEDED:
        fail(requests, set, result, tick, at);
        break;
    case SEARCH_TOO_LONG:
        grt_analysis_fail(result, GRT_VERDICT_UNKNOWN, GRT_ANALYSIS_NO_TASK,
                          "the load is so close to one that there are too many spans to look at");
        break;
    }
}

void demand_analyse(const struct grt_analysis_set *set, struct grt_analysis_result *result, int64_t tick) {
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
