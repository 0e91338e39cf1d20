/* labels: soak */
/* Algorithm 1 of WAMP2S: vectors worked out by hand, and random states against a plain second version, line by line as printed. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "models/usage.h"
#include "policies/shares/allocate.h"
#include "sim/random.h"
#include "tests/support/suite.h"

enum { MOST = 12 };

/* ---- lines of the matrix ---- */

/* `time` ns with all, inversely with the share as long as that is below `enough`. */
static void fill(grt_time *times, grt_time time, int64_t enough) {
    times[0] = GRT_TIME_NEVER;
    for (int64_t share = 1; share <= GRT_FULL_SHARE; share++) {
        times[share] = share >= enough ? time : (time * enough + share - 1) / share;
    }
}

static grt_time inverse[GRT_FULL_SHARE + 1]; /* 1000 ns with 100, 2000 with 50, 100000 with 1 */
static grt_time half[GRT_FULL_SHARE + 1];    /* 1000 ns with 50 to 100, 2000 with 25 */

static void fill_lines(void) {
    fill(inverse, 1000, 100);
    fill(half, 1000, 50);
}

static struct shares_demand demand(grt_time slack, uint64_t weight) {
    return (struct shares_demand){
        .times = inverse, .enough = 100, .share = 100, .remaining = 1000, .slack = slack, .weight = weight};
}

/* Whether a set is shared out as said, with that verdict. */
static bool gets(const struct shares_demand *demands, uint32_t count, enum shares_variant variant,
                 bool verdict, const int64_t *expected) {
    int64_t shares[MOST];
    memset(shares, 0xff, sizeof shares);
    bool good = shares_allocate(demands, count, variant, shares) == verdict;
    for (uint32_t i = 0; i < count; i++) {
        good &= shares[i] == expected[i];
    }
    for (uint32_t i = 0; !good && i < count; i++) {
        fprintf(stderr, "variant %d: %lld instead of %lld\n", (int)variant, (long long)shares[i],
                (long long)expected[i]);
    }
    return good;
}

#define GETS(demands, variant, verdict, ...)                                                                 \
    CU_ASSERT(gets(demands, sizeof(demands) / sizeof((demands)[0]), variant, verdict,                        \
                   (const int64_t[]){__VA_ARGS__}))

/* ---- what is needed ---- */

static void needs(void) {
    struct shares_demand one = demand(2000, 1);
    CU_ASSERT_EQUAL(shares_needed(&one), 50);
    one.slack = 1999; /* 51 vprocessors take 1961 ns */
    CU_ASSERT_EQUAL(shares_needed(&one), 51);
    one.slack = 1000;
    CU_ASSERT_EQUAL(shares_needed(&one), 100);
    one.slack = 999;
    CU_ASSERT_EQUAL(shares_needed(&one), SHARES_NEVER);
    one.slack = 100000;
    CU_ASSERT_EQUAL(shares_needed(&one), 1);
    one.slack = 0;
    CU_ASSERT_EQUAL(shares_needed(&one), SHARES_NEVER);
    one.slack = -5;
    CU_ASSERT_EQUAL(shares_needed(&one), SHARES_NEVER);
    one.slack = GRT_TIME_NEVER;
    CU_ASSERT_EQUAL(shares_needed(&one), 1);
}

/* Equation (12): what was predicted for 40 vprocessors is carried over to others by the line. The second kind is done as fast with 50 as with
 * 100. */
static void needs_from_another_share(void) {
    struct shares_demand one = demand(5000, 1);
    one.share = 40; /* alone 2500 ns; beside the others 3000 are predicted, a fifth more */
    one.remaining = 3000;
    CU_ASSERT_EQUAL(shares_needed(&one),
                    25); /* 4167 ns alone are allowed, 24 take a third of a nanosecond more */
    one.times = half;
    one.share = 25;
    one.remaining = 1000; /* half of it is done */
    one.slack = 500;
    CU_ASSERT_EQUAL(shares_needed(&one), 50);
    one.slack = 499;
    CU_ASSERT_EQUAL(shares_needed(&one), SHARES_NEVER);
}

/* Slack and times near the limit, where products are 10^36. */
static void needs_of_years(void) {
    static grt_time years[GRT_FULL_SHARE + 1];
    for (int64_t share = 1; share <= GRT_FULL_SHARE; share++) {
        years[share] = share >= 50 ? GRT_TIME_LIMIT / 2 : GRT_TIME_LIMIT;
    }
    struct shares_demand one = demand(GRT_TIME_LIMIT / 2, 1);
    one.times = years;
    one.remaining = (double)(GRT_TIME_LIMIT / 2);
    CU_ASSERT_EQUAL(shares_needed(&one), 50);
    one.slack = GRT_TIME_LIMIT;
    CU_ASSERT_EQUAL(shares_needed(&one), 1);
}

/* ---- sharing out ---- */

/* 50 + 25 + 20 = 95. Of the 5 that are left, 5 * 3 / 6 = 2.5, 1.67 and 0.83. */
static void what_is_left_over(void) {
    struct shares_demand set[] = {demand(2000, 3), demand(4000, 2), demand(5000, 1)};
    GETS(set, SHARES_CORRECTED, true, 54, 26, 20);
    GETS(set, SHARES_PAPER, true, 52, 26, 20);
    GETS(set, SHARES_LISTING, true, 2, 1, 0);
}

/* Finding 1: 50 + 25 + 25 = 100. */
static void exactly_all(void) {
    struct shares_demand set[] = {demand(2000, 3), demand(4000, 2), demand(4000, 1)};
    GETS(set, SHARES_CORRECTED, true, 50, 25, 25);
    GETS(set, SHARES_PAPER, false, 50, 25, 0);
    GETS(set, SHARES_LISTING, false, 0, 0, 0);
}

/* Finding 9: the second one needs 80 where 50 are left. The third one needs 10, and gets it where one goes on; the 40 that are left then are for
 * the second. */
static void one_does_not_fit(void) {
    struct shares_demand set[] = {demand(2000, 3), demand(1250, 2), demand(10000, 1)};
    GETS(set, SHARES_CORRECTED, false, 50, 40, 10);
    GETS(set, SHARES_PAPER, false, 50, 0, 0);
}

/* It fits nowhere: the first is late, and has what it can use of what is left over, 50, since more do not help it; the rest goes to both, 40 * 1 / 3
 * and 40 * 2 / 3, and 1 to the first. */
static void one_is_late(void) {
    struct shares_demand set[] = {demand(-1, 1), demand(10000, 2)};
    set[0].times = half;
    set[0].enough = 50;
    GETS(set, SHARES_CORRECTED, false, 64, 36);
    GETS(set, SHARES_PAPER, false, 0, 0);
}

/* Two are late: the lower goes on as slowly as can be, and the higher has the rest. */
static void two_are_late(void) {
    struct shares_demand set[] = {demand(0, 1), demand(0, 2), demand(2000, 3)};
    GETS(set, SHARES_CORRECTED, false, 49, 1, 50);
    set[2].slack = 1000; /* it needs all */
    GETS(set, SHARES_CORRECTED, false, 0, 0, 100);
    set[2].slack = 1011; /* 99 */
    GETS(set, SHARES_CORRECTED, false, 1, 0, 99);
}

/* The second needs 52 with its margin, and 50 without, which is what is left. The third does not fit without its own either. */
static void margins_give_way(void) {
    struct shares_demand set[] = {demand(2000, 3), demand(1930, 2), demand(1900, 1)};
    set[1].margin = set[2].margin = 70;
    GETS(set, SHARES_CORRECTED, false, 50, 50, 0);
    set[0].slack = 4000; /* 25: now both need not */
    set[2].slack = 10000;
    GETS(set, SHARES_CORRECTED, true, 25 + 6 + 1, 52 + 4, 10 + 2);
}

static void alone(void) {
    struct shares_demand one[] = {demand(4000, 7)};
    GETS(one, SHARES_CORRECTED, true, 100);
    GETS(one, SHARES_PAPER, true, 100);
    GETS(one, SHARES_LISTING, true, 75);
    one[0].slack = 1000;
    GETS(one, SHARES_CORRECTED, true, 100);
    GETS(one, SHARES_PAPER, false, 0);
    CU_ASSERT(shares_allocate(one, 0, SHARES_CORRECTED, NULL));
    CU_ASSERT(shares_allocate(one, 0, SHARES_PAPER, NULL));
}

/* More than 100 of them: 100 have one vprocessor each. */
static void a_crowd(void) {
    struct shares_demand set[150];
    int64_t shares[150], sum = 0;
    for (int i = 0; i < 150; i++) {
        set[i] = demand(GRT_TIME_NEVER, UINT64_MAX);
    }
    CU_ASSERT_FALSE(shares_allocate(set, 150, SHARES_CORRECTED, shares));
    for (int i = 0; i < 150; i++) {
        CU_ASSERT_EQUAL(shares[i], i < 100);
    }
    CU_ASSERT(shares_allocate(set, 60, SHARES_CORRECTED, shares));
    for (int i = 0; i < 60; i++) {
        sum += shares[i];
    }
    CU_ASSERT_EQUAL(sum, 100);
    CU_ASSERT_EQUAL(shares[0], 41);
}

/* ---- against a second version ---- */

/* FINDMINDELTA: from below, with the quotient of equation (12). */
static int64_t find_least(const struct shares_demand *one) {
    for (int64_t share = 1; share <= 100; share++) {
        double takes = (double)one->times[share] / (double)one->times[one->share] * one->remaining;
        if (one->slack == GRT_TIME_NEVER || takes <= (double)one->slack) {
            return share;
        }
    }
    return 1000;
}

static struct shares_demand without_margin(const struct shares_demand *one) {
    struct shares_demand late = *one;
    late.slack += one->margin;
    return late;
}

/* Lines 1 to 37 with the flaws or without. */
static bool plain(const struct shares_demand *set, int count, bool corrected, int64_t *shares) {
    int64_t sum = 0;
    double weights = 0;
    bool late[MOST] = {false}, verdict = true;
    assert(count > 0);
    for (int i = 0; i < count; i++) {
        const struct shares_demand late_one = without_margin(&set[i]);
        int64_t least = find_least(&set[i]);
        least = corrected && sum + least > 100 ? find_least(&late_one) : least;
        if (corrected ? sum + least <= 100 : sum + least < 100) {
            shares[i] = least;
            sum += least;
        } else if (corrected) {
            shares[i] = 0;
            late[i] = true;
            verdict = false;
        } else {
            for (int m = i; m < count; m++) {
                shares[m] = 0;
            }
            return false;
        }
    }
    for (int i = 0; i < count; i++) {
        weights += (double)set[i].weight;
        shares[i] += late[i] && sum < 100;
        sum += late[i] && sum < 100;
    }
    for (int i = 0; i < count; i++) {
        while (late[i] && sum < 100 && shares[i] < find_least(&set[i]) &&
               (find_least(&set[i]) <= 100 || shares[i] < set[i].enough)) {
            shares[i]++;
            sum++;
        }
    }
    for (int i = 0, rest = (int)(100 - sum); i < count && sum < 100; i++) {
        int64_t part = (int64_t)floor((double)rest * (double)set[i].weight / weights);
        shares[i] += part;
    }
    sum = 0;
    for (int i = 0; i < count; i++) {
        sum += shares[i];
    }
    shares[0] += corrected ? 100 - sum : 0;
    return verdict;
}

/* Both ends included. */
static int64_t range(struct grt_random *random, int64_t least, int64_t most) {
    return least + (int64_t)grt_random_below(random, (uint64_t)(most - least + 1));
}

static void draw(struct grt_random *random, grt_time (*lines)[GRT_FULL_SHARE + 1],
                 struct shares_demand *one) {
    grt_time *times = *lines;
    one->enough = range(random, 1, 100);
    fill(times, range(random, 1000, 1000000), one->enough);
    one->times = times;
    one->share = range(random, 1, 100);
    one->remaining = (double)times[one->share] * (double)range(random, 1, 1500) / 1000;
    one->slack = (grt_time)(one->remaining * (double)range(random, 0, 8000) / 1000) - 10;
    one->margin = range(random, 0, 1) * range(random, 0, one->slack > 0 ? one->slack / 10 : 0);
    one->weight = (uint64_t)range(random, 1, 10);
}

/* The two divide in another order, so that a need at the very edge may differ by one: then the set is left out, and there must be few. */
static bool needs_agree(const struct shares_demand *set, int count) {
    bool good = true;
    for (int i = 0; i < count; i++) {
        int64_t least = find_least(&set[i]);
        const struct shares_demand late = without_margin(&set[i]);
        int64_t least_late = find_least(&late);
        good &= shares_needed(&set[i]) == (least > 100 ? SHARES_NEVER : least) &&
                shares_needed(&late) == (least_late > 100 ? SHARES_NEVER : least_late);
    }
    return good;
}

static void random_states(void) {
    static grt_time lines[MOST][GRT_FULL_SHARE + 1];
    struct grt_random random = grt_random_of_key(7);
    int cases = grt_suite_cases(20000, 1000000), edges = 0, wrong = 0, failed = 0;
    for (int i = 0; i < cases; i++) {
        struct shares_demand set[MOST];
        int64_t got[MOST], expected[MOST];
        int count = (int)range(&random, 1, MOST);
        for (int j = 0; j < count; j++) {
            draw(&random, &lines[j], &set[j]);
        }
        if (!needs_agree(set, count)) {
            edges++;
            continue;
        }
        for (int corrected = 0; corrected < 2; corrected++) {
            bool good = shares_allocate(set, (uint32_t)count, corrected ? SHARES_CORRECTED : SHARES_PAPER,
                                        got) == plain(set, count, corrected, expected);
            int64_t sum = 0;
            for (int j = 0; j < count; j++) {
                good &= got[j] == expected[j] && got[j] >= 0;
                sum += got[j];
            }
            wrong += !good || sum > 100 || (corrected && sum != 100);
            failed += sum < 100;
        }
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(edges <= cases / 1000);
    CU_ASSERT(failed > cases / 10); /* the paper's idles */
}

int main(void) {
    CU_TestInfo tests[] = {
        {"what is needed", needs},
        {"needed from another share", needs_from_another_share},
        {"needed in years", needs_of_years},
        {"what is left over", what_is_left_over},
        {"exactly all", exactly_all},
        {"one does not fit", one_does_not_fit},
        {"one is late", one_is_late},
        {"two are late", two_are_late},
        {"margins give way", margins_give_way},
        {"alone", alone},
        {"a crowd", a_crowd},
        {"random states", random_states},
        CU_TEST_INFO_NULL,
    };
    fill_lines();
    return grt_suite_run("sharing out vprocessors", tests);
}
