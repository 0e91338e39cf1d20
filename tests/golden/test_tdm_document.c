/* labels: golden once
 * What docs/tdm.md shows is what the program prints and draws: the analysis and verification of the example, both pictures, and the missed deadlines of the
 * matrix multiplications under the three policies. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/file_text.h"
#include "tests/support/suite.h"

#define FOLDER "papers/gpu-tdm/" /* of the library */

enum { TEXT_SIZE = 1 << 16 };

static char output[TEXT_SIZE];

/* The output of gpurt with some arguments; empty if it did not end with exit code 0. */
static void run(const char *arguments) {
    char command[512];
    snprintf(command, sizeof command, "%s %s", GRT_PROGRAM, arguments);
    FILE *pipe = popen(command, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(pipe);
    output[fread(output, 1, TEXT_SIZE - 1, pipe)] = '\0';
    CU_ASSERT_EQUAL(pclose(pipe), 0);
}

static bool document_has(const char *text) {
    size_t size;
    char *document = grt_file_text("docs/tdm.md", &size);
    CU_ASSERT_PTR_NOT_NULL_FATAL(document);
    bool found = strstr(document, text) != NULL;
    free(document);
    return found;
}

/* Whether the document has the output as far as the part with that heading. */
static bool document_has_output_before(const char *heading) {
    char *at = strstr(output, heading);
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    *at = '\0';
    return strlen(output) > 500 && document_has(output);
}

static void test_analysis(void) {
    run("analyze " FOLDER "hand-packed --width 100 --utf8 --color=never");
    CU_ASSERT(document_has_output_before("\nsources\n"));
}

static void test_verification(void) {
    run("verify " FOLDER "hand-packed --patterns 300 --width 100 --utf8 --color=never");
    CU_ASSERT(document_has_output_before("\nAudited\n"));
}

static void test_pictures(void) {
    static const char *const pictures[][2] = {
        {"gpurt export svg " FOLDER "hand-packed --to 220ms --width 1000 --rows 'a,b,c,server,slots,SM*'",
         "docs/pictures/tdm-packed.svg"},
        {"gpurt export svg " FOLDER
         "overrun --to 300ms --width 1000 --rows 'before,rogue,behind,server,slots,SM*'",
         "docs/pictures/tdm-overrun.svg"}};
    for (size_t i = 0; i < 2; i++) {
        size_t size;
        char *known = grt_file_text(pictures[i][1], &size);
        CU_ASSERT_PTR_NOT_NULL_FATAL(known);
        CU_ASSERT(document_has(pictures[i][0]));
        run(pictures[i][0] + strlen("gpurt "));
        CU_ASSERT_STRING_EQUAL(output, known);
        free(known);
    }
}

/* The first number of that key in the output: that of all tasks together. */
static long total(const char *key) {
    const char *at = strstr(output, key);
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    return strtol(at + strlen(key), NULL, 10);
}

/* The missed deadlines under a policy; `jobs`: the deadlines there are. */
static long missed(const char *file, const char *option, long *jobs) {
    char arguments[256];
    snprintf(arguments, sizeof arguments, "run " FOLDER "%s --json - --quiet%s", file, option);
    run(arguments);
    *jobs = total("\"met\":") + total("\"missed\":");
    return total("\"missed\":");
}

static void test_matrices(void) {
    static const int utilisations[] = {35, 50, 65, 75};
    for (size_t i = 0; i < 4; i++) {
        char file[32], row[128];
        long jobs, tdm, edf, rm;
        snprintf(file, sizeof file, "matrices-%d", utilisations[i]);
        edf = missed(file, " --policy np-edf", &jobs);
        rm = missed(file, " --policy np-rm", &jobs);
        tdm = missed(file, "", &jobs);
        CU_ASSERT(tdm == 0 && edf > 0 && rm >= edf);
        snprintf(row, sizeof row, "| `%s` | 0.%d | %ld | %ld | %ld | %ld |", file, utilisations[i], jobs, tdm,
                 edf, rm);
        CU_ASSERT(document_has(row));
    }
}

static void test_overruns(void) {
    run("run " FOLDER "overrun");
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "slots 19, overruns 5, repaid_slots 4"));
}

int main(void) {
    CU_TestInfo tests[] = {
        {"the analysis is what the program prints", test_analysis},
        {"the verification is what the program prints", test_verification},
        {"the pictures are current", test_pictures},
        {"matrices miss what the table says", test_matrices},
        {"overruns are counted", test_overruns},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("docs/tdm.md", tests);
}
