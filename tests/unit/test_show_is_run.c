/* labels: once */
/* gpurt show of a run's trace against gpurt run itself. With sanitizers golden/library runs every scenario, and unit/cli_trace shows traces of few. */
#include "tests/support/program.h"
#include "tests/support/suite.h"

#ifndef GRT_PROGRAM
#error "tests of the program need the program: GRT_PROGRAM is its path"
#endif

/* The table of tasks of every scenario in the library is that of gpurt run, which knows two columns more, and what the policy works with. */
static void test_show_is_run(void) {
    expect(
        0,
        call("find '" GRT_SOURCE_DIR "/scenarios' -name '*.json' | grep -v -e /devices/ -e /usages/ -e "
             "/kernels/ -e /experiments/ | sort > list\n"
             "verdict='missed [0-9]+ of|deadlines met|the one deadline met|no deadline came up'\n"
             "while read -r file; do\n"
             "  gpurt run \"$file\" --width 1000 --trace t > a && gpurt show t --table --width 1000 > b || "
             "echo \"$file\"\n"
             "  for i in a b; do sed -e '/^task .* boosted/,/^$/d' $i | sed -n '/^task /,/^$/p' > $i.tasks; "
             "grep -E \"$verdict\" $i > "
             "$i.verdict; done\n"
             "  awk 'NR == FNR { line[NR] = $0; next } { n++ } index(line[FNR], $0) != 1 { bad = 1 }\n"
             "    END { exit bad || n < 3 }' a.tasks b.tasks && cmp a.verdict b.verdict || echo \"$file\"\n"
             "done < list; test $(wc -l < list) -ge 70"));
    expect_text(out, "");
    expect_text(err, "");
}

int main(void) {
    CU_TestInfo tests[] = {{"show is run", test_show_is_run}, CU_TEST_INFO_NULL};
    return grt_suite_run("show is run", tests);
}
