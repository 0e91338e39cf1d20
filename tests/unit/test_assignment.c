/* labels: soak */
/* Priorities and cores that a scenario file leaves to a rule. Refusals are in tests/reject. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "models/analysis_set.h"
#include "policies/analyses/registry.h"
#include "policies/audsley.h"
#include "scenarios/assignment.h"
#include "scenarios/scenario.h"
#include "sim/random.h"
#include "tests/support/suite.h"

enum { TASKS = 5, TEXT = 4096 };

/* Reads a scenario of these tasks, which are JSON; `head` is put beside them. */
static bool read(const char *head, const char *platform, const char *tasks, struct grt_scenario_file *file) {
    char text[TEXT];
    struct grt_errors errors = {0};
    snprintf(text, sizeof text,
             "{\"gpurt\": 1, \"horizon\": \"1s\", %s \"policy\": {\"name\": \"np-fp\"}, \"platform\": {%s "
             "\"gpus\": "
             "[{\"device\": \"exclusive\"}]}, \"tasks\": [%s]}",
             head, platform, tasks);
    bool good = grt_scenario_parse(text, strlen(text), NULL, NULL, file, &errors);
    if (!good && strstr(errors.messages[0], "there are none") == NULL) {
        grt_errors_print(&errors, stderr, "unexpected: ");
        CU_FAIL("the scenario was refused for another reason");
    }
    grt_errors_clear(&errors);
    return good;
}

/* Of three tasks. */
static void priorities_are(const char *head, const char *tasks, const int64_t expected[3],
                           enum grt_priority_rule rule) {
    struct grt_scenario_file file;
    CU_ASSERT_FATAL(read(head, "", tasks, &file));
    CU_ASSERT_EQUAL(file.assignment.priorities, rule);
    CU_ASSERT_EQUAL_FATAL(file.scenario.task_count, 3);
    for (size_t i = 0; i < 3; i++) {
        CU_ASSERT_EQUAL(file.scenario.tasks[i].priority, expected[i]);
    }
    grt_scenario_file_free(&file);
}

#define KERNEL "{\"gpu\": [{\"kernel\": \"k\", \"time\": \"1ms\"}]}"
#define GPU_TASK(name, period, deadline, time)                                                               \
    "{\"name\": \"" name "\", \"period\": \"" period "\", \"deadline\": \"" deadline                         \
    "\", \"segments\": [{\"gpu\": [{\"kernel\": \"k\", \"time\": \"" time "\"}]}]}"

static const char three[] = GPU_TASK("a", "20ms", "19ms", "1ms") "," GPU_TASK(
    "b", "10ms", "20ms", "1ms") "," GPU_TASK("c", "30ms", "5ms", "1ms");

static void monotonic_rules_rank(void) {
    static const int64_t rate[] = {2, 3, 1}, deadline[] = {2, 1, 3};
    priorities_are("", three, rate, GRT_PRIORITIES_EXPLICIT);
    priorities_are("\"priorities\": \"rate-monotonic\",", three, rate, GRT_PRIORITIES_RATE_MONOTONIC);
    priorities_are("\"priorities\": \"deadline-monotonic\",", three, deadline,
                   GRT_PRIORITIES_DEADLINE_MONOTONIC);
}

/* Of the six orders of these only c, a, b keeps all deadlines on a GPU that is not preempted; by rates and by deadlines b goes before a. */
static void audsley_finds_what_ranks_do_not(void) {
    static const char tasks[] = GPU_TASK("a", "60ms", "47ms", "2ms") "," GPU_TASK(
        "b", "30ms", "23ms", "8ms") "," GPU_TASK("c", "20ms", "20ms", "12ms");
    static const int64_t expected[] = {2, 1, 3};
    priorities_are("\"priorities\": \"audsley\",", tasks, expected, GRT_PRIORITIES_AUDSLEY);
    struct grt_scenario_file file;
    CU_ASSERT_FATAL(read("\"priorities\": \"audsley\",", "", tasks, &file));
    CU_ASSERT_STRING_EQUAL(file.assignment.analysis->name, "np-fp-response");
    grt_scenario_file_free(&file);
    CU_ASSERT_FATAL(
        read("\"priorities\": \"audsley\", \"priority_analysis\": \"fp-response\",", "", three, &file));
    CU_ASSERT_STRING_EQUAL(file.assignment.analysis->name, "fp-response");
    grt_scenario_file_free(&file);
}

/* ---- against all orders ---- */

struct set {
    struct grt_scenario_file file;
    struct grt_task tasks[TASKS];
};

static bool proves(const struct grt_scenario *scenario, const struct grt_analysis_ops *analysis,
                   bool usual_options) {
    _Alignas(max_align_t) char options[GRT_ANALYSIS_OPTIONS_SIZE];
    struct grt_arena arena = {0};
    struct grt_analysis_set set = grt_analysis_set_of(
        scenario, analysis->scope == GRT_SCOPE_PLATFORM ? GRT_ANALYSIS_ALL_GPUS : 0, NULL, &arena);
    struct grt_analysis_result result = grt_analysis_result_for(&set, &arena);
    set.options = usual_options ? NULL : grt_audsley_options(analysis, options);
    grt_analysis_run(analysis, &set, &result);
    bool proven = result.verdict == GRT_VERDICT_SCHEDULABLE;
    grt_arena_clear(&arena);
    return proven;
}

static bool any_order(struct grt_scenario *scenario, struct grt_task *tasks, size_t placed, unsigned used,
                      const struct grt_analysis_ops *analysis) {
    if (placed == scenario->task_count) {
        return proves(scenario, analysis, false);
    }
    for (unsigned i = 0; i < scenario->task_count; i++) {
        if ((used >> i & 1) == 0) {
            tasks[i].priority = (int64_t)placed;
            if (any_order(scenario, tasks, placed + 1, used | 1u << i, analysis)) {
                return true;
            }
        }
    }
    return false;
}

/* `shared`: tasks on two cores, some of which compute only, or use the GPU twice. */
static void draw(char *text, bool shared, struct grt_random *random) {
    char *at = text;
    size_t count = 2 + grt_random_below(random, TASKS - 1);
    for (size_t i = 0; i < count; i++) {
        unsigned period = 20 + (unsigned)grt_random_below(random, 60);
        unsigned jitter = grt_random_below(random, 3) == 0 ? (unsigned)grt_random_below(random, 5) : 0;
        unsigned deadline = period / 4 + (unsigned)grt_random_below(random, period);
        deadline = shared && deadline > period ? period : deadline;
        unsigned segments = shared ? (unsigned)grt_random_below(random, 3) : 1;
        at += sprintf(at, "%s{\"name\": \"t%zu\", \"period\": \"%ums\", \"deadline\": \"%ums\", ",
                      i > 0 ? "," : "", i, period, deadline);
        at += sprintf(at, "\"jitter\": \"%ums\", ", shared ? 0 : jitter);
        at += shared ? sprintf(at, "\"cpu\": %u, ", (unsigned)grt_random_below(random, 2)) : 0;
        bool cpu = shared || grt_random_below(random, 4) == 0;
        at += sprintf(at, "\"segments\": [%s", cpu ? "{\"cpu\": \"2ms\"}" : "");
        for (unsigned j = 0; j < segments; j++) {
            at += sprintf(at, "%s{\"gpu\": [{\"kernel\": \"k\", \"time\": \"%ums\"}]%s}",
                          cpu || j > 0 ? "," : "", 1 + (unsigned)grt_random_below(random, shared ? 6 : 14),
                          shared ? ", \"host\": {\"before\": \"1ms\"}" : "");
            at += shared ? sprintf(at, ",{\"cpu\": \"%ums\"}", 1 + (unsigned)grt_random_below(random, 3)) : 0;
        }
        at += sprintf(at, "]}");
    }
}

/* Audsley's algorithm finds priorities exactly where some order is proven, with each analysis that it may ask: their compatibility is
 * not only said. */
static void audsley_with_analyses_is_complete(void) {
    struct grt_random random = grt_random_of_key(5);
    int cases = grt_suite_cases(400, 20000);
    for (const struct grt_analysis_ops *const *analysis = grt_analyses; *analysis != NULL; analysis++) {
        if (grt_audsley_objection(*analysis) != NULL) {
            continue;
        }
        int found = 0;
        for (int i = 0; i < cases; i++) {
            char tasks[TEXT];
            struct set set;
            struct grt_errors errors = {0};
            bool shared = (*analysis)->scope == GRT_SCOPE_PLATFORM;
            draw(tasks, shared, &random);
            CU_ASSERT_FATAL(read("", shared ? "\"cpus\": 2," : "", tasks, &set.file));
            struct grt_scenario scenario = set.file.scenario;
            memcpy(set.tasks, scenario.tasks, scenario.task_count * sizeof set.tasks[0]);
            scenario.tasks = set.tasks;
            bool assigned = grt_audsley_assign(&scenario, set.tasks, *analysis, NULL, &errors, NULL);
            CU_ASSERT(!assigned ||
                      (proves(&scenario, *analysis, false) && proves(&scenario, *analysis, true)));
            CU_ASSERT_EQUAL(assigned, any_order(&scenario, set.tasks, 0, 0, *analysis));
            CU_ASSERT_EQUAL(assigned, errors.count == 0);
            found += assigned;
            grt_errors_clear(&errors);
            grt_scenario_file_free(&set.file);
        }
        CU_ASSERT(found > cases / 10 && found < cases * 9 / 10);
    }
}

/* Each of gpurt's says that it may be asked, or why not. */
static void every_analysis_is_known(void) {
    for (const struct grt_analysis_ops *const *analysis = grt_analyses; *analysis != NULL; analysis++) {
        const char *objection = grt_audsley_objection(*analysis);
        CU_ASSERT(objection == NULL || strstr(objection, "is not known") == NULL);
    }
}

/* ---- what is hinted at ---- */

/* Two tasks of one core each; `between`: what `b` does behind its kernel. */
static bool read_under(const char *policy, const char *head, const char *between, char *message) {
    char text[2048];
    struct grt_errors errors = {0};
    struct grt_scenario_file file = {0};
    snprintf(text, sizeof text,
             "{\"gpurt\": 1, \"horizon\": \"1s\", \"priorities\": \"audsley\", %s \"policy\": {\"name\": "
             "\"%s\"}, \"platform\": {\"cpus\": 2, \"gpus\": [{\"device\": \"exclusive\"}]}, \"tasks\": ["
             "{\"name\": \"a\", \"cpu\": 0, \"period\": \"100ms\", \"segments\": [%s]}, "
             "{\"name\": \"b\", \"cpu\": 1, \"period\": \"150ms\", \"segments\": [%s %s]}]}",
             head, policy, KERNEL, KERNEL, between);
    bool good = grt_scenario_parse(text, strlen(text), NULL, NULL, &file, &errors);
    snprintf(message, 512, "%s", errors.count > 0 ? errors.messages[0] : "");
    grt_scenario_file_free(&file);
    grt_errors_clear(&errors);
    return good;
}

/* Each analysis is accepted where the hint names it, and only there. */
static void hint_is_true(const char *policy, const char *between, const char *names) {
    char message[512], expected[512], head[128];
    CU_ASSERT_FALSE(read_under(policy, "", between, message));
    snprintf(expected, sizeof expected,
             "priorities: policy %s has no analysis of its own that Audsley's algorithm can ask; %s", policy,
             names);
    CU_ASSERT_STRING_EQUAL(message, expected);
    for (const struct grt_analysis_ops *const *analysis = grt_analyses; *analysis != NULL; analysis++) {
        char word[64];
        snprintf(word, sizeof word, " %s", (*analysis)->name);
        const char *found = strstr(names, word);
        bool named = found != NULL && strchr(" ", found[strlen(word)]) != NULL;
        snprintf(head, sizeof head, "\"priority_analysis\": \"%s\",", (*analysis)->name);
        CU_ASSERT_EQUAL(read_under(policy, head, between, message), named);
    }
}

static void hints_are_true(void) {
    char message[512];
    hint_is_true("mpcp", "", "priority_analysis can name np-fp-response or fp-response or gpu-server");
    hint_is_true("fmlp+", "", "priority_analysis can name np-fp-response or fp-response or gpu-server");
    hint_is_true("mpcp", ", {\"cpu\": \"1ms\"}, " KERNEL, "priority_analysis can name gpu-server");
    hint_is_true("mpcp", ", {\"gpu\": [{\"record\": \"e\"}, {\"wait\": \"e\"}]}",
                 "nor does another that it can ask apply");
    CU_ASSERT_FALSE(read_under("np-fp", "\"priority_analysis\": \"mpcp\",", "", message));
    CU_ASSERT_STRING_EQUAL(message, "priority_analysis: Audsley's algorithm cannot ask mpcp, which may count "
                                    "more of a task below than of the same task above; priority_analysis can "
                                    "name np-fp-response or fp-response or gpu-server");
}

/* ---- cores ---- */

static void cores_are(const char *platform, const int64_t *expected, size_t count) {
    static const char tasks[] = "{\"name\": \"a\", \"period\": \"10ms\", \"segments\": [{\"cpu\": \"4ms\"}]},"
                                "{\"name\": \"b\", \"period\": \"10ms\", \"segments\": [{\"cpu\": \"1ms\"}, "
                                "{\"gpu\": [{\"kernel\": \"k\", "
                                "\"time\": \"5ms\"}]}]},"
                                "{\"name\": \"c\", \"period\": \"10ms\", \"segments\": [{\"cpu\": \"5ms\"}]}";
    struct grt_scenario_file file;
    CU_ASSERT_FATAL(read("", platform, tasks, &file));
    for (size_t i = 0; i < count; i++) {
        CU_ASSERT_EQUAL(file.scenario.tasks[i].cpu, expected[i]);
    }
    grt_scenario_file_free(&file);
}

static void cores_are_by_rule(void) {
    static const int64_t first[] = {0, 0, 0}, worst[] = {1, 1, 0}, busy[] = {1, 0, 1};
    cores_are("\"cpus\": 2, \"allocation\": \"first-fit\",", first, 3);
    cores_are("\"cpus\": 2, \"allocation\": \"best-fit\",", first, 3);
    cores_are("\"cpus\": 2, \"allocation\": \"worst-fit\",", worst, 3);
    cores_are("\"cpus\": 2, \"allocation\": \"worst-fit\", \"allocation_counts\": \"cpu-and-gpu\",", busy, 3);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"monotonic rules rank", monotonic_rules_rank},
        {"Audsley finds what ranks do not", audsley_finds_what_ranks_do_not},
        {"Audsley with analyses is complete", audsley_with_analyses_is_complete},
        {"every analysis is known", every_analysis_is_known},
        {"hints are true", hints_are_true},
        {"cores are by rule", cores_are_by_rule},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("assignment", tests);
}
