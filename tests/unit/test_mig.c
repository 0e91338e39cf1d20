/* MIG instances (rule W7): the devices that a GPU is split into. */
#include <stdio.h>
#include <string.h>

#include "tests/support/scenario_text.h"
#include "tests/support/suite.h"

static struct grt_scenario_file file;

static void load(const char *gpus) {
    char text[2000];
    snprintf(text, sizeof text,
             "{\"gpurt\":1,\"horizon\":\"1s\",\"platform\":{\"gpus\":[%s]},\"tasks\":[%s]}", gpus,
             SCENARIO_TASK("a", "\"period\":\"6ms\""));
    grt_scenario_text_load(text, NULL, &file);
}

struct part {
    const char *name;
    int64_t sms, copy_engines, eighths;
};

/* Whether the GPUs from number `first` on are these parts of a device with this bandwidth and L2. */
static bool are(size_t first, const struct part *parts, size_t count, int64_t bandwidth, int64_t l2) {
    bool good = true;
    for (size_t i = 0; i < count; i++) {
        const struct grt_device *gpu = &file.scenario.gpus[first + i];
        good = good && strcmp(gpu->name, parts[i].name) == 0 && gpu->sm_count == parts[i].sms &&
               gpu->copy_engines == parts[i].copy_engines &&
               gpu->memory_bytes_per_second == bandwidth / 8 * parts[i].eighths &&
               gpu->l2_bytes == l2 / 8 * parts[i].eighths;
    }
    return good;
}

static void test_a100(void) {
    static const struct part parts[] = {
        {"a100 MIG 3g", 42, 3, 4}, {"a100 MIG 2g", 28, 2, 2}, {"a100 MIG 1g", 14, 1, 1}};
    load("{\"device\":\"a100\",\"mig\":[\"3g\",\"2g\",\"1g\"]}");
    CU_ASSERT_EQUAL(file.scenario.gpu_count, 3);
    CU_ASSERT(are(0, parts, 3, INT64_C(1555200000000), 40 << 20));
    CU_ASSERT_EQUAL(file.scenario.gpus[2].compute_capability, 80);
    CU_ASSERT_EQUAL(file.scenario.gpus[2].memory_bus_bits, 640);
    grt_scenario_file_free(&file);
    static const struct part whole[] = {{"a100 MIG 7g", 98, 7, 8}}, half[] = {{"a100 MIG 4g", 56, 4, 4}};
    load("{\"device\":\"a100\",\"mig\":[\"7g\"]},{\"device\":\"a100\",\"mig\":[\"4g\"]}");
    CU_ASSERT(are(0, whole, 1, INT64_C(1555200000000), 40 << 20));
    CU_ASSERT(are(1, half, 1, INT64_C(1555200000000), 40 << 20));
    grt_scenario_file_free(&file);
}

static void test_h100_and_h200(void) {
    static const struct part small[] = {{"h100 MIG 2g", 32, 2, 2}, {"h100 MIG 1g", 16, 1, 1}},
                             large[] = {{"h200 MIG 4g", 64, 4, 4}, {"h200 MIG 3g", 60, 3, 4}},
                             all[] = {{"h200 MIG 7g", 132, 8, 8}};
    load("{\"device\":\"h100\",\"mig\":[\"2g\",\"1g\"]},{\"device\":\"h200\",\"mig\":[\"4g\",\"3g\"]},"
         "{\"device\":\"h200\",\"mig\":[\"7g\"]}");
    CU_ASSERT_EQUAL(file.scenario.gpu_count, 5);
    CU_ASSERT(are(0, small, 2, INT64_C(3352300000000), 50 << 20));
    CU_ASSERT(are(2, large, 2, INT64_C(4800000000000), 50 << 20));
    CU_ASSERT(are(4, all, 1, INT64_C(4800000000000), 50 << 20));
    grt_scenario_file_free(&file);
}

/* Seven instances, and the fields that stand beside hold for each. */
static void test_seven_and_fields_beside(void) {
    load("{\"device\":\"a100\",\"mig\":[\"1g\",\"1g\",\"1g\",\"1g\",\"1g\",\"1g\",\"1g\"],\"mps\":true,"
         "\"time_slice\":\"5us\"},{\"device\":\"tx2\"}");
    CU_ASSERT_EQUAL(file.scenario.gpu_count, 8);
    for (size_t i = 0; i < 7; i++) {
        CU_ASSERT(file.scenario.gpus[i].mps);
        CU_ASSERT_EQUAL(file.scenario.gpus[i].time_slice, 5000);
    }
    CU_ASSERT_STRING_EQUAL(file.scenario.gpus[7].name, "tx2");
    grt_scenario_file_free(&file);
}

static void test_numbers(void) {
    static const struct part parts[] = {{"a100 MIG 80 SMs", 80, 2, 6}, {"a100 MIG 1g", 14, 1, 1}},
                             own[] = {{"custom MIG 3 SMs", 3, 1, 5}};
    load("{\"device\":\"a100\",\"mig\":[{\"sms\":80,\"memory\":6,\"copy_engines\":2},\"1g\"]},"
         "{\"device\":{\"sm_count\":5,\"memory_bandwidth\":\"16GB/s\"},\"mig\":[{\"sms\":3,\"memory\":5}]}");
    CU_ASSERT(are(0, parts, 2, INT64_C(1555200000000), 40 << 20));
    CU_ASSERT(are(2, own, 1, INT64_C(16000000000), 0));
    grt_scenario_file_free(&file);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"A100", test_a100},
        {"H100 and H200", test_h100_and_h200},
        {"seven, and fields beside", test_seven_and_fields_beside},
        {"numbers", test_numbers},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("MIG instances", tests);
}
