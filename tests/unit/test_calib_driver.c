/* labels: pretend-library */
/* gpurt-calib where there is no driver, or one that is of no use; and with one that is only pretended, but in a library of its own. */
#include "tests/support/program.h"
#include "tests/support/suite.h"

#define WITH_LIBRARY "GPURT_LIBCUDA='" GRT_PRETEND_LIBRARY "' GPURT_PRETEND_SMS=3 "

static const char *const commands[] = {
    "list",
    "measure -q -o out.jsonl",
    "trace '" GRT_SOURCE_DIR "/scenarios/quickstart.json' -o out.trace",
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

/* One sentence in one line, this exit code, and no file. */
static void expect_no_device(int code, const char *environment, const char *options, const char *sentence) {
    call("rm -f out.*");
    for (size_t i = 0; i < COMMANDS; i++) {
        expect(code, call("%s gpurt-calib %s %s", environment, commands[i], options));
        expect_text(out, "");
        expect_part(err, sentence);
        CU_ASSERT_EQUAL(strncmp(err, "gpurt-calib: ", 13), 0);
        CU_ASSERT_PTR_EQUAL(strchr(err, '\n'), err + strlen(err) - 1);
        CU_ASSERT_FALSE(exists("out.jsonl") || exists("out.trace"));
    }
}

static void test_no_library(void) {
    static const char hint[] =
        "It comes with NVIDIA's kernel module; GPURT_LIBCUDA names a library elsewhere\n";
    call("echo text > text.so; : > empty.so; mkdir -p folder.so");
    expect_no_device(77, "GPURT_LIBCUDA=/nonexistent/libcuda.so", "",
                     "there is no CUDA driver: /nonexistent/libcuda.so: ");
    expect_no_device(77, "", "--libcuda=$PWD/text.so", "/text.so: ");
    expect_no_device(77, "", "--libcuda=$PWD/text.so", hint);
    expect_no_device(77, "", "--libcuda=$PWD/empty.so", "/empty.so: ");
    expect_no_device(77, "", "--libcuda=$PWD/folder.so", "/folder.so: ");
    expect_no_device(77, WITH_LIBRARY, "--libcuda=/nonexistent.so",
                     "/nonexistent.so"); /* before the environment */
}

/* Libraries that are there, but of no use. */
static void test_useless(void) {
    expect_no_device(
        77, WITH_LIBRARY "GPURT_PRETEND_STUB=1", "",
        "CUDA_ERROR_STUB_LIBRARY (34, the library is a stub): this library is the toolkit's stub");
    expect_no_device(1, WITH_LIBRARY "GPURT_PRETEND_VERSION=10020", "",
                     "the driver is of CUDA 10.2, and 11.0 is needed: install a newer one");
}

static void test_no_such_device(void) {
    call("rm -f out.*");
    for (size_t i = 0; i < COMMANDS; i++) {
        expect(2, call(WITH_LIBRARY "gpurt-calib %s --device=1", commands[i]));
        expect_text(err, "gpurt-calib: --device: there is no device 1: the driver has 1, from 0\n");
        expect_text(out, "");
    }
    expect(0, call(WITH_LIBRARY "gpurt-calib list --device=0 --ascii"));
    expect_part(out, "     0  pretended ");
    CU_ASSERT_FALSE(exists("out.jsonl") || exists("out.trace"));
}

static void test_old_driver(void) {
    call("rm -f out.*; echo '{\"gpurt_pretend\": 1, \"device\": {\"name\": \"old\", \"sm_count\": 4, "
         "\"compute_capability\": \"8.6\"}, \"faults\": {\"driver_version\": 12020}}' > old.json");
    expect(0,
           call("gpurt-calib measure -q --backend=sim --pretend=old.json -o out.jsonl --only=clock,partition "
                "--workloads=fma --samples=2 && grep -c '\"how\": \"green\"' out.jsonl; grep -c '\"how\": "
                "\"filter\"' out.jsonl"));
    CU_ASSERT_EQUAL(strncmp(out, "0\n", 2), 0); /* no green contexts */
    CU_ASSERT(atoi(out + 2) > 0);
    expect(0, call("gpurt-calib fit out.jsonl"));
    expect_part(out, "fma: partition");
    call("sed 's/sm_count/sms_per_tpc\": 1, \"sm_count/; s/8.6/5.2/' old.json > older.json; rm -f out.*");
    expect(1, call("gpurt-calib measure -q --backend=sim --pretend=older.json -o out.jsonl"));
    expect_part(err,
                "CUDA_ERROR_NO_BINARY_FOR_GPU (209, the module is for other devices): the device is too old: "
                "compute capability 6.0 is needed\n");
    CU_ASSERT_FALSE(exists("out.jsonl"));
}

/* The loader of the real driver, with a device of threads behind it. */
static void test_whole_way(void) {
    expect(0, call(WITH_LIBRARY "gpurt-calib list --ascii"));
    expect_part(out, "cuda driver, CUDA 13.0, ");
    expect_part(out, "     0  pretended         9.0    3  256MiB");
    call("rm -f out.*");
    expect(0, call(WITH_LIBRARY
                   "gpurt-calib measure -q -o out.jsonl --only=launch,dispatch --samples=2 --budget=1s"));
    expect(
        0,
        call(
            "gpurt-calib fit out.jsonl --device-file=device.json --name=threads && gpurt check device.json"));
    expect_part(out, "kernel_launch");
    expect(0, call("grep -q '\"backend\": \"cuda\"' out.jsonl && grep -q '\"path\": \"" GRT_PRETEND_LIBRARY
                   "\"' out.jsonl"));
    expect(0, call("grep '\"sm_count\":' device.json | head -1"));
    expect_part(out, "3,");
    put_file(
        "one.json",
        "{\"gpurt\": 1, \"name\": \"one\", \"platform\": {\"gpus\": [{\"device\": \"device.json\"}]}, "
        "\"policy\": {\"name\": \"hardware\"}, \"horizon\": \"400ms\", \"tasks\": [{\"name\": \"t\", "
        "\"period\": \"400ms\", \"segments\": [{\"gpu\": [{\"kernel\": \"k\", \"blocks\": 6, \"threads\": "
        "64, \"block_time\": \"100us\"}]}]}]}\n");
    expect(0, call(WITH_LIBRARY "gpurt-calib trace one.json -o out.trace"));
    expect_part(out, "out.trace: 6 blocks of 1 kernels, 0 copies");
    expect(0, call("gpurt-calib validate one.json out.trace --json=-"));
    expect_part(out, "\"unpaired\":\t0,");
}

int main(void) {
    CU_TestInfo tests[] = {{"no library", test_no_library},         {"useless libraries", test_useless},
                           {"no such device", test_no_such_device}, {"old driver", test_old_driver},
                           {"whole way", test_whole_way},           CU_TEST_INFO_NULL};
    return grt_suite_run("calib_driver", tests);
}
