/* Numbers for the analyses of locks and of the GPU server that are in print, in other tools' tests, or were worked out by hand. */
#include <inttypes.h>
#include <stdio.h>

#include "policies/analyses/lock.h"
#include "tests/support/reference_lock.h"
#include "tests/support/suite.h"

enum { MOST = 5 };

static const struct grt_lock_costs no_costs = {0, 0};

struct outcome {
    struct grt_lock_result result;
    int64_t response[MOST], wait[MOST];
};

static struct grt_lock_result *start(struct outcome *it) {
    *it = (struct outcome){.result = {.most_steps = 1000000}};
    it->result.response = it->response;
    it->result.wait = it->wait;
    return &it->result;
}

static void expect(const struct outcome *it, const int64_t *response, int count) {
    for (int i = 0; i < count; i++) {
        if (it->response[i] != response[i]) {
            printf("task %d: %" PRId64 " is not %" PRId64 "\n", i, it->response[i], response[i]);
        }
        CU_ASSERT_EQUAL(it->response[i], response[i]);
    }
}

static void expect_waits(const struct outcome *it, const int64_t *wait, int count) {
    for (int i = 0; i < count; i++) {
        CU_ASSERT_EQUAL(it->wait[i], wait[i]);
    }
}

/* A task of one request without host parts. */
#define ONE(c, g, t, d, p, k)                                                                                \
    {                                                                                                        \
        .normal = (c), .segments = (g), .longest_segment = (g), .requests = (g) > 0, .period = (t),          \
        .deadline = (d), .priority = (p), .core = (k)                                                        \
    }

/* ---- a set that Lakshmanan's jitter accepts with a bound of 240, and whose third task takes 279 ---- */

static const struct grt_lock_task counterexample[] = {ONE(80, 0, 140, 140, 4, 0), ONE(40, 10, 320, 320, 3, 0),
                                                      ONE(30, 0, 610, 610, 2, 0),
                                                      ONE(20, 50, 970, 970, 1, 1)};

static void jitter_of_blocking(void) {
    struct grt_mpcp_rules rules = {.bound = GRT_LOCK_BY_REQUEST,
                                   .carry = GRT_LOCK_CARRY_ONE_MORE,
                                   .jitter = GRT_LOCK_JITTER_BLOCKING,
                                   .boosted = GRT_LOCK_BOOSTED_EVERY};
    struct outcome it;
    grt_lock_mpcp(counterexample, 4, &no_costs, &rules, start(&it));
    CU_ASSERT_TRUE(it.result.schedulable);
    CU_ASSERT_TRUE(it.result.unsound);
    expect(&it, (int64_t[]){90, 260, 240, 90}, 4);
}

static void jitter_corrected(void) {
    struct grt_mpcp_rules published = {.bound = GRT_LOCK_BY_REQUEST,
                                       .carry = GRT_LOCK_CARRY_ONE_MORE,
                                       .jitter = GRT_LOCK_JITTER_RESPONSE,
                                       .boosted = GRT_LOCK_BOOSTED_EVERY};
    struct outcome it;
    grt_lock_mpcp(counterexample, 4, &no_costs, &published, start(&it));
    CU_ASSERT_FALSE(it.result.unsound);
    CU_ASSERT_EQUAL(it.response[2], 370);
    grt_lock_mpcp(counterexample, 4, &no_costs, &(struct grt_mpcp_rules){0}, start(&it));
    CU_ASSERT_TRUE(it.result.schedulable);
    CU_ASSERT_FALSE(it.result.unsound);
    expect(&it, (int64_t[]){90, 260, 370, 80}, 4); /* the last waits for one request of the second, not two */
}

/* ---- SchedCAT, tests/locking.py: one request each, all on cores of their own ---- */

static const struct grt_lock_task schedcat[] = {ONE(0, 3, 10, 100, 4, 0), ONE(0, 5, 25, 100, 3, 1),
                                                ONE(0, 7, 50, 100, 2, 2), ONE(1, 0, 100, 100, 1, 3)};

static void schedcat_mpcp(void) {
    struct grt_mpcp_rules rules = {.bound = GRT_LOCK_BY_REQUEST, .carry = GRT_LOCK_CARRY_ONE_MORE};
    struct outcome it;
    grt_lock_mpcp(schedcat, 4, &no_costs, &rules, start(&it));
    expect_waits(&it, (int64_t[]){7, 16, 19, 0}, 4);
    expect(&it, (int64_t[]){10, 21, 26, 1}, 4);
}

static void schedcat_fmlp(void) {
    struct outcome it;
    grt_lock_fmlp(schedcat, 4, &no_costs, &(struct grt_fmlp_rules){0}, start(&it));
    expect_waits(&it, (int64_t[]){12, 10, 8, 0}, 4);
    CU_ASSERT_EQUAL(it.response[0], GRT_LOCK_NEVER); /* 15 is above its period of 10 */
    CU_ASSERT_EQUAL(it.result.failing, 0);
}

/* ---- the server: a bound of 37 by the printed equations, and a job that takes 38 where enqueueing delays the server ---- */

static const struct grt_lock_task server_set[] = {
    ONE(5, 0, 87, 18, 3, 1),
    ONE(11, 2, 105, 48, 2, 1),
    {.normal = 7,
     .segments = 13 + 10,
     .longest_segment = 13,
     .host = 2,
     .longest_host = 2,
     .requests = 2,
     .period = 118,
     .deadline = 118,
     .priority = 1,
     .core = 1},
};

static int64_t server_bound(struct grt_server_rules rules, struct outcome *it) {
    struct grt_lock_task tasks[3] = {server_set[0], server_set[1], server_set[2]};
    tasks[1].deadline = 100; /* of 48, so that larger bounds are seen, too */
    rules.epsilon = 2;
    grt_lock_server(tasks, 3, &no_costs, &rules, start(it));
    return it->response[1];
}

static void server_printed(void) {
    struct outcome it;
    struct grt_server_rules rules = {.equations = GRT_LOCK_EQUATIONS_PRINTED,
                                     .bound = GRT_LOCK_BY_REQUEST,
                                     .carry = GRT_LOCK_CARRY_ONE_MORE,
                                     .jitter = GRT_LOCK_JITTER_RESPONSE};
    CU_ASSERT_EQUAL(server_bound(rules, &it), 37);
    CU_ASSERT_FALSE(it.result.unsound);
    rules.enqueue = GRT_LOCK_ENQUEUE_CHARGED;
    CU_ASSERT_EQUAL(server_bound(rules, &it), 37);
    CU_ASSERT_TRUE(it.result.unsound);
    CU_ASSERT_EQUAL(server_bound((struct grt_server_rules){0}, &it), 37);
}

/* Twice 2 eps in place of eps; 2 * 2 * 2 for arrivals of the third task in the wait; 8 more for those that hit the own segment:
 * 11 + (13 + 4 + 8) + (2 + 4) + 8 + 5 = 55. By job, 13 + 4 + 8 is all: 47. Both above the 38 that were seen. */
static void server_repaired(void) {
    struct outcome it;
    struct grt_server_rules rules = {
        .enqueue = GRT_LOCK_ENQUEUE_CHARGED, .bound = GRT_LOCK_BY_REQUEST, .carry = GRT_LOCK_CARRY_ONE_MORE};
    CU_ASSERT_EQUAL(server_bound(rules, &it), 55);
    CU_ASSERT_FALSE(it.result.unsound);
    rules.bound = GRT_LOCK_SMALLER;
    CU_ASSERT_EQUAL(server_bound(rules, &it), 47);
    CU_ASSERT_EQUAL(server_bound((struct grt_server_rules){.enqueue = GRT_LOCK_ENQUEUE_CHARGED}, &it), 47);
}

/* ---- Kim and others, Table I, in units of 50 us; host parts are not given. Compared with the reference, too ---- */

static const struct grt_reference_lock_task table[] = {
    {.normal = 400,
     .segments = 2,
     .device = {1900, 940},
     .period = 6000,
     .deadline = 6000,
     .core = 0,
     .priority = 70},
    {.normal = 4300, .period = 15000, .deadline = 15000, .core = 0, .priority = 67},
    {.normal = 2040, .period = 6000, .deadline = 6000, .core = 1, .priority = 69},
    {.normal = 3,
     .segments = 1,
     .device = {380},
     .period = 12000,
     .deadline = 12000,
     .core = 1,
     .priority = 68},
    {.normal = 3,
     .segments = 1,
     .device = {760},
     .period = 20000,
     .deadline = 20000,
     .core = 1,
     .priority = 66}};

/* Stores the reference's bounds with the defaults, and the tasks for the analyses. */
static bool take_table(struct grt_reference_lock *reference, struct grt_lock_task *tasks) {
    reference->count = 5;
    reference->by_request = reference->by_job = true;
    for (int i = 0; i < 5; i++) {
        int64_t longest = table[i].device[0]; /* the first is the longest of each */
        reference->tasks[i] = table[i];
        tasks[i] = (struct grt_lock_task){.normal = table[i].normal,
                                          .segments = longest + table[i].device[1],
                                          .longest_segment = longest,
                                          .requests = table[i].segments,
                                          .period = table[i].period,
                                          .deadline = table[i].deadline,
                                          .priority = table[i].priority,
                                          .core = table[i].core};
    }
    return grt_reference_lock(reference);
}

static void table_locks(void) {
    struct grt_reference_lock reference = {.protocol = GRT_REFERENCE_MPCP};
    struct grt_lock_task tasks[5];
    struct outcome it;
    CU_ASSERT_FALSE(take_table(&reference, tasks));
    grt_lock_mpcp(tasks, 5, &no_costs, &(struct grt_mpcp_rules){0}, start(&it));
    CU_ASSERT_EQUAL(reference.response[3], -1);
    reference.response[3] = GRT_LOCK_NEVER;
    expect(&it, reference.response, 5);
    expect(&it, (int64_t[]){4760, 14020, 3180, GRT_LOCK_NEVER, 14472}, 5);
    reference = (struct grt_reference_lock){.protocol = GRT_REFERENCE_FMLP};
    CU_ASSERT_TRUE(take_table(&reference, tasks));
    grt_lock_fmlp(tasks, 5, &no_costs, &(struct grt_fmlp_rules){0}, start(&it));
    expect(&it, reference.response, 5);
}

static void table_server(void) {
    struct grt_reference_lock reference = {.protocol = GRT_REFERENCE_SERVER, .server_core = 1, .epsilon = 1};
    struct grt_lock_task tasks[5];
    struct outcome it;
    CU_ASSERT_TRUE(take_table(&reference, tasks));
    grt_lock_server(tasks, 5, &no_costs, &(struct grt_server_rules){.core = 1, .epsilon = 1}, start(&it));
    expect(&it, reference.response, 5);
    expect(&it, (int64_t[]){4766, 5100, 2056, 10926, 11313}, 5);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"the wait for the lock as jitter: 240, which is wrong", jitter_of_blocking},
        {"the corrected jitter: 370", jitter_corrected},
        {"SchedCAT's waits under MPCP", schedcat_mpcp},
        {"SchedCAT's waits under FMLP+", schedcat_fmlp},
        {"the server's printed equations: 37", server_printed},
        {"the server's repaired equations: 55 and 47", server_repaired},
        {"Table I, the GPU a lock", table_locks},
        {"Table I, the server", table_server},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("lock_vectors", tests);
}
