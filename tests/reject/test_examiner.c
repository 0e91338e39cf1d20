/* labels: robustness soak */
/* Bad results of cuda_scheduling_examiner. Every tests/reject/examiner/<name>.json must be refused with exactly the messages
 * in <name>.txt, one a line. Then made-up ones: cut short, with changed bytes and words. Where GRT_UPDATE is set in the
 * environment, the messages are written instead of compared, to be read before they are committed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/examiner.h"
#include "sim/random.h"
#include "sim/trace_file.h"
#include "tests/support/file_text.h"
#include "tests/support/reject_files.h"
#include "tests/support/suite.h"

static const char folder[] = GRT_SOURCE_DIR "/tests/reject/examiner";
static const char good_path[] = GRT_SOURCE_DIR "/tests/examiner/two-tasks/camera_0.json";

static bool read_result(const char *path, struct grt_errors *errors) {
    struct grt_arena arena = {0};
    struct grt_examiner_file file;
    bool accepted = grt_examiner_read(path, &arena, &file, errors);
    grt_arena_clear(&arena);
    return accepted;
}

static void test_files(void) {
    CU_ASSERT(grt_reject_files(folder, read_result) >= 44);
}

/* ---- Several files ---- */

#define RESULT(scenario, resident)                                                                           \
    "{\"scenario_name\":\"" scenario "\",\"benchmark_name\":\"b\",\"max_resident_threads\":" resident        \
    ",\"times\":[{},{\"cpu_times\":[0,1]},{\"thread_count\":32,\"block_count\":1,\"cuda_launch_times\":"     \
    "[0,0,0],\"block_times\":[0,1],\"block_smids\":[2]}]}"

static void check_pair(const char *first, const char *second, int64_t sm_threads, const char *expected) {
    struct grt_errors errors = {0};
    struct grt_arena arena = {0};
    struct grt_examiner_file files[2];
    CU_ASSERT_TRUE(grt_examiner_parse("first.json", first, strlen(first), &arena, &files[0], &errors));
    CU_ASSERT_TRUE(grt_examiner_parse("second.json", second, strlen(second), &arena, &files[1], &errors));
    CU_ASSERT_FALSE(
        grt_examiner_check(files, 2, &(struct grt_examiner_options){.sm_threads = sm_threads}, &errors));
    char *messages = grt_reject_messages(&errors);
    CU_ASSERT_STRING_EQUAL(messages, expected);
    free(messages);
    grt_errors_clear(&errors);
    grt_arena_clear(&arena);
}

static void test_several_files(void) {
    check_pair(RESULT("a", "6144"), RESULT("b", "4096"), 0,
               "second.json: is of the experiment \"b\", but first.json of \"a\": import one at a time\n"
               "second.json: is of a GPU that holds 4096 threads, but first.json of one with 6144: import "
               "one GPU at a time\n");
    check_pair(RESULT("a", "6144"), RESULT("a", "6144"), 4096,
               "first.json: the GPU holds 6144 threads and its blocks ran on SMs up to 2: an SM cannot hold "
               "4096\n");
}

/* More kernels at a time than the numbers that keep them apart. */
static void test_too_many_at_a_time(void) {
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    fputs("{\"scenario_name\":\"s\",\"benchmark_name\":\"b\",\"max_resident_threads\":2048,\"times\":[{}",
          out);
    for (int i = 0; i <= GRT_EXAMINER_GRIDS; i++) {
        fputs(",{\"thread_count\":32,\"block_count\":1,\"cuda_launch_times\":[0,0,0],\"block_times\":[0,1],"
              "\"block_smids\":[0]}",
              out);
    }
    fputs("]}", out);
    fclose(out);
    struct grt_errors errors = {0};
    struct grt_arena arena = {0};
    struct grt_examiner_file file;
    CU_ASSERT_TRUE(grt_examiner_parse("many.json", text, size, &arena, &file, &errors));
    CU_ASSERT_FALSE(grt_examiner_check(&file, 1, &(struct grt_examiner_options){0}, &errors));
    CU_ASSERT_STRING_EQUAL(errors.messages[0], "many.json: iteration 0 has more than 1024 kernels at a time");
    file.jobs[0].kernel_count--;
    grt_errors_clear(&errors);
    CU_ASSERT_TRUE(grt_examiner_check(&file, 1, &(struct grt_examiner_options){0}, &errors));
    grt_arena_clear(&arena);
    free(text);
}

/* Other limits of docs/limits.md. */
static void test_limits(void) {
    static const char form[] =
        "{\"scenario_name\":\"s\",\"benchmark_name\":\"b\",\"max_resident_threads\":2048,\"times\":[{},"
        "{\"thread_count\":32,\"block_count\":%d,\"cuda_launch_times\":[0,0,0],\"block_times\":[0,1],"
        "\"block_smids\":[%d]}]}";
    static const struct {
        int blocks, sm;
        const char *said;
    } cases[] = {
        {1, GRT_EXAMINER_SMS - 1, NULL},
        {1, GRT_EXAMINER_SMS, "times[1].block_smids[0]: must be a whole number of 0 to 4095 (got 4096)"},
        {GRT_EXAMINER_BLOCKS + 1, 0,
         "times[1].block_count: must be a whole number of 1 to 4194304 (got 4194305)"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[400];
        struct grt_arena arena = {0};
        struct grt_errors errors = {0};
        struct grt_examiner_file file;
        snprintf(text, sizeof text, form, cases[i].blocks, cases[i].sm);
        CU_ASSERT_EQUAL(grt_examiner_parse("r.json", text, strlen(text), &arena, &file, &errors),
                        cases[i].said == NULL);
        CU_ASSERT_EQUAL_FATAL(errors.count, cases[i].said != NULL ? 1 : 0);
        if (cases[i].said != NULL) {
            CU_ASSERT_STRING_EQUAL(errors.messages[0], cases[i].said);
        }
        grt_errors_clear(&errors);
        grt_arena_clear(&arena);
    }
    struct grt_errors errors = {0};
    CU_ASSERT_FALSE(grt_examiner_check(NULL, GRT_EXAMINER_FILES + 1, NULL, &errors));
    CU_ASSERT_STRING_EQUAL(errors.messages[0], "10001 files are more than 10000, the most of one experiment");
    grt_errors_clear(&errors);
}

/* ---- Made-up files ---- */

/* Whether the text was accepted; what is accepted must become a trace that is read again. */
static bool becomes_trace(const char *text, size_t size) {
    static const char path[] = GRT_SCRATCH_DIR "/fuzzed.trace";
    struct grt_errors errors = {0};
    struct grt_arena arena = {0};
    struct grt_examiner_file file;
    struct grt_examiner_options options = {0};
    bool accepted = grt_examiner_parse("text", text, size, &arena, &file, &errors) &&
                    grt_examiner_check(&file, 1, &options, &errors);
    CU_ASSERT_EQUAL(accepted, errors.count == 0);
    if (accepted) {
        struct grt_output *output = grt_output_open(path, &errors);
        CU_ASSERT_PTR_NOT_NULL_FATAL(output);
        struct grt_trace *trace = grt_trace_create();
        grt_trace_add_sink(trace, &grt_trace_file_sink, output);
        grt_examiner_write(&file, 1, &options, trace);
        CU_ASSERT_TRUE(grt_trace_finish(trace));
        grt_trace_free(trace);
        CU_ASSERT_TRUE(grt_output_close(output, &errors));
        struct grt_trace_memory kept = {0};
        CU_ASSERT_TRUE(grt_trace_file_read(path, &kept, &errors));
        CU_ASSERT_FALSE(kept.cut);
        grt_trace_memory_free(&kept);
    }
    grt_errors_clear(&errors);
    grt_arena_clear(&arena);
    return accepted;
}

/* Each cut is a block of its own size, so that a sanitizer sees any step beyond its end. */
static void test_truncations(void) {
    size_t size;
    char *good = grt_file_text(good_path, &size);
    CU_ASSERT_PTR_NOT_NULL_FATAL(good);
    CU_ASSERT_TRUE(becomes_trace(good, size));
    for (size_t length = 0; length + 1 < size; length++) { /* the last byte is a line break */
        char *cut = grt_allocate(length);
        memcpy(cut, good, length);
        CU_ASSERT_FALSE(becomes_trace(cut, length));
        free(cut);
    }
    free(good);
}

/* Up to four changed digits, points, signs and brackets. */
static void test_changed_bytes(void) {
    static const char bytes[] = "0123456789.-e[]{},\": ";
    struct grt_random random = grt_random_stream(1, "changed bytes", 0, 0);
    size_t size;
    char *good = grt_file_text(good_path, &size);
    CU_ASSERT_PTR_NOT_NULL_FATAL(good);
    int refused = 0, rounds = grt_suite_cases(1500, 100000);
    for (int round = 0; round < rounds; round++) {
        char *text = grt_allocate(size);
        memcpy(text, good, size);
        for (uint64_t i = grt_random_below(&random, 4) + 1; i > 0; i--) {
            text[grt_random_below(&random, size)] = bytes[grt_random_below(&random, sizeof bytes - 1)];
        }
        refused += !becomes_trace(text, size);
        free(text);
    }
    free(good);
    CU_ASSERT(refused > rounds / 4 && refused < rounds);
}

/* A value somewhere is replaced by another: these get past the syntax. */
static void test_swapped_values(void) {
    static const char *const words[] = {
        "0",    "-1",    "1e300", "1000000", "null", "true",  "\"\"",       "[]",    "{}",
        "4096", "65536", "0.5",   "[[]]",    "1e9",  "[1,2]", "2147483648", "[2,1]", "{\"cpu_times\":[0,0]}"};
    struct grt_random random = grt_random_stream(1, "swapped values", 0, 0);
    size_t size;
    char *good = grt_file_text(good_path, &size);
    CU_ASSERT_PTR_NOT_NULL_FATAL(good);
    int refused = 0, rounds = grt_suite_cases(1500, 100000);
    for (int round = 0; round < rounds; round++) {
        size_t from = grt_random_below(&random, size);
        from += strcspn(good + from, "[,: ");
        from += strspn(good + from, "[,: ");
        size_t to = from + strcspn(good + from, ",]}");
        const char *word = words[grt_random_below(&random, sizeof words / sizeof words[0])];
        size_t length = strlen(word), rest = size - to;
        char *text = grt_allocate(from + length + rest);
        memcpy(text, good, from);
        memcpy(text + from, word, length);
        memcpy(text + from + length, good + to, rest);
        refused += !becomes_trace(text, from + length + rest);
        free(text);
    }
    free(good);
    CU_ASSERT(refused > rounds / 2 && refused < rounds);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"files", test_files},
        {"several files", test_several_files},
        {"too many at a time", test_too_many_at_a_time},
        {"limits", test_limits},
        {"truncations", test_truncations},
        {"changed bytes", test_changed_bytes},
        {"swapped values", test_swapped_values},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("reject examiner", tests);
}
