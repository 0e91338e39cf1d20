#include "calib/fit/median_line.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

#define NORMAL_QUANTILE 1.959963984540054

/* Halvings of a range: to 1e-15 of it. */
enum { HALVINGS = 50 };

/* ---- weights ---- */

/* Neighbouring groups of one spread. */
struct pool {
    size_t groups;
    double spread, samples;
};

/* How many standard errors the second one's spread is larger: that of a normal sample's distance between quartiles is 1.17 / sqrt(n) of it. */
static double apart(const struct pool *one, const struct pool *other) {
    return log(other->spread / one->spread) / (1.17 * sqrt(1 / one->samples + 1 / other->samples));
}

static void join(struct pool *one, const struct pool *other) {
    double samples = one->samples + other->samples;
    one->spread = (one->spread * one->samples + other->spread * other->samples) / samples;
    one->samples = samples;
    one->groups += other->groups;
}

/* Joins the neighbours that differ least until all that are left differ for sure; returns how many are left. */
static size_t join_alike(struct pool *pools, size_t count) {
    enum { SURE = 3 };
    while (count > 1) {
        size_t least = 0;
        for (size_t i = 1; i + 1 < count; i++) {
            least = apart(&pools[i], &pools[i + 1]) < apart(&pools[least], &pools[least + 1]) ? i : least;
        }
        if (apart(&pools[least], &pools[least + 1]) >= SURE) {
            break;
        }
        join(&pools[least], &pools[least + 1]);
        count--;
        memmove(&pools[least + 1], &pools[least + 2], (count - least - 1) * sizeof *pools);
    }
    return count;
}

void grt_median_weights(struct grt_median_group *groups, size_t count, double least) {
    struct pool pools[GRT_MOST_MEDIAN_GROUPS];
    for (size_t i = 0; i < count; i++) {
        const struct grt_median_group *group = &groups[i];
        double spread = grt_sorted_quantile(group->sorted, group->count, 0.75) -
                        grt_sorted_quantile(group->sorted, group->count, 0.25);
        pools[i] = (struct pool){1, fmax(spread, least), (double)group->count};
    }
    size_t left = join_alike(pools, count), next = 0;
    for (size_t i = 0; i < left; i++) {
        for (size_t k = 0; k < pools[i].groups; k++) {
            groups[next++].weight = 1 / pools[i].spread;
        }
    }
}

/* ---- sums of signs ---- */

/* How many values are below y; with `equal` also those that are y. */
static size_t count_below(const struct grt_median_group *group, double y, bool equal) {
    size_t low = 0, high = group->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        bool below = equal ? group->sorted[middle] <= y : group->sorted[middle] < y;
        low = below ? middle + 1 : low;
        high = below ? high : middle;
    }
    return low;
}

/* Samples above y less those below. */
static double sign_sum(const struct grt_median_group *group, double y) {
    size_t below = count_below(group, y, false);
    bool tied = below < group->count && group->sorted[below] <= y;
    size_t up_to = tied ? count_below(group, y, true) : below;
    return (double)(group->count - up_to) - (double)below;
}

/* What a sample's sign counts for: weight times (constant + linear x). */
struct scores {
    double constant, linear;
};

static const struct scores of_start = {1, 0}, of_slope = {0, 1};

struct place {
    double start, slope; /* of a line */
};

static double score_sum(const struct grt_median_samples *line, struct scores scores, struct place place) {
    double sum = 0;
    for (size_t i = 0; i < line->count; i++) {
        const struct grt_median_group *group = &line->groups[i];
        double score = group->weight * (scores.constant + scores.linear * group->x);
        sum += score * sign_sum(group, place.start + place.slope * group->x);
    }
    return sum;
}

/* A sum of scores, its variance if each sign is a coin's, and the largest score of one sample. */
struct outcome {
    double sum, variance, largest;
};

static void add_variance(struct outcome *outcome, const struct grt_median_samples *line, struct scores scores,
                         double effect) {
    for (size_t i = 0; i < line->count; i++) {
        const struct grt_median_group *group = &line->groups[i];
        double score = group->weight * (scores.constant + scores.linear * group->x);
        outcome->variance += fmax(effect, 1) * score * score * (double)group->count;
        outcome->largest = fmax(outcome->largest, fabs(score));
    }
}

/* Sums over the samples of weight^2 x^power. */
static double moment(const struct grt_median_samples *line, int power) {
    double sum = 0;
    for (size_t i = 0; i < line->count; i++) {
        const struct grt_median_group *group = &line->groups[i];
        sum += group->weight * group->weight * (double)group->count * pow(group->x, power);
    }
    return sum;
}

/* ---- one of start and slope, where the other one is given ---- */

struct range {
    double low, high;
};

static double widest(const struct grt_median_samples *line) {
    double most = 1;
    for (size_t i = 0; i < line->count; i++) {
        const struct grt_median_group *group = &line->groups[i];
        most = fmax(most, fmax(fabs(group->sorted[0]), fabs(group->sorted[group->count - 1])));
    }
    return most;
}

/* No start of a sensible line is outside. */
static struct range starts_of(const struct grt_median_samples *line) {
    double most = 2 * widest(line);
    return (struct range){-most, most};
}

static struct range slopes_of(const struct grt_median_samples *line) {
    double most = 3 * widest(line) / line->groups[0].x;
    return (struct range){-most, most};
}

/* The best line of this start: it goes through a sample, as a rule, and just below that one, and just above it, are two lines with different signs. */
static void best_slope(const struct grt_median_samples *line, double start, struct place sides[2]) {
    struct range range = {INFINITY, -INFINITY};
    for (size_t i = 0; i < line->count; i++) {
        const struct grt_median_group *group = &line->groups[i];
        range.low = fmin(range.low, (group->sorted[0] - start) / group->x);
        range.high = fmax(range.high, (group->sorted[group->count - 1] - start) / group->x);
    }
    for (int i = 0; i < HALVINGS; i++) {
        double middle = (range.low + range.high) / 2;
        bool above = score_sum(line, of_slope, (struct place){start, middle}) > 0;
        range.low = above ? middle : range.low;
        range.high = above ? range.high : middle;
    }
    sides[0] = (struct place){start, range.low};
    sides[1] = (struct place){start, range.high};
}

/* The same of this slope. */
static void best_start(const struct grt_median_samples *line, double slope, struct place sides[2]) {
    struct range range = {INFINITY, -INFINITY};
    for (size_t i = 0; i < line->count; i++) {
        const struct grt_median_group *group = &line->groups[i];
        range.low = fmin(range.low, group->sorted[0] - slope * group->x);
        range.high = fmax(range.high, group->sorted[group->count - 1] - slope * group->x);
    }
    for (int i = 0; i < HALVINGS; i++) {
        double middle = (range.low + range.high) / 2;
        bool above = score_sum(line, of_start, (struct place){middle, slope}) > 0;
        range.low = above ? middle : range.low;
        range.high = above ? range.high : middle;
    }
    sides[0] = (struct place){range.low, slope};
    sides[1] = (struct place){range.high, slope};
}

/* The sum of scores at the best line, between its two sides where the sum of what it is best in is 0: the sample that it goes through is partly on each. So the sum
 * is the slope of a convex function, and falls steadily with what is given. */
static double balanced_sum(const struct grt_median_samples *line, struct scores scores, struct scores best,
                           const struct place sides[2]) {
    double before = score_sum(line, best, sides[0]), behind = score_sum(line, best, sides[1]);
    double share = before > behind ? before / (before - behind) : 0.5;
    double low = score_sum(line, scores, sides[0]), high = score_sum(line, scores, sides[1]);
    return low + fmin(fmax(share, 0), 1) * (high - low);
}

/* ---- tests ---- */

/* What is tested falls with the value. What is fitted along with it takes a part of the signs' variance away. */
typedef struct outcome statistic(const struct grt_median_samples *lines, size_t count, double value);

static struct outcome test_start(const struct grt_median_samples *lines, size_t count, double start) {
    struct outcome outcome = {0};
    for (size_t i = 0; i < count; i++) {
        struct place sides[2];
        best_slope(&lines[i], start, sides);
        outcome.sum += balanced_sum(&lines[i], of_start, of_slope, sides);
        double along = moment(&lines[i], 1) / moment(&lines[i], 2);
        add_variance(&outcome, &lines[i], (struct scores){1, -along}, lines[i].start_effect);
    }
    return outcome;
}

static struct outcome test_slope(const struct grt_median_samples *lines, size_t count, double slope) {
    struct outcome outcome = {0};
    for (size_t i = 0; i < count; i++) {
        struct place sides[2];
        best_start(&lines[i], slope, sides);
        outcome.sum += balanced_sum(&lines[i], of_slope, of_start, sides);
        double along = moment(&lines[i], 1) / moment(&lines[i], 0);
        add_variance(&outcome, &lines[i], (struct scores){-along, 1}, lines[i].slope_effect);
    }
    return outcome;
}

/* Above 0 where the sum is above `quantile` standard deviations. A sum of signs goes in steps of two scores: half of one is its continuity correction. */
static double beyond(const struct outcome *outcome, double quantile) {
    double correction = quantile > 0 ? outcome->largest : quantile < 0 ? -outcome->largest : 0;
    return outcome->sum - quantile * sqrt(outcome->variance) - correction;
}

static double test_at(statistic *test, const struct grt_median_samples *lines, size_t count, double value,
                      double quantile) {
    struct outcome outcome = test(lines, count, value);
    return beyond(&outcome, quantile);
}

/* The value from which on the sum is no longer beyond the quantile; not a number: none of the range is. */
static double invert(statistic *test, const struct grt_median_samples *lines, size_t count,
                     struct range range, double quantile) {
    if (!(test_at(test, lines, count, range.low, quantile) > 0) ||
        !(test_at(test, lines, count, range.high, quantile) < 0)) {
        return NAN;
    }
    for (int i = 0; i < HALVINGS; i++) {
        double middle = (range.low + range.high) / 2;
        bool above = test_at(test, lines, count, middle, quantile) > 0;
        range.low = above ? middle : range.low;
        range.high = above ? range.high : middle;
    }
    return (range.low + range.high) / 2;
}

static struct grt_ranged estimate(statistic *test, const struct grt_median_samples *lines, size_t count,
                                  struct range range) {
    return (struct grt_ranged){invert(test, lines, count, range, 0),
                               invert(test, lines, count, range, NORMAL_QUANTILE),
                               invert(test, lines, count, range, -NORMAL_QUANTILE)};
}

struct grt_ranged grt_median_start(const struct grt_median_samples *lines, size_t count) {
    struct range range = starts_of(&lines[0]);
    for (size_t i = 1; i < count; i++) {
        struct range other = starts_of(&lines[i]);
        range = (struct range){fmin(range.low, other.low), fmax(range.high, other.high)};
    }
    return estimate(test_start, lines, count, range);
}

struct grt_ranged grt_median_slope(const struct grt_median_samples *line) {
    return estimate(test_slope, line, 1, slopes_of(line));
}

double grt_median_straight(const struct grt_median_samples *line, double start, double slope, double hidden) {
    if (line->count < 3) {
        return NAN;
    }
    double squares = 0, effect = fmax(1, fmax(line->start_effect, line->slope_effect));
    for (size_t i = 0; i < line->count; i++) {
        const struct grt_median_group *group = &line->groups[i];
        double y = start + slope * group->x, all = (double)group->count;
        double above = all - (double)count_below(group, y + hidden, true);
        double below = (double)count_below(group, y - hidden, false);
        double more = fmax(0, 2 * fmax(above, below) - all); /* than half, twice */
        squares += more * more / all;
    }
    return gsl_cdf_chisq_Q(squares / effect, (double)line->count - 2);
}
