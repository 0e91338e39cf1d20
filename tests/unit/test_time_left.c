/* How long a sweep may still take, where points take unequally long. */
#include "study/sweep/time_left.h"
#include "tests/support/suite.h"

/* A sweep that asks ten times a second. */
struct run {
    struct grt_time_left state;
    struct grt_sweep_progress progress;
};

static double go_on(struct run *run, double seconds, double chunks_per_second) {
    double left = -1, start = run->progress.seconds;
    uint64_t before = run->progress.done;
    for (int i = 1; i <= (int)(seconds * 10 + 0.5); i++) {
        run->progress.seconds = start + i / 10.0;
        run->progress.done = before + (uint64_t)(i / 10.0 * chunks_per_second + 1e-9);
        left = grt_time_left(&run->state, &run->progress);
    }
    return left;
}

static void even_points_are_told_exactly(void) {
    struct run run = {.progress = {.total = 1000}};
    CU_ASSERT_DOUBLE_EQUAL(go_on(&run, 20, 10), 80, 8);
    CU_ASSERT_DOUBLE_EQUAL(go_on(&run, 60, 10), 20, 2);
}

/* 440 of 500 chunks take 0.5 s, the others 0.2 s each: 12 s from there. */
static void slow_points_at_the_end_are_noticed(void) {
    struct run run = {.progress = {.total = 500}};
    go_on(&run, 0.5, 880);
    CU_ASSERT_EQUAL(run.progress.done, 440);
    double left = go_on(&run, 3, 5); /* 9 s, really */
    CU_ASSERT_DOUBLE_EQUAL(left, 9, 3);
}

/* Nothing comes any more: it is not at its end. */
static void a_stall_is_never_nothing(void) {
    struct run run = {.progress = {.total = 500}};
    go_on(&run, 0.5, 880);
    CU_ASSERT(go_on(&run, 0.2, 0) >= 1);
    CU_ASSERT(go_on(&run, 10, 0) > 60); /* 60 chunks, the first of which has taken 5 s at least */
    run.progress.done = 500;
    CU_ASSERT_EQUAL(grt_time_left(&run.state, &run.progress), 0);
}

/* What the journal had says nothing of how fast this run is. */
static void what_was_resumed_does_not_count(void) {
    struct run run = {.progress = {.total = 1000, .resumed = 900, .done = 900}};
    CU_ASSERT(go_on(&run, 0.5, 0) < 0);
    CU_ASSERT_DOUBLE_EQUAL(go_on(&run, 20, 2), 30, 3);
}

int main(void) {
    CU_TestInfo tests[] = {{"even points are told exactly", even_points_are_told_exactly},
                           {"slow points at the end are noticed", slow_points_at_the_end_are_noticed},
                           {"a stall is never nothing", a_stall_is_never_nothing},
                           {"what was resumed does not count", what_was_resumed_does_not_count},
                           CU_TEST_INFO_NULL};
    return grt_suite_run("time_left", tests);
}
