/* labels: robustness */
/* `gpurt plot` as its users call it, with a gnuplot that is good, bad or missing. */
#include <stdbool.h>
#include <stdio.h>

#include "tests/support/program.h"
#include "tests/support/suite.h"

#ifndef GRT_PROGRAM
#error "tests of the program need the program: GRT_PROGRAM is its path"
#endif

static const char results[] =
    "# experiment: small\nu,evaluation,sets,yes,no,unknown,inapplicable,refused,none,ratio,low,high\n"
    "0.1,server,10,10,0,0,0,0,0,1,0.72,1\n0.1,mpcp,10,9,0,1,0,0,0,0.9,0.6,0.98\n"
    "0.2,server,10,5,0,5,0,0,0,0.5,0.24,0.76\n0.2,mpcp,10,3,0,7,0,0,0,0.3,0.11,0.6\n";

static bool has_gnuplot;

/* A gnuplot of the test's own, first in PATH. */
static void put_gnuplot(const char *script) {
    call("mkdir -p fake");
    put_file("fake/gnuplot", script);
    call("chmod +x fake/gnuplot");
}

#define FAKED "PATH=\"$PWD/fake:$PATH\" "

static void script_goes_to_standard_output(void) {
    expect(0, call("gpurt plot r.csv"));
    expect_part(out, "set multiplot");
    expect_part(out, "\n0.1 1 0.72 1\n0.2 0.5 0.24 0.76\n");
    expect_part(out, "'server'");
    expect_text(err, "");
    expect(0, call("gpurt plot - -o s.gp < r.csv && gpurt plot r.csv | cmp - s.gp"));
}

static void pictures_are_drawn(void) {
    if (!has_gnuplot) {
        puts("\n    gnuplot is not here: no picture is drawn");
        return;
    }
    expect(0, call("for f in svg pdf png; do gpurt plot r.csv -o a.$f && gpurt plot r.csv -o b.$f && cmp "
                   "a.$f b.$f || exit 9; "
                   "done; head -c 5 a.pdf; head -c 4 a.png | tail -c 3; grep -c 'server\\|mpcp' a.svg"));
    expect_text(out, "%PDF-PNG2\n");
    expect(0,
           call("gpurt plot r.csv -o s.gp && gnuplot -d s.gp | cmp - a.svg")); /* the script draws the same */
}

static void users_settings_do_not_matter(void) {
    if (has_gnuplot) {
        expect(0, call("echo 'set title \"mine\"' > .gnuplot && HOME=$PWD gpurt plot r.csv -o h.svg && cmp "
                       "h.svg a.svg"));
    }
}

static void names_are_only_drawn(void) {
    put_file(
        "bad.csv",
        "u,evaluation,ratio\n1,\"it's `touch made` $(touch made) @a <b>&\",1\n"
        "2,\"it's `touch made` $(touch made) @a <b>&\",0.5\n1,\"';system('touch made')\n!touch made\",1\n");
    expect(0, call("gpurt plot bad.csv --title \"%s\" -o bad.svg || [ %d = 0 ]", "'.system('touch made').'",
                   has_gnuplot));
    CU_ASSERT_FALSE(exists("made"));
    if (has_gnuplot) {
        expect(0, call("grep -o 'it.*s `touch made` $(touch made) @a &lt;b>&amp;' bad.svg"));
    }
}

static void gnuplot_may_be_missing(void) {
    call("mkdir -p none; rm -f x.svg");
    expect(1, call("PATH=$PWD/none gpurt plot r.csv -o x.svg"));
    expect_text(err, "gpurt: gnuplot is not installed here, or not in PATH: install it, or have the picture "
                     "drawn elsewhere\n");
    CU_ASSERT_FALSE(exists("x.svg"));
    expect(0, call("PATH=$PWD/none gpurt plot r.csv -o x.gp"));
}

static void gnuplot_may_fail(void) {
    call("echo old > x.svg");
    put_gnuplot("#!/bin/sh\ncat > /dev/null\necho '<svg'\necho 'line 3: oh no' >&2\nexit 3\n");
    expect(1, call(FAKED "gpurt plot r.csv -o x.svg"));
    expect_text(err, "gpurt: gnuplot failed with exit code 3: line 3: oh no\n");
    put_gnuplot("#!/bin/sh\necho '<svg'\nkill -9 $$\n"); /* without reading its input */
    expect(1, call(FAKED "gpurt plot r.csv -o x.svg"));
    expect_text(err, "gpurt: gnuplot was killed by signal 9\n");
    put_gnuplot("#!/bin/sh\ncat > /dev/null\n");
    expect(1, call(FAKED "gpurt plot r.csv -o x.svg"));
    expect_text(err, "gpurt: gnuplot wrote no picture\n");
    put_gnuplot("no program\n");
    call("chmod -x fake/gnuplot");
    expect(1, call("PATH=$PWD/fake gpurt plot r.csv -o x.svg"));
    expect_part(err, "gpurt: cannot start gnuplot: ");
    expect(0, call("grep -q old x.svg")); /* what was there is still there */
    expect(0, call("! ls -A | grep -q tmp"));
}

static void outputs_may_fail(void) {
    expect(1, call("gpurt plot r.csv > /dev/full"));
    expect_part(err, "standard output: cannot write: No space left on device");
    expect(1, call("gpurt plot r.csv -o nowhere/x.gp"));
    expect_part(err, "nowhere/x.gp: cannot create");
}

static void check_usage(const char *options, const char *expected) {
    expect(2, call("gpurt plot %s", options));
    expect_part(err, expected);
}

static void usage_is_checked(void) {
    check_usage("", "needs the results of a sweep");
    check_usage("r.csv r.csv", "one file of results at a time");
    check_usage("r.csv -o x.jpg", "--output: the name must end in .svg, .pdf, .png or .gp (got 'x.jpg')");
    check_usage("r.csv --size 88", "--size: must be width x height in mm");
    check_usage("r.csv --size 88x1e9", "--size: must be width x height in mm");
    check_usage("r.csv --y-range 1,0", "--y-range: must be two numbers, the smaller first");
    check_usage("r.csv --y-range 0,nan", "--y-range: must be two numbers");
    check_usage("r.csv --where cores", "--where: must be COLUMN=VALUE (got 'cores')");
    check_usage("r.csv --x u --x u", "--x");
    check_usage("r.csv --x ''", "--x: must not be empty");
    check_usage("r.csv --seriess u", "did you mean");
    check_usage("r.csv --x v", "r.csv: --x: there is no column \"v\"");
    check_usage("missing.csv", "missing.csv: ");
    check_usage("r.csv --experiment r.csv", "--experiment: this is the file of the results");
    check_usage("r.csv --experiment e.json", "e.json: ");
    check_usage("r.csv --experiment ''", "--experiment: must not be empty");
    check_usage("r.csv --experiment nosuch",
                "there is no such file, and no experiment of that name in the library");
    expect(2, call("cp r.csv r.gp; gpurt plot r.gp -o r.gp"));
    expect_part(err, "--output would overwrite the input 'r.gp'");
    expect(1, call("gpurt plot r.csv --size 30x20"));
    expect_part(err, "--size: 30x20 mm leave no room between the texts: at least about ");
}

#define SWEEP(options, to) "gpurt sweep x.json --quiet " options " --no-journal --csv " to

static void put_experiment(const char *name, const char *label, int epsilon, const char *title) {
    char text[1000];
    snprintf(
        text, sizeof text,
        "{\"gpurt_experiment\": 1, \"name\": \"%s\", \"samples\": 2, \"generator\": {\"name\": \"cores\", "
        "\"cores\": 2, \"epsilon\": \"%dus\"}, \"platform\": {\"gpus\": [{\"device\": \"exclusive\"}]}, "
        "\"evaluations\": [{\"name\": \"m\", \"label\": \"%s\", \"kind\": \"analysis\", \"analysis\": "
        "\"mpcp\"}], \"axes\": [{\"name\": \"share\", \"path\": \"generator.gpu_tasks\", \"values\": [0.1, "
        "0.2]}], \"plot\": {\"title\": \"%s\"}}",
        name, epsilon, label, title);
    put_file("x.json", text);
}

/* The experiment whose texts a figure gets is that of the results. */
static void experiments_are_those_of_the_results(void) {
    put_experiment("one", "M", 50, "T");
    expect(0, call(SWEEP("", "x.csv") " && " SWEEP("--samples 3 --seed 7", "y.csv") " && " SWEEP(
                  "--set generator.cores=4", "z.csv")));
    expect(0, call("gpurt plot x.csv --experiment x.json && gpurt plot y.csv --experiment x.json"));
    expect_text(err, ""); /* other samples are no other experiment */
    expect(0, call("mkdir -p lib/experiments && cp x.json lib/experiments/file.json && "
                   "GPURT_LIBRARY=$PWD/lib gpurt plot x.csv --experiment one >by-name.gp && "
                   "gpurt plot x.csv --experiment x.json | cmp - by-name.gp && grep -q T by-name.gp"));
    expect_text(err, "");
    expect(0, call("gpurt plot z.csv --experiment x.json"));
    expect_part(err, "gpurt: warning: z.csv has results of another state of the experiment than x.json");
    put_experiment("one", "M", 50, "Other");
    expect(0, call("gpurt plot x.csv --experiment x.json | grep -q Other"));
    expect_text(err, ""); /* only the figure is another */
    put_experiment("one", "M", 60, "Other");
    expect(0, call("gpurt plot x.csv --experiment x.json"));
    expect_part(err, "gpurt: warning: x.csv has results of another state of the experiment than x.json");
    expect(
        0,
        call("sed 's/^# build: .*/# build: another/' x.csv > w.csv; gpurt plot w.csv --experiment x.json"));
    expect_part(err, "gpurt: warning: w.csv has results of another state");
    put_experiment("one", "M", 50, "T");
    expect(0, call("gpurt plot w.csv --experiment x.json"));
    expect_text(err, ""); /* an older build's, of the same file */
    put_experiment("two", "M", 50, "T");
    check_usage("x.csv --experiment x.json",
                "x.csv: --experiment: these are results of experiment \"one\", not of \"two\"");
    expect(0, call("grep -v '^#' x.csv > v.csv; gpurt plot v.csv --experiment x.json"));
    expect_text(err, ""); /* nothing is said */
}

static void damaged_tables_are_refused(void) {
    put_file("cut.csv", "u,evaluation,ratio\n1,a,0.5\n2,a");
    check_usage("cut.csv", "cut.csv: line 3");
    put_file("binary.csv", "u\x01,evaluation\n");
    check_usage("binary.csv", "binary.csv: ");
    put_file("nothing.csv", "");
    check_usage("nothing.csv", "nothing.csv: ");
}

int main(void) {
    has_gnuplot = system("command -v gnuplot > /dev/null") == 0;
    put_file("r.csv", results);
    put_file("e.json", "{\"gpurt_experiment\": 1");
    CU_TestInfo tests[] = {{"script goes to standard output", script_goes_to_standard_output},
                           {"pictures are drawn", pictures_are_drawn},
                           {"users' settings do not matter", users_settings_do_not_matter},
                           {"names are only drawn", names_are_only_drawn},
                           {"gnuplot may be missing", gnuplot_may_be_missing},
                           {"gnuplot may fail", gnuplot_may_fail},
                           {"outputs may fail", outputs_may_fail},
                           {"usage is checked", usage_is_checked},
                           {"experiments are those of the results", experiments_are_those_of_the_results},
                           {"damaged tables are refused", damaged_tables_are_refused},
                           CU_TEST_INFO_NULL};
    return grt_suite_run("cli_plot", tests);
}
