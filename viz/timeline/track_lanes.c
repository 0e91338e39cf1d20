/* The lanes of the slices of a track. */
#include "viz/timeline/track_internal.h"

static void set_lane(struct track_packed *slice, uint8_t lane) {
    const unsigned shift = TIME_BITS + FLAG_BITS + WEIGHT_BITS;
    track_set_bits(slice, (track_bits_of(slice) & ((UINT64_C(1) << shift) - 1)) | (uint64_t)lane << shift);
}

struct lanes {
    grt_time free_at[GRT_TRACK_LANES]; /* when each lane's last slice ends */
    uint32_t used;
};

/* The lowest run of free lanes; where there is none, the last lanes. */
static uint32_t find_lanes(struct grt_track *track, const struct lanes *lanes, grt_time start,
                           uint32_t weight) {
    uint32_t run = 0;
    for (uint32_t lane = 0; lane < GRT_TRACK_LANES; lane++) {
        run = lanes->free_at[lane] <= start ? run + 1 : 0;
        if (run == weight) {
            return lane + 1 - weight;
        }
    }
    track->crowded = true;
    return GRT_TRACK_LANES - weight;
}

/* In the order of the starts every slice gets the lowest lanes that are free, so that slices of weight 1 take no more lanes
 * than ever run at a time. */
void track_set_lanes(struct grt_track *track) {
    struct lanes lanes = {.used = 0};
    track->crowded = false;
    for (uint32_t lane = 0; lane < GRT_TRACK_LANES; lane++) {
        lanes.free_at[lane] = INT64_MIN;
    }
    for (uint32_t i = 0; i < track->count; i++) {
        uint32_t number = grt_track_started(track, i);
        struct track_packed *slice = track_packed_at(track, number);
        uint32_t weight = track_weight_of(slice);
        uint32_t lane = find_lanes(track, &lanes, track_start_of(track, number), weight);
        set_lane(slice, (uint8_t)lane);
        for (uint32_t j = lane; j < lane + weight; j++) {
            lanes.free_at[j] = slice->end > lanes.free_at[j] ? slice->end : lanes.free_at[j];
        }
        lanes.used = lane + weight > lanes.used ? lane + weight : lanes.used;
    }
    track->lane_count = lanes.used;
}
