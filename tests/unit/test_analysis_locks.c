/* labels: no-branches */
/* The analyses gpu-server, mpcp and fmlp+ as they are listed: what they take from a set, refuse, say; and the equations at their limits. */
#include <stdlib.h>
#include <string.h>

#include "models/analysis_options.h"
#include "policies/analyses/lock.h"
#include "policies/analyses/registry.h"
#include "policies/locks/parameters.h"
#include "tests/support/analysis_case.h"
#include "tests/support/suite.h"

static struct analysis_case it;

/* The counterexample of tests/paper/test_lock_vectors.c, as a set. */
static void make_set(void) {
    static const int64_t normal[] = {80, 10, 30, 10}, segment[] = {0, 10, 0, 50}, rest[] = {0, 30, 0, 10};
    static const int64_t period[] = {140, 320, 610, 970};
    analysis_case_start(&it);
    for (int i = 0; i < 4; i++) {
        struct grt_analysis_task *task = analysis_case_add(&it, 0, period[i], period[i]);
        analysis_case_segment(&it, false, 1, normal[i]);
        if (segment[i] > 0) {
            analysis_case_segment(&it, true, 1, segment[i]);
            analysis_case_segment(&it, false, 1, rest[i]);
        }
        task->core = i == 3;
        task->gpu = segment[i] > 0 ? 0 : GRT_ANALYSIS_NO_GPU;
        task->shares_core = i < 3;
    }
    it.set.platform.core_count = 2;
    it.set.platform.gpu_count = 1;
    it.set.gpu = GRT_ANALYSIS_ALL_GPUS;
}

static void as_the_equations(void) {
    static const struct grt_server_parameters costless = {.core = -1};
    make_set();
    CU_ASSERT_EQUAL(analysis_case_run(&it, "mpcp"), GRT_VERDICT_SCHEDULABLE);
    CU_ASSERT_EQUAL(it.response[0], 90);
    CU_ASSERT_EQUAL(it.response[2], 370);
    CU_ASSERT_EQUAL(it.response[3], 80);
    CU_ASSERT_EQUAL(analysis_case_time(&it, "wait"), 50);
    CU_ASSERT_PTR_NOT_NULL(strstr(it.result.reason, "a lock is held for G;"));
    CU_ASSERT_EQUAL(analysis_case_run(&it, "fmlp+"), GRT_VERDICT_SCHEDULABLE);
    it.set.parameters = &costless;
    CU_ASSERT_EQUAL(analysis_case_run(&it, "gpu-server"), GRT_VERDICT_SCHEDULABLE);
    CU_ASSERT_PTR_NOT_NULL(strstr(it.result.reason, "by the printed equations;"));
    CU_ASSERT_EQUAL(it.response[0], 80); /* nobody is boosted */
}

static void parameters_count(void) {
    static const struct grt_server_parameters charged = {
        .core = 0, .epsilon = 1, .enqueue_cost = GRT_LOCK_ENQUEUE_CHARGED};
    static const struct grt_lock_parameters suspend = {.waiting = GRT_LOCK_SUSPEND};
    make_set();
    it.set.parameters = &charged;
    CU_ASSERT_EQUAL(analysis_case_run(&it, "gpu-server"), GRT_VERDICT_SCHEDULABLE);
    CU_ASSERT_PTR_NOT_NULL(strstr(it.result.reason, "by the repaired equations;"));
    CU_ASSERT_EQUAL(it.response[0],
                    80 + 4 + 4); /* the server works for both others, once each and once carried in */
    it.set.parameters = &suspend;
    CU_ASSERT_EQUAL(analysis_case_run(&it, "mpcp"), GRT_VERDICT_SCHEDULABLE);
    CU_ASSERT_EQUAL(it.response[0], 80); /* the holder leaves the core */
}

static void options_count(void) {
    _Alignas(8) char options[GRT_ANALYSIS_OPTIONS_SIZE];
    const struct grt_analysis_ops *ops = grt_analysis_find("mpcp");
    struct grt_errors errors = {0};
    make_set();
    grt_analysis_options_default(ops->options, options);
    CU_ASSERT_TRUE(grt_analysis_option_set(ops->options, options, "", "jitter", "blocking", &errors));
    it.set.options = options;
    CU_ASSERT_EQUAL(analysis_case_run(&it, "mpcp"), GRT_VERDICT_SCHEDULABLE);
    CU_ASSERT_TRUE(it.result.unsound);
    CU_ASSERT_EQUAL(it.response[2], 240);
}

static void budgets(void) {
    struct grt_lock_parameters policy = {.budget = 50};
    _Alignas(8) char options[GRT_ANALYSIS_OPTIONS_SIZE];
    const struct grt_analysis_ops *ops = grt_analysis_find("mpcp");
    struct grt_errors errors = {0};
    make_set();
    it.set.parameters = &policy;
    CU_ASSERT_EQUAL(analysis_case_run(&it, "mpcp"), GRT_VERDICT_SCHEDULABLE);
    CU_ASSERT_EQUAL(it.response[3], 80);
    grt_analysis_options_default(ops->options, options);
    CU_ASSERT_TRUE(grt_analysis_option_set(ops->options, options, "", "requests", "budget", &errors));
    it.set.options = options;
    CU_ASSERT_EQUAL(analysis_case_run(&it, "mpcp"), GRT_VERDICT_UNKNOWN);
    CU_ASSERT_EQUAL(it.response[0], 80 + 50); /* the second task's request may last until its budget, too */
    policy.budget = 49;
    it.set.options = NULL;
    CU_ASSERT_EQUAL(analysis_case_run(&it, "mpcp"), GRT_VERDICT_UNKNOWN);
    CU_ASSERT_EQUAL(it.result.failing, 3);
    CU_ASSERT_STRING_EQUAL(it.result.reason, "a request of task d may be cut by the budget");
    policy.budget = 0;
    it.set.options = options;
    CU_ASSERT_EQUAL(analysis_case_run(&it, "mpcp"), GRT_VERDICT_INAPPLICABLE);
}

/* What delays the end of the fourth task's request of 50 counts in the budget, too. */
static void budgets_of_all_that_delays(void) {
    static const struct {
        const char *analysis;
        struct grt_lock_parameters policy;
        int64_t wake_up;
        int64_t enough; /* of budget */
    } cases[] = {
        {"mpcp", {.waiting = GRT_LOCK_SPIN}, 0, 50},
        {"fmlp+", {.waiting = GRT_LOCK_SPIN}, 0, 50},
        {"mpcp", {.waiting = GRT_LOCK_SUSPEND}, 0, 51}, /* it has to come back at 50 */
        {"fmlp+", {.waiting = GRT_LOCK_SUSPEND}, 0, 51},
        {"mpcp", {.waiting = GRT_LOCK_SPIN}, 1, 52}, /* it is woken up, and may have costs before its end */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct grt_lock_parameters policy = cases[i].policy;
        make_set();
        it.set.parameters = &policy;
        it.set.platform.wake_up = cases[i].wake_up;
        policy.budget = cases[i].enough;
        CU_ASSERT_EQUAL(analysis_case_run(&it, cases[i].analysis), GRT_VERDICT_SCHEDULABLE);
        policy.budget--;
        CU_ASSERT_EQUAL(analysis_case_run(&it, cases[i].analysis), GRT_VERDICT_UNKNOWN);
        CU_ASSERT_STRING_EQUAL(it.result.reason, "a request of task d may be cut by the budget");
    }
}

/* epsilon for the end; where receiving costs, epsilon again for the other user's requests, two at most: one carried in; nothing is exact at 0. */
static void budgets_of_servers(void) {
    static const int64_t cases[][3] = {{GRT_LOCK_ENQUEUE_MERGED, 0, 51},
                                       {GRT_LOCK_ENQUEUE_MERGED, 1, 51},
                                       {GRT_LOCK_ENQUEUE_MERGED, 2, 52},
                                       {GRT_LOCK_ENQUEUE_CHARGED, 1, 53}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct grt_server_parameters policy = {
            .core = -1, .enqueue_cost = cases[i][0], .epsilon = cases[i][1], .budget = cases[i][2]};
        make_set();
        it.set.parameters = &policy;
        CU_ASSERT_EQUAL(analysis_case_run(&it, "gpu-server"), GRT_VERDICT_SCHEDULABLE);
        policy.budget--;
        CU_ASSERT_EQUAL(analysis_case_run(&it, "gpu-server"), GRT_VERDICT_UNKNOWN);
        CU_ASSERT_STRING_EQUAL(it.result.reason, "a request of task d may be cut by the budget");
    }
}

static void refusals(void) {
    static const char *const names[] = {"mpcp", "fmlp+", "gpu-server"};
    for (int i = 0; i < 3; i++) {
        make_set();
        it.tasks[1].after_others = true;
        CU_ASSERT_EQUAL(analysis_case_run(&it, names[i]), GRT_VERDICT_INAPPLICABLE);
        make_set();
        it.segments[0][0].longest = GRT_ANALYSIS_NEVER;
        CU_ASSERT_EQUAL(analysis_case_run(&it, names[i]), GRT_VERDICT_INAPPLICABLE);
        make_set();
        it.tasks[0].period = GRT_LOCK_LONGEST + 1;
        CU_ASSERT_EQUAL(analysis_case_run(&it, names[i]), GRT_VERDICT_INAPPLICABLE);
        CU_ASSERT_STRING_EQUAL(it.result.reason, "task a has times above 10^18 ns");
        make_set();
        it.tasks[3].gpu = 1;
        it.set.platform.gpu_count = 2;
        CU_ASSERT_EQUAL(analysis_case_run(&it, names[i]) == GRT_VERDICT_INAPPLICABLE, i == 2);
        make_set();
        it.set.most_steps = 3;
        CU_ASSERT_EQUAL(analysis_case_run(&it, names[i]), GRT_VERDICT_UNKNOWN);
        CU_ASSERT_STRING_EQUAL(it.result.reason, "it takes too many steps");
    }
}

static void deadlines(void) {
    make_set();
    it.tasks[2].deadline = 369;
    CU_ASSERT_EQUAL(analysis_case_run(&it, "mpcp"), GRT_VERDICT_UNKNOWN);
    CU_ASSERT_EQUAL(it.result.failing, 2);
    make_set();
    it.tasks[2].deadline = 100000; /* the period counts, since two of its jobs must not meet */
    it.tasks[2].period = 369;
    CU_ASSERT_EQUAL(analysis_case_run(&it, "mpcp"), GRT_VERDICT_UNKNOWN);
    make_set();
    it.tasks[0].jitter = 20;
    it.tasks[2].jitter = 5;
    CU_ASSERT_EQUAL(analysis_case_run(&it, "mpcp"), GRT_VERDICT_SCHEDULABLE);
    CU_ASSERT_EQUAL(it.response[0], 90 + 20);
    CU_ASSERT_EQUAL(it.response[2], 370 + 5);
    it.tasks[0].jitter = 21; /* 260 + 21 is above twice 140: a third job */
    CU_ASSERT_EQUAL(analysis_case_run(&it, "mpcp"), GRT_VERDICT_UNKNOWN);
    CU_ASSERT_EQUAL(it.result.failing, 1);
}

/* As many tasks as there may be, and the longest times. */
static void extremes(void) {
    enum { COUNT = 4096 };
    struct grt_lock_task *tasks = calloc(COUNT, sizeof *tasks);
    int64_t *response = calloc(COUNT, sizeof *response);
    struct grt_lock_costs costs = {GRT_LOCK_LONGEST, GRT_LOCK_LONGEST}, none = {0, 0};
    struct grt_lock_result result = {.response = response, .most_steps = INT64_C(1) << 30};
    for (int i = 0; i < COUNT; i++) {
        tasks[i] = (struct grt_lock_task){.normal = 1,
                                          .segments = 1,
                                          .longest_segment = 1,
                                          .requests = 1,
                                          .period = GRT_LOCK_LONGEST,
                                          .deadline = GRT_LOCK_LONGEST,
                                          .priority = -i,
                                          .core = i % 4};
    }
    grt_lock_mpcp(tasks, COUNT, &none, &(struct grt_mpcp_rules){0}, &result);
    CU_ASSERT_TRUE(result.schedulable);
    CU_ASSERT_EQUAL(response[0], 2 + 1 + 2 * (COUNT / 4 - 1)); /* the others of its core go ahead twice */
    grt_lock_server(tasks, COUNT, &none, &(struct grt_server_rules){.core = 0}, &result);
    CU_ASSERT_TRUE(result.schedulable);
    grt_lock_mpcp(tasks, COUNT, &costs, &(struct grt_mpcp_rules){0}, &result);
    CU_ASSERT_FALSE(result.schedulable);
    for (int i = 0; i < COUNT; i++) {
        tasks[i].segments = tasks[i].longest_segment = tasks[i].normal = tasks[i].jitter = GRT_LOCK_LONGEST;
    }
    grt_lock_fmlp(tasks, 64, &costs, &(struct grt_fmlp_rules){0}, &result);
    CU_ASSERT_FALSE(result.schedulable);
    grt_lock_server(tasks, COUNT, &costs, &(struct grt_server_rules){.epsilon = GRT_LOCK_LONGEST}, &result);
    CU_ASSERT_FALSE(result.schedulable);
    CU_ASSERT_EQUAL(result.failing, 0);
    free(tasks);
    free(response);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"sets go into the equations", as_the_equations},
        {"the policy's parameters count", parameters_count},
        {"options count", options_count},
        {"budgets", budgets},
        {"budgets of all that delays", budgets_of_all_that_delays},
        {"budgets of servers", budgets_of_servers},
        {"what is refused", refusals},
        {"deadlines, periods, jitter", deadlines},
        {"the longest times and most tasks", extremes},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("analysis_locks", tests);
}
