#include "viz/export/map.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "sim/check.h"
#include "sim/hash.h"
#include "sim/memory.h"

enum { FIRST_CAPACITY = 64 };

static struct grt_map_entry *entry_of(const struct grt_map *map, uint64_t key) {
    uint32_t mask = map->capacity - 1, place = (uint32_t)grt_hash_mix(key ^ map->seed) & mask;
    while (map->entries[place].value != GRT_MAP_NONE && map->entries[place].key != key) {
        place = (place + 1) & mask;
    }
    return &map->entries[place];
}

uint32_t grt_map_find(const struct grt_map *map, uint64_t key) {
    return map->count == 0 ? GRT_MAP_NONE : entry_of(map, key)->value;
}

static uint64_t new_seed(const struct grt_map *map) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return grt_hash_mix((uint64_t)now.tv_nsec ^ (uint64_t)getpid() << 32) ^ grt_hash_mix((uintptr_t)map);
}

static void grow(struct grt_map *map) {
    struct grt_map old = *map;
    GRT_REQUIRE(old.capacity < UINT32_C(1) << 31, "put less than 2^30 entries into a map");
    map->seed = old.capacity > 0 ? old.seed : new_seed(map);
    map->capacity = old.capacity > 0 ? 2 * old.capacity : FIRST_CAPACITY;
    map->entries = grt_allocate(map->capacity * sizeof *map->entries);
    for (uint32_t i = 0; i < map->capacity; i++) {
        map->entries[i].value = GRT_MAP_NONE;
    }
    for (uint32_t i = 0; i < old.capacity; i++) {
        if (old.entries[i].value != GRT_MAP_NONE) {
            *entry_of(map, old.entries[i].key) = old.entries[i];
        }
    }
    free(old.entries);
}

uint32_t *grt_map_put(struct grt_map *map, uint64_t key) {
    if (2 * (uint64_t)map->count >= map->capacity) {
        grow(map);
    }
    struct grt_map_entry *entry = entry_of(map, key);
    if (entry->value == GRT_MAP_NONE) {
        entry->key = key;
        map->count++;
    }
    return &entry->value;
}

void grt_map_free(struct grt_map *map) {
    free(map->entries);
    *map = (struct grt_map){0};
}
