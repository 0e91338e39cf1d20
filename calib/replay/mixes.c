#include "calib/replay/mixes.h"

#include <stdio.h>

#include "sim/memory.h"

enum { MOST_MIXES = 1 << 20, ROOMS = GRT_DEVICE_MAX_BLOCKS_PER_SM + 1 };

/* For each room that an SM has for a kernel in the scenario: the least and the most that it has here. */
struct rooms {
    int16_t least[ROOMS], most[ROOMS];
};

/* Of the present mix. */
struct part {
    uint32_t count;
    uint32_t next; /* the first kind of the next stream */
};

struct comparison {
    const struct mix_kind *kinds;
    uint32_t kind_count;
    struct part *parts;  /* by kind */
    struct rooms *rooms; /* by kind; NULL: blocks do not go by the room */
    struct charge most;
    uint32_t mixes; /* compared */
    struct mix_difference *difference;
};

struct charge charge_of(const struct grt_device *device, const struct grt_block_needs *needs) {
    struct grt_occupancy occupancy = grt_occupancy_of(device, needs);
    if (occupancy.blocks_per_sm == 0) {
        return (struct charge){.blocks = INT32_MAX};
    }
    return (struct charge){1, occupancy.warps, occupancy.registers, occupancy.shared_memory};
}

static struct charge sum_of(struct charge a, struct charge b) {
    return (struct charge){a.blocks + b.blocks, a.warps + b.warps, a.registers + b.registers,
                           a.shared_memory + b.shared_memory};
}

static bool is_within(struct charge sum, struct charge most) {
    return sum.blocks <= most.blocks && sum.warps <= most.warps && sum.registers <= most.registers &&
           sum.shared_memory <= most.shared_memory;
}

/* ---- rooms ---- */

static int64_t lower(int64_t room, int64_t left, int64_t each) {
    return each > 0 && left / each < room ? left / each : room;
}

/* How many more blocks an SM has room for (models/device/placement.c). */
static int64_t room_for(struct charge each, struct charge sum, struct charge most) {
    int64_t room = lower(ROOMS - 1, most.blocks - sum.blocks, each.blocks);
    room = lower(room, most.warps - sum.warps, each.warps);
    room = lower(room, most.registers - sum.registers, each.registers);
    return lower(room, most.shared_memory - sum.shared_memory, each.shared_memory);
}

static void note_room(struct rooms *rooms, int64_t wanted, int64_t had) {
    if (had < rooms->least[wanted]) {
        rooms->least[wanted] = (int16_t)had;
    }
    if (had > rooms->most[wanted]) {
        rooms->most[wanted] = (int16_t)had;
    }
}

/* The rooms that the present mix leaves for each kernel whose blocks may come next. */
static void note_rooms(const struct comparison *it, struct charge wanted, struct charge had) {
    for (uint32_t first = 0, next = 0; it->rooms != NULL && first < it->kind_count; first = next) {
        next = it->parts[first].next;
        uint32_t present = first;
        while (present < next && it->parts[present].count == 0) {
            present++;
        }
        for (uint32_t i = first; i < next; i++) {
            const struct mix_kind *kind = &it->kinds[i];
            if (present == next || (i == present && it->parts[i].count < kind->blocks)) {
                note_room(&it->rooms[i], room_for(kind->wanted, wanted, it->most),
                          room_for(kind->had, had, it->most));
            }
        }
    }
}

/* Whether SMs are in the same order by their room here, ties included. */
static bool keeps_order(const struct rooms *rooms) {
    int highest = -1;
    for (int i = 0; i < ROOMS; i++) {
        if (rooms->least[i] <= rooms->most[i]) {
            if (rooms->least[i] != rooms->most[i] || rooms->least[i] <= highest) {
                return false;
            }
            highest = rooms->most[i];
        }
    }
    return true;
}

static struct rooms *start_rooms(struct grt_arena *arena, uint32_t count) {
    struct rooms *rooms = grt_arena_array(arena, count, sizeof *rooms);
    for (uint32_t i = 0; i < count; i++) {
        for (int room = 0; room < ROOMS; room++) {
            rooms[i].least[room] = INT16_MAX;
            rooms[i].most[room] = -1;
        }
    }
    return rooms;
}

/* Least loaded: by the warps. */
static uint32_t count_other_loads(const struct mix_kind *kinds, uint32_t count) {
    uint32_t others = 0;
    for (uint32_t i = 0; i < count; i++) {
        others += kinds[i].wanted.warps != kinds[i].had.warps;
    }
    return others;
}

static uint32_t count_other_orders(const struct comparison *it) {
    uint32_t others = 0;
    for (uint32_t i = 0; i < it->kind_count; i++) {
        others += !keeps_order(&it->rooms[i]);
    }
    return others;
}

/* ---- mixes ---- */

/* The present mix, for people: 2 of "a", 1 of "b". */
static void describe(const struct comparison *it, bool fits) {
    int size = 0;
    char *text = it->difference->example;
    for (uint32_t i = 0; i < it->kind_count && size < MIX_EXAMPLE_SIZE; i++) {
        if (it->parts[i].count > 0) {
            size += snprintf(text + size, (size_t)(MIX_EXAMPLE_SIZE - size), "%s%u of \"%s\"",
                             size > 0 ? ", " : "", it->parts[i].count, it->kinds[i].name);
        }
    }
    if (size < MIX_EXAMPLE_SIZE) {
        snprintf(text + size, (size_t)(MIX_EXAMPLE_SIZE - size), fits ? ", which fit" : ", which do not fit");
    }
}

static void note_difference(const struct comparison *it, uint32_t kernels, bool fits) {
    uint32_t *count = kernels == 1 ? &it->difference->alone : &it->difference->together;
    if (*count == 0 && (kernels == 1 || it->difference->alone == 0)) {
        describe(it, fits);
    }
    ++*count;
}

static void compare_from(struct comparison *it, uint32_t first, uint32_t kernels, struct charge wanted,
                         struct charge had);

/* All mixes with blocks of this kind, with those of later streams. */
static void compare_with(struct comparison *it, uint32_t kind, uint32_t kernels, struct charge wanted,
                         struct charge had) {
    struct part *part = &it->parts[kind];
    while (part->count < it->kinds[kind].blocks && it->mixes < MOST_MIXES) {
        part->count++;
        it->mixes++;
        wanted = sum_of(wanted, it->kinds[kind].wanted);
        had = sum_of(had, it->kinds[kind].had);
        bool fits = is_within(wanted, it->most);
        if (fits != is_within(had, it->most)) {
            note_difference(it, kernels + 1, fits);
            break;
        }
        if (!fits) {
            break;
        }
        note_rooms(it, wanted, had);
        compare_from(it, part->next, kernels + 1, wanted, had);
    }
    part->count = 0;
}

static void compare_from(struct comparison *it, uint32_t first, uint32_t kernels, struct charge wanted,
                         struct charge had) {
    for (uint32_t i = first; i < it->kind_count && it->mixes < MOST_MIXES; i++) {
        compare_with(it, i, kernels, wanted, had);
    }
}

static struct part *start_parts(struct grt_arena *arena, const struct mix_kind *kinds, uint32_t count) {
    struct part *parts = grt_arena_array(arena, count, sizeof *parts);
    for (uint32_t i = count; i-- > 0;) {
        bool is_last = i + 1 == count || kinds[i + 1].stream != kinds[i].stream;
        parts[i].next = is_last ? i + 1 : parts[i + 1].next;
    }
    return parts;
}

struct mix_difference mixes_compare(const struct grt_device *device, const struct mix_kind *kinds,
                                    uint32_t count) {
    struct mix_difference difference = {0};
    struct grt_arena arena = {0};
    bool has_choice = device->sm_count > 1;
    struct comparison it = {
        .kinds = kinds,
        .kind_count = count,
        .parts = start_parts(&arena, kinds, count),
        .rooms =
            has_choice && device->placement == GRT_PLACEMENT_MOST_ROOM ? start_rooms(&arena, count) : NULL,
        .most = {device->max_blocks_per_sm, device->max_threads_per_sm / device->warp_size,
                 device->registers_per_sm, device->shared_memory_per_sm},
        .difference = &difference,
    };
    note_rooms(&it, (struct charge){0}, (struct charge){0});
    compare_from(&it, 0, 0, (struct charge){0}, (struct charge){0});
    difference.all = it.mixes < MOST_MIXES;
    if (it.rooms != NULL) {
        difference.orders = count_other_orders(&it);
    } else if (has_choice && device->placement == GRT_PLACEMENT_LEAST_LOADED) {
        difference.orders = count_other_loads(kinds, count);
    }
    grt_arena_clear(&arena);
    return difference;
}
