/* What was counted of many task sets: verdicts, and sums of measures. Added up chunk by chunk in the order of the chunks, so that the same
 * sums come out whoever has worked on what. */
#ifndef GRT_STUDY_TALLY_H
#define GRT_STUDY_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What an evaluation says of one task set. */
enum grt_outcome {
    GRT_OUTCOME_YES,          /* schedulable; no deadline missed; no violation */
    GRT_OUTCOME_NO,           /* proven to miss; a deadline was missed; a violation */
    GRT_OUTCOME_UNKNOWN,      /* an analysis neither proves nor refutes */
    GRT_OUTCOME_INAPPLICABLE, /* no analysis applies */
    GRT_OUTCOME_REFUSED,      /* the policy refuses the set, or no priorities or cores were found */
    GRT_OUTCOME_NONE,         /* there was no set: the generator gave up */
    GRT_OUTCOMES
};

/* The words for them in CSV and JSON. */
extern const char *const grt_outcome_names[GRT_OUTCOMES];

/* The values of one measure. Times in ns. */
struct grt_moments {
    uint64_t count; /* of sets that had a value */
    double sum, squares, least, most;
};

/* Of one evaluation at one point, or of one chunk of its sets. */
struct grt_tally {
    uint64_t outcomes[GRT_OUTCOMES];
    struct grt_moments *moments; /* one for each measure of the evaluation */
};

/* Adds a value; not a number: none. */
void grt_moments_add(struct grt_moments *moments, double value);

/* Adds what was found for further sets. */
void grt_moments_merge(struct grt_moments *to, const struct grt_moments *from);

/* Of no value: not a number. */
double grt_moments_mean(const struct grt_moments *moments);
double grt_moments_deviation(
    const struct grt_moments *moments); /* of the values, with n - 1; of one value: 0 */

/* All sets but those of GRT_OUTCOME_NONE: the ratio is of these. */
uint64_t grt_tally_sets(const struct grt_tally *tally);

/* An interval of a proportion, 0 to 1. */
struct grt_interval {
    double low, high;
};

/* E. B. Wilson, Probable inference, the law of succession, and statistical inference, J. American Statistical Association 22, 1927: of `yes` among `all`, with
 * z = 1.959964 for 95 percent. Of none: 0 to 1. */
struct grt_interval grt_wilson(uint64_t yes, uint64_t all, double z);
#define GRT_WILSON_95 1.959963984540054

#endif
