#include "viz/timeline/track.h"

#include <stdlib.h>
#include <string.h>

#include "sim/check.h"
#include "sim/memory.h"
#include "viz/timeline/track_internal.h"

static uint8_t lane_of(const struct track_packed *slice) {
    return (uint8_t)(track_bits_of(slice) >> (TIME_BITS + FLAG_BITS + WEIGHT_BITS));
}

static uint64_t pack_bits(uint64_t time, uint8_t flags, uint8_t weight, uint8_t lane) {
    return time | (uint64_t)flags << TIME_BITS | (uint64_t)(weight - 1) << (TIME_BITS + FLAG_BITS) |
           (uint64_t)lane << (TIME_BITS + FLAG_BITS + WEIGHT_BITS);
}

static int by_number(const void *a, const void *b) {
    uint32_t left = ((const struct grt_track_long *)a)->number,
             right = ((const struct grt_track_long *)b)->number;
    return (left > right) - (left < right);
}

grt_time track_long_start(const struct grt_track *track, uint32_t number) {
    struct grt_track_long key = {.number = number};
    const struct grt_track_long *found =
        bsearch(&key, track->long_slices, track->long_count, sizeof key, by_number);
    return found->start;
}

static uint16_t grid_of(const struct grt_track *track, uint32_t number) {
    return track->has_grids ? track->chunks[number / TRACK_CHUNK]->grids[number % TRACK_CHUNK] : 0;
}

struct grt_slice grt_track_at(const struct grt_track *track, uint32_t number) {
    const struct track_packed *slice = track_packed_at(track, number);
    return (struct grt_slice){
        .start = track_start_of(track, number),
        .end = slice->end,
        .job = slice->job,
        .detail = slice->detail,
        .task = slice->task,
        .grid = grid_of(track, number),
        .weight = track_weight_of(slice),
        .lane = lane_of(slice),
        .flags = track_flags_of(slice),
    };
}

grt_time grt_track_end(const struct grt_track *track, uint32_t number) {
    return track_packed_at(track, number)->end;
}

static_assert((int)GRT_TRACK_LENGTHS >= (int)TRACK_CHUNK, "a chunk has room");

uint32_t grt_track_lengths(const struct grt_track *track, uint32_t first, uint32_t end,
                           struct grt_track_length lengths[GRT_TRACK_LENGTHS]) {
    const struct track_packed *slices = track_packed_at(track, first);
    uint32_t left = TRACK_CHUNK - first % TRACK_CHUNK, count = end - first < left ? end - first : left;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t time = slices[i].low & (uint32_t)LONG_TIME;
        lengths[i] =
            (struct grt_track_length){slices[i].end, time < LONG_TIME ? time : UINT32_MAX, slices[i].task};
    }
    return count;
}

/* ---- adding ---- */

static size_t chunk_size(bool has_grids) {
    return sizeof(struct grt_track_chunk) + (has_grids ? TRACK_CHUNK * sizeof(uint16_t) : 0);
}

static uint32_t chunk_count(const struct grt_track *track) {
    return (track->count + TRACK_CHUNK - 1) / TRACK_CHUNK;
}

/* The first grid: from now on every chunk has room for them. */
static void use_grids(struct grt_track *track) {
    uint32_t chunks = chunk_count(track);
    track->has_grids = true;
    for (uint32_t i = 0; i < chunks; i++) {
        track->chunks[i] = grt_reallocate(track->chunks[i], chunk_size(true));
        memset(track->chunks[i]->grids, 0, TRACK_CHUNK * sizeof(uint16_t));
    }
}

void track_put(struct grt_track *track, uint32_t number, const struct grt_slice *slice) {
    uint64_t time = (uint64_t)(slice->end - slice->start);
    struct track_packed *packed = track_packed_at(track, number);
    *packed = (struct track_packed){
        .end = slice->end, .job = slice->job, .detail = slice->detail, .task = slice->task};
    if (time >= LONG_TIME) {
        time = LONG_TIME;
        track->long_slices = grt_array_grow(track->long_slices, &track->long_capacity, track->long_count + 1,
                                            sizeof *track->long_slices);
        track->long_slices[track->long_count++] = (struct grt_track_long){number, slice->start};
    }
    track_set_bits(packed, pack_bits(time, slice->flags, slice->weight, slice->lane));
    if (track->has_grids) {
        track->chunks[number / TRACK_CHUNK]->grids[number % TRACK_CHUNK] = slice->grid;
    }
}

void grt_track_add(struct grt_track *track, const struct grt_slice *slice) {
    GRT_REQUIRE(slice->start <= slice->end && slice->weight >= 1 && slice->weight <= 64,
                "add slices that do not end before they start, of weight 1 to 64");
    GRT_REQUIRE(track->count < GRT_NO_SLICE, "a track has fewer than 2^32 - 1 slices");
    if (slice->grid != 0 && !track->has_grids) {
        use_grids(track);
    }
    uint32_t number = track->count;
    if (number % TRACK_CHUNK == 0) {
        track->chunks = grt_array_grow(track->chunks, &track->chunk_capacity, number / TRACK_CHUNK + 1,
                                       sizeof(struct grt_track_chunk *));
        track->chunks[number / TRACK_CHUNK] = grt_allocate(chunk_size(track->has_grids));
    }
    track->sorted = number == 0 || (track->sorted && track_packed_at(track, number - 1)->end <= slice->end);
    track->ordered = track->settled = false;
    track->count++;
    track_put(track, number, slice);
}

void grt_track_set_weight(struct grt_track *track, uint32_t number, uint8_t weight) {
    struct track_packed *slice = track_packed_at(track, number);
    GRT_REQUIRE(weight >= 1 && weight <= 64, "weights are 1 to 64");
    track->settled = false;
    track_set_bits(slice, pack_bits(slice->low & LONG_TIME, track_flags_of(slice), weight, lane_of(slice)));
}

void grt_track_free(struct grt_track *track) {
    for (uint32_t i = 0; i < chunk_count(track); i++) {
        free(track->chunks[i]);
    }
    free(track->chunks);
    free(track->long_slices);
    free(track->moves);
    free(track->by_start);
    free(track->marks);
    free(track->ticks);
    free(track->nodes);
    *track = (struct grt_track){0};
}

/* What only changes with the slices is kept where nothing but weights did. */
void grt_track_settle(struct grt_track *track) {
    if (!track->ordered) {
        track_set_order(track);
        track_set_nodes(track);
        track->ordered = true;
    }
    if (!track->settled) {
        track_set_lanes(track);
        track_set_sums(track);
        track->settled = true;
    }
}

uint64_t grt_track_bytes(const struct grt_track *track) {
    uint64_t nodes = 0;
    for (uint32_t level = 0; level < track->level_count; level++) {
        nodes += track->level_counts[level];
    }
    return track->chunk_capacity * sizeof(struct grt_track_chunk *) +
           chunk_count(track) * (uint64_t)chunk_size(track->has_grids) +
           track->long_capacity * sizeof *track->long_slices + track->mark_count * sizeof *track->marks +
           track->tick_count * sizeof *track->ticks + nodes * sizeof *track->nodes +
           (track->moves != NULL ? track->count * sizeof *track->moves : 0) +
           (track->by_start != NULL ? track->count * sizeof *track->by_start : 0);
}
