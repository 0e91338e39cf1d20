/* Programs of several tests, each with a main of another name (tests/CMakeLists.txt): linking them one by one would be a tenth of the time of
 * ./dev test. */
#ifndef GRT_TESTS_SUPPORT_SHARED_PROGRAM_H
#define GRT_TESTS_SUPPORT_SHARED_PROGRAM_H

struct grt_shared_test {
    const char *name; /* as "test_arrival" */
    int (*run)(void); /* its main */
};

/* Runs the one of the tests, an array that ends with a NULL name, whose name the program was started by, through a link of that name, or that
 * its first argument is. What main returns: 2 where there is none, and then the names are shown. */
int grt_shared_run(int argc, char **argv, const struct grt_shared_test *tests);

#endif
