#include "tests/support/scenario_text.h"

#include <stdio.h>
#include <string.h>

#include "tests/support/cunit.h"

void grt_scenario_text_load(const char *text, const struct grt_scenario_changes *changes,
                            struct grt_scenario_file *file) {
    struct grt_errors errors = {0};
    bool accepted = grt_scenario_parse(text, strlen(text), "tests/reject", changes, file, &errors);
    grt_errors_print(&errors, stdout, "\n    ");
    CU_ASSERT_EQUAL(accepted, errors.count == 0);
    CU_ASSERT_FATAL(accepted);
    grt_errors_clear(&errors);
}
