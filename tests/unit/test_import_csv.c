#include <stdint.h>
#include <string.h>

#include "calib/program/import/csv.h"
#include "tests/support/suite.h"

static struct grt_arena arena;
static struct grt_csv csv;

static bool read(const char *text) {
    struct grt_errors errors = {0};
    bool good = grt_csv_read(text, strlen(text), 1, "==", &arena, &csv, &errors);
    CU_ASSERT_EQUAL(good, errors.count == 0);
    grt_errors_clear(&errors);
    return good;
}

static void expect(size_t row, size_t column, const char *text) {
    CU_ASSERT_FATAL(row < csv.count && column < csv.rows[row].count);
    CU_ASSERT_STRING_EQUAL(csv.rows[row].cells[column], text);
}

static void test_cells(void) {
    CU_ASSERT_TRUE(read("a,\"b,c\",\r\n\n== no, row\n\"say \"\"hi\"\"\",\"two\nlines\",x"));
    CU_ASSERT_EQUAL_FATAL(csv.count, 2);
    CU_ASSERT_EQUAL(csv.rows[0].count, 3);
    expect(0, 0, "a");
    expect(0, 1, "b,c");
    expect(0, 2, "");
    CU_ASSERT_EQUAL(csv.rows[1].line, 4);
    expect(1, 0, "say \"hi\"");
    expect(1, 1, "two\nlines");
    expect(1, 2, "x");
    CU_ASSERT_EQUAL(grt_csv_column(&csv.rows[0], "b,c"), 1);
    CU_ASSERT_EQUAL(grt_csv_column(&csv.rows[0], "d"), SIZE_MAX);
    CU_ASSERT_TRUE(read("\"\""));
    expect(0, 0, "");
    CU_ASSERT_TRUE(read(""));
    CU_ASSERT_EQUAL(csv.count, 0);
    grt_arena_clear(&arena);
}

static void refuse(const char *text, size_t size, const char *message) {
    struct grt_errors errors = {0};
    CU_ASSERT_FALSE(grt_csv_read(text, size, 5, NULL, &arena, &csv, &errors));
    CU_ASSERT_EQUAL(csv.count, 0);
    CU_ASSERT_EQUAL_FATAL(errors.count, 1);
    CU_ASSERT_STRING_EQUAL(errors.messages[0], message);
    grt_errors_clear(&errors);
    grt_arena_clear(&arena);
}

static void test_refused(void) {
    refuse("a\n\"b\nc", 6, "line 6: the quote does not end: the file is cut off");
    refuse("a\n\"b\"c\n", 7, "line 6: there is text behind a closing quote");
    refuse("a\rb\n", 4, "line 5: a carriage return stands alone");
    refuse("a\0b\n", 4, "line 5: there is a zero byte behind it");
}

int main(void) {
    CU_TestInfo tests[] = {
        {"cells", test_cells},
        {"what is refused", test_refused},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("import/csv", tests);
}
