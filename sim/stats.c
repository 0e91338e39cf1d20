#include "sim/stats.h"

#include <math.h>

#include "sim/check.h"
#include "sim/inlining.h"

struct grt_stats grt_stats_create(struct grt_arena *arena) {
    return (struct grt_stats){.arena = arena};
}

void grt_stats_make_octave(struct grt_stats *stats, uint32_t octave) {
    stats->octaves[octave] = grt_arena_array(stats->arena, GRT_STATS_BINS, sizeof(uint64_t));
    stats->min = stats->count == 0 ? GRT_TIME_NEVER : stats->min;
}

GRT_APART void grt_stats_log_flush(struct grt_stats_log *log) {
    for (uint32_t i = 0; i < log->count; i++) {
        grt_stats_add(log->entries[i].stats, log->entries[i].value);
    }
    log->count = 0;
}

double grt_stats_mean(const struct grt_stats *stats) {
    if (stats->count == 0) {
        return 0;
    }
    return ((double)stats->sum_high * 0x1.0p64 + (double)stats->sum_low) / (double)stats->count;
}

/* The middle of a bin, exact where bins are one nanosecond wide. */
static grt_time middle_of(uint32_t octave, uint32_t bin) {
    uint32_t shift = grt_stats_shift(octave);
    uint64_t above = octave > 0 ? GRT_STATS_BINS : 0; /* where its first bin is */
    return (grt_time)(((above + bin) << shift) + ((UINT64_C(1) << shift) - 1) / 2);
}

grt_time grt_stats_quantile(const struct grt_stats *stats, double q) {
    GRT_REQUIRE(q >= 0 && q <= 1, "ask for a quantile between 0 and 1");
    if (stats->count == 0) {
        return 0;
    }
    uint64_t rank = (uint64_t)ceil(q * (double)stats->count), seen = 0;
    if (rank <= 1 || rank >= stats->count) {
        return rank <= 1 ? stats->min : stats->max;
    }
    for (uint32_t octave = 0; octave < GRT_STATS_OCTAVES; octave++) {
        for (uint32_t bin = 0; stats->octaves[octave] != NULL && bin < GRT_STATS_BINS; bin++) {
            seen += stats->octaves[octave][bin];
            if (seen >= rank) {
                grt_time value = middle_of(octave, bin);
                return value < stats->min ? stats->min : value > stats->max ? stats->max : value;
            }
        }
    }
    return stats->max;
}
