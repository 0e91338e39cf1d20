/* Whether two names on the command line mean the same file. */
#ifndef GRT_CLI_TERMINAL_SAME_FILE_H
#define GRT_CLI_TERMINAL_SAME_FILE_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>

/* A file to read or to write. */
struct grt_named_file {
    const char *path; /* NULL: none, the same as nothing */
    int standard;     /* the descriptor that "-" stands for */
};

/* True if both are one file, whether it is there already or not. Terminals, /dev/null and other devices can be used
 * twice. */
bool grt_same_file(const struct grt_named_file *first, const struct grt_named_file *second);

/* A file that an option has written. */
struct grt_output_option {
    const char *option; /* "--json" */
    const char *path;   /* NULL: not given */
};

/* Ends the program where one of `count` outputs would overwrite another one or the input, a "scenario" or `what` else: what is written must be neither
 * what is read nor what else is written. */
void grt_check_output_list(const char *what, const char *input, const struct grt_output_option *outputs,
                           size_t count, const struct argp_state *state);

/* The same of two outputs. */
void grt_check_outputs(const char *what, const char *input, const struct grt_output_option outputs[2],
                       const struct argp_state *state);

#endif
