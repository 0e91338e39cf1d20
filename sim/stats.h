/* Streaming statistics of spans of time: count, exact minimum, maximum and sum, and quantiles from a log-linear
 * histogram. Memory depends on the range of the values, not on their number. */
#ifndef GRT_SIM_STATS_H
#define GRT_SIM_STATS_H

#include <stdint.h>

#include "sim/memory.h"
#include "sim/time.h"

/* The histogram is exact below 2^GRT_STATS_BITS ns; above, each power of two is divided into 2^(GRT_STATS_BITS - 1)
 * equal bins, so that a quantile is wrong by at most half a bin: 1/256 of its value. */
enum { GRT_STATS_BITS = 8, GRT_STATS_BINS = 1 << GRT_STATS_BITS, GRT_STATS_OCTAVES = 64 - GRT_STATS_BITS };
#define GRT_STATS_QUANTILE_ERROR (1.0 / 256)

/* Plain; lives in an arena. Values are not negative. */
struct grt_stats {
    uint64_t count;
    grt_time min, max;          /* 0 while count is 0 */
    uint64_t sum_low, sum_high; /* the exact sum: sum_high * 2^64 + sum_low */
    uint64_t
        *octaves[GRT_STATS_OCTAVES]; /* the bins of each, GRT_STATS_BINS, made at the first value in it */
    struct grt_arena *arena;
};

struct grt_stats grt_stats_create(struct grt_arena *arena);

/* Adds a value >= 0. */
void grt_stats_add(struct grt_stats *stats, grt_time value);

/* Mean, exact to double precision; 0 while empty. */
double grt_stats_mean(const struct grt_stats *stats);

/* The quantile q in [0, 1]: the value of rank ceil(q * count) to a relative error of GRT_STATS_QUANTILE_ERROR,
 * never outside [min, max]; 0 while empty. */
grt_time grt_stats_quantile(const struct grt_stats *stats, double q);

#endif
