/* labels: once */
/* `gpurt papers --all` on the library itself, with few sets a point: every experiment is run, and docs/papers.md, which is written with all sets, speaks
 * of the same experiments, published values and claims. */
#include "tests/support/program.h"
#include "tests/support/suite.h"

#define LIBRARY GRT_SOURCE_DIR "/scenarios"

static void all_are_run(void) {
    expect(0, call("gpurt papers --all --library '" LIBRARY
                   "' --samples 2 --quick-training --markdown p.md --json p.json"));
    expect(0,
           call("find '" LIBRARY "' -path '*/experiments/*.json' | wc -l > files; grep -c '\"full_samples\"' "
                "p.json > run; diff files run"));
}

/* The lines of the page that do not depend on what was drawn: headings, sources, notes; the number of rows of tables. */
static void page_is_of_the_same(void) {
    expect(
        0,
        call(
            "for p in p.md '" GRT_SOURCE_DIR "/docs/papers.md'; do\n"
            "  grep '^## ' \"$p\"; grep -c '^| ' \"$p\"; grep -c '^- ' \"$p\"\n"
            "  done > both; n=$(($(wc -l < both) / 2)); head -n $n both > a; tail -n $n both > b; diff a b"));
}

int main(void) {
    CU_TestInfo tests[] = {
        {"all are run", all_are_run}, {"page is of the same", page_is_of_the_same}, CU_TEST_INFO_NULL};
    return grt_suite_run("papers", tests);
}
