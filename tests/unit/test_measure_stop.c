/* labels: soak */
/* When a cell has samples enough, against counting and drawing. */
#include <math.h>
#include <stdlib.h>

#include "calib/measure/stop.h"
#include "sim/random.h"
#include "tests/support/suite.h"

/* The probability of at most r heads of n tosses, by Pascal's triangle; exact up to n of 60. */
static double at_most(unsigned r, unsigned n) {
    double row[64] = {1}, sum = 0;
    for (unsigned i = 1; i <= n; i++) {
        for (unsigned j = i; j > 0; j--) {
            row[j] += row[j - 1];
        }
    }
    for (unsigned j = 0; j <= r; j++) {
        sum += row[j];
    }
    return sum / ldexp(1, (int)n);
}

static void test_ranks(void) {
    for (unsigned n = 0; n <= 60; n++) {
        size_t low = 0, high = 0;
        bool found = grt_median_ranks(n, &low, &high);
        int wanted = -1;
        while (n > 0 && wanted + 1 < (int)n && at_most((unsigned)(wanted + 1), n) <= 0.025) {
            wanted++;
        }
        CU_ASSERT_EQUAL(found, wanted >= 0);
        CU_ASSERT(!found || (low == (size_t)wanted && high == n - 1 - low && low < high));
    }
    size_t low, high;
    CU_ASSERT(grt_median_ranks(300, &low, &high));
    CU_ASSERT(low == 132 && high == 167); /* the 133rd and the 168th: 150 -+ 1.96 * sqrt(300) / 2 */
}

static int compare(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* A cell is known exactly when so many of the sorted values lie within the part of the median. */
static void test_known(void) {
    struct grt_random random = grt_random_stream(1, "stop", 0, 0);
    int known = 0, cases = grt_suite_cases(3000, 100000);
    for (int i = 0; i < cases; i++) {
        double values[60], sorted[60];
        size_t count = 1 + grt_random_below(&random, 60), low = 0, high = 0;
        double spread = grt_random_uniform(&random) * 0.05;
        for (size_t j = 0; j < count; j++) {
            values[j] = sorted[j] = 1000 * (1 + spread * grt_random_uniform(&random));
        }
        qsort(sorted, count, sizeof *sorted, compare);
        double median = count % 2 == 1 ? sorted[count / 2] : (sorted[count / 2] + sorted[count / 2 - 1]) / 2;
        bool wanted = grt_median_ranks(count, &low, &high) && sorted[high] - sorted[low] <= 0.01 * median;
        CU_ASSERT_EQUAL(grt_median_is_known(values, count, 0.01), wanted);
        CU_ASSERT_EQUAL(grt_median(values, count), median);
        known += wanted;
    }
    CU_ASSERT(known > cases / 10 && known < cases * 9 / 10);
}

/* The interval has the median of the distribution in it as often as it says. */
static void test_coverage(void) {
    struct grt_random random = grt_random_stream(2, "stop", 0, 0);
    int inside = 0, cases = grt_suite_all_cases(4000, 200000);
    for (int i = 0; i < cases; i++) {
        double values[40];
        size_t low = 0, high = 0;
        for (size_t j = 0; j < 40; j++) {
            values[j] = -log(1 - grt_random_uniform(&random));
        }
        qsort(values, 40, sizeof *values, compare);
        grt_median_ranks(40, &low, &high);
        inside += values[low] <= log(2) && log(2) <= values[high];
    }
    CU_ASSERT((double)inside / cases > 0.94 && (double)inside / cases < 0.985);
}

static void test_zero(void) {
    double zeros[6] = {0}, one[1] = {3};
    CU_ASSERT(grt_median_is_known(zeros, 6, 0.01));
    CU_ASSERT_FALSE(grt_median_is_known(zeros, 5, 0.01));
    CU_ASSERT_EQUAL(grt_median(one, 1), 3);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"ranks of the median's interval", test_ranks},
        {"known medians", test_known},
        {"the interval covers", test_coverage},
        {"zeros and single values", test_zero},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("enough samples", tests);
}
