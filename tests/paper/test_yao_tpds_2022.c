/* labels: soak */
/* Whether deadlines are met: figure 14 and Table 4 of Y. Yao et al., "WAMP2S: Workload-Aware GPU Performance Model Based Pseudo-Preemptive Real-Time
 * Scheduling for the Airborne Embedded System", IEEE TPDS 33(11), 2022. How applications use the GPU is not published and was chosen (docs/usages.md), so that what is asked here is the
 * shape: who leaves 100 percent before whom. The numbers are in docs/wamp2s-figures.md. */
#include <math.h>
#include <stdio.h>

#include "tests/support/suite.h"
#include "tests/support/wamp2s_figures.h"

/* ---- figure 14 ---- */

/* The first of 0.1, 0.2, ... at which not all sets are schedulable. */
static double leaves(enum rodinia_policy policy, int sets) {
    int point = 1;
    while (wamp2s_schedulable(policy, point / 10.0, sets) == sets && point < 30) {
        point++;
    }
    printf("\n    %s: all of %d sets up to %.1f ", rodinia_setups[policy].name, sets, (point - 1) / 10.0);
    return point / 10.0;
}

static void test_figure_14(void) {
    int sets = grt_suite_cases(0, 200);
    if (sets == 0) {
        return; /* with few sets it would be chance */
    }
    double model = leaves(RODINIA_SOFNN, sets), perfect = leaves(RODINIA_PERFECT, sets),
           turns = leaves(RODINIA_TIME_SLICING, sets), left_over = leaves(RODINIA_LEFT_OVER, sets),
           fixed = leaves(RODINIA_STATIC, sets);
    CU_ASSERT_TRUE(model >= 2.5 * turns - 1e-9); /* the paper: 1.5 and 0.6 */
    CU_ASSERT_TRUE(model > fixed && fixed >= left_over);
    CU_ASSERT_TRUE(fabs(model - perfect) <= 0.1 + 1e-9);
}

/* As many sets as there is time for, at two points. */
static void test_figure_14_in_short(void) {
    int sets = grt_suite_cases(8, 200);
    CU_ASSERT_EQUAL(wamp2s_schedulable(RODINIA_SOFNN, 0.7, sets), sets);
    CU_ASSERT_EQUAL(wamp2s_schedulable(RODINIA_PERFECT, 0.7, sets), sets);
    CU_ASSERT_TRUE(wamp2s_schedulable(RODINIA_NONE, 0.7, sets) < sets);
    CU_ASSERT_TRUE(wamp2s_schedulable(RODINIA_TIME_SLICING, 0.7, sets) < sets / 2);
    CU_ASSERT_TRUE(wamp2s_schedulable(RODINIA_STATIC, 0.7, sets) < sets / 2);
    CU_ASSERT_TRUE(wamp2s_schedulable(RODINIA_LEFT_OVER, 0.7, sets) == 0);
    CU_ASSERT_TRUE(wamp2s_schedulable(RODINIA_SOFNN, 2.0, sets) == 0);
}

/* Where the paper's curves are apart, so are these, beyond what chance explains. */
static void test_figure_14_is_no_accident(void) {
    int sets = grt_suite_cases(12, 200);
    int model = wamp2s_schedulable(RODINIA_SOFNN, 0.9, sets),
        turns = wamp2s_schedulable(RODINIA_TIME_SLICING, 0.9, sets);
    CU_ASSERT_TRUE(wamp2s_wilson(model, sets).low > wamp2s_wilson(turns, sets).high);
}

/* Against the closed forms for none and all, and the numbers of R. G. Newcombe, "Two-Sided Confidence Intervals for the Single Proportion", Statistics in Medicine 17, 1998, Table I, method 3. */
static void test_intervals(void) {
    struct wamp2s_interval none = wamp2s_wilson(0, 20), some = wamp2s_wilson(81, 263),
                           few = wamp2s_wilson(15, 148), all = wamp2s_wilson(200, 200);
    CU_ASSERT_DOUBLE_EQUAL(none.low, 0, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(none.high, 0.1611, 5e-5);
    CU_ASSERT_DOUBLE_EQUAL(some.low, 0.2553, 5e-5);
    CU_ASSERT_DOUBLE_EQUAL(some.high, 0.3662, 5e-5);
    CU_ASSERT_DOUBLE_EQUAL(few.low, 0.0624, 5e-5);
    CU_ASSERT_DOUBLE_EQUAL(few.high, 0.1605, 5e-5);
    CU_ASSERT_DOUBLE_EQUAL(all.low, 200 / (200 + 1.959963984540054 * 1.959963984540054), 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(all.high, 1, 1e-12);
}

/* ---- table 4 ---- */

/* 30 minutes with 8 seeds. */
static void test_table_4(void) {
    for (unsigned seed = 1; seed <= 8; seed++) {
        uint64_t jobs;
        CU_ASSERT_EQUAL(wamp2s_airborne("wamp2s", "sofnn", seed, &jobs), 0);
        CU_ASSERT_TRUE(jobs >= 1800 + 360 + 90 + 2 * 30);
        CU_ASSERT_TRUE(wamp2s_airborne("time-slicing", NULL, seed, &jobs) > (int64_t)jobs / 2);
        CU_ASSERT_TRUE(wamp2s_airborne("left-over", NULL, seed, &jobs) > (int64_t)jobs / 2);
    }
}

/* ---- sets ---- */

static double utilisation_of(const struct rodinia_set *set) {
    double sum = 0;
    for (size_t i = 0; i < set->count; i++) {
        sum += (double)rodinia_applications[set->items[i].application].worst / (double)set->items[i].period;
    }
    return sum;
}

/* Utilisations have the sum that was asked for, nobody's is above 1, and all applications are as likely. */
static void test_sets(void) {
    int counts[RODINIA_APPLICATIONS] = {0}, sets = 3000;
    for (int i = 0; i < sets; i++) {
        struct rodinia_set set;
        rodinia_set_draw(&set, 3, 1.5, (uint64_t)i);
        CU_ASSERT_EQUAL_FATAL(set.count, 3);
        CU_ASSERT_DOUBLE_EQUAL(utilisation_of(&set), 1.5, 1e-6);
        for (size_t j = 0; j < set.count; j++) {
            size_t application = set.items[j].application;
            CU_ASSERT_TRUE(j == 0 || application > set.items[j - 1].application);
            CU_ASSERT_TRUE(set.items[j].period >= rodinia_applications[application].worst);
            counts[application]++;
        }
    }
    for (size_t i = 0; i < RODINIA_APPLICATIONS; i++) { /* within four standard deviations */
        CU_ASSERT_TRUE(fabs(counts[i] - 0.3 * sets) < 4 * sqrt(0.3 * 0.7 * sets));
    }
}

int main(void) {
    CU_TestInfo tests[] = {
        {"figure 14: who leaves 100 percent first", test_figure_14},
        {"figure 14 in short", test_figure_14_in_short},
        {"figure 14: the difference is no accident", test_figure_14_is_no_accident},
        {"Wilson's intervals", test_intervals},
        {"table 4: nobody is late in 30 minutes", test_table_4},
        {"sets are as drawn", test_sets},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("yao_tpds_2022", tests);
}
