/* A map from 64-bit keys to numbers. What it is asked never depends on the order of its entries, so that it may scatter
 * them by a seed of its own in each process: a made-up trace cannot choose keys that collide. */
#ifndef GRT_VIZ_EXPORT_MAP_H
#define GRT_VIZ_EXPORT_MAP_H

#include <stdint.h>

#define GRT_MAP_NONE UINT32_MAX

struct grt_map_entry {
    uint64_t key;
    uint32_t value; /* GRT_MAP_NONE: the entry is free */
};

/* Start it as {0}, free it with grt_map_free. */
struct grt_map {
    struct grt_map_entry *entries;
    uint32_t count, capacity; /* a power of two */
    uint64_t seed;
};

/* The value of a key, or GRT_MAP_NONE. */
uint32_t grt_map_find(const struct grt_map *map, uint64_t key);

/* The place of a key's value, until the next call; of a new key GRT_MAP_NONE, which the caller replaces at once. */
uint32_t *grt_map_put(struct grt_map *map, uint64_t key);

void grt_map_free(struct grt_map *map);

#endif
