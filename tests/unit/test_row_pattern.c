/* Patterns of rows: what they match, what hides what, and what is refused in which words. */
#include <stdbool.h>
#include <string.h>

#include "tests/support/suite.h"
#include "viz/timeline/row_pattern.h"

/* Whether a row is shown by these lists, the second of which may be NULL. */
static bool shown(const char *list, enum grt_row_kind kind, const char *name) {
    struct grt_row_patterns patterns = {0};
    struct grt_errors errors = {0};
    CU_ASSERT(grt_row_patterns_add(&patterns, list, &errors));
    bool result = grt_row_patterns_show(&patterns, kind, name);
    grt_row_patterns_free(&patterns);
    return result;
}

static bool matches(const char *pattern, const char *name) {
    return shown(pattern, GRT_ROW_TASK, name);
}

static void test_names(void) {
    CU_ASSERT(matches("detect", "detect"));
    CU_ASSERT(matches("DETECT", "Detect"));
    CU_ASSERT_FALSE(matches("detect", "detector"));
    CU_ASSERT_FALSE(matches("detect", "detec"));
    CU_ASSERT(matches("*", ""));
    CU_ASSERT(matches("SM*", "SM 12"));
    CU_ASSERT(matches("*12", "SM 12"));
    CU_ASSERT(matches("S*1*2", "SM 1112"));
    CU_ASSERT_FALSE(matches("S*1*2", "SM 111"));
    CU_ASSERT(matches("*a*b*c", "xaxbxaxbxc"));
    CU_ASSERT(matches("SM ?", "SM 1"));
    CU_ASSERT_FALSE(matches("SM ?", "SM 12"));
    CU_ASSERT_FALSE(matches("SM ?", "SM "));
    CU_ASSERT(matches("gr??er", "gr\xc3\xb6\xc3\x9f"
                                "er"));
    CU_ASSERT(matches("a\\*b", "a*b"));
    CU_ASSERT_FALSE(matches("a\\*b", "axb"));
    CU_ASSERT(matches("a\\,b\\:c", "a,b:c"));
    CU_ASSERT(matches("a\\", "a\\"));
}

static void test_kinds(void) {
    CU_ASSERT(shown("sm:*", GRT_ROW_SM, "SM 0"));
    CU_ASSERT_FALSE(shown("sm:*", GRT_ROW_CORE, "SM 0"));
    CU_ASSERT(shown("copy:copy*", GRT_ROW_ENGINE, "copy h2d"));
    for (int kind = 0; kind < GRT_ROW_KINDS; kind++) {
        char list[40];
        snprintf(list, sizeof list, "%s:x", grt_row_kind_name((enum grt_row_kind)kind));
        for (int other = 0; other < GRT_ROW_KINDS; other++) {
            CU_ASSERT_EQUAL(shown(list, (enum grt_row_kind)other, "x"), kind == other);
        }
    }
}

static void test_lists(void) {
    struct grt_row_patterns none = {0};
    CU_ASSERT(grt_row_patterns_show(&none, GRT_ROW_TASK, "anything"));
    CU_ASSERT(matches("a,b", "b"));
    CU_ASSERT_FALSE(matches("a,b", "c"));
    CU_ASSERT(matches("!a", "b"));
    CU_ASSERT_FALSE(matches("!a", "a"));
    CU_ASSERT_FALSE(matches("a*,!ab", "ab"));
    CU_ASSERT_FALSE(matches("!ab,a*", "ab"));
    CU_ASSERT(matches("!ab,a*", "abc"));
    CU_ASSERT_FALSE(shown("!sm:*", GRT_ROW_SM, "SM 0"));
    CU_ASSERT(shown("!sm:*", GRT_ROW_CORE, "cpu 0"));
}

static void expect_refused(const char *list, const char *sentence) {
    struct grt_row_patterns patterns = {0};
    struct grt_errors errors = {0};
    CU_ASSERT_FALSE(grt_row_patterns_add(&patterns, list, &errors));
    CU_ASSERT_EQUAL_FATAL(errors.count, 1);
    CU_ASSERT_STRING_EQUAL(errors.messages[0], sentence);
    grt_errors_clear(&errors);
    grt_row_patterns_free(&patterns);
}

static void test_refused(void) {
    expect_refused("", "a pattern is empty");
    expect_refused("a,,b", "a pattern is empty");
    expect_refused("a,", "a pattern is empty");
    expect_refused("!", "a pattern is empty");
    expect_refused("sm:", "a pattern is empty");
    expect_refused("core:x,cpu:y",
                   "\"cpu\" is no kind of row: it is one of task, policy, core, stream, copy, sm, "
                   "process; a colon in a name is written \"\\:\"");
}

static void test_unused(void) {
    struct grt_row_patterns patterns = {0};
    struct grt_errors errors = {0};
    CU_ASSERT(grt_row_patterns_add(&patterns, "a,!sm:b,c", &errors));
    grt_row_patterns_show(&patterns, GRT_ROW_TASK, "a");
    grt_row_patterns_show(&patterns, GRT_ROW_TASK, "b");
    CU_ASSERT_FALSE(grt_row_patterns_check_used(&patterns, &errors));
    CU_ASSERT_EQUAL_FATAL(errors.count, 2);
    CU_ASSERT_STRING_EQUAL(errors.messages[0], "no sm is called \"b\"");
    CU_ASSERT_STRING_EQUAL(errors.messages[1], "no row is called \"c\"");
    grt_errors_clear(&errors);
    grt_row_patterns_show(&patterns, GRT_ROW_SM, "b");
    grt_row_patterns_show(&patterns, GRT_ROW_SM, "c");
    CU_ASSERT(grt_row_patterns_check_used(&patterns, &errors));
    grt_row_patterns_free(&patterns);
}

int main(void) {
    CU_TestInfo tests[] = {{"names", test_names},     {"kinds", test_kinds},   {"lists", test_lists},
                           {"refused", test_refused}, {"unused", test_unused}, CU_TEST_INFO_NULL};
    return grt_suite_run("row pattern", tests);
}
