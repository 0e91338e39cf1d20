/* Paths and lists of errors: exact texts. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/error.h"
#include "sim/error_path.h"
#include "tests/support/suite.h"

static const struct grt_path root = {0};
static const struct grt_path tasks = {.parent = &root, .key = "tasks"};
static const struct grt_path third = {.parent = &tasks, .index = 2};
static const struct grt_path period = {.parent = &third, .key = "period"};

/* What grt_errors_print writes; the caller frees it. */
static char *printed(const struct grt_errors *errors, const char *prefix) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    CU_ASSERT_FATAL(out != NULL);
    grt_errors_print(errors, out, prefix);
    fclose(out);
    return text;
}

static void expect_path(const struct grt_path *path, const char *expected) {
    char text[200];
    CU_ASSERT_PTR_EQUAL(grt_path_text(path, text, sizeof text), text);
    CU_ASSERT_STRING_EQUAL(text, expected);
}

static void writes_paths(void) {
    expect_path(NULL, "");
    expect_path(&root, "");
    expect_path(&tasks, "tasks");
    expect_path(&third, "tasks[2]");
    expect_path(&period, "tasks[2].period");
    struct grt_path element = {.parent = &root, .index = 7}, inner = {.parent = &element, .index = SIZE_MAX};
    expect_path(&element, "[7]");
    expect_path(&inner, "[7][18446744073709551615]");
    struct grt_path key = {.parent = &inner, .key = "x"};
    expect_path(&key, "[7][18446744073709551615].x");
}

static void finds_what_a_message_is_about(void) {
    struct grt_errors errors = {0};
    grt_error_add(&errors, &period, "must be > 0");
    const char *message = errors.messages[0];
    CU_ASSERT(grt_error_is_about(message, "tasks", 5));
    CU_ASSERT(grt_error_is_about(message, "tasks[2]", 8));
    CU_ASSERT(grt_error_is_about(message, "tasks[2].period=5ms", 15));
    CU_ASSERT(!grt_error_is_about(message, "task", 4));
    CU_ASSERT(!grt_error_is_about(message, "tasks[2].period.mean", 20));
    CU_ASSERT(!grt_error_is_about(message, "period", 6));
    CU_ASSERT(!grt_error_is_about(message, message, strlen(message)));
    CU_ASSERT_EQUAL(grt_error_first_key(message), 5);
    grt_errors_clear(&errors);
}

/* Whatever an input has in it: no message moves a terminal's cursor, changes its title, or is two lines. */
static void shows_what_is_no_text(void) {
    struct grt_errors errors = {0};
    grt_error_add(&errors, NULL, "%s", "\x1b]0;title\x07 line\nline\x7f");
    grt_error_add(&errors, NULL, "%s", "fine: \xc3\xa9 \xe2\x82\xac, not: \xc3 \xff \xed\xa0\x80 \xc2\x9b");
    CU_ASSERT_STRING_EQUAL(errors.messages[0], "\\x1b]0;title\\x07 line\\x0aline\\x7f");
    CU_ASSERT_STRING_EQUAL(errors.messages[1],
                           "fine: \xc3\xa9 \xe2\x82\xac, not: \\xc3 \\xff \\xed\\xa0\\x80 \\xc2\\x9b");
    struct grt_path key = {.parent = &root, .key = "a\rb"};
    grt_error_add(&errors, &key, "bad");
    CU_ASSERT_STRING_EQUAL(errors.messages[2], "a\\x0db: bad");
    grt_errors_clear(&errors);
}

/* A cut path is the beginning of the whole one. */
static void cuts_paths(void) {
    const char *whole = "tasks[2].period[10].distribution";
    struct grt_path tenth = {.parent = &period, .index = 10};
    struct grt_path last = {.parent = &tenth, .key = "distribution"};
    for (size_t size = 1; size <= strlen(whole) + 1; size++) {
        char text[64], expected[64];
        memset(text, '#', sizeof text);
        snprintf(expected, size, "%s", whole);
        CU_ASSERT_STRING_EQUAL(grt_path_text(&last, text, size), expected);
        CU_ASSERT_EQUAL(text[size], '#');
    }
}

static void cuts_paths_with_long_names(void) {
    char name[801], text[100], expected[100];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    struct grt_path longest = {.parent = &third, .key = name};
    struct grt_path behind = {.parent = &longest, .key = "x"};
    snprintf(expected, sizeof expected, "tasks[2].%.90s", name);
    CU_ASSERT_STRING_EQUAL(grt_path_text(&behind, text, sizeof text), expected);
}

static void adds_sentences(void) {
    struct grt_errors errors = {0};
    grt_error_add(&errors, &period, "must be above %d (got %s)", 0, "\"-1ms\"");
    grt_error_add(&errors, &root, "must be an object");
    grt_error_add(&errors, NULL, "is %.3f %% of it", 12.5);
    CU_ASSERT_EQUAL_FATAL(errors.count, 3);
    CU_ASSERT_STRING_EQUAL(errors.messages[0], "tasks[2].period: must be above 0 (got \"-1ms\")");
    CU_ASSERT_STRING_EQUAL(errors.messages[1], "must be an object");
    CU_ASSERT_STRING_EQUAL(errors.messages[2], "is 12.500 % of it");
    grt_errors_clear(&errors);
}

static void takes_long_sentences(void) {
    struct grt_errors errors = {0};
    char word[801], expected[900];
    memset(word, 'w', sizeof word - 1);
    word[sizeof word - 1] = '\0';
    grt_error_add(&errors, &tasks, "no %s here", word);
    snprintf(expected, sizeof expected, "tasks: no %s here", word);
    CU_ASSERT_STRING_EQUAL(errors.messages[0], expected);
    grt_errors_clear(&errors);
}

static void prints_with_a_prefix(void) {
    struct grt_errors errors = {0};
    char *text = printed(&errors, "a.json: ");
    CU_ASSERT_STRING_EQUAL(text, "");
    free(text);
    grt_error_add(&errors, &tasks, "must be a list");
    grt_error_add(&errors, NULL, "100%% wrong, %s", "%s");
    text = printed(&errors, "a.json: ");
    CU_ASSERT_STRING_EQUAL(text, "a.json: tasks: must be a list\na.json: 100% wrong, %s\n");
    free(text);
    text = printed(&errors, "a\x1b[31m: "); /* a file's name may be anything */
    CU_ASSERT_STRING_EQUAL(text, "a\\x1b[31m: tasks: must be a list\na\\x1b[31m: 100% wrong, %s\n");
    free(text);
    text = printed(&errors, "");
    CU_ASSERT_STRING_EQUAL(text, "tasks: must be a list\n100% wrong, %s\n");
    free(text);
    grt_errors_clear(&errors);
}

/* The text that `count` errors "number I" print; the caller frees it. */
static char *expected_print(size_t count) {
    char *text = malloc(64 * (GRT_ERRORS_KEPT + 1)), *end = text;
    for (size_t i = 0; i < count && i < GRT_ERRORS_KEPT; i++) {
        end += sprintf(end, "f: number %zu\n", i);
    }
    if (count > GRT_ERRORS_KEPT) {
        sprintf(end, "f: and %zu more errors\n", count - GRT_ERRORS_KEPT);
    }
    return text;
}

static void keeps_fifty(void) {
    static const size_t counts[] = {1, 49, 50, 52, 51 + 49, 10050};
    CU_ASSERT_EQUAL(GRT_ERRORS_KEPT, 50);
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
        struct grt_errors errors = {0};
        for (size_t i = 0; i < counts[k]; i++) {
            grt_error_add(&errors, NULL, "number %zu", i);
        }
        CU_ASSERT_EQUAL(errors.count, counts[k]);
        char *text = printed(&errors, "f: "), *expected = expected_print(counts[k]);
        CU_ASSERT_STRING_EQUAL(text, expected);
        free(text);
        free(expected);
        grt_errors_clear(&errors);
        CU_ASSERT_EQUAL(errors.count, 0);
    }
}

static void a_cleared_list_starts_again(void) {
    struct grt_errors errors = {0};
    grt_errors_clear(&errors);
    for (int i = 0; i < 60; i++) {
        grt_error_add(&errors, NULL, "old");
    }
    grt_errors_clear(&errors);
    grt_errors_clear(&errors);
    grt_error_add(&errors, &third, "new");
    char *text = printed(&errors, "");
    CU_ASSERT_STRING_EQUAL(text, "tasks[2]: new\n");
    free(text);
    grt_errors_clear(&errors);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"writes paths", writes_paths},
        {"finds what a message is about", finds_what_a_message_is_about},
        {"shows what is no text", shows_what_is_no_text},
        {"cuts paths", cuts_paths},
        {"cuts paths with long names", cuts_paths_with_long_names},
        {"adds sentences", adds_sentences},
        {"takes long sentences", takes_long_sentences},
        {"prints with a prefix", prints_with_a_prefix},
        {"keeps fifty", keeps_fifty},
        {"a cleared list starts again", a_cleared_list_starts_again},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("error", tests);
}
