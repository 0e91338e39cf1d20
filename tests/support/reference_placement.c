#include "tests/support/reference_placement.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void require(bool holds, const char *sentence) {
    if (!holds) {
        fprintf(stderr, "reference_placement: %s\n", sentence);
        abort();
    }
}

static int64_t warps_of(struct grt_reference_placement_block block) {
    int64_t warps = 0;
    for (int64_t threads = block.threads; threads > 0; threads -= 32) {
        warps++;
    }
    return warps;
}

static void take(struct grt_reference_placement_limits *free_now,
                 struct grt_reference_placement_block block) {
    free_now->warps -= warps_of(block);
    free_now->block_slots -= 1;
    free_now->registers -= block.registers;
    free_now->shared_memory_bytes -= block.shared_memory_bytes;
}

static bool overdrawn(const struct grt_reference_placement_limits *free_now) {
    return free_now->warps < 0 || free_now->block_slots < 0 || free_now->registers < 0 ||
           free_now->shared_memory_bytes < 0;
}

static void check_block(struct grt_reference_placement_block block) {
    require(block.threads >= 1 && block.registers >= 0 && block.shared_memory_bytes >= 0,
            "give blocks of >= 1 thread, other needs >= 0");
}

static struct grt_reference_placement_limits free_on(const struct grt_reference_placement *placement,
                                                     int sm) {
    struct grt_reference_placement_limits free_now = placement->limits;
    for (size_t i = 0; i < placement->resident_count; i++) {
        check_block(placement->residents[i].block);
        if (placement->residents[i].sm == sm) {
            take(&free_now, placement->residents[i].block);
        }
    }
    require(!overdrawn(&free_now), "let the residents of every SM keep within its limits");
    return free_now;
}

int64_t grt_reference_placement_room(const struct grt_reference_placement *placement, int sm) {
    check_block(placement->block);
    struct grt_reference_placement_limits free_now = free_on(placement, sm);
    int64_t blocks = 0;
    take(&free_now, placement->block);
    while (!overdrawn(&free_now)) {
        blocks++;
        take(&free_now, placement->block);
    }
    return blocks;
}

static int64_t resident_warps(const struct grt_reference_placement *placement, int sm) {
    int64_t warps = 0;
    for (size_t i = 0; i < placement->resident_count; i++) {
        if (placement->residents[i].sm == sm) {
            warps += warps_of(placement->residents[i].block);
        }
    }
    return warps;
}

static int choose_most_room(const struct grt_reference_placement *placement) {
    int best = -1;
    int64_t best_room = 0;
    for (size_t i = 0; i < placement->order_count; i++) {
        int64_t room = grt_reference_placement_room(placement, placement->order[i]);
        if (room > best_room) {
            best = placement->order[i];
            best_room = room;
        }
    }
    return best;
}

static int choose_first_fit(const struct grt_reference_placement *placement) {
    for (size_t i = 0; i < placement->order_count; i++) {
        if (grt_reference_placement_room(placement, placement->order[i]) > 0) {
            return placement->order[i];
        }
    }
    return -1;
}

static int choose_least_loaded(const struct grt_reference_placement *placement) {
    int best = -1;
    for (size_t i = 0; i < placement->order_count; i++) {
        int sm = placement->order[i];
        bool has_room = grt_reference_placement_room(placement, sm) > 0;
        if (has_room && (best == -1 || resident_warps(placement, sm) < resident_warps(placement, best))) {
            best = sm;
        }
    }
    return best;
}

static int choose_round_robin(const struct grt_reference_placement *placement) {
    size_t first = 0;
    for (size_t i = 0; i < placement->order_count; i++) {
        if (placement->order[i] == placement->last_sm) {
            first = i + 1;
        }
    }
    for (size_t step = 0; step < placement->order_count; step++) {
        int sm = placement->order[(first + step) % placement->order_count];
        if (grt_reference_placement_room(placement, sm) > 0) {
            return sm;
        }
    }
    return -1;
}

static int choose(const struct grt_reference_placement *placement) {
    switch (placement->policy) {
    case GRT_REFERENCE_PLACEMENT_MOST_ROOM:
        return choose_most_room(placement);
    case GRT_REFERENCE_PLACEMENT_FIRST_FIT:
        return choose_first_fit(placement);
    case GRT_REFERENCE_PLACEMENT_LEAST_LOADED:
        return choose_least_loaded(placement);
    case GRT_REFERENCE_PLACEMENT_ROUND_ROBIN:
        return choose_round_robin(placement);
    }
    require(false, "give one of the four policies");
    return -1;
}

static void check(const struct grt_reference_placement *placement) {
    bool last_sm_known = placement->last_sm == -1 || placement->policy != GRT_REFERENCE_PLACEMENT_ROUND_ROBIN;
    for (size_t i = 0; i < placement->order_count; i++) {
        last_sm_known = last_sm_known || placement->order[i] == placement->last_sm;
        require(placement->order[i] >= 0, "give SM ids >= 0");
        for (size_t j = 0; j < i; j++) {
            require(placement->order[i] != placement->order[j], "name every SM once in the order");
        }
    }
    require(last_sm_known, "give a last_sm that is in the order, or -1");
}

void grt_reference_placement_run(const struct grt_reference_placement *placement, size_t block_count,
                                 int *sm_of_block) {
    check(placement);
    struct grt_reference_placement_resident *residents =
        calloc(placement->resident_count + block_count + 1, sizeof *residents);
    require(residents != NULL, "out of memory");
    if (placement->resident_count > 0) {
        memcpy(residents, placement->residents, placement->resident_count * sizeof *residents);
    }

    struct grt_reference_placement now = *placement;
    now.residents = residents;
    for (size_t i = 0; i < block_count; i++) {
        int sm = choose(&now);
        sm_of_block[i] = sm;
        if (sm != -1) {
            residents[now.resident_count].sm = sm;
            residents[now.resident_count].block = now.block;
            now.resident_count++;
            now.last_sm = sm;
        }
    }
    free(residents);
}
