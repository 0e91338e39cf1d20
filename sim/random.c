#include "sim/random.h"

#include "sim/check.h"
#include "sim/hash.h"

/* Three words and the counter 1, then 12 outputs discarded, as in NumPy's SFC64. */
struct grt_random grt_random_of_key(uint64_t key) {
    struct grt_random random = {grt_hash_mix(key), grt_hash_mix(key + 1), grt_hash_mix(key + 2), 1};
    for (int i = 0; i < 12; i++) {
        grt_random_bits(&random);
    }
    return random;
}

struct grt_random grt_random_stream(uint64_t seed, const char *purpose, uint64_t first, uint64_t second) {
    uint64_t key = grt_hash_mix(seed);
    for (const char *letter = purpose; *letter != '\0'; letter++) {
        key = grt_hash_mix(key ^ (uint64_t)(unsigned char)*letter);
    }
    return grt_random_of_key(grt_hash_mix(grt_hash_mix(key ^ first) + second));
}

uint64_t grt_random_below(struct grt_random *random, uint64_t bound) {
    GRT_REQUIRE(bound > 0, "give a bound above zero");
    uint64_t excess = (0 - bound) % bound; /* 2^64 mod bound: the lowest draws are one too many */
    uint64_t bits = grt_random_bits(random);
    while (bits < excess) {
        bits = grt_random_bits(random);
    }
    return bits % bound;
}
