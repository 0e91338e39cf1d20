/* The main program of a test: one CUnit suite. */
#ifndef GRT_TESTS_SUPPORT_SUITE_H
#define GRT_TESTS_SUPPORT_SUITE_H

#include <stdbool.h>

#include "tests/support/cunit.h"

#ifdef main /* the test shares its program with others (tests/CMakeLists.txt), and its main has another name */
int main(void);
#endif

/* Runs the tests, an array that ends with CU_TEST_INFO_NULL, and returns what main returns: 0 if all passed. */
int grt_suite_run(const char *name, CU_TestInfo *tests);

/* How many cases a test of random cases runs: `soak` where the environment has GRT_SOAK=1, else `normal`; where it has GRT_FEW_CASES=1, as
 * ctest's presets whose programs are slow have it, a quarter of that if it is 100 or more. Not for numbers that are no counts, and where a quarter would show nothing: below. */
int grt_suite_cases(int normal, int soak);

/* The same without that: for tests of how often something happens, for instance. */
int grt_suite_all_cases(int normal, int soak);

/* Whether the environment has GRT_FEW_CASES=1. */
bool grt_suite_is_brief(void);

/* Whether the environment has GRT_SOAK=1. */
bool grt_suite_is_long(void);

#endif
