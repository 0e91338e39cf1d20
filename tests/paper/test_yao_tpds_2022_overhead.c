/* labels: soak once */
/* What scheduling costs: figure 15 of Y. Yao et al., "WAMP2S: Workload-Aware GPU Performance Model Based Pseudo-Preemptive Real-Time Scheduling for the
 * Airborne Embedded System", IEEE TPDS 33(11), 2022. The numbers are in docs/wamp2s-figures.md. */
#include <string.h>

#include "tests/support/rodinia_sets.h"
#include "tests/support/suite.h"
#include "tests/support/swept.h"

static const char *const names[] = {"standard", "wdc", "aetc", "both"};

static void test_figure_15(void) {
    static const char *const counts[] = {"3", "6", "10"}, *const quick[] = {"train=\"quick\"", NULL};
    bool soak = grt_suite_is_long();
    struct swept *swept =
        swept_open("scenarios/papers/wamp2s/experiments/figure-15.json", soak ? 100 : 3, soak ? NULL : quick);
    double before = 0;
    for (size_t i = 0; i < 3; i++) {
        double runs[4], predictions[4], costs[4];
        for (size_t j = 0; j < 4; j++) {
            runs[j] = swept_mean(swept, names[j], "runs_per_job", SWEPT_AT(counts[i]));
            predictions[j] = swept_mean(swept, names[j], "predictions_per_job", SWEPT_AT(counts[i]));
            costs[j] = swept_mean(swept, names[j], "mean_overhead", SWEPT_AT(counts[i]));
        }
        CU_ASSERT_TRUE(runs[1] < runs[0]);
        CU_ASSERT_TRUE(predictions[2] < predictions[0]);
        CU_ASSERT_TRUE(predictions[3] < predictions[1]);
        CU_ASSERT_TRUE(costs[3] < costs[1]);
        CU_ASSERT_TRUE(runs[0] > before);
        before = runs[0];
    }
    swept_close(swept);
}

/* Equation (16) by hand: one application, of which every job has one operation that predicts twice, 10 us and twice 2. */
static void test_equation_16(void) {
    struct rodinia_set set = {.count = 1, .items = {{0, GRT_SECOND}}};
    const struct rodinia_setup setup = {"perfect", "{\"name\": \"wamp2s\", \"predictor\": \"perfect\"}",
                                        "\"contention\": \"saturation\""};
    struct grt_simulation simulation = {0};
    rodinia_run(&set, &setup, &simulation);
    const struct grt_result *result = simulation.result;
    int found = 0;
    for (size_t i = 0; i < result->measure_count; i++) {
        if (strcmp(result->measures[i].name, "mean_overhead") == 0) {
            CU_ASSERT_EQUAL(result->measures[i].value, 14000);
            found++;
        }
    }
    CU_ASSERT_EQUAL(found, 1);
    grt_simulation_free(&simulation);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"figure 15: both checks save work", test_figure_15},
        {"equation (16)", test_equation_16},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("yao_tpds_2022_overhead", tests);
}
