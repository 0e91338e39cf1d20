/* Which kind of file a text is, and what is said of one that another command takes. */
#include <string.h>

#include "calib/program/files/file_taken.h"
#include "tests/support/suite.h"

static void kinds_are_known_by_their_beginning(void) {
    static const struct {
        const char *text;
        enum grt_taken kind;
    } cases[] = {
        {"", GRT_TAKEN_UNKNOWN},
        {" \n\t", GRT_TAKEN_UNKNOWN},
        {"{", GRT_TAKEN_UNKNOWN},
        {"{\"gpurt_raw\": 1", GRT_TAKEN_UNKNOWN}, /* not even a line: what reads raw files says so */
        {"{\"gpurt_raw\": 1}\n", GRT_TAKEN_RAW},
        {"{\"gpurt_raw\": 1}\n{\"cut", GRT_TAKEN_RAW},
        {"\xEF\xBB\xBF{\"gpurt_raw\": 1}\n", GRT_TAKEN_RAW},
        {"{\n \"gpurt_pretend\": 1\n}\n", GRT_TAKEN_PRETENDED},
        {"{\"gpurt_fit\": 1}", GRT_TAKEN_FINDINGS},
        {"{\"name\": \"a\", \"one_mode_p\": null}", GRT_TAKEN_WORST},
        {"[\n{\"one_mode_p\": 1}, {}]", GRT_TAKEN_WORST},
        {"[1, 2]", GRT_TAKEN_UNKNOWN},
        {"{\"tasks\": []}", GRT_TAKEN_SCENARIO},
        {"{\"gpurt_usage\": 1}", GRT_TAKEN_OTHER},
        {"{\"gpurt_kernels\": 1}", GRT_TAKEN_OTHER},
        {"{\"gpurt_device\": 1, \"sm_count\": 4}", GRT_TAKEN_OTHER},
        {"GPURTTRC and more", GRT_TAKEN_TRACE},
        {"GPURT", GRT_TAKEN_UNKNOWN},
        {"SQLite format 3 and more", GRT_TAKEN_NSYS},
        {"==PROF==\n\"ID\",\"Kernel Name\"\n", GRT_TAKEN_NCU},
        {"12", GRT_TAKEN_NUMBERS},
        {"# times\n\n 1.5e3, 2", GRT_TAKEN_NUMBERS},
        {"# times", GRT_TAKEN_UNKNOWN},
        {"12 us", GRT_TAKEN_NUMBERS}, /* what reads numbers says what is wrong */
        {"12us", GRT_TAKEN_UNKNOWN},
        {"times: 1 2", GRT_TAKEN_UNKNOWN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        enum grt_taken kind = grt_taken_of(cases[i].text, strlen(cases[i].text));
        CU_ASSERT_EQUAL(kind, cases[i].kind);
        if (kind != cases[i].kind) {
            printf("  %s: %d\n", cases[i].text, (int)kind);
        }
    }
    CU_ASSERT_EQUAL(grt_taken_of("\0\0\0", 3), GRT_TAKEN_UNKNOWN);
}

static void other_kinds_are_named(void) {
    struct grt_errors errors = {0};
    CU_ASSERT_TRUE(grt_taken_check("1 2 3", 5, GRT_TAKEN_NUMBERS, &errors));
    CU_ASSERT_TRUE(grt_taken_check("words", 5, GRT_TAKEN_NUMBERS, &errors));
    CU_ASSERT_EQUAL(errors.count, 0);
    CU_ASSERT_FALSE(grt_taken_check("1 2 3", 5, GRT_TAKEN_RAW, &errors));
    CU_ASSERT_FALSE(grt_taken_check("{\"gpurt_usage\": 1}", 18, GRT_TAKEN_RAW, &errors));
    CU_ASSERT_EQUAL_FATAL(errors.count, 2);
    CU_ASSERT_STRING_EQUAL(errors.messages[0],
                           "this begins with a number; `gpurt-calib worst` takes files of times");
    CU_ASSERT_STRING_EQUAL(errors.messages[1],
                           "this is a usage file; name it as the \"usage\" of a scenario's kernel");
    grt_errors_clear(&errors);
}

/* What was said stays, unless there is something better. */
static void errors_are_explained(void) {
    static const char path[] = GRT_SCRATCH_DIR "/numbers.txt";
    FILE *file = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fputs("1 2 3\n", file);
    fclose(file);
    struct grt_errors errors = {0};
    grt_error_add(&errors, NULL, "cannot be read");
    grt_taken_explain("-", GRT_TAKEN_TRACE, false, &errors);
    grt_taken_explain("/dev/null", GRT_TAKEN_TRACE, false, &errors);
    grt_taken_explain(GRT_SCRATCH_DIR, GRT_TAKEN_TRACE, false, &errors);
    grt_taken_explain(GRT_SCRATCH_DIR "/none", GRT_TAKEN_TRACE, false, &errors);
    grt_taken_explain(path, GRT_TAKEN_NUMBERS, true, &errors);
    CU_ASSERT_EQUAL_FATAL(errors.count, 1);
    CU_ASSERT_STRING_EQUAL(errors.messages[0], "cannot be read");
    grt_taken_explain(path, GRT_TAKEN_TRACE, true, &errors);
    CU_ASSERT_EQUAL_FATAL(errors.count, 1);
    CU_ASSERT_STRING_EQUAL(errors.messages[0], GRT_SCRATCH_DIR "/numbers.txt: this begins with a number; "
                                                               "`gpurt-calib worst` takes files of times");
    grt_errors_clear(&errors);
}

int main(void) {
    CU_TestInfo tests[] = {{"kinds are known by their beginning", kinds_are_known_by_their_beginning},
                           {"other kinds are named", other_kinds_are_named},
                           {"errors are explained", errors_are_explained},
                           CU_TEST_INFO_NULL};
    return grt_suite_run("files of other commands", tests);
}
