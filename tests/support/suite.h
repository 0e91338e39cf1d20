/* The main program of a test: one CUnit suite. */
#ifndef GRT_TESTS_SUPPORT_SUITE_H
#define GRT_TESTS_SUPPORT_SUITE_H

#include "tests/support/cunit.h"

/* Runs the tests, an array that ends with CU_TEST_INFO_NULL, and returns what main returns: 0 if all passed. */
int grt_suite_run(const char *name, CU_TestInfo *tests);

/* How many cases a test of random cases runs: `soak` where the environment has GRT_SOAK=1, else `normal`. */
int grt_suite_cases(int normal, int soak);

#endif
