/* labels: golden
 * What README.md shows is what the program prints: the chart, the verdicts that the text quotes, and the scenario; and so
 * are the tables and the chart of docs/gpurt.md, and the counts of docs/exports.md. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/file_text.h"
#include "tests/support/perfetto_lint.h"
#include "tests/support/suite.h"

enum { TEXT_SIZE = 1 << 16 };

static char document[TEXT_SIZE], output[TEXT_SIZE];

static size_t read_all(FILE *file, char text[TEXT_SIZE]) {
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    size_t size = fread(text, 1, TEXT_SIZE - 1, file);
    text[size] = '\0';
    return size;
}

static void read_document(const char *path) {
    FILE *file = fopen(path, "r");
    CU_ASSERT_TRUE(read_all(file, document) > 0);
    fclose(file);
}

/* The output of gpurt with some arguments; false if it did not end with exit code 0. */
static bool run(const char *arguments) {
    char command[512];
    snprintf(command, sizeof command, "%s %s", GRT_PROGRAM, arguments);
    FILE *pipe = popen(command, "r");
    read_all(pipe, output);
    return pclose(pipe) == 0;
}

static void test_chart(void) {
    read_document("README.md");
    CU_ASSERT_TRUE(
        run("run scenarios/quickstart.json --quiet --gantt=0ms,120ms --width 84 --utf8 --color=never"));
    CU_ASSERT_TRUE(strlen(output) > 1000);
    CU_ASSERT_PTR_NOT_NULL(strstr(document, output));
}

static void test_verdicts(void) {
    read_document("README.md");
    CU_ASSERT_TRUE(run("run scenarios/quickstart.json"));
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "control missed 30 of 200 deadlines"));
    CU_ASSERT_PTR_NOT_NULL(strstr(document, "misses 30 of its\n200 deadlines"));
    CU_ASSERT_TRUE(
        run("run scenarios/quickstart.json --policy hardware --set 'tasks[0].stream_priority=-1'"));
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "all 342 deadlines met"));
    CU_ASSERT_PTR_NOT_NULL(strstr(document, "--policy hardware --set 'tasks[0].stream_priority=-1'"));
}

static void test_scenario(void) {
    read_document("README.md");
    const char *fence = strstr(document, "```json\n");
    CU_ASSERT_PTR_NOT_NULL_FATAL(fence);
    const char *begin = fence + strlen("```json\n"), *end = strstr(begin, "```");
    CU_ASSERT_PTR_NOT_NULL_FATAL(end);
    FILE *file = fopen(GRT_SCRATCH_DIR "/readme.json", "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    CU_ASSERT_EQUAL(fwrite(begin, 1, (size_t)(end - begin), file), (size_t)(end - begin));
    CU_ASSERT_EQUAL(fclose(file), 0);
    CU_ASSERT_TRUE(run("check --run " GRT_SCRATCH_DIR "/readme.json"));
}

static void test_manual(void) {
    read_document("docs/gpurt.md");
    CU_ASSERT_TRUE(run("run scenarios/quickstart.json --width 100 --utf8 --color=never"));
    CU_ASSERT_PTR_NOT_NULL(strstr(document, output));
    CU_ASSERT_TRUE(
        run("run scenarios/quickstart.json -q --gantt=320ms,360ms --width 100 --utf8 --color=never"));
    CU_ASSERT_PTR_NOT_NULL(strstr(document, output));
}

static void count_empty(void *state, const struct perfetto_slice *slice) {
    *(size_t *)state += slice->start == slice->end;
}

static void test_exports(void) {
    size_t size, empty = 0;
    struct perfetto_contents found = {.slice = count_empty, .state = &empty};
    CU_ASSERT_TRUE(run("export perfetto scenarios/quickstart.json -o " GRT_SCRATCH_DIR "/q.pftrace"));
    char *bytes = grt_file_text(GRT_SCRATCH_DIR "/q.pftrace", &size);
    CU_ASSERT_PTR_NULL(grt_perfetto_lint((const unsigned char *)bytes, size, &found));
    free(bytes);
    CU_ASSERT(found.open == 0 && empty == 0);
    read_document("docs/exports.md");
    char line[200];
    snprintf(line, sizeof line, "`select count(*) from slice where dur > 0` | %zu,", found.slices);
    CU_ASSERT_PTR_NOT_NULL(strstr(document, line));
    snprintf(line, sizeof line, "`select count(*) from slice where dur = 0` | %zu,", found.instants);
    CU_ASSERT_PTR_NOT_NULL(strstr(document, line));
    snprintf(line, sizeof line, "`select count(*) from flow` | %zu: the %zu jobs",
             found.flow_steps - found.flows, found.flows);
    CU_ASSERT_PTR_NOT_NULL(strstr(document, line));
}

int main(void) {
    CU_TestInfo tests[] = {
        {"the chart is what the program draws", test_chart},
        {"the verdicts are what the program finds", test_verdicts},
        {"the scenario is good", test_scenario},
        {"the manual shows what the program prints", test_manual},
        {"Perfetto counts what the document says", test_exports},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("readme", tests);
}
