/* Work at a changing speed, against exact fractions worked out by hand. */
#include "models/device/progress.h"
#include "tests/support/suite.h"

#define HALF (GRT_FULL_SPEED / 2)

static void at_full_speed_work_is_time(void) {
    struct grt_progress progress = grt_progress_start(100);
    CU_ASSERT_EQUAL(grt_progress_end(&progress, 50), 150);
    grt_progress_advance(&progress, 130);
    CU_ASSERT_EQUAL(progress.done, 30);
    CU_ASSERT_EQUAL(progress.fraction, 0);
    CU_ASSERT_EQUAL(grt_progress_end(&progress, 50), 150);
}

static void half_a_ns_is_kept(void) {
    struct grt_progress progress = grt_progress_start(0);
    grt_progress_change(&progress, 0, HALF);
    grt_progress_advance(&progress, 1);
    CU_ASSERT_EQUAL(progress.done, 0);
    CU_ASSERT_EQUAL(progress.fraction, UINT32_C(1) << 31);
    grt_progress_advance(&progress, 2);
    CU_ASSERT_EQUAL(progress.done, 1);
    CU_ASSERT_EQUAL(progress.fraction, 0);
}

/* Half a ns is done; what is left of 3 ns takes 5 ns at half speed, but 3 whole ones at full. */
static void an_end_is_the_first_whole_ns(void) {
    struct grt_progress progress = grt_progress_start(0);
    grt_progress_change(&progress, 0, HALF);
    grt_progress_advance(&progress, 1);
    CU_ASSERT_EQUAL(grt_progress_end(&progress, 3), 6);
    grt_progress_change(&progress, 1, GRT_FULL_SPEED);
    CU_ASSERT_EQUAL(grt_progress_end(&progress, 3), 4);
}

static void what_is_done_ends_at_once(void) {
    struct grt_progress progress = grt_progress_start(7);
    CU_ASSERT_EQUAL(grt_progress_end(&progress, 0), 7);
    grt_progress_advance(&progress, 20);
    CU_ASSERT_EQUAL(grt_progress_end(&progress, 13), 20);
    CU_ASSERT_EQUAL(grt_progress_end(&progress, 5), 20);
}

/* The division of 64 bits and that of 128 meet at 2^31 ns of work. */
static void long_spans_are_exact(void) {
    struct grt_progress progress = grt_progress_start(0);
    grt_progress_change(&progress, 0, HALF);
    for (grt_time work = INT32_MAX - INT64_C(2); work <= INT32_MAX + INT64_C(2); work++) {
        CU_ASSERT_EQUAL(grt_progress_end(&progress, work), 2 * work);
    }
    grt_progress_change(&progress, 0, 3 * (GRT_FULL_SPEED / 4));
    CU_ASSERT_EQUAL(grt_progress_end(&progress, INT64_C(3000000000)), INT64_C(4000000000));
    CU_ASSERT_EQUAL(grt_progress_end(&progress, INT64_C(3000000001)), INT64_C(4000000002));
}

static void the_end_of_hardly_any_speed_is_no_overflow(void) {
    struct grt_progress progress = grt_progress_start(GRT_TIME_LIMIT);
    grt_progress_change(&progress, GRT_TIME_LIMIT, 0);
    CU_ASSERT_EQUAL(progress.speed, 1);
    grt_time end = grt_progress_end(&progress, GRT_TIME_LIMIT);
    CU_ASSERT(end > 2 * GRT_TIME_LIMIT);
    CU_ASSERT(end < GRT_TIME_NEVER);
}

static void products_are_rounded_up(void) {
    CU_ASSERT_EQUAL(grt_speed_product(GRT_FULL_SPEED, GRT_FULL_SPEED), GRT_FULL_SPEED);
    CU_ASSERT_EQUAL(grt_speed_product(HALF, HALF), GRT_FULL_SPEED / 4);
    CU_ASSERT_EQUAL(grt_speed_product(3, HALF), 2);
    CU_ASSERT_EQUAL(grt_speed_product(0, HALF), 0);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"at full speed, work is time", at_full_speed_work_is_time},
        {"half a ns is kept", half_a_ns_is_kept},
        {"an end is the first whole ns", an_end_is_the_first_whole_ns},
        {"what is done ends at once", what_is_done_ends_at_once},
        {"long spans are exact", long_spans_are_exact},
        {"hardly any speed is no overflow", the_end_of_hardly_any_speed_is_no_overflow},
        {"products are rounded up", products_are_rounded_up},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("progress", tests);
}
