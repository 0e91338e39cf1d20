#include "viz/lod.h"

#include "sim/check.h"

/* A slice that is so many pixels wide is drawn on its own. */
enum { ALONE_PIXELS = 3 };

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
    struct grt_track_cursor busy, ends;
};

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
static grt_time tell_wide(struct walk *walk, uint32_t number, const struct grt_slice *slice, grt_time from) {
    grt_time to = earlier(slice->end, walk->scale->to);
    uint32_t end = grt_track_first_after(walk->track, &walk->ends, to);
    struct grt_track_summary sum = grt_track_summarise(walk->track, number, end);
    tell_alone(walk, number, slice, from, end > number ? end - number : 0, sum.flags);
    return to;
}

/* What the track does from an instant to the end of its pixel. `first`: the first slice that ends behind the instant. Slices
 * that end with the pixel belong to it. */
static grt_time tell_pixel(struct walk *walk, uint32_t first, grt_time from) {
    grt_time to = earlier(next_boundary(walk->scale, from), walk->scale->to);
    uint32_t end = grt_track_first_after(walk->track, &walk->ends, to);
    struct grt_track_summary sum = grt_track_summarise(walk->track, first, end);
    uint32_t goes_on = grt_track_next_before(walk->track, end, to);
    if (goes_on != GRT_NO_SLICE) { /* it lasts to the end of the pixel, and longer than all that end in it */
        struct grt_slice slice = grt_track_at(walk->track, goes_on);
        sum.longest =
            sum.longest == GRT_NO_SLICE || slice.end - slice.start > sum.longest_time ? goes_on : sum.longest;
    }
    grt_wide before = grt_track_busy(walk->track, &walk->busy, from);
    struct grt_piece piece = {.from = from,
                              .to = to,
                              .slice = sum.longest,
                              .count = end - first,
                              .flags = sum.flags,
                              .busy = grt_track_busy(walk->track, &walk->busy, to) - before};
    if (piece.slice != GRT_NO_SLICE) {
        walk->tell(walk->state, &piece);
    }
    return to;
}

/* What ends at an instant, from number `first` on, and is without time, or was before the span. */
static void tell_instant(struct walk *walk, uint32_t first, grt_time instant) {
    uint32_t end = grt_track_first_after(walk->track, &walk->ends, instant);
    struct grt_track_summary sum = grt_track_summarise(walk->track, first, end);
    struct grt_piece piece = {
        .from = instant, .to = instant, .slice = sum.longest, .count = end - first, .flags = sum.flags};
    if (end > first) {
        walk->tell(walk->state, &piece);
    }
}

/* One after the other: where nothing overlaps, or where it is too dense for single slices. */
static void walk_in_order(struct walk *walk, bool alone) {
    grt_time at = walk->scale->from;
    tell_instant(walk, grt_track_first_after(walk->track, &walk->ends, at - 1), at);
    while (at < walk->scale->to) {
        uint32_t first = grt_track_first_after(walk->track, &walk->ends, at);
        uint32_t next = first < walk->track->count
                            ? grt_track_next_before(walk->track, first, walk->scale->to)
                            : GRT_NO_SLICE;
        if (next == GRT_NO_SLICE) {
            return;
        }
        struct grt_slice slice = grt_track_at(walk->track, next);
        if (!walk->track->overlaps) {
            at = later(at, slice.start);
        }
        if (alone && is_wide(walk->scale, &slice)) {
            at = tell_wide(walk, next, &slice, at);
        } else if (alone && slice.start == slice.end && is_magnified(walk->scale)) {
            tell_instant(walk, next, at);
        } else {
            at = tell_pixel(walk, first, at);
        }
    }
}

/* All slices of the span by themselves. */
static void walk_slices(struct walk *walk) {
    const struct grt_scale *scale = walk->scale;
    uint32_t at = grt_track_first_after(walk->track, &walk->ends, scale->from - 1);
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
    if (!track->overlaps) {
        walk_in_order(&walk, true);
        return;
    }
    struct grt_track_cursor cursor = {0};
    uint32_t first = grt_track_first_after(track, &cursor, scale->from - 1),
             end = grt_track_first_after(track, &cursor, scale->to);
    if (end - first <= scale->pixels / 2 && !track->crowded) { /* at most so many and one per lane */
        walk_slices(&walk);
    } else {
        walk_in_order(&walk, false);
    }
}
