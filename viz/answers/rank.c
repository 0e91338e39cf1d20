#include "viz/answers/rank.h"

#include <stdlib.h>

#include "sim/memory.h"

/* Values are counted in equal bins between the smallest and the largest. The bin of a rank is then looked at in the same way:
 * its values lie closer by the number of bins, so that it takes six rounds at most. */
enum { MOST_BINS = 4096, FEWEST_BINS = 16 };

struct bins {
    grt_time min;
    uint32_t shift; /* a bin is 2^shift ns wide */
    uint32_t bin_count;
    uint64_t counts[MOST_BINS];
};

void grt_values_make_room(struct grt_values *list) {
    list->values = grt_array_grow(list->values, &list->capacity, list->count + 1, sizeof *list->values);
}

void grt_values_free(struct grt_values *list) {
    free(list->values);
    *list = (struct grt_values){0};
}

uint64_t grt_rank_of(uint64_t count, uint32_t hundredths) {
    return (count * hundredths + 99) / 100;
}

static uint64_t bin_of(const struct bins *bins, grt_time value) {
    return ((uint64_t)value - (uint64_t)bins->min) >> bins->shift;
}

/* As many bins as there are values, about: few values are not worth many. */
static uint32_t choose_bins(uint64_t count) {
    uint32_t bins = FEWEST_BINS;
    while (bins < MOST_BINS && bins < count) {
        bins *= 2;
    }
    return bins;
}

static void set_bounds(const struct grt_values *lists, uint32_t list_count, struct bins *bins) {
    grt_time max = INT64_MIN;
    uint64_t count = 0;
    bins->min = INT64_MAX;
    for (uint32_t i = 0; i < list_count; i++) {
        for (uint32_t j = 0; j < lists[i].count; j++) {
            grt_time value = lists[i].values[j];
            bins->min = value < bins->min ? value : bins->min;
            max = value > max ? value : max;
        }
        count += lists[i].count;
    }
    bins->bin_count = choose_bins(count);
    for (bins->shift = 0; bin_of(bins, max) >= bins->bin_count;) {
        bins->shift++;
    }
}

static void count_in_bins(const struct grt_values *lists, uint32_t list_count, struct bins *bins) {
    for (uint32_t i = 0; i < bins->bin_count; i++) {
        bins->counts[i] = 0;
    }
    for (uint32_t i = 0; i < list_count; i++) {
        for (uint32_t j = 0; j < lists[i].count; j++) {
            bins->counts[bin_of(bins, lists[i].values[j])]++;
        }
    }
}

/* The values of one bin. Every value is written, and stays if the next is not written over it. */
static struct grt_values collect(const struct grt_values *lists, uint32_t list_count, const struct bins *bins,
                                 uint64_t bin) {
    struct grt_values part = {.values = grt_allocate((bins->counts[bin] + 1) * sizeof *part.values)};
    for (uint32_t i = 0; i < list_count; i++) {
        for (uint32_t j = 0; j < lists[i].count; j++) {
            grt_time value = lists[i].values[j];
            part.values[part.count] = value;
            part.count += bin_of(bins, value) == bin;
        }
    }
    return part;
}

static grt_time in_bins(const struct grt_values *lists, uint32_t list_count, const struct bins *bins,
                        uint64_t rank) {
    uint64_t bin = 0;
    for (; rank > bins->counts[bin]; bin++) {
        rank -= bins->counts[bin];
    }
    if (bins->shift == 0) {
        return bins->min + (grt_time)bin;
    }
    struct grt_values part = collect(lists, list_count, bins, bin);
    grt_time result;
    grt_values_ranks(&part, 1, &rank, 1, &result);
    grt_values_free(&part);
    return result;
}

void grt_values_ranks(const struct grt_values *lists, uint32_t list_count, const uint64_t *ranks,
                      uint32_t rank_count, grt_time *results) {
    struct bins bins;
    set_bounds(lists, list_count, &bins);
    count_in_bins(lists, list_count, &bins);
    for (uint32_t i = 0; i < rank_count; i++) {
        results[i] = in_bins(lists, list_count, &bins, ranks[i]);
    }
}
