/* gpurt train as its users call it. */
#include "tests/support/program.h"
#include "tests/support/suite.h"

/* Two kernels beside each other. */
static const char scenario[] =
    "{\"gpurt\": 1, \"name\": \"two\", \"horizon\": \"1s\", \"platform\": {\"gpus\": [{\"device\": "
    "\"gtx1060_6gb\", \"granularity\": \"shares\", \"contention\": \"saturation\"}]}, \"policy\": {\"name\": "
    "\"hardware\"}, \"tasks\": [\n"
    "{\"name\": \"a\", \"period\": \"1s\", \"segments\": [{\"gpu\": [{\"kernel\": \"lud\", \"time\": "
    "\"10ms\", \"usage\": \"lud\"}]}]},\n"
    "{\"name\": \"b\", \"period\": \"1s\", \"segments\": [{\"gpu\": [{\"kernel\": \"kmeans\", \"time\": "
    "\"20ms\", \"usage\": \"kmeans\"}]}]}]}\n";

#define BRIEF " --samples 200 --test 50 --epochs 2"

static void trains(void) {
    put_file("two.json", scenario);
    expect(0, call("gpurt train two.json" BRIEF " -o n.json --json r.json --samples-out s.csv"));
    expect_part(out, "kernel");
    expect_part(out, "\nlud ");
    expect_part(out, "\nkmeans ");
    expect_text(err, "");
    expect(0, call("cat n.json"));
    expect_part(out, "\"gpurt\": 1,\n");
    expect_part(out, "\"kernel\": \"kmeans\"");
    expect_part(out, "\"training\": {\"seed\": 1, \"width\": 0.25");
    expect(0, call("cat r.json"));
    expect_part(out, "\"gpurt_train\":\t1,");
    expect_part(out, "\"mape_of_estimate_ratio\":");
    expect(0, call("wc -l < s.csv; head -1 s.csv | cut -c1-33"));
    expect_text(out, "501\nkernel,share,time_ns,instructions\n");
    expect(0, call("gpurt train two.json" BRIEF " -qo again.json && cmp n.json again.json")); /* seeds */
    expect(0, call("gpurt train two.json" BRIEF " -q --seed 2 -o other.json; ! cmp -s n.json other.json"));
    expect(0, call("gpurt train - " BRIEF " -q --noise 0 --kernel lud -o - <two.json"));
    expect_part(out, "\"kernel\": \"lud\"");
    CU_ASSERT_PTR_NULL(strstr(out, "kmeans"));
    expect(0, call("gpurt train two.json" BRIEF
                   " --test 0 --order 0 --kernel lud -o n0.json --json - 2>&1 || true"));
    expect_part(out, "--test was given twice");
    expect(0, call("gpurt train two.json --samples 100 --epochs 1 --test 0 --order 0 --kernel lud -o n0.json "
                   "--json -"));
    expect_part(out, "\"test\":\t{\n\t\t\t\t\"samples\":\t0,\n\t\t\t\t\"mape_ratio\":\tnull,");
}

/* A scenario may name the file that is yet to be trained for it; then it is there. */
static void trains_what_is_named(void) {
    expect(0, call("rm -f n2.json; sed 's/\"horizon\"/\"networks\": \"n2.json\", \"horizon\"/' two.json > "
                   "named.json; "
                   "gpurt check named.json; gpurt train named.json" BRIEF
                   " -qo n2.json && gpurt check named.json"));
    expect_part(out, "named.json: networks: the networks file n2.json cannot be opened");
    expect(0, call("cmp n2.json n.json"));
}

/* What was written as samples is read as measured ones, in both formats, to the same networks. */
static void reads_measured_samples(void) {
    expect(0,
           call("gpurt train two.json" BRIEF " -qo n.json --samples-out s.jsonl && gpurt train two.json" BRIEF
                " -qo n.json --samples-out s.csv"));
    expect(0, call("gpurt train --measured s.csv --epochs 2 -o m.json"));
    expect_part(out, "\nlud ");
    expect_part(out, " 188 "); /* 250, less a quarter */
    expect(0, call("gpurt train --measured - --epochs 2 -qo m2.json <s.jsonl && cmp m.json m2.json"));
    expect(2, call("gpurt train --measured s.csv --test 240 -qo never.json"));
    expect_text(err,
                "gpurt: s.csv: kernel \"lud\" has 250 samples: 240 for the test leave fewer than the 20 "
                "that training needs\n"
                "gpurt: s.csv: kernel \"kmeans\" has 250 samples: 240 for the test leave fewer than the 20 "
                "that training needs\n");
    expect(2, call("gpurt train --measured s.csv --kernel luds -qo never.json"));
    expect_text(err, "gpurt: s.csv: has no samples of a kernel \"luds\"\n");
    expect(2, call("echo kernel,share > bad.csv; gpurt train --measured bad.csv -qo never.json"));
    expect_part(err, "gpurt: bad.csv: line 1: time_ns: there is no such column\n");
    CU_ASSERT_FALSE(exists("never.json"));
}

static void refuses_wrong_usage(void) {
    static const struct {
        const char *arguments, *said;
    } cases[] = {
        {"", "needs a scenario file, or --measured with a file of samples"},
        {"two.json", "say where the networks go: --output=FILE"},
        {"two.json --measured s.csv -o x.json", "takes a scenario or --measured, not both"},
        {"--measured s.csv --samples 30 -o x.json", "--samples is for samples that are simulated"},
        {"--measured s.csv --noise 0 -o x.json", "--noise is for samples that are simulated"},
        {"--measured s.csv --samples-out t.csv -o x.json", "--samples-out is for samples that are simulated"},
        {"--measured s.csv --set seed=2 -o x.json", "--set is for samples that are simulated"},
        {"two.json -o two.json", "--output would overwrite the scenario 'two.json'"},
        {"--measured s.csv -o ./s.csv", "--output would overwrite the samples 's.csv'"},
        {"two.json -o x.json --json x.json", "--output and --json cannot both write 'x.json'"},
        {"two.json -o x.json --samples-out x.json", "cannot both write 'x.json'"},
        {"two.json -o x.json --samples 19",
         "--samples: must be a whole number from 20 to 1000000 (got '19')"},
        {"two.json -o x.json --samples 20.5",
         "--samples: must be a whole number from 20 to 1000000 (got '20.5')"},
        {"two.json -o x.json --order 2", "--order: must be a whole number from 0 to 1 (got '2')"},
        {"two.json -o x.json --sigma nan", "--sigma: must be a number from 0.01 to 10 (got 'nan')"},
        {"two.json -o x.json --rules 1025", "--rules: must be a whole number from 1 to 1024 (got '1025')"},
        {"two.json -o x.json --noise 0.3", "--noise: must be a number from 0 to 0.2 (got '0.3')"},
        {"two.json -o x.json --seed 1 --seed 2", "--seed was given twice"},
        {"two.json two.json -o x.json", "one scenario at a time"},
        {"two.json -o x.json --kernel luds", "no kernel \"luds\" has a usage with counters"},
        {"two.json -o x.json --set platform.gpus[0].granularity=blocks --kernel lud", "granularity"},
        {"two.json -o x.json --set tasks[1].segments[0].gpu[0].kernel=lud",
         "tasks[1]: its kernel \"lud\" is not the one of task \"a\""},
        {"none.json -o x.json", "none.json: cannot be opened"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect(2, call("gpurt train %s", cases[i].arguments));
        expect_part(err, cases[i].said);
    }
    CU_ASSERT_FALSE(exists("x.json"));
}

/* The old file stays until the new one is whole, and nothing else is left behind. */
static void leaves_whole_files(void) {
    expect(1, call("gpurt train two.json" BRIEF " -qo /dev/full"));
    expect_text(err, "gpurt: /dev/full: cannot write: No space left on device\n");
    expect(1, call("gpurt train two.json" BRIEF " -qo no/where.json"));
    expect_part(err, "gpurt: no/where.json: cannot ");
    expect(0,
           call("rm -f .gpurt-*.tmp kept.json; echo old > kept.json; (ulimit -f 1; gpurt train two.json" BRIEF
                " -qo kept.json) 2> said.txt; cat kept.json; ls | grep -c '^kept'"));
    expect_text(out, "old\n1\n");
    expect(0,
           call("'" GRT_PROGRAM "' train two.json --epochs 10000 -qo kept.json & sleep 0.3; kill -TERM $!; "
                "wait $!; cat kept.json; ls -a | grep -c '^.gpurt-'; true")); /* what was begun is removed */
    expect_text(out, "old\n0\n");
    expect(0,
           call("'" GRT_PROGRAM "' train two.json --epochs 10000 -qo kept.json & sleep 0.3; kill -KILL $!; "
                "wait $!; cat kept.json"));
    expect_text(out, "old\n");
    expect(0, call("gpurt train two.json" BRIEF " -qo kept.json; head -c 1 kept.json"));
    expect_text(out, "{");
}

/* No bar where nobody looks; all options are explained. */
static void helps(void) {
    expect(0, call("gpurt train --help"));
    for (const char *const *option =
             (const char *const[]){"--kernel", "--samples", "--test", "--noise", "--measured", "--seed",
                                   "--order", "--sigma", "--threshold", "--rules", "--epochs", "--output",
                                   "--samples-out", "--json", "--quiet", "--set", NULL};
         *option != NULL; option++) {
        expect_part(out, *option);
    }
    expect(0, call("gpurt --help"));
    expect_part(out, "\n  train ");
}

int main(void) {
    CU_TestInfo tests[] = {
        {"trains", trains},
        {"trains what is named", trains_what_is_named},
        {"reads measured samples", reads_measured_samples},
        {"refuses wrong usage", refuses_wrong_usage},
        {"leaves whole files", leaves_whole_files},
        {"helps", helps},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("gpurt train", tests);
}
