#include "policies/analyses/requests.h"

#include <inttypes.h>
#include <stdlib.h>

#include "sim/divisor.h"

/* ---- what all assume ---- */

static int64_t sum_of(int64_t a, int64_t b) {
    return grt_span_sum_within(a, b, REQUESTS_LONGEST);
}

/* A task's segments, added up around its GPU segment. */
struct shape {
    size_t gpu_segments, cpu_segments;
    int64_t gpu, shortest_before, longest_before, after;
};

static struct shape shape_of(const struct grt_analysis_task *task) {
    struct shape shape = {0};
    if (task->segment_count == 1 && task->segments->on_gpu) { /* most are */
        shape.gpu_segments = 1;
        shape.gpu = sum_of(0, task->segments->longest);
        return shape;
    }
    for (size_t i = 0; i < task->segment_count; i++) {
        const struct grt_analysis_segment *segment = &task->segments[i];
        if (segment->on_gpu) {
            shape.gpu = sum_of(shape.gpu, segment->longest);
            shape.gpu_segments++;
            continue;
        }
        shape.cpu_segments++;
        if (shape.gpu_segments == 0) {
            shape.shortest_before = sum_of(shape.shortest_before, segment->shortest);
            shape.longest_before = sum_of(shape.longest_before, segment->longest);
        } else {
            shape.after = sum_of(shape.after, segment->longest);
        }
    }
    return shape;
}

/* Why sums of the task's times might overflow, as what it has; NULL where they cannot. */
static const char *objection(const struct grt_analysis_task *task, const struct shape *shape) {
    int64_t response = sum_of(sum_of(shape->longest_before, shape->after), sum_of(shape->gpu, task->jitter));
    if (response == GRT_ANALYSIS_NEVER) {
        return "has no known longest time";
    }
    return task->period > REQUESTS_LONGEST || task->deadline > REQUESTS_LONGEST ? "has times above 31 years"
                                                                                : NULL;
}

/* By when a task misses a deadline that comes every period from 0 and computes longer than its deadline, or than its period: then job k, from 0, ends at (k + 1)
 * C, behind its deadline from k (C - T) > D - C on. 0: later than the horizon. */
static int64_t missed_alone(const struct grt_analysis_task *task, int64_t time) {
    if (time > task->deadline) {
        return task->deadline;
    }
    int64_t late = (task->deadline - time) / (time - task->period) + 1;
    requests_wide by = (requests_wide)late * (uint64_t)task->period + (uint64_t)task->deadline;
    return by < (requests_wide)REQUESTS_LONGEST ? (int64_t)by : 0;
}

/* A job ends by the jitter and its own time after its arrival, because the one before it ends by that after its own. */
static bool meets_alone(const struct grt_analysis_set *set, uint32_t index, int64_t time,
                        struct grt_analysis_result *result) {
    const struct grt_analysis_task *task = &set->tasks[index];
    int64_t response = task->jitter + time;
    bool apart = response <= task->period;
    result->response[index] = response;
    if (time <= task->period && (task->deadline_from_release && apart ? time : response) <= task->deadline) {
        return true;
    }
    bool surely = time > task->period || time > task->deadline;
    if (surely) {
        requests_witness(NULL, set, result, REQUESTS_NO_STREAM, missed_alone(task, time));
    }
    grt_analysis_fail(result, surely ? GRT_VERDICT_UNSCHEDULABLE : GRT_VERDICT_UNKNOWN, index,
                      "task %s needs its core for %" PRId64 " ns", task->name, time);
    return false;
}

static int64_t at_least_one(int64_t time) {
    return time > 0 ? time : 1;
}

static struct request_stream stream_of(const struct grt_analysis_task *task, uint32_t index,
                                       const struct shape *shape) {
    int64_t spread = shape->longest_before - shape->shortest_before;
    struct request_stream stream = {
        .cost = at_least_one(shape->gpu),
        .period = task->period,
        .jitter = task->jitter + spread,
        .lag = task->deadline_from_release ? spread : task->jitter + spread,
        .deadline = task->deadline - shape->shortest_before,
        .before = shape->shortest_before,
        .after = shape->after,
        .task = index,
    };
    int64_t last = task->deadline + (task->deadline_from_release ? task->jitter : 0);
    stream.own_period = shape->cpu_segments > 0 && last > task->period;
    return stream;
}

static struct request_stream suspending_stream_of(const struct grt_analysis_task *task, uint32_t index,
                                                  const struct shape *shape) {
    return (struct request_stream){
        .cost = at_least_one(shape->gpu),
        .period = task->period,
        .jitter = task->jitter,
        .lag = task->jitter,
        .deadline = task->deadline,
        .suspension = shape->longest_before + shape->after,
        .task = index,
    };
}

/* It needs nothing of others, keeps nothing from them, and has no deadline to miss, however often it comes: it has no bound, too. */
static bool is_apart(const struct grt_analysis_task *task, const struct shape *shape) {
    return shape->gpu_segments == 0 && !task->shares_core && task->deadline == GRT_ANALYSIS_NEVER;
}

static bool take_task(struct requests *requests, const struct grt_analysis_set *set, uint32_t index,
                      struct grt_analysis_result *result) {
    const struct grt_analysis_task *task = &set->tasks[index];
    struct shape shape = shape_of(task);
    if (is_apart(task, &shape)) {
        return true;
    }
    const char *why_not = objection(task, &shape);
    if (why_not != NULL) {
        grt_analysis_refuse(result, "task %s %s", task->name, why_not);
        return false;
    }
    if (shape.gpu_segments == 0) {
        return meets_alone(set, index, shape.longest_before, result);
    }
    struct request_stream *stream = &requests->streams[requests->count++];
    *stream = requests->suspends ? suspending_stream_of(task, index, &shape) : stream_of(task, index, &shape);
    stream->inverse = UINT64_MAX / (uint64_t)stream->period;
    requests->plain &= stream->jitter == 0 && shape.cpu_segments == 0;
    return true;
}

static bool take(struct requests *requests, const struct grt_analysis_set *set,
                 struct grt_analysis_result *result, bool suspends) {
    requests->count = 0;
    requests->plain = true;
    requests->suspends = suspends;
    requests->most = set->most_steps > 0 ? set->most_steps : GRT_ANALYSIS_STEPS;
    requests->left = requests->most - (int64_t)set->count;
    requests->result = result;
    requests->streams = set->count <= REQUESTS_FEW
                            ? requests->few
                            : grt_analysis_memory(set->count, sizeof *requests->streams);
    for (uint32_t i = 0; i < set->count; i++) {
        if (!take_task(requests, set, i, result)) {
            requests_free(requests);
            return false;
        }
    }
    return true;
}

bool requests_take(struct requests *requests, const struct grt_analysis_set *set,
                   struct grt_analysis_result *result) {
    return take(requests, set, result, false);
}

bool requests_take_suspending(struct requests *requests, const struct grt_analysis_set *set,
                              struct grt_analysis_result *result) {
    return take(requests, set, result, true);
}

void requests_free(struct requests *requests) {
    if (requests->streams != requests->few) {
        free(requests->streams);
    }
    requests->streams = NULL;
    requests->result->steps = requests->most - requests->left;
}

static bool goes_first(const struct request_stream *a, const struct request_stream *b) {
    return a->key != b->key ? a->key < b->key : a->task < b->task;
}

/* By Shell's method: thousands of streams may come in the reverse order. */
void requests_sort(struct requests *requests) {
    struct request_stream *streams = requests->streams;
    size_t gap = 1;
    while (gap < requests->count / 3) {
        gap = 3 * gap + 1;
    }
    for (; gap > 0; gap /= 3) {
        for (size_t i = gap; i < requests->count; i++) {
            struct request_stream moved = streams[i];
            size_t at = i;
            for (; at >= gap && goes_first(&moved, &streams[at - gap]); at -= gap) {
                streams[at] = streams[at - gap];
            }
            streams[at] = moved;
        }
    }
}

bool requests_refuse_cpu_after(const struct requests *requests, const struct grt_analysis_set *set,
                               struct grt_analysis_result *result) {
    for (size_t i = 0; i < requests->count; i++) {
        const struct request_stream *stream = &requests->streams[i];
        if (stream->after > 0 || stream->own_period) {
            grt_analysis_refuse(result, "task %s has CPU segments %s", set->tasks[stream->task].name,
                                stream->after > 0 ? "after its GPU segment"
                                                  : "and a deadline after its next release");
            return true;
        }
    }
    return false;
}

/* ---- load ---- */

static int compare_exactly(const struct request_stream *streams, size_t count, uint64_t *remainders) {
    size_t digits = count + 2; /* of 64 bits: sums of fractions that agree with one in more are one */
    requests_wide missing = 1; /* how much less than one the digits so far are, in units of the last */
    for (size_t digit = 0; digit < digits; digit++) {
        requests_wide sum = 0;
        bool rest = false;
        for (size_t i = 0; i < count; i++) {
            requests_wide shifted = (requests_wide)remainders[i] << 64;
            sum += shifted / (uint64_t)streams[i].period;
            remainders[i] = (uint64_t)(shifted % (uint64_t)streams[i].period);
            rest |= remainders[i] > 0;
        }
        requests_wide wanted = missing << 64;
        if (sum >= wanted) {
            return sum > wanted || rest ? 1 : 0;
        }
        if (sum + count <= wanted || !rest) {
            return -1;
        }
        missing = wanted - sum;
    }
    return 0;
}

/* The least common multiple of all periods, or 0 where it is too long to calculate with. */
static requests_wide common_period(const struct request_stream *streams, size_t count) {
    requests_wide common = 1;
    for (size_t i = 0; i < count; i++) {
        uint64_t period = (uint64_t)streams[i].period;
        uint64_t more = period / grt_common_divisor(period, (uint64_t)(common % period));
        if (common > ((requests_wide)1 << 120) / more) {
            return 0;
        }
        common *= more;
    }
    return common;
}

/* The same in one pass, for a load below two. */
static int compare_in(requests_wide common, const struct request_stream *streams, size_t count) {
    requests_wide sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += common / (uint64_t)streams[i].period * (uint64_t)streams[i].cost;
    }
    return sum == common ? 0 : sum < common ? -1 : 1;
}

int requests_load(const struct request_stream *streams, size_t count) {
    double load = 0.0;
    for (size_t i = 0; i < count; i++) {
        load += (double)streams[i].cost / (double)streams[i].period;
    }
    if (load < 1.0 - 1e-9 || load > 1.0 + 1e-9) { /* 4096 terms err by less than 10^-11 */
        return load < 1.0 ? -1 : 1;
    }
    requests_wide common = common_period(streams, count);
    if (common > 0) {
        return compare_in(common, streams, count);
    }
    uint64_t *remainders = grt_analysis_memory(count, sizeof *remainders);
    for (size_t i = 0; i < count; i++) {
        remainders[i] = (uint64_t)streams[i].cost;
    }
    int order = compare_exactly(streams, count, remainders);
    free(remainders);
    return order;
}

bool requests_end(const struct request_stream *streams, size_t count) {
    int load = requests_load(streams, count);
    for (size_t i = 0; i < count && load == 0; i++) {
        load = streams[i].jitter > 0 ? 1 : 0;
    }
    return load <= 0;
}

/* ---- witnesses ---- */

/* With U above one, jobs with deadlines up to t ask for at least sum of (t - D) C / T, more than t beyond sum of D C / T / (U - 1).
 * In units of 2^-32, rounded so that the quotient comes out too large. 0: later than the horizon. */
static int64_t overload_shows_by(const struct requests *requests, const struct grt_analysis_set *set) {
    requests_wide above = 0, backlog = 0, one = (requests_wide)1 << 32;
    for (size_t i = 0; i < requests->count; i++) {
        const struct request_stream *stream = &requests->streams[i];
        uint64_t cost = (uint64_t)stream->cost, period = (uint64_t)stream->period;
        const struct grt_analysis_task *task = &set->tasks[stream->task];
        if (task->deadline > REQUESTS_LONGEST || task->jitter > REQUESTS_LONGEST) {
            return 0;
        }
        above += ((requests_wide)cost << 32) / period;
        backlog += (requests_wide)cost * (uint64_t)(task->deadline + task->jitter) / period + 1;
    }
    if (above <= one || backlog > ((requests_wide)1 << 94)) {
        return 0;
    }
    requests_wide by = backlog * one / (above - one) + 1;
    return by < (requests_wide)REQUESTS_LONGEST ? (int64_t)by : 0;
}

void requests_witness(const struct requests *requests, const struct grt_analysis_set *set,
                      struct grt_analysis_result *result, size_t first, int64_t missed) {
    int64_t others = first == REQUESTS_NO_STREAM ? 0 : 1;
    for (size_t i = 0; i < set->count; i++) {
        result->first_release[i] = others;
    }
    if (others > 0) {
        result->first_release[requests->streams[first].task] = 0;
    }
    result->has_witness = true;
    if (missed > 0) {
        grt_analysis_add_time(result, "first_miss_by", GRT_ANALYSIS_NO_TASK, missed + others);
    }
}

void requests_overload(const struct requests *requests, const struct grt_analysis_set *set,
                       struct grt_analysis_result *result) {
    double load = 0.0;
    for (size_t i = 0; i < requests->count; i++) {
        load += (double)requests->streams[i].cost / (double)requests->streams[i].period;
    }
    bool surely = !set->longest_is_bound;
    grt_analysis_fail(result, surely ? GRT_VERDICT_UNSCHEDULABLE : GRT_VERDICT_UNKNOWN, GRT_ANALYSIS_NO_TASK,
                      "the tasks ask for %.4g times the time that the GPU has", load);
    if (surely) {
        requests_witness(requests, set, result, REQUESTS_NO_STREAM, overload_shows_by(requests, set));
    }
}
