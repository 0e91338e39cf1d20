/* labels: soak */
/* Level of detail at random zooms: the pieces are together as busy as the track, at every pixel; nothing that must be seen
 * vanishes; and what is drawn alone is the slice itself. */
#include <inttypes.h>
#include <stdio.h>

#include "sim/random.h"
#include "tests/support/suite.h"
#include "viz/timeline/lod.h"

enum { MOST = 3000, PIXELS = 200 };

struct seen {
    const struct grt_track *track;
    const struct grt_scale *scale;
    grt_time last; /* end of the last piece */
    int64_t last_pixel;
    grt_wide busy;
    uint32_t count;
    uint8_t flags;
    uint32_t pieces, wide;
    bool good;
};

static uint32_t below(struct grt_random *random, uint64_t bound) {
    return (uint32_t)grt_random_below(random, bound);
}

static void make(struct grt_track *track, struct grt_random *random, grt_time span) {
    uint32_t count = below(random, below(random, 3) == 0 ? 20 : MOST);
    bool overlaps = below(random, 2) == 0, instants = below(random, 5) == 0, bursts = below(random, 3) == 0;
    bool wide = below(random, 2) == 0;
    grt_time most = overlaps ? span / 50 : 2 * span / MOST, at = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t room = (uint64_t)(bursts && i % 16 != 0 ? span / 20 + 1 : span);
        at = overlaps ? (grt_time)grt_random_below(random, room)
                      : at + (grt_time)below(random, (uint64_t)most / 2 + 1) * below(random, 2);
        grt_time time =
            instants || below(random, 6) == 0 ? 0 : (grt_time)grt_random_below(random, (uint64_t)most + 1);
        time *= wide && below(random, 300) == 0 ? 50 : 1;
        struct grt_slice slice = {.start = at,
                                  .end = at + time,
                                  .task = (uint16_t)below(random, 65536),
                                  .weight = (uint8_t)(1 + below(random, 64)),
                                  .flags = (uint8_t)(below(random, 20) == 0 ? 1 + below(random, 31) : 0)};
        grt_track_add(track, &slice);
        at = slice.end;
    }
    grt_track_settle(track);
}

static grt_wide busy_between(const struct grt_track *track, grt_time from, grt_time to) {
    struct grt_track_cursor cursor = {0};
    grt_wide before = grt_track_busy(track, &cursor, from);
    return grt_track_busy(track, &cursor, to) - before;
}

static bool is_in_order(const struct seen *seen) {
    return !seen->track->overlaps;
}

/* The pixel is the one that the piece is in, give or take a quarter of its width. */
static bool is_in_pixel(const struct seen *seen, const struct grt_lod_piece *piece) {
    const struct grt_scale *scale = seen->scale;
    grt_time quarter = (scale->to - scale->from) / scale->pixels / 4 + 1;
    return piece->pixel < scale->pixels && piece->pixel_time >= piece->to - piece->from &&
           piece->pixel_time <= (scale->to - scale->from) / scale->pixels + 1 + 2 * quarter &&
           piece->from >= grt_scale_time(scale, piece->pixel) - quarter &&
           piece->to <= grt_scale_time(scale, piece->pixel + 1) + quarter;
}

/* The first slice that ends behind an instant. */
static uint32_t first_behind(const struct grt_track *track, grt_time instant) {
    uint32_t low = 0, high = track->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        bool behind = grt_track_end(track, middle) > instant;
        low = behind ? low : middle + 1;
        high = behind ? middle : high;
    }
    return low;
}

/* Count and flags of what ends in it; its colour is of a slice that is in it. */
static bool tells_ends(const struct seen *seen, const struct grt_lod_piece *piece,
                       const struct grt_slice *shown) {
    uint32_t first = first_behind(seen->track, piece->from), end = first_behind(seen->track, piece->to);
    uint8_t flags = 0;
    for (uint32_t i = first; i < end; i++) {
        flags |= grt_track_at(seen->track, i).flags;
    }
    return piece->count == end - first && flags == piece->flags && shown->start <= piece->to &&
           shown->end > piece->from;
}

/* So wide that it is told alone where nothing overlaps, even if pixels are shifted by a quarter. */
static bool is_wide(const struct grt_scale *scale, const struct grt_slice *slice) {
    grt_time from = slice->start > scale->from ? slice->start : scale->from;
    grt_time to = slice->end < scale->to ? slice->end : scale->to;
    return to - from > (scale->to - scale->from) / scale->pixels * 5;
}

static void look(void *state, const struct grt_lod_piece *piece) {
    struct seen *seen = state;
    struct grt_slice slice = grt_track_at(seen->track, piece->slice);
    bool good = piece->from >= seen->scale->from && piece->to <= seen->scale->to && piece->from <= piece->to;
    if (piece->alone) {
        seen->wide += is_wide(seen->scale, &slice);
        good = good && slice.start <= piece->from && piece->to <= slice.end &&
               piece->busy == (grt_wide)(uint64_t)(piece->to - piece->from) * slice.weight;
    } else {
        good = good && piece->busy == busy_between(seen->track, piece->from, piece->to) &&
               piece->from >= seen->last && is_in_pixel(seen, piece) && piece->pixel >= seen->last_pixel;
        if (seen->track->overlaps && piece->to > piece->from) {
            good = good && tells_ends(seen, piece, &slice) &&
                   (piece->pixel > seen->last_pixel || seen->pieces == 0);
        }
        seen->last_pixel = piece->to > piece->from ? piece->pixel : seen->last_pixel;
    }
    good = good && piece->task == slice.task && (!is_in_order(seen) || piece->from >= seen->last);
    seen->last = piece->to;
    seen->busy += piece->busy;
    seen->count += piece->count;
    seen->flags |= piece->flags;
    seen->pieces++;
    seen->good = seen->good && good;
}

static bool check_span(const struct grt_track *track, const struct grt_scale *scale) {
    struct seen seen = {.track = track, .scale = scale, .last = scale->from, .last_pixel = -1, .good = true};
    grt_lod_walk(track, scale, look, &seen);
    uint32_t ends = 0, wide = 0;
    uint8_t flags = 0;
    for (uint32_t i = 0; i < track->count; i++) {
        struct grt_slice slice = grt_track_at(track, i);
        wide += is_wide(scale, &slice);
        bool in = slice.end >= scale->from && slice.end <= scale->to && slice.start < scale->to;
        ends += in;
        flags |= in ? slice.flags : 0;
    }
    /* instants at the very end may be told or not */
    uint32_t late = 0;
    uint8_t late_flags = 0;
    for (uint32_t i = 0; i < track->count; i++) {
        struct grt_slice slice = grt_track_at(track, i);
        if (slice.start == scale->to && slice.end == scale->to) {
            late++;
            late_flags |= slice.flags;
        }
    }
    return seen.good && seen.busy == busy_between(track, scale->from, scale->to) && seen.count >= ends &&
           seen.count <= ends + late && (seen.flags & flags) == flags &&
           (seen.flags & (uint8_t) ~(flags | late_flags)) == 0 && (track->overlaps || seen.wide == wide) &&
           seen.pieces <= 2 * scale->pixels + 2 + GRT_TRACK_LANES;
}

static bool check(uint64_t number) {
    static const grt_time spans[] = {1000, 100000, 1000000000, GRT_TIME_LIMIT / 8};
    struct grt_random random = grt_random_of_key(number);
    struct grt_track track = {0};
    grt_time span = spans[below(&random, 4)];
    make(&track, &random, span);
    bool good = true;
    for (int i = 0; good && i < 20; i++) {
        grt_time from = (grt_time)grt_random_below(&random, (uint64_t)span + 1),
                 length = 1 + (grt_time)(grt_random_below(&random, (uint64_t)span) >> below(&random, 30));
        if (track.count > 0 && below(&random, 3) == 0) {
            from = grt_track_at(&track, below(&random, track.count)).end;
        }
        struct grt_scale scale = {i == 0 ? 0 : from, i == 0 ? track.end + 1 : from + length,
                                  1 + below(&random, PIXELS)};
        good = check_span(&track, &scale);
    }
    grt_track_free(&track);
    return good;
}

static void tells_all(void) {
    int cases = grt_suite_cases(300, 20000);
    for (int i = 0; i < cases; i++) {
        bool good = check((uint64_t)i);
        CU_ASSERT(good);
        if (!good) {
            fprintf(stderr, "track %d\n", i);
            return;
        }
    }
}

/* 1,000 slices of 15 ns, one every 10 ns: a tick every 64 ns, as 10,005 / 64 + 2 is at most a fifth of 1,000. */
static void make_even(struct grt_track *track) {
    for (uint32_t i = 0; i < 1000; i++) {
        struct grt_slice slice = {.start = 10 * (grt_time)i, .end = 10 * (grt_time)i + 15, .weight = 1};
        grt_track_add(track, &slice);
    }
    grt_track_settle(track);
    CU_ASSERT_EQUAL(track->tick_bits, 6);
    CU_ASSERT_EQUAL(track->tick_count, 158);
}

struct told {
    struct grt_lod_piece pieces[1000];
    uint32_t count;
};

static void keep(void *state, const struct grt_lod_piece *piece) {
    struct told *told = state;
    told->pieces[told->count++] = *piece;
}

/* In 10 pixels: the second begins at 1,000, nearest to tick 16, the third at 2,001, nearest to tick 31. */
static void many_begin_at_ticks(void) {
    static struct told told;
    struct grt_track track = {0};
    struct grt_scale scale = {.from = 0, .to = 10005, .pixels = 10};
    make_even(&track);
    told.count = 0;
    grt_lod_walk(&track, &scale, keep, &told);
    CU_ASSERT_EQUAL(told.count, 10);
    const struct grt_lod_piece *first = &told.pieces[0], *second = first + 1;
    CU_ASSERT_EQUAL(first->from, 0);
    CU_ASSERT_EQUAL(first->to, 16 * 64);
    CU_ASSERT_EQUAL(first->pixel_time, 16 * 64);
    CU_ASSERT_EQUAL(first->count, 101);                   /* the last of them ends at 1,015 */
    CU_ASSERT_EQUAL((int)first->busy, 101 * 15 + 14 + 4); /* two go on */
    CU_ASSERT_EQUAL(second->from, 16 * 64);
    CU_ASSERT_EQUAL(second->to, 31 * 64);
    CU_ASSERT_EQUAL(second->pixel_time, 15 * 64);
    CU_ASSERT_EQUAL((int)second->busy, 96 * 15);
    CU_ASSERT_EQUAL(told.pieces[9].to, 10005);
    grt_track_free(&track);
}

/* In 100 pixels, which are narrower than two ticks: from where the scale says. */
static void few_begin_anywhere(void) {
    static struct told told;
    struct grt_track track = {0};
    struct grt_scale scale = {.from = 0, .to = 10005, .pixels = 100};
    make_even(&track);
    told.count = 0;
    grt_lod_walk(&track, &scale, keep, &told);
    CU_ASSERT_EQUAL(told.count, 100);
    for (uint32_t i = 0; i < told.count; i++) {
        CU_ASSERT_EQUAL(told.pieces[i].from, grt_scale_time(&scale, i));
        CU_ASSERT_EQUAL(told.pieces[i].to, grt_scale_time(&scale, i + 1));
    }
    grt_track_free(&track);
}

static void pixels_tile_the_span(void) {
    struct grt_random random = grt_random_of_key(5);
    for (int i = 0; i < 2000; i++) {
        struct grt_scale scale = {.from = (grt_time)grt_random_below(&random, GRT_TIME_LIMIT / 2),
                                  .pixels = 1 + below(&random, 4000)};
        scale.to =
            scale.from + 1 + (grt_time)(grt_random_below(&random, GRT_TIME_LIMIT / 2) >> below(&random, 60));
        CU_ASSERT_EQUAL(grt_scale_time(&scale, 0), scale.from);
        CU_ASSERT_EQUAL(grt_scale_time(&scale, scale.pixels), scale.to);
        uint32_t pixel = below(&random, scale.pixels);
        grt_time first = grt_scale_time(&scale, pixel), next = grt_scale_time(&scale, pixel + 1);
        CU_ASSERT(first <= next);
        double x = grt_scale_x(&scale, first);
        double lost = (double)scale.pixels / (double)(scale.to - scale.from); /* less than a ns */
        CU_ASSERT(x <= pixel + 1e-6 && x > pixel - lost - 1e-6);
    }
}

static CU_TestInfo tests[] = {
    {"pieces are as busy as their track, and lose nothing", tells_all},
    {"pixels of many slices begin at ticks", many_begin_at_ticks},
    {"pixels of few slices begin anywhere", few_begin_anywhere},
    {"pixels tile the span", pixels_tile_the_span},
    CU_TEST_INFO_NULL,
};

int main(void) {
    return grt_suite_run("level of detail", tests);
}
