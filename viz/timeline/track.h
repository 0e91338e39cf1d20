/* A track of the timeline: slices of one kind in the order of their ends, which is the order of a trace, made for questions
 * about any span of millions of them: how busy, which was the longest, does it hide something that must be seen. All answers
 * are exact. Slices may overlap: blocks on an SM, jobs of a task that is behind.
 *
 * About 28 bytes a slice, 31 where slices overlap. */
#ifndef GRT_VIZ_TIMELINE_TRACK_H
#define GRT_VIZ_TIMELINE_TRACK_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/time.h"
#include "sim/trace.h"
#include "sim/wide.h"

#define GRT_NO_SLICE UINT32_MAX

/* One slice, as its caller sees it. */
struct grt_slice {
    grt_time start, end;
    uint32_t job, detail;
    uint16_t task;
    uint16_t grid;  /* of blocks and kernels */
    uint8_t weight; /* how much of the track it fills while it lasts, 1 to 64 */
    uint8_t lane;   /* the lowest of the `weight` lanes that it has to itself; found by grt_track_settle */
    uint8_t flags;  /* enum grt_trace_flag */
};

/* Lanes are numbered from 0 to 127; what finds none free shares the last ones. */
enum { GRT_TRACK_LANES = 128, GRT_TRACK_LEVELS = 8 };

struct grt_track {
    struct grt_track_chunk **chunks; /* the slices in packed form */
    uint32_t chunk_capacity, count;
    struct grt_track_long *long_slices; /* whose time does not fit the packed form */
    uint32_t long_count, long_capacity;
    bool sorted;  /* by end, until now */
    bool ordered; /* settled, but perhaps for weights that changed */
    bool settled;
    bool has_grids; /* some slice has one */
    bool overlaps;  /* some slices last at the same time */
    bool crowded;   /* there are not lanes enough */
    uint32_t lane_count;
    grt_time begin, end; /* of all slices; 0 where there are none */

    /* where slices overlap, the order of their starts: by how much the number of the slice that starts i-th is above i; or, if
     * some of that is too large, the numbers themselves */
    int16_t *moves;
    uint32_t *by_start;
    struct grt_track_mark *marks; /* the sums at every 64th start or end */
    uint32_t mark_count;
    /* the answers at begin + i * 2^tick_bits, from the begin until all have ended */
    struct grt_track_tick *ticks;
    uint32_t tick_count, tick_bits;
    struct grt_track_node *nodes; /* of every 16 slices, then of every 16 such nodes, and so on */
    uint32_t level_starts[GRT_TRACK_LEVELS], level_counts[GRT_TRACK_LEVELS], level_count;
};

/* An empty track is {0}. */
void grt_track_free(struct grt_track *track);

/* Adds a slice; its lane is found later. Any order is allowed; that of the ends is the fastest. */
void grt_track_add(struct grt_track *track, const struct grt_slice *slice);

/* Sets the weight of a slice; the track is to be settled then, which keeps the orders that it found. */
void grt_track_set_weight(struct grt_track *track, uint32_t number, uint8_t weight);

/* Makes the track ready for the questions below, after slices were added. Slices may be numbered anew. */
void grt_track_settle(struct grt_track *track);

/* A slice by its number, 0 to count - 1, in the order of the ends. */
struct grt_slice grt_track_at(const struct grt_track *track, uint32_t number);
grt_time grt_track_end(const struct grt_track *track, uint32_t number);

/* What statistics need of many slices. */
struct grt_track_length {
    grt_time end;
    uint32_t length; /* UINT32_MAX: longer than fits here */
    uint16_t task;
};

/* Stores those from number `first` on up to but without `end`, at most GRT_TRACK_LENGTHS of them, at least one; returns how many. A
 * third of the time of grt_track_at for each. */
enum { GRT_TRACK_LENGTHS = 64 };
uint32_t grt_track_lengths(const struct grt_track *track, uint32_t first, uint32_t end,
                           struct grt_track_length lengths[GRT_TRACK_LENGTHS]);

/* The number of the slice that starts i-th. */
static inline uint32_t grt_track_started(const struct grt_track *track, uint32_t i) {
    if (track->moves != NULL) {
        return (uint32_t)((int64_t)i + track->moves[i]);
    }
    return track->by_start != NULL ? track->by_start[i] : i;
}

/* The state at the last answer, which makes the next one for a later instant cheap. Start it as {0}, and again for an earlier
 * instant. */
struct grt_track_cursor {
    uint32_t mark, slice;
    uint32_t starts, ends; /* so many have happened until `time` */
    grt_time time;
    uint64_t running; /* weight */
    grt_wide busy;
};

/* The sum over all slices of weight times the time that they have had before `instant`. What a span [a, b) was busy is the
 * difference of two. */
grt_wide grt_track_busy(const struct grt_track *track, struct grt_track_cursor *cursor, grt_time instant);

/* The same, and the first slice that ends behind the instant, at once. */
grt_wide grt_track_reach(const struct grt_track *track, struct grt_track_cursor *cursor, grt_time instant,
                         uint32_t *first_after);

/* Ticks are instants whose answers are stored: grt_track_reach in one look. A track has them at equal distances, one for
 * every 5 to 10 slices or so, if it has slices enough: tick_count of them. */
static inline grt_time grt_track_tick_time(const struct grt_track *track, uint32_t tick) {
    return track->begin + ((grt_time)tick << track->tick_bits);
}

grt_wide grt_track_reach_tick(const struct grt_track *track, uint32_t tick, uint32_t *first_after);

/* Fetches from memory what questions about a tick, and about what ends behind another, are going to need. */
void grt_track_expect(const struct grt_track *track, uint64_t tick, uint64_t summed_tick);

/* The same for questions about instants before which slices number `from` up to `end` end. */
void grt_track_expect_slices(const struct grt_track *track, uint64_t from, uint64_t end);

/* The same for a question about an instant; with a cursor of its own. */
void grt_track_expect_instant(const struct grt_track *track, struct grt_track_cursor *cursor,
                              grt_time instant);

/* The first slice that ends behind an instant; `count` if none does. */
uint32_t grt_track_first_after(const struct grt_track *track, struct grt_track_cursor *cursor,
                               grt_time instant);

/* What the slices from number `first` up to but without `end` have in common. */
struct grt_track_summary {
    uint32_t longest; /* the number of the longest, the first of equals; or GRT_NO_SLICE */
    grt_time longest_time;
    uint16_t task; /* of the longest */
    uint8_t flags; /* of all, or'ed */
};
struct grt_track_summary grt_track_summarise(const struct grt_track *track, uint32_t first, uint32_t end);

/* The same for the many slices of a pixel, faster: the flags are exact, but the longest is only one of the longest: no other is
 * longer by more than 3 percent, but for up to 15 slices at either end that were not looked at. longest_time is its time
 * less up to 3 percent. */
struct grt_track_summary grt_track_glance(const struct grt_track *track, uint32_t first, uint32_t end);

/* The next slice from number `from` on that begins before an instant, or GRT_NO_SLICE: with grt_track_first_after it walks
 * through those that are in a span. */
uint32_t grt_track_next_before(const struct grt_track *track, uint32_t from, grt_time instant);

/* The bytes that it takes. */
uint64_t grt_track_bytes(const struct grt_track *track);

#endif
