/* labels: golden
 * Through files and commands only: a device with odd numbers is measured and fitted, every number comes back as it was written, and a scenario that names the fitted files does on
 * that device what its simulation says. */
#include <cjson/cJSON.h>

#include "tests/support/program.h"
#include "tests/support/suite.h"

static const struct odd_device {
    const char *fields, *rest; /* of a pretended device */
} devices[] = {
    {"\"name\": \"odd\", \"compute_capability\": \"8.6\", \"sm_count\": 30, \"sm_order\": \"ascending\", "
     "\"placement\": "
     "\"round_robin\", \"max_threads_per_sm\": 1536, \"max_blocks_per_sm\": 7, \"kernel_launch\": \"7.3us\", "
     "\"copy_latency\": \"9.1us\", \"h2d_bandwidth\": \"17GB/s\", \"d2h_bandwidth\": \"13GB/s\", "
     "\"copy_engines\": 1, "
     "\"memory_bandwidth\": \"333GB/s\", \"pageable_percent\": 35, \"early_return\": \"64KiB\", "
     "\"priority_levels\": 3, "
     "\"core_clock\": \"1230MHz\"",
     "\"clock\": {\"offset\": \"12ms\"}"},
    {"\"name\": \"even\", \"compute_capability\": \"9.0\", \"sm_count\": 12, \"sms_per_tpc\": 2, "
     "\"sm_order\": \"tpc_first\", "
     "\"placement\": \"most_room\", \"max_threads_per_sm\": 2048, \"max_blocks_per_sm\": 32, "
     "\"kernel_launch\": \"0s\", "
     "\"copy_latency\": \"777ns\", \"h2d_bandwidth\": \"25600MB/s\", \"d2h_bandwidth\": \"26100MB/s\", "
     "\"copy_engines\": 2, "
     "\"memory_bandwidth\": \"1234GB/s\", \"pageable_percent\": 71, \"early_return\": \"64KiB\", "
     "\"priority_levels\": 6, "
     "\"core_clock\": \"1755MHz\", \"registers_per_sm\": 32768",
     "\"memory\": \"1GiB\""},
    {"\"name\": \"tiny\", \"compute_capability\": \"8.7\", \"sm_count\": 5, \"sm_order\": \"ascending\", "
     "\"placement\": "
     "\"first_fit\", \"max_threads_per_sm\": 1024, \"max_blocks_per_sm\": 16, \"kernel_launch\": \"41us\", "
     "\"copy_latency\": \"3.333us\", \"h2d_bandwidth\": \"1900MB/s\", \"d2h_bandwidth\": \"2100MB/s\", "
     "\"copy_engines\": 1, "
     "\"memory_bandwidth\": \"30GB/s\", \"pageable_percent\": 9, \"early_return\": \"64KiB\", "
     "\"priority_levels\": 2, "
     "\"core_clock\": \"625MHz\", \"shared_memory_per_sm\": \"100KiB\"",
     "\"clock\": {\"offset\": \"3h\", \"timer_tick\": \"1ns\"}"},
};

static cJSON *parse(const char *name) {
    expect(0, call("cat %s", name));
    cJSON *tree = cJSON_Parse(out);
    CU_ASSERT_PTR_NOT_NULL_FATAL(tree);
    return tree;
}

/* Fields that were asked for, as they are written; where they come from. */
static void compare(const struct odd_device *device) {
    char text[2000];
    snprintf(text, sizeof text, "{%s}", device->fields);
    cJSON *truth = cJSON_Parse(text), *fitted = parse("device.json");
    CU_ASSERT_PTR_NOT_NULL_FATAL(truth);
    const cJSON *sources = cJSON_GetObjectItem(fitted, "sources"), *field;
    cJSON_ArrayForEach(field, truth) {
        const cJSON *found = cJSON_GetObjectItem(fitted, field->string);
        const char *source = cJSON_GetStringValue(cJSON_GetObjectItem(sources, field->string));
        bool is_name = strcmp(field->string, "name") == 0,
             assumed = strcmp(field->string, "sms_per_tpc") == 0;
        bool known =
            is_name || assumed ||
            (source != NULL && (strncmp(source, "measured", 8) == 0 || strncmp(source, "told", 4) == 0));
        if (!cJSON_Compare(field, found, true) || !known) {
            char *shown = cJSON_PrintUnformatted(found), *wanted = cJSON_PrintUnformatted(field);
            printf("\n    %s: %s instead of %s: %s\n", field->string, shown, wanted, source);
            cJSON_free(shown);
            cJSON_free(wanted);
            CU_FAIL("a field is another one");
        }
    }
    cJSON_Delete(truth);
    cJSON_Delete(fitted);
}

static void measure(const struct odd_device *device) {
    char text[2000];
    snprintf(text, sizeof text, "{\"gpurt_pretend\": 1, \"device\": {%s}, %s}\n", device->fields,
             device->rest);
    put_file("pretended.json", text);
    call("rm -f raw.jsonl device.json kernels.json run.trace");
    expect(0, call("gpurt-calib measure -q --backend=sim --pretend=pretended.json -o raw.jsonl --samples=2 "
                   "--workloads=fma,triad "
                   "--only=clock,launch,residency,dispatch,coresidency,copy,engines,priority"));
    expect(0, call("gpurt-calib fit raw.jsonl --device-file=device.json --kernel-file=kernels.json && gpurt "
                   "check device.json"));
    compare(device);
}

/* Three tasks in streams of two priorities, copies both ways, kernels of the file and others. */
static const char scenario[] =
    "{\"gpurt\": 1, \"name\": \"loop\", \"horizon\": \"40ms\", \"platform\": {\"gpus\": [{\"device\": "
    "\"device.json\"}]},"
    " \"policy\": {\"name\": \"hardware\"}, \"kernels\": \"kernels.json\", \"tasks\": ["
    "{\"name\": \"a\", \"period\": \"5ms\", \"stream_priority\": -1, \"segments\": [{\"gpu\": [{\"h2d\": "
    "\"300KiB\"}, {\"kernel\": "
    "\"fma\"}, {\"d2h\": \"77KiB\"}]}]},"
    "{\"name\": \"b\", \"period\": \"4ms\", \"offset\": \"100us\", \"segments\": [{\"gpu\": [{\"kernel\": "
    "\"triad\"}]}]},"
    "{\"name\": \"c\", \"period\": \"10ms\", \"offset\": \"33us\", \"segments\": [{\"gpu\": [{\"h2d\": "
    "\"1MiB\"}, {\"kernel\": "
    "\"own\", \"blocks\": 111, \"threads\": 96, \"block_time\": {\"distribution\": \"uniform\", \"min\": "
    "\"5us\", \"max\": "
    "\"90us\"}}]}]}]}\n";

static void replay(void) {
    put_file("loop.json", scenario);
    expect(0, call("gpurt check loop.json && gpurt-calib trace loop.json --backend=sim "
                   "--pretend=pretended.json -o run.trace"));
    expect_part(out, "the host was up to 0s late");
    expect(0, call("gpurt-calib validate loop.json run.trace --tolerance=0ns"));
    expect_part(out, "the largest is 0s, and 0 are in one trace only");
    /* Another device is not the same: the tolerance does say so. */
    expect(
        0,
        call("sed 's/\"kernel_launch\":\t\"[^\"]*/\"kernel_launch\":\t\"99us/' device.json > other.json && "
             "sed 's/device.json/other.json/' loop.json > wrong.json && ! cmp -s device.json other.json"));
    expect(1, call("gpurt-calib validate wrong.json run.trace --tolerance=0ns"));
}

static void test_loop(void) {
    for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++) {
        measure(&devices[i]);
        replay();
    }
}

/* Slowdowns come from pairs of kernels on parts of the SMs. */
static void test_slowdowns(void) {
    put_file("slow.json",
             "{\"gpurt_pretend\": 1, \"device\": {\"name\": \"slow\", \"compute_capability\": \"9.0\", "
             "\"sm_count\": 8, "
             "\"slowdowns\": [{\"class\": \"fma\", \"beside\": \"triad\", \"factor\": 1.5}]}}\n");
    call("rm -f raw.jsonl");
    expect(0, call("gpurt-calib measure -q --backend=sim --pretend=slow.json -o raw.jsonl --samples=2 "
                   "--workloads=fma,triad "
                   "--only=clock,coresidency,partition,together && gpurt-calib fit raw.jsonl "
                   "--device-file=device.json"));
    cJSON *fitted = parse("device.json");
    const cJSON *rows = cJSON_GetObjectItem(fitted, "slowdowns"), *row = cJSON_GetArrayItem(rows, 0);
    CU_ASSERT_EQUAL_FATAL(cJSON_GetArraySize(rows), 1);
    CU_ASSERT_STRING_EQUAL(cJSON_GetStringValue(cJSON_GetObjectItem(row, "class")), "fma");
    CU_ASSERT_STRING_EQUAL(cJSON_GetStringValue(cJSON_GetObjectItem(row, "beside")), "triad");
    CU_ASSERT_DOUBLE_EQUAL(cJSON_GetNumberValue(cJSON_GetObjectItem(row, "factor")), 1.5, 0.001);
    cJSON_Delete(fitted);
}

/* What fit says of the host is a member of segments as it stands. */
static void test_host(void) {
    put_file("loop.json", scenario);
    put_file("calls.json", "{\"gpurt_pretend\": 1, \"device\": \"tx2\", \"calls\": {\"launch\": \"2us\", "
                           "\"sync_return\": \"6us\"}}\n");
    expect(
        0,
        call("gpurt-calib measure -q --backend=sim --pretend=calls.json -o calls.jsonl --replace --samples=2 "
             "--only=clock,launch"));
    expect(0, call("host=$(gpurt-calib fit calls.jsonl | grep '^  \"host\": {') && sed \"s/\\\"segments\\\": "
                   "\\[{/&$host, /g\" loop.json > host.json && gpurt check host.json > check.txt && grep -o "
                   "'\"segments\": .{  \"host\": {\"before\": \"2us\", \"after\": \"6us\"}, ' host.json | "
                   "wc -l"));
    expect_text(out, "3\n");
}

int main(void) {
    CU_TestInfo tests[] = {
        {"loop", test_loop}, {"slowdowns", test_slowdowns}, {"host", test_host}, CU_TEST_INFO_NULL};
    return grt_suite_run("calibration_loop", tests);
}
