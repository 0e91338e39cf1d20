#include "calib/program/import/median.h"

#include <stdlib.h>

static int by_value(const void *left, const void *right) {
    const double *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

static int by_time(const void *left, const void *right) {
    const grt_time *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

double grt_median(double *values, size_t count) {
    qsort(values, count, sizeof values[0], by_value);
    return count % 2 == 1 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

grt_time grt_median_time(grt_time *values, size_t count) {
    qsort(values, count, sizeof values[0], by_time);
    return values[(count - 1) / 2];
}
