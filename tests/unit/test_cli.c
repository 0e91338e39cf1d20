/* The program gpurt as its users call it: options, exit codes, messages, files. */
#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scenarios/build_id.h"
#include "tests/support/program.h"
#include "tests/support/suite.h"

#ifndef GRT_PROGRAM
#error "tests of the program need the program: GRT_PROGRAM is its path"
#endif

/* ---- Scenarios ---- */

#define SCENARIO(expect_)                                                                                    \
    "{ \"gpurt\": 1, \"name\": \"small\", \"horizon\": \"100ms\", \"policy\": { \"name\": \"np-edf\" },\n"   \
    "  \"platform\": { \"cpus\": 1, \"gpus\": [ { \"device\": \"exclusive\" } ] },\n" expect_                \
    "  \"tasks\": [\n"                                                                                       \
    "    { \"name\": \"detect\", \"period\": \"10ms\", \"cpu\": 0, \"segments\": [ { \"cpu\": \"1ms\" },\n"  \
    "      { \"gpu\": [ { \"kernel\": \"k\", \"time\": \"2ms\" } ] } ] },\n"                                 \
    "    { \"name\": \"map\", \"period\": \"50ms\", \"offset\": \"500us\", \"cpu\": 0,\n"                    \
    "      \"segments\": [ { \"gpu\": [ { \"kernel\": \"m\", \"time\": \"12ms\" } ] } ] } ] }\n"

static void make_files(void) {
    mkdir(GRT_SCRATCH_DIR, 0777);
    put_file("small.json", SCENARIO(""));
    put_file("good.json", SCENARIO("  \"expect\": { \"missed\": 2 },\n"));
    put_file("wrong.json", SCENARIO("  \"expect\": { \"missed\": 1 },\n"));
    put_file("bad.json", "{ \"gpurt\": 1,\n  \"name\": 3 }\n");
    put_file("syntax.json", "{ \"gpurt\": 1,\n  name: 3 }\n");
}

/* ---- Usage ---- */

static void test_help(void) {
    static const char *const commands[] = {"run",      "compare", "analyze",   "verify", "generate",
                                           "show",     "export",  "import",    "check",  "devices",
                                           "policies", "schema",  "reference", "usages"};
    char version[64];
    snprintf(version, sizeof version, "gpurt " GRT_VERSION " (build %s)\n", grt_build_id);
    expect(0, call("gpurt --help"));
    expect_part(out, "Usage: gpurt [OPTION...] COMMAND");
    expect_part(out, "Exit codes: 0 done;");
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        char first[64];
        expect(0, call("gpurt help"));
        snprintf(first, sizeof first, "\n  %s ", commands[i]);
        expect_part(out, first);
        expect(0, call("gpurt help %s > help.txt; gpurt %s --help | cmp - help.txt && cat help.txt",
                       commands[i], commands[i]));
        snprintf(first, sizeof first, "Usage: gpurt %s", commands[i]);
        expect_part(out, first);
        expect_part(out, "Example");
        expect_part(out, "Exit codes: 0 ");
        expect(0, call("gpurt %s --version", commands[i]));
        expect_text(out, version);
    }
    expect(0, call("gpurt --version"));
    expect_text(out, version);
    expect(0, call("gpurt --help > help.txt; gpurt help help | cmp - help.txt && gpurt help | cmp - help.txt "
                   "&& gpurt -h | cmp - help.txt"));
    expect(0, call("gpurt run --help > help.txt; gpurt run -h | cmp - help.txt"));
}

struct misuse {
    const char *arguments, *message; /* message: the first line of standard error */
};

static void test_misuse(void) {
    static const struct misuse cases[] = {
        {"", "Usage: gpurt COMMAND [ARGUMENT...]"},
        {"rnu", "gpurt: unknown command \"rnu\" (did you mean \"run\"?)"},
        {"frobnicate", "gpurt: unknown command \"frobnicate\""},
        {"tiny.json --gantt", "gpurt: a command comes first: gpurt run tiny.json"},
        {"quickstart", "gpurt: a command comes first: gpurt run quickstart"},
        {"figure-8", "gpurt: unknown command \"figure-8\""}, /* of experiments, which are not run so */
        {"run a --gantt 0ms,5ms",
         "gpurt run: write --gantt=0ms,5ms: its value is optional, and has to stand behind a '='"},
        {"run --gantt=0ms,5ms 0,5 a", "gpurt run: one scenario at a time (got '0,5' and 'a')"},
        {"run --gantt a,b a", "gpurt run: one scenario at a time (got 'a,b' and 'a')"},
        {"help chekc", "gpurt: unknown command \"chekc\" (did you mean \"check\"?)"},
        {"--verson", "gpurt: unknown option '--verson' (did you mean '--version'?)"},
        {"run", "gpurt run: needs a scenario file"},
        {"run a b", "gpurt run: one scenario at a time (got 'a' and 'b')"},
        {"run \"$(printf 'a\\033[31m\\303\\251')\" b",
         "gpurt run: one scenario at a time (got 'a\\x1b[31m\303\251' and 'b')"},
        {"run --\"$(printf 'a\\033[31m')\" b", "gpurt run: unknown option '--a\\x1b[31m'"},
        {"run a \"$(printf 'b\ngpurt: all is well')\"",
         "gpurt run: one scenario at a time (got 'a' and 'b\\x0agpurt: all is well')"},
        {"run --jsn x a", "gpurt run: unknown option '--jsn' (did you mean '--json'?)"},
        {"run --frobnicate a", "gpurt run: unknown option '--frobnicate'"},
        {"run -x a", "gpurt run: unknown option '-x'"},
        {"run -q\303\251x a", "gpurt run: unknown option '-\303\251'"},
        {"run \"-$(printf '\033')\" a", "gpurt run: unknown option '-\\x1b'"},
        {"\"$(printf 'a\033[31m\nb')\"", "gpurt: unknown command \"a\\x1b[31m\\x0ab\""},
        {"papers \"$(printf '\033')\"",
         "gpurt: there is no experiment or paper \"\\x1b\"; gpurt papers --list has all"},
        {"run a --json", "gpurt run: option '--json' requires an argument"},
        {"run a --quiet=1", "gpurt run: option '--quiet' doesn't allow an argument"},
        {"run a --set x", "gpurt run: --set needs PATH=VALUE, as in --set 'tasks[0].period=20ms' (got 'x')"},
        {"run a --gantt=5ms", "gpurt run: --gantt needs two durations, as in --gantt=0ms,50ms (got '5ms')"},
        {"run a --gantt=5ms,x", "gpurt run: --gantt: must be a duration such as \"250us\" (got 'x')"},
        {"run a --gantt=5,6",
         "gpurt run: --gantt: must end in a unit of time (ns, us, ms, s, min, h) (got '5')"},
        {"run a --gantt=-5ms,6ms", "gpurt run: --gantt: must not be negative (got '-5ms')"},
        {"run a --gantt=6ms,6ms", "gpurt run: --gantt must end after it begins (got '6ms,6ms')"},
        {"run a --width 39", "gpurt run: --width must be a number of columns from 40 to 10000 (got '39')"},
        {"run a --width 80x", "gpurt run: --width must be a number of columns from 40 to 10000 (got '80x')"},
        {"run a --color=blue", "gpurt run: --color must be auto, always or never (got 'blue')"},
        {"run a --json - --trace -", "gpurt run: --json - and --trace - cannot both have standard output"},
        {"run a --json - --table", "gpurt run: --json - and --table cannot both have standard output"},
        {"run a --trace - --gantt", "gpurt run: --trace - and --gantt cannot both have standard output"},
        {"run a --json x --trace x", "gpurt run: --json and --trace cannot both write 'x'"},
        {"run a --json x --trace ./x", "gpurt run: --json and --trace cannot both write 'x'"},
        {"run small.json --json link.json --trace good.json",
         "gpurt run: --json and --trace cannot both write 'link.json'"},
        {"run small.json --json ./small.json", "gpurt run: --json would overwrite the scenario 'small.json'"},
        {"run link.json --trace good.json", "gpurt run: --trace would overwrite the scenario 'link.json'"},
        {"run - --json good.json < good.json", "gpurt run: --json would overwrite the scenario '-'"},
        {"run a --json x --json y", "gpurt run: --json was given twice"},
        {"run a --trace x --trace y", "gpurt run: --trace was given twice"},
        {"run a --until 1s --until 2s", "gpurt run: --until was given twice"},
        {"run a --gantt --gantt=1ms,2ms", "gpurt run: --gantt was given twice"},
        {"run a --quiet --table", "gpurt run: --quiet and --table contradict each other"},
        {"check", "gpurt check: needs a scenario file"},
        {"devices tx2 tx1", "gpurt devices: one device at a time (got 'tx2' and 'tx1')"},
        {"devices jetson-tx3", "gpurt devices: unknown device \"jetson-tx3\" (did you mean \"jetson-tx1\"?); "
                               "`gpurt devices` lists them"},
        {"usages lud cfd", "gpurt usages: one usage at a time (got 'lud' and 'cfd')"},
        {"usages lavaMDD",
         "gpurt usages: unknown usage \"lavaMDD\" (did you mean \"lavaMD\"?); `gpurt usages` lists "
         "them, a file's name ends in .json"},
        {"usages nowhere.json",
         "gpurt usages: the usage file nowhere.json cannot be opened: No such file or directory"},
        {"policies np-edv",
         "gpurt policies: unknown policy \"np-edv\" (did you mean \"np-edf\"?); `gpurt policies` lists them"},
        {"run \"$(printf -- '--json\\303')\"",
         "gpurt run: unknown option '--json\\xc3' (did you mean '--json'?)"},
        {"run \"$(printf -- '--t=\\033[31m')\"",
         "gpurt run: option '--t' is ambiguous: it may be '--table' or '--trace'"},
        {"run \"$(printf -- '--=\\033[31m')\"", "gpurt run: unknown option '--='"},
        {"policies a b", "gpurt policies: one policy at a time (got 'a' and 'b')"},
        {"schema x", "gpurt schema: Too many arguments"},
    };
    expect(0, call("ln -sf good.json link.json"));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect(2, call("gpurt %s", cases[i].arguments));
        expect_text(out, "");
        err[strcspn(err, "\n")] = '\0';
        expect_text(err, cases[i].message);
    }
    expect(2, call("gpurt run --\"$(printf 'a%%.0s' $(seq 24); printf '\\303\\251%%.0s' $(seq 50))\""));
    expect_part(
        err, "gpurt run: unknown option '--aaa"); /* of so long a name the beginning, in whole characters */
    CU_ASSERT_TRUE(strstr(err, "\\x") == NULL);
    expect(
        2,
        call("gpurt run small.json --set \"$(printf 'a%%.0s' $(seq 9000); printf '\\303\\251\\n\\033z')\""));
    expect_part(err, "aaa\303\251\\x0a\\x1bz')\n"); /* whole, in a line */
    expect(0, call("gpurt run small.json -q --json /dev/null --trace /dev/null"));
    static const char *const listing[] = {"", "rnu", "help rnu"};
    for (size_t i = 0; i < sizeof listing / sizeof listing[0]; i++) {
        expect(2, call("gpurt %s", listing[i]));
        expect_text(out, "");
        expect_part(err, "\n  run        Simulate a scenario");
    }
}

/* The option behind it is not taken for the value: of a file's name, say. */
static void test_forgotten_values(void) {
    static const struct misuse cases[] = {
        {"run a --json --quiet",
         "gpurt run: option '--json' needs a value, and '--quiet' is an option; if it is "
         "the value, write --json=--quiet"},
        {"run a --json -q",
         "gpurt run: option '--json' needs a value, and '-q' is an option; if it is the value, "
         "write --json=-q"},
        {"run a --json -qv",
         "gpurt run: option '--json' needs a value, and '-qv' is an option; if it is the value, "
         "write --json=-qv"},
        {"run a --json --qui",
         "gpurt run: option '--json' needs a value, and '--qui' is an option; if it is the "
         "value, write --json=--qui"},
        {"run a --trace --width=80",
         "gpurt run: option '--trace' needs a value, and '--width=80' is an option; "
         "if it is the value, write --trace=--width=80"},
        {"export csv a -o --help",
         "gpurt export: option '-o' needs a value, and '--help' is an option; if it is "
         "the value, write -o--help"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect(2, call("gpurt %s", cases[i].arguments));
        expect_text(out, "");
        expect_part(err, cases[i].message);
    }
    expect(0, call("gpurt run small.json -q --json=--quiet && rm ./--quiet"));
    expect(0, call("gpurt run small.json -q --json --neither && rm ./--neither"));
    expect(0, call("gpurt run small.json -q --json -1 && rm ./-1"));
}

static void test_bad_input(void) {
    expect(2, call("gpurt run missing.json"));
    expect_text(err, "gpurt: missing.json: cannot be opened: No such file or directory\n");
    expect(2, call("gpurt run ''"));
    expect_text(err, "gpurt: \"\": cannot be opened: No such file or directory\n");
    expect(2, call("gpurt check ''"));
    expect_text(out, "\"\": cannot be opened: No such file or directory\n");
    expect(2, call("gpurt run bad.json --json never.json"));
    expect_part(err, "gpurt: bad.json: name: ");
    expect_part(err, "gpurt: bad.json: tasks: ");
    CU_ASSERT_FALSE(exists("never.json"));
    expect(2, call("gpurt run syntax.json"));
    expect_part(err, "gpurt: syntax.json: 2:3: ");
    expect(2, call("gpurt run - < syntax.json"));
    expect_part(err, "gpurt: standard input: 2:3: ");
    expect(2, call("gpurt run small.json --policy np-edv"));
    expect_part(err, "gpurt: small.json: policy");
    expect(2, call("gpurt run small.json --until 5"));
    expect_part(err, "gpurt: small.json: horizon: ");
    expect_part(err, " (set by --until)\n");
    expect(2, call("gpurt run small.json --seed x"));
    expect_part(err, "gpurt: small.json: seed: ");
    expect(2, call("gpurt run small.json --set 'tasks[0].perod=1ms'"));
    expect_part(err, "gpurt: small.json: ");
    expect_text(out, "");
}

/* ---- gpurt run ---- */

static const char table[] =
    "small: np-edf on exclusive, 1 core\n"
    "seed 1, ties by task, horizon 100ms\n"
    "detect missed 2 of 10 deadlines, worst by 4.5ms\n"
    "\n"
    "task    released  met  missed  aborted  deadline ms\n"
    "---------------------------------------------------\n"
    "detect        10    8       2        0        10.00\n"
    "map            2    2       0        0        50.00\n"
    "\n"
    "        response                                                  worst  GPU wait  blocking\n"
    "task      min ms  mean ms  p50 ms  p95 ms  p99 ms  max ms  tardiness ms    max ms    max ms\n"
    "-------------------------------------------------------------------------------------------\n"
    "detect      3.00     6.20    3.01   14.50   14.50   14.50         4.500     11.50     11.50\n"
    "map        12.00    12.00   12.00   12.00   12.00   12.00             0         0         0\n"
    "\n"
    "resource          busy  share\n"
    "-----------------------------\n"
    "cpu 0             10ms  10.0%\n"
    "gpu 0 exclusive   44ms  44.0%\n"
    "  SMs, mean of 1  44ms  44.0%\n"
    "  threads         44ms  44.0%\n"
    "  copy engine 0    0ms   0.0%\n";

static void test_table(void) {
    expect(0, call("gpurt run small.json --ascii"));
    expect_text(out, table);
    expect_text(err, "");
    expect(0, call("gpurt run small.json > a.txt; gpurt run --table --utf8 --color=never small.json > b.txt;"
                   "gpurt run - < small.json | cmp a.txt b.txt && LC_ALL=C gpurt run small.json"));
    expect_part(out, "\n----");
    expect(0, call("LANG=C.UTF-8 gpurt run small.json"));
    expect_part(out, "\n────");
    expect(0, call("gpurt run -q small.json"));
    expect_text(out, "");
    expect(0, call("gpurt run small.json --color"));
    expect_part(out, "\033[1;31mdetect missed");
    expect(0, call("gpurt run small.json --width 200"));
    expect_part(out, "deadline ms    min ms"); /* one table */
}

static void test_horizon_auto(void) {
    expect(0, call("gpurt run small.json --until auto --set 'tasks[0].segments[1].gpu[0].time=1ms'"));
    expect_part(out, "\nseed 1, ties by task, horizon auto: the state repeats, ended at ");
    expect(0, call("gpurt run small.json --until auto --set 'tasks[0].segments[1].gpu[0].time=20ms'"));
    expect_part(out, "horizon auto: the state did not repeat within 100 hyperperiods (ended at 5.0005s)\n");
    expect(0, call("gpurt run small.json --until auto --set 'tasks[0].on_miss=stop'"));
    expect_part(out, "horizon auto, stopped at ");
}

/* Where nothing has finished there is no tardiness, and small values keep three digits. */
static void test_columns(void) {
    expect(0, call("gpurt run small.json --until 400us --ascii --width 200"));
    expect_part(out, "\ndetect         1    0       0        0           1        10.00  ");
    expect_part(
        out, "50.00         -        -       -       -       -       -             -         -         -\n");
    expect(0, call("gpurt run small.json --until 300ms --set 'tasks[0].segments[0].cpu=15us' --ascii "
                   "--set 'tasks[0].segments[1].gpu[0].time=605us' --set 'tasks[1].period=150ms' "
                   "--set 'tasks[1].segments[0].gpu[0].time=147ms'"));
    expect_part(out, "\nmap      147.");
    expect_part(out, "\ndetect     0.620  ");
}

static void test_changes(void) {
    expect(0, call("gpurt run small.json --until 20ms --seed 77 --policy fifo"));
    expect_part(out, "small: fifo on exclusive");
    expect_part(out, "seed 77, ties by task, horizon 20ms\n");
    expect(0, call("gpurt run small.json --until=hyperperiod"));
    expect_part(out, "(the hyperperiod)");
    expect(0, call("gpurt run small.json --set 'tasks[1].period=20ms' --set name=other"));
    expect_part(out, "other: np-edf");
    expect_part(out, "map            5 ");
    expect(0, call("gpurt run small.json --set 'tasks[0].on_miss=stop'"));
    expect_part(out, "stopped at ");
}

static void test_miss_codes(void) {
    expect(3, call("gpurt run small.json --fail-on-miss -q"));
    expect(0, call("gpurt run small.json --fail-on-miss -q --until 5ms"));
    expect(0, call("gpurt run good.json -q"));
    expect_text(err, "");
    expect(1, call("gpurt run wrong.json -q"));
    expect_part(err, "gpurt: wrong.json: expect.missed: ");
    expect(1, call("gpurt run wrong.json -q --fail-on-miss"));
    expect(0, call("gpurt run wrong.json -q --seed 2")); /* changed: not compared */
    expect(0, call("gpurt run wrong.json -q --until 5ms"));
}

/* What the policy tells of itself; the values are held in test_describe.c. */
static void test_policy_numbers(void) {
#define FIXED "gpurt run small.json --policy tdm --set policy.assignment=fixed --set policy.period=3ms"
    expect(0, call(FIXED));
    expect_part(out, "\nthe policy works with: server period 3ms\n\n"
                     "task    slot length  slots  slots needed\n"
                     "────────────────────────────────────────\n"
                     "detect          1ms      2             2\n"
                     "map           800us     15            15\n");
    expect(0, call(FIXED " --json -"));
#undef FIXED
    cJSON *root = cJSON_Parse(out);
    CU_ASSERT_FATAL(root != NULL);
    const cJSON *numbers = cJSON_GetObjectItem(root, "policy_numbers");
    const cJSON *period = cJSON_GetArrayItem(numbers, 0), *length = cJSON_GetArrayItem(numbers, 4);
    CU_ASSERT_EQUAL(cJSON_GetArraySize(numbers), 7);
    CU_ASSERT_STRING_EQUAL(cJSON_GetStringValue(cJSON_GetObjectItem(period, "name")), "server_period");
    CU_ASSERT_PTR_NULL(cJSON_GetObjectItem(period, "task"));
    CU_ASSERT_EQUAL(cJSON_GetNumberValue(cJSON_GetObjectItem(length, "gpu")), 0);
    CU_ASSERT_STRING_EQUAL(cJSON_GetStringValue(cJSON_GetObjectItem(length, "task")), "map");
    CU_ASSERT_EQUAL(cJSON_GetNumberValue(cJSON_GetObjectItem(length, "value_ns")), 800000);
    cJSON_Delete(root);
    expect(0, call("gpurt run small.json --json -"));
    CU_ASSERT_PTR_NULL(strstr(out, "policy_numbers"));
}

static void test_json(void) {
    expect(
        0,
        call(
            "gpurt run small.json --json result.json -q && cat result.json && gpurt run small.json --json - |"
            "cmp - result.json"));
    cJSON *root = cJSON_Parse(out);
    CU_ASSERT_FATAL(root != NULL);
    const cJSON *task = cJSON_GetArrayItem(cJSON_GetObjectItem(root, "tasks"), 0);
    const cJSON *response = cJSON_GetObjectItem(task, "response");
    CU_ASSERT_STRING_EQUAL(cJSON_GetStringValue(cJSON_GetObjectItem(root, "version")), GRT_VERSION);
    CU_ASSERT_STRING_EQUAL(cJSON_GetStringValue(cJSON_GetObjectItem(root, "policy")), "np-edf");
    CU_ASSERT_EQUAL(cJSON_GetNumberValue(cJSON_GetObjectItem(root, "end_ns")), 100000000);
    CU_ASSERT_EQUAL(cJSON_GetNumberValue(cJSON_GetObjectItem(task, "missed")), 2);
    CU_ASSERT_EQUAL(cJSON_GetNumberValue(cJSON_GetObjectItem(task, "worst_tardiness_ns")), 4500000);
    CU_ASSERT_EQUAL(cJSON_GetNumberValue(cJSON_GetObjectItem(response, "max_ns")), 14500000);
    CU_ASSERT_EQUAL(cJSON_GetNumberValue(cJSON_GetObjectItem(root, "quantile_error_ratio")), 1.0 / 256);
    CU_ASSERT(cJSON_IsNull(cJSON_GetObjectItem(root, "trace_digest")));
    cJSON_Delete(root);
    expect(0, call("gpurt run small.json --seed 9007199254740991 --json -"));
    expect_part(out, "\"seed\":\t9007199254740991,");
    expect(0, call("gpurt run small.json --until 1ns --json -"));
    expect_part(out, "\"min_ns\":\tnull,");
}

static void test_trace(void) {
    expect(0, call("gpurt run small.json -q --trace a.trc && gpurt run small.json --trace - --no-cohorts | "
                   "cmp - a.trc &&"
                   "head -c 8 a.trc"));
    expect_text(out, "GPURTTRC");
    expect(0, call("gpurt run small.json --trace a.trc --json - | grep trace_digest"));
    expect_part(out, "\"trace_digest\":\t\"");
}

static void test_failed_launches(void) {
    expect(0, call("gpurt run " GRT_SOURCE_DIR "/scenarios/rules/d1-pending-launches.json"));
    expect_part(out, "launches by blocks failed, because max_pending_launches were pending");
    expect(0, call("gpurt run " GRT_SOURCE_DIR "/scenarios/rules/d2-complete-with-the-children.json"));
    CU_ASSERT_PTR_NULL(strstr(out, "launches by blocks failed"));
}

static void test_lost_items(void) {
    expect(0, call("gpurt run " GRT_SOURCE_DIR
                   "/scenarios/rules/w8-a-busy-sm-loses-the-work.json --json l.json; cat "
                   "l.json"));
    expect_part(out,
                "gpu 0: 3 items of work of pinned kernels were lost: no block came to the right SM in time");
    expect_part(out, "\"lost_items\":\t3");
    expect(0, call("gpurt run " GRT_SOURCE_DIR
                   "/scenarios/rules/w8-pinned-blocks-share-the-work.json --json l.json; "
                   "cat l.json"));
    CU_ASSERT_PTR_NULL(strstr(out, "were lost"));
    expect_part(out, "\"lost_items\":\t0");
    expect(0, call("gpurt run small.json --json -"));
    CU_ASSERT_PTR_NULL(strstr(out, "lost_items"));
}

static void test_gantt(void) {
    expect(0, call("gpurt run small.json -q --gantt=0ms,20ms --ascii --width 60"));
    expect_part(out, "small: 0s to 20ms, a column is 400us\n"
                     "      ms  0    2    4    6    8    10   12   14   16   18\n"
                     "          +----+----+----+----+----+----+----+----+----+----\n"
                     "          ^    :    :    :    :    !    :    :    :    :   |\n"
                     "A detect  ===............................######=###### :\n");
    expect_part(out, "  ! missed deadline");
    /* Processes that share a GPU: whose SMs they are, and that only that one's blocks use them. */
    expect(0, call("gpurt run " GRT_SOURCE_DIR "/tests/golden/scenarios/turns-inside-blocks.json -q "
                   "--gantt=0ms,5ms --ascii --width 60 | grep -A4 ^one"));
    expect_text(out, "one       __________:         __________:         _\n"
                     "two       :         __________:         __________:_________\n"
                     "SM 0      888888888888888888888888888888888888888888\n"
                     "SM 1      888888888888888888888888888888888888888888\n"
                     "          AAAAAAAAAABBBBBBBBBBAAAAAAAAAABBBBBBBBBBAB\n");
    expect(0, call("gpurt run " GRT_SOURCE_DIR "/tests/golden/scenarios/turns-inside-blocks.json -q "
                   "--gantt=0ms,5ms --ascii --width 60 | grep -E '^(A a|B b)'"));
    expect_text(out, "A a       ##########..........##########..........#\n"
                     "B b       ..........##########..........##########.#\n");
    expect(0, call("gpurt run small.json --gantt | grep '^small: 0s'"));
    expect_text(out, "small: 0s to 100ms, a column is 1.25ms\n");
    expect(0, call("gpurt run small.json -q --gantt=99ms,200ms"));
    expect_part(out, "small: 99ms to 100ms,");
    expect(0, call("gpurt run small.json -q --gantt=100ms,200ms"));
    expect_text(out, "");
    expect_text(err, "gpurt: no Gantt chart: the run ended at 100ms\n");
    expect(0, call("gpurt run small.json -q --gantt=30ms,35ms"));
    expect_part(out, "\ndetect misses a deadline later: see --gantt=30ms,80ms\n");
    expect(0, call("gpurt run small.json -q --gantt=30ms,35ms --color"));
    expect_part(out, "\033[36m");
    expect(0, call("gpurt run small.json --gantt --trace t.trc --json j.json"));
    CU_ASSERT(exists("t.trc") && exists("j.json"));
}

/* ---- Files that cannot be written ---- */

static void test_unwritable(void) {
    expect(1, call("gpurt run small.json --json /dev/full"));
    expect_text(err, "gpurt: /dev/full: cannot write: No space left on device\n");
    expect(1, call("gpurt run small.json --trace /dev/full"));
    expect_text(err, "gpurt: /dev/full: cannot write: No space left on device\n");
    expect(1, call("gpurt run small.json --json no/such/folder.json"));
    expect_part(err, "gpurt: no/such/folder.json: cannot create a file in its folder: No such file");
    expect_text(out, "");
    expect(1, call("gpurt run small.json > /dev/full"));
    expect_text(err, "gpurt: standard output: cannot write: No space left on device\n");
    expect(1, call("gpurt schema > /dev/full"));
    expect_text(err, "gpurt: standard output: cannot write: No space left on device\n");
    expect(1, call("gpurt --help > /dev/full"));
    expect(1, call("gpurt run small.json >&-"));
    expect_text(err, "gpurt: standard output: cannot write: Bad file descriptor\n");
    expect(0, call("gpurt run small.json -q --json j.json >&- 2>&- <&- && head -c 1 j.json"));
    expect_text(out, "{");
}

static void test_limits_and_signals(void) {
    call("rm -f .gpurt-*.tmp pipe"); /* of a test that crashed */
    put_file("keep.trc", "old");
    expect(1, call("ulimit -f 1; gpurt run small.json -q --until 10s --trace keep.trc"));
    expect_text(err, "gpurt: keep.trc: cannot write: File too large\n");
    expect(0, call("cat keep.trc; ls -A | grep -c tmp; true"));
    expect_text(out, "old0\n");
    /* Ends by the signal and removes the temporary file; the pipe keeps it from ending before. Nothing waits for a program
     * that crashed: the pipe is opened both ways first, which never blocks, and is at its end when the program is. */
    expect(143, call("mkfifo pipe; exec 3<>pipe 4<pipe; '" GRT_PROGRAM
                     "' run small.json --json keep.trc --trace pipe --until 100s & p=$!;"
                     "exec 3>&-; head -c 100 <&4 >head.bin; kill -TERM $p; wait $p"));
    expect(0, call("rm pipe; cat keep.trc; ls -A | grep -c tmp; true"));
    expect_text(out, "old0\n");
}

static void test_closed_pipe(void) {
    expect(1, call("{ gpurt run small.json --until 100s --trace -; echo $? >&2; } | head -c 10 >/dev/null; "
                   "read code < err.txt; exit $code"));
    expect_text(err, "1\n"); /* and no message */
    expect(1, call("mkfifo left; exec 3<>left 4>left 3>&-; rm left; gpurt reference >&4"));
    expect_text(err, "");
}

/* ---- The other commands ---- */

static void test_check(void) {
    expect(0, call("gpurt check small.json wrong.json - < good.json"));
    expect_text(out, "small.json: ok\nwrong.json: ok\nstandard input: ok\n");
    expect(0, call("gpurt check --run small.json good.json"));
    expect_text(out, "small.json: ok\ngood.json: ok\n");
    expect(0, call("cp good.json $(printf 'e\\033[31m.json'); gpurt check e*.json && rm e*31m.json"));
    expect_text(out, "e\\x1b[31m.json: ok\n");
    expect(0, call("gpurt check --quiet small.json"));
    expect_text(out, "");
    expect(1, call("gpurt check -qr wrong.json good.json"));
    expect_part(out, "wrong.json: expect.missed: ");
    expect(2, call("gpurt check -r small.json bad.json wrong.json missing.json"));
    expect_part(out, "small.json: ok\nbad.json: ");
    expect_part(out, "\nmissing.json: cannot be opened: No such file or directory\n");
    expect_text(err, "");
    put_file("misfit.json",
             "{ \"gpurt\": 1, \"horizon\": \"1s\", \"platform\": { \"gpus\": [ { \"device\": \"tx2\" } ] },"
             "  \"tasks\": [ { \"name\": \"t\", \"period\": \"1s\", \"segments\": [ { \"gpu\": [ { "
             "\"kernel\": \"k\","
             "  \"blocks\": 1, \"threads\": 1024, \"regs\": 64, \"block_time\": \"1ms\" } ] } ] } ] }");
    expect(2, call("gpurt check misfit.json"));
    expect_part(out, "misfit.json: tasks[0].segments[0].gpu[0]: kernel \"k\" can never run on \"tx2\": ");
    static const struct misuse excesses[] = {
        {"regs=300", "registers than the device allows (300, at most 255)\n"},
        {"regs=255", "registers than the device allows in one block\n"}, /* no single number */
        {"threads=1024' --set 'platform.gpus[0]={\"device\":\"tx2\",\"max_threads_per_block\":512}",
         "threads than the device allows in one block (1024, at most 512)\n"},
        {"smem=64KiB", "shared memory than the device allows in one block (64KiB, at most 48KiB)\n"},
    };
    for (size_t i = 0; i < sizeof excesses / sizeof excesses[0]; i++) {
        expect(2, call("gpurt run misfit.json --set 'tasks[0].segments[0].gpu[0].regs=32' --set "
                       "'tasks[0].segments[0].gpu[0].%s'",
                       excesses[i].arguments));
        expect_part(err, excesses[i].message);
    }
}

static void test_usages(void) {
    expect(0, call("gpurt usages"));
    expect_part(out, "\nlavamd ");
    expect(0, call("gpurt usages --ascii --width 100 | awk 'length > 100' | wc -l"));
    expect_text(out, "0\n");
    expect(0, call("gpurt usages LM"));
    expect_part(out, "lavamd: Forces between particles");
    expect_part(out, "; also called LM, lavaMD\n");
    expect_part(out, "\nmeasured_time                           448ms  Yao et al., WAMP2S");
    expect_part(out, "\n  100 %     1.000\n");
    expect(
        0,
        call("gpurt usages lavaMD --json > lavamd.json && gpurt usages lavamd.json > one.txt && gpurt usages "
             "lavamd | cmp - one.txt"));
    expect(0, call("gpurt usages --json"));
    cJSON *all = cJSON_Parse(out);
    CU_ASSERT_EQUAL(cJSON_GetArraySize(all), 15);
    cJSON_Delete(all);
}

static void test_devices(void) {
    expect(0, call("gpurt devices"));
    expect_part(out, "\ntx2 ");
    expect_part(out, "; also called jetson-tx2\n");
    expect(0, call("gpurt devices --width 80 | grep -q jetson-tx2 || echo cut"));
    expect_text(out, "cut\n");
    expect(0, call("gpurt devices --ascii --width 100 | awk 'length > 100' | wc -l"));
    expect_text(out, "0\n");
    expect(0, call("gpurt devices jetson-tx2"));
    expect_part(out, "tx2: Jetson TX2 (GP10B, Pascal); also called jetson-tx2\n");
    expect_part(out, "\nmax_threads_per_sm                       2048  ");
    expect_part(out, "\nh2d_bandwidth                          20GB/s  general knowledge, not measured\n");
    expect(0, call("gpurt devices tx2 --json"));
    cJSON *device = cJSON_Parse(out);
    CU_ASSERT_EQUAL(cJSON_GetNumberValue(cJSON_GetObjectItem(device, "sm_count")), 2);
    cJSON_Delete(device);
    expect(0, call("gpurt devices -j > all.json && wc -c < all.json"));
    FILE *file = fopen(SCRATCH "all.json", "rb");
    size_t size = (size_t)strtoul(out, NULL, 10);
    char *text = calloc(size + 1, 1);
    CU_ASSERT_FATAL(file != NULL && text != NULL);
    CU_ASSERT_EQUAL(fread(text, 1, size, file), size);
    fclose(file);
    cJSON *list = cJSON_Parse(text);
    CU_ASSERT(cJSON_GetArraySize(list) > 10);
    cJSON_Delete(list);
    free(text);
}

static void test_policies(void) {
    expect(0, call("gpurt policies"));
    expect_part(out, "\nnp-edf ");
    expect(0, call("gpurt policies np-edf"));
    expect_part(out, "np-edf: ");
    expect(0, call("gpurt policies pruda-sm"));
    expect_part(out, "\n  pins       list          none        0 to 4096 objects\n");
    expect_part(out, "\n    sm       whole number  required    0 to 1023\n");
    expect_part(out, "\n  exit_time  duration      \"1us\"       above 0\n");
    expect_part(out, "\nA duration is a text, with a unit: ns, us, ms, s, min, h.\n");
    expect(0, call("gpurt policies tdm --width 60"));
    expect_part(out, "\n  count       choice    \"sound\"     \"paper\", \"sound\",\n"
                     "                                    \"tight\", \"unsound\"\n");
}

static void test_policies_as_json(void) {
    expect(0, call("gpurt policies gpu-server --json"));
    cJSON *policy = cJSON_Parse(out), *parameters = cJSON_GetObjectItem(policy, "parameters");
    CU_ASSERT_PTR_NOT_NULL_FATAL(parameters);
    CU_ASSERT_STRING_EQUAL(cJSON_GetStringValue(cJSON_GetObjectItem(policy, "policy")), "gpu-server");
    const cJSON *cpu = cJSON_GetArrayItem(parameters, 0), *epsilon = cJSON_GetArrayItem(parameters, 1);
    CU_ASSERT_EQUAL(cJSON_GetNumberValue(cJSON_GetObjectItem(cpu, "min")), -1);
    CU_ASSERT_EQUAL(cJSON_GetNumberValue(cJSON_GetObjectItem(cpu, "max")), 4095);
    CU_ASSERT_PTR_NULL(cJSON_GetObjectItem(cpu, "unit"));
    CU_ASSERT_STRING_EQUAL(cJSON_GetStringValue(cJSON_GetObjectItem(epsilon, "unit")), "ns");
    CU_ASSERT_STRING_EQUAL(cJSON_GetStringValue(cJSON_GetObjectItem(epsilon, "default")), "50us");
    CU_ASSERT_PTR_NULL(cJSON_GetObjectItem(epsilon, "max"));
    const cJSON *choices = cJSON_GetObjectItem(cJSON_GetArrayItem(parameters, 2), "choices");
    CU_ASSERT_EQUAL(cJSON_GetArraySize(choices), 2);
    cJSON_Delete(policy);
    expect(0, call("gpurt policies --json"));
    cJSON *all = cJSON_Parse(out);
    CU_ASSERT(cJSON_GetArraySize(all) >= 20);
    cJSON_Delete(all);
}

static void test_schema_and_reference(void) {
    expect(0, call("gpurt schema"));
    cJSON *schema = cJSON_Parse(out);
    CU_ASSERT_PTR_NOT_NULL(cJSON_GetObjectItem(schema, "properties"));
    cJSON_Delete(schema);
    expect(0, call("gpurt reference"));
    expect_part(out, "horizon");
}

int main(void) {
    CU_TestInfo tests[] = {
        {"help and version", test_help},
        {"misuse", test_misuse},
        {"forgotten values", test_forgotten_values},
        {"bad input", test_bad_input},
        {"table", test_table},
        {"horizon auto", test_horizon_auto},
        {"columns", test_columns},
        {"changes", test_changes},
        {"exit codes for misses", test_miss_codes},
        {"json", test_json},
        {"policy numbers", test_policy_numbers},
        {"trace", test_trace},
        {"failed launches", test_failed_launches},
        {"lost items", test_lost_items},
        {"gantt", test_gantt},
        {"files that cannot be written", test_unwritable},
        {"limits and signals", test_limits_and_signals},
        {"closed pipe", test_closed_pipe},
        {"check", test_check},
        {"devices", test_devices},
        {"usages", test_usages},
        {"policies", test_policies},
        {"policies as JSON", test_policies_as_json},
        {"schema and reference", test_schema_and_reference},
        CU_TEST_INFO_NULL,
    };
    make_files();
    return grt_suite_run("cli", tests);
}
