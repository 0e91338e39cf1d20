/* Experiments of files, evaluated at some of their points without a sweep. */
#ifndef GRT_TESTS_SUPPORT_SAMPLED_H
#define GRT_TESTS_SUPPORT_SAMPLED_H

#include "study/evaluate/sample.h"

enum { SAMPLED_MOST_PAIRS = 4 };

/* What an evaluation found of the sets of a point. */
struct sampled_tally {
    bool done;
    uint64_t outcomes[GRT_OUTCOMES];
    struct grt_moments first; /* of its first measure */
};

struct sampled {
    struct grt_experiment experiment;
    struct grt_study *study;
    struct grt_sampler *sampler;
    int64_t samples;               /* of a point */
    struct sampled_tally *tallies; /* point_count * evaluation_count; those of other points are not done */
};

/* Reads a file and prepares it, with so many samples a point; failures end the test. To be closed with sampled_close. */
struct sampled *sampled_open(const char *file, int64_t samples);
void sampled_close(struct sampled *sampled);

/* What an evaluation found at the point with these values, "cores=4", in any order; the axes that are not named have their first value. Evaluates
 * the point if need be. */
const struct sampled_tally *sampled_at(struct sampled *sampled, const char *evaluation,
                                       const char *const pairs[SAMPLED_MOST_PAIRS]);
#define SAMPLED(sampled, evaluation, ...)                                                                    \
    sampled_at(sampled, evaluation, (const char *const[SAMPLED_MOST_PAIRS]){__VA_ARGS__})

/* The share of the sets with GRT_OUTCOME_YES. */
double sampled_ratio(const struct sampled_tally *tally);

/* The standard error of the difference of two shares of so many sets, both drawn with the probability p. */
double sampled_error(double p, int64_t sets, int64_t other_sets);

/* Holds every published share of sets of which it is known of how many it is against what comes out at its point: three standard errors of the
 * difference, and the digits of the published one. Prints those that are too far. Returns how many it held. */
int sampled_check_published(struct sampled *sampled);

#endif
