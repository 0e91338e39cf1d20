/* labels: soak */
/* What scheduling costs: figure 15 of Y. Yao et al., "WAMP2S: Workload-Aware GPU Performance Model Based Pseudo-Preemptive Real-Time Scheduling for the
 * Airborne Embedded System", IEEE TPDS 33(11), 2022. The numbers are in docs/wamp2s-figures.md. */
#include <string.h>

#include "tests/support/suite.h"
#include "tests/support/wamp2s_figures.h"

static void test_figure_15(void) {
    static const size_t counts[] = {3, 6, 10};
    int sets = grt_suite_cases(2, 100);
    struct wamp2s_overhead before = {0};
    for (size_t i = 0; i < 3; i++) {
        struct wamp2s_overhead of[WAMP2S_CHECKS];
        for (int checks = 0; checks < WAMP2S_CHECKS; checks++) {
            of[checks] = wamp2s_overhead(counts[i], (enum wamp2s_checks)checks, sets);
        }
        CU_ASSERT_TRUE(of[WAMP2S_WDC].runs < of[WAMP2S_STANDARD].runs);
        CU_ASSERT_TRUE(of[WAMP2S_AETC].predictions < of[WAMP2S_STANDARD].predictions);
        CU_ASSERT_TRUE(of[WAMP2S_BOTH].predictions < of[WAMP2S_WDC].predictions);
        CU_ASSERT_TRUE(of[WAMP2S_BOTH].per_job < of[WAMP2S_WDC].per_job);
        CU_ASSERT_TRUE(of[WAMP2S_STANDARD].runs > before.runs);
        before = of[WAMP2S_STANDARD];
    }
}

/* Equation (16) by hand: one application, of which every job has one operation that predicts twice, 10 us and twice 2. */
static void test_equation_16(void) {
    struct rodinia_set set = {.count = 1, .items = {{0, GRT_SECOND}}};
    struct rodinia_setup setup = rodinia_setups[RODINIA_PERFECT];
    struct grt_simulation simulation = {0};
    rodinia_run(&set, &setup, false, &simulation);
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
