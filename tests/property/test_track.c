/* labels: soak */
/* Tracks of the timeline against the plainest way to answer the same questions: a loop over all slices. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/memory.h"
#include "sim/random.h"
#include "tests/support/suite.h"
#include "viz/timeline/track.h"

enum { MOST = 700 };

/* A track and the slices that were put into it. */
struct made {
    struct grt_track track;
    struct grt_slice slices[MOST];
    uint32_t count;
    grt_time span;
    bool disjoint;
};

static uint32_t below(struct grt_random *random, uint64_t bound) {
    return (uint32_t)grt_random_below(random, bound);
}

static struct grt_slice random_slice(struct grt_random *random, grt_time start, grt_time longest,
                                     bool heavy) {
    grt_time time = (grt_time)grt_random_below(random, (uint64_t)longest + 1);
    return (struct grt_slice){.start = start,
                              .end = start + (below(random, 8) == 0 ? 0 : time),
                              .job = below(random, 1000),
                              .detail = below(random, UINT32_MAX),
                              .task = (uint16_t)below(random, 65536),
                              .grid = (uint16_t)(below(random, 50) == 0 ? below(random, 65536) : 0),
                              .weight = (uint8_t)(heavy ? 1 + below(random, 64) : 1),
                              .flags = (uint8_t)below(random, 32)};
}

static int by_end(const void *a, const void *b) {
    const struct grt_slice *left = a, *right = b;
    return (left->end > right->end) - (left->end < right->end);
}

/* One after the other, or anywhere; in order of their ends or not; of ns, ms or years. */
static void make(struct made *made, uint64_t number) {
    struct grt_random random = grt_random_of_key(number);
    static const grt_time spans[] = {0, 50, 1000, 1000000000, 4000000000000, GRT_TIME_LIMIT / 4};
    *made = (struct made){.count = below(&random, below(&random, 4) == 0 ? 8 : MOST),
                          .span = spans[below(&random, 6)],
                          .disjoint = below(&random, 3) == 0};
    bool heavy = below(&random, 2) == 0, in_order = below(&random, 3) > 0;
    grt_time longest = below(&random, 2) == 0 ? made->span : made->span / 20, at = 0;
    for (uint32_t i = 0; i < made->count; i++) {
        at = made->disjoint ? at + (grt_time)grt_random_below(&random, (uint64_t)made->span / MOST + 1)
                            : (grt_time)grt_random_below(&random, (uint64_t)made->span + 1);
        made->slices[i] = random_slice(&random, at, made->disjoint ? made->span / MOST : longest, heavy);
        at = made->slices[i].end;
    }
    if (in_order) {
        qsort(made->slices, made->count, sizeof made->slices[0], by_end);
    }
    for (uint32_t i = 0; i < made->count; i++) {
        grt_track_add(&made->track, &made->slices[i]);
    }
    grt_track_settle(&made->track);
}

static bool same(const struct grt_slice *a, const struct grt_slice *b) {
    return a->start == b->start && a->end == b->end && a->job == b->job && a->detail == b->detail &&
           a->task == b->task && a->grid == b->grid && a->weight == b->weight && a->flags == b->flags;
}

/* Every slice comes back once, in the order of the ends. */
static bool keeps_slices(const struct made *made) {
    bool found[MOST] = {false};
    for (uint32_t i = 0; i < made->count; i++) {
        struct grt_slice slice = grt_track_at(&made->track, i);
        uint32_t j = 0;
        while (j < made->count && (found[j] || !same(&slice, &made->slices[j]))) {
            j++;
        }
        if (j == made->count || (i > 0 && slice.end < grt_track_end(&made->track, i - 1))) {
            return false;
        }
        found[j] = true;
    }
    return made->track.count == made->count;
}

static grt_wide busy_by_hand(const struct made *made, grt_time instant) {
    grt_wide sum = 0;
    for (uint32_t i = 0; i < made->count; i++) {
        const struct grt_slice *slice = &made->slices[i];
        grt_time end = slice->end < instant ? slice->end : instant;
        sum += end > slice->start ? (grt_wide)(uint64_t)(end - slice->start) * slice->weight : 0;
    }
    return sum;
}

static grt_time some_instant(const struct made *made, struct grt_random *random) {
    if (made->count > 0 && below(random, 2) == 0) {
        const struct grt_slice *slice = &made->slices[below(random, made->count)];
        return (below(random, 2) == 0 ? slice->start : slice->end) + (grt_time)below(random, 3) - 1;
    }
    return (grt_time)grt_random_below(random, 2 * (uint64_t)made->span + 10) - 5;
}

/* One cursor through instants that grow. */
static bool knows_busy(const struct made *made, struct grt_random *random) {
    struct grt_track_cursor cursor = {0};
    grt_time last = -10;
    for (int i = 0; i < 10; i++) {
        grt_time instant = some_instant(made, random);
        instant = instant > last ? instant : last;
        if (grt_track_busy(&made->track, &cursor, instant) != busy_by_hand(made, instant)) {
            return false;
        }
        last = instant;
    }
    return true;
}

static uint32_t first_after_by_hand(const struct made *made, grt_time instant) {
    uint32_t i = 0;
    while (i < made->count && grt_track_end(&made->track, i) <= instant) {
        i++;
    }
    return i;
}

static bool finds_first(const struct made *made, struct grt_random *random) {
    struct grt_track_cursor cursor = {0};
    grt_time last = -10;
    for (int i = 0; i < 10; i++) {
        grt_time instant = some_instant(made, random);
        instant = instant > last ? instant : last;
        if (grt_track_first_after(&made->track, &cursor, instant) != first_after_by_hand(made, instant)) {
            return false;
        }
        last = instant;
    }
    return true;
}

/* Ticks are before and behind everything, and answer as any instant does. */
static bool knows_ticks(const struct made *made, struct grt_random *random) {
    const struct grt_track *track = &made->track;
    if (track->tick_count == 0) {
        grt_time span = track->end - track->begin; /* too few, too close, or too long for their sums */
        return made->count < MOST || span < 64 || span > UINT32_MAX * INT64_C(1000);
    }
    uint32_t tick = below(random, track->tick_count), first_after;
    grt_time instant = grt_track_tick_time(track, tick);
    return grt_track_tick_time(track, 0) == track->begin &&
           grt_track_tick_time(track, track->tick_count - 1) >= track->end &&
           grt_track_reach_tick(track, tick, &first_after) == busy_by_hand(made, instant) &&
           first_after == first_after_by_hand(made, instant);
}

static bool summarises(const struct made *made, struct grt_random *random) {
    uint32_t first = below(random, made->count + 1), end = first + below(random, made->count - first + 1);
    struct grt_track_summary sum = grt_track_summarise(&made->track, first, end);
    uint32_t longest = GRT_NO_SLICE;
    grt_time longest_time = 0;
    uint8_t flags = 0;
    for (uint32_t i = first; i < end; i++) {
        struct grt_slice slice = grt_track_at(&made->track, i);
        flags |= slice.flags;
        if (longest == GRT_NO_SLICE || slice.end - slice.start > longest_time) {
            longest = i;
            longest_time = slice.end - slice.start;
        }
    }
    return sum.longest == longest && sum.longest_time == longest_time && sum.flags == flags &&
           (longest == GRT_NO_SLICE || sum.task == grt_track_at(&made->track, longest).task);
}

/* The flags are exact, and but for 15 slices at either end none is longer by more than a thirty-second. */
static bool glances(const struct made *made, struct grt_random *random) {
    uint32_t first = below(random, made->count + 1), end = first + below(random, made->count - first + 1);
    struct grt_track_summary sum = grt_track_glance(&made->track, first, end);
    if (first == end) {
        return sum.longest == GRT_NO_SLICE && sum.flags == 0;
    }
    struct grt_slice longest = grt_track_at(&made->track, sum.longest);
    grt_time time = longest.end - longest.start;
    uint8_t flags = 0;
    bool good = sum.longest >= first && sum.longest < end && sum.task == longest.task &&
                sum.longest_time <= time && sum.longest_time >= time - time / 32;
    for (uint32_t i = first; i < end; i++) {
        struct grt_slice slice = grt_track_at(&made->track, i);
        flags |= slice.flags;
        good = good && (i < first + 15 || i + 15 >= end || slice.end - slice.start <= time + time / 31 + 1);
    }
    return good && sum.flags == flags;
}

/* Walking through a span finds every slice in it, once. */
static bool walks(const struct made *made, struct grt_random *random) {
    grt_time a = some_instant(made, random), b = some_instant(made, random);
    uint32_t at = first_after_by_hand(made, a);
    for (uint32_t i = 0; i < made->count; i++) {
        struct grt_slice slice = grt_track_at(&made->track, i);
        if (slice.end <= a || slice.start >= b) {
            continue;
        }
        if (grt_track_next_before(&made->track, at, b) != i) {
            return false;
        }
        at = i + 1;
    }
    return grt_track_next_before(&made->track, at, b) == GRT_NO_SLICE;
}

static bool touch(const struct grt_slice *a, const struct grt_slice *b) {
    return a->start < b->end && b->start < a->end;
}

static bool has_lanes(const struct made *made) {
    uint32_t most = 0;
    bool light = true, overlaps = false;
    for (uint32_t i = 0; i < made->count; i++) {
        struct grt_slice slice = grt_track_at(&made->track, i);
        uint32_t together = 1; /* without time, it comes before those that start with it */
        bool instant = slice.start == slice.end;
        light = light && slice.weight == 1;
        if (slice.lane + slice.weight > made->track.lane_count) {
            return false;
        }
        for (uint32_t j = 0; j < made->count; j++) {
            struct grt_slice other = grt_track_at(&made->track, j);
            bool shares = slice.lane < other.lane + other.weight && other.lane < slice.lane + slice.weight;
            together += i != j && slice.start < other.end &&
                        (other.start < slice.start || (!instant && other.start == slice.start));
            overlaps |= i != j && touch(&slice, &other);
            if (i != j && touch(&slice, &other) && shares && !made->track.crowded) {
                return false;
            }
        }
        most = together > most ? together : most;
    }
    bool crowded = light && most > GRT_TRACK_LANES;
    return (!overlaps || made->track.overlaps) && (!crowded || made->track.crowded) &&
           (!light || made->count == 0 || crowded || made->track.lane_count == most);
}

/* Other weights, as the timeline learns them late. */
static void change_weights(struct made *made, struct grt_random *random) {
    for (uint32_t i = 0; i < made->count; i++) {
        grt_track_set_weight(&made->track, i, (uint8_t)(1 + below(random, 64)));
        made->slices[i] = grt_track_at(&made->track, i);
    }
    grt_track_settle(&made->track);
}

static void add_more(struct made *made) {
    for (uint32_t i = 0; i < made->count && made->count < MOST; i += 2) {
        grt_track_add(&made->track, &made->slices[i]);
        made->slices[made->count++] = made->slices[i];
    }
    grt_track_settle(&made->track);
}

static bool answers_right(const struct made *made, struct grt_random *random) {
    bool good = keeps_slices(made) && has_lanes(made);
    for (int i = 0; good && i < 30; i++) {
        good = knows_busy(made, random) && finds_first(made, random) && knows_ticks(made, random) &&
               summarises(made, random) && glances(made, random) && walks(made, random);
    }
    return good;
}

static bool check(uint64_t number) {
    static struct made made;
    struct grt_random random = grt_random_of_key(number + 1);
    make(&made, number);
    bool good = answers_right(&made, &random);
    change_weights(&made, &random);
    good = good && answers_right(&made, &random);
    add_more(&made);
    good = good && answers_right(&made, &random);
    grt_track_free(&made.track);
    return good;
}

static void answers(void) {
    int cases = grt_suite_cases(150, 5000);
    for (int i = 0; i < cases; i++) {
        bool good = check((uint64_t)i);
        CU_ASSERT(good);
        if (!good) {
            fprintf(stderr, "track %d\n", i);
            return;
        }
    }
}

/* The last to end was the first to start: its number is too far from its place among the starts for 16 bits. */
static void far_starts(void) {
    enum { COUNT = 40000 };
    struct grt_track track = {0};
    for (uint32_t i = 0; i < COUNT; i++) {
        struct grt_slice slice = {.start = 10 * (grt_time)i + 10, .end = 10 * (grt_time)i + 15, .weight = 1};
        grt_track_add(&track, &slice);
    }
    grt_track_add(&track, &(struct grt_slice){.start = 0, .end = 10 * COUNT + 10, .weight = 2});
    grt_track_settle(&track);
    struct grt_track_cursor cursor = {0};
    uint32_t first_after;
    CU_ASSERT(grt_track_reach(&track, &cursor, 5, &first_after) == 10);
    CU_ASSERT(grt_track_reach(&track, &cursor, 1002, &first_after) == 2 * 1002 + 99 * 5 + 2);
    CU_ASSERT_EQUAL(first_after, 99);
    CU_ASSERT(grt_track_reach(&track, &cursor, 10 * COUNT + 20, &first_after) ==
              2 * (10 * COUNT + 10) + 5 * COUNT);
    CU_ASSERT_EQUAL(first_after, COUNT + 1);
    CU_ASSERT_EQUAL(grt_track_at(&track, COUNT).lane, 0);
    CU_ASSERT_EQUAL(track.lane_count, 3);
    grt_track_free(&track);
}

/* More time than 64 bits hold. */
static void long_sums(void) {
    struct grt_track track = {0};
    for (uint32_t i = 0; i < 1000; i++) {
        struct grt_slice slice = {.start = i, .end = GRT_TIME_LIMIT + i, .weight = 64};
        grt_track_add(&track, &slice);
    }
    grt_track_settle(&track);
    struct grt_track_cursor cursor = {0};
    CU_ASSERT(grt_track_busy(&track, &cursor, GRT_TIME_NEVER) == (grt_wide)GRT_TIME_LIMIT * 64 * 1000);
    CU_ASSERT_EQUAL(track.tick_count, 0);
    grt_track_free(&track);
}

static void memory(void) {
    struct grt_track track = {0};
    for (uint32_t i = 0; i < 100000; i++) {
        struct grt_slice slice = {.start = 10 * (grt_time)i, .end = 10 * (grt_time)i + 25, .weight = 1};
        grt_track_add(&track, &slice);
    }
    grt_track_settle(&track);
    CU_ASSERT(track.overlaps);
    CU_ASSERT_EQUAL(track.lane_count, 3);
    CU_ASSERT(grt_track_bytes(&track) <= 32 * 100000);
    grt_track_free(&track);
}

static CU_TestInfo tests[] = {
    {"the same answers as by a loop over all slices", answers},
    {"one that starts first and ends last", far_starts},
    {"more time than 64 bits hold", long_sums},
    {"32 bytes a slice", memory},
    CU_TEST_INFO_NULL,
};

int main(void) {
    return grt_suite_run("track", tests);
}
