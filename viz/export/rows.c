#include "viz/export/rows.h"

#include <stdio.h>
#include <stdlib.h>

#include "viz/export/text.h"

enum { NAME_SIZE = 200 };

/* ---- Names ---- */

/* Names of kernels and calls are of tasks, which records number with 16 bits; those beyond are never asked for. */
static bool name_key(enum grt_trace_name_kind kind, uint32_t index, uint32_t place, uint64_t *key) {
    bool placed = kind == GRT_NAME_KERNEL || kind == GRT_NAME_CALL;
    *key = (uint64_t)kind << 56 | (placed ? (uint64_t)index << 32 | place : index);
    return !placed || index <= UINT16_MAX;
}

const char *grt_export_name(const struct grt_export_rows *rows, enum grt_trace_name_kind kind, uint32_t index,
                            uint32_t place) {
    uint64_t key;
    uint32_t number = name_key(kind, index, place, &key) ? grt_map_find(&rows->names, key) : GRT_MAP_NONE;
    return number != GRT_MAP_NONE ? rows->texts[number] : NULL;
}

static const char *numbered(struct grt_export_rows *rows, const char *what, uint32_t number) {
    char text[NAME_SIZE];
    snprintf(text, sizeof text, "%s %u", what, number);
    return grt_arena_text(&rows->arena, text);
}

const char *grt_export_task_name(struct grt_export_rows *rows, uint32_t task) {
    if (task == GRT_TRACE_NO_TASK) {
        return "";
    }
    const char *name = grt_export_name(rows, GRT_NAME_TASK, task, 0);
    return name != NULL ? name : numbered(rows, "task", task);
}

/* ---- Rows ---- */

/* The names that a kind of rows has in the trace, and what a row without one is called. */
static const struct {
    enum grt_trace_name_kind names;
    const char *unnamed;
} kinds[GRT_ROW_KINDS] = {
    [GRT_ROW_TASK] = {GRT_NAME_TASK, "task"},         [GRT_ROW_POLICY] = {GRT_NAME_ROW, "row"},
    [GRT_ROW_CORE] = {GRT_NAME_CORE, "cpu"},          [GRT_ROW_STREAM] = {GRT_NAME_STREAM, "stream"},
    [GRT_ROW_ENGINE] = {GRT_NAME_ENGINE, "copy"},     [GRT_ROW_SM] = {GRT_NAME_SM, "SM"},
    [GRT_ROW_PROCESS] = {GRT_NAME_CONTEXT, "process"}};

/* `task` is the one that a core without a name belongs to: it is not of the platform, but the task's own. */
static const char *row_name(struct grt_export_rows *rows, enum grt_row_kind kind, uint32_t index,
                            uint32_t task) {
    const char *name = grt_export_name(rows, kinds[kind].names, index, 0);
    if (name != NULL) {
        return name;
    }
    if (kind == GRT_ROW_CORE && task != GRT_TRACE_NO_TASK) {
        char text[NAME_SIZE];
        snprintf(text, sizeof text, "cpu of %s", grt_export_task_name(rows, task));
        return grt_arena_text(&rows->arena, text);
    }
    return numbered(rows, kinds[kind].unnamed, index);
}

static uint32_t find_row(struct grt_export_rows *rows, enum grt_row_kind kind, enum grt_row_part part,
                         uint32_t index, uint32_t task) {
    uint64_t key = (uint64_t)kind << 40 | (uint64_t)part << 36 | index;
    uint32_t *number = grt_map_put(&rows->numbers, key);
    if (*number == GRT_MAP_NONE) {
        *number = rows->count;
        rows->items = grt_array_grow(rows->items, &rows->capacity, rows->count + 1, sizeof *rows->items);
        const char *name = row_name(rows, kind, index, task);
        bool shown = rows->patterns == NULL || grt_row_patterns_show(rows->patterns, kind, name);
        rows->items[rows->count++] =
            (struct grt_export_row){.kind = kind, .part = part, .index = index, .name = name, .shown = shown};
    }
    return *number;
}

uint32_t grt_export_row_of(struct grt_export_rows *rows, const struct grt_trace_record *record) {
    uint32_t task = record->task;
    switch ((enum grt_trace_kind)record->kind) {
    case GRT_TRACE_CPU:
        return find_row(rows, GRT_ROW_CORE, GRT_PART_WHOLE, record->row, task);
    case GRT_TRACE_THREAD: /* a core without a name is no task's */
        return find_row(rows, GRT_ROW_CORE, GRT_PART_WHOLE, record->row, GRT_TRACE_NO_TASK);
    case GRT_TRACE_KERNEL:
    case GRT_TRACE_LAUNCH_FAILED:
    case GRT_TRACE_LOST_ITEMS:
        return find_row(rows, GRT_ROW_STREAM, GRT_PART_WHOLE, grt_trace_row(record->row), task);
    case GRT_TRACE_CALL:
    case GRT_TRACE_SHARE:
        return find_row(rows, GRT_ROW_STREAM, GRT_PART_WHOLE, record->row, task);
    case GRT_TRACE_BLOCK:
        return find_row(rows, GRT_ROW_SM, GRT_PART_WHOLE, grt_trace_row(record->row), task);
    case GRT_TRACE_COPY:
        return find_row(rows, GRT_ROW_ENGINE, GRT_PART_WHOLE, record->row, task);
    case GRT_TRACE_ROW_SLICE:
    case GRT_TRACE_ROW_MARK:
        return find_row(rows, GRT_ROW_POLICY, GRT_PART_WHOLE, record->row, task);
    case GRT_TRACE_CONTEXT:
        return find_row(rows, GRT_ROW_PROCESS, GRT_PART_WHOLE, record->detail, task);
    case GRT_TRACE_GPU_SEGMENT:
        return find_row(rows, GRT_ROW_TASK, GRT_PART_SEGMENTS, task, task);
    case GRT_TRACE_BLOCKED:
        return find_row(rows, GRT_ROW_TASK, GRT_PART_BLOCKING, task, task);
    default:
        return find_row(rows, GRT_ROW_TASK, GRT_PART_WHOLE, task, task);
    }
}

void grt_export_rows_start(struct grt_export_rows *rows, const struct grt_trace_memory *trace,
                           const struct grt_row_patterns *patterns) {
    *rows = (struct grt_export_rows){.trace = trace, .patterns = patterns};
    rows->texts = grt_allocate(trace->name_count * sizeof *rows->texts);
    for (size_t i = 0; i < trace->name_count; i++) {
        const struct grt_trace_name *name = &trace->names[i];
        uint64_t key;
        rows->texts[i] = grt_export_clean_name(&rows->arena, name->text);
        if (name_key(name->kind, name->index, grt_trace_place(name->segment, name->command), &key)) {
            uint32_t *number = grt_map_put(&rows->names, key);
            *number = *number == GRT_MAP_NONE ? (uint32_t)i : *number; /* of equal ones the first */
        }
    }
    for (size_t i = 0; i < trace->name_count; i++) {
        for (int kind = 0; kind < GRT_ROW_KINDS; kind++) {
            if (trace->names[i].kind == kinds[kind].names) {
                find_row(rows, (enum grt_row_kind)kind, GRT_PART_WHOLE, trace->names[i].index,
                         GRT_TRACE_NO_TASK);
            }
        }
    }
}

void grt_export_rows_free(struct grt_export_rows *rows) {
    grt_map_free(&rows->names);
    grt_map_free(&rows->numbers);
    free(rows->items);
    free((void *)rows->texts);
    grt_arena_clear(&rows->arena);
}

bool grt_export_check_rows(const struct grt_trace_memory *trace, const struct grt_row_patterns *patterns,
                           struct grt_errors *errors) {
    struct grt_export_rows rows;
    grt_export_rows_start(&rows, trace, patterns);
    for (size_t i = 0; i < trace->record_count && patterns->count > 0; i++) {
        grt_export_row_of(&rows, &trace->records[i]);
    }
    grt_export_rows_free(&rows);
    return grt_row_patterns_check_used(patterns, errors);
}

/* ---- Records ---- */

bool grt_export_is_slice(const struct grt_trace_record *record) {
    switch ((enum grt_trace_kind)record->kind) {
    case GRT_TRACE_RELEASE:
    case GRT_TRACE_SKIP:
    case GRT_TRACE_MISS:
    case GRT_TRACE_GPU_REQUEST:
    case GRT_TRACE_ROW_MARK:
    case GRT_TRACE_LAUNCH_FAILED:
    case GRT_TRACE_PRIORITY:
    case GRT_TRACE_LOST_ITEMS:
    case GRT_TRACE_SHARE:
        return false;
    default:
        return true;
    }
}

bool grt_export_touches(const struct grt_export_options *options, const struct grt_trace_record *record) {
    grt_time start = grt_export_is_slice(record) ? record->other : record->time;
    bool begins_before = start < options->to || options->to == GRT_TIME_NEVER;
    return begins_before && (record->time > options->from || start >= options->from);
}
