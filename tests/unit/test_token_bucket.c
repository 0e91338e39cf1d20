/* labels: soak */
/* Tokens of a stream's share: by hand, in the long run, and against a reference that goes ns by ns. */
#include <math.h>

#include "models/device/token_bucket.h"
#include "sim/random.h"
#include "tests/support/pick.h"
#include "tests/support/suite.h"

/* A kernel and its bucket, driven as a device drives them. */
struct driven {
    struct grt_token_bucket bucket;
    struct grt_progress progress;
    uint64_t speed; /* while it runs */
    grt_time now;
    bool runs;
};

static void settle(struct driven *kernel) {
    kernel->runs = grt_token_bucket_advance(&kernel->bucket, &kernel->progress, kernel->now);
    grt_progress_advance(&kernel->progress, kernel->now);
    kernel->progress.speed = kernel->runs ? kernel->speed : 0;
}

static struct driven drive(grt_time interval, grt_time launch, int64_t share, int64_t rate, grt_time work) {
    struct driven kernel = {.bucket = grt_token_bucket_start(interval, launch, share, 0),
                            .progress = grt_progress_start(0),
                            .speed = GRT_FULL_SPEED};
    grt_token_bucket_begin(&kernel.bucket, rate, work, 0);
    settle(&kernel);
    return kernel;
}

static grt_time next(const struct driven *kernel) {
    return grt_token_bucket_next(&kernel->bucket, &kernel->progress);
}

/* To an instant, event by event; how many there were. */
static uint64_t go(struct driven *kernel, grt_time until) {
    uint64_t events = 0;
    for (grt_time at = next(kernel); at <= until; at = next(kernel)) {
        kernel->now = at;
        settle(kernel);
        events++;
    }
    kernel->now = until;
    settle(kernel);
    return events;
}

static int64_t rate_of(double vprocessors) {
    return grt_token_bucket_rate(&(struct grt_usage){.sm_utilisation = vprocessors / 100});
}

static void takes_what_it_fills(void) {
    struct grt_usage usage = {.sm_utilisation = 0.5, .host_fraction = 0.2};
    CU_ASSERT(grt_token_bucket_rate(&usage) == 40 * GRT_TOKENS_PER_VPROCESSOR);
    usage = (struct grt_usage){.sm_utilisation = 2.0 / 3};
    CU_ASSERT(grt_token_bucket_rate(&usage) == 66666667);
    usage.sm_utilisation = 1e-12;
    CU_ASSERT(grt_token_bucket_rate(&usage) == 1);
}

/* 30 of 60 vprocessors, 100 ns, launches of 20: 3,000 tokens are 2.5 launches, the third is taken in advance and leaves -600, which the
 * refill at 100 makes up for: of its 2,400, two launches. */
static void stops_and_goes_on(void) {
    struct driven kernel = drive(100, 20, 30, rate_of(60), 1000);
    CU_ASSERT(kernel.runs && next(&kernel) == 60);
    go(&kernel, 60);
    CU_ASSERT(!kernel.runs && kernel.progress.done == 60 && next(&kernel) == 100);
    CU_ASSERT(kernel.bucket.tokens == -600 * GRT_TOKENS_PER_VPROCESSOR);
    go(&kernel, 100);
    CU_ASSERT(kernel.runs && kernel.progress.done == 60 && next(&kernel) == 140);
    go(&kernel, 140);
    CU_ASSERT(!kernel.runs && kernel.bucket.tokens == 0 && next(&kernel) == 200);
}

static void waits_as_long_as_its_debt(void) {
    struct driven kernel = drive(10, 0, 1, rate_of(100), 95); /* one launch: 9,500 tokens of 10 an interval */
    CU_ASSERT(kernel.runs && next(&kernel) == GRT_TIME_NEVER);
    go(&kernel, 95);
    grt_token_bucket_begin(&kernel.bucket, rate_of(100), 95, 95);
    kernel.progress = grt_progress_start(95);
    settle(&kernel);
    CU_ASSERT(!kernel.runs && next(&kernel) == 9500); /* 10 - 9,500 + 949 * 10 is 0, and more is needed */
}

static void keeps_one_interval(void) {
    struct driven kernel = drive(100, 10, 50, rate_of(100), 10);
    go(&kernel, 1000000);
    CU_ASSERT(kernel.bucket.tokens == 5000 * GRT_TOKENS_PER_VPROCESSOR);
    CU_ASSERT(kernel.progress.done >= 10);
}

static void heeds_its_share(void) {
    struct driven kernel = drive(100, 10, 0, rate_of(100), 1000);
    CU_ASSERT(!kernel.runs && next(&kernel) == GRT_TIME_NEVER);
    go(&kernel, 150);
    grt_token_bucket_set_share(&kernel.bucket, 100, 150);
    CU_ASSERT(next(&kernel) == 200);
    go(&kernel, 260);
    CU_ASSERT(kernel.runs && kernel.progress.done == 60);
    grt_token_bucket_set_share(&kernel.bucket, 0, 260); /* the launch that begins now goes on */
    go(&kernel, 1000);
    CU_ASSERT(!kernel.runs && kernel.progress.done == 70);
}

/* A stream without a kernel gets tokens, too: 95 ns of debt at 100 vprocessors, 9,500, of which ten intervals pay 10 each. */
static void fills_up_without_a_kernel(void) {
    struct driven kernel = drive(10, 0, 1, rate_of(100), 95);
    go(&kernel, 95);
    grt_token_bucket_set_share(&kernel.bucket, 100, 105);
    CU_ASSERT(kernel.bucket.tokens == (10 - 9500 + 100) * GRT_TOKENS_PER_VPROCESSOR);
    grt_token_bucket_begin(&kernel.bucket, rate_of(1), 5, 1000);
    kernel.progress = grt_progress_start(1000);
    kernel.now = 1000;
    settle(&kernel);
    CU_ASSERT(kernel.runs && kernel.bucket.tokens == (1000 - 5) * GRT_TOKENS_PER_VPROCESSOR);
}

/* One that others leave nothing of the SMs has tokens, and nothing to wait for. */
static void waits_for_nothing_if_others_stop_it(void) {
    struct driven kernel = drive(100, 10, 50, rate_of(100), 1000);
    kernel.speed = 0;
    settle(&kernel);
    CU_ASSERT(kernel.runs && next(&kernel) == GRT_TIME_NEVER);
    kernel.now = 500;
    settle(&kernel);
    kernel.speed = GRT_FULL_SPEED;
    settle(&kernel);
    CU_ASSERT(kernel.runs && kernel.progress.done == 0 &&
              next(&kernel) == 560); /* one launch had its tokens already */
}

/* min(1, share / (100 u (1 - h))), exactly where launches fit the interval. */
static void goes_in_the_long_run_as_its_share_has_it(void) {
    for (int64_t share = 1; share <= 100; share += 11) {
        for (double fills = 3; fills <= 100; fills += 13.7) {
            struct driven kernel = drive(10000, 500, share, rate_of(fills), GRT_TIME_LIMIT);
            grt_time horizon = 10000 * 4000;
            go(&kernel, horizon);
            double mean = fmin(1, (double)share / fills);
            double slack = (10000 * (double)share / fills + 500) /
                           (double)horizon; /* the burst at the beginning, a launch */
            double speed = (double)kernel.progress.done / (double)horizon;
            CU_ASSERT(speed >= mean * (1 - 1e-9) - 500 / (double)horizon && speed <= mean + slack);
        }
    }
}

/* Launches that do not fit may lose tokens at a refill, one launch's at most; never is it faster. */
static void loses_at_most_a_launch_an_interval(void) {
    struct grt_random random = grt_random_of_key(7);
    for (int i = 0; i < 300; i++) {
        int64_t share = grt_pick(&random, 1, 100), fills = grt_pick(&random, 1, 100);
        grt_time interval = grt_pick(&random, 100, 2000), launch = grt_pick(&random, 1, interval);
        struct driven kernel = drive(interval, launch, share, rate_of((double)fills), GRT_TIME_LIMIT);
        kernel.speed = (uint64_t)grt_pick(&random, 1, 4) << 30;
        settle(&kernel);
        double horizon = (double)interval * 2000, own = (double)kernel.speed / (double)GRT_FULL_SPEED;
        go(&kernel, interval * 2000);
        double lost = (double)launch * (double)fills / ((double)interval * (double)share);
        double mean = (double)share / (double)fills, speed = (double)kernel.progress.done / horizon;
        CU_ASSERT(speed <= fmin(own, mean) + ((double)interval * mean + (double)launch) / horizon);
        CU_ASSERT(speed >= fmin(own, mean * (1 - fmin(1, lost))) - (double)launch / horizon);
    }
}

/* ---- ns by ns: the definition ---- */

struct reference {
    grt_signed_wide tokens;
    uint64_t done_fraction, covered_fraction; /* of work, in 2^-32 ns */
};

static grt_signed_wide full_of(const struct grt_token_bucket *bucket) {
    return (grt_signed_wide)bucket->interval * bucket->share * GRT_TOKENS_PER_VPROCESSOR;
}

/* No more than an interval gives. */
static void reference_cut(struct reference *reference, const struct grt_token_bucket *bucket) {
    grt_signed_wide full = full_of(bucket);
    reference->tokens = reference->tokens < full ? reference->tokens : full;
}

/* What happens at an instant: refill, and launches if what was launched is done. Whether it runs from now on. */
static bool reference_instant(struct reference *reference, const struct driven *kernel, grt_time now) {
    const struct grt_token_bucket *bucket = &kernel->bucket;
    if (now > 0 && now % bucket->interval == 0) {
        reference->tokens += full_of(bucket);
        reference_cut(reference, bucket);
    }
    while (reference->covered_fraction <= reference->done_fraction && reference->tokens > 0) {
        reference->tokens -= (grt_signed_wide)bucket->launch * bucket->rate;
        reference->covered_fraction += (uint64_t)bucket->launch << 32;
    }
    return reference->covered_fraction > reference->done_fraction;
}

static void compare_ns_by_ns(struct grt_random *random) {
    grt_time interval = grt_pick(random, 1, 300), launch = grt_pick(random, 1, 2 * interval);
    int64_t rate = grt_pick(random, 1, 100000000);
    struct driven kernel = drive(interval, launch, grt_pick(random, 0, 100), rate, GRT_TIME_LIMIT);
    struct reference reference = {.tokens =
                                      grt_token_bucket_start(interval, 1, kernel.bucket.share, 0).tokens};
    bool runs = reference_instant(&reference, &kernel, 0);
    CU_ASSERT_FATAL(runs == kernel.runs);
    grt_time change = grt_pick(random, 1, 500);
    for (grt_time now = 1; now < 3000; now++) {
        reference.done_fraction += runs ? kernel.speed : 0;
        runs = reference_instant(&reference, &kernel, now);
        if (now == change || next(&kernel) <= now) {
            CU_ASSERT_FATAL(now == change || next(&kernel) == now);
            go(&kernel, now);
            CU_ASSERT_FATAL(runs == kernel.runs && reference.tokens == kernel.bucket.tokens);
            CU_ASSERT_FATAL(reference.done_fraction >> 32 == (uint64_t)kernel.progress.done);
        }
        if (now == change) {
            change += grt_pick(random, 1, 500);
            grt_token_bucket_set_share(&kernel.bucket, grt_pick(random, 0, 100), now);
            reference_cut(&reference, &kernel.bucket);
            kernel.speed = (uint64_t)grt_pick(random, 1, 1000) * GRT_FULL_SPEED / 1000;
            settle(&kernel);
        }
    }
}

static void is_its_definition_ns_by_ns(void) {
    struct grt_random random = grt_random_of_key(3);
    int cases = grt_suite_cases(400, 100000);
    for (int i = 0; i < cases; i++) {
        compare_ns_by_ns(&random);
    }
}

static void asks_rarely(void) {
    struct driven kernel = drive(10000, 10, 30, rate_of(60), GRT_TIME_LIMIT);
    uint64_t events = go(&kernel, 10000 * 1000);
    CU_ASSERT(events <= 3 * 1000); /* not one per launch */
    kernel = drive(10000, 10, 60, rate_of(6), 1000000);
    CU_ASSERT(go(&kernel, 1000000) <= 20); /* tokens for ten intervals */
}

static void bears_the_longest_times(void) {
    struct driven kernel = drive(GRT_TIME_LIMIT, GRT_TIME_LIMIT, 100, rate_of(100), GRT_TIME_LIMIT);
    CU_ASSERT(kernel.runs && next(&kernel) == GRT_TIME_NEVER);
    kernel = drive(1, 0, 1, rate_of(100), GRT_TIME_LIMIT);
    go(&kernel, GRT_TIME_LIMIT / 4);
    CU_ASSERT(kernel.runs);
    grt_token_bucket_begin(&kernel.bucket, rate_of(100), 1, GRT_TIME_LIMIT / 4);
    kernel.progress = grt_progress_start(GRT_TIME_LIMIT / 4);
    kernel.now = GRT_TIME_LIMIT / 4;
    settle(&kernel);
    CU_ASSERT(!kernel.runs && next(&kernel) == GRT_TIME_NEVER); /* in 3,000 years */
}

int main(void) {
    CU_TestInfo tests[] = {
        {"takes what it fills", takes_what_it_fills},
        {"stops and goes on", stops_and_goes_on},
        {"waits as long as its debt", waits_as_long_as_its_debt},
        {"keeps one interval", keeps_one_interval},
        {"heeds its share", heeds_its_share},
        {"fills up without a kernel", fills_up_without_a_kernel},
        {"waits for nothing if others stop it", waits_for_nothing_if_others_stop_it},
        {"goes in the long run as its share has it", goes_in_the_long_run_as_its_share_has_it},
        {"loses at most a launch an interval", loses_at_most_a_launch_an_interval},
        {"is its definition ns by ns", is_its_definition_ns_by_ns},
        {"asks rarely", asks_rarely},
        {"bears the longest times", bears_the_longest_times},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("token bucket", tests);
}
