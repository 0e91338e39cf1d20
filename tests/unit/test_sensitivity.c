/* Sensitivity against closed forms and linear scans, with analyses that are made up for the purpose. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policies/analyses/sensitivity.h"
#include "tests/support/suite.h"

#define FACTOR(thousandths) INT64_C(thousandths)
#define ALL GRT_ANALYSIS_NO_TASK

static const struct grt_sensitivity_change all_times = {GRT_SENSITIVITY_TIMES, ALL},
                                           all_periods = {GRT_SENSITIVITY_PERIODS, ALL};

/* ---- sets ---- */

enum { TASKS = 3 };

struct case_set {
    struct grt_step steps[TASKS][2];
    struct grt_analysis_segment segments[TASKS][2];
    struct grt_analysis_task tasks[TASKS];
    struct grt_analysis_set set;
};

/* A task of one kernel, described by its time, with an implicit deadline. */
static void add_task(struct case_set *set, int64_t time, int64_t period) {
    size_t i = set->set.count++;
    set->steps[i][0] = (struct grt_step){.each = 1, .units = time, .new_segment = true};
    set->segments[i][0] = (struct grt_analysis_segment){.on_gpu = true,
                                                        .shortest = time,
                                                        .longest = time,
                                                        .device_longest = time,
                                                        .steps = set->steps[i],
                                                        .step_count = 1};
    set->tasks[i] = (struct grt_analysis_task){.name = i == 0   ? "a"
                                                       : i == 1 ? "b"
                                                                : "c",
                                               .number = (uint32_t)i,
                                               .period = period,
                                               .deadline = period,
                                               .core = -1,
                                               .segments = set->segments[i],
                                               .segment_count = 1};
    set->set.tasks = set->tasks;
}

static struct grt_sensitivity *begin(const struct grt_analysis_set *set,
                                     const struct grt_analysis_ops *analysis) {
    return grt_sensitivity_begin(calloc(1, grt_sensitivity_size(set)), set, analysis);
}

static struct grt_sensitivity_limit find(const struct case_set *set, const struct grt_analysis_ops *analysis,
                                         struct grt_sensitivity_change change) {
    struct grt_sensitivity *sensitivity = begin(&set->set, analysis);
    struct grt_sensitivity_limit limit = grt_sensitivity_find(sensitivity, change);
    free(sensitivity);
    return limit;
}

static void expect_limit(struct grt_sensitivity_limit got, int64_t value, int64_t beyond) {
    if (got.kind != GRT_LIMIT_FOUND || got.value != value || got.beyond != beyond) {
        printf("\n    kind %d, %lld then %lld, instead of %lld then %lld\n", (int)got.kind,
               (long long)got.value, (long long)got.beyond, (long long)value, (long long)beyond);
    }
    CU_ASSERT_EQUAL(got.kind, GRT_LIMIT_FOUND);
    CU_ASSERT_EQUAL(got.value, value);
    CU_ASSERT_EQUAL(got.beyond, beyond);
}

static void expect_monotone(struct grt_sensitivity_limit got) {
    CU_ASSERT_EQUAL(got.fails_before, 0);
    CU_ASSERT_EQUAL(got.passes_after, 0);
}

/* ---- an analysis: all jobs, one after the other, meet every deadline ---- */

static int64_t total_time(const struct grt_analysis_set *set) {
    int64_t time = 0;
    for (size_t i = 0; i < set->count; i++) {
        for (size_t j = 0; j < set->tasks[i].segment_count; j++) {
            int64_t longest = set->tasks[i].segments[j].longest;
            time = grt_span_sum(time, longest);
        }
    }
    return time;
}

static void run_sum(const struct grt_analysis_set *set, struct grt_analysis_result *result) {
    int64_t time = total_time(set);
    if (set->interference != NULL) {
        grt_analysis_refuse(result, "%s", set->interference);
        return;
    }
    result->verdict = GRT_VERDICT_SCHEDULABLE;
    for (uint32_t i = 0; i < set->count; i++) {
        result->response[i] = time;
        if (time > set->tasks[i].deadline) {
            grt_analysis_fail(result, GRT_VERDICT_UNKNOWN, i, "%s has %lld", set->tasks[i].name,
                              (long long)set->tasks[i].deadline);
            return;
        }
    }
}

static const char *const no_policies[] = {NULL};
static const struct grt_analysis_ops sum = {.name = "sum",
                                            .summary = "",
                                            .source = "",
                                            .policies = no_policies,
                                            .bounds = true,
                                            .covers = UINT32_MAX,
                                            .run = run_sum};

/* C = 20 + 30 + 50 in 150, 200, 400. */
static void hundred(struct case_set *set) {
    add_task(set, 20, 150);
    add_task(set, 30, 200);
    add_task(set, 50, 400);
}

static void test_closed_form(void) {
    struct case_set set = {0};
    hundred(&set);
    /* ceil(20 f) + ceil(30 f) + ceil(50 f) <= 150: f = 1.5; ceil makes 153 of the next step */
    struct grt_sensitivity_limit limit = find(&set, &sum, all_times);
    expect_limit(limit, FACTOR(1500), FACTOR(1501));
    expect_monotone(limit);
    CU_ASSERT_EQUAL(limit.verdict, GRT_VERDICT_UNKNOWN);
    CU_ASSERT_EQUAL(limit.failing, 0);
    CU_ASSERT_STRING_EQUAL(limit.reason, "a has 150");
    /* 100 + 50 more of c: 2.0; of a: 20 + 50 = 3.5 */
    expect_limit(find(&set, &sum, (struct grt_sensitivity_change){GRT_SENSITIVITY_TIMES, 2}), 2000, 2001);
    expect_limit(find(&set, &sum, (struct grt_sensitivity_change){GRT_SENSITIVITY_TIMES, 0}), 3500, 3501);
    /* a's period may shrink to 100 ns; all by floor(150 f) >= 100: f = 0.667 */
    limit = find(&set, &sum, (struct grt_sensitivity_change){GRT_SENSITIVITY_PERIODS, 0});
    expect_limit(limit, 100, 99);
    expect_monotone(limit);
    CU_ASSERT_STRING_EQUAL(limit.reason, "a has 99");
    expect_limit(find(&set, &sum, (struct grt_sensitivity_change){GRT_SENSITIVITY_PERIODS, 2}), 100, 99);
    expect_limit(find(&set, &sum, all_periods), FACTOR(667), FACTOR(666));
}

/* Sets that do not pass: what would have to be better. */
static void test_not_passing(void) {
    struct case_set set = {0};
    hundred(&set);
    set.tasks[0].period = set.tasks[0].deadline = 80;
    /* ceil(16) + ceil(24) + ceil(40) = 80 */
    expect_limit(find(&set, &sum, all_times), FACTOR(800), FACTOR(801));
    expect_limit(find(&set, &sum, (struct grt_sensitivity_change){GRT_SENSITIVITY_TIMES, 2}), 600, 601);
    expect_limit(find(&set, &sum, (struct grt_sensitivity_change){GRT_SENSITIVITY_PERIODS, 0}), 100, 99);
    expect_limit(find(&set, &sum, all_periods), FACTOR(1250), FACTOR(1249));
    struct grt_sensitivity_limit limit =
        find(&set, &sum, (struct grt_sensitivity_change){GRT_SENSITIVITY_PERIODS, 1});
    CU_ASSERT_EQUAL(limit.kind, GRT_LIMIT_NO_PASS); /* b is not in the way */
    CU_ASSERT_EQUAL(limit.value, 0);
    CU_ASSERT_EQUAL(limit.beyond, 200000);
    CU_ASSERT_EQUAL(limit.failing, 0);
    set.tasks[0].period = set.tasks[0].deadline = 2;
    limit = find(&set, &sum, all_times); /* three tasks take at least 3 ns */
    CU_ASSERT_EQUAL(limit.kind, GRT_LIMIT_NO_PASS);
    CU_ASSERT_EQUAL(limit.beyond, 1);
}

static void test_deadlines(void) {
    struct case_set set = {0};
    hundred(&set);
    set.tasks[0].deadline = 120; /* it stays where the period changes */
    struct grt_sensitivity_limit limit =
        find(&set, &sum, (struct grt_sensitivity_change){GRT_SENSITIVITY_PERIODS, 0});
    CU_ASSERT_EQUAL(limit.kind, GRT_LIMIT_NONE);
    CU_ASSERT_EQUAL(limit.value, 1);
    expect_monotone(limit);
    expect_limit(find(&set, &sum, all_periods), FACTOR(500), FACTOR(499)); /* b: 200 */
    expect_limit(find(&set, &sum, all_times), FACTOR(1200), FACTOR(1201));
    set.tasks[0].deadline = GRT_ANALYSIS_NEVER;
    expect_limit(find(&set, &sum, all_times), FACTOR(2000), FACTOR(2001));
}

static void test_no_sense(void) {
    struct case_set set = {0};
    hundred(&set);
    set.tasks[1].period = 0;
    CU_ASSERT_EQUAL(find(&set, &sum, (struct grt_sensitivity_change){GRT_SENSITIVITY_PERIODS, 1}).kind,
                    GRT_LIMIT_NO_SENSE);
    expect_limit(find(&set, &sum, (struct grt_sensitivity_change){GRT_SENSITIVITY_PERIODS, 0}), 100, 99);
    set.set.interference = "something else";
    CU_ASSERT_EQUAL(find(&set, &sum, all_times).kind, GRT_LIMIT_NO_SENSE);
    CU_ASSERT_EQUAL(find(&set, &sum, all_periods).kind, GRT_LIMIT_NO_SENSE);
}

static void test_no_limit(void) {
    struct case_set set = {0};
    add_task(&set, 1, 1000000000);
    struct grt_sensitivity_limit limit = find(&set, &sum, all_times);
    CU_ASSERT_EQUAL(limit.kind, GRT_LIMIT_NONE);
    CU_ASSERT_EQUAL(limit.value, GRT_SENSITIVITY_MOST);
    limit = find(&set, &sum, (struct grt_sensitivity_change){GRT_SENSITIVITY_PERIODS, 0});
    CU_ASSERT_EQUAL(limit.kind, GRT_LIMIT_NONE);
    CU_ASSERT_EQUAL(limit.value, 1);
}

/* Times of 10^18 ns: longer ones are not known, longer periods are that long. */
static void test_extremes(void) {
    int64_t year = INT64_C(1000000000000000000);
    struct case_set set = {0};
    add_task(&set, year, year);
    expect_limit(find(&set, &sum, all_times), FACTOR(1000), FACTOR(1001));
    expect_limit(find(&set, &sum, all_periods), FACTOR(1000), FACTOR(999));
    expect_limit(find(&set, &sum, (struct grt_sensitivity_change){GRT_SENSITIVITY_PERIODS, 0}), year,
                 year - 1);
    struct grt_sensitivity *sensitivity = begin(&set.set, &sum);
    CU_ASSERT_EQUAL(grt_sensitivity_try(sensitivity, all_periods, 1000000)->verdict, GRT_VERDICT_SCHEDULABLE);
    CU_ASSERT_EQUAL(grt_sensitivity_set(sensitivity)->tasks[0].period, year);
    CU_ASSERT_EQUAL(grt_sensitivity_try(sensitivity, all_times, 1001)->verdict, GRT_VERDICT_UNKNOWN);
    CU_ASSERT_EQUAL(grt_sensitivity_set(sensitivity)->tasks[0].segments[0].longest, GRT_ANALYSIS_NEVER);
    free(sensitivity);
    set = (struct case_set){0};
    add_task(&set, GRT_ANALYSIS_NEVER, year); /* not known */
    CU_ASSERT_EQUAL(find(&set, &sum, all_times).kind, GRT_LIMIT_NO_PASS);
}

/* ---- an analysis that is not monotone: it passes within some totals only ---- */

static int64_t holes[2][2]; /* totals from, to, where it does not pass */

static void run_holes(const struct grt_analysis_set *set, struct grt_analysis_result *result) {
    int64_t time = total_time(set);
    bool fails = (time >= holes[0][0] && time <= holes[0][1]) || (time >= holes[1][0] && time <= holes[1][1]);
    if (fails) {
        grt_analysis_fail(result, GRT_VERDICT_UNKNOWN, GRT_ANALYSIS_NO_TASK, "a hole");
    } else {
        result->verdict = GRT_VERDICT_SCHEDULABLE;
    }
}

static const struct grt_analysis_ops with_holes = {.name = "holes",
                                                   .summary = "",
                                                   .source = "",
                                                   .policies = no_policies,
                                                   .covers = UINT32_MAX,
                                                   .run = run_holes};

/* The limit is the one that the search comes upon; what contradicts it is found where it is wide enough. */
static void test_not_monotone(void) {
    struct case_set set = {0};
    add_task(&set, 1000, 1000); /* a factor's thousandth is a nanosecond */
    holes[0][0] = 1300, holes[0][1] = 1900;
    holes[1][0] = 2500, holes[1][1] = INT64_MAX;
    struct grt_sensitivity_limit limit = find(&set, &with_holes, all_times);
    expect_limit(limit, 1299, 1300);
    CU_ASSERT_EQUAL(limit.fails_before, 0);
    CU_ASSERT(limit.passes_after > 1900 && limit.passes_after < 2500);
    CU_ASSERT_STRING_EQUAL(limit.reason, "a hole");
    holes[0][0] = 100, holes[0][1] = 900;
    limit = find(&set, &with_holes, all_times);
    expect_limit(limit, 2499, 2500);
    CU_ASSERT_EQUAL(limit.passes_after, 0);
    CU_ASSERT(limit.fails_before >= 100 && limit.fails_before <= 900);
    holes[1][0] = INT64_MAX;
    limit = find(&set, &with_holes, all_times);
    CU_ASSERT_EQUAL(limit.kind, GRT_LIMIT_NONE);
    CU_ASSERT(limit.fails_before >= 100 && limit.fails_before <= 900);
}

/* ---- what changes make of a set ---- */

static void with_steps(struct case_set *set) {
    add_task(set, 0, 1000);
    set->steps[0][0] = (struct grt_step){.once = 7, .each = 11, .units = 3, .blocks = 8, .new_segment = true};
    set->steps[0][1] = (struct grt_step){.each = 13, .units = 1};
    set->segments[0][0] = (struct grt_analysis_segment){
        .on_gpu = true, .shortest = 5, .longest = 53, .steps = set->steps[0], .step_count = 2};
    set->segments[0][1] = (struct grt_analysis_segment){.shortest = 2, .longest = 9};
    set->tasks[0].segment_count = 2;
    set->tasks[0].overhead = 3;
    set->tasks[0].jitter = 4;
    add_task(set, 21, 100);
    set->steps[1][0].once = 2;
    set->segments[1][0].longest = 23;
}

static void test_scaled_times(void) {
    struct case_set set = {0};
    with_steps(&set);
    struct grt_sensitivity *sensitivity = begin(&set.set, &sum);
    grt_sensitivity_try(sensitivity, all_times, 1100);
    const struct grt_analysis_task *tasks = grt_sensitivity_set(sensitivity)->tasks;
    const struct grt_analysis_segment *segment = &tasks[0].segments[0];
    CU_ASSERT_EQUAL(segment->longest, 59); /* 58.3 */
    CU_ASSERT_EQUAL(segment->shortest, 5); /* 5.5 */
    CU_ASSERT_EQUAL(segment->steps[0].once, 8);
    CU_ASSERT_EQUAL(segment->steps[0].each, 13);
    CU_ASSERT_EQUAL(segment->steps[0].units, 3);
    CU_ASSERT_EQUAL(segment->steps[0].blocks, 8);
    CU_ASSERT_TRUE(segment->steps[0].new_segment);
    CU_ASSERT_EQUAL(segment->steps[1].each, 15);
    CU_ASSERT_EQUAL(tasks[0].segments[1].longest, 10);
    CU_ASSERT_EQUAL(tasks[0].overhead, 3);
    CU_ASSERT_EQUAL(tasks[0].jitter, 4);
    CU_ASSERT_EQUAL(tasks[0].period, 1000);
    CU_ASSERT_EQUAL(tasks[1].segments[0].steps[0].once, 3);
    CU_ASSERT_EQUAL(tasks[1].segments[0].steps[0].each, 1);
    CU_ASSERT_EQUAL(tasks[1].segments[0].steps[0].units, 24); /* 23.1 */
    grt_sensitivity_try(sensitivity, (struct grt_sensitivity_change){GRT_SENSITIVITY_TIMES, 1}, 1);
    CU_ASSERT_EQUAL(tasks[0].segments[0].longest, 53);
    CU_ASSERT_EQUAL(tasks[1].segments[0].longest, 1);
    CU_ASSERT_EQUAL(tasks[1].segments[0].shortest, 1);
    CU_ASSERT_EQUAL(tasks[1].segments[0].steps[0].units, 1);
    free(sensitivity);
}

static void test_scaled_periods(void) {
    struct case_set set = {0};
    with_steps(&set);
    set.tasks[1].deadline = 90;
    struct grt_sensitivity *sensitivity = begin(&set.set, &sum);
    grt_sensitivity_try(sensitivity, all_periods, 555);
    const struct grt_analysis_task *tasks = grt_sensitivity_set(sensitivity)->tasks;
    CU_ASSERT_EQUAL(tasks[0].period, 555);
    CU_ASSERT_EQUAL(tasks[0].deadline, 555);
    CU_ASSERT_EQUAL(tasks[1].period, 55);
    CU_ASSERT_EQUAL(tasks[1].deadline, 90);
    CU_ASSERT_EQUAL(tasks[0].segments[0].longest, 53);
    grt_sensitivity_try(sensitivity, (struct grt_sensitivity_change){GRT_SENSITIVITY_PERIODS, 1}, 77);
    CU_ASSERT_EQUAL(tasks[0].period, 1000);
    CU_ASSERT_EQUAL(tasks[1].period, 77);
    free(sensitivity);
    CU_ASSERT_EQUAL(set.tasks[1].period, 100); /* the set itself is as it was */
}

int main(void) {
    static CU_TestInfo tests[] = {
        {"closed form", test_closed_form},
        {"sets that do not pass", test_not_passing},
        {"deadlines", test_deadlines},
        {"changes without sense", test_no_sense},
        {"no limit", test_no_limit},
        {"extremes", test_extremes},
        {"analyses that are not monotone", test_not_monotone},
        {"scaled times", test_scaled_times},
        {"scaled periods", test_scaled_periods},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("sensitivity", tests);
}
