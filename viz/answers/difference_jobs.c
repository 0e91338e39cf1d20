#include "viz/answers/difference_jobs.h"

#include <stdlib.h>

#include "sim/memory.h"

/* ---- slices by job ---- */

struct job_number {
    uint32_t job, number;
};

/* A track's slices by job, those of the same job by end; whether it has any for a job is asked for ascending jobs. */
struct jobs {
    const struct grt_track *track;
    struct job_number *order;
    uint32_t count, next;
};

static int by_job(const void *a, const void *b) {
    const struct job_number *left = a, *right = b;
    if (left->job != right->job) {
        return left->job < right->job ? -1 : 1;
    }
    return (left->number > right->number) - (left->number < right->number);
}

static struct jobs jobs_of(const struct grt_difference_scope *scope, int side, uint32_t row,
                           enum grt_track_part part) {
    struct jobs jobs = {0};
    if (row == GRT_NO_ROW) {
        return jobs;
    }
    jobs.track = grt_row_track(&scope->timelines[side]->rows[row], part);
    jobs.count = jobs.track->count;
    jobs.order = grt_allocate((jobs.count + 1) * sizeof *jobs.order);
    bool sorted = true;
    for (uint32_t i = 0; i < jobs.count; i++) {
        jobs.order[i] = (struct job_number){grt_track_at(jobs.track, i).job, i};
        sorted = sorted && (i == 0 || jobs.order[i - 1].job <= jobs.order[i].job);
    }
    if (!sorted) {
        qsort(jobs.order, jobs.count, sizeof *jobs.order, by_job);
    }
    return jobs;
}

/* The number of the job's next slice; GRT_NO_SLICE if there is none. */
static uint32_t take(struct jobs *jobs, uint32_t job) {
    while (jobs->next < jobs->count && jobs->order[jobs->next].job < job) {
        jobs->next++;
    }
    bool has = jobs->next < jobs->count && jobs->order[jobs->next].job == job;
    return has ? jobs->order[jobs->next++].number : GRT_NO_SLICE;
}

/* ---- the worst ---- */

static uint64_t apart(const struct grt_difference_job *job) {
    if ((job->response_a < 0) != (job->response_b < 0)) {
        return UINT64_MAX;
    }
    return (uint64_t)(job->response_a > job->response_b ? job->response_a - job->response_b
                                                        : job->response_b - job->response_a);
}

static int by_size(const void *a, const void *b) {
    const struct grt_difference_job *left = a, *right = b;
    uint64_t first = apart(left), second = apart(right);
    if (first != second) {
        return first > second ? -1 : 1;
    }
    if (left->task != right->task) {
        return left->task < right->task ? -1 : 1;
    }
    if (left->job != right->job) {
        return left->job < right->job ? -1 : 1;
    }
    uint32_t x = left->number_a, y = right->number_a;
    return x != y ? (x < y ? -1 : 1)
                  : (left->number_b > right->number_b) - (left->number_b < right->number_b);
}

void grt_difference_sort_jobs(struct grt_difference *difference, uint32_t most_jobs) {
    if (difference->job_count > 1) {
        qsort(difference->jobs, difference->job_count, sizeof *difference->jobs, by_size);
    }
    difference->job_count = difference->job_count < most_jobs ? difference->job_count : most_jobs;
}

static void add_job(struct grt_difference *difference, const struct grt_difference_job *job,
                    uint32_t most_jobs) {
    difference->differing_jobs++;
    difference->tasks[job->task].differing++;
    if (difference->job_count / 2 >= most_jobs) {
        grt_difference_sort_jobs(difference, most_jobs);
    }
    difference->jobs = grt_array_grow(difference->jobs, &difference->job_capacity, difference->job_count + 1,
                                      sizeof *difference->jobs);
    difference->jobs[difference->job_count++] = *job;
}

/* ---- one task ---- */

/* The two runs of a task. */
struct both {
    struct jobs ends[2], misses[2];
    grt_wide sums[2];
};

struct outcome {
    uint32_t number; /* GRT_NO_SLICE: it never ended */
    uint32_t kind;
    grt_time response;
    bool missed;
};

static struct outcome outcome_of(struct both *both, int side, uint32_t job) {
    struct outcome outcome = {.number = take(&both->ends[side], job), .response = -1};
    outcome.missed = take(&both->misses[side], job) != GRT_NO_SLICE;
    if (outcome.number != GRT_NO_SLICE) {
        struct grt_slice slice = grt_track_at(both->ends[side].track, outcome.number);
        outcome.kind = slice.detail;
        outcome.response = slice.detail == GRT_TRACE_FINISH ? slice.end - slice.start : -1;
    }
    return outcome;
}

static void sum_up(const struct outcome *outcome, uint32_t *finished, grt_time *max, grt_wide *sum) {
    if (outcome->response >= 0) {
        ++*finished;
        *max = outcome->response > *max ? outcome->response : *max;
        *sum += (grt_wide)(uint64_t)outcome->response;
    }
}

/* Whether it is alive when the run ends or was never there at all does not matter. */
static bool went_differently(const struct grt_difference_scope *scope, const struct grt_difference_job *job) {
    if (job->response_a < 0 && job->response_b < 0) {
        return (job->kind_a == GRT_TRACE_ABORT) != (job->kind_b == GRT_TRACE_ABORT);
    }
    return (scope->deadlines && job->missed_a != job->missed_b) ||
           (job->response_a != job->response_b && apart(job) > (uint64_t)scope->tolerance);
}

static void compare_job(struct grt_difference *difference, const struct grt_difference_scope *scope,
                        struct both *both, uint32_t pair, uint32_t number, uint32_t most_jobs) {
    struct outcome a = outcome_of(both, 0, number), b = outcome_of(both, 1, number);
    struct grt_difference_task *task = &difference->tasks[pair];
    struct grt_difference_job job = {pair,       number,   a.number, b.number,        a.response,
                                     b.response, a.missed, b.missed, (uint8_t)a.kind, (uint8_t)b.kind};
    sum_up(&a, &task->finished_a, &task->max_a, &both->sums[0]);
    sum_up(&b, &task->finished_b, &task->max_b, &both->sums[1]);
    struct grt_row_pair rows = difference->pairs.pairs[pair];
    if (rows.a != GRT_NO_ROW && rows.b != GRT_NO_ROW && went_differently(scope, &job)) {
        add_job(difference, &job, most_jobs);
    }
}

/* The next job that either has. */
static bool next_job(const struct both *both, uint32_t *job) {
    bool any = false;
    uint32_t first = 0;
    for (int side = 0; side < 2; side++) {
        const struct jobs *jobs = &both->ends[side];
        if (jobs->next < jobs->count && (!any || jobs->order[jobs->next].job < first)) {
            first = jobs->order[jobs->next].job;
            any = true;
        }
    }
    *job = first;
    return any;
}

static grt_time mean_of(grt_wide sum, uint32_t count) {
    return count > 0 ? (grt_time)((sum + (grt_wide)(count / 2)) / (grt_wide)count) : 0;
}

void grt_difference_add_jobs(struct grt_difference *difference, const struct grt_difference_scope *scope,
                             uint32_t pair, uint32_t most_jobs) {
    struct grt_row_pair rows = difference->pairs.pairs[pair];
    struct both both = {.sums = {0, 0}};
    for (int side = 0; side < 2; side++) {
        both.ends[side] = jobs_of(scope, side, side == 0 ? rows.a : rows.b, GRT_PART_JOB);
        both.misses[side] = jobs_of(scope, side, side == 0 ? rows.a : rows.b, GRT_PART_MISS);
    }
    for (uint32_t job; next_job(&both, &job);) {
        compare_job(difference, scope, &both, pair, job, most_jobs);
    }
    struct grt_difference_task *task = &difference->tasks[pair];
    task->misses_a = both.misses[0].count;
    task->misses_b = both.misses[1].count;
    task->mean_a = mean_of(both.sums[0], task->finished_a);
    task->mean_b = mean_of(both.sums[1], task->finished_b);
    for (int side = 0; side < 2; side++) {
        free(both.ends[side].order);
        free(both.misses[side].order);
    }
}
