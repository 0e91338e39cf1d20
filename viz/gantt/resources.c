/* The rows of cores, copy engines and of the policy itself: the letter of the task that uses them; and of processes that share a GPU. */
#include <stdlib.h>

#include "viz/gantt/chart.h"

/* Beyond that many of a kind, only those that do something in the window are shown. */
enum { IDLE_ROWS_SHOWN = 8 };

/* No chart that can be read has more; and every row takes memory, every process a look at all records. */
enum { ROWS_SHOWN = 256, PROCESSES_SHOWN = 64 };

/* Threads of the policy's own use cores, too; and its rows have marks. */
static bool is_of(const struct grt_trace_record *record, enum grt_trace_kind kind) {
    return record->kind == kind || (kind == GRT_TRACE_CPU && record->kind == GRT_TRACE_THREAD) ||
           (kind == GRT_TRACE_ROW_SLICE && record->kind == GRT_TRACE_ROW_MARK);
}

static grt_time start_of(const struct grt_trace_record *record) {
    return record->kind == GRT_TRACE_ROW_MARK ? record->time : record->other;
}

static bool uses(const struct grt_gantt_chart *chart, const struct grt_trace_record *record,
                 enum grt_trace_kind kind) {
    return is_of(record, kind) && start_of(record) <= chart->options.to &&
           record->time >= chart->options.from;
}

/* Rows that anything is drawn in; free with free. */
static bool *find_used(const struct grt_gantt_chart *chart, enum grt_trace_kind kind, uint32_t count) {
    bool *used = grt_allocate(count * sizeof *used);
    for (uint32_t i = 0; i < count; i++) {
        used[i] = count <= IDLE_ROWS_SHOWN;
    }
    for (size_t i = 0; i < chart->trace->record_count; i++) {
        const struct grt_trace_record *record = &chart->trace->records[i];
        if (record->row < count && uses(chart, record, kind)) {
            used[record->row] = true;
        }
    }
    return used;
}

static enum grt_gantt_sign sign_of(const struct grt_trace_record *record) {
    bool on_core = record->kind == GRT_TRACE_CPU || record->kind == GRT_TRACE_THREAD;
    if (on_core && (record->flags & GRT_TRACE_OVERHEAD) != 0) {
        return GRT_SIGN_OVERHEAD;
    }
    if (record->kind == GRT_TRACE_THREAD) {
        return GRT_SIGN_THREAD;
    }
    if (record->kind == GRT_TRACE_CPU && (record->flags & GRT_TRACE_SPIN) != 0) {
        return GRT_SIGN_SPIN;
    }
    if (record->kind == GRT_TRACE_ROW_MARK) {
        return GRT_SIGN_OWN;
    }
    return record->task == GRT_TRACE_NO_TASK ? GRT_SIGN_OWN : GRT_SIGN_LETTER;
}

static void paint_use(struct grt_gantt_chart *chart, struct grt_gantt_cell *cells,
                      const struct grt_trace_record *record) {
    bool mark = record->kind == GRT_TRACE_ROW_MARK;
    struct grt_gantt_slice slice = {.start = start_of(record),
                                    .end = record->time + mark,
                                    .sign = sign_of(record),
                                    .task = record->task,
                                    .keep_short = true};
    if (slice.sign == GRT_SIGN_THREAD) {
        slice.task = grt_trace_thread_of(record->detail);
    }
    grt_gantt_paint(chart, cells, &slice);
}

static void add_rows(struct grt_gantt_chart *chart, enum grt_trace_name_kind names,
                     enum grt_trace_kind kind) {
    uint32_t count = grt_gantt_name_count(chart, names);
    bool *used = find_used(chart, kind, count);
    struct grt_gantt_cell **rows = grt_allocate(count * sizeof *rows);
    for (uint32_t i = 0, added = 0; i < count; i++) {
        bool fits = used[i] && added < ROWS_SHOWN;
        rows[i] = fits ? grt_gantt_add_row(chart, grt_gantt_name(chart, names, i)) : NULL;
        added += fits;
        chart->hidden_rows += used[i] && !fits;
    }
    for (size_t i = 0; i < chart->trace->record_count; i++) {
        const struct grt_trace_record *record = &chart->trace->records[i];
        if (is_of(record, kind) && record->row < count && rows[record->row] != NULL) {
            paint_use(chart, rows[record->row], record);
        }
    }
    free((void *)rows);
    free(used);
}

void grt_gantt_add_policy(struct grt_gantt_chart *chart) {
    add_rows(chart, GRT_NAME_ROW, GRT_TRACE_ROW_SLICE);
}

void grt_gantt_add_cores_and_engines(struct grt_gantt_chart *chart) {
    add_rows(chart, GRT_NAME_CORE, GRT_TRACE_CPU);
    add_rows(chart, GRT_NAME_ENGINE, GRT_TRACE_COPY);
}

void grt_gantt_add_processes(struct grt_gantt_chart *chart) {
    uint32_t count = grt_gantt_name_count(chart, GRT_NAME_CONTEXT);
    chart->hidden_rows += count > PROCESSES_SHOWN ? count - PROCESSES_SHOWN : 0;
    for (uint32_t i = 0; i < count && i < PROCESSES_SHOWN; i++) {
        struct grt_gantt_cell *cells = grt_gantt_add_row(chart, grt_gantt_name(chart, GRT_NAME_CONTEXT, i));
        for (size_t j = 0; j < chart->trace->record_count; j++) {
            const struct grt_trace_record *record = &chart->trace->records[j];
            struct grt_gantt_slice slice = {
                .start = record->other, .end = record->time, .sign = GRT_SIGN_TURN, .keep_short = true};
            if (record->kind == GRT_TRACE_CONTEXT && record->detail == i) {
                grt_gantt_paint(chart, cells, &slice);
            }
        }
    }
}
