/* What gpurt run and gpurt show say of GPUs that are simulated by shares. */
#include <stdbool.h>
#include <stdio.h>

#include "sim/trace_file.h"
#include "tests/support/program.h"
#include "tests/support/suite.h"

#ifndef GRT_PROGRAM
#error "tests of the program need the program: GRT_PROGRAM is its path"
#endif

/* ---- a run ---- */

/* Two kernels of 2 ms and 4 ms, one after the other, each alone. */
#define SCENARIO(granularity)                                                                                \
    "{\"gpurt\":1,\"name\":\"shared\",\"horizon\":\"10ms\",\"platform\":{\"gpus\":[{\"device\":"             \
    "{\"sm_count\":4}" granularity "}]},\"policy\":{\"name\":\"fifo\"},\"tasks\":["                          \
    "{\"name\":\"a\",\"period\":\"10ms\",\"segments\":[{\"gpu\":[{\"kernel\":\"k\",\"time\":\"2ms\"}]}]},"   \
    "{\"name\":\"b\",\"period\":\"10ms\",\"segments\":[{\"gpu\":[{\"kernel\":\"l\",\"time\":\"4ms\"}]}]}]}"

static void run_says(void) {
    put_file("shared.json", SCENARIO(",\"granularity\":\"shares\""));
    expect(0, call("gpurt run shared.json --json shared.out --trace shared.trace | grep -A2 '^gpu 0'"));
    expect_text(out, "gpu 0 custom          6ms  60.0%\n"
                     "  work on the 4 SMs   6ms  60.0%\n"
                     "  copy engine 0       0ms   0.0%\n");
    expect(0, call("tr -d ' \\t\\n' < shared.out | grep -o '\"gpus\":.*\"copy_engines\"'"));
    expect_text(out, "\"gpus\":[{\"device\":\"custom\",\"sm_count\":4,\"busy_ns\":6000000,\"busy_ratio\":0.6,"
                     "\"sm_busy_ratio\":0.6,\"granularity\":\"shares\",\"kernels\":2,\"copies\":0,"
                     "\"copy_engines\"\n");
    put_file("blocks.json", SCENARIO(""));
    expect(0, call("gpurt run blocks.json --json - --quiet | grep -c 'granularity\\|thread_ratio\\|blocks'"));
    expect_text(out, "2\n");
}

/* Kernels that have no blocks are kernels all the same. */
static void gantt_says(void) {
    expect(0, call("gpurt run shared.json --gantt --width 60 --utf8 | tail -n 13"));
    expect_text(out, "shared: 0s to 10ms, a column is 200us\n"
                     "   ms  0         2         4         6         8\n"
                     "       ┬─────────┬─────────┬─────────┬─────────┬─────────\n"
                     "       ↑         ┊         ┊         ┊         ┊        ↓\n"
                     "A a    ██████████┊         ┊         ┊         ┊\n"
                     "       ↑         ┊         ┊         ┊         ┊        ↓\n"
                     "B b    ░░░░░░░░░░████████████████████┊         ┊\n"
                     "       ┊         ┊         ┊         ┊         ┊\n"
                     "copy   ┊         ┊         ┊         ┊         ┊\n"
                     "gpu    ██████████████████████████████┊         ┊\n"
                     "       AAAAAAAAAABBBBBBBBBBBBBBBBBBBB┊         ┊\n"
                     "↑ release  ↓ deadline  ░ waits for the GPU  █ kernel\n"
                     "▁ to █ share of the GPU that a stream's kernels may use\n");
    expect(0, call("gpurt show shared.trace --table | tail -n 10"));
    expect_text(out, "resource  busy   share\n"
                     "──────────────────────\n"
                     "copy       0ms    0.0%\n"
                     "gpu        6ms  100.0%\n"
                     "\n"
                     "                        begin to end\n"
                     "kernel  task  launches        min ms  mean ms  p50 ms  p99 ms  max ms\n"
                     "─────────────────────────────────────────────────────────────────────\n"
                     "k       a            1         2.000    2.000   2.000   2.000   2.000\n"
                     "l       b            1         4.000    4.000   4.000   4.000   4.000\n");
}

/* Beside a GPU of blocks, the header says of kernels that they have none: b's is drawn as one that runs, and its stream has a row. */
static void mixed_gpus(void) {
    put_file(
        "mixed.json",
        "{\"gpurt\":1,\"name\":\"mixed\",\"horizon\":\"10ms\",\"platform\":{\"gpus\":[{\"device\":{\"sm_"
        "count\":1}},"
        "{\"device\":{\"sm_count\":4},\"granularity\":\"shares\"}]},\"policy\":{\"name\":\"hardware\"},"
        "\"tasks\":["
        "{\"name\":\"a\",\"period\":\"10ms\",\"segments\":[{\"gpu\":[{\"kernel\":\"k\",\"time\":\"2ms\"}]}]},"
        "{\"name\":\"b\",\"period\":\"10ms\",\"gpu\":1,\"segments\":[{\"gpu\":[{\"kernel\":\"l\",\"time\":"
        "\"4ms\"}]"
        "}]}]}");
    expect(0, call("gpurt run mixed.json --gantt --width 60 --utf8 | grep -ac '^B b  *████████████████┊'"));
    expect_text(out, "2\n");
    expect(0, call("gpurt run mixed.json --gantt --width 60 --ascii | grep -c '^. to 8\\|^1 to 8 share of "
                   "the SM.s threads, or of'"));
    expect_text(out, "1\n");
}

/* ---- what a policy measured ---- */

static void measures_are_told(void) {
    put_file(
        "measured.json",
        "{\"gpurt\":1,\"name\":\"measured\",\"horizon\":\"20ms\",\"platform\":{\"gpus\":[{\"device\":"
        "{\"sm_count\":4},\"granularity\":\"shares\"}]},\"policy\":{\"name\":\"wamp2s\",\"predictor\":"
        "\"perfect\"},"
        "\"tasks\":[{\"name\":\"a\",\"period\":\"10ms\",\"segments\":[{\"gpu\":[{\"kernel\":\"k\",\"time\":"
        "\"2ms\"}]}]}]}");
    expect(0, call("gpurt run measured.json --json measured.out | grep -c '^the policy measured: '"));
    expect_text(out, "1\n");
    expect(0, call("gpurt run measured.json --width 60 | sed -n '/^the policy measured/,/^$/p' | "
                   "awk 'length > 60 || (NR > 1 && !/^    /  && !/^$/)' | wc -l"));
    expect_text(out, "0\n");
    expect(0, call("tr -d ' \t\n' < measured.out | grep -c '\"policy_measures\":\\[{\"name\":\"'"));
    expect_text(out, "1\n");
    expect(0, call("gpurt compare measured.json --policies hardware,wamp2s --json compared.out | "
                   "grep ' measured: ' | cut -d: -f1"));
    expect_text(out, "wamp2s measured\n");
    expect(0, call("grep -c policy_measures compared.out"));
    expect_text(out, "1\n");
}

/* ---- a trace with shares ---- */

static void add(struct grt_trace *trace, enum grt_trace_kind kind, uint32_t row, grt_time other,
                grt_time time) {
    grt_trace_add(
        trace, (struct grt_trace_record){.time = time * GRT_MILLISECOND,
                                         .other = kind == GRT_TRACE_SHARE ? other : other * GRT_MILLISECOND,
                                         .row = row,
                                         .task = kind == GRT_TRACE_SHARE ? GRT_TRACE_NO_TASK : 0,
                                         .kind = (uint8_t)kind});
}

/* Stream 0: 10 ms at all of the GPU, 5 at 40 %, 5 at none; stream 1: set, and without a kernel; stream 2: 4 ms, never set. */
static void show_says(void) {
    struct grt_trace *trace = grt_trace_create();
    struct grt_errors errors = {0};
    const struct grt_trace_name names[] = {
        {.kind = GRT_NAME_RUN, .text = "set"},
        {.kind = GRT_NAME_TASK, .text = "a"},
        {.kind = GRT_NAME_STREAM, .text = "s0"},
        {.kind = GRT_NAME_STREAM, .index = 1, .text = "s1"},
        {.kind = GRT_NAME_STREAM, .index = 2, .text = "s2"},
    };
    struct grt_output *output = grt_output_open(SCRATCH "set.trace", &errors);
    CU_ASSERT_PTR_NOT_NULL_FATAL(output);
    grt_trace_add_sink(trace, &grt_trace_file_sink, output);
    grt_trace_names(trace, names, sizeof names / sizeof names[0]);
    add(trace, GRT_TRACE_SHARE, 1, 7, 3);
    add(trace, GRT_TRACE_SHARE, 0, 40, 10);
    add(trace, GRT_TRACE_SHARE, 0, 0, 15);
    add(trace, GRT_TRACE_KERNEL, 0, 0, 20);
    add(trace, GRT_TRACE_SHARE, 0, 90, 25);
    add(trace, GRT_TRACE_KERNEL, 2, 36, 40);
    CU_ASSERT(grt_trace_finish(trace));
    CU_ASSERT(grt_output_close(output, &errors));
    grt_errors_print(&errors, stdout, "\n    ");
    grt_trace_free(trace);
    expect(0, call("gpurt show set.trace --table | grep -A4 '^s0'"));
    expect_text(out, "s0                            20ms  50.0%\n"
                     "  times its share of the GPU  12ms  30.0%\n"
                     "s1                             0ms   0.0%\n"
                     "  times its share of the GPU   0ms   0.0%\n"
                     "s2                             4ms  10.0%\n");
}

int main(void) {
    CU_TestInfo tests[] = {
        {"tables and JSON of a run", run_says},     {"charts and tables of its trace", gantt_says},
        {"GPUs of both granularities", mixed_gpus}, {"what a policy measured", measures_are_told},
        {"shares of a trace", show_says},           CU_TEST_INFO_NULL,
    };
    return grt_suite_run("GPUs of granularity shares in the program's tables", tests);
}
