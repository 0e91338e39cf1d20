/* A hash of a sequence of 64-bit words, for telling states apart: not for hostile input. */
#ifndef GRT_SIM_HASH_H
#define GRT_SIM_HASH_H

#include <stddef.h>
#include <stdint.h>

/* Mixes all bits of a word: the finaliser of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014). */
static inline uint64_t grt_hash_mix(uint64_t word) {
    word += UINT64_C(0x9e3779b97f4a7c15);
    word = (word ^ (word >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    word = (word ^ (word >> 27)) * UINT64_C(0x94d049bb133111eb);
    return word ^ (word >> 31);
}

/* The hash of what was hashed before, followed by one more word. */
static inline uint64_t grt_hash_add(uint64_t hash, uint64_t word) {
    return grt_hash_mix(hash ^ word) + (hash << 7);
}

/* The same for so many bytes: eight to a word, the first the lowest, and their number. */
static inline uint64_t grt_hash_bytes(uint64_t hash, const void *bytes, size_t count) {
    const unsigned char *byte = bytes;
    uint64_t word = 0;
    for (size_t i = 0; i < count; i++) {
        word |= (uint64_t)byte[i] << (8 * (i % 8));
        if (i % 8 == 7 || i + 1 == count) {
            hash = grt_hash_add(hash, word);
            word = 0;
        }
    }
    return grt_hash_add(hash, count);
}

#endif
