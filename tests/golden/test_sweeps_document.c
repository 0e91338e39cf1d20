/* labels: golden once
 * docs/sweeps.md: what is said of the results of its experiments is so. (That its commands work: tests/documents.) */
#include "tests/support/program.h"
#include "tests/support/suite.h"

static char page[1 << 17];

static void read_page(const char *name) {
    char path[sizeof GRT_SOURCE_DIR + 64];
    snprintf(path, sizeof path, GRT_SOURCE_DIR "/docs/%s", name);
    FILE *file = fopen(path, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    size_t size = fread(page, 1, sizeof page - 1, file);
    page[size] = '\0';
    CU_ASSERT(size > 0 && size < sizeof page - 1);
    fclose(file);
}

/* Writes an experiment under its name, and the first one also as experiment.json. */
static void put_experiment(const char *text, size_t number) {
    char name[64], file[80];
    const char *at = strstr(text, "\"name\": \"");
    CU_ASSERT_FATAL(at != NULL && sscanf(at, "\"name\": \"%60[a-z-]", name) == 1);
    snprintf(file, sizeof file, "%s.json", name);
    put_file(file, text);
    if (number == 0) {
        put_file("experiment.json", text);
    }
    expect(0, call("gpurt check %s", file));
}

static void test_experiments(void) {
    static const char fence[] = "\n```json\n";
    size_t count = 0;
    call("rm -rf lib *.json *.journal *.csv; cp '" GRT_SOURCE_DIR "/scenarios/quickstart.json' .");
    read_page("sweeps.md");
    for (char *at = strstr(page, fence); at != NULL; at = strstr(at, fence)) {
        char *begin = at + strlen(fence), *end = strstr(begin, "```");
        CU_ASSERT_PTR_NOT_NULL_FATAL(end);
        *end = '\0';
        put_experiment(begin, count++);
        at = end + 1;
    }
    CU_ASSERT(count >= 2);
}

/* The ratios of robot.json that the text speaks of. */
static void test_robot(void) {
    expect(0, call("gpurt sweep robot.json -q --csv robot.csv"));
    expect(0, call("grep -v '^#' robot.csv | cut -d, -f1-5"));
    for (int block = 300; block <= 900; block += 300) {
        for (int period = 10; period <= 20; period += 10) {
            char row[80];
            bool late = block == 900 && period == 10;
            snprintf(row, sizeof row, "\n%dus,%dms,np-edf,20,%d\n", block, period, late ? 0 : 20);
            expect_part(out, row);
            snprintf(row, sizeof row, "\n%dus,%dms,urgent,20,20\n", block, period);
            expect_part(out, row);
        }
    }
}

int main(void) {
    CU_TestInfo tests[] = {{"experiments", test_experiments}, {"robot", test_robot}, CU_TEST_INFO_NULL};
    return grt_suite_run("sweeps_document", tests);
}
