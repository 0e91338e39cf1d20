/* Changes to a scenario before it is checked: --policy, --seed, --until, --set. */
#include <stdio.h>
#include <string.h>

#include "policies/registry.h"
#include "tests/support/scenario_text.h"
#include "tests/support/suite.h"

#define MS GRT_MILLISECOND

/* The scenario under test; each test frees it. */
static struct grt_scenario_file file;

static const struct grt_scenario *scenario(void) {
    return &file.scenario;
}

static const struct grt_task *task(size_t index) {
    CU_ASSERT_FATAL(index < file.scenario.task_count);
    return &file.scenario.tasks[index];
}

/* The first message that refuses the text. */
static void check_refused(const char *text, const struct grt_scenario_changes *changes,
                          const char *expected) {
    struct grt_errors errors = {0};
    struct grt_scenario_file refused;
    CU_ASSERT_FALSE(grt_scenario_parse(text, strlen(text), NULL, changes, &refused, &errors));
    CU_ASSERT_FATAL(errors.count >= 1);
    if (strcmp(errors.messages[0], expected) != 0) {
        printf("\n    %s\n    instead of\n    %s", errors.messages[0], expected);
    }
    CU_ASSERT_STRING_EQUAL(errors.messages[0], expected);
    grt_errors_clear(&errors);
}

static const char two_tasks[] = SCENARIO_HEAD SCENARIO_TASK("a", "\"period\":\"10ms\"") "," SCENARIO_TASK(
    "b", "\"period\":\"20ms\"") "]}";

static void test_changes(void) {
    static const char *const sets[] = {"tasks[0].period=5ms",
                                       "name=new name",
                                       "tasks[1].deadline=\"7ms\"",
                                       "tasks[0].segments[0].gpu[0].time={\"min\":\"1ms\",\"max\":\"2ms\"}",
                                       "tasks[1].segments[0]={\"cpu\":\"3ms\"}",
                                       "platform.gpus[0].sm_count=2",
                                       "description=a=b",
                                       "ties=arrival"};
    grt_scenario_text_load(two_tasks,
                           &(struct grt_scenario_changes){.policy = "np-rm",
                                                          .seed = "77",
                                                          .horizon = "2s",
                                                          .sets = sets,
                                                          .set_count = sizeof sets / sizeof sets[0]},
                           &file);
    CU_ASSERT_PTR_EQUAL(file.policy, grt_policy_find("np-rm"));
    CU_ASSERT_EQUAL(scenario()->seed, 77);
    CU_ASSERT_EQUAL(scenario()->horizon, 2 * GRT_SECOND);
    CU_ASSERT_EQUAL(task(0)->period, 5 * MS);
    CU_ASSERT_EQUAL(task(0)->deadline, 5 * MS);
    CU_ASSERT_STRING_EQUAL(scenario()->name, "new name");
    CU_ASSERT_EQUAL(task(1)->deadline, 7 * MS);
    CU_ASSERT_EQUAL(task(0)->segments[0].commands[0].kernel.block_time.kind, GRT_UNIFORM);
    CU_ASSERT_EQUAL(task(1)->segments[0].cpu_time.max, 3 * MS);
    CU_ASSERT_EQUAL(scenario()->gpus[0].sm_count, 2);
    CU_ASSERT_STRING_EQUAL(file.description, "a=b");
    CU_ASSERT_EQUAL(scenario()->ties, GRT_TIES_ARRIVAL);
    grt_scenario_file_free(&file);
}

static void check_set(const char *set, const char *expected) {
    check_refused(two_tasks, &(struct grt_scenario_changes){.sets = &set, .set_count = 1}, expected);
}

static void test_bad_changes(void) {
    check_set("tasks[2].period=5ms",
              "changes.sets \"tasks[2].period=5ms\": no such place (\"tasks\" has 2 elements)");
    check_set("tasks[2]={}", "changes.sets \"tasks[2]={}\": no such place (\"tasks\" has 2 elements)");
    check_set(
        "tasks.a.period=5ms",
        "changes.sets \"tasks.a.period=5ms\": no such place (\"tasks\" has 2 elements: \"a\" is tasks[0])");
    check_set("tasks.b=5ms",
              "changes.sets \"tasks.b=5ms\": no such place (\"tasks\" has 2 elements: \"b\" is tasks[1])");
    check_set(
        "tasks[1].segments.c.cpu=5ms",
        "changes.sets \"tasks[1].segments.c.cpu=5ms\": no such place (\"tasks[1].segments\" has 1 element: "
        "the first is tasks[1].segments[0])");
    check_set("name[0]=x", "changes.sets \"name[0]=x\": no such place (the file has \"gpurt\", \"horizon\", "
                           "\"platform\", \"tasks\")");
    check_set("platform.x.y=1", "changes.sets \"platform.x.y=1\": no such place (\"platform\" has \"gpus\")");
    check_set("seed", "changes.sets \"seed\": must be of the form path=value");
    check_set("=5", "changes.sets \"=5\": the path must be one like tasks[0].period");
    check_set(".seed=5", "changes.sets \".seed=5\": the path must be one like tasks[0].period");
    check_set("tasks[x].period=5",
              "changes.sets \"tasks[x].period=5\": the path must be one like tasks[0].period");
    check_set("tasks[0]period=5",
              "changes.sets \"tasks[0]period=5\": the path must be one like tasks[0].period");
    check_set("tasks[0].=5", "changes.sets \"tasks[0].=5\": the path must be one like tasks[0].period");
    check_set("tasks[99999999999999999999]=5",
              "changes.sets \"tasks[99999999999999999999]=5\": the path must be one like tasks[0].period");
    check_set("seed={\"a\":1,\"a\":2}", "changes.sets \"seed={\\\"a\\\":1,\\\"a\\\":2}\": a: given twice");
    check_set("name=\xFF", "changes.sets \"name=\\u00ff\": the value is not valid UTF-8");
    check_set("seed=abc", "seed: must be a whole number (got \"abc\")");
    check_set("sede=1", "sede: unknown field (did you mean \"seed\"?)");
    check_set("tasks[0].period=", "tasks[0].period: must be a duration such as \"250us\" (got \"\")");
    check_refused(two_tasks, &(struct grt_scenario_changes){.seed = "-1"},
                  "seed: must not be below 0 (got -1) (set by changes.seed)");
    check_refused(two_tasks, &(struct grt_scenario_changes){.horizon = "soon"},
                  "horizon: must be a duration such as \"2s\", \"hyperperiod\" or \"auto\" (got \"soon\") "
                  "(set by changes.horizon)");
    static const char *const sets[] = {"policy.admit=al"};
    check_refused(two_tasks, &(struct grt_scenario_changes){.policy = "tdm", .sets = sets, .set_count = 1},
                  "policy.admit: must be \"feasible\" or \"all\" (got \"al\")");
}

/* Who names some of the changes need not name the others. */
static void test_names_left_out(void) {
    static const char *const sets[] = {"tasks[9].period=5"};
    static const struct grt_change_names names = {.seed = "--seed"};
    check_refused(two_tasks, &(struct grt_scenario_changes){.names = &names, .seed = "-1"},
                  "seed: must not be below 0 (got -1) (set by --seed)");
    check_refused(two_tasks, &(struct grt_scenario_changes){.names = &names, .horizon = "\xFF"},
                  "changes.horizon: the value is not valid UTF-8");
    check_refused(two_tasks, &(struct grt_scenario_changes){.names = &names, .sets = sets, .set_count = 1},
                  "changes.sets \"tasks[9].period=5\": no such place (\"tasks\" has 2 elements)");
    check_refused(two_tasks, &(struct grt_scenario_changes){.names = &names, .policy = "\xFF"},
                  "changes.policy: the name is not valid UTF-8");
}

/* The message lists all policies, so it is made here. */
static void test_unknown_policy(void) {
    char expected[700] = "policy.name: unknown policy \"np-edff\" (did you mean \"np-edf\"?); known are ";
    for (size_t i = 0; grt_policies[i] != NULL; i++) {
        strcat(expected, i > 0 ? ", " : "");
        strcat(expected, grt_policies[i]->name);
    }
    strcat(expected, " (set by changes.policy)");
    check_refused(two_tasks, &(struct grt_scenario_changes){.policy = "np-edff"}, expected);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"changes", test_changes},
        {"bad changes", test_bad_changes},
        {"names left out", test_names_left_out},
        {"unknown policy", test_unknown_policy},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("changes", tests);
}
