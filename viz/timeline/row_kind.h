/* What a timeline has rows of. */
#ifndef GRT_VIZ_TIMELINE_ROW_KIND_H
#define GRT_VIZ_TIMELINE_ROW_KIND_H

/* In the order in which they stand. */
enum grt_row_kind {
    GRT_ROW_TASK,
    GRT_ROW_POLICY, /* of the policy's own */
    GRT_ROW_CORE,
    GRT_ROW_STREAM,
    GRT_ROW_ENGINE, /* copy engines */
    GRT_ROW_SM,
    GRT_ROW_PROCESS, /* where processes take turns on a GPU */
    GRT_ROW_KINDS
};

#endif
