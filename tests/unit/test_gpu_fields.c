/* Devices of a scenario: presets, aliases, files, devices in place, and changes to single fields. */
#include <stdio.h>
#include <string.h>

#include "tests/support/scenario_text.h"
#include "tests/support/suite.h"

/* The scenario under test; each test frees it. */
static struct grt_scenario_file file;

static const struct grt_scenario *scenario(void) {
    return &file.scenario;
}

static void load(const char *text) {
    grt_scenario_text_load(text, NULL, &file);
}

static const struct grt_device *read_device(const char *gpu) {
    char text[1000];
    snprintf(text, sizeof text,
             "{\"gpurt\":1,\"horizon\":\"1s\",\"platform\":{\"gpus\":[%s]},\"tasks\":[%s]}", gpu,
             SCENARIO_TASK("a", "\"period\":\"6ms\""));
    load(text);
    return &scenario()->gpus[0];
}

static void test_devices(void) {
    const struct grt_device *device = read_device("{\"device\":\"tx2\"}");
    int64_t launch = device->kernel_launch, sms = device->sm_count;
    CU_ASSERT_STRING_EQUAL(device->name, "tx2");
    CU_ASSERT(launch > 0);
    grt_scenario_file_free(&file);

    device = read_device("{\"device\":\"jetson-tx2\",\"kernel_launch\":\"0ns\"}");
    CU_ASSERT_STRING_EQUAL(device->name, "tx2");
    CU_ASSERT_EQUAL(device->kernel_launch, 0);
    CU_ASSERT_EQUAL(device->sm_count, sms);
    CU_ASSERT_EQUAL(device->compute_capability, 62);
    grt_scenario_file_free(&file);

    device = read_device(
        "{\"device\":{\"sm_count\":4,\"compute_capability\":\"12.0\",\"sources\":{\"sm_count\":\"made up\"},"
        "\"aliases\":[\"x\"]},\"name\":\"mine\",\"max_threads_per_sm\":2048}");
    CU_ASSERT_STRING_EQUAL(device->name, "mine");
    CU_ASSERT_EQUAL(device->sm_count, 4);
    CU_ASSERT_EQUAL(device->compute_capability, 120);
    CU_ASSERT_EQUAL(device->max_threads_per_sm, 2048);
    CU_ASSERT_EQUAL(device->warp_size, 32); /* a default of the table */
    grt_scenario_file_free(&file);
}

static void test_device_files(void) {
    FILE *out = fopen(GRT_SCRATCH_DIR "/mine.json", "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    fputs("\xEF\xBB\xBF{\"name\":\"mine\",\"sm_count\":7}\n", out); /* with a byte-order mark */
    fclose(out);
    out = fopen(GRT_SCRATCH_DIR "/scenario.json", "w");
    fputs("{\"gpurt\":1,\"horizon\":\"1s\",\"platform\":{\"gpus\":[{\"device\":\"mine.json\"}]},\"tasks\":"
          "[" SCENARIO_TASK("a", "\"period\":\"6ms\"") "]}",
          out);
    fclose(out);
    struct grt_errors errors = {0};
    CU_ASSERT_FATAL(grt_scenario_read(GRT_SCRATCH_DIR "/scenario.json", NULL, &file, &errors));
    CU_ASSERT_EQUAL(scenario()->gpus[0].sm_count, 7);
    grt_scenario_file_free(&file);

    struct grt_arena arena = {0};
    struct grt_device device;
    CU_ASSERT_TRUE(grt_device_find("mine.json", GRT_SCRATCH_DIR, &arena, &device, &errors, NULL));
    CU_ASSERT_STRING_EQUAL(device.name, "mine");
    CU_ASSERT_TRUE(grt_device_find(GRT_SCRATCH_DIR "/mine.json", "/nowhere", &arena, &device, &errors, NULL));
    CU_ASSERT_TRUE(grt_device_find("jetson-tx2", NULL, &arena, &device, &errors, NULL));
    CU_ASSERT_EQUAL(errors.count, 0);
    CU_ASSERT_FALSE(grt_device_find("tx22", NULL, &arena, &device, &errors, NULL));
    CU_ASSERT_EQUAL(errors.count, 1);
    grt_errors_clear(&errors);
    grt_arena_clear(&arena);
}

static void test_every_preset(void) {
    static const char *const presets[] = {"tx1", "tx2", "xavier", "orin", "exclusive"};
    struct grt_arena arena = {0};
    for (size_t i = 0; i < sizeof presets / sizeof presets[0]; i++) {
        struct grt_errors errors = {0};
        struct grt_device device;
        CU_ASSERT_TRUE(grt_device_find(presets[i], NULL, &arena, &device, &errors, NULL));
        CU_ASSERT_STRING_EQUAL(device.name, presets[i]);
        grt_errors_print(&errors, stdout, "\n    ");
        grt_errors_clear(&errors);
    }
    grt_arena_clear(&arena);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"devices", test_devices},
        {"device files", test_device_files},
        {"presets", test_every_preset},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("devices", tests);
}
