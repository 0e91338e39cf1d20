/* The host model in scenario files: what is read, who needs a core, which costs nobody pays, what is written back. What is
 * refused by the loader alone is in tests/reject. */
#include <stdlib.h>
#include <string.h>

#include "policies/registry.h"
#include "scenarios/task_set.h"
#include "tests/support/scenario_text.h"
#include "tests/support/suite.h"
#include "verify/reproduce.h"

#define PLATFORM(fields)                                                                                     \
    "{\"gpurt\":1,\"horizon\":\"1s\",\"platform\":{\"gpus\":[{\"device\":\"exclusive\"}]" fields             \
    "},\"policy\":{\"name\":\"fifo\"},\"tasks\":["
#define COSTS ",\"context_switch\":\"5us\",\"wake_up\":\"3us\""
#define KERNEL "\"gpu\":[{\"kernel\":\"k\",\"time\":\"1ms\"}]"
#define TASK(name, segments)                                                                                 \
    "{\"name\":\"" name "\",\"period\":\"10ms\",\"cpu\":0,\"segments\":[" segments "]}"
#define HOST(fields) "{" KERNEL ",\"host\":{" fields "}}"

static struct grt_scenario_file file;

static const struct grt_segment *load(const char *text) {
    grt_scenario_text_load(text, NULL, &file);
    return file.scenario.tasks[0].segments;
}

/* ---- reading ---- */

static void values(void) {
    const struct grt_segment *segments = load(PLATFORM(",\"cpus\":2" COSTS) TASK(
        "a", HOST("\"before\":\"1us\",\"after\":{\"min\":\"2us\",\"max\":\"4us\",\"declared\":\"3us\"},"
                  "\"mode\":\"asynchronous\"") "," HOST("\"after\":\"0ns\",\"mode\":\"synchronous\"") "]}"));
    const struct grt_distribution *parts = segments[0].host_part;
    CU_ASSERT_EQUAL(file.scenario.context_switch, 5000);
    CU_ASSERT_EQUAL(file.scenario.wake_up, 3000);
    CU_ASSERT(grt_distribution_is_constant(&parts[GRT_HOST_BEFORE]));
    CU_ASSERT_EQUAL(parts[GRT_HOST_BEFORE].max, 1000);
    CU_ASSERT_EQUAL(parts[GRT_HOST_AFTER].kind, GRT_UNIFORM);
    CU_ASSERT_EQUAL(parts[GRT_HOST_AFTER].min, 2000);
    CU_ASSERT_EQUAL(parts[GRT_HOST_AFTER].max, 4000);
    CU_ASSERT_EQUAL(grt_distribution_worst(&parts[GRT_HOST_AFTER]), 3000);
    CU_ASSERT_EQUAL(segments[0].host_mode, GRT_HOST_ASYNCHRONOUS);
    CU_ASSERT_EQUAL(segments[1].host_mode, GRT_HOST_SYNCHRONOUS);
    CU_ASSERT(grt_segment_has_host_parts(&segments[0]));
    CU_ASSERT_FALSE(grt_segment_has_host_parts(&segments[1]));
    grt_scenario_file_free(&file);
}

static void defaults(void) {
    const struct grt_segment *segments =
        load(PLATFORM("") "{\"name\":\"a\",\"period\":\"10ms\",\"segments\":"
                          "[{" KERNEL "}," HOST("\"before\":\"1us\"") "]}]}");
    CU_ASSERT_EQUAL(file.scenario.context_switch, 0);
    CU_ASSERT_EQUAL(file.scenario.wake_up, 0);
    CU_ASSERT_FALSE(grt_segment_has_host_parts(&segments[0]));
    CU_ASSERT(grt_segment_has_host_parts(&segments[1]));
    CU_ASSERT_EQUAL(segments[1].host_part[GRT_HOST_AFTER].max, 0);
    CU_ASSERT_EQUAL(segments[1].host_mode, GRT_HOST_SYNCHRONOUS);
    CU_ASSERT_EQUAL(file.scenario.tasks[0].cpu, -1); /* platform.cpus is 0: a core of its own */
    grt_scenario_file_free(&file);
}

/* Draws of a host part may be 0, unlike those of what has to take time. */
static void least_draw(void) {
    const struct grt_segment *segments =
        load(PLATFORM("") "{\"name\":\"a\",\"period\":\"10ms\",\"segments\":[" HOST(
            "\"before\":{\"distribution\":\"exponential\",\"scale\":\"1us\",\"max\":\"9us\"}") "]}]}");
    CU_ASSERT_EQUAL(segments[0].host_part[GRT_HOST_BEFORE].min, 0);
    grt_scenario_file_free(&file);
}

/* ---- policies whose jobs' threads ask ---- */

static const struct grt_policy_ops asking = {.name = "asking", .host = GRT_HOST_BY_THREAD};

/* What is said of a task without a core on a platform of so many. */
static void check_core(const struct grt_segment *segments, size_t count, const struct grt_policy_ops *policy,
                       int64_t cpus, const char *expected) {
    struct grt_errors errors = {0};
    struct grt_reader reader = {.errors = &errors};
    struct grt_path root = {0}, tasks = {&root, "tasks", 0};
    struct grt_task_fields fields = {.clean = true, .task = {.segments = segments, .segment_count = count}};
    struct grt_task_set set = {.tasks = &fields, .count = 1, .path = &tasks};
    struct grt_platform_fields platform = {.cpus = cpus};
    grt_task_set_processors(&reader, &set, &platform, policy);
    CU_ASSERT_EQUAL_FATAL(errors.count, expected != NULL);
    if (expected != NULL) {
        CU_ASSERT_STRING_EQUAL(errors.messages[0], expected);
    }
    CU_ASSERT_EQUAL(fields.task.cpu, cpus == 1 ? 0 : -1);
    grt_errors_clear(&errors);
}

static void who_needs_a_core(void) {
    const struct grt_segment gpu = {.kind = GRT_SEGMENT_GPU};
    const struct grt_segment host = {.kind = GRT_SEGMENT_GPU, .host_part = {{0}, {.min = 5, .max = 5}}};
    const struct grt_segment both[] = {gpu, {.kind = GRT_SEGMENT_CPU, .cpu_time = {.min = 1, .max = 1}}};
    const struct grt_policy_ops *fifo = grt_policy_find("fifo");
    check_core(&gpu, 1, fifo, 2, NULL);
    check_core(&gpu, 1, NULL, 2, NULL); /* an unknown policy has been reported */
    check_core(&gpu, 1, &asking, 2,
               "tasks[0].cpu: required because platform.cpus is 2 and under policy asking the task's thread "
               "asks for the GPU");
    check_core(&gpu, 1, &asking, 1, NULL);
    check_core(&gpu, 1, &asking, 0, NULL);
    check_core(
        &host, 1, fifo, 3,
        "tasks[0].cpu: required because platform.cpus is 3 and the task has host parts of GPU segments");
    check_core(&host, 1, fifo, 1, NULL);
    check_core(both, 2, &asking, 2,
               "tasks[0].cpu: required because platform.cpus is 2 and the task has CPU segments");
    check_core(&both[1], 1, &asking, 0, NULL);
}

static void check_costs(const struct grt_segment *segment, const struct grt_policy_ops *policy, bool paid) {
    struct grt_errors errors = {0};
    struct grt_reader reader = {.errors = &errors};
    struct grt_path root = {0}, path = {&root, "platform", 0};
    struct grt_task_fields fields = {.task = {.segments = segment, .segment_count = 1}};
    struct grt_task_set set = {.tasks = &fields, .count = 1};
    struct grt_platform_fields platform = {.wake_up = 1};
    grt_task_set_check_costs(&reader, &set, &platform, policy, &path);
    CU_ASSERT_EQUAL_FATAL(errors.count, !paid);
    if (!paid) {
        CU_ASSERT_STRING_EQUAL(errors.messages[0],
                               "platform.wake_up: has no effect because no task computes on a core");
    }
    grt_errors_clear(&errors);
}

static void who_pays(void) {
    const struct grt_segment gpu = {.kind = GRT_SEGMENT_GPU}, cpu = {.kind = GRT_SEGMENT_CPU};
    const struct grt_segment host = {.kind = GRT_SEGMENT_GPU, .host_part = {{.min = 5, .max = 5}, {0}}};
    check_costs(&gpu, grt_policy_find("fifo"), false);
    check_costs(&host, grt_policy_find("fifo"), true);
    check_costs(&cpu, grt_policy_find("fifo"), true);
    check_costs(&gpu, &asking, true);
    check_costs(&cpu, &asking, true);
}

/* Costs that the file's own policy charges may be without effect under another one. */
static void another_policy_for_comparison(void) {
    static const char text[] =
        PLATFORM(COSTS) "{\"name\":\"a\",\"period\":\"10ms\",\"segments\":[{" KERNEL "}]}]}";
    const struct grt_scenario_changes changes = {.policy = "np-fp"};
    struct grt_errors errors = {0};
    CU_ASSERT_FALSE(grt_scenario_parse(text, sizeof text - 1, NULL, NULL, &file, &errors));
    CU_ASSERT_EQUAL(errors.count, 2);
    grt_errors_clear(&errors);
    grt_scenario_text_load(text, &changes, &file);
    CU_ASSERT_EQUAL(file.scenario.wake_up, 3000);
    grt_scenario_file_free(&file);
}

/* ---- writing back ---- */

#define DRAWN                                                                                                \
    HOST("\"before\":{\"distribution\":\"exponential\",\"scale\":\"1us\",\"max\":\"9us\"},\"after\":"        \
         "{\"min\":\"2us\",\"max\":\"7us\",\"declared\":\"5us\"},\"mode\":\"asynchronous\"")
#define HELD                                                                                                 \
    PLATFORM(COSTS)                                                                                          \
    "{\"name\":\"a\",\"period\":\"10ms\",\"deadline\":\"900us\",\"segments\":[" DRAWN                        \
    "]},{\"name\":\"b\",\"period\":\"20ms\",\"deadline\":\"1us\",\"segments\":[{" KERNEL "}]}]}"

/* What is written of a pattern in which task a takes such times and one task is absent; both tasks are always late. */
static char *written(enum grt_pattern_times times, uint32_t absent) {
    const struct grt_scenario_source source = {.text = HELD, .size = sizeof HELD - 1, .folder = "."};
    struct grt_subject subject;
    struct grt_pattern pattern;
    struct grt_errors errors = {0};
    const struct grt_violation late = {
        .kind = GRT_VIOLATION_DEADLINE, .task = 1 - absent, .text = "it is late"};
    load(HELD);
    grt_subject_start(&subject, &file.scenario, file.policy, NULL);
    CU_ASSERT(subject.varied[0] && !subject.varied[1]);
    grt_pattern_start(&pattern, 2);
    grt_pattern_clear(&pattern, &file.scenario);
    pattern.horizon = 5000000;
    pattern.tasks[0].times = times;
    pattern.tasks[absent].absent = true;
    grt_releases_add(&pattern.tasks[0], 0, 0);
    grt_releases_add(&pattern.tasks[1], 0, 0);
    char *text = grt_reproduce(&source, &subject, &pattern, &late, &errors);
    grt_errors_print(&errors, stdout, "\n    ");
    grt_errors_clear(&errors);
    grt_pattern_free(&pattern);
    grt_subject_free(&subject);
    grt_scenario_file_free(&file);
    return text;
}

static void written_back(void) {
    static const grt_time before[] = {9000, -1, 0}, after[] = {5000, -1, 2000};
    for (int times = 0; times < GRT_PATTERN_TIMES; times++) {
        char *text = written((enum grt_pattern_times)times, 1);
        CU_ASSERT_PTR_NOT_NULL_FATAL(text);
        const struct grt_distribution *parts = load(text)->host_part;
        CU_ASSERT_EQUAL(file.scenario.task_count, 1);
        CU_ASSERT_EQUAL(file.scenario.context_switch, 5000);
        CU_ASSERT_EQUAL(file.scenario.wake_up, 3000);
        CU_ASSERT_EQUAL(file.scenario.tasks[0].segments[0].host_mode, GRT_HOST_ASYNCHRONOUS);
        CU_ASSERT_EQUAL(grt_distribution_worst(&parts[GRT_HOST_BEFORE]), 9000);
        CU_ASSERT_EQUAL(grt_distribution_worst(&parts[GRT_HOST_AFTER]), 5000);
        if (times == GRT_PATTERN_DRAWN) {
            CU_ASSERT_EQUAL(parts[GRT_HOST_BEFORE].kind, GRT_EXPONENTIAL);
            CU_ASSERT_EQUAL(parts[GRT_HOST_AFTER].max, 5000);
        } else {
            CU_ASSERT_EQUAL(parts[GRT_HOST_BEFORE].max, before[times]);
            CU_ASSERT_EQUAL(parts[GRT_HOST_AFTER].max, after[times]);
            CU_ASSERT_EQUAL(parts[GRT_HOST_BEFORE].kind, GRT_CONSTANT);
        }
        grt_scenario_file_free(&file);
        free(text);
    }
}

/* A pattern holds what its file will say. */
static void held_in_memory(void) {
    struct grt_subject subject;
    load(HELD);
    grt_subject_start(&subject, &file.scenario, file.policy, NULL);
    const struct grt_distribution *longest = subject.segments[GRT_PATTERN_LONGEST][0]->host_part,
                                  *shortest = subject.segments[GRT_PATTERN_SHORTEST][0]->host_part,
                                  *drawn = subject.segments[GRT_PATTERN_DRAWN][0]->host_part;
    CU_ASSERT_EQUAL(longest[GRT_HOST_BEFORE].max, 9000);
    CU_ASSERT_EQUAL(longest[GRT_HOST_AFTER].max, 5000);
    CU_ASSERT_EQUAL(shortest[GRT_HOST_BEFORE].max, 0);
    CU_ASSERT_EQUAL(shortest[GRT_HOST_AFTER].max, 2000);
    CU_ASSERT_EQUAL(drawn[GRT_HOST_AFTER].max, 5000);
    grt_subject_free(&subject);
    grt_scenario_file_free(&file);
}

/* Without the task that pays the costs the file has none, else it could not be read. */
static void unpaid_costs_are_not_written(void) {
    char *text = written(GRT_PATTERN_LONGEST, 0);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    load(text);
    CU_ASSERT_EQUAL(file.scenario.context_switch, 0);
    CU_ASSERT_EQUAL(file.scenario.wake_up, 0);
    grt_scenario_file_free(&file);
    free(text);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"values", values},
        {"defaults", defaults},
        {"least draw", least_draw},
        {"who needs a core", who_needs_a_core},
        {"who pays", who_pays},
        {"another policy for comparison", another_policy_for_comparison},
        {"written back", written_back},
        {"held in memory", held_in_memory},
        {"unpaid costs are not written", unpaid_costs_are_not_written},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("host fields", tests);
}
