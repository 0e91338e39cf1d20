/* The unit and the digits of a column of times. */
#include "cli/terminal/quantity.h"
#include "tests/support/suite.h"

static void expect_scale(grt_time largest, grt_time smallest, const char *first, const char *last,
                         const char *unit) {
    struct grt_time_scale scale = grt_time_scale_for(largest, smallest);
    char text[GRT_QUANTITY_TEXT_SIZE];
    CU_ASSERT_STRING_EQUAL(scale.unit, unit);
    CU_ASSERT_STRING_EQUAL(grt_time_scale_text(&scale, largest, text), first);
    CU_ASSERT_STRING_EQUAL(grt_time_scale_text(&scale, smallest, text), last);
}

static void test_columns(void) {
    expect_scale(33 * GRT_MILLISECOND, 10 * GRT_MILLISECOND, "33.00", "10.00", "ms");
    expect_scale(33 * GRT_MILLISECOND, 16 * GRT_MICROSECOND, "33.000", "0.016", "ms");
    expect_scale(0, 0, "0", "0", "ms");
    expect_scale(30 * GRT_SECOND, 100 * GRT_MILLISECOND, "30.000", "0.100", "s");
    expect_scale(30 * GRT_SECOND, 16 * GRT_MILLISECOND, "30000.0", "16.0", "ms"); /* not 0.016 */
    expect_scale(GRT_SECOND, 16543 * GRT_MICROSECOND, "1000.0", "16.5", "ms");
    expect_scale(1000 * GRT_SECOND, 16 * GRT_MILLISECOND, "1000.000", "0.016", "s");
}

int main(void) {
    static CU_TestInfo tests[] = {{"columns", test_columns}, CU_TEST_INFO_NULL};
    return grt_suite_run("quantities", tests);
}
