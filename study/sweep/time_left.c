#include "study/sweep/time_left.h"

/* When the time since the run began has grown by this, the rate is taken from a later instant on: it is then that of the last 1 - 1/GROWTH^2 of the
 * run at most, and of the last 1 - 1/GROWTH at least. */
#define GROWTH 1.6

double grt_time_left(struct grt_time_left *state, const struct grt_sweep_progress *progress) {
    if (!state->started) {
        state->started = true;
        state->from.done = state->next.done = progress->resumed;
    }
    if (progress->done >= progress->total) {
        return 0;
    }
    if (progress->done <= progress->resumed) {
        return -1;
    }
    if (state->next.seconds <= 0 || progress->seconds >= GROWTH * state->next.seconds) {
        state->from = state->next;
        state->next.seconds = progress->seconds;
        state->next.done = progress->done;
    }
    uint64_t came = progress->done - state->from.done;
    double left = (progress->seconds - state->from.seconds) / (double)(came > 0 ? came : 1) *
                  (double)(progress->total - progress->done);
    return left > 1 ? left : 1;
}
