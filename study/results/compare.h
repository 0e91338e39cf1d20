/* What others found beside what a sweep found: published values, and claims. */
#ifndef GRT_STUDY_RESULTS_COMPARE_H
#define GRT_STUDY_RESULTS_COMPARE_H

#include "study/sweep/sweep.h"

/* What a sweep says of one evaluation and measure, over all points that have given values: their sets are taken together. Points along an axis with
 * same_sets see the same sets, which say no more for being asked several times: with k such points together, the interval is that of a k-th of
 * the values. That is too wide rather than too narrow, as the variance of the mean of k values that depend on each other is at most that of one. */
struct grt_estimate {
    uint64_t sets;      /* that had a value, at all points together */
    double value;       /* not a number: there is none */
    double independent; /* a k-th of the sets */
    /* 95 percent: of "ratio" Wilson's; of other measures grt_moments_interval_of, which may be none */
    struct grt_interval within;
};

struct grt_estimate grt_results_estimate(const struct grt_results *results, const size_t *axes,
                                         const size_t *values, size_t axis_count, size_t evaluation,
                                         const char *measure);

enum grt_agreement {
    GRT_AGREES,        /* the difference can be chance, or rounding */
    GRT_DISAGREES,     /* it cannot */
    GRT_NOT_COMPARABLE /* the sweep has no value */
};

/* A published value beside the simulated one. */
struct grt_compared {
    const struct grt_published *published;
    struct grt_estimate simulated;
    double difference;          /* simulated - published */
    struct grt_interval within; /* of the difference, 95 percent: it agrees if 0 is in it */
    enum grt_agreement agreement;
};

/* The interval of the difference: where both are ratios of known numbers of sets, method 10 of R. G. Newcombe, Interval estimation for the
 * difference between independent proportions, Statistics in Medicine 17, 1998; else that of the simulated value, and of one set
 * the difference alone. Values of more than one set, but of less than two that are independent, say nothing. Wider by `digits` of the published value on both sides. */
struct grt_compared grt_compare_published(const struct grt_results *results,
                                          const struct grt_published *published);

/* How many of the values agree, by who says them (enum grt_published_from). */
struct grt_agreed {
    size_t agreeing[2], all[2];
};
void grt_agreed_count(struct grt_agreed *agreed, const struct grt_compared *compared);

enum { GRT_AGREED_TEXT_SIZE = 160 };

/* "2 of 2 published values agree, 23 of 24 that were recalculated apart from gpurt": of what there is. Returns `text`. */
const char *grt_agreed_text(const struct grt_agreed *agreed, char text[GRT_AGREED_TEXT_SIZE]);

/* Whether a claim holds in a sweep. */
struct grt_claim_found {
    const struct grt_claimed *claim;
    bool holds;          /* everywhere: at all points that it speaks of; else at one at least */
    size_t points, held; /* how many points it speaks of, at how many of them it holds */
    /* at how many it cannot be told, since a value is missing: there it does not hold */
    size_t without_values;
    /* The point that decides: where it holds by least, or fails by most, of a claim about everywhere; else where it holds by most, or fails by
     * least. SIZE_MAX: there is none that has values. */
    size_t point;
    /* there: how much the smallest step of the order is above the claim's margin, or the values are nearer to each other than `about`, as a part of
     * the largest; below 0: it fails by this */
    double by;
};

struct grt_claim_found grt_compare_claim(const struct grt_results *results, const struct grt_claimed *claim);

#endif
