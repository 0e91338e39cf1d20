/* `gpurt papers` where values are missing: claims about points without values, and values of one set. */
#include "tests/support/program.h"
#include "tests/support/suite.h"

/* At the lighter load all sets are proven, at the heavier one none: there is no response ratio of what is not proven. */
static const char experiment[] =
    "{\"gpurt_experiment\": 1, \"name\": \"missing\", \"samples\": 20,"
    "\"generator\": {\"name\": \"independent\", \"tasks\": 3, \"utilisation\": 0.01},"
    "\"platform\": {\"gpus\": [{\"device\": \"exclusive\"}]},"
    "\"axes\": [{\"name\": \"load\", \"path\": \"generator.utilisation\", \"values\": [0.01, 1]}],"
    "\"evaluations\": [{\"name\": \"rm\", \"kind\": \"analysis\", \"policy\": {\"name\": \"np-rm\"}},"
    "{\"name\": \"again\", \"kind\": \"analysis\", \"policy\": {\"name\": \"np-rm\"}}],"
    "\"published\": [{\"at\": {\"load\": 0.01}, \"evaluation\": \"rm\", \"measure\": \"response_ratio\", "
    "\"value\": 5, \"source\": \"here\"}],"
    "\"claims\": [{\"text\": \"everywhere\", \"measure\": \"response_ratio\", \"about\": 0.5, \"order\": "
    "[\"rm\", \"again\"], \"everywhere\": true, \"source\": \"here\"},"
    "{\"text\": \"somewhere\", \"measure\": \"response_ratio\", \"about\": 0.5, \"order\": [\"rm\", "
    "\"again\"], \"everywhere\": false, "
    "\"source\": \"here\"},"
    "{\"text\": \"nowhere\", \"at\": {\"load\": 1}, \"measure\": \"response_ratio\", \"about\": 0.5, "
    "\"order\": [\"rm\", \"again\"], \"source\": \"here\"}]}";

static void claims_say_what_is_missing(void) {
    call("rm -rf miss; mkdir -p miss/experiments");
    put_file("miss/experiments/a.json", experiment);
    expect(0, call("gpurt papers --all --library miss --ascii --json missing.json"));
    expect_part(out,
                "everywhere (here)\n  does not hold everywhere: holds at 1 of 2 points, 1 without values");
    expect_part(out, "somewhere (here)\n  holds at 1 of 2 points, 1 without values");
    expect_part(out, "nowhere (here)\n  cannot be told: no point has all of its values");
    expect_part(out, "1 of 3 claims hold.");
    CU_ASSERT_PTR_NULL(strstr(out, "said by")); /* it is the paper */
    expect(0, call("grep -c 'points_without_values\":[[:space:]]*1' missing.json"));
    expect_text(out, "3\n");
}

/* One set has no interval: neither in the table nor on the page. */
static void one_set_has_no_interval(void) {
    expect(0, call("gpurt papers --all --library miss --samples 1 --markdown -"));
    expect_part(out, " | - | ");
    CU_ASSERT_PTR_NULL(strstr(out, "- to -"));
    CU_ASSERT_PTR_NULL(strstr(out, "nan"));
}

int main(void) {
    CU_TestInfo tests[] = {{"claims say what is missing", claims_say_what_is_missing},
                           {"one set has no interval", one_set_has_no_interval},
                           CU_TEST_INFO_NULL};
    return grt_suite_run("cli_papers_missing", tests);
}
