/* Bad raw files, and the exact sentences about them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calib/program/files/raw_read.h"
#include "tests/support/suite.h"

#define HEAD                                                                                                 \
    "{\"gpurt_raw\": 1, \"program\": \"p\", \"build\": \"b\", \"backend\": \"sim\", \"started\": \"s\", "    \
    "\"command\": \"c\", \"seed\": 1, \"budget_s\": 1, \"host\": \"h\", \"driver\": {\"path\": \"\", "       \
    "\"version\": 13000}, \"kernels\": {\"made_by\": \"m\", \"hash\": \"\"}}\n"
#define DEVICE                                                                                               \
    "{\"device\": {\"name\": \"d\", \"uuid\": \"\", \"bus_id\": \"\", \"driver_version\": 1, "               \
    "\"compute_capability\": 90, \"sm_count\": 4, \"warp_size\": 32, \"max_threads_per_block\": 1, "         \
    "\"max_threads_per_sm\": 1, \"max_blocks_per_sm\": 1, \"registers_per_sm\": 1, "                         \
    "\"registers_per_block\": 1, \"shared_memory_per_sm\": 1, \"shared_memory_per_block\": 1, "              \
    "\"shared_memory_per_block_opt_in\": 1, \"shared_memory_reserved\": 1, \"l2_bytes\": 1, "                \
    "\"async_engines\": 1, \"core_khz\": 1, \"memory_khz\": 1, \"memory_bus_bits\": 1, \"integrated\": 0, "  \
    "\"priority_least\": 0, \"priority_greatest\": 0, \"partition_least\": 0, \"partition_step\": 0, "       \
    "\"memory_bytes\": 1}}\n"
#define WORKLOAD                                                                                             \
    "{\"workload\": \"fma\", \"kernel\": \"fma\", \"amount\": 1, \"blocks\": 1, \"threads\": 1, "            \
    "\"shared_bytes\": 0, \"registers\": 1, \"static_shared_bytes\": 0, \"occupancy\": 1}\n"
#define SAMPLES(experiment, cell, columns)                                                                   \
    "{\"experiment\": \"" experiment "\", \"cell\": {" cell                                                  \
    "}, \"at_ns\": 1, \"sm_mhz\": 0, \"dropped\": 0, \"columns\": {" columns "}}\n"
#define DROPS(dropped, drops)                                                                                \
    START "{\"experiment\": \"waves\", \"cell\": {\"kernel\": \"fma\", \"blocks\": 1}, \"at_ns\": 1, "       \
          "\"sm_mhz\": 0, \"dropped\": " dropped ", \"dropped_for\": " drops                                 \
          ", \"columns\": {\"span_ns\": [1]}}\n"
#define END "{\"end\": true, \"seconds\": 1}\n"
#define START HEAD DEVICE WORKLOAD

static const struct {
    const char *text, *wanted;
} cases[] = {
    {"", "is no file of raw measurements: it has no whole line"},
    {"{\"gpurt_raw\": 1", "is no file of raw measurements: it has no whole line"},
    {"{}\n", "line 1: must be an object with fields"},
    {"[1]\n", "line 1: must be an object with fields"},
    {"{\"nothing\": []}\n",
     "line 1: is no file of raw measurements: it does not begin with {\"gpurt_raw\": 1, ...}"},
    {"{\"tasks\": []}\n", "this is a scenario; `gpurt run` simulates it"},
    {"{\"gpurt_raw\": 2}\n", "line 1: gpurt_raw: must be 1 (got 2)"},
    {"{\"gpurt_raw\": 1, \"program\": \"p\", \"build\": \"b\", \"backend\": \"hip\", \"started\": \"s\", "
     "\"command\": \"c\", \"seed\": 1, \"budget_s\": 1, \"host\": \"h\", \"driver\": {\"path\": \"\", "
     "\"version\": 13000}, \"kernels\": {\"made_by\": \"m\", \"hash\": \"\"}}\n",
     "line 1: backend: must be cuda, sim or host (got \"hip\")"},
    {HEAD HEAD, "line 2: there is such a line before"},
    {HEAD "\n", "line 2, column 1: the text is empty"},
    {HEAD "{\"device\": }\n", "line 2, column 12: expected a value"},
    {HEAD DEVICE DEVICE, "line 3: there is such a line before"},
    {HEAD "{\"device\": {}, \"x\": 1}\n", "line 2: has other fields than \"device\""},
    {HEAD "{\"devise\": 1}\n", "line 2: there is no such line: it begins with \"devise\""},
    {HEAD SAMPLES("waves", "", ""), "line 2: there are samples before the line of the device"},
    {HEAD DEVICE SAMPLES("waves", "\"kernel\": \"fma\", \"blocks\": 1", "\"span_ns\": [1]"),
     "line 3: cell: names a workload of which no line before tells"},
    {START WORKLOAD, "line 4: workload: there is one of this name before"},
    {START SAMPLES("wave", "\"kernel\": \"fma\", \"blocks\": 1", "\"span_ns\": [1]"),
     "line 4: experiment \"wave\": there is no such experiment"},
    {START SAMPLES("waves", "\"kernel\": \"fma\", \"grid\": 1", "\"span_ns\": [1]"),
     "line 4: experiment \"waves\": the experiment has no cell with these keys"},
    {START SAMPLES("waves", "\"kernel\": \"fma\", \"blocks\": \"1\"", "\"span_ns\": [1]"),
     "line 4: experiment \"waves\": the experiment has no cell with these keys"},
    {START SAMPLES("launch", "\"what\": \"call\", \"queue\": \"full\"", "\"call_ns\": [1]"),
     "line 4: experiment \"launch\": a key of the cell has a value that the experiment does not know"},
    {START SAMPLES("waves", "\"kernel\": \"fma\", \"blocks\": 1", "\"span\": [1]"),
     "line 4: experiment \"waves\": the experiment's cell has other columns"},
    {START SAMPLES("split", "\"kernel\": \"fma\", \"parts\": 1, \"whole_waves\": 1",
                   "\"span_ns\": [1], \"gap_ns\": [1,2]"),
     "line 4: columns.gap_ns: has 2 values, the column before 1"},
    {START SAMPLES("waves", "\"kernel\": \"fma\", \"blocks\": 1", "\"span_ns\": [1, 2.5]"),
     "line 4: columns.span_ns[1]: must be a whole number up to 2^53 - 1 (got 2.5)"},
    {START SAMPLES("waves", "\"kernel\": \"fma\", \"blocks\": 1", "\"span_ns\": [9007199254740992]"),
     "line 4: columns.span_ns[0]: must be a whole number up to 2^53 - 1 (got 9007199254740992)"},
    {START SAMPLES("waves", "\"kernel\": \"fma\", \"blocks\": 1e300", "\"span_ns\": [1]"),
     "line 4: cell: must have up to 8 texts and whole numbers (got {\"kernel\":\"fma\",\"blocks\":1e+300})"},
    {START SAMPLES(
         "dispatch", "\"kernel\": \"fmaa\", \"threads\": 1, \"blocks\": 1",
         "\"block\": [], \"sm\": [], \"start_ns\": [], \"end_ns\": [], \"slot\": [], \"order\": []"),
     "line 4: cell: names a kernel that there is not"},
    {START SAMPLES(
         "worst",
         "\"kernel\": \"fma\", \"sms\": 1, \"beside\": \"nothing\", \"state\": \"hot\", \"run\": \"last\"",
         "\"span_ns\": [1]"),
     "line 4: experiment \"worst\": a key of the cell has a value that the experiment does not know"},
    {START "{\"experiment\": \"waves\", \"cell\": {\"kernel\": \"fma\", \"blocks\": 1}, \"at_ns\": 1, "
           "\"sm_mhz\": 0, \"cpu\": -1, \"dropped\": 0, \"columns\": {\"span_ns\": [1]}}\n",
     "line 4: cpu: must be between 0 and 2147483647 (got -1)"},
    {START "{\"health\": {\"at_ns\": 1, \"sm_mhz\": 1, \"memory_mhz\": 1, \"celsius\": 1, \"milliwatts\": 1, "
           "\"reasons\": 0, \"pcie_lanes\": 257}}\n",
     "line 4: health.pcie_lanes: must be between 0 and 256 (got 257)"},
    {START "{\"experiment\": \"waves\", \"cell\": {}, \"cells\": 1, \"at_ns\": 1, \"sm_mhz\": 0, "
           "\"dropped\": -1, \"columns\": {}}\n",
     "line 4: cells: unknown field"},
    {START "{\"experiment\": \"waves\", \"at_ns\": 1}\n", "line 4: cell and columns are required"},
    {DROPS("3", "{\"clock\": 1, \"overlap\": 1}"),
     "line 4: dropped_for: must add up to dropped, which is 3 (got 2)"},
    {DROPS("1", "{}"), "line 4: dropped_for: must add up to dropped, which is 1 (got 0)"},
    {DROPS("1", "{\"heat\": 1}"), "line 4: dropped_for.heat: unknown field"},
    {DROPS("1", "{\"clock\": -1, \"record\": 2}"),
     "line 4: dropped_for.clock: must be between 0 and 2147483647 (got -1)"},
    {DROPS("1", "1"), "line 4: dropped_for: must be an object (got 1)"},
    {START "{\"end\": false, \"seconds\": 1}\n", "line 4: end: must be true"},
    {START END "{\"skipped\": \"copy\", \"why\": \"x\"}\n",
     "line 5: comes after the line that says that measuring ended"},
    {HEAD "{\"origin\": {\"host_ns\": \"1x\", \"device_ns\": \"2\"}}\n",
     "line 2: origin: host_ns and device_ns must be decimal numbers of 64 bits, as texts"},
    {HEAD "{\"origin\": {\"host_ns\": \"1\", \"device_ns\": \"-2\"}}\n",
     "line 2: origin: host_ns and device_ns must be decimal numbers of 64 bits, as texts"},
    {HEAD "{\"partition\": {\"how\": \"green\", \"glued\": false}}\n", "line 2: partition.sms: required"},
    {HEAD "{\"partition\": {\"how\": \"green\", \"glued\": false, \"sms\": [65536]}}\n",
     "line 2: partition.sms: numbers of SMs are from 0 to 65535"},
    {HEAD "{\"partition\": {\"how\": \"mask\", \"glued\": false, \"sms\": []}}\n",
     "line 2: partition.how: must be \"none\", \"green\" or \"filter\" (got \"mask\")"},
    {HEAD "{\"partition\": 3}\n", "line 2: partition.sms: required"},
    {START SAMPLES("waves", "\"kernel\": \"fma\", \"blocks\": 2000000000", "\"span_ns\": [1]"),
     "line 4: cell.blocks: must be from 1 to 1048576 (got 2000000000)"},
    {START SAMPLES("waves", "\"kernel\": \"fma\", \"blocks\": 9007199254740991", "\"span_ns\": [1]"),
     "line 4: cell.blocks: must be from 1 to 1048576 (got 9007199254740991)"},
    {START SAMPLES("waves", "\"kernel\": \"fma\", \"blocks\": 0", "\"span_ns\": [1]"),
     "line 4: cell.blocks: must be from 1 to 1048576 (got 0)"},
    {START SAMPLES("coresidency", "\"kernel\": \"fma\", \"per_sm\": 65",
                   "\"block_ns\": [1], \"launch\": [0]"),
     "line 4: cell.per_sm: must be from 1 to 64 (got 65)"},
    {START SAMPLES("coresidency", "\"kernel\": \"fma\", \"per_sm\": 1",
                   "\"block_ns\": [1], \"launch\": [-1]"),
     "line 4: columns.launch: must be from 0 to 9007199254740991 (got -1)"},
    {START SAMPLES("coresidency", "\"kernel\": \"fma\", \"per_sm\": 1",
                   "\"block_ns\": [1], \"launch\": [0], \"sm\": [65536]"),
     "line 4: columns.sm: must be from 0 to 65535 (got 65536)"},
    {START SAMPLES("coresidency", "\"kernel\": \"fma\", \"per_sm\": 1",
                   "\"block_ns\": [1], \"launch\": [0], \"sm\": [0]")
         SAMPLES("coresidency", "\"kernel\": \"fma\", \"per_sm\": 1", "\"block_ns\": [1], \"launch\": [1]"),
     "line 5: columns: lines of this cell before had others"},
    {START SAMPLES("coresidency", "\"kernel\": \"fma\", \"per_sm\": 1", "\"block_ns\": [1]"),
     "line 4: experiment \"coresidency\": the experiment's cell has other columns"},
    {START SAMPLES("residency", "\"kernel\": \"fma\", \"threads\": 32, \"shared_bytes\": 0, \"blocks\": 8",
                   "\"most_per_sm\": [1], \"sms_used\": [4], \"expected\": [2, 9007199254740991]"),
     "line 4: columns.expected: has 2 values, the column before 1"},
    {START SAMPLES("residency", "\"kernel\": \"fma\", \"threads\": 32, \"shared_bytes\": 0, \"blocks\": 8",
                   "\"most_per_sm\": [1], \"sms_used\": [4], \"expected\": [9007199254740991]"),
     "line 4: columns.expected: must be from 0 to 64 (got 9007199254740991)"},
    {START SAMPLES("priority", "\"low\": 0, \"high\": -9007199254740991",
                   "\"wait_ns\": [1], \"left_ns\": [1], \"overtook\": [0]"),
     "line 4: cell.high: must be from -1000 to 1000 (got -9007199254740991)"},
    {START SAMPLES("priority", "\"low\": 0, \"high\": -1",
                   "\"wait_ns\": [1], \"left_ns\": [1], \"overtook\": [2]"),
     "line 4: columns.overtook: must be from 0 to 1 (got 2)"},
    {START SAMPLES("together",
                   "\"kernel\": \"fma\", \"beside\": \"fma\", \"sms\": 1025, \"beside_sms\": -1, "
                   "\"how\": \"none\"",
                   "\"span_ns\": [1]"),
     "line 4: cell.sms: must be from 1 to 1024 (got 1025)"},
    {HEAD "{\"origin\": {\"host_ns\": \"\", \"device_ns\": \"2\"}}\n",
     "line 2: origin.host_ns: must be 1 to 64 bytes long (got \"\")"},
    {HEAD "{\"origin\": {\"host_ns\": \"1\", \"device_ns\": \"\"}}\n",
     "line 2: origin.device_ns: must be 1 to 64 bytes long (got \"\")"},
    {HEAD "{\"origin\": {\"host_ns\": \"-\", \"device_ns\": \"2\"}}\n",
     "line 2: origin: host_ns and device_ns must be decimal numbers of 64 bits, as texts"},
    {HEAD "{\"end\": true, \"end\": true, \"seconds\": 1}\n", "line 2: end: given twice"},
};

static void test_sentences(void) {
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct grt_arena arena = {0};
        struct grt_errors errors = {0};
        struct grt_raw *raw = grt_raw_read_text(cases[i].text, strlen(cases[i].text), "f", &arena, &errors);
        CU_ASSERT_PTR_NULL(raw);
        CU_ASSERT_FATAL(errors.count > 0);
        if (strcmp(errors.messages[0], cases[i].wanted) != 0) {
            fprintf(stderr, "case %zu: wanted \"%s\"\n    got \"%s\"\n", i, cases[i].wanted,
                    errors.messages[0]);
        }
        CU_ASSERT_STRING_EQUAL(errors.messages[0], cases[i].wanted);
        grt_errors_clear(&errors);
        grt_arena_clear(&arena);
    }
}

/* One number of a good device's line is another one. */
static void test_numbers_of_devices(void) {
    static const struct {
        const char *good, *bad, *wanted;
    } numbers[] = {
        {"\"sm_count\": 4", "\"sm_count\": 65535", "line 2: device.sm_count: must be"},
        {"\"sm_count\": 4", "\"sm_count\": 0", "line 2: device.sm_count: must be"},
        {"\"priority_least\": 0", "\"priority_least\": 2147483647", "line 2: device.priority_least: must be"},
        {"\"priority_greatest\": 0", "\"priority_greatest\": -2147483648",
         "line 2: device.priority_greatest: must be"},
        {"\"async_engines\": 1", "\"async_engines\": -1", "line 2: device.async_engines: must be"},
        {"\"max_blocks_per_sm\": 1", "\"max_blocks_per_sm\": 65",
         "line 2: device.max_blocks_per_sm: must be"},
        {"\"integrated\": 0", "\"integrated\": 2", "line 2: device.integrated: must be"},
        {"\"occupancy\": 1", "\"occupancy\": 2147483647", "line 3: occupancy: must be"},
    };
    static const char start[] = START;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        const char *at = strstr(start, numbers[i].good);
        CU_ASSERT_PTR_NOT_NULL_FATAL(at);
        char text[sizeof start + 64];
        int size = snprintf(text, sizeof text, "%.*s%s%s", (int)(at - start), start, numbers[i].bad,
                            at + strlen(numbers[i].good));
        struct grt_arena arena = {0};
        struct grt_errors errors = {0};
        CU_ASSERT_PTR_NULL(grt_raw_read_text(text, (size_t)size, "f", &arena, &errors));
        CU_ASSERT_FATAL(errors.count > 0);
        CU_ASSERT_PTR_EQUAL(strstr(errors.messages[0], numbers[i].wanted), errors.messages[0]);
        grt_errors_clear(&errors);
        grt_arena_clear(&arena);
    }
}

/* The good lines that the cases are made of. */
static void test_good(void) {
    static const char text[] =
        START SAMPLES("waves", "\"kernel\": \"fma\", \"blocks\": 1", "\"span_ns\": [1]") END;
    struct grt_arena arena = {0};
    struct grt_errors errors = {0};
    struct grt_raw *raw = grt_raw_read_text(text, strlen(text), "f", &arena, &errors);
    grt_errors_print(&errors, stderr, "");
    CU_ASSERT_FATAL(raw != NULL);
    CU_ASSERT(raw->complete && raw->cell_count == 1 && raw->device.sm_count == 4);
    grt_arena_clear(&arena);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"the lines are good by themselves", test_good},
        {"sentences about bad files", test_sentences},
        {"numbers of devices", test_numbers_of_devices},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("bad raw files", tests);
}
