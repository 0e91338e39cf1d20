/* What commands do with the files that they write. */
#ifndef GRT_CLI_TERMINAL_OUTPUT_FILE_H
#define GRT_CLI_TERMINAL_OUTPUT_FILE_H

#include <stdbool.h>

#include "sim/output.h"

/* Whether a path means standard output, where tables for people then have no place. NULL: no. */
bool grt_is_standard_output(const char *path);

/* Completes *output and sets it to NULL; NULL is allowed, and a success. False after adding an error, and without one where the reader of a pipe
 * left early: that is no news. */
bool grt_output_finish(struct grt_output **output, struct grt_errors *errors);

/* Writes a text, and `end` after it, to a file of its own; "-": standard output. False as grt_output_finish. */
bool grt_output_text(const char *path, const char *text, const char *end, struct grt_errors *errors);

/* Makes a folder for what is to be written, where it is not there. False after adding an error "PATH: cannot `purpose`: ..."; `purpose`: "draw pictures there". */
bool grt_output_folder(const char *path, const char *purpose, struct grt_errors *errors);

#endif
