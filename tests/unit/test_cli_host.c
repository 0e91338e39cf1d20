/* What gpurt run and gpurt show say of cores that busy-wait, switch and wake threads up. */
#include <stdbool.h>
#include <stdio.h>

#include "sim/trace_file.h"
#include "tests/support/program.h"
#include "tests/support/suite.h"

#ifndef GRT_PROGRAM
#error "tests of the program need the program: GRT_PROGRAM is its path"
#endif

/* Host parts of 1 ms around a kernel of 2 ms, twice. Each host part begins with a wake-up, the first one of all with a switch too:
 * 4 * 1 ms of work, 4 * 50 us and 100 us. */
#define SCENARIO(costs)                                                                                      \
    "{\"gpurt\":1,\"horizon\":\"20ms\",\"platform\":{\"cpus\":2," costs                                      \
    "\"gpus\":[{\"device\":\"exclusive\"}]},\"policy\":{\"name\":\"fifo\"},\"tasks\":[{\"name\":\"a\","      \
    "\"cpu\":1,\"period\":\"10ms\",\"segments\":[{\"gpu\":[{\"kernel\":\"k\",\"time\":\"2ms\"}],"            \
    "\"host\":{\"before\":\"1ms\",\"after\":\"1ms\"}}]}]}"

static void costs_are_shown(void) {
    put_file("costs.json", SCENARIO("\"context_switch\":\"100us\",\"wake_up\":\"50us\","));
    expect(0, call("gpurt run costs.json --json costs.out --trace costs.trace | grep -A2 '^cpu 0'"));
    expect_text(
        out,
        "cpu 0               0ms   0.0%\ncpu 1             4.3ms  21.5%\n  overhead        300us   1.5%\n");
    expect(0, call("tr -d ' \\t\\n' < costs.out | grep -o '\"cores\":[^]]*]'"));
    expect_text(
        out, "\"cores\":[{\"busy_ns\":0,\"busy_ratio\":0,\"overhead_ns\":0,\"overhead_ratio\":0},"
             "{\"busy_ns\":4300000,\"busy_ratio\":0.215,\"overhead_ns\":300000,\"overhead_ratio\":0.015}]\n");
    expect(0, call("gpurt show costs.trace --table | grep -A1 '^cpu 1'"));
    expect_text(out, "cpu 1           4.3ms  30.5%\n  overhead      300us   2.1%\n");
    expect(0, call("gpurt run costs.json | grep '^a '"));
    expect_part(
        out, "a        4.100    4.150"); /* 2.1 ms of host parts and 2 ms of kernel; the switch comes once */
}

static void no_costs_show_nothing(void) {
    put_file("free.json", SCENARIO(""));
    expect(0, call("gpurt run free.json --json - --quiet >free.out; grep -c 'overhead\\|spinning' free.out"
                   " || gpurt run free.json --trace free.trace | grep -c 'overhead\\|busy-waiting'"
                   " || gpurt show free.trace --table | grep -c 'overhead\\|busy-waiting' || true"));
    expect_text(out, "0\n0\n0\n");
}

/* ---- a trace with all that there is ---- */

static void add(struct grt_trace *trace, enum grt_trace_kind kind, uint8_t flags, grt_time from,
                grt_time to) {
    bool thread = kind == GRT_TRACE_THREAD;
    grt_trace_add(trace, (struct grt_trace_record){.time = to,
                                                   .other = from,
                                                   .row = 0,
                                                   .task = thread ? GRT_TRACE_NO_TASK : 0,
                                                   .kind = (uint8_t)kind,
                                                   .flags = flags});
}

/* One core: 1 ms of overhead, 2 ms of work, 3 ms of busy-waiting; then a thread of the policy's, 1 ms of overhead and 4 ms. */
static void threads_and_spinning(void) {
    struct grt_trace *trace = grt_trace_create();
    struct grt_errors errors = {0};
    const struct grt_trace_name names[] = {
        {.kind = GRT_NAME_RUN, .text = "spun"},
        {.kind = GRT_NAME_TASK, .text = "a"},
        {.kind = GRT_NAME_CORE, .text = "cpu 0"},
    };
    struct grt_output *output = grt_output_open(SCRATCH "spun.trace", &errors);
    CU_ASSERT_PTR_NOT_NULL_FATAL(output);
    grt_trace_add_sink(trace, &grt_trace_file_sink, output);
    grt_trace_names(trace, names, 3);
    add(trace, GRT_TRACE_CPU, GRT_TRACE_OVERHEAD, 100 * GRT_MILLISECOND, 101 * GRT_MILLISECOND);
    add(trace, GRT_TRACE_CPU, 0, 101 * GRT_MILLISECOND, 103 * GRT_MILLISECOND);
    add(trace, GRT_TRACE_PRIORITY, GRT_TRACE_BOOSTED, 7, 103 * GRT_MILLISECOND); /* 7 is no instant */
    add(trace, GRT_TRACE_CPU, GRT_TRACE_SPIN, 103 * GRT_MILLISECOND, 106 * GRT_MILLISECOND);
    add(trace, GRT_TRACE_THREAD, GRT_TRACE_OVERHEAD, 106 * GRT_MILLISECOND, 107 * GRT_MILLISECOND);
    add(trace, GRT_TRACE_THREAD, 0, 107 * GRT_MILLISECOND, 111 * GRT_MILLISECOND);
    CU_ASSERT(grt_trace_finish(trace));
    CU_ASSERT(grt_output_close(output, &errors));
    grt_errors_print(&errors, stdout, "\n    ");
    grt_trace_free(trace);
    expect(0,
           call("gpurt show spun.trace --table | head -1; gpurt show spun.trace --table | grep -A2 '^cpu'"));
    expect_text(out, "spun: 100ms to 111ms, 6 records\n"
                     "cpu 0           11ms  100.0%\n"
                     "  busy-waiting   3ms   27.3%\n"
                     "  overhead       2ms   18.2%\n");
}

int main(void) {
    CU_TestInfo tests[] = {
        {"costs are shown", costs_are_shown},
        {"no costs show nothing", no_costs_show_nothing},
        {"threads and spinning", threads_and_spinning},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("cores in the program's tables", tests);
}
