/* The build's name: of the sources that results depend on, wherever they are. */
#include <string.h>

#include "scenarios/build_id.h"
#include "tests/support/program.h"
#include "tests/support/suite.h"

#define SCRIPT GRT_SOURCE_DIR "/scenarios/embed/build_id.cmake"
#define SOURCES GRT_SCRATCH_DIR "/../../generated/result_sources.txt"

/* The id of the files of a list, below a root. */
static const char *id_of(const char *root, const char *list, char id[13]) {
    expect(0, call("cmake -DROOT='%s' -DLIST='%s' -DOUTPUT=id.c -P '" SCRIPT
                   "' && sed -n 's/.*= \"\\(.*\\)\";$/\\1/p' id.c | tr -d '\\n'",
                   root, list));
    CU_ASSERT_EQUAL_FATAL(strlen(out), 12);
    CU_ASSERT_EQUAL(strspn(out, "0123456789abcdef"), 12);
    return memcpy(id, out, 13);
}

static void test_what_it_depends_on(void) {
    char first[13], other[13];
    expect(0, call("rm -rf x y; mkdir -p x/s y/s; echo a > x/s/a.c; echo b > x/s/b.c; cp x/s/* y/s"));
    put_file("list", "s/a.c\ns/b.c\n");
    put_file("turned", "s/b.c\ns/a.c\n");
    put_file("fewer", "s/b.c\n");
    id_of("x", "list", first);
    CU_ASSERT_STRING_EQUAL(id_of("y", "turned", other), first);
    CU_ASSERT_STRING_NOT_EQUAL(id_of("x", "fewer", other), first);
    expect(0, call("echo c >> y/s/b.c"));
    CU_ASSERT_STRING_NOT_EQUAL(id_of("y", "list", other), first);
    expect(0, call("echo b > y/s/a.c; echo a > y/s/b.c"));
    CU_ASSERT_STRING_NOT_EQUAL(id_of("y", "list", other), first);
}

/* The one that is linked is that of the sources, all of which are in the list. */
static void test_this_build(void) {
    static const char *const in[] = {"sim/event.c",
                                     "models/policy.h",
                                     "policies/registry.c",
                                     "scenarios/build_id.h",
                                     "scenarios/devices/a100.json",
                                     "verify/audit.h",
                                     "study/tally.c"};
    char id[13];
    CU_ASSERT_STRING_EQUAL(id_of(GRT_SOURCE_DIR, SOURCES, id), grt_build_id);
    for (size_t i = 0; i < sizeof in / sizeof in[0]; i++) {
        expect(0, call("grep -qx '%s' '" SOURCES "'", in[i]));
    }
    expect(1, call("grep -E '^(cli|viz|tests)/' '" SOURCES "'"));
}

int main(void) {
    static CU_TestInfo tests[] = {
        {"what it depends on", test_what_it_depends_on}, {"this build", test_this_build}, CU_TEST_INFO_NULL};
    return grt_suite_run("build id", tests);
}
