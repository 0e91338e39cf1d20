/* labels: once */
/* gpurt show of a run's trace against gpurt run itself. With sanitizers golden/library runs every scenario, and unit/cli_trace shows traces of few. */
#include "tests/support/program.h"
#include "tests/support/suite.h"

#ifndef GRT_PROGRAM
#error "tests of the program need the program: GRT_PROGRAM is its path"
#endif

/* The table of tasks of every scenario in the library is that of gpurt run, which knows two columns more, and what the policy works with. */
static void test_show_is_run(void) {
    put_file("judge.awk",
             "function judge(i) {\n"
             "    for (i = 1; i <= n[\"b\"]; i++) if (index(line[\"a\", i], line[\"b\", i]) != 1) bad = 1\n"
             "    if (bad || n[\"b\"] < 3 || verdict[\"a\"] != verdict[\"b\"]) print file[pair]\n"
             "    split(\"\", line); split(\"\", n); split(\"\", verdict); bad = 0; judged++\n"
             "}\n"
             "FILENAME == \"list\" { file[FNR] = $0; next }\n"
             "FNR == 1 && pair && FILENAME ~ /^a/ { judge() }\n"
             "FNR == 1 { which = substr(FILENAME, 1, 1); pair = substr(FILENAME, 3); apart = table = 0 }\n"
             "/missed [0-9]+ of|deadlines met|the one deadline met|no deadline came up/ {\n"
             "    verdict[which] = verdict[which] $0 \"\\n\" }\n"
             "/^task .* boosted/ { apart = 1 }\n"
             "apart { apart = $0 != \"\"; next }\n"
             "/^task / { table = 1 }\n"
             "table { line[which, ++n[which]] = $0; table = $0 != \"\" }\n"
             "END { judge(); print judged }\n");
    expect(0, call("find '" GRT_SOURCE_DIR "/scenarios' -name '*.json' | grep -v -e /devices/ -e /usages/ -e "
                   "/kernels/ -e /experiments/ | sort > list\n"
                   "n=0\n"
                   "while read -r file; do\n"
                   "  n=$((n + 1))\n"
                   "  gpurt run \"$file\" --width 1000 --trace t > a.$n && gpurt show t --table --width 1000 "
                   "> b.$n || "
                   "echo \"$file\"\n"
                   "  files=\"$files a.$n b.$n\"\n"
                   "done < list\n"
                   "awk -f judge.awk list $files > judged; grep -v '^[0-9]*$' judged\n"
                   "test $n -ge 70 && test \"$(tail -n 1 judged)\" = $n"));
    expect_text(out, "");
    expect_text(err, "");
}

int main(void) {
    CU_TestInfo tests[] = {{"show is run", test_show_is_run}, CU_TEST_INFO_NULL};
    return grt_suite_run("show is run", tests);
}
