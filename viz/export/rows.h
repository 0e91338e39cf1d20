/* The rows of a trace and the names of everything in it, found quickly and whatever the trace says. */
#ifndef GRT_VIZ_EXPORT_ROWS_H
#define GRT_VIZ_EXPORT_ROWS_H

#include "sim/memory.h"
#include "viz/export/export.h"
#include "viz/export/map.h"

/* A task has up to three rows, for slices that overlap by their nature: its jobs, their GPU segments, and what blocks
 * them. */
enum grt_row_part { GRT_PART_WHOLE, GRT_PART_SEGMENTS, GRT_PART_BLOCKING };

struct grt_export_row {
    enum grt_row_kind kind;
    enum grt_row_part part;
    uint32_t index;         /* within its kind */
    const char *name;       /* of the row itself, without the part */
    bool shown, has_shares; /* has_shares: of a plan */
};

/* Start it with grt_export_rows_start. */
struct grt_export_rows {
    const struct grt_trace_memory *trace;
    const struct grt_row_patterns *patterns; /* NULL: all are shown */
    struct grt_map names;                    /* of the trace: to the number of the name */
    const char **texts;                      /* by that number: clean, see grt_export_clean_name */
    struct grt_map numbers;                  /* of rows */
    struct grt_export_row *items;
    uint32_t count, capacity;
    struct grt_arena arena; /* names that the trace does not hold */
};

/* Takes the names, and all rows that they name. Free it with grt_export_rows_free. */
void grt_export_rows_start(struct grt_export_rows *rows, const struct grt_trace_memory *trace,
                           const struct grt_row_patterns *patterns);
void grt_export_rows_free(struct grt_export_rows *rows);

/* The number of the row that a record belongs to; a row that nobody has named gets a name. */
uint32_t grt_export_row_of(struct grt_export_rows *rows, const struct grt_trace_record *record);

/* The text of a name of the trace, clean, or NULL; `place` is of kernels and calls, else 0. */
const char *grt_export_name(const struct grt_export_rows *rows, enum grt_trace_name_kind kind, uint32_t index,
                            uint32_t place);

/* The name of a task; "task 7" if it has none; "" for GRT_TRACE_NO_TASK. */
const char *grt_export_task_name(struct grt_export_rows *rows, uint32_t task);

/* Whether a record is a slice, which lasts from `other` to `time`. */
bool grt_export_is_slice(const struct grt_trace_record *record);

/* Whether a record touches the time that the options name. */
bool grt_export_touches(const struct grt_export_options *options, const struct grt_trace_record *record);

#endif
