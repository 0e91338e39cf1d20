#include "calib/evt/goodness.h"

#include <math.h>

const char *const grt_distance_names[GRT_DISTANCES] = {"Anderson-Darling", "upper tail", "Cramer-von Mises",
                                                       "Kolmogorov-Smirnov", "spacing"};

/* The largest spacing so far. */
struct widest {
    double last, size;
    size_t above;
};

static void widen(struct widest *widest, double ln_above, size_t above) {
    double spacing = (widest->last - ln_above) * (double)above;
    if (spacing > widest->size) {
        widest->size = spacing;
        widest->above = above;
    }
    widest->last = ln_above;
}

void grt_goodness(const struct grt_extreme *extreme, const double *sorted, size_t count,
                  double distances[GRT_DISTANCES]) {
    double n = (double)count, both = 0, upper = 0, squares = 1 / (12 * n), largest = 0, sum = 0;
    struct widest widest = {0};
    for (size_t i = 0; i < count; i++) {
        double rank = 2 * (double)i + 1; /* 2i - 1 of i from 1 */
        struct grt_extreme_place place = grt_extreme_place(extreme, sorted[i]);
        double below = place.below;
        both += rank * place.ln_below + (2 * n - rank) * place.ln_above;
        upper += (2 - rank / n) * place.ln_above;
        sum += below;
        squares += (below - rank / (2 * n)) * (below - rank / (2 * n));
        largest = fmax(largest, fmax(((double)i + 1) / n - below, below - (double)i / n));
        widen(&widest, place.ln_above, count - i);
    }
    distances[GRT_DISTANCE_ANDERSON_DARLING] = -n - both / n;
    distances[GRT_DISTANCE_UPPER_TAIL] = n / 2 - 2 * sum - upper;
    distances[GRT_DISTANCE_CRAMER_VON_MISES] = squares;
    distances[GRT_DISTANCE_KOLMOGOROV] = largest;
    distances[GRT_DISTANCE_SPACING] = widest.size;
}

size_t grt_goodness_above_spacing(const struct grt_extreme *extreme, const double *sorted, size_t count) {
    struct widest widest = {0};
    for (size_t i = 0; i < count; i++) {
        widen(&widest, grt_extreme_place(extreme, sorted[i]).ln_above, count - i);
    }
    return widest.above;
}

double grt_goodness_cells(const struct grt_extreme *extreme, const double *values, size_t count,
                          size_t cells) {
    double expected = (double)count / (double)cells, sum = 0;
    for (size_t cell = 0; cell < cells; cell++) {
        double in = 0;
        for (size_t i = 0; i < count; i++) {
            double place = grt_extreme_below(extreme, values[i]) * (double)cells;
            in += (size_t)fmin(place, (double)cells - 1) == cell;
        }
        sum += (in - expected) * (in - expected) / expected;
    }
    return sum;
}
