#include "models/result/slack.h"

#include <math.h>

const char *const grt_slack_kind_names[] = {
    [GRT_SLACK_NONE] = NULL, [GRT_SLACK_LATENCY] = "latency", [GRT_SLACK_THROUGHPUT] = "throughput"};

enum grt_slack_kind grt_slack_kind_of(const struct grt_task *task) {
    return task->separation > 0               ? GRT_SLACK_THROUGHPUT
           : task->deadline != GRT_TIME_NEVER ? GRT_SLACK_LATENCY
                                              : GRT_SLACK_NONE;
}

/* ---- sums ---- */

static grt_wide sum_of(const struct grt_stats *stats) {
    return (grt_wide)stats->sum_high << 64 | stats->sum_low;
}

/* From a sum of spans and what each of them should have been at most. */
static grt_signed_wide beyond(grt_wide sum, uint64_t count, grt_time wanted) {
    return (grt_signed_wide)(sum - (grt_wide)count * (uint64_t)wanted);
}

/* A deadline that counts from the release is that much later. */
static grt_signed_wide accumulated(const struct grt_task *task, const struct grt_task_result *result) {
    const struct grt_slack_record *ends = &result->ends;
    if (task->separation > 0) {
        return beyond(sum_of(&ends->gaps), ends->gaps.count, task->separation);
    }
    bool from_release = task->deadline_from == GRT_DEADLINE_FROM_RELEASE;
    grt_wide responses = sum_of(&result->response) - (from_release ? ends->release_delay : 0);
    return beyond(responses, result->finished, task->deadline);
}

struct grt_slack grt_slack_of(const struct grt_task *task, const struct grt_task_result *result) {
    struct grt_slack slack = {.kind = grt_slack_kind_of(task)};
    if (slack.kind == GRT_SLACK_NONE) {
        return slack;
    }
    slack.count = slack.kind == GRT_SLACK_THROUGHPUT ? result->ends.gaps.count : result->finished;
    slack.late = result->ends.late.count;
    slack.accumulated = accumulated(task, result);
    slack.lateness = sum_of(&result->ends.late);
    slack.worst = result->ends.late.max;
    slack.not_finished = result->aborted + result->skipped + result->unfinished;
    return slack;
}

void grt_slack_add(struct grt_slack *sum, const struct grt_slack *slack) {
    sum->count += slack->count;
    sum->late += slack->late;
    sum->accumulated += slack->accumulated;
    sum->lateness += slack->lateness;
    sum->worst = slack->worst > sum->worst ? slack->worst : sum->worst;
    sum->not_finished += slack->not_finished;
}

/* ---- means ---- */

double grt_slack_mean_lateness(const struct grt_slack *slack) {
    return slack->count > 0 ? (double)slack->lateness / (double)slack->count : 0;
}

/* n * squares - sum^2, exactly: the two are nearly equal where gaps are, and the first may have 192 bits. All gaps together are no
 * longer than the run, so that the sum has 64. */
static double scaled_variance(grt_wide squares, uint64_t count, uint64_t sum) {
    grt_wide low = (grt_wide)(uint64_t)squares * count, high = (squares >> 64) * count + (low >> 64);
    grt_wide square = (grt_wide)sum * sum;
    uint64_t low_part = (uint64_t)low, square_low = (uint64_t)square;
    high -= (square >> 64) + (low_part < square_low);
    return ldexp((double)high, 64) + (double)(low_part - square_low);
}

double grt_gap_deviation(const struct grt_slack_record *ends) {
    const struct grt_stats *gaps = &ends->gaps;
    if (gaps->count == 0) {
        return 0;
    }
    return sqrt(scaled_variance(ends->gap_squares, gaps->count, gaps->sum_low)) / (double)gaps->count;
}
