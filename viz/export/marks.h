/* The instants of a trace, also those that its records only imply: deadlines, and misses of jobs that ended late. */
#ifndef GRT_VIZ_EXPORT_MARKS_H
#define GRT_VIZ_EXPORT_MARKS_H

#include "viz/export/rows.h"

enum grt_mark_kind {
    GRT_MARK_RELEASE,
    GRT_MARK_DEADLINE,
    GRT_MARK_MISS,
    GRT_MARK_ABORT,
    GRT_MARK_SKIP,
    GRT_MARK_ROW,           /* on a row of the policy's own; called as its record */
    GRT_MARK_LAUNCH_FAILED, /* likewise, on a stream */
    GRT_MARK_PRIORITY,      /* likewise, on the row of the task */
    GRT_MARK_LOST_ITEMS,    /* likewise, on a stream */
    GRT_MARK_KINDS
};

struct grt_export_mark {
    grt_time time;
    grt_time late;   /* of a miss: how late the job ended, or was when the run did; 0: it was given up */
    uint32_t record; /* that the mark comes from */
    uint32_t row;
    uint32_t label; /* set by the plan */
    enum grt_mark_kind kind;
};

/* The jobs of a trace. Start it as {0}, free it with grt_export_marks_free. */
struct grt_export_marks {
    struct grt_export_mark *items; /* in the order of time; of equals as in the trace */
    uint32_t count, capacity;
    struct grt_map jobs;       /* to the number of a job, by grt_export_job_key */
    struct grt_export_job *of; /* by that number */
    uint32_t job_count, job_capacity;
};

struct grt_export_job {
    grt_time deadline;    /* GRT_TIME_NEVER: it has none, or was not released in this trace */
    uint32_t miss;        /* the number of its mark while the marks are made, or GRT_MAP_NONE */
    uint32_t first, last; /* the first and last step of its flow, in the order of starts */
    uint32_t steps;
};

static inline uint64_t grt_export_job_key(const struct grt_trace_record *record) {
    return (uint64_t)record->task << 32 | record->job;
}

/* Collects the marks within the options' time on rows that are shown. */
void grt_export_marks_find(struct grt_export_marks *marks, struct grt_export_rows *rows,
                           const struct grt_export_options *options);
void grt_export_marks_free(struct grt_export_marks *marks);

/* The number of the job that a record belongs to; a job that was never released gets one, too. */
uint32_t grt_export_job_of(struct grt_export_marks *marks, const struct grt_trace_record *record);

#endif
