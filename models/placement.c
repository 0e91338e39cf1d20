/* Block placement on SMs.
 *
 * Source: G. Gilman, S. S. Ogden, T. Guo, R. J. Walls, "Demystifying the Placement Policies of the NVIDIA GPU Thread
 * Block Scheduler for Concurrent Kernels", SIGMETRICS Performance Evaluation Review, 2020: the next block goes to the
 * SM that could take the largest number of further blocks of the same kernel (P1), ties by a fixed order (P4).
 *
 * The rooms are kept for blocks of the same needs at a time, in one set of SMs (a bitmap) per amount of room. Where another
 * block leaves, the SM is only marked as stale; its room is counted again when the next block looks for a place. */
#include "models/placement.h"

#include <string.h>

#include "sim/check.h"
#include "sim/hash.h"
#include "sim/random.h"
#include "sim/wide.h"

enum { WORD_BITS = 64, WORDS = GRT_PLACE_WORDS, ROOMS = GRT_DEVICE_MAX_BLOCKS_PER_SM + 1 };

/* What a block needs of an SM. */
struct needs {
    int32_t warps; /* 0: of no block */
    int32_t registers, shared_memory;
};

/* What is left of an SM. */
struct sm {
    int32_t warps, blocks, registers, shared_memory;
    int32_t resident; /* blocks */
    int32_t room;     /* for blocks of the needs in `rooms_for`, unless stale */
    grt_time busy_since;
};

struct grt_placement {
    const struct grt_device *device;
    uint32_t count, words;
    uint16_t *order; /* SM id of each place */
    struct sm *sms;  /* by place */
    struct needs rooms_for;
    uint64_t stale[WORDS];
    bool any_stale;
    uint64_t sets[ROOMS][WORDS]; /* sets[r]: the places with room r */
    uint32_t most;               /* no set above this one has a member */
    uint32_t last;               /* round robin: the place used last */
    struct grt_random random;
    grt_wide busy;
    uint32_t (*choose)(struct grt_placement *placement);
    bool restricted; /* to the places in `allowed` */
    uint64_t allowed[WORDS];
};

/* ---- sets of places ---- */

static uint32_t first_in(const uint64_t *set, uint32_t words) {
    for (uint32_t word = 0; word < words; word++) {
        if (set[word] != 0) {
            return word * WORD_BITS + (uint32_t)__builtin_ctzll(set[word]);
        }
    }
    return GRT_NO_PLACE;
}

static void insert(uint64_t *set, uint32_t place) {
    set[place / WORD_BITS] |= UINT64_C(1) << place % WORD_BITS;
}

static void erase(uint64_t *set, uint32_t place) {
    set[place / WORD_BITS] &= ~(UINT64_C(1) << place % WORD_BITS);
}

static bool is_in(const uint64_t *set, uint32_t place) {
    return (set[place / WORD_BITS] >> place % WORD_BITS & 1) != 0;
}

static uint32_t members(const uint64_t *set, uint32_t words) {
    uint32_t count = 0;
    for (uint32_t word = 0; word < words; word++) {
        count += (uint32_t)__builtin_popcountll(set[word]);
    }
    return count;
}

/* ---- the rules of choice: a place with room, or GRT_NO_PLACE ---- */

static uint32_t choose_most_room(struct grt_placement *placement) {
    for (; placement->most > 0; placement->most--) {
        uint32_t place = first_in(placement->sets[placement->most], placement->words);
        if (place != GRT_NO_PLACE) {
            return place;
        }
    }
    return GRT_NO_PLACE;
}

static uint32_t choose_first_fit(struct grt_placement *placement) {
    for (uint32_t place = 0; place < placement->count; place++) {
        if (placement->sms[place].room > 0) {
            return place;
        }
    }
    return GRT_NO_PLACE;
}

static uint32_t choose_round_robin(struct grt_placement *placement) {
    for (uint32_t step = 1; step <= placement->count; step++) {
        uint32_t place = (placement->last + step) % placement->count;
        if (placement->sms[place].room > 0) {
            placement->last = place;
            return place;
        }
    }
    return GRT_NO_PLACE;
}

static uint32_t choose_least_loaded(struct grt_placement *placement) {
    uint32_t best = GRT_NO_PLACE;
    for (uint32_t place = 0; place < placement->count; place++) {
        const struct sm *sm = &placement->sms[place];
        if (sm->room > 0 && (best == GRT_NO_PLACE || sm->warps > placement->sms[best].warps)) {
            best = place;
        }
    }
    return best;
}

static uint32_t choose_random(struct grt_placement *placement) {
    uint32_t with_room = placement->count - members(placement->sets[0], placement->words);
    if (with_room == 0) {
        return GRT_NO_PLACE;
    }
    uint64_t skip = grt_random_below(&placement->random, with_room);
    uint32_t place = 0;
    while (placement->sms[place].room == 0 || skip-- > 0) {
        place++;
    }
    return place;
}

static uint32_t (*const choices[])(struct grt_placement *) = {
    [GRT_PLACEMENT_MOST_ROOM] = choose_most_room, [GRT_PLACEMENT_ROUND_ROBIN] = choose_round_robin,
    [GRT_PLACEMENT_FIRST_FIT] = choose_first_fit, [GRT_PLACEMENT_LEAST_LOADED] = choose_least_loaded,
    [GRT_PLACEMENT_RANDOM] = choose_random,
};

/* ---- rooms ---- */

static int32_t least(int32_t a, int32_t b) {
    return a < b ? a : b;
}

/* How many more blocks of a kernel an SM could hold (P1, P2). */
static int32_t room_for(const struct sm *sm, const struct grt_gpu_kernel *kernel) {
    int32_t room = least(sm->blocks, sm->warps / kernel->warps);
    if (kernel->registers > 0) {
        room = least(room, sm->registers / kernel->registers);
    }
    if (kernel->shared_memory > 0) {
        room = least(room, sm->shared_memory / kernel->shared_memory);
    }
    return room;
}

void grt_placement_restrict(struct grt_placement *placement, const uint64_t *places) {
    placement->restricted = places != NULL;
    placement->rooms_for.warps = 0;
    if (places != NULL) {
        memcpy(placement->allowed, places, placement->words * sizeof places[0]);
    }
}

void grt_placement_restrict_further(struct grt_placement *placement, const uint64_t *places) {
    placement->rooms_for.warps = 0;
    for (uint32_t word = 0; word < placement->words; word++) {
        placement->allowed[word] &= places[word];
    }
}

static void set_room(struct grt_placement *placement, uint32_t place, int32_t room) {
    struct sm *sm = &placement->sms[place];
    erase(placement->sets[sm->room], place);
    insert(placement->sets[room], place);
    sm->room = room;
    placement->most = (uint32_t)room > placement->most ? (uint32_t)room : placement->most;
}

static bool has_rooms_for(const struct grt_placement *placement, const struct grt_gpu_kernel *kernel) {
    const struct needs *needs = &placement->rooms_for;
    return needs->warps == kernel->warps && needs->registers == kernel->registers &&
           needs->shared_memory == kernel->shared_memory;
}

static bool is_left_alike(const struct sm *a, const struct sm *b) {
    return a->warps == b->warps && a->blocks == b->blocks && a->registers == b->registers &&
           a->shared_memory == b->shared_memory;
}

/* Brings the rooms up to date for a kernel. Neighbours are often alike, and divisions are slow. */
static void refresh(struct grt_placement *placement, const struct grt_gpu_kernel *kernel) {
    if (!has_rooms_for(placement, kernel)) {
        placement->rooms_for = (struct needs){kernel->warps, kernel->registers, kernel->shared_memory};
        for (uint32_t place = 0; place < placement->count; place++) {
            insert(placement->stale, place);
        }
    } else if (!placement->any_stale) {
        return;
    }
    bool restricted = placement->restricted;
    const struct sm *last = NULL;
    int32_t room = 0; /* of `last` */
    for (uint32_t word = 0; word < placement->words; word++) {
        for (uint64_t bits = placement->stale[word]; bits != 0; bits &= bits - 1) {
            uint32_t place = word * WORD_BITS + (uint32_t)__builtin_ctzll(bits);
            const struct sm *sm = &placement->sms[place];
            room = last != NULL && is_left_alike(sm, last) ? room : room_for(sm, kernel);
            last = sm;
            set_room(placement, place, !restricted || is_in(placement->allowed, place) ? room : 0);
        }
        placement->stale[word] = 0;
    }
    placement->any_stale = false;
}

/* Takes the room of `count` blocks of the kernel from an SM; the sets are the caller's business. */
static void charge(struct sm *sm, const struct grt_gpu_kernel *kernel, int32_t count, grt_time now) {
    sm->warps -= count * kernel->warps;
    sm->blocks -= count;
    sm->registers -= count * kernel->registers;
    sm->shared_memory -= count * kernel->shared_memory;
    sm->busy_since = sm->resident == 0 ? now : sm->busy_since;
    sm->resident += count;
}

/* Whether an SM has room for one more block. */
static bool fits(const struct sm *sm, const struct grt_gpu_kernel *kernel) {
    return sm->blocks > 0 && sm->warps >= kernel->warps && sm->registers >= kernel->registers &&
           sm->shared_memory >= kernel->shared_memory;
}

/* A device of one SM leaves no choice. */
static uint32_t take_only(struct sm *sm, const struct grt_gpu_kernel *kernel, grt_time now) {
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
        set_room(placement, place, placement->sms[place].room - 1); /* one block less of the same kernel */
    }
    return place;
}

/* One block for each place in `taken`, which all have room `most`. */
static void take_set(struct grt_placement *placement, const struct grt_gpu_kernel *kernel,
                     const uint64_t *taken, uint8_t *per_place, uint16_t **places, grt_time now) {
    uint64_t *from = placement->sets[placement->most], *to = placement->sets[placement->most - 1];
    for (uint32_t word = 0; word < placement->words; word++) {
        from[word] &= ~taken[word];
        to[word] |= taken[word];
        for (uint64_t bits = taken[word]; bits != 0; bits &= bits - 1) {
            uint32_t place = word * WORD_BITS + (uint32_t)__builtin_ctzll(bits);
            charge(&placement->sms[place], kernel, 1, now);
            placement->sms[place].room--;
            per_place[place]++;
            if (*places != NULL) {
                *(*places)++ = (uint16_t)place;
            }
        }
    }
}

/* The first `count` members of a set. */
static void keep_first(uint64_t *set, uint32_t words, uint32_t count) {
    for (uint32_t word = 0; word < words; word++) {
        while ((uint32_t)__builtin_popcountll(set[word]) > count) {
            set[word] &= ~(UINT64_C(1) << (WORD_BITS - 1 - __builtin_clzll(set[word])));
        }
        count -= (uint32_t)__builtin_popcountll(set[word]);
    }
}

/* Most room for many blocks: while blocks are left, every place of the fullest set gets one, in order, which moves the
 * whole set down; that is what one block at a time would do too. */
static uint32_t take_most_room(struct grt_placement *placement, const struct grt_gpu_kernel *kernel,
                               uint32_t count, uint8_t *per_place, uint16_t *places, grt_time now) {
    uint32_t left = count;
    while (left > 0 && choose_most_room(placement) != GRT_NO_PLACE) {
        uint64_t taken[WORDS];
        memcpy(taken, placement->sets[placement->most], placement->words * sizeof taken[0]);
        uint32_t size = members(taken, placement->words);
        if (size > left) {
            keep_first(taken, placement->words, left);
            size = left;
        }
        take_set(placement, kernel, taken, per_place, &places, now);
        left -= size;
    }
    return count - left;
}

uint32_t grt_placement_take_many(struct grt_placement *placement, const struct grt_gpu_kernel *kernel,
                                 uint32_t count, uint8_t *per_place, uint16_t *places, grt_time now) {
    if (placement->choose == choose_most_room && placement->count > 1) {
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
    struct sm *sm = &placement->sms[place];
    charge(sm, kernel, -(int32_t)count, now);
    GRT_ASSERT(sm->resident >= 0, "release only blocks that were placed");
    if (sm->resident == 0) {
        placement->busy += (grt_wide)(uint64_t)(now - sm->busy_since);
    }
    if (has_rooms_for(placement, kernel) && !is_in(placement->stale, place)) {
        if (!placement->restricted || is_in(placement->allowed, place)) {
            set_room(placement, place,
                     sm->room + (int32_t)count); /* every resource has room for as many more */
        }
        return;
    }
    insert(placement->stale, place);
    placement->any_stale = true;
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
        const struct sm *sm = &placement->sms[place];
        busy += sm->resident > 0 ? (grt_wide)(uint64_t)(now - sm->busy_since) : (grt_wide)0;
    }
    return (double)busy;
}

struct grt_placement *grt_placement_create(const struct grt_device *device, struct grt_arena *arena,
                                           struct grt_random random) {
    struct grt_placement *placement = grt_arena_new(arena, struct grt_placement);
    placement->device = device;
    placement->count = (uint32_t)device->sm_count;
    placement->words = (placement->count + WORD_BITS - 1) / WORD_BITS;
    placement->order = grt_arena_array(arena, placement->count, sizeof *placement->order);
    grt_device_sm_order(device, placement->order);
    placement->sms = grt_arena_array(arena, placement->count, sizeof *placement->sms);
    for (uint32_t place = 0; place < placement->count; place++) {
        placement->sms[place] = (struct sm){
            .warps = (int32_t)(device->max_threads_per_sm / device->warp_size),
            .blocks = (int32_t)device->max_blocks_per_sm,
            .registers = (int32_t)device->registers_per_sm,
            .shared_memory = (int32_t)device->shared_memory_per_sm,
        };
        insert(placement->sets[0], place);
    }
    placement->last = placement->count - 1;
    placement->random = random;
    placement->choose = choices[device->placement];
    return placement;
}
