/* How good the scheduler's estimates of the remaining time are: figures 12 and 13 of Y. Yao et al., "WAMP2S", IEEE TPDS 33(11), 2022. At every
 * change an application's remaining time is estimated; when it has ended, each is held against the time that it did take from there on. The errors
 * are sorted by the normalised completion rate at which the estimates were made. */
#ifndef GRT_POLICIES_SHARES_ESTIMATES_H
#define GRT_POLICIES_SHARES_ESTIMATES_H

#include "models/policy.h"
#include "policies/shares/progress.h"

/* Of the estimates during one segment so many are kept, the first ones. */
enum { WAMP2S_ESTIMATES = 32, WAMP2S_ERROR_BINS = 20 };

struct wamp2s_estimate {
    double done, left; /* theta; ns */
    grt_time at;
};

struct wamp2s_estimates {
    struct wamp2s_estimate items[WAMP2S_ESTIMATES];
    uint32_t count;
};

/* Of all segments that have ended, by twentieths of the completion. */
struct wamp2s_errors {
    uint64_t count[WAMP2S_ERROR_BINS];
    double sum[WAMP2S_ERROR_BINS]; /* of |estimate - actual| / actual */
};

/* Notes what is left as the open interval has it. */
void wamp2s_estimate(struct wamp2s_estimates *estimates, const struct shares_progress *progress,
                     grt_time now);

/* The segment has ended by itself. */
void wamp2s_estimates_end(struct wamp2s_estimates *estimates, grt_time now, struct wamp2s_errors *errors);

/* The mean error of each bin that has estimates, in millionths, and how many there are. */
void wamp2s_errors_describe(const struct wamp2s_errors *errors, struct grt_description *out);

#endif
