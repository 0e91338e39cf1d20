/* labels: soak */
/* V. Golyanik, M. Nasri, D. Stricker, "Towards Scheduling Hard Real-Time Image Processing Tasks on a Single GPU", ICIP 2017, figures 1 to 3, as
 * scenarios/papers/gpu-tdm/experiments draws them again. The shares of figures 2 and 3 are held against those of a calculation apart from gpurt, in
 * real numbers instead of nanoseconds: its cubic is equation (13) with the interval between the roots, its exact search solves equation (4), and
 * its table counts slots at fixed offsets. */
#include <math.h>

#include "tests/support/suite.h"
#include "tests/support/swept.h"

#define FIGURE(number) "scenarios/papers/gpu-tdm/experiments/figure-" #number ".json"

/* ---- Figures 2 and 3: which sets get parameters ---- */

static void published_shares(void) {
    struct swept *second = swept_open(FIGURE(2), grt_suite_all_cases(400, 20000), NULL);
    CU_ASSERT_EQUAL(swept_check_published(second), 24);
    swept_close(second);
    struct swept *third = swept_open(FIGURE(3), grt_suite_all_cases(400, 20000), NULL);
    CU_ASSERT_EQUAL(swept_check_published(third), 27);
    swept_close(third);
}

static double ratio(struct swept *figure, const char *evaluation, const char *one, const char *other) {
    return swept_ratio_of(SWEPT(figure, evaluation, one, other));
}

/* Without overheads every utilisation below 1 / 1.08 has parameters, and yet the literal rule for the roots rejects sets that ask for little. */
static void roots_alone_reject_light_sets(void) {
    static const char *const utilisations[] = {"utilisation=0.3", "utilisation=0.5", "utilisation=0.9"};
    struct swept *figure = swept_open(FIGURE(3), grt_suite_all_cases(200, 5000), NULL);
    for (size_t i = 0; i < 3; i++) {
        CU_ASSERT_EQUAL(ratio(figure, "cubic", "overhead=0ms", utilisations[i]), 1.0);
    }
    CU_ASSERT(ratio(figure, "paper", "overhead=0ms", "utilisation=0.5") < 0.2);
    swept_close(figure);
}

/* "With the increase in the number of tasks, schedulability ratio decreases"; "the similar effect occurs when delta increases". */
static void more_tasks_and_overheads_are_worse(void) {
    static const char *const tasks[] = {"tasks=5", "tasks=10", "tasks=15", "tasks=20"};
    static const char *const overheads[] = {"overhead=0ms", "overhead=3ms",  "overhead=6ms",
                                            "overhead=9ms", "overhead=12ms", "overhead=15ms"};
    int sets = grt_suite_all_cases(300, 5000);
    double doubt = 3.0 * swept_error(0.5, sets, sets);
    struct swept *second = swept_open(FIGURE(2), sets, NULL), *third = swept_open(FIGURE(3), sets, NULL);
    for (size_t i = 0; i + 1 < 4; i++) {
        CU_ASSERT(ratio(second, "cubic", tasks[i], "utilisation=0.8") + doubt >=
                  ratio(second, "cubic", tasks[i + 1], "utilisation=0.8"));
    }
    for (size_t i = 0; i + 1 < 6; i++) {
        CU_ASSERT(ratio(third, "exact", overheads[i], "utilisation=0.85") + doubt >=
                  ratio(third, "exact", overheads[i + 1], "utilisation=0.85"));
    }
    CU_ASSERT(ratio(third, "cubic", "overhead=0ms", "utilisation=0.85") >
              ratio(third, "cubic", "overhead=15ms", "utilisation=0.85") + doubt);
    swept_close(second);
    swept_close(third);
}

/* ---- Figure 1: misses ---- */

/* Of its first measure. */
static double sum_of(const struct grt_tally *tally) {
    return grt_moments_mean(&tally->moments[0]) * (double)tally->moments[0].count;
}

/* What is admitted never misses; what the cubic admits the exact search does; np-edf and np-rm miss as many jobs to within a twentieth. */
static void check_sums(struct swept *figure, const char *tasks, const char *takes) {
    static const char *const utilisations[] = {"utilisation=0.35", "utilisation=0.45", "utilisation=0.55",
                                               "utilisation=0.65", "utilisation=0.75"};
    double edf = 0.0, rm = 0.0, edf_clean = 0.0, rm_clean = 0.0, exact = 0.0;
    for (size_t i = 0; i < 5; i++) {
        const struct grt_tally *of_cubic = SWEPT(figure, "cubic", tasks, takes, utilisations[i]);
        const struct grt_tally *of_exact = SWEPT(figure, "exact", tasks, takes, utilisations[i]);
        CU_ASSERT_EQUAL(of_cubic->outcomes[GRT_OUTCOME_NO] + of_exact->outcomes[GRT_OUTCOME_NO], 0);
        CU_ASSERT(of_cubic->outcomes[GRT_OUTCOME_YES] <= of_exact->outcomes[GRT_OUTCOME_YES]);
        CU_ASSERT_EQUAL(of_exact->moments[0].most, 0.0);
        const struct grt_tally *of_edf = SWEPT(figure, "np-edf", tasks, takes, utilisations[i]);
        const struct grt_tally *of_rm = SWEPT(figure, "np-rm", tasks, takes, utilisations[i]);
        edf += sum_of(of_edf);
        rm += sum_of(of_rm);
        edf_clean += swept_ratio_of(of_edf);
        rm_clean += swept_ratio_of(of_rm);
        exact += swept_ratio_of(of_exact);
    }
    CU_ASSERT(edf > 0.0);
    CU_ASSERT(fabs(edf - rm) <= 0.05 * rm);
    CU_ASSERT(edf_clean >= rm_clean - 0.05);
    CU_ASSERT(edf_clean < exact);
}

static void misses_of_figure_1(void) {
    struct swept *figure = swept_open(FIGURE(1), grt_suite_all_cases(15, 100), NULL);
    check_sums(figure, "tasks=3", "takes=1");
    check_sums(figure, "tasks=10", "takes=0.86");
    if (grt_suite_is_long()) {
        check_sums(figure, "tasks=2", "takes=1");
        check_sums(figure, "tasks=5", "takes=0.86");
    }
    swept_close(figure);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"the shares of a calculation apart from gpurt", published_shares},
        {"roots alone reject light sets", roots_alone_reject_light_sets},
        {"more tasks and overheads are worse", more_tasks_and_overheads_are_worse},
        {"misses of figure 1", misses_of_figure_1},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("Golyanik et al., ICIP 2017, figures 1 to 3", tests);
}
