/* Streaming statistics of spans of time: count, exact minimum, maximum and sum, and quantiles from a log-linear
 * histogram. Memory depends on the range of the values, not on their number. */
#ifndef GRT_SIM_STATS_H
#define GRT_SIM_STATS_H

#include <stdint.h>

#include "sim/check.h"
#include "sim/memory.h"
#include "sim/time.h"

/* The histogram is exact below 2^GRT_STATS_BITS ns; above, each power of two is divided into 2^(GRT_STATS_BITS - 1)
 * equal bins, so that a quantile is wrong by at most half a bin: 1/256 of its value. */
enum {
    GRT_STATS_BITS = 8,
    GRT_STATS_BINS = 1 << (GRT_STATS_BITS - 1),
    GRT_STATS_OCTAVES = 65 - GRT_STATS_BITS
};
#define GRT_STATS_QUANTILE_ERROR (1.0 / 256)

/* Plain; lives in an arena. Values are not negative. */
struct grt_stats {
    uint64_t count;
    grt_time min, max;          /* 0 while count is 0 */
    uint64_t sum_low, sum_high; /* the exact sum: sum_high * 2^64 + sum_low */
    /* the bins of each, GRT_STATS_BINS, made at the first value in it */
    uint64_t *octaves[GRT_STATS_OCTAVES];
    struct grt_arena *arena;
};

struct grt_stats grt_stats_create(struct grt_arena *arena);

/* Octave 0 has all values below GRT_STATS_BINS, each further one a power of two. Without a branch, which could not be
 * predicted. */
static inline uint32_t grt_stats_octave(uint64_t value) {
    return 65u - GRT_STATS_BITS - (uint32_t)__builtin_clzll(value | (GRT_STATS_BINS - 1));
}

/* The bins of an octave are 2^shift ns wide; a value's is (value >> shift) % GRT_STATS_BINS. */
static inline uint32_t grt_stats_shift(uint32_t octave) {
    return octave - (octave > 0);
}

/* Makes the bins of an octave, and of the first value the smallest: the rare part of grt_stats_add. */
void grt_stats_make_octave(struct grt_stats *stats, uint32_t octave);

/* Adds a value >= 0. */
static inline void grt_stats_add(struct grt_stats *stats, grt_time value) {
    GRT_ASSERT(value >= 0, "spans are not negative");
    uint32_t octave = grt_stats_octave((uint64_t)value);
    if (__builtin_expect(stats->octaves[octave] == NULL, 0)) {
        grt_stats_make_octave(stats, octave);
    }
    stats->octaves[octave][(uint64_t)value >> grt_stats_shift(octave) & (GRT_STATS_BINS - 1)]++;
    stats->min = value < stats->min ? value : stats->min;
    stats->max = value > stats->max ? value : stats->max;
    stats->count++;
    stats->sum_low += (uint64_t)value;
    stats->sum_high += stats->sum_low < (uint64_t)value;
}

/* Values on their way to statistics. Where there are many statistics their histograms are in no near cache; taken together,
 * the processor fetches many of them at a time. Start it as {0}; what is in it counts once it has been flushed. */
enum { GRT_STATS_LOG = 128 };

struct grt_stats_entry {
    struct grt_stats *stats;
    grt_time value;
};

struct grt_stats_log {
    uint32_t count;
    struct grt_stats_entry entries[GRT_STATS_LOG];
};

/* Adds all values, in their order, to their statistics. */
void grt_stats_log_flush(struct grt_stats_log *log);

/* The same as grt_stats_add, once the log is flushed. */
static inline void grt_stats_log_add(struct grt_stats_log *log, struct grt_stats *stats, grt_time value) {
    struct grt_stats_entry *entry = &log->entries[log->count++];
    entry->stats = stats;
    entry->value = value;
    if (log->count == GRT_STATS_LOG) {
        grt_stats_log_flush(log);
    }
}

/* Mean, exact to double precision; 0 while empty. */
double grt_stats_mean(const struct grt_stats *stats);

/* The quantile q in [0, 1]: the value of rank ceil(q * count) to a relative error of GRT_STATS_QUANTILE_ERROR,
 * that of the first and of the last rank exactly, never outside [min, max]; 0 while empty. */
grt_time grt_stats_quantile(const struct grt_stats *stats, double q);

#endif
