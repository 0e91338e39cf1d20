#include "viz/answers/rank.h"

#include <stdbool.h>
#include <stdlib.h>

#include "sim/check.h"
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

static void make_room(struct grt_values *list) {
    GRT_REQUIRE(list->capacity <= UINT32_MAX / 2, "keep lists of values below 2^32");
    list->capacity = list->capacity > 0 ? 2 * list->capacity : GRT_FIRST_CAPACITY(16);
    if (list->wide != NULL) {
        list->wide = grt_reallocate(list->wide, list->capacity * sizeof *list->wide);
    } else {
        list->narrow = grt_reallocate(list->narrow, list->capacity * sizeof *list->narrow);
    }
}

static void widen(struct grt_values *list) {
    grt_time *wide = grt_allocate(list->capacity * sizeof *wide);
    for (uint32_t i = 0; i < list->count; i++) {
        wide[i] = list->narrow[i];
    }
    free(list->narrow);
    list->narrow = NULL;
    list->wide = wide;
}

void grt_values_add_slowly(struct grt_values *list, grt_time value) {
    if (list->count == list->capacity) {
        make_room(list);
    }
    if (list->wide == NULL && value > UINT32_MAX) {
        widen(list);
    }
    if (list->wide != NULL) {
        list->wide[list->count++] = value;
    } else {
        GRT_ASSERT(list->narrow != NULL, "values have room of 32 bits or of 64");
        list->narrow[list->count++] = (uint32_t)value;
    }
}

void grt_values_free(struct grt_values *list) {
    free(list->narrow);
    free(list->wide);
    *list = (struct grt_values){0};
}

/* So many values of 32 bits have a sum of 64. */
enum { PART = 1 << 16 };

/* Simple loops, which compilers turn into vector instructions. */
static void total_narrow(const uint32_t *values, uint32_t count, struct grt_values_total *total) {
    uint32_t min = UINT32_MAX, max = 0;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        min = values[i] < min ? values[i] : min;
        max = values[i] > max ? values[i] : max;
        sum += values[i];
    }
    total->min = min < total->min ? min : total->min;
    total->max = max > total->max ? max : total->max;
    total->sum += (grt_wide)sum;
}

struct grt_values_total grt_values_total(const struct grt_values *list) {
    struct grt_values_total total = {.min = INT64_MAX};
    for (uint32_t i = 0; list->wide == NULL && i < list->count; i += PART) {
        uint32_t left = list->count - i;
        total_narrow(list->narrow + i, left < PART ? left : PART, &total);
    }
    for (uint32_t i = 0; list->wide != NULL && i < list->count; i++) {
        grt_time value = list->wide[i];
        total.min = value < total.min ? value : total.min;
        total.max = value > total.max ? value : total.max;
        total.sum += (grt_wide)(uint64_t)value;
    }
    total.min = list->count > 0 ? total.min : 0;
    return total;
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
        struct grt_values_total total = grt_values_total(&lists[i]);
        if (lists[i].count > 0) {
            bins->min = total.min < bins->min ? total.min : bins->min;
            max = total.max > max ? total.max : max;
        }
        count += lists[i].count;
    }
    bins->bin_count = choose_bins(count);
    bins->min = count > 0 ? bins->min : 0;
    max = count > 0 ? max : 0;
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
            bins->counts[bin_of(bins, grt_values_at(&lists[i], j))]++;
        }
    }
}

static struct grt_values collect(const struct grt_values *lists, uint32_t list_count, const struct bins *bins,
                                 uint64_t bin) {
    struct grt_values part = {0};
    for (uint32_t i = 0; i < list_count; i++) {
        for (uint32_t j = 0; j < lists[i].count; j++) {
            grt_time value = grt_values_at(&lists[i], j);
            if (bin_of(bins, value) == bin) {
                grt_values_add(&part, value);
            }
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

/* ---- many lists at once ---- */

/* One set of bins serves all lists: what they count together is the sum of what each does, and one more pass picks the values of all
 * bins that matter. */

enum { QUANTILES = 2, SMALL = 1024 }; /* a list of fewer is not worth bins of its own */

struct target {
    uint64_t bin, rank; /* among the values of the bin */
};

struct quantiles {
    struct bins bins; /* of all lists */
    struct target all[QUANTILES];
    struct target (*own)[QUANTILES];         /* of each list that is not small */
    struct grt_values candidates[QUANTILES]; /* of all */
};

static void find_targets(const struct bins *bins, uint64_t count, const uint32_t *hundredths,
                         struct target *targets) {
    for (int i = 0; i < QUANTILES; i++) {
        targets[i] = (struct target){0, grt_rank_of(count, hundredths[i])};
        while (targets[i].rank > bins->counts[targets[i].bin]) {
            targets[i].rank -= bins->counts[targets[i].bin++];
        }
    }
}

static uint64_t count_all(struct quantiles *quantiles, const struct grt_values *lists, uint32_t list_count,
                          const uint32_t *hundredths) {
    struct bins *all = &quantiles->bins, own;
    uint64_t sum = 0;
    set_bounds(lists, list_count, all);
    count_in_bins(lists, 0, all); /* none yet */
    own = *all;
    for (uint32_t i = 0; i < list_count; i++) {
        sum += lists[i].count;
        if (lists[i].count < SMALL) {
            for (uint32_t j = 0; j < lists[i].count; j++) {
                all->counts[bin_of(all, grt_values_at(&lists[i], j))]++;
            }
            continue;
        }
        count_in_bins(&lists[i], 1, &own);
        find_targets(&own, lists[i].count, hundredths, quantiles->own[i]);
        for (uint32_t bin = 0; bin < all->bin_count; bin++) {
            all->counts[bin] += own.counts[bin];
        }
    }
    return sum;
}

/* The values of up to four bins of a list, each bin once. */
struct groups {
    uint64_t bins[2 * QUANTILES];
    struct grt_values values[2 * QUANTILES];
    uint32_t count;
    uint8_t of_bin[MOST_BINS]; /* 1 + the group; 0: none */
};

static void add_groups(struct groups *groups, const struct target *targets) {
    for (int i = 0; i < QUANTILES; i++) {
        if (groups->of_bin[targets[i].bin] == 0) {
            groups->bins[groups->count] = targets[i].bin;
            groups->of_bin[targets[i].bin] = (uint8_t)++groups->count;
        }
    }
}

static void fill_groups(struct groups *groups, const struct bins *bins, const struct grt_values *list) {
    for (uint32_t i = 0; i < list->count; i++) {
        uint8_t group = groups->of_bin[bin_of(bins, grt_values_at(list, i))];
        if (group > 0) {
            grt_values_add(&groups->values[group - 1], grt_values_at(list, i));
        }
    }
}

static void empty_groups(struct groups *groups) {
    for (uint32_t i = 0; i < groups->count; i++) {
        grt_values_free(&groups->values[i]);
        groups->of_bin[groups->bins[i]] = 0;
    }
    groups->count = 0;
}

/* The list's own quantiles, if it is not small; and what it adds to the bins of those of all. */
static void use_list(struct quantiles *quantiles, const struct grt_values *list, const struct target *own,
                     struct groups *groups, grt_time *results) {
    add_groups(groups, quantiles->all);
    if (own != NULL) {
        add_groups(groups, own);
    }
    fill_groups(groups, &quantiles->bins, list);
    for (int i = 0; i < QUANTILES; i++) {
        const struct grt_values *part = &groups->values[groups->of_bin[quantiles->all[i].bin] - 1];
        bool again = i > 0 && quantiles->all[i].bin == quantiles->all[0].bin;
        for (uint32_t j = 0; !again && j < part->count; j++) {
            grt_values_add(&quantiles->candidates[i], grt_values_at(part, j));
        }
        if (own != NULL) {
            grt_values_ranks(&groups->values[groups->of_bin[own[i].bin] - 1], 1, &own[i].rank, 1,
                             &results[i]);
        }
    }
    empty_groups(groups);
}

static void use_small(const struct grt_values *list, const uint32_t *hundredths, grt_time *results) {
    const uint64_t ranks[QUANTILES] = {grt_rank_of(list->count, hundredths[0]),
                                       grt_rank_of(list->count, hundredths[1])};
    results[0] = results[1] = 0;
    if (list->count > 0) {
        grt_values_ranks(list, 1, ranks, QUANTILES, results);
    }
}

void grt_values_quantiles(const struct grt_values *lists, uint32_t list_count, const uint32_t hundredths[2],
                          grt_time (*of_lists)[2], grt_time of_all[2]) {
    struct quantiles quantiles = {.own = grt_allocate((list_count + 1) * sizeof *quantiles.own)};
    struct groups groups = {.count = 0};
    uint64_t count = count_all(&quantiles, lists, list_count, hundredths);
    of_all[0] = of_all[1] = 0;
    if (count > 0) {
        find_targets(&quantiles.bins, count, hundredths, quantiles.all);
    }
    for (uint32_t i = 0; i < list_count; i++) {
        bool small = lists[i].count < SMALL;
        if (small) {
            use_small(&lists[i], hundredths, of_lists[i]);
        }
        if (lists[i].count > 0) {
            use_list(&quantiles, &lists[i], small ? NULL : quantiles.own[i], &groups, of_lists[i]);
        }
    }
    for (int i = 0; i < QUANTILES && count > 0; i++) {
        bool again = quantiles.all[i].bin == quantiles.all[0].bin;
        grt_values_ranks(&quantiles.candidates[again ? 0 : i], 1, &quantiles.all[i].rank, 1, &of_all[i]);
    }
    grt_values_free(&quantiles.candidates[0]);
    grt_values_free(&quantiles.candidates[1]);
    free(quantiles.own);
}
