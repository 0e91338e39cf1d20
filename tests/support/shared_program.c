#include "tests/support/shared_program.h"

#include <stdio.h>
#include <string.h>

static const struct grt_shared_test *find(const struct grt_shared_test *tests, const char *path) {
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    while (tests->name != NULL && strcmp(tests->name, name) != 0) {
        tests++;
    }
    return tests->name != NULL ? tests : NULL;
}

int grt_shared_run(int argc, char **argv, const struct grt_shared_test *tests) {
    const struct grt_shared_test *test = NULL;
    for (int i = 0; i < argc && i < 2 && test == NULL; i++) {
        test = find(tests, argv[i]);
    }
    if (test != NULL) {
        return test->run();
    }
    fprintf(stderr, "which of these tests?\n");
    for (; tests->name != NULL; tests++) {
        fprintf(stderr, "  %s\n", tests->name);
    }
    return 2;
}
