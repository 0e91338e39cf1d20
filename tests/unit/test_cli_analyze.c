/* gpurt analyze as its users call it. */
#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/file_text.h"
#include "tests/support/program.h"
#include "tests/support/suite.h"

#ifndef GRT_PROGRAM
#error "tests of the program need the program: GRT_PROGRAM is its path"
#endif

/* ---- scenarios ---- */

#define HEAD(name, gpus)                                                                                     \
    "{ \"gpurt\": 1, \"name\": \"" name "\", \"horizon\": \"100ms\", \"policy\": { \"name\": \"np-fp\" },\n" \
    "  \"platform\": { \"gpus\": [ " gpus " ] },\n"
#define EXCLUSIVE "{ \"device\": \"exclusive\" }"
#define KERNEL(time) "{ \"gpu\": [ { \"kernel\": \"k\", \"time\": " time " } ] }"
#define TASK(name, rest, segments) "    { \"name\": \"" name "\", " rest ", \"segments\": [ " segments " ] }"

/* docs/analyze.md has it, too. */
static const char small[] = HEAD("small", EXCLUSIVE) "  \"tasks\": [\n" TASK(
    "detect", "\"period\": \"10ms\"",
    KERNEL("\"2ms\"")) ",\n" TASK("map", "\"period\": \"50ms\", \"jitter\": \"500us\"",
                                  KERNEL("{ \"min\": \"1ms\", \"max\": \"5ms\" }")) " ] }\n";

/* GPU 1 has no task; on GPU 2 `late` is blocked for 5 ms and has 4. */
static const char several[] =
    HEAD("several", EXCLUSIVE
         ", " EXCLUSIVE
         ", " EXCLUSIVE) "  \"expect\": { \"missed\": 0 }, \"tasks\": [\n" TASK("fine",
                                                                                "\"period\": \"10ms\"",
                                                                                KERNEL("\"2ms\"")) ",\n" //
    TASK("other",
         "\"gpu\": 2, \"sporadic\": { \"min_gap\": \"50ms\", \"extra_gap\": { \"min\": \"0ms\", \"max\": "
         "\"9ms\" } }",
         KERNEL("{ \"min\": \"1ms\", \"max\": \"5ms\" }")) ",\n" //
    TASK("late", "\"gpu\": 2, \"period\": \"5ms\", \"deadline\": \"4ms\"", KERNEL("\"1ms\"")) " ] }\n";

static const char idle[] = HEAD("idle", EXCLUSIVE) "  \"tasks\": [\n" TASK("log", "\"period\": \"10ms\"",
                                                                           "{ \"cpu\": \"2ms\" }") " ] }\n";

static const char odd[] = HEAD("odd", EXCLUSIVE) "  \"tasks\": [\n" TASK("once", "\"times\": [ \"10ms\" ]",
                                                                         KERNEL("\"2ms\"")) " ] }\n";

/* Both compute behind their GPU segments, on a core each. */
static const char behind[] =
    "{ \"gpurt\": 1, \"name\": \"behind\", \"horizon\": \"100ms\", \"policy\": { \"name\": \"np-edf\" },\n"
    "  \"platform\": { \"cpus\": 2, \"gpus\": [ " EXCLUSIVE " ] }, \"tasks\": [\n"                       //
    TASK("detect", "\"period\": \"10ms\", \"cpu\": 0", KERNEL("\"2ms\"") ", { \"cpu\": \"1ms\" }") ",\n" //
    TASK("map", "\"period\": \"50ms\", \"cpu\": 1", KERNEL("\"5ms\"") ", { \"cpu\": \"3ms\" }") " ] }\n";

static int make_files(void) {
    mkdir(GRT_SCRATCH_DIR, 0777);
    unlink(SCRATCH "never.json"); /* of an earlier run that failed */
    unlink(SCRATCH "none.json");
    put_file("small.json", small);
    put_file("several.json", several);
    put_file("idle.json", idle);
    put_file("odd.json", odd);
    put_file("behind.json", behind);
    put_file("bad.json", "{ \"gpurt\": 1,\n  \"name\": 3 }\n");
    return 0;
}

/* ---- tables ---- */

static const char table[] =
    "small: worst case under np-fp\n"
    "\n"
    "gpu 0 exclusive: all deadlines are met: proven by np-fp-response\n"
    "np-fp-response  schedulable\n"
    "\n"
    "                                           longest time  np-fp-response\n"
    "task    period ms  deadline ms  jitter us        GPU ms        bound ms  slack ms  deadline\n"
    "-------------------------------------------------------------------------------------------\n"
    "detect      10.00        10.00          0         2.000           7.000     3.000  meets\n"
    "map         50.00        50.00      500.0         5.000           7.500    42.500  meets\n"
    "\n"
    "sensitivity of np-fp-response: it passes with these values, and not one step beyond\n"
    "           longest execution times              smallest period\n"
    "task                        factor  then fails          time ms  factor  then fails\n"
    "-----------------------------------------------------------------------------------\n"
    "all tasks                    1.428  detect                    -   0.700  detect\n"
    "detect                       2.500  detect                7.000   0.700  detect\n"
    "map                          1.600  detect                7.500   0.150  map\n";

static void test_table(void) {
    expect(0, call("gpurt analyze small.json --analysis np-fp-response --sensitivity --ascii"));
    expect_text(err, "");
    char *sources = strstr(out, "\nsources\n");
    CU_ASSERT_PTR_NOT_NULL_FATAL(sources);
    expect_part(sources, "\n  np-fp-response\n    R. I. Davis, ");
    expect_part(sources, "\n    deviates: ");
    *sources = '\0';
    expect_text(out, table);
    size_t size;
    char *page = grt_file_text(GRT_SOURCE_DIR "/docs/analyze.md", &size);
    CU_ASSERT_PTR_NOT_NULL_FATAL(page);
    CU_ASSERT_PTR_NOT_NULL(strstr(page, table)); /* what the documentation shows */
    CU_ASSERT_PTR_NOT_NULL(strstr(page, small));
    free(page);
    expect(
        0,
        call("gpurt analyze - --ascii < small.json > a.txt; gpurt analyze small.json --ascii | cmp a.txt -"));
    expect(0, call("gpurt analyze -q small.json"));
    expect_text(out, "");
}

/* What is said of other policies, of analyses that do not apply, of analyses that prove nothing. */
static void test_verdicts(void) {
    expect(0, call("gpurt analyze small.json --analysis np-edf-exact"));
    expect_part(out, "gpu 0 exclusive: nothing is proven of the deadlines\n");
    expect_part(out, "np-edf-exact  schedulable (of np-edf and pruda-single, not of np-fp)\n");
    expect(0, call("gpurt analyze small.json --all"));
    expect_part(out, "\nnp-edf-exact ");
    expect_part(out, "\nutilisation ");
    expect_part(out, " (not of np-fp: demand under preemptive EDF ");
    expect_part(out, " utilisation 0.3\n");
    expect(0, call("gpurt analyze small.json --analysis utilisation"));
    expect_part(out, "\ndetect          0.2\n");
    expect(0, call("gpurt analyze small.json --policy hardware"));
    expect_part(out, "no analysis speaks of hardware; --all runs those of other policies\n");
    expect(0, call("gpurt analyze small.json --policy np-edf --set 'tasks[1].jitter=0ns' "
                   "--set 'tasks[1].segments[0].gpu[0].time=9ms'"));
    expect_part(out, "a deadline can be missed: proven by np-edf-exact\n");
    expect_part(out, "np-edf-exact       not schedulable (exact): ");
    expect_part(out,
                "\nreleases that miss a deadline, by np-edf-exact:\n  detect at 1ns, map at 0s; then every "
                "period, with longest times\n");
    expect(0, call("gpurt analyze small.json --set 'tasks[1].segments[0].gpu[0].time=9ms' --ascii "
                   "--set 'tasks[1].jitter=0ns' --analysis np-fp-response --sensitivity"));
    expect_part(out, "(11.00)         -  misses\n");
    expect_part(out, "in parentheses: would hold if all deadlines were met, which is not proven\n");
    expect_part(out, "\nmap                          0.888  detect                    -   never  detect\n");
    expect(0, call("gpurt analyze small.json --analysis utilisation --sensitivity"));
    expect_part(out, "\nsensitivity of utilisation: it passes with none of the changes\n");
    expect(0, call("gpurt analyze odd.json --analysis np-fp-response --sensitivity"));
    expect_part(out, "np-fp-response  does not apply: ");
    CU_ASSERT_PTR_NULL(strstr(out, "sensitivity of"));
    CU_ASSERT_PTR_NULL(strstr(out, "sources"));
}

/* Where one does not apply and those that do leave everything open, others may not; but not where all were run, or where one bounds something or proves a miss. */
static void test_way_on(void) {
    static const char way[] = "\nanother analysis may apply: --all runs all of them\n";
    expect(0, call("gpurt analyze odd.json"));
    expect_part(out, way);
    expect(0, call("gpurt analyze odd.json --all"));
    CU_ASSERT_PTR_NULL(strstr(out, way));
    expect(0, call("gpurt analyze small.json --analysis utilisation"));
    CU_ASSERT_PTR_NULL(strstr(out, way));
    expect(
        0,
        call("gpurt analyze small.json --analysis rm-hyperbolic")); /* of another policy, and not of jitter */
    expect_part(out, way);
    expect(0, call("gpurt analyze behind.json --set tasks[0].deadline=7ms")); /* 5 + 2 + 1 */
    expect_part(out, "np-edf-exact       does not apply: ");
    expect_part(out, "np-edf-response    not proven: ");
    CU_ASSERT_PTR_NULL(strstr(out, way));
    expect(0, call("gpurt analyze behind.json"));
    expect_part(out, "np-edf-exact       does not apply: ");
    expect_part(out, "all deadlines are met: proven by np-edf-response\n");
    CU_ASSERT_PTR_NULL(strstr(out, way));
    expect(0, call("gpurt analyze behind.json --set tasks[1].cpu=0 --set tasks[0].period=2ms"));
    expect_part(out, "np-edf-response    does not apply: task detect shares the core");
    expect_part(out, "a deadline can be missed: proven by utilisation\n");
    CU_ASSERT_PTR_NULL(strstr(out, way));
    expect(0, call("gpurt analyze behind.json --set tasks[1].cpu=0"));
    expect_part(out, way);
}

/* A period that the table shows passes, though it has fewer digits. */
static void test_shown_periods_pass(void) {
    expect(0, call("gpurt analyze small.json --analysis np-fp-response --sensitivity --ascii --set "
                   "'tasks[0].segments[0].gpu[0].time=1234321ns'"));
    expect_part(out, "  6.235   0.624  detect\n"); /* 6.234320 ms, and 5 ms are blocked */
    expect(0, call("gpurt analyze small.json --analysis np-fp-response --fail-if-unproven -q --set "
                   "'tasks[0].segments[0].gpu[0].time=1234321ns' --set tasks[0].period=6235us"));
    expect(3, call("gpurt analyze small.json --analysis np-fp-response --fail-if-unproven -q --set "
                   "'tasks[0].segments[0].gpu[0].time=1234321ns' --set tasks[0].period=6234us"));
}

/* A count of slots that is known to be wrong claims what it comes to, for gpurt verify to refute, but proves nothing. */
static void test_unsound_claims(void) {
    expect(3, call("gpurt analyze small.json --policy tdm --set policy.count=unsound --fail-if-unproven"));
    expect_part(out, "gpu 0 exclusive: nothing is proven of the deadlines\n");
    expect_part(out, "tdm  schedulable (claimed by an unsound option): ");
    CU_ASSERT_PTR_NULL(strstr(out, "meets"));
    expect(0, call("gpurt analyze small.json --policy tdm --set policy.count=unsound --json -"));
    expect_part(out, "\"unsound\":\ttrue");
    CU_ASSERT_PTR_NULL(strstr(out, "\"slack_ns\":\t-"));
}

/* Draws above a declared worst case are no longer covered, and that is said. */
static void test_overruns(void) {
    expect(0, call("gpurt analyze small.json --set tasks[1].segments[0].gpu[0].time.declared=4ms"));
    expect_part(out, "\ntimes of map may exceed the worst case that it declares: then nothing is proven\n");
    expect(0, call("gpurt analyze small.json --set tasks[1].segments[0].gpu[0].time.declared=5ms"));
    CU_ASSERT_PTR_NULL(strstr(out, "may exceed"));
    expect(
        0,
        call("gpurt analyze small.json --set 'tasks[1].segments[0].gpu=[{\"kernel\":\"k\",\"time\":\"1ms\"},"
             "{\"callback\":{\"min\":\"1us\",\"max\":\"9us\",\"declared\":\"8us\"}}]'"));
    expect_part(out, "\ntimes of map may exceed the worst case that it declares: then nothing is proven\n");
}

static void expect_string(const cJSON *root, const char *path, const char *expected);

#define EVIDENCE(word) "--set tasks[1].segments[0].gpu[0].time.evidence=" word " "

/* A worst case that measurements refused is worth no more than one that has a model: what goes by it is not called proven, and programs say whose it is. */
static void test_evidence(void) {
    static const char *const good[] = {"assumed", "model", "constant"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        expect(0, call("gpurt analyze small.json --fail-if-unproven " EVIDENCE("%s"), good[i]));
        expect_part(out, "gpu 0 exclusive: all deadlines are met: proven by np-fp-response\n");
        CU_ASSERT_PTR_NULL(strstr(out, "no model"));
    }
    static const char *const bad[] = {"no-model", "refused"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        expect(3, call("gpurt analyze small.json --fail-if-unproven " EVIDENCE("%s"), bad[i]));
        expect_part(out, "gpu 0 exclusive: all deadlines are met under the declared times, which rest on no "
                         "model, by np-fp-response: not proven\nno model stands behind the worst case of "
                         "kernel k: it is a choice by measured times\n");
        CU_ASSERT_PTR_NULL(strstr(out, "proven by"));
        expect(0, call("gpurt analyze small.json --json - " EVIDENCE("%s"), bad[i]));
        cJSON *root = cJSON_Parse(out);
        CU_ASSERT_TRUE(cJSON_IsFalse(cJSON_GetObjectItem(root, "proven")));
        expect_string(root, "gpus.0.verdict", "unknown");
        expect_string(root, "gpus.0.without_model", "kernel k");
        cJSON_Delete(root);
        expect(0, call("gpurt run small.json " EVIDENCE("%s"), bad[i]));
        expect_part(err, "gpurt: note: the worst case that kernel k declares rests on no model: ");
        expect(0, call("gpurt verify small.json --patterns 2 " EVIDENCE("%s"), bad[i]));
        expect_part(err, "gpurt: note: the worst case that kernel k declares rests on no model: ");
    }
    expect(0, call("gpurt run small.json " EVIDENCE("model")));
    expect_text(err, "");
    put_file("small-sweep.json",
             "{ \"gpurt_experiment\": 1, \"name\": \"evidence\", \"samples\": 1,\n"
             "  \"generator\": { \"name\": \"scenario\", \"file\": \"small.json\", \"set\": [\"\"] },\n"
             "  \"axes\": [ { \"name\": \"evidence\", \"path\": \"generator.set[0]\", \"values\": [\n"
             "    { \"label\": \"model\", \"value\": \"tasks[1].segments[0].gpu[0].time.evidence=model\" },\n"
             "    { \"label\": \"refused\", \"value\": \"tasks[1].segments[0].gpu[0].time.evidence=refused\" "
             "} ] } ],\n"
             "  \"evaluations\": [ { \"name\": \"a\", \"kind\": \"analysis\", \"analysis\": "
             "\"np-fp-response\" } ] }\n");
    expect(0, call("gpurt sweep small-sweep.json --ascii --csv -"));
    expect_part(out, "\nmodel,a,1,1,0,0,0,");
    expect_part(out, "\nrefused,a,1,0,0,1,0,");
    expect(2, call("gpurt analyze small.json " EVIDENCE("guess")));
    expect_part(err, "tasks[1].segments[0].gpu[0].time.evidence");
}

/* What gpurt run refuses is not analysed as if it were not there. */
static void test_contradicting_parameters(void) {
    expect(3, call("gpurt analyze small.json --policy tdm --set policy.period=1ms --fail-if-unproven"));
    expect_part(out, "tdm  does not apply: policy.period: only for the assignment \"fixed\"");
    expect(3, call("gpurt analyze small.json --policy tdm --set policy.assignment=fixed --fail-if-unproven"));
    expect_part(out, "tdm  does not apply: policy.period: required for the assignment \"fixed\"");
}

static void test_several_gpus(void) {
    expect(0, call("gpurt analyze several.json"));
    expect_part(out, "\ngpu 0 exclusive: all deadlines are met: proven by np-fp-response\n");
    CU_ASSERT_PTR_NULL(strstr(out, "\ngpu 1 "));
    expect_part(out, "\ngpu 2 exclusive: a deadline can be missed: proven by np-fp-response\n");
    const char *second = strstr(out, "\ngpu 2 ");
    CU_ASSERT_PTR_NULL(strstr(second, "\nfine "));
    expect_part(second, "\nlate ");
}

static void test_list(void) {
    expect(0, call("gpurt analyze --list"));
    expect_part(out, "utilisation\n  how much");
    expect_part(out, "\nnp-fp-response\n");
    expect_part(out, "  of np-fp and pruda-single; exact; bounds response times\n  source: R. I. Davis");
}

/* ---- JSON ---- */

static const cJSON *at(const cJSON *value, const char *path) {
    char key[64];
    while (value != NULL && *path != '\0') {
        size_t length = strcspn(path, ".");
        snprintf(key, sizeof key, "%.*s", (int)length, path);
        value = cJSON_IsArray(value) ? cJSON_GetArrayItem(value, atoi(key))
                                     : cJSON_GetObjectItemCaseSensitive(value, key);
        path += length + (path[length] == '.');
    }
    return value;
}

static void expect_number(const cJSON *root, const char *path, double expected) {
    const cJSON *value = at(root, path);
    bool good = value != NULL && cJSON_IsNumber(value) && value->valuedouble >= expected &&
                value->valuedouble <= expected;
    if (!good) {
        printf("\n    %s: %s instead of %g\n", path, value != NULL ? "another value" : "not there", expected);
    }
    CU_ASSERT_TRUE(good);
}

static void expect_string(const cJSON *root, const char *path, const char *expected) {
    const char *text = cJSON_GetStringValue(at(root, path));
    if (text == NULL || strcmp(text, expected) != 0) {
        printf("\n    %s: %s instead of %s\n", path, text != NULL ? text : "no text", expected);
    }
    CU_ASSERT_TRUE(text != NULL && strcmp(text, expected) == 0);
}

static void test_json(void) {
    expect(0, call("gpurt analyze small.json --json - --sensitivity"));
    cJSON *root = cJSON_Parse(out);
    CU_ASSERT_PTR_NOT_NULL_FATAL(root);
    expect_number(root, "gpurt_analysis", 1);
    expect_string(root, "version", GRT_VERSION);
    expect_string(root, "scenario", "small");
    expect_string(root, "policy", "np-fp");
    CU_ASSERT_TRUE(cJSON_IsTrue(at(root, "proven")));
    expect_number(root, "gpus.0.gpu", 0);
    expect_string(root, "gpus.0.device", "exclusive");
    expect_string(root, "gpus.0.verdict", "schedulable");
    expect_string(root, "gpus.0.verdict_by", "np-fp-response");
    CU_ASSERT_TRUE(cJSON_IsNull(at(root, "gpus.0.interference")));
    expect_number(root, "gpus.0.tasks.1.period_ns", 50e6);
    expect_number(root, "gpus.0.tasks.1.jitter_ns", 500e3);
    expect_number(root, "gpus.0.tasks.1.gpu_time_ns", 5e6);
    expect_number(root, "gpus.0.tasks.1.host_time_ns", 0);
    expect_number(root, "gpus.0.tasks.1.cpu_time_ns", 0);
    const cJSON *load = at(root, "gpus.0.analyses.0"), *response = at(root, "gpus.0.analyses.1");
    expect_string(load, "name", "utilisation");
    expect_string(load, "verdict", "unknown");
    expect_number(load, "values.utilisation", 0.3);
    expect_number(load, "tasks.0.values.utilisation", 0.2);
    CU_ASSERT_TRUE(cJSON_IsNull(at(load, "tasks.0.bound_ns")));
    expect_string(load, "sensitivity.execution_times.limit", "never_passes");
    CU_ASSERT_TRUE(cJSON_IsNull(at(load, "sensitivity.execution_times.passes_at_factor")));
    expect_string(response, "name", "np-fp-response");
    expect_string(response, "verdict", "schedulable");
    CU_ASSERT_TRUE(cJSON_IsTrue(at(response, "of_policy")) && cJSON_IsTrue(at(response, "exact")) &&
                   cJSON_IsTrue(at(response, "bounds")));
    CU_ASSERT_TRUE(cJSON_IsNull(at(response, "reason")) && cJSON_IsNull(at(response, "failing")) &&
                   cJSON_IsNull(at(response, "witness")));
    expect_number(response, "tasks.0.bound_ns", 6999999); /* 5 ms - 1 ns + 2 ms */
    expect_number(response, "tasks.0.computed_ns", 6999999);
    expect_number(response, "tasks.0.slack_ns", 3000001);
    expect_string(response, "sensitivity.execution_times.limit", "found");
    expect_number(response, "sensitivity.execution_times.passes_at_factor", 1.428);
    expect_number(response, "sensitivity.execution_times.fails_at_factor", 1.429);
    expect_string(response, "sensitivity.execution_times.fails_with", "unknown");
    expect_string(response, "sensitivity.execution_times.failing", "detect");
    expect_number(response, "sensitivity.periods.passes_at_factor", 0.7);
    expect_number(response, "sensitivity.tasks.0.period.passes_at_period_ns", 6999999);
    expect_number(response, "sensitivity.tasks.0.period.fails_at_period_ns", 6999998);
    expect_number(response, "sensitivity.tasks.1.execution_time.passes_at_factor", 1.6);
    CU_ASSERT_TRUE(cJSON_IsNull(at(response, "sensitivity.periods.easier_but_fails_at_factor")));
    cJSON_Delete(root);
}

/* Two GPU segments, of which the second is asynchronous, and two CPU segments: what a core does for the GPU is not the GPU's time. */
static void test_parts_of_segments(void) {
    put_file(
        "parts.json",
        "{ \"gpurt\": 1, \"name\": \"parts\", \"horizon\": \"100ms\", \"policy\": { \"name\": \"mpcp\" "
        "},\n  \"platform\": { \"cpus\": 1, \"gpus\": [ " EXCLUSIVE " ] }, \"tasks\": [\n" TASK(
            "a", "\"period\": \"50ms\", \"cpu\": 0",
            "{ \"cpu\": \"1ms\" }, { \"gpu\": [ { \"kernel\": \"k\", \"time\": \"2ms\" } ], "
            "\"host\": { \"before\": \"100us\", \"after\": { \"min\": \"1us\", \"max\": \"30us\" } } }, { "
            "\"cpu\": \"3ms\" }, { \"gpu\": [ { \"kernel\": \"k\", \"time\": \"4ms\" } ], \"host\": { "
            "\"mode\": \"asynchronous\", \"before\": \"7us\", \"after\": \"500ns\" } }") " ] }\n");
    expect(0, call("gpurt analyze parts.json --ascii --analysis mpcp"));
    expect_part(out,
                "\ntask  period ms  deadline ms        GPU ms  host parts us  CPU ms  bound ms  slack ms  "
                "deadline\n");
    expect_part(out, "\na         50.00        50.00         6.000          137.5   4.000 ");
    expect(0, call("gpurt analyze parts.json --json -"));
    cJSON *root = cJSON_Parse(out);
    CU_ASSERT_PTR_NOT_NULL_FATAL(root);
    expect_number(root, "platform.tasks.0.gpu_time_ns", 6e6);
    expect_number(root, "platform.tasks.0.host_time_ns", 137500);
    expect_number(root, "platform.tasks.0.cpu_time_ns", 4e6);
    cJSON_Delete(root);
}

static void test_json_of_misses(void) {
    expect(0, call("gpurt analyze several.json --json a.json && cat a.json"));
    expect_part(out, "\n{\n"); /* behind the tables, since they do not end where it is a file */
    cJSON *root = cJSON_Parse(strstr(out, "\n{\n") + 1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(root);
    CU_ASSERT_TRUE(cJSON_IsFalse(at(root, "proven")));
    CU_ASSERT_EQUAL(cJSON_GetArraySize(at(root, "gpus")), 2);
    const cJSON *response = at(root, "gpus.1.analyses.1");
    expect_number(root, "gpus.1.gpu", 2);
    expect_number(root, "gpus.1.tasks.1.number", 2);
    expect_string(response, "verdict", "unschedulable");
    expect_string(response, "failing", "late");
    CU_ASSERT_TRUE(cJSON_IsString(at(response, "reason")));
    CU_ASSERT_TRUE(cJSON_IsNull(at(response, "tasks.1.bound_ns")));
    CU_ASSERT_TRUE(cJSON_IsNull(at(response, "tasks.1.slack_ns")));
    expect_number(response, "tasks.1.computed_ns", 5999999);
    expect_string(response, "witness.0.name", "other");
    expect_number(response, "witness.0.first_release_ns", 0);
    expect_number(response, "witness.1.first_release_ns", 1);
    CU_ASSERT_TRUE(cJSON_IsNull(at(response, "sensitivity")));
    cJSON_Delete(root);
}

/* ---- witnesses ---- */

static void test_witness(void) {
    expect(0, call("gpurt analyze several.json -q --witness worst.json"));
    expect_text(err, "gpurt: worst.json: late misses a deadline at 4.000001ms\n");
    expect(3, call("gpurt run worst.json --fail-on-miss"));
    expect_part(out, "\nlate missed 1 of 2 deadlines, worst by 2ms\n");
    expect_part(out, "\nfine          0 ");
    expect(0, call("gpurt analyze several.json --witness - 2> said.txt | gpurt run - && cat said.txt"));
    expect_part(out, "\nlate missed 1 of 2 deadlines, worst by 2ms\n");
    expect_part(out, "gpurt: -: late misses a deadline at 4.000001ms\n");
    expect(0, call("gpurt analyze small.json -q --witness none.json"));
    expect_text(err, "gpurt: no analysis knows releases that miss a deadline: none.json is not written\n");
    CU_ASSERT_FALSE(exists("none.json"));
    expect(0, call("gpurt analyze several.json -q --analysis np-rm-response --witness none.json"));
    CU_ASSERT_FALSE(exists("none.json")); /* it would be one of another policy */
}

/* ---- exit codes and what is wrong ---- */

static void test_codes(void) {
    expect(0, call("gpurt analyze small.json -q --fail-if-unproven"));
    expect(3, call("gpurt analyze several.json -q --fail-if-unproven"));
    expect(3, call("gpurt analyze small.json -q --fail-if-unproven --analysis np-edf-exact"));
    expect(3, call("gpurt analyze small.json -q --fail-if-unproven --policy hardware"));
    expect(1, call("gpurt analyze small.json -q --json /dev/full"));
    expect_text(err, "gpurt: /dev/full: cannot write: No space left on device\n");
    expect(1, call("gpurt analyze several.json -q --witness /dev/full"));
    expect_text(err, "gpurt: /dev/full: cannot write: No space left on device\n");
    expect(1, call("gpurt analyze small.json -q --json no/where.json"));
    expect(1, call("gpurt analyze small.json > /dev/full"));
}

static void test_errors(void) {
    expect(2, call("gpurt analyze missing.json --json never.json"));
    expect_text(err, "gpurt: missing.json: cannot be opened: No such file or directory\n");
    expect(2, call("gpurt analyze bad.json --json never.json"));
    expect_part(err, "gpurt: bad.json: name: ");
    expect(2, call("gpurt analyze idle.json --json never.json"));
    expect_text(err, "gpurt: idle.json: no task has a GPU segment: there is nothing to analyse\n");
    expect(2, call("gpurt analyze small.json --policy np-edv --json never.json"));
    expect_part(err, "gpurt: small.json: policy.name: unknown policy \"np-edv\" (did you mean \"np-edf\"?)");
    expect_text(out, "");
    CU_ASSERT_FALSE(exists("never.json"));
}

/* An option of an analysis that is not run would change nothing. */
static void test_options_without_analysis(void) {
    expect(2, call("gpurt analyze small.json --option mpcp.jitter=blocking --json never.json"));
    expect_text(err, "gpurt: small.json: --option: mpcp is not run here (policy np-fp); no analysis that is "
                     "has options\n");
    expect_text(out, "");
    CU_ASSERT_FALSE(exists("never.json"));
    expect(2, call("gpurt analyze small.json --analysis mpcp --option gpu-server.carry=one-more"));
    expect_part(err, "--option: gpu-server is not run here (policy np-fp); the analyses that are have mpcp.");
    expect_part(err, ", mpcp.jitter");
    CU_ASSERT_PTR_NULL(strstr(err, "gpu-server.")); /* only what there is */
    expect(0, call("gpurt analyze small.json --analysis mpcp --option mpcp.jitter=blocking"));
    expect(0, call("gpurt analyze small.json --all --option mpcp.jitter=blocking"));
}

/* They are looked up once the policy is known, which may bring some along. */
static void test_unknown_analyses(void) {
    expect(2, call("gpurt analyze small.json --analysis np-fp-respons --analysis x"));
    expect_text(err,
                "gpurt: small.json: --analysis: unknown analysis \"np-fp-respons\" (did you mean "
                "\"np-fp-response\"?); `gpurt analyze --list` lists them\n"
                "gpurt: small.json: --analysis: unknown analysis \"x\"; `gpurt analyze --list` lists them\n");
    expect(2, call("gpurt analyze small.json --option utilisation.x=1 --option x"));
    expect_text(err, "gpurt: small.json: --option: analysis \"utilisation\" has no options\n"
                     "gpurt: small.json: --option: expected ANALYSIS.OPTION=VALUE (got \"x\")\n");
}

static void test_misuse(void) {
    static const struct {
        const char *arguments, *message;
    } cases[] = {
        {"", "needs a scenario file, or --list"},
        {"a b", "one scenario at a time (got 'a' and 'b')"},
        {"--list a", "--list needs no scenario (got 'a')"},
        {"a --analysis utilisation --analysis utilisation", "--analysis utilisation was given twice"},
        {"a --all --analysis utilisation", "--all and --analysis contradict each other"},
        {"a --json x --json y", "--json was given twice"},
        {"a --policy fifo --policy fifo", "--policy was given twice"},
        {"a --set x", "--set needs PATH=VALUE, as in --set 'tasks[0].period=20ms' (got 'x')"},
        {"a --json x --witness ./x", "--json and --witness cannot both write 'x'"},
        {"a --json - --witness -", "--json and --witness cannot both write '-'"},
        {"small.json --json ./small.json", "--json would overwrite the scenario 'small.json'"},
        {"small.json --witness small.json", "--witness would overwrite the scenario 'small.json'"},
        {"a --sensitivty", "unknown option '--sensitivty' (did you mean '--sensitivity'?)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char message[256];
        expect(2, call("gpurt analyze %s", cases[i].arguments));
        expect_text(out, "");
        err[strcspn(err, "\n")] = '\0';
        snprintf(message, sizeof message, "gpurt analyze: %s", cases[i].message);
        expect_text(err, message);
    }
}

int main(void) {
    static CU_TestInfo tests[] = {
        {"tables", test_table},
        {"verdicts", test_verdicts},
        {"way on", test_way_on},
        {"shown periods pass", test_shown_periods_pass},
        {"several GPUs", test_several_gpus},
        {"unsound claims", test_unsound_claims},
        {"overruns", test_overruns},
        {"evidence", test_evidence},
        {"contradicting parameters", test_contradicting_parameters},
        {"list", test_list},
        {"JSON", test_json},
        {"parts of segments", test_parts_of_segments},
        {"unknown analyses", test_unknown_analyses},
        {"JSON of misses", test_json_of_misses},
        {"witnesses", test_witness},
        {"exit codes", test_codes},
        {"errors", test_errors},
        {"options without analysis", test_options_without_analysis},
        {"misuse", test_misuse},
        CU_TEST_INFO_NULL,
    };
    make_files();
    return grt_suite_run("cli_analyze", tests);
}
