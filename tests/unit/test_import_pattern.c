/* What repeats in sequences of letters; measured spans; names of kernels. */
#include <string.h>

#include "calib/measure/stop.h"
#include "calib/program/import/kernel_name.h"
#include "calib/program/import/measured.h"
#include "calib/program/import/median.h"
#include "calib/program/import/pattern.h"
#include "tests/support/suite.h"

static bool find(const char *letters, struct grt_pattern *pattern) {
    uint32_t marks[64];
    size_t count = strlen(letters);
    for (size_t i = 0; i < count; i++) {
        marks[i] = (uint32_t)letters[i];
    }
    return grt_pattern_find(marks, count, 16, pattern);
}

static void expect(const char *letters, size_t first, size_t length, size_t count) {
    struct grt_pattern pattern;
    CU_ASSERT_TRUE(find(letters, &pattern));
    CU_ASSERT_EQUAL(pattern.first, first);
    CU_ASSERT_EQUAL(pattern.length, length);
    CU_ASSERT_EQUAL(pattern.count, count);
}

static void test_found(void) {
    expect("aa", 0, 1, 2);
    expect("abcabcabc", 0, 3, 3);
    expect("aabaabaab", 0, 3, 3);      /* not the two a's */
    expect("xyabcabcabcabc", 2, 3, 4); /* behind a beginning */
    expect("abcabcabcab", 0, 3, 3);    /* cut off */
    expect("aaaaaaaabaaaaaaaaaaa", 9, 1, 11);
    expect("abcabcabcxabcabcabcabcabc", 10, 3, 5);
}

static void test_not_found(void) {
    struct grt_pattern pattern;
    CU_ASSERT_FALSE(find("", &pattern));
    CU_ASSERT_FALSE(find("a", &pattern));
    CU_ASSERT_FALSE(find("abcdefgh", &pattern));
    CU_ASSERT_FALSE(find("abcdefghiijklmnop", &pattern));                  /* too little of it */
    CU_ASSERT_FALSE(find("abcdefghijklmnopqabcdefghijklmnopq", &pattern)); /* longer than 16 */
}

static void test_measured(void) {
    struct grt_arena arena = {0};
    grt_time same[] = {7, 7, 7}, few[] = {30, 10, 20}, many[101];
    struct grt_distribution constant = grt_measured_spans(same, 3, 10, &arena);
    CU_ASSERT_EQUAL(constant.kind, GRT_CONSTANT);
    CU_ASSERT_EQUAL(constant.max, 7);
    struct grt_distribution all = grt_measured_spans(few, 3, 10, &arena);
    CU_ASSERT_EQUAL(all.kind, GRT_EMPIRICAL);
    CU_ASSERT_EQUAL(all.measured->count, 3);
    CU_ASSERT_EQUAL(all.measured->values[1], 20);
    for (size_t i = 0; i < 101; i++) {
        many[i] = 1000 - (grt_time)i;
    }
    struct grt_distribution some = grt_measured_spans(many, 101, 11, &arena);
    CU_ASSERT_EQUAL_FATAL(some.measured->count, 11);
    CU_ASSERT_EQUAL(some.measured->values[0], 900);
    CU_ASSERT_EQUAL(some.measured->values[5], 950);
    CU_ASSERT_EQUAL(some.measured->values[10], 1000);
    struct grt_errors errors = {0};
    CU_ASSERT_TRUE(grt_distribution_check(&some, &errors, NULL));
    grt_arena_clear(&arena);
}

static void test_medians(void) {
    double odd[] = {3, 1, 2}, even[] = {4, 1, 3, 2};
    grt_time times[] = {40, 10, 30, 20};
    CU_ASSERT_DOUBLE_EQUAL(grt_median(odd, 3), 2, 0);
    CU_ASSERT_DOUBLE_EQUAL(grt_median(even, 4), 2.5, 0);
    CU_ASSERT_EQUAL(grt_median_time(times, 4), 20);
}

static void test_names(void) {
    static const char *const names[][2] = {
        {"plain", "plain"},
        {"void gemm<float, (int)16>(const T1 *)", "gemm"},
        {"void a::b::axpy<x<y>>(int)", "axpy"},
        {"void (anonymous namespace)::blur<3>(int)", "blur"},
        {"", "kernel"},
        {"(int)", "kernel"},
        {"k\xc3\xa4se(int)", "k__se"},
        {"a_very_long_name_of_a_kernel_that_has_more_than_sixty_four_letters(int)",
         "a_very_long_name_of_a_kernel_that_has_more_than_"},
    };
    struct grt_arena arena = {0};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        CU_ASSERT_STRING_EQUAL(grt_kernel_name(&arena, names[i][0]), names[i][1]);
    }
    grt_arena_clear(&arena);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"patterns", test_found},  {"no patterns", test_not_found},  {"measured spans", test_measured},
        {"medians", test_medians}, {"names of kernels", test_names}, CU_TEST_INFO_NULL,
    };
    return grt_suite_run("import/pattern", tests);
}
