#include "viz/timeline/lod.h"

#include "sim/check.h"

/* A slice that is so many pixels wide is drawn on its own. */
enum { ALONE_PIXELS = 3 };

/* Of so many slices in a pixel, one of the longest stands for them. */
enum { MANY = 16 };

/* Of fewer slices in a pixel some are looked at even so; they are asked for so many slices ahead. */
enum { FEW = 26, EXPECTED = 96 };

/* Memory is asked for so many pixels ahead: for the answers at their edges; for what ends in them. */
enum { AHEAD = 12, SUMMED_AHEAD = 6 };

/* Pixels begin and end at ticks where they are at least so many ticks wide. */
enum { PIXEL_TICKS = 2 };

double grt_scale_x(const struct grt_scale *scale, grt_time instant) {
    return (double)(instant - scale->from) * ((double)scale->pixels / (double)(scale->to - scale->from));
}

/* a * b / c, of times that are not negative. */
static inline uint64_t share_of(uint64_t a, uint64_t b, uint64_t c) {
    uint64_t product;
    return __builtin_mul_overflow(a, b, &product) ? (uint64_t)((grt_wide)a * b / c) : product / c;
}

grt_time grt_scale_time(const struct grt_scale *scale, uint32_t pixel) {
    return scale->from + (grt_time)share_of((uint64_t)(scale->to - scale->from), pixel, scale->pixels);
}

uint32_t grt_scale_pixel(const struct grt_scale *scale, grt_time instant) {
    uint32_t pixel = (uint32_t)share_of((uint64_t)(instant - scale->from), scale->pixels,
                                        (uint64_t)(scale->to - scale->from));
    while (grt_scale_time(scale, pixel + 1) <= instant) {
        pixel++;
    }
    return pixel;
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

/* Where a pixel begins. */
struct edge {
    grt_time time;
    bool is_tick;
    uint32_t tick;
};

struct walk {
    const struct grt_track *track;
    const struct grt_scale *scale;
    void (*tell)(void *state, const struct grt_lod_piece *piece);
    void *state;
    struct grt_track_cursor cursor, ahead;
    bool in_ticks; /* pixels begin and end at ticks */
    uint64_t ahead_ticks, summed_ahead_ticks;
    /* the last instant that was reached */
    grt_time at;
    grt_wide busy;
    uint32_t first; /* slice that ends behind it */
    bool reached;
    /* its pixel, where that begins, and where the next one does */
    uint32_t pixel;
    grt_time pixel_from;
    struct edge next;
};

static inline struct edge edge_of(const struct walk *walk, uint32_t pixel) {
    const struct grt_track *track = walk->track;
    struct edge edge = {.time = grt_scale_time(walk->scale, pixel)};
    if (walk->in_ticks && pixel > 0 && pixel < walk->scale->pixels && edge.time >= track->begin &&
        edge.time < track->end) {
        uint64_t half = (UINT64_C(1) << track->tick_bits) / 2;
        edge.is_tick = true;
        edge.tick = (uint32_t)(((uint64_t)(edge.time - track->begin) + half) >> track->tick_bits);
        edge.time = grt_track_tick_time(track, edge.tick);
    }
    return edge;
}

/* From a pixel that begins no later than the instant that was reached, on to the one that it is in. */
static inline void find_pixel(struct walk *walk, uint32_t pixel, grt_time pixel_from) {
    if (walk->at >= walk->scale->to) {
        return;
    }
    walk->pixel_from = pixel_from;
    walk->next = edge_of(walk, pixel + 1);
    while (walk->next.time <= walk->at) {
        walk->pixel_from = walk->next.time;
        walk->next = edge_of(walk, ++pixel + 1);
    }
    walk->pixel = pixel;
}

/* Moves on to an instant. */
static void reach(struct walk *walk, grt_time instant) {
    if (walk->reached && walk->at == instant) {
        return;
    }
    walk->busy = grt_track_reach(walk->track, &walk->cursor, instant, &walk->first);
    walk->at = instant;
    walk->reached = true;
    if (instant < walk->scale->to) {
        uint32_t pixel = grt_scale_pixel(walk->scale, instant);
        pixel -= edge_of(walk, pixel).time > instant;
        find_pixel(walk, pixel, edge_of(walk, pixel).time);
    }
}

/* Moves on to the next pixel. */
static void reach_next_pixel(struct walk *walk) {
    uint32_t last = walk->first;
    struct edge edge = walk->next;
    if (edge.is_tick) {
        grt_track_expect(walk->track, edge.tick + walk->ahead_ticks, edge.tick + walk->summed_ahead_ticks);
        walk->busy = grt_track_reach_tick(walk->track, edge.tick, &walk->first);
    } else {
        walk->busy = grt_track_reach(walk->track, &walk->cursor, edge.time, &walk->first);
    }
    if (walk->first - last < FEW) {
        grt_track_expect_slices(walk->track, (uint64_t)last + EXPECTED, (uint64_t)walk->first + EXPECTED);
    } else if (!edge.is_tick && walk->pixel + SUMMED_AHEAD < walk->scale->pixels) {
        grt_track_expect_instant(walk->track, &walk->ahead,
                                 grt_scale_time(walk->scale, walk->pixel + SUMMED_AHEAD));
    }
    walk->at = edge.time;
    find_pixel(walk, walk->pixel + 1, edge.time);
}

static void tell_alone(struct walk *walk, uint32_t number, const struct grt_slice *slice, grt_time from,
                       uint32_t count, uint8_t flags) {
    grt_time to = earlier(slice->end, walk->scale->to);
    struct grt_lod_piece piece = {.from = from,
                                  .to = to,
                                  .alone = true,
                                  .slice = number,
                                  .task = slice->task,
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

/* Whether at the beginning of a pixel it can be told without a look at its slices: some end in it, and the first of them is
 * not wide, or nothing would have ended in the pixel before. */
static bool is_full(const struct walk *walk) {
    uint32_t first_after;
    if (!walk->next.is_tick || walk->pixel == 0 || walk->at != walk->pixel_from) {
        return false;
    }
    grt_track_reach_tick(walk->track, walk->next.tick, &first_after);
    return first_after > walk->first;
}

/* What the track does from the instant that was reached to the end of its pixel. Slices that end with the pixel belong to
 * it. */
static void tell_pixel(struct walk *walk) {
    grt_wide before = walk->busy;
    uint32_t first = walk->first;
    struct grt_lod_piece piece = {
        .from = walk->at, .pixel = walk->pixel, .pixel_time = walk->next.time - walk->pixel_from};
    reach_next_pixel(walk);
    piece.to = walk->at;
    piece.count = walk->first - first;
    piece.busy = walk->busy - before;
    if (piece.count == 0 && piece.busy == 0) {
        return;
    }
    struct grt_track_summary sum = piece.count >= MANY ? grt_track_glance(walk->track, first, walk->first)
                                                       : grt_track_summarise(walk->track, first, walk->first);
    piece.flags = sum.flags;
    piece.slice = sum.longest;
    piece.task = sum.task;
    /* what goes on behind the pixel: all of it, where nothing has ended; the rest of a pixel, where nothing overlaps and it does
     * not end, as one of many, in the next one */
    if (piece.count == 0 || (!walk->track->overlaps && !is_full(walk))) {
        uint32_t goes_on = grt_track_next_before(walk->track, walk->first, piece.to);
        struct grt_slice slice = {.start = 0, .end = 0};
        if (goes_on != GRT_NO_SLICE) {
            slice = grt_track_at(walk->track, goes_on);
        }
        if (goes_on != GRT_NO_SLICE && (piece.count == 0 || slice.end - slice.start > sum.longest_time)) {
            piece.slice = goes_on;
            piece.task = slice.task;
        }
    }
    walk->tell(walk->state, &piece);
}

/* What ends at an instant that was reached, from number `first` on, and is without time, or was before the span. */
static void tell_instant(struct walk *walk, uint32_t first) {
    struct grt_track_summary sum = grt_track_summarise(walk->track, first, walk->first);
    struct grt_lod_piece piece = {.from = walk->at,
                                  .to = walk->at,
                                  .pixel = walk->pixel,
                                  .pixel_time = walk->next.time - walk->pixel_from,
                                  .slice = sum.longest,
                                  .task = sum.task,
                                  .count = walk->first - first,
                                  .flags = sum.flags};
    if (walk->first > first) {
        walk->tell(walk->state, &piece);
    }
}

static void tell_next(struct walk *walk) {
    uint32_t next = walk->first;
    struct grt_slice slice = grt_track_at(walk->track, next);
    if (slice.start > walk->at) { /* idle until then; instants at its start belong to it */
        reach(walk, earlier(slice.start, walk->scale->to));
    }
    if (walk->at >= walk->scale->to) {
        return;
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

/* Slices one after the other, those that are wide by themselves. */
static void walk_disjoint(struct walk *walk) {
    while (walk->at < walk->scale->to && walk->first < walk->track->count) {
        if (is_full(walk)) {
            tell_pixel(walk);
        } else {
            tell_next(walk);
        }
    }
}

/* Pixel by pixel. */
static void walk_dense(struct walk *walk) {
    while (walk->at < walk->scale->to && walk->first < walk->track->count) {
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

static struct walk begin_walk(const struct grt_track *track, const struct grt_scale *scale,
                              void (*tell)(void *state, const struct grt_lod_piece *piece), void *state) {
    uint64_t pixel_ticks = (uint64_t)(scale->to - scale->from) / scale->pixels >> track->tick_bits;
    return (struct walk){.track = track,
                         .scale = scale,
                         .tell = tell,
                         .state = state,
                         .in_ticks = track->tick_count > 0 && pixel_ticks >= PIXEL_TICKS,
                         .ahead_ticks = AHEAD * pixel_ticks,
                         .summed_ahead_ticks = SUMMED_AHEAD * pixel_ticks};
}

void grt_lod_walk(const struct grt_track *track, const struct grt_scale *scale,
                  void (*tell)(void *state, const struct grt_lod_piece *piece), void *state) {
    GRT_REQUIRE(scale->to > scale->from && scale->pixels > 0, "give a span of time and pixels to show it");
    struct walk walk = begin_walk(track, scale, tell, state);
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
