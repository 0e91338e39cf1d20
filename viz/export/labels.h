/* What each record of a trace is called, as numbers of texts of which there are few. */
#ifndef GRT_VIZ_EXPORT_LABELS_H
#define GRT_VIZ_EXPORT_LABELS_H

#include "viz/export/rows.h"

/* Start it with grt_export_labels_start. */
struct grt_export_labels {
    struct grt_export_rows *rows;
    uint32_t *owners;     /* of each record that is a block: its kernel's record, or GRT_MAP_NONE */
    struct grt_map known; /* what was named: to its text */
    const char **texts;   /* in the trace or the arena of the rows */
    uint32_t count, capacity;
};

/* Finds the kernel of every block: it belongs to the next kernel of the same task, job and grid. */
void grt_export_labels_start(struct grt_export_labels *labels, struct grt_export_rows *rows);
void grt_export_labels_free(struct grt_export_labels *labels);

/* The number of the text of a record. The first word is the task's name where a row is shared,
 * because viewers choose colours by it. */
uint32_t grt_export_label(struct grt_export_labels *labels, size_t record);

/* The number of a text that is used as it is. */
uint32_t grt_export_label_of_text(struct grt_export_labels *labels, const char *text);

/* The name of the kernel that a block belongs to, that a kernel or a failed launch has, of a call, process or label of a
 * policy's row; NULL if there is none. It belongs to the trace. */
const char *grt_export_named(const struct grt_export_labels *labels, size_t record);

/* What the slices of cores are told apart by, beside their names: "busy-wait", "overhead", "thread"; NULL for all others. Static. */
const char *grt_export_category(const struct grt_trace_record *record);

#endif
