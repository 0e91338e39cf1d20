/* Values by rank, exactly, without sorting them: what percentiles of millions of lengths are made of. */
#ifndef GRT_VIZ_ANSWERS_RANK_H
#define GRT_VIZ_ANSWERS_RANK_H

#include <stddef.h>
#include <stdint.h>

#include "sim/time.h"
#include "sim/wide.h"

/* Values from 0 on, in any order: in 32 bits each until one needs more. Start it as {0}; free it with grt_values_free. */
struct grt_values {
    uint32_t *narrow;
    grt_time *wide; /* where it is not NULL, all values are here */
    uint32_t count, capacity;
};

void grt_values_free(struct grt_values *list);

/* Adds where there is no room, or where the value needs more than 32 bits. */
void grt_values_add_slowly(struct grt_values *list, grt_time value);

static inline void grt_values_add(struct grt_values *list, grt_time value) {
    if (list->count == list->capacity || list->wide != NULL || value > UINT32_MAX) {
        grt_values_add_slowly(list, value);
    } else {
        list->narrow[list->count++] = (uint32_t)value;
    }
}

static inline grt_time grt_values_at(const struct grt_values *list, uint32_t number) {
    return list->wide != NULL ? list->wide[number] : list->narrow[number];
}

/* What all values of a list come to. */
struct grt_values_total {
    grt_time min, max; /* 0 where there are none */
    grt_wide sum;
};
struct grt_values_total grt_values_total(const struct grt_values *list);

/* The rank of a quantile in hundredths, 1 to 100, among `count` values, at least 1: ceil(hundredths / 100 * count), which
 * is the nearest rank, as the tables of `gpurt run` have it. */
uint64_t grt_rank_of(uint64_t count, uint32_t hundredths);

/* Writes the quantiles in hundredths of each list, and those of all of them together: two of each; 0 where there is no value. Takes
 * two passes over the values as a rule. */
void grt_values_quantiles(const struct grt_values *lists, uint32_t list_count, const uint32_t hundredths[2],
                          grt_time (*of_lists)[2], grt_time of_all[2]);

/* Writes for each of `rank_count` ranks, from 1 to the number of all values of all lists together, the value of that rank.
 * Takes a few passes over the values and, while it lasts, memory for some of them. */
void grt_values_ranks(const struct grt_values *lists, uint32_t list_count, const uint64_t *ranks,
                      uint32_t rank_count, grt_time *results);

#endif
