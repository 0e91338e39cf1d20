#include "viz/answers/place.h"

/* So many slices that end at one instant are looked at to find a twin: more are no schedule. */
enum { MOST_AT_ONCE = 1024 };

bool grt_place_exists(const struct grt_timeline *timeline, struct grt_place place) {
    return place.row < timeline->row_count && place.track < timeline->rows[place.row].track_count &&
           place.number < timeline->rows[place.row].tracks[place.track].track->count;
}

struct grt_slice grt_place_slice(const struct grt_timeline *timeline, struct grt_place place) {
    return grt_track_at(timeline->rows[place.row].tracks[place.track].track, place.number);
}

enum grt_track_part grt_place_part(const struct grt_timeline *timeline, struct grt_place place) {
    return timeline->rows[place.row].tracks[place.track].part;
}

struct grt_place grt_place_in(const struct grt_timeline *timeline, const struct grt_row *row,
                              enum grt_track_part part, uint32_t number) {
    for (uint32_t i = 0; number != GRT_NO_SLICE && i < row->track_count; i++) {
        if (row->tracks[i].part == part) {
            return (struct grt_place){(uint32_t)(row - timeline->rows), i, number};
        }
    }
    return grt_place_none();
}

/* The slice of a track that says the same. */
static uint32_t find_same(const struct grt_track *track, const struct grt_slice *slice) {
    struct grt_track_cursor cursor = {0};
    uint32_t first = grt_track_first_after(track, &cursor, slice->end - 1);
    for (uint32_t i = first;
         i < track->count && i - first < MOST_AT_ONCE && grt_track_end(track, i) == slice->end; i++) {
        struct grt_slice other = grt_track_at(track, i);
        if (other.start == slice->start && other.task == slice->task && other.job == slice->job &&
            other.detail == slice->detail && other.grid == slice->grid) {
            return i;
        }
    }
    return GRT_NO_SLICE;
}

/* Where the twin of a part in a task's row is. */
static enum grt_row_kind resource_of(enum grt_track_part part) {
    switch (part) {
    case GRT_PART_CPU:
    case GRT_PART_HOST:
    case GRT_PART_SPIN:
    case GRT_PART_OVERHEAD:
        return GRT_ROW_CORE;
    case GRT_PART_COPY:
        return GRT_ROW_ENGINE;
    case GRT_PART_KERNEL:
        return GRT_ROW_STREAM;
    default:
        return GRT_ROW_KINDS;
    }
}

struct grt_place grt_place_twin(const struct grt_timeline *timeline, struct grt_place place) {
    enum grt_track_part part = grt_place_part(timeline, place);
    struct grt_slice slice = grt_place_slice(timeline, place);
    enum grt_row_kind kind = resource_of(part);
    if (kind == GRT_ROW_KINDS) {
        return grt_place_none();
    }
    if (timeline->rows[place.row].kind != GRT_ROW_TASK) {
        const struct grt_row *row = grt_timeline_row(timeline, GRT_ROW_TASK, slice.task);
        return row == NULL ? grt_place_none()
                           : grt_place_in(timeline, row, part, find_same(grt_row_track(row, part), &slice));
    }
    for (uint32_t i = timeline->first_rows[kind]; i < timeline->first_rows[kind + 1]; i++) {
        const struct grt_row *row = &timeline->rows[i];
        uint32_t number = find_same(grt_row_track(row, part), &slice);
        if (number != GRT_NO_SLICE) {
            return grt_place_in(timeline, row, part, number);
        }
    }
    return grt_place_none();
}

struct grt_place grt_place_beside(const struct grt_timeline *timeline, struct grt_place place, int step) {
    place.number += (uint32_t)step; /* before the first: one that does not exist */
    return grt_place_exists(timeline, place) ? place : grt_place_none();
}

bool grt_place_is(struct grt_place a, struct grt_place b) {
    return a.row == b.row && a.track == b.track && a.number == b.number;
}
