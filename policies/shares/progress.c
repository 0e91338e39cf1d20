#include "policies/shares/progress.h"

#include <math.h>

static const double least_left = 0.01;

void shares_progress_advance(struct shares_progress *progress, grt_time now) {
    grt_time spent = now - progress->since;
    if (progress->predicted > 0) {
        progress->done = fmin(1, progress->done + (double)spent / progress->predicted); /* Eq. (11) */
        progress->executed += spent;
    }
    progress->since = now;
}

void shares_progress_change(struct shares_progress *progress, grt_time now, double predicted) {
    shares_progress_advance(progress, now);
    progress->predicted = predicted;
}

double shares_progress_left(const struct shares_progress *progress, double predicted) {
    return predicted * fmax(1 - progress->done, least_left);
}
