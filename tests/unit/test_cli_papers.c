/* labels: robustness */
/* `gpurt papers` as its users call it, on a library of the test's own. */
#include <stdbool.h>
#include <stdio.h>

#include "tests/support/program.h"
#include "tests/support/suite.h"

#ifndef GRT_PROGRAM
#error "tests of the program need the program: GRT_PROGRAM is its path"
#endif

/* Light sets, which all pass: what is published of them is right, or wrong. */
#define EXPERIMENT(name, published)                                                                          \
    "{\"gpurt_experiment\": 1, \"name\": \"" name                                                            \
    "\", \"title\": \"Light_sets\", \"source\": \"nobody\", \"samples\": 40,"                                \
    "\"generator\": {\"name\": \"independent\", \"tasks\": 2, \"utilisation\": 0.01},"                       \
    "\"platform\": {\"gpus\": [{\"device\": \"exclusive\"}]},"                                               \
    "\"axes\": [{\"name\": \"tasks\", \"path\": \"generator.tasks\", \"values\": [2, 3]}],"                  \
    "\"evaluations\": [{\"name\": \"edf\", \"kind\": \"analysis\", \"policy\": {\"name\": \"np-edf\"}},"     \
    "{\"name\": \"rm\", \"kind\": \"analysis\", \"policy\": {\"name\": \"np-rm\"}}]," published "}"

/* Which nobody published. */
#define RECALCULATED                                                                                         \
    ", {\"evaluation\": \"edf\", \"value\": 1, \"from\": \"recalculation\", \"source\": \"by hand\"}, "      \
    "{\"evaluation\": \"rm\", \"value\": 1, \"from\": \"recalculation\"}, "                                  \
    "{\"evaluation\": \"rm\", \"value\": 1, \"from\": \"recalculation\"}"

#define VALUES                                                                                               \
    "\"published\": [{\"at\": {\"tasks\": 2}, \"evaluation\": \"edf\", \"measure\": \"ratio\", \"value\": "  \
    "1, "                                                                                                    \
    "\"samples\": 40, \"source\": \"here\"}, {\"at\": {\"tasks\": 3}, \"evaluation\": \"rm\", \"measure\": " \
    "\"ratio\", \"value\": 0.2, \"source\": \"there\", \"note\": \"invented\"}" RECALCULATED "],"            \
    "\"claims\": [{\"text\": \"rm is not better\", \"measure\": \"ratio\", \"order\": [\"edf\", \"rm\"], "   \
    "\"everywhere\": true, \"source\": \"here\"}, {\"text\": \"rm is far better\", \"measure\": \"ratio\", " \
    "\"order\": [\"rm\", \"edf\"], \"margin\": 0.5, \"everywhere\": true, \"source\": \"there\"}]"

static void put_library(void) {
    call("mkdir -p lib/papers/one/experiments lib/papers/two lib/experiments bad/experiments");
    put_file("lib/papers/one/experiments/figure-2.json", EXPERIMENT("light-2", VALUES));
    put_file("lib/papers/one/experiments/figure-10.json",
             EXPERIMENT("light-10", "\"description\": \"none\""));
    put_file("lib/experiments/mine.json", EXPERIMENT("mine", "\"description\": \"none\""));
    put_file("lib/experiments/README.md", "no experiment");
    put_file("bad/experiments/good.json", EXPERIMENT("good", "\"description\": \"none\""));
    put_file("bad/experiments/bad.json", "{\"gpurt_experiment\": 1");
}

static void library_is_listed(void) {
    expect(0, call("gpurt papers --list --library lib --width 120"));
    const char *second = strstr(out, "light-2"), *tenth = strstr(out, "light-10"),
               *mine = strstr(out, "mine");
    CU_ASSERT_TRUE(second != NULL && second < tenth && tenth < mine);
    expect_part(out, "Light_sets");
    expect(
        0,
        call("gpurt papers --list light-2 --library lib --ascii --width 200 | tr -s ' -' | sed 's/ *$//'"));
    expect_text(out, "name paper title points samples published recalculated claims\n-\nlight-2 one "
                     "Light_sets 2 40 2 3 2\n");
    expect(0, call("GPURT_LIBRARY=lib gpurt papers --list --width 120 | grep -c light"));
    expect_text(out, "2\n");
    expect(0, call("gpurt papers --list mine --library lib | grep -c light; true"));
    expect_text(out, "0\n");
}

static void values_stand_side_by_side(void) {
    expect(0, call("gpurt papers light-2 --library lib --ascii --width 120"));
    expect_part(out, "light-2: Light_sets\nnobody\n2 points, 40 task sets each");
    expect_part(out, "said by  ");
    expect_part(out, "recalculation  1.0000");
    expect_part(out, "1 of 2 published values agree, 3 of 3 that were recalculated apart from gpurt.");
    expect_part(out, "Note: invented");
    expect_part(out, "Claim: rm is not better (here)\n  holds.");
    expect_part(out, "does not hold: off by 0.5000 at tasks = ");
    expect_part(out, "1 of 2 claims hold.");
}

static void papers_are_run_whole(void) {
    expect(0, call("gpurt papers one --library lib --samples 3 | grep -c 'in full: 40'"));
    expect_text(out, "2\n");
    expect(0, call("gpurt papers --all --library lib | grep -c 'points, 40'"));
    expect_text(out, "3\n");
}

static void files_are_written(void) {
    call("mkdir -p pages/pictures");
    expect(0, call("gpurt papers light-2 --library lib --json a.json --markdown pages/p.md && gpurt papers "
                   "light-2 --library lib "
                   "--threads 2 --json b.json --markdown pages/q.md && cmp a.json b.json && for p in p q; do "
                   "grep -v Written "
                   "pages/$p.md > $p.txt; done; cmp p.txt q.txt"));
    expect(0, call("cat pages/p.md"));
    expect_part(out, "| published values that agree | recalculated ones | claims that hold |\n");
    expect_part(out, "| [light-2](#light-2) | Light\\_sets | 1 of 2 | 3 of 3 | 1 of 2 |\n");
    expect_part(
        out,
        "| tasks = 2 | edf | ratio | paper | 1.0000 | 1.0000 | 0.9124 to 1.0000 | 0.0000 | yes | here |\n");
    expect_part(out, "| all points | edf | ratio | recalculation | 1.0000 | ");
    expect_part(out, "| **no** | there; invented |\n");
    expect_part(out, "- rm is not better (here): holds.\n");
    expect_part(out, "- rm is far better (there): **does not hold: off by 0.5000");
    expect(0, call("gpurt papers light-2 --library lib --json - | grep -c '\"agrees\"'"));
    expect_text(out, "5\n");
    expect(0, call("gpurt papers light-2 --library lib --json - | tr -d '\\n\\t ' | grep -o "
                   "'\"from\":[^,]*,\"source\":[^,]*,\"value\":[^,]*,\"simulated'"));
#define SAID(from, source, value)                                                                            \
    "\"from\":\"" from "\",\"source\":\"" source "\",\"value\":" value ",\"simulated\n"
    expect_text(out,
                SAID("paper", "here", "1") SAID("paper", "there", "0.2") SAID("recalculation", "byhand", "1")
                    SAID("recalculation", "", "1") SAID("recalculation", "", "1"));
}

/* The page says how it was called, and what its experiments lack. */
static void page_says_what_was_run(void) {
    expect(0, call("gpurt papers light-2 --library lib --markdown -"));
    expect_part(out, "\nWritten by `gpurt papers light-2 --library lib --markdown -`. A published value");
    expect_part(out, "**: nobody. 2 points of 40 task sets.\n");
    CU_ASSERT_PTR_NULL(strstr(out, "Drawn with"));
    expect(0, call("gpurt papers light-2 --samples=40 --library 'lib' --threads 1 --markdown -"));
    expect_part(out,
                "\nWritten by `gpurt papers light-2 --samples=40 --library lib --threads 1 --markdown -`.");
    CU_ASSERT_PTR_NULL(strstr(out, "Drawn with"));
    call("ln -sf lib \"it's a \\`lib\"");
    expect(0, call("gpurt papers one mine --library \"it's a \\`lib\" --samples 4 --markdown -"));
    expect_part(
        out,
        "\nWritten by `` gpurt papers one mine --library 'it'\\''s a `lib' --samples 4 --markdown - ``. ");
    expect_part(out, "**Drawn with 4 task sets a point**, where experiments have more, as 3 of these 3 do: ");
    expect_part(out, "**: nobody. 2 points of 4 task sets (in full: 40).\n");
    CU_ASSERT_PTR_NULL(strstr(out, "trained quickly"));
}

/* Fewer sets mean quick training, and so does the option alone; else networks are trained as the files say. */
static void quick_training_is_said(void) {
    static const struct {
        const char *options;
        bool quick;
    } cases[] = {{"", false}, {"--samples 40", false}, {"--samples 39", true}, {"--quick-training", true}};
    call("mkdir -p trained/experiments");
    put_file("trained/experiments/full.json", EXPERIMENT("full", "\"train\": \"full\""));
    put_file("trained/experiments/none.json", EXPERIMENT("none", "\"description\": \"none\""));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect(0, call("gpurt papers --all --library trained %s --json t.json --markdown t.md; cat t.md",
                       cases[i].options));
        const char *section = strstr(out, "## full"), *next = strstr(out, "## none");
        CU_ASSERT_FATAL(section != NULL && next != NULL);
        const char *said = strstr(section, ", networks trained quickly."),
                   *head = strstr(out, "trained quickly**, with fewer "
                                       "samples than the experiments say, in 1 of these 2.");
        CU_ASSERT_EQUAL(said != NULL && said < next, cases[i].quick);
        CU_ASSERT_EQUAL(head != NULL && head < section, cases[i].quick);
        CU_ASSERT_PTR_NULL(strstr(next, "trained quickly"));
        expect(cases[i].quick ? 0 : 1, call("grep '\"quickly_trained\":[[:space:]]*true' t.json"));
    }
}

/* Names of experiments are no paths, and no two pictures are one. */
static void pictures_stay_in_their_folder(void) {
    if (system("command -v gnuplot > /dev/null") != 0) {
        puts("\n    gnuplot is not here: no picture is drawn");
        return;
    }
    call("rm -rf named; mkdir -p named/experiments named/out");
    put_file("named/experiments/a.json", EXPERIMENT("up (and) away", "\"description\": \"none\""));
    expect(0, call("gpurt papers --all --library named --pictures named/out --markdown named/p.md; ls named "
                   "named/out; grep '!' named/p.md"));
    expect_part(out, "named:\nexperiments\nout\np.md\n\nnamed/out:\nup--and--away.svg\n!");
    expect_part(out, "](out/up--and--away.svg)");
    put_file("named/experiments/b.json", EXPERIMENT("up {and} away", "\"description\": \"none\""));
    expect(1, call("gpurt papers --all --library named --pictures named/out"));
    expect_text(err, "gpurt: named/experiments/b.json: its picture would replace that of another experiment: "
                     "both are up--and--away.svg\n");
    put_file("named/experiments/b.json", EXPERIMENT("../up", "\"description\": \"none\""));
    expect(1, call("gpurt papers --all --library named --pictures named/out"));
    expect_part(err, "gpurt: named/experiments/b.json: name: must do as the name of a file");
}

static void pictures_are_drawn(void) {
    if (system("command -v gnuplot > /dev/null") != 0) {
        puts("\n    gnuplot is not here: no picture is drawn");
        return;
    }
    expect(0, call("gpurt papers light-2 --library lib --pictures pages/pictures --markdown pages/p.md && "
                   "grep -c '</svg>' "
                   "pages/pictures/light-2.svg && grep '!' pages/p.md"));
    expect_text(strstr(out, "1\n!"), "1\n![light-2](pictures/light-2.svg)\n");
    expect(1, call("gpurt papers light-2 --library lib --pictures nowhere/deep"));
    expect_part(err, "nowhere/deep: cannot draw pictures there: No such file or directory");
    expect(
        0,
        call("rm -rf new && gpurt papers light-2 --library lib --pictures new && test -s new/light-2.svg"));
}

/* What cannot be written is said before anything is run; a folder for pictures is made. */
static void outputs_are_opened_first(void) {
    expect(1, call("gpurt papers light-2 --library lib --json nowhere/a.json"));
    expect_part(err, "nowhere/a.json: cannot");
    expect_text(out, "");
    expect(1, call("touch file && gpurt papers light-2 --library lib --pictures file"));
    expect_part(err, "file: cannot draw pictures there: Not a directory");
    expect_text(out, "");
    expect(1, call("gpurt papers light-2 --library lib --markdown /dev/full"));
    expect_part(err, "/dev/full: cannot");
}

static void wrong_calls_are_refused(void) {
    expect(2, call("gpurt papers"));
    expect_part(err, "needs names of experiments or papers, --all or --list");
    expect(2, call("gpurt papers light-3 --library lib"));
    expect_part(err, "there is no experiment or paper \"light-3\" (did you mean \"light-2\"?)");
    expect(2, call("gpurt papers --all mine --library lib"));
    expect_part(err, "--all has all experiments");
    expect(2, call("gpurt papers --list --json x --library lib"));
    expect_part(err, "--list runs nothing");
    expect(2, call("gpurt papers --all --library nowhere"));
    expect_part(err, "--library: nowhere is no folder");
    expect(2, call("GPURT_LIBRARY=nowhere gpurt papers --all"));
    expect_part(err, "GPURT_LIBRARY: nowhere is no folder");
    expect(2, call("gpurt papers --all --library pages"));
    expect_part(err, "pages has no experiments");
    expect(2, call("gpurt papers --all --library lib --samples 1.5"));
    expect_part(err, "--samples: must be a whole number from 1 to 100000000 (got '1.5')");
    expect(2, call("gpurt papers --all --library lib --samples 0"));
    expect_part(err, "--samples");
}

static void bad_files_are_failures(void) {
    call("rm -f p.md");
    expect(1, call("gpurt papers --all --library bad --markdown p.md"));
    expect_part(err, "bad/experiments/bad.json: ");
    expect_part(out, "good: Light_sets"); /* the others are run all the same */
    CU_ASSERT_FALSE(exists("p.md"));
    expect(0, call("gpurt papers good --library bad"));
    expect(2, call("gpurt papers other --library bad"));
    expect_part(err, "1 file of the library could not be read");
    expect(1, call("gpurt papers light-2 --library lib --markdown nowhere/p.md"));
    expect_part(err, "nowhere/p.md: cannot create");
}

int main(void) {
    put_library();
    CU_TestInfo tests[] = {{"library is listed", library_is_listed},
                           {"values stand side by side", values_stand_side_by_side},
                           {"papers are run whole", papers_are_run_whole},
                           {"files are written", files_are_written},
                           {"page says what was run", page_says_what_was_run},
                           {"quick training is said", quick_training_is_said},
                           {"pictures are drawn", pictures_are_drawn},
                           {"pictures stay in their folder", pictures_stay_in_their_folder},
                           {"outputs are opened first", outputs_are_opened_first},
                           {"wrong calls are refused", wrong_calls_are_refused},
                           {"bad files are failures", bad_files_are_failures},
                           CU_TEST_INFO_NULL};
    return grt_suite_run("cli_papers", tests);
}
