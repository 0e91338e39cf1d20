#include "calib/program/import/median.h"

#include <stdlib.h>

static int by_time(const void *left, const void *right) {
    const grt_time *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

grt_time grt_median_time(grt_time *values, size_t count) {
    qsort(values, count, sizeof values[0], by_time);
    return values[(count - 1) / 2];
}
