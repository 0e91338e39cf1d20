/* What others found beside what a sweep found: published values, and claims. */
#ifndef GRT_STUDY_RESULTS_COMPARE_H
#define GRT_STUDY_RESULTS_COMPARE_H

#include "study/sweep/sweep.h"

/* What a sweep says of one evaluation and measure, over all points that have given values: their sets are taken together. */
struct grt_estimate {
    uint64_t sets; /* that had a value */
    double value;  /* not a number: there is none */
    struct grt_interval
        within; /* 95 percent: Wilson's of "ratio"; mean +- 1.96 standard errors of other measures */
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
 * difference between independent proportions, Statistics in Medicine 17, 1998; else that of the simulated value. Wider by
 * `digits` of the published value on both sides. */
struct grt_compared grt_compare_published(const struct grt_results *results,
                                          const struct grt_published *published);

/* Whether a claim holds in a sweep. */
struct grt_claim_found {
    const struct grt_claimed *claim;
    bool holds;
    size_t points, held; /* how many points it speaks of, at how many of them it holds */
    /* The point that decides: where it holds by least, or fails by most, of a claim about everywhere; else where it holds by most, or fails by
     * least. SIZE_MAX: there is none that has values. */
    size_t point;
    double
        by; /* there: how much the smallest step of the order is above the claim's margin, or the values are nearer to each other than `about`,
                  as a part of the largest; below 0: it fails by this */
};

struct grt_claim_found grt_compare_claim(const struct grt_results *results, const struct grt_claimed *claim);

#endif
