/* Response times under non-preemptive earliest deadline first.
 *
 * Source: L. George, N. Rivierre, M. Spuri, "Preemptive and Non-Preemptive Real-Time Uniprocessor Scheduling", INRIA research report 2966,
 * 1996, section on worst-case response times; the form whose proof S. Bozhko and B. B. Brandenburg's Prosa checks ("Abstract Response-Time
 * Analysis: A Formal Foundation for the Busy-Window Principle", ECRTS 2020; results for fully non-preemptive EDF).
 * Implements: a job of task i whose clock is at a, counted from the start of the longest span in which the GPU executes only what may go
 * before it and one blocking request, starts on the GPU by the least s >= a + lag with
 *     s >= max of C_j - 1 over D_j > a + D_i  +  (n_i(a) - 1) C_i  +  sum over k of n_k(min(s, a + D_i - D_k)) C_k,
 *     n_k(x) = floor((x + J_k) / T_k) + 1, or 0 where x < -lag_k,
 * for all a at which a term steps up, below the longest span in which the GPU is not idle. Without jitter: Prosa's
 * A + F = s + 1. Symbols: C cost, T period, J jitter, D deadline of struct request_stream.
 * Assumes: what requests_take checks, and U <= 1.
 * Deviates: release jitter and CPU segments: clocks precede requests by up to `lag`, and by that much the first of them the span. */
#include "policies/analysis_requests.h"

#include <inttypes.h>

struct task_search {
    struct requests *requests;
    const struct request_stream *self;
    int64_t busy;     /* the longest span in which the GPU is not idle */
    int64_t response; /* from the clock to the end on the GPU, the longest so far */
    bool too_long;
};

static int64_t most_jobs(const struct request_stream *stream, int64_t x) {
    return x < -stream->lag ? 0 : (x + stream->jitter) / stream->period + 1;
}

static int64_t blocking_at(const struct task_search *search, int64_t deadline) {
    int64_t longest = 1;
    for (size_t i = 0; i < search->requests->count; i++) {
        const struct request_stream *stream = &search->requests->streams[i];
        if (stream != search->self && stream->deadline > deadline && stream->cost > longest) {
            longest = stream->cost;
        }
    }
    return longest - 1;
}

/* What goes before a job with that deadline and is there at `start`. */
static requests_wide others_before(const struct task_search *search, int64_t start, int64_t deadline) {
    requests_wide sum = 0;
    for (size_t i = 0; i < search->requests->count; i++) {
        const struct request_stream *stream = &search->requests->streams[i];
        if (stream != search->self) {
            int64_t last = deadline - stream->deadline;
            int64_t jobs = most_jobs(stream, last < start ? last : start);
            sum += (requests_wide)(uint64_t)jobs * (uint64_t)stream->cost;
        }
    }
    return sum;
}

/* The job whose clock is at `clock`. */
static void try_clock(struct task_search *search, int64_t clock) {
    const struct request_stream *self = search->self;
    int64_t deadline = clock + self->deadline, start = clock + self->lag;
    requests_wide own = (requests_wide)(uint64_t)(most_jobs(self, clock) - 1) * (uint64_t)self->cost;
    own += (uint64_t)blocking_at(search, deadline);
    int64_t no_later = search->response + clock - self->cost; /* a start until then is nothing new */
    if (no_later >= start && requests_step(search->requests, search->requests->count) &&
        own + others_before(search, no_later, deadline) <= (uint64_t)no_later) {
        return;
    }
    for (;;) {
        if (start >= REQUESTS_HORIZON || !requests_step(search->requests, search->requests->count)) {
            search->too_long = true;
            return;
        }
        int64_t next = requests_time(own + others_before(search, start, deadline));
        if (next <= start) {
            break;
        }
        start = next;
    }
    int64_t response = start + self->cost - clock;
    search->response = response > search->response ? response : search->response;
}

/* All clocks at which another request of a stream may go before. */
static void try_steps_of(struct task_search *search, const struct request_stream *stream) {
    const struct request_stream *self = search->self;
    int64_t shift = stream->deadline -
                    self->deadline; /* from the stream's clock to that of the job with the same deadline */
    int64_t first = -self->lag - shift > -stream->lag ? -self->lag - shift : -stream->lag;
    if (first == -stream->lag && first + shift < search->busy) {
        try_clock(search, first + shift);
    }
    int64_t step = (first + stream->jitter + stream->period - 1) / stream->period * stream->period;
    for (int64_t clock = step - stream->jitter + shift; clock < search->busy && !search->too_long;
         clock += stream->period) {
        try_clock(search, clock);
    }
}

/* The longest span in which the GPU is not idle; REQUESTS_HORIZON: none was found. */
static int64_t busy_span(struct requests *requests) {
    if (!requests_end(requests->streams, requests->count)) {
        return REQUESTS_HORIZON;
    }
    for (int64_t busy = 1;;) {
        int64_t next = requests_time(requests_in(requests->streams, requests->count, busy - 1));
        if (next <= busy) {
            return busy;
        }
        if (next == REQUESTS_HORIZON || !requests_step(requests, requests->count)) {
            return REQUESTS_HORIZON;
        }
        busy = next;
    }
}

static void judge(const struct task_search *search, const struct grt_analysis_set *set,
                  struct grt_analysis_result *result) {
    const struct request_stream *self = search->self;
    const char *name = set->tasks[self->task].name;
    int64_t response = search->response + self->before + self->after + self->jitter - self->lag;
    bool late = search->response + self->after > self->deadline;
    bool follows = self->own_period && response > self->period;
    result->response[self->task] = search->too_long ? GRT_ANALYSIS_NEVER : response;
    if (result->verdict == GRT_VERDICT_UNKNOWN || !(search->too_long || late || follows)) {
        return;
    }
    const char *clause = search->too_long
                             ? "task %s has too many instants to look at, which loads near one have"
                         : late ? "jobs of task %s may be late"
                                : "jobs of task %s may overlap on its core";
    grt_analysis_fail(result, GRT_VERDICT_UNKNOWN, self->task, clause, name);
}

static void analyse(struct requests *requests, const struct grt_analysis_set *set,
                    struct grt_analysis_result *result) {
    int64_t busy = busy_span(requests);
    result->verdict = GRT_VERDICT_SCHEDULABLE;
    for (size_t i = 0; i < requests->count; i++) {
        const struct request_stream *self = &requests->streams[i];
        struct task_search search = {.requests = requests, .self = self, .busy = busy};
        search.too_long = busy == REQUESTS_HORIZON;
        if (!search.too_long) {
            try_clock(&search, -self->lag);
        }
        for (size_t k = 0; k < requests->count && !search.too_long; k++) {
            try_steps_of(&search, &requests->streams[k]);
        }
        judge(&search, set, result);
    }
}

static void run(const struct grt_analysis_set *set, struct grt_analysis_result *result) {
    struct requests requests;
    if (!requests_take(&requests, set, result)) {
        return;
    }
    if (requests_load(requests.streams, requests.count) > 0) {
        requests_overload(&requests, set, result);
    } else {
        analyse(&requests, set, result);
    }
    requests_free(&requests);
}

static const char *const policies[] = {"np-edf", NULL};

const struct grt_analysis_ops grt_analysis_np_edf_response = {
    .name = "np-edf-response",
    .summary = "response times under non-preemptive EDF",
    .source =
        "L. George, N. Rivierre, M. Spuri, Preemptive and Non-Preemptive Real-Time Uniprocessor Scheduling, "
        "INRIA RR-2966, "
        "1996; S. Bozhko, B. B. Brandenburg, Abstract Response-Time Analysis, ECRTS 2020, as proven in Prosa",
    .deviation = "release jitter and CPU segments around the GPU segment let requests lag behind what their "
                 "deadlines count from",
    .policies = policies,
    .bounds = true,
    .run = run,
};
