/* A share as a limit of utilisation over time instead of a part of the SMs: a kernel goes at full speed while its stream has tokens, and stands
 * still while it has none (rule F4). Plain, for one stream; driven by whoever has its clock and the kernel's progress.
 *
 * Source: J. Gu, S. Song, Y. Li, H. Luo: "GaiaGPU: Sharing GPUs in Container Clouds", ISPA 2018, which WAMP2S uses for its shares: launches take
 * tokens by their size, and a control loop gives new ones by the share.
 * Implements: at every multiple of `interval` a stream gets interval * share tokens, and keeps what one interval gives at most. A kernel is
 * launched in pieces of `launch` ns of work. A piece takes its tokens in advance, all of them, when more than none is left: tokens may
 * so fall below zero, and what was taken too much is made up for by standing still.
 * Deviates: 1. GaiaGPU steers how many tokens it gives by the utilisation that it measures; here it is what the share says.
 *
 * A token is a millionth of a vprocessor for one ns. A kernel's speed is so at most share / (100 u (1 - h)) in the long run. It is less than the
 * smaller of that and 1 by at most one launch's tokens per interval: where a launch is under way at a refill and tokens are left, these are
 * lost. Nothing is lost where launches fit the interval without a rest. In any span a kernel takes at most one interval's tokens
 * more than are given in it, and one launch's. */
#ifndef GRT_MODELS_DEVICE_TOKEN_BUCKET_H
#define GRT_MODELS_DEVICE_TOKEN_BUCKET_H

#include <stdbool.h>

#include "models/device/progress.h"
#include "models/usage.h"
#include "sim/time.h"

#define GRT_TOKENS_PER_VPROCESSOR INT64_C(1000000) /* and ns */

struct grt_token_bucket {
    grt_time interval, launch; /* ns; above 0, and 0 or more: 0: a kernel is one launch */
    grt_signed_wide tokens;    /* after the refill number `refills` */
    int64_t refills;           /* the last one at refills * interval */
    int64_t share;             /* 0 to 100 */
    /* Of the kernel at the head of the stream. */
    int64_t rate;           /* tokens that it takes for a ns of work */
    grt_time work, covered; /* all of it; how much of it has its tokens */
};

/* A full bucket, without a kernel. `interval` is above 0. */
struct grt_token_bucket grt_token_bucket_start(grt_time interval, grt_time launch, int64_t share,
                                               grt_time now);

/* The tokens that a kernel takes for a ns of work: 1 or more. */
int64_t grt_token_bucket_rate(const struct grt_usage *usage);

/* A kernel of `work` ns begins now. It launches nothing until it is advanced, to now with a progress that starts now. */
void grt_token_bucket_begin(struct grt_token_bucket *bucket, int64_t rate, grt_time work, grt_time now);

/* The share is another from now on: tokens beyond what it gives in an interval are lost now, and the next refill is by it; one that is due now
 * still by the old one. What was launched goes on, even if the share is 0. To be called after the kernel was advanced to now. */
void grt_token_bucket_set_share(struct grt_token_bucket *bucket, int64_t share, grt_time now);

/* Launches what the kernel launches until now and returns whether it runs; if not, it is to stand still (speed 0). `progress` is how far it is
 * and how fast it went since then. To be called when the kernel begins, before its speed or share changes, at its end, and at
 * grt_token_bucket_next. */
bool grt_token_bucket_advance(struct grt_token_bucket *bucket, const struct grt_progress *progress,
                              grt_time now);

/* When it may stop, or if it stands still for want of tokens, when it may go on; for a kernel that was advanced to now and whose progress has
 * the speed that it has from now on. It need not stop then: advance tells. GRT_TIME_NEVER if it has tokens for all of its work, or
 * will never have any. */
grt_time grt_token_bucket_next(const struct grt_token_bucket *bucket, const struct grt_progress *progress);

#endif
