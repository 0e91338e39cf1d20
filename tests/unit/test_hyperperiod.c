/* Hyperperiods: the largest offset plus the least common multiple, and where there is none. */
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

static grt_time of_two(grt_time period_a, grt_time offset_a, grt_time period_b, grt_time offset_b) {
    struct grt_task tasks[2] = {{.arrival = GRT_ARRIVAL_PERIODIC, .period = period_a, .offset = offset_a},
                                {.arrival = GRT_ARRIVAL_PERIODIC, .period = period_b, .offset = offset_b}};
    struct grt_scenario scenario = {.tasks = tasks, .task_count = 2};
    return grt_scenario_hyperperiod(&scenario);
}

static void multiples(void) {
    CU_ASSERT_EQUAL(of_two(4, 0, 6, 0), 12);
    CU_ASSERT_EQUAL(of_two(5, 0, 5, 0), 5);
    CU_ASSERT_EQUAL(of_two(1, 0, 7, 0), 7);
    CU_ASSERT_EQUAL(of_two(4, 3, 6, 2), 15);
    CU_ASSERT_EQUAL(of_two(33333333, 0, 50 * GRT_MILLISECOND, 0), INT64_C(33333333) * 50 * GRT_MILLISECOND);
}

static void the_limit(void) {
    CU_ASSERT_EQUAL(of_two(GRT_TIME_LIMIT, 0, GRT_TIME_LIMIT / 2, 0), GRT_TIME_LIMIT);
    CU_ASSERT_EQUAL(of_two(GRT_TIME_LIMIT, 1, 1, 0), 0);                  /* the offset is too much */
    CU_ASSERT_EQUAL(of_two(GRT_TIME_LIMIT, 0, 3, 0), 0);                  /* the multiple is */
    CU_ASSERT_EQUAL(of_two(GRT_TIME_LIMIT - 1, 0, GRT_TIME_LIMIT, 0), 0); /* beyond 64 bits */
}

static void only_periodic_tasks(void) {
    struct grt_task tasks[2] = {{.arrival = GRT_ARRIVAL_PERIODIC, .period = 10},
                                {.arrival = GRT_ARRIVAL_AFTER}};
    struct grt_scenario scenario = {.tasks = tasks, .task_count = 2};
    CU_ASSERT_EQUAL(grt_scenario_hyperperiod(&scenario), 10); /* it comes as its predecessor does */
    static const int64_t others[] = {GRT_ARRIVAL_SPORADIC, GRT_ARRIVAL_POISSON, GRT_ARRIVAL_TIMES};
    for (int i = 0; i < 3; i++) {
        tasks[1] = (struct grt_task){.arrival = others[i], .period = 10};
        CU_ASSERT_EQUAL(grt_scenario_hyperperiod(&scenario), 0);
    }
}

int main(void) {
    CU_TestInfo tests[] = {
        {"multiples", multiples},
        {"the limit", the_limit},
        {"only periodic tasks", only_periodic_tasks},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("hyperperiods", tests);
}
