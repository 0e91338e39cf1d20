/* Which of the SMs with room the next block goes to: the rules of placement.
 *
 * Source: G. Gilman, S. S. Ogden, T. Guo, R. J. Walls, "Demystifying the Placement Policies of the NVIDIA GPU Thread
 * Block Scheduler for Concurrent Kernels", SIGMETRICS Performance Evaluation Review, 2020: most room (P1), ties by a fixed order (P4). The others
 * are to be held against it. */
#include "models/device/placement_internal.h"

uint32_t placement_most_room(struct grt_placement *placement) {
    struct place_rooms *rooms = placement->rooms;
    for (; rooms->most > 0; rooms->most--) {
        uint32_t place = place_set_first(rooms->sets[rooms->most], placement->words);
        if (place != GRT_NO_PLACE) {
            return place;
        }
    }
    return GRT_NO_PLACE;
}

static uint32_t choose_first_fit(struct grt_placement *placement) {
    for (uint32_t place = 0; place < placement->count; place++) {
        if (placement->rooms->room[place] > 0) {
            return place;
        }
    }
    return GRT_NO_PLACE;
}

static uint32_t choose_round_robin(struct grt_placement *placement) {
    for (uint32_t step = 1; step <= placement->count; step++) {
        uint32_t place = (placement->last + step) % placement->count;
        if (placement->rooms->room[place] > 0) {
            placement->last = place;
            return place;
        }
    }
    return GRT_NO_PLACE;
}

static uint32_t choose_least_loaded(struct grt_placement *placement) {
    uint32_t best = GRT_NO_PLACE;
    for (uint32_t place = 0; place < placement->count; place++) {
        const struct place_sm *sm = &placement->sms[place];
        if (placement->rooms->room[place] > 0 &&
            (best == GRT_NO_PLACE || sm->warps > placement->sms[best].warps)) {
            best = place;
        }
    }
    return best;
}

static uint32_t choose_random(struct grt_placement *placement) {
    uint32_t with_room = placement->count - place_set_count(placement->rooms->sets[0], placement->words);
    if (with_room == 0) {
        return GRT_NO_PLACE;
    }
    uint64_t skip = grt_random_below(&placement->random, with_room);
    uint32_t place = 0;
    while (placement->rooms->room[place] == 0 || skip-- > 0) {
        place++;
    }
    return place;
}

uint32_t (*const placement_choices[])(struct grt_placement *) = {
    [GRT_PLACEMENT_MOST_ROOM] = placement_most_room, [GRT_PLACEMENT_ROUND_ROBIN] = choose_round_robin,
    [GRT_PLACEMENT_FIRST_FIT] = choose_first_fit,    [GRT_PLACEMENT_LEAST_LOADED] = choose_least_loaded,
    [GRT_PLACEMENT_RANDOM] = choose_random,
};
