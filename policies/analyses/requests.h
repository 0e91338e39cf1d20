/* A task set as a GPU that executes one segment after the other sees it: streams of requests. Shared by the analyses of such GPUs; each
 * takes the set with requests_take, which checks what they all assume.
 *
 * A task with CPU segments around its GPU segment, on a core of its own, is one stream as well. `before` and `after` being the times of
 * its segments, a job that arrives at a asks for the GPU within [a + shortest before, a + jitter + longest before], and must be done there
 * `after` ahead of its deadline. This holds as long as no job is released before the task's last one has ended. Deadlines that are met
 * see to that where they are at most the period; where not, the analysis has to (`own_period`).
 *
 * Times in ns, all at most REQUESTS_LONGEST, so that sums of eight of them do not overflow. */
#ifndef GRT_POLICIES_ANALYSES_REQUESTS_H
#define GRT_POLICIES_ANALYSES_REQUESTS_H

#include "models/analysis.h"

/* 10^18 ns are 31 years. Busy periods are followed up to four times that. */
#define REQUESTS_LONGEST INT64_C(1000000000000000000)
#define REQUESTS_HORIZON (4 * REQUESTS_LONGEST)

__extension__ typedef unsigned __int128 requests_wide;

/* The requests of a task. Each has a clock: the instant `deadline` before the job's absolute deadline; it is made within [clock, clock +
 * lag]. Clocks count from the arrival or, with deadline_from_release, from the release. */
struct request_stream {
    int64_t cost;     /* C: the GPU's time for a request, above 0 */
    int64_t period;   /* T */
    uint64_t inverse; /* (2^64 - 1) / T: see requests_periods */
    /* J: any closed span of x ns has at most (x + jitter) / period + 1 requests, and as many clocks if they count from arrivals and x is longer by
     * no `jitter` */
    int64_t jitter;
    int64_t lag;            /* at most `jitter`; less where clocks count from releases */
    int64_t deadline;       /* D, from the clock to the job's absolute deadline; may be below 0 */
    int64_t before;         /* from arrival or release to the clock */
    int64_t after;          /* from the end on the GPU to the job's end */
    int64_t suspension;     /* by requests_take_suspending: the time of all CPU segments, wherever they are */
    int64_t key;            /* the smaller goes first; set by analyses of fixed priorities */
    int64_t longest_behind; /* room for them, too */
    uint32_t task;          /* index in the set */
    /* it has CPU segments, and its deadline being met does not end jobs before the next release: bounds hold only if the response is at most
     * `period` */
    bool own_period;
};

enum { REQUESTS_FEW = 32 };

struct requests {
    struct request_stream *streams;
    size_t count;
    bool plain;    /* no jitter and no CPU segments: analyses that are exact are so for these */
    bool suspends; /* taken by requests_take_suspending */
    int64_t left;  /* steps that the analysis may still take; below 0: too long */
    int64_t most;  /* at its start */
    struct grt_analysis_result *result; /* gets the number of steps */
    struct request_stream few[REQUESTS_FEW];
};

/* What analyses of these streams cover; requests_take_suspending: several GPU segments, too. */
#define REQUESTS_COVERED                                                                                     \
    (GRT_COVERS_JITTER | GRT_COVERS_CPU_SEGMENTS | GRT_COVERS_LATE_DEADLINES |                               \
     GRT_COVERS_DEADLINES_FROM_RELEASES)

/* Takes the set. Refuses times that are too long to calculate with, and returns false. Tasks without GPU segments that have a core of their own
 * are judged at once: their response is stored, or the analysis fails and false is returned. Free the requests where true is returned. */
bool requests_take(struct requests *requests, const struct grt_analysis_set *set,
                   struct grt_analysis_result *result);

/* The same, where a task's GPU segments, one or more, are one demand and its CPU segments the time for which it may suspend itself;
 * `before` and `after` are 0. */
bool requests_take_suspending(struct requests *requests, const struct grt_analysis_set *set,
                              struct grt_analysis_result *result);
void requests_free(struct requests *requests);

/* Sorts streams by `key`; those with the same by their tasks. */
void requests_sort(struct requests *requests);

/* For analyses under which what comes first on the GPU is told by the very deadlines that are to be met there: refuses tasks with
 * CPU segments after the GPU's, or with jobs that may overlap. */
bool requests_refuse_cpu_after(const struct requests *requests, const struct grt_analysis_set *set,
                               struct grt_analysis_result *result);

/* Whether the spans in which the GPU is never idle have an end: the load is below one, or it is one and there is no jitter. With jitter
 * and a load of one, or more, x < sum of ceil((x + J) / T) C for every x. */
bool requests_end(const struct request_stream *streams, size_t count);

/* Whether the sum of C / T is below (-1), equal to (0), or above (1) one; exact. */
int requests_load(const struct request_stream *streams, size_t count);

/* Says that the load is above one, which misses deadlines whatever the releases are, if longest times are reached; the witness releases all
 * at 0. A value `first_miss_by`
 * says by when, where that is within the horizon. */
void requests_overload(const struct requests *requests, const struct grt_analysis_set *set,
                       struct grt_analysis_result *result);

/* Makes the witness: `first` at 0, all others at 1; REQUESTS_NO_STREAM: all at 0, where `requests` may be NULL. A deadline is missed at `missed`, counted from
 * the others' release, and by `first_miss_by`, a value, at the latest. */
#define REQUESTS_NO_STREAM SIZE_MAX
void requests_witness(const struct requests *requests, const struct grt_analysis_set *set,
                      struct grt_analysis_result *result, size_t first, int64_t missed);

/* Whether the analysis may go on for as many steps. */
static inline bool requests_step(struct requests *requests, size_t steps) {
    requests->left -= (int64_t)steps;
    return requests->left >= 0;
}

/* A long sum as a time: at most REQUESTS_HORIZON, which means "at least that". */
static inline int64_t requests_time(requests_wide sum) {
    return sum < (requests_wide)REQUESTS_HORIZON ? (int64_t)sum : REQUESTS_HORIZON;
}

/* How many whole periods a span of x >= 0 ns has. A division by multiplying: the high half of x times 2^64 / T is the quotient or, since x is
 * below 2^63, one less. */
static inline uint64_t requests_periods(const struct request_stream *stream, int64_t x) {
    uint64_t quotient = (uint64_t)(((requests_wide)(uint64_t)x * stream->inverse) >> 64);
    uint64_t rest = (uint64_t)x - quotient * (uint64_t)stream->period;
    return quotient + (rest >= (uint64_t)stream->period);
}

/* What streams ask for at most in a closed span of x >= 0 ns. */
static inline requests_wide requests_in(const struct request_stream *streams, size_t count, int64_t x) {
    requests_wide sum = 0;
    for (size_t i = 0; i < count; i++) {
        const struct request_stream *stream = &streams[i];
        uint64_t jobs = requests_periods(stream, x + stream->jitter) + 1;
        sum += (requests_wide)jobs * (uint64_t)stream->cost;
    }
    return sum;
}

#endif
