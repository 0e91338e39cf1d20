/* The trace as a table: one line for each record, in the order of the trace, with names instead of numbers. */
#include <inttypes.h>
#include <stdio.h>

#include "viz/export/labels.h"
#include "viz/export/text.h"

struct csv {
    struct grt_export_rows rows;
    struct grt_export_labels labels;
    struct grt_export_text text;
};

/* What has a meaning in the records of a kind. */
enum { HAS_ROW = 1, HAS_SEGMENT = 2, HAS_COMMAND = 4, HAS_GRID = 8, HAS_BLOCK = 16, HAS_DEADLINE = 32 };

static const struct {
    const char *name;
    unsigned has;
} kinds[GRT_TRACE_KINDS] = {
    [GRT_TRACE_RELEASE] = {"release", HAS_DEADLINE},
    [GRT_TRACE_FINISH] = {"finish", 0},
    [GRT_TRACE_ABORT] = {"abort", 0},
    [GRT_TRACE_SKIP] = {"skip", 0},
    [GRT_TRACE_MISS] = {"miss", HAS_DEADLINE},
    [GRT_TRACE_CPU] = {"cpu", HAS_ROW | HAS_SEGMENT},
    [GRT_TRACE_GPU_REQUEST] = {"gpu-request", HAS_SEGMENT},
    [GRT_TRACE_GPU_SEGMENT] = {"gpu-segment", HAS_ROW | HAS_SEGMENT},
    [GRT_TRACE_KERNEL] = {"kernel", HAS_ROW | HAS_SEGMENT | HAS_COMMAND | HAS_GRID},
    [GRT_TRACE_BLOCK] = {"block", HAS_ROW | HAS_GRID | HAS_BLOCK},
    [GRT_TRACE_COPY] = {"copy", HAS_ROW | HAS_SEGMENT | HAS_COMMAND},
    [GRT_TRACE_UNFINISHED] = {"unfinished", 0},
    [GRT_TRACE_BLOCKED] = {"blocked", HAS_ROW | HAS_SEGMENT},
    [GRT_TRACE_ROW_SLICE] = {"row-slice", HAS_ROW},
    [GRT_TRACE_ROW_MARK] = {"row-mark", HAS_ROW},
    [GRT_TRACE_CONTEXT] = {"context", HAS_ROW},
    [GRT_TRACE_LAUNCH_FAILED] = {"launch-failed", HAS_ROW | HAS_SEGMENT | HAS_COMMAND | HAS_GRID},
    [GRT_TRACE_CALL] = {"call", HAS_ROW | HAS_SEGMENT | HAS_COMMAND},
    [GRT_TRACE_THREAD] = {"thread", HAS_ROW},
    [GRT_TRACE_PRIORITY] = {"priority", HAS_SEGMENT},
    [GRT_TRACE_LOST_ITEMS] = {"lost-items", HAS_ROW | HAS_SEGMENT | HAS_COMMAND | HAS_GRID | HAS_BLOCK},
    [GRT_TRACE_SHARE] = {"share", HAS_ROW},
};

static void put_comma(struct csv *self) {
    GRT_TEXT_LITERAL(&self->text, ",");
}

/* A field with a number, or empty. */
static void put_number(struct csv *self, bool has, uint64_t number) {
    put_comma(self);
    if (has) {
        grt_export_text_unsigned(&self->text, number);
    }
}

static void put_text(struct csv *self, const char *string) {
    put_comma(self);
    grt_export_text_csv(&self->text, string);
}

/* Where it happened: a row of the timeline, or of a task's records the one it used or was blocked by. */
static void put_row(struct csv *self, const struct grt_trace_record *record, uint32_t row) {
    put_comma(self);
    if ((kinds[record->kind].has & HAS_ROW) == 0) {
        return;
    }
    if (record->kind == GRT_TRACE_GPU_SEGMENT) {
        const char *stream = grt_export_name(&self->rows, GRT_NAME_STREAM, record->row, 0);
        if (stream != NULL) {
            grt_export_text_csv(&self->text, stream);
        } else if (record->row != GRT_TRACE_NO_ROW) {
            GRT_TEXT_LITERAL(&self->text, "stream ");
            grt_export_text_unsigned(&self->text, record->row);
        }
    } else if (record->kind == GRT_TRACE_BLOCKED) {
        grt_export_text_csv(&self->text, grt_export_task_name(&self->rows, record->row));
    } else if (record->kind == GRT_TRACE_CONTEXT) {
        GRT_TEXT_LITERAL(&self->text, "gpu ");
        grt_export_text_unsigned(&self->text, record->row);
    } else {
        grt_export_text_csv(&self->text, self->rows.items[row].name);
    }
}

static void put_name(struct csv *self, size_t index) {
    const struct grt_trace_record *record = &self->rows.trace->records[index];
    const char *name = grt_export_named(&self->labels, index);
    char number[24];
    if (record->kind == GRT_TRACE_PRIORITY || record->kind == GRT_TRACE_SHARE) {
        snprintf(number, sizeof number, "%" PRId64, record->other);
        name = number;
    } else if (record->kind == GRT_TRACE_THREAD) {
        uint32_t label = grt_export_label(&self->labels, index); /* may move the texts */
        name = self->labels.texts[label];
    }
    if (record->kind == GRT_TRACE_COPY) {
        name = (record->flags & GRT_TRACE_D2H) != 0 ? "d2h" : "h2d";
    }
    put_text(self, name != NULL ? name : "");
}

static void put_flags(struct csv *self, uint8_t kind, unsigned flags) {
    bool block = kind == GRT_TRACE_BLOCK, segment = kind == GRT_TRACE_GPU_SEGMENT;
    const char *const names[] = {"late",
                                 "preempted",
                                 "aborted",
                                 "d2h",
                                 "open",
                                 block     ? "goes-on"
                                 : segment ? "held"
                                           : "spin",
                                 block ? "exited" : "overhead",
                                 "boosted"};
    bool any = false;
    put_comma(self);
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        if ((flags >> i & 1) != 0) {
            grt_export_text_string(&self->text, any ? " " : "");
            grt_export_text_string(&self->text, names[i]);
            any = true;
        }
    }
}

static void write_record(struct csv *self, size_t index, uint32_t row) {
    const struct grt_trace_record *record = &self->rows.trace->records[index];
    unsigned has = kinds[record->kind].has;
    bool whole = (has & HAS_COMMAND) == 0; /* its segment is alone in `detail` */
    bool deadline = (has & HAS_DEADLINE) != 0 && record->other != GRT_TIME_NEVER && record->other >= 0;
    grt_export_text_string(&self->text, kinds[record->kind].name);
    put_text(self, grt_export_task_name(&self->rows, record->task));
    put_number(self, record->task != GRT_TRACE_NO_TASK, record->job);
    put_number(self, true, (uint64_t)(grt_export_is_slice(record) ? record->other : record->time));
    put_number(self, true, (uint64_t)record->time);
    put_row(self, record, row);
    put_name(self, index);
    put_number(self, (has & HAS_SEGMENT) != 0, whole ? record->detail : grt_trace_segment(record->detail));
    put_number(self, (has & HAS_COMMAND) != 0, grt_trace_command(record->detail));
    put_number(self, (has & HAS_GRID) != 0, grt_trace_grid(record->row));
    put_number(self, (has & HAS_BLOCK) != 0,
               record->kind == GRT_TRACE_LOST_ITEMS ? (uint64_t)record->other : record->detail);
    put_number(self, deadline, (uint64_t)record->other);
    put_flags(self, record->kind, record->flags);
    GRT_TEXT_LITERAL(&self->text, "\n");
}

void grt_export_csv(const struct grt_trace_memory *trace, const struct grt_export_options *options,
                    struct grt_output *output) {
    struct csv self = {.text.output = output};
    grt_export_rows_start(&self.rows, trace, options->rows);
    grt_export_labels_start(&self.labels, &self.rows);
    GRT_TEXT_LITERAL(&self.text,
                     "kind,task,job,start_ns,end_ns,row,name,segment,command,grid,block,deadline_ns,flags\n");
    for (size_t i = 0; i < trace->record_count; i++) {
        uint32_t row = grt_export_row_of(&self.rows, &trace->records[i]);
        if (self.rows.items[row].shown && grt_export_touches(options, &trace->records[i])) {
            write_record(&self, i, row);
        }
    }
    grt_export_text_flush(&self.text);
    grt_export_labels_free(&self.labels);
    grt_export_rows_free(&self.rows);
}
