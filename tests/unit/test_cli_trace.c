/* labels: robustness soak */
/* gpurt import and gpurt show as their users call them. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/random.h"
#include "tests/support/program.h"
#include "tests/support/suite.h"

#ifndef GRT_PROGRAM
#error "tests of the program need the program: GRT_PROGRAM is its path"
#endif

#define RESULTS GRT_SOURCE_DIR "/tests/examiner/two-tasks"
#define BAD GRT_SOURCE_DIR "/tests/reject/examiner/"

/* ---- Import ---- */

static const char summary[] =
    "Two tasks: 2 tasks, 3 jobs, 5 kernels, 12 blocks on 2 SMs of 2048 threads; 0 is 1.25001s of the files\n";

static void test_import(void) {
    expect(0, call("gpurt import '" RESULTS "' --trace folder.trace"));
    expect_text(out, summary);
    expect_text(err, "");
    expect(0,
           call("gpurt import '" RESULTS "/camera_0.json' '" RESULTS "/planner_10.json' --trace files.trace "
                "-q && cmp folder.trace files.trace"));
    expect_text(out, "");
    expect(0, call("gpurt import '" RESULTS "' --trace - > piped.trace && cmp folder.trace piped.trace"));
    expect(0, call("gpurt import - --trace one.trace < '" RESULTS "/camera_0.json'"));
    expect_text(out,
                "Two tasks: 1 task, 2 jobs, 3 kernels, 9 blocks on 2 SMs of 2048 threads; 0 is 1.25001s of "
                "the files\n");
    expect(0, call("gpurt import '" RESULTS "' --trace file.trace --zero=file --sm-threads=2048"));
    expect_text(out,
                "Two tasks: 2 tasks, 3 jobs, 5 kernels, 12 blocks on 2 SMs of 2048 threads; 0 is 0s of the "
                "files\n");
    expect(0, call("gpurt show file.trace --table | head -1"));
    expect_text(out, "Two tasks, measured: 1.25001s to 1.2536s, 40 records\n");
}

/* Numbers in names count as numbers; other files of a folder are not read. */
static void test_order(void) {
    expect(
        0,
        call("rm -rf many && mkdir many && for i in 10 9 2 1; do sed s/camera/c$i/ '" RESULTS
             "/camera_0.json' > many/run_$i.json; done; echo x > many/notes.txt; echo x > many/.x.json\n"
             "gpurt import many -q --trace many.trace && gpurt show many.trace --table | grep -o '^c[0-9]*' "
             "| head -4 | tr '\\n' ' '"));
    expect_text(out, "c1 c2 c9 c10 ");
}

static void test_several_experiments(void) {
    expect(0, call("rm -rf two && mkdir two && cp '" RESULTS "/camera_0.json' two/a.json && "
                   "sed 's/Two tasks/Other/' '" RESULTS "/planner_10.json' > two/b.json"));
    expect(2, call("gpurt import two --trace two.trace"));
    expect_text(err,
                "gpurt: two/b.json: is of the experiment \"Other\", but two/a.json of \"Two tasks\": import "
                "one at a time\n");
    expect(0, call("gpurt import two --scenario Other --trace two.trace"));
    expect_text(out,
                "Other: 1 task, 1 job, 2 kernels, 3 blocks on 2 SMs of 2048 threads; 0 is 1.25002s of the "
                "files\n");
    expect(2, call("gpurt import two --scenario None --trace none.trace"));
    expect_text(err, "gpurt: no file is of the experiment \"None\"\n");
    CU_ASSERT_FALSE(exists("none.trace"));
}

/* All errors of all files, and nothing is written. */
static void test_bad_files(void) {
    expect(2, call("echo old > bad.trace; gpurt import '" BAD "smid-huge.json' nothing.json '" BAD
                   "launch-two.json' '" RESULTS "' --trace bad.trace"));
    expect_text(err, "gpurt: " BAD
                     "smid-huge.json: times[2].block_smids[0]: must be a whole number of 0 to 4095 (got "
                     "4096)\n"
                     "gpurt: nothing.json: cannot be opened: No such file or directory\n"
                     "gpurt: " BAD
                     "launch-two.json: times[2].cuda_launch_times: must be a list of times, before and after "
                     "the launch and after the synchronisation: 3, not 2\n");
    expect(0, call("cat bad.trace"));
    expect_text(out, "old\n");
    expect(2, call("mkdir -p empty; gpurt import empty --trace new.trace"));
    expect_text(err, "gpurt: empty: has no file that ends in .json\n");
    expect(2, call("gpurt import - --trace new.trace < '" BAD "cut-off.json'"));
    expect_text(err, "gpurt: standard input: 5:128: the text ends too early\n");
    CU_ASSERT_FALSE(exists("new.trace"));
    expect(2,
           call("rm -rf own; mkdir own; cp '" RESULTS "/camera_0.json' own; ln own/camera_0.json link.json\n"
                "gpurt import own --trace link.json"));
    expect_text(err, "gpurt: --trace would overwrite the result own/camera_0.json\n");
    expect(0, call("cmp link.json '" RESULTS "/camera_0.json'; rm link.json"));
    expect(1, call("gpurt import '" RESULTS "' --trace nowhere/new.trace"));
    expect(1, call("gpurt import '" RESULTS "' --trace /dev/full"));
    expect_text(err, "gpurt: /dev/full: cannot write: No space left on device\n");
}

static void test_misuse(void) {
    static const struct {
        const char *arguments, *said;
    } cases[] = {
        {"import --trace x", "gpurt import: needs result files, or a folder of them"},
        {"import a.json", "gpurt import: needs --trace FILE, the trace to write"},
        {"import a --trace x --trace y", "gpurt import: --trace was given twice"},
        {"import a --trace x --zero=now", "gpurt import: --zero must be release or file (got 'now')"},
        {"import a --trace x --sm-threads=0",
         "gpurt import: --sm-threads must be a number of 1 to 4096 (got '0')"},
        {"import a --trace x --sm-threads=9z",
         "gpurt import: --sm-threads must be a number of 1 to 4096 (got '9z')"},
        {"show", "gpurt show: needs a trace file"},
        {"show a b", "gpurt show: one trace at a time (got 'a' and 'b')"},
        {"show " GRT_SOURCE_DIR "/scenarios/quickstart.json",
         "gpurt: " GRT_SOURCE_DIR "/scenarios/quickstart.json: this is a scenario; `gpurt run` simulates it"},
        {"show a --gantt --gantt=1ms,2ms", "gpurt show: --gantt was given twice"},
        {"show a --gantt=2ms,1ms", "gpurt show: --gantt must end after it begins (got '2ms,1ms')"},
        {"show a --tabel", "gpurt show: unknown option '--tabel' (did you mean '--table'?)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect(2, call("gpurt %s", cases[i].arguments));
        err[strcspn(err, "\n")] = '\0';
        expect_text(err, cases[i].said);
    }
}

/* ---- Show ---- */

static void test_show_measured(void) {
    expect(0, call("gpurt import '" RESULTS
                   "' --trace measured.trace -q; gpurt show measured.trace --width=90"));
    expect_text(out, "Two tasks, measured: 0s to 3.59ms, 40 records\n"
                     "no deadline came up\n"
                     "\n"
                     "task     released  met  missed  aborted  deadline ms\n"
                     "────────────────────────────────────────────────────\n"
                     "camera          2    -       -        0            -\n"
                     "planner         1    -       -        0            -\n"
                     "\n"
                     "         response                                                  worst\n"
                     "task       min ms  mean ms  p50 ms  p95 ms  p99 ms  max ms  tardiness ms\n"
                     "────────────────────────────────────────────────────────────────────────\n"
                     "camera      1.150    1.660   1.150   2.170   2.170   2.170             -\n"
                     "planner     2.580    2.580   2.580   2.580   2.580   2.580             -\n"
                     "\n"
                     "resource           busy  share\n"
                     "──────────────────────────────\n"
                     "cpu 1           2.556ms  71.2%\n"
                     "cpu 3           185.2us   5.2%\n"
                     "SMs, mean of 2  3.339ms  93.0%\n"
                     "\n"
                     "                            first block to last\n"
                     "kernel   task     launches               min ms  mean ms  p50 ms  p99 ms  max ms\n"
                     "────────────────────────────────────────────────────────────────────────────────\n"
                     "edges    camera          2                1.000    1.000   1.000   1.000   1.000\n"
                     "corners  camera          1                0.999    0.999   0.999   0.999   0.999\n"
                     "walk     planner         1                1.500    1.500   1.500   1.500   1.500\n"
                     "walk     planner         1                1.500    1.500   1.500   1.500   1.500\n"
                     "\n"
                     "Two tasks, measured: 0s to 3.59ms, a column is 50us\n"
                     "       us  0         500       1000      1500      2000      2500      3000      3500\n"
                     "           ┬─────────┬─────────┬─────────┬─────────┬─────────┬─────────┬─────────┬─\n"
                     "           ↑         ┊         ┊         ┊         ┊  ↑      ┊         ┊         ┊\n"
                     "A camera   ━████████████████████━████████████████████━━━████████████████████━━   ┊\n"
                     "           ┊         ┊         ↑         ┊         ┊         ┊         ┊         ┊\n"
                     "B planner  ┊         ┊         ━███████████████████████████████████████████████████\n"
                     "           ┊         ┊         ┊         ┊         ┊         ┊         ┊         ┊\n"
                     "cpu 1      ┊         ┊         BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB\n"
                     "cpu 3      A         ┊         ┊A        ┊         ┊AAAA     ┊         ┊    AA   ┊\n"
                     "SM 0       ┊▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▃▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▃▁▁▁▁▁▁▁\n"
                     "           ┊AAAAAAAAAAAAAAAAAAAABBBBBBBBBBBBBBBBBBBBBBBAAAAAAAAAAAAAAAAAAAAABBBBBBB\n"
                     "SM 1       ┊▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▂▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▄▁▁▃▅▅▅▅▅▅▄▄▄▄▄▄▄▄▄▄▄▄▄▂     ┊\n"
                     "           ┊AAAAAAAAAAAAAAAAAAAABAAAAAAAAAAAAAAAAAAAABBAAAAAAAAAAAAAAAAAAAAA     ┊\n"
                     "↑ release  ━ on a core  █ kernel  ▁ to █ share of the SM's threads\n");
    expect(0, call("gpurt show measured.trace > all; { gpurt show measured.trace --table; echo; gpurt show "
                   "measured.trace --gantt; } | cmp all"));
    expect(0, call("gpurt show - --gantt=1ms,2ms --ascii < measured.trace | head -1"));
    expect_text(out, "Two tasks, measured: 1ms to 2ms, a column is 12.5us\n");
    expect(0, call("gpurt show measured.trace --gantt=1s,2s"));
    expect_text(err, "gpurt: no Gantt chart: the trace ends at 3.59ms\n");
}

/* A chart of a long trace is one of its beginning, and says so. */
static void test_show_long(void) {
    expect(0,
           call("gpurt run '" GRT_SOURCE_DIR "/scenarios/quickstart.json' -q --trace long.trace; gpurt show "
                "long.trace --gantt | sed -n '1p;$p'"));
    expect_text(out, "quickstart: 0s to 300ms, a column is 4ms\n"
                     "the trace goes on to 1.991981829s: see --gantt=FROM,TO\n");
    expect(0,
           call("gpurt run '" GRT_SOURCE_DIR "/scenarios/quickstart.json' -q --gantt=320ms,360ms > run.txt; "
                "gpurt show long.trace --gantt=320ms,360ms | cmp - run.txt"));
}

/* ---- Bad traces ---- */

static void test_no_traces(void) {
    expect(2, call("gpurt show nothing"));
    expect_text(err, "gpurt: nothing: cannot open: No such file or directory\n");
    expect(2, call("gpurt show ''"));
    expect_text(err, "gpurt: \"\": cannot open: No such file or directory\n");
    expect(2, call("gpurt show - < /dev/null"));
    expect_text(err, "gpurt: standard input: is empty, not a gpurt trace\n");
    expect(2, call("rm -f pipe; mkfifo pipe; echo '{}' > pipe & timeout 10 gpurt show pipe"));
    expect_text(err, "gpurt: pipe: is not a gpurt trace (it does not begin with \"GPURTTRC\")\n");
    expect(2, call("gpurt show '" RESULTS "/camera_0.json'"));
    expect_text(err, "gpurt: " RESULTS
                     "/camera_0.json: is not a gpurt trace (it does not begin with \"GPURTTRC\")\n");
    expect(0, call("gpurt import '" RESULTS
                   "' -q --trace t; head -c $(($(stat -c %%s t) - 33)) t > cut; gpurt show "
                   "cut --table | head -2"));
    expect_text(out,
                "Two tasks, measured: 0s to 3.56ms, 38 records\nthe file was cut short: what came later is "
                "missing\n");
    expect(0, call("head -c $(($(stat -c %%s t) - 40 * 32)) t > none; gpurt show none"));
    CU_ASSERT_EQUAL(strncmp(out, "Two tasks, measured: nothing happened\nno deadline came up\n", 57), 0);
}

static size_t read_bytes(const char *path, char *bytes, size_t size) {
    FILE *file = fopen(path, "rb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    size = fread(bytes, 1, size, file);
    fclose(file);
    return size;
}

/* Changed bytes anywhere: refused, or shown. Names and times may then be anything. */
static void test_changed_bytes(void) {
    expect(0, call("gpurt import '" RESULTS "' -q --trace good"));
    static char good[1 << 14], bad[1 << 14];
    size_t size = read_bytes(SCRATCH "good", good, sizeof good);
    struct grt_random random = grt_random_stream(1, "changed traces", 0, 0);
    int refused = 0, rounds = grt_suite_cases(50, 5000);
    for (int round = 0; round < rounds; round++) {
        memcpy(bad, good, size);
        for (uint64_t i = grt_random_below(&random, 8) + 1; i > 0; i--) {
            size_t at = 32 + grt_random_below(&random, size - 32);
            bad[at] = (char)(grt_random_below(&random, 3) == 0 ? 0xff : grt_random_below(&random, 256));
        }
        FILE *file = fopen(SCRATCH "bad", "wb");
        CU_ASSERT_EQUAL(fwrite(bad, 1, size, file), size);
        fclose(file);
        int code = call("gpurt show bad");
        refused += code == 2;
        if (code != 0) {
            expect(2, code);
        }
    }
    CU_ASSERT(refused > 0 && refused < rounds);
}

static int make_folder(void) {
    mkdir(GRT_SCRATCH_DIR, 0777);
    return 0;
}

int main(void) {
    make_folder();
    CU_TestInfo tests[] = {
        {"import", test_import},
        {"order", test_order},
        {"several experiments", test_several_experiments},
        {"bad files", test_bad_files},
        {"misuse", test_misuse},
        {"show measured", test_show_measured},
        {"show long", test_show_long},
        {"no traces", test_no_traces},
        {"changed bytes", test_changed_bytes},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("cli trace", tests);
}
