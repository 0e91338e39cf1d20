/* By how much longer a kernel takes with a part of the SMs. */
#include <math.h>

#include "models/usage.h"
#include "tests/support/suite.h"

static bool near(double value, double expected) {
    return fabs(value - expected) <= 1e-12 * fabs(expected);
}

static void fills_what_it_can(void) {
    struct grt_usage usage = {.host_fraction = 0, .sm_utilisation = 1};
    CU_ASSERT(grt_usage_share_factor(&usage, 100) == 1);
    CU_ASSERT(near(grt_usage_share_factor(&usage, 50), 2));
    CU_ASSERT(near(grt_usage_share_factor(&usage, 1), 100));
    usage.sm_utilisation = 0.4;
    CU_ASSERT(grt_usage_share_factor(&usage, 40) == 1);
    CU_ASSERT(grt_usage_share_factor(&usage, 99) == 1);
    CU_ASSERT(near(grt_usage_share_factor(&usage, 10), 4));
}

static void waits_only_with_its_part_on_the_SMs(void) {
    struct grt_usage usage = {.host_fraction = 0.25, .sm_utilisation = 0.8};
    CU_ASSERT(grt_usage_share_factor(&usage, 80) == 1);
    CU_ASSERT(near(grt_usage_share_factor(&usage, 40), 0.25 + 0.75 * 2));
    CU_ASSERT(near(grt_usage_share_factor(&usage, 8), 0.25 + 0.75 * 10));
}

static void is_as_measured(void) {
    struct grt_share_factor points[] = {{20, 4}, {50, 2}, {80, 1.25}};
    struct grt_usage usage = {
        .host_fraction = 0.5, .sm_utilisation = 0.9, .share_factors = {.items = points, .count = 3}};
    CU_ASSERT(grt_usage_share_factor(&usage, 20) == 4);
    CU_ASSERT(grt_usage_share_factor(&usage, 50) == 2);
    CU_ASSERT(grt_usage_share_factor(&usage, 80) == 1.25);
    CU_ASSERT(grt_usage_share_factor(&usage, 100) == 1);
    /* 1/25 is in the middle of 1/20 and 3/100: between 20 and 100/3; of 20 and 50 it is two thirds of the way up. */
    CU_ASSERT(near(grt_usage_share_factor(&usage, 25), 2 + 2 * (2.0 / 3)));
    CU_ASSERT(near(grt_usage_share_factor(&usage, 90), 1 + 0.25 * (1.0 / 90 - 0.01) / (1.0 / 80 - 0.01)));
    /* Below the first point 3.5 of the 4 are on the SMs, and half as many of these make 7. */
    CU_ASSERT(near(grt_usage_share_factor(&usage, 10), 7.5));
}

static void is_flat_below_a_point_above_what_it_fills(void) {
    struct grt_share_factor points[] = {{60, 1.5}};
    struct grt_usage usage = {.sm_utilisation = 0.3, .share_factors = {.items = points, .count = 1}};
    CU_ASSERT(near(grt_usage_share_factor(&usage, 30), 1.5));
    CU_ASSERT(near(grt_usage_share_factor(&usage, 15), 3));
}

static void never_takes_longer_with_more(void) {
    struct grt_share_factor points[] = {{10, 3}, {30, 5}, {60, 1}, {90, 1.5}, {100, 1}};
    struct grt_usage usage = {.sm_utilisation = 1, .share_factors = {.items = points, .count = 5}};
    for (int64_t share = 2; share <= 100; share++) {
        CU_ASSERT(grt_usage_share_factor(&usage, share) <= grt_usage_share_factor(&usage, share - 1));
        CU_ASSERT(grt_usage_share_factor(&usage, share) >= 1);
    }
    CU_ASSERT(grt_usage_share_factor(&usage, 10) == 5); /* measured 3, but 30 vprocessors took 5 */
    CU_ASSERT(grt_usage_share_factor(&usage, 60) == 1.5);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"fills what it can", fills_what_it_can},
        {"waits only with its part on the SMs", waits_only_with_its_part_on_the_SMs},
        {"is as measured", is_as_measured},
        {"is flat below a point above what it fills", is_flat_below_a_point_above_what_it_fills},
        {"never takes longer with more", never_takes_longer_with_more},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("usage of a GPU", tests);
}
