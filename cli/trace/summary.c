#include "cli/trace/summary.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cli/trace/shares.h"

/* ---- Names ---- */

static uint32_t count_names(const struct grt_trace_memory *trace, enum grt_trace_name_kind kind) {
    uint32_t count = 0;
    for (size_t i = 0; i < trace->name_count; i++) {
        count += trace->names[i].kind == kind;
    }
    return count;
}

/* How many of a kind are summed up; the others are counted as hidden. */
static uint32_t shown(uint32_t count, uint32_t *hidden) {
    uint32_t kept = count < GRT_SUMMARY_ROWS ? count : GRT_SUMMARY_ROWS;
    *hidden += count - kept;
    return kept;
}

/* ---- Jobs ---- */

/* A record of a job, and where it stands in the trace. */
struct told {
    const struct grt_trace_record *record;
};

static int compare_told(const void *left, const void *right) {
    const struct grt_trace_record *a = ((const struct told *)left)->record;
    const struct grt_trace_record *b = ((const struct told *)right)->record;
    if (a->task != b->task) {
        return a->task < b->task ? -1 : 1;
    }
    if (a->job != b->job) {
        return a->job < b->job ? -1 : 1;
    }
    return (a > b) - (a < b);
}

static bool is_of_job(const struct grt_trace_record *record) {
    switch (record->kind) {
    case GRT_TRACE_RELEASE:
    case GRT_TRACE_FINISH:
    case GRT_TRACE_ABORT:
    case GRT_TRACE_SKIP:
    case GRT_TRACE_MISS:
    case GRT_TRACE_UNFINISHED:
        return true;
    default:
        return false;
    }
}

/* What a trace tells of one job. */
struct job {
    const struct grt_trace_record *release, *end; /* NULL: none */
    bool skipped, missed;
};

static void hear(struct job *job, const struct grt_trace_record *record) {
    switch (record->kind) {
    case GRT_TRACE_RELEASE:
        job->release = record;
        break;
    case GRT_TRACE_SKIP:
        job->skipped = true;
        break;
    case GRT_TRACE_MISS:
        job->missed = true;
        break;
    default:
        job->end = record;
        job->missed = job->missed || (record->flags & GRT_TRACE_LATE) != 0;
        break;
    }
}

/* How long after its arrival the deadline of a job is; 0: it has none, or the trace does not say. */
static grt_time relative_deadline(const struct job *job) {
    if (job->release == NULL || job->end == NULL || job->release->other == GRT_TIME_NEVER ||
        job->release->other <= job->end->other) {
        return 0;
    }
    return job->release->other - job->end->other;
}

static void add_end(struct grt_task_result *task, const struct job *job, grt_time deadline) {
    const struct grt_trace_record *end = job->end;
    task->aborted += end->kind == GRT_TRACE_ABORT;
    task->unfinished += end->kind == GRT_TRACE_UNFINISHED;
    if (end->kind != GRT_TRACE_FINISH) {
        return;
    }
    task->finished++;
    task->met += deadline > 0 && !job->missed;
    grt_stats_add(&task->response, end->time - end->other);
    if (deadline > 0 && end->time - end->other - deadline > task->worst_tardiness) {
        task->worst_tardiness = end->time - end->other - deadline;
    }
}

/* A job that was aborted, be it before its deadline, does not meet it. */
static bool is_missed(const struct job *job) {
    bool aborted = job->end != NULL && job->end->kind == GRT_TRACE_ABORT;
    return job->missed || (aborted && job->release != NULL && job->release->other != GRT_TIME_NEVER);
}

static void add_job(struct grt_trace_summary *summary, uint32_t number, const struct job *job) {
    struct grt_task_result *task = &summary->tasks[number];
    grt_time deadline = relative_deadline(job);
    task->released += job->release != NULL;
    task->skipped += job->skipped;
    task->missed += is_missed(job);
    summary->deadlines[number] =
        deadline > summary->deadlines[number] ? deadline : summary->deadlines[number];
    if (job->end != NULL) {
        add_end(task, job, deadline);
    }
}

static void sum_jobs(const struct grt_trace_memory *trace, struct grt_trace_summary *summary) {
    size_t count = 0;
    for (size_t i = 0; i < trace->record_count; i++) {
        count += is_of_job(&trace->records[i]) && trace->records[i].task < summary->task_count;
    }
    struct told *told = grt_allocate(count * sizeof *told);
    count = 0;
    for (size_t i = 0; i < trace->record_count; i++) {
        if (is_of_job(&trace->records[i]) && trace->records[i].task < summary->task_count) {
            told[count++].record = &trace->records[i];
        }
    }
    qsort(told, count, sizeof *told, compare_told);
    for (size_t i = 0; i < count;) {
        struct job job = {0};
        const struct grt_trace_record *first = told[i].record;
        for (; i < count && told[i].record->task == first->task && told[i].record->job == first->job; i++) {
            hear(&job, told[i].record);
        }
        add_job(summary, first->task, &job);
    }
    free(told);
}

/* ---- Rows ---- */

struct slice {
    uint32_t row;
    grt_time start, end;
};

static int compare_slices(const void *left, const void *right) {
    const struct slice *a = left, *b = right;
    if (a->row != b->row) {
        return a->row < b->row ? -1 : 1;
    }
    return (a->start > b->start) - (a->start < b->start);
}

/* Slices of a kind; those of a core are of jobs' threads and of a policy's. `flag`: only those with it, 0: all. */
struct sort {
    enum grt_trace_kind kind;
    uint8_t flag;
};

static bool is_of(const struct sort *sort, const struct grt_trace_record *record) {
    bool same =
        record->kind == sort->kind || (sort->kind == GRT_TRACE_CPU && record->kind == GRT_TRACE_THREAD);
    return same && (record->flags & sort->flag) == sort->flag;
}

/* Writes how long each of the rows has at least one slice of that sort. */
static void sum_rows(const struct grt_trace_memory *trace, struct sort sort, uint32_t row_count,
                     grt_time *busy) {
    size_t count = 0;
    for (size_t i = 0; i < trace->record_count; i++) {
        count += is_of(&sort, &trace->records[i]);
    }
    struct slice *slices = grt_allocate(count * sizeof *slices);
    count = 0;
    for (size_t i = 0; i < trace->record_count; i++) {
        const struct grt_trace_record *record = &trace->records[i];
        bool of_grid = sort.kind == GRT_TRACE_BLOCK || sort.kind == GRT_TRACE_KERNEL;
        uint32_t row = of_grid ? grt_trace_row(record->row) : record->row;
        if (is_of(&sort, record) && row < row_count) {
            slices[count++] = (struct slice){row, record->other, record->time};
        }
    }
    qsort(slices, count, sizeof *slices, compare_slices);
    grt_time until = 0; /* to where the row has been counted */
    for (size_t i = 0; i < count; i++) {
        until = i == 0 || slices[i].row != slices[i - 1].row ? 0 : until;
        grt_time from = slices[i].start > until ? slices[i].start : until;
        busy[slices[i].row] += slices[i].end > from ? slices[i].end - from : 0;
        until = slices[i].end > until ? slices[i].end : until;
    }
    free(slices);
}

static struct grt_summary_row *make_rows(const struct grt_trace_memory *trace,
                                         struct grt_trace_summary *summary, enum grt_trace_name_kind names,
                                         enum grt_trace_kind kind, uint32_t *count) {
    *count = shown(count_names(trace, names), &summary->hidden_rows);
    struct grt_summary_row *rows = grt_arena_array(&summary->arena, *count, sizeof *rows);
    grt_time *busy = grt_arena_array(&summary->arena, *count, sizeof *busy);
    sum_rows(trace, (struct sort){kind, 0}, *count, busy);
    for (uint32_t i = 0; i < *count; i++) {
        rows[i] = (struct grt_summary_row){.name = "", .busy = busy[i]};
    }
    for (size_t i = 0; i < trace->name_count; i++) {
        if (trace->names[i].kind == names && trace->names[i].index < *count) {
            rows[trace->names[i].index].name = trace->names[i].text;
        }
    }
    return rows;
}

/* How much of their time cores spent with what is no work. */
static void sum_costs(const struct grt_trace_memory *trace, struct grt_trace_summary *summary) {
    uint32_t count = summary->core_count;
    grt_time *spinning = grt_arena_array(&summary->arena, count, sizeof *spinning);
    grt_time *overhead = grt_arena_array(&summary->arena, count, sizeof *overhead);
    sum_rows(trace, (struct sort){GRT_TRACE_CPU, GRT_TRACE_SPIN}, count, spinning);
    sum_rows(trace, (struct sort){GRT_TRACE_CPU, GRT_TRACE_OVERHEAD}, count, overhead);
    for (uint32_t i = 0; i < count; i++) {
        summary->cores[i].spinning = spinning[i];
        summary->cores[i].overhead = overhead[i];
    }
}

static void sum_sms(const struct grt_trace_memory *trace, struct grt_trace_summary *summary) {
    summary->sm_count = count_names(trace, GRT_NAME_SM);
    summary->sm_count = summary->sm_count <= UINT16_MAX ? summary->sm_count : UINT16_MAX + 1u;
    grt_time *busy = grt_arena_array(&summary->arena, summary->sm_count, sizeof *busy);
    sum_rows(trace, (struct sort){GRT_TRACE_BLOCK, 0}, summary->sm_count, busy);
    for (uint32_t i = 0; i < summary->sm_count; i++) {
        summary->sm_busy += (double)busy[i];
    }
}

/* ---- Streams ---- */

/* Streams are resources where there are no SMs. */
static void sum_streams(const struct grt_trace_memory *trace, struct grt_trace_summary *summary) {
    bool any = summary->sm_count == 0;
    for (size_t i = 0; i < trace->record_count && !any; i++) {
        any = trace->records[i].kind == GRT_TRACE_SHARE;
    }
    if (any) {
        summary->streams =
            make_rows(trace, summary, GRT_NAME_STREAM, GRT_TRACE_KERNEL, &summary->stream_count);
        grt_trace_sum_shares(trace, summary->streams, summary->stream_count);
    }
}

/* ---- Kernels ---- */

struct launch {
    uint32_t task, place;
    grt_time span;
};

static int compare_launches(const void *left, const void *right) {
    const struct launch *a = left, *b = right;
    if (a->task != b->task) {
        return a->task < b->task ? -1 : 1;
    }
    if (a->place != b->place) {
        return a->place < b->place ? -1 : 1;
    }
    return (a->span > b->span) - (a->span < b->span);
}

/* The launch's value of rank ceil(q * count), q in hundredths. */
static grt_time quantile(const struct launch *launches, size_t count, size_t hundredths) {
    return launches[(count * hundredths + 99) / 100 - 1].span;
}

/* The mean, without a sum that could overflow. */
static grt_time mean(const struct launch *launches, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += (double)launches[i].span;
    }
    return (grt_time)(sum / (double)count + 0.5);
}

static struct grt_summary_kernel kernel_of(const struct grt_trace_summary *summary,
                                           const struct launch *launches, size_t count) {
    return (struct grt_summary_kernel){.name = "",
                                       .task = summary->tasks[launches->task].name,
                                       .count = count,
                                       .min = launches->span,
                                       .mean = mean(launches, count),
                                       .p50 = quantile(launches, count, 50),
                                       .p99 = quantile(launches, count, 99),
                                       .max = launches[count - 1].span};
}

static bool is_whole_launch(const struct grt_trace_summary *summary, const struct grt_trace_record *record) {
    return record->kind == GRT_TRACE_KERNEL && record->task < summary->task_count &&
           (record->flags & (GRT_TRACE_ABORTED | GRT_TRACE_OPEN)) == 0;
}

/* Gives each kernel that was summed up its name. `keys` are one launch of each, in the same order. */
static void name_kernels(const struct grt_trace_memory *trace, struct grt_trace_summary *summary,
                         const struct launch *keys) {
    for (size_t i = 0; i < trace->name_count; i++) {
        const struct grt_trace_name *name = &trace->names[i];
        uint32_t place = grt_trace_place(name->segment, name->command);
        size_t first = 0, end = name->kind == GRT_NAME_KERNEL ? summary->kernel_count : 0;
        while (first < end) { /* bsearch without the spans */
            size_t middle = first + (end - first) / 2;
            const struct launch *key = &keys[middle];
            if (key->task < name->index || (key->task == name->index && key->place < place)) {
                first = middle + 1;
            } else {
                end = middle;
            }
        }
        if (name->kind == GRT_NAME_KERNEL && first < summary->kernel_count &&
            keys[first].task == name->index && keys[first].place == place) {
            summary->kernels[first].name = name->text;
        }
    }
}

static void group_launches(const struct grt_trace_memory *trace, struct grt_trace_summary *summary,
                           const struct launch *launches, size_t count) {
    struct launch *keys = grt_allocate(GRT_SUMMARY_ROWS * sizeof *keys);
    summary->kernels = grt_arena_array(&summary->arena, GRT_SUMMARY_ROWS, sizeof *summary->kernels);
    for (size_t i = 0, same = 0; i < count; i += same) {
        for (same = 1; i + same < count && launches[i + same].task == launches[i].task &&
                       launches[i + same].place == launches[i].place;) {
            same++;
        }
        if (summary->kernel_count == GRT_SUMMARY_ROWS) {
            summary->hidden_kernels++;
        } else {
            keys[summary->kernel_count] = launches[i];
            summary->kernels[summary->kernel_count++] = kernel_of(summary, &launches[i], same);
        }
    }
    name_kernels(trace, summary, keys);
    free(keys);
}

static void sum_kernels(const struct grt_trace_memory *trace, struct grt_trace_summary *summary) {
    size_t count = 0;
    for (size_t i = 0; i < trace->record_count; i++) {
        count += is_whole_launch(summary, &trace->records[i]);
    }
    struct launch *launches = grt_allocate(count * sizeof *launches);
    count = 0;
    for (size_t i = 0; i < trace->record_count; i++) {
        const struct grt_trace_record *record = &trace->records[i];
        if (is_whole_launch(summary, record)) {
            launches[count++] = (struct launch){record->task, record->detail, record->time - record->other};
        }
    }
    qsort(launches, count, sizeof *launches, compare_launches);
    group_launches(trace, summary, launches, count);
    free(launches);
}

/* ---- The whole ---- */

static bool is_instant(const struct grt_trace_record *record) {
    return record->kind == GRT_TRACE_RELEASE || record->kind == GRT_TRACE_SKIP ||
           record->kind == GRT_TRACE_MISS || record->kind == GRT_TRACE_GPU_REQUEST ||
           record->kind == GRT_TRACE_ROW_MARK || record->kind == GRT_TRACE_LAUNCH_FAILED ||
           record->kind == GRT_TRACE_PRIORITY || record->kind == GRT_TRACE_LOST_ITEMS ||
           record->kind == GRT_TRACE_SHARE;
}

static void find_ends(const struct grt_trace_memory *trace, struct grt_trace_summary *summary) {
    summary->first = trace->record_count > 0 ? trace->records[0].time : 0;
    for (size_t i = 0; i < trace->record_count; i++) {
        const struct grt_trace_record *record = &trace->records[i];
        grt_time start = is_instant(record) ? record->time : record->other;
        summary->first = start < summary->first ? start : summary->first;
        summary->last = record->time;
    }
}

static void make_tasks(const struct grt_trace_memory *trace, struct grt_trace_summary *summary) {
    summary->task_count = shown(count_names(trace, GRT_NAME_TASK), &summary->hidden_tasks);
    summary->tasks = grt_arena_array(&summary->arena, summary->task_count, sizeof *summary->tasks);
    summary->deadlines = grt_arena_array(&summary->arena, summary->task_count, sizeof *summary->deadlines);
    for (uint32_t i = 0; i < summary->task_count; i++) {
        summary->tasks[i].name = "";
        summary->tasks[i].response = grt_stats_create(&summary->arena);
    }
    for (size_t i = 0; i < trace->name_count; i++) {
        const struct grt_trace_name *name = &trace->names[i];
        if (name->kind == GRT_NAME_TASK && name->index < summary->task_count) {
            summary->tasks[name->index].name = name->text;
        } else if (name->kind == GRT_NAME_RUN) {
            summary->run = name->text;
        }
    }
}

void grt_trace_summary_make(const struct grt_trace_memory *trace, struct grt_trace_summary *out) {
    *out = (struct grt_trace_summary){.run = ""};
    find_ends(trace, out);
    make_tasks(trace, out);
    sum_jobs(trace, out);
    out->cores = make_rows(trace, out, GRT_NAME_CORE, GRT_TRACE_CPU, &out->core_count);
    sum_costs(trace, out);
    out->engines = make_rows(trace, out, GRT_NAME_ENGINE, GRT_TRACE_COPY, &out->engine_count);
    sum_sms(trace, out);
    sum_streams(trace, out);
    sum_kernels(trace, out);
}

void grt_trace_summary_free(struct grt_trace_summary *summary) {
    grt_arena_clear(&summary->arena);
    *summary = (struct grt_trace_summary){0};
}
