/* CUnit, for all tests. */
#ifndef GRT_TESTS_SUPPORT_CUNIT_H
#define GRT_TESTS_SUPPORT_CUNIT_H

#include <CUnit/CUnit.h>

#ifdef __clang_analyzer__ /* the analyzer does not follow CUnit's longjmp: a fatal assertion that fails ends the test */
#include <stdlib.h>

#define CU_assertImplementation(value, line, condition, file, function, fatal)                               \
    ((value) || !(fatal) ? (void)0 : abort())
#endif

#endif
