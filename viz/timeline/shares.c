#include "viz/timeline/shares.h"

struct grt_timeline_shares {
    grt_time since;
    uint32_t share;
    bool set;
};

enum { MOST_CHANGES = 1 << 12 }; /* looked at for one answer */

/* ---- while the timeline is made ---- */

void timeline_shares_start(struct grt_timeline *timeline) {
    uint32_t streams = timeline->first_rows[GRT_ROW_STREAM + 1] - timeline->first_rows[GRT_ROW_STREAM];
    timeline->shares = grt_arena_array(&timeline->arena, streams, sizeof *timeline->shares);
}

/* Of a share of 0, too: it is a line on the ground, which says more than nothing. */
static uint8_t weight_of(uint32_t share) {
    uint32_t weight = (share * GRT_SHARE_LANES + GRT_WHOLE_SHARE / 2) / GRT_WHOLE_SHARE;
    return (uint8_t)(weight > 0 ? weight : 1);
}

static void end_share(struct grt_timeline *timeline, uint32_t stream, grt_time instant) {
    struct grt_row *row = grt_timeline_row(timeline, GRT_ROW_STREAM, stream);
    const struct grt_timeline_shares *shares = &timeline->shares[stream];
    struct grt_slice slice = {.start = shares->since,
                              .end = instant,
                              .detail = shares->share,
                              .task = GRT_TRACE_NO_TASK,
                              .weight = weight_of(shares->share)};
    if (slice.start < slice.end) {
        grt_track_add(grt_row_track(row, GRT_PART_SHARE), &slice);
    }
}

/* A stream whose share is set for the first time has had all of its GPU until then. */
bool timeline_shares_note(struct grt_timeline *timeline, const struct grt_trace_record *record) {
    if (grt_timeline_row(timeline, GRT_ROW_STREAM, record->row) == NULL) {
        return false;
    }
    struct grt_timeline_shares *shares = &timeline->shares[record->row];
    grt_time whole = GRT_WHOLE_SHARE, most = record->other < whole ? record->other : whole;
    uint32_t share = most > 0 ? (uint32_t)most : 0;
    if (!shares->set) {
        *shares = (struct grt_timeline_shares){.share = GRT_WHOLE_SHARE, .set = true};
    }
    if (share != shares->share) {
        end_share(timeline, record->row, record->time);
        shares->since = record->time;
        shares->share = share;
    }
    return true;
}

void timeline_shares_end(struct grt_timeline *timeline, grt_time instant) {
    uint32_t streams = timeline->first_rows[GRT_ROW_STREAM + 1] - timeline->first_rows[GRT_ROW_STREAM];
    for (uint32_t i = 0; i < streams; i++) {
        if (timeline->shares[i].set) {
            end_share(timeline, i, instant);
        }
    }
}

/* ---- questions ---- */

bool grt_row_has_shares(const struct grt_row *row) {
    const struct grt_track *track = row->kind == GRT_ROW_STREAM ? grt_row_track(row, GRT_PART_SHARE) : NULL;
    return track != NULL && track->count > 0;
}

bool grt_row_each_share(const struct grt_row *row, grt_time from, grt_time to, uint32_t most,
                        void (*tell)(void *state, grt_time begin, grt_time end, uint32_t share),
                        void *state) {
    if (!grt_row_has_shares(row)) {
        return true;
    }
    const struct grt_track *track = grt_row_track(row, GRT_PART_SHARE);
    struct grt_track_cursor cursor = {0};
    uint32_t number = grt_track_first_after(track, &cursor, from);
    for (uint32_t told = 0;; told++, number++) {
        number = grt_track_next_before(track, number, to);
        if (number == GRT_NO_SLICE || told == most) {
            return number == GRT_NO_SLICE;
        }
        struct grt_slice slice = grt_track_at(track, number);
        tell(state, slice.start > from ? slice.start : from, slice.end < to ? slice.end : to, slice.detail);
    }
}

struct sum {
    struct grt_shares *shares;
    grt_time time;
    grt_wide work;
};

static void add_share(void *state, grt_time begin, grt_time end, uint32_t share) {
    struct sum *sum = state;
    struct grt_shares *shares = sum->shares;
    shares->least = share < shares->least ? share : shares->least;
    shares->most = share > shares->most ? share : shares->most;
    shares->still += share == 0 ? end - begin : 0;
    sum->time += end - begin;
    sum->work += (grt_wide)share * (grt_wide)(end - begin);
}

bool grt_row_shares(const struct grt_row *row, grt_time from, grt_time to, struct grt_shares *shares) {
    struct sum sum = {.shares = shares};
    *shares = (struct grt_shares){.least = GRT_WHOLE_SHARE};
    shares->cut = !grt_row_each_share(row, from, to, MOST_CHANGES, add_share, &sum);
    if (sum.time <= 0) {
        return false;
    }
    grt_wide time = (grt_wide)sum.time;
    shares->mean = (uint32_t)((sum.work + time / 2) / time);
    return true;
}
