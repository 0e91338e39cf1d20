/* Who notes how wrong estimates of remaining times are where everybody keeps his share: what Y. Yao et al., "WAMP2S", IEEE TPDS 33(11), 2022, measure in
 * section 6.2.2, equation (11). An application, a GPU segment with kernels, is estimated when it has been submitted, and again whenever another one begins
 * or ends on its GPU: that changes its workload. Nobody can know what changes are ahead.
 *
 * Predictions are those of `wamp2s` with two rounds: of all that run a monitor sees what they do at that instant, and who just begins counts at his speed
 * alone; then all is predicted once more beside the speeds that were predicted. Nothing that happens depends on it. */
#ifndef GRT_POLICIES_SHARES_OBSERVER_H
#define GRT_POLICIES_SHARES_OBSERVER_H

#include "models/policy.h"
#include "policies/shares/matrix.h"
#include "policies/shares/parameters.h"
#include "policies/shares/predictor.h"

struct shares_observer;

/* Makes one in `start`. All that is given must stay, `streams` and `shares` by task; its memory is the world's. */
struct shares_observer *shares_observer_create(struct grt_world *world, const struct static_parameters *given,
                                               const struct shares_matrix *matrix, const grt_stream *streams,
                                               const int64_t *shares);

/* A job's GPU segment was submitted, after those that this was told of before. In `decide`. */
void shares_observer_begin(struct shares_observer *observer, const struct grt_world *world, grt_job job);

/* It is over; if its job is alive, what was estimated is held against what came. In `gpu_done`. */
void shares_observer_end(struct shares_observer *observer, const struct grt_world *world, grt_job job);

/* Estimates where the workload has changed. Last in `decide`. */
void shares_observer_estimate(struct shares_observer *observer, struct grt_world *world);

/* Tells the errors. In `conclude`. */
void shares_observer_describe(const struct shares_observer *observer, struct grt_description *out);

#endif
