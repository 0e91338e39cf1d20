#include "scenarios/shared_lists.h"

#include <stdint.h>

#include "sim/hash.h"

enum { BUCKETS = 1024 };

struct note {
    const struct note *next;
    const cJSON *first; /* element of the list */
    struct grt_field_list read;
};

struct grt_read_shared {
    bool noting;
    const struct note *buckets[BUCKETS];
};

static const struct note **bucket_of(struct grt_read_shared *shared, const cJSON *first) {
    return &shared->buckets[grt_hash_mix((uint64_t)(uintptr_t)first) % BUCKETS];
}

void grt_shared_start(struct grt_reader *reader) {
    if (reader->shared == NULL) {
        reader->shared = grt_arena_new(reader->arena, struct grt_read_shared);
    }
    reader->shared->noting = true;
}

void grt_shared_stop(struct grt_reader *reader) {
    reader->shared->noting = false;
}

void grt_shared_add(struct grt_reader *reader, const cJSON *list, const struct grt_field_list *read) {
    if (reader->shared == NULL || !reader->shared->noting || list->child == NULL) {
        return;
    }
    struct note *note = grt_arena_new(reader->arena, struct note);
    const struct note **bucket = bucket_of(reader->shared, list->child);
    *note = (struct note){*bucket, list->child, *read};
    *bucket = note;
}

bool grt_shared_find(const struct grt_reader *reader, const cJSON *list, struct grt_field_list *read) {
    if (reader->shared == NULL || !cJSON_IsArray(list) || list->child == NULL) {
        return false;
    }
    const struct note *note = *bucket_of(reader->shared, list->child);
    while (note != NULL && note->first != list->child) {
        note = note->next;
    }
    if (note != NULL) {
        *read = note->read;
    }
    return note != NULL;
}
