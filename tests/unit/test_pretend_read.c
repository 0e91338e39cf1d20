/* Files of pretended devices. */
#include "calib/program/files/pretend_read.h"

#include <stdio.h>
#include <string.h>

#include "calib/pretend/pretend.h"
#include "tests/support/suite.h"

static struct grt_arena arena;
static struct grt_pretend_spec spec;

static bool read_text(const char *text, struct grt_errors *errors) {
    return grt_pretend_read_text(text, strlen(text), ".", &arena, &spec, errors);
}

static void expect_read(const char *text) {
    struct grt_errors errors = {0};
    CU_ASSERT_TRUE_FATAL(read_text(text, &errors));
    CU_ASSERT_EQUAL(errors.count, 0);
}

static void test_defaults(void) {
    struct grt_errors errors = {0};
    struct grt_pretend_spec named;
    CU_ASSERT_TRUE_FATAL(grt_pretend_read("h200", &arena, &named, &errors));
    expect_read("{\"gpurt_pretend\": 1, \"device\": \"h200\"}");
    CU_ASSERT_EQUAL(spec.device.sm_count, 132);
    CU_ASSERT_EQUAL(spec.cycles_per_second, 1980000000);
    CU_ASSERT_EQUAL(spec.kernels[GRT_KERNEL_SPIN_CYCLES].per_unit_ps, 505);
    CU_ASSERT_EQUAL(spec.timer_tick, 1);
    CU_ASSERT_EQUAL(spec.memory_bytes, named.memory_bytes);
    CU_ASSERT_EQUAL(spec.filter_exit, named.filter_exit);
    CU_ASSERT_EQUAL(spec.seed, named.seed);
    CU_ASSERT_EQUAL(spec.launch_call, 0);
    CU_ASSERT_EQUAL(memcmp(spec.kernels, named.kernels, sizeof spec.kernels), 0);
}

static void test_fields(void) {
    expect_read("{\"gpurt_pretend\": 1, \"device\": {\"sm_count\": 3}, \"seed\": 9, \"memory\": \"1MiB\","
                " \"filter_exit\": \"7ns\", \"copy_noise\": {\"min\": \"0ns\", \"max\": \"5ns\"},"
                " \"kernels\": {\"fma\": {\"registers\": 40, \"fixed\": \"1us\", \"class\": \"hot\"},"
                " \"triad\": {\"per_unit_ps\": 77, \"shared_memory\": \"1KiB\", \"noise\": \"3ns\"}},"
                " \"calls\": {\"launch\": \"2us\", \"noise\": {\"distribution\": \"exponential\","
                " \"scale\": \"10ns\", \"max\": \"1us\"}, \"sync_return\": \"5us\"},"
                " \"clock\": {\"timer_tick\": \"32ns\", \"offset\": \"1s\", \"drift\": -0.001,"
                " \"cycles\": \"2GHz\"},"
                " \"faults\": {\"lost_at_call\": 12, \"stub\": true, \"no_green_contexts\": true,"
                " \"green_refused\": true, \"green_no_streams\": true, \"green_no_kernels\": true, "
                "\"strict_occupancy\": true,"
                " \"driver_version\": 11040}}");
    CU_ASSERT_EQUAL(spec.device.sm_count, 3);
    CU_ASSERT_EQUAL(spec.seed, 9);
    CU_ASSERT_EQUAL(spec.memory_bytes, 1 << 20);
    CU_ASSERT_EQUAL(spec.filter_exit, 7);
    CU_ASSERT_EQUAL(spec.copy_noise.max, 5);
    CU_ASSERT_EQUAL(spec.kernels[GRT_KERNEL_FMA].registers, 40);
    CU_ASSERT_EQUAL(spec.kernels[GRT_KERNEL_FMA].fixed, 1000);
    CU_ASSERT_EQUAL(spec.kernels[GRT_KERNEL_FMA].per_unit_ps, 9000); /* as it was */
    CU_ASSERT_STRING_EQUAL(spec.kernels[GRT_KERNEL_FMA].class_name, "hot");
    CU_ASSERT_EQUAL(spec.kernels[GRT_KERNEL_TRIAD].per_unit_ps, 77);
    CU_ASSERT_EQUAL(spec.kernels[GRT_KERNEL_TRIAD].shared_bytes, 1024);
    CU_ASSERT_EQUAL(spec.kernels[GRT_KERNEL_TRIAD].noise.max, 3);
    CU_ASSERT_EQUAL(spec.launch_call, 2000);
    CU_ASSERT_EQUAL(spec.call_noise.kind, GRT_EXPONENTIAL);
    CU_ASSERT_EQUAL(spec.sync_return, 5000);
    CU_ASSERT_EQUAL(spec.timer_tick, 32);
    CU_ASSERT_EQUAL(spec.timer_offset, GRT_SECOND);
    CU_ASSERT_EQUAL(spec.timer_drift, -0.001);
    CU_ASSERT_EQUAL(spec.kernels[GRT_KERNEL_SPIN_CYCLES].per_unit_ps, 500);
    CU_ASSERT_EQUAL(spec.faults.lost_at_call, 12);
    CU_ASSERT_TRUE(spec.faults.stub && spec.faults.no_green_contexts);
    CU_ASSERT_TRUE(spec.faults.green_refused && spec.faults.green_no_streams &&
                   spec.faults.green_no_kernels && spec.faults.strict_occupancy);
    CU_ASSERT_EQUAL(spec.faults.driver_version, 11040);
}

static void test_examples(void) {
    static const char *const names[] = {"quiet-h200", "noisy-h200", "noisy-tx2", "old-driver"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[512];
        struct grt_errors errors = {0};
        struct grt_driver driver;
        snprintf(path, sizeof path, GRT_SOURCE_DIR "/calib/pretend/examples/%s.json", names[i]);
        bool good = grt_pretend_read(path, &arena, &spec, &errors);
        grt_errors_print(&errors, stderr, "");
        CU_ASSERT_TRUE_FATAL(good);
        CU_ASSERT_TRUE_FATAL(grt_pretend_open(&spec, &grt_engine_model, &driver, &errors));
        CU_ASSERT_EQUAL(driver.cuda.cuInit(0), GRT_CUDA_SUCCESS);
        driver.close(&driver);
    }
    CU_ASSERT_EQUAL(spec.faults.driver_version, 12020); /* of the last one */
}

static void test_device_file(void) {
    struct grt_errors errors = {0};
    CU_ASSERT_TRUE(grt_pretend_read(GRT_SOURCE_DIR "/scenarios/devices/tx2.json", &arena, &spec, &errors));
    CU_ASSERT_EQUAL(spec.device.sm_count, 2);
}

/* Exactly one error, which begins so. */
static void expect_refusal(const char *text, const char *message) {
    struct grt_errors errors = {0};
    bool good = read_text(text, &errors);
    bool same = !good && errors.count == 1 && strncmp(errors.messages[0], message, strlen(message)) == 0;
    if (!same) {
        fprintf(stderr, "%s\n", text);
        grt_errors_print(&errors, stderr, "    ");
    }
    CU_ASSERT_TRUE(same);
    grt_errors_clear(&errors);
}

#define WITH(part) "{\"gpurt_pretend\": 1, \"device\": \"h200\", " part "}"

static void test_refusals(void) {
    expect_refusal("{\"gpurt_pretend\": 1, \"device\": \"h200\"", "1:");
    expect_refusal("[]", "must be an object");
    expect_refusal("{\"gpurt_pretend\": 2, \"device\": \"h200\"}", "gpurt_pretend: must be");
    expect_refusal("{\"gpurt_pretend\": 1}", "device: required");
    expect_refusal("{\"gpurt_pretend\": 1, \"device\": \"h201\"}", "device: unknown device");
    expect_refusal("{\"gpurt_pretend\": 1, \"device\": {\"sm_count\": 0}}", "device.sm_count: must be");
    expect_refusal(WITH("\"sead\": 1"), "sead: unknown");
    expect_refusal(WITH("\"seed\": -1"), "seed: must not be below 0");
    expect_refusal(WITH("\"memory\": \"8TiB\""), "memory: ");
    expect_refusal(WITH("\"calls\": {\"launch\": 5}"), "calls.launch: must be");
    expect_refusal(WITH("\"calls\": {\"launch\": \"5MiB\"}"), "calls.launch: ");
    expect_refusal(WITH("\"calls\": {\"launch\": \"2s\"}"), "calls.launch: must be");
    expect_refusal(WITH("\"calls\": {\"lunch\": \"2us\"}"), "calls.lunch: unknown");
    expect_refusal(WITH("\"calls\": [1]"), "calls: must be an object");
    expect_refusal(WITH("\"clock\": {\"drift\": 0.5}"), "clock.drift: must be from -0.01");
    expect_refusal(WITH("\"clock\": {\"timer_tick\": \"0ns\"}"), "clock.timer_tick: must be");
    expect_refusal(WITH("\"kernels\": {\"fna\": {}}"), "kernels.fna: unknown kernel; known are spin, ");
    expect_refusal(WITH("\"kernels\": {\"fma\": 1}"), "kernels.fma: must be an object");
    expect_refusal(WITH("\"kernels\": {\"fma\": {\"per_unit\": 1}}"), "kernels.fma.per_unit: unknown");
    expect_refusal(WITH("\"kernels\": {\"fma\": {\"per_unit_ps\": 1.5}}"), "kernels.fma.per_unit_ps: must");
    expect_refusal(WITH("\"kernels\": {\"fma\": {\"registers\": 300}}"),
                   "kernels.fma.registers: must be from 0");
    expect_refusal(WITH("\"kernels\": {\"fma\": {\"noise\": {\"min\": \"3ns\", \"max\": \"2ns\"}}}"),
                   "kernels.fma.noise");
    expect_refusal(WITH("\"faults\": {\"stub\": 1}"), "faults.stub: must be");
    expect_refusal(WITH("\"faults\": {\"lost_at_call\": -1}"), "faults.lost_at_call: must not be below 0");
    expect_refusal("{\"gpurt_pretend\": 1, \"device\": {\"sm_count\": 4, \"granularity\": \"shares\"}}",
                   "device: must be a device of granularity blocks");
}

static void test_names(void) {
    struct grt_errors errors = {0};
    CU_ASSERT_FALSE(grt_pretend_read("h2oo", &arena, &spec, &errors));
    CU_ASSERT_FALSE(grt_pretend_read("/nonexistent/a.json", &arena, &spec, &errors));
    CU_ASSERT_EQUAL_FATAL(errors.count, 2);
    CU_ASSERT_EQUAL(strncmp(errors.messages[0], "unknown device", strlen("unknown device")), 0);
    CU_ASSERT_EQUAL(strncmp(errors.messages[1], "/nonexistent/a.json: ", strlen("/nonexistent/a.json: ")), 0);
    grt_errors_clear(&errors);
}

/* No file, cut off anywhere, is read. */
static void test_cut_off(void) {
    static const char text[] =
        WITH("\"clock\": {\"drift\": 0.001}, \"kernels\": {\"fma\": {\"fixed\": \"1us\"}}");
    for (size_t size = 0; size + 1 < sizeof text; size++) {
        struct grt_errors errors = {0};
        bool good = grt_pretend_read_text(text, size, ".", &arena, &spec, &errors);
        CU_ASSERT_TRUE(!good && errors.count >= 1);
        grt_errors_clear(&errors);
    }
    expect_read(text);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"defaults", test_defaults},       {"fields", test_fields},     {"examples", test_examples},
        {"device file", test_device_file}, {"refusals", test_refusals}, {"names", test_names},
        {"cut off", test_cut_off},         CU_TEST_INFO_NULL,
    };
    int result = grt_suite_run("pretend_read", tests);
    grt_arena_clear(&arena);
    return result;
}
