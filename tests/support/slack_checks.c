#include "tests/support/slack_checks.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "models/result/slack.h"

/* The jobs of one task: releases by number, ends in the order of the trace. */
struct seen {
    const struct grt_trace_record **releases; /* by number of the job; NULL: none */
    const struct grt_trace_record **finishes;
    size_t release_count, finish_count, lost;
};

static void read_task(struct seen *seen, const struct grt_built_run *run, uint32_t task) {
    size_t room = run->kept.record_count + 1;
    *seen = (struct seen){.releases = calloc(room, sizeof *seen->releases),
                          .finishes = calloc(room, sizeof *seen->finishes)};
    for (size_t i = 0; i < run->kept.record_count; i++) {
        const struct grt_trace_record *record = &run->kept.records[i];
        if (record->task != task) {
            continue;
        }
        if (record->kind == GRT_TRACE_RELEASE) {
            seen->releases[record->job] = record;
        } else if (record->kind == GRT_TRACE_FINISH) {
            seen->finishes[seen->finish_count++] = record;
        }
        seen->lost += record->kind == GRT_TRACE_ABORT || record->kind == GRT_TRACE_SKIP ||
                      record->kind == GRT_TRACE_UNFINISHED;
    }
}

/* What all slacks come to. */
struct sums {
    uint64_t count, late;
    int64_t accumulated, lateness, worst;
};

static void add(struct sums *sums, int64_t slack) {
    sums->count++;
    sums->late += slack > 0;
    sums->accumulated += slack;
    sums->lateness += slack > 0 ? slack : 0;
    sums->worst = slack > sums->worst ? slack : sums->worst;
}

/* A job that ends at its deadline may have been told as late in that instant, with nothing to add. */
static bool same(const struct sums *sums, const struct grt_slack *slack, uint64_t at_deadline) {
    return sums->count == slack->count && sums->late <= slack->late &&
           slack->late <= sums->late + at_deadline && slack->accumulated == sums->accumulated &&
           slack->lateness == (grt_wide)(uint64_t)sums->lateness && slack->worst == sums->worst;
}

static bool latency_is_right(const struct seen *seen, const struct grt_task_result *result) {
    struct sums sums = {0};
    uint64_t at_deadline = 0;
    for (size_t i = 0; i < seen->finish_count; i++) {
        int64_t slack = seen->finishes[i]->time - seen->releases[seen->finishes[i]->job]->other;
        add(&sums, slack);
        at_deadline += slack == 0;
    }
    return same(&sums, &result->slack, at_deadline) && result->ends.gaps.count == 0;
}

static bool nearly(double a, double b) {
    return fabs(a - b) <= 1e-6 * (1 + fabs(b));
}

/* In two passes. */
static double deviation_of(const struct seen *seen) {
    size_t count = seen->finish_count - 1;
    double mean = (double)(seen->finishes[count]->time - seen->finishes[0]->time) / (double)count, sum = 0;
    for (size_t i = 1; i <= count; i++) {
        double gap = (double)(seen->finishes[i]->time - seen->finishes[i - 1]->time);
        sum += (gap - mean) * (gap - mean);
    }
    return sqrt(sum / (double)count);
}

static grt_time ready(const struct seen *seen, const struct grt_task *task, size_t finish) {
    const struct grt_trace_record *end = seen->finishes[finish];
    return task->arrival == GRT_ARRIVAL_AFTER ? end->other : seen->releases[end->job]->time;
}

static bool throughput_is_right(const struct seen *seen, const struct grt_task *task,
                                const struct grt_task_result *result) {
    const struct grt_slack_record *ends = &result->ends;
    struct sums sums = {0};
    grt_time least = GRT_TIME_NEVER, most = 0;
    for (size_t i = 1; i < seen->finish_count; i++) {
        grt_time gap = seen->finishes[i]->time - seen->finishes[i - 1]->time;
        add(&sums, gap - task->separation);
        least = gap < least ? gap : least;
        most = gap > most ? gap : most;
    }
    bool good = same(&sums, &result->slack, 0) && ends->gaps.count == sums.count;
    if (good && seen->finish_count > 0) {
        size_t last = seen->finish_count - 1;
        good = ends->first_ready == ready(seen, task, 0) && ends->last_ready == ready(seen, task, last) &&
               ends->last_finish == seen->finishes[last]->time;
    }
    return good && (sums.count == 0 || (ends->gaps.min == least && ends->gaps.max == most &&
                                        nearly(grt_gap_deviation(ends), deviation_of(seen))));
}

static bool task_is_right(const struct seen *seen, const struct grt_task *task,
                          const struct grt_task_result *result) {
    if (task->separation == 0 && task->deadline == GRT_TIME_NEVER) {
        return result->slack.kind == GRT_SLACK_NONE && result->slack.count == 0 &&
               result->slack.accumulated == 0 && result->slack.not_finished == 0;
    }
    return result->slack.not_finished == seen->lost &&
           (task->separation > 0
                ? result->slack.kind == GRT_SLACK_THROUGHPUT && throughput_is_right(seen, task, result)
                : result->slack.kind == GRT_SLACK_LATENCY && latency_is_right(seen, result));
}

bool grt_slack_checks_pass(const struct grt_scenario *scenario, const struct grt_built_run *run) {
    bool good = true;
    for (uint32_t task = 0; good && task < scenario->task_count; task++) {
        struct seen seen;
        read_task(&seen, run, task);
        good = task_is_right(&seen, &scenario->tasks[task], &run->result->tasks[task]);
        if (!good) {
            fprintf(stderr, "task %u: its slack is not that of the trace\n", task);
        }
        free(seen.releases);
        free(seen.finishes);
    }
    return good;
}
