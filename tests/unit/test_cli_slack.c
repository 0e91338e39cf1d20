/* What `gpurt run` says of slacks and gaps, on a scenario worked out by hand (test_slack.c has its numbers, in nanoseconds), and what
 * a file may expect of them. */
#include <cjson/cJSON.h>
#include <sys/stat.h>

#include "tests/support/program.h"
#include "tests/support/suite.h"

#ifndef GRT_PROGRAM
#error "tests of the program need the program: GRT_PROGRAM is its path"
#endif

#define STUTTERING(separation_, expect_)                                                                     \
    "{ \"gpurt\": 1, \"name\": \"stuttering\", \"horizon\": \"50ms\", \"policy\": { \"name\": \"fifo\" },\n" \
    "  \"platform\": { \"gpus\": [ { \"device\": \"exclusive\" } ] },\n" expect_ "  \"tasks\": [\n"          \
    "    { \"name\": \"long\", \"period\": \"30ms\", \"segments\": [\n"                                      \
    "      { \"gpu\": [ { \"kernel\": \"k\", \"time\": \"12ms\" } ] } ] },\n"                                \
    "    { \"name\": \"stream\", \"period\": \"10ms\", \"offset\": \"10ms\"" separation_ ",\n"               \
    "      \"segments\": [ { \"gpu\": [ { \"kernel\": \"m\", \"time\": \"3ms\" } ] } ] } ] }\n"
#define SEPARATION ", \"separation\": \"10ms\""

static void make_files(void) {
    mkdir(GRT_SCRATCH_DIR, 0777);
    put_file("plain.json", STUTTERING("", ""));
    put_file("stuttering.json", STUTTERING(SEPARATION, ""));
    put_file("good.json",
             STUTTERING(SEPARATION,
                        "\"expect\": { \"tasks\": [ { \"task\": \"stream\", \"accumulated_slack\": \"3ms\", "
                        "\"late\": 1, \"lateness_sum\": \"12ms\", \"lateness_max\": \"12ms\",\n"
                        "\"gap_min\": \"3ms\", \"gap_max\": \"22ms\", \"gap_deviation\": \"8041559ns\" },\n"
                        "{ \"task\": \"long\", \"accumulated_slack\": \"-36ms\" } ] },\n"));
    put_file("wrong.json",
             STUTTERING(SEPARATION,
                        "\"expect\": { \"tasks\": [ { \"task\": \"stream\", \"accumulated_slack\": \"-3ms\", "
                        "\"gap_deviation\": \"8ms\" },\n"
                        "{ \"task\": \"long\", \"gap_min\": \"0s\" } ] },\n"));
}

/* ---- the table ---- */

static const char table[] = "                                              slack  lateness\n"
                            "task    separation ms  slacks  late  accumulated ms   mean ms  max ms\n"
                            "---------------------------------------------------------------------\n"
                            "long                -       2     0          -36.00         0       0\n"
                            "stream          10.00       3     1            3.00     4.000   12.00\n"
                            "total               -       5     1          -33.00     2.400   12.00\n"
                            "\n"
                            "           gap\n"
                            "task    min ms  mean ms  max ms  deviation ms\n"
                            "---------------------------------------------\n"
                            "long         -        -       -             -\n"
                            "stream   3.000    11.00   22.00         8.042\n"
                            "total        -        -       -             -\n";

static void the_table(void) {
    expect(0, call("gpurt run stuttering.json --ascii"));
    expect_part(out, table);
    read_text(GRT_SOURCE_DIR "/docs/metrics.md", out);
    expect_part(out, table);
}

static void only_where_it_says_something(void) {
    expect(0, call("gpurt run plain.json"));
    CU_ASSERT_PTR_NULL(strstr(out, "lateness"));
    expect(0, call("gpurt run plain.json --slack"));
    expect_part(out, "lateness");
    CU_ASSERT_PTR_NULL(strstr(out, "gap"));
    expect(0, call("gpurt run plain.json --until 1ns --slack"));
    expect_part(out, "1 job did not finish and is in none of these sums\n");
    expect(2, call("gpurt run plain.json --slack -q"));
    expect_part(err, "--slack is a table, and --quiet prints none");
    expect(2, call("gpurt run plain.json --slack --json -"));
    expect_part(err, "--slack is a table, and --json - prints none");
}

/* ---- JSON ---- */

static double number(const cJSON *object, const char *key) {
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(object, key);
    CU_ASSERT(cJSON_IsNumber(value));
    return cJSON_GetNumberValue(value);
}

static void the_json(void) {
    expect(0, call("gpurt run stuttering.json --json -"));
    cJSON *root = cJSON_Parse(out);
    const cJSON *tasks = cJSON_GetObjectItem(root, "tasks"), *first = cJSON_GetArrayItem(tasks, 0),
                *second = cJSON_GetArrayItem(tasks, 1), *slack = cJSON_GetObjectItem(second, "slack"),
                *gaps = cJSON_GetObjectItem(second, "gaps"),
                *total = cJSON_GetObjectItem(cJSON_GetObjectItem(root, "totals"), "slack");
    CU_ASSERT_EQUAL(number(second, "separation_ns"), 10e6);
    CU_ASSERT(cJSON_IsNull(cJSON_GetObjectItem(second, "deadline_ns")));
    CU_ASSERT_STRING_EQUAL(cJSON_GetStringValue(cJSON_GetObjectItem(slack, "kind")), "throughput");
    CU_ASSERT_EQUAL(number(slack, "count"), 3);
    CU_ASSERT_EQUAL(number(slack, "accumulated_ns"), 3e6);
    CU_ASSERT_EQUAL(number(slack, "late"), 1);
    CU_ASSERT_EQUAL(number(slack, "lateness_sum_ns"), 12e6);
    CU_ASSERT_EQUAL(number(slack, "lateness_mean_ns"), 4e6);
    CU_ASSERT_EQUAL(number(slack, "lateness_max_ns"), 12e6);
    CU_ASSERT_EQUAL(number(slack, "not_finished"), 0);
    CU_ASSERT_EQUAL(number(gaps, "count"), 3);
    CU_ASSERT_EQUAL(number(gaps, "min_ns"), 3e6);
    CU_ASSERT_EQUAL(number(gaps, "mean_ns"), 11e6);
    CU_ASSERT_EQUAL(number(gaps, "max_ns"), 22e6);
    CU_ASSERT_EQUAL(number(gaps, "deviation_ns"), 8041559);
    CU_ASSERT(cJSON_IsNull(cJSON_GetObjectItem(first, "separation_ns")));
    CU_ASSERT(cJSON_IsNull(cJSON_GetObjectItem(first, "gaps")));
    CU_ASSERT_EQUAL(number(cJSON_GetObjectItem(first, "slack"), "accumulated_ns"), -36e6);
    CU_ASSERT_EQUAL(number(total, "count"), 5);
    CU_ASSERT_EQUAL(number(total, "accumulated_ns"), -33e6);
    cJSON_Delete(root);
    expect(0, call("gpurt run stuttering.json --until 1ns --json -"));
    expect_part(out, "\"accumulated_ns\":\tnull,");
}

/* ---- what is expected ---- */

static void expectations(void) {
    expect(0, call("gpurt run good.json -q"));
    expect(1, call("gpurt run wrong.json -q"));
    expect_part(err, "expect.tasks[0].accumulated_slack: expected -3ms, but it was 3ms\n");
    expect_part(err, "expect.tasks[0].gap_deviation: expected 8ms, but it was 8.041559ms\n");
    expect_part(err, "expect.tasks[1].gap_min: expected 0s, but there was none\n");
}

int main(void) {
    CU_TestInfo tests[] = {
        {"the table", the_table}, {"only where it says something", only_where_it_says_something},
        {"the JSON", the_json},   {"expectations", expectations},
        CU_TEST_INFO_NULL,
    };
    make_files();
    return grt_suite_run("slacks of gpurt run", tests);
}
