/* labels: golden sqlite
 * The commands of docs/calibration-imports.md work on what profilers write, and gpurt takes what comes out. */
#include <sqlite3.h>

#include "tests/support/program.h"
#include "tests/support/suite.h"

static char page[TEXT_SIZE];

static void make_inputs(void) {
    char sql[TEXT_SIZE];
    sqlite3 *database = NULL;
    call("rm -rf *; cp '" GRT_SOURCE_DIR "/tests/import/raw.csv' counters.csv");
    read_text(GRT_SOURCE_DIR "/tests/import/two-streams.sql", sql);
    CU_ASSERT_EQUAL_FATAL(sqlite3_open(SCRATCH "run.sqlite", &database), SQLITE_OK);
    CU_ASSERT_EQUAL_FATAL(sqlite3_exec(database, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(database);
}

static void test_commands(void) {
    char *rest = NULL;
    int count = 0;
    make_inputs();
    read_text(GRT_SOURCE_DIR "/docs/calibration-imports.md", page);
    for (char *line = strtok_r(page, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
        if (strncmp(line, "gpurt-calib import ", 19) == 0) {
            expect(0, call("%s", line));
            count++;
        }
    }
    CU_ASSERT_EQUAL(count, 2);
    expect(
        0,
        call(
            "gpurt run scenario.json -q && for file in usages/*.json; do gpurt check $file || exit 1; done"));
    expect(0, call("grep -A 3 '\"name\": \"camera' scenario.json"));
    expect_part(out, "\"33ms\"");
}

int main(void) {
    CU_TestInfo tests[] = {{"commands", test_commands}, CU_TEST_INFO_NULL};
    return grt_suite_run("imports_document", tests);
}
