/* The command line of `gpurt plot`. */
#ifndef GRT_CLI_SWEEP_PLOT_OPTIONS_H
#define GRT_CLI_SWEEP_PLOT_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "study/plot/figure.h"

struct grt_plot_command {
    const char *input, *output;      /* paths; "-": standard input or output */
    const char *experiment;          /* path, or NULL */
    int format;                      /* enum grt_plot_format; -1: the script itself */
    struct grt_plot_options options; /* whose conditions are these: */
    struct grt_plot_condition where[GRT_PLOT_CONDITIONS];
    struct grt_arena arena; /* the texts of these */
    uint64_t given;         /* the options that may be given once, as bits */
};

/* Reads the command line; ends the program where it is wrong. Free with grt_plot_options_free. */
void grt_plot_options_read(struct grt_plot_command *command, int argc, char **argv);
void grt_plot_options_free(struct grt_plot_command *command);

/* The format that a file's name asks for: an enum grt_plot_format, -1 for "-" and names that end in .gp, -2 for others. */
int grt_plot_format_of(const char *path);

#endif
