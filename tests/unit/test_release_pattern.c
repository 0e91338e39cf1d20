/* Scenarios that show a release pattern: what is changed in a file, and that it is a file which says so. */
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "scenarios/release_pattern.h"
#include "tests/support/scenario_text.h"
#include "tests/support/suite.h"

static const char text[] =
    "{\"gpurt\":1,\"horizon\":\"1s\",\"platform\":{\"cpus\":1,\"gpus\":[{\"device\":\"exclusive\"}]},"
    "\"expect\":{\"missed\":0},\"tasks\":["
    "{\"name\":\"a\",\"period\":\"10ms\",\"offset\":\"3ms\",\"jitter\":\"1ms\",\"segments\":["
    "{\"cpu\":{\"min\":\"1ms\",\"max\":\"2ms\"}},{\"gpu\":["
    "{\"kernel\":\"k\",\"time\":{\"distribution\":\"normal\",\"location\":\"1ms\",\"scale\":\"1ms\",\"max\":"
    "\"3ms\"}},"
    "{\"kernel\":\"l\",\"blocks\":4,\"threads\":32,\"block_time\":{\"min\":\"1us\",\"max\":\"7us\","
    "\"declared\":\"6us\"},"
    "\"draw\":\"kernel\"},{\"callback\":{\"min\":\"1us\",\"max\":\"5us\",\"declared\":\"8us\"}}]}]},"
    "{\"name\":\"b\",\"sporadic\":{\"min_gap\":\"20ms\",\"extra_gap\":{\"min\":\"0ns\",\"max\":\"9ms\"}},"
    "\"deadline\":\"15ms\",\"on_miss\":\"abort\"," SCENARIO_SEGMENTS "},"
    "{\"name\":\"c\",\"times\":[\"1ms\",\"2ms\"]," SCENARIO_SEGMENTS "},"
    "{\"name\":\"d\",\"after\":[\"a\"]," SCENARIO_SEGMENTS "},"
    "{\"name\":\"e\",\"poisson\":{\"mean_gap\":\"5ms\"},\"offset\":\"1ms\"," SCENARIO_SEGMENTS "},"
    "{\"name\":\"f\",\"period\":\"5ms\",\"jitter\":\"1ms\"," SCENARIO_SEGMENTS "}]}";

enum { A, B, C, D, E, F, TASKS };

/* What becomes of the text: the file, and the JSON that it was read from. */
struct written {
    struct grt_scenario_file before, after;
    char *json;
};

static void write_pattern(struct written *written, const struct grt_scenario_changes *changes,
                          const struct grt_release_pattern *pattern) {
    const struct grt_scenario_source source = {text, strlen(text), ".", changes};
    *written = (struct written){0};
    grt_scenario_text_load(text, changes, &written->before);
    written->json = grt_release_pattern_write(&source, &written->before.scenario, pattern);
    grt_scenario_text_load(written->json, NULL, &written->after);
}

static void release(struct written *written) {
    free(written->json);
    grt_scenario_file_free(&written->before);
    grt_scenario_file_free(&written->after);
}

static const grt_time first_releases[TASKS] = {
    [A] = 7, [B] = 1000000, [C] = 5, [D] = 5, [E] = 5, [F] = GRT_TIME_NEVER};

static void test_releases(void) {
    struct written written;
    struct grt_release_pattern pattern = {"as it was", 90000000, first_releases, false};
    write_pattern(&written, NULL, &pattern);
    const struct grt_scenario *scenario = &written.after.scenario;
    const struct grt_task *tasks = scenario->tasks;
    CU_ASSERT_EQUAL_FATAL(scenario->task_count, TASKS);
    CU_ASSERT_STRING_EQUAL(written.after.description, "as it was");
    CU_ASSERT_EQUAL(scenario->horizon_kind, GRT_HORIZON_FIXED);
    CU_ASSERT_EQUAL(scenario->horizon, 90000000);
    CU_ASSERT_FALSE(grt_expect_any(&written.after.expect));
    CU_ASSERT_EQUAL(tasks[A].offset, 7);
    CU_ASSERT_EQUAL(tasks[A].jitter, 0);
    CU_ASSERT_EQUAL(tasks[A].period, 10000000);
    CU_ASSERT_EQUAL(tasks[B].arrival, GRT_ARRIVAL_PERIODIC);
    CU_ASSERT_EQUAL(tasks[B].period, 20000000);
    CU_ASSERT_EQUAL(tasks[B].offset, 1000000);
    CU_ASSERT_EQUAL(tasks[B].deadline, 15000000);
    CU_ASSERT_EQUAL(tasks[B].on_miss, GRT_MISS_ABORT);
    for (size_t i = C; i <= D; i++) { /* what has no period does not come */
        CU_ASSERT_EQUAL(tasks[i].arrival, GRT_ARRIVAL_TIMES);
        CU_ASSERT_EQUAL_FATAL(tasks[i].time_count, 1);
        CU_ASSERT_EQUAL(tasks[i].times[0], 90000000);
    }
    CU_ASSERT_EQUAL(tasks[E].offset, 90000000);
    CU_ASSERT_EQUAL(tasks[F].offset, 90000000);
    CU_ASSERT_EQUAL(tasks[F].jitter, 0);
    for (size_t i = 0; i < TASKS; i++) { /* the ranks that periods give */
        CU_ASSERT_EQUAL(tasks[i].priority, written.before.scenario.tasks[i].priority);
    }
    release(&written);
}

static void test_longest_times(void) {
    struct written written;
    struct grt_release_pattern pattern = {"", 1, first_releases, false};
    write_pattern(&written, NULL, &pattern);
    const struct grt_segment *segments = written.after.scenario.tasks[A].segments;
    const struct grt_command_spec *commands = segments[1].commands;
    CU_ASSERT_EQUAL(segments[0].cpu_time.kind, GRT_CONSTANT);
    CU_ASSERT_EQUAL(segments[0].cpu_time.max, 2000000);
    CU_ASSERT_EQUAL(commands[0].kernel.block_time.kind, GRT_CONSTANT);
    CU_ASSERT_EQUAL(commands[0].kernel.block_time.max, 3000000);
    CU_ASSERT_EQUAL(commands[1].kernel.block_time.kind, GRT_CONSTANT);
    CU_ASSERT_EQUAL(commands[1].kernel.block_time.max,
                    6000); /* as declared, be it below or above what is drawn */
    CU_ASSERT_EQUAL(commands[2].callback_time.kind, GRT_CONSTANT);
    CU_ASSERT_EQUAL(commands[2].callback_time.max, 8000);
    release(&written);
}

static void test_changes(void) {
    static const char *const sets[] = {"tasks[0].period=12ms", "tasks[1].sporadic.min_gap=17ms"};
    struct grt_scenario_changes changes = {.policy = "np-edf", .sets = sets, .set_count = 2};
    struct written written;
    struct grt_release_pattern pattern = {"", 1000, first_releases, true};
    write_pattern(&written, &changes, &pattern);
    const struct grt_task *tasks = written.after.scenario.tasks;
    CU_ASSERT_STRING_EQUAL(written.after.policy->name, "np-edf");
    CU_ASSERT_EQUAL(tasks[A].period, 12000000);
    CU_ASSERT_EQUAL(tasks[B].period, 17000000);
    CU_ASSERT_EQUAL(tasks[A].on_miss, GRT_MISS_STOP);
    CU_ASSERT_EQUAL(tasks[B].on_miss, GRT_MISS_STOP);
    CU_ASSERT_EQUAL(tasks[C].on_miss, GRT_MISS_CONTINUE); /* it has no deadline */
    release(&written);
}

/* Kernels of definitions, which others have as well, get times of their own. */
static void test_defined_kernels(void) {
    static const char defined[] =
        "{\"gpurt\":1,\"horizon\":\"1s\",\"platform\":{\"gpus\":[{\"device\":\"tx2\"}]},\"kernels\":["
        "{\"name\":\"m\",\"blocks\":4,\"threads\":32,\"block_time\":{\"distribution\":\"empirical\","
        "\"values\":[\"1us\"],"
        "\"max\":\"7us\"}},{\"name\":\"w\",\"bandwidth\":\"1GB/"
        "s\",\"time\":{\"min\":\"1us\",\"max\":\"3us\"}},"
        "{\"name\":\"p\",\"blocks\":1,\"threads\":32,\"block_time\":\"5us\",\"launches\":[{\"kernel\":\"m\"}]"
        "},"
        "{\"name\":\"c\",\"blocks\":1,\"threads\":32,\"block_time\":\"5us\"}],\"tasks\":["
        "{\"name\":\"a\",\"period\":\"9ms\",\"segments\":[{\"gpu\":[{\"kernel\":\"m\"},{\"kernel\":\"w\"},{"
        "\"kernel\":\"p\"},"
        "{\"kernel\":\"c\"},{\"kernel\":\"l\",\"like\":\"m\",\"blocks\":2}]}]}]}";
    static const grt_time longest[] = {7000, 3000, 5000, 5000, 7000};
    struct grt_release_pattern pattern = {"", 1000, first_releases, false};
    const struct grt_scenario_source source = {defined, strlen(defined), ".", NULL};
    struct grt_scenario_file before, after;
    grt_scenario_text_load(defined, NULL, &before);
    char *json = grt_release_pattern_write(&source, &before.scenario, &pattern);
    grt_scenario_text_load(json, NULL, &after);
    const struct grt_command_spec *commands = after.scenario.tasks[0].segments[0].commands,
                                  *old = before.scenario.tasks[0].segments[0].commands;
    for (size_t i = 0; i < 5; i++) {
        CU_ASSERT(grt_distribution_is_constant(&commands[i].kernel.block_time));
        CU_ASSERT_EQUAL(commands[i].kernel.block_time.max, longest[i]);
        CU_ASSERT(commands[i].kernel.blocks == old[i].kernel.blocks &&
                  commands[i].kernel.whole_device == old[i].kernel.whole_device &&
                  commands[i].kernel.bandwidth == old[i].kernel.bandwidth);
    }
    const struct grt_launch_spec *launch = commands[2].kernel.launches.items;
    CU_ASSERT_EQUAL_FATAL(commands[2].kernel.launches.count, 1);
    CU_ASSERT(launch->kernel.blocks == 4 && launch->kernel.block_time.max == 7000 &&
              grt_distribution_is_constant(&launch->kernel.block_time));
    free(json);
    grt_scenario_file_free(&before);
    grt_scenario_file_free(&after);
}

/* Relative to the scenario's folder, which the new file is not in. */
static void test_files(void) {
    static const char *const sets[] = {"platform.gpus[0].device=devices/exclusive.json",
                                       "tasks[0].segments[1].gpu[1].usage=usages/lud.json",
                                       "networks=../tests/reject/files/networks-of-l.json"};
    struct grt_scenario_changes changes = {.sets = sets, .set_count = 3};
    const struct grt_scenario_source source = {text, strlen(text), "scenarios", &changes};
    struct grt_release_pattern pattern = {"", 1000, first_releases, false};
    struct grt_scenario_file before = {0}, after = {0};
    struct grt_errors errors = {0};
    CU_ASSERT_TRUE_FATAL(grt_scenario_parse(text, strlen(text), "scenarios", &changes, &before, &errors));
    char *json = grt_release_pattern_write(&source, &before.scenario, &pattern);
    cJSON *root = cJSON_Parse(json);
    const cJSON *gpus = cJSON_GetObjectItem(cJSON_GetObjectItem(root, "platform"), "gpus");
    const char *device = cJSON_GetStringValue(cJSON_GetObjectItem(cJSON_GetArrayItem(gpus, 0), "device"));
    CU_ASSERT_PTR_NOT_NULL_FATAL(device);
    CU_ASSERT_EQUAL(device[0], '/');
    CU_ASSERT_PTR_NOT_NULL(strstr(device, "/scenarios/devices/exclusive.json"));
    CU_ASSERT_TRUE_FATAL(grt_scenario_parse(json, strlen(json), "/", NULL, &after, &errors));
    const struct grt_usage *usage = after.scenario.tasks[0].segments[1].commands[1].kernel.usage;
    CU_ASSERT_STRING_EQUAL(usage->name, "lud");
    CU_ASSERT_PTR_NOT_NULL(after.scenario.networks);
    cJSON_Delete(root);
    free(json);
    grt_scenario_file_free(&before);
    grt_scenario_file_free(&after);
    grt_errors_clear(&errors);
}

int main(void) {
    static CU_TestInfo tests[] = {
        {"releases", test_releases}, {"longest times", test_longest_times},     {"changes", test_changes},
        {"files", test_files},       {"defined kernels", test_defined_kernels}, CU_TEST_INFO_NULL,
    };
    return grt_suite_run("release_pattern", tests);
}
