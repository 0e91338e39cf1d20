/* A track of the timeline: slices of one kind in the order of their ends, which is the order of a trace, made for questions
 * about any span of millions of them: how busy, which was the longest, does it hide something that must be seen. All answers
 * are exact. Slices may overlap: blocks on an SM, jobs of a task that is behind.
 *
 * About 28 bytes a slice, 32 where slices overlap. */
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
    bool sorted;    /* by end, until now */
    bool has_grids; /* some slice has one */
    bool overlaps;  /* some slices last at the same time */
    bool crowded;   /* there are not lanes enough */
    uint32_t lane_count;
    grt_time begin, end; /* of all slices; 0 where there are none */

    uint32_t *by_start;           /* where slices overlap: their numbers in the order of the starts */
    struct grt_track_mark *marks; /* the sums at every 32nd start or end */
    uint32_t mark_count;
    struct grt_track_node *nodes; /* of every 16 slices, then of every 16 such nodes, and so on */
    uint32_t level_starts[GRT_TRACK_LEVELS], level_counts[GRT_TRACK_LEVELS], level_count;
};

/* An empty track is {0}. */
void grt_track_free(struct grt_track *track);

/* Adds a slice; its lane is found later. Any order is allowed; that of the ends is the fastest. */
void grt_track_add(struct grt_track *track, const struct grt_slice *slice);

/* Sets the weight of a slice, before the track is settled. */
void grt_track_set_weight(struct grt_track *track, uint32_t number, uint8_t weight);

/* Makes the track ready for the questions below, after slices were added. Slices may be numbered anew. */
void grt_track_settle(struct grt_track *track);

/* A slice by its number, 0 to count - 1, in the order of the ends. */
struct grt_slice grt_track_at(const struct grt_track *track, uint32_t number);
grt_time grt_track_end(const struct grt_track *track, uint32_t number);

/* Where the last answer was found, which makes the next one for a later instant cheap. Start it as {0}, and again for an
 * earlier instant. */
struct grt_track_cursor {
    uint32_t mark, slice;
};

/* The sum over all slices of weight times the time that they have had before `instant`. What a span [a, b) was busy is the
 * difference of two. */
grt_wide grt_track_busy(const struct grt_track *track, struct grt_track_cursor *cursor, grt_time instant);

/* The same, and the first slice that ends behind the instant, at once. */
grt_wide grt_track_reach(const struct grt_track *track, struct grt_track_cursor *cursor, grt_time instant,
                         uint32_t *first_after);

/* Says that grt_track_reach will be asked for an instant soon, with another cursor: what it needs is fetched meanwhile. */
void grt_track_expect(const struct grt_track *track, struct grt_track_cursor *cursor, grt_time instant);

/* The first slice that ends behind an instant; `count` if none does. */
uint32_t grt_track_first_after(const struct grt_track *track, struct grt_track_cursor *cursor,
                               grt_time instant);

/* What the slices from number `first` up to but without `end` have in common. */
struct grt_track_summary {
    uint32_t longest; /* the number of the longest, the first of equals; or GRT_NO_SLICE */
    grt_time longest_time;
    uint8_t flags; /* of all, or'ed */
};
struct grt_track_summary grt_track_summarise(const struct grt_track *track, uint32_t first, uint32_t end);

/* The same for the many slices of a pixel, faster: the flags are exact, but the longest is only among the longest of each 16,
 * and may be missing; longest_time is 0. */
struct grt_track_summary grt_track_glance(const struct grt_track *track, uint32_t first, uint32_t end);

/* The next slice from number `from` on that begins before an instant, or GRT_NO_SLICE: with grt_track_first_after it walks
 * through those that are in a span. */
uint32_t grt_track_next_before(const struct grt_track *track, uint32_t from, grt_time instant);

/* The bytes that it takes. */
uint64_t grt_track_bytes(const struct grt_track *track);

#endif
