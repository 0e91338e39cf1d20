/* The program gpurt-calib as its users call it: help, misuse, files that are not there or cannot be written, exit codes. */
#include "tests/support/program.h"
#include "tests/support/suite.h"

static const char *const commands[] = {"list",  "measure", "fit",      "report",
                                       "worst", "trace",   "validate", "import"};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

#define MEASURE "gpurt-calib measure -q --backend=sim --pretend=small.json --only=clock,copy --samples=2"

#define TASKS                                                                                                \
    " \"policy\": {\"name\": \"hardware\"}, \"horizon\": \"1ms\", \"tasks\": [{\"name\": \"t\", "            \
    "\"period\": "                                                                                           \
    "\"1ms\", \"segments\": [{\"gpu\": [{\"kernel\": \"k\", \"blocks\": 2, \"threads\": 32, "                \
    "\"block_time\": "                                                                                       \
    "\"9us\"}]}]}]}\n"

/* Good files of each kind, each test's own. */
static void make_files(void) {
    call("rm -rf *");
    put_file("small.json", "{\"gpurt_pretend\": 1, \"device\": {\"name\": \"small\", \"sm_count\": 2, "
                           "\"compute_capability\": \"8.6\"}}\n");
    put_file("scenario.json",
             "{\"gpurt\": 1, \"name\": \"s\", \"platform\": {\"gpus\": [{\"device\": \"tx2\"}]}," TASKS);
    put_file("times.txt", "# ns\n1 2 3\n");
    put_file("two.csv", "1,100\n2,120\n");
    put_file("head.csv", "run,time\n1,100.5\n2,120\n");
    put_file("seconds.txt", "0.0001\n0.0003\n");
    put_file("words.txt", "one two\n");
    put_file("nothing.json", "{\"a\": 1}\n");
    put_file("mine.ptx", "//\n");
    expect(0, call(MEASURE " -o raw.jsonl && gpurt-calib trace scenario.json --backend=sim -o run.trace -q"));
    expect_text(out, "");
    expect_text(err, "");
}

/* A command line that is refused, and a part of the sentence about it. */
struct refused {
    const char *arguments, *message;
};

static void refuse(const struct refused *cases, size_t count) {
    for (size_t i = 0; i < count; i++) {
        expect(2, call("gpurt-calib %s", cases[i].arguments));
        expect_part(err, cases[i].message);
        expect_text(out, "");
    }
}

/* ---- usage ---- */

static void test_help(void) {
    make_files();
    expect(0, call("gpurt-calib --help"));
    expect_part(out, "Usage: gpurt-calib [OPTION...] COMMAND");
    expect_part(out, "Exit codes: 0 done; 1 failed while running");
    for (size_t i = 0; i < COMMANDS; i++) {
        char first[64];
        expect(0,
               call("gpurt-calib help %s > help.txt; gpurt-calib %s --help | cmp - help.txt && cat help.txt",
                    commands[i], commands[i]));
        snprintf(first, sizeof first, "Usage: gpurt-calib %s", commands[i]);
        expect_part(out, first);
        expect_part(out, "Examples:\n  ");
        expect_part(out, "Exit codes: 0 done; 1 failed while running");
        expect(0, call("gpurt-calib %s --version", commands[i]));
        CU_ASSERT_EQUAL(strncmp(out, "gpurt-calib " GRT_VERSION " (build ", 19), 0);
    }
}

/* Which device is pretended where nobody says it; small and slow where threads have to keep up. */
static void test_backends(void) {
    expect(0, call("gpurt-calib list --backend=sim --ascii"));
    expect_part(out, "sim driver");
    expect_part(out, "0  h200         9.0  132    4GiB");
    expect(0, call("gpurt-calib list --backend=host --ascii"));
    expect_part(out, "host driver");
    expect_part(out, "0  threads         6.2    4    4GiB");
    expect(0,
           call("gpurt-calib measure -q --replace -o threads.jsonl --backend=host --only=launch --samples=1 "
                "--budget=3s"));
    expect(0, call("grep -c -e '\"workload\": \"fma\".*\"occupancy\": 4' "
                   "-e '\"workload\": \"triad\".*\"occupancy\": 4' -e 'thread not pinned' threads.jsonl"));
    expect_text(out, "3\n");
}

static void test_misuse(void) {
    static const struct refused cases[] = {
        {"", "Usage: gpurt-calib COMMAND [ARGUMENT...]"},
        {"mesure", "gpurt-calib: unknown command \"mesure\" (did you mean \"measure\"?)"},
        {"help fitt", "gpurt-calib: unknown command \"fitt\" (did you mean \"fit\"?)"},
        {"list --backend=cdua", "list: --backend must be cuda, sim or host (got 'cdua')"},
        {"list here", "list: takes no arguments (got 'here')"},
        {"list --backend=sim --device=1", "list: --device and --libcuda belong to --backend=cuda"},
        {"list --backend=host --device=0", "list: --device and --libcuda belong to --backend=cuda"},
        {"list --pretend=tx2", "list: --pretend belongs to --backend=sim and --backend=host"},
        {"list --device=-1", "list: --device"},
        {"list --backend=sim --pretend=", "list: --pretend: must not be empty"},
        {"measure", "measure: where to? (--output=FILE)"},
        {"measure -o a -o b", "measure: --output"},
        {"measure -o a --only=clok",
         "measure: --only: there is no experiment \"clok\" (did you mean \"clock\"?); there are "
         "clock, launch, residency, dispatch, "},
        {"measure -o a --budget=1us", "measure: --budget must be between 1ms and 1e+06s (got '1us')"},
        {"measure -o a --budget=5", "measure: --budget"},
        {"measure -o a --samples=0", "measure: --samples"},
        {"measure -o a --kernel=mine.ptx", "measure: --kernel and --entry belong together"},
        {"measure -o a --kernel=mine.ptx --entry=k",
         "measure: --kernel needs --blocks, and --blocks needs --kernel"},
        {"measure -o a --workloads=fmaa --backend=sim",
         "measure: --workloads: there is no \"fmaa\" (did you mean \"fma\"?); there are fma, triad, "},
        {"fit", "fit: which raw file? (\"-\": standard input)"},
        {"fit raw.jsonl raw.jsonl",
         "fit: takes one raw file (got 'raw.jsonl' and 'raw.jsonl'): kernels have sizes, "},
        {"fit raw.jsonl --name=", "fit: --name: must not be empty"},
        {"report", "report: which raw file? (\"-\": standard input)"},
        {"report raw.jsonl --format=jpg", "report: --format must be svg, pdf or png (got 'jpg')"},
        {"worst", "worst: which file? (\"-\": standard input)"},
        {"worst times.txt -p 0.1", "worst: --exceedance"},
        {"worst times.txt --quantum=32", "worst: --quantum"},
        {"worst times.txt --replicates=100", "worst: --replicates"},
        {"worst times.txt --unit=m", "worst: --unit must be ns, us, ms or s (got 'm')"},
        {"worst times.txt --column=0", "worst: --column"},
        {"worst times.txt --column=", "worst: --column"},
        {"worst times.txt --column=4", "times.txt: line 2: has no column 4, but 3"},
        {"worst two.csv", "two.csv: line 1: has 2 numbers: --column=2 says that the last one is the time"},
        {"worst seconds.txt",
         "seconds.txt: no time is as long as 1 ns, the longest 0.0003: say their unit, as "
         "in --unit=s"},
        {"trace", "trace: which scenario?"},
        {"trace scenario.json", "trace: where to? (--output=FILE)"},
        {"trace scenario.json -o a --real=fma",
         "trace: --real must be NAME=AMOUNT, as in --real fma=4096 (got 'fma')"},
        {"trace scenario.json -o a --real=fna=1", "trace: --real: there is no measuring kernel \"fna\""},
        {"trace scenario.json -o a --set=tasks", "trace: --set needs PATH=VALUE"},
        {"trace scenario.json -o a --until=1ms --until=2ms", "trace: --until was given twice"},
        {"validate scenario.json run.trace --seed=1 --seed=1", "validate: --seed was given twice"},
        {"validate", "validate: which scenario, and which traces?"},
        {"validate scenario.json", "validate: which traces?"},
        {"validate scenario.json run.trace run.trace --picture=p.svg",
         "validate: --picture is of one trace only"},
        {"validate scenario.json run.trace --window=0ms,1ms", "validate: --window belongs to --picture"},
        {"validate scenario.json run.trace --tolerance=5", "validate: --tolerance"},
        {"import", "import: of what? (ncu or nsys, and a file)"},
    };
    make_files();
    refuse(cases, sizeof cases / sizeof cases[0]);
    CU_ASSERT_FALSE(exists("a"));
}

/* ---- what is read ---- */

static void test_inputs(void) {
    static const struct refused cases[] = {
        {"fit none.jsonl", "gpurt-calib: none.jsonl: cannot be opened: No such file or directory\n"},
        {"fit .", "gpurt-calib: .: cannot be read: Is a directory\n"},
        {"fit -", "gpurt-calib: standard input: is no file of raw measurements: it has no whole line\n"},
        {"fit small.json",
         "gpurt-calib: small.json: this describes a pretended device; --pretend takes it\n"},
        {"fit nothing.json",
         "gpurt-calib: nothing.json: line 1: is no file of raw measurements: it does not begin with "
         "{\"gpurt_raw\": 1, ...}\n"},
        {"fit words.txt", "gpurt-calib: words.txt: is no file of raw measurements\n"},
        {"fit times.txt",
         "gpurt-calib: times.txt: this begins with a number; `gpurt-calib worst` takes files of times\n"},
        {"fit run.trace",
         "gpurt-calib: run.trace: this is a trace; `gpurt-calib validate SCENARIO TRACE` takes it\n"},
        {"report none.jsonl", "gpurt-calib: none.jsonl: cannot be opened: No such file or directory\n"},
        {"report scenario.json",
         "gpurt-calib: scenario.json: this is a scenario; `gpurt run` simulates it\n"},
        {"worst none.txt", "gpurt-calib: none.txt: cannot be opened: No such file or directory\n"},
        {"worst /dev/null", "gpurt-calib: /dev/null: has no values\n"},
        {"worst words.txt", "gpurt-calib: words.txt: line 1: must be a number"},
        {"worst raw.jsonl", "gpurt-calib: raw.jsonl: has no series of long runs, which `gpurt-calib measure` "
                            "takes in its experiment `worst`\n"},
        {"worst scenario.json", "gpurt-calib: scenario.json: this is a scenario; `gpurt run` simulates it\n"},
        {"worst raw.jsonl --name=a",
         "gpurt-calib: raw.jsonl: --name is for files of values: series of raw files have names\n"},
        {"worst times.txt --workload=fma",
         "gpurt-calib: times.txt: --workload is for raw files, and this is none\n"},
        {"trace none.json -o a --backend=sim",
         "gpurt-calib: none.json: cannot be opened: No such file or directory\n"},
        {"trace small.json -o a --backend=sim", "gpurt-calib: small.json: "},
        {"trace scenario.json -o a --backend=sim --set=tasks[3].period=1ms", "gpurt-calib: scenario.json: "},
        {"validate none.json run.trace",
         "gpurt-calib: none.json: cannot be opened: No such file or directory\n"},
        {"validate scenario.json none.trace", "none.trace: "},
        {"trace scenario.json -o a --backend=sim --pretend=h2000", "gpurt-calib: unknown device \"h2000\""},
        {"validate scenario.json scenario.json",
         "gpurt-calib: scenario.json: this is a scenario; `gpurt run` simulates it\n"},
        {"validate scenario.json raw.jsonl", "gpurt-calib: raw.jsonl: this is a raw file of measurements; "
                                             "`gpurt-calib fit`, `report` and `worst` "
                                             "take it\n"},
        {"validate raw.jsonl run.trace", "gpurt-calib: raw.jsonl: this is a raw file of measurements; "
                                         "`gpurt-calib fit`, `report` and `worst` "
                                         "take it\n"},
        {"validate run.trace run.trace",
         "gpurt-calib: run.trace: this is a trace; `gpurt-calib validate SCENARIO TRACE` takes it\n"},
        {"trace raw.jsonl -o a --backend=sim", "gpurt-calib: raw.jsonl: this is a raw file of measurements"},
        {"list --backend=sim --pretend=h2000", "gpurt-calib: unknown device \"h2000\""},
        {"list --backend=sim --pretend=none.json", "none.json: "},
        {"list --backend=sim --pretend=scenario.json", "scenario.json: "},
        {"measure -o a --backend=host --pretend=times.txt", "times.txt"},
        {"measure -o a --backend=sim --kernel=none.ptx --entry=k --blocks=1", "none.ptx: "},
        {"import ncu none.csv", "none.csv: "},
    };
    make_files();
    refuse(cases, sizeof cases / sizeof cases[0]);
    CU_ASSERT_FALSE(exists("a"));
}

/* Each of the program's other files is named, too. */
static void test_files_of_other_commands(void) {
    static const struct {
        const char *file, *message;
    } cases[] = {
        {"device.json", "device.json: this is a device file; name it as the \"device\" of a scenario\n"},
        {"kernels.json", "kernels.json: this is a kernel file; name it as the \"kernels\" of a scenario\n"},
        {"fit.json", "fit.json: these are the findings of `gpurt-calib fit --json`, for other programs\n"},
        {"worst.json", "worst.json: this is what `gpurt-calib worst --json` says, for other programs\n"},
        {"a.sqlite", "a.sqlite: this is a database of SQLite; `gpurt-calib import nsys` takes those of"},
        {"a.csv", "a.csv: these are counters of Nsight Compute; `gpurt-calib import ncu` takes them\n"},
    };
    make_files();
    put_file("a.sqlite", "SQLite format 3, or what looks so");
    put_file("a.csv", "==PROF== Connected\n\"ID\",\"Kernel Name\"\n");
    put_file("kernels.json", "{\n  \"gpurt_kernels\": 1,\n  \"kernels\": []\n}\n");
    expect(0, call("gpurt-calib fit raw.jsonl --device-file=device.json --json=fit.json && gpurt-calib worst "
                   "times.txt --json=worst.json"));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        static const char *const takers[] = {"fit", "report", "worst", "validate scenario.json"};
        for (size_t j = 0; j < sizeof takers / sizeof takers[0]; j++) {
            expect(2, call("gpurt-calib %s %s", takers[j], cases[i].file));
            expect_part(err, cases[i].message);
        }
    }
}

/* Series of long runs, from the raw file; and exit codes for scripts. */
/* No time is lost without a word. */
static void test_columns(void) {
    static const struct {
        const char *text, *options, *error;
    } cases[] = {{"100us\n200\n300\n", "--column=1", "line 1: must be a number (got \"100us\")"},
                 {"\"100\"\n200\n300\n", "--column=1", "line 1: must be a number (got \"\"100\"\")"},
                 {"-x\n200\n300\n", "--column=1", "line 1: must be a number (got \"-x\")"},
                 {".\n200\n300\n", "--column=1", "line 1: must be a number (got \".\")"},
                 {"time\ntime\n300\n", "--column=1", "line 2: must be a number (got \"time\")"},
                 {"1e305\n1\n1\n", "--unit=s", "line 1: a time is finite and not negative (got 1e305)"},
                 {"-1\n1\n1\n", "--unit=s", "line 1: a time is finite and not negative (got -1)"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        put_file("lost.txt", cases[i].text);
        expect(2, call("gpurt-calib worst lost.txt %s", cases[i].options));
        expect_part(err, cases[i].error);
    }
    expect(0, call("printf '100\\n200\\n\\000300\\n' > lost.txt"));
    expect(2, call("gpurt-calib worst lost.txt"));
    expect_part(err, "lost.txt: line 3: has a zero byte: this is no text");
    put_file("mark.txt", "\xEF\xBB\xBF"
                         "100\n200\n300\n");
    static const char *const options[] = {"", "--column=1"};
    for (size_t i = 0; i < 2; i++) {
        expect(0, call("gpurt-calib worst mark.txt %s", options[i]));
        expect_part(out, "mark.txt: 3 runs, 100ns to 300ns");
    }
    put_file("mark.txt", "\xEF\xBB\xBF"
                         "time\n200\n300\n");
    expect(0, call("gpurt-calib worst mark.txt --column=1"));
    expect_part(out, "mark.txt: 2 runs, 200ns to 300ns");
}

static void test_series_of_raw_files(void) {
    make_files();
    expect(0, call("gpurt-calib measure -o brief.jsonl --backend=sim --pretend=tx2 "
                   "--only=clock,worst --workloads=fma --samples=2 --worst-samples=20"));
    expect_part(err, "worst: kernels are measured beside fma, since triad");
    expect(0, call("gpurt-calib fit brief.jsonl --width=400"));
    expect_part(out, "3 of 3 series have fewer than 1000 runs");
    expect_part(out, "--only=clock,worst --workloads=fma --worst-samples=10000");
    expect(0, call("gpurt-calib measure -q --backend=sim --pretend=jetson-tx2 -o long.jsonl "
                   "--only=clock,worst --workloads=fma --samples=2 --worst-samples=1000"));
    expect(0, call("gpurt-calib worst long.jsonl --fail-on-refusal --json=all.json --pictures=p"));
    expect_part(out, "fma, 2 SMs, hot, beside nothing: 1000 runs, 93.6us to 93.6us");
    expect_part(out, "fma, 1 SMs, cold, beside fma: 1000 runs");
    CU_ASSERT_TRUE(exists("p/fma-2-cold-returns.svg") && exists("p/fma-1-cold-beside-fma-returns.svg"));
    expect(0, call("grep -c '\"series\":' all.json"));
    expect_text(out, "3\n");
    expect(0, call("gpurt-calib worst long.jsonl --workload=fma-2-hot --json=- | grep -c '\"series\":'"));
    expect_text(out, "1\n");
    expect(0, call("gpurt-calib worst long.jsonl --workload=fma --json=- | grep -c '\"series\":'"));
    expect_text(out, "3\n");
    expect(2, call("gpurt-calib worst long.jsonl --workload=fmaa"));
    expect_part(err, "long.jsonl: --workload: there is no series \"fmaa\"; there are fma-");
    expect(0, call("gpurt-calib worst two.csv --column=2"));
    expect_part(out, "two.csv: 2 runs, 100ns to 120ns");
    expect(0, call("gpurt-calib worst two.csv --column=all"));
    expect_part(out, "two.csv: 4 runs, 1ns to 120ns");
    expect(0, call("gpurt-calib worst head.csv --column=2 --unit=us"));
    expect_part(out, "head.csv: 2 runs, 100.5us to 120us");
    expect_text(err, "");
    expect(0, call("gpurt-calib worst head.csv --column=2"));
    expect_part(err, "note: the times are no whole numbers, and taken for ns: --unit says what else");
    expect(0, call("gpurt-calib worst seconds.txt --unit=s"));
    expect_part(out, "seconds.txt: 2 runs, 100us to 300us");
    expect(2, call("gpurt-calib worst long.jsonl --unit=us"));
    expect_part(err, "long.jsonl: --unit is for files of values, and this is a raw file");
    /* refused: three times are too few */
    expect(0, call("gpurt-calib worst times.txt"));
    expect(1, call("gpurt-calib worst times.txt --fail-on-refusal --json=three.json"));
    expect_part(out, "3 values are too few");
    expect_text(err, "");
    CU_ASSERT_TRUE(exists("three.json"));
    expect(0, call("gpurt-calib measure -q --replace --backend=sim --pretend=jetson-tx2 -o short.jsonl "
                   "--only=clock,worst --workloads=fma --samples=2 --worst-samples=20"));
    expect(0, call("gpurt-calib fit short.jsonl"));
    expect(1, call("gpurt-calib fit short.jsonl --fail-on-refusal --kernel-file=short.json"));
    CU_ASSERT_TRUE(exists("short.json"));
}

/* ---- what is written ---- */

/* No command writes over what it reads, by whatever name, nor twice into one file. */
static void test_same_files(void) {
    static const struct refused cases[] = {
        {"fit raw.jsonl --device-file=raw.jsonl",
         "fit: --device-file would overwrite the raw file 'raw.jsonl'"},
        {"fit raw.jsonl --kernel-file=./raw.jsonl",
         "fit: --kernel-file would overwrite the raw file 'raw.jsonl'"},
        {"fit raw.jsonl --json=link.jsonl", "fit: --json would overwrite the raw file 'raw.jsonl'"},
        {"fit raw.jsonl --device-file=a --kernel-file=a",
         "fit: --device-file and --kernel-file cannot both write 'a'"},
        {"fit raw.jsonl --device-file=a --json=./a", "fit: --device-file and --json cannot both write 'a'"},
        {"fit raw.jsonl --kernel-file=a -j a", "fit: --kernel-file and --json cannot both write 'a'"},
        {"fit raw.jsonl --kernel-file=- -j -", "fit: --kernel-file and --json cannot both write '-'"},
        {"report raw.jsonl -o raw.jsonl", "report: --output would overwrite the raw file 'raw.jsonl'"},
        {"worst times.txt -j times.txt", "worst: --json would overwrite the file of values 'times.txt'"},
        {"trace scenario.json --backend=sim -o scenario.json",
         "trace: --output would overwrite the scenario"},
        {"trace scenario.json --backend=sim --pretend=small.json -o small.json",
         "trace: --output would overwrite the pretended device 'small.json'"},
        {"validate scenario.json run.trace --json=scenario.json",
         "validate: --json would overwrite the scenario"},
        {"validate scenario.json run.trace --json=run.trace",
         "validate: --json would overwrite the trace 'run.trace'"},
        {"validate scenario.json run.trace --picture=run.trace",
         "validate: --picture would overwrite the trace"},
        {"validate scenario.json run.trace --picture=a.svg --json=a.svg",
         "validate: --json and --picture cannot both write 'a.svg'"},
        {"measure --backend=sim --pretend=small.json --replace -o small.json",
         "measure: --output would overwrite the pretended device 'small.json'"},
        {"measure --kernel=mine.ptx --entry=k --blocks=1 --replace -o mine.ptx",
         "measure: --output would overwrite the kernel 'mine.ptx'"},
        {"import nsys run.trace --out=run.trace", "import: --out would overwrite the profile 'run.trace'"},
    };
    make_files();
    call("ln -s raw.jsonl link.jsonl; mkdir kept; cp *.json *.jsonl *.txt *.trace *.ptx kept");
    refuse(cases, sizeof cases / sizeof cases[0]);
    expect(0, call("for f in *.json *.jsonl *.txt *.trace *.ptx; do cmp $f kept/$f || exit 1; done"));
    CU_ASSERT_FALSE(exists("a") || exists("a.svg"));
}

/* A measurement is not thrown away unless that is said. */
static void test_replace(void) {
    make_files();
    call("cp raw.jsonl kept.jsonl");
    expect(1, call(MEASURE " -o raw.jsonl"));
    expect_part(err, "gpurt-calib: raw.jsonl: is there already, and measurements are not thrown away");
    expect(0, call("cmp raw.jsonl kept.jsonl && " MEASURE " -o raw.jsonl --replace --seed=7"));
    expect(1, call("cmp -s raw.jsonl kept.jsonl"));
    expect(0, call(MEASURE " -o - > piped.jsonl && gpurt-calib fit - < piped.jsonl"));
    expect_part(out, "copy_latency");
}

static void test_full_disk(void) {
    static const char *const cases[] = {
        (MEASURE " -o /dev/full"),
        "gpurt-calib fit raw.jsonl > /dev/full",
        "gpurt-calib fit raw.jsonl --device-file=/dev/full",
        "gpurt-calib fit raw.jsonl --json=/dev/full",
        "gpurt-calib report raw.jsonl > /dev/full",
        "gpurt-calib report raw.jsonl -o /dev/full",
        "gpurt-calib trace scenario.json --backend=sim -o /dev/full",
        "gpurt-calib validate scenario.json run.trace > /dev/full",
        "gpurt-calib validate scenario.json run.trace --json=/dev/full",
        "gpurt-calib list --backend=sim > /dev/full",
    };
    make_files();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect(1, call("%s", cases[i]));
        expect_part(err, "No space left on device");
    }
    /* The last line that fits is whole. */
    expect(1, call("ulimit -f 8; " MEASURE " -o cut.jsonl"));
    expect_part(err, "cut.jsonl: cannot be written: File too large; it ends with the last whole line before");
    expect(0, call("gpurt-calib fit cut.jsonl && [ \"$(tail -c 1 cut.jsonl)\" = '' ]"));
    expect_part(out, "the measurement did not come to its end");
}

static void test_no_folder(void) {
    static const char *const cases[] = {
        (MEASURE " -o none/a"),
        "gpurt-calib fit raw.jsonl --device-file=none/a",
        "gpurt-calib fit raw.jsonl --json=none/a",
        "gpurt-calib report raw.jsonl -o none/a",
        "gpurt-calib report raw.jsonl -o page.md --pictures=none/a",
        "gpurt-calib trace scenario.json --backend=sim -o none/a",
        "gpurt-calib validate scenario.json run.trace --json=none/a",
        "gpurt-calib validate scenario.json run.trace --picture=none/a.svg",
    };
    make_files();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect(1, call("%s", cases[i]));
        expect_part(err, "gpurt-calib: none/a");
        expect_part(err, "No such file or directory");
    }
    CU_ASSERT_FALSE(exists("none"));
}

/* Who reads no further has what it wants. */
static void test_closed_pipes(void) {
    static const char *const cases[] = {"fit raw.jsonl", "report raw.jsonl", "list --backend=sim",
                                        "fit raw.jsonl -j -", "validate scenario.json run.trace"};
    make_files();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        call("{ gpurt-calib %s; echo $? >code; } | true; cat code", cases[i]);
        CU_ASSERT(strcmp(out, "0\n") == 0 || strcmp(out, "1\n") == 0); /* no signal */
        expect_text(err, "");
    }
}

/* ---- pages ---- */

static void test_pages(void) {
    make_files();
    expect(0, call("gpurt-calib report raw.jsonl -o page.md && grep -c pictures page.md || true"));
    expect_text(out, "0\n");
    expect(1, call("gpurt-calib report raw.jsonl -o page.md --pictures=small.json"));
    expect_part(err, "gpurt-calib: small.json: cannot draw pictures there: Not a directory\n");
    /* Without gnuplot the page is whole, has no pictures, and somebody is told. */
    expect(1, call("mkdir none; ln -s '" GRT_CALIB_PROGRAM
                   "' none; rm page.md; PATH=$PWD/none gpurt-calib report "
                   "raw.jsonl -o page.md --pictures=pictures"));
    expect_text(err,
                "gpurt-calib: gnuplot is not installed here, or not in PATH: install it, or have the picture "
                "drawn elsewhere\n");
    expect(1, call("grep -q '](pictures' page.md"));
    expect(0, call("gpurt-calib report raw.jsonl -o plain.md && cmp plain.md page.md"));
}

/* By their fingerprints: those that sha256sum prints, too, where it is there. */
static void test_files_of_a_page(void) {
    make_files();
    expect(0, call("gpurt-calib fit raw.jsonl --device-file=mine.json | tail -2"));
    CU_ASSERT_EQUAL(strncmp(out, "Files:\nmine.json: ", 18), 0);
    expect(0,
           call("cp mine.json other.json; sed -i 's/\"copy_latency\":\t\"[0-9]*/&1/' other.json; "
                "mkdir -p apart; cp raw.jsonl apart; "
                "gpurt-calib report apart/raw.jsonl --file=mine.json --file=other.json --file=times.txt > "
                "page.md; cmp -s mine.json other.json || grep '^| [a-z/]*[.][a-z]* | [0-9]* | `' page.md"));
    expect_part(out, "` | the samples |\n| mine.json | ");
    expect_part(out, "` | what `fit` writes of this raw file |\n| other.json | ");
    expect_part(out, "` | **not** what `fit` writes of this raw file: it was changed, ");
    expect_part(out, "\n| times.txt | 11 | `");
    expect(0,
           call("command -v sha256sum > /dev/null || exit 0; for f in apart/raw.jsonl mine.json times.txt; "
                "do grep -q \"^| $f | .*$(sha256sum < $f | cut -c1-64)\" page.md || exit 1; done"));
    expect(1, call("gpurt-calib report raw.jsonl -o page.md --file=none.json"));
    expect_text(err, "gpurt-calib: none.json: cannot be read: No such file or directory\n");
}

int main(void) {
    CU_TestInfo tests[] = {{"help", test_help},
                           {"back ends", test_backends},
                           {"misuse", test_misuse},
                           {"inputs", test_inputs},
                           {"files of other commands", test_files_of_other_commands},
                           {"columns", test_columns},
                           {"series of raw files", test_series_of_raw_files},
                           {"same files", test_same_files},
                           {"replace", test_replace},
                           {"full disk", test_full_disk},
                           {"no folder", test_no_folder},
                           {"closed pipes", test_closed_pipes},
                           {"pages", test_pages},
                           {"files of a page", test_files_of_a_page},
                           CU_TEST_INFO_NULL};
    return grt_suite_run("calib_program", tests);
}
