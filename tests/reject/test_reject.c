/* labels: robustness */
/* Bad scenarios. Every tests/reject/<name>.json must be refused with exactly the messages in <name>.txt, one a line.
 * Then made-up ones: cut short, with flipped bits, hostile in size. Where GRT_UPDATE is set in the environment, the
 * messages are written instead of compared, to be read before they are committed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scenarios/scenario.h"
#include "sim/memory.h"
#include "sim/random.h"
#include "tests/support/reject_files.h"
#include "tests/support/suite.h"

static const char folder[] = GRT_SOURCE_DIR "/tests/reject";

/* A scenario in which every kind of field occurs. */
static const char good[] =
    "{\"gpurt\": 1, \"name\": \"caf\xC3\xA9 \\u00e9\", \"seed\": 12, \"horizon\": "
    "\"100ms\", \"ties\": \"arrival\",\n"
    "\"platform\": {\"cpus\": 2, \"gpus\": [{\"device\": {\"sm_count\": 4, "
    "\"copy_engines\": 2}, \"l2\": \"1MiB\"}, {\"device\": \"tx2\",\n"
    "\"granularity\": \"shares\", \"contention\": \"saturation\", "
    "\"contention_latency\": {\"l2\": 0.5}}]},\n"
    "\"networks\": \"files/networks-of-l.json\",\n"
    "\"kernels\": [\"files/good-kernels.json\", {\"name\": \"d\", \"blocks\": 2, \"threads\": 32, "
    "\"block_time\":\n"
    "{\"distribution\": \"empirical\", \"values\": [\"1us\", \"2us\"], \"tail\": {\"threshold\": \"1us\", "
    "\"scale\": "
    "\"9ns\", \"shape\": -0.5,\n"
    "\"ratio\": 0.25}, \"max\": \"9us\"}, \"launches\": [{\"kernel\": \"matmul\", \"at\": \"1us\"}], "
    "\"split_overhead\": \"3us\"}],\n"
    "\"policy\": {\"name\": \"fifo\"}, \"tasks\": [\n"
    "{\"name\": \"a\", \"period\": \"10ms\", \"jitter\": \"1.5us\", \"cpu\": 0, "
    "\"segments\": [{\"cpu\": \"1ms\"},\n"
    "{\"gpu\": [{\"h2d\": \"4KiB\"}, {\"kernel\": \"k\", \"blocks\": 8, \"threads\": "
    "64, \"smem_opt_in\": true,\n"
    "\"block_time\": {\"distribution\": \"gamma\", \"scale\": \"1us\", \"shape\": "
    "2.5, \"max\": \"1ms\"}}, {\"kernel\": \"d\"}, {\"kernel\": \"e\", \"like\": \"whole\"}]}]},\n"
    "{\"name\": \"b\", \"after\": [\"a\"], \"cpu\": 1, \"segments\": [{\"cpu\": "
    "{\"min\": \"1us\", \"max\": \"2us\"}}]},\n"
    "{\"name\": \"c\", \"times\": [\"0ns\", \"5ms\"], \"deadline\": \"3ms\", "
    "\"gpu\": 1, \"segments\": [{\"gpu\": [{\"kernel\": \"l\",\n"
    "\"time\": \"1ms\", \"usage\": {\"sm_utilisation\": 0.5, \"demand\": {\"sm\": "
    "0.25}, \"counters\": {\"warps\": 1e9},\n"
    "\"share_factors\": [{\"share\": 25, \"factor\": 2}]}}, {\"kernel\": \"l\", \"time\": "
    "\"1ms\", \"usage\": \"lud\"}]}]}], \"expect\": {\"missed\": 0, \"blocks\": [{\"kernel\": "
    "\"k\", \"start\": \"0s\",\n"
    "\"end\": \"1ms\", \"sms\": [0]}]}}\n";

static bool parse(const char *text, size_t size, struct grt_errors *errors) {
    struct grt_scenario_file file;
    bool accepted = grt_scenario_parse(text, size, folder, NULL, &file, errors);
    grt_scenario_file_free(&file);
    return accepted;
}

static void write_file(const char *path, const char *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    CU_ASSERT_EQUAL(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

static bool read_scenario(const char *path, struct grt_errors *errors) {
    struct grt_scenario_file file;
    bool accepted = grt_scenario_read(path, NULL, &file, errors);
    CU_ASSERT_PTR_NULL(file.arena.chunks);
    grt_scenario_file_free(&file);
    return accepted;
}

static void test_files(void) {
    CU_ASSERT(grt_reject_files(folder, read_scenario) >= 180);
}

static void check_unreadable(const char *path, const char *expected) {
    struct grt_errors errors = {0};
    struct grt_scenario_file file;
    CU_ASSERT_FALSE(grt_scenario_read(path, NULL, &file, &errors));
    CU_ASSERT_EQUAL_FATAL(errors.count, 1);
    CU_ASSERT_STRING_EQUAL(errors.messages[0], expected);
    grt_errors_clear(&errors);
}

static void test_unreadable(void) {
    check_unreadable(folder, "cannot be read: Is a directory");
    check_unreadable(GRT_SCRATCH_DIR "/nothing-here.json", "cannot be opened: No such file or directory");
    const char *path = GRT_SCRATCH_DIR "/secret.json";
    write_file(path, good, sizeof good - 1);
    chmod(path, 0);
    if (geteuid() != 0) { /* root may read it */
        check_unreadable(path, "cannot be opened: Permission denied");
    }
    remove(path);
}

/* 70 MiB without using the disk: a file with a hole reads as zero bytes. */
static void test_too_large(void) {
    const char *path = GRT_SCRATCH_DIR "/large.json";
    write_file(path, "[", 1);
    CU_ASSERT_EQUAL_FATAL(truncate(path, 70 * 1024 * 1024), 0);
    check_unreadable(path, "is larger than 64 MiB");
    CU_ASSERT_EQUAL_FATAL(truncate(path, 64 * 1024 * 1024), 0);
    check_unreadable(path, "1:2: zero bytes are not allowed");
    remove(path);
}

static void test_good_is_good(void) {
    struct grt_errors errors = {0};
    CU_ASSERT_TRUE(parse(good, sizeof good - 1, &errors));
    grt_errors_print(&errors, stdout, "\n    ");
    CU_ASSERT_EQUAL(errors.count, 0);
    grt_errors_clear(&errors);
}

/* Each cut is a block of its own size, so that a sanitizer sees any step beyond its end. */
static void test_truncations(void) {
    const size_t whole = sizeof good - 2; /* without the last line break */
    for (size_t size = 0; size < whole; size++) {
        char *cut = grt_allocate(size);
        memcpy(cut, good, size);
        struct grt_errors errors = {0};
        bool accepted = parse(cut, size, &errors);
        CU_ASSERT_FALSE(accepted);
        CU_ASSERT_EQUAL_FATAL(errors.count, 1);
        CU_ASSERT(strstr(errors.messages[0], "the text ") != NULL ||
                  strstr(errors.messages[0], "UTF-8") != NULL);
        grt_errors_clear(&errors);
        free(cut);
    }
}

/* Up to four changed bytes: refused with a reason, or another good scenario. */
static void test_flipped_bytes(void) {
    struct grt_random random = grt_random_stream(1, "flipped bytes", 0, 0);
    int refused = 0;
    for (int round = 0; round < 2000; round++) {
        char text[sizeof good];
        memcpy(text, good, sizeof good);
        for (uint64_t i = grt_random_below(&random, 4) + 1; i > 0; i--) {
            text[grt_random_below(&random, sizeof good - 1)] = (char)grt_random_below(&random, 256);
        }
        struct grt_errors errors = {0};
        bool accepted = parse(text, sizeof good - 1, &errors);
        CU_ASSERT_EQUAL(accepted, errors.count == 0);
        refused += !accepted;
        grt_errors_clear(&errors);
    }
    CU_ASSERT(refused > 1500);
}

/* Up to three changed words of structure and values: these get past the syntax more often. */
static void test_swapped_words(void) {
    static const char *const words[] = {"\"\"",        "-1",     "0",     "1e300", "\"-1ns\"", "\"0ns\"",
                                        "[]",          "{}",     "null",  "true",  "\"a\"",    "\"1s\"",
                                        "\"999999h\"", "[[{}]]", "\"k\"", "2.5",   "\"4KiB\"", "[\"a\"]"};
    struct grt_random random = grt_random_stream(1, "swapped words", 0, 0);
    for (int round = 0; round < 2000; round++) {
        char text[2 * sizeof good];
        size_t size = sizeof good - 1;
        memcpy(text, good, sizeof good);
        for (uint64_t i = grt_random_below(&random, 3) + 1; i > 0; i--) {
            const char *word = words[grt_random_below(&random, sizeof words / sizeof words[0])];
            char *colon = strchr(text + grt_random_below(&random, size - 100), ':');
            size_t length = strlen(word), old = colon != NULL ? strcspn(colon + 2, ",}") : 0;
            if (colon != NULL) {
                memmove(colon + 2 + length, colon + 2 + old, size + 1 - (size_t)(colon + 2 + old - text));
                memcpy(colon + 2, word, length);
                size = strlen(text);
            }
        }
        struct grt_errors errors = {0};
        CU_ASSERT_EQUAL(parse(text, size, &errors), errors.count == 0);
        grt_errors_clear(&errors);
    }
}

static void check_only(const char *text, size_t size, const char *expected) {
    struct grt_errors errors = {0};
    CU_ASSERT_FALSE(parse(text, size, &errors));
    CU_ASSERT_EQUAL(errors.count, 1);
    CU_ASSERT_STRING_EQUAL(errors.messages[0], expected);
    grt_errors_clear(&errors);
}

static void test_brackets(void) {
    const size_t count = 2000000;
    char *text = grt_allocate(count);
    memset(text, '[', count);
    check_only(text, count, "1:65: nested deeper than 64 levels");
    memset(text, '{', count);
    check_only(text, count, "1:2: expected the name of a field in double quotes");
    memset(text, '"', count);
    check_only(text, count, "1:3: nothing may follow the end of the value");
    memset(text, ' ', count);
    check_only(text, count, "1:1: the text is empty");
    free(text);
}

/* As some editors and shells write texts. */
static void test_utf_16(void) {
    check_only("\xFF\xFE{\0}", 6, "1:1: the text is UTF-16: save it as UTF-8");
    check_only("\xFE\xFF\0{\0}", 6, "1:1: the text is UTF-16: save it as UTF-8");
}

/* A text with `count` times a number between `left` and `right`, with commas. */
static char *repeat(const char *before, const char *left, const char *right, const char *after, size_t count,
                    size_t *size) {
    char *text;
    FILE *out = open_memstream(&text, size);
    fputs(before, out);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "%s%s%zu%s", i > 0 ? "," : "", left, i, right);
    }
    fputs(after, out);
    fclose(out);
    return text;
}

static void check_many(char *text, size_t size, size_t count, const char *first) {
    struct grt_errors errors = {0};
    CU_ASSERT_FALSE(parse(text, size, &errors));
    CU_ASSERT_EQUAL(errors.count, count);
    CU_ASSERT_STRING_EQUAL(errors.messages[0], first);
    grt_errors_clear(&errors);
    free(text);
}

#define SMALL                                                                                                \
    "{\"gpurt\":1,\"horizon\":\"1s\",\"platform\":{\"gpus\":[{\"device\":\"exclusive\"}]},\"tasks\":[{"      \
    "\"name\":\"a\",\"segments\":"

/* A million of anything: in linear time, or this test does not end. */
static void test_millions(void) {
    size_t size;
    char *text = repeat("{", "\"key", "\":0", "}", 1000000, &size);
    check_many(text, size, 1000004, "key0: unknown field"); /* and four required fields */

    text = repeat("[", "", "", "]", 4000000, &size);
    check_many(text, size, 1, "1:30888884: more than 4000000 values");

    text = repeat(SMALL "[{\"cpu\":\"1s\"}],\"times\":[", "", "", "]}]}", 100000, &size);
    check_many(text, size, 100000, "tasks[0].times[0]: must be a duration such as \"250us\" (got 0)");

    text = repeat(SMALL "[{\"cpu\":\"1s\"}],\"times\":[\"0s\"]}],\"expect\":{\"tasks\":[", "{\"task\":\"x",
                  "\"}", "]}}", 1000000, &size);
    check_many(text, size, 1000000, "expect.tasks[0].task: unknown task \"x0\"");
}

static void test_repeated_keys(void) {
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    fputs("{", out);
    for (int i = 0; i < 100000; i++) {
        fprintf(out, "%s\"k%d\":0", i > 0 ? "," : "", i % 50000);
    }
    fputs("}", out);
    fclose(out);
    struct grt_errors errors = {0};
    CU_ASSERT_FALSE(parse(text, size, &errors));
    CU_ASSERT_EQUAL(errors.count, 50000 + 100000 + 4);
    CU_ASSERT(strstr(errors.messages[0], ": given twice") != NULL);
    grt_errors_clear(&errors);
    free(text);
    const char thrice[] = "{\"expect\": {\"missed\": 1, \"missed\": 2, \"missed\": 3}}";
    CU_ASSERT_FALSE(parse(thrice, sizeof thrice - 1, &errors));
    CU_ASSERT_STRING_EQUAL(errors.messages[0], "expect.missed: given twice");
    CU_ASSERT_EQUAL(errors.count, 5); /* and four required fields */
    grt_errors_clear(&errors);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"files with their messages", test_files},
        {"files that cannot be read", test_unreadable},
        {"a file that is too large", test_too_large},
        {"the good scenario is good", test_good_is_good},
        {"cut short at every byte", test_truncations},
        {"flipped bytes", test_flipped_bytes},
        {"swapped words", test_swapped_words},
        {"brackets", test_brackets},
        {"UTF-16", test_utf_16},
        {"millions", test_millions},
        {"repeated keys", test_repeated_keys},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("reject", tests);
}
