/* Kernel files on the command line: gpurt check, run, analyze, schema and reference. */
#include "tests/support/program.h"
#include "tests/support/suite.h"

#ifndef GRT_PROGRAM
#error "tests of the program need the program: GRT_PROGRAM is its path"
#endif

#define SCENARIO(device)                                                                                     \
    "{\"gpurt\":1,\"name\":\"s\",\"horizon\":\"10ms\",\"kernels\":\"kernels.json\",\"platform\":{\"gpus\":[" \
    "{\"device\":\"" device "\"}]},\"policy\":{\"name\":\"np-edf\"},\"tasks\":[{\"name\":\"a\",\"period\":"  \
    "\"10ms\",\"deadline\":\"3ms\",\"segments\":[{\"gpu\":[{\"kernel\":\"w\"},{\"kernel\":\"v\",\"like\":"   \
    "\"w\"}]}]}]}"

static void put_files(void) {
    put_file(
        "kernels.json",
        "{\"gpurt_kernels\":1,\"device\":\"tx2\",\"kernels\":[{\"name\":\"w\",\"time\":{\"distribution\":"
        "\"empirical\",\"values\":[\"1ms\"],\"max\":\"2ms\"}}]}");
    put_file("tx2.json", SCENARIO("tx2"));
    put_file("tx1.json", SCENARIO("tx1"));
    put_file("bad.json", "{\"gpurt_kernels\":1,\"kernels\":[{\"name\":\"w\",\"tme\":\"1ms\"}]}");
}

static void check_says(void) {
    put_files();
    expect(0, call("gpurt check kernels.json tx2.json tx1.json"));
    expect_text(out,
                "kernels.json: ok\ntx2.json: ok\ntx1.json: ok\n"
                "tx1.json: note: the kernels of kernels.json were measured on tx2, and run on tx1, GPU 0\n");
    expect(0, call("cp tx1.json \"$(printf 'e\\033[31m.json')\"; gpurt check e*.json"));
    expect_part(out, "e\\x1b[31m.json: note: the kernels of ");
    expect(0, call("gpurt check --quiet kernels.json tx1.json"));
    expect_text(out, "");
    expect(2, call("gpurt check bad.json kernels.json"));
    expect_text(out, "bad.json: kernels[0].tme: unknown field (did you mean \"time\"?)\n"
                     "bad.json: kernels[0]: a kernel needs \"time\", or \"blocks\", \"threads\" and "
                     "\"block_time\"\nkernels.json: ok\n");
    expect(0, call("gpurt check '" GRT_SOURCE_DIR "'/scenarios/devices/*.json '" GRT_SOURCE_DIR
                   "'/scenarios/usages/*.json | grep -vc ': ok$' || true"));
    expect_text(out, "0\n");
}

static void run_says(void) {
    put_files();
    expect(0, call("gpurt run --quiet tx1.json"));
    expect_text(err,
                "gpurt: note: the kernels of kernels.json were measured on tx2, and run on tx1, GPU 0\n");
    expect(0, call("gpurt run --quiet tx2.json"));
    expect_text(err, "");
    expect(2, call("gpurt run kernels.json"));
    expect_part(err, "this is a kernel file; name it as the \"kernels\" of a scenario");
}

/* Two times 2 ms are more than 3 ms: the worst case is that of `max`, not of what was measured. */
static void a_witness_has_times_of_its_own(void) {
    put_files();
    call("gpurt analyze tx2.json --witness worst.json");
    expect(
        0,
        call("cd / && gpurt check \"$OLDPWD/worst.json\" >/dev/null && cd \"$OLDPWD\" && grep -c '\"2ms\"' "
             "worst.json"));
    expect(3, call("gpurt run --fail-on-miss --quiet worst.json"));
    expect(0, call("gpurt run --fail-on-miss --quiet tx2.json"));
}

static void formats_are_described(void) {
    expect(0, call("gpurt schema --kernels | cmp - '" GRT_SOURCE_DIR "/docs/kernels.schema.json'"));
    expect(0, call("gpurt reference -k | grep -c '^## kernel_'"));
    expect_text(out, "2\n");
    expect(2, call("gpurt schema -k -e"));
    expect_part(err, "gpurt schema: takes only one of --experiment and --kernels");
}

int main(void) {
    CU_TestInfo tests[] = {
        {"check says", check_says},
        {"run says", run_says},
        {"a witness has times of its own", a_witness_has_times_of_its_own},
        {"formats are described", formats_are_described},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("kernel files on the command line", tests);
}
