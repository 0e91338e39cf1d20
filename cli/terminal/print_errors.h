/* How commands say what is wrong. */
#ifndef GRT_CLI_TERMINAL_PRINT_ERRORS_H
#define GRT_CLI_TERMINAL_PRINT_ERRORS_H

#include "sim/error.h"

/* Prints errors as "gpurt: PATH: ..." to standard error and empties the list. `path` NULL: without it; else it is
 * called by its name (sim/input_name.h). */
void grt_print_errors(struct grt_errors *errors, const char *path);

#endif
