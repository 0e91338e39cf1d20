/* labels: soak once */
/* The experiments of Y. Yao et al., "WAMP2S: Workload-Aware GPU Performance Model Based Pseudo-Preemptive Real-Time Scheduling for the Airborne Embedded System",
 * IEEE TPDS 33(11), 2022, as files (scenarios/papers/wamp2s/experiments): they come to what running scenarios one by one does. What the numbers are is in
 * docs/wamp2s-figures.md. */
#include <math.h>
#include <stdio.h>

#include "tests/support/suite.h"
#include "tests/support/swept.h"
#include "tests/support/wamp2s_figures.h"
#include "tests/support/wamp2s_models.h"

#define FOLDER "scenarios/papers/wamp2s/experiments/"

/* Quick training keeps the test short: what is asked holds with it, too. */
static const char *const quick[] = {"train=\"quick\"", NULL};

/* ---- figures 11 and 16 ---- */

/* The quick networks, with the samples that the experiment trains and tests with. */
static void check_models(const struct swept *swept, const struct wamp2s_models *models) {
    for (size_t i = 0; i < models->count; i++) {
        const struct wamp2s_accuracy *accuracy = &models->accuracies[i];
        const char *const at[] = {models->networks[i].kernel, NULL};
        CU_ASSERT_EQUAL(swept_mean(swept, "network", "error", at), accuracy->network.error);
        CU_ASSERT_EQUAL(swept_mean(swept, "network", "error_of_estimate", at),
                        accuracy->network.error_of_estimate);
        CU_ASSERT_EQUAL(swept_mean(swept, "network", "rules", at), (double)models->networks[i].rules);
        CU_ASSERT_EQUAL(swept_mean(swept, "linear", "error", at), accuracy->linear.error);
        CU_ASSERT_EQUAL(swept_mean(swept, "nearest", "error", at), accuracy->nearest.error);
    }
}

static void test_figure_16(void) {
    static const struct wamp2s_effort effort = {600, 1000, 20}; /* of quick training */
    static struct wamp2s_models models;
    struct swept *swept = swept_open(FOLDER "figure-16.json", 1, quick);
    wamp2s_train("airborne-wamp2s", &effort, &models);
    CU_ASSERT_EQUAL(models.count, swept->experiment.point_count);
    check_models(swept, &models);
    swept_close(swept);
}

static void test_figure_11(void) {
    if (grt_suite_is_long()) {
        static struct wamp2s_models models;
        struct swept *swept = swept_open(FOLDER "figure-11.json", 1, NULL);
        wamp2s_train("rodinia-1.0-wamp2s", &wamp2s_full, &models);
        CU_ASSERT_EQUAL(models.count, swept->experiment.point_count);
        check_models(swept, &models);
        swept_close(swept);
    }
}

/* ---- figures 12 and 13 ---- */

/* Four changes make five estimates, and nobody but the last one knows all: then a perfect predictor is right to a launch. */
static void test_figure_12(void) {
    static const char *const numbers[] = {"1", "2", "3", "4", "5"};
    struct swept *swept = swept_open(FOLDER "figure-12.json", grt_suite_all_cases(20, 200), quick);
    for (size_t i = 0; i < 5; i++) {
        const char *const at[] = {numbers[i], NULL};
        double error = swept_mean(swept, "perfect", "estimate_error_percent_of:MC", at);
        CU_ASSERT_TRUE(i < 4 ? error > 0.1 && error < 2 : error < 1e-3);
        CU_ASSERT_TRUE(swept_mean(swept, "static-shares", "estimate_error_percent_of:MC", at) > 0);
    }
    CU_ASSERT_EQUAL(swept_mean(swept, "first-perfect", "error", SWEPT_AT("5")),
                    swept_mean(swept, "perfect", "error", SWEPT_AT("1")));
    swept_close(swept);
}

/* A perfect predictor knows more and more; what networks say wrongly weighs more and more. */
static void test_figure_13_fixed_shares(void) {
    static const char *const untrained[] = {"evaluations[0].policy.predictor=\"perfect\"",
                                            "evaluations[2].policy.predictor=\"perfect\"", NULL};
    bool all = grt_suite_is_long();
    struct swept *swept =
        swept_open(FOLDER "figure-13-fixed-shares.json", all ? 50 : 4, all ? quick : untrained);
    double last = 10;
    for (size_t i = 1; i < 10; i += 4) {
        const char *const at[] = {swept->experiment.axes[0].values[i], NULL};
        double error = swept_mean(swept, "perfect", "estimate_error_percent", at);
        CU_ASSERT_TRUE(error > 0 && error < last);
        last = error;
    }
    CU_ASSERT_TRUE(last < 0.3);
    double learnt = swept_mean(swept, "static-shares", "estimate_error_percent", SWEPT_AT("95"));
    CU_ASSERT_TRUE(!all || learnt > 1);
    swept_close(swept);
}

/* ---- table 4 ---- */

/* Sample 0 has the scenario's own seed, 1; what needs no networks is the same to the last job. */
static void test_table_4(void) {
    struct swept *swept = swept_open(FOLDER "table-4.json", grt_suite_all_cases(1, 8), quick);
    uint64_t jobs;
    CU_ASSERT_EQUAL(swept_ratio(swept, "wamp2s", SWEPT_AT("")), 1);
    CU_ASSERT_EQUAL(swept_ratio(swept, "time-slicing", SWEPT_AT("")), 0);
    CU_ASSERT_EQUAL(swept_ratio(swept, "left-over", SWEPT_AT("")), 0);
    swept_close(swept);
    swept = swept_open(FOLDER "table-4.json", 1, quick);
    CU_ASSERT_EQUAL(swept_mean(swept, "time-slicing", "missed", SWEPT_AT("")),
                    (double)wamp2s_airborne("time-slicing", NULL, 1, &jobs));
    CU_ASSERT_EQUAL(swept_mean(swept, "time-slicing", "jobs", SWEPT_AT("")), (double)jobs);
    CU_ASSERT_EQUAL(swept_mean(swept, "left-over", "missed", SWEPT_AT("")),
                    (double)wamp2s_airborne("left-over", NULL, 1, &jobs));
    swept_close(swept);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"figure 11 is what single trainings give", test_figure_11},
        {"figure 16 is what single trainings give", test_figure_16},
        {"figure 12: the last estimate knows all", test_figure_12},
        {"figure 13 with shares that stay", test_figure_13_fixed_shares},
        {"table 4", test_table_4},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("Sweeps: Yao et al., TPDS 2022", tests);
}
