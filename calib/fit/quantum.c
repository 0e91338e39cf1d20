#include "calib/fit/quantum.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { MOST_PARTS = 64, MOST_STARTS = 64 };

#define ENOUGH 0.98

/* How many values, ascending, are multiples of the step; 0 where they are not enough. With a tolerance the step follows them by least squares: it need not be whole, and the larger ones tell it better. */
static double share_of_multiples(const int64_t *sorted, size_t count, double *step, double tolerance) {
    double products = 0, squares = 0, start = *step;
    size_t good = 0, most_bad = (size_t)((1 - ENOUGH) * (double)count) + 1;
    for (size_t i = 0; i < count; i++) {
        if (i - good > most_bad) { /* nothing that follows makes it enough */
            return 0;
        }
        double value = (double)sorted[i], times = round(value / *step);
        if (times >= 1 && fabs(value - times * *step) <= tolerance) {
            good++;
            products += value * times;
            squares += times * times;
            *step = tolerance > 0 ? products / squares : start;
        }
    }
    return (double)good / (double)count;
}

/* The steps of which all values that are multiples, or nearly, still are. */
static void set_range(const int64_t *sorted, size_t count, double tolerance, struct grt_quantum *quantum) {
    double step = quantum->step, low = 0, high = INFINITY;
    for (size_t i = 0; i < count; i++) {
        double value = (double)sorted[i], times = round(value / step);
        if (times >= 1 && fabs(value - times * step) <= tolerance) {
            low = fmax(low, (value - tolerance) / times);
            high = fmin(high, (value + tolerance) / times);
        }
    }
    quantum->low = tolerance > 0 ? low : step;
    quantum->high = tolerance > 0 ? high : step;
}

/* Tries the parts of a value that are larger than the best step; whole ones where nothing is tolerated. */
static void try_parts(const int64_t *sorted, size_t count, int64_t tolerance, int64_t value,
                      struct grt_quantum *best) {
    for (int64_t parts = 1; parts <= MOST_PARTS; parts++) {
        double step = (double)value / (double)parts;
        bool possible = step > best->step + (double)tolerance && step > 4 * (double)tolerance &&
                        (tolerance > 0 || value % parts == 0);
        double share = possible ? share_of_multiples(sorted, count, &step, (double)tolerance) : 0;
        if (share >= ENOUGH) {
            best->step = step;
            best->share = share;
        }
    }
}

struct grt_quantum grt_quantum_of(const int64_t *sorted, size_t count, int64_t tolerance) {
    struct grt_quantum quantum = {.step = 1, .share = 1, .distinct = 1};
    try_parts(sorted, count, tolerance, sorted[0], &quantum);
    for (size_t i = 1; i < count; i++) {
        quantum.distinct += sorted[i] != sorted[i - 1];
        if (sorted[i] != sorted[i - 1] && quantum.distinct <= MOST_STARTS) {
            try_parts(sorted, count, tolerance, sorted[i], &quantum);
            try_parts(sorted, count, tolerance, sorted[i] - sorted[i - 1], &quantum);
        }
    }
    set_range(sorted, count, quantum.step > 1 ? (double)tolerance : 0, &quantum);
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
