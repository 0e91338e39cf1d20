/* What is said of a plug-in that is refused. */
#ifndef GRT_TESTS_SUPPORT_PLUGIN_ERROR_H
#define GRT_TESTS_SUPPORT_PLUGIN_ERROR_H

#include <stdio.h>

#include "sim/error.h"
#include "tests/support/program.h"

#ifdef GRT_PLUGINS

/* Expects one error, "<before>it: <sentence>", and clears it. */
static inline void expect_plugin_error(struct grt_errors *errors, const char *before, const char *sentence) {
    char expected[600];
    snprintf(expected, sizeof expected, "%sit: %s", before, sentence);
    CU_ASSERT_EQUAL(errors->count, 1);
    expect_text(errors->count > 0 ? errors->messages[0] : "no error", expected);
    grt_errors_clear(errors);
}

#endif

#endif
