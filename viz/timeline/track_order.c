/* The orders of the slices of a track: by their ends, and by their starts. */
#include <stdlib.h>

#include "sim/memory.h"
#include "viz/timeline/track_internal.h"

enum { MOST_MOVES = 32 };
static int by_end(const void *a, const void *b) {
    const struct grt_slice *left = a, *right = b;
    if (left->end != right->end) {
        return left->end < right->end ? -1 : 1;
    }
    return (left->start > right->start) - (left->start < right->start);
}

static void sort(struct grt_track *track) {
    struct grt_slice *slices = grt_allocate(track->count * sizeof *slices);
    for (uint32_t i = 0; i < track->count; i++) {
        slices[i] = grt_track_at(track, i);
    }
    qsort(slices, track->count, sizeof *slices, by_end);
    track->long_count = 0;
    for (uint32_t i = 0; i < track->count; i++) {
        track_put(track, i, &slices[i]);
    }
    free(slices);
    track->sorted = true;
}

struct started {
    grt_time start;
    uint32_t number;
};

static int by_start(const void *a, const void *b) {
    const struct started *left = a, *right = b;
    if (left->start != right->start) {
        return left->start < right->start ? -1 : 1;
    }
    return (left->number > right->number) - (left->number < right->number);
}

/* Slices that are ordered by their ends are nearly ordered by their starts: each is moved past the few that started later. False,
 * with the order unfinished, where they are not few. */
static bool insert_by_start(struct started *order, uint32_t count) {
    uint64_t moves = 0;
    for (uint32_t i = 1; i < count && moves <= MOST_MOVES * (uint64_t)count; i++) {
        struct started one = order[i];
        uint32_t place = i;
        for (; place > 0 && order[place - 1].start > one.start && i - place < 2 * MOST_MOVES * MOST_MOVES;
             place--) {
            order[place] = order[place - 1];
        }
        order[place] = one;
        moves += i - place;
        if (place > 0 && order[place - 1].start > one.start) {
            return false;
        }
    }
    return moves <= MOST_MOVES * (uint64_t)count;
}

static bool find_overlaps(const struct grt_track *track) {
    for (uint32_t i = 1; i < track->count; i++) {
        if (track_start_of(track, i) < track_packed_at(track, i - 1)->end) {
            return true;
        }
    }
    return false;
}

static bool moves_are_short(const struct started *order, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        int64_t move = (int64_t)order[i].number - (int64_t)i;
        if (move < INT16_MIN || move > INT16_MAX) {
            return false;
        }
    }
    return true;
}

static void keep_order(struct grt_track *track, const struct started *order) {
    if (moves_are_short(order, track->count)) {
        track->moves = grt_allocate(track->count * sizeof *track->moves);
        for (uint32_t i = 0; i < track->count; i++) {
            track->moves[i] = (int16_t)((int64_t)order[i].number - (int64_t)i);
        }
        return;
    }
    track->by_start = grt_allocate(track->count * sizeof *track->by_start);
    for (uint32_t i = 0; i < track->count; i++) {
        track->by_start[i] = order[i].number;
    }
}

static void order_by_start(struct grt_track *track) {
    struct started *order = grt_allocate(track->count * sizeof *order);
    for (uint32_t i = 0; i < track->count; i++) {
        order[i] = (struct started){track_start_of(track, i), i};
    }
    if (!insert_by_start(order, track->count)) {
        qsort(order, track->count, sizeof *order, by_start);
    }
    keep_order(track, order);
    free(order);
}

void track_set_order(struct grt_track *track) {
    free(track->moves);
    free(track->by_start);
    track->moves = NULL;
    track->by_start = NULL;
    track->overlaps = false;
    track->begin = track->end = 0;
    if (track->count == 0) {
        return;
    }
    if (!track->sorted) {
        sort(track);
    }
    track->overlaps = find_overlaps(track);
    if (track->overlaps) {
        order_by_start(track);
    }
    track->begin = track_start_of(track, grt_track_started(track, 0));
    track->end = track_packed_at(track, track->count - 1)->end;
}
