/* How kernels use a GPU that is simulated by shares: what files say, by name and in place, and what is checked of
 * structs that a program fills itself. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "models/device/usage_check.h"
#include "models/task/scenario_check.h"
#include "scenarios/usages.h"
#include "tests/support/scenario_text.h"
#include "tests/support/suite.h"

/* The scenario under test; each test frees it. */
static struct grt_scenario_file file;

static void read_scenario(const char *gpu, const char *first, const char *second) {
    char text[2000];
    snprintf(text, sizeof text,
             "{\"gpurt\":1,\"horizon\":\"1s\",\"platform\":{\"gpus\":[%s]},\"tasks\":[{\"name\":\"a\","
             "\"period\":\"9ms\",\"segments\":[{\"gpu\":[{\"kernel\":\"k\",\"time\":\"1ms\"%s},"
             "{\"kernel\":\"l\",\"blocks\":4,\"threads\":32,\"block_time\":\"1ms\"%s}]}]}]}",
             gpu, first, second);
    grt_scenario_text_load(text, NULL, &file);
}

static const struct grt_usage *usage_of(size_t command) {
    return file.scenario.tasks[0].segments[0].commands[command].kernel.usage;
}

/* ---- reading ---- */

static void every_field_goes_to_its_place(void) {
    read_scenario(
        "{\"device\":\"gtx1060\",\"granularity\":\"shares\"}",
        ",\"usage\":{\"name\":\"mine\",\"host_fraction\":0.125,\"sm_utilisation\":0.75,"
        "\"demand\":{\"sm\":0.1,\"l2\":0.2,\"dram\":0.3,\"shared_memory\":0.4,\"texture\":0.5},"
        "\"bound\":{\"sm\":0.11,\"l2\":0.12,\"dram\":0.13,\"shared_memory\":0.14,\"texture\":0.15},"
        "\"counters\":{\"instructions\":1,\"warps\":2,\"l2_read\":3,\"l2_write\":4,\"global_load\":5,"
        "\"global_store\":6,\"shared_load\":7,\"shared_store\":8,\"shared_load_conflicts\":9,"
        "\"shared_store_conflicts\":10,\"texture_load\":11},"
        "\"share_factors\":[{\"share\":10,\"factor\":7.5},{\"share\":50,\"factor\":1.5}]}",
        "");
    const struct grt_usage *usage = usage_of(0);
    CU_ASSERT_PTR_NOT_NULL_FATAL(usage);
    CU_ASSERT_PTR_NULL(usage_of(1));
    CU_ASSERT_STRING_EQUAL(usage->name, "mine");
    CU_ASSERT_EQUAL(usage->host_fraction, 0.125);
    CU_ASSERT_EQUAL(usage->sm_utilisation, 0.75);
    for (int i = 0; i < GRT_RESOURCES; i++) {
        CU_ASSERT_DOUBLE_EQUAL(usage->demand[i], 0.1 * (i + 1), 1e-12);
        CU_ASSERT_DOUBLE_EQUAL(usage->bound[i], 0.11 + 0.01 * i, 1e-12);
    }
    for (int i = 0; i < GRT_INDICATORS; i++) {
        CU_ASSERT_EQUAL(usage->counters[i], i + 1);
    }
    const struct grt_share_factor *factors = usage->share_factors.items;
    CU_ASSERT_EQUAL_FATAL(usage->share_factors.count, 2);
    CU_ASSERT_EQUAL(factors[0].share, 10);
    CU_ASSERT_EQUAL(factors[1].factor, 1.5);
    grt_scenario_file_free(&file);
}

static void device_fields_go_to_their_places(void) {
    read_scenario("{\"device\":\"gtx1060\"}", "", "");
    const struct grt_device *device = &file.scenario.gpus[0];
    CU_ASSERT_FALSE(grt_device_has_shares(device));
    CU_ASSERT_EQUAL(device->share_mode, GRT_SHARE_MODE_CONCURRENT);
    CU_ASSERT_EQUAL(device->contention, GRT_CONTENTION_MAX_MIN);
    CU_ASSERT_EQUAL(device->contention_latency.sm, 0.15);
    CU_ASSERT_EQUAL(device->contention_latency.dram, 0.5);
    CU_ASSERT_EQUAL(device->contention_exponent, 0.9);
    CU_ASSERT_EQUAL(device->share_interval, 0);
    grt_scenario_file_free(&file);
    read_scenario("{\"device\":\"gtx1060\",\"granularity\":\"shares\",\"share_mode\":\"left-over\","
                  "\"contention\":\"saturation\",\"contention_latency\":{\"l2\":0.25,\"texture\":2},"
                  "\"contention_exponent\":1,\"share_interval\":\"10ms\",\"share_launch\":\"1ms\"}",
                  "", "");
    device = &file.scenario.gpus[0];
    CU_ASSERT(grt_device_has_shares(device));
    CU_ASSERT_EQUAL(device->share_mode, GRT_SHARE_MODE_LEFT_OVER);
    CU_ASSERT_EQUAL(device->contention, GRT_CONTENTION_SATURATION);
    CU_ASSERT_EQUAL(device->contention_latency.sm, 0.15); /* its default: the object replaces all five */
    CU_ASSERT_EQUAL(device->contention_latency.l2, 0.25);
    CU_ASSERT_EQUAL(device->contention_latency.texture, 2);
    CU_ASSERT_EQUAL(device->contention_exponent, 1);
    CU_ASSERT_EQUAL(device->share_interval, 10000000);
    CU_ASSERT_EQUAL(device->share_launch, 1000000);
    grt_scenario_file_free(&file);
}

static void write_file(const char *path, const char *text) {
    FILE *out = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    fputs(text, out);
    CU_ASSERT_EQUAL(fclose(out), 0);
}

static void files_are_read_once(void) {
    struct grt_errors errors = {0};
    write_file(GRT_SCRATCH_DIR "/kernel.json",
               "{\"gpurt_usage\":1,\"measured_time\":\"5ms\",\"sm_utilisation\":0.5}\n");
    write_file(
        GRT_SCRATCH_DIR "/scenario-usage.json",
        "{\"gpurt\":1,\"horizon\":\"1s\",\"platform\":{\"gpus\":[{\"device\":\"tx2\"}]},\"tasks\":[{"
        "\"name\":\"a\",\"period\":\"9ms\",\"segments\":[{\"gpu\":[{\"kernel\":\"k\",\"time\":\"1ms\","
        "\"usage\":\"kernel.json\"},{\"kernel\":\"k\",\"time\":\"1ms\",\"usage\":\"kernel.json\"}]}]}]}");
    CU_ASSERT_FATAL(grt_scenario_read(GRT_SCRATCH_DIR "/scenario-usage.json", NULL, &file, &errors));
    CU_ASSERT_PTR_NOT_NULL_FATAL(usage_of(0));
    CU_ASSERT_EQUAL(usage_of(0)->sm_utilisation, 0.5);
    CU_ASSERT_STRING_EQUAL(usage_of(0)->name, "kernel.json");
    CU_ASSERT_PTR_EQUAL(usage_of(0), usage_of(1));
    grt_scenario_file_free(&file);

    struct grt_arena arena = {0};
    struct grt_usage_fields fields;
    CU_ASSERT_TRUE(grt_usage_find("kernel.json", GRT_SCRATCH_DIR, &arena, &fields, &errors, NULL));
    CU_ASSERT_EQUAL(fields.measured_time, 5000000);
    CU_ASSERT_EQUAL(errors.count, 0);
    CU_ASSERT_FALSE(grt_usage_find("no-such-kernel", NULL, &arena, &fields, &errors, NULL));
    CU_ASSERT_EQUAL(errors.count, 1);
    grt_errors_clear(&errors);
    grt_arena_clear(&arena);
}

/* ---- structs of a program ---- */

static struct grt_usage good_usage(void) {
    return (struct grt_usage){.sm_utilisation = 0.5, .demand = {0.4}, .bound = {0.25, 0.25, 0.25, 0.25}};
}

static void check_refused(const struct grt_usage *usage, const char *message) {
    struct grt_errors errors = {0};
    CU_ASSERT_FALSE(grt_usage_check(usage, &errors, NULL));
    CU_ASSERT_EQUAL_FATAL(errors.count, 1);
    CU_ASSERT_STRING_EQUAL(errors.messages[0], message);
    grt_errors_clear(&errors);
}

#define REFUSED(change, message)                                                                             \
    do {                                                                                                     \
        struct grt_usage usage = good_usage();                                                               \
        change;                                                                                              \
        check_refused(&usage, message);                                                                      \
    } while (0)

static void numbers_beyond_their_bounds_are_refused(void) {
    struct grt_usage good = good_usage();
    struct grt_errors errors = {0};
    CU_ASSERT_TRUE(grt_usage_check(&good, &errors, NULL));
    REFUSED(usage.host_fraction = 1, "host_fraction: must be at least 0 and below 1 (got 1)");
    REFUSED(usage.host_fraction = (double)NAN, "host_fraction: must be at least 0 and below 1 (got nan)");
    REFUSED(usage.sm_utilisation = 0, "sm_utilisation: must be above 0 and at most 1 (got 0)");
    REFUSED(usage.demand[GRT_RESOURCE_TEXTURE] = 2, "demand.texture: must be from 0 to 1 (got 2)");
    REFUSED(usage.bound[GRT_RESOURCE_SHARED_MEMORY] = -1,
            "bound.shared_memory: must be from 0 to 1 (got -1)");
    REFUSED(usage.bound[GRT_RESOURCE_TEXTURE] = 0.5, "bound: must be at most 1 in sum (got 1.5)");
    REFUSED(usage.counters[GRT_INDICATOR_WARPS] = (double)INFINITY,
            "counters.warps: must be from 0 to 1e+15 (got inf)");
    struct grt_share_factor factors[] = {{20, 5}, {10, 9}}, whole[] = {{100, 2}};
    REFUSED(usage.share_factors = ((struct grt_field_list){factors, 2}),
            "share_factors[1].share: must be from 21 to 100: shares ascend (got 10)");
    REFUSED(usage.share_factors = ((struct grt_field_list){whole, 1}),
            "share_factors[0].factor: must be 1 with all of the SMs (got 2)");
    REFUSED(usage.share_factors = ((struct grt_field_list){NULL, 2}),
            "share_factors: must be a list of at most 100 items (got 2)");
}

/* The check of a scenario asks the usages of its kernels, and the numbers of its devices. */
static void scenarios_are_asked(void) {
    read_scenario("{\"device\":\"tx2\"}", ",\"usage\":{\"sm_utilisation\":1}", "");
    struct grt_errors errors = {0};
    CU_ASSERT_TRUE(grt_scenario_check(&file.scenario, &errors));
    struct grt_device device = file.scenario.gpus[0];
    struct grt_scenario scenario = file.scenario;
    scenario.gpus = &device;
    ((struct grt_usage *)usage_of(0))->sm_utilisation = -1;
    device.contention_exponent = (double)NAN;
    device.contention_latency.l2 = -1;
    device.granularity = 2;
    CU_ASSERT_FALSE(grt_scenario_check(&scenario, &errors));
    CU_ASSERT_EQUAL_FATAL(errors.count, 4);
    CU_ASSERT_STRING_EQUAL(errors.messages[0], "platform.gpus[0].granularity: must be 0 to 1 (got 2)");
    CU_ASSERT_STRING_EQUAL(errors.messages[1],
                           "platform.gpus[0].contention_latency.l2: must be 0 to 100 (got -1)");
    CU_ASSERT_STRING_EQUAL(errors.messages[2],
                           "platform.gpus[0].contention_exponent: must be 0 to 1 (got nan)");
    CU_ASSERT_STRING_EQUAL(
        errors.messages[3],
        "tasks[0].segments[0].gpu[0].usage.sm_utilisation: must be above 0 and at most 1 (got -1)");
    grt_errors_clear(&errors);
    grt_scenario_file_free(&file);
}

/* A program's own device has share_launch 0 where it has no tokens. */
static void zeroes_stand_for_what_is_not_used(void) {
    read_scenario("{\"device\":\"tx2\"}", "", "");
    struct grt_errors errors = {0};
    struct grt_device device = file.scenario.gpus[0];
    device.share_launch = 0;
    device.contention_exponent = 0;
    device.contention_latency = (struct grt_resource_numbers){0};
    CU_ASSERT_TRUE(grt_device_check_bounds(&device, false, &errors, NULL));
    device.share_interval = 1;
    CU_ASSERT_FALSE(grt_device_check_bounds(&device, false, &errors, NULL));
    CU_ASSERT_EQUAL(errors.count, 1);
    grt_errors_clear(&errors);
    grt_scenario_file_free(&file);
}

int main(void) {
    static CU_TestInfo tests[] = {
        {"every field goes to its place", every_field_goes_to_its_place},
        {"device fields go to their places", device_fields_go_to_their_places},
        {"files are read once", files_are_read_once},
        {"numbers beyond their bounds are refused", numbers_beyond_their_bounds_are_refused},
        {"scenarios are asked", scenarios_are_asked},
        {"zeroes stand for what is not used", zeroes_stand_for_what_is_not_used},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("usage_fields", tests);
}
