#include "cli/terminal/print_errors.h"

#include <stdio.h>

#include "sim/input_name.h"
#include "sim/program_name.h"

void grt_print_errors(struct grt_errors *errors, const char *path) {
    char prefix[4200];
    if (errors->count == 0) {
        return;
    }
    if (path == NULL) {
        snprintf(prefix, sizeof prefix, "%s: ", grt_program_name());
    } else {
        snprintf(prefix, sizeof prefix, "%s: %s: ", grt_program_name(), grt_input_name(path));
    }
    fflush(stdout); /* what was printed before the error stands before it */
    grt_errors_print(errors, stderr, prefix);
    grt_errors_clear(errors);
}
