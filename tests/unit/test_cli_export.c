/* `gpurt export` as its users call it: inputs of every kind, files that are cut or hostile, outputs that fail. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/program.h"
#include "tests/support/suite.h"

#ifndef GRT_PROGRAM
#error "tests of the program need the program: GRT_PROGRAM is its path"
#endif

#define QUICKSTART GRT_SOURCE_DIR "/scenarios/quickstart.json"
#define PRUDA GRT_SOURCE_DIR "/scenarios/papers/pruda"
#define RULES GRT_SOURCE_DIR "/scenarios/rules"

/* A scenario, its trace, and either through a pipe are one and the same, time after time. */
static void test_inputs(void) {
    expect(0, call("gpurt run " QUICKSTART " -q --trace q.trc"));
    static const char *const formats[] = {"perfetto", "chrome", "csv"};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        const char *format = formats[i];
        expect(0, call("gpurt export %s " QUICKSTART " -o a; gpurt export %s q.trc > b; cmp a b;"
                       "cat q.trc | gpurt export %s - | cmp - b; gpurt export -o - %s - < q.trc | cmp - b;"
                       "cat " QUICKSTART " | gpurt export %s - | cmp - b; test -s a",
                       format, format, format, format, format));
        expect_text(out, "");
        expect_text(err, "");
    }
    expect(0, call("mkfifo pipe; cat q.trc > pipe & gpurt export csv pipe -o c; cmp b c; rm pipe"));
    expect_text(out, "");
}

/* A scenario is changed as by gpurt run; a trace cannot be. */
static void test_changes(void) {
    expect(
        0,
        call("gpurt run " QUICKSTART
             " -q --policy fifo --set horizon=100ms --trace changed.trc; gpurt export csv changed.trc -o a;"
             "gpurt export csv " QUICKSTART " --set horizon=100ms --policy fifo | cmp - a;"
             "gpurt export svg changed.trc -o a; gpurt export svg " QUICKSTART
             " --policy fifo --set horizon=100ms | cmp - a"));
    expect_text(out, "");
    expect_text(err, "");
    static const char *const changes[] = {"--policy fifo", "--set horizon=1ms"};
    for (size_t i = 0; i < 2; i++) {
        expect(2, call("gpurt export csv changed.trc %s", changes[i]));
        expect_text(out, "");
        expect_text(err, "gpurt: changed.trc: is a trace; --policy and --set change scenarios\n");
    }
    expect(2, call("gpurt export csv " QUICKSTART " --policy fifi"));
    expect_part(err, "unknown policy \"fifi\" (did you mean \"fifo\"?)");
    expect(2, call("gpurt export csv " QUICKSTART " --policy fifo --policy fifo"));
    expect_part(err, "--policy was given twice");
}

/* Where nobody is pinned, the strategy for pinned tasks is the one with two streams. */
static void test_without_pins(void) {
    for (int i = 0; i < 2; i++) {
        const char *order = i == 0 ? "edf" : "fp";
        expect(0, call("gpurt export csv " PRUDA "/multi-fp.json --set policy.order=%s -o a; test -s a;"
                       "gpurt export csv " PRUDA "/multi-fp.json --policy pruda-sm --set policy.order=%s "
                       "--set policy.memory=unified | cmp - a",
                       order, order));
        expect_text(out, "");
    }
}

static void test_formats(void) {
    expect(0, call("gpurt export chrome q.trc | head -c 40"));
    expect_text(out, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
    expect(0, call("gpurt export csv q.trc | head -n 2"));
    expect_text(out, "kind,task,job,start_ns,end_ns,row,name,segment,command,grid,block,deadline_ns,flags\n"
                     "release,control,0,0,0,,,,,,,10000000,\n");
    expect(0, call("gpurt export csv q.trc | wc -l; gpurt run " QUICKSTART " --json - -q --trace r.trc |"
                   "grep -o '\"trace_records\":.*[0-9]'"));
    expect_part(out, "\n\"trace_records\":");
    CU_ASSERT_EQUAL(atoi(out), 1 + atoi(strchr(out, ':') + 1));
}

/* Of control: the job that is released at 320 ms, its stay on core 0, and its segment, which map blocks. */
static void test_choice(void) {
    expect(0, call("gpurt export csv q.trc --from 320ms --to 330ms --rows control,cpu* --rows '!cpu 1' |"
                   "cut -d, -f1 | sort | uniq -c | awk '{print $1, $2}'"));
    expect_text(out, "1 blocked\n1 cpu\n1 finish\n1 gpu-request\n1 gpu-segment\n1 kind\n1 release\n");
    expect(0, call("gpurt export chrome q.trc --rows 'sm:* 0' | grep -o '\"thread_name.*'"));
    expect_part(out, "\"thread_name\",\"args\":{\"name\":\"SM 0\"}}");
    CU_ASSERT_PTR_NULL(strstr(out, "SM 1"));
}

/* The slots of tdm bear their tasks' names, which fit into short ones; only packed slots have activations. */
static void test_policy_rows(void) {
#define TDM(count)                                                                                           \
    "gpurt generate -n 2 -u 0.5 --overhead 1ms --policy tdm -o t.json -q; "                                  \
    "gpurt run t.json -q --trace t.trc --set policy.slots=" count "; "
    expect(0, call(TDM("packed") "gpurt export csv t.trc --rows 'policy:*' | cut -d, -f1,6,7 | sort -u"));
    expect_text(out, "kind,row,name\nrow-slice,server,activation\nrow-slice,slots,t1\nrow-slice,slots,t2\n");
    expect(0, call(TDM("table") "gpurt export csv t.trc --rows policy:slots >slots.csv"));
    expect(2, call("gpurt export csv t.trc --rows policy:server"));
}

static void test_misuse(void) {
    expect(2, call("gpurt export"));
    expect_part(err, "gpurt export: needs a format and a trace or scenario\n");
    expect(2, call("gpurt export csv"));
    expect_part(err, "gpurt export: needs a trace or scenario behind the format\n");
    expect(2, call("gpurt export perfeto q.trc"));
    expect_part(err, "gpurt export: unknown format \"perfeto\" (did you mean \"perfetto\"?): it is one of "
                     "png, svg, pdf, perfetto, chrome, csv");
    expect(2, call("gpurt export csv q.trc b.trc"));
    expect_part(err, "one input at a time (got 'q.trc' and 'b.trc')");
    expect(2, call("gpurt export csv q.trc --from 5"));
    expect_part(err, "--from: ");
    expect(2, call("gpurt export csv q.trc --to=-5ms"));
    expect_part(err, "--to: must not be negative (got '-5ms')");
    expect(2, call("gpurt export csv q.trc --from 2ms --to 2ms"));
    expect_part(err, "--to must be after --from");
    expect(2, call("gpurt export csv q.trc --to 2ms --to 3ms"));
    expect_part(err, "--to was given twice");
    expect(2, call("gpurt export csv q.trc -o a -o b"));
    expect_part(err, "--output was given twice");
    expect(2, call("gpurt export csv q.trc --rows cpu:x"));
    expect_part(err, "--rows: \"cpu\" is no kind of row: it is one of task, policy, core,");
    expect(2, call("gpurt export csv q.trc -o ./q.trc"));
    expect_part(err, "--output would overwrite the input 'q.trc'");
    expect(2, call("gpurt export csv q.trc -o ./new.b/x.SVG"));
    expect_part(err, "--output: './new.b/x.SVG' is called as svg, but the format is csv");
    expect(2, call("rm -f new; gpurt export csv q.trc --rows detect,nothing -o new; code=$?; ls new 2>&1; "
                   "exit $code"));
    expect_part(err, "gpurt: q.trc: --rows: no row is called \"nothing\"\n");
    expect_part(out, "No such file");
    expect(2, call("gpurt export csv q.trc --row cpu* --formt x"));
    expect_part(err, "unknown option '--formt'");
}

static void test_bad_input(void) {
    expect(2, call("gpurt export csv missing.trc"));
    expect_text(err, "gpurt: missing.trc: cannot be opened: No such file or directory\n");
    expect(2, call("gpurt export csv ."));
    expect_text(err, "gpurt: .: cannot be read: Is a directory\n");
    expect(2, call(": > empty; gpurt export csv empty"));
    expect_part(err, "gpurt: empty: ");
    expect(2, call("printf GPURT > short; gpurt export csv short"));
    expect_text(err, "gpurt: short: is cut short within its header\n");
    expect(
        2,
        call(
            "head -c 100 q.trc > cut; gpurt export perfetto cut -o cut.pf; code=$?; test ! -e cut.pf && exit "
            "$code"));
    expect_text(err, "gpurt: cut: is cut short within its header\n");
    expect(2, call("head -c 100 q.trc | gpurt export perfetto -"));
    expect_text(err, "gpurt: standard input: is cut short within its header\n");
    expect(2, call("{ head -c 8 q.trc; printf '\\377'; tail -c +10 q.trc; } > hostile; gpurt export chrome "
                   "hostile"));
    expect_text(err, "gpurt: hostile: has trace format 255; this program reads format 1\n");
    expect(2, call("echo '{ \"gpurt\": 1 }' | gpurt export csv -"));
    expect_part(err, "gpurt: standard input: ");
    expect(2, call("echo nonsense > foreign; gpurt export csv foreign"));
    expect_part(err, "gpurt: foreign: ");
}

/* What was written of a trace before its run was killed: whole records, and the rest of one that is left out. */
static void test_cut_records(void) {
    expect(
        0,
        call("gpurt export csv q.trc | head -n 5 > want; head -c $(($(od -An -tu4 -j12 -N4 q.trc) + 4 * 32 + "
             "7)) q.trc |"
             "gpurt export csv - | cmp - want"));
    expect_text(err, "gpurt: standard input: was cut short: what came later is missing\n");
}

static void test_unwritable(void) {
    expect(1, call("gpurt export csv q.trc -o /dev/full"));
    expect_text(err, "gpurt: /dev/full: cannot write: No space left on device\n");
    expect(1, call("gpurt export perfetto q.trc > /dev/full"));
    expect_text(err, "gpurt: standard output: cannot write: No space left on device\n");
    expect(1, call("gpurt export perfetto q.trc -o no/such/folder.pf"));
    expect_part(err, "gpurt: no/such/folder.pf: cannot create a file in its folder: No such file");
    expect(1, call("printf old > keep; ulimit -f 1; gpurt export chrome q.trc -o keep"));
    expect_text(err, "gpurt: keep: cannot write: File too large\n");
    expect(0, call("cat keep; ls -A | grep -c tmp; true"));
    expect_text(out, "old0\n");
    expect(1, call("{ gpurt export csv q.trc; echo $? >&2; } | head -c 10 >/dev/null; read code < err.txt; "
                   "exit $code"));
    expect_text(err, "1\n"); /* and no message */
}

/* Processes that take turns, kernels that launch kernels, calls, cores of no platform. */
static void test_every_record(void) {
    expect(0, call("for s in t4r-blocks-are-interrupted d1-pending-launches w8-a-busy-sm-loses-the-work; do "
                   "for f in perfetto chrome csv; do "
                   "gpurt export $f " RULES "/$s.json -o $s.$f || exit 1; done; done;"
                   "cut -d, -f1 *interrupted.csv *launches.csv *work.csv | sort -u | tr '\\n' ' '"));
    expect_part(out, "block ");
    expect_part(out, "context ");
    expect_part(out, "launch-failed ");
    expect_part(out, "lost-items ");
}

/* The picture of README, made by the command beside it. */
static void test_picture_is_current(void) {
    expect(0, call("gpurt export svg " QUICKSTART " --from 0ms --to 60ms --width 1000 | cmp - " GRT_SOURCE_DIR
                   "/docs/pictures/quickstart.svg"));
}

int main(void) {
    CU_TestInfo tests[] = {{"inputs", test_inputs},
                           {"changes", test_changes},
                           {"without pins", test_without_pins},
                           {"formats", test_formats},
                           {"choice", test_choice},
                           {"rows of a policy", test_policy_rows},
                           {"misuse", test_misuse},
                           {"bad input", test_bad_input},
                           {"cut records", test_cut_records},
                           {"unwritable", test_unwritable},
                           {"every kind of record", test_every_record},
                           {"the picture of README is current", test_picture_is_current},
                           CU_TEST_INFO_NULL};
    return grt_suite_run("export command", tests);
}
