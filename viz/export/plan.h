/* A trace laid out for a format with tracks: slices in the order of their starts, on lanes on which they never overlap;
 * marks; and the flow of each job. */
#ifndef GRT_VIZ_EXPORT_PLAN_H
#define GRT_VIZ_EXPORT_PLAN_H

#include "viz/export/labels.h"
#include "viz/export/marks.h"
#include "viz/export/shares.h"

/* A row that never holds two slices at a time has one lane. A slice takes the lowest lane of its row that is free when it
 * starts; slices that start together choose in the order: without length, jobs, GPU segments, others, copies, kernels,
 * blocks; and of each of these as in the trace. */
struct grt_export_lane {
    uint32_t row;
    uint32_t number; /* within the row, from 0 */
};

/* Where a slice stands in the flow of its job: from the job through its GPU segments, copies, kernels, and the first block
 * of each kernel, by start. Flows of one step are none. */
enum grt_flow { GRT_FLOW_NONE, GRT_FLOW_START, GRT_FLOW_STEP, GRT_FLOW_END };

struct grt_export_slice {
    const struct grt_trace_record *record; /* from `other` to `time` */
    bool open;                             /* it had not ended when the run did */
    uint32_t lane;
    uint32_t label;
    enum grt_flow flow;
    const struct grt_export_job *job; /* of a record with a flow, else NULL */
    uint32_t job_number;              /* of the job, where there is one */
};

/* What a format does with what it is told. Times never go back; at one time ends come first, then slices, then marks, then shares,
 * except that a slice without length ends at once. */
struct grt_export_player {
    void (*begin)(void *state, const struct grt_export_slice *slice);
    void (*end)(void *state, grt_time time, uint32_t lane); /* NULL: not wanted. Not called for open slices */
    void (*mark)(void *state, const struct grt_export_mark *mark, uint32_t lane);
    void (*share)(void *state, const struct grt_export_share *share,
                  uint32_t lane); /* the stream's first lane */
};

struct grt_export_plan {
    const struct grt_trace_memory *trace;
    struct grt_export_rows rows;
    struct grt_export_labels labels;
    struct grt_export_marks marks;
    struct grt_export_shares shares;
    struct grt_export_place *places; /* of each record */
    uint32_t *order;                 /* the records of slices, by start */
    uint32_t slice_count;
    struct grt_export_lane *lanes; /* in the order of the rows' kinds, numbers and parts */
    uint32_t lane_count;
    uint32_t *first_lanes; /* of each row; GRT_MAP_NONE: nothing is on it */
};

struct grt_export_place {
    uint32_t lane; /* GRT_MAP_NONE: it is no slice or not exported */
    uint32_t label;
};

/* Lays a trace out. Free it with grt_export_plan_free. */
void grt_export_plan_make(struct grt_export_plan *plan, const struct grt_trace_memory *trace,
                          const struct grt_export_options *options);
void grt_export_plan_free(struct grt_export_plan *plan);

/* Tells a format everything in the order of time. */
void grt_export_plan_play(struct grt_export_plan *plan, const struct grt_export_player *player, void *state);

/* Whether the stream of a lane has shares, and it is the first of its lanes, of which they are. */
bool grt_export_has_shares(const struct grt_export_plan *plan, uint32_t lane);

/* By how much a slice that is a job ended after its deadline, or was late when the run ended; 0 if it was not. */
grt_time grt_export_lateness(const struct grt_export_slice *slice);

/* "aborted" or "preempted", or NULL where a record did not end so. */
const char *grt_export_how_ended(const struct grt_trace_record *record);

/* Writes a lane's name: its row's, the row's part, and from the second lane on its number. */
enum { GRT_LANE_NAME_SIZE = 200 };
const char *grt_export_lane_name(const struct grt_export_plan *plan, uint32_t lane,
                                 char text[GRT_LANE_NAME_SIZE]);

#endif
