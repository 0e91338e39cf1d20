#include "sim/check.h"

#include <stdio.h>
#include <stdlib.h>

#include "sim/program_name.h"
#include "sim/running.h"

_Noreturn void grt_check_failed(const char *condition, const char *what, const char *file, int line) {
    char under[GRT_RUNNING_TEXT_SIZE] = "", set[GRT_RUNNING_SET_TEXT_SIZE];
    const struct grt_running *running = grt_running_now();
    if (running != NULL) {
        grt_running_text(running, "", under, sizeof under);
    }
    fprintf(stderr, "%s: bug: broken rule: %s (%s, %s:%d)%s%s\n", grt_program_name(), what, condition, file,
            line, running != NULL ? ", under " : "", under);
    if (grt_running_set_text(set) != NULL) {
        fprintf(stderr, "%s: %s\n", grt_program_name(), set);
    }
    grt_running_end(NULL); /* it has been said */
    abort();
}
