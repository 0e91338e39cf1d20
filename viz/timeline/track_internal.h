/* A track inside, between the files of viz/timeline/track*.c: slices in packed form, and what is worked out about them. */
#ifndef GRT_VIZ_TIMELINE_TRACK_INTERNAL_H
#define GRT_VIZ_TIMELINE_TRACK_INTERNAL_H

#include <assert.h>
#include <stdlib.h>

#include "viz/timeline/track.h"

enum { TRACK_CHUNK = 64, TRACK_FAN_OUT = 16 };

/* ---- the packed form ---- */

enum { TIME_BITS = 30, FLAG_BITS = 5, WEIGHT_BITS = 6, LANE_BITS = 7, LOW_BITS = 32, LENGTH_BITS = 11 };

#define LONG_TIME ((UINT64_C(1) << TIME_BITS) - 1) /* or more: the time is in long_slices */

struct track_packed {
    grt_time end;
    uint32_t low; /* of the 48 bits that hold time, flags, weight - 1, lane */
    uint32_t job, detail;
    uint16_t task, high;
};

struct grt_track_chunk {
    struct track_packed slices[TRACK_CHUNK];
    uint16_t grids[]; /* where has_grids: TRACK_CHUNK of them */
};

struct grt_track_long {
    uint32_t number;
    grt_time start;
};

/* The sums when so many slices have started and ended: together 64 for each mark before. */
struct grt_track_mark {
    grt_time time;
    uint64_t busy_low, running; /* weight */
    uint32_t busy_high, ends;
};

/* The answers for an instant: busy time, and the first slice that ends behind it. */
struct grt_track_tick {
    uint32_t first, busy_low, busy_high;
};

/* What a run of slices has in common. */
struct grt_track_node {
    grt_time first_start;
    uint32_t longest;
    uint16_t task; /* of the longest */
    uint16_t flags : FLAG_BITS;
    uint16_t length : LENGTH_BITS; /* of the longest: see length_code */
};

static_assert(sizeof(struct track_packed) == 24 && sizeof(struct grt_track_mark) == 32 &&
                  sizeof(struct grt_track_tick) == 12 && sizeof(struct grt_track_node) == 16,
              "no padding");

static inline struct track_packed *track_packed_at(const struct grt_track *track, uint32_t number) {
    return &track->chunks[number / TRACK_CHUNK]->slices[number % TRACK_CHUNK];
}

static inline uint64_t track_bits_of(const struct track_packed *slice) {
    return (uint64_t)slice->high << LOW_BITS | slice->low;
}

static inline void track_set_bits(struct track_packed *slice, uint64_t bits) {
    slice->low = (uint32_t)bits;
    slice->high = (uint16_t)(bits >> LOW_BITS);
}

static inline uint8_t track_flags_of(const struct track_packed *slice) {
    return (uint8_t)(track_bits_of(slice) >> TIME_BITS & ((1U << FLAG_BITS) - 1));
}

static inline uint8_t track_weight_of(const struct track_packed *slice) {
    return (uint8_t)((track_bits_of(slice) >> (TIME_BITS + FLAG_BITS) & ((1U << WEIGHT_BITS) - 1)) + 1);
}

/* The start of a slice that is in the list of the long ones. */
grt_time track_long_start(const struct grt_track *track, uint32_t number);

static inline grt_time track_start_of(const struct grt_track *track, uint32_t number) {
    const struct track_packed *slice = track_packed_at(track, number);
    uint64_t time = slice->low & LONG_TIME;
    return time < LONG_TIME ? slice->end - (grt_time)time : track_long_start(track, number);
}

/* track.c: stores a slice in place of one that is there. */
void track_put(struct grt_track *track, uint32_t number, const struct grt_slice *slice);

/* track_order.c: brings the slices in the order of their ends, and finds that of their starts. */
void track_set_order(struct grt_track *track);

/* track_lanes.c */
void track_set_lanes(struct grt_track *track);

/* track_busy.c: marks and ticks. */
void track_set_sums(struct grt_track *track);

/* track_nodes.c */
void track_set_nodes(struct grt_track *track);

#endif
