#include "tests/support/suite.h"

#include <CUnit/Basic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MANY = 100, SHARE = 4 };

/* For what a test starts: that a program frees what it has is tests/support/memcheck.sh's to see. The search at each end would be a
 * third of what starting one takes with sanitizers. Who allocated is not noted either, which is a fifth; with less than 2 no leak would be found. */
static void hurry_children(void) {
    const char *given = getenv("ASAN_OPTIONS");
    char options[1000];
    int length = snprintf(options, sizeof options, "%s%sdetect_leaks=0:malloc_context_size=0",
                          given != NULL ? given : "", given != NULL ? ":" : "");
    if (length < 0 || (size_t)length >= sizeof options || setenv("ASAN_OPTIONS", options, 1) != 0) {
        fprintf(stderr, "ASAN_OPTIONS: too long, or no memory\n");
        exit(1);
    }
}

int grt_suite_run(const char *name, CU_TestInfo *tests) {
    hurry_children();
    CU_SuiteInfo suites[] = {{name, NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    if (CU_initialize_registry() != CUE_SUCCESS || CU_register_suites(suites) != CUE_SUCCESS) {
        fprintf(stderr, "%s\n", CU_get_error_msg());
        return 1;
    }
    CU_basic_set_mode(CU_BRM_NORMAL);
    CU_basic_run_tests();
    unsigned failed = CU_get_number_of_failures();
    CU_cleanup_registry();
    return failed == 0 ? 0 : 1;
}

static bool is_set(const char *variable) {
    const char *value = getenv(variable);
    return value != NULL && strcmp(value, "1") == 0;
}

bool grt_suite_is_brief(void) {
    return is_set("GRT_FEW_CASES");
}

bool grt_suite_is_long(void) {
    return is_set("GRT_SOAK");
}

int grt_suite_all_cases(int normal, int soak) {
    return grt_suite_is_long() ? soak : normal;
}

int grt_suite_cases(int normal, int soak) {
    return grt_suite_all_cases(grt_suite_is_brief() && normal >= MANY ? normal / SHARE : normal, soak);
}
