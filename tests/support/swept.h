/* Experiments of files, swept whole on one thread. */
#ifndef GRT_TESTS_SUPPORT_SWEPT_H
#define GRT_TESTS_SUPPORT_SWEPT_H

#include "study/sweep/sweep.h"

struct swept {
    struct grt_experiment experiment;
    struct grt_study *study;
    struct grt_results results;
};

/* Reads a file with changes as --set takes them (ends with NULL; may be NULL) and with so many samples a point (0: its own), and evaluates
 * all of it; failures end the test. To be closed. */
struct swept *swept_open(const char *file, int64_t samples, const char *const *sets);
void swept_close(struct swept *swept);

/* What an evaluation found where the axes have these values, in their order; "" where there are none. */
const struct grt_tally *swept_tally(const struct swept *swept, const char *evaluation,
                                    const char *const *values);

/* The mean of one of its measures there. */
double swept_mean(const struct swept *swept, const char *evaluation, const char *measure,
                  const char *const *values);

/* The share of the sets with GRT_OUTCOME_YES. */
double swept_ratio(const struct swept *swept, const char *evaluation, const char *const *values);

#define SWEPT_AT(...) ((const char *const[]){__VA_ARGS__, NULL})

#endif
