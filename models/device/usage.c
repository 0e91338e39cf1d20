#include "models/usage.h"

/* How much longer its part on the SMs takes with `share` vprocessors than with as many as it fills. */
static double stretch(const struct grt_usage *usage, int64_t share) {
    double filled = GRT_FULL_SHARE * usage->sm_utilisation;
    return filled > (double)share ? filled / (double)share : 1;
}

/* Between two points the time is linear in 1 / share: a part that waits for SMs and one that does not. */
static double between(struct grt_share_factor low, struct grt_share_factor high, int64_t share) {
    double span = 1.0 / (double)low.share - 1.0 / (double)high.share;
    double part = (1.0 / (double)share - 1.0 / (double)high.share) / span;
    return high.factor + (low.factor - high.factor) * part;
}

/* Below the first point only what is on the SMs takes longer, as it would without points. */
static double below(const struct grt_usage *usage, struct grt_share_factor first, int64_t share) {
    double host = usage->host_fraction;
    return host + (first.factor - host) * (stretch(usage, share) / stretch(usage, first.share));
}

static double by_points(const struct grt_usage *usage, int64_t share) {
    const struct grt_share_factor *points = usage->share_factors.items;
    struct grt_share_factor high = {GRT_FULL_SHARE, 1};
    double least = 1; /* what a larger share has */
    for (size_t i = usage->share_factors.count; i > 0; i--) {
        if (points[i - 1].share >= GRT_FULL_SHARE) {
            continue; /* 1 by definition */
        }
        if (points[i - 1].share <= share) {
            double factor =
                points[i - 1].share == share ? points[i - 1].factor : between(points[i - 1], high, share);
            return factor > least ? factor : least;
        }
        high = points[i - 1];
        least = high.factor > least ? high.factor : least;
    }
    double factor = below(usage, high, share);
    return factor > least ? factor : least;
}

double grt_usage_share_factor(const struct grt_usage *usage, int64_t share) {
    if (share >= GRT_FULL_SHARE) {
        return 1;
    }
    if (usage->share_factors.count > 0) {
        return by_points(usage, share);
    }
    double host = usage->host_fraction, factor = host + (1 - host) * stretch(usage, share);
    return factor > 1 ? factor : 1; /* h + (1 - h) may be 1 less the last digit */
}
