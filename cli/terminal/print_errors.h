/* How commands say what is wrong. */
#ifndef GRT_CLI_TERMINAL_PRINT_ERRORS_H
#define GRT_CLI_TERMINAL_PRINT_ERRORS_H

#include "sim/error.h"

/* What an input is called where it is spoken of: its path, "standard input" for "-", and two quotes where the path is empty. Lives as
 * long as the path. */
const char *grt_input_name(const char *path);

/* Prints errors as "gpurt: PATH: ..." to standard error and empties the list. `path` NULL: without it; else it is
 * called by grt_input_name. */
void grt_print_errors(struct grt_errors *errors, const char *path);

#endif
