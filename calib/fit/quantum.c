#include "calib/fit/quantum.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { MOST_PARTS = 64, MOST_STARTS = 64 };

#define ENOUGH 0.98

static int64_t distance_to_multiple(int64_t value, int64_t step) {
    int64_t rest = value % step;
    return rest < step - rest ? rest : step - rest;
}

static double share_of_multiples(const int64_t *sorted, size_t count, int64_t step, int64_t tolerance) {
    size_t good = 0;
    for (size_t i = 0; i < count; i++) {
        good += distance_to_multiple(sorted[i], step) <= tolerance;
    }
    return (double)good / (double)count;
}

/* Tries the whole parts of a value that are larger than the best step. */
static void try_parts(const int64_t *sorted, size_t count, int64_t tolerance, int64_t value, int64_t *best) {
    for (int64_t parts = 1; parts <= MOST_PARTS; parts++) {
        for (int64_t step = value / parts; step <= value / parts + (tolerance > 0); step++) {
            bool possible =
                step > *best && step > 4 * tolerance && distance_to_multiple(value, step) <= tolerance;
            if (possible && share_of_multiples(sorted, count, step, tolerance) >= ENOUGH) {
                *best = step;
            }
        }
    }
}

/* The step by least squares, where values are only near multiples of it. */
static double refined(const int64_t *sorted, size_t count, int64_t step, int64_t tolerance) {
    double products = 0, squares = 0;
    for (size_t i = 0; i < count; i++) {
        if (distance_to_multiple(sorted[i], step) <= tolerance) {
            double times = round((double)sorted[i] / (double)step);
            products += (double)sorted[i] * times;
            squares += times * times;
        }
    }
    return squares > 0 ? products / squares : (double)step;
}

struct grt_quantum grt_quantum_of(const int64_t *sorted, size_t count, int64_t tolerance) {
    struct grt_quantum quantum = {.distinct = 1};
    int64_t best = 1;
    try_parts(sorted, count, tolerance, sorted[0], &best);
    for (size_t i = 1; i < count; i++) {
        quantum.distinct += sorted[i] != sorted[i - 1];
        if (sorted[i] != sorted[i - 1] && quantum.distinct <= MOST_STARTS) {
            try_parts(sorted, count, tolerance, sorted[i], &best);
            try_parts(sorted, count, tolerance, sorted[i] - sorted[i - 1], &best);
        }
    }
    int64_t allowed = best > 4 * tolerance ? tolerance : 0;
    quantum.share = share_of_multiples(sorted, count, best, allowed);
    quantum.step = allowed > 0 ? refined(sorted, count, best, allowed) : (double)best;
    return quantum;
}

double grt_roundest(double low, double high) {
    if (low <= 0 && high >= 0) {
        return 0;
    }
    if (low < 0) {
        return -grt_roundest(-high, -low);
    }
    int exponent = (int)floor(log10(high)) + 1;
    for (int digits = 0; digits <= 17; digits++) { /* powers of ten first; dividing by one keeps them exact */
        int place = exponent - digits;
        double unit = pow(10, abs(place));
        double first = place >= 0 ? ceil(low / unit) : ceil(low * unit);
        double last = place >= 0 ? floor(high / unit) : floor(high * unit);
        if (first <= last) {
            double whole = floor((first + last) / 2);
            return place >= 0 ? whole * unit : whole / unit;
        }
    }
    return low + (high - low) / 2;
}
