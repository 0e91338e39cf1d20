/* labels: sqlite */
/* gpurt-calib import: files in, files out, exit codes; and gpurt takes what comes out. */
#include <sqlite3.h>

#include "tests/support/program.h"
#include "tests/support/suite.h"

#define CALIB "'" GRT_CALIB_PROGRAM "' "
#define FIXTURES "'" GRT_SOURCE_DIR "/tests/import/"

static void test_ncu(void) {
    expect(0, call(CALIB "import ncu " FIXTURES "raw.csv' --device=h200 --out=usages"));
    expect_part(out, "gemm          3  100us    4.0%  0.9");
    expect_part(out, "2 usage files were written to usages");
    expect_part(err, "raw.csv: warning: gemm: demand of l2, texture is not known");
    CU_ASSERT_TRUE(exists("usages/gemm.json") && exists("usages/_hi_.json"));
    expect(0, call("gpurt check usages/gemm.json || exit 9; sed -n 2,3p usages/gemm.json"));
    expect_part(out, "  \"gpurt_usage\": 1,\n  \"name\": \"gemm\",\n");
    expect(0, call("cp " FIXTURES "raw.csv' \"$(printf 'e\\033[31m.csv')\"; " CALIB
                   "import ncu e*.csv -q --device=h200 --out=usages"));
    expect_part(err, "e\\x1b[31m.csv: warning: gemm: ");
    expect(0, call(CALIB "import ncu - -q --out=other <" FIXTURES "long.csv'"));
    expect_text(out, "");
    CU_ASSERT_TRUE(exists("other/spin.json") && exists("other/spin-2.json"));
}

static void change_profile(const char *change) {
    sqlite3 *database = NULL;
    CU_ASSERT_EQUAL_FATAL(sqlite3_open(SCRATCH "profile.sqlite", &database), SQLITE_OK);
    CU_ASSERT_EQUAL(sqlite3_exec(database, change, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(database);
}

static void make_profile(void) {
    char sql[TEXT_SIZE];
    sqlite3 *database = NULL;
    read_text(GRT_SOURCE_DIR "/tests/import/two-streams.sql", sql);
    remove(SCRATCH "profile.sqlite");
    CU_ASSERT_EQUAL_FATAL(sqlite3_open(SCRATCH "profile.sqlite", &database), SQLITE_OK);
    CU_ASSERT_EQUAL_FATAL(sqlite3_exec(database, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(database);
}

static void test_nsys(void) {
    make_profile();
    expect(0, call(CALIB "import nsys profile.sqlite --by=ranges --period planner=20ms --out=scenario.json"));
    expect_part(out, "camera        7     8         3  10ms    10ms  10ms  periodic                  534us");
    expect_part(out, "periodic, as given");
    expect_part(err, "profile.sqlite: warning: left out: memset, 1 times, 10us in all");
    expect(0, call("gpurt run scenario.json --json=result.json && gpurt check scenario.json"));
    /* The scenario on standard output, and what there is to say elsewhere. */
    expect(0, call(CALIB "import nsys profile.sqlite --name=drive --values=3"));
    CU_ASSERT_EQUAL(strncmp(out, "{\n  \"gpurt\": 1,\n  \"name\": \"drive\",\n", 34), 0);
    expect_part(out, "\"values\": [\"666.667us\", \"667.667us\", \"669us\"]");
    expect_part(err, "stream 7");
}

/* The GPU of the profile is a preset, or the device has to be said. */
static void test_device(void) {
    make_profile();
    change_profile("UPDATE TARGET_INFO_GPU SET name = 'NVIDIA X1000'");
    expect(2, call(CALIB "import nsys profile.sqlite"));
    expect_part(err, "profile.sqlite: the profile's GPU is \"NVIDIA X1000\", which is no preset: name one, "
                     "or a file, with "
                     "--device");
    expect(2, call(CALIB "import nsys profile.sqlite --device=h2000"));
    expect_part(err, "--device: ");
    expect(0, call(CALIB "import nsys profile.sqlite --device=h100 -q"));
    expect_part(out, "\"device\": \"h100\"");
    expect(2, call(CALIB "import nsys profile.sqlite --device=xavier -q"));
    expect_text(out, "");
    expect_part(err, "profile.sqlite: the profile was made on \"NVIDIA X1000\" of 132 SMs, but ");
    expect_part(err, " has 8: name the device that it was made on");
    change_profile("INSERT INTO TARGET_INFO_GPU VALUES (1, 'Xavier', 8)"); /* one of two */
    expect(0, call(CALIB "import nsys profile.sqlite --device=xavier -q"));
    change_profile("DROP TABLE TARGET_INFO_GPU");
    expect(0, call(CALIB "import nsys profile.sqlite --device=xavier -q"));
    expect_part(err, "warning: the profile does not say how many SMs its GPU has (TARGET_INFO_GPU)");
    expect(2, call(CALIB "import ncu " FIXTURES "raw.csv' --device=nowhere"));
    expect_part(err, "--device: ");
}

static void test_refused(void) {
    static const struct {
        const char *arguments, *message;
    } cases[] = {
        {"", "of what? (ncu or nsys, and a file)"},
        {"ncu", "which file?"},
        {"nvprof a.csv", "imports are ncu and nsys (got 'nvprof')"},
        {"ncu a.csv --by=ranges", "--by is for nsys"},
        {"nsys a.sqlite --by=threads", "--by must be streams or ranges (got 'threads')"},
        {"nsys a.sqlite --cut-numbers", "--cut-numbers is for --by=ranges"},
        {"ncu a.csv --cut-numbers", "--cut-numbers is for"},
        {"nsys a.sqlite --period=5ms", "--period must be TASK=TIME (got '5ms')"},
        {"nsys a.sqlite --period a=0s", "--period must be above 0 (got 'a=0s')"},
        {"nsys a.sqlite --values=1", "--values"},
        {"ncu nowhere.csv", "nowhere.csv: "},
        {"nsys nowhere.sqlite", "nowhere.sqlite: unable to open database file"},
        {"ncu " FIXTURES "two-streams.sql'", "no line begins with \"ID\""},
        {"nsys " FIXTURES "raw.csv'", "file is not a database"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect(2, call(CALIB "import %s", cases[i].arguments));
        expect_part(err, cases[i].message);
        expect_text(out, "");
    }
    expect(1, call("touch file; " CALIB "import ncu " FIXTURES "raw.csv' --device=h200 --out=file/usages"));
}

int main(void) {
    CU_TestInfo tests[] = {
        {"counters", test_ncu},      {"timelines", test_nsys},
        {"the device", test_device}, {"what is refused", test_refused},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("command import", tests);
}
