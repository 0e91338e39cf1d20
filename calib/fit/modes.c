/* What a median does not say of samples: that they are in two places, and how long the longest are. */
#include <math.h>

#include "calib/fit/build.h"

enum {
    ENOUGH = 20,    /* samples, fewer are apart by chance */
    LEAST = 5,      /* of a mode, and */
    LEAST_PART = 10 /* this part of all */
};

/* Modes are so many times as far apart as either is wide, and by this part of the larger one; both are engineers' choices, on the side of saying nothing. */
static const double times_apart = 3, least_ratio = 0.05;

/* From the 10 % to the 90 % quantile of values from `first` on. */
static double width_of(const double *sorted, size_t first, size_t count) {
    return grt_sorted_quantile(sorted + first, count, 0.9) - grt_sorted_quantile(sorted + first, count, 0.1);
}

/* Whether the first `below` values and the others are two modes. */
static bool are_apart(const double *sorted, size_t count, size_t below, int64_t step) {
    double gap = sorted[below] - sorted[below - 1];
    double large = fmax(fabs(sorted[0]), fabs(sorted[count - 1]));
    double width = fmax(width_of(sorted, 0, below), width_of(sorted, below, count - below));
    return gap > 2 * (double)step && gap > least_ratio * large && gap > times_apart * width;
}

struct grt_fit_modes grt_fit_modes(struct grt_fit_build *build, const double *sorted, size_t count,
                                   int64_t step) {
    size_t least = count / LEAST_PART > LEAST ? count / LEAST_PART : LEAST, best = 0;
    for (size_t below = least; count >= ENOUGH && below + least <= count; below++) {
        double gap = sorted[below] - sorted[below - 1];
        best = best == 0 || gap > sorted[best] - sorted[best - 1] ? below : best;
    }
    if (best == 0 || !are_apart(sorted, count, best, step)) {
        return (struct grt_fit_modes){NULL, NAN, NAN};
    }
    double part = 100 * (double)best / (double)count, low = grt_sorted_quantile(sorted, best, 0.5),
           high = grt_sorted_quantile(sorted + best, count - best, 0.5);
    return (struct grt_fit_modes){
        grt_fit_text(build, "two modes: %.0f %% of the samples about %.5g, %.0f %% about %.5g", part, low,
                     100 - part, high),
        low, high};
}

const char *grt_fit_longest(struct grt_fit_build *build, const double *sorted, size_t count,
                            const char *unit) {
    double largest = sorted[count - 1];
    return count >= GRT_FIT_ENOUGH_FOR_P99
               ? grt_fit_text(build, "99 %% are at most %.5g%s, the largest is %.5g%s",
                              grt_sorted_quantile(sorted, count, 0.99), unit, largest, unit)
               : grt_fit_text(build, "the largest of %zu is %.5g%s", count, largest, unit);
}
