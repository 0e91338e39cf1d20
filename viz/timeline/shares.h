/* The shares of streams on GPUs that are simulated by shares, made into slices while a timeline is made: from one GRT_TRACE_SHARE to
 * the next. And what share a stream had during a span. */
#ifndef GRT_VIZ_TIMELINE_SHARES_H
#define GRT_VIZ_TIMELINE_SHARES_H

#include "viz/timeline/timeline.h"

/* All of a GPU, in vprocessors: what a stream has that was never given a share. */
enum { GRT_WHOLE_SHARE = 100 };

/* The height of the slices: their weight is so much for all of a GPU (tracks hold weights up to 64), and at least 1. */
enum { GRT_SHARE_LANES = 64 };

/* Makes timeline->shares, once the rows of the streams are there. */
void timeline_shares_start(struct grt_timeline *timeline);

/* Takes a GRT_TRACE_SHARE; false if it names no row. Shares that are none count as the nearest that is one. */
bool timeline_shares_note(struct grt_timeline *timeline, const struct grt_trace_record *record);

/* The trace has ended at an instant: so do all shares. */
void timeline_shares_end(struct grt_timeline *timeline, grt_time instant);

/* Whether the share of a stream was ever set: then its row has GRT_PART_SHARE slices from the beginning to the end of the trace. */
bool grt_row_has_shares(const struct grt_row *row);

/* What share a stream had in a span. */
struct grt_shares {
    uint32_t least, most, mean; /* vprocessors; the mean over time, rounded to the nearest */
    grt_time still;             /* how long it was 0, ns */
    bool cut; /* it changed too often to look at: least and most are of a part of the span */
};

/* False if it was never set, or the span is empty. */
bool grt_row_shares(const struct grt_row *row, grt_time from, grt_time to, struct grt_shares *shares);

/* Tells the spans of one share in [from, to), cut to it; false if there are more than `most`, after so many. */
bool grt_row_each_share(const struct grt_row *row, grt_time from, grt_time to, uint32_t most,
                        void (*tell)(void *state, grt_time begin, grt_time end, uint32_t share), void *state);

#endif
