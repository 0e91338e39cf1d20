/* Block placement on SMs.
 *
 * Source: G. Gilman, S. S. Ogden, T. Guo, R. J. Walls, "Demystifying the Placement Policies of the NVIDIA GPU Thread
 * Block Scheduler for Concurrent Kernels", SIGMETRICS Performance Evaluation Review, 2020: the next block goes to the
 * SM that could take the largest number of further blocks of the same kernel (P1), ties by a fixed order (P4).
 *
 * For blocks of the same needs, whatever their kernel, there is a table of rooms: one set of SMs (a bitmap) per amount of room. A
 * few tables are kept. Where other blocks come or go, the SM is only marked as stale; its room is counted again when the next
 * block of those needs looks for a place. */
#include "models/device/placement_internal.h"

#include <string.h>

#include "sim/check.h"
#include "sim/hash.h"

/* ---- rooms ---- */

static int32_t least(int32_t a, int32_t b) {
    return a < b ? a : b;
}

/* How many more blocks of a kernel an SM could hold (P1, P2). */
static int32_t room_for(const struct place_sm *sm, const struct grt_gpu_kernel *kernel) {
    int32_t room = least(sm->blocks, sm->warps / kernel->warps);
    if (kernel->registers > 0) {
        room = least(room, sm->registers / kernel->registers);
    }
    if (kernel->shared_memory > 0) {
        room = least(room, sm->shared_memory / kernel->shared_memory);
    }
    return room;
}

/* All tables are of other needs from now on. */
static void forget_rooms(struct grt_placement *placement) {
    for (uint32_t i = 0; i < placement->table_count; i++) {
        placement->tables[i]->needs.warps = 0;
    }
}

void grt_placement_restrict(struct grt_placement *placement, const uint64_t *places) {
    placement->restricted = places != NULL;
    forget_rooms(placement);
    if (places != NULL) {
        memcpy(placement->allowed, places, placement->words * sizeof places[0]);
    }
}

void grt_placement_restrict_further(struct grt_placement *placement, const uint64_t *places) {
    forget_rooms(placement);
    for (uint32_t word = 0; word < placement->words; word++) {
        placement->allowed[word] &= places[word];
    }
}

static void set_room(struct place_rooms *rooms, uint32_t place, int32_t room) {
    place_set_erase(rooms->sets[rooms->room[place]], place);
    place_set_insert(rooms->sets[room], place);
    rooms->room[place] = room;
    rooms->most = (uint32_t)room > rooms->most ? (uint32_t)room : rooms->most;
}

static bool is_for(const struct place_rooms *rooms, const struct grt_gpu_kernel *kernel) {
    return rooms->needs.warps == kernel->warps && rooms->needs.registers == kernel->registers &&
           rooms->needs.shared_memory == kernel->shared_memory;
}

/* Another table, without rooms. */
static struct place_rooms *add_table(struct grt_placement *placement) {
    struct place_rooms *rooms = grt_arena_new(placement->arena, struct place_rooms);
    rooms->room = grt_arena_array(placement->arena, placement->count, sizeof *rooms->room);
    for (uint32_t place = 0; place < placement->count; place++) {
        place_set_insert(rooms->sets[0], place);
    }
    placement->tables[placement->table_count++] = rooms;
    return rooms;
}

/* The kernel's table: one that there is, or one whose rooms are all stale. */
static struct place_rooms *table_for(struct grt_placement *placement, const struct grt_gpu_kernel *kernel) {
    struct place_rooms *rooms = NULL;
    for (uint32_t i = 0; i < placement->table_count && rooms == NULL; i++) {
        if (is_for(placement->tables[i], kernel)) {
            return placement->tables[i];
        }
        rooms =
            placement->tables[i]->needs.warps == 0 ? placement->tables[i] : NULL; /* so are all behind it */
    }
    if (rooms == NULL) {
        rooms = placement->table_count < PLACE_TABLES
                    ? add_table(placement)
                    : placement->tables[placement->next_table++ % PLACE_TABLES];
    }
    rooms->needs = (struct place_needs){kernel->warps, kernel->registers, kernel->shared_memory};
    rooms->any_stale = true;
    for (uint32_t place = 0; place < placement->count; place++) {
        place_set_insert(rooms->stale, place);
    }
    return rooms;
}

/* Makes the kernel's table the one that is used, and brings it up to date. */
static void refresh(struct grt_placement *placement, const struct grt_gpu_kernel *kernel) {
    if (placement->rooms == NULL || !is_for(placement->rooms, kernel)) {
        placement->rooms = table_for(placement, kernel);
    }
    struct place_rooms *rooms = placement->rooms;
    if (!rooms->any_stale) {
        return;
    }
    bool restricted = placement->restricted;
    for (uint32_t word = 0; word < placement->words; word++) {
        for (uint64_t bits = rooms->stale[word]; bits != 0; bits &= bits - 1) {
            uint32_t place = word * PLACE_WORD_BITS + (uint32_t)__builtin_ctzll(bits);
            bool allowed = !restricted || place_set_has(placement->allowed, place);
            set_room(rooms, place, allowed ? room_for(&placement->sms[place], kernel) : 0);
        }
        rooms->stale[word] = 0;
    }
    rooms->any_stale = false;
}

/* Blocks came to these SMs, or left them; `current`: what the table that is used says of them is already so. */
static void make_stale(struct grt_placement *placement, uint32_t word, uint64_t changed, bool current) {
    for (uint32_t i = 0; i < placement->table_count; i++) {
        struct place_rooms *rooms = placement->tables[i];
        if (!current || rooms != placement->rooms) {
            rooms->stale[word] |= changed;
            rooms->any_stale = true;
        }
    }
}

static void make_place_stale(struct grt_placement *placement, uint32_t place, bool current) {
    make_stale(placement, place / PLACE_WORD_BITS, UINT64_C(1) << place % PLACE_WORD_BITS, current);
}

/* Takes the room of `count` blocks of the kernel from an SM; the sets are the caller's business. */
static void charge(struct place_sm *sm, const struct grt_gpu_kernel *kernel, int32_t count, grt_time now) {
    sm->warps -= count * kernel->warps;
    sm->blocks -= count;
    sm->registers -= count * kernel->registers;
    sm->shared_memory -= count * kernel->shared_memory;
    sm->busy_since = sm->resident == 0 ? now : sm->busy_since;
    sm->resident += count;
}

/* Whether an SM has room for one more block. */
static bool fits(const struct place_sm *sm, const struct grt_gpu_kernel *kernel) {
    return sm->blocks > 0 && sm->warps >= kernel->warps && sm->registers >= kernel->registers &&
           sm->shared_memory >= kernel->shared_memory;
}

/* A device of one SM leaves no choice. */
static uint32_t take_only(struct place_sm *sm, const struct grt_gpu_kernel *kernel, grt_time now) {
    if (!fits(sm, kernel)) {
        return GRT_NO_PLACE;
    }
    charge(sm, kernel, 1, now);
    return 0;
}

uint32_t grt_placement_take(struct grt_placement *placement, const struct grt_gpu_kernel *kernel,
                            grt_time now) {
    if (placement->count == 1 && !placement->restricted) {
        return take_only(&placement->sms[0], kernel, now);
    }
    refresh(placement, kernel);
    uint32_t place = placement->choose(placement);
    if (place != GRT_NO_PLACE) {
        charge(&placement->sms[place], kernel, 1, now);
        set_room(placement->rooms, place, placement->rooms->room[place] - 1); /* one block less */
        make_place_stale(placement, place, true);
    }
    return place;
}

/* One block for each place in `taken`, which all have room `most`. */
static void take_set(struct grt_placement *placement, const struct grt_gpu_kernel *kernel,
                     const uint64_t *taken, uint8_t *per_place, uint16_t **places, grt_time now) {
    struct place_rooms *rooms = placement->rooms;
    uint64_t *from = rooms->sets[rooms->most], *to = rooms->sets[rooms->most - 1];
    for (uint32_t word = 0; word < placement->words; word++) {
        from[word] &= ~taken[word];
        to[word] |= taken[word];
        make_stale(placement, word, taken[word], true);
        for (uint64_t bits = taken[word]; bits != 0; bits &= bits - 1) {
            uint32_t place = word * PLACE_WORD_BITS + (uint32_t)__builtin_ctzll(bits);
            charge(&placement->sms[place], kernel, 1, now);
            rooms->room[place]--;
            per_place[place]++;
            if (*places != NULL) {
                *(*places)++ = (uint16_t)place;
            }
        }
    }
}

/* Most room for many blocks: while blocks are left, every place of the fullest set gets one, in order, which moves the
 * whole set down; that is what one block at a time would do too. */
static uint32_t take_most_room(struct grt_placement *placement, const struct grt_gpu_kernel *kernel,
                               uint32_t count, uint8_t *per_place, uint16_t *places, grt_time now) {
    uint32_t left = count;
    while (left > 0 && placement_most_room(placement) != GRT_NO_PLACE) {
        uint64_t taken[GRT_PLACE_WORDS];
        memcpy(taken, placement->rooms->sets[placement->rooms->most], placement->words * sizeof taken[0]);
        uint32_t size = place_set_count(taken, placement->words);
        if (size > left) {
            place_set_keep_first(taken, placement->words, left);
            size = left;
        }
        take_set(placement, kernel, taken, per_place, &places, now);
        left -= size;
    }
    return count - left;
}

uint32_t grt_placement_take_many(struct grt_placement *placement, const struct grt_gpu_kernel *kernel,
                                 uint32_t count, uint8_t *per_place, uint16_t *places, grt_time now) {
    if (placement->choose == placement_most_room && placement->count > 1) {
        refresh(placement, kernel);
        return take_most_room(placement, kernel, count, per_place, places, now);
    }
    for (uint32_t taken = 0; taken < count; taken++) {
        uint32_t place = grt_placement_take(placement, kernel, now);
        if (place == GRT_NO_PLACE) {
            return taken;
        }
        per_place[place]++;
        if (places != NULL) {
            *places++ = (uint16_t)place;
        }
    }
    return count;
}

void grt_placement_release(struct grt_placement *placement, const struct grt_gpu_kernel *kernel,
                           uint32_t place, uint32_t count, grt_time now) {
    struct place_sm *sm = &placement->sms[place];
    charge(sm, kernel, -(int32_t)count, now);
    GRT_ASSERT(sm->resident >= 0, "release only blocks that were placed");
    if (sm->resident == 0) {
        placement->busy += (grt_wide)(uint64_t)(now - sm->busy_since);
    }
    struct place_rooms *rooms = placement->rooms;
    bool current = rooms != NULL && is_for(rooms, kernel) && !place_set_has(rooms->stale, place);
    if (current && (!placement->restricted || place_set_has(placement->allowed, place))) {
        set_room(rooms, place,
                 rooms->room[place] + (int32_t)count); /* every resource has room for as many more */
    }
    make_place_stale(placement, place, current);
}

uint32_t grt_placement_sm(const struct grt_placement *placement, uint32_t place) {
    return placement->order[place];
}

uint32_t grt_placement_count(const struct grt_placement *placement) {
    return placement->count;
}

uint64_t grt_placement_state(const struct grt_placement *placement) {
    return grt_hash_add(placement->last, placement->random.counter);
}

double grt_placement_busy(const struct grt_placement *placement, grt_time now) {
    grt_wide busy = placement->busy;
    for (uint32_t place = 0; place < placement->count; place++) {
        const struct place_sm *sm = &placement->sms[place];
        busy += sm->resident > 0 ? (grt_wide)(uint64_t)(now - sm->busy_since) : (grt_wide)0;
    }
    return (double)busy;
}

struct grt_placement *grt_placement_create(const struct grt_device *device, struct grt_arena *arena,
                                           struct grt_random random) {
    struct grt_placement *placement = grt_arena_new(arena, struct grt_placement);
    placement->device = device;
    placement->arena = arena;
    placement->count = (uint32_t)device->sm_count;
    placement->words = (placement->count + PLACE_WORD_BITS - 1) / PLACE_WORD_BITS;
    placement->order = grt_arena_array(arena, placement->count, sizeof *placement->order);
    grt_device_sm_order(device, placement->order);
    placement->sms = grt_arena_array(arena, placement->count, sizeof *placement->sms);
    for (uint32_t place = 0; place < placement->count; place++) {
        placement->sms[place] = (struct place_sm){
            .warps = (int32_t)(device->max_threads_per_sm / device->warp_size),
            .blocks = (int32_t)device->max_blocks_per_sm,
            .registers = (int32_t)device->registers_per_sm,
            .shared_memory = (int32_t)device->shared_memory_per_sm,
        };
    }
    placement->last = placement->count - 1;
    placement->random = random;
    placement->choose = placement_choices[device->placement];
    return placement;
}
