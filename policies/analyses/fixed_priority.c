#include "policies/analyses/fixed_priority.h"

#include <inttypes.h>

/* A task with those that may delay it: streams[0 .. higher) go first, or may; streams[higher] is itself. */
struct level {
    struct requests *requests;
    const struct request_stream *self;
    size_t higher;
    int64_t blocking;
    bool preemptive;
};

/* What came out for a task. */
struct level_result {
    int64_t response;    /* from the arrival; GRT_ANALYSIS_NEVER: no bound was found */
    int64_t job, missed; /* the first request of the busy period that may be late, and its deadline there */
    bool late, too_long, follows; /* `follows`: its job may still run when the next one is released */
};

/* ---- fixed points ---- */

/* The least x >= from with x = base + what streams ask for within x (not preemptive), or within x without its last instant;
 * GRT_ANALYSIS_NEVER beyond the horizon or the steps. `from` has to be at most that. */
static int64_t settle(struct requests *requests, size_t count, requests_wide base, int64_t from,
                      bool preemptive) {
    const struct request_stream *streams = requests->streams;
    for (int64_t x = from;;) {
        if (x >= REQUESTS_HORIZON || !requests_step(requests, count + 1)) {
            return GRT_ANALYSIS_NEVER;
        }
        int64_t next = requests_time(base + requests_in(streams, count, preemptive ? x - 1 : x));
        if (next <= x) {
            return x;
        }
        x = next;
    }
}

/* When request `job` ends at the latest, if the one before it does so at `last`. */
static int64_t end_of(const struct level *level, int64_t job, int64_t last) {
    const struct request_stream *self = level->self;
    requests_wide own = (requests_wide)(uint64_t)job * (uint64_t)self->cost;
    if (level->preemptive) {
        return settle(level->requests, level->higher, own + (uint64_t)self->cost + (uint64_t)level->blocking,
                      last + self->cost, true);
    }
    int64_t start = settle(level->requests, level->higher, own + (uint64_t)level->blocking, last, false);
    return start < GRT_ANALYSIS_NEVER ? start + self->cost : start;
}

/* How many requests of the task the busy period has, or GRT_ANALYSIS_NEVER. It lasts at least as long as the first one. */
static int64_t jobs_of(const struct level *level, int64_t first_end) {
    const struct request_stream *self = level->self;
    if (first_end == GRT_ANALYSIS_NEVER) {
        return GRT_ANALYSIS_NEVER;
    }
    int64_t busy = settle(level->requests, level->higher + 1, (uint64_t)level->blocking, first_end, true);
    return busy < GRT_ANALYSIS_NEVER ? (busy - 1 + self->jitter) / self->period + 1 : busy;
}

/* ---- a task ---- */

static void note(const struct request_stream *self, int64_t job, int64_t end, struct level_result *found) {
    int64_t clock = job * self->period - self->jitter; /* the earliest */
    int64_t response = end - clock + self->before + self->after;
    found->response = response > found->response ? response : found->response;
    found->follows |= self->own_period && response > self->period;
    clock = clock > -self->lag ? clock : -self->lag;
    if (end + self->after > clock + self->deadline && !found->late) {
        found->late = true;
        found->job = job;
        found->missed = clock + self->deadline;
    }
}

static struct level_result analyse_level(const struct level *level) {
    struct level_result found = {0};
    int64_t end = end_of(level, 0, level->preemptive ? 0 : level->blocking), jobs = jobs_of(level, end);
    if (end < GRT_ANALYSIS_NEVER) {
        note(level->self, 0, end, &found);
    }
    for (int64_t job = 1; job < jobs && end < GRT_ANALYSIS_NEVER; job++) {
        end = end_of(level, job, end);
        if (end < GRT_ANALYSIS_NEVER) {
            note(level->self, job, end, &found);
        }
    }
    if (jobs == GRT_ANALYSIS_NEVER || end == GRT_ANALYSIS_NEVER) {
        found.response = GRT_ANALYSIS_NEVER;
        found.too_long = true;
    }
    return found;
}

/* ---- all tasks ---- */

/* In the order of priorities; `longest_behind` is the longest cost of those after it. */
static void order(struct requests *requests, const struct fixed_priority *rules,
                  const struct grt_analysis_set *set) {
    int64_t longest = 0;
    for (size_t i = 0; i < requests->count; i++) {
        requests->streams[i].key = rules->key(&set->tasks[requests->streams[i].task]);
    }
    requests_sort(requests);
    for (size_t i = requests->count; i > 0; i--) {
        struct request_stream *stream = &requests->streams[i - 1];
        stream->longest_behind = longest;
        longest = stream->cost > longest ? stream->cost : longest;
    }
}

static size_t longest_from(const struct requests *requests, size_t from) {
    size_t longest = from;
    for (size_t i = from; i < requests->count; i++) {
        longest = requests->streams[i].cost > requests->streams[longest].cost ? i : longest;
    }
    return longest;
}

/* A failure that is proven replaces one that is not; else the first stays. */
static void judge(const struct level *level, const struct level_result *found, bool exact,
                  const struct grt_analysis_set *set, struct grt_analysis_result *result) {
    const struct request_stream *self = level->self;
    const char *name = set->tasks[self->task].name;
    bool proven = exact && found->late;
    bool fails = found->late || found->too_long || found->follows;
    if (!fails || result->verdict == GRT_VERDICT_UNSCHEDULABLE ||
        (result->verdict == GRT_VERDICT_UNKNOWN && !proven)) {
        return;
    }
    if (found->late) {
        grt_analysis_fail(result, proven ? GRT_VERDICT_UNSCHEDULABLE : GRT_VERDICT_UNKNOWN, self->task,
                          "request %" PRId64 " of task %s in its busy period may be late", found->job + 1,
                          name);
    } else {
        grt_analysis_fail(result, GRT_VERDICT_UNKNOWN, self->task,
                          found->too_long ? "the busy period of task %s is too long to follow"
                                          : "jobs of task %s may overlap on its core",
                          name);
    }
    if (proven) {
        bool blocks = level->blocking > 0;
        size_t blocker = blocks ? longest_from(level->requests, level->higher + 1) : REQUESTS_NO_STREAM;
        requests_witness(level->requests, set, result, blocker, found->missed);
    }
}

static void swap(struct request_stream *a, struct request_stream *b) {
    struct request_stream kept = *a;
    *a = *b;
    *b = kept;
}

/* Tasks [from, to) have the same key: each in turn as if it were the last of them. */
static void analyse_group(struct requests *requests, size_t from, size_t to,
                          const struct fixed_priority *rules, const struct grt_analysis_set *set,
                          struct grt_analysis_result *result) {
    struct request_stream *streams = requests->streams;
    int64_t longest = streams[to - 1].longest_behind;
    bool never_blocks = rules->preemptive && rules->prepare == NULL;
    struct level level = {.requests = requests,
                          .self = &streams[to - 1],
                          .higher = to - 1,
                          .blocking = never_blocks || longest == 0 ? 0 : longest - 1,
                          .preemptive = rules->preemptive};
    bool exact = requests->plain && to - from == 1 && !set->longest_is_bound && rules->prepare == NULL;
    bool ends = requests_step(requests, 2 * to) && requests_end(streams, to) &&
                (level.blocking == 0 || requests_load(streams, to) < 0);
    for (size_t i = from; i < to; i++) {
        swap(&streams[i], &streams[to - 1]);
        struct level_result found = {.response = GRT_ANALYSIS_NEVER, .too_long = true};
        if (ends) {
            found = analyse_level(&level);
        }
        result->response[level.self->task] = found.response;
        judge(&level, &found, exact, set, result);
        swap(&streams[i], &streams[to - 1]);
    }
}

static void analyse(struct requests *requests, const struct fixed_priority *rules,
                    const struct grt_analysis_set *set, struct grt_analysis_result *result) {
    result->verdict = GRT_VERDICT_SCHEDULABLE;
    order(requests, rules, set);
    if (rules->prepare != NULL && !rules->prepare(requests, set, result)) {
        return;
    }
    for (size_t from = 0, to = 0; from < requests->count; from = to) {
        while (to < requests->count && requests->streams[to].key == requests->streams[from].key) {
            to++;
        }
        analyse_group(requests, from, to, rules, set, result);
    }
    if (result->verdict != GRT_VERDICT_UNSCHEDULABLE && rules->prepare == NULL &&
        requests_load(requests->streams, requests->count) > 0) {
        uint32_t failing = result->failing;
        requests_overload(requests, set, result);
        result->failing = failing;
    }
}

void fixed_priority_analyse(const struct fixed_priority *rules, const struct grt_analysis_set *set,
                            struct grt_analysis_result *result) {
    struct requests requests;
    if (requests_take(&requests, set, result)) {
        analyse(&requests, rules, set, result);
        requests_free(&requests);
    }
}
