#include "sim/check.h"

#include <stdio.h>
#include <stdlib.h>

_Noreturn void grt_check_failed(const char *condition, const char *what, const char *file, int line) {
    fprintf(stderr, "gpurt: bug: %s (%s, %s:%d)\n", what, condition, file, line);
    abort();
}
