/* What inputs are called. */
#include "sim/input_name.h"

#include "tests/support/suite.h"

static void inputs_have_names(void) {
    CU_ASSERT_STRING_EQUAL(grt_input_name("-"), "standard input");
    CU_ASSERT_STRING_EQUAL(grt_input_name(""), "\"\"");
    CU_ASSERT_STRING_EQUAL(grt_input_name("-x"), "-x");
    CU_ASSERT_STRING_EQUAL(grt_input_name("a/b.json"), "a/b.json");
}

int main(void) {
    CU_TestInfo tests[] = {
        {"inputs have names", inputs_have_names},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("names of inputs", tests);
}
