/* The experiments of P. Muyan-Ozcelik, J. D. Owens, "Multitasking Real-time Embedded GPU Computing Tasks", PMAM 2016: their files come to what running the
 * scenarios one by one does, and hold the paper's numbers (scenarios/papers/multitasking/experiments). */
#include <math.h>
#include <stdio.h>

#include "study/results/compare.h"
#include "tests/support/multitasking_claims.h"
#include "tests/support/suite.h"
#include "tests/support/swept.h"

#define FOLDER "scenarios/papers/multitasking/experiments/"
#define PERFORMANCE "performance"

static void check_run(const struct swept *swept, const struct grt_multitasking *run, const char *scheduler,
                      const char *const *at) {
    const struct grt_tally *tally = swept_tally(swept, scheduler, at);
    double performance = swept_mean(swept, scheduler, PERFORMANCE, at);
    CU_ASSERT_EQUAL(tally->outcomes[GRT_OUTCOME_REFUSED], run->runs ? 0 : 1);
    CU_ASSERT_EQUAL(isnan(performance), isnan(run->performance));
    if (run->runs) {
        CU_ASSERT_DOUBLE_EQUAL(performance, run->performance, 1e-12 * run->performance);
        CU_ASSERT_EQUAL(swept_mean(swept, scheduler, "missed", at), (double)run->missed);
        CU_ASSERT_EQUAL(swept_mean(swept, scheduler, "late", at), (double)run->late);
    }
}

static void test_table_2(void) {
    const struct grt_variation as_they_are = {.percent = 100};
    struct swept *swept = swept_open(FOLDER "table-2.json", 0, NULL);
    for (int number = 1; number <= GRT_CASES; number++) {
        struct grt_multitasking runs[GRT_SCHEDULERS];
        char name[32], value[32];
        snprintf(name, sizeof name, "case-%d", number);
        snprintf(value, sizeof value, "case %d", number);
        grt_multitasking_run(name, &as_they_are, runs);
        for (int i = 0; i < GRT_SCHEDULERS; i++) {
            check_run(swept, &runs[i], grt_scheduler_names[i], SWEPT_AT(value));
        }
    }
    swept_close(swept);
}

static void test_section_7(void) {
    const struct grt_variation as_they_are = {.percent = 100};
    struct swept *swept = swept_open(FOLDER "section-7.json", 0, NULL);
    struct grt_multitasking runs[GRT_SCHEDULERS];
    grt_multitasking_run("real-world", &as_they_are, runs);
    for (int i = 0; i < GRT_SCHEDULERS; i++) {
        check_run(swept, &runs[i], grt_scheduler_names[i], SWEPT_AT(""));
    }
    swept_close(swept);
}

/* What a file calls published is the paper's table. */
static size_t check_published(const char *file, int first_workload) {
    struct grt_experiment experiment;
    struct grt_errors errors = {0};
    CU_ASSERT_FATAL(grt_experiment_read(file, NULL, &experiment, &errors));
    for (size_t i = 0; i < experiment.published_count; i++) {
        const struct grt_published *published = &experiment.published[i];
        int workload = first_workload + (published->axis_count > 0 ? (int)published->values[0] : 0);
        CU_ASSERT_EQUAL(published->value, grt_published[workload][published->evaluation]);
    }
    size_t count = experiment.published_count;
    grt_experiment_free(&experiment);
    return count;
}

static void test_published(void) {
    CU_ASSERT_EQUAL(check_published(FOLDER "table-2.json", 1), 2 * 5 + 4 * 3);
    CU_ASSERT_EQUAL(check_published(FOLDER "section-7.json", GRT_REAL_WORLD), 5);
}

/* All orders of the paper come out; an order that it does not have does not. */
static void check_claims(const char *file, size_t count) {
    struct swept *swept = swept_open(file, 0, NULL);
    const struct grt_experiment *experiment = &swept->experiment;
    CU_ASSERT_EQUAL(experiment->claim_count, count);
    for (size_t i = 0; i < experiment->claim_count; i++) {
        struct grt_claimed turned = experiment->claims[i];
        const size_t order[] = {turned.order[1], turned.order[0]};
        CU_ASSERT(grt_compare_claim(swept_whole(swept), &turned).holds);
        turned.order = order;
        turned.order_count = 2;
        CU_ASSERT_EQUAL(grt_compare_claim(swept_whole(swept), &turned).holds, turned.about > 0);
    }
    swept_close(swept);
}

static void test_claims(void) {
    check_claims(FOLDER "table-2.json", 27);
    check_claims(FOLDER "section-7.json", 9);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"table 2 is that of single runs", test_table_2},
        {"section 7 is that of single runs", test_section_7},
        {"the published numbers are the paper's", test_published},
        {"all claims hold", test_claims},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("Sweeps: Muyan-Ozcelik and Owens, PMAM 2016", tests);
}
