#include "models/device/token_bucket.h"

static grt_signed_wide refill(const struct grt_token_bucket *bucket) {
    return (grt_signed_wide)bucket->interval * bucket->share * GRT_TOKENS_PER_VPROCESSOR;
}

/* All refills until now, one at `now` included. A bucket that is not in debt is full after the first. */
static void refill_until(struct grt_token_bucket *bucket, grt_time now) {
    int64_t number = now / bucket->interval;
    if (number > bucket->refills) {
        grt_signed_wide full = refill(bucket);
        grt_signed_wide tokens = bucket->tokens + full * (number - bucket->refills);
        bucket->tokens = tokens < full ? tokens : full;
        bucket->refills = number;
    }
}

static grt_time next_refill(const struct grt_token_bucket *bucket) {
    return (bucket->refills + 1) * bucket->interval;
}

/* The work of the next launch. */
static grt_time next_launch(const struct grt_token_bucket *bucket) {
    grt_time left = bucket->work - bucket->covered;
    return bucket->launch > 0 && bucket->launch < left ? bucket->launch : left;
}

struct grt_token_bucket grt_token_bucket_start(grt_time interval, grt_time launch, int64_t share,
                                               grt_time now) {
    struct grt_token_bucket bucket = {
        .interval = interval, .launch = launch, .refills = now / interval, .share = share};
    bucket.tokens = refill(&bucket);
    return bucket;
}

int64_t grt_token_bucket_rate(const struct grt_usage *usage) {
    double rate = (double)GRT_FULL_SHARE * (double)GRT_TOKENS_PER_VPROCESSOR * usage->sm_utilisation *
                  (1 - usage->host_fraction);
    return rate < 1 ? 1 : (int64_t)(rate + 0.5);
}

void grt_token_bucket_begin(struct grt_token_bucket *bucket, int64_t rate, grt_time work, grt_time now) {
    refill_until(bucket, now);
    bucket->rate = rate;
    bucket->work = work;
    bucket->covered = 0;
}

void grt_token_bucket_set_share(struct grt_token_bucket *bucket, int64_t share, grt_time now) {
    refill_until(bucket, now);
    bucket->share = share;
    grt_signed_wide full = refill(bucket);
    bucket->tokens = bucket->tokens < full ? bucket->tokens : full;
}

/* How many launches are made with so many tokens, above 0: while some are left. */
static grt_signed_wide launches_for(const struct grt_token_bucket *bucket, grt_signed_wide tokens) {
    grt_signed_wide take = (grt_signed_wide)next_launch(bucket) * bucket->rate;
    return (tokens + take - 1) / take;
}

/* Launches what begins until `limit`, before which nothing is refilled: one launch after the other while more than no tokens are left. */
static void launch_until(struct grt_token_bucket *bucket, struct grt_progress progress, grt_time limit) {
    grt_progress_advance(&progress, limit);
    if (progress.done < bucket->covered || bucket->tokens <= 0) {
        return;
    }
    grt_time launch = next_launch(bucket);
    grt_signed_wide launches = (progress.done - bucket->covered) / launch + 1;
    grt_signed_wide paid = launches_for(bucket, bucket->tokens);
    launches = launches < paid ? launches : paid;
    grt_signed_wide left = bucket->work - bucket->covered;
    grt_time work = (grt_time)(launches * launch < left ? launches * launch : left);
    bucket->tokens -= (grt_signed_wide)work * bucket->rate;
    bucket->covered += work;
}

bool grt_token_bucket_advance(struct grt_token_bucket *bucket, const struct grt_progress *progress,
                              grt_time now) {
    for (grt_time next = next_refill(bucket); next <= now && bucket->covered < bucket->work;
         next = next_refill(bucket)) {
        launch_until(bucket, *progress, next - 1);
        refill_until(bucket, next);
    }
    refill_until(bucket, now);
    if (bucket->covered < bucket->work) {
        launch_until(bucket, *progress, now);
    }
    struct grt_progress reached = *progress;
    grt_progress_advance(&reached, now);
    return bucket->covered == bucket->work || bucket->covered > reached.done;
}

/* The refill with which there is more than none. */
static grt_time next_tokens(const struct grt_token_bucket *bucket) {
    grt_signed_wide full = refill(bucket);
    if (full == 0) {
        return GRT_TIME_NEVER;
    }
    grt_signed_wide at = (bucket->refills + 1 - bucket->tokens / full) * bucket->interval;
    return at < GRT_TIME_NEVER ? (grt_time)at : GRT_TIME_NEVER;
}

grt_time grt_token_bucket_next(const struct grt_token_bucket *bucket, const struct grt_progress *progress) {
    if (bucket->covered == bucket->work) {
        return GRT_TIME_NEVER;
    }
    if (bucket->tokens <= 0 && bucket->covered <= progress->done) {
        return next_tokens(bucket);
    }
    /* Refills only add: as many launches as there are tokens for are sure. */
    grt_signed_wide sure = bucket->covered;
    if (bucket->tokens > 0) {
        sure += launches_for(bucket, bucket->tokens) * next_launch(bucket);
    }
    bool stands = progress->speed == 0; /* for another reason */
    return stands || sure >= bucket->work ? GRT_TIME_NEVER : grt_progress_end(progress, (grt_time)sure);
}
