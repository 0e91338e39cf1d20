/* How good a scheduler's estimates of the remaining time are: figures 12 and 13 of Y. Yao et al., "WAMP2S", IEEE TPDS 33(11), 2022. At every
 * change an application's remaining time is estimated; when it has ended, each is held against the time that it did take from there on. The errors
 * are sorted by the normalised completion rate at which the estimates were made (figure 13); some may be chosen by that, or by which of its
 * segment's estimates each was (figure 12). */
#ifndef GRT_POLICIES_SHARES_ESTIMATES_H
#define GRT_POLICIES_SHARES_ESTIMATES_H

#include "models/policy.h"
#include "policies/shares/parameters.h"
#include "policies/shares/progress.h"

/* Of the estimates during one segment so many are kept, the first ones. */
enum { SHARES_ESTIMATES = 32, SHARES_ERROR_BINS = 20 };

struct shares_estimate {
    double done, left; /* theta; ns */
    grt_time at;
};

struct shares_estimates {
    struct shares_estimate items[SHARES_ESTIMATES];
    uint32_t count;
};

/* Of so many estimates. */
struct shares_error {
    uint64_t count;
    double sum; /* of |estimate - actual| / actual */
};

/* Of all segments that have ended. */
struct shares_errors {
    struct shares_error at[SHARES_ERROR_BINS]; /* by twentieths of the completion */
    struct shares_error chosen;
};

/* Notes what is left as the open interval has it. */
void shares_estimate(struct shares_estimates *estimates, const struct shares_progress *progress,
                     grt_time now);

/* The segment has ended by itself: adds its errors to all, and those that are chosen to its task's. */
void shares_estimates_end(struct shares_estimates *estimates, grt_time now,
                          const struct shares_choice *choice, struct shares_errors *errors,
                          struct shares_error *task);

/* Of each bin that has estimates the mean error in millionths, and how many there are; of those that were chosen the mean in percent, and their number. */
void shares_errors_describe(const struct shares_errors *errors, struct grt_description *out);

/* The mean error of those of a task that were chosen, in percent, if there are any. */
void shares_task_error_describe(const struct shares_error *error, uint32_t task, struct grt_description *out);

#endif
