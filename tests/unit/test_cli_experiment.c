/* Experiments on the command line: gpurt check, schema and reference. */
#include "tests/support/documented_experiment.h"
#include "tests/support/program.h"
#include "tests/support/suite.h"

static void test_check(void) {
    char *text = grt_documented_experiment();
    put_file("good.json", text);
    put_file("bad.json", "{\"gpurt_experiment\": 1, \"name\": \"a\", \"generator\": {\"name\": \"core\"}}");
    expect(0, call("gpurt check good.json"));
    expect_text(out, "good.json: ok\n");
    expect(0, call("gpurt check --quiet good.json; cat good.json | gpurt check -"));
    expect_text(out, "standard input: ok\n");
    expect(2, call("gpurt check good.json bad.json"));
    expect_part(out,
                "good.json: ok\nbad.json: evaluations: required\n"
                "bad.json: generator.name: unknown generator \"core\" (did you mean \"cores\"?); known are ");
    expect(2, call("gpurt run good.json"));
    expect_part(err, "this is an experiment; `gpurt sweep` runs it");
    free(text);
}

static void test_documents(void) {
    expect(0, call("gpurt schema --experiment | cmp - '" GRT_SOURCE_DIR "/docs/experiment.schema.json'"));
    expect(0, call("gpurt reference -e | cmp - '" GRT_SOURCE_DIR "/docs/experiment-reference.md'"));
    expect(0, call("gpurt schema | cmp - '" GRT_SOURCE_DIR "/docs/scenario.schema.json'"));
}

int main(void) {
    static CU_TestInfo tests[] = {
        {"check", test_check}, {"schema and reference", test_documents}, CU_TEST_INFO_NULL};
    return grt_suite_run("experiments on the command line", tests);
}
