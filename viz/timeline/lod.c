#include "viz/timeline/lod.h"

#include "sim/check.h"

/* A slice that is so many pixels wide is drawn on its own. */
enum { ALONE_PIXELS = 3 };

/* Of so many slices in a pixel one of the longest stands for them. */
enum { MANY = 32 };

/* Memory is asked for so many pixels ahead. */
enum { AHEAD = 6 };

double grt_scale_x(const struct grt_scale *scale, grt_time instant) {
    return (double)(instant - scale->from) * ((double)scale->pixels / (double)(scale->to - scale->from));
}

grt_time grt_scale_time(const struct grt_scale *scale, uint32_t pixel) {
    grt_wide span = (grt_wide)(uint64_t)(scale->to - scale->from);
    return scale->from + (grt_time)(span * pixel / scale->pixels);
}

uint32_t grt_scale_pixel(const struct grt_scale *scale, grt_time instant) {
    grt_wide span = (grt_wide)(uint64_t)(scale->to - scale->from);
    uint32_t pixel = (uint32_t)((grt_wide)(uint64_t)(instant - scale->from) * scale->pixels / span);
    while (grt_scale_time(scale, pixel + 1) <= instant) {
        pixel++;
    }
    return pixel;
}

/* The first boundary between pixels behind an instant of the span. */
static grt_time next_boundary(const struct grt_scale *scale, grt_time instant) {
    return grt_scale_time(scale, grt_scale_pixel(scale, instant) + 1);
}

/* Pixels of less than a nanosecond. */
static bool is_magnified(const struct grt_scale *scale) {
    return scale->to - scale->from < (grt_time)scale->pixels;
}

static bool is_wide(const struct grt_scale *scale, const struct grt_slice *slice) {
    grt_wide time = (grt_wide)(uint64_t)(slice->end - slice->start);
    return time * scale->pixels >= (grt_wide)(uint64_t)(scale->to - scale->from) * ALONE_PIXELS ||
           (time > 0 && is_magnified(scale));
}

static grt_time earlier(grt_time a, grt_time b) {
    return a < b ? a : b;
}

static grt_time later(grt_time a, grt_time b) {
    return a > b ? a : b;
}

struct walk {
    const struct grt_track *track;
    const struct grt_scale *scale;
    void (*tell)(void *state, const struct grt_piece *piece);
    void *state;
    struct grt_track_cursor cursor;
    /* the last instant that was reached */
    grt_time at;
    grt_wide busy;
    uint32_t first; /* slice that ends behind it */
    bool reached;
};

/* Moves on to an instant. */
static void reach(struct walk *walk, grt_time instant) {
    if (!walk->reached || walk->at != instant) {
        walk->busy = grt_track_reach(walk->track, &walk->cursor, instant, &walk->first);
        walk->at = instant;
        walk->reached = true;
    }
}

static void tell_alone(struct walk *walk, uint32_t number, const struct grt_slice *slice, grt_time from,
                       uint32_t count, uint8_t flags) {
    grt_time to = earlier(slice->end, walk->scale->to);
    struct grt_piece piece = {.from = from,
                              .to = to,
                              .alone = true,
                              .slice = number,
                              .count = count,
                              .flags = flags,
                              .busy = (grt_wide)(uint64_t)(to - from) * slice->weight};
    walk->tell(walk->state, &piece);
}

/* Where nothing overlaps. Instants at its end belong to it. */
static void tell_wide(struct walk *walk, uint32_t number, const struct grt_slice *slice, grt_time from) {
    reach(walk, earlier(slice->end, walk->scale->to));
    struct grt_track_summary sum = grt_track_summarise(walk->track, number, walk->first);
    tell_alone(walk, number, slice, from, walk->first > number ? walk->first - number : 0, sum.flags);
}

/* What the track does from the instant that was reached to the end of its pixel. Slices that end with the pixel belong to
 * it. */
static void tell_pixel(struct walk *walk) {
    grt_time from = walk->at, to = earlier(next_boundary(walk->scale, from), walk->scale->to);
    grt_wide before = walk->busy;
    uint32_t first = walk->first;
    reach(walk, to);
    struct grt_piece piece = {
        .from = from, .to = to, .count = walk->first - first, .busy = walk->busy - before};
    if (piece.count == 0 && piece.busy == 0) {
        return;
    }
    struct grt_track_summary sum = piece.count > MANY ? grt_track_glance(walk->track, first, walk->first)
                                                      : grt_track_summarise(walk->track, first, walk->first);
    if (piece.count > 0 && sum.longest == GRT_NO_SLICE) {
        sum.longest = first;
    }
    piece.flags = sum.flags;
    piece.slice = sum.longest;
    /* what goes on behind the pixel: all of it, where nothing has ended; the rest of a pixel, where nothing overlaps */
    if (piece.count == 0 || !walk->track->overlaps) {
        uint32_t goes_on = grt_track_next_before(walk->track, walk->first, to);
        struct grt_slice slice = {.start = 0, .end = 0};
        if (goes_on != GRT_NO_SLICE) {
            slice = grt_track_at(walk->track, goes_on);
        }
        piece.slice =
            goes_on != GRT_NO_SLICE && (piece.count == 0 || slice.end - slice.start > sum.longest_time)
                ? goes_on
                : piece.slice;
    }
    walk->tell(walk->state, &piece);
}

/* What ends at an instant that was reached, from number `first` on, and is without time, or was before the span. */
static void tell_instant(struct walk *walk, uint32_t first) {
    struct grt_track_summary sum = grt_track_summarise(walk->track, first, walk->first);
    struct grt_piece piece = {.from = walk->at,
                              .to = walk->at,
                              .slice = sum.longest,
                              .count = walk->first - first,
                              .flags = sum.flags};
    if (walk->first > first) {
        walk->tell(walk->state, &piece);
    }
}

/* Slices one after the other, those that are wide by themselves. */
static void walk_disjoint(struct walk *walk) {
    while (walk->at < walk->scale->to && walk->first < walk->track->count) {
        uint32_t next = walk->first;
        struct grt_slice slice = grt_track_at(walk->track, next);
        if (slice.start >= walk->scale->to) {
            return;
        }
        if (slice.start > walk->at) { /* idle until then; instants at its start belong to it */
            reach(walk, slice.start);
        }
        if (is_wide(walk->scale, &slice)) {
            tell_wide(walk, next, &slice, walk->at);
        } else if (slice.start == slice.end && is_magnified(walk->scale)) {
            tell_instant(walk, next);
        } else {
            walk->first = next;
            tell_pixel(walk);
        }
    }
}

/* Pixel by pixel. */
static void walk_dense(struct walk *walk) {
    struct grt_track_cursor ahead = {0};
    while (walk->at < walk->scale->to && walk->first < walk->track->count) {
        uint32_t pixel = grt_scale_pixel(walk->scale, walk->at) + AHEAD;
        if (pixel <= walk->scale->pixels) {
            grt_track_expect(walk->track, &ahead, grt_scale_time(walk->scale, pixel));
        }
        tell_pixel(walk);
    }
}

/* All slices of the span by themselves. */
static void walk_slices(struct walk *walk) {
    const struct grt_scale *scale = walk->scale;
    struct grt_track_cursor cursor = {0};
    uint32_t at = grt_track_first_after(walk->track, &cursor, scale->from - 1);
    for (; (at = grt_track_next_before(walk->track, at, scale->to)) != GRT_NO_SLICE; at++) {
        struct grt_slice slice = grt_track_at(walk->track, at);
        bool ends = slice.end <= scale->to;
        tell_alone(walk, at, &slice, later(slice.start, scale->from), ends, ends ? slice.flags : 0);
    }
}

void grt_lod_walk(const struct grt_track *track, const struct grt_scale *scale,
                  void (*tell)(void *state, const struct grt_piece *piece), void *state) {
    GRT_REQUIRE(scale->to > scale->from && scale->pixels > 0, "give a span of time and pixels to show it");
    struct walk walk = {.track = track, .scale = scale, .tell = tell, .state = state};
    struct grt_track_cursor cursor = {0};
    uint32_t first = grt_track_first_after(track, &cursor, scale->from - 1),
             end = grt_track_first_after(track, &cursor, scale->to);
    if (track->overlaps && !track->crowded && end - first <= scale->pixels / 2) { /* and one per lane */
        walk_slices(&walk);
        return;
    }
    reach(&walk, scale->from);
    tell_instant(&walk, first);
    if (track->overlaps) {
        walk_dense(&walk);
    } else {
        walk_disjoint(&walk);
    }
}
