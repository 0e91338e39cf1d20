/* CUnit, for all tests. */
#ifndef GRT_TESTS_SUPPORT_CUNIT_H
#define GRT_TESTS_SUPPORT_CUNIT_H

#include <CUnit/CUnit.h>

#ifdef __clang_analyzer__ /* the analyzer does not follow CUnit's longjmp: what a fatal assertion asserts is so behind it */
#define CU_assertImplementation(value, line, condition, file, function, fatal) GRT_BEHIND_##fatal(value)
#define GRT_BEHIND_CU_FALSE(value) (void)(value)
#define GRT_BEHIND_CU_TRUE(value)                                                                            \
    const int cu_value = (value);                                                                            \
    __builtin_assume(cu_value)
#endif

#endif
