/* The rows of the tasks: marks above, and below what the task's job does. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "viz/gantt/chart.h"

/* Tasks of which nothing is to be seen are left out beyond the first number, others beyond the second. */
enum { IDLE_TASKS_SHOWN = 24, TASKS_SHOWN = 64, LABEL_SIZE = 300 };

/* What the trace says of a job, in several records. */
struct job {
    uint32_t task, number;
    grt_time release, deadline; /* of the job; GRT_TIME_NEVER where the window does not know */
    bool unreleased;            /* it came after the window */
};

struct task_rows {
    struct grt_gantt_cell *marks, *states; /* NULL where the task is not shown */
};

struct builder {
    struct grt_gantt_chart *chart;
    struct task_rows *rows; /* per task */
    struct job *jobs;       /* ascending by task and number */
    size_t job_count;
    const struct grt_trace_record **requests; /* per task: the last of a GPU segment */
    bool has_host_parts;
};

/* ---- Jobs ---- */

static int compare_jobs(const void *first, const void *second) {
    const struct job *a = first, *b = second;
    if (a->task != b->task) {
        return a->task < b->task ? -1 : 1;
    }
    return (a->number > b->number) - (a->number < b->number);
}

static void collect_jobs(struct builder *builder) {
    const struct grt_trace_memory *trace = builder->chart->trace;
    size_t count = 0;
    for (size_t i = 0; i < trace->record_count; i++) {
        count += trace->records[i].kind == GRT_TRACE_RELEASE;
    }
    builder->jobs = grt_allocate(count * sizeof *builder->jobs);
    for (size_t i = 0; i < trace->record_count; i++) {
        const struct grt_trace_record *record = &trace->records[i];
        if (record->kind == GRT_TRACE_RELEASE) {
            builder->jobs[builder->job_count++] = (struct job){.task = record->task,
                                                               .number = record->job,
                                                               .release = record->time,
                                                               .deadline = record->other};
        }
    }
    qsort(builder->jobs, builder->job_count, sizeof *builder->jobs, compare_jobs);
}

/* A window keeps the releases in it and those before it whose deadline is not. So a job without one that arrived in the
 * window or that was in time at its end, which lies in the window or behind it, was released behind it. */
static struct job find_job(const struct builder *builder, const struct grt_trace_record *record) {
    struct job key = {
        .task = record->task, .number = record->job, .release = record->other, .deadline = GRT_TIME_NEVER};
    const struct job *found =
        builder->job_count == 0 ? NULL
                                : bsearch(&key, builder->jobs, builder->job_count, sizeof key, compare_jobs);
    bool late = record->kind == GRT_TRACE_ABORT || (record->flags & GRT_TRACE_LATE) != 0;
    key.unreleased = record->other >= builder->chart->options.from || !late;
    return found != NULL ? *found : key;
}

/* ---- Which tasks are shown ---- */

static bool is_visible(const struct grt_gantt_chart *chart, const struct grt_trace_record *record) {
    grt_time start = record->time, end = record->time;
    if (record->kind != GRT_TRACE_RELEASE && record->kind != GRT_TRACE_SKIP) {
        start = record->other < start ? record->other : start;
    }
    return start <= chart->options.to && end >= chart->options.from;
}

static bool is_miss(const struct grt_trace_record *record) {
    return record->kind == GRT_TRACE_MISS || (record->flags & GRT_TRACE_LATE) != 0;
}

/* 0: nothing to be seen, 1: something, 2: a miss. */
static unsigned char *importances(const struct grt_gantt_chart *chart) {
    unsigned char *importance = grt_allocate(chart->task_count);
    for (uint32_t i = 0; i < chart->task_count; i++) {
        importance[i] = chart->task_count <= IDLE_TASKS_SHOWN;
    }
    for (size_t i = 0; i < chart->trace->record_count; i++) {
        const struct grt_trace_record *record = &chart->trace->records[i];
        if (record->task < chart->task_count && is_visible(chart, record)) {
            unsigned char weight = is_miss(record) ? 2 : 1;
            importance[record->task] = weight > importance[record->task] ? weight : importance[record->task];
        }
    }
    return importance;
}

static void add_task_rows(struct grt_gantt_chart *chart, uint32_t task, struct task_rows *rows) {
    char label[LABEL_SIZE];
    snprintf(label, sizeof label, "%c %s", grt_gantt_letter(task),
             grt_gantt_name(chart, GRT_NAME_TASK, task));
    rows->marks = grt_gantt_add_row(chart, "");
    rows->states = grt_gantt_add_row(chart, label);
}

/* Tasks that miss deadlines are shown before others if there are too many for a chart. */
static void choose_tasks(struct builder *builder) {
    struct grt_gantt_chart *chart = builder->chart;
    unsigned char *importance = importances(chart);
    uint32_t missing = 0, other_room;
    for (uint32_t i = 0; i < chart->task_count; i++) {
        missing += importance[i] == 2;
    }
    other_room = missing < TASKS_SHOWN ? TASKS_SHOWN - missing : 0;
    uint32_t missing_room = TASKS_SHOWN;
    for (uint32_t i = 0; i < chart->task_count; i++) {
        uint32_t *room = importance[i] == 2 ? &missing_room : &other_room;
        if (importance[i] > 0 && *room > 0) {
            --*room;
            add_task_rows(chart, i, &builder->rows[i]);
        } else {
            chart->hidden_tasks++;
        }
    }
    free(importance);
}

/* ---- Painting ---- */

static void paint_state(struct builder *builder, const struct grt_trace_record *record,
                        enum grt_gantt_sign sign, grt_time start) {
    struct grt_gantt_slice slice = {.start = start,
                                    .end = record->time,
                                    .sign = sign,
                                    .task = record->task,
                                    .priority = sign,
                                    .keep_short = sign != GRT_SIGN_WAIT_CORE && sign != GRT_SIGN_WAIT_GPU};
    grt_gantt_paint(builder->chart, builder->rows[record->task].states, &slice);
}

/* The end of a job: it was ready since its release; it may have missed its deadline. */
static void paint_job(struct builder *builder, const struct grt_trace_record *record) {
    struct job job = find_job(builder, record);
    struct task_rows *rows = &builder->rows[record->task];
    if (job.unreleased) {
        return;
    }
    paint_state(builder, record, GRT_SIGN_WAIT_CORE, job.release);
    if (record->flags & GRT_TRACE_LATE) {
        grt_gantt_mark(builder->chart, rows->marks, job.deadline, GRT_SIGN_MISS);
    }
    if (record->kind == GRT_TRACE_ABORT) {
        grt_gantt_mark(builder->chart, rows->marks, record->time, GRT_SIGN_ABORT);
    }
}

static void paint_others(struct builder *builder, const struct grt_trace_record *record) {
    struct grt_gantt_cell *marks = builder->rows[record->task].marks;
    switch (record->kind) {
    case GRT_TRACE_RELEASE:
        grt_gantt_mark(builder->chart, marks, record->time, GRT_SIGN_RELEASE);
        grt_gantt_mark(builder->chart, marks, record->other, GRT_SIGN_DEADLINE);
        break;
    case GRT_TRACE_SKIP:
        grt_gantt_mark(builder->chart, marks, record->time, GRT_SIGN_SKIP);
        break;
    case GRT_TRACE_MISS:
        grt_gantt_mark(builder->chart, marks, record->other, GRT_SIGN_MISS);
        break;
    case GRT_TRACE_FINISH:
    case GRT_TRACE_ABORT:
    case GRT_TRACE_UNFINISHED:
        paint_job(builder, record);
        break;
    case GRT_TRACE_GPU_SEGMENT:
    case GRT_TRACE_KERNEL: /* between its blocks */
        paint_state(builder, record, GRT_SIGN_WAIT_GPU, record->other);
        break;
    case GRT_TRACE_THREAD:
        if ((record->flags & GRT_TRACE_OVERHEAD) == 0) {
            paint_state(builder, record, GRT_SIGN_SERVED, record->other);
        }
        break;
    case GRT_TRACE_CALL:
        if (record->other < record->time) {
            paint_state(builder, record, GRT_SIGN_CALL, record->other);
        }
        break;
    case GRT_TRACE_COPY:
        paint_state(builder, record, record->flags & GRT_TRACE_D2H ? GRT_SIGN_COPY_OUT : GRT_SIGN_COPY_IN,
                    record->other);
        break;
    default:
        break;
    }
}

static void paint_cpu(struct builder *builder, const struct grt_trace_record *record) {
    if (record->kind == GRT_TRACE_GPU_REQUEST && builder->has_host_parts) {
        builder->requests[record->task] = record;
    } else if (record->kind == GRT_TRACE_CPU) {
        paint_state(builder, record, grt_gantt_stay_sign(record, builder->requests), record->other);
    }
}

/* Busy-waiting goes on beside the kernel that is waited for: the two are shown as one where they have most of a column. */
static void paint_spinning(struct builder *builder, const struct grt_trace_record *record) {
    const struct grt_gantt_chart *chart = builder->chart;
    grt_time start = record->other, end = record->time;
    uint32_t first, last;
    bool spins = record->kind == GRT_TRACE_CPU && (record->flags & GRT_TRACE_SPIN) != 0;
    if (!spins || !grt_gantt_clip(chart, &start, &end, &first, &last)) {
        return;
    }
    for (uint32_t column = first; column <= last; column++) {
        struct grt_gantt_cell *cell = &builder->rows[record->task].states[column];
        bool most = 2 * grt_gantt_overlap(chart, column, start, end) >= grt_gantt_column_time(chart, column);
        cell->sign = cell->sign == GRT_SIGN_KERNEL && most ? GRT_SIGN_SPIN_KERNEL : cell->sign;
    }
}

static void paint_boost(void *state, const struct grt_gantt_slice *boost) {
    struct builder *builder = state;
    if (builder->rows[boost->task].marks != NULL) {
        grt_gantt_paint(builder->chart, builder->rows[boost->task].marks, boost);
    }
}

/* Cells of a late job are marked once all its cells have been painted. */
static void paint_lateness(struct builder *builder, const struct grt_trace_record *record) {
    if ((record->flags & GRT_TRACE_LATE) == 0) {
        return;
    }
    struct job job = find_job(builder, record);
    if (job.unreleased) {
        return;
    }
    grt_time start = job.deadline == GRT_TIME_NEVER ? builder->chart->options.from : job.deadline;
    grt_time end = record->time;
    uint32_t first, last;
    if (start < end && grt_gantt_clip(builder->chart, &start, &end, &first, &last)) {
        for (uint32_t column = first; column <= last; column++) {
            builder->rows[record->task].states[column].late = true;
        }
    }
}

/* ---- Kernels ---- */

/* A span of blocks of a task, and the process that they belong to. */
struct span {
    struct grt_trace_record blocks; /* kind 0: none */
    uint32_t process;
};

static void paint_span(struct builder *builder, const struct span *span) {
    struct grt_trace_record part = span->blocks;
    grt_time start = part.other;
    while (part.kind != 0 &&
           grt_gantt_next_stay(builder->chart, span->process, &start, &part.time, span->blocks.time)) {
        paint_state(builder, &part, GRT_SIGN_KERNEL, start);
        start = part.time;
    }
}

/* A kernel is drawn where blocks of it run: between its waves, or pushed out by another, it waits. Backwards through the
 * trace ends only fall: once a block ends before a span begins, no other block belongs to that span. The record of a
 * kernel follows those of its blocks. */
static void paint_kernels(struct builder *builder) {
    const struct grt_gantt_chart *chart = builder->chart;
    struct span *spans = grt_allocate(chart->task_count * sizeof *spans);
    memset(spans, 0, chart->task_count * sizeof *spans);
    for (size_t i = chart->trace->record_count; i-- > 0;) {
        const struct grt_trace_record *record = &chart->trace->records[i];
        bool block = record->kind == GRT_TRACE_BLOCK;
        if ((!block && record->kind != GRT_TRACE_KERNEL) || record->task >= chart->task_count ||
            builder->rows[record->task].marks == NULL) {
            continue;
        }
        struct span *span = &spans[record->task];
        if (!block || span->blocks.kind == 0 || record->time < span->blocks.other) {
            paint_span(builder, span);
            span->blocks = block ? *record : (struct grt_trace_record){0};
        } else if (record->other < span->blocks.other) {
            span->blocks.other = record->other;
        }
        if (!block) {
            span->process = grt_gantt_process_of_stream(chart, grt_trace_row(record->row));
        }
    }
    for (uint32_t task = 0; task < chart->task_count; task++) {
        paint_span(builder, &spans[task]);
    }
    free(spans);
}

/* Of a kernel without blocks the trace says when it was there, and when it had no share and stood still. */
struct shared_kernel {
    struct builder *builder;
    struct grt_trace_record record;
};

static void paint_share(void *state, grt_time start, grt_time end, uint32_t share) {
    struct shared_kernel *kernel = state;
    kernel->record.time = end;
    paint_state(kernel->builder, &kernel->record, share > 0 ? GRT_SIGN_KERNEL : GRT_SIGN_STILL, start);
}

static void paint_shared_kernel(struct builder *builder, const struct grt_trace_record *record) {
    if (record->kind == GRT_TRACE_KERNEL && grt_gantt_is_shared(builder->chart, record)) {
        struct shared_kernel kernel = {builder, *record};
        grt_gantt_each_share(builder->chart, record, paint_share, &kernel);
    }
}

/* Kernels claim their columns first, then what runs on a core, then copies. */
void grt_gantt_add_tasks(struct grt_gantt_chart *chart) {
    struct builder builder = {
        .chart = chart,
        .rows = grt_arena_array(&chart->arena, chart->task_count, sizeof *builder.rows),
        .requests = grt_arena_array(&chart->arena, chart->task_count, sizeof *builder.requests)};
    builder.has_host_parts = grt_gantt_has_host_parts(chart);
    collect_jobs(&builder);
    choose_tasks(&builder);
    paint_kernels(&builder);
    grt_gantt_each_boost(chart, paint_boost, &builder);
    void (*const passes[])(struct builder *, const struct grt_trace_record *) = {
        paint_shared_kernel, paint_cpu, paint_others, paint_spinning, paint_lateness};
    for (size_t pass = 0; pass < sizeof passes / sizeof passes[0]; pass++) {
        for (size_t i = 0; i < chart->trace->record_count; i++) {
            const struct grt_trace_record *record = &chart->trace->records[i];
            if (record->task < chart->task_count && builder.rows[record->task].marks != NULL) {
                passes[pass](&builder, record);
            }
        }
    }
    free(builder.jobs);
}
