/* gpurt sweep and gpurt merge as their users call them. */
#include "tests/support/program.h"
#include "tests/support/suite.h"

static const char experiment[] =
    "{ \"gpurt_experiment\": 1, \"name\": \"small\", \"title\": \"A small one\", \"seed\": 5, \"samples\": "
    "50,\n"
    "  \"generator\": { \"name\": \"cores\", \"cores\": 2 },\n"
    "  \"platform\": { \"cpus\": 2, \"gpus\": [ { \"device\": \"exclusive\" } ] },\n"
    "  \"axes\": [ { \"name\": \"share\", \"path\": \"generator.gpu_tasks\", \"values\": [0.2, 0.6, 1] } ],\n"
    "  \"evaluations\": [\n"
    "    { \"name\": \"mpcp\", \"label\": \"MPCP\", \"kind\": \"analysis\", \"policy\": { \"name\": \"mpcp\" "
    "} },\n"
    "    { \"name\": \"sim\", \"kind\": \"simulation\", \"policy\": { \"name\": \"gpu-server\" },\n"
    "      \"measures\": [\"miss_ratio\"] } ] }\n";

static void begin(void) {
    call("rm -rf *.csv *.json *.journal run.txt .gpurt-*");
    put_file("small.json", experiment);
}

static void test_table(void) {
    begin();
    expect(0, call("gpurt sweep small.json --ascii"));
    expect_text(err, "");
    expect_part(out, "small: A small one\n3 points, 50 task sets each, seed 5\n\n");
    expect_part(out, "MPCP");
    expect_part(out, "\n  0.2  ");
    expect_part(out, "\n    1  ");
    expect_part(out, "miss_ratio");
    expect(0, call("gpurt sweep small.json --quiet; ls"));
    expect_part(out, "err.txt\nout.txt\nsmall.json\n"); /* and nothing else: no journal */
}

/* The cells of the table are those of the CSV. */
static void test_table_and_csv(void) {
    begin();
    expect(0, call("gpurt sweep small.json --csv r.csv --set samples=30 --seed 9"));
    expect_part(out, "3 points, 30 task sets each, seed 9\n");
    char wanted[64];
    read_text(SCRATCH "r.csv", err);
    unsigned yes = 0;
    char *row = strstr(err, "\n0.6,mpcp,30,");
    CU_ASSERT_FATAL(row != NULL && sscanf(row, "\n0.6,mpcp,30,%u,", &yes) == 1);
    snprintf(wanted, sizeof wanted, "\n  0.6  %.3f [", yes / 30.0);
    expect_part(out, wanted);
    expect(0, call("gpurt sweep small.json --csv -"));
    expect_part(out, "# gpurt: ");
    CU_ASSERT_PTR_NULL(strstr(out, "task sets each"));
    expect(0, call("gpurt sweep small.json --json - | head -c 1"));
    expect_text(out, "{");
}

static void test_same_bytes(void) {
    begin();
    expect(0, call("gpurt sweep small.json -q --threads 1 --csv 1.csv --json 1.json"));
    expect(0, call("gpurt sweep small.json -q --threads 2 --csv 2.csv --json 2.json; cmp 1.csv 2.csv && cmp "
                   "1.json 2.json"));
    expect(0, call("gpurt sweep small.json -q --threads 3 --csv 3.csv; cmp 1.csv 3.csv"));
    expect(0, call("for i in 1 2 3 4; do gpurt sweep small.json --shard $i/4; done"));
    expect_part(out, "small: shard 3 of 4 is done: 2 chunks in small.3-of-4.journal; gpurt merge joins");
    expect(
        0,
        call("gpurt merge small.json small.*-of-4.journal -q --csv 4.csv --json 4.json; cmp 1.csv 4.csv && "
             "cmp 1.json 4.json"));
    expect(0, call("gpurt merge small.json small.*-of-4.journal"));
    expect_part(out, "small: A small one\n3 points, 50 task sets each, seed 5\n\n");
}

static void test_changes(void) {
    begin();
    expect(2, call("gpurt sweep small.json --seed x"));
    expect_part(err, "(got \"x\") (set by --seed)\n");
    expect(2, call("gpurt sweep small.json --set seed=x"));
    CU_ASSERT_PTR_NULL(strstr(err, "set by"));
}

static void test_merge_refuses(void) {
    begin();
    expect(0, call("for i in 1 2 3; do gpurt sweep small.json -q --shard $i/3; done"));
    expect(2, call("gpurt merge small.json small.1-of-3.journal small.3-of-3.journal --csv r.csv"));
    expect_text(
        err,
        "gpurt: 3 of 9 chunks are missing, of 3 points from point 1 to 3: a shard is not there, or not at "
        "its end; gpurt sweep goes on where it stopped\n");
    CU_ASSERT_FALSE(exists("r.csv"));
    expect(0, call("for i in 1 2; do gpurt sweep small.json -q --samples 20 --restart --shard $i/3; done"));
    expect(2, call("gpurt merge small.json --samples 20 small.[12]-of-3.journal"));
    expect_part(err, "gpurt: 1 of 3 chunks is missing, of point 3: a shard is not there");
    expect(2, call("gpurt merge small.json --seed 6 small.*.journal"));
    expect_part(
        err, "small.1-of-3.journal: is the journal of another experiment: it has seed=5, this one seed=6\n");
    expect(2, call("gpurt merge small.json"));
    expect_part(err, "needs an experiment file and the journals of its shards");
    expect(2, call("gpurt merge small.json none.journal"));
    expect_part(err, "none.journal: cannot be opened: No such file");
    expect(2, call("gpurt merge small.json small.json"));
    expect_part(err, "small.json: is no journal of gpurt");
}

static void test_journals(void) {
    begin();
    expect(0, call("gpurt sweep small.json -q --journal kept.journal --csv 1.csv"));
    CU_ASSERT(exists("kept.journal"));
    expect(0, call("cp kept.journal small.journal; gpurt sweep small.json -q --csv 2.csv; cmp 1.csv 2.csv"));
    CU_ASSERT_FALSE(exists("small.journal")); /* the usual one goes when it is not needed any more */
    expect(1, call("gpurt sweep small.json -q --samples 60 --journal kept.journal"));
    expect_text(
        err,
        "gpurt: kept.journal: is the journal of another experiment: it has samples=50, this one samples=60; "
        "--restart throws it away, --journal names another file\n");
    expect(1, call("gpurt sweep small.json -q --set generator.cores=4 --set platform.cpus=4 --journal "
                   "kept.journal"));
    expect_part(
        err,
        "kept.journal: is the journal of another experiment: the file, the changes to it, or a file that "
        "it names is another now");
    expect(0, call("gpurt sweep small.json -q --samples 60 --journal kept.journal --restart"));
    expect(1, call("gpurt sweep small.json -q --journal no/such.journal"));
    expect_text(err, "gpurt: no/such.journal: cannot create a journal there: No such file or directory\n");
    expect(1, call("gpurt sweep small.json -q --journal small.json --restart"));
    expect_text(err, "gpurt: small.json: is no journal of gpurt\n");
}

/* Nothing that is read, and no journal, is overwritten; a journal outlives results that could not be written. */
static void test_nothing_is_lost(void) {
    begin();
    expect(2, call("gpurt sweep small.json --quiet --csv small.journal; code=$?; test ! -e small.journal && "
                   "exit $code"));
    expect_part(err, "--csv would overwrite the journal 'small.journal'");
    expect(2, call("gpurt sweep small.json --quiet --journal j --json j"));
    expect_part(err, "--json would overwrite the journal 'j'");
    put_file("whole.json", "{ \"gpurt_experiment\": 1, \"name\": \"whole\", \"samples\": 1,\n"
                           "  \"generator\": { \"name\": \"scenario\", \"file\": \"s.json\" },\n"
                           "  \"evaluations\": [ { \"name\": \"sim\", \"kind\": \"simulation\" } ] }\n");
    expect(0, call("cp '" GRT_SOURCE_DIR
                   "/scenarios/quickstart.json' s.json && gpurt sweep whole.json --quiet"));
    expect(2, call("gpurt sweep whole.json --quiet --csv s.json; code=$?; cmp s.json '" GRT_SOURCE_DIR
                   "/scenarios/quickstart.json' && exit $code"));
    expect_part(err, "--csv would overwrite 's.json', which the experiment reads");
    expect(2,
           call("mkdir -p d && mv whole.json s.json d && gpurt sweep d/whole.json --quiet --csv d/s.json"));
    expect_part(err, "--csv would overwrite 'd/s.json', which the experiment reads");
    expect(1, call("gpurt sweep small.json --samples 3000 --checkpoint 1ms > /dev/full; code=$?; test -s "
                   "small.journal "
                   "&& exit $code"));
    expect_part(err, "standard output: cannot write");
}

static void test_usage(void) {
    begin();
    static const struct {
        const char *arguments, *said;
    } cases[] = {
        {"", "needs an experiment file"},
        {"small.json other.json", "one experiment at a time (got 'small.json' and 'other.json')"},
        {"small.json --samples 0", "--samples: must be a whole number from 1 to 100000000 (got '0')"},
        {"small.json --threads 0", "--threads: must be a whole number from 1 to 1024"},
        {"small.json --threads 1 --threads 2", "--threads was given twice"},
        {"small.json --shard 0/4", "--shard must be I/N"},
        {"small.json --shard 5/4", "--shard must be I/N"},
        {"small.json --shard 1/4x", "--shard must be I/N"},
        {"small.json --shard 1/2 --csv r.csv", "a shard has no whole results: gpurt merge writes them"},
        {"small.json --no-journal --restart", "--no-journal does not go with"},
        {"small.json --checkpoint 0ms", "--checkpoint: must be 1ms to 1h"},
        {"small.json --csv small.json", "--csv would overwrite the experiment 'small.json'"},
        {"small.json --csv r --json r", "--json"},
        {"small.json --set share", "--set needs PATH=VALUE"},
        {"small.json --show 1:1 --csv r", "--show runs nothing"},
        {"small.json --show 1", "--show: must be POINT:SET or POINT:SET:EVALUATION (got '1')"},
        {"small.json --show 1:1x", "--show: must be POINT:SET or POINT:SET:EVALUATION (got '1:1x')"},
        {"small.json --show 4:1", "--show: the points are 1 to 3 (got 4)"},
        {"small.json --show 0:1", "--show: the points are 1 to 3 (got 0)"},
        {"small.json --show 1:51", "--show: the sets are 1 to 50 (got 51)"},
        {"small.json --show 1:0", "--show: the sets are 1 to 50 (got 0)"},
        {"small.json --show shar=1:1", "--show: unknown axis 'shar' (did you mean \"share\"?)"},
        {"small.json --show share=0.3:1", "--show: axis 'share' has no value '0.3'"},
        {"small.json --show share=1,share=1:1", "--show: axis 'share' is there twice"},
        {"small.json --show half:1", "--show: a point is a number or AXIS=VALUE,... (got 'half:1')"},
        {"small.json --show 1:1:mpc", "--show: unknown evaluation 'mpc' (did you mean \"mpcp\"?)"},
        {"small.json --show 1:1:3", "--show: the evaluations are 1 to 2 (got 3)"},
        {"none.json", "gpurt: none.json: cannot be opened: No such file"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect(2, call("gpurt sweep %s", cases[i].arguments));
        expect_part(err, cases[i].said);
        expect_text(out, "");
    }
    expect(1, call("gpurt sweep small.json --csv no/such.csv"));
    expect_part(err, "gpurt: no/such.csv: cannot create a file in its folder");
    expect(1, call("gpurt sweep small.json --csv /dev/full"));
    expect_part(err, "/dev/full: cannot write: No space left");
}

/* What is shown is what is evaluated: the analysis of the shown file gives the verdict that the sweep counted. */
static void test_show(void) {
    begin();
    expect(0, call("gpurt sweep small.json --show share=1:8:mpcp > set.json && gpurt check set.json"));
    expect(0, call("gpurt sweep small.json --show 3:8:1 | cmp - set.json"));
    expect(0,
           call("grep -c '\"name\": \"seed [0-9]* set 8\"' set.json")); /* the number is that of its name */
    expect(1, call("gpurt sweep small.json --show 3:9 | cmp -s - set.json"));
    expect(0, call("gpurt run set.json"));
    expect(
        0,
        call(
            "gpurt sweep small.json --samples 12 --set 'generator.utilisation=[0.5,0.7]' -q --csv - |\n"
            "grep '^0.6,mpcp,' | cut -d, -f4 > counted.txt; proven=0\n"
            "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do\n"
            "gpurt sweep small.json --samples 12 --set 'generator.utilisation=[0.5,0.7]' --show 2:$i:mpcp |\n"
            "gpurt analyze - --quiet --fail-if-unproven && proven=$((proven + 1)); done\n"
            "cat counted.txt; test $proven -gt 0 && test $proven -lt 12 && test $proven = $(cat "
            "counted.txt)"));
}

/* Values that are lists, or texts with colons and commas, are named as the CSV has them; without axes there is one point. */
static void test_show_of_lists(void) {
    static const char change[] = "--set 'axes=[{\"name\": \"u\", \"path\": \"generator.utilisation\", "
                                 "\"values\": [[0.1, 0.2], [0.1, 0.3]]}, "
                                 "{\"name\": \"odd\", \"path\": \"generator.cores\", \"values\": "
                                 "[{\"label\": \"a,u=1:2\", \"value\": 2}, "
                                 "{\"label\": \"a\", \"value\": 2}]}]'";
    begin();
    expect(0, call("gpurt sweep small.json -q --samples 20 %s --csv - | grep mpcp | cut -d, -f1-3", change));
    expect_part(out, "\"[0.1,0.2]\",");
    for (int point = 1; point <= 4; point++) {
        expect(0, call("gpurt sweep small.json %s --show %d:5 > number.json; gpurt sweep small.json %s "
                       "--show 'odd=%s,u=[0.1,0.%d]:5' | cmp - number.json",
                       change, point, change, point % 2 == 1 ? "a,u=1:2" : "a", point <= 2 ? 2 : 3));
    }
    expect(2, call("gpurt sweep small.json %s --show 'u=[0.1, 0.2],odd=a:5'", change));
    expect_text(err, "gpurt: --show: axis 'u' has no value '[0.1, 0.2]' (did you mean \"[0.1,0.2]\"?)\n");
    expect(2, call("gpurt sweep small.json %s --show 'odd=a:5'", change));
    expect_text(err, "gpurt: --show: which value of axis 'u'?\n");
    expect(0,
           call("grep -v '\"axes\"' small.json > one.json; gpurt sweep one.json --show 1:1 | gpurt check -"));
}

/* Where the other processes cannot be joined, all would do the same work and write the same files. */
static void test_ranks_without_the_module(void) {
    begin();
    expect(1,
           call("cp '" GRT_PROGRAM "' alone && OMPI_COMM_WORLD_SIZE=2 ./alone sweep small.json --csv r.csv"));
    expect_text(
        err, "gpurt: started by a launcher of MPI, but cannot join the other processes: gpurt-mpi.so is not "
             "there\n");
    CU_ASSERT_FALSE(exists("r.csv"));
    expect(0, call("OMPI_COMM_WORLD_SIZE=1 ./alone sweep small.json -q; rm alone"));
}

int main(void) {
    CU_TestInfo tests[] = {{"table", test_table},
                           {"table and CSV", test_table_and_csv},
                           {"same bytes", test_same_bytes},
                           {"changes", test_changes},
                           {"merge refuses", test_merge_refuses},
                           {"journals", test_journals},
                           {"nothing is lost", test_nothing_is_lost},
                           {"usage", test_usage},
                           {"show", test_show},
                           {"show of lists", test_show_of_lists},
                           {"ranks without the module", test_ranks_without_the_module},
                           CU_TEST_INFO_NULL};
    return grt_suite_run("cli_sweep", tests);
}
