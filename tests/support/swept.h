/* Experiments of files, evaluated point by point, where a test asks for them, as a sweep on one thread does. */
#ifndef GRT_TESTS_SUPPORT_SWEPT_H
#define GRT_TESTS_SUPPORT_SWEPT_H

#include "study/sweep/sweep.h"

enum { SWEPT_MOST_PAIRS = 4 };

struct swept {
    struct grt_experiment experiment;
    struct grt_study *study;
    struct grt_sampler *sampler;
    struct grt_results *results; /* of the points that were asked for; samples of the others are 0 */
};

/* Reads a file with changes as --set takes them (ends with NULL; may be NULL) and with so many samples a point (0: its own), and prepares it;
 * failures end the test. To be closed. */
struct swept *swept_open(const char *file, int64_t samples, const char *const *sets);
void swept_close(struct swept *swept);

/* What an evaluation found where the axes have these values, in their order; "" where there are none. Evaluates the point if need be. */
const struct grt_tally *swept_tally(const struct swept *swept, const char *evaluation,
                                    const char *const *values);
#define SWEPT_AT(...) ((const char *const[]){__VA_ARGS__, NULL})

/* The same where some axes have the values of pairs, "cores=4", in any order; the others have their first one. */
const struct grt_tally *swept_find(const struct swept *swept, const char *evaluation,
                                   const char *const pairs[SWEPT_MOST_PAIRS]);
#define SWEPT(swept, evaluation, ...)                                                                        \
    swept_find(swept, evaluation, (const char *const[SWEPT_MOST_PAIRS]){__VA_ARGS__})

/* All points. */
const struct grt_results *swept_whole(const struct swept *swept);

/* The mean of one of its measures there. */
double swept_mean(const struct swept *swept, const char *evaluation, const char *measure,
                  const char *const *values);

/* The share of the sets with GRT_OUTCOME_YES. */
double swept_ratio(const struct swept *swept, const char *evaluation, const char *const *values);
double swept_ratio_of(const struct grt_tally *tally);

/* The standard error of the difference of two shares of so many sets, both drawn with the probability p. */
double swept_error(double p, int64_t sets, int64_t other_sets);

/* Holds every published share of sets of which it is known of how many it is against what comes out at its point: three standard errors of the
 * difference, and the digits of the published one. Prints those that are too far. Returns how many it held. */
int swept_check_published(const struct swept *swept);

#endif
