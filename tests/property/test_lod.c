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
    grt_wide busy;
    uint32_t count;
    uint8_t flags;
    uint32_t pieces;
    bool good;
};

static uint32_t below(struct grt_random *random, uint64_t bound) {
    return (uint32_t)grt_random_below(random, bound);
}

static void make(struct grt_track *track, struct grt_random *random, grt_time span) {
    uint32_t count = below(random, below(random, 3) == 0 ? 20 : MOST);
    bool overlaps = below(random, 2) == 0, instants = below(random, 5) == 0;
    grt_time most = overlaps ? span / 50 : 2 * span / MOST, at = 0;
    for (uint32_t i = 0; i < count; i++) {
        at = overlaps ? (grt_time)grt_random_below(random, (uint64_t)span)
                      : at + (grt_time)below(random, (uint64_t)most / 2 + 1) * below(random, 2);
        grt_time time =
            instants || below(random, 6) == 0 ? 0 : (grt_time)grt_random_below(random, (uint64_t)most + 1);
        struct grt_slice slice = {.start = at,
                                  .end = at + time,
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

static void look(void *state, const struct grt_piece *piece) {
    struct seen *seen = state;
    struct grt_slice slice = grt_track_at(seen->track, piece->slice);
    bool good = piece->from >= seen->scale->from && piece->to <= seen->scale->to && piece->from <= piece->to;
    if (piece->alone) {
        good = good && slice.start <= piece->from && piece->to <= slice.end &&
               piece->busy == (grt_wide)(uint64_t)(piece->to - piece->from) * slice.weight;
    } else {
        good = good && piece->busy == busy_between(seen->track, piece->from, piece->to) &&
               piece->from >= seen->last;
    }
    good = good && (!is_in_order(seen) || piece->from >= seen->last);
    seen->last = piece->to;
    seen->busy += piece->busy;
    seen->count += piece->count;
    seen->flags |= piece->flags;
    seen->pieces++;
    seen->good = seen->good && good;
}

static bool check_span(const struct grt_track *track, const struct grt_scale *scale) {
    struct seen seen = {.track = track, .scale = scale, .last = scale->from, .good = true};
    grt_lod_walk(track, scale, look, &seen);
    uint32_t ends = 0;
    uint8_t flags = 0;
    for (uint32_t i = 0; i < track->count; i++) {
        struct grt_slice slice = grt_track_at(track, i);
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
           (seen.flags & (uint8_t) ~(flags | late_flags)) == 0 &&
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
    {"pixels tile the span", pixels_tile_the_span},
    CU_TEST_INFO_NULL,
};

int main(void) {
    return grt_suite_run("level of detail", tests);
}
