/* Scenarios of the library by name: `gpurt scenarios`, and every command that reads one. */
#include "tests/support/program.h"
#include "tests/support/suite.h"

#define LIBRARY "GPURT_LIBRARY='" GRT_SOURCE_DIR "/scenarios'; export GPURT_LIBRARY; "

static void test_list(void) {
    expect(0, call(LIBRARY "gpurt scenarios --width 100"));
    CU_ASSERT_EQUAL(strncmp(out, "quickstart ", 11), 0);
    expect_part(out, "\nrules/q7-static-queues ");
    CU_ASSERT_PTR_NULL(strstr(out, "devices/"));
    CU_ASSERT_PTR_NULL(strstr(out, "experiments/"));
    expect_part(out, " cores and the GPU\n"); /* its first sentence, whole */
    expect(0, call(LIBRARY "gpurt scenarios --width 60 | awk 'length > 60'"));
    expect_text(out, "");
    expect(0,
           call(LIBRARY "gpurt scenarios --width 60 | grep -A1 '^papers/amert-2017/figure-5-null-stream'"));
    expect_part(out, "figure-5-null-stream\n                          ");
    expect(0, call(LIBRARY "gpurt scenarios papers/pruda/ | grep -o '^papers/[^ ]*' | head -2"));
    expect_text(out, "papers/pruda/figure-2\npapers/pruda/figure-3\n");
    expect(0, call(LIBRARY "gpurt scenarios applications --json"));
    expect_part(out, "\"name\":\t\"applications/drone-orin\"");
    expect_part(out, "/scenarios/applications/drone-orin.json\"");
    CU_ASSERT_PTR_NULL(strstr(out, "quickstart"));
}

static void test_one(void) {
    expect(0, call(LIBRARY "gpurt scenarios drone-orin"));
    CU_ASSERT_EQUAL(strncmp(out, "applications/drone-orin: A delivery drone", 41), 0);
    expect_part(out, "\npolicy    np-fp\n");
    expect(0, call(LIBRARY "gpurt scenarios quickstart --json | cmp - \"$GPURT_LIBRARY/quickstart.json\""));
    expect(2, call(LIBRARY "gpurt scenarios drone-orim"));
    expect_part(err, "has no scenario or folder of that name (did you mean \"drone-orin\"?)");
    expect(2, call(LIBRARY "gpurt scenarios figure-2"));
    expect_part(err, "several files of the library: papers/gpu-server/figure-2, papers/pruda/figure-2");
    expect(2, call("GPURT_LIBRARY=nowhere gpurt scenarios"));
    expect_text(err, "gpurt: GPURT_LIBRARY: nowhere is no folder\n");
    expect(2, call("gpurt scenarios a b"));
}

static void test_files_that_are_wrong(void) {
    expect(0, call("mkdir -p lib; printf '{\"gpurt\": 1,\\n oops' >lib/bad.json"));
    put_file("lib/outside.json", "{\"description\": \"x\", \"policy\": {\"plugin\": \"./mine.so\"}}");
    expect(2, call("GPURT_LIBRARY=lib gpurt scenarios bad"));
    expect_text(out, "");
    CU_ASSERT_EQUAL(strncmp(err, "gpurt: bad: 2:", 14), 0);
    expect(0, call("GPURT_LIBRARY=lib gpurt scenarios"));
    expect_text(out, "bad      (cannot be read)\noutside  x\n");
    expect(0, call("GPURT_LIBRARY=lib gpurt scenarios --json"));
    expect_part(out, "\"description\":\tnull\n");
    expect(0, call("GPURT_LIBRARY=lib gpurt scenarios outside"));
    expect_part(out, "\npolicy    plug-in ./mine.so\n");
    put_file("lib/bad.json", "{\"description\": 5}");
    expect(0, call("GPURT_LIBRARY=lib gpurt scenarios"));
    expect_text(out, "bad      (no description)\noutside  x\n");
    expect(0, call("GPURT_LIBRARY=lib gpurt scenarios bad"));
    expect_part(out, "bad: (no description)\n");
    expect(0, call("GPURT_LIBRARY=lib gpurt scenarios --json"));
    expect_part(out, "\"description\":\tnull\n");
}

/* What a call with a name says is what it says with the path. */
static void same(const char *before, const char *after) {
    static char by_path[TEXT_SIZE];
    expect(0, call(LIBRARY "gpurt %s \"$GPURT_LIBRARY/quickstart.json\" %s", before, after));
    memcpy(by_path, out, sizeof by_path);
    CU_ASSERT(by_path[0] != '\0');
    expect(0, call(LIBRARY "gpurt %s quickstart %s", before, after));
    expect_text(out, by_path);
}

static void test_commands(void) {
    same("run", "--gantt");
    same("compare", "--policies fifo,np-fp");
    same("analyze", "");
    same("verify", "--patterns 2");
    same("export csv", "-o -");
    expect(0, call(LIBRARY "gpurt check quickstart tx2 first"));
    expect_text(out, "quickstart: ok\ntx2: ok\nfirst: ok\n");
    expect(2, call(LIBRARY "gpurt check quickstart quikstart"));
    expect_part(out, "quickstart: ok\nquikstart: there is no such file, and no file of that name");
    expect(0, call(LIBRARY "gpurt sweep first --samples 1 --no-journal --quiet --csv - | head -1"));
    CU_ASSERT(out[0] != '\0');
    expect(2, call(LIBRARY "gpurt run first"));
    expect_part(err, "this is an experiment; `gpurt sweep` runs it");
}

#ifdef GRT_CALIB_PROGRAM
static void test_calibration(void) {
    expect(0, call(LIBRARY "gpurt-calib trace quickstart --backend sim --until 50ms -o q.trace"));
    expect(0, call(LIBRARY "gpurt-calib validate quickstart q.trace --until 50ms"));
    expect(2, call(LIBRARY "gpurt-calib trace quikstart --backend sim -o q.trace"));
    expect_part(err, "(did you mean \"quickstart\"?)");
}
#endif

static void test_own_files(void) {
    put_file("quickstart", "{}");
    expect(2, call(LIBRARY "gpurt run quickstart"));
    expect_part(err, "gpurt: quickstart: tasks: required");
    unlink(SCRATCH "quickstart");
    expect(2, call(LIBRARY "gpurt run quickstart.json"));
    expect_part(
        err,
        "gpurt run: quickstart.json: there is no such file; that of the library is called quickstart, and ");
    expect(2, call(LIBRARY "gpurt run quikstart"));
    expect_part(err,
                "gpurt run: quikstart: there is no such file, and no scenario of that name in the library ");
    expect_part(err, "(did you mean \"quickstart\"?); `gpurt scenarios` lists it");
}

int main(void) {
    CU_TestInfo tests[] = {{"list", test_list},
                           {"one", test_one},
                           {"files that are wrong", test_files_that_are_wrong},
                           {"commands", test_commands},
#ifdef GRT_CALIB_PROGRAM
                           {"gpurt-calib", test_calibration},
#endif
                           {"own files", test_own_files},
                           CU_TEST_INFO_NULL};
    return grt_suite_run("scenarios by name", tests);
}
