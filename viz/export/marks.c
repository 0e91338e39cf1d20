#include "viz/export/marks.h"

#include <stdlib.h>

uint32_t grt_export_job_of(struct grt_export_marks *marks, const struct grt_trace_record *record) {
    uint32_t *number = grt_map_put(&marks->jobs, grt_export_job_key(record));
    if (*number == GRT_MAP_NONE) {
        *number = marks->job_count;
        marks->of = grt_array_grow(marks->of, &marks->job_capacity, marks->job_count + 1, sizeof *marks->of);
        marks->of[marks->job_count++] =
            (struct grt_export_job){.deadline = GRT_TIME_NEVER, .miss = GRT_MAP_NONE};
    }
    return *number;
}

struct finder {
    struct grt_export_marks *marks;
    struct grt_export_rows *rows;
    const struct grt_export_options *options;
    uint32_t record;
};

static uint32_t add(struct finder *finder, enum grt_mark_kind kind, grt_time time) {
    struct grt_export_marks *marks = finder->marks;
    uint32_t row = grt_export_row_of(finder->rows, &finder->rows->trace->records[finder->record]);
    bool before = time < finder->options->to || finder->options->to == GRT_TIME_NEVER;
    if (time < finder->options->from || !before || !finder->rows->items[row].shown) {
        return GRT_MAP_NONE;
    }
    marks->items = grt_array_grow(marks->items, &marks->capacity, marks->count + 1, sizeof *marks->items);
    marks->items[marks->count] =
        (struct grt_export_mark){.time = time, .record = finder->record, .row = row, .kind = kind};
    return marks->count++;
}

/* A deadline behind the end of the trace would stretch every picture of it. */
static void add_release(struct finder *finder, const struct grt_trace_record *record, grt_time end) {
    add(finder, GRT_MARK_RELEASE, record->time);
    uint32_t job = grt_export_job_of(finder->marks, record);
    finder->marks->of[job].deadline = record->other;
    finder->marks->of[job].miss = GRT_MAP_NONE;
    if (record->other >= record->time && record->other <= end) {
        add(finder, GRT_MARK_DEADLINE, record->other);
    }
}

static void add_late_end(struct finder *finder, const struct grt_trace_record *record) {
    uint32_t number = grt_export_job_of(finder->marks, record); /* may move the jobs */
    struct grt_export_job *job = &finder->marks->of[number];
    if (job->deadline < 0 || job->deadline > record->time) {
        return;
    }
    if (job->miss == GRT_MAP_NONE) {
        job->miss = add(finder, GRT_MARK_MISS, job->deadline);
    }
    if (job->miss != GRT_MAP_NONE) {
        finder->marks->items[job->miss].late = record->time - job->deadline;
    }
}

static void add_marks_of(struct finder *finder, grt_time end) {
    const struct grt_trace_record *record = &finder->rows->trace->records[finder->record];
    switch ((enum grt_trace_kind)record->kind) {
    case GRT_TRACE_RELEASE:
        add_release(finder, record, end);
        break;
    case GRT_TRACE_MISS: {
        uint32_t job = grt_export_job_of(finder->marks, record);
        finder->marks->of[job].miss = add(finder, GRT_MARK_MISS, record->time);
        break;
    }
    case GRT_TRACE_FINISH:
    case GRT_TRACE_UNFINISHED:
        if ((record->flags & GRT_TRACE_LATE) != 0) {
            add_late_end(finder, record);
        }
        break;
    case GRT_TRACE_ABORT:
        add(finder, GRT_MARK_ABORT, record->time);
        break;
    case GRT_TRACE_SKIP:
        add(finder, GRT_MARK_SKIP, record->time);
        break;
    case GRT_TRACE_ROW_MARK:
        add(finder, GRT_MARK_ROW, record->time);
        break;
    case GRT_TRACE_PRIORITY:
        add(finder, GRT_MARK_PRIORITY, record->time);
        break;
    case GRT_TRACE_LAUNCH_FAILED:
        add(finder, GRT_MARK_LAUNCH_FAILED, record->time);
        break;
    case GRT_TRACE_LOST_ITEMS:
        add(finder, GRT_MARK_LOST_ITEMS, record->time);
        break;
    default:
        break;
    }
}

static int compare(const void *first, const void *second) {
    const struct grt_export_mark *a = first, *b = second;
    if (a->time != b->time) {
        return a->time < b->time ? -1 : 1;
    }
    if (a->record != b->record) {
        return a->record < b->record ? -1 : 1;
    }
    return (int)a->kind - (int)b->kind;
}

void grt_export_marks_find(struct grt_export_marks *marks, struct grt_export_rows *rows,
                           const struct grt_export_options *options) {
    const struct grt_trace_memory *trace = rows->trace;
    struct finder finder = {.marks = marks, .rows = rows, .options = options};
    grt_time end = trace->record_count > 0 ? trace->records[trace->record_count - 1].time : 0;
    for (size_t i = 0; i < trace->record_count; i++) {
        finder.record = (uint32_t)i;
        add_marks_of(&finder, end);
    }
    if (marks->count > 1) {
        qsort(marks->items, marks->count, sizeof *marks->items, compare);
    }
}

void grt_export_marks_free(struct grt_export_marks *marks) {
    free(marks->items);
    free(marks->of);
    grt_map_free(&marks->jobs);
}
