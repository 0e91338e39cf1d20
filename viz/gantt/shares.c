/* Streams of GPUs that are simulated by shares: there are no SMs and no blocks, so that the row of a stream shows how much of the GPU
 * its kernels had. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "viz/gantt/chart.h"

enum { WHOLE = 100, LEVELS = 8, STREAMS_SHOWN = 64, LABEL_SIZE = 300 };

/* From an instant on a stream has a share. */
struct grt_gantt_share {
    grt_time from;
    uint32_t stream, share;
    size_t record; /* of equal instants the later counts */
};

/* ---- What the trace says of them ---- */

static int compare_shares(const void *left, const void *right) {
    const struct grt_gantt_share *a = left, *b = right;
    if (a->stream != b->stream) {
        return a->stream < b->stream ? -1 : 1;
    }
    return (a->record > b->record) - (a->record < b->record);
}

static void collect_changes(struct grt_gantt_chart *chart) {
    const struct grt_trace_memory *trace = chart->trace;
    size_t count = 0;
    for (size_t i = 0; i < trace->record_count; i++) {
        count += trace->records[i].kind == GRT_TRACE_SHARE;
    }
    chart->shares = grt_arena_array(&chart->arena, count, sizeof *chart->shares);
    for (size_t i = 0; i < trace->record_count; i++) {
        const struct grt_trace_record *record = &trace->records[i];
        if (record->kind == GRT_TRACE_SHARE && record->row < chart->stream_count) {
            grt_time share = record->other < 0 ? 0 : record->other > WHOLE ? WHOLE : record->other;
            chart->shares[chart->share_count++] =
                (struct grt_gantt_share){record->time, record->row, (uint32_t)share, i};
            chart->is_shared[record->row] = true;
        }
    }
    if (chart->share_count > 0) {
        qsort(chart->shares, chart->share_count, sizeof *chart->shares, compare_shares);
    }
}

/* Which tasks have blocks in what was kept of the trace. */
static const bool *find_blocks(struct grt_gantt_chart *chart) {
    const struct grt_trace_memory *trace = chart->trace;
    bool *has_blocks = grt_arena_array(&chart->arena, chart->task_count, sizeof *has_blocks);
    for (size_t i = 0; i < trace->record_count; i++) {
        const struct grt_trace_record *record = &trace->records[i];
        if (record->kind == GRT_TRACE_BLOCK && record->task < chart->task_count) {
            has_blocks[record->task] = true;
        }
    }
    return has_blocks;
}

/* Whether a kernel has no blocks, also none that were not kept: of those that have any the header says how many threads. */
static bool is_without_blocks(const struct grt_gantt_chart *chart, const struct grt_trace_record *kernel) {
    const struct grt_trace_name *name =
        grt_gantt_find_name(chart, GRT_NAME_KERNEL, kernel->task, grt_trace_segment(kernel->detail),
                            grt_trace_command(kernel->detail));
    return name == NULL || name->weight == 0;
}

void grt_gantt_find_shares(struct grt_gantt_chart *chart) {
    const struct grt_trace_memory *trace = chart->trace;
    const bool *has_blocks = find_blocks(chart);
    bool has_sms = grt_gantt_name_count(chart, GRT_NAME_SM) > 0;
    chart->stream_count = grt_gantt_name_count(chart, GRT_NAME_STREAM);
    chart->is_shared = grt_arena_array(&chart->arena, chart->stream_count, sizeof *chart->is_shared);
    collect_changes(chart);
    for (size_t i = 0; i < trace->record_count; i++) {
        const struct grt_trace_record *record = &trace->records[i];
        uint32_t stream = grt_trace_row(record->row);
        if (record->kind == GRT_TRACE_KERNEL && record->task < chart->task_count &&
            stream < chart->stream_count && !chart->is_shared[stream]) {
            chart->is_shared[stream] =
                !has_sms || (!has_blocks[record->task] && is_without_blocks(chart, record));
        }
    }
}

bool grt_gantt_is_shared(const struct grt_gantt_chart *chart, const struct grt_trace_record *kernel) {
    uint32_t stream = grt_trace_row(kernel->row);
    return stream < chart->stream_count && chart->is_shared[stream];
}

/* The first change of a stream behind an instant; share_count if there is none. */
static size_t first_behind(const struct grt_gantt_chart *chart, uint32_t stream, grt_time instant) {
    size_t first = 0, end = chart->share_count;
    while (first < end) {
        size_t middle = first + (end - first) / 2;
        const struct grt_gantt_share *share = &chart->shares[middle];
        if (share->stream < stream || (share->stream == stream && share->from <= instant)) {
            first = middle + 1;
        } else {
            end = middle;
        }
    }
    return first;
}

void grt_gantt_each_share(const struct grt_gantt_chart *chart, const struct grt_trace_record *kernel,
                          void (*tell)(void *state, grt_time start, grt_time end, uint32_t share),
                          void *state) {
    uint32_t stream = grt_trace_row(kernel->row), share = WHOLE;
    size_t next = first_behind(chart, stream, kernel->other);
    if (next > 0 && chart->shares[next - 1].stream == stream) {
        share = chart->shares[next - 1].share;
    }
    grt_time start = kernel->other;
    for (; next < chart->share_count && chart->shares[next].stream == stream &&
           chart->shares[next].from < kernel->time;
         next++) {
        if (chart->shares[next].from > start) {
            tell(state, start, chart->shares[next].from, share);
            start = chart->shares[next].from;
        }
        share = chart->shares[next].share;
    }
    tell(state, start, kernel->time, share);
}

/* ---- Rows ---- */

/* Sums over a stream, by column. */
struct builder {
    struct grt_gantt_chart *chart;
    double *work;     /* share times ns */
    double *presence; /* ns with a kernel */
    uint16_t *tasks;  /* whose kernel was the last in it */
};

static void add_span(void *state, grt_time start, grt_time end, uint32_t share) {
    struct builder *builder = state;
    uint32_t first, last;
    if (!grt_gantt_clip(builder->chart, &start, &end, &first, &last)) {
        return;
    }
    for (uint32_t column = first; column <= last; column++) {
        double time = (double)grt_gantt_overlap(builder->chart, column, start, end);
        builder->work[column] += time * share;
        builder->presence[column] += time;
    }
}

/* A kernel of no length, too, is to be seen. */
static void add_kernel(struct builder *builder, const struct grt_trace_record *kernel) {
    grt_time start = kernel->other, end = kernel->time;
    uint32_t first, last;
    if (!grt_gantt_clip(builder->chart, &start, &end, &first, &last)) {
        return;
    }
    grt_gantt_each_share(builder->chart, kernel, add_span, builder);
    for (uint32_t column = first; column <= last; column++) {
        builder->tasks[column] = kernel->task;
    }
}

static struct grt_gantt_cell bar_of(const struct builder *builder, uint32_t column) {
    double most = WHOLE * (double)grt_gantt_column_time(builder->chart, column);
    if (!(builder->presence[column] > 0)) {
        return (struct grt_gantt_cell){0};
    }
    uint32_t level = (uint32_t)(LEVELS * builder->work[column] / most + 0.5);
    level = level < 1 ? 1 : level > LEVELS ? LEVELS : level;
    return (struct grt_gantt_cell){.task = builder->tasks[column],
                                   .sign = builder->work[column] > 0 ? (uint8_t)(GRT_SIGN_LEVEL + level - 1)
                                                                     : GRT_SIGN_STILL};
}

/* What a stream's row is called: with the letter of its task where it has one only. */
static void name_row(const struct grt_gantt_chart *chart, uint32_t stream, uint32_t task, bool only,
                     char label[LABEL_SIZE]) {
    const char *name = grt_gantt_name(chart, GRT_NAME_STREAM, stream);
    snprintf(label, LABEL_SIZE, "%s%s%s", only ? (char[]){grt_gantt_letter(task), ' ', '\0'} : "", name,
             name[0] == '\0' ? "stream" : "");
}

static void add_letters(const struct builder *builder) {
    struct grt_gantt_cell *letters = grt_gantt_add_row(builder->chart, "");
    for (uint32_t column = 0; column < builder->chart->column_count; column++) {
        if (builder->presence[column] > 0) {
            letters[column] =
                (struct grt_gantt_cell){.task = builder->tasks[column], .sign = GRT_SIGN_LETTER};
        }
    }
}

static bool is_kernel_of(const struct grt_gantt_chart *chart, const struct grt_trace_record *record,
                         uint32_t stream) {
    return record->kind == GRT_TRACE_KERNEL && grt_trace_row(record->row) == stream &&
           record->task < chart->task_count;
}

static void add_stream(struct builder *builder, uint32_t stream) {
    struct grt_gantt_chart *chart = builder->chart;
    uint32_t task = GRT_TRACE_NO_TASK;
    bool only = true;
    memset(builder->work, 0, chart->column_count * sizeof *builder->work);
    memset(builder->presence, 0, chart->column_count * sizeof *builder->presence);
    for (size_t i = 0; i < chart->trace->record_count; i++) {
        const struct grt_trace_record *record = &chart->trace->records[i];
        if (is_kernel_of(chart, record, stream)) {
            only = only && (task == GRT_TRACE_NO_TASK || task == record->task);
            task = record->task;
            add_kernel(builder, record);
        }
    }
    char label[LABEL_SIZE];
    name_row(chart, stream, task, only, label);
    struct grt_gantt_cell *bars = grt_gantt_add_row(chart, label);
    for (uint32_t column = 0; column < chart->column_count; column++) {
        bars[column] = bar_of(builder, column);
    }
    if (!only) {
        add_letters(builder);
    }
}

/* Which streams have a kernel. */
static const bool *find_used(struct grt_gantt_chart *chart) {
    bool *used = grt_arena_array(&chart->arena, chart->stream_count, sizeof *used);
    for (size_t i = 0; i < chart->trace->record_count; i++) {
        const struct grt_trace_record *record = &chart->trace->records[i];
        uint32_t stream = grt_trace_row(record->row);
        if (stream < chart->stream_count && is_kernel_of(chart, record, stream)) {
            used[stream] = true;
        }
    }
    return used;
}

void grt_gantt_add_shared_streams(struct grt_gantt_chart *chart) {
    uint32_t columns = chart->column_count;
    struct builder builder = {
        .chart = chart,
        .work = grt_arena_array(&chart->arena, columns, sizeof *builder.work),
        .presence = grt_arena_array(&chart->arena, columns, sizeof *builder.presence),
        .tasks = grt_arena_array(&chart->arena, columns, sizeof *builder.tasks),
    };
    const bool *used = find_used(chart);
    for (uint32_t stream = 0; stream < chart->stream_count; stream++) {
        if (chart->is_shared[stream] && used[stream] && chart->shared_rows < STREAMS_SHOWN) {
            chart->shared_rows++;
            add_stream(&builder, stream);
        } else if (chart->is_shared[stream] && used[stream]) {
            chart->hidden_rows++;
        }
    }
}
