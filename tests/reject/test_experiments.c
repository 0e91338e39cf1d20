/* labels: robustness soak */
/* Bad experiments. Every tests/reject/experiments/<name>.json must be refused with exactly the messages in <name>.txt; then the one of
 * docs/sweeps.md, cut short, with flipped bytes and with other words in it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/experiment/experiment.h"
#include "sim/memory.h"
#include "sim/random.h"
#include "tests/support/documented_experiment.h"
#include "tests/support/reject_files.h"
#include "tests/support/suite.h"

static const char folder[] = GRT_SOURCE_DIR "/tests/reject/experiments";

static bool read_experiment(const char *path, struct grt_errors *errors) {
    struct grt_experiment experiment;
    bool accepted = grt_experiment_read(path, NULL, &experiment, errors);
    if (!accepted) {
        CU_ASSERT_PTR_NULL(experiment.arena.chunks);
        CU_ASSERT_EQUAL(experiment.point_count, 0);
    }
    grt_experiment_free(&experiment);
    return accepted;
}

static void test_files(void) {
    CU_ASSERT(grt_reject_files(folder, read_experiment) >= 60);
}

static bool parse(const char *text, size_t size, struct grt_errors *errors) {
    struct grt_experiment experiment;
    bool accepted = grt_experiment_parse(text, size, "a.json", folder, NULL, &experiment, errors);
    grt_experiment_free(&experiment);
    return accepted;
}

/* Each cut is a block of its own size, so that a sanitizer sees any step beyond its end. */
static void test_truncations(void) {
    char *good = grt_documented_experiment();
    const size_t whole = strlen(good) - 2; /* without the last line break */
    for (size_t size = 0; size < whole; size++) {
        char *cut = memcpy(grt_allocate(size), good, size);
        struct grt_errors errors = {0};
        CU_ASSERT_FALSE(parse(cut, size, &errors));
        CU_ASSERT_EQUAL(errors.count, 1);
        grt_errors_clear(&errors);
        free(cut);
    }
    free(good);
}

static void test_flipped_bytes(void) {
    char *good = grt_documented_experiment();
    size_t size = strlen(good);
    struct grt_random random = grt_random_stream(1, "flipped bytes", 0, 0);
    int refused = 0, rounds = grt_suite_cases(1000, 50000);
    for (int round = 0; round < rounds; round++) {
        char *text = memcpy(grt_allocate(size + 1), good, size + 1);
        for (uint64_t i = grt_random_below(&random, 4) + 1; i > 0; i--) {
            text[grt_random_below(&random, size)] = (char)grt_random_below(&random, 256);
        }
        struct grt_errors errors = {0};
        CU_ASSERT_EQUAL(parse(text, size, &errors), errors.count == 0);
        refused += errors.count > 0;
        grt_errors_clear(&errors);
        free(text);
    }
    CU_ASSERT(refused > rounds / 2);
    free(good);
}

/* Replaces the value behind the first colon from `from` on; returns the new text. */
static char *with_word(const char *text, size_t from, const char *word) {
    const char *colon = strchr(text + from, ':');
    size_t before = colon != NULL ? (size_t)(colon + 1 - text) : strlen(text);
    size_t old = colon != NULL ? strcspn(text + before, ",}") : 0;
    char *changed;
    size_t size;
    FILE *out = open_memstream(&changed, &size);
    fprintf(out, "%.*s%s%s", (int)before, text, colon != NULL ? word : "", text + before + old);
    fclose(out);
    return changed;
}

/* Other values get past the syntax more often. */
static void test_swapped_words(void) {
    static const char *const words[] = {"\"\"",
                                        "-1",
                                        "0",
                                        "1e300",
                                        "\"-1ns\"",
                                        "[]",
                                        "{}",
                                        "null",
                                        "true",
                                        "2.5",
                                        "\"1s\"",
                                        "[[{}]]",
                                        "[0.1, 0.2]",
                                        "\"edf\"",
                                        "\"ratio\"",
                                        "1000000",
                                        "\"gpu_tasks\"",
                                        "\"cores\"",
                                        "\"mpcp\"",
                                        "\"generator.cores\"",
                                        "[\"1ms\", \"2ms\"]",
                                        "\"verify\""};
    struct grt_random random = grt_random_stream(1, "swapped words", 0, 0);
    char *good = grt_documented_experiment();
    int accepted = 0, rounds = grt_suite_cases(1000, 50000);
    for (int round = 0; round < rounds; round++) {
        const char *word = words[grt_random_below(&random, sizeof words / sizeof words[0])];
        char *text = with_word(good, grt_random_below(&random, strlen(good)), word);
        if (grt_random_below(&random, 2) == 0) {
            word = words[grt_random_below(&random, sizeof words / sizeof words[0])];
            char *twice = with_word(text, grt_random_below(&random, strlen(text)), word);
            free(text);
            text = twice;
        }
        struct grt_errors errors = {0};
        CU_ASSERT_EQUAL(parse(text, strlen(text), &errors), errors.count == 0);
        accepted += errors.count == 0;
        grt_errors_clear(&errors);
        free(text);
    }
    CU_ASSERT(accepted > 0 && accepted < rounds / 2);
    free(good);
}

/* A long file with many points would take hours. */
static void test_too_much(void) {
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    fputs("{\"gpurt_experiment\":1,\"name\":\"a\",\"generator\":{\"name\":\"cores\"},\"axes\":[", out);
    for (int axis = 0; axis < 2; axis++) {
        fprintf(out,
                "%s{\"name\":\"a%d\",\"path\":\"generator.%s\",\"from\":\"1us\",\"to\":\"300us\","
                "\"step\":\"1us\"}",
                axis > 0 ? "," : "", axis, axis > 0 ? "period_min" : "epsilon");
    }
    fprintf(out, "],\"evaluations\":[]%100000s}", "");
    fclose(out);
    struct grt_errors errors = {0};
    CU_ASSERT_FALSE(parse(text, size, &errors));
    CU_ASSERT_EQUAL_FATAL(errors.count, 1);
    CU_ASSERT_STRING_EQUAL(errors.messages[0],
                           "the file is too long for so many points: its bytes times points may be 2^32");
    grt_errors_clear(&errors);
    free(text);
}

int main(void) {
    static CU_TestInfo tests[] = {
        {"files with their messages", test_files}, {"cut short at every byte", test_truncations},
        {"flipped bytes", test_flipped_bytes},     {"swapped words", test_swapped_words},
        {"too much work", test_too_much},          CU_TEST_INFO_NULL};
    return grt_suite_run("experiments", tests);
}
