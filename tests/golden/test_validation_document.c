/* labels: once */
/* The standard set of docs/validation.md: published experiments and rules of the library, executed by the pretended device without noise, are what is simulated. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/scenario.h"
#include "tests/support/file_text.h"
#include "tests/support/replay_case.h"
#include "tests/support/suite.h"

/* Of which the document says that they are exact. */
static const char *const exact[] = {
    "papers/amert-2017/figure-3",
    "papers/amert-2017/figure-6-priorities",
    "papers/cuda-scheduling-examiner/first-kernel-concurrency",
    "papers/cuda-scheduling-examiner/titan-v-queue-test",
    "papers/gilman-2020/five-sms-1024-threads",
    "papers/gilman-2020/five-sms-256-threads",
    "papers/gilman-2020/turing-order",
    "rules/b3-threads-beyond-the-cores",
    "rules/q4-nine-streams-on-eight-queues",
    "rules/q5-a-queue-is-kept-to-the-last-dispatch",
    "rules/q6-not-first-come-first-served",
    "rules/q7-static-queues",
    "rules/relative-clock-drifts",
    "rules/v2-waits-mean-the-last-record-called",
    "rules/v4-waits-give-the-queue-back",
    "quickstart",
};

static void run(const char *name) {
    char path[256];
    struct grt_errors errors = {0};
    struct grt_scenario_file file;
    snprintf(path, sizeof path, GRT_SOURCE_DIR "/scenarios/%s.json", name);
    CU_ASSERT_TRUE_FATAL(grt_scenario_read(path, NULL, &file, &errors));
    struct replay_case it;
    replay_case_start(&it, &file.scenario);
    it.policy = file.policy->name;
    it.parameters = file.policy_parameters;
    it.spec.memory_bytes = INT64_C(1) << 33;
    bool executed = replay_case_execute(&it, &file.scenario);
    if (executed) {
        replay_case_compare(&it, &file.scenario);
    } else {
        grt_errors_print(&it.errors, stderr, name);
    }
    bool good = executed && grt_validation_is_within(it.validation, 0) &&
                it.validation->kinds[GRT_PAIRED_BLOCK].pairs > 0;
    if (!good) {
        fprintf(stderr, "%s is not exact\n", name);
    }
    CU_ASSERT_TRUE(good);
    replay_case_end(&it);
    grt_scenario_file_free(&file);
}

static void test_exact(void) {
    for (size_t i = 0; i < sizeof exact / sizeof exact[0]; i++) {
        run(exact[i]);
    }
}

/* Each has its row, and each row with an error of 0 is among them. */
static void test_document(void) {
    size_t bytes, rows = 0;
    char *text = grt_file_text(GRT_SOURCE_DIR "/docs/validation.md", &bytes);
    for (size_t i = 0; i < sizeof exact / sizeof exact[0]; i++) {
        char row[256];
        snprintf(row, sizeof row, "| `%s` | 0 |", exact[i]);
        if (strstr(text, row) == NULL) {
            fprintf(stderr, "no row: %s\n", row);
        }
        CU_ASSERT_PTR_NOT_NULL(strstr(text, row));
    }
    for (const char *at = text; (at = strstr(at, "` | 0 |")) != NULL; at++) {
        rows++;
    }
    CU_ASSERT_EQUAL(rows, sizeof exact / sizeof exact[0]);
    free(text);
}

int main(void) {
    CU_TestInfo tests[] = {{"what is executed is what is simulated", test_exact},
                           {"the document", test_document},
                           CU_TEST_INFO_NULL};
    return grt_suite_run("validation.md", tests);
}
