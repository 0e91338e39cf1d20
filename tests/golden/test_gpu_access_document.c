/* labels: golden
 * What docs/gpu-access.md shows is what the program prints and draws: every block that begins with a command, every picture below the command that
 * draws it, and the responses of table I. Where GRT_UPDATE is set in the environment, blocks and pictures are written instead of compared. */
#include <CUnit/CUnit.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/file_text.h"
#include "tests/support/suite.h"

#define DOCUMENT "docs/gpu-access.md"

enum { TEXT_SIZE = 1 << 18, LINE_SIZE = 4096 };

static char output[TEXT_SIZE];

/* A command that begins with "gpurt", with more options. */
static void run(const char *command, const char *options) {
    char line[LINE_SIZE];
    CU_ASSERT_FATAL(strncmp(command, "gpurt ", 6) == 0);
    snprintf(line, sizeof line, "%s %s %s", GRT_PROGRAM, command + 6, options);
    FILE *pipe = popen(line, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(pipe);
    output[fread(output, 1, TEXT_SIZE - 1, pipe)] = '\0';
    CU_ASSERT_EQUAL(pclose(pipe), 0);
}

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fputs(text, file);
    CU_ASSERT_EQUAL(fclose(file), 0);
}

/* Whether the file has that text; writes it where that is wanted. */
static bool is_current(const char *path, const char *text) {
    size_t size;
    char *known = grt_file_text(path, &size);
    bool same = known != NULL && strcmp(known, text) == 0;
    if (!same && getenv("GRT_UPDATE") != NULL) {
        write_file(path, text);
        same = true;
    }
    if (!same) {
        printf("\n    %s: run this test with GRT_UPDATE=1 ", path);
    }
    free(known);
    return same;
}

static char *read_document(void) {
    size_t size;
    char *document = grt_file_text(DOCUMENT, &size);
    CU_ASSERT_PTR_NOT_NULL_FATAL(document);
    return document;
}

/* The line at a place of the text, without its end; the place behind it. */
static const char *take_line(const char *text, char line[LINE_SIZE]) {
    size_t length = strcspn(text, "\n");
    CU_ASSERT_FATAL(length < LINE_SIZE);
    memcpy(line, text, length);
    line[length] = '\0';
    return text + length + (text[length] != '\0');
}

/* Blocks, each a fence, "$ gpurt ...", what it prints, a fence, are made anew. */
static void test_blocks(void) {
    static const char open[] = "```\n$ gpurt ";
    static char made[TEXT_SIZE];
    char *document = read_document(), line[LINE_SIZE];
    const char *rest = document, *block;
    size_t length = 0;
    int count = 0;
    for (; (block = strstr(rest, open)) != NULL; count++) {
        const char *body = take_line(block + 4, line), *end = strstr(body - 1, "\n```\n");
        CU_ASSERT_PTR_NOT_NULL_FATAL(end);
        run(line + 2, "--utf8 --color=never");
        length += (size_t)snprintf(made + length, TEXT_SIZE - length, "%.*s%s\n%s```\n",
                                   (int)(block + 4 - rest), rest, line, output);
        rest = end + 5;
    }
    snprintf(made + length, TEXT_SIZE - length, "%s", rest);
    CU_ASSERT_EQUAL(count, 3);
    CU_ASSERT(is_current(DOCUMENT, made));
    free(document);
}

/* A command that draws, and the picture that is shown next. */
static void test_pictures(void) {
    char *document = read_document(), line[LINE_SIZE], command[LINE_SIZE] = "";
    int count = 0;
    for (const char *rest = document; *rest != '\0';) {
        rest = take_line(rest, line);
        char *picture = strstr(line, "](pictures/");
        if (strncmp(line, "gpurt export svg ", 17) == 0) {
            memcpy(command, line, sizeof command);
        } else if (picture != NULL) {
            char path[LINE_SIZE];
            snprintf(path, sizeof path, "docs/%.*s", (int)strcspn(picture + 2, ")"), picture + 2);
            run(command, "");
            CU_ASSERT(strlen(output) > 5000);
            CU_ASSERT(is_current(path, output));
            command[0] = '\0'; /* each draws one */
            count++;
        }
    }
    CU_ASSERT_EQUAL(count, 4);
    free(document);
}

/* The longest responses of the five tasks, as the table has them. */
static void responses(const char *file, char row[LINE_SIZE]) {
    char command[LINE_SIZE];
    snprintf(command, sizeof command, "gpurt run scenarios/papers/gpu-server/%s.json --json - --quiet", file);
    run(command, "");
    int length = snprintf(row, LINE_SIZE, "| `%s` |", file);
    const char *at = output;
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
    char *document = read_document(), row[LINE_SIZE];
    for (size_t i = 0; i < 4; i++) {
        responses(files[i], row);
        CU_ASSERT_PTR_NOT_NULL(strstr(document, row));
    }
    free(document);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"blocks are what the program prints", test_blocks},
        {"the pictures are current", test_pictures},
        {"table I is what the program says", test_table},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run(DOCUMENT, tests);
}
