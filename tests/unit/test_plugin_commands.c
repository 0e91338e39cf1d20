/* labels: plugins */
/* Plug-ins where programs do not only simulate them: executed by a device and held against that, in a scenario of which networks are trained, in a
 * library of experiments. */
#include "tests/support/plugin_program.h"
#include "tests/support/suite.h"

/* ---- gpurt-calib ---- */

static void a_device_executes_what_a_plugin_decides(void) {
    expect(0, call("gpurt-calib trace llf.json -o own.trace --backend=sim -q && "
                   "gpurt-calib validate llf.json own.trace --tolerance=0ns"));
    expect(0, call("gpurt-calib trace inner/llf.json -o option.trace --backend=sim -q --policy llf.so && "
                   "gpurt-calib validate inner/llf.json option.trace --tolerance=0ns --policy ./llf.so"));
    CU_ASSERT_PTR_NULL(strstr(out, "Warning"));
    expect(0, call("gpurt-calib validate llf.json own.trace --policy unruly.so"));
    expect_part(out, "another policy");
    expect(0, call("gpurt-calib trace llf.json -o a.trace --backend=sim -q --policy unruly.so && "
                   "gpurt-calib trace llf.json -o b.trace --backend=sim -q --policy unruly.so "
                   "--set policy.does=unfair"));
    expect(1, call("gpurt-calib validate llf.json b.trace --tolerance=0ns --policy unruly.so"));
    expect(0, call("gpurt-calib validate llf.json b.trace --tolerance=0ns --policy unruly.so "
                   "--set policy.does=unfair"));
}

static void what_goes_wrong_on_a_device_is_said(void) {
    expect(2, call("gpurt-calib trace inner/llf.json -o never.trace --backend=sim"));
    expect_text(err, "gpurt-calib: inner/llf.json: policy.plugin: ./llf.so: No such file or directory\n");
    expect(2, call("gpurt-calib validate llf.json own.trace --policy none.so"));
    expect_part(err, "policy.plugin: none.so: No such file or directory (set by --policy)");
    expect(2, call("gpurt-calib trace llf.json -o never.trace --backend=sim --policy fifo --policy fifo"));
    expect_part(err, "--policy was given twice");
    expect(128 + SIGSEGV, call(ALONE "gpurt-calib trace llf.json -o never.trace --backend=sim --policy "
                                     "unruly.so --set policy.does=crash"));
    expect_part(err, "gpurt-calib: policy unruly (unruly.so) crashed at 8ms: segmentation fault\n");
    expect(128 + SIGABRT, call(ALONE "gpurt-calib trace llf.json -o never.trace --backend=sim --policy "
                                     "unruly.so --set policy.does=submit-twice"));
    expect_part(err, "), under policy unruly (unruly.so) at 8ms\n");
    expect(128 + SIGSEGV, call(ALONE "gpurt-calib validate llf.json own.trace --policy unruly.so --set "
                                     "policy.does=crash"));
    expect_part(err, "gpurt-calib: policy unruly (unruly.so) crashed at 8ms: segmentation fault\n");
    CU_ASSERT_FALSE(exists("never.trace"));
}

/* ---- gpurt train ---- */

/* Networks are trained on what kernels do, whoever schedules them; but the file has to be right. */
static void networks_are_trained_whatever_the_policy(void) {
    expect(0, call("cp -r '" GRT_SOURCE_DIR "/scenarios/usages' . && sed "
                   "'s#\"policy\": {.*},#\"policy\": {\"plugin\": \"./llf.so\"},#' '" GRT_SOURCE_DIR
                   "/scenarios/papers/wamp2s/airborne-paper.json' >air.json && grep -c plugin air.json"));
    expect(0, call("gpurt train air.json --kernel path_planning --samples 30 --test 10 -o a.json -q && "
                   "gpurt train air.json --kernel path_planning --samples 30 --test 10 -o b.json -q "
                   "--set policy.plugin=unruly.so --set policy.does=crash && cmp a.json b.json"));
    expect(2, call("gpurt train air.json -o c.json --set policy.plugin=none.so"));
    expect_text(err, "gpurt: air.json: policy.plugin: none.so: No such file or directory\n");
}

/* ---- gpurt papers ---- */

static void a_library_has_plugins_beside_its_experiments(void) {
    expect(0, call("rm -rf lib; mkdir -p lib/experiments lib/papers/mine/experiments pages && cp llf.so "
                   "lib/experiments/ "
                   "&& cp llf.so lib/papers/mine/experiments/"));
    put_file("lib/experiments/one.json",
             PLUGIN_EXPERIMENT("one", PLUGIN_SIMULATED("\"plugin\": \"./llf.so\"")));
    put_file("lib/papers/mine/experiments/two.json",
             PLUGIN_EXPERIMENT("two", PLUGIN_SIMULATED("\"plugin\": \"llf.so\"")));
    expect(0, call("gpurt papers --library lib --list"));
    expect_part(out, "\ntwo   mine ");
    expect(0, call("gpurt papers --library lib --all --json papers.json --markdown pages/p.md"));
    expect_part(out, "one: one\n2 points, 40 task sets each");
    expect_part(out, "two: two\n2 points, 40 task sets each");
}

static void a_plugin_of_a_library_that_is_missing_or_crashes(void) {
    put_file("lib/experiments/none.json",
             PLUGIN_EXPERIMENT("none", PLUGIN_SIMULATED("\"plugin\": \"./none.so\"")));
    expect(1, call("gpurt papers --library lib --all --json never.json"));
    expect_part(err, "gpurt: lib/experiments/none.json: evaluations[0].policy.plugin: ./none.so: No such "
                     "file or directory\n");
    put_file(
        "lib/experiments/none.json",
        PLUGIN_EXPERIMENT("none", PLUGIN_SIMULATED("\"plugin\": \"../../unruly.so\", \"does\": \"crash\"")));
    expect(128 + SIGSEGV, call(ALONE "gpurt papers --library lib none --json never.json"));
    expect_part(err, "gpurt: policy unruly (lib/experiments/../../unruly.so) crashed at ");
    CU_ASSERT_FALSE(exists("never.json"));
}

int main(void) {
    CU_TestInfo tests[] = {
        {"a device executes what a plug-in decides", a_device_executes_what_a_plugin_decides},
        {"what goes wrong on a device is said", what_goes_wrong_on_a_device_is_said},
        {"networks are trained whatever the policy", networks_are_trained_whatever_the_policy},
        {"a library has plug-ins beside its experiments", a_library_has_plugins_beside_its_experiments},
        {"a plug-in of a library that is missing or crashes",
         a_plugin_of_a_library_that_is_missing_or_crashes},
        CU_TEST_INFO_NULL,
    };
    return put_plugins() != 0 ? 1 : grt_suite_run("plug-ins of the other commands", tests);
}
