/* gpurt verify on platforms with locks and servers: what is known to be wrong about them is refuted, from the files on which it is; what is
 * sound stands. The sets are those of docs/locks.md. */
#include "tests/support/program.h"
#include "tests/support/suite.h"

#define GPU(time) "{\"gpu\":[{\"kernel\":\"k\",\"time\":\"" time "\"}]}"
#define CPU(time) "{\"cpu\":\"" time "\"}"
#define TASK(name, rest, segments) "{\"name\":\"" name "\"," rest ",\"segments\":[" segments "]}"
#define HEAD(policy)                                                                                         \
    "{\"gpurt\":1,\"name\":\"set\",\"horizon\":\"3s\",\"platform\":{\"cpus\":2,\"gpus\":[{\"device\":"       \
    "\"exclusive\"}]},\"policy\":{" policy "},\"tasks\":["

/* The third task takes 279 ms with the releases of the file. */
static const char jitter[] =
    HEAD("\"name\":\"mpcp\"") TASK("a", "\"period\":\"140ms\",\"cpu\":0", CPU("80ms")) "," TASK(
        "b", "\"period\":\"320ms\",\"cpu\":0",
        CPU("10ms") "," GPU("10ms") "," CPU(
            "30ms")) "," TASK("c", "\"period\":\"610ms\",\"offset\":\"140ms\",\"cpu\":0",
                              CPU("30ms")) "," TASK("d", "\"period\":\"970ms\",\"offset\":\"79ms\",\"cpu\":1",
                                                    CPU("10ms") "," GPU("50ms") "," CPU("10ms")) "]}\n";

/* The second one takes 38 ms. */
static const char charged[] = HEAD("\"name\":\"gpu-server\",\"cpu\":0,\"epsilon\":\"2ms\"")
    TASK("a", "\"period\":\"87ms\",\"offset\":\"31ms\",\"deadline\":\"18ms\",\"priority\":3,\"cpu\":1",
         CPU("5ms")) "," TASK("b",
                              "\"period\":\"105ms\",\"offset\":\"2ms\",\"deadline\":\"48ms\",\"priority\":2,"
                              "\"cpu\":1",
                              CPU("2ms") "," GPU("2ms") "," CPU(
                                  "9ms")) ","
                                          "{\"name\":\"c\",\"period\":\"118ms\",\"priority\":1,\"cpu\":1,"
                                          "\"segments\":[{\"cpu\":\"1ms\"},{\"gpu\":["
                                          "{\"kernel\":\"k\",\"time\":\"11ms\"}],\"host\":{\"before\":"
                                          "\"2ms\"}},{\"cpu\":\"2ms\"}," GPU("10ms") "," CPU("4ms") "]}]}\n";

/* The wait for the lock as jitter: the first pattern, the file's own offsets, is enough. */
static void wait_as_jitter(void) {
    put_file("jitter.json", jitter);
    expect(4, call("rm -f violation*.json; gpurt verify jitter.json --patterns 1 --option "
                   "mpcp.jitter=blocking"));
    expect_part(out, "job 0 of c took 279ms from its arrival to its end, more than the bound 240ms of mpcp");
    expect_part(out, "the scenario's own offsets and gaps");
    expect_part(out, "mpcp: schedulable (claimed by an unsound option)");
    expect_part(out, "violation.json shows it with 4 tasks and 7 jobs: job 0 of c took 279ms from its "
                     "arrival to its end, ");
    expect(0, call("gpurt check --run violation.json && gpurt run violation.json"));
    expect(4, call("gpurt verify violation.json --patterns 1 --option mpcp.jitter=blocking --json -"));
    expect_part(out, "\"unsound\":\ttrue");
    expect_part(out, "\"bound_ns\":\t240000000");
    expect_part(out, "job 0 of c took 279ms from its arrival to its end, more than the bound 240ms of mpcp");
}

/* The right jitter, and all W' of the literature, which with one lock are only larger than needed. */
static void sound_options_stand(void) {
    static const char *const options[] = {"jitter=suspending", "jitter=response", "holding=local-higher",
                                          "holding=local",     "bound=request",   "carry=one-more",
                                          "boosted=every"};
    put_file("jitter.json", jitter);
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        expect(0, call("gpurt verify jitter.json --patterns 100 --option mpcp.%s", options[i]));
        expect_part(out, "no violation was found");
        expect_part(out, "mpcp: schedulable:");
        expect_part(out, "279.0"); /* it was seen, and is no contradiction */
    }
    expect(0, call("gpurt verify jitter.json --patterns 9 --option mpcp.holding=any-core"));
    expect(0, call("gpurt verify jitter.json --patterns 9 --option mpcp.jitter=deadline"));
    expect_part(out, "mpcp: unknown"); /* too large to prove anything of this set */
    expect(0, call("gpurt verify jitter.json --patterns 100 --policy fmlp+"));
    expect_part(out, "fmlp+: schedulable:");
    expect(0, call("gpurt verify jitter.json --patterns 100 --json - | grep -F '\"gpu\":\tnull'"));
}

/* The smallest file has two tasks, with the host part that the second request interrupts. */
static void printed_equations(void) {
    put_file("charged.json", charged);
    expect(4, call("rm -f violation*.json; gpurt verify charged.json --patterns 1 --option "
                   "gpu-server.equations=printed"));
    expect_part(out, "job 0 of b took 38ms from its arrival to its end, more than the bound 37ms of");
    expect_part(out, "violation.json shows it with 2 tasks and 2 jobs");
    expect(0, call("gpurt check --run violation.json && grep -F '\"before\":\t\"2ms\"' violation.json"));
    expect(4, call("gpurt verify violation.json --patterns 1 --option gpu-server.equations=printed"));
    expect(0, call("gpurt verify violation.json --patterns 100"));
    expect(0, call("gpurt verify charged.json --patterns 200"));
    expect_part(out, "by the repaired equations");
    expect(0, call("gpurt verify charged.json --patterns 200 --set policy.enqueue_cost=merged"));
    expect_part(out, "by the printed equations");
}

/* What is left out of a smaller file takes the costs with it that nobody pays any more; what is left keeps its modes and times. */
static void host_parts_are_kept(void) {
    put_file("charged.json", charged);
    expect(4,
           call("rm -f violation*.json; gpurt verify charged.json --patterns 60 --option "
                "gpu-server.equations=printed --set platform.context_switch=1us --set "
                "tasks[2].segments[1].host={\\\"before\\\":{\\\"min\\\":\\\"1ms\\\",\\\"max\\\":\\\"2ms\\\"},"
                "\\\"after\\\":\\\"1us\\\",\\\"mode\\\":\\\"asynchronous\\\"}"));
    expect(0,
           call("gpurt check --run violation.json && grep -F '\"mode\":\t\"asynchronous\"' violation.json && "
                "grep -F '\"context_switch\":\t\"1us\"' violation.json && grep -F '\"before\":\t\"2ms\"' "
                "violation.json"));
}

int main(void) {
    CU_TestInfo tests[] = {
        {"the wait for the lock as jitter is refuted: 279 above 240", wait_as_jitter},
        {"sound options stand", sound_options_stand},
        {"the printed equations are refuted where arrivals cost: 38 above 37", printed_equations},
        {"host parts are kept", host_parts_are_kept},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("gpurt verify with locks", tests);
}
