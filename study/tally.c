#include "study/tally.h"

#include <math.h>

const char *const grt_outcome_names[GRT_OUTCOMES] = {
    [GRT_OUTCOME_YES] = "yes",         [GRT_OUTCOME_NO] = "no",
    [GRT_OUTCOME_UNKNOWN] = "unknown", [GRT_OUTCOME_INAPPLICABLE] = "inapplicable",
    [GRT_OUTCOME_REFUSED] = "refused", [GRT_OUTCOME_NONE] = "none",
};

void grt_moments_add(struct grt_moments *moments, double value) {
    if (isnan(value)) {
        return;
    }
    grt_moments_merge(moments, &(struct grt_moments){1, value, value * value, value, value});
}

void grt_moments_merge(struct grt_moments *to, const struct grt_moments *from) {
    if (from->count == 0) {
        return;
    }
    to->least = to->count == 0 || from->least < to->least ? from->least : to->least;
    to->most = to->count == 0 || from->most > to->most ? from->most : to->most;
    to->count += from->count;
    to->sum += from->sum;
    to->squares += from->squares;
}

double grt_moments_mean(const struct grt_moments *moments) {
    return moments->count > 0 ? moments->sum / (double)moments->count : (double)NAN;
}

double grt_moments_deviation(const struct grt_moments *moments) {
    double count = (double)moments->count;
    if (moments->count < 2 || moments->least == moments->most) {
        return moments->count == 0 ? (double)NAN
                                   : 0; /* of equal values exactly: the difference below is rounded */
    }
    double variance = (moments->squares - moments->sum * moments->sum / count) / (count - 1);
    return variance > 0 ? sqrt(variance) : 0;
}

uint64_t grt_tally_sets(const struct grt_tally *tally) {
    uint64_t sets = 0;
    for (int outcome = 0; outcome < GRT_OUTCOMES; outcome++) {
        sets += outcome != GRT_OUTCOME_NONE ? tally->outcomes[outcome] : 0;
    }
    return sets;
}

struct grt_interval grt_wilson(uint64_t yes, uint64_t all, double z) {
    if (all == 0) {
        return (struct grt_interval){0, 1};
    }
    double n = (double)all, p = (double)yes / n, z2 = z * z;
    double centre = (p + z2 / (2 * n)) / (1 + z2 / n);
    double half = z * sqrt(p * (1 - p) / n + z2 / (4 * n * n)) / (1 + z2 / n);
    /* At the ends the two are equal, but for rounding. */
    return (struct grt_interval){yes == 0 ? 0 : centre - half, yes == all ? 1 : centre + half};
}
