/* gpurt-calib trace and validate as users call them. */
#include "tests/support/program.h"
#include "tests/support/suite.h"

static const char scenario[] =
    "{\"gpurt\": 1, \"name\": \"two\", \"horizon\": \"20ms\", \"policy\": {\"name\": \"hardware\"},\n"
    " \"platform\": {\"gpus\": [{\"device\": \"jetson-tx2\"}]}, \"tasks\": [\n"
    "  {\"name\": \"a\", \"period\": \"4ms\", \"segments\": [{\"cpu\": \"100us\"},\n"
    "    {\"gpu\": [{\"h2d\": \"64KiB\"}, {\"kernel\": \"fma\", \"blocks\": 6, \"threads\": 512,\n"
    "      \"block_time\": {\"min\": \"100us\", \"max\": \"300us\"}}]}]},\n"
    "  {\"name\": \"b\", \"period\": \"5ms\", \"stream_priority\": -1, \"segments\": [\n"
    "    {\"gpu\": [{\"kernel\": \"k\", \"blocks\": 3, \"threads\": 1024, \"block_time\": \"200us\"},\n"
    "      {\"d2h\": \"4KiB\"}]}]}]}\n";

static void test_exact(void) {
    put_file("two.json", scenario);
    expect(0, call("gpurt-calib trace two.json -o two.trace --backend=sim"));
    expect_part(out, "two.trace: 42 blocks of 9 kernels, 9 copies; the host was up to 0s late");
    expect_part(out, "\nbefore: SMs at 1300 MHz\nafter: SMs at 1300 MHz\nhost: measuring thread ");
    expect(0, call("gpurt-calib validate two.json two.trace --tolerance=0ns --json=v.json --picture=v.svg"));
    expect_part(out, "the largest is 0s, and 0 are in one trace only");
    expect_part(out, "42 of 42 blocks ran on the SM on which they were simulated.");
    CU_ASSERT_TRUE(exists("v.svg"));
    expect(0, call("grep -c '>measured<' v.svg"));
    expect(0, call("grep -c '>simulated<' v.svg"));
    expect(0, call("cat v.json"));
    expect_part(out, "\"max_absolute_error_ns\":\t0");
    expect(0, call("gpurt show two.trace"));
    expect(0, call("gpurt-calib trace two.json -q -o two.trace --backend=sim --until=6ms"));
    expect_text(out, "");
}

/* Another seed draws other times. */
static void test_tolerance(void) {
    put_file("two.json", scenario);
    expect(0, call("gpurt-calib trace two.json -o other.trace --backend=sim --seed=7"));
    expect(1, call("gpurt-calib validate two.json other.trace --tolerance=1us"));
    expect(1, call("gpurt-calib validate two.json other.trace --tolerance=1s"));
    expect_part(out, "Warning: the trace is of seed 7, and 1 was simulated");
    expect_part(err, "other.trace: the trace is of seed 7");
    expect(0, call("gpurt-calib validate two.json other.trace"));
    expect(0, call("gpurt-calib validate two.json other.trace other.trace --seed=7 --tolerance=0ns -q"));
    expect_text(out, "");
    expect(0, call("gpurt-calib trace two.json -o real.trace --backend=sim --real fma=1000"));
    expect(0, call("gpurt-calib validate two.json real.trace"));
}

/* The same by other words, in another order, elsewhere: the same scenario. And by the same words not, where a file that it names says another thing. */
static const char shared[] =
    "{\"gpurt\": 1, \"name\": \"named\", \"horizon\": \"20ms\", \"policy\": {\"name\": \"hardware\"},\n"
    " \"platform\": {\"gpus\": [{\"device\": \"jetson-tx2\"}]}, \"kernels\": [\"k.json\"], \"tasks\": [\n"
    "  {\"name\": \"a\", \"period\": \"4ms\", \"segments\": [{\"cpu\": \"100us\"},\n"
    "    {\"gpu\": [{\"kernel\": \"k\", \"like\": \"k\", \"usage\": \"u.json\"}]}]}]}\n";
static const char reworded[] =
    "{\"tasks\": [{\"segments\": [{\"cpu\": \"0.1ms\"}, {\"gpu\": [{\"kernel\": \"k\", \"usage\": "
    "\"here.json\",\n"
    "    \"block_time\": {\"max\": \"0.2ms\", \"min\": \"200us\"}, \"threads\": 1024, \"blocks\": 3}]}],\n"
    "  \"deadline\": \"4000us\", \"period\": \"4000us\", \"name\": \"a\"}],\n"
    " \"policy\": {\"name\": \"hardware\"}, \"platform\": {\"gpus\": [{\"device\": \"jetson-tx2\"}]},\n"
    " \"horizon\": \"20ms\", \"name\": \"named\", \"gpurt\": 1}\n";
static const char kernels[] = "{\"gpurt_kernels\": 1, \"kernels\": [{\"name\": \"k\", \"blocks\": 3, "
                              "\"threads\": 1024, \"block_time\": \"200us\"}]}\n";

static void put_usage(const char *path, double dram) {
    char text[256];
    snprintf(text, sizeof text,
             "{\"gpurt_usage\": 1, \"name\": \"%s\", \"sm_utilisation\": 0.5, \"demand\": {\"dram\": %g}}\n",
             path, dram);
    put_file(path, text);
}

static void test_same_scenario(void) {
    put_file("named.json", shared);
    put_file("k.json", kernels);
    put_usage("u.json", 0.25);
    expect(0, call("gpurt-calib trace named.json -q -o named.trace --backend=sim"));
    expect(0, call("gpurt-calib validate named.json named.trace --tolerance=0ns -q"));
    expect(0, call("mkdir -p elsewhere && cp named.json k.json u.json elsewhere"));
    expect(0, call("gpurt-calib validate elsewhere/named.json named.trace --tolerance=0ns -q"));
    expect(0, call("gpurt-calib validate - named.trace --tolerance=0ns -q < named.json"));
    put_file("elsewhere/other.json", reworded);
    put_usage("elsewhere/here.json", 0.25);
    expect(0, call("gpurt-calib validate elsewhere/other.json named.trace --tolerance=0ns -q"));
    expect_text(err, "");
    put_usage("elsewhere/here.json", 0.5);
    put_usage("elsewhere/u.json", 0.5);
    expect(0, call("sed s/200us/201us/ k.json > elsewhere/k.json && sed s/u.json/..\\\\/u.json/ named.json > "
                   "elsewhere/kernels.json"));
    static const char *const paths[] = {"other", "named", "kernels"};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        expect(1, call("gpurt-calib validate elsewhere/%s.json named.trace --tolerance=1s -q", paths[i]));
        expect_part(err, "named.trace: the trace is of a scenario with other tasks");
    }
}

/* A seed that nothing is drawn from is no other run. */
static void test_seeds(void) {
    put_file("named.json", reworded);
    put_usage("here.json", 0.25);
    expect(0, call("gpurt-calib trace named.json -q -o named.trace --backend=sim --seed=7"));
    expect(0, call("gpurt-calib validate named.json named.trace --tolerance=0ns"));
    CU_ASSERT_PTR_NULL(strstr(out, "Warning"));
    static const char *const drawn[] = {
        "tasks[0].jitter=10us",
        "ties=shuffle",
        "platform.gpus[0].placement=random",
        "'tasks=[{\"name\":\"a\",\"poisson\":{\"mean_gap\":\"4ms\"},\"segments\":[{\"cpu\":\"1ms\"}]}]'",
        "'tasks[0].segments[0].cpu={\"min\":\"90us\",\"max\":\"100us\"}'",
        "'tasks[0].segments[1].gpu[0].block_time={\"min\":\"90us\",\"max\":\"100us\"}'"};
    for (size_t i = 0; i < sizeof drawn / sizeof drawn[0]; i++) {
        expect(0, call("gpurt-calib trace named.json -q -o drawn.trace --backend=sim --seed=7 --set %s",
                       drawn[i]));
        expect(1, call("gpurt-calib validate named.json drawn.trace -q --tolerance=1s --set %s", drawn[i]));
        expect_part(err,
                    "drawn.trace: the trace is of seed 7, and 1 was simulated: times are drawn otherwise");
    }
}

/* Who made a trace, and of what: not this scenario; nobody knows; cut off. */
static void test_origin(void) {
    put_file("two.json", scenario);
    expect(0, call("gpurt-calib trace two.json -q -o two.trace --backend=sim"));
    expect(0, call("gpurt-calib validate two.json two.trace --tolerance=0ns --json=v.json"));
    expect_part(out, "Made by gpurt-calib trace ");
    expect_part(out, "\n  backend   sim, which pretends: this is no GPU\n");
    expect_part(out, "\n  seed      1\n");
    expect(0, call("cat v.json"));
    expect_part(out, "\"backend\":\t\"sim, which pretends: this is no GPU\"");
    expect_part(out, "\"mismatch\":\tnull");
    static const char *const others[] = {"--set policy.name=fifo", "--set tasks[0].period=6ms"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        expect(0, call("gpurt-calib validate two.json two.trace %s", others[i]));
        expect_part(out,
                    "Warning: the trace is of a scenario with other tasks, another policy or other cores");
        expect(1, call("gpurt-calib validate two.json two.trace --tolerance=1s %s", others[i]));
        expect_part(err, "two.trace: the trace is of a scenario with other tasks");
    }
    expect(0, call("gpurt-calib validate two.json two.trace --set name=two --until=10ms --tolerance=0ns"));
    expect(0, call("gpurt run two.json --trace=own.trace"));
    expect(0, call("gpurt-calib validate two.json own.trace"));
    expect_part(out, "Warning: it is not known who made this trace");
    expect(0, call("head -c 4000 two.trace > cut.trace"));
    expect(2, call("gpurt-calib validate two.json cut.trace -q"));
    expect_part(err, "cut.trace: was cut off: its end is not there");
}

/* A trace of less than the scenario, and a simulation of less than the trace. */
static void test_short(void) {
    put_file("two.json", scenario);
    expect(0, call("gpurt-calib trace two.json -q -o short.trace --backend=sim --until=1us"));
    expect(0, call("gpurt-calib validate two.json short.trace"));
    expect_part(out, "Warning: nothing was compared but 2 releases until 1us.");
    expect(1, call("gpurt-calib validate two.json short.trace --tolerance=0ns"));
    expect(1, call("gpurt-calib validate two.json short.trace --until=1us --tolerance=0ns"));
    expect_part(err, "short.trace: nothing was compared but 2 releases until 1us");
    expect(0, call("gpurt-calib trace two.json -q -o short.trace --backend=sim --until=1ms"));
    expect(0, call("gpurt-calib validate two.json short.trace"));
    expect_part(out, "Warning: only a part was compared, until ");
    expect_part(out, ": the trace ends there, the simulation not before ");
    expect(1, call("gpurt-calib validate two.json short.trace --tolerance=0ns --json=v.json"));
    expect_part(err, "short.trace: only a part was compared, until ");
    expect(0, call("cat v.json"));
    expect_part(out, "\"compared\":\t\"all of the trace\"");
    expect(0, call("gpurt-calib validate two.json short.trace --until=1ms --tolerance=0ns"));
    expect_part(out, "Compared until ");
    expect(0, call("gpurt-calib trace two.json -q -o long.trace --backend=sim"));
    expect(0, call("gpurt-calib validate two.json long.trace --until=6ms --tolerance=0ns"));
    expect_part(out, "as was asked for");
    expect(1, call("gpurt-calib validate two.json long.trace --set horizon=6ms --tolerance=0ns"));
    expect_part(err, "the simulation ends there, the trace not before");
}

/* The whole chain: a device that nobody described is measured, and the scenario simulated on what was found. */
static void test_chain(void) {
    static const char device[] = "--set 'platform.gpus[0].device=\"mine.json\"'";
    put_file("two.json", scenario);
    expect(
        0,
        call("gpurt-calib measure -o raw.jsonl --replace --backend=sim --pretend=h200 --quick --budget=300ms "
             "--only=clock,launch,residency,dispatch,copy,priority --workloads=fma"));
    expect(0, call("gpurt-calib fit raw.jsonl --device-file=mine.json"));
    expect(0, call("gpurt-calib trace two.json %s -o two.trace --backend=sim --pretend=h200", device));
    expect_part(out, "42 blocks");
    expect(0, call("gpurt-calib validate two.json %s two.trace --tolerance=0ns", device));
}

static void test_refusals(void) {
    put_file("two.json", scenario);
    expect(2, call("gpurt-calib trace two.json"));
    expect_part(err, "where to?");
    expect(2, call("gpurt-calib trace -o x.trace"));
    expect_part(err, "which scenario?");
    expect(2, call("gpurt-calib trace two.json -o x.trace --real k=3"));
    expect_part(err, "there is no measuring kernel \"k\"");
    expect(1, call("gpurt-calib trace two.json -o x.trace --backend=sim --set "
                   "'tasks[0].segments[1].gpu[1].kernel=\"matmul\"' --real matmul=100"));
    expect_part(err, "tasks[0].segments[1].gpu[1]: the device cannot execute kernel \"matmul\": "
                     "a square's rows have to be a multiple of 16");
    expect(2, call("gpurt-calib trace two.json -o x.trace --real fma"));
    expect_part(err, "--real must be NAME=AMOUNT");
    expect(2, call("gpurt-calib trace two.json -o x.trace --backend=sim --set tasks[0].on_miss=abort"));
    expect_part(err, "two.json: tasks[0]: a device cannot take back what it was given");
    expect(2, call("gpurt-calib trace two.json -o x.trace --backend=sim --set policy.name=tdm"));
    expect(77, call("GPURT_LIBCUDA=/nowhere gpurt-calib trace two.json -o x.trace"));
    CU_ASSERT_FALSE(exists("x.trace"));
    expect(2, call("gpurt-calib validate two.json"));
    expect_part(err, "which traces?");
    expect(2, call("gpurt-calib validate two.json two.json"));
    expect_part(err, "two.json");
    expect(2, call("gpurt-calib validate nowhere.json two.trace"));
    expect(2, call("gpurt-calib validate '" GRT_SOURCE_DIR "/scenarios/quickstart.json' two.trace -q"));
    expect_part(err, "two.trace: is of the scenario \"two\", not of \"quickstart\"");
    expect(2, call("gpurt-calib validate two.json a b --picture=x.svg"));
    expect_part(err, "--picture is of one trace only");
    expect(2, call("gpurt-calib validate two.json a --window=0ms,1ms"));
    expect_part(err, "--window belongs to --picture");
    expect(2, call("gpurt-calib validate two.json a --picture=x.svg --window=60ms,10ms"));
    expect_part(err, "--window must end after it begins (got '60ms,10ms')");
}

int main(void) {
    CU_TestInfo tests[] = {{"executed, and exactly so", test_exact},
                           {"what is far off", test_tolerance},
                           {"less than the scenario", test_short},
                           {"the same scenario", test_same_scenario},
                           {"seeds that do not matter", test_seeds},
                           {"who made it", test_origin},
                           {"measured, fitted, executed, validated", test_chain},
                           {"bad usage and bad input", test_refusals},
                           CU_TEST_INFO_NULL};
    return grt_suite_run("gpurt-calib trace, validate", tests);
}
