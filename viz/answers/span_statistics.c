#include "viz/answers/span_statistics.h"

#include <stdlib.h>

#include "viz/answers/rank.h"

/* Where the slices of a measure are. */
static const struct measure {
    const char *name, *explanation;
    enum grt_track_part part;
    bool in_tasks;          /* tasks' rows have them; a resource's row only those that it executes */
    bool in_rows;           /* rows of that kind have them */
    enum grt_row_kind kind; /* of resource */
} measures[GRT_MEASURES] = {
    [GRT_MEASURE_RESPONSE] = {"response times",
                              "jobs that finish in the span; each from its arrival, also before the span",
                              GRT_PART_JOB, true, false, GRT_ROW_TASK},
    [GRT_MEASURE_GAP] = {"gaps between finishes",
                         "jobs that finish in the span; each from the task's finish before it", GRT_PART_JOB,
                         true, false, GRT_ROW_TASK},
    [GRT_MEASURE_CPU] = {"times on cores", "stays on a core; of each the part inside the span", GRT_PART_CPU,
                         true, true, GRT_ROW_CORE},
    [GRT_MEASURE_KERNEL] = {"kernels",
                            "first block's start to last block's end; of each the part inside the span",
                            GRT_PART_KERNEL, true, true, GRT_ROW_STREAM},
    [GRT_MEASURE_COPY] = {"copies", "stays on a copy engine; of each the part inside the span", GRT_PART_COPY,
                          true, true, GRT_ROW_ENGINE},
    [GRT_MEASURE_BLOCK] =
        {"blocks",
         "thread blocks on SMs, of pinned kernels their items and exits; of each the part inside the span",
         GRT_PART_BLOCK, false, true, GRT_ROW_SM},
    [GRT_MEASURE_SUSPENDED] =
        {"GPU segments", "request to completion, whoever works for the job; of each the part inside the span",
         GRT_PART_SUSPENDED, true, false, GRT_ROW_TASK},
    [GRT_MEASURE_BLOCKED] = {"blocking",
                             "waits for a less urgent task on the GPU; of each the part inside the span",
                             GRT_PART_BLOCKED, true, false, GRT_ROW_TASK},
    [GRT_MEASURE_OWN] = {"the policy's",
                         "what the policy shows on rows of its own; of each the part inside the span",
                         GRT_PART_OWN, false, true, GRT_ROW_POLICY},
    [GRT_MEASURE_HOST] =
        {"host parts",
         "stays on a core for the host's part of GPU segments; of each the part inside the span",
         GRT_PART_HOST, true, true, GRT_ROW_CORE},
    [GRT_MEASURE_SPIN] = {"busy-waiting",
                          "stays on a core while busy-waiting for the GPU; of each the part inside the span",
                          GRT_PART_SPIN, true, true, GRT_ROW_CORE},
    [GRT_MEASURE_OVERHEAD] = {"overhead",
                              "context switches and wake-ups on cores; of each the part inside the span",
                              GRT_PART_OVERHEAD, true, true, GRT_ROW_CORE},
    [GRT_MEASURE_THREAD] =
        {"the policy's threads",
         "stays on a core, by the task that they are for; of each the part inside the span", GRT_PART_THREAD,
         false, true, GRT_ROW_CORE},
};

bool grt_measure_applies(const struct grt_timeline *timeline, enum grt_measure measure) {
    bool any = measure < GRT_MEASURE_HOST;
    for (uint32_t i = 0; i < timeline->row_count && !any; i++) {
        const struct grt_track *track = grt_row_track(&timeline->rows[i], measures[measure].part);
        any = track != NULL && track->count > 0;
    }
    return any;
}

const char *grt_measure_name(enum grt_measure measure) {
    return measures[measure].name;
}

const char *grt_measure_explanation(enum grt_measure measure) {
    return measures[measure].explanation;
}

/* ---- counting ---- */

struct counting {
    const struct grt_timeline *timeline;
    const struct grt_span_question *question;
    const struct measure *measure;
    grt_time last; /* the last instant of the span */
    struct grt_span_line *lines;
    struct grt_values *values; /* of each line */
    uint32_t task_count;
};

static uint32_t line_of(const struct counting *counting, uint16_t task) {
    return task < counting->task_count ? task : counting->task_count;
}

static void add_value(struct counting *counting, uint16_t task, grt_time value, bool cut) {
    uint32_t number = line_of(counting, task);
    struct grt_span_line *line = &counting->lines[number];
    line->cut += cut;
    grt_values_add(&counting->values[number], value);
}

static bool is_chosen(const struct counting *counting, const struct grt_row *row) {
    return counting->question->rows == NULL || counting->question->rows[row - counting->timeline->rows];
}

/* Where all rows count, tasks' rows are asked first: then they have counted it. */
static bool is_of_chosen_task(const struct counting *counting, uint16_t task) {
    return task < counting->task_count &&
           (counting->question->rows == NULL || counting->question->rows[task]);
}

/* A slice that ends in the span or behind it. */
static void take_slice(struct counting *counting, const struct grt_slice *slice) {
    const struct grt_span_question *question = counting->question;
    grt_time from = slice->start > question->from ? slice->start : question->from;
    grt_time to = slice->end < question->to ? slice->end : question->to;
    bool is_instant = slice->start == slice->end && slice->end <= counting->last;
    if (from < to || is_instant) {
        add_value(counting, slice->task, to - from, from > slice->start || to < slice->end);
    }
}

static void take_response(struct counting *counting, const struct grt_slice *job) {
    if (job->detail == GRT_TRACE_FINISH && job->end <= counting->last) {
        add_value(counting, job->task, job->end - job->start, false);
    }
}

/* Jobs with these numbers, in the order of their ends, and the one that finished before them. */
static void take_gaps(struct counting *counting, const struct grt_track *jobs, uint32_t number,
                      uint32_t behind) {
    uint32_t first = number;
    do {
        first -= first > 0;
    } while (first > 0 && grt_track_at(jobs, first).detail != GRT_TRACE_FINISH);
    grt_time before = GRT_TIME_NEVER;
    for (uint32_t i = first; i < behind; i++) {
        struct grt_slice job = grt_track_at(jobs, i);
        if (job.detail == GRT_TRACE_FINISH && job.end <= counting->last) {
            if (before != GRT_TIME_NEVER) {
                add_value(counting, job.task, job.end - before, false);
            }
            before = job.end;
        }
    }
}

/* Which slices of a track are counted. Overhead of threads of the policy's own is in no task's row. */
enum filter {
    ALL,
    OF_CHOSEN_TASKS,
    OF_OTHER_TASKS,
    OF_THREADS,
    OF_THREADS_FOR_CHOSEN,
    OF_OTHERS_AND_THREADS
};

static bool passes(const struct counting *counting, const struct grt_slice *slice, enum filter filter) {
    bool chosen = is_of_chosen_task(counting, slice->task),
         other = !chosen && slice->task < counting->task_count,
         of_thread =
             counting->measure->part == GRT_PART_OVERHEAD && (slice->flags & GRT_OVERHEAD_OF_THREAD) != 0;
    switch (filter) {
    case OF_CHOSEN_TASKS:
        return chosen;
    case OF_OTHER_TASKS:
        return other;
    case OF_THREADS:
        return of_thread;
    case OF_THREADS_FOR_CHOSEN:
        return of_thread && chosen;
    case OF_OTHERS_AND_THREADS:
        return other || of_thread;
    default:
        return true;
    }
}

static void take(struct counting *counting, const struct grt_track *track, uint32_t number,
                 enum filter filter) {
    struct grt_slice slice = grt_track_at(track, number);
    if (!passes(counting, &slice, filter)) {
        return;
    }
    if (counting->question->measure == GRT_MEASURE_RESPONSE) {
        take_response(counting, &slice);
    } else {
        take_slice(counting, &slice);
    }
}

/* Slices that end in the span; as a rule they lie in it wholly, and are not looked at any further. */
static uint32_t take_many(struct counting *counting, const struct grt_track *track, uint32_t number,
                          uint32_t behind, enum filter filter) {
    struct grt_track_length lengths[GRT_TRACK_LENGTHS];
    while (number < behind) {
        uint32_t count = grt_track_lengths(track, number, behind, lengths);
        for (uint32_t i = 0; i < count; i++) {
            const struct grt_track_length *slice = &lengths[i];
            bool inside =
                slice->length < UINT32_MAX && slice->end - slice->length >= counting->question->from;
            if (inside && filter == ALL) {
                add_value(counting, slice->task, slice->length, false);
            } else {
                take(counting, track, number + i, filter);
            }
        }
        number += count;
    }
    return number;
}

/* Those that end in the span follow each other; those that end behind it are picked out. */
static void take_track(struct counting *counting, const struct grt_track *track, enum filter filter) {
    struct grt_track_cursor cursor = {0};
    uint32_t number = grt_track_first_after(track, &cursor, counting->question->from - 1);
    uint32_t behind = grt_track_first_after(track, &cursor, counting->last);
    if (counting->question->measure == GRT_MEASURE_GAP) {
        take_gaps(counting, track, number, behind);
        return;
    }
    if (counting->question->measure == GRT_MEASURE_RESPONSE) {
        for (; number < behind; number++) {
            take(counting, track, number, filter);
        }
        return;
    }
    number = take_many(counting, track, number, behind, filter);
    number = grt_track_next_before(track, number, counting->question->to);
    while (number != GRT_NO_SLICE) {
        take(counting, track, number, filter);
        number = grt_track_next_before(track, number + 1, counting->question->to);
    }
}

static void take_tasks(struct counting *counting) {
    for (uint32_t i = 0; i < counting->task_count; i++) {
        const struct grt_row *row = &counting->timeline->rows[i];
        if (is_chosen(counting, row)) {
            take_track(counting, grt_row_track(row, counting->measure->part), ALL);
        }
    }
}

/* Of a row that is chosen what chosen tasks have not counted; where tasks' rows have no such slices, of other rows what belongs
 * to chosen tasks. */
static void take_row(struct counting *counting, const struct grt_row *row) {
    const struct grt_track *track = grt_row_track(row, counting->measure->part);
    bool chosen = is_chosen(counting, row);
    if (!counting->measure->in_tasks) {
        take_track(counting, track, chosen ? ALL : OF_CHOSEN_TASKS);
    } else if (counting->measure->part == GRT_PART_OVERHEAD) {
        take_track(counting, track,
                   counting->question->rows == NULL ? OF_THREADS
                   : chosen                         ? OF_OTHERS_AND_THREADS
                                                    : OF_THREADS_FOR_CHOSEN);
    } else if (chosen && counting->question->rows != NULL) {
        take_track(counting, track, OF_OTHER_TASKS);
    }
}

static void take_rows(struct counting *counting) {
    const struct grt_timeline *timeline = counting->timeline;
    enum grt_row_kind kind = counting->measure->kind;
    for (uint32_t i = timeline->first_rows[kind]; i < timeline->first_rows[kind + 1]; i++) {
        take_row(counting, &timeline->rows[i]);
    }
}

/* ---- misses ---- */

static bool chooses_tasks(const struct counting *counting) {
    bool chosen = false;
    for (uint32_t i = 0; counting->question->rows != NULL && i < counting->task_count; i++) {
        chosen |= counting->question->rows[i];
    }
    return chosen;
}

static uint32_t first_miss(const struct grt_timeline *timeline, grt_time from) {
    uint32_t low = 0, high = timeline->miss_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (timeline->misses[middle].deadline < from) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static void count_misses(struct counting *counting) {
    const struct grt_timeline *timeline = counting->timeline;
    bool chosen_only = chooses_tasks(counting);
    for (uint32_t i = first_miss(timeline, counting->question->from);
         i < timeline->miss_count && timeline->misses[i].deadline <= counting->last; i++) {
        uint16_t task = timeline->misses[i].task;
        if (!chosen_only || is_of_chosen_task(counting, task)) {
            counting->lines[line_of(counting, task)].misses++;
        }
    }
}

/* ---- lines ---- */

static void set_totals(struct grt_span_line *line, const struct grt_values *values) {
    struct grt_values_total total = grt_values_total(values);
    line->count = values->count;
    line->sum = total.sum;
    line->min = total.min;
    line->max = total.max;
}

static void set_quantiles(struct grt_span_line *line, const grt_time quantiles[2]) {
    if (line->count > 0) {
        line->mean = (grt_time)((line->sum + (grt_wide)(line->count / 2)) / (grt_wide)line->count);
        line->p50 = quantiles[0];
        line->p99 = quantiles[1];
    }
}

static void add_line(struct grt_span_line *all, const struct grt_span_line *line) {
    if (line->count > 0) {
        all->min = all->count == 0 || line->min < all->min ? line->min : all->min;
        all->max = line->max > all->max ? line->max : all->max;
    }
    all->count += line->count;
    all->sum += line->sum;
    all->cut += line->cut;
    all->misses += line->misses;
}

static void complete_lines(struct counting *counting, struct grt_span_line *all) {
    static const uint32_t hundredths[2] = {50, 99};
    uint32_t line_count = counting->task_count + 1;
    grt_time(*of_lines)[2] = grt_allocate(line_count * sizeof *of_lines), of_all[2];
    grt_values_quantiles(counting->values, line_count, hundredths, of_lines, of_all);
    for (uint32_t i = 0; i < line_count; i++) {
        set_totals(&counting->lines[i], &counting->values[i]);
        set_quantiles(&counting->lines[i], of_lines[i]);
        add_line(all, &counting->lines[i]);
        grt_values_free(&counting->values[i]);
    }
    set_quantiles(all, of_all);
    free(of_lines);
}

void grt_span_statistics_make(struct grt_span_statistics *statistics, const struct grt_timeline *timeline,
                              const struct grt_span_question *question) {
    struct grt_arena arena = {0};
    uint32_t task_count = timeline->first_rows[GRT_ROW_TASK + 1];
    *statistics = (struct grt_span_statistics){.task_count = task_count};
    statistics->tasks = grt_allocate((task_count + 1) * sizeof *statistics->tasks);
    for (uint32_t i = 0; i <= task_count; i++) {
        statistics->tasks[i] = (struct grt_span_line){0};
    }
    struct counting counting = {
        .timeline = timeline,
        .question = question,
        .measure = &measures[question->measure],
        .last = question->to >= timeline->end ? question->to : question->to - 1,
        .lines = statistics->tasks,
        .values = grt_arena_array(&arena, task_count + 1, sizeof *counting.values),
        .task_count = task_count,
    };
    if (question->from < question->to) {
        if (counting.measure->in_tasks) {
            take_tasks(&counting);
        }
        if (counting.measure->in_rows) {
            take_rows(&counting);
        }
        count_misses(&counting);
        complete_lines(&counting, &statistics->all);
    }
    grt_arena_clear(&arena);
}

void grt_span_statistics_free(struct grt_span_statistics *statistics) {
    free(statistics->tasks);
    *statistics = (struct grt_span_statistics){0};
}

/* ---- rows ---- */

/* Whether what is done in a part keeps the row busy. */
static bool is_work(enum grt_row_kind kind, enum grt_track_part part) {
    static const enum grt_track_part parts[GRT_ROW_KINDS] = {
        [GRT_ROW_TASK] = GRT_PART_CPU,      [GRT_ROW_POLICY] = GRT_PART_OWN,  [GRT_ROW_CORE] = GRT_PART_CPU,
        [GRT_ROW_STREAM] = GRT_PART_KERNEL, [GRT_ROW_ENGINE] = GRT_PART_COPY, [GRT_ROW_SM] = GRT_PART_BLOCK,
        [GRT_ROW_PROCESS] = GRT_PART_TURN};
    return kind == GRT_ROW_CORE || part == parts[kind] || (kind == GRT_ROW_TASK && part == GRT_PART_HOST);
}

double grt_row_busy_share(const struct grt_row *row, grt_time from, grt_time to) {
    grt_wide busy = 0;
    for (uint32_t i = 0; i < row->track_count && from < to; i++) {
        struct grt_track_cursor cursor = {0};
        if (is_work(row->kind, row->tracks[i].part)) {
            grt_wide before = grt_track_busy(row->tracks[i].track, &cursor, from);
            busy += grt_track_busy(row->tracks[i].track, &cursor, to) - before;
        }
    }
    return from < to ? (double)busy / ((double)row->capacity * (double)(to - from)) : 0;
}
