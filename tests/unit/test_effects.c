/* Settings without effect that are meant, and are accepted: decision 15. Those that are refused are in tests/reject. */
#include <stdio.h>

#include "tests/support/scenario_text.h"
#include "tests/support/suite.h"

static struct grt_scenario_file file;

static void load(const char *gpu, const char *commands) {
    char text[2000];
    snprintf(text, sizeof text,
             "{\"gpurt\":1,\"horizon\":\"1s\",\"platform\":{\"gpus\":[%s]},\"tasks\":[{\"name\":\"a\","
             "\"period\":\"6ms\",\"segments\":[{\"gpu\":[%s]}]},%s]}",
             gpu, commands, SCENARIO_TASK("b", "\"period\":\"6ms\",\"process\":\"other\""));
    grt_scenario_text_load(text, NULL, &file);
}

static void switched_off_for_comparison(void) {
    static const char *const gpus[] = {
        "{\"device\":{\"sm_count\":2,\"hardware_queues\":0},\"queue_model\":\"single\"}",
        "{\"device\":\"gtx480\",\"hardware_queues\":0,\"dependency_check\":true}",
        "{\"device\":{\"sm_count\":2,\"queue_order\":\"fifo\"},\"hardware_queues\":0}",
        "{\"device\":\"gtx480\",\"hardware_queues\":0}",
        "{\"device\":\"gtx480\",\"hardware_queues\":1,\"queue_model\":\"dynamic\",\"dependency_check\":true}",
        "{\"device\":\"v100\",\"mps\":false,\"mps_clients\":4,\"mps_rounding\":\"up\"}",
        "{\"device\":\"v100\",\"context_preemption\":\"block\",\"context_save\":\"state\"}",
    };
    for (size_t i = 0; i < sizeof gpus / sizeof gpus[0]; i++) {
        load(gpus[i], "{\"kernel\":\"m\",\"time\":\"1ms\"}");
        CU_ASSERT_EQUAL(file.scenario.gpu_count, 1);
        grt_scenario_file_free(&file);
    }
}

/* What the file says of its own device may stay when the user looks at another one. */
static void another_device_for_comparison(void) {
    static const char *const sets[] = {"platform.gpus[1].device=exclusive"};
    static const char text[] =
        "{\"gpurt\":1,\"horizon\":\"1s\",\"platform\":{\"gpus\":[{\"device\":\"orin\"},{\"device\":\"orin\","
        "\"queue_order\":\"fifo\"}]},\"tasks\":[" SCENARIO_TASK("a", "\"period\":\"6ms\"") "]}";
    struct grt_scenario_changes changes = {.sets = sets, .set_count = 1};
    struct grt_errors errors = {0};
    grt_scenario_text_load(text, NULL, &file);
    CU_ASSERT(file.scenario.gpus[1].hardware_queues > 0);
    grt_scenario_file_free(&file);
    grt_scenario_text_load(text, &changes, &file);
    CU_ASSERT_EQUAL(file.scenario.gpus[1].hardware_queues, 0);
    grt_scenario_file_free(&file);
    static const char *const forgotten[] = {"platform.gpus[0].device=tx2",
                                            "platform.gpus[0].dependency_check=true",
                                            "platform.gpus[1].dependency_check=true"};
    changes = (struct grt_scenario_changes){.sets = forgotten, .set_count = 3};
    CU_ASSERT_FALSE(grt_scenario_parse(text, sizeof text - 1, NULL, &changes, &file, &errors));
    CU_ASSERT_EQUAL(errors.count, 1); /* of GPU 1, whose device is the file's */
    grt_errors_clear(&errors);
}

static void load_percentage(const char *gpu, const char *set) {
    char text[2000];
    const char *sets[] = {set};
    struct grt_scenario_changes changes = {.sets = sets, .set_count = set != NULL};
    snprintf(text, sizeof text,
             "{\"gpurt\":1,\"horizon\":\"1s\",\"platform\":{\"gpus\":[%s],\"processes\":[{\"name\":\"other\","
             "\"active_thread_percentage\":50}]},\"tasks\":[%s]}",
             gpu, SCENARIO_TASK("b", "\"period\":\"6ms\",\"process\":\"other\""));
    grt_scenario_text_load(text, &changes, &file);
}

static void a_percentage_without_mps_for_comparison(void) {
    load_percentage("{\"device\":\"v100\",\"mps\":true}", "platform.gpus[0].mps=false");
    CU_ASSERT_FALSE(file.scenario.gpus[0].mps);
    CU_ASSERT_EQUAL(file.scenario.processes[0].spec.active_thread_percentage, 50);
    grt_scenario_file_free(&file);
    load_percentage("{\"device\":\"a100\",\"mps\":false,\"mig\":[\"1g\",\"2g\"]},{\"device\":\"v100\"}",
                    "tasks[0].gpu=1");
    CU_ASSERT_EQUAL(file.scenario.tasks[0].gpu, 1);
    grt_scenario_file_free(&file);
    load_percentage("{\"device\":{\"sm_count\":2,\"mps\":true}}", "platform.gpus[0].device=v100");
    CU_ASSERT_FALSE(file.scenario.gpus[0].mps);
    grt_scenario_file_free(&file);
}

static void descriptions(void) {
    load("{\"device\":{\"sm_count\":2,\"integrated\":true},\"copy_time_slice\":\"1ms\"}",
         "{\"kernel\":\"m\",\"blocks\":1,\"threads\":32,\"block_time\":\"1ms\",\"bandwidth\":\"1GB/s\","
         "\"class\":\"memory\"},{\"malloc\":\"1MB\"},{\"record\":\"e\"}");
    CU_ASSERT_EQUAL(file.scenario.tasks[0].segments[0].command_count, 3);
    grt_scenario_file_free(&file);
}

static void names_that_somebody_has(void) {
    load(
        "{\"device\":{\"sm_count\":2,\"slowdowns\":[{\"class\":\"child\",\"beside\":\"k\",\"factor\":2}]}}",
        "{\"wait\":\"e\"},{\"kernel\":\"m\",\"blocks\":1,\"threads\":32,\"block_time\":\"1ms\",\"launches\":["
        "{\"kernel\":\"c\",\"class\":\"child\",\"blocks\":1,\"threads\":32,\"block_time\":\"1ms\"}]},"
        "{\"record\":\"e\"}");
    CU_ASSERT_EQUAL(file.scenario.gpus[0].slowdowns.count, 1);
    grt_scenario_file_free(&file);
}

/* A table that was measured for many kernels. */
static void a_device_file_of_more_kernels(void) {
    FILE *device = fopen(GRT_SCRATCH_DIR "/mine.json", "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(device);
    fprintf(device, "{\"gpurt_device\":1,\"name\":\"mine\",\"sm_count\":2,\"queue_order\":\"fifo\","
                    "\"slowdowns\":[{\"class\":\"x\",\"beside\":\"y\",\"factor\":2}]}");
    fclose(device);
    load("{\"device\":\"" GRT_SCRATCH_DIR "/mine.json\"}", "{\"kernel\":\"m\",\"time\":\"1ms\"}");
    CU_ASSERT_EQUAL(file.scenario.gpus[0].slowdowns.count, 1);
    grt_scenario_file_free(&file);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"switched off for comparison", switched_off_for_comparison},
        {"another device, for comparison", another_device_for_comparison},
        {"a percentage without MPS, for comparison", a_percentage_without_mps_for_comparison},
        {"descriptions", descriptions},
        {"names that somebody has", names_that_somebody_has},
        {"a device file of more kernels", a_device_file_of_more_kernels},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("settings without effect", tests);
}
