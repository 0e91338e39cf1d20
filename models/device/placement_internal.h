/* What is free on every SM, and which of them have room for blocks of some needs: what placement.c keeps up to date, and placement_choose.c
 * chooses by. */
#ifndef GRT_MODELS_DEVICE_PLACEMENT_INTERNAL_H
#define GRT_MODELS_DEVICE_PLACEMENT_INTERNAL_H

#include "models/device/place_set.h"
#include "models/device/placement.h"
#include "sim/wide.h"

enum {
    PLACE_ROOMS = GRT_DEVICE_MAX_BLOCKS_PER_SM + 1, /* amounts of room */
    PLACE_TABLES = 8                                /* of rooms, at most */
};

/* What a block needs of an SM. */
struct place_needs {
    int32_t warps; /* 0: of no block */
    int32_t registers, shared_memory;
};

/* What is left of an SM. */
struct place_sm {
    int32_t warps, blocks, registers, shared_memory;
    int32_t resident; /* blocks */
    grt_time busy_since;
};

/* The rooms for blocks of some needs. */
struct place_rooms {
    struct place_needs needs;
    bool any_stale;
    uint32_t most; /* no set above this one has a member */
    int32_t *room; /* by place, unless stale */
    uint64_t stale[GRT_PLACE_WORDS];
    uint64_t sets[PLACE_ROOMS][GRT_PLACE_WORDS]; /* sets[r]: the places with room r */
};

struct grt_placement {
    const struct grt_device *device;
    struct grt_arena *arena;
    uint32_t count, words;
    uint16_t *order;           /* SM id of each place */
    struct place_sm *sms;      /* by place */
    struct place_rooms *rooms; /* the table that was used last; NULL: there is none */
    struct place_rooms *tables[PLACE_TABLES];
    uint32_t table_count,
        next_table; /* next_table: the one that is given to other needs next, once there are PLACE_TABLES */
    uint32_t last;  /* round robin: the place used last */
    struct grt_random random;
    grt_wide busy;
    uint32_t (*choose)(struct grt_placement *placement);
    bool restricted; /* to the places in `allowed` */
    uint64_t allowed[GRT_PLACE_WORDS];
};

/* ---- placement_choose.c: the rules of choice ---- */

/* By rule (enum of models/device.h): a place with room by the table that is used, `rooms`, or GRT_NO_PLACE. */
extern uint32_t (*const placement_choices[])(struct grt_placement *placement);

/* Of those with the most room the first: GRT_PLACEMENT_MOST_ROOM. Brings the table's `most` down to what it finds. */
uint32_t placement_most_room(struct grt_placement *placement);

#endif
