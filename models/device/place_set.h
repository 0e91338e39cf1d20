/* Sets of places: a bit for each, in words of 64. */
#ifndef GRT_MODELS_DEVICE_PLACE_SET_H
#define GRT_MODELS_DEVICE_PLACE_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "models/device/placement.h"

enum { PLACE_WORD_BITS = 64 };

/* The first member, or GRT_NO_PLACE. */
static inline uint32_t place_set_first(const uint64_t *set, uint32_t words) {
    for (uint32_t word = 0; word < words; word++) {
        if (set[word] != 0) {
            return word * PLACE_WORD_BITS + (uint32_t)__builtin_ctzll(set[word]);
        }
    }
    return GRT_NO_PLACE;
}

static inline void place_set_insert(uint64_t *set, uint32_t place) {
    set[place / PLACE_WORD_BITS] |= UINT64_C(1) << place % PLACE_WORD_BITS;
}

static inline void place_set_erase(uint64_t *set, uint32_t place) {
    set[place / PLACE_WORD_BITS] &= ~(UINT64_C(1) << place % PLACE_WORD_BITS);
}

static inline bool place_set_has(const uint64_t *set, uint32_t place) {
    return (set[place / PLACE_WORD_BITS] >> place % PLACE_WORD_BITS & 1) != 0;
}

static inline uint32_t place_set_count(const uint64_t *set, uint32_t words) {
    uint32_t count = 0;
    for (uint32_t word = 0; word < words; word++) {
        count += (uint32_t)__builtin_popcountll(set[word]);
    }
    return count;
}

/* The first `count` members of a set. */
static inline void place_set_keep_first(uint64_t *set, uint32_t words, uint32_t count) {
    for (uint32_t word = 0; word < words; word++) {
        while ((uint32_t)__builtin_popcountll(set[word]) > count) {
            set[word] &= ~(UINT64_C(1) << (PLACE_WORD_BITS - 1 - __builtin_clzll(set[word])));
        }
        count -= (uint32_t)__builtin_popcountll(set[word]);
    }
}

#endif
