/* labels: soak */
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
    if (grt_suite_cases(0, 1) != 0) {
        static struct wamp2s_models models;
        struct swept *swept = swept_open(FOLDER "figure-11.json", 1, NULL);
        wamp2s_train("rodinia-1.0-wamp2s", &wamp2s_full, &models);
        CU_ASSERT_EQUAL(models.count, swept->experiment.point_count);
        check_models(swept, &models);
        swept_close(swept);
    }
}

/* ---- table 4 ---- */

/* Sample 0 has the scenario's own seed, 1; what needs no networks is the same to the last job. */
static void test_table_4(void) {
    struct swept *swept = swept_open(FOLDER "table-4.json", grt_suite_cases(1, 8), quick);
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
        {"table 4", test_table_4},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("Sweeps: Yao et al., TPDS 2022", tests);
}
