/* labels: golden
 * What docs/gpu-access.md shows is what the program prints and draws: every block that begins with a command, every picture below the command that
 * draws it, and the responses of table I. Where GRT_UPDATE is set in the environment, blocks and pictures are written instead of compared. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/document.h"
#include "tests/support/file_text.h"
#include "tests/support/suite.h"

enum { LINE_SIZE = 4096 };

static const struct grt_document document = {.path = "docs/gpu-access.md", .program = GRT_PROGRAM};

static void test_blocks(void) {
    CU_ASSERT_EQUAL(grt_document_blocks(&document), 3);
}

static void test_pictures(void) {
    CU_ASSERT_EQUAL(grt_document_pictures(&document), 4);
}

/* The longest responses of the five tasks, as the table has them. */
static void responses(const char *file, char row[LINE_SIZE]) {
    char command[LINE_SIZE];
    snprintf(command, sizeof command, "gpurt run scenarios/papers/gpu-server/%s.json --json - --quiet", file);
    int length = snprintf(row, LINE_SIZE, "| `%s` |", file);
    const char *at = grt_document_run(&document, command, "");
    for (int task = 0; task < 5; task++) {
        at = strstr(at, "\"response\"");
        CU_ASSERT_PTR_NOT_NULL_FATAL(at);
        at = strstr(at, "\"max_ns\":");
        CU_ASSERT_PTR_NOT_NULL_FATAL(at);
        char number[64];
        int digits = snprintf(number, sizeof number, "%.3f", (double)strtoll(at + 9, NULL, 10) / 1e6);
        while (number[digits - 1] == '0' || number[digits - 1] == '.') {
            bool point = number[digits - 1] == '.';
            number[--digits] = '\0';
            if (point) {
                break;
            }
        }
        length +=
            snprintf(row + length, (size_t)(LINE_SIZE - length), task == 1 ? " **%s** |" : " %s |", number);
    }
}

static void test_table(void) {
    static const char *const files[] = {"table-1-mpcp", "table-1-fmlp", "table-1-mpcp-suspend",
                                        "table-1-server"};
    size_t size;
    char *text = grt_file_text(document.path, &size), row[LINE_SIZE];
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    for (size_t i = 0; i < 4; i++) {
        responses(files[i], row);
        CU_ASSERT_PTR_NOT_NULL(strstr(text, row));
    }
    free(text);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"blocks are what the program prints", test_blocks},
        {"the pictures are current", test_pictures},
        {"table I is what the program says", test_table},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run(document.path, tests);
}
