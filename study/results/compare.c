#include "study/results/compare.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define RATIO "ratio"
#define NO_MEASURE SIZE_MAX

static bool is_ratio(const char *measure) {
    return strcmp(measure, RATIO) == 0;
}

static bool has_values(const struct grt_point *point, const size_t *axes, const size_t *values,
                       size_t axis_count) {
    for (size_t i = 0; i < axis_count; i++) {
        if (point->values[axes[i]] != values[i]) {
            return false;
        }
    }
    return true;
}

/* The number of a measure among those of an evaluation. */
static size_t measure_of(const struct grt_evaluation *evaluation, const char *measure) {
    size_t count;
    const char *const *names = grt_evaluation_measures(evaluation, &count);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(names[i], measure) == 0) {
            return i;
        }
    }
    return NO_MEASURE;
}

/* How many of the points that have given values see the same task sets, each: all combinations of the axes with same_sets that no value is given of. */
static double points_of_same_sets(const struct grt_experiment *experiment, const size_t *axes,
                                  size_t axis_count) {
    double points = 1;
    for (size_t axis = 0; axis < experiment->axis_count; axis++) {
        bool given = false;
        for (size_t i = 0; i < axis_count; i++) {
            given = given || axes[i] == axis;
        }
        points *= !given && experiment->axes[axis].same_sets ? (double)experiment->axes[axis].count : 1;
    }
    return points;
}

/* Of values of which only `independent` are so. */
static struct grt_estimate of_ratio(uint64_t yes, uint64_t sets, double independent) {
    double ratio = sets > 0 ? (double)yes / (double)sets : (double)NAN;
    return (struct grt_estimate){.sets = sets,
                                 .value = ratio,
                                 .independent = independent,
                                 .within = grt_wilson_of(ratio, independent, GRT_WILSON_95)};
}

static struct grt_estimate of_moments(const struct grt_moments *moments, double independent) {
    return (struct grt_estimate){.sets = moments->count,
                                 .value = grt_moments_mean(moments),
                                 .independent = independent,
                                 .within = grt_moments_interval_of(moments, independent)};
}

struct grt_estimate grt_results_estimate(const struct grt_results *results, const size_t *axes,
                                         const size_t *values, size_t axis_count, size_t evaluation,
                                         const char *measure) {
    const struct grt_experiment *experiment = results->experiment;
    uint64_t yes = 0, sets = 0;
    struct grt_moments moments = {0};
    for (size_t i = 0; i < experiment->point_count; i++) {
        const struct grt_point *point = &experiment->points[i];
        if (!has_values(point, axes, values, axis_count)) {
            continue;
        }
        const struct grt_tally *tally = grt_results_tally(results, i, evaluation);
        yes += tally->outcomes[GRT_OUTCOME_YES];
        sets += grt_tally_sets(tally);
        size_t place = measure_of(&point->evaluations[evaluation], measure);
        if (place != NO_MEASURE) {
            grt_moments_merge(&moments, &tally->moments[place]);
        }
    }
    double shared = points_of_same_sets(experiment, axes, axis_count);
    return is_ratio(measure) ? of_ratio(yes, sets, (double)sets / shared)
                             : of_moments(&moments, (double)moments.count / shared);
}

/* ---- published values ---- */

/* Newcombe's method 10: of the first proportion minus the second. */
static struct grt_interval of_difference(double first, struct grt_interval within_first, double second,
                                         struct grt_interval within_second) {
    double below = hypot(first - within_first.low, within_second.high - second);
    double above = hypot(within_first.high - first, second - within_second.low);
    return (struct grt_interval){first - second - below, first - second + above};
}

struct grt_compared grt_compare_published(const struct grt_results *results,
                                          const struct grt_published *published) {
    struct grt_compared compared = {.published = published, .agreement = GRT_NOT_COMPARABLE};
    compared.simulated =
        grt_results_estimate(results, published->axes, published->values, published->axis_count,
                             published->evaluation, published->measure);
    const struct grt_estimate *simulated = &compared.simulated;
    compared.difference = simulated->value - published->value;
    compared.within = (struct grt_interval){compared.difference, compared.difference};
    bool alone = simulated->sets == 1 || simulated->independent <= 1;
    if (isnan(compared.difference) || (isnan(simulated->within.low) && !alone)) {
        return compared;
    }
    if (!isnan(simulated->within.low)) {
        compared.within.low = simulated->within.low - published->value;
        compared.within.high = simulated->within.high - published->value;
    }
    bool proportion = is_ratio(published->measure) && published->value >= 0 && published->value <= 1;
    if (proportion && published->samples > 0) {
        uint64_t all = (uint64_t)published->samples;
        uint64_t yes = (uint64_t)llround(published->value * (double)all);
        struct grt_interval theirs = grt_wilson(yes, all, GRT_WILSON_95);
        theirs.low = fmin(theirs.low, published->value); /* it is rounded */
        theirs.high = fmax(theirs.high, published->value);
        compared.within = of_difference(simulated->value, simulated->within, published->value, theirs);
    }
    compared.within.low -= published->digits;
    compared.within.high += published->digits;
    bool inside = compared.within.low <= 0 && compared.within.high >= 0;
    compared.agreement = inside ? GRT_AGREES : GRT_DISAGREES;
    return compared;
}

void grt_agreed_count(struct grt_agreed *agreed, const struct grt_compared *compared) {
    int64_t from = compared->published->from;
    agreed->all[from]++;
    agreed->agreeing[from] += compared->agreement == GRT_AGREES;
}

const char *grt_agreed_text(const struct grt_agreed *agreed, char text[GRT_AGREED_TEXT_SIZE]) {
    const size_t *agreeing = agreed->agreeing, *all = agreed->all;
    size_t length = 0;
    text[0] = '\0';
    if (all[GRT_FROM_PAPER] > 0) {
        length = (size_t)snprintf(text, GRT_AGREED_TEXT_SIZE, "%zu of %zu published values agree",
                                  agreeing[GRT_FROM_PAPER], all[GRT_FROM_PAPER]);
    }
    if (all[GRT_FROM_RECALCULATION] > 0) {
        const char *format = length > 0 ? ", %zu of %zu that were recalculated apart from gpurt"
                                        : "%zu of %zu values agree that were recalculated apart from gpurt";
        snprintf(text + length, GRT_AGREED_TEXT_SIZE - length, format, agreeing[GRT_FROM_RECALCULATION],
                 all[GRT_FROM_RECALCULATION]);
    }
    return text;
}

/* ---- claims ---- */

/* By how much the order of a claim is kept at a point, or values are nearer to each other than it says; not a number where a value is missing. */
static double kept_by(const struct grt_results *results, const struct grt_claimed *claim, size_t point) {
    const struct grt_point *at = &results->experiment->points[point];
    double least = INFINITY, before = NAN, low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < claim->order_count; i++) {
        const struct grt_tally *tally = grt_results_tally(results, point, claim->order[i]);
        size_t place = measure_of(&at->evaluations[claim->order[i]], claim->measure);
        uint64_t sets = grt_tally_sets(tally);
        double value = NAN;
        if (is_ratio(claim->measure) && sets > 0) {
            value = (double)tally->outcomes[GRT_OUTCOME_YES] / (double)sets;
        } else if (place != NO_MEASURE && !is_ratio(claim->measure)) {
            value = grt_moments_mean(&tally->moments[place]);
        }
        if (isnan(value)) {
            return NAN;
        }
        least = i > 0 ? fmin(least, before - value - claim->margin) : least;
        before = value;
        low = fmin(low, value);
        high = fmax(high, value);
    }
    if (claim->about > 0) {
        return high > low ? claim->about - (high - low) / fabs(high) : claim->about;
    }
    return least;
}

struct grt_claim_found grt_compare_claim(const struct grt_results *results, const struct grt_claimed *claim) {
    const struct grt_experiment *experiment = results->experiment;
    struct grt_claim_found found = {.claim = claim, .point = SIZE_MAX, .by = NAN};
    for (size_t i = 0; i < experiment->point_count; i++) {
        if (!has_values(&experiment->points[i], claim->axes, claim->values, claim->axis_count)) {
            continue;
        }
        double by = kept_by(results, claim, i);
        found.points++;
        if (isnan(by)) {
            found.without_values++;
            continue;
        }
        /* A difference of two ratios that are a margin apart is off by a rounding error. */
        const double rounding = 1e-12;
        found.held += by >= -rounding;
        if (found.point == SIZE_MAX || (claim->everywhere ? by < found.by : by > found.by)) {
            found.point = i;
            found.by = by;
        }
    }
    found.holds = found.points > 0 && (claim->everywhere ? found.held == found.points : found.held > 0);
    return found;
}
