/* Logarithm, exponential and roots of the generators, against libm's. */
#include <math.h>

#include "sim/elementary.h"
#include "sim/random.h"
#include "tests/support/suite.h"

static void are_the_functions_of_libm(void) {
    struct grt_random random = grt_random_of_key(1);
    double worst_log = 0, worst_exp = 0, worst_root = 0;
    for (int i = 0; i < 200000; i++) {
        double u = 1 - grt_random_uniform(&random), x = i % 2 == 0 ? u : 1e9 * u, y = 1400 * (u - 0.5);
        uint32_t k = 1 + (uint32_t)grt_random_below(&random, i % 4 == 0 ? 4096 : 20);
        worst_log = fmax(worst_log, fabs(grt_elementary_log(x) - log(x)) / fmax(1, fabs(log(x))));
        worst_exp = fmax(worst_exp, fabs(grt_elementary_exp(y) / exp(y) - 1));
        worst_root = fmax(worst_root, fabs(grt_elementary_root(u, k) / pow(u, 1.0 / k) - 1));
    }
    CU_ASSERT(worst_log < 4e-16); /* libm's own last digit included */
    CU_ASSERT(worst_exp < 6e-16);
    CU_ASSERT(worst_root < 1e-15);
}

static void are_exact_at_their_ends(void) {
    CU_ASSERT(grt_elementary_log(1) == 0);
    CU_ASSERT(grt_elementary_exp(0) == 1);
    CU_ASSERT(grt_elementary_exp(-701) == 0);
    CU_ASSERT(grt_elementary_exp(701) == grt_elementary_exp(700));
    for (uint32_t k = 1; k < 100; k++) {
        CU_ASSERT(grt_elementary_root(1, k) == 1);
        CU_ASSERT(grt_elementary_root(1 - 0x1p-53, k) <= 1);
        CU_ASSERT(grt_elementary_root(0x1p-53, k) > 0);
    }
}

int main(void) {
    CU_TestInfo tests[] = {
        {"are the functions of libm", are_the_functions_of_libm},
        {"are exact at their ends", are_exact_at_their_ends},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("elementary functions", tests);
}
