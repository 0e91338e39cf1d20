/* labels: soak */
/* How many random sets pass, as in section VI.C of H. Kim and others, "A Server-based Approach for Predictable GPU Access Control", RTCSA 2017,
 * with analyses that differ in nothing but their rules. The shares expected are those of an implementation of its own in another
 * language, of 400 or 1000 sets a point; what is drawn is not the same, so that shares may differ by three standard deviations of both. */
#include <math.h>
#include <stdio.h>

#include "tests/support/lock_sets.h"
#include "tests/support/suite.h"

static const struct grt_lock_costs no_costs = {0, 0};

/* The published form of MPCP's equations, with each W'. */
#define PUBLISHED(hold)                                                                                      \
    {                                                                                                        \
        .bound = GRT_LOCK_BY_REQUEST, .jitter = GRT_LOCK_JITTER_RESPONSE, .carry = GRT_LOCK_CARRY_ONE_MORE,  \
        .holding = (hold), .boosted = GRT_LOCK_BOOSTED_EVERY                                                 \
    }

enum { PRINTED, SMALLER, NO_JITTER, DEFAULT, FORMS };

static const struct grt_mpcp_rules mpcp_forms[] = {
    PUBLISHED(GRT_LOCK_HOLDING_SOUND),
    PUBLISHED(GRT_LOCK_HOLDING_LOCAL_HIGHER),
    PUBLISHED(GRT_LOCK_HOLDING_LOCAL),
    PUBLISHED(GRT_LOCK_HOLDING_ANY_CORE),
    {.carry = GRT_LOCK_CARRY_ONE_MORE, .boosted = GRT_LOCK_BOOSTED_EVERY},
    {.bound = GRT_LOCK_SMALLER}};

static const struct grt_server_rules server_forms[] = {
    {.bound = GRT_LOCK_BY_REQUEST,
     .jitter = GRT_LOCK_JITTER_RESPONSE,
     .carry = GRT_LOCK_CARRY_ONE_MORE,
     .server = GRT_LOCK_SERVER_DEADLINE},
    {.jitter = GRT_LOCK_JITTER_RESPONSE,
     .carry = GRT_LOCK_CARRY_ONE_MORE,
     .server = GRT_LOCK_SERVER_DEADLINE},
    {.carry = GRT_LOCK_CARRY_ONE_MORE, .server = GRT_LOCK_SERVER_DEADLINE},
    {.bound = GRT_LOCK_SMALLER}};

struct shares {
    int sets;
    double mpcp[6], fmlp, server[FORMS]; /* percent */
};

static int passes_server(const struct lock_sets_set *set, struct grt_server_rules rules,
                         struct grt_lock_result *result) {
    rules.core = set->server_core;
    rules.epsilon = 50000;
    grt_lock_server(set->tasks, set->count, &no_costs, &rules, result);
    return result->schedulable;
}

static void count_set(struct shares *shares, const struct lock_sets_set *set) {
    int64_t response[LOCK_SETS_TASKS];
    struct grt_lock_result result = {.response = response, .most_steps = INT64_C(1) << 26};
    for (int i = 0; i < 6; i++) {
        grt_lock_mpcp(set->tasks, set->count, &no_costs, &mpcp_forms[i], &result);
        shares->mpcp[i] += result.schedulable;
    }
    grt_lock_fmlp(set->tasks, set->count, &no_costs, &(struct grt_fmlp_rules){0}, &result);
    shares->fmlp += result.schedulable;
    for (int i = 0; i < FORMS; i++) {
        shares->server[i] += passes_server(set, server_forms[i], &result);
    }
}

static struct shares shares_of(int gpu) {
    struct lock_sets_rules rules = {
        .cores = 4, .least_tasks = 3, .most_tasks = 5, .least_gpu = gpu, .most_gpu = gpu};
    struct grt_random random = grt_random_stream(7, "locks", (uint64_t)gpu, 0);
    struct shares shares = {.sets = grt_suite_cases(1000, 10000)};
    for (int i = 0; i < shares.sets; i++) {
        struct lock_sets_set set;
        lock_sets_draw(&set, &rules, &random);
        count_set(&shares, &set);
    }
    for (int i = 0; i < 6; i++) {
        shares.mpcp[i] *= 100.0 / shares.sets;
    }
    for (int i = 0; i < FORMS; i++) {
        shares.server[i] *= 100.0 / shares.sets;
    }
    shares.fmlp *= 100.0 / shares.sets;
    return shares;
}

static void expect(const char *what, double found, int sets, double expected, int expected_sets) {
    double p = expected / 100.0;
    double deviation = 100.0 * sqrt(p * (1.0 - p) * (1.0 / sets + 1.0 / expected_sets));
    bool near = fabs(found - expected) <= 3.0 * deviation;
    printf("%-44s %5.1f %%, expected %5.1f%s\n", what, found, expected, near ? "" : ", which is too far");
    CU_ASSERT_TRUE(near);
}

static void holding_decides(void) {
    static const struct {
        int gpu;
        double mpcp[4], server;
    } points[] = {{60, {48.1, 12.1, 0.3, 0.4}, 56.3}, {40, {87.7, 69.1, 24.6, 20.2}, 91.0}};
    static const char *const names[] = {"MPCP, W' = G", "MPCP, W' with local more urgent tasks",
                                        "MPCP, W' with all local tasks",
                                        "MPCP, W' with more urgent tasks anywhere"};
    for (int i = 0; i < 2; i++) {
        struct shares shares = shares_of(points[i].gpu);
        printf("%d %% of the tasks use the GPU\n", points[i].gpu);
        for (int j = 0; j < 4; j++) {
            expect(names[j], shares.mpcp[j], shares.sets, points[i].mpcp[j], 1000);
        }
        expect("server, equations (1) to (4)", shares.server[PRINTED], shares.sets, points[i].server, 1000);
    }
}

static void equally_tight(void) {
    struct shares shares = shares_of(60);
    printf("60 %% of the tasks use the GPU\n");
    expect("MPCP, W' = G", shares.mpcp[0], shares.sets, 48.8, 400);
    expect("MPCP, smaller wait, no jitter without requests", shares.mpcp[4], shares.sets, 83.8, 400);
    expect("server, equations (1) to (4)", shares.server[PRINTED], shares.sets, 55.8, 400);
    expect("server, smaller wait", shares.server[SMALLER], shares.sets, 91.2, 400);
    expect("server, and no jitter without requests", shares.server[NO_JITTER], shares.sets, 92.8, 400);
    printf("defaults: MPCP %.1f %%, FMLP+ %.1f %%, server %.1f %%\n", shares.mpcp[5], shares.fmlp,
           shares.server[DEFAULT]);
    CU_ASSERT_TRUE(shares.mpcp[5] >= shares.mpcp[4]);
    CU_ASSERT_TRUE(shares.server[DEFAULT] >= shares.server[NO_JITTER]);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"what is taken for the time that a lock is held decides", holding_decides},
        {"with equally tight analyses", equally_tight},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("kim_rtcsa_2017_shares", tests);
}
