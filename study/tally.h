/* What was counted of many task sets: verdicts, and moments of measures. Added up chunk by chunk in the order of the chunks, so that the same
 * numbers come out whoever has worked on what. */
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
extern const char *const *const grt_outcome_names;

/* The values of one measure. Times in ns. The sum is kept to twice the digits of a double, and squares are of the differences from the mean, so
 * that values that are large and near to each other keep their deviation. */
struct grt_moments {
    uint64_t count;   /* of sets that had a value */
    double sum, rest; /* the sum of the values is both together; rest is below the last digit of sum */
    double squares;   /* sum of (value - mean)^2; infinite where it is not a finite number */
    double least, most;
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

/* Of the values, with n - 1; of fewer than two: not a number. */
double grt_moments_deviation(const struct grt_moments *moments);

/* All sets but those of GRT_OUTCOME_NONE: the ratio is of these. */
uint64_t grt_tally_sets(const struct grt_tally *tally);

/* An interval: of a proportion, 0 to 1, or of a mean. */
struct grt_interval {
    double low, high;
};

/* E. B. Wilson, Probable inference, the law of succession, and statistical inference, J. American Statistical Association 22, 1927: of `yes` among `all`, with
 * z = 1.959964 for 95 percent. Of none: 0 to 1. */
struct grt_interval grt_wilson(uint64_t yes, uint64_t all, double z);
#define GRT_WILSON_95 1.959963984540054

/* The same of a proportion among a number that need not be whole. */
struct grt_interval grt_wilson_of(double proportion, double all, double z);

/* The 95 percent interval of the mean of all sets that could be drawn: mean +- t deviation / sqrt(n), with Student's t of n - 1 degrees of freedom (Student,
 * The probable error of a mean, Biometrika 6, 1908). Of fewer than two values there is none: not numbers. */
struct grt_interval grt_moments_interval(const struct grt_moments *moments);

/* The same where only `independent` values of them are independent of each other, 1 or more: t of `independent` - 1 degrees of freedom. */
struct grt_interval grt_moments_interval_of(const struct grt_moments *moments, double independent);

/* What 97.5 percent of Student's distribution are below, to 4 digits at least; `freedom` of 1 or more. Below 10 it is rounded down to a whole number,
 * so that intervals are rather too wide. */
double grt_student_975(double freedom);

#endif
