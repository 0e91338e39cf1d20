#include "viz/export/labels.h"

#include <stdlib.h>
#include <string.h>

/* ---- Kernels of blocks ---- */

static uint64_t kernel_key(const struct grt_trace_record *record) {
    return (uint64_t)record->task << 48 | (uint64_t)grt_trace_grid(record->row) << 32 | record->job;
}

void grt_export_labels_start(struct grt_export_labels *labels, struct grt_export_rows *rows) {
    const struct grt_trace_memory *trace = rows->trace;
    struct grt_map next = {0};
    *labels = (struct grt_export_labels){
        .rows = rows, .owners = grt_allocate(trace->record_count * sizeof *labels->owners)};
    for (size_t i = trace->record_count; i-- > 0;) {
        const struct grt_trace_record *record = &trace->records[i];
        labels->owners[i] = GRT_MAP_NONE;
        if (record->kind == GRT_TRACE_KERNEL) {
            *grt_map_put(&next, kernel_key(record)) = (uint32_t)i;
        } else if (record->kind == GRT_TRACE_BLOCK) {
            labels->owners[i] = grt_map_find(&next, kernel_key(record));
        }
    }
    grt_map_free(&next);
}

void grt_export_labels_free(struct grt_export_labels *labels) {
    free(labels->owners);
    free((void *)labels->texts);
    grt_map_free(&labels->known);
}

const char *grt_export_named(const struct grt_export_labels *labels, size_t record) {
    const struct grt_trace_record *records = labels->rows->trace->records, *self = &records[record];
    switch ((enum grt_trace_kind)self->kind) {
    case GRT_TRACE_BLOCK:
        return labels->owners[record] == GRT_MAP_NONE ? NULL
                                                      : grt_export_named(labels, labels->owners[record]);
    case GRT_TRACE_KERNEL:
    case GRT_TRACE_LAUNCH_FAILED:
    case GRT_TRACE_LOST_ITEMS:
        return grt_export_name(labels->rows, GRT_NAME_KERNEL, self->task, self->detail);
    case GRT_TRACE_CALL:
        return grt_export_name(labels->rows, GRT_NAME_CALL, self->task, self->detail);
    case GRT_TRACE_CONTEXT:
        return grt_export_name(labels->rows, GRT_NAME_CONTEXT, self->detail, 0);
    case GRT_TRACE_ROW_SLICE:
    case GRT_TRACE_ROW_MARK:
        return grt_export_name(labels->rows, GRT_NAME_LABEL, self->detail, 0);
    default:
        return NULL;
    }
}

const char *grt_export_category(const struct grt_trace_record *record) {
    bool on_core = record->kind == GRT_TRACE_CPU || record->kind == GRT_TRACE_THREAD;
    if (on_core && (record->flags & GRT_TRACE_OVERHEAD) != 0) {
        return "overhead";
    }
    if (record->kind == GRT_TRACE_CPU && (record->flags & GRT_TRACE_SPIN) != 0) {
        return "busy-wait";
    }
    return record->kind == GRT_TRACE_THREAD ? "thread" : NULL;
}

/* ---- Texts ---- */

static uint32_t add_text(struct grt_export_labels *labels, const char *text) {
    labels->texts =
        grt_array_grow((void *)labels->texts, &labels->capacity, labels->count + 1, sizeof *labels->texts);
    labels->texts[labels->count] = text;
    return labels->count++;
}

/* Three texts in one. */
static const char *joined(struct grt_export_labels *labels, const char *first, const char *second,
                          const char *third) {
    size_t sizes[] = {strlen(first), strlen(second), strlen(third)};
    char *text = grt_arena_array(&labels->rows->arena, sizes[0] + sizes[1] + sizes[2] + 1, 1);
    memcpy(text, first, sizes[0]);
    memcpy(text + sizes[0], second, sizes[1]);
    memcpy(text + sizes[0] + sizes[1], third, sizes[2]);
    return text;
}

static const char *numbered(struct grt_export_labels *labels, const char *what, uint32_t number) {
    char digits[16];
    size_t at = sizeof digits - 1;
    digits[at] = '\0';
    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    return joined(labels, what, " ", digits + at);
}

/* "tau_h: busy-waits", "server: receives a request", "server: overhead". */
static const char *make_core_text(struct grt_export_labels *labels, const struct grt_trace_record *record,
                                  const char *task) {
    uint32_t number = grt_trace_thread_of(record->detail), label = grt_trace_label_of(record->detail);
    if (record->kind == GRT_TRACE_CPU) {
        return joined(labels, task, ": ",
                      (record->flags & GRT_TRACE_OVERHEAD) != 0 ? "overhead" : "busy-waits");
    }
    const char *thread = grt_export_name(labels->rows, GRT_NAME_THREAD, number, 0);
    const char *what = grt_export_name(labels->rows, GRT_NAME_LABEL, label, 0);
    thread = thread != NULL ? thread : numbered(labels, "thread", number);
    if ((record->flags & GRT_TRACE_OVERHEAD) != 0) {
        what = "overhead";
    } else if (what == NULL) {
        what = numbered(labels, "label", label);
    }
    return joined(labels, thread, ": ", what);
}

/* Whether a block of a pinned kernel did not work. */
static bool exits(const struct grt_trace_record *block) {
    return (block->flags & GRT_TRACE_EXITED) != 0;
}

static const char *make_text(struct grt_export_labels *labels, size_t index) {
    const struct grt_trace_record *record = &labels->rows->trace->records[index];
    const char *task = grt_export_task_name(labels->rows, record->task);
    const char *name = grt_export_named(labels, index);
    if (grt_export_category(record) != NULL) {
        return make_core_text(labels, record, task);
    }
    switch ((enum grt_trace_kind)record->kind) {
    case GRT_TRACE_GPU_SEGMENT:
        return joined(labels, task, ": ", numbered(labels, "segment", record->detail));
    case GRT_TRACE_PRIORITY:
        return (record->flags & GRT_TRACE_BOOSTED) != 0 ? "boosted" : "base priority";
    case GRT_TRACE_BLOCKED:
        return joined(labels, "blocked by ", grt_export_task_name(labels->rows, record->row), "");
    case GRT_TRACE_COPY:
        return joined(labels, task, ": ", (record->flags & GRT_TRACE_D2H) != 0 ? "d2h" : "h2d");
    case GRT_TRACE_BLOCK:
        name = name != NULL ? name : "kernel";
        return joined(labels, task, ": ", exits(record) ? joined(labels, name, " exits", "") : name);
    case GRT_TRACE_KERNEL:
        return joined(labels, task, ": ", name != NULL ? name : "kernel");
    case GRT_TRACE_LAUNCH_FAILED:
        return joined(labels, "launch failed: ", name != NULL ? name : "kernel", "");
    case GRT_TRACE_LOST_ITEMS:
        return joined(labels, "work lost: ", name != NULL ? name : "kernel", "");
    case GRT_TRACE_CALL:
        return joined(labels, task, ": ", name != NULL ? name : "call");
    case GRT_TRACE_ROW_SLICE:
    case GRT_TRACE_ROW_MARK:
        return name != NULL ? name : numbered(labels, "label", record->detail);
    case GRT_TRACE_CONTEXT:
        return name != NULL ? name : numbered(labels, "process", record->detail);
    default:
        return task;
    }
}

/* Records of equal keys have equal texts. */
static uint64_t text_key(const struct grt_export_labels *labels, size_t index) {
    const struct grt_trace_record *record = &labels->rows->trace->records[index];
    uint64_t kind = record->kind, task = record->task, detail = record->detail;
    uint64_t overhead = (record->flags & GRT_TRACE_OVERHEAD) != 0;
    if (grt_export_category(record) != NULL) {
        return kind << 48 | (record->kind == GRT_TRACE_CPU ? task << 32 : detail) | overhead << 56;
    }
    switch ((enum grt_trace_kind)record->kind) {
    case GRT_TRACE_BLOCK:
        return (labels->owners[index] != GRT_MAP_NONE ? text_key(labels, labels->owners[index])
                                                      : kind << 48 | task << 32) |
               (uint64_t)exits(record) << 57;
    case GRT_TRACE_KERNEL:
    case GRT_TRACE_LAUNCH_FAILED:
    case GRT_TRACE_LOST_ITEMS:
    case GRT_TRACE_CALL:
    case GRT_TRACE_GPU_SEGMENT:
        return kind << 48 | task << 32 | detail;
    case GRT_TRACE_BLOCKED:
        return kind << 48 | record->row;
    case GRT_TRACE_COPY:
        return kind << 48 | task << 32 | (record->flags & GRT_TRACE_D2H);
    case GRT_TRACE_ROW_SLICE:
    case GRT_TRACE_ROW_MARK:
        return (uint64_t)GRT_TRACE_ROW_SLICE << 48 | detail;
    case GRT_TRACE_PRIORITY:
        return kind << 48 | (record->flags & GRT_TRACE_BOOSTED);
    case GRT_TRACE_CONTEXT:
        return kind << 48 | detail;
    default:
        return (uint64_t)GRT_TRACE_FINISH << 48 | task << 32;
    }
}

uint32_t grt_export_label(struct grt_export_labels *labels, size_t record) {
    uint32_t *label = grt_map_put(&labels->known, text_key(labels, record));
    if (*label == GRT_MAP_NONE) {
        *label = add_text(labels, make_text(labels, record));
    }
    return *label;
}

uint32_t grt_export_label_of_text(struct grt_export_labels *labels, const char *text) {
    return add_text(labels, text);
}
