/* Random streams: the published generator, streams that do not know each other, draws without bias. The limits of
 * the chi-square tests are quantiles of 1 - 10^-6; seeds are fixed, so that a test passes always or never. */
#include <gsl/gsl_cdf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sim/random_gsl.h"
#include "tests/support/suite.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static bool is_plausible(double chi_square, unsigned cells) {
    return gsl_cdf_chisq_Q(chi_square, cells - 1) > 1e-6 && gsl_cdf_chisq_P(chi_square, cells - 1) > 1e-6;
}

static double chi_square(const unsigned *counts, unsigned cells) {
    double total = 0, sum = 0;
    for (unsigned i = 0; i < cells; i++) {
        total += counts[i];
    }
    for (unsigned i = 0; i < cells; i++) {
        double difference = counts[i] - total / cells;
        sum += difference * difference / (total / cells);
    }
    return sum;
}

/* --- The generator. */

/* sfc64 as PractRand describes it, written for plainness. */
static uint64_t plain_sfc64(uint64_t state[4]) {
    uint64_t out = state[0] + state[1] + state[3];
    uint64_t high = state[2] >> 40, low = state[2] << 24;
    state[3] += 1;
    state[0] = state[1] ^ state[1] >> 11;
    state[1] = state[2] * 9;
    state[2] = (low | high) + out;
    return out;
}

/* First outputs of other implementations: crate sfc-prng 0.3.0, Sfc64::from_seed of zeros, after PractRand's 18 rounds
 * for three words; mo:prng, SFC64a().init3(1, 2, 3), which counts words from the other end and, as NumPy, does 12. */
static void is_the_published_generator(void) {
    struct grt_random zeros = {0, 0, 0, 1}, words = {3, 2, 1, 1};
    for (int i = 0; i < 18; i++) {
        grt_random_bits(&zeros);
    }
    CU_ASSERT_EQUAL(grt_random_bits(&zeros), UINT64_C(0xdb909c818901599d));
    for (int i = 0; i < 12; i++) {
        grt_random_bits(&words);
    }
    CU_ASSERT_EQUAL(grt_random_bits(&words), UINT64_C(0x1ddf8d516ff6cee8));
    CU_ASSERT_EQUAL(grt_random_bits(&words), UINT64_C(0x89fc16a8c6d86b58));
    CU_ASSERT_EQUAL(grt_random_bits(&words), UINT64_C(0x2ee4be4a743af170));
    CU_ASSERT_EQUAL(grt_random_bits(&words), UINT64_C(0xe853a27e54140aff));
}

static void agrees_with_a_plain_generator(void) {
    unsigned wrong = 0;
    for (uint64_t key = 0; key < 100; key++) {
        struct grt_random random = grt_random_of_key(key * key);
        uint64_t state[4] = {random.a, random.b, random.c, random.counter};
        for (int i = 0; i < 1000; i++) {
            wrong += grt_random_bits(&random) != plain_sfc64(state);
        }
        wrong += random.a != state[0] || random.b != state[1] || random.c != state[2] ||
                 random.counter != state[3];
    }
    CU_ASSERT_EQUAL(wrong, 0);
}

static void every_bit_is_fair(void) {
    struct grt_random random = grt_random_of_key(5);
    enum { DRAWS = 100000 };
    unsigned ones[64] = {0};
    for (int i = 0; i < DRAWS; i++) {
        uint64_t bits = grt_random_bits(&random);
        for (unsigned bit = 0; bit < 64; bit++) {
            ones[bit] += (bits >> bit & 1u) != 0;
        }
    }
    for (unsigned bit = 0; bit < 64; bit++) {
        unsigned counts[] = {ones[bit], DRAWS - ones[bit]};
        CU_ASSERT(gsl_cdf_chisq_Q(chi_square(counts, 2), 1) > 1e-6);
    }
}

/* --- Streams. */

static bool equal(struct grt_random a, struct grt_random b) {
    return a.a == b.a && a.b == b.b && a.c == b.c && a.counter == b.counter;
}

static void streams_depend_on_their_arguments_alone(void) {
    struct grt_random before = grt_random_stream(7, "jitter", 3, 4);
    struct grt_random other = grt_random_stream(7, "execution", 3, 4);
    for (int i = 0; i < 100; i++) {
        grt_random_bits(&other);
    }
    char purpose[] = "jitter"; /* the text counts, not its place */
    CU_ASSERT(equal(grt_random_stream(7, purpose, 3, 4), before));
    CU_ASSERT(equal(grt_random_of_key(9), grt_random_of_key(9)));
    struct grt_random copy = before;
    CU_ASSERT_EQUAL(grt_random_bits(&copy), grt_random_bits(&before));
    CU_ASSERT(equal(copy, before));
}

static int compare(const void *left, const void *right) {
    const uint64_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

static size_t repeated(uint64_t *values, size_t count) {
    qsort(values, count, sizeof *values, compare);
    size_t repeats = 0;
    for (size_t i = 1; i < count; i++) {
        repeats += values[i] == values[i - 1];
    }
    return repeats;
}

static const uint64_t numbers[] = {
    0, 1, 2, 3, 10, 255, 256, 65536, UINT64_C(1) << 32, UINT64_C(1) << 63, UINT64_MAX - 1, UINT64_MAX};
static const char *const purposes[] = {"", "a", "b", "aa", "ab", "ba", "jitter", "execution", "\x01", "\xff"};

/* Two of 17,280 random 64-bit values are equal with a probability of 10^-11. */
static void all_streams_differ(void) {
    enum { STREAMS = COUNT(numbers) * COUNT(numbers) * COUNT(numbers) * COUNT(purposes) };
    static uint64_t firsts[STREAMS];
    size_t count = 0;
    for (size_t seed = 0; seed < COUNT(numbers); seed++) {
        for (size_t purpose = 0; purpose < COUNT(purposes); purpose++) {
            for (size_t i = 0; i < COUNT(numbers) * COUNT(numbers); i++) {
                struct grt_random random =
                    grt_random_stream(numbers[seed], purposes[purpose], numbers[i / COUNT(numbers)],
                                      numbers[i % COUNT(numbers)]);
                firsts[count++] = grt_random_bits(&random);
            }
        }
    }
    CU_ASSERT_EQUAL(count, STREAMS);
    CU_ASSERT_EQUAL(repeated(firsts, count), 0);
}

enum variant { BY_SEED, BY_FIRST, BY_SECOND, BY_PURPOSE, BY_KEY, VARIANTS };

static struct grt_random neighbour(enum variant variant, uint64_t number) {
    char purpose[] = {(char)('A' + number % 26), (char)('A' + number / 26 % 26),
                      (char)('A' + number / 676 % 26), 0};
    switch (variant) {
    case BY_SEED:
        return grt_random_stream(number, "jitter", 0, 0);
    case BY_FIRST:
        return grt_random_stream(1, "jitter", number, 0);
    case BY_SECOND:
        return grt_random_stream(1, "jitter", 0, number);
    case BY_PURPOSE:
        return grt_random_stream(1, purpose, 0, 0);
    default:
        return grt_random_of_key(number);
    }
}

/* Neighbouring streams: pairs of their draws fill a square evenly, and about half of the bits differ. */
static void neighbouring_streams_are_independent(void) {
    enum { STREAMS = 10000, SIDE = 16 };
    for (enum variant variant = 0; variant < VARIANTS; variant++) {
        for (int skipped = 0; skipped < 2; skipped++) {
            unsigned counts[SIDE * SIDE] = {0}, differing[2] = {0};
            uint64_t last = 0;
            for (uint64_t i = 0; i <= STREAMS; i++) {
                struct grt_random random = neighbour(variant, i);
                uint64_t bits = grt_random_bits(&random);
                bits = skipped > 0 ? grt_random_bits(&random) : bits;
                counts[(last >> 60) * SIDE + (bits >> 60)] += i > 0;
                differing[0] += i > 0 ? (unsigned)__builtin_popcountll(bits ^ last) : 0;
                last = bits;
            }
            differing[1] = STREAMS * 64 - differing[0];
            CU_ASSERT(is_plausible(chi_square(counts, SIDE * SIDE), SIDE * SIDE));
            CU_ASSERT(gsl_cdf_chisq_Q(chi_square(differing, 2), 1) > 1e-6);
        }
    }
}

/* --- Draws. */

static void uniform_draws_are_53_bits(void) {
    struct grt_random random = grt_random_of_key(3), bits = random;
    enum { DRAWS = 100000, CELLS = 1000 };
    unsigned counts[CELLS] = {0}, wrong = 0;
    for (int i = 0; i < DRAWS; i++) {
        double uniform = grt_random_uniform(&random);
        wrong += !(uniform >= 0 && uniform < 1) || uniform * 0x1p53 != (double)(grt_random_bits(&bits) >> 11);
        counts[(unsigned)(uniform * CELLS)]++;
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(is_plausible(chi_square(counts, CELLS), CELLS));
    struct grt_random highest = {UINT64_MAX, 0, 0, 0};
    CU_ASSERT(grt_random_uniform(&highest) == 1 - 0x1p-53);
}

static void integers_are_even(void) {
    static const unsigned bounds[] = {2, 3, 7, 10, 64, 1000};
    for (size_t k = 0; k < COUNT(bounds); k++) {
        struct grt_random random = grt_random_stream(1, "test random", bounds[k], 0);
        unsigned counts[1000] = {0}, wrong = 0;
        for (int i = 0; i < 50000; i++) {
            uint64_t value = grt_random_below(&random, bounds[k]);
            wrong += value >= bounds[k];
            counts[value % bounds[k]]++;
        }
        CU_ASSERT_EQUAL(wrong, 0);
        CU_ASSERT(gsl_cdf_chisq_Q(chi_square(counts, bounds[k]), bounds[k] - 1) > 1e-6);
    }
}

/* Bounds for which the rest of a plain division would favour low values: by two to one for 3 * 2^62. */
static void large_integers_are_even(void) {
    static const uint64_t bounds[] = {UINT64_C(3) << 62, (UINT64_C(1) << 63) + 1, UINT64_C(5) << 61,
                                      UINT64_C(7) << 61, UINT64_C(1) << 63,       UINT64_MAX};
    enum { CELLS = 12 };
    for (size_t k = 0; k < COUNT(bounds); k++) {
        struct grt_random random = grt_random_stream(2, "test random", bounds[k], 0);
        unsigned counts[CELLS] = {0}, wrong = 0;
        for (int i = 0; i < 30000; i++) {
            uint64_t value = grt_random_below(&random, bounds[k]);
            wrong += value >= bounds[k];
            counts[(unsigned)((double)value / (double)bounds[k] * (CELLS * (1 - 1e-12)))]++;
        }
        CU_ASSERT_EQUAL(wrong, 0);
        CU_ASSERT(is_plausible(chi_square(counts, CELLS), CELLS));
    }
}

static void one_is_always_zero(void) {
    struct grt_random random = grt_random_of_key(11);
    for (int i = 0; i < 100; i++) {
        CU_ASSERT_EQUAL(grt_random_below(&random, 1), 0);
    }
}

/* --- GSL's view. */

static void gsl_advances_the_same_stream(void) {
    struct grt_random random = grt_random_stream(1, "gsl", 0, 0), copy = random;
    gsl_rng rng = grt_random_gsl(&random);
    unsigned wrong = 0;
    for (int i = 0; i < 1000; i++) {
        wrong += gsl_rng_get(&rng) != grt_random_bits(&copy);
        wrong += gsl_rng_uniform(&rng) != grt_random_uniform(&copy);
        wrong += grt_random_bits(&random) != grt_random_bits(&copy); /* in turns with the view */
        wrong += !equal(random, copy);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    gsl_rng_set(&rng, 12345);
    CU_ASSERT(equal(random, grt_random_of_key(12345)));
    gsl_rng_set(&rng, 0);
    CU_ASSERT(equal(random, grt_random_of_key(0)));
}

static void gsl_can_make_its_own(void) {
    gsl_rng *rng = gsl_rng_alloc(grt_random_gsl_type);
    CU_ASSERT_FATAL(rng != NULL);
    gsl_rng_set(rng, 77);
    struct grt_random random = grt_random_of_key(77);
    CU_ASSERT_EQUAL(gsl_rng_min(rng), 0);
    CU_ASSERT_EQUAL(gsl_rng_max(rng), UINT64_MAX);
    CU_ASSERT_EQUAL(gsl_rng_size(rng), sizeof(struct grt_random));
    CU_ASSERT_EQUAL(gsl_rng_get(rng), grt_random_bits(&random));
    gsl_rng *clone = gsl_rng_clone(rng);
    CU_ASSERT_EQUAL(gsl_rng_get(rng), gsl_rng_get(clone));
    unsigned counts[10] = {0};
    for (int i = 0; i < 20000; i++) {
        counts[gsl_rng_uniform_int(rng, 10)]++;
    }
    CU_ASSERT(is_plausible(chi_square(counts, 10), 10));
    gsl_rng_free(clone);
    gsl_rng_free(rng);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"is the published generator", is_the_published_generator},
        {"agrees with a plain generator", agrees_with_a_plain_generator},
        {"every bit is fair", every_bit_is_fair},
        {"streams depend on their arguments alone", streams_depend_on_their_arguments_alone},
        {"all streams differ", all_streams_differ},
        {"neighbouring streams are independent", neighbouring_streams_are_independent},
        {"uniform draws are 53 bits", uniform_draws_are_53_bits},
        {"integers are even", integers_are_even},
        {"large integers are even", large_integers_are_even},
        {"one is always zero", one_is_always_zero},
        {"GSL advances the same stream", gsl_advances_the_same_stream},
        {"GSL can make its own", gsl_can_make_its_own},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("random", tests);
}
