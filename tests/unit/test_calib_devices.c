/* labels: soak */
/* Pretended devices from the largest to the smallest, from measuring to a scenario that uses the fitted files: nothing crashes, and what cannot be measured is said. */
#include "tests/support/program.h"
#include "tests/support/suite.h"

/* A scenario of the fitted files. */
static void put_scenario(const char *kernel) {
    char text[1000];
    snprintf(
        text, sizeof text,
        "{\"gpurt\": 1, \"name\": \"fitted\", \"platform\": {\"gpus\": [{\"device\": \"device.json\"}]}, "
        "\"kernels\": \"kernels.json\", \"policy\": {\"name\": \"hardware\"}, \"horizon\": \"20ms\", "
        "\"tasks\": "
        "[{\"name\": \"a\", \"period\": \"10ms\", \"segments\": [{\"gpu\": [{\"h2d\": \"1KiB\"}, "
        "{\"kernel\": "
        "\"%s\"}, {\"d2h\": \"1KiB\"}]}]}]}\n",
        kernel);
    put_file("scenario.json", text);
}

/* All commands, one after the other. Says what `fit` said, in `out`. */
static void go_all_the_way(const char *pretended, const char *options, const char *kernel) {
    call("rm -f raw.jsonl device.json kernels.json run.trace page.md");
    int code = call("gpurt-calib measure -q --backend=sim --pretend=%s -o raw.jsonl %s", pretended, options);
    expect(0, code);
    if (code != 0) {
        printf("    device: %s\n", pretended);
        return;
    }
    put_scenario(kernel);
    expect(0,
           call("gpurt-calib fit raw.jsonl --device-file=device.json --kernel-file=kernels.json "
                "--json=fit.json --width=400 >fit.txt && "
                "gpurt check device.json && gpurt check kernels.json && gpurt check scenario.json && "
                "gpurt-calib report raw.jsonl -o page.md && gpurt run scenario.json -q --json=result.json"));
    expect_text(err, "");
    expect(0, call("gpurt-calib trace scenario.json --backend=sim -o run.trace && "
                   "gpurt-calib validate scenario.json run.trace --tolerance=0ns"));
    expect(0, call("cat fit.txt"));
}

static void test_small(void) {
    static const struct {
        const char *fields, *said;
    } cases[] = {
        {"\"sm_count\": 1, \"max_blocks_per_sm\": 1",
         "dispatch_interval: no launch had two blocks that began before one ended"},
        {"\"sm_count\": 1",
         "memory_bandwidth: larger copies inside the device take no longer, as far as the clock tells"},
        {"\"sm_count\": 2", "sm_count "},
        {"\"sm_count\": 2, \"max_blocks_per_sm\": 1", "not measured with one block per SM and with more"},
        {"\"sm_count\": 3, \"priority_levels\": 1", "priority_wait: priority: the device has no priorities"},
        {"\"sm_count\": 5, \"shared_memory_per_sm\": \"4KiB\", \"shared_memory_per_block\": \"4KiB\", "
         "\"shared_memory_per_block_opt_in\": \"4KiB\"",
         "spin, 128 threads, 1024 B shared: residency"},
    };
    for (int i = 0; i < (int)(sizeof cases / sizeof cases[0]); i++) {
        char text[600];
        snprintf(text, sizeof text,
                 "{\"gpurt_pretend\": 1, \"device\": {\"name\": \"small\", \"compute_capability\": \"8.6\", "
                 "%s}}\n",
                 cases[i].fields);
        put_file("small.json", text);
        go_all_the_way("small.json",
                       grt_suite_is_long() ? "--quick --samples=3 --worst-samples=30"
                                           : "--quick --samples=2 --worst-samples=20 --workloads=fma,triad",
                       "fma");
        expect_part(out, cases[i].said);
    }
}

static void test_presets(void) {
    static const struct {
        const char *name;
        bool is_slow, is_too_old;
    } cases[] = {{"exclusive", false, false}, {"tx2", false, false},
                 {"tx1", false, true},        {"c2050", false, true},
                 {"k20", false, true},        {"h200", true, false},
                 {"orin", true, false},       {"vivante_gc2000", true, false},
                 {"xavier", true, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (cases[i].is_too_old) {
            call("rm -f raw.jsonl");
            expect(1, call("gpurt-calib measure -q --backend=sim --pretend=%s -o raw.jsonl", cases[i].name));
            expect_part(err, "the device is too old: compute capability 6.0 is needed");
            CU_ASSERT_FALSE(exists("raw.jsonl"));
        } else if (grt_suite_is_long()) {
            go_all_the_way(cases[i].name, "--quick", "matmul");
        } else if (!cases[i].is_slow) {
            go_all_the_way(cases[i].name, "--quick --samples=2 --worst-samples=20 --workloads=matmul",
                           "matmul");
        }
    }
}

/* ---- a device that is lost on the way ---- */

static void put_lost(int call_number) {
    char text[300];
    snprintf(text, sizeof text,
             "{\"gpurt_pretend\": 1, \"device\": {\"name\": \"lost\", \"compute_capability\": \"8.6\", "
             "\"sm_count\": 2}, "
             "\"faults\": {\"lost_at_call\": %d}}\n",
             call_number);
    put_file("lost.json", text);
}

/* What was measured until then is a good file, and `fit` says what is missing. */
static void check_rest(void) {
    expect(0, call("grep -c '\"stopped\": ' raw.jsonl; gpurt-calib fit raw.jsonl --device-file=device.json "
                   "&& gpurt check "
                   "device.json -q && gpurt-calib report raw.jsonl -o page.md"));
    expect_text(err, "");
    CU_ASSERT_EQUAL(strncmp(out, "1\n", 2), 0);
    expect_part(out, "the measurement did not come to its end: cu");
    expect_part(out, "not measured before the measurement ended early");
    expect(0, call("grep -q '^| State | .*CUDA' page.md"));
}

static void test_lost(void) {
    int step = grt_suite_all_cases(900, 37), with_file = 0, without = 0;
    for (int at = 1; at < 6000; at += at < 4 ? 1 : step) {
        put_lost(at);
        call("rm -f raw.jsonl device.json page.md");
        int code = call("gpurt-calib measure -q --backend=sim --pretend=lost.json -o raw.jsonl "
                        "--only=clock,launch,dispatch,"
                        "copy,worst --workloads=fma --samples=2 --worst-samples=10");
        if (code == 0) {
            break; /* it was done before */
        }
        CU_ASSERT(code == 1 || code == 77);
        CU_ASSERT(exists("raw.jsonl") ? code == 1 : true);
        expect_part(err, "the device had a fault: start the program anew");
        CU_ASSERT_PTR_EQUAL(strchr(err, '\n'), err + strlen(err) - 1);
        without += !exists("raw.jsonl");
        if (exists("raw.jsonl")) {
            with_file++;
            check_rest();
        }
    }
    CU_ASSERT(with_file >= 2 && without >= 2);
}

/* In the middle of a scenario there is no half trace. */
static void test_lost_in_trace(void) {
    int lost = 0, step = grt_suite_all_cases(400, 11);
    for (int at = 1; at < 3000; at += step) {
        put_lost(at);
        call("rm -f run.trace");
        int code = call("gpurt-calib trace '" GRT_SOURCE_DIR
                        "/scenarios/quickstart.json' --backend=sim --pretend=lost.json "
                        "-o run.trace --until=40ms");
        CU_ASSERT(code == 0 || code == 1 || code == 77);
        CU_ASSERT_EQUAL(exists("run.trace"), code == 0);
        if (code != 0) {
            expect_part(err, "the device had a fault: start the program anew");
        }
        lost += code != 0;
    }
    CU_ASSERT(lost >= 2);
}

int main(void) {
    CU_TestInfo tests[] = {{"small devices", test_small},
                           {"presets", test_presets},
                           {"lost devices", test_lost},
                           {"lost while tracing", test_lost_in_trace},
                           CU_TEST_INFO_NULL};
    return grt_suite_run("calib_devices", tests);
}
