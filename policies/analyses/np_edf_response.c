/* Response times under non-preemptive earliest deadline first.
 *
 * Source: L. George, N. Rivierre, M. Spuri, "Preemptive and Non-Preemptive Real-Time Uniprocessor Scheduling", INRIA research report 2966,
 * 1996, section on worst-case response times; the form whose proof S. Bozhko and B. B. Brandenburg's Prosa checks ("Abstract Response-Time
 * Analysis: A Formal Foundation for the Busy-Window Principle", ECRTS 2020; results for fully non-preemptive EDF).
 * Implements: a job of task i whose clock is at a, counted from the start of the longest span in which the GPU executes only what may go
 * before it and one blocking request, starts on the GPU by the least s >= a + lag with
 *     s >= max of C_j - 1 over D_j > a + D_i  +  (n_i(a) - 1) C_i  +  sum over k of n_k(min(s, a + D_i - D_k)) C_k,
 *     n_k(x) = floor((x + J_k) / T_k) + 1, or 0 where x < -lag_k,
 * for all a at which a term steps up, below the longest span in which the GPU is not idle. Later ones are no worse: L being that span,
 * the right side at s + L, a + L is at most that at s, a, plus L. Without jitter: Prosa's
 * A + F = s + 1. Symbols: C cost, T period, J jitter, D deadline of struct request_stream.
 * Assumes: what requests_take checks, and U <= 1.
 * Deviates: 1. Between instants at which the blocking term changes, s does not fall with a: they are looked at downwards, passing over
 * those that cannot give a longer response than the longest so far, as QPA passes over spans (F. Zhang, A. Burns, IEEE TC 58(9), 2009).
 * 2. Release jitter and CPU segments: clocks precede requests by up to `lag`, and by that much the first of them the span. */
#include "policies/analyses/requests.h"

#include <inttypes.h>

/* So many steps of the busy span's fixed point are worth more than the horizon that the load gives. */
enum { BUSY_TRIES = 10000 };

struct task_search {
    struct requests *requests; /* sorted by their deadlines */
    const struct request_stream *self;
    int64_t busy;     /* the longest span in which the GPU is not idle, or REQUESTS_HORIZON */
    uint64_t load;    /* of all, in units of 2^-32 */
    int64_t response; /* from the clock to the end on the GPU, the longest so far */
    bool too_long;
};

static int64_t most_jobs(const struct request_stream *stream, int64_t x) {
    return x < -stream->lag ? 0 : (x + stream->jitter) / stream->period + 1;
}

/* ---- a clock ---- */

/* What has to be done before a job can start, if it starts at `start`: the right side without its blocking term. */
static requests_wide before_start(const struct task_search *search, int64_t clock, int64_t start) {
    const struct request_stream *self = search->self;
    const struct requests *requests = search->requests;
    int64_t deadline = clock + self->deadline;
    requests_wide sum = (requests_wide)(uint64_t)(most_jobs(self, clock) - 1) * (uint64_t)self->cost;
    for (size_t i = 0; i < requests->count; i++) {
        const struct request_stream *stream = &requests->streams[i];
        int64_t last = deadline - stream->deadline;
        if (stream != self && last >= -stream->lag) {
            last = last < start ? last : start;
            sum +=
                (requests_wide)(requests_periods(stream, last + stream->jitter) + 1) * (uint64_t)stream->cost;
        }
    }
    return sum;
}

/* When the job whose clock is at `clock` starts at the latest; REQUESTS_HORIZON: that was not found. */
static int64_t latest_start(struct task_search *search, int64_t clock, int64_t blocking) {
    for (int64_t start = clock + search->self->lag;;) {
        if (start >= REQUESTS_HORIZON || !requests_step(search->requests, search->requests->count)) {
            search->too_long = true;
            return REQUESTS_HORIZON;
        }
        int64_t next = requests_time(before_start(search, clock, start) + (uint64_t)blocking);
        if (next <= start) {
            return start;
        }
        start = next;
    }
}

/* ---- all clocks ---- */

/* The last clock up to `most` at which a term steps up; below `least`: there is none from there. */
static int64_t last_step(const struct task_search *search, int64_t least, int64_t most) {
    int64_t found = least - 1;
    for (size_t i = 0; i < search->requests->count; i++) {
        const struct request_stream *stream = &search->requests->streams[i];
        int64_t shift = stream->deadline - search->self->deadline, x = most - shift;
        if (x >= -stream->lag) {
            int64_t step =
                (int64_t)requests_periods(stream, x + stream->jitter) * stream->period - stream->jitter;
            step = (step > -stream->lag ? step : -stream->lag) + shift;
            found = step > found ? step : found;
        }
    }
    return found;
}

/* Clocks [from, to], which the same requests block, from the last to the first. If the job of one starts by s, those of earlier ones do, so
 * that its response is longer than the longest so far only where clock + longest < s + C: all clocks above are passed over. As in QPA it
 * suffices that the right side at the last s of interest is at most that. */
static void search_piece(struct task_search *search, int64_t from, int64_t to, int64_t blocking) {
    const struct request_stream *self = search->self;
    int64_t clock = to;
    while (clock >= from && !search->too_long) {
        int64_t wait = search->response - self->cost; /* with a start by that, there is nothing new */
        int64_t start = wait < REQUESTS_HORIZON - clock ? clock + wait : REQUESTS_HORIZON;
        if (!requests_step(search->requests, search->requests->count)) {
            search->too_long = true;
            return;
        }
        requests_wide asked = before_start(search, clock, start) + (uint64_t)blocking;
        if (asked <= (uint64_t)start) {
            start = (int64_t)asked > clock + self->lag ? (int64_t)asked : clock + self->lag;
        } else {
            clock = last_step(search, from, clock);
            if (clock < from) {
                return;
            }
            start = latest_start(search, clock, blocking);
            int64_t response = start - clock + self->cost;
            search->response = response > search->response ? response : search->response;
        }
        int64_t next = start - (search->response - self->cost);
        clock = (next < clock ? next : clock) - 1;
    }
}

/* From where on no clock that no request blocks has a longer response than the longest so far, or REQUESTS_HORIZON: what a stream asks
 * for is at most (clock + D_i - D_k + J_k + T_k) C_k / T_k, or clock C_k / T_k where that is more. In units of 2^-32, rounded up. */
static int64_t load_horizon(const struct task_search *search) {
    requests_wide above = 0, one = (requests_wide)1 << 32;
    for (size_t i = 0; i < search->requests->count; i++) {
        const struct request_stream *stream = &search->requests->streams[i];
        int64_t early = search->self->deadline - stream->deadline + stream->jitter + stream->period;
        above += early > 0 ? (requests_wide)(uint64_t)stream->key * (uint64_t)early : 0;
    }
    requests_wide found = (requests_wide)(uint64_t)search->response << 32;
    if (search->load >= one) {
        return REQUESTS_HORIZON;
    }
    return above > found ? requests_time((above - found) / (one - search->load) + 1) : 0;
}

/* All clocks that matter, in pieces between those at which what blocks changes: from the last, where nothing does. */
static void search_clocks(struct task_search *search) {
    const struct request_stream *self = search->self, *streams = search->requests->streams;
    int64_t to = load_horizon(search), blocking = 0;
    to = search->busy < to ? search->busy : to;
    if (to == REQUESTS_HORIZON) {
        search->too_long = true;
        return;
    }
    for (size_t i = search->requests->count; i > 0 && to >= -self->lag; i--) {
        const struct request_stream *next = &streams[i - 1];
        int64_t from = next->deadline - self->deadline;
        if (next == self || next->cost - 1 <= blocking) {
            continue;
        }
        search_piece(search, from > -self->lag ? from : -self->lag, to, blocking);
        to = search->busy < from ? search->busy : from - 1; /* the load's horizon is for nothing blocking */
        blocking = next->cost - 1;
    }
    search_piece(search, -self->lag, to, blocking);
}

/* The longest response of a task, from its clock. */
static void search_task(struct task_search *search) {
    const struct request_stream *self = search->self;
    int64_t blocking = 0, first = -self->lag;
    for (size_t i = 0; i < search->requests->count; i++) {
        const struct request_stream *stream = &search->requests->streams[i];
        bool blocks = stream != self && stream->deadline > first + self->deadline;
        blocking = blocks && stream->cost - 1 > blocking ? stream->cost - 1 : blocking;
    }
    search->response = latest_start(search, first, blocking) - first + self->cost;
    if (!search->too_long && requests_step(search->requests, 2 * search->requests->count)) {
        search_clocks(search);
    }
}

/* The longest span in which the GPU is not idle; REQUESTS_HORIZON: none was found. */
static int64_t busy_span(struct requests *requests) {
    if (!requests_end(requests->streams, requests->count)) {
        return REQUESTS_HORIZON;
    }
    bool below_one = requests_load(requests->streams, requests->count) < 0;
    int64_t busy = 1;
    for (int tries = 0; !below_one || tries < BUSY_TRIES; tries++) {
        int64_t next = requests_time(requests_in(requests->streams, requests->count, busy - 1));
        if (next <= busy) {
            return busy;
        }
        if (next == REQUESTS_HORIZON || !requests_step(requests, requests->count)) {
            return REQUESTS_HORIZON;
        }
        busy = next;
    }
    return REQUESTS_HORIZON;
}

static void judge(const struct task_search *search, const struct grt_analysis_set *set,
                  struct grt_analysis_result *result) {
    const struct request_stream *self = search->self;
    const char *name = set->tasks[self->task].name;
    int64_t response = search->response + self->before + self->after + self->jitter - self->lag;
    bool late = search->response + self->after > self->deadline;
    bool follows = self->own_period && response > self->period;
    result->response[self->task] = search->too_long ? GRT_ANALYSIS_NEVER : response;
    bool known = result->verdict == GRT_VERDICT_UNKNOWN && result->failing < self->task;
    if (known || !(search->too_long || late || follows)) {
        return;
    }
    const char *clause = search->too_long
                             ? "task %s has too many instants to look at, which loads near one have"
                         : late ? "jobs of task %s may be late"
                                : "jobs of task %s may overlap on its core";
    grt_analysis_fail(result, GRT_VERDICT_UNKNOWN, self->task, clause, name);
}

/* Sorts by deadlines; then keys are loads in units of 2^-32, rounded up. Returns their sum. */
static uint64_t prepare(struct requests *requests) {
    uint64_t load = 0;
    for (size_t i = 0; i < requests->count; i++) {
        requests->streams[i].key = requests->streams[i].deadline;
    }
    requests_sort(requests);
    for (size_t i = 0; i < requests->count; i++) {
        struct request_stream *stream = &requests->streams[i];
        requests_wide cost = (requests_wide)(uint64_t)stream->cost << 32;
        stream->key = (int64_t)(cost / (uint64_t)stream->period) + 1;
        load += (uint64_t)stream->key;
    }
    return load;
}

static void analyse(struct requests *requests, const struct grt_analysis_set *set,
                    struct grt_analysis_result *result) {
    int64_t busy = busy_span(requests);
    result->verdict = GRT_VERDICT_SCHEDULABLE;
    uint64_t load = prepare(requests);
    for (size_t i = 0; i < requests->count; i++) {
        struct task_search search = {
            .requests = requests, .self = &requests->streams[i], .busy = busy, .load = load};
        search_task(&search);
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

static const char *const policies[] = {"np-edf", "pruda-single", NULL};

static const char *const values[] = {"first_miss_by", NULL};

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
    .order = GRT_ORDER_DEADLINE,
    .bounds = true,
    .covers = REQUESTS_COVERED,
    .values = values,
    .audsley_objection = "does not go by priorities",
    .run = run,
};
