#include "scenarios/experiment/memo.h"

#include <stdlib.h>
#include <string.h>

#include "sim/hash.h"
#include "sim/memory.h"

static struct grt_memo_entry **slot_of(struct grt_memo_entry **slots, size_t count, const char *text,
                                       uint64_t hash) {
    size_t place = (size_t)hash & (count - 1);
    while (slots[place] != NULL && (slots[place]->hash != hash || strcmp(slots[place]->text, text) != 0)) {
        place = (place + 1) & (count - 1);
    }
    return &slots[place];
}

static void grow(struct grt_memo *memo) {
    size_t count = memo->slot_count > 0 ? 2 * memo->slot_count : 2;
    struct grt_memo_entry **slots = grt_allocate(count * sizeof(struct grt_memo_entry *));
    memset(slots, 0, count * sizeof(struct grt_memo_entry *));
    for (size_t i = 0; i < memo->slot_count; i++) {
        struct grt_memo_entry *entry = memo->slots[i];
        if (entry != NULL) {
            *slot_of(slots, count, entry->text, entry->hash) = entry;
        }
    }
    free(memo->slots);
    memo->slots = slots;
    memo->slot_count = count;
}

struct grt_memo_entry *grt_memo_find(struct grt_memo *memo, const char *text, bool *fresh) {
    if (2 * (memo->count + 1) > memo->slot_count) {
        grow(memo);
    }
    size_t size = strlen(text) + 1;
    uint64_t hash = grt_hash_bytes(0, text, size);
    struct grt_memo_entry **slot = slot_of(memo->slots, memo->slot_count, text, hash);
    *fresh = *slot == NULL;
    if (*fresh) {
        *slot = grt_allocate(sizeof **slot);
        **slot = (struct grt_memo_entry){.text = memcpy(grt_allocate(size), text, size), .hash = hash};
        memo->count++;
    }
    return *slot;
}

void grt_memo_clear(struct grt_memo *memo) {
    for (size_t i = 0; i < memo->slot_count; i++) {
        if (memo->slots[i] != NULL) {
            grt_errors_clear(&memo->slots[i]->errors);
            free(memo->slots[i]->text);
            free(memo->slots[i]);
        }
    }
    free(memo->slots);
    *memo = (struct grt_memo){0};
}
