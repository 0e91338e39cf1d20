/* Handles of a pretended driver. */
#include <stdlib.h>

#include "calib/pretend/driver_internal.h"
#include "sim/memory.h"

enum { SLOT_BITS = 24 };

static void *handle_of(uint32_t slot, uint32_t generation) {
    return (void *)(uintptr_t)((uint64_t)generation << SLOT_BITS | (slot + 1));
}

void *pretend_handle(struct pretend *pretend, enum pretend_kind kind, void *item) {
    uint32_t slot = 0;
    while (slot < pretend->slot_count && pretend->slots[slot].kind != PRETEND_NOTHING) {
        slot++;
    }
    if (slot == pretend->slot_count) {
        pretend->slot_count++;
        pretend->slots = grt_array_grow(pretend->slots, &pretend->slot_capacity, pretend->slot_count,
                                        sizeof *pretend->slots);
    }
    struct pretend_slot *place = &pretend->slots[slot];
    place->kind = kind;
    place->item = item;
    place->generation++;
    return handle_of(slot, place->generation);
}

/* The number of a handle's slot, or the number of slots. */
static uint32_t slot_of(const struct pretend *pretend, enum pretend_kind kind, const void *handle) {
    uint64_t value = (uint64_t)(uintptr_t)handle;
    uint64_t slot = (value & ((1u << SLOT_BITS) - 1)) - 1;
    bool good = value != 0 && slot < pretend->slot_count && pretend->slots[slot].kind == kind &&
                pretend->slots[slot].generation == value >> SLOT_BITS;
    return good ? (uint32_t)slot : pretend->slot_count;
}

void *pretend_find(const struct pretend *pretend, enum pretend_kind kind, const void *handle) {
    uint32_t slot = slot_of(pretend, kind, handle);
    return slot < pretend->slot_count ? pretend->slots[slot].item : NULL;
}

void pretend_end(struct pretend *pretend, enum pretend_kind kind, const void *handle) {
    struct pretend_slot *slot = &pretend->slots[slot_of(pretend, kind, handle)];
    free(slot->item);
    slot->item = NULL;
    slot->kind = PRETEND_NOTHING;
}

void pretend_each(struct pretend *pretend, enum pretend_kind kind,
                  void (*each)(struct pretend *pretend, void *handle, void *item, const void *argument),
                  const void *argument) {
    for (uint32_t slot = 0; slot < pretend->slot_count; slot++) {
        const struct pretend_slot *place = &pretend->slots[slot];
        if (place->kind == kind) {
            each(pretend, handle_of(slot, place->generation), place->item, argument);
        }
    }
}
