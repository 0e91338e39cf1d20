#include "policies/analysis_demand.h"

/* The least t in which a request and its deadline fit. */
static inline int64_t first_step(const struct request_stream *stream) {
    return stream->deadline - stream->lag;
}

/* A span of t has floor((t - D + J) / T) + 1 clocks that count; J - lag of it is what clocks of their own jitter are denser. */
static inline int64_t first_clock(const struct request_stream *stream) {
    return stream->deadline - stream->jitter;
}

requests_wide demand_in(const struct request_stream *streams, size_t count, int64_t t) {
    requests_wide sum = 0;
    for (size_t i = 0; i < count; i++) {
        const struct request_stream *stream = &streams[i];
        if (t >= first_step(stream)) {
            uint64_t jobs = (uint64_t)(t - first_clock(stream)) / (uint64_t)stream->period + 1;
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

int64_t demand_last_step(const struct request_stream *streams, size_t count, int64_t most) {
    int64_t last = -1;
    for (size_t i = 0; i < count; i++) {
        int64_t step = last_step_of(&streams[i], most);
        last = step > last ? step : last;
    }
    return last;
}

uint32_t demand_task_at(const struct requests *requests, int64_t t) {
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

int64_t demand_horizon(struct requests *requests) {
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

enum demand_search demand_search(struct requests *requests, int64_t from, int64_t to, int64_t blocking,
                                 int64_t *at) {
    const struct request_stream *streams = requests->streams;
    size_t count = requests->count;
    int64_t t = demand_last_step(streams, count, to);
    while (t >= from) {
        if (!requests_step(requests, count)) {
            return DEMAND_TOO_LONG;
        }
        int64_t asked = requests_time(demand_in(streams, count, t) + (uint64_t)blocking);
        if (asked > t) {
            *at = demand_last_step(streams, count, t);
            return DEMAND_EXCEEDED;
        }
        t = asked < t ? asked : demand_last_step(streams, count, t - 1);
    }
    return DEMAND_MET;
}
