/* labels: robustness */
/* gpurt generate as its users call it: files, folders, what is refused, and that gpurt takes what it writes. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "scenarios/scenario.h"
#include "scenarios/scenario_write.h"
#include "tests/support/drawn.h"
#include "tests/support/program.h"
#include "tests/support/suite.h"

#ifndef GRT_PROGRAM
#error "tests of the program need the program: GRT_PROGRAM is its path"
#endif

static const char one[] = "{\n"
                          "  \"gpurt\": 1,\n"
                          "  \"name\": \"seed 3 set 2\",\n"
                          "  \"description\": \"Utilisation 0.7, hyperperiod 15ms. gpurt " GRT_VERSION
                          ": gpurt generate --tasks 2 --utilisation 0.7 --method uunifast-discard --periods "
                          "uniform:10ms,20ms --granularity 5ms "
                          "--device exclusive --policy np-rm --seed 3 --first 2\",\n"
                          "@";

/* Whole files are compared in tests/unit/test_generate.c; here, what the command adds. */
static void test_one(void) {
    expect(0, call("gpurt generate -n 2 -u 0.7 --periods uniform:10ms,20ms --granularity 5ms --policy np-rm "
                   "--seed 3 --first 2 "
                   "> one.json; sed -n 1,4p one.json; echo -n @"));
    expect_text(out, one);
    expect_text(err, "");
    expect(0, call("sed -n 's/.*: gpurt \\(generate .*\\)\",/\\1/p' one.json > line.txt; gpurt $(cat "
                   "line.txt) | cmp - one.json"));
    expect(0, call("gpurt generate -n 2 -u 0.7 --periods uniform:10ms,20ms --granularity 5ms --policy np-rm "
                   "--seed 3 --first 2 -o "
                   "two.json; cmp one.json two.json"));
    expect_text(out, "two.json: 1 set of 2 tasks, utilisation 0.7\n");
    expect(0, call("gpurt generate --utilization 0.7 -qo three.json && gpurt check three.json"));
    expect_text(out, "three.json: ok\n");
}

/* The description's command makes every file again, whatever was asked for. */
static void test_again(void) {
    static const char *const options[] = {
        "",
        "-n 1 -u 1",
        "-n 20 -u 7.25 --method randfixedsum --min-utilisation 0.05 --max-utilisation 0.9",
        "-u 0.1 --method uunisort --periods automotive --offsets random",
        "--method uunifast --periods automotive-equal --deadlines factor:0.4,1.2 --overhead 1500ns",
        "--periods divisors:216s,10ms,1s --horizon hyperperiod --deadlines slack:0,1 --jitter 0.05",
        "--periods log-uniform:1us,999us --granularity 1ns --jitter 0.01,0.02 -u 0.30000000000000004",
        "--device tx2 --blocks 1,64 --threads 128 --policy fifo --horizon 1s",
        "--device h100 --blocks 300 --policy hardware --seed 9007199254740991",
        "--parameter hyperperiod_below=100s --parameter takes=0.5 -n 3",
        "--shape kim --cpus 2 --tasks-per-core 1,9 --periods automotive --policy gpu-server --epsilon 70us",
        "--shape applications -n 3 -u 0.9 --policy static-shares",
    };
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        expect(0, call("rm -rf again; gpurt generate %s --count 3 --first 9 -q -o again && gpurt check -q "
                       "again/*.json && ls again | tr "
                       "'\\n' ' '",
                       options[i]));
        expect_text(out, "set-09.json set-10.json set-11.json ");
        expect(0, call("for i in again/*.json; do sed -n 's/.*: gpurt \\(generate .*\\)\",/\\1/p' $i > "
                       "line.txt; gpurt $(cat line.txt) | "
                       "cmp - $i || exit 9; done; gpurt generate %s --first 10 | cmp - again/set-10.json",
                       options[i]));
    }
}

/* ---- The sets of experiments ---- */

/* The text of the registry's set that a file shall be, with the frame that the file has; to be freed. */
static char *write_drawn(const struct grt_scenario_file *file, const char *generator, const char *json,
                         uint64_t seed, uint64_t number) {
    struct grt_arena arena = {0};
    struct grt_errors errors = {0};
    struct grt_drawn_set set;
    char *text = NULL;
    size_t size = 0;
    const struct grt_generator_ops *ops = grt_generator_find(generator);
    const struct grt_generator_place place = {seed, file->written.gpus, "."};
    void *maker = drawn_maker(generator, json, &place, &arena, &errors);
    CU_ASSERT_FATAL(maker != NULL && ops->make(maker, number, &arena, &set));
    set.scenario.gpus = file->written.gpus;
    set.scenario.gpu_count = 1;
    const struct grt_scenario_content content = {&set.scenario, file->policy,
                                                 grt_set_parameters(&set, file->policy, NULL, 0, &arena),
                                                 file->description};
    FILE *stream = open_memstream(&text, &size);
    CU_ASSERT_FATAL(grt_scenario_write(stream, &content, &errors));
    fclose(stream);
    ops->destroy(maker);
    grt_arena_clear(&arena);
    return text;
}

/* Set k of the command is set k - 1 of experiments: file and set are the same text. */
static void test_sets_of_experiments(void) {
    static const struct {
        const char *options, *generator, *json;
    } cases[] = {
        {"", "independent", "{}"},
        {"--shape independent -n 3 -u 0.7 --offsets random --jitter 0,0.1 --deadlines slack:0.2,1",
         "independent",
         "{\"tasks\": 3, \"utilisation\": 0.7, \"random_offsets\": true, \"jitter\": [0, 0.1], "
         "\"deadlines\": "
         "\"slack\", \"deadline_factor\": [0.2, 1]}"},
        {"--device tx2 --blocks 1,64 --threads 128 --parameter takes=0.5 --periods automotive", "independent",
         "{\"blocks\": [1, 64], \"threads\": 128, \"takes\": 0.5, \"periods\": \"automotive\"}"},
        {"--shape kim --policy gpu-server", "cores", "{}"},
        {"--shape cores --cpus 2 --gpu-tasks 0.6 --periods uniform:20ms,90ms --epsilon 9us --policy "
         "gpu-server",
         "cores",
         "{\"cores\": 2, \"gpu_tasks\": 0.6, \"min_period\": \"20ms\", \"max_period\": \"90ms\", "
         "\"epsilon\": "
         "\"9us\"}"},
        {"--shape applications -n 4 -u 0.8 --device gtx1060_6gb", "applications",
         "{\"count\": 4, \"utilisation\": 0.8}"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct grt_errors errors = {0};
        struct grt_scenario_file file;
        expect(0, call("gpurt generate %s --seed 6 --first 12 -qo drawn.json; cat drawn.json",
                       cases[i].options));
        CU_ASSERT_FATAL(grt_scenario_read(SCRATCH "drawn.json", NULL, &file, &errors));
        char *text = write_drawn(&file, cases[i].generator, cases[i].json, 6, 11);
        expect_text(out, text);
        free(text);
        grt_scenario_file_free(&file);
    }
}

/* The name of a set of a sweep says which seed and number of the command make it again. */
static void test_sets_of_sweeps(void) {
    put_file("sweep.json",
             "{\"gpurt_experiment\": 1, \"name\": \"e\", \"title\": \"E\", \"seed\": 5, \"samples\": 9,\n"
             "\"generator\": {\"name\": \"cores\", \"cores\": 2, \"gpu_tasks\": 0.6},\n"
             "\"platform\": {\"cpus\": 2, \"gpus\": [{\"device\": \"exclusive\"}]},\n"
             "\"evaluations\": [{\"name\": \"s\", \"kind\": \"simulation\", \"policy\": {\"name\": "
             "\"gpu-server\"}}]}\n");
    expect(0,
           call("gpurt sweep sweep.json --show 1:7 > shown.json; line=$(sed -n 's/.*seed \\([0-9]*\\) set "
                "\\([0-9]*\\)\".*/--seed \\1 --first \\2/p' shown.json); gpurt generate --shape kim --cpus 2 "
                "--gpu-tasks 0.6 --policy gpu-server $line | grep -v description | cmp - shown.json && "
                "echo $line | grep -c 'first 7$'"));
    expect_text(out, "1\n");
}

static void test_folder(void) {
    expect(0, call("rm -rf sets; gpurt generate -n 3 -u 0.6 --count 12 -o sets"));
    expect_part(out, "sets: 12 sets of 3 tasks, utilisation 0.5999999");
    expect_part(out, " to 0.6000000");
    expect(
        0,
        call("ls sets | wc -l; ls sets | head -1; cmp -s sets/set-01.json sets/set-02.json || echo differ"));
    expect_text(out, "12\nset-01.json\ndiffer\n");
    expect(0, call("cp sets/set-03.json old.json; gpurt generate -n 3 -u 0.6 --count 12 -qo sets; cmp "
                   "old.json sets/set-03.json"));
    expect(
        0,
        call(
            "gpurt generate -n 3 -u 0.6 -qo sets; cmp sets/set-1.json sets/set-01.json")); /* a folder that is there */
    expect(1, call("gpurt generate --count 2 -o old.json"));
    expect_text(err, "gpurt: old.json: cannot be made a folder: File exists\n");
    expect(1, call("gpurt generate --count 2 -o no/where"));
    expect_text(err, "gpurt: no/where: cannot be made a folder: No such file or directory\n");
}

static void test_runs(void) {
    expect(0, call("gpurt generate -n 5 -u 0.4 --periods divisors:216s,10ms,1s --horizon hyperperiod | gpurt "
                   "run - --json -"));
    expect_part(out, "\"horizon\":\t\"hyperperiod\"");
    expect(0, call("gpurt generate -n 40 -u 0.4 --device xavier --blocks 1,500 | gpurt run - -q"));
}

static void test_failures(void) {
    expect(1, call("gpurt generate -o /dev/full"));
    expect_text(err, "gpurt: /dev/full: cannot write: No space left on device\n");
    expect(1, call("gpurt generate > /dev/full"));
    expect(0, call("echo old > kept.json; (ulimit -f 1; gpurt generate -n 100 -o kept.json) 2> said.txt; cat "
                   "kept.json; ls | grep -c "
                   "'^kept' "));
    expect_text(out, "old\n1\n");
    expect(2, call("gpurt generate -u 3 -n 2 -o never.json"));
    expect_text(err, "gpurt generate: --utilisation: 2 tasks cannot have 3 together: at most 1 each\n");
    expect(2, call("gpurt generate -n 60 -u 50 --count 2 -o never"));
    expect_text(
        err, "gpurt generate: set 1: uunifast-discard found no utilisations from 0 to 1 in 1000000 vectors; "
             "randfixedsum discards "
             "none\n");
    expect(2, call("gpurt generate --horizon hyperperiod --periods uniform:1s,1000s --granularity 1ns -o "
                   "never.json"));
    expect_text(err, "gpurt generate: set 1: horizon: the hyperperiod is longer than 31.7 years\n");
    expect(2, call("gpurt generate --horizon auto --periods automotive --jitter 0.1 -o never.json"));
    expect_part(err, "gpurt generate: set 1: horizon: \"auto\" needs tasks without jitter");
    expect(2,
           call("gpurt generate -n 2 --periods uniform:1s,2000s --horizon hyperperiod --count 6 -o never"));
    expect_text(
        err,
        "gpurt generate: set 5: horizon: the hyperperiod is longer than 31.7 years\n"); /* not after four files */
    expect(2, call("gpurt generate --policy np-edv -o never.json"));
    expect_part(err, "unknown policy \"np-edv\"");
    expect(2, call("gpurt generate --device jetson-tx3 -o never.json"));
    expect_part(err,
                "gpurt generate: --device: unknown device \"jetson-tx3\" (did you mean \"jetson-tx1\"?)");
    CU_ASSERT_FALSE(exists("never.json"));
    CU_ASSERT_FALSE(exists("never"));
}

/* Values that an option alone does not show to be wrong: the message names option, value and range all the same. */
static void test_ranges(void) {
    static const struct {
        const char *arguments, *said;
    } cases[] = {
        {"--jitter 0.5,0.1", "--jitter: must be from 0 to 1, the lower bound first (got 0.5 to 0.1)"},
        {"--granularity 0s", "--granularity: must be above 0 and at most 1000000000s (got 0s)"},
        {"--periods uniform:0s,1s", "--periods: must be above 0 and at most 1000000000s (got 0s to 1s)"},
        {"--periods uniform:1s,1000000000s",
         "--periods: must be at most 990000000s where times can be 1 times as long (got 1000000000s)"},
        {"--periods uniform:1s,2000000000s", "--periods: must be at most 1000000000s (got '2000000000s')"},
        {"--overhead 2000000000s", "--overhead: must be at most 1000000000s (got '2000000000s')"},
        {"--device jetson-tx2 --blocks 1 --min-utilisation 2",
         "--max-utilisation: a task's utilisation must be 0 or more, the lower bound first (got 2 to 1)"},
        {"--shape kim --epsilon 2000000000s", "--epsilon: must be at most 1000000000s (got '2000000000s')"},
        {"--shape kim --gpu-ratio 0,1",
         "--gpu-ratio: must be from 1e-06 to 1e+06, the lower bound first (got 0 to 1)"},
        {"--shape kim --tasks-per-core 5,3",
         "--tasks-per-core: must be from 1 to 1024, the smaller number first (got 5 to 3)"},
        {"--shape kim --cpus 256 --tasks-per-core 5",
         "--tasks-per-core: 256 cores can have up to 4 tasks each (got 5)"},
        {"--parameter takes=2", "--parameter: takes: must be between 0 and 1 (got 2)"},
        {"--parameter tkes=1", "--parameter: tkes: unknown field (did you mean \"takes\"?)"},
        {"--parameter hyperperiod_below=9ms",
         "--parameter: hyperperiod_below: must be above the shortest period, 10ms (got 9ms)"},
        {"-n 20 --parameter hyperperiod_below=11ms", "set 1: none was found in so many draws as are tried"},
        {"--shape applications -n 11", "--tasks: must be between 1 and 10 (got 11)"},
        {"--shape applications -u 0", "--utilisation: must be above 0 (got 0)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char said[400];
        expect(2, call("gpurt generate %s", cases[i].arguments));
        err[strcspn(err, "\n")] = '\0';
        snprintf(said, sizeof said, "gpurt generate: %s", cases[i].said);
        expect_text(err, said);
        expect_text(out, "");
    }
}

static void test_misuse(void) {
    static const struct {
        const char *arguments, *said;
    } cases[] = {
        {"x.json", "takes options only (got 'x.json')"},
        {"-n 0", "--tasks: must be a whole number from 1 to 4096 (got '0')"},
        {"-n 1e3", "--tasks: must be a whole number from 1 to 4096 (got '1e3')"},
        {"-n -5", "--tasks: must be a whole number from 1 to 4096 (got '-5')"},
        {"-u nan", "--utilisation: must be a number from 0 to 4096 (got 'nan')"},
        {"-u 0.5x", "--utilisation: must be a number from 0 to 4096 (got '0.5x')"},
        {"--seed 9007199254740992",
         "--seed: must be a whole number from 0 to 9007199254740991 (got '9007199254740992')"},
        {"--count 2", "--count needs --output FOLDER"},
        {"--count 1000001 -o x", "--count: must be a whole number from 1 to 1000000 (got '1000001')"},
        {"--threads 32", "--threads has a meaning only with --blocks"},
        {"--method uunifats", "--method: unknown \"uunifats\" (did you mean \"uunifast\"?): it is one of "
                              "uunifast, uunifast-discard, "
                              "randfixedsum, uunisort"},
        {"--periods uniform",
         "--periods: needs its shortest and longest, as in log-uniform:10ms,1s (got 'uniform')"},
        {"--periods uniform:1ms", "--periods: must be KIND:MIN,MAX (got '1ms')"},
        {"--periods uniform:1ms,2",
         "--periods: must end in a unit of time (ns, us, ms, s, min, h) (got '2')"},
        {"--periods divisors:1ms,2ms", "--periods: must be divisors:H,MIN,MAX (got '1ms,2ms')"},
        {"--periods automotive:1ms,2ms", "--periods: takes no bounds (got 'automotive:1ms,2ms')"},
        {"--deadlines implicit:1,2", "--deadlines: takes no bounds (got 'implicit:1,2')"},
        {"--deadlines slack", "--deadlines: needs its bounds, as in factor:0.5,1 (got 'slack')"},
        {"--deadlines slack:1", "--deadlines: must be two numbers, LOW,HIGH (got '1')"},
        {"--jitter 2", "--jitter: must be a number from 0 to 1 (got '2')"},
        {"--jitter 0,1,2", "--jitter: must be a number or two, LOW,HIGH (got '0,1,2')"},
        {"--overhead -1ms", "--overhead: must not be negative (got '-1ms')"},
        {"--offsets maybe", "--offsets: unknown \"maybe\": it is one of zero, random"},
        {"--blocks 0,3", "--blocks: must be a whole number from 1 to 2147483647 (got '0')"},
        {"-n 3 -n 4", "--tasks was given twice"},
        {"--shape kin", "--shape: unknown \"kin\" (did you mean \"kim\"?): it is one of kernel, kim, "
                        "independent, cores, applications"},
        {"--shape kim -n 3", "--tasks has no meaning with --shape kim"},
        {"--shape applications --cpus 3", "--cpus has a meaning only with --shape kim"},
        {"--shape applications --periods automotive", "--periods has no meaning with --shape applications"},
        {"--parameter takes", "--parameter: must be NAME=VALUE (got 'takes')"},
        {"--parameter =1", "--parameter: must be NAME=VALUE (got '=1')"},
        {"--parameter takes=1 --parameter takes=1", "--parameter: takes was given twice"},
        {"--parameter tasks=2", "--parameter: tasks has an option of its own, --tasks"},
        {"--policy np-edv",
         "--policy: unknown policy \"np-edv\" (did you mean \"np-edf\"?); `gpurt policies` lists them"},
        {"--horizon 5x", "--horizon: must end in a unit of time (ns, us, ms, s, min, h) (got '5x')"},
        {"--horizon 0s", "--horizon: must be above 0 (got '0s')"},
        {"--utilisaton 1", "unknown option '--utilisaton' (did you mean '--utilisation'?)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char said[400];
        expect(2, call("gpurt generate %s", cases[i].arguments));
        err[strcspn(err, "\n")] = '\0';
        snprintf(said, sizeof said, "gpurt generate: %s", cases[i].said);
        expect_text(err, said);
        expect_text(out, "");
    }
}

int main(void) {
    CU_TestInfo tests[] = {
        {"one", test_one},
        {"again", test_again},
        {"experiments", test_sets_of_experiments},
        {"sweeps", test_sets_of_sweeps},
        {"folder", test_folder},
        {"runs", test_runs},
        {"failures", test_failures},
        {"misuse", test_misuse},
        {"ranges", test_ranges},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("gpurt generate", tests);
}
