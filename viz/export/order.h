/* The slices of a trace by start: traces hold them by end. */
#ifndef GRT_VIZ_EXPORT_ORDER_H
#define GRT_VIZ_EXPORT_ORDER_H

#include <stdint.h>

#include "sim/time.h"

struct grt_export_start {
    grt_time time;
    uint32_t record;
    uint32_t rank; /* below GRT_EXPORT_RANKS: the order of equal times */
};

enum { GRT_EXPORT_RANKS = 8 };

/* Sorts by time, then rank; equal ones stay in their order. Takes memory for as many once more. */
void grt_export_sort(struct grt_export_start *starts, uint32_t count);

#endif
