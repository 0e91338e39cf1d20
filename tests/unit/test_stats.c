/* Streaming statistics against sorted values and 128-bit sums. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/random.h"
#include "sim/stats.h"
#include "tests/support/suite.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

__extension__ typedef unsigned __int128 wide;

static struct grt_arena arena; /* of the statistics of one test */

static struct grt_stats statistics_of(const grt_time *values, size_t count) {
    struct grt_stats stats = grt_stats_create(&arena);
    for (size_t i = 0; i < count; i++) {
        grt_stats_add(&stats, values[i]);
    }
    return stats;
}

static void empty_statistics_are_zero(void) {
    struct grt_stats stats = grt_stats_create(&arena);
    CU_ASSERT(stats.count == 0 && stats.min == 0 && stats.max == 0);
    CU_ASSERT(stats.sum_low == 0 && stats.sum_high == 0);
    CU_ASSERT(grt_stats_mean(&stats) == 0);
    CU_ASSERT_EQUAL(grt_stats_quantile(&stats, 0), 0);
    CU_ASSERT_EQUAL(grt_stats_quantile(&stats, 0.5), 0);
    CU_ASSERT_EQUAL(grt_stats_quantile(&stats, 1), 0);
    grt_arena_clear(&arena);
}

static void one_value_is_everything(void) {
    static const grt_time values[] = {
        0, 1, 255, 256, 257, 511, 512, 123456789, GRT_TIME_LIMIT - 1, GRT_TIME_LIMIT, INT64_MAX};
    for (size_t i = 0; i < COUNT(values); i++) {
        struct grt_stats stats = statistics_of(&values[i], 1);
        CU_ASSERT(stats.count == 1 && stats.min == values[i] && stats.max == values[i]);
        CU_ASSERT(grt_stats_mean(&stats) == (double)values[i]);
        for (int quarter = 0; quarter <= 4; quarter++) {
            CU_ASSERT_EQUAL(grt_stats_quantile(&stats, quarter / 4.0), values[i]);
        }
    }
    grt_arena_clear(&arena);
}

static void small_values_are_exact(void) {
    static const grt_time values[] = {7, 0, 3, 255, 3};
    struct grt_stats stats = statistics_of(values, 5);
    CU_ASSERT(stats.count == 5 && stats.min == 0 && stats.max == 255 && stats.sum_low == 268 &&
              stats.sum_high == 0);
    CU_ASSERT(grt_stats_mean(&stats) == 53.6);
    static const struct {
        double q;
        grt_time value;
    } quantiles[] = {{0, 0},     {0.125, 0}, {0.25, 3},    {0.375, 3}, {0.5, 3},
                     {0.625, 7}, {0.75, 7},  {0.875, 255}, {1, 255}};
    for (size_t i = 0; i < COUNT(quantiles); i++) {
        CU_ASSERT_EQUAL(grt_stats_quantile(&stats, quantiles[i].q), quantiles[i].value);
    }
    grt_arena_clear(&arena);
}

static void statistics_do_not_depend_on_the_order(void) {
    static const grt_time rising[] = {5, 600, 70000, GRT_TIME_LIMIT},
                          falling[] = {GRT_TIME_LIMIT, 70000, 600, 5};
    struct grt_stats a = statistics_of(rising, 4), b = statistics_of(falling, 4);
    CU_ASSERT(a.min == 5 && b.min == 5 && a.max == GRT_TIME_LIMIT && b.max == GRT_TIME_LIMIT);
    CU_ASSERT(a.sum_low == b.sum_low && a.sum_high == b.sum_high);
    for (int eighth = 0; eighth <= 8; eighth++) {
        CU_ASSERT_EQUAL(grt_stats_quantile(&a, eighth / 8.0), grt_stats_quantile(&b, eighth / 8.0));
    }
    grt_arena_clear(&arena);
}

/* --- Sums of 10^6 values that need more than 64 bits. */

static void sums_are_exact(void) {
    struct grt_random random = grt_random_stream(1, "test stats", 0, 0);
    struct grt_stats stats = grt_stats_create(&arena);
    wide sum = 0;
    grt_time min = INT64_MAX, max = 0;
    enum { VALUES = 1000000 };
    for (int i = 0; i < VALUES; i++) {
        grt_time value = GRT_TIME_LIMIT - (grt_time)(grt_random_bits(&random) >> (i % 2 == 0 ? 8 : 50));
        sum += (wide)(uint64_t)value;
        min = value < min ? value : min;
        max = value > max ? value : max;
        grt_stats_add(&stats, value);
    }
    CU_ASSERT_EQUAL(stats.count, VALUES);
    CU_ASSERT_EQUAL(stats.min, min);
    CU_ASSERT_EQUAL(stats.max, max);
    CU_ASSERT(stats.sum_high > 50000 && stats.sum_high == (uint64_t)(sum >> 64));
    CU_ASSERT_EQUAL(stats.sum_low, (uint64_t)sum);
    long double mean = (long double)sum / VALUES;
    CU_ASSERT(fabsl((long double)grt_stats_mean(&stats) - mean) <= mean * 0x1p-51L);
    grt_arena_clear(&arena);
}

/* Of three jobs p99 is the longest one, to the nanosecond. */
static void ends_are_exact(void) {
    static const grt_time values[] = {6012345, 6013999, 6015432};
    struct grt_stats stats = statistics_of(values, COUNT(values));
    CU_ASSERT_EQUAL(grt_stats_quantile(&stats, 0.33), values[0]);
    CU_ASSERT_EQUAL(grt_stats_quantile(&stats, 0.67), values[2]);
    CU_ASSERT_EQUAL(grt_stats_quantile(&stats, 0.99), values[2]);
    grt_arena_clear(&arena);
}

static void equal_values_have_their_mean(void) {
    static const grt_time values[] = {0, 1, 333333333, GRT_TIME_LIMIT};
    for (size_t k = 0; k < COUNT(values); k++) {
        struct grt_stats stats = grt_stats_create(&arena);
        for (int i = 0; i < 1000; i++) {
            grt_stats_add(&stats, values[k]);
        }
        CU_ASSERT(fabs(grt_stats_mean(&stats) - (double)values[k]) <= (double)values[k] * 0x1p-51);
        CU_ASSERT_EQUAL(grt_stats_quantile(&stats, 0.5), values[k]); /* not outside [min, max] */
    }
    grt_arena_clear(&arena);
}

/* --- Quantiles against the sorted values. */

static grt_time draw_flat(struct grt_random *random) {
    return (grt_time)grt_random_below(random, 2000000);
}

static grt_time draw_tiny(struct grt_random *random) {
    return (grt_time)grt_random_below(random, 300);
}

static grt_time draw_exponential(struct grt_random *random) {
    return (grt_time)(-log(1 - grt_random_uniform(random)) * 5e6);
}

static grt_time draw_any_magnitude(struct grt_random *random) {
    return (grt_time)(grt_random_bits(random) >> (1 + grt_random_below(random, 63)));
}

static grt_time draw_of_two(struct grt_random *random) {
    return grt_random_below(random, 10) == 0 ? 987654321 : 1234;
}

static grt_time draw_large(struct grt_random *random) {
    return GRT_TIME_LIMIT - (grt_time)grt_random_below(random, 1000000000);
}

/* Around the borders of powers of two, where bins change their width. */
static grt_time draw_borders(struct grt_random *random) {
    return (grt_time)(UINT64_C(1) << grt_random_below(random, 62)) + (grt_time)grt_random_below(random, 3) -
           1;
}

static grt_time (*const draws[])(struct grt_random *random) = {
    draw_flat, draw_tiny, draw_exponential, draw_any_magnitude, draw_of_two, draw_large, draw_borders,
};

static int compare(const void *left, const void *right) {
    const grt_time *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

enum { SAMPLE = 20000 };

static grt_time rank_value(const grt_time *sorted, size_t count, double q) {
    double rank = ceil(q * (double)count);
    return sorted[rank < 1 ? 0 : (size_t)rank - 1];
}

static bool quantile_is_close(const struct grt_stats *stats, double q, grt_time exact) {
    grt_time value = grt_stats_quantile(stats, q), difference = value > exact ? value - exact : exact - value;
    bool close = difference <= exact / 256 && value >= stats->min && value <= stats->max;
    if (!close) {
        fprintf(stderr, "quantile %g is %lld, not %lld\n", q, (long long)value, (long long)exact);
    }
    return close;
}

static void quantiles_are_close(void) {
    static const double quantiles[] = {0,    1e-9, 0.001, 0.01, 0.0625, 0.25,    0.5,
                                       0.75, 0.9,  0.95,  0.99, 0.999,  0.99999, 1};
    static grt_time values[SAMPLE];
    for (size_t k = 0; k < COUNT(draws); k++) {
        for (size_t count = 1; count <= SAMPLE; count = count * 7 + 13) {
            struct grt_random random = grt_random_stream(1, "test stats", 1 + k, count);
            for (size_t i = 0; i < count; i++) {
                values[i] = draws[k](&random);
            }
            struct grt_stats stats = statistics_of(values, count);
            qsort(values, count, sizeof values[0], compare);
            CU_ASSERT(stats.min == values[0] && stats.max == values[count - 1] && stats.count == count);
            for (size_t i = 0; i < COUNT(quantiles); i++) {
                CU_ASSERT(quantile_is_close(&stats, quantiles[i], rank_value(values, count, quantiles[i])));
            }
            grt_arena_clear(&arena);
        }
    }
}

/* Each value alone between two far ones, so that clamping to [min, max] cannot help. */
static void every_bin_is_close_enough(void) {
    struct grt_random random = grt_random_stream(1, "test stats", 0, 1);
    unsigned wrong = 0;
    for (int i = 0; i < 3000; i++) {
        grt_time value = i < 1024 ? i : i % 2 == 0 ? draw_borders(&random) : draw_any_magnitude(&random);
        grt_time values[] = {0, value, INT64_MAX};
        struct grt_stats stats = statistics_of(values, 3);
        wrong += !quantile_is_close(&stats, 0.5, value);
        wrong += value < 256 && grt_stats_quantile(&stats, 0.5) != value;
        grt_arena_clear(&arena);
    }
    CU_ASSERT_EQUAL(wrong, 0);
}

static void quantiles_rise(void) {
    struct grt_random random = grt_random_stream(1, "test stats", 0, 2);
    struct grt_stats stats = grt_stats_create(&arena);
    for (int i = 0; i < 1000; i++) {
        grt_stats_add(&stats, draw_any_magnitude(&random));
    }
    unsigned falls = 0;
    grt_time last = 0;
    for (int i = 0; i <= 1024; i++) {
        grt_time value = grt_stats_quantile(&stats, i / 1024.0);
        falls += value < last;
        last = value;
    }
    CU_ASSERT_EQUAL(falls, 0);
    grt_arena_clear(&arena);
}

/* --- Memory. */

static unsigned octaves_in(const struct grt_stats *stats) {
    unsigned octaves = 0;
    for (size_t i = 0; i < COUNT(stats->octaves); i++) {
        octaves += stats->octaves[i] != NULL;
    }
    return octaves;
}

static void memory_depends_on_the_range_only(void) {
    struct grt_stats stats = grt_stats_create(&arena);
    CU_ASSERT_EQUAL(octaves_in(&stats), 0);
    grt_stats_add(&stats, 1024);
    grt_stats_add(&stats, 2047);
    CU_ASSERT_EQUAL(octaves_in(&stats), 1);
    CU_ASSERT(arena.used <= GRT_STATS_BINS * sizeof(uint64_t));
    grt_stats_add(&stats, 2048);
    grt_stats_add(&stats, 127);
    grt_stats_add(&stats, 128);
    CU_ASSERT_EQUAL(octaves_in(&stats), 4);
    size_t used = arena.used;
    const void *chunks = arena.chunks;
    for (grt_time i = 0; i < 100000; i++) {
        grt_stats_add(&stats, i % 256);
        grt_stats_add(&stats, 1024 + i % 3072);
    }
    CU_ASSERT_EQUAL(arena.used, used);
    CU_ASSERT_PTR_EQUAL(arena.chunks, chunks);
    CU_ASSERT_EQUAL(octaves_in(&stats), 4);
    grt_stats_add(&stats, INT64_MAX);
    CU_ASSERT_EQUAL(octaves_in(&stats), 5);
    grt_arena_clear(&arena);
}

/* --- The log. */

/* Values of two statistics, in turns and more than the log holds, come out as if they had been added directly. */
static void logged_values_count_once_flushed(void) {
    struct grt_stats direct[2] = {grt_stats_create(&arena), grt_stats_create(&arena)};
    struct grt_stats logged[2] = {grt_stats_create(&arena), grt_stats_create(&arena)};
    struct grt_stats_log log = {0};
    for (uint32_t i = 0; i < 3 * GRT_STATS_LOG + 5; i++) {
        grt_time value = (grt_time)i * i * 977 + 3;
        grt_stats_add(&direct[i % 3 == 0], value);
        grt_stats_log_add(&log, &logged[i % 3 == 0], value);
    }
    CU_ASSERT(logged[0].count + logged[1].count == 3 * GRT_STATS_LOG);
    grt_stats_log_flush(&log);
    CU_ASSERT_EQUAL(log.count, 0);
    for (int i = 0; i < 2; i++) {
        CU_ASSERT(logged[i].count == direct[i].count && logged[i].sum_low == direct[i].sum_low);
        CU_ASSERT(logged[i].min == direct[i].min && logged[i].max == direct[i].max);
        for (int percent = 0; percent <= 100; percent++) {
            CU_ASSERT_EQUAL(grt_stats_quantile(&logged[i], percent / 100.0),
                            grt_stats_quantile(&direct[i], percent / 100.0));
        }
    }
    grt_arena_clear(&arena);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"empty statistics are zero", empty_statistics_are_zero},
        {"one value is everything", one_value_is_everything},
        {"small values are exact", small_values_are_exact},
        {"statistics do not depend on the order", statistics_do_not_depend_on_the_order},
        {"sums are exact", sums_are_exact},
        {"equal values have their mean", equal_values_have_their_mean},
        {"ends", ends_are_exact},
        {"quantiles are close", quantiles_are_close},
        {"every bin is close enough", every_bin_is_close_enough},
        {"quantiles rise", quantiles_rise},
        {"memory depends on the range only", memory_depends_on_the_range_only},
        {"logged values count once the log is flushed", logged_values_count_once_flushed},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("stats", tests);
}
